"""What an intruder sees: the published records, each kind of them once, and what he knows about whom.

He may know all that the masker knew (the original, read with the masker's taxonomies), have a file of his own about
some of the persons and others, or read all words with a taxonomy of his own.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.attack.linkage import Span
from taxonym.distance.record import Part, Sets, Values
from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import runs
from taxonym.knowledge.combine import flat, with_roots
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan
from taxonym.plan.meaning import finder_of
from taxonym.records.column import Column
from taxonym.records.queries import plain_term
from taxonym.records.support import Long
from taxonym.records.table import Table
from taxonym.records.units import Numbers, Units
from taxonym.records.words import MISSING
from taxonym.shapes.table.reread import Compared, Trail
from taxonym.text.finder import Finder
from taxonym.text.terms import Said, terms_of, tidy

Cells = list[list[str]]


@dataclass(frozen=True, slots=True, eq=False)
class ShownRelease:
    """The different published records 0..m-1: size[j] persons are published as record j. They come by the values of
    the `other` columns (block), which are published as they are.

    `parts` is how the masker reads them, words[c][j] are the words of column c, of_unit[i] is the record of unit i (-1:
    none). `rows` counts the rows of the release, `persons` those whose rows they are.
    """

    parts: list[Part]
    words: dict[str, Cells]
    size: Long
    block: Long
    of_unit: Long
    rows: int
    persons: int

    def __len__(self) -> int:
        return len(self.size)


def look(compared: Compared, trail: Trail | None) -> ShownRelease:
    """A written release, as everybody sees it; the trail says whose rows they are."""
    units, unit = compared.units, compared.places(trail)
    parts, _ = compared.parts()
    words = {name: [[plain_term(word) for word in row] for row in rows] for name, rows in compared.words.items()}
    keys = list(zip(units.block[unit].tolist(), as_written(list(words.values()), parts), strict=True))
    number: dict[Hashable, int] = {}
    kind = np.array([number.setdefault(key, len(number)) for key in keys], np.int64)
    first = np.unique(kind, return_index=True)[1]
    order = np.argsort(units.block[unit[first]], kind="stable")
    kind, first = np.argsort(order)[kind], first[order]
    pairs = np.unique(kind * (int(units.persons.max()) + 1) + units.persons[unit])
    of_unit = np.full(len(units), -1, np.int64)
    of_unit[unit] = kind
    return ShownRelease(
        [part.take(first) for part in parts],
        {name: [cells[row] for row in first.tolist()] for name, cells in words.items()},
        np.bincount(pairs // (int(units.persons.max()) + 1), minlength=len(first)),
        units.block[unit[first]],
        of_unit,
        compared.frame.height,
        len(np.unique(units.persons[unit])),
    )


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What the intruder compares: his records x with the published ones y, read with the same taxonomies.

    truth[i] is the published record of record i of x, -1 where its person is not in the release; persons[i] is whose
    it is. He looks among the published records from span[0][i] to span[1][i] - 1. `written` and `shown` are the same
    records as written.
    """

    x: list[Part]
    y: list[Part]
    truth: Long
    persons: Long
    span: Span
    written: Sequence[Hashable]
    shown: Sequence[Hashable]

    @property
    def inside(self) -> Long:
        return np.flatnonzero(self.truth >= 0)


def all_known(
    shown: ShownRelease, units: Units, plan: Plan, taxonomies: Sequence[str] | None = None, progress: Progress = SILENCE
) -> View:
    """The worst case [Martinez2012, def. 4.3]: he has the original, `other` columns included, and looks among the
    published records that have the same values there. With `taxonomies` he reads words by these."""
    cells = {c.column.name: _cells(units.table, c.column.name, units.records) for c in units.words}
    parts = units.parts
    x, y = parts, shown.parts
    if taxonomies is not None:
        x, y = _read(shown, units, plan, cells, parts, taxonomies, progress)
    span = np.searchsorted(shown.block, units.block), np.searchsorted(shown.block, units.block, side="right")
    rows = as_written(list(cells.values()), parts)
    written = list(zip(units.block.tolist(), rows, strict=True))
    others = list(zip(shown.block.tolist(), as_written(list(shown.words.values()), shown.parts), strict=True))
    return View(x, y, shown.of_unit, units.persons, span, written, others)


def some_known(
    path: str | Path,
    shown: ShownRelease,
    units: Units,
    plan: Plan,
    taxonomies: Sequence[str] | None = None,
    progress: Progress = SILENCE,
) -> View:
    """He has a file of his own with the quasi-identifiers of persons, who may be in the release or not. A person with
    several published records (different `other` columns) is there once for each."""
    if plan.input.person is None:
        raise BadPlan(
            "--intruder: the plan does not say whose row it is, so nobody knows who in that file is who. Name the "
            "column with input.person."
        )
    quasi = {c.name: c for c in plan.columns.values() if c.role == "quasi-identifier"}
    quasi = {
        name: replace(c, on_empty="suppress" if c.on_empty == "error" else c.on_empty) for name, c in quasi.items()
    }
    given = plan.input
    table = Table.of(path, quasi, person=given.person, missing=given.missing, dialect=given.dialect)
    known = {id: i for i, id in enumerate(units.table.person_ids)}
    published: dict[int, set[int]] = {}
    for unit in np.flatnonzero(shown.of_unit >= 0).tolist():
        published.setdefault(int(units.persons[unit]), set()).add(int(shown.of_unit[unit]))
    pairs = [
        (record, kind)
        for record, person in enumerate(table.person.tolist())
        for kind in sorted(published.get(known.get(table.person_ids[person], -1), ())) or [-1]
    ]
    record, truth = np.array(pairs, np.int64).T
    records = [[r] for r in record.tolist()]
    cells = {c.column.name: _cells(table, c.column.name, records) for c in units.words}
    parts: list[Part] = []
    for column, part in zip(units.columns, units.parts, strict=True):
        numbers = isinstance(part, Values)
        parts.append(replace(part, values=table.values(column.column.name)[record]) if numbers else part)
    x, y = _read(shown, units, plan, cells, parts, taxonomies, progress)
    whole = np.zeros(len(truth), np.int64), np.full(len(truth), len(shown))
    written = as_written(list(cells.values()), x)
    others = as_written(list(shown.words.values()), shown.parts)
    return View(x, y, truth, table.person[record].astype(np.int64), whole, written, others)


# ---------------------------------------------------------------------- records as written


def as_written(words: Sequence[Cells], parts: Sequence[Part]) -> list[tuple[Any, ...]]:
    """Records without any meaning: the words of every column as a set, and the numbers."""
    columns: list[list[Any]] = [[frozenset(map(tidy, cell)) for cell in cells] for cells in words]
    numbers = [part.values.tolist() for part in parts if isinstance(part, Values)]
    columns += [[None if value != value else value for value in values] for values in numbers]
    return list(zip(*columns, strict=True))


def _cells(table: Table, name: str, records: Sequence[Sequence[int]]) -> Cells:
    """The terms (of a text, its lines) of units that are made of these records."""
    terms = table.terms(name)
    if table.columns[name].kind == "text":
        terms = [[line for text in texts for line in text.splitlines()] for texts in terms]
    return [
        terms[mine[0]] if len(mine) == 1 else sorted({term for record in mine for term in terms[record]})
        for mine in records
    ]


# ---------------------------------------------------------------------- reading


def _read(
    shown: ShownRelease,
    units: Units,
    plan: Plan,
    cells: dict[str, Cells],
    parts: Sequence[Part],
    taxonomies: Sequence[str] | None,
    progress: Progress,
) -> tuple[list[Part], list[Part]]:
    """The intruder's and the published records, with the taxonomies of the plan or with his own."""
    x: list[Part] = []
    y: list[Part] = []
    loaded: dict[str, Taxonomy] = {}
    for column, part, other in zip(units.columns, parts, shown.parts, strict=True):
        if isinstance(column, Numbers):
            x, y = [*x, part], [*y, other]
            continue
        own, name = column.column, column.column.name
        if taxonomies is not None:  # concepts that settings name are those of the masker's taxonomy
            own = replace(own, taxonomy=tuple(taxonomies), category=None, overrides=None)
            own = replace(own, on_unknown="keep-as-own-concept")
        progress.start(f"concepts of {name}", len(cells[name]))
        tax, mine, theirs = read_both(own, cells[name], shown.words[name], finder_of(own, plan, loaded, progress))
        progress.finish()
        x.append(Sets(tax, *mine, own.weight))
        y.append(Sets(tax, *theirs, own.weight))
    return x, y


def read_both(
    column: Column, written: Cells, published: Cells, finder: Finder | None
) -> tuple[Taxonomy, tuple[Long, Any], tuple[Long, Any]]:
    """What is written and what is published as concepts of one taxonomy.

    A term that it does not know is a concept of its own where the policy is keep-as-own-concept (equal terms are the
    same then, others have nothing in common), and is left out otherwise. Without a finder every term is one.
    """
    if column.on_empty == "keep-as-own-concept":
        written = [terms or [MISSING] for terms in written]
    if finder is None:
        said = [[_own(terms) for terms in cells] for cells in (written, published)]
    else:
        entries = column.kind != "text"
        said = [
            list(map(_reader(finder, column, way), cells)) for way, cells in ((entries, written), (True, published))
        ]
    kept = finder is None or column.on_unknown == "keep-as-own-concept"
    new = sorted({u for half in said for one in half for u in one.unknown if kept or u == MISSING})
    first = 0 if finder is None else len(finder.taxonomy)
    own = {label: first + i for i, label in enumerate(new)}
    tax = flat(new or [MISSING], column.name) if finder is None else with_roots(finder.taxonomy, new)
    if finder is None:
        own = {label: tax.code(label) for label in new}
    mine, theirs = (
        runs(sorted({code for _, code in one.known} | {own[u] for u in one.unknown if u in own}) for one in half)
        for half in said
    )
    return tax, mine, theirs


def _own(terms: Sequence[str]) -> Said:
    return Said([], [tidy(term) for term in terms])


def _reader(finder: Finder, column: Column, entries: bool) -> Callable[[Sequence[str]], Said]:
    """How the terms of a record are read together; terms that mean the same wherever they stand are read once."""
    seen: dict[tuple[str, ...], Said] = {}
    single = column.kind == "nominal"

    def once(terms: tuple[str, ...]) -> Said:
        if terms not in seen:
            found = terms_of(finder, terms, entries=entries, single=single)
            seen[terms] = Said([pair for one in found for pair in one.known], [u for one in found for u in one.unknown])
        return seen[terms]

    def read(terms: Sequence[str]) -> Said:
        lone = [_own([term]) for term in terms if term == MISSING]
        rest = [term for term in terms if term != MISSING]
        parts = [once(tuple(rest))] if finder.policy.record else [once((term,)) for term in rest]
        parts += lone
        return Said([pair for one in parts for pair in one.known], [u for one in parts for u in one.unknown])

    return read

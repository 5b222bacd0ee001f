"""A table or a query log beside its release: what was lost, and what an intruder can read in both.

He may know all that the masker knew (the original, read with the masker's taxonomies), have a file of his own about
some of the persons and others, or read all words with a taxonomy of his own.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from taxonym.attack.linkage import numbered
from taxonym.attack.published import PublishedKinds, View
from taxonym.distance.record import Part, Sets, Values
from taxonym.errors import BadInput, BadPlan
from taxonym.io.delimited import Dialect
from taxonym.io.files import read_released
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.combine import flat, with_values
from taxonym.knowledge.names import splits
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.generalization import classical
from taxonym.methods.closeness import privacy_of_release
from taxonym.methods.survival import survival_of_release
from taxonym.plan import Generalization, Plan
from taxonym.plan.meaning import finder_of
from taxonym.promises.classes import published_words
from taxonym.promises.ranges import range_of
from taxonym.records.cells import as_numbers, typed
from taxonym.records.column import Column
from taxonym.records.masked import MaskedRecords
from taxonym.records.queries import plain_term
from taxonym.records.records import NumberColumn, Records
from taxonym.records.table import Table, class_numbers
from taxonym.records.terms import MapsTo
from taxonym.records.vocabulary import Vocabulary
from taxonym.records.words import MISSING, WordColumn
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.release_pair import ReleasePair, Taxonomies
from taxonym.shapes.table.reread import Trail, places
from taxonym.text.finder import Finder
from taxonym.text.record_terms import terms_of_records
from taxonym.text.terms import TextTerms, terms_of, tidy

if TYPE_CHECKING:
    import polars as pl

Cells = list[list[str]]


@dataclass(frozen=True, eq=False)
class TableReleasePair(ReleasePair):
    """Units and the rows of a release; words[c][i] are the words of row i in column c, as they are looked up.

    `strange` counts the words of each column that mean nothing.
    """

    units: Records
    frame: "pl.DataFrame"
    words: Mapping[str, Sequence[Sequence[str]]]
    strange: Mapping[str, int]

    @classmethod
    def of(
        cls,
        where: str,
        plan: Plan,
        units: Records,
        frame: "pl.DataFrame",
        words: Mapping[str, Sequence[Sequence[str]]],
        trail: Trail | None,
    ) -> Self:
        """Records and rows are brought together by the trail; without one by their places, if nothing was shuffled or
        lost."""
        unit, rows = places(where, frame, plan, units, trail), np.arange(frame.height)
        y, strange = _published_parts(units, frame, words, where)
        masked = MaskedRecords(units.parts, y, unit, rows, units.persons, units.block)
        return cls(where, plan, plan.method.judge, masked, units, frame, words, strange)

    @classmethod
    def of_table(
        cls,
        path: str | Path,
        plan: Plan,
        units: Records,
        trail: Trail | None = None,
        codebook: Codebook | None = None,
    ) -> "TableReleasePair":
        """A table and its release, whose words are read by its codebook, if there is one."""
        frame = read_masked(path, plan)
        units = units if codebook is None else coded(units, codebook)
        words = {w.column.name: published_words(frame, w.column.published, str(path)) for w in units.words}
        return cls.of(str(path), plan, units, frame, words, trail)

    @cached_property
    def plain_words(self) -> dict[str, Cells]:
        """The words of the release as people write them."""
        return {name: [[plain_term(word) for word in row] for row in rows] for name, rows in self.words.items()}

    @cached_property
    def written(self) -> Sequence[Hashable]:
        return as_written(list(self._cells.values()), self.masked.x)

    @cached_property
    def shown(self) -> Sequence[Hashable]:
        return as_written(list(self.plain_words.values()), self.masked.y)

    @property
    def kinds(self) -> Long:
        """Of a query log everybody sees, too, what is a whole query and what a concept of the same name."""
        whole = [
            [frozenset(tidy(w) for w in row if w != plain_term(w)) for row in rows] for rows in self.words.values()
        ]
        return numbered(zip(self.masked.block_of_row.tolist(), self.shown, *whole, strict=True))

    @property
    def _cells(self) -> dict[str, Cells]:
        units = self.units
        return {c.column.name: _cells(units.table, c.column.name, units.records) for c in units.words}

    def loss(self, rng: np.random.Generator) -> dict[str, Any]:
        found, plan, one = super().loss(rng), self.plan, self.masked
        if isinstance(plan.method, Generalization):
            confidential = [c.name for c in plan.columns.values() if c.role == "confidential"]
            sizes = np.bincount(class_numbers(self.frame, confidential)).tolist()
            lost = len(self.units.table) - self.frame.height
            figures = classical(one.x, one.y, one.record, one.row, sizes, lost, plan.method.k)
            found |= {"generalisation": figures}
        return found | {"survival": self._survival(rng.spawn(1)[0]), "words_without_meaning": self.strange}

    def _survival(self, rng: np.random.Generator) -> dict[str, Any]:
        """What survives of what was said in every column of words, and what would if rows were dealt out by lot."""
        one = self.masked
        shown = [Runs(part.start, part.codes) for part in one.y if isinstance(part, Sets)]
        return {
            found.name: found.sums.by_record() | {"information_at_random": found.random.by_record()["information"]}
            for found in survival_of_release(self.units, one.record, one.row, shown, rng)
            if found.random is not None
        }

    def disclosed(self, kind: Long, records: Long, progress: Progress = SILENCE) -> dict[str, Any]:
        return privacy_of_release(kind, self.units, records, self.plan, progress)

    def reread(
        self, kinds: PublishedKinds, taxonomies: Sequence[str], progress: Progress = SILENCE
    ) -> tuple[list[Part], list[Part]]:
        return _read(self, kinds, self._cells, self.masked.x, taxonomies, progress)

    def population(
        self, file: str | Path, kinds: PublishedKinds, taxonomies: Taxonomies = None, progress: Progress = SILENCE
    ) -> View:
        """A person with several published records (different `other` columns) is there once for each."""
        plan, units, given = self.plan, self.units, self.plan.input
        if given.person is None:
            raise BadPlan(
                "--intruder: the plan does not say whose row it is, so nobody knows who in that file is who. Name the "
                "column with input.person."
            )
        quasi = {c.name: c for c in plan.columns.values() if c.role == "quasi-identifier"}
        quasi = {
            name: replace(c, on_empty="suppress" if c.on_empty == "error" else c.on_empty) for name, c in quasi.items()
        }
        table = self.table_of(file, quasi)
        known = {id: i for i, id in enumerate(units.table.person_ids)}
        published: dict[int, set[int]] = {}
        for unit in np.flatnonzero(kinds.truth >= 0).tolist():
            published.setdefault(int(units.persons[unit]), set()).add(int(kinds.truth[unit]))
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
        x, y = _read(self, kinds, cells, parts, taxonomies, progress)
        whole = np.zeros(len(truth), np.int64), np.full(len(truth), len(kinds))
        others = [self.shown[row] for row in kinds.first.tolist()]
        persons = table.person[record].astype(np.int64)
        return View(x, y, truth, persons, whole, as_written(list(cells.values()), x), others)

    def table_of(self, file: str | Path, columns: Mapping[str, Column]) -> Table:
        """A file of an intruder, read as the original was."""
        given = self.plan.input
        return Table.of(file, columns, person=given.person, missing=given.missing, dialect=given.dialect)


def coded(units: Records, codebook: Codebook, names: Mapping[str, str] | None = None) -> Records:
    """Records whose columns read the words of a release by its codebook; `names` are those of columns there."""
    columns: list[WordColumn | NumberColumn] = [
        codebook.coded(c, (names or {}).get(c.column.name)) if isinstance(c, WordColumn) else c for c in units.columns
    ]
    return replace(units, columns=columns)


def _published_parts(
    units: Records, frame: "pl.DataFrame", words: Mapping[str, Sequence[Sequence[str]]], where: str
) -> tuple[list[Part], dict[str, int]]:
    """The quasi-identifiers of a release as distances see them, and how many words of each mean nothing."""
    made: list[Part] = []
    strange: dict[str, int] = {}
    for column, part in zip(units.columns, units.parts, strict=True):
        own = column.column.published
        if isinstance(column, WordColumn):
            meant = [[column.maps_to(word) for word in row] for row in words[own.name]]
            strange[own.name] = sum(row.count(None) for row in meant)
            sets = [sorted({code for code in row if code is not None}) for row in meant]
            made.append(Sets.of(sets, column.tax, own.weight))
        elif isinstance(part, Values):
            made.append(_published_numbers(column, part, frame[own.name], where))
    return made, {name: n for name, n in strange.items() if n}


def _published_numbers(column: NumberColumn, part: Values, cells: "pl.Series", where: str) -> Values:
    """The numbers, dates or ranges of a release; an older one may have numbers where ranges are published today."""
    own = replace(column.column, format=None, decimal=".", step=None, publish="range")
    import polars as pl

    if cells.dtype != pl.String:
        return replace(part, values=as_numbers(typed(cells, own, where, ())))
    date, unit = own.kind == "date", 1.0 if column.whole else 0.0
    ends = [None if cell is None else range_of(cell, date=date) for cell in cells.to_list()]
    if column.column.publish != "range" or not any(ends):
        return replace(part, values=as_numbers(typed(cells, own, where, ())))
    low, high = np.array([(np.nan, np.nan) if one is None else one for one in ends], np.float64).T
    return part.ranged(low, np.maximum(high - unit, low))


def read_masked(path: str | Path, plan: Plan) -> "pl.DataFrame":
    """The release as a table that has at least the quasi-identifiers; what else it has does not matter here."""
    frame = read_released(path, plan.kept_formulas, Dialect(max_unpacked=plan.input.dialect.max_unpacked))
    for name, column in plan.columns.items():
        if column.role == "quasi-identifier" and name not in frame.columns:
            raise BadInput(f"{path}: has no column {name!r}, which the plan publishes. Is it the right plan?")
    return frame


# ---------------------------------------------------------------------- records as written


def as_written(words: Sequence[Cells], parts: Sequence[Part]) -> list[tuple[Any, ...]]:
    """Records without any meaning: the words of every column as a set, and the numbers."""
    columns: list[list[Any]] = [[frozenset(map(tidy, cell)) for cell in cells] for cells in words]
    for part in parts:
        if isinstance(part, Values):  # a range is no number, whatever its middle
            reach = np.zeros(len(part)) if part.reach is None else part.reach
            pairs = zip(part.values.tolist(), reach.tolist(), strict=True)
            columns.append([None if value != value else (value, far) if far else value for value, far in pairs])
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
    compared: TableReleasePair,
    kinds: PublishedKinds,
    cells: dict[str, Cells],
    parts: Sequence[Part],
    taxonomies: Taxonomies,
    progress: Progress,
) -> tuple[list[Part], list[Part]]:
    """The intruder's and the published records, with the taxonomies of the plan or with his own."""
    x: list[Part] = []
    y: list[Part] = []
    loaded: dict[str, Taxonomy] = {}
    for column, part, other in zip(compared.units.columns, parts, kinds.y, strict=True):
        if isinstance(column, NumberColumn):
            x, y = [*x, part], [*y, other]
            continue
        own, name = column.column, column.column.name
        if taxonomies is not None:  # concepts that settings name are those of the masker's taxonomy
            own = replace(own, taxonomy=tuple(taxonomies), category=None, overrides=None)
            own = replace(own, on_unknown="keep-as-own-concept")
        progress.start(f"concepts of {name}", len(cells[name]))
        words = compared.words if taxonomies is None else compared.plain_words
        published = [list(words[name][row]) for row in kinds.first.tolist()]
        finder = finder_of(own, compared.plan, loaded, progress)
        if finder is not None and taxonomies is None and isinstance(column.maps_to, Vocabulary):
            finder = column.maps_to.finder_for(finder)
        meaning = column.maps_to if taxonomies is None else None
        mine, theirs = read_both(own, cells[name], published, finder, meaning)
        progress.finish()
        x.append(replace(mine, weight=own.weight))
        y.append(replace(theirs, weight=own.weight))
    return x, y


def read_both(
    column: Column, written: Cells, published: Cells, finder: Finder | None, meaning: MapsTo | None = None
) -> tuple[Sets, Sets]:
    """What is written and what is published as concepts of one taxonomy, in which `meaning` tells of published words
    what they stand for, so far as it is known; else labels are looked up, and hints behind them left out.

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
            _as_written(finder, column, entries, written),
            list(map(_published_reader(finder, column, meaning), published)),
        ]
    kept = finder is None or column.on_unknown == "keep-as-own-concept"
    seen = {u for half in said for one in half for u in one.unknown if kept or u == MISSING}
    values, gaps = sorted(seen - {MISSING}), [MISSING] * (MISSING in seen)
    new = [*values, *gaps]
    first = 0 if finder is None else len(finder.taxonomy)
    own = {label: first + i for i, label in enumerate(new)}
    if finder is not None:
        tax = with_values(with_values(finder.taxonomy, values, finder.root), gaps, None)
    else:
        tax = flat(new or [MISSING], column.name)
        own = {label: tax.code(label) for label in new}
    mine, theirs = (
        Sets.of(
            (sorted({code for _, code in one.known} | {own[u] for u in one.unknown if u in own}) for one in half), tax
        )
        for half in said
    )
    return mine, theirs


def _published_reader(finder: Finder, column: Column, meaning: MapsTo | None) -> Callable[[Sequence[str]], TextTerms]:
    """How the words of a published record are read."""
    read, concepts = _reader(finder, column), len(finder.taxonomy)

    def published(words: Sequence[str]) -> TextTerms:
        codes = {word: None if meaning is None else meaning(word) for word in words}
        known = [(word, code) for word, code in codes.items() if code is not None and code < concepts]
        told = {word for word, _ in known}
        rest = read([_without_hint(finder, plain_term(word)) for word in words if word not in told])
        return TextTerms([*known, *rest.known], rest.unknown)

    return published


def _without_hint(finder: Finder, word: str) -> str:
    """A published word as who does not know its hint looks it up."""
    labels = [label for label, _ in splits(word) if finder.whole(label) is not None]
    return labels[-1] if labels and finder.whole(word) is None else word


def _own(terms: Sequence[str]) -> TextTerms:
    return TextTerms([], [tidy(term) for term in terms])


def _as_written(finder: Finder, column: Column, entries: bool, records: Cells) -> list[TextTerms]:
    """What the terms of every record mean together."""
    single, words = column.kind == "nominal", column.phrases == "words"
    rest = [[term for term in terms if term != MISSING] for terms in records]
    found = terms_of_records(finder, rest, entries=entries, single=single, words=words)
    gaps = ([_own([term]) for term in terms if term == MISSING] for terms in records)
    return [_added([*some, *lone]) for some, lone in zip(found, gaps, strict=True)]


def _reader(finder: Finder, column: Column) -> Callable[[Sequence[str]], TextTerms]:
    """How published words are read: each for itself, once."""
    single, words = column.kind == "nominal", column.phrases == "words"

    @cache
    def once(term: str) -> TextTerms:
        if term == MISSING:
            return _own([term])
        return terms_of(finder, [term], entries=True, single=single, words=words)[0]

    return lambda terms: _added([*map(once, terms)])


def _added(parts: Sequence[TextTerms]) -> TextTerms:
    return TextTerms([pair for one in parts for pair in one.known], [u for one in parts for u in one.unknown])

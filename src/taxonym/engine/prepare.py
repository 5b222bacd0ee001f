"""From a table and a plan to what is grouped: units, whose words have become concepts, sorted.

Suppressed are units with a missing value (where the policy says so), without any concept in some column of words, and
those whose `other` columns too few persons share. Noise masks every record for itself: a record is a unit then, nobody
has to share anything, and where ε is promised nobody is suppressed, since whoever is missing would be known to miss it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.data.column import Column
from taxonym.data.table import Table
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.knowledge.arrays import frozen
from taxonym.knowledge.catalog import load
from taxonym.knowledge.content import Floats
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.mask.proof import class_numbers
from taxonym.mask.support import Long, Mask
from taxonym.mask.words import Words, read_words
from taxonym.plan import Plan
from taxonym.progress import SILENCE, Progress
from taxonym.text.finder import Finder
from taxonym.text.senses import read_overrides
from taxonym.text.sensitive import Topics, load_topics

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A column of numbers or dates on its way through a run: as numbers, and as cells."""

    column: Column
    values: Floats
    cells: "pl.Series"


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is grouped: unit i stands for a person's records with equal `other` columns.

    Units come sorted. records[i] are its records in `table`; persons[i] is whose they are; block[i] numbers the values
    of the `other` columns. `suppressed` counts the persons whose records are left out, by reason.
    """

    table: Table
    columns: list[Words | Numbers]
    records: list[list[int]]
    persons: Long
    block: Long
    suppressed: dict[str, int]

    def __len__(self) -> int:
        return len(self.records)

    @property
    def words(self) -> list[Words]:
        return [column for column in self.columns if isinstance(column, Words)]


def read_table(table: Any, plan: Plan) -> Table:
    """The table as the plan reads it."""
    given = plan.input
    return Table.of(
        table,
        plan.columns,
        person=given.person,
        person_rows=given.person_rows,
        missing=given.missing,
        dialect=given.dialect,
    )


def prepare(table: Any, plan: Plan, progress: Progress = SILENCE) -> Units:
    """Everything up to the groups; fewer than k persons are refused here."""
    progress.start("reading")
    whole = read_table(table, plan)
    progress.finish()
    alone, all_stay = plan.method.perturbs, plan.method.perturbs and plan.method.noise.private
    k, block = 1 if alone else plan.method.k, _blocks(whole)
    if whole.persons < k:
        raise BrokenPromise(
            f"{whole.where}: has {whole.persons:,} persons, fewer than k = {k}: nobody could hide. Choose a smaller k."
        )
    own = np.arange(len(whole))
    if not alone:
        own = np.unique(whole.person.astype(np.int64) * (int(block.max()) + 1) + block, return_inverse=True)[1]
    united = _united(whole, own)
    first = [whole.row[whole.row_start[i]] for i in _first_of(own, united)]
    loaded: dict[str, Taxonomy] = {}
    quasi = [_plainly(column) if alone else column for column in united.quasi]
    columns = [_column(united, column, plan, loaded, first, progress) for column in quasi]

    records: list[list[int]] = [[] for _ in range(len(united))]
    place = {int(unit): i for i, unit in enumerate(united.person)}
    for record, unit in enumerate(own.tolist()):
        records[place[unit]].append(record)
    lead = np.array([mine[0] for mine in records])
    persons, blocks = whole.person[lead].astype(np.int64), block[lead]
    out = {"missing value": united.suppressed(), "no concept": _without_concept(columns, len(united))}
    if alone:  # what may be missing by policy stays missing
        out["no concept"] &= ~np.any([united.empty(column.name) for column in quasi], axis=0)
    if all_stay:
        out = {why: np.zeros(len(united), bool) for why in out}
    out["no concept"] &= ~out["missing value"]
    kept = ~(out["missing value"] | out["no concept"])
    sizes = np.bincount(blocks[kept], minlength=int(blocks.max()) + 1)
    out["fewer than k persons with the same other columns"] = kept & (sizes[blocks] < k)
    kept &= sizes[blocks] >= k
    suppressed = {why: len(np.unique(persons[which])) for why, which in out.items() if which.any()}
    if not kept.any():
        whys = "; ".join(suppressed) or "no records"
        raise BrokenPromise(f"{whole.where}: every record would have to be suppressed ({whys}), so nothing is left.")
    order = _sorted(whole, columns, records, np.flatnonzero(kept))
    return Units(
        replace(whole, notes=united.notes),
        [_of(column, order) for column in columns],
        [records[i] for i in order.tolist()],
        persons[order],
        blocks[order],
        suppressed,
    )


def _blocks(table: Table) -> Long:
    """Numbers the combinations of values in the `other` columns."""
    return class_numbers(table.frame, [c.name for c in table.columns.values() if c.role != "other"])


def _united(table: Table, own: Long) -> Table:
    """The quasi-identifiers, one row per unit."""
    import polars as pl

    if len(np.unique(own)) == len(own):
        return replace(table, person=frozen(own))
    quasi = {column.name: column for column in table.quasi}
    frame = pl.DataFrame([table.frame[name] for name in quasi])  # polars takes some names ("*") for patterns
    made = replace(table, frame=frame, columns=quasi, person=frozen(own)).unite()
    return replace(made, notes=made.notes[:-1])  # the last says how many records there are, which stay apart here


def _plainly(column: Column) -> Column:
    """The column as noise reads it: there is no concept for what is unknown or missing."""
    known = "suppress" if column.on_unknown == "keep-as-own-concept" else column.on_unknown
    return replace(column, on_unknown=known, on_empty="suppress")


def _first_of(own: Long, united: Table) -> list[int]:
    """The first record of each unit."""
    first = dict(zip(own[::-1].tolist(), range(len(own) - 1, -1, -1), strict=True))
    return [first[int(unit)] for unit in united.person]


def _column(
    table: Table, column: Column, plan: Plan, loaded: dict[str, Taxonomy], rows: Sequence[int], progress: Progress
) -> Words | Numbers:
    if column.kind in ("number", "date"):
        return Numbers(column, table.values(column.name), table.frame[column.name])
    finder = finder_of(column, plan, loaded, progress)
    if finder is None and column.kind == "text":
        raise BadPlan(
            f"columns.{column.name}.taxonomy: is missing. A text needs one to be understood, such as 'wordnet'."
        )
    cells = table.terms(column.name)
    if column.kind == "text":
        cells = [[line for text in texts for line in text.splitlines()] for texts in cells]
    topics = topics_of(column, plan, finder)
    return read_words(column, cells, finder, table.where, rows, topics, progress)


def finder_of(column: Column, plan: Plan, loaded: dict[str, Taxonomy], progress: Progress = SILENCE) -> Finder | None:
    """How the words of a column get their meaning; None where it has no taxonomy."""
    if not column.taxonomy:
        return None
    for name in column.taxonomy:
        if name not in loaded:
            loaded[name] = load(plan.located(name), progress=progress)
    taxonomies = [loaded[name] for name in column.taxonomy]
    chosen: dict[str, Any] = {
        "senses": column.senses,
        "category": column.category,
        "parts": column.parts,
        "spelling": column.spelling,
    }
    finder = Finder(taxonomies, **chosen)
    if column.overrides is None:
        return finder
    overrides = read_overrides(Path(plan.located(column.overrides)), finder.taxonomy)
    return Finder(taxonomies, **chosen, overrides=overrides)


def topics_of(column: Column, plan: Plan, finder: Finder | None) -> Topics | None:
    """The sensitive topics that a column names, or else the method does; "all" names all of its file."""
    names = column.topics or (plan.method.topics if finder is not None else ())
    if not names:
        return None
    if finder is None:
        raise BadPlan(f"columns.{column.name}.topics: need a taxonomy. Name one, such as 'wordnet'.")
    try:
        known = load_topics(finder.taxonomy, plan.located(column.topics_file))
        return known if names == ("all",) else known.only(names)
    except BadPlan as error:
        raise BadPlan(f"columns.{column.name}.topics: {error}") from None


def _without_concept(columns: Sequence[Words | Numbers], n: int) -> Mask:
    """Which units have nothing left in some column of words, though a cell was there."""
    found = np.zeros(n, bool)
    for column in columns:
        if isinstance(column, Words):
            found |= np.diff(column.start) == 0
    return found


def _sorted(table: Table, columns: Sequence[Words | Numbers], records: list[list[int]], kept: Long) -> Long:
    """The units to keep, by their codes, then by all their cells; the records of a unit by their cells too.

    Where nothing but single concepts is published, one of a unit each, codes say it all: sorted as whole numbers.
    """
    nominal = [column for column in columns if isinstance(column, Words) and column.column.kind == "nominal"]
    if len(nominal) == len(table.columns) and all(len(mine) == 1 for mine in records):
        return kept[np.lexsort([_only_code(column)[kept] for column in reversed(nominal)])]
    cells = [repr(row) for row in table.frame.rows()]
    for mine in records:
        mine.sort(key=cells.__getitem__)

    def key(unit: int) -> Any:
        codes = tuple(column.record(unit) for column in columns if isinstance(column, Words))
        return codes, [cells[record] for record in records[unit]]

    return np.array(sorted(kept.tolist(), key=key), np.int64)


def _only_code(column: Words) -> Long:
    """The concept of every record that has one; -1 where there is none."""
    found = np.full(len(column), -1, np.int64)
    there = np.flatnonzero(np.diff(column.start))
    found[there] = column.codes[column.start[there]]
    return found


def _of(column: Words | Numbers, order: Long) -> Words | Numbers:
    if isinstance(column, Words):
        return column.of(order)
    return Numbers(column.column, column.values[order], column.cells.gather(order.tolist()))

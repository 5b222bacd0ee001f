"""From a table and a plan to what is grouped: units, whose words have become concepts, sorted.

Suppressed are units with a missing value (where the policy says so), without any concept in some column of words, and
those whose `other` columns too few persons share. Noise masks every record for itself: a record is a unit then, nobody
has to share anything, and where ε is promised nobody is suppressed, since whoever is missing would be known to miss it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from taxonym.distance.record import Part, Sets, Values
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs, frozen
from taxonym.records.column import Column
from taxonym.records.hashes import mixed
from taxonym.records.order import Hashes, cell_hashes, in_order, number_hashes, term_hashes
from taxonym.records.phrases import OwnPhrase
from taxonym.records.rows import KeptColumn, RowFeatures
from taxonym.records.table import Table, class_numbers
from taxonym.records.words import PhraseRule, WordColumn, read_words
from taxonym.text.finder import Finder
from taxonym.text.sensitive import Topics
from taxonym.text.votes import learn_column, learns

if TYPE_CHECKING:
    import polars as pl


ReadColumn: TypeAlias = Callable[[Table, Column, Sequence[int]], WordColumn]  # the first input row of every record
MISSING_VALUE, NO_CONCEPT = "missing value", "no concept"  # why persons' records are left out
ROW_COUNT_WEIGHT = 1.0  # of the number of rows, beside columns of weight 1
FEW_ALIKE = "fewer than k persons with the same other columns"


@dataclass(frozen=True, slots=True, eq=False)
class NumberColumn:
    """A column of numbers or dates on its way through a run: as numbers, and as cells."""

    column: Column
    values: Floats
    cells: "pl.Series"

    @property
    def whole(self) -> bool:
        """Whether all are whole numbers, or days."""
        import polars as pl

        return self.cells.dtype.is_integer() or self.cells.dtype == pl.Date


def parts_of(columns: Sequence[WordColumn | NumberColumn], raw: bool = False) -> list[Part]:
    """The columns as distances see them; `raw` compares terms instead of concepts."""
    made: list[Part] = []
    for column in columns:
        if isinstance(column, NumberColumn):
            made.append(Values.of(column.values, column.column.weight))
        else:
            sets = column.raw() if raw else column
            made.append(Sets(sets.start, sets.codes, sets.tax, column.column.weight))
    return made


@dataclass(frozen=True, slots=True, eq=False)
class NeverGrouped:
    """Units that are suppressed before anything is grouped: what they said in every column of words, how many of their
    phrases have no concept, and which of them are left out for want of one, or of a value."""

    words: list[ConceptSets]
    unknown: list[Long]
    unmapped: Mask

    @classmethod
    def of(cls, columns: "Sequence[WordColumn | NumberColumn]", at: Long, unmapped: Mask) -> "NeverGrouped":
        spoken = [column for column in columns if isinstance(column, WordColumn)]
        sets = [ConceptSets(words.start, words.codes, words.tax).take(at) for words in spoken]
        return cls(sets, [words.unknown[at] for words in spoken], unmapped[at])

    def __len__(self) -> int:
        return len(self.unmapped)


@dataclass(frozen=True, eq=False)
class Records:
    """What is grouped: unit i stands for a person's records with equal `other` columns.

    Units come sorted. records[i] are its records in `table`; persons[i] is whose they are; block[i] numbers the values
    of the `other` columns. `suppressed` counts the persons whose records are left out, by reason; what these said is in
    `never_grouped`.
    """

    table: Table
    columns: list[WordColumn | NumberColumn]
    records: list[list[int]]
    persons: Long
    block: Long
    suppressed: Mapping[str, int]
    row_features: RowFeatures | None = None  # what the records of the table have, where some units have several
    never_grouped: NeverGrouped | None = None

    def __len__(self) -> int:
        return len(self.records)

    @property
    def numbers(self) -> list[NumberColumn]:
        return [column for column in self.columns if isinstance(column, NumberColumn)]

    def released(self, records: Iterable[int]) -> "Records":
        """The same units with only those of their records that are published."""
        alive = set(records)
        return replace(self, records=[[record for record in mine if record in alive] for mine in self.records])

    @cached_property
    def rows(self) -> Runs:
        """The records of every unit."""
        return Runs.of(self.records)

    def row_words(self, c: int) -> ConceptSets:
        """What the rows of all units, one unit after the other, have in column c of words."""
        return self.words[c] if self.row_features is None else self.row_features.words[c].take(self.rows.codes)

    def row_values(self, j: int) -> Floats:
        """The same of column j of numbers."""
        return self.numbers[j].values if self.row_features is None else self.row_features.numbers[j][self.rows.codes]

    def kept(self) -> list[KeptColumn]:
        """The same of every column that is kept as it is and counts in the class."""
        rows = self.rows.codes.tolist()
        others = [c for c in self.table.columns.values() if c.role == "other"]
        return [KeptColumn.of(c, self.table.frame[c.name].gather(rows)) for c in others]

    @property
    def words(self) -> list[WordColumn]:
        return [column for column in self.columns if isinstance(column, WordColumn)]

    @property
    def several_rows(self) -> bool:
        """Whether somebody has several rows, so that a class may have to be rid of some of them."""
        return self.row_features is not None or len(np.unique(self.persons)) < len(self)

    @cached_property
    def parts(self) -> list[Part]:
        """The columns as distances see them."""
        return parts_of(self.columns)

    @property
    def row_counts(self) -> list[Part]:
        """How many rows every unit has, coarsened, as one more column for those who group: who gives more rows to a
        class than others do loses some of them. None where all have one."""
        return [] if self.row_features is None else [row_count_part(self.rows.sizes)]


def row_count_part(rows: Long) -> Values:
    """Numbers of rows as distances see them: 1, 2, 3 to 4, 5 to 8, … are one step apart."""
    return replace(Values.of(np.ceil(np.log2(np.maximum(rows, 1)))), weight=ROW_COUNT_WEIGHT)


def _alone(whole: Table, read: ReadColumn, all_stay: bool) -> Records:
    """Every record a unit of its own, for noise: there is no concept for what is unknown or missing. What may be
    missing by policy stays missing, and with `all_stay` everything stays."""
    rows = whole.row[whole.row_start[:-1]].tolist()
    columns: list[WordColumn | NumberColumn] = []
    for column in whole.quasi:
        known = "suppress" if column.on_unknown == "keep-as-own-concept" else column.on_unknown
        columns.append(read(whole, replace(column, on_unknown=known, on_empty="suppress"), rows))
    unknown = [without_concept([c], len(whole)) & ~whole.empty(c.column.name) & (not all_stay) for c in columns]
    missing = whole.suppressed() & (not all_stay)
    records = [[record] for record in range(len(whole))]
    return settled(whole, columns, records, whole.person.astype(np.int64), missing, 1, np.any(unknown, axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class UnsortedRecords:
    """All units of a table, or of a part of it that has whole persons, in no particular order: as Units has them.

    `missing` says which have no value in some column, so that they cannot be published.
    """

    whole: Table
    columns: list[WordColumn | NumberColumn]
    records: list[list[int]]
    persons: Long
    missing: Mask
    row_features: RowFeatures | None = None


def found_units(
    whole: Table, read: ReadColumn, adapted: Callable[[Table], Table] | None = None, apart: bool = False
) -> UnsortedRecords:
    """A person's records with equal `other` columns as units; `read` reads the columns of words. `adapted` may change
    the table of the masked columns, one row per unit, before these are read. `apart` says that units elsewhere have
    several records, so that all are read record by record."""
    block = other_numbers(whole)
    own = np.unique(whole.person.astype(np.int64) * (int(block.max()) + 1) + block, return_inverse=True)[1]
    united = _united(whole, own) if adapted is None else adapted(_united(whole, own))
    several = apart or len(united) < len(whole)
    unit = np.argsort(united.person)[own]  # of every record: units come as their table has them
    first = whole.row[whole.row_start[:-1]].tolist()
    columns: list[WordColumn | NumberColumn] = []
    words, numbers = list[ConceptSets](), list[Floats]()
    for column in united.quasi:
        if column.kind in ("number", "date"):
            columns.append(NumberColumn(column, united.values(column.name), united.frame[column.name]))
            numbers.append(whole.values(column.name))
        elif several:  # every record is read for itself, and its unit has what its records have
            each = read(_as_kind(whole, column), column, first)
            words.append(ConceptSets(each.start, each.codes, each.tax))
            columns.append(each.united(unit, len(united)))
        else:
            columns.append(read(replace(united, person=whole.person), column, first))  # each is one record of somebody
    records: list[list[int]] = [[] for _ in range(len(united))]
    for record, at in enumerate(unit.tolist()):
        records[at].append(record)
    persons = whole.person[[mine[0] for mine in records]].astype(np.int64)
    row_features = RowFeatures(words, numbers) if several else None
    return UnsortedRecords(
        replace(whole, notes=united.notes), columns, records, persons, united.suppressed(), row_features
    )


def _as_kind(table: Table, column: Column) -> Table:
    """The table with a column as it is read: one value is a set of one where a person has several."""
    import polars as pl

    if column.kind != "set" or isinstance(table.frame[column.name].dtype, pl.List):
        return table
    cells = [None if v is None else [v] for v in table.frame[column.name].cast(pl.String).to_list()]
    frame = table.frame.with_columns(pl.Series(column.name, cells, pl.List(pl.String)))
    return replace(table, frame=frame, columns=table.columns | {column.name: column})


def settled(
    whole: Table,
    columns: Sequence[WordColumn | NumberColumn],
    records: list[list[int]],
    persons: Long,
    missing: Mask,
    k: int,
    unknown: Mask | None = None,
    row_features: RowFeatures | None = None,
) -> Records:
    """Units in their order, without those that must be suppressed: what is missing, means nothing, or stands alone.

    `unknown` are units that mean nothing; unless given, those without a concept in some column of words.
    """
    blocks = other_numbers(whole)[[mine[0] for mine in records]]
    unknown = without_concept(columns, len(records)) if unknown is None else unknown
    out = {MISSING_VALUE: missing, NO_CONCEPT: unknown & ~missing}
    kept = ~(out[MISSING_VALUE] | out[NO_CONCEPT])
    sizes = np.bincount(blocks[kept], minlength=int(blocks.max()) + 1)
    out[FEW_ALIKE] = kept & (sizes[blocks] < k)
    kept &= sizes[blocks] >= k
    suppressed = {why: len(np.unique(persons[which])) for why, which in out.items() if which.any()}
    if not kept.any():
        raise nothing_left(whole.where, suppressed)
    order = _sorted(whole, columns, records, np.flatnonzero(kept), row_features)
    return Records(
        whole,
        [_of(column, order) for column in columns],
        [records[i] for i in order.tolist()],
        persons[order],
        renumbered(blocks[order]),
        suppressed,
        row_features,
        NeverGrouped.of(columns, np.flatnonzero(~kept), out[MISSING_VALUE] | out[NO_CONCEPT]),
    )


def renumbered(values: Long) -> Long:
    """The same numbers for the same values, from 0 in the order in which these first appear."""
    _, first, own = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[own].astype(np.int64)


def too_few(where: str, persons: int, k: int) -> BrokenPromise:
    return BrokenPromise(
        f"{where}: has {persons:,} persons, fewer than k = {k}: nobody could hide. Choose a smaller k."
    )


def nothing_left(where: str, whys: Iterable[str]) -> BrokenPromise:
    told = "; ".join(whys) or "no records"
    return BrokenPromise(f"{where}: every record would have to be suppressed ({told}), so nothing is left.")


def other_numbers(table: Table) -> Long:
    """Numbers the combinations of values in the `other` columns."""
    import polars as pl

    others = [c.name for c in table.columns.values() if c.role == "other"]
    return class_numbers(pl.DataFrame([table.frame[name] for name in others])) if others else np.zeros(len(table), int)


def _united(table: Table, own: Long) -> Table:
    """The quasi-identifiers, one row per unit."""
    import polars as pl

    if len(np.unique(own)) == len(own):
        return replace(table, person=frozen(own))
    quasi = {column.name: column for column in table.quasi}
    frame = pl.DataFrame([table.frame[name] for name in quasi])  # polars takes some names ("*") for patterns
    made = replace(table, frame=frame, columns=quasi, person=frozen(own)).unite()
    return replace(made, notes=made.notes[:-1])  # the last says how many records there are, which stay apart here


def column_of_words(
    table: Table,
    column: Column,
    finder: Finder | None,
    topics: Topics | None,
    rows: Sequence[int],
    progress: Progress = SILENCE,
    elsewhere: Collection[str] = (),
    phrases: Collection[OwnPhrase] | PhraseRule = (),
) -> WordColumn:
    """What a column of words means; `elsewhere` and `phrases` as read_words has them."""
    if finder is None and column.kind == "text":
        raise BadPlan(
            f"columns.{column.name}.taxonomy: is missing. A text needs one to be understood, such as 'wordnet'."
        )
    texts = texts_of(table, column.name)
    return read_words(column, texts, finder, table.where, rows, topics, progress, elsewhere, phrases)


def texts_of(table: Table, name: str) -> list[list[str]]:
    """What is read of every record in a column of words: terms, or the lines of a text."""
    cells = table.terms(name)
    if table.columns[name].kind == "text":
        return [[line for text in texts for line in text.splitlines()] for texts in cells]
    return cells


def about_column(finder: Finder | None, table: Table, name: str) -> Finder | None:
    """The finder of a column that knows what the column of this table is about, if its policy asks for that."""
    if finder is None or not learns(finder):
        return finder
    entries = table.columns[name].kind != "text"
    return learn_column(finder, texts_of(table, name), table.person.tolist(), entries=entries)


def without_concept(columns: Sequence[WordColumn | NumberColumn], n: int) -> Mask:
    """Which units have nothing left in some column of words, though a cell was there."""
    found = np.zeros(n, bool)
    for column in columns:
        if isinstance(column, WordColumn):
            found |= column.sizes == 0
    return found


def _sorted(
    table: Table,
    columns: Sequence[WordColumn | NumberColumn],
    records: list[list[int]],
    kept: Long,
    row_features: RowFeatures | None = None,
) -> Long:
    """The units to keep in their order; the records of a unit too come by their cells."""
    hashes = unit_hashes(table, columns, records, row_features)
    codes = [Runs(column.start, column.codes).take(kept) for column in columns if isinstance(column, WordColumn)]
    return kept[in_order(codes, hashes[kept])]


def unit_hashes(
    table: Table,
    columns: Sequence[WordColumn | NumberColumn],
    records: list[list[int]],
    row_features: RowFeatures | None = None,
) -> Hashes:
    """A number for all that a unit holds beside its codes; sorts the records of each unit."""
    cells = cell_hashes(table, [c for c in table.columns.values() if c.role != "quasi-identifier"])
    if row_features is not None:
        cells = cells + row_features.hashes
    every = Runs.of(records)
    for mine in np.flatnonzero(every.sizes > 1).tolist():
        records[mine].sort(key=cells.__getitem__)
    found = np.zeros(len(records), np.uint64)
    np.add.at(found, every.owner, mixed(cells[every.codes]))
    for c, column in enumerate(columns):
        found += (
            term_hashes(column.names, column.row, column.term, len(records), c)
            if isinstance(column, WordColumn)
            else number_hashes(column.values, c)
        )
    return found


def _of(column: WordColumn | NumberColumn, order: Long) -> WordColumn | NumberColumn:
    if isinstance(column, WordColumn):
        return column.take(order)
    return NumberColumn(column.column, column.values[order], column.cells.gather(order.tolist()))

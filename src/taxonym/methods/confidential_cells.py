"""The confidential columns of a release, and what there is to say about them: notes, and warnings.

Values that fewer than k persons share are printed less exactly (publish/confidential_values.py) unless the plan says
`exact`; with `links = "cut"` the printed values of a column are permuted inside each group. l and t look at the
original values, whatever is printed.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from taxonym.knowledge.arrays import Long, Mask
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.methods.sentences import CountedSentence, sentences
from taxonym.plan import Plan
from taxonym.plan.meaning import finder_of
from taxonym.publish.confidential_values import PrintedValues, WordMeaning
from taxonym.records.column import Column
from taxonym.records.records import Records
from taxonym.records.table import Table, class_numbers

if TYPE_CHECKING:
    import polars as pl

EXACT = (
    "Column {column!r}: values are published as they are (exact = true); {persons} persons have one that fewer than "
    "{k} persons share."
)
CHANGED = "Column {column!r}: values of {persons} persons that fewer than {k} persons share are published less exactly."
EMPTIED = (
    "Column {column!r}: cells of {persons} persons are emptied: no value that {k} persons share says anything true."
)
NO_MEANING = " Words rise where the column has a taxonomy, and numbers are rounded where its kind says number."
LINKED = (
    "Confidential columns: {persons} persons have a combination of values that fewer than {k} persons share "
    '({columns}). Cut a column from the others with links = "cut", or leave one out.'
)
SHARED = (
    "Column {column!r}: {persons} persons are in classes in which all share a value, so that it is known of them. "
    "l = 2 in the plan rules that out."
)


def confidential(columns: Mapping[str, Column]) -> list[Column]:
    return [column for column in columns.values() if column.role == "confidential"]


def meaning_of(column: Column, plan: Plan, loaded: dict[str, Taxonomy]) -> WordMeaning | None:
    """What the words of a confidential column mean; None where they have no taxonomy."""
    finder = finder_of(column, plan, loaded) if column.kind in ("nominal", "set") else None
    return None if finder is None else WordMeaning.of(finder, column)


def printed_columns(table: Table, record: Long, plan: Plan) -> "dict[str, pl.Series]":
    """What a release prints in its confidential columns, before links are cut, if row i stands for record[i] of the
    original."""
    persons, loaded = table.person[record].astype(np.int64), dict[str, Taxonomy]()
    found = {}
    for column in confidential(table.columns):
        cells = table.frame[column.name].gather(record)
        if not column.exact:
            means = meaning_of(column, plan, loaded)
            cells = PrintedValues.of(cells, persons, plan.method.k, column, means).printed(cells, means)
        found[column.name] = cells
    return found


def expected_in_classes(
    table: Table, record: Long, number: Long, plan: Plan
) -> "dict[str, dict[int, Counter[Hashable]]]":
    """What every class of a release must hold in its confidential columns: by column and class, how often each value.

    Row i stands for record[i] of the original and is in class number[i]. A set is a sorted tuple, an emptied cell None.
    Holds whether links are cut or not: a class keeps its values.
    """
    found: dict[str, dict[int, Counter[Hashable]]] = {}
    for name, cells in printed_columns(table, record, plan).items():
        classes = found.setdefault(name, {})
        for at, cell in zip(number.tolist(), cells.to_list(), strict=True):
            value = tuple(sorted(cell)) if isinstance(cell, list) else cell
            classes.setdefault(at, Counter())[value] += 1
    return found


@dataclass(frozen=True, slots=True, eq=False)
class ConfidentialCells:
    """The confidential columns of a release, row by row; whose value each cell is; and what is to be said of them."""

    columns: Sequence[Column] = ()
    cells: "Mapping[str, pl.Series]" = field(default_factory=dict)
    owners: Mapping[str, Long] = field(default_factory=dict)
    notes: Sequence[CountedSentence] = ()
    warnings: Sequence[CountedSentence] = ()
    promised: bool = False  # whether l or t says what classes may have in common

    @classmethod
    def of(cls, units: Records, plan: Plan, record: Long, group: Long, rng: np.random.Generator) -> "ConfidentialCells":
        """Of a release whose row i stands for record[i], which is in group[i]."""
        table, k = units.table, plan.method.k
        columns = confidential(table.columns)
        if not columns:
            return cls(columns)
        persons = table.person[record].astype(np.int64)
        cells = printed_columns(table, record, plan)
        notes, warnings = list[CountedSentence](), list[CountedSentence]()
        for column in columns:
            original = table.frame[column.name].gather(record)
            if column.exact:
                rare = persons_of_rare(original, persons, k)
                warnings += sentences((EXACT, rare), column=column.name, k=k)
            else:
                changed, emptied = (distinct(persons, which) for which in compared(original, cells[column.name]))
                notes += said_of(column, changed, emptied, k)
        linked = [column.name for column in columns if column.links == "keep"]
        if len(linked) > 1 or any(c.kind == "set" for c in columns if c.links == "keep"):
            together = class_numbers(cells_frame([cells[name] for name in linked]))
            rare = distinct(persons, rare_values(together, persons, k))
            warnings += sentences((LINKED, rare), columns=", ".join(map(repr, linked)), k=k)
        owners = dict.fromkeys(cells, persons)
        for column in columns:
            if column.links == "cut":
                taken = permuted(group, _canonical(units, record), rng)
                cells[column.name], owners[column.name] = cells[column.name].gather(taken), persons[taken]
        promised = plan.method.l is not None or plan.method.t is not None
        return cls(columns, cells, owners, notes, warnings, promised)

    def take(self, order: Long) -> "ConfidentialCells":
        """The same of the rows in another order."""
        cells = {name: series.gather(order) for name, series in self.cells.items()}
        return replace(self, cells=cells, owners={name: whose[order] for name, whose in self.owners.items()})

    def all_warnings(self, number: Long) -> list[CountedSentence]:
        """The warnings about a release whose row i is in class number[i]."""
        found = list(self.warnings)
        for column in () if self.promised else self.columns:
            cells, owners = self.cells[column.name], self.owners[column.name]
            shared = distinct(owners, in_shared_classes(cells, owners, number))
            found += sentences((SHARED, shared), column=column.name)
        return found


def said_of(column: Column, changed: int, emptied: int, k: int) -> list[CountedSentence]:
    """How many persons' values are changed, and emptied."""
    helped = column.kind in ("number", "date") or column.taxonomy or column.kind == "text"
    hint = EMPTIED + ("" if helped else NO_MEANING)
    return sentences((CHANGED, changed), (hint, emptied), column=column.name, k=k)


def distinct(persons: Long, which: Mask) -> int:
    """How many persons have one of these rows."""
    return len(np.unique(persons[which]))


def compared(original: "pl.Series", printed: "pl.Series") -> tuple[Mask, Mask]:
    """The rows whose cells are printed less exactly, and those emptied though there was something."""
    import polars as pl

    had = (original.list.len() > 0) if isinstance(original.dtype, pl.List) else original.is_not_null()
    empty = (had & printed.is_null()).fill_null(False)
    own = original.list.sort() if isinstance(original.dtype, pl.List) else original
    return (~own.eq_missing(printed) & had.fill_null(False) & ~empty).to_numpy(), empty.to_numpy()


def persons_of_rare(cells: "pl.Series", persons: Long, k: int) -> int:
    """How many persons have a value, or an item of a set, that fewer than k share."""
    import polars as pl

    held = pl.DataFrame([cells.alias("value"), pl.Series("person", persons)])
    held = (held.explode("value") if isinstance(cells.dtype, pl.List) else held).drop_nulls("value").unique()
    return held.filter(pl.len().over("value") < k)["person"].n_unique()


def rare_values(number: Long, persons: Long, k: int) -> Mask:
    """The rows whose value, told by its number, fewer than k persons have."""
    pairs = np.unique(np.stack((number, persons)), axis=1)
    holders = np.bincount(pairs[0], minlength=int(number.max(initial=0)) + 1)
    rare: Mask = holders[number] < k
    return rare


def in_shared_classes(cells: "pl.Series", persons: Long, number: Long) -> Mask:
    """The rows of classes in which some value is one of everybody's."""
    import polars as pl

    rows = pl.DataFrame([cells.alias("value"), pl.Series("person", persons), pl.Series("class", number)])
    everybody = rows.group_by("class").agg(pl.col("person").n_unique().alias("size"))
    each = (rows.explode("value") if isinstance(cells.dtype, pl.List) else rows).drop_nulls("value")
    holders = each.group_by("class", "value").agg(pl.col("person").n_unique()).join(everybody, on="class")
    shared = holders.filter(pl.col("person") == pl.col("size"))["class"]
    return np.isin(number, shared.to_numpy())


def cells_frame(cells: "Sequence[pl.Series]") -> "pl.DataFrame":
    import polars as pl

    return pl.DataFrame([one.alias(f"{i}") for i, one in enumerate(cells)])


def permuted(group: Long, order: Long, rng: np.random.Generator) -> Long:
    """For every row the row of its group whose value it takes, by lot; `order` lists rows as nobody could have sorted
    them, so that draws do not depend on where rows stand."""
    found, by_group = np.arange(len(group)), order[np.argsort(group[order], kind="stable")]
    for rows in np.split(by_group, np.flatnonzero(np.diff(group[by_group])) + 1):
        found[rows] = rng.permutation(rows)
    return found


def _canonical(units: Records, record: Long) -> Long:
    """The rows in the order of their units, which does not depend on the order of the input."""
    place = np.empty(len(units.table), np.int64)
    every = [r for records in units.records for r in records]
    place[every] = np.arange(len(every))
    return np.argsort(place[record], kind="stable")

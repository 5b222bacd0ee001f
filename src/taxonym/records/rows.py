"""The rows of persons who keep several, and what the support rule looks at in a row: concepts, whatever the column.

Words have concepts of their own. A number or a date is a concept of the ranges of its column, a cell that is kept as it
is (`other`) one of a list of values. So one rule speaks of the whole row that is published.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.combine import flat
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.records.column import Column
from taxonym.records.hashes import mixed
from taxonym.records.order import Hashes, number_hashes, salt, summed
from taxonym.records.ranges import RangeScale, kth_ends, spread_place

if TYPE_CHECKING:
    import polars as pl

NO_VALUE = "(no value)"


@dataclass(frozen=True, slots=True, eq=False)
class RowFeatures:
    """What the records of a table have, record by record, where several of them make a unit: the concepts of every
    column of words, and the numbers of every column of numbers and dates."""

    words: list[ConceptSets]
    numbers: list[Floats]

    @property
    def hashes(self) -> Hashes:
        """A number for what each record has in these columns, so that the records of a unit have an order that does not
        come from the input."""
        found = np.zeros(len(self.words[0]) if self.words else len(self.numbers[0]), np.uint64)
        for c, sets in enumerate(self.words):
            found += summed(mixed(sets.codes.astype(np.uint64) + salt(c)), sets.owner, len(found))
        for c, values in enumerate(self.numbers, len(self.words)):
            found += number_hashes(values, c)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class KeptColumn:
    """A column whose cells are kept as they are: of every row the concept of its cell, which is its own; none where
    there is no value."""

    column: Column
    sets: ConceptSets
    written: Column  # as a release has it

    @classmethod
    def of(cls, column: Column, cells: "pl.Series", values: Sequence[str] | None = None) -> "KeptColumn":
        """`values` are all that there are, where these cells are not all."""
        texts = cell_texts(cells)
        tax = flat(sorted({t for t in texts if t is not None} if values is None else values) or [NO_VALUE], column.name)
        code = {tax.id(c): c for c in range(len(tax))}
        kind = "date" if cells.dtype.is_temporal() else "number" if cells.dtype.is_numeric() else column.kind
        written = Column(name=column.name, role=column.role, kind=kind)
        if kind == "set":
            written = replace(written, separator=column.separator, multiplicity=column.multiplicity)
        return cls(column, ConceptSets.of([() if t is None else (code[t],) for t in texts], tax), written)


def cell_texts(cells: "pl.Series") -> list[str | None]:
    """What tells kept cells apart, the same for a table and for its release."""
    import polars as pl

    if isinstance(cells.dtype, pl.List):
        return [None if v is None else "\x1f".join(sorted(map(str, v))) for v in cells.to_list()]
    if cells.dtype.is_temporal() and cells.dtype != pl.Time:
        moments = cells.cast(pl.Datetime("us")).to_list()
        return [None if v is None else v.isoformat() for v in moments]
    if cells.dtype.is_numeric():
        return [None if v is None else repr(float(v)) for v in cells.to_list()]
    return [None if v is None else str(v) for v in cells.to_list()]


def scale_of(column: Column, values: Floats, persons: Long, k: int, whole: bool) -> RangeScale:
    """The ranges of a column of numbers or dates, from the values of rows and whose these are."""
    low, high = kth_ends(values, persons, k)
    least, most = kth_ends(values, persons, spread_place(len(np.unique(persons[~np.isnan(values)])), k))
    return scale_between(column, low, high, most - least, whole)


def scale_between(column: Column, low: float, high: float, spread: float, whole: bool) -> RangeScale:
    """The same, where the k-th smallest and the k-th largest value are known, and how far values are spread; nothing is
    told where fewer than k persons have one."""
    if np.isnan(low):
        return RangeScale.nothing()
    if column.publish == "rounded":
        return RangeScale.round(low, high, float(column.step or 1), date=column.kind == "date")
    return RangeScale.of(low, high, date=column.kind == "date", whole=whole, step=column.step, spread=spread)

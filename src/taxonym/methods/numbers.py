"""What groups publish of numbers and dates: ranges of a public grid, numbers rounded to a public step, or means."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from taxonym.distance.record import Values
from taxonym.knowledge.arrays import Codes, Floats, Groups, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.groups import CellSupport
from taxonym.records.column import Column
from taxonym.records.ranges import LADDER, RangeScale
from taxonym.records.records import NumberColumn, Records
from taxonym.records.rows import KeptColumn, cell_texts, scale_of
from taxonym.records.support import Holders

if TYPE_CHECKING:
    import polars as pl

DOMINANT = 0.15  # the second largest must not be able to tell the largest more exactly than so


@dataclass(frozen=True, eq=False)
class RangeColumn:
    """A column of numbers or dates with its ranges: values[r] and sets[r] are those of row r of the units."""

    column: Column
    number: NumberColumn
    values: Floats
    unit_start: Long
    persons: Long
    scale: RangeScale
    sets: ConceptSets
    whole: bool
    step: float  # of means

    @classmethod
    def of(cls, units: Records, j: int, k: int) -> "RangeColumn":
        number, values, rows = units.numbers[j], units.row_values(j), units.rows
        scale = scale_of(number.column, values, units.persons[rows.owner], k, number.whole)
        return cls.scaled(units, j, scale, mean_step(values, k))

    @classmethod
    def scaled(cls, units: Records, j: int, scale: RangeScale, step: float) -> "RangeColumn":
        """The same where the ranges and the step of means are known."""
        number, values, rows = units.numbers[j], units.row_values(j), units.rows
        persons = units.persons[rows.owner]
        sets = scale.sets(values)
        return cls(number.column, number, values, rows.start, persons, scale, sets, number.whole, step)

    def of_group(self, group: Sequence[int]) -> tuple[Floats, Long]:
        """The values of all rows of a group, and whose they are."""
        at = np.concatenate([np.arange(self.unit_start[u], self.unit_start[u + 1]) for u in group])
        return self.values[at], self.persons[at]

    def covering(self, group: Sequence[int]) -> Codes:
        """The narrowest range that is true of a whole group; none where no range is."""
        code = self.scale.covering(self.of_group(group)[0])
        return (code,) if self.scale.printable[code] else ()

    def mean(self, group: Sequence[int], k: int) -> float:
        """The mean that a group may publish; NaN where there is none."""
        return mean_told(*self.of_group(group), k, self.step)

    def support(self, holders: Holders) -> CellSupport:
        """Who holds its ranges, for who reads them back."""
        return CellSupport(self.column.published, holders, self.scale.maps_to, self.scale.texts)

    @property
    def unit(self) -> float:
        """How far apart two different values are at least: whole numbers and days end before the end of a range."""
        return 1.0 if self.whole else 0.0


def kept_support(kept: KeptColumn, holders: Holders) -> CellSupport:
    """Who holds the cells of a column that are kept as they are."""
    tax = kept.sets.tax

    def maps_to(text: str) -> int | None:
        at = tax.ids.find(text, tax.id_order)
        return at if at >= 0 else None

    return CellSupport(kept.written, holders, maps_to, cell_texts)


class PublishedNumbers(ABC):
    """What every group publishes in a column of numbers or dates."""

    column: Column

    @abstractmethod
    def cells(self) -> "pl.Series":
        """The cell of every group; null where it is empty."""

    @abstractmethod
    def as_part(self, original: Values) -> Values:
        """The same as distances see it, beside the column's original numbers."""

    @property
    @abstractmethod
    def emptied(self) -> list[bool]:
        """Whether the cell of a group is empty."""


@dataclass(frozen=True, eq=False)
class GroupRanges(PublishedNumbers):
    """Ranges, or numbers rounded to a step: code[g] is what group g publishes, -1 for an empty cell."""

    column: Column
    scale: RangeScale
    code: Long
    unit: float
    dtype: "pl.DataType | type[pl.DataType]"

    @classmethod
    def of(cls, column: RangeColumn, codes: Sequence[Codes]) -> "GroupRanges":
        code = np.array([one[0] if one else -1 for one in codes], np.int64)
        return cls(column.column, column.scale, code, column.unit, column.number.cells.dtype)

    @property
    def emptied(self) -> list[bool]:
        found: list[bool] = (self.code < 0).tolist()
        return found

    def cells(self) -> "pl.Series":
        import polars as pl

        texts = [None if c < 0 else self.scale.label(c) for c in self.code.tolist()]
        series = pl.Series(self.column.name, texts, pl.String)
        if not self.scale.rounded:
            return series
        return series.str.to_date() if self.column.kind == "date" else number_series(series)

    def as_part(self, original: Values) -> Values:
        told, at = self.code >= 0, np.maximum(self.code, 0)
        low, high = (np.where(told, ends[at], np.nan) for ends in (self.scale.low, self.scale.high))
        return original.ranged(low, np.maximum(high - self.unit, low))


@dataclass(frozen=True, eq=False)
class GroupMeans(PublishedNumbers):
    """Means of the persons of every group, rounded to a step; NaN where none may be told."""

    column: Column
    values: Floats

    @classmethod
    def of(cls, column: RangeColumn, groups: Groups, k: int) -> "GroupMeans":
        return cls(column.column, np.array([column.mean(group, k) for group in groups], np.float64))

    @property
    def emptied(self) -> list[bool]:
        found: list[bool] = np.isnan(self.values).tolist()
        return found

    def cells(self) -> "pl.Series":
        import polars as pl

        series = pl.Series(self.column.name, [None if v != v else f"{v:.12g}" for v in self.values.tolist()], pl.String)
        if self.column.kind == "date":
            days = [None if v != v else int(v) for v in self.values.tolist()]
            return pl.Series(self.column.name, days, pl.Int32).cast(pl.Date)
        return number_series(series)

    def as_part(self, original: Values) -> Values:
        return Values(self.values, original.half, original.weight)


def mean_step(values: Floats, k: int) -> float:
    """The smallest of 1, 2 or 5 times a power of ten that is at least the range of the column over 2k."""
    known = values[~np.isnan(values)]
    least = float(known.max() / (2 * k) - known.min() / (2 * k)) if len(known) else 0.0
    if least <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(d * power for d in (*LADDER, 10) if d * power >= least))


def mean_told(values: Floats, persons: Long, k: int, step: float) -> float:
    """The mean of the persons' means, rounded to a step; NaN where a value is missing, fewer than k persons have one,
    or the second largest could tell the largest within 15 % by taking all others for nothing: whichever of the rows of
    a person are left out of the release, for the sum of all but the two largest grows with every one of them."""
    if np.isnan(values).any():
        return float("nan")
    number = np.unique(persons, return_inverse=True)[1]
    each = np.bincount(number, values) / np.bincount(number)
    low, high = np.full(len(each), np.inf), np.full(len(each), -np.inf)
    np.minimum.at(low, number, values)
    np.maximum.at(high, number, values)
    least = np.maximum(np.maximum(low, -high), 0)  # the mean of numbers of both signs may be 0
    if len(each) < k or np.sort(least)[:-2].sum() < DOMINANT * np.abs(values).max():
        return float("nan")
    return round(float(each.mean()) / step) * step


def number_series(series: "pl.Series") -> "pl.Series":
    """Texts of numbers as whole numbers where all are, else as floats."""
    import polars as pl

    whole = series.cast(pl.Int64, strict=False)
    return whole if whole.null_count() == series.null_count() else series.cast(pl.Float64)

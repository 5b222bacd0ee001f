"""Ranges of numbers and dates as a small taxonomy: a value is held by every range that it lies in.

The ends of all ranges lie on a grid that is fixed without the data: multiples of 1, 2 or 5 times a power of ten (of the
plan's own step, where it names one); of dates, days, months, quarters, years and 1, 2 or 5 times a power of ten years.
A range covers one or two cells of such a grid, so that near values on both sides of a grid line need no wide one. Of
the data only three numbers decide what ranges there are: the first and the last range are open, at lines of a coarse
grid beyond which k persons lie; how coarse it is follows from how far the values are spread.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.knowledge.build import Draft
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.taxonomy import Taxonomy

if TYPE_CHECKING:
    import polars as pl

FINEST = 200  # cells, at most about so many, between the open ends at the finest step
COARSE = 20  # the same of the grid on which the open ends lie: they must not tell the k-th value
ANY = "*"  # the range of all values, which is never printed: the cell is empty then
MISSING = "missing"  # what a record without a value holds; printed like nothing
LADDER = (1, 2, 5)
SMALLEST, LARGEST = 1e-280, 1e300  # of steps and of ends: floats know little more
CALENDAR = ("day", "month", "quarter", "year")
EPOCH = dt.date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class RangeGrid:
    """Cells of one width: a number of `unit`s, which are "number" or calendar units."""

    unit: str
    step: Decimal

    def cells(self, values: Floats) -> Long:
        """The cell of every value: that of index i begins at start(i)."""
        if self.unit != "number":
            return np.floor_divide(_calendar(values, self.unit), int(self.step))
        times, parts = (float(number) for number in self.step.as_integer_ratio())
        with np.errstate(over="ignore", invalid="ignore"):
            cell = np.clip(np.floor(values * parts / times), -(2.0**62), 2.0**62)
            cell = np.where((cell + 1) * times / parts <= values, cell + 1, cell)  # a division may be off by a little
            cell = np.where(cell * times / parts > values, cell - 1, cell)
        return cell.astype(np.int64)

    def start(self, cell: int) -> float:
        """Where a cell begins, as the column's numbers have it: dates in days since 1970."""
        if self.unit == "number":
            return float(self.step * cell)
        return float((self.day(cell) - EPOCH).days)

    def day(self, cell: int) -> dt.date:
        """The first day of a cell of a calendar grid."""
        first = cell * int(self.step)
        if self.unit == "day":
            return dt.date.fromordinal(min(max(EPOCH.toordinal() + first, 1), dt.date.max.toordinal()))
        if self.unit == "year":
            return dt.date(min(max(first, 1), 9999), 1, 1)
        months = first * (3 if self.unit == "quarter" else 1)
        return dt.date(min(max(months // 12, 1), 9999), months % 12 + 1, 1)

    def end(self, cell: int) -> str:
        """The begin of a cell as it is printed."""
        if self.unit != "number":
            return self.day(cell).isoformat()
        return f"{(self.step * cell).normalize() + 0:f}"

    def name(self, first: int, cells: int) -> str:
        """A range of so many cells as it is printed."""
        if self.unit == "number" or cells > 1 or self.step > 1:
            if self.unit == "year":
                years = (first * int(self.step), (first + cells) * int(self.step))
                return f"[{years[0]}, {years[1]})"
            return f"[{self.end(first)}, {self.end(first + cells)})"
        day = self.day(first)
        return {
            "day": day.isoformat(),
            "month": f"{day:%Y-%m}",
            "quarter": f"{day.year:04} Q{(day.month + 2) // 3}",
            "year": f"{day.year:04}",
        }[self.unit]


def _calendar(values: Floats, unit: str) -> Long:
    """Days since 1970 as numbers of days, months or quarters since the year 0, or years."""
    days = np.floor(values).astype(np.int64)
    if unit == "day":
        return days
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) + 1970 * 12
    return {"month": months, "quarter": months // 3, "year": months // 12}[unit].astype(np.int64)


def number_grids(low: float, high: float, whole: bool, step: float | None, spread: float = 0.0) -> list[RangeGrid]:
    """The grids from the finest that is of use between two numbers, or within a spread where that is more, to one that
    takes them into a cell or two."""
    base = Decimal(repr(step)) if step else Decimal(1)
    span = max(high - low, spread, 0.0) or max(abs(low), abs(high)) / 10  # of one value, the grid is coarse beside it
    least = max(span / FINEST / float(base), SMALLEST) if span else 0.0
    exponent = Decimal(repr(least)).adjusted() if least > 0 else 0
    sizes = [Decimal(d).scaleb(e) for e in range(exponent, exponent + 6) for d in LADDER]
    found = [base * size for size in sizes if float(size) >= least and (size >= 1 or not (whole or step))]
    if not found:
        found = [base * Decimal(1)]
    wide = [size for size in found if float(size) < 2 * span] or found[:1]
    return _nested([RangeGrid("number", size) for size in wide])


def date_grids(low: float, high: float, spread: float = 0.0) -> list[RangeGrid]:
    """The same for dates, in days since 1970."""
    years = [Decimal(d).scaleb(e) for e in range(3) for d in LADDER]
    every = [*(RangeGrid(unit, Decimal(1)) for unit in CALENDAR[:3]), *(RangeGrid("year", size) for size in years)]
    days = {"day": 1.0, "month": 30.4, "quarter": 91.3, "year": 365.2}
    width = [days[grid.unit] * float(grid.step) for grid in every]
    span = max(high - low, spread, 0.0)
    kept = [g for g, w in zip(every, width, strict=True) if w >= span / (2 * FINEST) and w < 2 * span]
    return _nested(kept) or [
        next((g for g, w in zip(every, width, strict=True) if w >= span / (2 * FINEST)), every[-1])
    ]


def _nested(grids: list[RangeGrid]) -> list[RangeGrid]:
    """The grids whose cells are made of whole cells of the first one: 5 is none of 2."""
    return [grid for grid in grids if grid.unit != grids[0].unit or grid.step % grids[0].step == 0]


@dataclass(frozen=True, eq=False)
class RangeScale:
    """The ranges of a column as concepts: code c is the range from low[c] up to, and without, high[c].

    The root is the range of all values. `finest` is the grid whose cells are the leaves, of which the first and the
    last stand for all before and after them; `printable` says which ranges may be printed; `missing` is the concept of
    records without a value. `rounded` ranges are printed as the number in their middle.
    """

    tax: Taxonomy
    low: Floats
    high: Floats
    finest: RangeGrid
    first: int
    last: int
    printable: Mask
    rounded: bool = False

    @classmethod
    def of(
        cls,
        low: float,
        high: float,
        *,
        date: bool,
        whole: bool = False,
        step: float | None = None,
        spread: float = 0.0,
    ) -> "RangeScale":
        """The ranges of a column; k persons have a value of at most `low`, and k of at least `high`. Of few persons
        these two are near each other: how coarse the grid must be, to tell neither, follows from the `spread` then."""
        low, high, spread = (min(max(end, -LARGEST), LARGEST) for end in (low, high, spread))
        ends = min(low, high), max(low, high)  # fewer than 2k persons may have them the other way round
        grids = date_grids(*ends, spread) if date else number_grids(*ends, whole, step, spread)
        named: dict[tuple[float, float], str] = {}
        reach = np.array([ends[0], max(ends[1], min(ends[0] + spread, LARGEST))])
        sizes = [int(np.diff(grid.cells(reach))[0]) for grid in grids]
        coarse = next((i for i, size in enumerate(sizes) if size <= COARSE), len(grids) - 1)
        begin, end = -np.inf, np.inf  # between which all ranges are bounded
        for number, grid in enumerate(grids[coarse:]):
            inner, outer = int(grid.cells(np.array([low]))[0]) + 1, int(grid.cells(np.array([high]))[0])
            begin, end = (grid.start(inner), grid.start(outer)) if number == 0 else (begin, end)
            for cell in range(min(inner, outer), max(inner, outer) + 1):
                line = grid.start(cell)
                if begin <= line <= end or line == begin:
                    named.setdefault((-np.inf, line), f"< {grid.end(cell)}")
                if begin <= line <= end or line == end:
                    named.setdefault((line, np.inf), f">= {grid.end(cell)}")
        for grid in grids:
            first, last = (int(grid.cells(np.array([at]))[0]) for at in (begin, end))
            for cells in (1, 2):
                for cell in range(first, last):
                    bounds = grid.start(cell), grid.start(cell + cells)
                    if bounds[0] >= begin and bounds[1] <= end:
                        named.setdefault(bounds, grid.name(cell, cells))
        first, last = sorted(int(grids[0].cells(np.array([at]))[0]) for at in (begin, end))
        inside = {}  # what tells values apart that lie in both open ranges, where these overlap
        if begin > end:
            lines = [-np.inf, *(grids[0].start(cell) for cell in range(first, last + 1)), np.inf]
            inside = {ends: f"cell {i}" for i, ends in enumerate(pairwise(lines)) if ends not in named}
        tax, low_of, high_of = _taxonomy(named | inside)
        told = _told(tax)
        told[[tax.code(name) for name in inside.values()]] = False
        return cls(tax, low_of, high_of, grids[0], first - 1, last, told)

    @classmethod
    def round(cls, low: float, high: float, step: float, *, date: bool) -> "RangeScale":
        """The ranges of one step to both sides of every multiple of a step, each printed as that multiple. Values
        outside low and high, which fewer than k persons have, are in none."""
        grid = RangeGrid("day" if date else "number", Decimal(repr(int(step) if date else float(step))))
        first, last = (int(grid.cells(np.array([end]))[0]) for end in (low, high))
        if last - first > 100 * FINEST:
            raise BadPlan(f"step: {step:g} parts the values into too many steps. Choose a larger one.")
        ends = [grid.start(cell) for cell in range(first - 1, last + 3)]
        cells = {(ends[i], ends[i + 1]): f"cell {i}" for i in range(1, len(ends) - 2)}
        named = {(ends[i - 1], ends[i + 1]): grid.end(first - 1 + i) for i in range(1, len(ends) - 1)}
        names = list(named.values())
        links = [(cell, name) for i, cell in enumerate(cells.values()) for name in names[i : i + 2]]
        tax, low_of, high_of = _taxonomy(cells | named, links)
        told = _told(tax)
        told[[tax.code(name) for name in cells.values()]] = False
        return cls(tax, low_of, high_of, grid, first - 1, last + 1, told, True)

    @classmethod
    def nothing(cls) -> "RangeScale":
        """No ranges at all: too few persons have a value."""
        tax, low, high = _taxonomy({})
        return cls(tax, low, high, RangeGrid("number", Decimal(1)), 0, -1, _told(tax))

    @cached_property
    def _leaf(self) -> Long:
        """The code of the smallest range that holds each cell of the finest grid from `first` on."""
        starts = [self.finest.start(cell) for cell in range(self.first, max(self.last, self.first) + 1)]
        return np.array([self.narrowest(start, start) for start in starts], np.int64)

    @cached_property
    def root(self) -> int:
        return int(self.tax.code(ANY))

    @cached_property
    def missing(self) -> int:
        return int(self.tax.code(MISSING))

    def codes(self, values: Floats) -> Long:
        """The smallest range that each value is in; `missing` for NaN."""
        known = ~np.isnan(values)
        cell = np.clip(self.finest.cells(np.where(known, values, 0.0)), self.first, max(self.last, self.first))
        found: Long = np.where(known, self._leaf[cell - self.first], self.missing)
        return found

    def sets(self, values: Floats) -> ConceptSets:
        """What every record holds."""
        codes = self.codes(values)
        return ConceptSets(np.arange(len(codes) + 1), codes.astype(np.int32), self.tax)

    def narrowest(self, least: float, most: float, among: Mask | None = None) -> int:
        """The narrowest range that holds both ends; the root where no other does. Ties: the lower code."""
        inside = (self.low <= least) & (most < self.high) & (True if among is None else among)
        width = np.where(inside, self.width, np.inf)
        at = int(np.argmin(width))
        return at if np.isfinite(width[at]) else self.root

    @cached_property
    def width(self) -> Floats:
        """How wide every range is; an open one reaches as far as the bounded ones do."""
        ends = [x for x in (*self.low.tolist(), *self.high.tolist()) if np.isfinite(x)]
        least, most = (min(ends), max(ends)) if ends else (0.0, 0.0)
        span = max(most - least, 1e-12)
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        finite = (self.high[bounded] - self.low[bounded]).tolist()
        margin = min(finite, default=span)  # an open range is a little wider than what is seen of it
        low, high = np.maximum(self.low, least - margin), np.minimum(self.high, most + margin)
        found: Floats = (high - low) / (span + 2 * margin)
        found[self.root] = np.inf
        found[self.missing] = np.inf
        return found

    def covering(self, values: Floats) -> int:
        """The narrowest range that holds all of some values; the root if one is missing, or there are none."""
        if not len(values):
            return self.root
        if np.isnan(values).any():
            return self.missing if np.isnan(values).all() else self.root
        ends = self.finest.cells(np.array([values.min(), values.max()])).tolist()
        least, most = (self.finest.start(cell) for cell in ends)
        return self.narrowest(least, most, self.printable)

    def above(self, code: int) -> list[tuple[int, float]]:
        """A range and the wider ones it lies in, the narrowest first, each with its width; without the root."""
        wider = [t for t in self.tax.ancestors(code) if self.printable[t]]
        return sorted(((t, float(self.width[t])) for t in wider), key=lambda one: (one[1], one[0]))

    def maps_to(self, text: str) -> int | None:
        """The range that is printed so."""
        at = self.tax.ids.find(text, self.tax.id_order)
        return at if at >= 0 and self.printable[at] else None

    def texts(self, cells: "pl.Series") -> list[str | None]:
        """What the cells of a release say, as maps_to takes it."""
        import polars as pl

        if cells.dtype.is_temporal():
            cells = cells.cast(pl.Date)
            return [None if v is None else v.isoformat() for v in cells.to_list()]
        if cells.dtype.is_numeric():
            return [None if v is None else f"{Decimal(repr(v)).normalize() + 0:f}" for v in cells.to_list()]
        return [None if v is None else str(v) for v in cells.to_list()]

    def label(self, code: int) -> str | None:
        """How a range is printed; None for an empty cell."""
        return self.tax.id(code) if self.printable[code] else None


def _told(tax: Taxonomy) -> Mask:
    """All ranges but those that stand for anything and for nothing."""
    mask = np.ones(len(tax), np.bool_)
    mask[[tax.code(ANY), tax.code(MISSING)]] = False
    return mask


def _taxonomy(
    named: dict[tuple[float, float], str], links: list[tuple[str, str]] | None = None
) -> tuple[Taxonomy, Floats, Floats]:
    """The ranges as a taxonomy, by (child, parent) links or such that the parents of a range are the narrowest others
    that it lies in."""
    names, draft = list(named.values()), Draft("ranges", declared=True)
    if links is None:
        ends = np.array(list(named), np.float64).reshape(-1, 2)
        inside = (ends[:, None, 0] >= ends[None, :, 0]) & (ends[:, None, 1] <= ends[None, :, 1])
        np.fill_diagonal(inside, False)
        step = inside.astype(np.float32)
        above = zip(*np.nonzero(inside & ~((step @ step) > 0)), strict=True)
        links = [(names[child], names[parent]) for child, parent in above]
    for name in (ANY, MISSING, *names):
        draft.add(name)
    for child, parent in links:
        draft.link(child, parent)
    for name in dict.fromkeys([MISSING, *names]).keys() - {child for child, _ in links}:
        draft.link(name, ANY)
    tax = draft.build()
    low, high = np.full(len(tax), -np.inf), np.full(len(tax), np.inf)
    for name, (begin, end) in zip(names, named, strict=True):
        low[tax.code(name)], high[tax.code(name)] = begin, end
    low[tax.code(MISSING)] = np.inf  # holds no value
    return tax, low, high


def kth_ends(values: Floats, persons: Long, k: int) -> tuple[float, float]:
    """The k-th smallest of the persons' least values, and the k-th largest of their greatest; NaN where fewer than k
    persons have one."""
    known = ~np.isnan(values)
    values, persons = values[known], persons[known]
    if not len(values):
        return float("nan"), float("nan")
    number = np.unique(persons, return_inverse=True)[1]
    least, most = np.full(number.max() + 1, np.inf), np.full(number.max() + 1, -np.inf)
    np.minimum.at(least, number, values)
    np.maximum.at(most, number, values)
    if len(least) < k:
        return float("nan"), float("nan")
    return float(np.partition(least, k - 1)[k - 1]), float(-np.partition(-most, k - 1)[k - 1])


def spread_place(persons: int, k: int) -> int:
    """From which person from either end the spread of a column is taken, of whom so many have a value: the k-th, and of
    fewer than 4k the quarter."""
    return min(k, max(1, persons // 4))

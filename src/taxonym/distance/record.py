"""How far apart two records are that have several columns: the weighted mean of the distances of their columns.

    D(x, y) = Σ_c w_c D_c(x_c, y_c) / Σ_c w_c

A column holds sets of concepts (`Sets`, compared by distance/sets.py) or numbers (`Values`, by |x - y| over the range
of the column). Two missing numbers are the same, a missing one is at 1 from any other. What is published may be a range
instead of a number: x is as far from it as from a number of the range that is drawn at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any, TypeAlias

import numpy as np

from taxonym.distance.attributes import MATCHINGS, THRESHOLD, Attributes, attribute_distance
from taxonym.distance.direct import concepts_apart, direct
from taxonym.distance.lines import UNIT
from taxonym.distance.matrix import concept_distances
from taxonym.distance.registry import DISTANCES, distance_named
from taxonym.distance.sets import AGGREGATIONS, aggregation_named, set_distance
from taxonym.distance.sets_matrix import IndexedSets, distance_matrix, set_distances
from taxonym.errors import BadPlan
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long, Shorts
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.content import content

_PAIRS = 1 << 10  # pairs whose concepts are compared at a time
_CELLS = 1 << 20  # numbers that are compared at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare:
    """How sets are compared."""

    aggregate: str = "min-sum"
    measure: str = "jaccard"
    content: str = "seco"
    threshold: float = THRESHOLD  # of matching: from which similarity on two concepts count as one attribute

    def __post_init__(self) -> None:
        distance_named(self.measure)
        if not self.by_attributes:
            aggregation_named(self.aggregate)

    @property
    def by_attributes(self) -> bool:
        return self.aggregate in MATCHINGS


@dataclass(frozen=True, slots=True, eq=False)
class Sets(ConceptSets):
    """A column of sets of concepts, which counts so much in a distance."""

    weight: float = 1.0

    def distance(self, other: "Sets", i: int, j: int, how: Compare) -> float:
        """From record i to record j of the other column: the definition."""
        if how.by_attributes:
            sets = self.record(i), other.record(j)
            return attribute_distance(self.tax, *sets, how.aggregate, threshold=how.threshold, measure=how.measure)
        return set_distance(self.tax, self.record(i), other.record(j), how.aggregate, how.measure, content=how.content)

    def square(self, rows: Long, how: Compare, threads: int | None = None) -> Shorts:
        """All pairs of some records, in steps of 1/65535."""
        if how.by_attributes:
            found = Attributes.of(self, how.threshold, how.measure)
            return found.square(rows, how.aggregate)
        alike: dict[str, Any] = {"content": how.content, "dtype": "uint16", "threads": threads}
        steps: Shorts = distance_matrix(self.tax, self.picked(rows), how.aggregate, how.measure, **alike)
        return steps

    def rectangle(self, rows: Long, other: "Sets", columns: Long, how: Compare) -> Floats:
        """Some records against some of another column."""
        if how.by_attributes:
            every = self.pairs(np.repeat(rows, len(columns)), other, np.tile(columns, len(rows)), how)
            return every.reshape(len(rows), len(columns))
        one, like = self.alike(rows)
        other_one, other_like = other.alike(columns)
        few = 2 * len(one) * len(other_one) <= len(rows) * len(columns)  # equal sets are compared once where that pays
        a, b = (self.picked(one), other.picked(other_one)) if few else (self.picked(rows), other.picked(columns))
        found: Floats = set_distances(self.tax, a, b, how.aggregate, how.measure, content=how.content)
        return found[like][:, other_like] if few else found

    def alike(self, rows: Long) -> tuple[Long, Long]:
        """The first of some records with each different set, and which of these every one is like."""
        like = np.empty(len(rows), np.int64)
        first = _alike(self.start, self.codes, rows, like)
        return rows[first], like

    def picked(self, rows: Long) -> IndexedSets:
        return IndexedSets.of_sets(self.take(rows))

    def pairs(self, rows: Long, other: "Sets", columns: Long, how: Compare) -> Floats:
        """From record rows[p] to record columns[p] of the other column, for every p; not rounded."""
        if how.by_attributes:
            found = Attributes.of(self.then(other), how.threshold, how.measure)
            return found.pairs(rows, found, columns + len(self), how.aggregate)
        out = np.empty(len(rows))
        chosen, measure = AGGREGATIONS[how.aggregate], DISTANCES[how.measure]
        steps = (_STEPS[chosen.inner], _STEPS[chosen.outer], chosen.both_ways, chosen.by_size)
        ic = content(self.tax, how.content) if measure.informed else None
        if (task := direct(self.tax, how.measure, ic)) is not None:
            _aggregate_directly(task, self.start, self.codes, rows, other.start, other.codes, columns, *steps, out)
            return out
        order = np.argsort(columns, kind="stable")
        for first in range(0, len(rows), _PAIRS):
            part = order[first : first + _PAIRS]
            a, b = self.take(rows[part]), other.take(columns[part])
            (row, at_a), (column, at_b) = (np.unique(one.codes, return_inverse=True) for one in (a, b))
            table = concept_distances(
                self.tax, row, column, how.measure, content="seco" if ic is None else ic, threads=1
            )
            out[part] = _aggregate(table, at_a, a.start, at_b, b.start, *steps)
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """A column of numbers, NaN where missing. `half` is half the difference between the largest and the least: the
    whole may be too large for a float. Where ranges are published, `values` are their middles, and they reach so far
    to both sides."""

    values: Floats
    half: float
    weight: float = 1.0
    reach: Floats | None = None

    @classmethod
    def of(cls, values: Floats, weight: float = 1.0) -> "Values":
        known = values[~np.isnan(values)]
        return cls(values, float(known.max() / 2 - known.min() / 2) if len(known) else 0.0, weight)

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Long) -> "Values":
        """Some of the numbers, in the order of `rows`; their range stays that of the whole column."""
        reach = None if self.reach is None else self.reach[rows]
        return replace(self, values=self.values[rows], reach=reach)

    def ranged(self, low: Floats, high: Floats) -> "Values":
        """Published ranges beside these numbers; an open one ends where the numbers do. NaN is an empty cell."""
        known = self.values[~np.isnan(self.values)]
        least, most = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        low, high = np.maximum(low, least), np.minimum(high, most)
        return replace(self, values=low / 2 + high / 2, reach=np.maximum(high / 2 - low / 2, 0.0))

    def distance(self, other: "Values", i: int, j: int, how: Compare) -> float:
        x, y = float(self.values[i]), float(other.values[j])
        if np.isnan(x) or np.isnan(y):
            return float(np.isnan(x) != np.isnan(y))
        away, reach = abs(x / 2 - y / 2), 0.0 if other.reach is None else float(other.reach[j]) / 2
        if not self.half:
            return float(away > reach)
        if away < reach:  # the mean of |x - u| over all u of the range
            away = (away * away + reach * reach) / (2 * reach)
        return min(1.0, away / self.half)

    def square(self, rows: Long, how: Compare, threads: int | None = None) -> Shorts:
        out = np.empty((len(rows), len(rows)), np.uint16)
        for first in range(0, len(rows), step := max(1, _CELLS // max(1, len(rows)))):
            part = rows[first : first + step]
            out[first : first + step] = np.rint(self.rectangle(part, self, rows, how) * UNIT)
        return out

    def rectangle(self, rows: Long, other: "Values", columns: Long, how: Compare) -> Floats:
        reach = None if other.reach is None else other.reach[columns]
        return numbers_apart(self.values[rows][:, None], other.values[columns], reach, self.half)

    def alike(self, rows: Long) -> tuple[Long, Long]:
        """The first of some records with each different value, and which of these every one is like."""
        like = np.unique(self.values[rows], return_inverse=True)[1]
        if self.reach is not None:
            like = like * len(rows) + np.unique(self.reach[rows], return_inverse=True)[1]
        first, like = np.unique(like, return_index=True, return_inverse=True)[1:]
        return rows[first], like

    def pairs(self, rows: Long, other: "Values", columns: Long, how: Compare) -> Floats:
        reach = None if other.reach is None else other.reach[columns]
        return numbers_apart(self.values[rows], other.values[columns], reach, self.half)


def numbers_apart(x: Floats, y: Floats, reach: Floats | None, half: float) -> Floats:
    """Values.distance for arrays that fit together; `reach` is that of y, where these are ranges."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        away = np.abs(x / 2 - y / 2)
        if half and reach is not None:
            far = reach / 2
            inside = away < far
            away = np.where(inside, (away * away + far * far) / np.where(inside, 2 * far, 1.0), away)
        if half:
            apart: Floats = np.minimum(1.0, away / half)
        else:
            apart = (away > (0.0 if reach is None else reach / 2)).astype(np.float64)
    gone_x, gone_y = np.isnan(x), np.isnan(y)
    if not (gone_x.any() or gone_y.any()):
        return apart
    found: Floats = np.where(gone_x | gone_y, (gone_x != gone_y).astype(np.float64), apart)
    return found


Part: TypeAlias = Sets | Values


# ---------------------------------------------------------------------- several columns


def record_distance(x: Sequence[Part], y: Sequence[Part], i: int, j: int, how: Compare | None = None) -> float:
    """The distance from record i of the columns x to record j of the columns y: the definition."""
    how = how or Compare()
    apart = [(a.weight, a.distance(b, i, j, how)) for a, b in _matched(x, y)]  # type: ignore[arg-type]
    return fsum(weight * d for weight, d in apart) / fsum(weight for weight, _ in apart)


def record_matrix(parts: Sequence[Part], rows: Long, how: Compare, threads: int | None = None) -> Shorts:
    """All pairs of some records, in steps of 1/65535; `threads` (all cores unless given) changes no number.

    Memory: 2 bytes a pair for one column; for several 4 more while they are added up. Equal records are compared once.
    """
    one, like = different(parts, rows)
    if 2 * len(one) <= len(rows):
        few, whole = record_matrix(parts, one, how), np.empty((len(rows), len(rows)), np.uint16)
        for i, kind in enumerate(like.tolist()):
            np.take(few[kind], like, out=whole[i])
        return whole
    if len(parts) == 1:
        return parts[0].square(rows, how, threads)
    total = fsum(part.weight for part in parts)
    mean = np.zeros((len(rows), len(rows)), np.float32)
    for part in parts:
        steps = part.square(rows, how, threads)
        for line, more in zip(mean, steps, strict=True):  # row by row: no further matrix
            line += np.float32(part.weight / total) * more
    return np.rint(mean, out=mean).astype(np.uint16)


def record_pairs(x: Sequence[Part], y: Sequence[Part], rows: Long, columns: Long, how: Compare) -> Floats:
    """From record rows[p] of the columns x to record columns[p] of the columns y, for every p."""
    return weighted_mean(x, column_pairs(x, y, rows, columns, how))


def column_pairs(x: Sequence[Part], y: Sequence[Part], rows: Long, columns: Long, how: Compare) -> list[Floats]:
    """The same for every column alone."""
    return [a.pairs(rows, b, columns, how) for a, b in _matched(x, y)]  # type: ignore[arg-type]


def record_rectangle(x: Sequence[Part], y: Sequence[Part], rows: Long, columns: Long, how: Compare) -> Floats:
    """Some records of the columns x against some of the columns y."""
    found: list[Floats] = [a.rectangle(rows, b, columns, how) for a, b in _matched(x, y)]  # type: ignore[arg-type]
    return weighted_mean(x, found)


def different(parts: Sequence[Part], rows: Long) -> tuple[Long, Long]:
    """The first of some records that differ in some column, and which of these every one is like."""
    like = np.zeros(len(rows), np.int64)
    for part in parts:
        other = part.alike(rows)[1]
        like = np.unique(like * (int(other.max(initial=0)) + 1) + other, return_inverse=True)[1]
    return rows[np.unique(like, return_index=True)[1]], like


def _matched(x: Sequence[Part], y: Sequence[Part]) -> list[tuple[Part, Part]]:
    if not x or [type(a) for a in x] != [type(b) for b in y]:
        raise BadPlan("records must have the same columns, of the same kinds, and at least one.")
    return list(zip(x, y, strict=True))


def weighted_mean(parts: Sequence[Part], apart: Sequence[Floats]) -> Floats:
    """The distances of records from those of their columns."""
    if len(apart) == 1:
        return apart[0]
    total = fsum(part.weight for part in parts)
    mean = np.zeros_like(apart[0])
    for part, one in zip(parts, apart, strict=True):
        mean += part.weight / total * one
    return mean


# ---------------------------------------------------------------------- compiled

_STEPS = {"min": 0, "max": 1, "mean": 2}


@kernel
def _aggregate(table, at_a, ends_a, at_b, ends_b, inner, outer, both_ways, by_size):  # type: ignore[no-untyped-def]
    """The set distances of pairs, from a table of the distances between all their concepts."""
    out = np.empty(len(ends_a) - 1)
    for p in range(len(out)):
        a, b = at_a[ends_a[p] : ends_a[p + 1]], at_b[ends_b[p] : ends_b[p + 1]]
        if len(a) == 0 or len(b) == 0:
            out[p] = 0.0 if len(a) == len(b) else 1.0
            continue
        there = _one_way(table, a, b, False, inner, outer)
        if not both_ways:
            out[p] = there
            continue
        back = _one_way(table, a, b, True, inner, outer)
        out[p] = (len(a) * there + len(b) * back) / (len(a) + len(b)) if by_size else (there + back) / 2
    return out


@kernel
def _one_way(table, a, b, turned, inner, outer):  # type: ignore[no-untyped-def]
    """For every concept of one set the inner step over the other set; then the outer step over these."""
    rows, columns = (b, a) if turned else (a, b)
    whole = 0.0
    for i in range(len(rows)):
        one = 0.0
        for j in range(len(columns)):
            d = table[columns[j], rows[i]] if turned else table[rows[i], columns[j]]
            one = d if j == 0 else min(one, d) if inner == 0 else max(one, d) if inner == 1 else one + d
        one = one / len(columns) if inner == 2 else one
        whole = one if i == 0 else min(whole, one) if outer == 0 else max(whole, one) if outer == 1 else whole + one
    return whole / len(rows) if outer == 2 else whole


@kernel
def _aggregate_directly(how, start, codes, rows, other_start, other, columns, inner, outer, both_ways, by_size, out):  # type: ignore[no-untyped-def]
    """The set distances of pairs, with a table of their own for each."""
    ends = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for p in range(len(rows)):
        a, b = codes[start[rows[p]] : start[rows[p] + 1]], other[other_start[columns[p]] : other_start[columns[p] + 1]]
        table = np.empty((len(a), len(b)))
        for i in range(len(a)):
            for j in range(len(b)):
                table[i, j] = concepts_apart(how, a[i], b[j])
        ends[0][1], ends[1][1] = len(a), len(b)
        one = _aggregate(
            table, np.arange(len(a)), ends[0], np.arange(len(b)), ends[1], inner, outer, both_ways, by_size
        )
        out[p] = one[0]


@kernel
def _alike(start, codes, rows, like):  # type: ignore[no-untyped-def]
    """like[i]: which of the different sets rows[i] is, numbered as they appear; the places where each appears first.

    A table of places, filled by a number that is made of the codes: equal sets meet there, and are compared.
    """
    size = 16
    while size < 2 * len(rows):
        size *= 2
    place, first, found = np.full(size, -1, np.int64), np.empty(len(rows), np.int64), 0
    for i in range(len(rows)):
        a, length = start[rows[i]], start[rows[i] + 1] - start[rows[i]]
        number = np.uint64(length)
        for p in range(length):
            number = (number ^ np.uint64(codes[a + p])) * np.uint64(0x9E3779B97F4A7C15)
            number ^= number >> np.uint64(29)
        at = np.int64(number & np.uint64(size - 1))
        while place[at] >= 0:
            b = start[rows[first[place[at]]]]
            same = start[rows[first[place[at]]] + 1] - b == length
            for p in range(length if same else 0):
                if codes[a + p] != codes[b + p]:
                    same = False
                    break
            if same:
                break
            at = (at + 1) & (size - 1)
        if place[at] < 0:
            place[at] = found
            first[found] = i
            found += 1
        like[i] = place[at]
    return first[:found]

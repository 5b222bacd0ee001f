"""Records as points of whole numbers: those that mean alike lie near each other.

A set of concepts gets a coordinate for every chosen ancestor a: how much of the set lies below a. A concept c counts
1/√|T(c)|, so that every concept is a vector of length 1 and those of two concepts agree by

    |T(a) ∩ T(b)| / √(|T(a)| |T(b)|)

much like 1 - jaccard [Batet2014, eq. 1]. A number becomes a row of steps, as many of them full as it is large: the
square of the Euclidean distance of two is then proportional to their difference. Columns share the length 4096 by the
square roots of their weights, as weights belong to distances and squares of lengths do.

Coordinates are integers and so are all sums of them: the same on every machine, in any order, in any number of parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum, isqrt, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taxonym.distance.record import Compare, Part, Sets, Values
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Ints, Long
from taxonym.knowledge.runs import frozen
from taxonym.records.hashes import SALT, mix, mixed

Points: TypeAlias = NDArray[np.int16]

UNIT = 1 << 12  # the length of a record whose concepts all are the same
STEPS = 8  # of a number; one more coordinate says that it is missing
AXES = 256  # so many coordinates at most: with 64 groups lose up to 0.6 % more, with 1,024 hardly less


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """What is needed to make points of records, on any machine. Axis x is the ancestor (or the step) code[x] of the
    column column[x]; axes come in the order of their variance. low[c] is the least number of column c."""

    column: Ints
    code: Ints
    low: tuple[float, ...]
    by_meaning: bool  # whether ancestors count, or concepts are equal or not

    def __len__(self) -> int:
        return len(self.code)

    @classmethod
    def fit(cls, parts: Sequence[Part], rows: Long, how: Compare) -> "Embedding":
        """The axes along which these records differ most. Ties: the earlier column, the lower code."""
        low = tuple(_least(part) for part in parts)
        every = cls(frozen([]), frozen([]), low, how.measure != "equal")
        found = [every._spread(parts, c, rows) for c in range(len(parts))]
        column = np.repeat(np.arange(len(parts)), [len(spread) for spread in found])
        code = np.concatenate([np.arange(len(spread)) for spread in found])
        spread = np.concatenate(found)
        best = np.argsort(-spread, kind="stable")[:AXES]
        best = best[spread[best] > 0]
        return replace(every, column=frozen(column[best]), code=frozen(code[best]))

    def without(self, axes: int) -> "Embedding":
        """The same without the first axes."""
        return replace(self, column=frozen(self.column[axes:]), code=frozen(self.code[axes:]))

    def points(self, parts: Sequence[Part], rows: Long) -> Points:
        """One row of coordinates for each of these records."""
        out = np.zeros((len(rows), len(self)), np.int16)
        for c, part in enumerate(parts):
            own = np.flatnonzero(self.column == c)
            if isinstance(part, Sets):
                place = np.full(len(part.tax), -1, np.int32)
                place[self.code[own]] = own
                _add_shares(part.start, part.codes, rows, *self._above(part, _length(parts, c)), place, out)
            else:
                out[:, own] = _steps(part, rows, self.low[c], _length(parts, c))[:, self.code[own]]
        return out

    def _spread(self, parts: Sequence[Part], c: int, rows: Long) -> Long:
        """n² times the variance of every coordinate that column c could have."""
        part, length = parts[c], _length(parts, c)
        if isinstance(part, Sets):
            sums = np.zeros((2, len(part.tax)), np.int64)
            _add_squares(part.start, part.codes, rows, *self._above(part, length), sums)
        else:
            steps = _steps(part, rows, self.low[c], length)
            sums = np.stack((steps.sum(axis=0), (steps * steps).sum(axis=0)))
        spread: Long = len(rows) * sums[1] - sums[0] * sums[0]
        return spread

    def _above(self, part: Sets, length: int) -> tuple[Ints, Ints, Ints]:
        """What every concept counts for, as runs, and how much it counts."""
        if not self.by_meaning:
            every = np.arange(len(part.tax) + 1, dtype=np.int32)
            return every, every[:-1], np.full(len(part.tax), length, np.int32)
        sizes = np.diff(part.tax.ancestor_start)
        weights = np.array([isqrt(length * length // max(1, size)) for size in range(sizes.max(initial=0) + 1)])
        return part.tax.ancestor_start, part.tax.ancestor, weights[sizes].astype(np.int32)


def _length(parts: Sequence[Part], c: int) -> int:
    return int(UNIT * sqrt(parts[c].weight / fsum(part.weight for part in parts)))


def _least(part: Part) -> float:
    if isinstance(part, Sets):
        return 0.0
    known = part.values[~np.isnan(part.values)]
    return float(known.min()) if len(known) else 0.0


def _steps(part: Values, rows: Long, low: float, length: int) -> Long:
    """The numbers as steps, and whether they are missing; two numbers at distance 1 are √2 lengths apart."""
    values = part.values[rows]
    gone = np.isnan(values)
    place = np.where(gone, 0.5, (values / 2 - low / 2) / part.half if part.half else 0.0)
    full = np.clip(place[:, None] * STEPS - np.arange(STEPS), 0, 1)
    steps = (full * (length // 2)).astype(np.int64)
    steps[gone] = length // 4
    return np.column_stack((steps, gone * length))


# ---------------------------------------------------------------------- a sample that does not depend on the order


def content_hashes(parts: Sequence[Part], rows: Long) -> NDArray[np.uint64]:
    """A number for what each record holds, the same for equal records only (as good as certainly)."""
    found = np.zeros(len(rows), np.uint64)
    for c, part in enumerate(parts):
        salt = np.uint64(SALT * (c + 1) % 2**64)
        if isinstance(part, Sets):
            _hash_sets(part.start, part.codes, rows, salt, found)
        else:
            values = part.values[rows] + 0.0  # -0 is 0
            values[np.isnan(values)] = np.nan  # there are many
            found += mixed(values.view(np.uint64) + salt)
    return found


def sampled(hashes: NDArray[np.uint64], size: int) -> Long:
    """Positions of so many records, evenly chosen by what they hold, of equal ones in proportion to their number."""
    order = np.argsort(hashes, kind="stable")
    hashes = hashes[order]
    first = np.concatenate(([True], hashes[1:] != hashes[:-1]))
    begin = np.flatnonzero(first)[np.cumsum(first) - 1]
    again = (np.arange(len(hashes)) - begin).astype(np.uint64)  # the how manieth of its kind
    lucky: Long = order[np.argsort(luck(hashes, again), kind="stable")[:size]]
    return lucky


def luck(hashes: NDArray[np.uint64], again: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The lot of each record, by what it holds and the how manieth of its kind it is: the lowest are chosen."""
    return mixed(hashes + np.uint64(SALT) * again)


# ---------------------------------------------------------------------- compiled


@kernel
def _add_shares(start, codes, rows, above_start, above, weight, place, out):  # type: ignore[no-untyped-def]
    """out[i, place[a]] += the mean over the concepts c of record rows[i] of weight[c] if a is above c, rounded down."""
    sums = np.zeros(out.shape[1], np.int64)
    for i in range(len(rows)):
        first, last = start[rows[i]], start[rows[i] + 1]
        if first == last:
            continue
        sums[:] = 0
        for p in range(first, last):
            c = codes[p]
            for q in range(above_start[c], above_start[c + 1]):
                axis = place[above[q]]
                if axis >= 0:
                    sums[axis] += weight[c]
        for axis in range(len(sums)):
            out[i, axis] += sums[axis] // (last - first)


@kernel
def _add_squares(start, codes, rows, above_start, above, weight, sums):  # type: ignore[no-untyped-def]
    """Sums of the same coordinates, for every ancestor, and of their squares."""
    here = np.zeros(sums.shape[1], np.int64)
    for row in rows:
        size = start[row + 1] - start[row]
        for p in range(start[row], start[row + 1]):
            c = codes[p]
            for q in range(above_start[c], above_start[c + 1]):
                here[above[q]] += weight[c]
        for p in range(start[row], start[row + 1]):
            c = codes[p]
            for q in range(above_start[c], above_start[c + 1]):
                share = here[above[q]] // size
                here[above[q]] = 0
                sums[0, above[q]] += share
                sums[1, above[q]] += share * share


@kernel
def _hash_sets(start, codes, rows, salt, out):  # type: ignore[no-untyped-def]
    """Sums do not depend on the order of the concepts; the whole is mixed once more, so that columns do not cancel."""
    for i in range(len(rows)):
        total = salt
        for p in range(start[rows[i]], start[rows[i] + 1]):
            total += mix(np.uint64(codes[p]) + salt)
        out[i] += mix(total)

"""MDAV: groups of k around the records farthest from the middle [NavarroArribas2010, algorithm 1].

Functions here work on an n x n array of distances, row by row and exactly as given: integers or floats, symmetric or
not. D(a, b) is distances[a, b]. Where several records qualify, the lowest row is taken.
"""

from math import frexp, fsum
from typing import Any, TypeAlias

import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import ArrayLike, NDArray

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Groups, Long

Distances: TypeAlias = NDArray[Any]


def mdav(distances: ArrayLike, k: int) -> Groups:
    """Groups of k to 2k - 1 records, as lists of ascending rows, in the order they are formed.

    The average record of the paper is the medoid: the one with the least sum of distances to all that remain, itself
    included [Batet2014, eq. 7]. A record is always in the group formed around it, also where D(r, r) is not 0.
    """
    D = checked(distances)
    check_k(len(D), k)
    remaining = UngroupedRecords(D)
    groups: Groups = []
    while len(remaining) >= 3 * k:  # the paper's line 2
        r = remaining.farthest(remaining.medoid())  # 3-4
        groups.append(remaining.take(r, k))  # 5-6
        s = remaining.farthest(r)  # 7
        groups.append(remaining.take(s, k))  # 8-9
    if len(remaining) >= 2 * k:  # 10
        r = remaining.farthest(remaining.medoid())  # 11-12
        groups.append(remaining.take(r, k))  # 13-14
    groups.append(remaining.rows.tolist())  # 15
    return groups


def medoid(distances: ArrayLike, rows: ArrayLike) -> int:
    """The one of these rows with the least sum of distances to all of them [Batet2014, eq. 7]; ties: the lowest row.

    Sums of floats are exact and rounded once (math.fsum), so that no tie depends on the order of adding.
    """
    D, among = _square(distances), np.unique(np.asarray(rows))
    if not len(among) or among.dtype.kind not in "iu" or among[0] < 0 or among[-1] >= len(D):
        raise BadPlan(f"rows: needs at least one row number, each from 0 to {len(D) - 1}.")
    return int(among[UngroupedRecords(checked(D[np.ix_(among, among)])).medoid()])


def checked(distances: ArrayLike) -> Distances:
    """The distances as an array in whose rows everything can be looked up fast, or one clear complaint."""
    D = np.ascontiguousarray(_square(distances))
    if D.dtype == bool:
        return D.view(np.uint8)
    if D.dtype == np.float16:
        D = D.astype(np.float32)
    if D.dtype.kind not in "iu" and D.dtype not in (np.float32, np.float64):
        raise BadPlan(f"distances: must be whole numbers or floats of at most 64 bits, not {D.dtype}.")
    if D.size and (D.dtype.kind == "f" or D.dtype.itemsize == 8):  # sums of shorter integers cannot overflow
        bits = 52 if D.dtype.kind == "f" else 62
        if not max(-float(D.min()), float(D.max())) < 2.0**bits / len(D):  # not: NaN is not smaller either
            raise BadPlan(f"distances: must all be numbers, and the sum of any row must stay below 2^{bits}.")
    return D.astype(np.int64) if D.dtype == np.uint64 else D  # numba would turn uint64 into floats


def _square(distances: ArrayLike) -> Distances:
    D = np.asarray(distances)
    if D.ndim != 2 or D.shape[0] != D.shape[1]:
        raise BadPlan(f"distances: must be a square array, n x n; this one is {' x '.join(map(str, D.shape))}.")
    return D


def check_k(n: int, k: int) -> None:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise BadPlan(f"k: must be a whole number of at least 1, got {k!r:.40}.")
    if n < k:
        raise BrokenPromise(
            f"There are {n} records, fewer than k = {k}: no group of k can be formed. Choose a smaller k."
        )


class UngroupedRecords:
    """The records that are in no group yet, ascending, and for each the sum of its distances to all of them.

    The sums are kept, not made anew: what is taken away is subtracted, so that mdav reads every distance a few times
    only. Subtracting must not round. Integers do not; a float is cut into two integers of some 40 and 48 bits, whose
    sums do not either. They hold all of it unless some distances are billions of times smaller than the largest; then
    the sums are only nearly right, and those near the least are made anew with math.fsum.
    """

    def __init__(self, D: Distances) -> None:
        self.D = D
        self.columns = D if _symmetric(D) else np.ascontiguousarray(D.T)
        self.rows: Long = np.arange(len(D), dtype=np.int64)
        self.floats = D.dtype.kind == "f"
        bits = len(D).bit_length()
        largest = frexp(max(float(D.max()), -float(D.min())))[1] if self.floats else 0
        self.scale = 2.0 ** min(52 - bits - largest, 900)  # so that sums of high parts stay below 2^52
        self.step = 2.0 ** min(62 - bits, 52)  # those of low parts below 2^62, and each low part below 2^52
        self.high, self.low = np.zeros((2, len(D)), np.int64)
        self.exact = bool(_add_all(D, self.scale, self.step, self.high, self.low))

    def __len__(self) -> int:
        return len(self.rows)

    def medoid(self) -> int:
        """The record with the least sum of distances to all that remain; of several the lowest row."""
        if not self.floats:
            return int(self.rows[np.argmin(self.high[self.rows])])
        sums = _rounded(self.rows, self.high, self.low, self.step)
        if self.exact:
            return int(self.rows[np.argmin(sums)])
        margin = len(self.rows) + 4 * np.spacing(sums.min())  # what was cut off, and the rounding of sums
        near = self.rows[sums <= sums.min() + margin]
        return int(min(near, key=lambda r: (fsum(self.D[r, self.rows].tolist()), r)))

    def farthest(self, r: int) -> int:
        """The remaining record with the largest distance from r, who need not remain."""
        return int(self.rows[np.argmax(self.D[r][self.rows])])

    def take(self, r: int, k: int) -> list[int]:
        """Form a group of r and the k - 1 remaining records nearest to it, and take them away."""
        group = np.sort(_nearest(self.D[r], self.rows, r, k))
        self.rows = _without(self.rows, group)
        _subtract(self.columns, group, self.rows, self.scale, self.step, self.high, self.low)
        taken: list[int] = group.tolist()
        return taken


# ---------------------------------------------------------------------- compiled


@kernel
def _symmetric(D):  # type: ignore[no-untyped-def]
    n, size = len(D), 32  # in squares, as reading along a column is slow
    for i in range(0, n, size):
        for j in range(i, n, size):
            same = True
            for a in range(i, min(i + size, n)):
                for b in range(j, min(j + size, n)):
                    same &= D[a, b] == D[b, a]
            if not same:
                return False
    return True


def _parts(distance, scale, step):  # type: ignore[no-untyped-def]
    """distance = (high + low / step) / scale, and whether something is left over; an integer has a high part only."""


@overload(_parts, inline="always")
def _parts_of(distance, scale, step):  # type: ignore[no-untyped-def]
    def whole(distance, scale, step):  # type: ignore[no-untyped-def]
        return np.int64(distance), np.int64(0), False

    def cut(distance, scale, step):  # type: ignore[no-untyped-def]
        scaled = np.float64(distance) * scale  # scale and step are powers of 2: nothing here is rounded
        high = np.floor(scaled)
        rest = (scaled - high) * step
        low = np.floor(rest)
        return np.int64(high), np.int64(low), rest != low

    return whole if isinstance(distance, types.Integer) else cut


@kernel
def _add_all(D, scale, step, high, low):  # type: ignore[no-untyped-def]
    """Sums of all rows; whether nothing is left over."""
    left_over = False
    for i in range(len(D)):
        row, h, w = D[i], np.int64(0), np.int64(0)
        for distance in row:
            a, b, left = _parts(distance, scale, step)  # type: ignore[no-untyped-call]
            h += a
            w += b
            left_over |= left
        high[i], low[i] = h, w
    return not left_over


@kernel
def _subtract(columns, group, rows, scale, step, high, low):  # type: ignore[no-untyped-def]
    """Take the distances to a group out of the sums of the rows."""
    for g in group:
        column = columns[g]
        for i in rows:
            a, b, _ = _parts(column[i], scale, step)  # type: ignore[no-untyped-call]
            high[i] -= a
            low[i] -= b


@kernel
def _rounded(rows, high, low, step):  # type: ignore[no-untyped-def]
    """The sums of the rows as floats: two parts without common bits, so that adding them rounds once, as fsum does."""
    sums = np.empty(len(rows), np.float64)
    for j, i in enumerate(rows):
        carry = low[i] // np.int64(step)
        sums[j] = np.float64(high[i] + carry) * step + np.float64(low[i] - carry * np.int64(step))
    return sums


@kernel
def _nearest(distances, rows, r, k):  # type: ignore[no-untyped-def]
    """r and the k - 1 of the rows nearest to it."""
    group = np.empty(k, np.int64)
    group[0] = r
    found = 1  # group[1:found] is in order of distance, of equal ones the lower row first
    for i in rows:
        if i != r and (found < k or distances[i] < distances[group[k - 1]]):
            if k == 1:
                break
            p = found if found < k else k - 1
            found = min(found + 1, k)
            while p > 1 and distances[group[p - 1]] > distances[i]:
                group[p] = group[p - 1]
                p -= 1
            group[p] = i
    return group


@kernel
def _without(rows, group):  # type: ignore[no-untyped-def]
    """The rows that are not in the group; both ascending."""
    left = np.empty(len(rows) - len(group), np.int64)
    g = kept = 0
    for i in rows:
        if g < len(group) and group[g] == i:
            g += 1
        else:
            left[kept] = i
            kept += 1
    return left

"""The fast twin of semantic noise: values that are alike share the work, and a replacement is found by bisection.

For each distinct value all other concepts are sorted once, by their side of the mean and then by their distance; the
ring that an error asks for is a run of that order. Side, distance and concept stand in the bits of one integer, so that
sorting whole numbers does it. Distinct values come block by block: memory does not grow with the column.
"""

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Ints, frozen
from taxonym.knowledge.content import Floats
from taxonym.mask.noise import AIMS, Choice, pull
from taxonym.measure.nominal import CELLS, GRID, Domain

Long: TypeAlias = NDArray[np.int64]

PLACE_BITS = 20  # which candidate
STEP_BITS = 41  # its distance in steps of the grid, 2^40 included
SIDE = np.int64(1) << (PLACE_BITS + STEP_BITS)  # 0 nearer to the mean than the value, 1 as near, 2 farther, 3 itself


def replaced(domain: Domain, mean: int, values: Ints, errors: Floats, picks: Floats, how: Choice) -> Ints:
    """What replaces every value, given its error and a number in [0, 1) that settles ties."""
    if len(domain) > 1 << PLACE_BITS:
        raise BadPlan(f"{domain.tax.name}: more than {1 << PLACE_BITS:,} concepts. Choose a narrower category.")
    distinct, start, order = _runs(values)
    to_mean = domain.distances([mean], domain.candidates)[0]
    pulls = pull(domain, mean) if how.aim == "mean" else to_mean
    out = np.empty(len(values), np.int32)
    step = max(1, CELLS // len(domain))
    for first in range(0, len(distinct), step):
        some = distinct[first : first + step]
        begin = start[first : first + len(some) + 1]
        apart = domain.distances(some, domain.candidates)
        own = domain.distances(some, [mean])[:, 0]
        itself = np.searchsorted(domain.candidates, some)
        itself[np.take(domain.candidates, itself, mode="clip") != some] = -1  # an instance
        if how.aim is None:
            keys, ends = _sorted(apart, to_mean, own, itself, some == mean)
            _draw(keys, ends, begin, order, errors, picks, how.min_candidates, out)
        else:
            aim = list(AIMS).index(how.aim)
            _aim(apart, to_mean, pulls, own, itself, some == mean, begin, order, errors, picks, aim, out)
    kept = out < 0  # ε = 0, or nothing else to be
    return frozen(np.where(kept, values, domain.candidates[np.maximum(out, 0)]))


def _runs(values: Ints) -> tuple[Ints, Long, Long]:
    """The distinct values, and where their rows stand: those of the i-th are order[start[i]:start[i + 1]]."""
    order = np.argsort(values, kind="stable")
    distinct, first = np.unique(values[order], return_index=True)
    return distinct, np.append(first, len(values)), order


def _sorted(apart: Floats, to_mean: Floats, own: Floats, itself: Long, is_mean: NDArray[np.bool_]) -> tuple[Long, Long]:
    """For every row the candidates in order, and where each side of the mean begins and ends."""
    keys, ends = np.empty(apart.shape, np.int64), np.zeros((len(apart), 4), np.int64)
    _keys(apart, to_mean, own, itself, is_mean, keys, ends)
    keys.sort(axis=1)
    return keys, ends.cumsum(axis=1)


@njit(nogil=True, cache=True)
def _keys(apart, to_mean, own, itself, is_mean, keys, ends):  # type: ignore[no-untyped-def]
    for i in range(len(apart)):
        for c in range(len(to_mean)):
            side = 1 if is_mean[i] else 1 + (to_mean[c] > own[i]) - (to_mean[c] < own[i])
            if c == itself[i]:
                side = 3
            else:
                ends[i, side + 1] += 1
            keys[i, c] = side * SIDE + (np.int64(apart[i, c] * GRID) << PLACE_BITS) + c


@njit(nogil=True, cache=True)
def _first_from(row, low, high, key):  # type: ignore[no-untyped-def]
    """The first place in row[low:high] whose key is at least this one."""
    while low < high:
        middle = (low + high) // 2
        if row[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@njit(nogil=True, cache=True)
def _draw(keys, ends, begin, order, errors, picks, at_least, out):  # type: ignore[no-untyped-def]
    mask = (np.int64(1) << PLACE_BITS) - 1
    sizes, cuts = np.empty(3, np.int64), np.empty(3, np.int64)
    for i in range(len(keys)):
        row = keys[i]
        for q in range(begin[i], begin[i + 1]):
            v = order[q]
            error = errors[v]
            out[v] = -1
            if error == 0:
                continue
            far = np.int64(np.ceil(abs(error) * GRID)) << PLACE_BITS
            left, total = at_least, 0
            for tier in range(3):  # the right side, neither, the wrong one
                side = 2 - tier if error > 0 else tier
                low, high = ends[i, side], ends[i, side + 1]
                cut = _first_from(row, low, high, side * SIDE + far)
                above, size = high - cut, high - low
                if 0 < left <= above:  # up to all that is as far as the last one needed
                    step = row[cut + left - 1] | mask
                    size = _first_from(row, cut, high, step + 1) - cut
                elif 0 < left <= size:
                    step = row[high - left] & ~mask
                    size = high - _first_from(row, low, cut, step)
                elif left <= 0:
                    size = 0
                left -= size
                total += size
                sizes[tier], cuts[tier] = size, cut
            if total == 0:
                continue
            p = np.int64(picks[v] * total)
            for tier in range(3):
                if p < sizes[tier]:
                    high = ends[i, (2 - tier if error > 0 else tier) + 1]
                    at = cuts[tier] + p if p < high - cuts[tier] else high - 1 - p
                    out[v] = row[at] & mask
                    break
                p -= sizes[tier]


@njit(nogil=True, cache=True)
def _aim(  # type: ignore[no-untyped-def]
    apart, to_mean, pulls, own, itself, is_mean, begin, order, errors, picks, aim, out
):
    """An aim ranks by two numbers at once, so all candidates are looked at: count the best, then take one."""
    n = apart.shape[1]
    for i in range(len(apart)):
        for q in range(begin[i], begin[i + 1]):
            v = order[q]
            error = errors[v]
            out[v] = -1
            if error == 0:
                continue
            size, wanted = abs(error), abs(own[i] + error)
            best, tied, left = (9.0, 0.0), 0, np.int64(-1)
            for turn in range(2):
                for c in range(n):
                    if c == itself[i]:
                        continue
                    off = abs(apart[i, c] - size)
                    if aim == 1:
                        rank = (abs(to_mean[c] - wanted), off)
                    else:
                        side = 1.0
                        if not is_mean[i] and to_mean[c] != own[i]:
                            side = 0.0 if (to_mean[c] > own[i]) == (error > 0) else 2.0
                        rank = (side, off) if aim == 2 else (2 * side + (apart[i, c] < size), off + pulls[c])
                    if turn == 0 and rank < best:
                        best, tied = rank, 1
                    elif turn == 0 and rank == best:
                        tied += 1
                    elif turn == 1 and rank == best:
                        if left == 0:
                            out[v] = c
                            break
                        left -= 1
                left = np.int64(picks[v] * tied)
                if tied == 0:
                    break

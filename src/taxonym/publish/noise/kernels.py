"""The fast twin of semantic noise: values that are alike share the work, and a replacement is found by bisection.

For each distinct value all other concepts are sorted once, by their side of the mean and then by their distance; the
ring that an error asks for is a run of that order. Side, distance and concept stand in the bits of one integer, so that
sorting whole numbers does it. Distinct values come block by block: memory does not grow with the column.
"""

from typing import TypeAlias

import numpy as np

from taxonym.errors import BadPlan
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Ints, Long, Mask
from taxonym.knowledge.runs import frozen
from taxonym.measure.nominal import CELLS, GRID, Domain
from taxonym.publish.noise.semantic import AIMS, NoiseChoice, pull

Around: TypeAlias = tuple[Long, Long, Floats, Mask]

PLACE_BITS = 20  # which candidate
STEP_BITS = 41  # its distance in steps of the grid, 2^40 included
SIDE = np.int64(1) << (PLACE_BITS + STEP_BITS)  # 0 nearer to the mean than the value, 1 as near, 2 farther, 3 itself


class Rings:
    """What may replace values of one column, prepared as far as it does not depend on their errors.

    With an aim, concepts that are as far from the mean and pull it alike are numbered in a row: those that are also as
    far from the value cannot be told apart, and only one of each kind has to be looked at.
    """

    __slots__ = ("domain", "how", "kind", "mean", "place", "pulls", "to_mean")

    def __init__(self, domain: Domain, mean: int, how: NoiseChoice) -> None:
        if len(domain) > 1 << PLACE_BITS:
            raise BadPlan(f"{domain.tax.name}: more than {1 << PLACE_BITS:,} concepts. Choose a narrower category.")
        self.domain, self.mean, self.how = domain, mean, how
        self.to_mean = domain.distances([mean], domain.candidates)[0]
        self.pulls = pull(domain, mean)
        self.place = np.lexsort((self.pulls, self.to_mean)) if how.aim else np.arange(len(domain))
        self.to_mean, self.pulls = self.to_mean[self.place], self.pulls[self.place]
        changes = (np.diff(self.to_mean) != 0) | (np.diff(self.pulls) != 0)
        self.kind = np.append(0, np.cumsum(changes))

    def around(self, values: Ints) -> Around:
        """For every value the candidates in order, where each side of the mean ends, and how it lies to the mean."""
        apart = self.domain.distances(values, self.domain.candidates[self.place])
        own, is_mean = self.domain.distances(values, [self.mean])[:, 0], values == self.mean
        codes = self.domain.candidates[self.place]
        keys, ends = np.empty(apart.shape, np.int64), np.zeros((len(values), 4), np.int64)
        _keys(apart, values, codes, self.to_mean, own, is_mean, self.how.aim is None, keys, ends)
        keys.sort(axis=1)
        return keys, ends.cumsum(axis=1), own, is_mean

    def draw(
        self,
        around: Around,
        begin: Long,
        order: Long,
        errors: Floats,
        picks: Floats,
        out: Long,
    ) -> None:
        """Fill in what replaces the rows order[begin[i]:begin[i + 1]] of the i-th value; -1 if nothing does."""
        keys, ends, own, is_mean = around
        if self.how.aim is None:
            _draw(keys, ends, begin, order, errors, picks, self.how.min_candidates, out)
        else:
            aim = list(AIMS).index(self.how.aim)
            _aim(keys, ends, self.kind, self.to_mean, self.pulls, own, is_mean, begin, order, errors, picks, aim, out)
        rows = order[begin[0] : begin[-1]]
        found = out[rows]
        out[rows] = np.where(found < 0, -1, self.domain.candidates[self.place[np.maximum(found, 0)]])


def replaced(domain: Domain, mean: int, values: Ints, errors: Floats, picks: Floats, how: NoiseChoice) -> Ints:
    """What replaces every value, given its error and a number in [0, 1) that settles ties."""
    rings = Rings(domain, mean, how)
    order = np.argsort(values, kind="stable")
    distinct, first = np.unique(values[order], return_index=True)
    start = np.append(first, len(values))
    out = np.empty(len(values), np.int64)
    step = max(1, CELLS // len(domain))
    for at in range(0, len(distinct), step):
        some = distinct[at : at + step]
        rings.draw(rings.around(some), start[at : at + len(some) + 1], order, errors, picks, out)
    return frozen(np.where(out < 0, values, out))  # ε = 0, or nothing else to be


@kernel
def _keys(apart, values, codes, to_mean, own, is_mean, sided, keys, ends):  # type: ignore[no-untyped-def]
    for i in range(len(apart)):
        for c in range(len(codes)):
            side = 1
            if sided and not is_mean[i] and to_mean[c] != own[i]:
                side = 2 if to_mean[c] > own[i] else 0
            if codes[c] == values[i]:
                side = 3
            else:
                ends[i, side + 1] += 1
            keys[i, c] = side * SIDE + (np.int64(apart[i, c] * GRID) << PLACE_BITS) + c


@kernel
def _first_from(row, low, high, key):  # type: ignore[no-untyped-def]
    """The first place in row[low:high] whose key is at least this one."""
    while low < high:
        middle = (low + high) // 2
        if row[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
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


@kernel
def _aim(  # type: ignore[no-untyped-def]
    keys, ends, kind, to_mean, pulls, own, is_mean, begin, order, errors, picks, aim, out
):
    """An aim ranks by two numbers at once, so all kinds of candidates are looked at: count the best, then take one."""
    mask = (np.int64(1) << PLACE_BITS) - 1
    starts = np.empty(keys.shape[1] + 1, np.int64)
    for i in range(len(keys)):
        row, kinds = keys[i], 0
        for p in range(ends[i, 3]):  # itself comes last
            if (
                p == 0
                or row[p] >> PLACE_BITS != row[p - 1] >> PLACE_BITS
                or kind[row[p] & mask] != kind[row[p - 1] & mask]
            ):
                starts[kinds] = p
                kinds += 1
        starts[kinds] = ends[i, 3]
        for q in range(begin[i], begin[i + 1]):
            v = order[q]
            error = errors[v]
            out[v] = -1
            if error == 0 or kinds == 0:
                continue
            size, wanted = abs(error), abs(own[i] + error)
            best, tied, left = (9.0, 0.0), 0, np.int64(-1)
            for turn in range(2):
                for k in range(kinds):
                    c = row[starts[k]] & mask
                    apart = ((row[starts[k]] >> PLACE_BITS) & ((np.int64(1) << STEP_BITS) - 1)) / GRID
                    off = abs(apart - size)
                    if aim == 1:
                        rank = (abs(to_mean[c] - wanted), off)
                    else:
                        side = 1.0
                        if not is_mean[i] and to_mean[c] != own[i]:
                            side = 0.0 if (to_mean[c] > own[i]) == (error > 0) else 2.0
                        rank = (side, off) if aim == 2 else (2 * side + (apart < size), off + pulls[c])
                    many = starts[k + 1] - starts[k]
                    if turn == 0 and rank < best:
                        best, tied = rank, many
                    elif turn == 0 and rank == best:
                        tied += many
                    elif turn == 1 and rank == best:
                        if left < many:
                            out[v] = row[starts[k] + left] & mask
                            break
                        left -= many
                left = np.int64(picks[v] * tied)

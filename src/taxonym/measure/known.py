"""Linking persons of whom only some items are known.

An item is a concept in a column. The intruder knows the items K of somebody and links the person to the published
records that are nearest to them, one way:

    D(K, B) = Σ over the items a in K of min over b in B of d(a, b) / |K|

where b runs over the published concepts of the same column. What else is published does not count against a record,
since the intruder does not know the rest. Who knows nothing finds all records equally near. The definition comes first;
its twin adds up how near every published record comes to every item, which is computed once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from numba import njit
from numpy.typing import NDArray

from taxonym.distance.record import Compare, Long, Part, Sets
from taxonym.distance.registry import concept_distance
from taxonym.distance.sets_matrix import set_distances
from taxonym.knowledge.arrays import expand
from taxonym.knowledge.content import Floats
from taxonym.measure.linkage import WORK, Span
from taxonym.progress import SILENCE, Progress

REACHED = 1 << 28  # bytes for how near published records come to items

Item = tuple[int, int]  # a column, counted among those of words, and a code


def one_way(y: Sequence[Sets], known: Sequence[Item], j: int, how: Compare) -> float:
    """D(K, B) for the published record j: the definition."""
    if not known:
        return 0.0
    return fsum(_to_nearest(y[column], code, j, how) for column, code in known) / len(known)


def _to_nearest(published: Sets, code: int, j: int, how: Compare) -> float:
    apart = [concept_distance(published.tax, code, b, how.measure, content=how.content) for b in published.record(j)]
    return min(apart, default=1.0)


# ---------------------------------------------------------------------- items


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items of persons: those of person i are item[start[i]:start[i + 1]], item t being the concept code[t] in the
    column column[t]. Every item has one number, whoever has it."""

    start: Long
    item: Long
    column: Long
    code: Long

    def __len__(self) -> int:
        return len(self.start) - 1

    @classmethod
    def of(cls, parts: Sequence[Part]) -> "Items":
        """All concepts of all columns of words."""
        words = words_of(parts)
        person = np.concatenate([np.repeat(np.arange(len(part)), np.diff(part.start)) for part in words] or [_NONE])
        column = np.concatenate([np.full(len(part.codes), c) for c, part in enumerate(words)] or [_NONE])
        code = np.concatenate([part.codes.astype(np.int64) for part in words] or [_NONE])
        widest = max((len(part.tax) for part in words), default=1)
        distinct, item = np.unique(column * widest + code, return_inverse=True)
        order = np.argsort(person, kind="stable")
        sizes = np.bincount(person, minlength=len(parts[0]))
        start = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
        return cls(start, item[order].astype(np.int64), distinct // widest, distinct % widest)

    def known(self, i: int) -> list[Item]:
        """The items of a person."""
        found = self.item[self.start[i] : self.start[i + 1]]
        return list(zip(self.column[found].tolist(), self.code[found].tolist(), strict=True))

    def drawn(self, most: int, rng: np.random.Generator) -> "Items":
        """At most so many random items of each person."""
        person = np.repeat(np.arange(len(self)), np.diff(self.start))
        order = np.lexsort((rng.random(len(person)), person))
        place = np.arange(len(person)) - self.start[person]
        sizes = np.minimum(np.diff(self.start), most)
        start = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
        return Items(start, self.item[order[place < most]], self.column, self.code)

    def of_rows(self, rows: Long) -> "Items":
        """Those of some persons."""
        begin, end = self.start[rows], self.start[rows + 1]
        start = np.concatenate((np.zeros(1, np.int64), np.cumsum(end - begin)))
        return Items(start, self.item[expand(begin, end)], self.column, self.code)


_NONE = np.empty(0, np.int64)


def words_of(parts: Sequence[Part]) -> list[Sets]:
    """The columns of words."""
    return [part for part in parts if isinstance(part, Sets)]


# ---------------------------------------------------------------------- linking


def reached_blocks(known: Items, y: Sequence[Part], how: Compare) -> Iterator[tuple[range, Long, NDArray[np.uint16]]]:
    """Persons block by block, with reached[place[t], j]: how far item t is from the nearest concept of the published
    record j, in steps of 1/65535. Memory: 256 MB, whatever their number, where no person has more items than that."""
    words = words_of(y)
    ready = [part.picked(np.arange(len(part))) for part in words]
    width = max(1, len(y[0]))
    most = max(1, REACHED // (2 * width))
    longest = max(1, int(np.diff(known.start).max(initial=1)))
    step = len(known) if len(np.unique(known.item)) <= most else max(1, most // longest)
    for first in range(0, len(known), max(1, step)):
        persons = range(first, min(first + step, len(known)))
        used = np.unique(known.item[known.start[first] : known.start[persons.stop]])
        place = np.full(len(known.code), -1, np.int64)
        place[used] = np.arange(len(used))
        reached = np.empty((len(used), width), np.uint16)
        for c, (part, records) in enumerate(zip(words, ready, strict=True)):
            mine = np.flatnonzero(known.column[used] == c)
            if len(mine):
                single = [[code] for code in known.code[used[mine]].tolist()]
                reached[mine] = set_distances(
                    part.tax, single, records, "min", how.measure, content=how.content, dtype="uint16", memory=WORK
                )
        yield persons, place, reached


def links_knowing(
    known: Items,
    y: Sequence[Part],
    size: Long,
    truth: Long,
    how: Compare,
    span: Span | None = None,
    progress: Progress = SILENCE,
) -> Floats:
    """p for an intruder who knows these items; size, truth and span as in linkage.nearest."""
    p = np.zeros(len(known))
    low, high = whole_span(known, size) if span is None else span
    progress.start("linking by known items", len(known))
    for persons, place, reached in reached_blocks(known, y, how):
        _link(persons.start, persons.stop, known.start, place[known.item], reached, size, truth, low, high, p)
        progress.advance(len(persons))
    progress.finish()
    return p


def whole_span(known: Items, size: Long) -> Span:
    return np.zeros(len(known), np.int64), np.full(len(known), len(size))


# ---------------------------------------------------------------------- compiled


@njit(nogil=True, cache=True)
def near(reached, item, low, high, sums, found):  # type: ignore[no-untyped-def]
    """How many of the records low..high - 1 are nearest to these items; found[:that] are they.

    Each distance is rounded by at most half a step, so that sums which tie differ by at most as many steps as items.
    """
    sums[low:high] = 0
    for t in item:
        line = reached[t]
        for j in range(low, high):
            sums[j] += line[j]
    n = 0
    if low < high:
        least = sums[low]
        for j in range(low, high):
            least = min(least, sums[j])
        most = np.uint32(least + len(item))
        for j in range(low, high):
            if sums[j] <= most:
                found[n] = j
                n += 1
    return n


@njit(nogil=True, cache=True)
def _link(first, last, start, item, reached, size, truth, low, high, p):  # type: ignore[no-untyped-def]
    sums, found = np.empty(len(size), np.uint32), np.empty(len(size), np.int64)
    for i in range(first, last):
        n = near(reached, item[start[i] : start[i + 1]], low[i], high[i], sums, found)
        whole, right = 0, False
        for f in range(n):
            whole += size[found[f]]
            right |= found[f] == truth[i]
        p[i] = 1 / whole if right else 0.0

"""Linking persons of whom only some items are known.

An item is a concept in a column. The intruder knows the items K of somebody and links the person to the published
records that are nearest to them, one way:

    D(K, B) = Σ over the items a in K of min over b in B of d(a, b) / |K|

where b runs over the published concepts of the same column. What else is published does not count against a record,
since the intruder does not know the rest. Who knows nothing finds all records equally near. The definition comes first;
its twin adds up how near every published record comes to every item, which is computed once.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

import numpy as np

from taxonym.attack.linkage import WORK, Span
from taxonym.distance.record import Compare, Part, Sets
from taxonym.distance.registry import concept_distance
from taxonym.distance.sets_matrix import set_distances
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long, Shorts
from taxonym.knowledge.runs import Runs, edges

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
class Items(Runs):
    """The items of persons, item t being the concept code[t] in the column column[t]: one number, whoever has it."""

    column: Long
    code: Long

    @classmethod
    def of_parts(cls, parts: Sequence[Part]) -> "Items":
        """All concepts of all columns of words."""
        words = words_of(parts)
        person = np.concatenate([part.owner for part in words] or [_NONE])
        column = np.concatenate([np.full(len(part.codes), c) for c, part in enumerate(words)] or [_NONE])
        code = np.concatenate([part.codes.astype(np.int64) for part in words] or [_NONE])
        widest = max((len(part.tax) for part in words), default=1)
        distinct, item = np.unique(column * widest + code, return_inverse=True)
        order = np.argsort(person, kind="stable")
        start = edges(np.bincount(person, minlength=len(parts[0])))
        return cls(start, item[order].astype(np.int64), distinct // widest, distinct % widest)

    def known(self, i: int) -> list[Item]:
        """The items of a person."""
        return [(int(self.column[t]), int(self.code[t])) for t in self.record(i)]

    def drawn(self, most: int, rng: np.random.Generator) -> "Items":
        """At most so many random items of each person."""
        person = self.owner
        order = np.lexsort((rng.random(len(person)), person))
        return replace(self, codes=self.codes[order]).keep(np.arange(len(person)) - self.start[person] < most)


_NONE = np.empty(0, np.int64)


def words_of(parts: Sequence[Part]) -> list[Sets]:
    """The columns of words."""
    return [part for part in parts if isinstance(part, Sets)]


# ---------------------------------------------------------------------- linking


class ItemDistances:
    """How far every known item is from the nearest concept of every published record, some records at a time."""

    def __init__(self, known: Items, y: Sequence[Part], how: Compare) -> None:
        self._columns, self._how, self._width = words_of(y), how, len(y[0])
        used, place = np.unique(known.codes, return_inverse=True)
        self.place: Long = place.astype(np.int64)
        self._items = [
            (np.flatnonzero(known.column[used] == c), known.code[used[known.column[used] == c]])
            for c in range(len(self._columns))
        ]
        self._step = max(1, REACHED // (2 * max(1, len(used))))
        self._only: Shorts | None = None

    def blocks(self) -> Iterator[tuple[int, Shorts]]:
        """(first, reached): reached[place[i], j - first] is how far the i-th known item is from the published record j,
        in steps of 1/65535. Memory: 256 MB, whatever the number of records."""
        for first in range(0, self._width, self._step):
            if self._width > self._step:
                yield first, self._reach(first, min(first + self._step, self._width))
            else:
                self._only = self._reach(0, self._width) if self._only is None else self._only
                yield 0, self._only

    def _reach(self, first: int, last: int) -> Shorts:
        found = np.empty((sum(len(mine) for mine, _ in self._items), last - first), np.uint16)
        for part, (mine, codes) in zip(self._columns, self._items, strict=True):
            if len(mine):
                some, each = part.picked(np.arange(first, last)), [[code] for code in codes.tolist()]
                found[mine] = set_distances(
                    part.tax, each, some, "min", self._how.measure,
                    content=self._how.content, dtype="uint16", memory=WORK,
                )  # fmt: skip
        return found


def nearest_sums(known: Items, reached: ItemDistances, span: Span) -> Long:
    """The least sum of distances that any published record has to the items of each person."""
    least = np.full(len(known), np.iinfo(np.int64).max)
    for first, block in reached.blocks():
        in_threads(len(known), _least, known.start, reached.place, block, first, *span, least)
    return least


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
    span = whole_span(known, size) if span is None else span
    progress.start("linking by known items")
    reached = ItemDistances(known, y, how)
    least = nearest_sums(known, reached, span)
    persons, hit = np.zeros(len(known), np.int64), np.zeros(len(known), np.bool_)
    for first, block in reached.blocks():
        _link(known.start, reached.place, block, first, size, truth, *span, least, persons, hit)
    progress.finish()
    return np.where(hit, 1 / np.maximum(persons, 1), 0.0)


def whole_span(known: Items, size: Long) -> Span:
    return np.zeros(len(known), np.int64), np.full(len(known), len(size))


def in_threads(n: int, kernel: Callable[..., None], *given: Any) -> None:
    """kernel(first, last, *given) for parts of 0..n-1, on all cores."""
    cores = os.cpu_count() or 1
    parts = 4 * cores if n > 1_000 else 1
    ends = [n * i // parts for i in range(parts + 1)]
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(lambda first, last: kernel(first, last, *given), ends[:-1], ends[1:]))


# ---------------------------------------------------------------------- compiled


@kernel
def add_up(reached, item, low, high, sums):  # type: ignore[no-untyped-def]
    """sums[j] = Σ of reached[t, j] over the items t, for j from low to high - 1."""
    sums[low:high] = 0
    for t in item:
        line = reached[t]
        for j in range(low, high):
            sums[j] += line[j]


@kernel
def near(reached, first, item, low, high, least, sums, found):  # type: ignore[no-untyped-def]
    """How many of the records low..high - 1 that stand in this block, which begins with record `first`, are nearest to
    the items; found[:that] are they.

    Each distance is rounded by at most half a step, so that sums which tie differ by at most as many steps as items.
    """
    low, high = max(0, low - first), min(reached.shape[1], high - first)
    add_up(reached, item, low, high, sums)
    most = np.uint32(least + len(item))
    n = 0
    for j in range(low, high):
        if sums[j] <= most:
            found[n] = first + j
            n += 1
    return n


@kernel
def _least(begin, end, start, item, reached, first, low, high, least):  # type: ignore[no-untyped-def]
    sums = np.empty(reached.shape[1], np.uint32)
    for i in range(begin, end):
        a, b = max(0, low[i] - first), min(reached.shape[1], high[i] - first)
        if a < b:
            add_up(reached, item[start[i] : start[i + 1]], a, b, sums)
            best = sums[a]
            for j in range(a, b):
                best = min(best, sums[j])
            least[i] = min(least[i], np.int64(best))


@kernel
def _link(start, item, reached, first, size, truth, low, high, least, persons, hit):  # type: ignore[no-untyped-def]
    sums, found = np.empty(reached.shape[1], np.uint32), np.empty(reached.shape[1], np.int64)
    for i in range(len(persons)):
        n = near(reached, first, item[start[i] : start[i + 1]], low[i], high[i], least[i], sums, found)
        for j in found[:n]:
            persons[i] += size[j]
            hit[i] |= j == truth[i]

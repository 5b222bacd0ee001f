"""A tree that cuts points into blocks of about equal size, each of points that lie near each other.

Every node cuts in two along a direction found by 2-means with halves of equal size:

    high = the upper half of the points along u;    u = mean(high) - mean(low);    again, until nothing changes

Everything is a whole number, so that a tree fitted on one machine sends a point the same way on every other.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taxonym.group.embedding import Points
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.knowledge.runs import frozen

ROUNDS = 8  # of 2-means; more hardly change what is lost
LONGEST = 1 << 13  # directions are cut to so many steps


@dataclass(frozen=True, slots=True, eq=False)
class SplitTree:
    """Node x sends a point p to below[x, 0] if direction[x] · p < threshold[x], else to below[x, 1]; a negative number
    there is -1 - leaf. Nodes come before those below them, and leaves are numbered from left to right: neighbours in
    number are neighbours in the tree. Without nodes there is one leaf, 0."""

    direction: Ints
    threshold: Long
    below: Ints

    @property
    def leaves(self) -> int:
        return len(self.threshold) + 1

    @classmethod
    def fit(cls, points: Points, leaves: int) -> "SplitTree":
        """A tree of at most so many leaves with about as many of the points in each. Equal points stay together."""
        nodes: list[tuple[Long, int]] = []
        below: list[list[int]] = []
        found = 0
        todo = [(np.arange(len(points)), leaves, -1, 0)]
        while todo:
            rows, share, parent, side = todo.pop()
            cut = _cut(points, rows, share) if share > 1 else None
            if parent >= 0:
                below[parent][side] = len(nodes) if cut else -1 - found
            if cut is None:
                found += 1
                continue
            u, threshold, low = cut
            few = min(max(1, (2 * share * int(low.sum()) + len(rows)) // (2 * len(rows))), share - 1)  # by their number
            todo.append((rows[~low], share - few, len(nodes), 1))
            todo.append((rows[low], few, len(nodes), 0))  # the next to be looked at
            nodes.append((u, threshold))
            below.append([0, 0])
        directions = np.array([u for u, _ in nodes], np.int32).reshape(len(nodes), points.shape[1])
        return cls(
            frozen(directions),
            np.array([threshold for _, threshold in nodes], np.int64),
            frozen(np.array(below, np.int32).reshape(len(nodes), 2)),
        )

    def leaf(self, point: Any) -> int:
        """The leaf of one point: the definition."""
        x = 0 if len(self.threshold) else -1
        while x >= 0:
            along = sum(int(u) * int(p) for u, p in zip(self.direction[x], point, strict=True))
            x = int(self.below[x, 0 if along < self.threshold[x] else 1])
        return -1 - x

    def route(self, points: Points) -> Ints:
        """The leaf of every point."""
        out = np.zeros(len(points), np.int32)
        if len(self.threshold):
            _route(points, self.direction, self.threshold, self.below, out)
        return out

    def joined(self, counts: Long, least: int) -> Ints:
        """The block of every leaf, if leaves with few records are joined with their neighbours below the same node, so
        that no block has fewer than `least` (unless there are not so many at all). counts[leaf] are the records."""
        before = np.concatenate(([0], np.cumsum(counts)))
        cut = np.ones(self.leaves, bool)  # whether a block begins here
        first, last = np.zeros((2, len(self.threshold)), np.int64)
        for x in range(len(self.threshold) - 1, -1, -1):  # from below
            left, right = self.below[x].tolist()
            first[x] = first[left] if left >= 0 else -1 - left
            last[x] = last[right] if right >= 0 else -right
            middle = last[left] if left >= 0 else -left
            if min(before[middle] - before[first[x]], before[last[x]] - before[middle]) < least:
                cut[middle] = False
        return frozen(np.cumsum(cut) - 1)


def direction(points: Points, rows: Long) -> Long | None:
    """Along which these points fall into two halves, or nothing if all are equal."""
    spread = _spread(points, rows)
    if not spread.any():
        return None
    u = np.zeros(points.shape[1], np.int64)
    u[np.argmax(spread)] = 1
    before = np.zeros(len(rows), bool)
    for _ in range(ROUNDS):
        along = _project(points, rows, u)
        cut = _near(along, len(rows) // 2)
        high = before if cut is None else along >= cut
        if (high == before).all():
            break
        sums, many = _sums(points, rows, high), int(high.sum())
        apart = sums[1] * (len(rows) - many) - sums[0] * many
        if not apart.any():
            break
        before, u = high, apart * LONGEST // np.abs(apart).max()
    return u


def project(points: Points, u: Long) -> Long:
    """How far along a direction each point lies."""
    along: Long = _project(points, np.arange(len(points)), u)
    return along


def _cut(points: Points, rows: Long, share: int) -> tuple[Long, int, Mask] | None:
    """The direction, the threshold along it, and which points lie below: those for about half of the leaves."""
    u = direction(points, rows)
    if u is None:
        return None
    along = _project(points, rows, u)
    threshold = _near(along, len(rows) * (share // 2) // share)
    return None if threshold is None else (u, threshold, along < threshold)


def _near(numbers: Long, wish: int) -> int | None:
    """The threshold that as near as possible to the wished number of them lie below, at least one and not all; of two
    the lower. Nothing if all are equal."""
    numbers = np.sort(numbers)
    value = numbers[wish]
    first, last = np.searchsorted(numbers, value, "left"), np.searchsorted(numbers, value, "right")
    possible = [int(at) for at in (first, last) if 0 < at < len(numbers)]
    return int(numbers[min(possible, key=lambda at: abs(at - wish))]) if possible else None


# ---------------------------------------------------------------------- compiled


@kernel
def _project(points, rows, u):  # type: ignore[no-untyped-def]
    out = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        point, total = points[rows[i]], np.int64(0)
        for axis in range(len(u)):
            total += np.int64(point[axis]) * u[axis]
        out[i] = total
    return out


@kernel
def _sums(points, rows, high):  # type: ignore[no-untyped-def]
    """The sums of the low points and of the high ones."""
    sums = np.zeros((2, points.shape[1]), np.int64)
    for i in range(len(rows)):
        point, own = points[rows[i]], sums[1 if high[i] else 0]
        for axis in range(len(point)):
            own[axis] += point[axis]
    return sums


@kernel
def _spread(points, rows):  # type: ignore[no-untyped-def]
    """n² times the variance along every axis."""
    sums, squares = np.zeros(points.shape[1], np.int64), np.zeros(points.shape[1], np.int64)
    for row in rows:
        point = points[row]
        for axis in range(len(point)):
            value = np.int64(point[axis])
            sums[axis] += value
            squares[axis] += value * value
    return len(rows) * squares - sums * sums


@kernel
def _route(points, direction, threshold, below, out):  # type: ignore[no-untyped-def]
    for i in range(len(points)):
        point, x = points[i], 0
        while x >= 0:
            u, along = direction[x], np.int64(0)
            for axis in range(len(point)):
                along += np.int64(point[axis]) * np.int64(u[axis])
            x = below[x, 0] if along < threshold[x] else below[x, 1]
        out[i] = -1 - x

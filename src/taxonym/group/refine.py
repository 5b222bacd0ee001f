"""Refined groups: less loss than MDAV at the same k, by local search.

What is made small is ΣD, the sum of the distances of all records to the medoid of their group. From a good start,
groups that are neighbours are joined and divided anew in the best possible way, two at a time; a group whose members
are nearer to the middles of other groups is dissolved; a large one is split. Only what makes ΣD smaller is done, until
nothing does, so that the result is never worse than the start, nor than mdav.

Everything is decided by the distances and, where they tie, by the row: the same array gives the same groups. With rows
in another order, ties may fall otherwise; who needs groups that do not depend on it sorts the records first, as the
pipeline does.
"""

from collections.abc import Sequence
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from taxonym.errors import BadPlan
from taxonym.group.dense import densest_first, nearest_rows
from taxonym.group.mdav import check_k, checked, mdav
from taxonym.group.search import search
from taxonym.knowledge.arrays import Groups, Long

NEIGHBOURS = 10  # groups are neighbours if one holds such a near record of a member of the other
DENSE = 100  # for larger groups a start from the densest takes too long
UNION = 1024  # two groups with more records together are not divided anew: it would take too long


def refined(distances: ArrayLike, k: int, *, largest: int | None = None) -> Groups:
    """Groups of k to `largest` records (3k unless given, at least 2k - 1), as lists of ascending rows.

    ΣD is never larger than that of mdav on the same distances. Groups come in the order of their lowest rows.
    """
    D = checked(distances)
    check_k(len(D), k)
    largest = 3 * k if largest is None else largest
    if largest < 2 * k - 1:
        raise BadPlan(f"largest: must be at least 2k - 1 = {2 * k - 1}, or some numbers of records have no groups.")
    simple = mdav(D, k)
    if k == 1 or len(simple) == 1:
        return sorted(simple)
    near = nearest_rows(D, min(len(D) - 1, NEIGHBOURS))
    start = simple
    if k <= DENSE:
        start = min(_lists(densest_first(D, k, near)), simple, key=lambda groups: sum_of_distances(D, groups))
    found = improved(D, start, k, largest, near)
    return min(found, sorted(simple), key=lambda groups: sum_of_distances(D, groups))


def improved(D: NDArray[Any], start: Sequence[Any], k: int, largest: int, near: Long | None = None) -> Groups:
    """Better groups of the same rows by the local search, from those that there are; `near` are the nearest rows."""
    near = nearest_rows(D, min(len(D) - 1, NEIGHBOURS)) if near is None else near
    label = np.empty(len(D), np.int64)
    for group, rows in enumerate(start):
        label[rows] = group
    exact = D.dtype.kind != "f"
    short = exact and D.dtype.itemsize <= 2  # 32 bits hold the sum of a union, and are faster
    kind = np.int32 if short else np.int64 if exact else np.float64
    # sums of floats are rounded: what seems better by less than this may not be
    slack = kind(0 if exact else 1e-11 * max(float(D.max()), -float(D.min())))
    cost = np.zeros(len(D) // k, np.int64 if exact else np.float64)  # no more groups than that can be
    room = min(UNION, 2 * largest)
    search(D, label, k, largest, near, np.empty((room, room), kind), cost, slack)
    return _lists(label)


def sum_of_distances(distances: ArrayLike, groups: Groups) -> float:
    """ΣD: the distances of all records to the medoid of their group [Batet2014, eq. 7], summed without rounding."""
    D = checked(distances)
    squares = (D[np.ix_(rows, rows)] for rows in groups)
    if D.dtype.kind == "f":
        return fsum(distance for square in squares for distance in min(square.tolist(), key=fsum))
    return sum(int(square.sum(axis=1, dtype=np.int64).min()) for square in squares)


def _lists(label: Long) -> Groups:
    """The rows of each group, in the order of the lowest rows."""
    order = np.argsort(label, kind="stable")
    ends = np.flatnonzero(np.diff(label[order])) + 1
    return sorted(rows.tolist() for rows in np.split(order, ends))

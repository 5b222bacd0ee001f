# mypy: allow-untyped-defs, allow-untyped-calls
"""Groups whose sizes follow the data, after the idea of Adaptive-MDAV [ImranDaud2022, Algorithm 3].

The paper's own algorithm depends on the order of the records, loses some and leaves groups below k. What is kept is its
idea: a group grows as long as records are about as close as its own. While at least k records are free:

    start   the record with the least sum of distances to its k - 1 nearest free ones, and these; m is their medoid
    join    if they would be closer, together, to the middles of groups that are there, the one of them that gains most
            joins the group of its nearest middle instead, and we begin again
    grow    the nearest free record y joins as long as it is no farther from m than the members are on average,
            stretched by `growth`, no farther from m than from the middle of any other group, and nearer to m than its
            own k - 1 nearest free ones are from it on average, stretched likewise (or at no distance at all)

A distance d is stretched to d + (growth - 1) · min(d, top - d), top being the largest of all (to growth · d if growth
is below 1): where members have hardly anything in common, one that has nothing in common with them is not close.

The fewer than k that remain join the group with the nearest middle. A group has at most `largest` records (10·k·growth,
and 2k at least); if all are full, the nearest one is divided. With growth 0 only equal records make a group larger than
it has to be. Middles stay what they were when the group was formed. Ties: the lowest row.
"""

import numpy as np
from numpy.typing import ArrayLike

from taxonym.errors import BadPlan
from taxonym.group.dense import BLOCK, find_best, free_neighbours, nearest_rows
from taxonym.group.mdav import check_k, checked
from taxonym.jit import kernel
from taxonym.jit.sorting import sort
from taxonym.knowledge.arrays import Groups

NEIGHBOURS = 20  # nearest records that are kept for every record, so that most questions need not look at all
LARGEST = 10  # times k and growth
GROWTH = 1.25  # by evidence: see docs/adaptive.md
MOST_GROWTH = 1000.0


def adaptive_mdav(distances: ArrayLike, k: int, *, largest: int | None = None, growth: float = GROWTH) -> Groups:
    """Groups of k to `largest` records (10·k·growth unless given), as lists of ascending rows, in the order of
    formation. The larger `growth`, the farther a record may be that still joins."""
    D = checked(distances)
    check_k(len(D), k)
    if not 0 <= growth <= MOST_GROWTH:
        raise BadPlan(f"growth: must lie between 0 and {MOST_GROWTH:g}, got {growth}.")
    largest = max(2 * k, round(LARGEST * k * growth)) if largest is None else largest
    if largest < 2 * k:
        raise BadPlan(f"largest: must be at least 2k = {2 * k}, or groups could not grow.")
    if k == 1:
        return [[row] for row in range(len(D))]
    label = np.full(len(D), -1, np.int64)
    groups = _form(D, k, largest, float(growth), nearest_rows(D, min(len(D) - 1, NEIGHBOURS)), label)
    return [np.flatnonzero(label == group).tolist() for group in range(groups)]


@kernel
def _form(D, k, largest, growth, near, label):
    n = len(D)
    reach = np.full(n, -np.inf)  # no more than the sum of distances to the k - 1 nearest free ones, which only grows
    top = np.float64(D.max())
    best = np.arange(0, n, BLOCK)  # in each block of rows the one with the least of these
    middle, size = np.empty(n // k + 1, np.int64), np.zeros(n // k + 1, np.int64)
    home = np.full(n, -1, np.int64)  # of every free record the group with the nearest middle that is not full
    first, group = np.empty(k, np.int64), np.empty(largest, np.int64)
    groups, free = 0, n
    while free >= k:
        r = best[np.argmin(reach[best])]
        free_neighbours(D[r], near[r], label, r, first)
        total = 0.0
        for i in first[1:]:
            total += D[r, i]
        if total > reach[r]:
            reach[r] = total
            find_best(reach, r // BLOCK, best)
            continue
        sort(first)
        m = _middle(D, first)
        joins = _who_joins(D, first, m, home, middle)
        if joins >= 0:
            _take(joins, home[joins], label, reach, best, size)
            _close(D, home[joins], label, home, middle, size, groups, largest)
            free -= 1
            continue
        count = _grow(D, k, growth, top, first, m, near, label, home, middle, group)
        middle[groups] = m
        for i in group[:count]:
            _take(i, groups, label, reach, best, size)
        groups += 1
        free -= count
        if count < largest:
            for row in range(n):
                if label[row] < 0 and (home[row] < 0 or D[row, m] < D[row, middle[home[row]]]):
                    home[row] = groups - 1
    for row in range(n):
        if label[row] >= 0:
            continue
        if home[row] < 0:  # all groups are full
            groups = _divide(D, k, row, label, middle, size, groups, home)
        else:
            label[row] = home[row]
            size[home[row]] += 1
            _close(D, home[row], label, home, middle, size, groups, largest)
    return groups


@kernel
def _middle(D, group):
    """The medoid of an ascending group."""
    best, least = group[0], np.inf
    for i in group:
        total = 0.0
        for j in group:
            total += D[i, j]
        if total < least:
            best, least = i, total
    return best


@kernel
def _who_joins(D, first, m, home, middle):
    """The record of a possible group that should rather join another, or -1."""
    here, there = 0.0, 0.0
    most, who = 0.0, -1
    for i in first:
        if home[i] < 0:
            return -1
        stays, leaves = np.float64(D[i, m]), np.float64(D[i, middle[home[i]]])
        here, there = here + stays, there + leaves
        if stays - leaves > most:
            most, who = stays - leaves, i
    return who if there < here else -1


@kernel
def _stretched(total, most, growth):
    """How far a record may be that is about as close as others are: sums of as many distances."""
    return growth * total if growth < 1 else total + (growth - 1) * min(total, most - total)


@kernel
def _grow(D, k, growth, top, first, m, near, label, home, middle, group):
    """Write the first members and those who join them; how many they are."""
    count, largest, total = len(first), len(group), 0.0
    for i in range(count):
        group[i] = first[i]
        total += D[m, first[i]]
        label[first[i]] = 0  # not free any more, for now
    pair = np.empty(2, np.int64)
    own = np.empty(k, np.int64)
    left = 0
    for i in range(len(label)):
        left += label[i] < 0
    while count < largest and left > 0:
        free_neighbours(D[m], near[m], label, m, pair)
        y = pair[1]
        away = np.float64(D[m, y])
        if away * (count - 1) > _stretched(total, top * (count - 1), growth) or (
            home[y] >= 0 and D[y, middle[home[y]]] < away
        ):
            break
        if away > 0 and left >= k:
            free_neighbours(D[y], near[y], label, y, own)
            alone = 0.0
            for i in own[1:]:
                alone += D[y, i]
            if away * (k - 1) >= _stretched(alone, top * (k - 1), growth):
                break
        group[count] = y
        label[y] = 0
        count, left, total = count + 1, left - 1, total + away
    for i in group[:count]:
        label[i] = -1
    return count


@kernel
def _take(i, group, label, reach, best, size):
    label[i] = group
    size[group] += 1
    reach[i] = np.inf
    find_best(reach, i // BLOCK, best)


@kernel
def _close(D, group, label, home, middle, size, groups, largest):
    """If a group has become full, those whose home it was look for another."""
    if size[group] < largest:
        return
    for i in range(len(label)):
        if label[i] < 0 and home[i] == group:
            home[i] = -1
            for g in range(groups):
                if size[g] < largest and (home[i] < 0 or D[i, middle[g]] < D[i, middle[home[i]]]):
                    home[i] = g


@kernel
def _divide(D, k, i, label, middle, size, groups, home):
    """A new group of i and the k - 1 nearest members of the full group with the nearest middle."""
    full = 0
    for g in range(groups):
        full = g if D[i, middle[g]] < D[i, middle[full]] else full
    label[i] = groups
    for _ in range(k - 1):
        nearest = -1
        for j in range(len(label)):
            if label[j] == full and (nearest < 0 or D[i, j] < D[i, nearest]):
                nearest = j
        label[nearest] = groups
    size[full], size[groups], middle[groups] = size[full] - k + 1, k, i
    for j in range(len(label)):
        if label[j] < 0:
            home[j] = groups if D[j, i] <= D[j, middle[full]] else full
    return groups + 1

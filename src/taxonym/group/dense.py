# mypy: allow-untyped-defs, allow-untyped-calls
"""A good start for refine.py: groups where the records lie densest, and who is near to whom."""

import numpy as np

from taxonym.jit import kernel

BLOCK = 256


@kernel
def nearest_rows(D, count):
    """For each row the nearest others, in order of distance; of equal ones the lower row first."""
    n = len(D)
    near = np.empty((n, count), np.int32)
    for i in range(n):
        row, best, found = D[i], near[i], 0
        worst = row[i]  # of those kept, once there are enough
        for j in range(n):
            if j == i or (found == count and not row[j] < worst):
                continue
            p = found if found < count else count - 1
            found = min(found + 1, count)
            while p > 0 and row[best[p - 1]] > row[j]:
                best[p] = best[p - 1]
                p -= 1
            best[p] = j
            worst = row[best[found - 1]]
    return near


@kernel
def densest_first(D, k, near):
    """Again and again a group of the record with the least sum of distances to its k - 1 nearest free ones, and these.

    The sums only grow as records are taken, so an old sum that is not the least need not be brought up to date.
    """
    n = len(D)
    label = np.full(n, -1, np.int64)
    reach = np.full(n, -np.inf)  # every first sum is new
    best = np.arange(0, n, BLOCK)  # in each block of rows the one with the least sum, so as not to look through all
    group = np.empty(k, np.int64)
    groups, free = 0, n
    while free >= 2 * k:
        r = best[0]
        for i in best:
            r = i if reach[i] < reach[r] else r
        free_neighbours(D[r], near[r], label, r, group)
        total = 0.0
        for i in group[1:]:
            total += D[r, i]
        if total > reach[r]:
            reach[r] = total
            find_best(reach, r // BLOCK, best)
            continue
        for i in group:
            label[i] = groups
            reach[i] = np.inf
            find_best(reach, i // BLOCK, best)
        groups += 1
        free -= k
    for row in range(n):
        if label[row] < 0:
            label[row] = groups
    return label


@kernel
def find_best(reach, block, best):
    at = block * BLOCK
    for i in range(at, min(at + BLOCK, len(reach))):
        at = i if reach[i] < reach[at] else at
    best[block] = at


@kernel
def free_neighbours(row, near, label, r, group):
    """r and the nearest records without a label: from the list of near ones if that suffices, else from all."""
    k = len(group)
    group[0] = r
    found = 1
    for i in near:
        if found < k and label[i] < 0:
            group[found] = i
            found += 1
    if found == k:
        return
    found = 1
    for i in range(len(row)):
        if i == r or label[i] >= 0 or (found == k and not row[i] < row[group[k - 1]]):
            continue
        p = found if found < k else k - 1
        found = min(found + 1, k)
        while p > 1 and row[group[p - 1]] > row[i]:
            group[p] = group[p - 1]
            p -= 1
        group[p] = i

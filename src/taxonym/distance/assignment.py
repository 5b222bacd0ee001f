"""The cheapest one-to-one pairing of rows with columns, compiled: shortest augmenting paths on whole numbers.

Costs are integers, so equal totals are equal and the same table gives the same pairing everywhere. Every row first
takes its cheapest column if that is free, which settles most rows at once; only the others look for a path. scipy's
linear_sum_assignment gives the same totals, from floats, one call at a time and holding the interpreter.
"""

import numpy as np

from taxonym.jit import kernel

_FAR = np.int64(1) << 60


@kernel
def assign(cost, n, m, column, row, u, v, path, shortest, seen):  # type: ignore[no-untyped-def]
    """Pair the n <= m rows of cost[:n, :m]: column[i] is that of row i. Gives the sum of the costs.

    The other arrays are room for the work: row, v, path, shortest and seen for m columns, u for n rows.
    """
    row[:m], v[:m] = -1, 0
    for i in range(n):
        low, at = _FAR, -1
        for j in range(m):
            if cost[i, j] < low:
                low, at = np.int64(cost[i, j]), j
        u[i], column[i] = low, -1
        if row[at] < 0:
            row[at], column[i] = i, at
    for free in range(n):
        if column[free] < 0:
            _augment(cost, free, m, column, row, u, v, path, shortest, seen)
    total = np.int64(0)
    for i in range(n):
        total += cost[i, column[i]]
    return total


@kernel
def _augment(cost, free, m, column, row, u, v, path, shortest, seen):  # type: ignore[no-untyped-def]
    """Give a row without a column one, by the shortest path over rows that have one [Dijkstra with potentials]."""
    shortest[:m], seen[:m] = _FAR, False
    i, least, sink = free, np.int64(0), -1
    while sink < 0:
        at, lowest = -1, _FAR
        base = least - u[i]
        for j in range(m):
            if not seen[j]:
                there = base + cost[i, j] - v[j]
                if there < shortest[j]:
                    shortest[j], path[j] = there, i
                if shortest[j] < lowest or (shortest[j] == lowest and row[j] < 0 and row[at] >= 0):
                    lowest, at = shortest[j], j
        least = lowest
        seen[at] = True
        if row[at] < 0:
            sink = at
        else:
            i = row[at]
    u[free] += least
    for j in range(m):
        if seen[j] and j != sink:
            u[row[j]] += least - shortest[j]
            v[j] -= least - shortest[j]
    j = sink
    while True:
        i = path[j]
        row[j] = i
        column[i], j = j, column[i]
        if i == free:
            return


@kernel
def paired(cost):  # type: ignore[no-untyped-def]
    """The columns of all rows of a table that has no more rows than columns, and the sum of their costs."""
    n, m = cost.shape
    column = np.empty(n, np.int64)
    room = np.empty((5, max(n, m)), np.int64)
    total = assign(cost, n, m, column, room[0], room[1], room[2], room[3], room[4], np.empty(m, np.bool_))
    return column, total

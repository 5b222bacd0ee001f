"""Where a record would cost less, and which records go well together: what the improvement of groups asks, fast."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.publish.generalize.groups import Costs, Sum, cost_of, merged, reach, saved, space, summed

NEAR = 4096  # groups that a record is tried in, and records that are divided at once


def targets(costs: Costs, first: Long, rows: NDArray[np.integer]) -> tuple[Long, Floats, Floats]:
    """For every record of the groups rows[first[g]:first[g + 1]]: the other group where it adds least to the cost, what
    it adds there, and how much less its own group costs without it. Of very many groups only the nearest are tried."""
    every = rows.astype(np.int64)
    found: tuple[Long, Floats, Floats] = _targets(
        first, every, NEAR, *costs.held, costs.forest.anything, *costs.tree, costs.totals, costs.scratch
    )
    return found


def resplit(costs: Costs, rows: Sequence[int], k: int) -> list[int]:
    """k of these records around one of them, so that they and the others cost least."""
    every = np.array(rows, np.int64)
    part = _resplit(every, k, *costs.held, costs.forest.anything, *costs.tree, costs.totals, costs.scratch)
    return sorted(part.tolist())


def nucleus(costs: Costs, rows: list[int], price: dict[int, float], seed: int, k: int) -> list[int]:
    """k of these records around one of them: each time the one that is cheapest there, less its price where it is."""
    every, prices = np.array(rows, np.int64), np.array([price[row] for row in rows])
    found = _nucleus(
        every,
        prices,
        rows.index(seed),
        k,
        *costs.held,
        costs.forest.anything,
        *costs.tree,
        costs.totals,
        costs.scratch,
    )
    return sorted(every[found].tolist())


# ---------------------------------------------------------------------- kernels


@kernel
def _targets(
    first: Long, rows: Long, near: int, start: Long, node: Long, count: Long, own: Mask, anything: Floats,
    parent: Long, edge: Floats, roots: int, totals: Long, scratch: Mask,
) -> tuple[Long, Floats, Floats]:  # fmt: skip
    """For every record of groups rows[first[g]:first[g + 1]]: the other group where it adds least, what it adds there,
    and how much less its own group costs without it."""
    groups, n = len(first) - 1, len(rows)
    begin, own_saving = np.zeros(groups + 1, np.int64), np.zeros(groups)
    for g in range(groups):
        total = summed(rows[first[g] : first[g + 1]], start, node, count, own, totals)
        begin[g + 1] = begin[g] + len(total[0])
    sums = space(begin[groups])
    for g in range(groups):
        total = summed(rows[first[g] : first[g + 1]], start, node, count, own, totals)
        sums[0][begin[g] : begin[g + 1]] = total[0]
        sums[1][begin[g] : begin[g + 1]] = total[1]
        sums[2][begin[g] : begin[g + 1]] = total[2]
        sums[3][begin[g] : begin[g + 1]] = total[3]
        sums[4][begin[g] : begin[g + 1]] = total[4]
        sums[5][begin[g] : begin[g + 1]] = total[5]
        size = first[g + 1] - first[g]
        own_saving[g] = saved(total, len(total[0]), size, parent, edge, roots, scratch)
    way_begin, way_node, way_items = _ways(first, begin, sums, parent, edge, roots, scratch)
    mine_at = np.zeros(len(parent), np.int64)
    best, adds, leaves = np.full(n, -1, np.int64), np.full(n, np.inf), np.zeros(n)
    out = space(len(parent))
    for g in range(groups):
        lo, hi = max(0, min(g - near // 2, groups - near)), min(groups, max(near, g + near // 2))
        for i in range(first[g], first[g + 1]):
            row = rows[i]
            a, b = start[row], start[row + 1]
            mine = (node[a:b], np.ones(b - a, np.int64), count[a:b], own[a:b], count[a:b], count[a:b])
            rest = rows[first[g] : first[g + 1]]
            rest = rest[rest != row]
            total = summed(rest, start, node, count, own, totals)
            without = saved(total, len(total[0]), len(rest), parent, edge, roots, scratch)
            leaves[i] = anything[row] - (own_saving[g] - without)
            mine_at[node[a:b]] = count[a:b]
            for h in range(lo, hi):
                more = anything[
                    row
                ]  # hardly less than this: the group would publish less, seldom another thing instead
                for w in range(way_begin[h], way_begin[h + 1]):
                    v = way_node[w]
                    more += (way_items[w] if mine_at[v] == 0 else -mine_at[v]) * edge[v]
                if h != g and more < adds[i] - 1e-9:
                    size = first[h + 1] - first[h] + 1
                    m = merged(mine, begin[h], begin[h + 1], sums, out)
                    more = anything[row] + own_saving[h] - saved(out, m, size, parent, edge, roots, scratch)
                    if more < adds[i] - 1e-9:
                        adds[i], best[i] = more, h
            mine_at[node[a:b]] = 0
    return best, adds, leaves


@kernel
def _ways(
    first: Long, begin: Long, sums: Sum, parent: Long, edge: Floats, roots: int, scratch: Mask
) -> tuple[Long, Long, Long]:
    """Of every group the nodes on the way down to what it publishes, and its items below each."""
    groups = len(first) - 1
    way_begin = np.zeros(groups + 1, np.int64)
    way_node, way_items = np.empty(len(sums[0]), np.int64), np.empty(len(sums[0]), np.int64)
    n = 0
    for g in range(groups):
        reach(sums, begin[g], begin[g + 1], first[g + 1] - first[g], parent, edge, roots, scratch)
        for j in range(begin[g], begin[g + 1]):
            if scratch[0, j - begin[g]]:
                way_node[n], way_items[n] = sums[0][j], sums[2][j]
                n += 1
            scratch[0, j - begin[g]] = scratch[1, j - begin[g]] = False
        way_begin[g + 1] = n
    return way_begin, way_node, way_items


@kernel
def _nucleus(
    rows: Long, price: Floats, seed: int, k: int, start: Long, node: Long, count: Long, own: Mask, anything: Floats,
    parent: Long, edge: Floats, roots: int, totals: Long, scratch: Mask,
) -> Long:  # fmt: skip
    """k of these records around one of them: each time the one that is cheapest there, less its price where it is."""
    chosen = np.full(k, seed, np.int64)
    free = np.ones(len(rows), np.bool_)
    free[seed] = False
    out = space(len(parent))
    for size in range(1, k):
        group = summed(rows[chosen[:size]], start, node, count, own, totals)
        least = np.inf
        for i in range(len(rows)):
            if free[i]:
                a, b = start[rows[i]], start[rows[i] + 1]
                mine = (node[a:b], np.ones(b - a, np.int64), count[a:b], own[a:b], count[a:b], count[a:b])
                m = merged(mine, 0, len(group[0]), group, out)
                more = anything[rows[i]] - saved(out, m, size + 1, parent, edge, roots, scratch) - price[i]
                if more < least - 1e-9:
                    least, chosen[size] = more, i
        free[chosen[size]] = False
    return chosen


@kernel
def _resplit(
    rows: Long, k: int, start: Long, node: Long, count: Long, own: Mask, anything: Floats,
    parent: Long, edge: Floats, roots: int, totals: Long, scratch: Mask,
) -> Long:  # fmt: skip
    """Of all ways to take k records around one of them out of these the one after which both parts cost least."""
    least, best = np.inf, np.empty(0, np.int64)
    nothing = np.zeros(len(rows))
    for seed in range(len(rows)):
        part = _nucleus(rows, nothing, seed, k, start, node, count, own, anything, parent, edge, roots, totals, scratch)
        inside = np.zeros(len(rows), np.bool_)
        inside[part] = True
        total = 0.0
        for side in (True, False):
            some = rows[inside == side]
            total += cost_of(some, start, node, count, own, anything, parent, edge, roots, totals, scratch)
        if total < least - 1e-9:
            least, best = total, rows[inside]
    return best

"""What groups of records cost, fast.

A group is summed up as the nodes that its records hold, ascending: how many records hold each, how many items are there
or below, whether one is exactly there, and the fewest and the most items that one record has there. The group saves, of
the cost of publishing nothing, what `saved` says. Two sums are merged to know what the groups would save together,
which is all that the searches ask.
"""

from collections.abc import Sequence

import numpy as np

from taxonym.jit import kernel
from taxonym.jit.sorting import sort
from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.publish.generalize.forest import Forest, cover

Sum = tuple[Long, Long, Long, Mask, Long, Long]

LESS = 1e-9  # savings below this are none


def saving(forest: Forest, rows: Sequence[int]) -> float:
    """What publishing something saves: the definition.

    Σ over nodes on the way down to what is published: items below it · what they would lose by rising further
    """
    way = set[int]()
    for v in cover(forest, rows):
        while v >= forest.columns:
            way.add(v)
            v = int(forest.parent[v])
    return sum(
        int(forest.count[i]) * float(forest.edge[forest.node[i]])
        for row in rows
        for i in range(int(forest.start[row]), int(forest.start[row + 1]))
        if int(forest.node[i]) in way
    )


class Costs:
    """The cost of any group of a forest's records."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.tree = (forest.parent, forest.edge, forest.columns)
        self.held = (forest.start, forest.node, forest.count, forest.own)
        self.scratch = np.zeros((4, len(forest.parent)), np.bool_)
        self.totals = np.zeros((5, len(forest.parent)), np.int64)

    def of(self, rows: Sequence[int]) -> float:
        chosen = np.array(rows, np.int64)
        return float(cost_of(chosen, *self.held, self.forest.anything, *self.tree, self.totals, self.scratch))

    def shown(self, rows: Sequence[int]) -> tuple[int, ...]:
        """The nodes that a group publishes."""
        reached, published = _way(np.array(rows, np.int64), *self.held, *self.tree, self.totals, self.scratch)
        return tuple(reached[published].tolist())

    def shares(self, rows: Sequence[int]) -> dict[int, float]:
        """What every record of a group costs."""
        way = np.zeros(len(self.forest.parent), np.bool_)
        way[_way(np.array(rows, np.int64), *self.held, *self.tree, self.totals, self.scratch)[0]] = True
        lost = _shares(np.array(rows, np.int64), *self.held, self.forest.anything, self.forest.edge, way)
        return dict(zip(rows, lost.tolist(), strict=True))


@kernel
def summed(rows: Long, start: Long, node: Long, count: Long, own: Mask, totals: Long) -> Sum:
    """The nodes that records hold: how many hold each, items there or below, whether one is exactly there, the fewest
    and the most items of a record that are there or below."""
    different = 0
    for row in rows:
        for i in range(start[row], start[row + 1]):
            v = node[i]
            new = totals[0, v] == 0
            different += new
            totals[3, v] = count[i] if new else min(totals[3, v], count[i])
            totals[4, v] = max(totals[4, v], count[i])
            totals[0, v] += 1
            totals[1, v] += count[i]
            totals[2, v] += own[i]
    nodes = np.empty(different, np.int64)
    different = 0
    for row in rows:
        for i in range(start[row], start[row + 1]):
            if totals[0, node[i]] > 0:
                nodes[different] = node[i]
                different += 1
                totals[0, node[i]] = -totals[0, node[i]]
    sort(nodes)
    total: Sum = space(different)
    for j in range(different):
        v = nodes[j]
        total[0][j], total[1][j], total[2][j], total[3][j] = v, -totals[0, v], totals[1, v], totals[2, v] > 0
        total[4][j], total[5][j] = totals[3, v], totals[4, v]
        totals[:, v] = 0
    return total


@kernel
def reach(total: Sum, lo: int, hi: int, size: int, parent: Long, edge: Floats, roots: int, scratch: Mask) -> None:
    """Let scratch[0, j] say of every entry lo + j of a group's sum whether it is on the way down to what is published:
    twin of `cover`. scratch[1, j] says whether it is published itself. The rest of `scratch` is left as it was: empty.
    """
    nodes, holders, items, exact, fewest, most = total
    reached, published, stays, passed = scratch[0], scratch[1], scratch[2], scratch[3]
    for j in range(lo, hi):
        stays[nodes[j]] |= exact[j]
        if holders[j] < size:
            stays[parent[nodes[j]]] = True
    for j in range(lo, hi):
        v, at = nodes[j], j - lo
        reached[at] = holders[j] == size and (parent[v] < roots or passed[v])
        published[at] = reached[at] and stays[v]
        if not reached[at]:
            continue
        room, more = fewest[j] - 1, True
        while more:  # what is below v is on the way, too: all of it, or what leaves every record an item for v
            best, gain = -1, -1.0
            for i in range(j + 1, hi):
                w = nodes[i]
                if parent[w] == v and holders[i] == size and not passed[w] and (not stays[v] or most[i] <= room):
                    if not stays[v]:
                        passed[w] = True
                    elif items[i] * edge[w] > gain:
                        best, gain = i, items[i] * edge[w]
            more = best >= 0
            if more:
                passed[nodes[best]] = True
                room -= most[best]
    for j in range(lo, hi):
        stays[nodes[j]] = stays[parent[nodes[j]]] = passed[nodes[j]] = False


@kernel
def saved(total: Sum, n: int, size: int, parent: Long, edge: Floats, roots: int, scratch: Mask) -> float:
    """What a group of `size` records saves: twin of `saving`, from the first n entries of its sum."""
    reach(total, 0, n, size, parent, edge, roots, scratch)
    found = 0.0
    for j in range(n):
        if scratch[0, j]:
            found += total[2][j] * edge[total[0][j]]
        scratch[0, j] = scratch[1, j] = False
    return found


@kernel
def cost_of(
    rows: Long, start: Long, node: Long, count: Long, own: Mask, anything: Floats,
    parent: Long, edge: Floats, roots: int, totals: Long, scratch: Mask,
) -> float:  # fmt: skip
    total = summed(rows, start, node, count, own, totals)
    lost = 0.0
    for row in rows:
        lost += anything[row]
    return lost - float(saved(total, len(total[0]), len(rows), parent, edge, roots, scratch))


@kernel
def _way(
    rows: Long, start: Long, node: Long, count: Long, own: Mask, parent: Long, edge: Floats, roots: int, totals: Long,
    scratch: Mask,
) -> tuple[Long, Mask]:  # fmt: skip
    """The nodes on the way down to what a group publishes, ascending, and which of them are published."""
    total = summed(rows, start, node, count, own, totals)
    n = len(total[0])
    reach(total, 0, n, len(rows), parent, edge, roots, scratch)
    reached, published = scratch[0, :n].copy(), scratch[1, :n].copy()
    scratch[:2, :n] = False
    return total[0][reached], published[reached]


@kernel
def _shares(
    rows: Long, start: Long, node: Long, count: Long, own: Mask, anything: Floats, edge: Floats, way: Mask
) -> Floats:
    lost = np.empty(len(rows))
    for i in range(len(rows)):
        lost[i] = anything[rows[i]]
        for e in range(start[rows[i]], start[rows[i] + 1]):
            if way[node[e]]:
                lost[i] -= count[e] * edge[node[e]]
    return lost


@kernel
def merged(a: Sum, b_lo: int, b_hi: int, b: Sum, out: Sum) -> int:
    """The sum of a group and of entries b_lo:b_hi of another, put into `out`; how many nodes it has."""
    i, j, n = 0, b_lo, 0
    while i < len(a[0]) or j < b_hi:
        left = j >= b_hi or (i < len(a[0]) and a[0][i] <= b[0][j])
        right = i >= len(a[0]) or (j < b_hi and b[0][j] <= a[0][i])
        out[0][n] = a[0][i] if left else b[0][j]
        out[1][n] = (a[1][i] if left else 0) + (b[1][j] if right else 0)
        out[2][n] = (a[2][i] if left else 0) + (b[2][j] if right else 0)
        out[3][n] = (left and a[3][i]) or (right and b[3][j])
        out[4][n] = min(a[4][i], b[4][j]) if left and right else a[4][i] if left else b[4][j]
        out[5][n] = max(a[5][i], b[5][j]) if left and right else a[5][i] if left else b[5][j]
        i += left
        j += right
        n += 1
    return n


@kernel
def space(n: int) -> Sum:
    """Room for a sum of n nodes."""
    room = np.empty((5, n), np.int64)
    return room[0], room[1], room[2], np.empty(n, np.bool_), room[3], room[4]

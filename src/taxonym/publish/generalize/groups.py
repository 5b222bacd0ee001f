"""What groups of records cost, fast, and what they must cost at least.

A group is summed up as the nodes that its records hold, ascending: how many records hold each, how many items are there
or below, whether one is exactly there. The group saves, of the cost of publishing nothing, what `saved` says. Two sums
are merged to know what the groups would save together, which is all that the searches ask.
"""

from collections.abc import Sequence

import numpy as np

from taxonym.jit import kernel
from taxonym.jit.sorting import sort
from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.knowledge.runs import Runs
from taxonym.publish.generalize.forest import Forest, cover

Sum = tuple[Long, Long, Long, Mask]

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
        self.scratch = np.zeros((2, len(forest.parent)), np.bool_)
        self.totals = np.zeros((3, len(forest.parent)), np.int64)

    def of(self, rows: Sequence[int]) -> float:
        chosen = np.array(rows, np.int64)
        return float(cost_of(chosen, *self.held, self.forest.anything, *self.tree, self.totals, self.scratch))

    def shown(self, rows: Sequence[int]) -> tuple[int, ...]:
        """The nodes that a group publishes."""
        reached, published = _way(np.array(rows, np.int64), *self.held, *self.tree, self.totals)
        return tuple(reached[published].tolist())

    def shares(self, rows: Sequence[int]) -> dict[int, float]:
        """What every record of a group costs."""
        way = np.zeros(len(self.forest.parent), np.bool_)
        way[_way(np.array(rows, np.int64), *self.held, *self.tree, self.totals)[0]] = True
        lost = _shares(np.array(rows, np.int64), *self.held, self.forest.anything, self.forest.edge, way)
        return dict(zip(rows, lost.tolist(), strict=True))


def bound_of(forest: Forest, rows: Long, k: int) -> float:
    """No groups of at least k of these records cost less, going down the tree of the forest.

    A concept is published or passed for a record only if k records hold it, and passed only if k of them hold the same
    of its children, none of them having an item exactly there.
    """
    mark = np.random.default_rng(0).integers(1, 2**62, len(forest.parent))
    entries = Runs(forest.start, forest.node)
    record, entry = rows[entries.take(rows).owner], entries.places(rows)
    nodes, own = forest.node[entry], forest.own[entry]
    width = len(forest.parent)
    place = record * width + nodes  # of a record at a node, ascending where rows are
    held = np.zeros(len(place), np.uint64)
    inside = forest.parent[nodes] >= forest.columns
    over = np.searchsorted(place, (record * width + forest.parent[nodes])[inside])
    np.add.at(held, over, mark[nodes[inside]].astype(np.uint64))
    held[own] = 0
    _, where, alike = np.unique(
        np.stack((nodes.astype(np.uint64), held)), axis=1, return_inverse=True, return_counts=True
    )
    enough = np.bincount(nodes, minlength=width)[nodes] >= k
    opens = (alike[where.ravel()] >= k) & (held != 0)
    reached = enough.copy()
    for _ in range(width):
        again = enough.copy()
        again[inside] &= reached[over] & opens[over]
        if (again == reached).all():
            break
        reached = again
    return float(forest.anything[rows].sum() - (forest.count[entry] * forest.edge[nodes])[reached].sum())


@kernel
def summed(rows: Long, start: Long, node: Long, count: Long, own: Mask, totals: Long) -> Sum:
    """The nodes that records hold: how many hold each, items there or below, whether one is exactly there."""
    different = 0
    for row in rows:
        for i in range(start[row], start[row + 1]):
            different += totals[0, node[i]] == 0
            totals[0, node[i]] += 1
            totals[1, node[i]] += count[i]
            totals[2, node[i]] += own[i]
    nodes = np.empty(different, np.int64)
    different = 0
    for row in rows:
        for i in range(start[row], start[row + 1]):
            if totals[0, node[i]] > 0:
                nodes[different] = node[i]
                different += 1
                totals[0, node[i]] = -totals[0, node[i]]
    sort(nodes)
    holders, items, exact = np.empty(different, np.int64), np.empty(different, np.int64), np.empty(different, np.bool_)
    for j in range(different):
        v = nodes[j]
        holders[j], items[j], exact[j] = -totals[0, v], totals[1, v], totals[2, v] > 0
        totals[0, v] = totals[1, v] = totals[2, v] = 0
    return nodes, holders, items, exact


@kernel
def saved(
    nodes: Long, holders: Long, items: Long, exact: Mask, n: int, size: int,
    parent: Long, edge: Floats, roots: int, scratch: Mask,
) -> float:  # fmt: skip
    """What a group of `size` records saves: twin of `saving`, from the first n entries of its sum."""
    stays, opened = scratch[0], scratch[1]
    for j in range(n):
        v = nodes[j]
        if exact[j]:
            stays[v] = True
        if holders[j] < size:
            stays[parent[v]] = True
    total = 0.0
    for j in range(n):
        v = nodes[j]
        if holders[j] == size and (parent[v] < roots or opened[parent[v]]):
            total += items[j] * edge[v]
            opened[v] = not stays[v]
    for j in range(n):
        v = nodes[j]
        stays[v] = stays[parent[v]] = opened[v] = False
    return total


@kernel
def cost_of(
    rows: Long, start: Long, node: Long, count: Long, own: Mask, anything: Floats,
    parent: Long, edge: Floats, roots: int, totals: Long, scratch: Mask,
) -> float:  # fmt: skip
    nodes, holders, items, exact = summed(rows, start, node, count, own, totals)
    lost = 0.0
    for row in rows:
        lost += anything[row]
    return lost - float(saved(nodes, holders, items, exact, len(nodes), len(rows), parent, edge, roots, scratch))


@kernel
def _way(
    rows: Long, start: Long, node: Long, count: Long, own: Mask, parent: Long, edge: Floats, roots: int, totals: Long
) -> tuple[Long, Mask]:
    """The nodes on the way down to what a group publishes, ascending, and which of them are published."""
    nodes, holders, _, exact = summed(rows, start, node, count, own, totals)
    stays, opened = np.zeros(len(parent), np.bool_), np.zeros(len(parent), np.bool_)
    for j in range(len(nodes)):
        stays[nodes[j]] |= exact[j]
        stays[parent[nodes[j]]] |= holders[j] < len(rows)
    reached = np.zeros(len(nodes), np.bool_)
    for j in range(len(nodes)):
        v = nodes[j]
        reached[j] = holders[j] == len(rows) and (parent[v] < roots or opened[parent[v]])
        opened[v] = reached[j] and not stays[v]
    return nodes[reached], stays[nodes[reached]]


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
        i += left
        j += right
        n += 1
    return n


@kernel
def space(n: int) -> Sum:
    return np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.bool_)

"""One tree for all concepts that records of several columns hold, for searches that go down it group by group.

Below the root of every column, which means anything, stand the concepts that may be published and that some record
holds: it or something below it. A concept with several parents stands below the cheapest one to become, so what is
found in the tree is true in the graph; the graph's other ways up are not tried. A concept that all who hold it hold by
way of the same other one is left out: that one says more of the same records.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.publish.generalize.costs import ANYTHING, cost_named
from taxonym.publish.generalize.recoding import RecodingColumn


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Nodes 0.. are the roots of the columns, then come concepts, parents before children. edge[v] is what it costs one
    item below v that v becomes its parent. Record i holds node[start[i]:start[i + 1]], ascending and without roots;
    `count` of its items are there or below, `own` says whether one is exactly there. It costs anything[i] to publish
    nothing of it."""

    parent: Long
    edge: Floats
    concept: list[tuple[int, int]]
    start: Long
    node: Long
    count: Long
    own: Mask
    anything: Floats
    columns: int

    def __len__(self) -> int:
        return len(self.start) - 1


def forest_of(columns: Sequence[RecodingColumn], cost: str) -> Forest:
    """The tree of all columns and what every record holds of it."""
    up: dict[tuple[int, int], tuple[int, int]] = {}  # node -> parent, (column, ANYTHING) for the root
    edge: dict[tuple[int, int], float] = {}
    seat: dict[tuple[int, int], tuple[tuple[int, int], float]] = {}  # item -> its node, what publishing nothing costs
    for c, column in enumerate(columns):
        ways = _Ways(column, cost)
        for x in np.unique(column.codes).tolist():
            at = x if ways.may(x) else ways.parent(x)[0]
            seat[c, x] = (c, at), column.weight * ways.nothing(x)
            while at != ANYTHING and (c, at) not in up:
                over, price = ways.parent(at)
                up[c, at], edge[c, at] = (c, over), column.weight * price
                at = over
    _without_chains(up, edge, {at for at, _ in seat.values()})
    order = [(c, ANYTHING) for c in range(len(columns))] + sorted(up)
    place = {node: v for v, node in enumerate(order)}
    parent = np.array([place[up[node]] if node in up else -1 for node in order], np.int64)
    paths = {item: _path(place[at], parent, len(columns)) for item, (at, _) in seat.items()}
    return Forest(
        parent,
        np.array([edge.get(node, 0.0) for node in order]),
        order,
        *_held(columns, paths),
        _summed(columns, {item: lost for item, (_, lost) in seat.items()}),
        len(columns),
    )


class _Ways:
    """Where the concepts of a column may rise."""

    def __init__(self, column: RecodingColumn, cost: str) -> None:
        self.tax, self.allowed = column.tax, column.allowed
        self.rise, self.beyond = cost_named(cost).of(column.tax)

    def may(self, code: int) -> bool:
        return self.allowed is None or bool(self.allowed[code])

    def nothing(self, code: int) -> float:
        return float(self.beyond[code])

    def parent(self, code: int) -> tuple[int, float]:
        """The nearest concept above that may be published and what it costs to become it: of several the cheapest."""
        first, end = int(self.tax.ancestor_start[code]), int(self.tax.ancestor_start[code + 1])
        price = {a: float(self.rise[p]) for p, a in enumerate(self.tax.ancestor[first:end].tolist(), first)}
        over = [a for a in price if a != code and self.may(a)]
        above = {b for a in over for b in self.tax.ancestors(a) if b != a}
        near = [a for a in over if a not in above]
        if not near:
            return ANYTHING, self.nothing(code)
        best = min(near, key=lambda a: (price[a], a))
        return best, price[best]


def _without_chains(
    up: dict[tuple[int, int], tuple[int, int]], edge: dict[tuple[int, int], float], seats: set[tuple[int, int]]
) -> None:
    """Leave out nodes with one child and no item of their own; parents have lower codes than children."""
    children: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for node, over in up.items():
        children.setdefault(over, []).append(node)
    for node in sorted(up, reverse=True):
        if node not in seats and len(children[node]) == 1:
            (child,) = children[node]
            up[child], edge[child] = up[node], edge[child] + edge[node]
            children[up[node]] = [child if one == node else one for one in children[up[node]]]
            del up[node], edge[node]


def _path(v: int, parent: Long, columns: int) -> list[int]:
    path = []
    while v >= columns:
        path.append(v)
        v = int(parent[v])
    return path


def _held(columns: Sequence[RecodingColumn], paths: dict[tuple[int, int], list[int]]) -> tuple[Long, Long, Long, Mask]:
    start: list[int] = [0]
    node: list[int] = []
    count: list[int] = []
    own: list[bool] = []
    for row in range(len(columns[0])):
        mine: dict[int, int] = {}
        seats = set()
        for c, column in enumerate(columns):
            for x in sorted(set(column.record(row))):
                path = paths[c, x]
                seats.update(path[:1])
                for v in path:
                    mine[v] = mine.get(v, 0) + 1
        node.extend(sorted(mine))
        count.extend(mine[v] for v in sorted(mine))
        own.extend(v in seats for v in sorted(mine))
        start.append(len(node))
    return np.array(start, np.int64), np.array(node, np.int64), np.array(count, np.int64), np.array(own, np.bool_)


def _summed(columns: Sequence[RecodingColumn], price: dict[tuple[int, int], float]) -> Floats:
    return np.array(
        [
            sum(price[c, x] for c, column in enumerate(columns) for x in sorted(set(column.record(row))))
            for row in range(len(columns[0]))
        ],
        np.float64,
    )


# ---------------------------------------------------------------------- what a group publishes


def cover(forest: Forest, rows: Sequence[int]) -> list[int]:
    """The lowest nodes that all these records hold and that cover what they have: the definition.

    From the root of each column down: a node is replaced by its children if all records hold all of them that any
    record holds, and no item is exactly there. Else it stays, and beside it those of its children that all records
    hold, those that save most first (ties: the lower node), as long as every record has an item left for the node
    itself: if each of them had as many items below a child as the one with most. Roots publish nothing; of their
    children those are kept that all hold.
    """
    records = [
        {
            int(forest.node[e]): (int(forest.count[e]), bool(forest.own[e]))
            for e in range(int(forest.start[row]), int(forest.start[row + 1]))
        }
        for row in rows
    ]
    some = set[int]().union(*records)
    every = {v for v in some if all(v in record for record in records)}
    exact = {v for record in records for v, (_, own) in record.items() if own}

    def items(v: int) -> list[int]:
        return [record[v][0] for record in records]

    def down(v: int) -> list[int]:
        below = sorted(w for w in some if forest.parent[w] == v)
        if v < forest.columns or (v not in exact and every.issuperset(below)):
            return [u for w in below if w in every for u in down(w)]
        kept, room = [v], min(items(v)) - 1
        shared = [w for w in below if w in every]
        for w in sorted(shared, key=lambda w: (-sum(items(w)) * float(forest.edge[w]), w)):
            if max(items(w)) <= room:
                kept, room = kept + down(w), room - max(items(w))
        return kept

    return [u for v in range(forest.columns) for u in down(v)]

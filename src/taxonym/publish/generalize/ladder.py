"""Ladder: what the values of one nominal column may rise to, and what that costs, as small dense arrays.

Its nodes are the concepts that may be published for at least one value in use, the deepest first, and ANYTHING as the
last one. Where two nodes cost the same, the first one is taken: it says more.
"""

from dataclasses import dataclass

import numpy as np

from taxonym.errors import BadPlan
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long
from taxonym.publish.generalize.costs import ANYTHING, cost_named
from taxonym.publish.generalize.recoding import RecodingColumn


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """The values in use are 0..v-1, values[row] is that of a row; nodes are 0..n-1, codes[node] their concepts.

    cost[value, node] is infinite unless the node is the value or above it, and may be published. rise[a, b] is the same
    from node to node. home[value] is the cheapest node of a value alone. join[a, b] is the node above both a and b
    that costs least together, and lift[a, b] what it costs a alone: the true cheapest one for all values below where
    every concept has one parent, a sound one otherwise. apart[v, w] is the least that a value can rise to a node that
    is also above another one, whatever it costs that one.
    """

    values: Long
    used: Long
    codes: Long
    cost: Floats
    home: Long
    rise: Floats
    join: Long
    lift: Floats
    apart: Floats

    def common(self, start: Long, values: Long, times: Long) -> tuple[Long, Floats]:
        """The cheapest node above all values[start[g]:start[g + 1]], each so many times, and its cost, for every g."""
        found: tuple[Long, Floats] = _common(start, values, times, self.cost)
        return found


def ladder(column: RecodingColumn, cost: str) -> Ladder:
    """The ladder of a nominal column under a cost of this name."""
    if not column.nominal:
        raise BadPlan("generalise: this search takes columns with one concept in every record, not sets of concepts.")
    tax = column.tax
    used, values = np.unique(column.codes.astype(np.int64), return_inverse=True)
    above = np.unique(tax.ancestor[tax.above(used)[1]]).astype(np.int64)
    nodes = above if column.allowed is None else above[column.allowed[above]]
    nodes = nodes[np.lexsort((nodes, -tax.depths[nodes]))]
    price, anything = cost_named(cost).of(tax)
    place = np.full(len(tax), -1)
    place[nodes] = np.arange(len(nodes))

    def table(sources: Long) -> Floats:
        """What each source costs at each node."""
        source, where = tax.above(sources)
        node = place[tax.ancestor[where]]
        found = np.full((len(sources), len(nodes) + 1), np.inf)
        found[source[node >= 0], node[node >= 0]] = price[where[node >= 0]] * column.weight
        found[:, -1] = anything[sources] * column.weight
        return found

    costs = table(used)
    rise = np.vstack((table(nodes), np.full((1, len(nodes) + 1), np.inf)))
    rise[-1, -1] = 0.0
    join, lift = _joins(rise)
    return Ladder(
        values=values.reshape(-1).astype(np.int64),
        used=used,
        codes=np.append(nodes, ANYTHING),
        cost=costs,
        home=costs.argmin(axis=1).astype(np.int64),
        rise=rise,
        join=join,
        lift=lift,
        apart=_apart(costs),
    )


@kernel
def _joins(rise: Floats) -> tuple[Long, Floats]:
    n = len(rise)
    join, lift = np.empty((n, n), np.int64), np.empty((n, n))
    for a in range(n):
        up = np.flatnonzero(rise[a] < np.inf)
        for b in range(n):
            least = np.inf
            for c in up:
                if rise[a, c] + rise[b, c] < least:
                    least, join[a, b], lift[a, b] = rise[a, c] + rise[b, c], c, rise[a, c]
    return join, lift


@kernel
def _apart(cost: Floats) -> Floats:
    n = len(cost)
    apart = np.full((n, n), np.inf)
    for v in range(n):
        for c in np.flatnonzero(cost[v] < np.inf):
            for w in range(n):
                if cost[w, c] < np.inf:
                    apart[v, w] = min(apart[v, w], cost[v, c])
    return apart


@kernel
def _common(start: Long, values: Long, times: Long, cost: Floats) -> tuple[Long, Floats]:
    node, total = np.empty(len(start) - 1, np.int64), np.empty(len(start) - 1)
    price = np.empty(cost.shape[1])
    for g in range(len(node)):
        price[:] = 0.0
        for i in range(start[g], start[g + 1]):
            price += times[i] * cost[values[i]]
        least = price.min() * (1 + 1e-12)  # what differs by rounding is the same
        node[g] = np.flatnonzero(price <= least)[0]
        total[g] = price[node[g]]
    return node, total


@dataclass(frozen=True, slots=True, eq=False)
class Tuples:
    """Records that are alike in all columns, counted: tuple u has the values values[u] and the rows rows[u]."""

    ladders: list[Ladder]
    values: Long
    rows: list[Long]

    @property
    def count(self) -> Long:
        return np.array([len(rows) for rows in self.rows], np.int64)

    @property
    def homes(self) -> Long:
        """The cheapest node of every value alone."""
        return np.stack([ladder.home[self.values[:, c]] for c, ladder in enumerate(self.ladders)], axis=1)


def tuples(ladders: list[Ladder], rows: Long) -> Tuples:
    """The distinct tuples among these rows, in the order of their values."""
    table = np.stack([ladder.values[rows] for ladder in ladders], axis=1)
    order = np.lexsort(table.T[::-1])
    new = np.append(True, (np.diff(table[order], axis=0) != 0).any(axis=1))
    return Tuples(ladders, table[order[new]], np.split(rows[order], np.flatnonzero(new)[1:]))

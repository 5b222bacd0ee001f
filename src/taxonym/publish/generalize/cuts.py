"""Cuts: which generalisations may replace the items of set-valued columns everywhere, and what each costs.

An item is a concept that some record of a column has. A node is a concept that may be published for all items in use
below it: these are its items. A cut is a set of nodes that divides the items among them, so every item is replaced by
one node, and everything in use below a published concept becomes that concept (published concepts never nest). On a
tree this is full-subtree recoding [Terrovitis2008, §3]; where concepts have several parents, two nodes that share an
item cannot both be published.

Above the topmost nodes is *anything*, which is not published: one such node for all items that are joined by sharing
topmost nodes, hence one for every root of a tree. Of nodes with the same items only the cheapest is kept.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from taxonym.knowledge.arrays import Codes, Long
from taxonym.knowledge.runs import Runs
from taxonym.publish.generalize.costs import ANYTHING, cost_named
from taxonym.publish.generalize.recoding import RecodingColumn

Cut = list[int]  # for every item its node


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """Items are (column, code), ascending; record i has those in held.record(i). Node v publishes concept[v] = (column,
    code or ANYTHING) for members[v], its items as the bits of an integer; nodes of[x] are those of item x, the smallest
    first. cost[v] is what all occurrences of its items cost; holders[v] are the records that have one of them, as bits,
    with blocks[b] the records of block b. Memory: a bit for every node and record.
    """

    items: list[tuple[int, int]]
    held: Runs
    concept: list[tuple[int, int]]
    members: list[int]
    cost: list[float]
    holders: list[int]
    blocks: list[int]
    of: list[list[int]]
    block: Long

    def support(self, block: int, nodes: Sequence[int]) -> int:
        """How many records of a block have all of these nodes."""
        common = self.blocks[block]
        for v in nodes:
            common &= self.holders[v]
        return common.bit_count()

    def published(self, v: int) -> bool:
        return self.concept[v][1] != ANYTHING

    def above(self, v: int) -> list[int]:
        """The nodes that hold all items of v, itself first."""
        inside = self.members[v]
        return [w for w in self.of[lowest(inside)] if inside & ~self.members[w] == 0]

    def total(self, cut: Cut) -> float:
        return float(sum(self.cost[v] for v in sorted(set(cut))))

    def records(self, cut: Cut) -> Runs:
        """The nodes that every record publishes (repeated ones too)."""
        node = np.asarray(cut, np.int64)[self.held.codes]
        shown = np.array([self.published(v) for v in range(len(self.concept))], np.bool_)[node]
        return Runs(self.held.start, node).keep(shown)

    def codes(self, cut: Cut, columns: int) -> list[tuple[Codes, ...]]:
        """What every record publishes in every column."""
        told = []
        for nodes in self.records(cut):
            shown = sorted({self.concept[v] for v in nodes})
            told.append(tuple(tuple(code for c, code in shown if c == column) for column in range(columns)))
        return told


def lowest(bits: int) -> int:
    """The place of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


def places(bits: int) -> Iterator[int]:
    """The places of all bits that are set, ascending."""
    while bits:
        yield lowest(bits)
        bits &= bits - 1


def cuts_of(columns: Sequence[RecodingColumn], block: Long, cost: str) -> Cuts:
    """All nodes of all columns; `block` is the place of every record's block."""
    n = len(block)
    record, where = _occurrences(columns)
    items = sorted(set(where))
    place = {item: x for x, item in enumerate(items)}
    item = np.array([place[one] for one in where], np.int64)
    start = np.searchsorted(record, np.arange(n + 1)).astype(np.int64)
    count = np.bincount(item, minlength=len(items)).tolist()
    nodes = _nodes(columns, items, count, cost)
    held = [_bits(record[item == x], n) for x in range(len(items))]
    of: list[list[int]] = [[] for _ in items]
    for v in sorted(range(len(nodes)), key=lambda v: (nodes[v][1].bit_count(), nodes[v][0][1] == ANYTHING, v)):
        for x in places(nodes[v][1]):
            of[x].append(v)
    return Cuts(
        items=items,
        held=Runs(start, item),
        concept=[concept for concept, _, _ in nodes],
        members=[members for _, members, _ in nodes],
        cost=[price for _, _, price in nodes],
        holders=[_union(held, members) for _, members, _ in nodes],
        blocks=[_bits(np.flatnonzero(block == b), n) for b in range(int(block.max(initial=-1)) + 1)],
        of=of,
        block=block,
    )


def _occurrences(columns: Sequence[RecodingColumn]) -> tuple[Long, list[tuple[int, int]]]:
    """Every item of every record, once: the record and (column, code), by record."""
    every = [
        np.unique(np.stack((one.owner, np.full(len(one.codes), c), one.codes)), axis=1) for c, one in enumerate(columns)
    ]
    joined = np.concatenate(every, axis=1).astype(np.int64) if every else np.zeros((3, 0), np.int64)
    joined = joined[:, np.lexsort(joined[::-1])]
    return joined[0], [(c, code) for c, code in joined[1:].T.tolist()]


def _nodes(
    columns: Sequence[RecodingColumn], items: list[tuple[int, int]], count: list[int], cost: str
) -> list[tuple[tuple[int, int], int, float]]:
    """Concept, items and cost of every node, those of each column together."""
    found: list[tuple[tuple[int, int], int, float]] = []
    for c, column in enumerate(columns):
        tax, (rise, beyond) = column.tax, cost_named(cost).of(column.tax)
        members: dict[int, int] = {}
        price: dict[int, float] = {}
        for x, (of, code) in enumerate(items):
            if of != c:
                continue
            for p in range(int(tax.ancestor_start[code]), int(tax.ancestor_start[code + 1])):
                up = int(tax.ancestor[p])
                if column.allowed is None or column.allowed[up]:
                    members[up] = members.get(up, 0) | 1 << x
                    price[up] = price.get(up, 0.0) + count[x] * float(rise[p])
        cheapest: dict[int, int] = {}
        for up, inside in members.items():
            best = cheapest.setdefault(inside, up)
            if (price[up], -up) < (price[best], -best):
                cheapest[inside] = up
        own = sum(1 << x for x, (of, _) in enumerate(items) if of == c)
        for inside in sorted(cheapest, key=lambda inside: cheapest[inside]):
            up = cheapest[inside]
            found.append(((c, up), inside, column.weight * price[up]))
        for inside in _joined(own, list(members.values())):
            lost = sum(count[x] * float(beyond[items[x][1]]) for x in places(inside))
            found.append(((c, ANYTHING), inside, column.weight * lost))
    return found


def _joined(own: int, members: list[int]) -> list[int]:
    """The items of a column, those together that share a node with each other, directly or by way of others."""
    parts: list[int] = []
    for inside in [*members, *(1 << x for x in places(own))]:
        apart = [part for part in parts if not part & inside]
        for part in parts:
            if part & inside:
                inside |= part
        parts = [*apart, inside]
    return sorted(parts, key=lowest)


def _bits(rows: Long, n: int) -> int:
    marks = np.zeros(n, np.uint8)
    marks[rows] = 1
    return int.from_bytes(np.packbits(marks, bitorder="little").tobytes(), "little")


def _union(held: list[int], members: int) -> int:
    together = 0
    for x in places(members):
        together |= held[x]
    return together

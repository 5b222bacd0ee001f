"""Sets generalised group by group, from the top down [He2009], over several columns at once.

Groups of at least k records publish the same in every column, and what is published is true of every record, which
has an item of its own for each concept: the concept or something below it. What all share stays, and the rest rises:
`{museum, structure}` says that there is something else that is a structure. Which set is the cheapest, and what it
costs, is said in nested.py.

First everything is at the top: all records publish nothing. One concept of one column after the other is divided into
its children, whichever saves most, and the records with it by which of the children they hold. Parts of fewer than k
records stay together at the concept, with records borrowed from the largest part where they are too few. Departures
from the paper: records, small groups and large ones are then moved, dissolved and divided as long as that is cheaper,
by a set that is quickly found in a tree (forest.py); at the end every group gets the cheapest set that is found.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Codes, Floats, Groups, Long, Mask
from taxonym.publish.generalize.forest import Forest, forest_of
from taxonym.publish.generalize.groups import LESS, Costs
from taxonym.publish.generalize.improve_sets import improved
from taxonym.publish.generalize.items import checked_rows
from taxonym.publish.generalize.nested import ColumnPrices, GroupPrices
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn
from taxonym.publish.generalize.shares import bound_of

SEARCHES = ("improved", "plain")


def recode_sets(
    columns: Sequence[RecodingColumn],
    k: int,
    *,
    block: NDArray[np.integer] | None = None,
    cost: str = "ncp",
    suppress: float = 0.0,
    search: str = "improved",
    progress: Progress = SILENCE,
) -> Recoding:
    """Groups of at least k records, within blocks, that publish the same true sets.

    `suppress` is the largest share of all records that may be left out. Which of several equal records is where depends
    on the order of rows, nothing else does. search="plain" only divides from the top down.
    """
    if search not in SEARCHES:
        raise BadPlan(f"search: {search!r} is not known. Choose one of {', '.join(SEARCHES)}.")
    if not 0 <= suppress <= 1:
        raise BadPlan(f"suppress: must be a share from 0 to 1, got {suppress}.")
    n = checked_rows(columns, k, block)
    blocks = np.zeros(n, np.int64) if block is None else np.asarray(block)
    order = sorted(
        range(n), key=lambda row: (int(blocks[row]), *(sorted(set(one.record(row))) for one in columns), row)
    )
    columns = [column.take(np.array(order, np.int64)) for column in columns]
    forest = forest_of(columns, cost)
    inside = blocks[order]
    places = [np.flatnonzero(inside == b) for b in np.unique(inside)]
    limit = int(np.floor(suppress * n + 1e-9))
    small = [place for place in places if len(place) < k]
    left = [row for place in small for row in place.tolist()]
    if len(left) > limit:
        raise BrokenPromise(
            f"{len(left)} records are in blocks of fewer than k = {k}, and {limit} of {n} may be suppressed. "
            "Choose a smaller k, let fewer columns be known exactly, or raise the limit."
        )
    costs = Costs(forest)
    groups: Groups = []
    bound = float(forest.anything[left].sum())
    for place in places:
        if len(place) >= k:
            bound += bound_of(columns, place, k, cost)
            found = top_down(forest, place, k, progress)
            found = improved(costs, found, k, progress) if search == "improved" else found
            groups.extend(found)
    if search == "improved":
        groups, more = _suppressed(costs, groups, k, limit - len(left))
        left += more
    return _recoded(columns, order, costs, groups, left, bound, cost)


# ---------------------------------------------------------------------- from the top down


@dataclass(frozen=True, slots=True, eq=False)
class _TopDownPart:
    """Records and the nodes that may still be divided for them."""

    rows: Long
    front: tuple[int, ...]


def top_down(forest: Forest, rows: Long, k: int, progress: Progress = SILENCE) -> Groups:
    """Divide records until nothing can be divided; rows must be in an order that depends on their content only."""
    rng = np.random.default_rng(0)
    mark = rng.integers(1, 2**62, len(forest.parent))  # the sum of marks tells sets of children apart
    slot = np.full(len(forest.parent), -1, np.int64)
    waiting, done = [_TopDownPart(rows, tuple(range(forest.columns)))], []
    progress.start("dividing from the top down", len(rows))
    while waiting:
        part = waiting.pop()
        divided = _divide(forest, part, k, mark, slot)
        if divided:
            waiting.extend(reversed(divided))
        else:
            done.append(part.rows.tolist())
            progress.advance(len(part.rows))
    progress.finish()
    return done


def _divide(forest: Forest, part: _TopDownPart, k: int, mark: Long, slot: Long) -> list[_TopDownPart]:
    """The parts of the division that saves most, or none if no node can be divided."""
    if not part.front or len(part.rows) < k:
        return []
    front = np.array(part.front, np.int64)
    slot[front] = np.arange(len(front))
    key, gain = _children(part.rows, *_arrays(forest), forest.parent, forest.edge, mark, slot, len(front))
    slot[front] = -1
    best: tuple[float, int, list[Long], Long] | None = None
    able = []
    for f in range(len(front)):
        parts, rest = _parts(key[:, f], gain[:, f], k)
        if parts:
            able.append(f)
            saves = float(sum(gain[some, f].sum() for some in parts))
            if best is None or saves > best[0] + LESS:  # also if it saves nothing yet: a root may mean anything
                best = saves, f, parts, rest
    if best is None:
        return []
    _, f, parts, rest = best
    others = tuple(part.front[g] for g in able if g != f)
    found = [
        _TopDownPart(part.rows[some], others + _below(forest, int(part.rows[some[0]]), int(front[f]))) for some in parts
    ]
    return found + ([_TopDownPart(part.rows[rest], others)] if len(rest) else [])


def _arrays(forest: Forest) -> tuple[Long, Long, Long, Mask]:
    return forest.start, forest.node, forest.count, forest.own


def _below(forest: Forest, row: int, v: int) -> tuple[int, ...]:
    """The children of a node that a record holds."""
    mine = forest.node[forest.start[row] : forest.start[row + 1]]
    return tuple(mine[forest.parent[mine] == v].tolist())


def _parts(key: Long, gain: Floats, k: int) -> tuple[list[Long], Long]:
    """Places with equal keys, at least k each, and those that are left: none, or at least k. Key 0 is always left."""
    names, where, size = np.unique(key, return_inverse=True, return_counts=True)
    full = (size >= k) & (names != 0)
    if not full.any():
        return [], np.arange(len(key))
    parts = [np.flatnonzero(where == j) for j in np.flatnonzero(full)]
    parts.sort(key=lambda some: int(some[0]))
    rest = np.flatnonzero(~full[where])
    while 0 < len(rest) < k:
        largest = max(range(len(parts)), key=lambda j: (len(parts[j]), -j))
        some = parts[largest]
        spare = min(k - len(rest), len(some) - k)
        if spare <= 0:  # all have k exactly: the one that saves least stays with the rest
            least = min(range(len(parts)), key=lambda j: (float(gain[parts[j]].sum()), j))
            rest = np.sort(np.concatenate((rest, parts.pop(least))))
            break
        lent = some[np.argsort(gain[some], kind="stable")[:spare]]
        parts[largest] = np.setdiff1d(some, lent)
        rest = np.sort(np.concatenate((rest, lent)))
    return parts, rest


@kernel
def _children(
    rows: Long, start: Long, node: Long, count: Long, own: Mask,
    parent: Long, edge: Floats, mark: Long, slot: Long, width: int,
) -> tuple[Long, Floats]:  # fmt: skip
    """For every record and node that may be divided: which children it holds, as a sum of marks, and what that saves;
    0 if an item is exactly at the node, which children do not cover, or nothing is below."""
    key, gain = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width))
    for i in range(len(rows)):
        for e in range(start[rows[i]], start[rows[i] + 1]):
            f = slot[parent[node[e]]]
            if f >= 0:
                key[i, f] += mark[node[e]]
                gain[i, f] += count[e] * edge[node[e]]
        for e in range(start[rows[i]], start[rows[i] + 1]):
            f = slot[node[e]]
            if f >= 0 and own[e]:
                key[i, f] = 0
    return key, gain


# ---------------------------------------------------------------------- what comes out


def _suppressed(costs: Costs, groups: Groups, k: int, limit: int) -> tuple[Groups, list[int]]:
    """Leave out records as long as the others of their group save more than they cost, the best first."""
    left: list[int] = []
    groups = [list(rows) for rows in groups]
    forest = costs.forest
    gains: dict[int, list[tuple[float, int]]] = {}

    def look(g: int) -> None:
        whole, rows = costs.of(groups[g]), groups[g]
        gains[g] = []
        if len(rows) > k:
            for row in rows:
                gain = whole - costs.of([r for r in rows if r != row]) - float(forest.anything[row])
                gains[g].append((-gain, row))
            gains[g].sort()

    if limit > 0:
        for g in range(len(groups)):
            look(g)
    while len(left) < limit:
        best, g = min(((gains[g][0], g) for g in gains if gains[g]), default=((0.0, -1), -1))
        if best[0] >= -LESS:
            break
        groups[g].remove(best[1])
        left.append(best[1])
        look(g)
    return groups, left


def _recoded(
    columns: Sequence[RecodingColumn],
    order: list[int],
    costs: Costs,
    groups: Groups,
    left: list[int],
    bound: float,
    cost: str,
) -> Recoding:
    """Rows as they came, concepts instead of nodes, and the cost counted from these."""
    told, paid = _cheapest_sets(columns, costs, groups, cost)
    found = sorted((sorted(order[row] for row in rows), shown) for rows, shown in zip(groups, told, strict=True))
    lost = float(costs.forest.anything[left].sum()) + paid
    rows_left = sorted(order[row] for row in left)
    return Recoding([rows for rows, _ in found], [shown for _, shown in found], lost, min(bound, lost), rows_left)


def covers(columns: Sequence[RecodingColumn], groups: Groups, cost: str) -> list[tuple[Codes, ...]]:
    """What groups of records publish that were formed for other reasons: in every column the cheapest set."""
    return _cheapest_sets(columns, Costs(forest_of(columns, cost)), groups, cost)[0]


def _cheapest_sets(
    columns: Sequence[RecodingColumn], costs: Costs, groups: Groups, cost: str
) -> tuple[list[tuple[Codes, ...]], float]:
    """The cheapest set of every group and column that is found from the one in the tree on, and what all cost."""
    prices, told, lost = [ColumnPrices(column, cost) for column in columns], list[tuple[Codes, ...]](), 0.0
    for rows in groups:
        shown = [costs.forest.concept[v] for v in costs.shown(rows)]
        sets = []
        for c, (column, price) in enumerate(zip(columns, prices, strict=True)):
            group = GroupPrices.of(price, rows)
            sets.append(group.cheapest(code for of, code in shown if of == c))
            lost += column.weight * group.cost(sets[-1])
        told.append(tuple(sets))
    return told, lost

"""Full-domain recoding: all values of a column rise to the same height, by best-first search [Sweeney2002].

Level j of a column cuts its hierarchy at the depth of the deepest value in use less j: every deeper value rises, always
to its deepest parent, until it is no deeper and may be published; the last level is anything. Records whose class has
fewer than k are left out if they are few enough, at the cost of becoming anything in all columns.

Levels are chosen column by column. A choice for some of the columns costs at least what they cost and the cheapest
levels of the others; the choice with the least such bound is continued first. If too many records are in small classes
over some columns, they are so over more columns and at lower levels too, so the whole branch is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import floor, fsum

import numpy as np

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Codes, Floats, Long
from taxonym.publish.generalize.costs import ANYTHING
from taxonym.publish.generalize.ladder import Ladder, Tuples, ladder, tuples
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn

SLACK = 1e-9


def level_images(column: RecodingColumn, steps: Ladder) -> Long:
    """image[level, value]: the node of the ladder that a value becomes at a level, from the lowest one on."""
    tax = column.tax
    place = {int(code): node for node, code in enumerate(steps.codes)}
    deepest = int(tax.depths[steps.used].max())
    image = np.empty((deepest + 1, len(steps.used)), np.int64)
    for value, code in enumerate(steps.used.tolist()):
        at = code
        for level in range(deepest + 1):
            while at != ANYTHING and (tax.depths[at] > deepest - level or at not in place):
                at = min(tax.parents(at), key=lambda p: (-tax.depth(p), p), default=ANYTHING)
            image[level, value] = place[at]
    return image


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """One column over all tuples: node[level, tuple], cost[level, tuple], and the least that a level can cost."""

    node: Long
    cost: Floats
    bound: Floats
    nodes: int


class _Lattice:
    """The tuples of all blocks, and how many records are in small classes at given levels."""

    def __init__(self, columns: Sequence[RecodingColumn], ladders: list[Ladder], block: Long, k: int) -> None:
        self.k = k
        self.data: Tuples = tuples([*ladders, _as_ladder(block)], np.arange(len(block), dtype=np.int64))
        self.count = self.data.count
        self.block = self.data.values[:, len(ladders)]
        self.columns = []
        self.full = np.zeros(len(self.count))
        for c, (column, one) in enumerate(zip(columns, ladders, strict=True)):
            value = self.data.values[:, c]
            image = level_images(column, one)
            cost = one.cost[np.arange(len(one.used)), image][:, value]
            full = one.cost[value, -1]
            self.full += full
            bound = np.minimum(cost, full) @ self.count
            self.columns.append(_Column(image[:, value], cost, bound, len(one.codes)))

    def classes(self, levels: dict[int, int]) -> Long:
        """A number for each tuple, the same for those that are alike in these columns at these levels."""
        key, most = self.block, int(self.block.max(initial=0)) + 1
        for c, level in levels.items():
            if most * self.columns[c].nodes >= 2**62:
                key = np.unique(key, return_inverse=True)[1].reshape(-1).astype(np.int64)
                most = len(key)
            key = key * self.columns[c].nodes + self.columns[c].node[level]
            most *= self.columns[c].nodes
        return key

    def small(self, levels: dict[int, int]) -> int:
        """How many records are in classes of fewer than k."""
        return int(_in_small(self.classes(levels), self.count, self.k))

    def cost(self, levels: dict[int, int]) -> tuple[float, Long]:
        """What these levels cost with the small classes left out, and the class of every tuple, -1 for those."""
        _, label = np.unique(self.classes(levels), return_inverse=True)
        label = label.reshape(-1)
        records = np.bincount(label, weights=self.count)
        out = records[label] < self.k
        rises = np.sum([self.columns[c].cost[level] for c, level in levels.items()], axis=0)
        return fsum((np.where(out, self.full, rises) * self.count).tolist()), np.where(out, -1, label)


def _as_ladder(block: Long) -> Ladder:
    """The numbers of blocks as one more column that does not rise."""
    used, values = np.unique(block, return_inverse=True)
    none = np.zeros((0, 0))
    return Ladder(values.reshape(-1).astype(np.int64), used, used, none, used, none, used, none, none)


@kernel
def _in_small(key: Long, count: Long, k: int) -> int:
    """How many records have a key that fewer than k records have: counted in a table of open places."""
    places = 16
    while places < 2 * len(key):
        places *= 2
    held, records = np.empty(places, np.int64), np.zeros(places, np.int64)
    for i in range(len(key)):
        at = ((key[i] * 0x9E3779B97F4A7C1) >> 20) & (places - 1)
        while records[at] > 0 and held[at] != key[i]:
            at = (at + 1) & (places - 1)
        held[at] = key[i]
        records[at] += count[i]
    small: int = records[records < k].sum()
    return small


def recode_full_domain(
    columns: Sequence[RecodingColumn],
    k: int,
    *,
    block: Long | None = None,
    cost: str = "steps",
    suppress: float = 0.0,
    progress: Progress = SILENCE,
) -> Recoding:
    """The cheapest levels at which all but the share `suppress` of the records are in classes of at least k."""
    if not columns:
        raise BadPlan("generalise: there is no column to generalise.")
    if k < 1:
        raise BadPlan(f"k must be at least 1, got {k}.")
    if not 0 <= suppress <= 1:
        raise BadPlan(f"suppress is a share of all records and must lie between 0 and 1, got {suppress:g}.")
    n = len(columns[0])
    if not n:
        return Recoding([], [], 0.0, 0.0, levels=(0,) * len(columns))
    ladders = [ladder(column, cost) for column in columns]
    lattice = _Lattice(columns, ladders, np.zeros(n, np.int64) if block is None else np.asarray(block, np.int64), k)
    spare = floor(suppress * n + SLACK)
    lost = lattice.small({})
    if lost > spare:
        raise BrokenPromise(
            f"generalise: {lost} records are in blocks of fewer than k = {k} that agree in what must stay equal, "
            f"but suppress = {suppress:g} lets {spare} be left out. Allow more, lower k, or generalise more columns."
        )
    progress.start("Generalising")
    levels = _search(lattice, spare, progress)
    progress.finish()
    total, label = lattice.cost(dict(enumerate(levels)))
    return _recoded(lattice, ladders, levels, total, label)


def _search(lattice: _Lattice, spare: int, progress: Progress) -> tuple[int, ...]:
    """The levels of least cost."""
    columns = lattice.columns
    order = sorted(range(len(columns)), key=lambda c: -len(np.unique(columns[c].node[0])))
    lowest = [_lowest(lattice, {}, c, 0, spare) for c in range(len(columns))]  # by itself, a column may do no lower
    least = [float(column.bound[low:].min()) for column, low in zip(columns, lowest, strict=True)]
    rest = [fsum(least[c] for c in order[i:]) for i in range(len(order) + 1)]
    # (bound, complete choices first, levels in the order of the columns, levels so far, cost of these)
    heap: list[tuple[float, int, tuple[int, ...], tuple[int, ...], float]] = [(rest[0], 1, (), (), 0.0)]
    while True:
        _, open_, _, chosen, cost = heappop(heap)
        progress.advance()
        if not open_:
            return _in_place(order, chosen)
        i, levels = len(chosen), dict(zip(order, chosen, strict=False))
        if i == len(order):
            total, _ = lattice.cost(levels)
            heappush(heap, (total, 0, _in_place(order, chosen), chosen, total))
            continue
        c = order[i]
        for level in range(_lowest(lattice, levels, c, lowest[c], spare), len(columns[c].bound)):
            more = cost + float(columns[c].bound[level])
            heappush(heap, (more + rest[i + 1], 1, (), (*chosen, level), more))


def _lowest(lattice: _Lattice, levels: dict[int, int], c: int, low: int, spare: int) -> int:
    """The lowest level of column c that, with these of other columns, leaves few enough records in small classes."""
    high = len(lattice.columns[c].bound) - 1  # anything: as the other columns alone, which is well
    while low < high:
        middle = (low + high) // 2
        if lattice.small({**levels, c: middle}) <= spare:
            high = middle
        else:
            low = middle + 1
    return low


def _in_place(order: list[int], chosen: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(chosen[order.index(c)] for c in range(len(order)))


def _recoded(lattice: _Lattice, ladders: list[Ladder], levels: tuple[int, ...], total: float, label: Long) -> Recoding:
    rows: dict[tuple[tuple[Codes, ...], int], list[int]] = {}
    suppressed: list[int] = []
    for u, own in enumerate(lattice.data.rows):
        if label[u] < 0:
            suppressed.extend(own.tolist())
            continue
        codes = [
            int(one.codes[lattice.columns[c].node[level, u]])
            for c, (one, level) in enumerate(zip(ladders, levels, strict=True))
        ]
        concepts = tuple(() if code == ANYTHING else (code,) for code in codes)
        rows.setdefault((concepts, int(lattice.block[u])), []).extend(own.tolist())
    found = sorted(rows.items())
    return Recoding(
        groups=[sorted(group) for _, group in found],
        concepts=[concepts for (concepts, _), _ in found],
        cost=total,
        bound=total,
        suppressed=sorted(suppressed),
        levels=levels,
    )

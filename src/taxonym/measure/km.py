"""How few people share what an intruder may know of a set: k^m-anonymity, counted exactly [Terrovitis2008, def. 1].

    Data is k^m-anonymous if every combination of at most m items that occurs in a record occurs in records of at least
    k persons.

An intruder who knows some m items of a person (and, exactly, what the person's block is) then never has fewer than k
candidates. A block is what records must have in common besides: a combination counts in each block for itself.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadPlan
from taxonym.jit import kernel
from taxonym.jit.sorting import sort
from taxonym.knowledge.arrays import Long, Mask
from taxonym.knowledge.runs import Runs

Combination = tuple[int, tuple[int, ...]]  # block, items ascending


@dataclass(frozen=True, slots=True)
class CombinationCount:
    """The combinations of exactly `size` items: how many occur, how many of these belong to fewer than k persons
    (`rare`), how many persons have a rare one, and the fewest persons that any belongs to (0: none occurs)."""

    size: int
    occurring: int
    rare: int
    persons: int
    least: int


@dataclass(frozen=True, slots=True)
class KmCount:
    """k^m of a release, one entry for every size up to m; `exposed` persons have a rare combination of some size."""

    k: int
    m: int
    sizes: tuple[CombinationCount, ...]
    exposed: int
    persons: int

    @property
    def holds(self) -> bool:
        return all(of.rare == 0 for of in self.sizes)

    @property
    def least(self) -> int:
        """The fewest persons that any combination belongs to; 0 where there is none."""
        return min((of.least for of in self.sizes if of.occurring), default=0)

    def as_data(self) -> dict[str, object]:
        return {
            "k": self.k,
            "m": self.m,
            "holds": self.holds,
            "persons": self.persons,
            "persons_exposed": self.exposed,
            "least_persons": self.least,
            "sizes": [
                {
                    "items": of.size,
                    "combinations": of.occurring,
                    "combinations_below_k": of.rare,
                    "persons_exposed": of.persons,
                    "least_persons": of.least,
                }
                for of in self.sizes
            ],
        }


# ---------------------------------------------------------------------- definition


def holders_of_combinations(
    records: list[set[int]], m: int, block: list[int] | None = None, persons: list[int] | None = None
) -> dict[Combination, set[int]]:
    """Who has each combination of 1..m items: the definition, with all combinations in memory."""
    found: dict[Combination, set[int]] = {}
    for row, record in enumerate(records):
        for size in range(1, m + 1):
            for some in combinations(sorted(record), size):
                key = (block[row] if block else 0, some)
                found.setdefault(key, set()).add(persons[row] if persons else row)
    return found


def define_km(
    records: list[set[int]], k: int, m: int, block: list[int] | None = None, persons: list[int] | None = None
) -> KmCount:
    """k^m by the definition: what count_km must equal."""
    held = holders_of_combinations(records, m, block, persons)
    sizes, exposed = [], set[int]()
    for size in range(1, m + 1):
        who = [people for (_, some), people in held.items() if len(some) == size]
        rare = [people for people in who if len(people) < k]
        sizes.append(
            CombinationCount(
                size, len(who), len(rare), len(set[int]().union(*rare)), min((len(people) for people in who), default=0)
            )
        )
        exposed.update(*rare)
    return KmCount(k, m, tuple(sizes), len(exposed), len(set(persons) if persons else records))


# ---------------------------------------------------------------------- twin


def count_km(
    sets: Runs,
    k: int,
    m: int,
    block: NDArray[np.integer] | None = None,
    persons: NDArray[np.integer] | None = None,
) -> KmCount:
    """k^m of records with these items; codes that repeat in a record count once.

    Combinations are walked through depth-first and none is kept: besides the records in order (16 bytes for every item
    of every record), each of the m - 1 upper levels holds 16 bytes for every item that stands behind the present one
    in the records that have it. Time grows with the number of combinations that the records have.
    """
    if k < 1 or m < 1:
        raise BadPlan(f"k and m: must be at least 1, got {k} and {m}.")
    packed = _packed(sets, block, persons)
    figures = np.zeros((m, 3), np.int64)
    exposed = np.zeros((m + 1, packed.persons), np.bool_)
    _walk(
        packed.start,
        packed.item,
        packed.who,
        packed.bounds,
        packed.items,
        packed.items,
        k,
        m,
        False,
        figures,
        exposed,
        _none(m),
        _none(m),
    )
    sizes = tuple(
        CombinationCount(size + 1, int(f[0]), int(f[1]), int(exposed[size].sum()), int(f[2]))
        for size, f in enumerate(figures)
    )
    return KmCount(k, m, sizes, int(exposed[m].sum()), packed.persons)


def rare_combinations(
    sets: Runs,
    k: int,
    m: int,
    block: NDArray[np.integer] | None = None,
    most: int = 1 << 20,
    below: int | None = None,
    persons: NDArray[np.integer] | None = None,
) -> list[Combination]:
    """Combinations of at most m items that fewer than k records have: (place of the block, items); with `persons`, that
    records of fewer persons have.

    In the order of blocks and items. Where one is listed, none is that continues it; `most` limits how many are,
    `below` asks for those only whose first item is less than this.
    """
    packed = _packed(sets, block, persons)
    heads = packed.items if below is None else int(np.searchsorted(packed.names, below))
    figures, exposed = np.zeros((m, 3), np.int64), np.zeros((m + 1, packed.persons), np.bool_)
    size = 1024
    while True:
        where, found = np.zeros((size, 2), np.int64), np.zeros((size, m), np.int64)
        figures[:] = 0
        total = _walk(
            packed.start,
            packed.item,
            packed.who,
            packed.bounds,
            packed.items,
            heads,
            k,
            m,
            True,
            figures,
            exposed,
            where,
            found,
        )
        if total < size or size >= most:
            break
        size = min(most, 16 * size)
    listed = zip(where[: min(total, most)].tolist(), packed.names[found[: min(total, most)]].tolist(), strict=True)
    return [(b, tuple(items[:depth])) for (b, depth), items in listed]


@dataclass(frozen=True, slots=True, eq=False)
class _Packed:
    """Records in the order of blocks, then persons; items renumbered 0.. in the order of their codes."""

    start: Long
    item: Long
    who: Long
    bounds: Long  # block b has the records bounds[b]:bounds[b + 1]
    names: Long
    persons: int

    @property
    def items(self) -> int:
        return len(self.names)


def _packed(sets: Runs, block: NDArray[np.integer] | None, persons: NDArray[np.integer] | None) -> _Packed:
    n = len(sets)
    blocks = np.zeros(n, np.int64) if block is None else np.unique(block, return_inverse=True)[1].astype(np.int64)
    who = np.arange(n) if persons is None else np.unique(persons, return_inverse=True)[1].astype(np.int64)
    order = np.lexsort((who, blocks))
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    names, item = np.unique(sets.codes, return_inverse=True)
    held = Runs.of_pairs(place[sets.owner], item, n)  # repeated ones once
    return _Packed(
        held.start,
        held.codes.astype(np.int64),
        who[order],
        np.searchsorted(blocks[order], np.arange(blocks.max(initial=-1) + 2)).astype(np.int64),
        names.astype(np.int64),
        int(who.max(initial=-1)) + 1,
    )


def _none(m: int) -> Long:
    return np.zeros((0, m), np.int64)


@kernel
def _walk(
    start: Long, item: Long, who: Long, bounds: Long, items: int, heads: int, k: int, m: int,
    smallest: bool, figures: Long, exposed: Mask, where: Long, found: Long,
) -> int:  # fmt: skip
    """Walk through all combinations, block by block, and count: figures[size - 1] is how many occur, how many are rare
    and the least support. With `smallest`, rare ones are listed, and what continues one is not looked at."""
    count = np.zeros(items, np.int64)
    every = np.arange(len(start) - 1)
    levels = [_spread(every, start, 0, 0, start, item, who, count) for _ in range(m)]
    place = np.zeros(m, np.int64)
    total = 0
    for b in range(len(bounds) - 1):
        depth = 0
        levels[0] = _spread(every, start, bounds[b], bounds[b + 1], start, item, who, count)
        place[0] = 0
        while depth >= 0:
            touched, bound, support, slot, further = levels[depth]
            t = place[depth]
            if t == len(touched) or (depth == 0 and touched[t] >= heads):
                depth -= 1
                continue
            place[depth] += 1
            figures[depth, 0] += 1
            if figures[depth, 0] == 1 or support[t] < figures[depth, 2]:
                figures[depth, 2] = support[t]
            if support[t] < k:
                figures[depth, 1] += 1
                for e in range(bound[t], bound[t + 1]):
                    exposed[depth, who[slot[e]]] = True
                    exposed[m, who[slot[e]]] = True
                if smallest:
                    if total < len(where):
                        where[total, 0] = b
                        where[total, 1] = depth + 1
                        for d in range(depth + 1):
                            found[total, d] = levels[d][0][place[d] - 1]
                    total += 1
                    continue
            if depth + 1 < m:
                levels[depth + 1] = _spread(slot, further, bound[t], bound[t + 1], start, item, who, count)
                depth += 1
                place[depth] = 0
    return total


@kernel
def _spread(
    record: Long, at: Long, lo: int, hi: int, start: Long, item: Long, who: Long, count: Long
) -> tuple[Long, Long, Long, Long, Long]:
    """By item what stands behind the present combination: entries lo:hi say in which records, and where to read on.

    Gives the items, where the entries of each begin, how many persons have each, and the entries. `count` holds zeros.
    """
    total, different = 0, 0
    for e in range(lo, hi):
        for p in range(at[e], start[record[e] + 1]):
            different += count[item[p]] == 0
            count[item[p]] += 1
            total += 1
    touched = np.empty(different, np.int64)
    different = 0
    for e in range(lo, hi):
        for p in range(at[e], start[record[e] + 1]):
            if count[item[p]] > 0:
                touched[different] = item[p]
                different += 1
                count[item[p]] = -count[item[p]]
    sort(touched)
    bound = np.zeros(different + 1, np.int64)
    for t in range(different):
        bound[t + 1] = bound[t] - count[touched[t]]
        count[touched[t]] = bound[t]
    slot, further = np.empty(total, np.int64), np.empty(total, np.int64)
    for e in range(lo, hi):
        for p in range(at[e], start[record[e] + 1]):
            free = count[item[p]]
            slot[free], further[free] = record[e], p + 1
            count[item[p]] += 1
    support = np.zeros(different, np.int64)
    for t in range(different):
        count[touched[t]] = 0
        before = -1
        for e in range(bound[t], bound[t + 1]):  # entries are in the order of persons
            if who[slot[e]] != before:
                support[t] += 1
                before = who[slot[e]]
    return touched, bound, support, slot, further

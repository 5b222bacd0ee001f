"""What a recoding of sets must cost at least: every record at the cheapest that k records could publish with it.

For each record and column the ways in which its items can rise are looked at from the cheapest on, until what they
become is held by k records, with an item of their own for each concept. No group can make the record cost less. Where
looking ends before, the record costs no less than the way that would be next.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

import numpy as np

from taxonym.knowledge.arrays import Codes, Long
from taxonym.publish.generalize.nested import ColumnPrices
from taxonym.publish.generalize.recoding import RecodingColumn
from taxonym.records.distinct import DistinctHolders
from taxonym.records.support import Holders

NOTHING = -1  # in the place of a concept
WAYS = 200  # of one record that are looked at
ALL_WAYS = 40_000  # of all records of a block


def bound_of(columns: Sequence[RecodingColumn], rows: Long, k: int, cost: str) -> float:
    """No groups of at least k of these records cost less, whatever they publish."""
    total = 0.0
    for column in columns:
        inside = column.take(rows)
        shared, prices = SharedSets(Holders(inside), k), ColumnPrices(inside, cost)
        alike: dict[Codes, int] = {}
        for record in inside:
            own = tuple(sorted(set(record)))
            alike[own] = alike.get(own, 0) + 1
        total += column.weight * sum(times * shared.least(record, prices) for record, times in sorted(alike.items()))
    return total


class SharedSets:
    """The sets that k records hold."""

    def __init__(self, holders: Holders, k: int) -> None:
        self._single, self._k, self._left = holders.counts, k, ALL_WAYS
        self._holders = DistinctHolders([holders])
        self._known: dict[Codes, bool] = {(): True}

    def held(self, concepts: Codes) -> bool:
        """Whether k records have a different item for each of the concepts."""
        if concepts not in self._known:
            counted = self._holders.counted(np.array([concepts], np.int64), self._k)
            self._known[concepts] = bool(counted[0] >= self._k)
        return self._known[concepts]

    def least(self, record: Codes, prices: ColumnPrices) -> float:
        """No set that k records hold costs a record less."""
        ways = [self._ways(x, prices) for x in record]
        heap = [(sum(way[0][0] for way in ways), (0,) * len(ways))]
        seen = {heap[0][1]}
        for _ in range(WAYS):
            paid, at = heap[0]
            told = {way[i][1] for way, i in zip(ways, at, strict=True)} - {NOTHING}
            if self._left <= 0 or self.held(tuple(sorted(told))):
                break
            self._left -= 1
            heappop(heap)
            for x, i in enumerate(at):
                nxt = (*at[:x], i + 1, *at[x + 1 :])
                if i + 1 < len(ways[x]) and nxt not in seen:
                    seen.add(nxt)
                    heappush(heap, (paid - ways[x][i][0] + ways[x][i + 1][0], nxt))
        return heap[0][0]

    def _ways(self, code: int, prices: ColumnPrices) -> list[tuple[float, int]]:
        """What an item may become that k records hold, the cheapest first; every record may say nothing."""
        above = [(paid, a) for a, paid in prices.upwards(code).items() if self._single[a] >= self._k]
        return sorted([*above, (prices.nothing(code), NOTHING)])

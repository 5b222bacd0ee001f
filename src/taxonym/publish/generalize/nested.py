"""The set that a group of records publishes in one column, the cheapest that is found, and what it costs.

Every item of a record becomes itself, a concept above it or anything, and what the items of a record become is the
same set for all records of the group. So every published concept has an item of its own in every record, and an
ancestor beside its descendant says that there is something else below it:

    cost(record, S) = min over f: items -> S or anything, f(items) covers S,  of  Σ_x cost(x, f(x))

That is: every item becomes what costs it least, and where a concept of S is nobody's choice, the item goes there that
loses least by it: a one-to-one pairing of S with items. What all records have as it is, S has too: *museum* does not
become *artifact* so that the church beside it may become one as well.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf

import numpy as np

from taxonym.distance.assignment import assign
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Codes, Floats, Long, Mask
from taxonym.knowledge.runs import edges
from taxonym.publish.generalize.costs import cost_named
from taxonym.publish.generalize.recoding import RecodingColumn

SUBSETS = 8  # of up to so many concepts all sets are tried
UNIT = 2**30  # costs are counted in whole parts of one
FAR = 1 << 50  # what an item cannot become
NEVER = 1 << 62  # what a group cannot publish


def cost_of_record(price: Sequence[Sequence[float]], nothing: Sequence[float]) -> float:
    """What a set costs a record: the definition. price[x][c] is what it costs item x to become concept c, infinite if c
    is not above it, and nothing[x] what it costs to become anything. Infinite if the record does not hold the set."""
    concepts = range(len(price[0]) if price else 0)
    ways = product(*[[*enumerate(row), (-1, none)] for row, none in zip(price, nothing, strict=True)])
    return min((sum(paid for _, paid in way) for way in ways if {c for c, _ in way} >= set(concepts)), default=inf)


class ColumnPrices:
    """What it costs the concepts of a column to become each other."""

    def __init__(self, column: RecodingColumn, cost: str) -> None:
        self.column = column
        self._rise, self._beyond = cost_named(cost).of(column.tax)
        self._known: dict[int, dict[int, float]] = {}

    def upwards(self, code: int) -> dict[int, float]:
        """What it costs a concept to become those above it that may be published."""
        if code not in self._known:
            tax, allowed = self.column.tax, self.column.allowed
            first = int(tax.ancestor_start[code])
            self._known[code] = {
                a: float(self._rise[first + i])
                for i, a in enumerate(tax.ancestors(code))
                if allowed is None or allowed[a]
            }
        return self._known[code]

    def nothing(self, code: int) -> float:
        return float(self._beyond[code])


@dataclass(frozen=True, slots=True, eq=False)
class GroupPrices:
    """A group in one column: concepts that all its records hold, and what they cost. Equal records are there once:
    record r, which times[r] are like, has the items first[r] to first[r + 1]. price[x, c] and nothing[x] are counted in
    UNITs. What all records have as it is `stays`."""

    concepts: Codes
    stays: Mask
    first: Long
    times: Long
    price: Long
    nothing: Long

    @classmethod
    def of(cls, prices: ColumnPrices, rows: Iterable[int]) -> "GroupPrices":
        """Of concepts that cover the same items only those are there that cost some item less than the others."""
        alike = Counter(tuple(sorted(set(prices.column.record(row)))) for row in rows)
        records = sorted(alike)
        ways = [[prices.upwards(x) for x in record] for record in records]
        held = [set[int]().union(*way) for way in ways]
        shared = sorted(set.intersection(*held)) if held else []
        items = [way for record in ways for way in record]
        table = np.array([[way.get(c, inf) for c in shared] for way in items], np.float64).reshape(
            len(items), len(shared)
        )
        common = set(records[0]).intersection(*records) if records else set[int]()
        stays = np.array([c in common for c in shared], np.bool_)
        kept = _needed(table) | stays
        return cls(
            tuple(c for c, needed in zip(shared, kept.tolist(), strict=True) if needed),
            stays[kept],
            edges([len(record) for record in records]),
            np.array([alike[record] for record in records], np.int64),
            _whole(table[:, kept]),
            _whole(np.array([prices.nothing(x) for record in records for x in record], np.float64)),
        )

    def cost(self, concepts: Iterable[int]) -> float:
        """What it costs all records to publish a set; infinite if some record does not hold it."""
        wanted = set(concepts)
        if not wanted <= set(self.concepts):
            return inf
        chosen = np.array([c in wanted for c in self.concepts], np.bool_)
        paid = int(_paid(self.price, self.nothing, self.first, self.times, chosen, NEVER))
        return inf if paid >= NEVER else paid / UNIT

    def cheapest(self, start: Iterable[int] = ()) -> Codes:
        """The cheapest set with what stays: of all where they are few, else what is found from `start` on by adding,
        leaving out and replacing one concept at a time."""
        near = set(start)
        chosen = np.array([c in near for c in self.concepts], np.bool_) | self.stays
        search = _best_of_all if len(self.concepts) <= SUBSETS else _climbed
        best = search(self.price, self.nothing, self.first, self.times, chosen, self.stays)
        return tuple(c for c, kept in zip(self.concepts, best.tolist(), strict=True) if kept)


def _needed(table: Floats) -> Mask:
    """Which columns are not as dear as another or dearer for every item, while they cover the same items."""
    kept = np.ones(table.shape[1], np.bool_)
    covers: dict[bytes, list[int]] = {}
    for c in range(table.shape[1]):
        covers.setdefault(np.isfinite(table[:, c]).tobytes(), []).append(c)
    for same in covers.values():
        for c in same:
            dearer = [o for o in same if o != c and (table[:, c] >= table[:, o]).all()]
            kept[c] = not any(o > c or (table[:, c] != table[:, o]).any() for o in dearer)
    return kept


def _whole(costs: Floats) -> Long:
    """Costs in UNITs, what cannot be as FAR."""
    found: Long = np.where(np.isfinite(costs), np.round(np.where(np.isfinite(costs), costs, 0) * UNIT), FAR).astype(
        np.int64
    )
    return found


@kernel
def _paid(price, nothing, first, times, chosen, limit):  # type: ignore[no-untyped-def]
    """What it costs all records to publish the chosen concepts; NEVER if that cannot be, or is `limit` or more."""
    concepts = np.flatnonzero(chosen)
    n, widest = len(concepts), 1
    for r in range(len(times)):
        widest = max(widest, first[r + 1] - first[r])
    extra = np.empty((max(1, n), widest), np.int64)
    column, room, seen = (
        np.empty(max(1, n), np.int64),
        np.empty((5, max(n, widest)), np.int64),
        np.empty(widest, np.bool_),
    )
    total = 0
    for r in range(len(times)):
        width, paid = first[r + 1] - first[r], 0
        if width < n:
            return NEVER
        for j in range(width):
            x = first[r] + j
            least = nothing[x]
            for c in concepts:
                least = min(least, price[x, c])
            paid += least
            for i in range(n):
                extra[i, j] = price[x, concepts[i]] - least if price[x, concepts[i]] < FAR else FAR
        if n > 0:
            paid += assign(extra, n, width, column, room[0], room[1], room[2], room[3], room[4], seen)
        if paid >= FAR or total + times[r] * paid >= limit:
            return NEVER
        total += times[r] * paid
    return total


@kernel
def _best_of_all(price, nothing, first, times, start, stays):  # type: ignore[no-untyped-def]
    n = len(start)
    best, least, chosen = np.zeros(n, np.bool_), np.int64(NEVER), np.empty(n, np.bool_)
    for subset in range((1 << n) - 1, -1, -1):  # of equally cheap ones that with more, and more special concepts
        for c in range(n):
            chosen[c] = (subset >> c) & 1
        if (stays & ~chosen).any():
            continue
        paid = _paid(price, nothing, first, times, chosen, least)
        if paid < least:
            least = np.int64(paid)
            best[:] = chosen
    return best


@kernel
def _climbed(price, nothing, first, times, start, stays):  # type: ignore[no-untyped-def]
    n = len(start)
    now = start.copy()
    least = np.int64(_paid(price, nothing, first, times, now, NEVER))
    if least >= NEVER:
        now[:] = stays
        least = np.int64(_paid(price, nothing, first, times, now, NEVER))
    better = True
    while better:
        better, out, into = False, -1, -1
        for a in range(n):  # turn a over; and if it is left out, take b in its place
            if stays[a]:
                continue
            now[a] = not now[a]
            paid = _paid(price, nothing, first, times, now, least)
            if paid < least:
                least, out, into, better = np.int64(paid), a, -1, True
            if not now[a]:
                for b in range(n):
                    if b != a and not now[b]:
                        now[b] = True
                        paid = _paid(price, nothing, first, times, now, least)
                        if paid < least:
                            least, out, into, better = np.int64(paid), a, b, True
                        now[b] = False
            now[a] = not now[a]
        if better:
            now[out] = not now[out]
            if into >= 0:
                now[into] = True
    return now

"""The cheapest local recoding of a few records, by best-first search (A*) [Martinez2012, §5.2].

Records are given to *targets* one after the other: a target is one node per column, and every target that is used must
get at least k records. Of all partial assignments that with the least bound on its final cost is continued first, so
the first complete one is the cheapest. The bound of a partial assignment is

    what the records so far cost
    + for every other record, the cheapest target that k records could share
    + for every target that still lacks m records, the m least surcharges with which others could come to it

and is never too high: a record goes to one target only. Records that are alike are interchangeable, so they take
targets in one order only, and of assignments that leave the same targets lacking the same only the cheapest is kept.
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import product
from typing import Any

import numpy as np

from taxonym.knowledge.arrays import Floats, Long
from taxonym.publish.generalize.ladder import Tuples

TARGETS = 20_000  # more than that are not searched
SLACK = 1e-9  # sums that differ by less are the same
LEFT_OUT = -1  # in the place of a target


@dataclass(frozen=True, slots=True)
class SearchResult:
    """goes_to[i] is the target of the i-th record (LEFT_OUT: suppressed), None if nothing cheaper was found; no
    recoding costs less than `bound`, if not all could be searched; `states` were looked at."""

    goes_to: list[int] | None
    cost: float
    bound: float
    states: int


def targets(data: Tuples, k: int) -> tuple[list[tuple[int, ...]], Floats] | None:
    """All targets that k records could share, and price[target, tuple]; None if there are too many.

    Of targets that can take the same tuples, those that cost as much or more for each of them are left out.
    """
    open_to = [[np.flatnonzero(row < np.inf).tolist() for row in ladder.cost] for ladder in data.ladders]
    every: set[tuple[int, ...]] = set()
    for values in data.values.tolist():
        every.update(product(*(nodes[v] for nodes, v in zip(open_to, values, strict=True))))
        if len(every) > TARGETS:
            return None
    nodes = np.array(sorted(every), np.int64)
    price = np.zeros((len(nodes), len(data.values)))
    for c, ladder in enumerate(data.ladders):
        price += ladder.cost[data.values[:, c]][:, nodes[:, c]].T
    takes = price < np.inf
    enough = takes @ data.count >= k
    kept: dict[bytes, list[int]] = {}
    for t in np.flatnonzero(enough).tolist():
        others = kept.setdefault(takes[t].tobytes(), [])
        if not any((price[o] <= price[t]).all() for o in others):
            others[:] = [o for o in others if not (price[t] <= price[o]).all()] + [t]
    chosen = sorted(t for others in kept.values() for t in others)
    return [tuple(nodes[t].tolist()) for t in chosen], price[chosen]


class _Rest:
    """What is still to come after the first i records."""

    def __init__(self, price: Floats, each: Long, k: int) -> None:
        self.price, self.least, self.k = price[:, each], price.min(axis=0)[each], k
        self.bound = np.append(np.cumsum(self.least[::-1])[::-1], 0.0).tolist()
        can = np.isfinite(self.price)
        self.coming = np.pad(np.cumsum(can[:, ::-1], axis=1)[:, ::-1], ((0, 0), (0, 1))).tolist()
        self.seen: dict[tuple[int, int], list[float]] = {}

    def surcharge(self, target: int, lacks: int, i: int) -> float:
        """The least that it costs beyond `bound` to bring so many of the records from the i-th on to a target."""
        found = self.seen.get((target, i))
        if found is None:
            extra = np.sort(self.price[target, i:] - self.least[i:])[: self.k]
            found = self.seen[target, i] = [0.0, *np.cumsum(extra).tolist()]
        return found[lacks]


def cheapest(
    price: Floats, full: Floats, count: Long, k: int, *, spare: int, budget: int, below: float
) -> SearchResult:
    """The assignment of least cost, if it is less than `below`, with at most `spare` records left out for `full[u]`."""
    each = np.repeat(np.arange(len(count)), count)
    n, owner = len(each), each.tolist()
    rest = _Rest(price, each, k)
    options: list[list[tuple[int, float]]] = []
    for u in range(len(count)):
        able = np.flatnonzero(np.isfinite(price[:, u]))
        able = able[np.argsort(price[able, u], kind="stable")]
        options.append([*zip(able.tolist(), price[able, u].tolist(), strict=True), (LEFT_OUT, float(full[u]))])
    # (bound, -i, number, cost, targets in use and what they have, left out, option of the last, its target, from)
    heap: list[tuple[Any, ...]] = [(rest.bound[0], 0, 0, 0.0, (), 0, 0, None, None)]
    least_cost: dict[tuple[Any, ...], float] = {}
    states = number = 0
    while heap and states < budget:
        state = heappop(heap)
        i, cost, in_use, out, option = -state[1], *state[3:7]
        if i == n:
            return SearchResult(_chosen(state), cost, cost, states)
        states += 1
        u = owner[i]
        alike = i + 1 < n and owner[i + 1] == u
        for o in range(option, len(options[u])):
            target, more = options[u][o]
            if target == LEFT_OUT:
                if out == spare:
                    continue
                now, taken = in_use, out + 1
            else:
                now, taken = _with(in_use, target, k), out
            bound = cost + more + rest.bound[i + 1]
            lacking, possible, kept = 0, True, []
            for t, has in now:
                coming = rest.coming[t][i + 1]
                if has + coming < k:
                    possible = False
                    break
                if has < k:
                    lacking += k - has
                    bound += rest.surcharge(t, k - has, i + 1)
                if coming:
                    kept.append((t, has))
            if not possible or lacking > n - i - 1 or bound >= below - SLACK:
                continue
            key = (i + 1, o if alike else 0, taken, tuple(kept))
            if least_cost.get(key, np.inf) <= cost + more + SLACK:
                continue
            least_cost[key] = cost + more
            number += 1
            heappush(heap, (bound, -i - 1, number, cost + more, key[3], taken, key[1], target, state))
    return SearchResult(None, below, min(heap[0][0], below) if heap else below, states)


def _with(in_use: tuple[tuple[int, int], ...], target: int, k: int) -> tuple[tuple[int, int], ...]:
    """One more record for a target; beyond k it does not matter how many there are."""
    has = dict(in_use)
    has[target] = min(k, has.get(target, 0) + 1)
    return tuple(sorted(has.items()))


def _chosen(state: tuple[Any, ...]) -> list[int]:
    goes_to: list[int] = []
    while state[-1] is not None:
        goes_to.append(state[-2])
        state = state[-1]
    return goes_to[::-1]

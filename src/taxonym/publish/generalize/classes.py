# mypy: allow-untyped-defs, allow-untyped-calls
"""Classes of records that are published alike, in arrays that compiled searches change; and how they are first made.

A tuple u has one node per column, its home, and count[u] records. A class has one node per column, above the homes of
its records, and consists of pieces: so many records of one tuple. Costs are counted from the homes on.
"""

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long

SLACK = 1e-9
KNOWN = 12  # so many near classes are remembered for each small one


class Tables(NamedTuple):
    """The ladders of all columns one after the other: rise[start[c] + a * size[c] + b], likewise join and lift."""

    size: Long
    start: Long
    rise: Floats
    join: Long
    lift: Floats


class RecodingClasses(NamedTuple):
    """Class g has the pieces first[g], next[first[g]], … until -1; piece p is amount[p] records of tuple[p].

    cost[g] is what its records rise from their homes. spare[0] records may still be left out; the last class holds
    those that are. Pieces that are not in use hang at free[0]; changed[g] is when g was last changed, by clock[0].
    """

    nodes: Long
    size: Long
    cost: Floats
    first: Long
    tuple: Long
    amount: Long
    next: Long
    free: Long
    spare: Long
    changed: Long
    clock: Long


def singles(homes: Long, count: Long, anything: Long, spare: int) -> RecodingClasses:
    """Every tuple a class of its own, room for as many more, and nobody left out."""
    n, places = len(homes), 4 * len(homes) + 64
    nodes = np.zeros((2 * n + 2, homes.shape[1]), np.int64)
    nodes[:n], nodes[-1] = homes, anything
    size, first = np.zeros(len(nodes), np.int64), np.full(len(nodes), -1)
    size[:n], first[:n] = count, np.arange(n)
    owner, amount = np.zeros(places, np.int64), np.zeros(places, np.int64)
    owner[:n], amount[:n] = np.arange(n), count
    after = np.arange(1, places + 1)
    after[:n], after[-1] = -1, -1
    return RecodingClasses(
        nodes, size, np.zeros(len(nodes)), first, owner, amount, after, np.array([n, places - n]), np.array([spare]),
        np.zeros(len(nodes), np.int64), np.zeros(1, np.int64),
    )  # fmt: skip


# ---------------------------------------------------------------------- small things


@kernel
def row_cost(a, b, T):
    """What it costs to rise from the nodes a to the nodes b; infinite if b is not above."""
    total = 0.0
    for c in range(len(a)):
        total += T.rise[T.start[c] + a[c] * T.size[c] + b[c]]
    return total


@kernel
def meet_cost(a, some, b, others, T, limit):
    """What it costs `some` records at a and `others` at b to become alike; anything above `limit` if it is more."""
    total = 0.0
    for c in range(len(a)):
        at, n = T.start[c], T.size[c]
        total += some * T.lift[at + a[c] * n + b[c]] + others * T.lift[at + b[c] * n + a[c]]
        if total > limit:
            break
    return total


@kernel
def meet_costs(a, which, some, others, limit, T, K):
    """meet_cost(a, some[i], nodes of class which[i], others[i]) for all i at once; infinite where above limit[i]."""
    nodes, start, size, lift = K.nodes, T.start, T.size, T.lift
    total = np.zeros(len(which))
    for i in range(len(which)):
        price, most, here, there = 0.0, limit[i], some[i], others[i]
        for c in range(len(a)):
            x, y = a[c], nodes[which[i], c]
            if x != y:
                price += here * lift[start[c] + x * size[c] + y] + there * lift[start[c] + y * size[c] + x]
                if price > most:
                    price = np.inf
                    break
        total[i] = price
    return total


@kernel
def meet(a, b, T):
    """Let a become the nodes that a and b have in common."""
    for c in range(len(a)):
        a[c] = T.join[T.start[c] + a[c] * T.size[c] + b[c]]


@kernel
def put(u, some, g, K):
    """So many records of tuple u into class g; its nodes are not touched."""
    p = K.first[g]
    while p >= 0 and K.tuple[p] != u:
        p = K.next[p]
    if p < 0:
        p = K.free[0]
        K.free[0] = K.next[p]
        K.free[1] -= 1
        K.tuple[p], K.amount[p], K.next[p] = u, 0, K.first[g]
        K.first[g] = p
    K.amount[p] += some
    K.size[g] += some


@kernel
def take(u, some, g, K):
    """So many records of tuple u out of class g."""
    before, p = -1, K.first[g]
    while K.tuple[p] != u:
        before, p = p, K.next[p]
    K.amount[p] -= some
    K.size[g] -= some
    if K.amount[p] == 0:
        if before < 0:
            K.first[g] = K.next[p]
        else:
            K.next[before] = K.next[p]
        K.next[p] = K.free[0]
        K.free[0] = p
        K.free[1] += 1


@kernel
def refit(g, homes, T, K):
    """Let the nodes of class g be the lowest above its pieces, and count its cost."""
    K.clock[0] += 1
    K.changed[g] = K.clock[0]
    p = K.first[g]
    if p < 0:
        K.cost[g] = 0.0
        return
    if g < len(K.size) - 1:
        K.nodes[g] = homes[K.tuple[p]]
        p = K.next[p]
        while p >= 0:
            meet(K.nodes[g], homes[K.tuple[p]], T)
            p = K.next[p]
    p, K.cost[g] = K.first[g], 0.0
    while p >= 0:
        K.cost[g] += K.amount[p] * row_cost(homes[K.tuple[p]], K.nodes[g], T)
        p = K.next[p]


@kernel
def pour(g, h, homes, T, K):
    """All of class g into class h."""
    p = K.first[g]
    while p >= 0:
        u, some = K.tuple[p], K.amount[p]
        p = K.next[p]
        take(u, some, g, K)
        put(u, some, h, K)
    refit(g, homes, T, K)
    refit(h, homes, T, K)


# ---------------------------------------------------------------------- the first classes


@kernel
def _pair_cost(g, h, k, limit, T, K):
    """What joining the small class g and class h costs, and how many records of h come along.

    Of a class of one tuple with enough records, only as many as g lacks.
    """
    some, others = K.size[g], K.size[h]
    lacks = k - some
    if others - lacks >= k and K.next[K.first[h]] < 0:
        others = lacks
    return meet_cost(K.nodes[g], some, K.nodes[h], others, T, limit), others


class _Near(NamedTuple):
    """The nearest classes of every small class, cheapest first: at[g, i] with price[g, i], as of their version[g, i].

    held[g] are known; all others are as far as reach[g] or farther.
    """

    at: Long
    price: Floats
    version: Long
    held: Long
    reach: Floats


@kernel
def agglomerate(homes, k, T, K):
    """Join classes until none has fewer than k records: always the small class first that this costs least.

    A small class is left out instead where that is cheaper and some may still be.
    """
    n, last = len(homes), len(K.size) - 1
    total = K.size[:n].sum()
    near = _Near(
        np.zeros((n, KNOWN), np.int64), np.zeros((n, KNOWN)), np.zeros((n, KNOWN), np.int64), np.zeros(n, np.int64),
        np.zeros(n),
    )  # fmt: skip
    alive, gone = np.arange(n), 0
    heap = [(0.0, 0)]
    for g in range(n):
        if 0 < K.size[g] < k:
            heappush(heap, (0.0, g))
    while len(heap):
        known, g = heappop(heap)
        if K.size[g] == 0 or K.size[g] >= k:
            continue
        i = _first_known(g, near, K)
        if i < 0:
            _look_around(g, k, alive, near, T, K)
            i = _first_known(g, near, K)
        if near.price[g, i] > known:
            heappush(heap, (near.price[g, i], g))
            continue
        h, outside = near.at[g, i], K.size[g] * row_cost(K.nodes[g], K.nodes[last], T)
        rest = total - K.size[last] - K.size[g]
        if K.size[g] <= K.spare[0] and outside < near.price[g, i] - SLACK and (rest == 0 or rest >= k):
            K.spare[0] -= K.size[g]
            pour(g, last, homes, T, K)
            continue
        _, others = _pair_cost(g, h, k, np.inf, T, K)
        if others < K.size[h] and K.free[1] > 0 and meet_cost(K.nodes[h], 1, K.nodes[g], 0, T, np.inf) > 0.0:
            u = K.tuple[K.first[h]]
            take(u, others, h, K)
            put(u, others, g, K)
            refit(h, homes, T, K)
            refit(g, homes, T, K)
            changed = np.array([g, h])
        else:
            pour(h, g, homes, T, K)
            changed = np.array([g])
            gone += 1
        if 4 * gone > len(alive):
            alive, gone = alive[K.size[alive] > 0], 0
        if K.size[g] < k:
            near.held[g] = 0
            heappush(heap, (0.0, g))
        for h in changed:
            small = alive[(K.size[alive] > 0) & (K.size[alive] < k) & (alive != h)]
            own, limit = K.size[small].astype(np.float64), near.reach[small]
            come = np.full(len(small), float(K.size[h]))
            if K.next[K.first[h]] < 0:
                come = np.where(come - (k - own) >= k, k - own, come)
            price = meet_costs(K.nodes[h], small, come, own, limit, T, K)
            for i in np.flatnonzero(price < limit):
                if _insert(small[i], h, price[i], near, K) == 0:
                    heappush(heap, (float(price[i]), small[i]))


@kernel
def _first_known(g, near, K):
    """The place of the nearest class known that has not changed since, or -1."""
    for i in range(near.held[g]):
        h = near.at[g, i]
        if K.size[h] > 0 and K.changed[h] == near.version[g, i]:
            return i
    return -1


@kernel
def _insert(g, h, price, near, K):
    """Note that class h is so near to class g; at which place."""
    p = near.held[g]
    if p == KNOWN:
        p -= 1
        near.reach[g] = near.price[g, p]
    else:
        near.held[g] += 1
    while p > 0 and near.price[g, p - 1] > price:
        near.at[g, p], near.price[g, p], near.version[g, p] = (
            near.at[g, p - 1], near.price[g, p - 1], near.version[g, p - 1],
        )  # fmt: skip
        p -= 1
    near.at[g, p], near.price[g, p], near.version[g, p] = h, price, K.changed[h]
    return p


@kernel
def _look_around(g, k, alive, near, T, K):
    """Find the classes nearest to class g; ties: the lowest."""
    near.held[g], near.reach[g] = 0, np.inf
    others = alive[(K.size[alive] > 0) & (alive != g)]
    lacks, come = k - K.size[g], K.size[others].astype(np.float64)
    for i in range(len(others)):
        if come[i] - lacks >= k and K.next[K.first[others[i]]] < 0:
            come[i] = lacks
    same = np.ones(len(others))
    price = meet_costs(K.nodes[g], others, same * K.size[g], come, same * np.inf, T, K)
    for i in range(len(others)):
        if near.held[g] < KNOWN or price[i] < near.price[g, KNOWN - 1]:
            _insert(g, others[i], price[i], near, K)
    if near.held[g] == KNOWN:
        near.reach[g] = near.price[g, KNOWN - 1]


# ---------------------------------------------------------------------- the bound


@kernel
def least_costs(values, count, k, size, start, apart):
    """For every tuple the least that each of its records can cost.

    It shares what it becomes with k - 1 others at least, so it costs no less than becoming alike with the farthest of
    the nearest k - 1.
    """
    n, columns = values.shape
    least = np.empty(n)
    near, times = np.empty(k + 1), np.empty(k + 1, np.int64)
    for u in range(n):
        own = 0.0
        for c in range(columns):
            own += apart[start[c] + values[u, c] * size[c] + values[u, c]]
        near[0], times[0] = own, count[u]
        held, have = 1, count[u]
        for v in range(n):
            limit = near[held - 1] if have >= k else np.inf
            if limit <= own:
                break
            price = 0.0
            for c in range(columns):
                price += apart[start[c] + values[u, c] * size[c] + values[v, c]]
                if price >= limit:
                    break
            if v == u or price >= limit:
                continue
            p = held
            while near[p - 1] > price:
                near[p], times[p] = near[p - 1], times[p - 1]
                p -= 1
            near[p], times[p] = price, count[v]
            held, have = held + 1, have + count[v]
            while have - times[held - 1] >= k:
                held -= 1
                have -= times[held]
        least[u] = near[held - 1]
    return least


def flat(tables: list[Floats]) -> tuple[Long, Long, Floats]:
    """Square tables of all columns one after the other: their sizes, where they start, and what they hold."""
    size = np.array([len(table) for table in tables], np.int64)
    start = np.concatenate((np.zeros(1, np.int64), np.cumsum(size**2)[:-1]))
    return size, start, np.concatenate([table.reshape(-1) for table in tables])

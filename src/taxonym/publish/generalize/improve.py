# mypy: allow-untyped-defs, allow-untyped-calls
"""Cheaper classes by local search: only what lowers the cost is done, until nothing does.

Records leave classes that can spare them for classes where they cost less; a class is dissolved where its records are
cheaper elsewhere; one class is split, or two that are near are divided anew, where the two halves cost less.
"""

import numpy as np

from taxonym.jit import kernel
from taxonym.jit.sorting import argsort
from taxonym.publish.generalize.classes import SLACK, meet, meet_cost, meet_costs, put, refit, row_cost, take

PASSES = 8  # later ones gain next to nothing
NEIGHBOURS = 6  # so many near classes are divided anew with each class
PIECES = 96  # classes of more pieces together are not divided


@kernel
def improve(homes, k, T, K):
    """Make the classes cheaper, in at most PASSES passes."""
    seen = 0
    for _ in range(PASSES):
        now = K.clock[0]
        alive = np.flatnonzero(K.size[:-1] > 0)
        for g in alive:
            if K.size[g] > k and K.cost[g] > SLACK:
                _move(g, k, seen, alive, homes, T, K)
        for g in alive:
            if K.cost[g] > SLACK and K.changed[g] > seen:
                _dissolve(g, alive, homes, T, K)
        for g in alive:
            if K.cost[g] > SLACK:
                _divide_with_neighbours(g, k, seen, alive, homes, T, K)
        seen = now
        if K.clock[0] == now:
            break


# ---------------------------------------------------------------------- moving records


@kernel
def _cheapest_class(home, some, g, limit, may_rise, since, alive, T, K):
    """The class other than g that so many records enter at the least cost, if below `limit`: (class or -1, cost).

    Only classes that changed after `since` are looked at.
    """
    found = -1
    others = alive[(K.size[alive] > 0) & (K.changed[alive] > since) & (alive != g)]
    if len(others) > 0:
        same = np.ones(len(others))
        rise = K.size[others].astype(np.float64) if may_rise else 1e18 * same
        price = meet_costs(home, others, some * same, rise, limit * same, T, K)
        if price.min() < limit:
            found, limit = others[price.argmin()], price.min()
    last = len(K.size) - 1
    if K.spare[0] >= some:
        outside = some * row_cost(home, K.nodes[last], T)
        if outside < limit:
            found, limit = last, outside
    return found, limit


@kernel
def _without(g, u, homes, T, K):
    """What class g would cost without the records of tuple u."""
    nodes, begun, p = K.nodes[g].copy(), False, K.first[g]
    while p >= 0:
        if K.tuple[p] != u:
            if begun:
                meet(nodes, homes[K.tuple[p]], T)
            else:
                nodes[:], begun = homes[K.tuple[p]], True
        p = K.next[p]
    total, p = 0.0, K.first[g]
    while p >= 0:
        if K.tuple[p] != u:
            total += K.amount[p] * row_cost(homes[K.tuple[p]], nodes, T)
        p = K.next[p]
    return total


@kernel
def _pieces(g, K, members, amounts, held):
    """Note the pieces of class g behind those already held; how many are held then."""
    p = K.first[g]
    while p >= 0:
        if held < len(members):
            members[held], amounts[held] = K.tuple[p], K.amount[p]
        held += 1
        p = K.next[p]
    return held


@kernel
def _shift(u, some, g, h, homes, T, K):
    take(u, some, g, K)
    put(u, some, h, K)
    if h == len(K.size) - 1:
        K.spare[0] -= some
    refit(g, homes, T, K)
    refit(h, homes, T, K)


@kernel
def _move(g, k, seen, alive, homes, T, K):
    """Let records of class g, as many as it can spare, go where they cost less."""
    since = -1 if K.changed[g] > seen or seen == 0 else seen
    members, amounts = np.empty(PIECES, np.int64), np.empty(PIECES, np.int64)
    held = min(PIECES, _pieces(g, K, members, amounts, 0))
    for i in argsort(members[:held]):
        u, some = members[i], min(amounts[i], K.size[g] - k)
        if some == 0 or K.free[1] == 0:
            break
        if some == amounts[i]:
            gain = K.cost[g] - _without(g, u, homes, T, K)
        else:
            gain = some * row_cost(homes[u], K.nodes[g], T)
        if gain > SLACK:
            h, _ = _cheapest_class(homes[u], some, g, gain - SLACK, True, since, alive, T, K)
            if h >= 0:
                _shift(u, some, g, h, homes, T, K)


@kernel
def _dissolve(g, alive, homes, T, K):
    """Send all records of class g to classes that can take them as they are, if that is cheaper."""
    members, amounts = np.empty(PIECES, np.int64), np.empty(PIECES, np.int64)
    held = _pieces(g, K, members, amounts, 0)
    if held > PIECES:
        return
    into, limit, out = np.empty(held, np.int64), K.cost[g] - SLACK, 0
    last = len(K.size) - 1
    for i in range(held):
        into[i], price = _cheapest_class(homes[members[i]], amounts[i], g, limit, False, -1, alive, T, K)
        if into[i] < 0:
            return
        limit -= price
        out += amounts[i] if into[i] == last else 0
    if out > K.spare[0]:
        return
    for i in range(held):
        _shift(members[i], amounts[i], g, into[i], homes, T, K)


# ---------------------------------------------------------------------- dividing


@kernel
def _divide_with_neighbours(g, k, seen, alive, homes, T, K):
    """Split class g, or divide it and a near class anew, if that is cheaper."""
    if K.size[g] >= 2 * k and K.changed[g] > seen:
        for h in range(len(K.size) - 1):
            if K.size[h] == 0:
                _divide(g, h, k, homes, T, K)
                break
    others = alive[(K.size[alive] > 0) & (alive != g)]
    same = np.full(len(others), float(k))
    price = meet_costs(K.nodes[g], others, same, same, same * np.inf, T, K)
    near = np.full(NEIGHBOURS, -1)
    for i in range(min(NEIGHBOURS, len(others))):
        p = price.argmin()
        near[i], price[p] = others[p], np.inf
    for h in near:
        if h >= 0 and (K.changed[g] > seen or K.changed[h] > seen) and (K.cost[h] <= SLACK or g < h):
            _divide(g, h, k, homes, T, K)


@kernel
def _divide(g, h, k, homes, T, K):
    """Divide the records of classes g and h (which may be empty) into two classes of less cost, if one is found."""
    members, amounts = np.empty(PIECES, np.int64), np.empty(PIECES, np.int64)
    held = _pieces(h, K, members, amounts, _pieces(g, K, members, amounts, 0))
    if held > PIECES or held < 2 or K.free[1] < 2 * held:
        return
    order = argsort(members[:held])
    members, amounts = members[order], amounts[order]
    last = 0
    for i in range(1, held):  # a tuple may be in both
        if members[i] == members[last]:
            amounts[last] += amounts[i]
        else:
            last += 1
            members[last], amounts[last] = members[i], amounts[i]
    held = last + 1
    here, best = np.zeros(held, np.int64), np.zeros(held, np.int64)
    limit, found = K.cost[g] + K.cost[h] - SLACK, False
    for seed in range(held):
        cost = _around(seed, members[:held], amounts[:held], here, k, homes, T)
        if cost < limit:
            limit, found = cost, True
            best[:] = here
    if not found:
        return
    for c in (g, h):
        while K.first[c] >= 0:
            p = K.first[c]
            take(K.tuple[p], K.amount[p], c, K)
    for i in range(held):
        if best[i] > 0:
            put(members[i], best[i], g, K)
        if best[i] < amounts[i]:
            put(members[i], amounts[i] - best[i], h, K)
    refit(g, homes, T, K)
    refit(h, homes, T, K)


@kernel
def _around(seed, members, amounts, here, k, homes, T):
    """Two classes around a tuple and the one farthest from it: here[i] records of tuple i in the first; their cost."""
    other, far = -1, -1.0
    for i in range(len(members)):
        if i != seed:
            d = meet_cost(homes[members[seed]], 1, homes[members[i]], 1, T, np.inf)
            if d > far:
                other, far = i, d
    if other < 0:
        return np.inf
    nodes = np.empty((2, homes.shape[1]), np.int64)
    nodes[0], nodes[1] = homes[members[seed]], homes[members[other]]
    size = np.array([amounts[seed], amounts[other]])
    here[:] = 0
    here[seed] = amounts[seed]
    for i in range(len(members)):
        if i not in (seed, other):
            u = homes[members[i]]
            into = meet_cost(u, amounts[i], nodes[0], size[0], T, np.inf)
            side = 0 if into <= meet_cost(u, amounts[i], nodes[1], size[1], T, into) else 1
            meet(nodes[side], u, T)
            size[side] += amounts[i]
            here[i] = amounts[i] if side == 0 else 0
    small = 0 if size[0] < k else 1
    while size[small] < k:
        if size[1 - small] <= k:
            return np.inf
        lacks, chosen, least = min(k - size[small], size[1 - small] - k), -1, np.inf
        for i in range(len(members)):
            some = min(lacks, amounts[i] - here[i] if small == 0 else here[i])
            if some > 0:
                u = homes[members[i]]
                d = meet_cost(u, some, nodes[small], size[small], T, np.inf) - some * row_cost(u, nodes[1 - small], T)
                if d / some < least:
                    chosen, least = i, d / some
        some = min(lacks, amounts[chosen] - here[chosen] if small == 0 else here[chosen])
        meet(nodes[small], homes[members[chosen]], T)
        here[chosen] += some if small == 0 else -some
        size[small] += some
        size[1 - small] -= some
    return _cost_of(members, here, homes, T) + _cost_of(members, amounts - here, homes, T)


@kernel
def _cost_of(members, amounts, homes, T):
    """What so many records of these tuples cost as one class."""
    nodes, begun = np.empty(homes.shape[1], np.int64), False
    for i in range(len(members)):
        if amounts[i] > 0:
            if begun:
                meet(nodes, homes[members[i]], T)
            else:
                nodes[:], begun = homes[members[i]], True
    total = 0.0
    for i in range(len(members)):
        if amounts[i] > 0:
            total += amounts[i] * row_cost(homes[members[i]], nodes, T)
    return total

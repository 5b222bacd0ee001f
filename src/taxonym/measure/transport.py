"""The earth mover's distance: the least work that turns one heap of mass into another [Li2007, §3].

    EMD(p, q) = min Σ_ij f_ij d_ij   over all f ≥ 0 with Σ_j f_ij = p_i and Σ_i f_ij = q_j

Where d is a metric, mass that lies in both heaps at the same place need not move, so only what is left is transported.
"""

import numpy as np

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats

NONE = 1e-12  # less mass than that is none


def emd(p: Floats, q: Floats, d: Floats) -> float:
    """The definition, as a linear programme: for tests and for looking up, not for many classes."""
    from scipy.optimize import linprog

    m = len(p)
    each = np.eye(m)
    sums = np.vstack((np.kron(each, np.ones(m)), np.kron(np.ones(m), each)))
    found = linprog(d.ravel(), A_eq=sums, b_eq=np.concatenate((p, q)), method="highs")
    return float(found.fun)


def least_work(cost: Floats, supply: Floats, demand: Floats) -> float:
    """The same for what is left to move, exactly: from `supply` (rows of cost) to `demand` (columns).

    One demand after the other is met over the cheapest path, which may move earlier shares from one supply to another;
    so the flow is the cheapest one at every time (successive shortest paths). Memory: twice that of `cost`.
    """
    if len(supply) > len(demand):
        cost, supply, demand = np.ascontiguousarray(cost.T), demand, supply
    if not len(supply):
        return 0.0
    return float(_least_work(np.ascontiguousarray(cost, np.float64), supply.copy(), demand.copy()))


def greedy_work(cost: Floats, supply: Floats, demand: Floats) -> float:
    """The work if the demands, the largest first, take what is nearest to them: never less than the least."""
    order = np.argsort(-demand, kind="stable")
    return float(_greedy_work(np.ascontiguousarray(cost[:, order].T), supply.copy(), demand[order]))


@kernel
def _greedy_work(cost, spare, demand):  # type: ignore[no-untyped-def]
    work = 0.0
    for j in range(len(demand)):
        left = demand[j]
        while left > NONE:
            best = -1
            for i in range(len(spare)):
                if spare[i] > NONE and (best < 0 or cost[j, i] < cost[j, best]):
                    best = i
            if best < 0:
                break  # rounding: there is no more to give
            amount = min(left, spare[best])
            spare[best] -= amount
            left -= amount
            work += amount * cost[j, best]
    return work


@kernel
def _least_work(cost, spare, demand):  # type: ignore[no-untyped-def]
    """cost[i, j] moves a unit from supply i to demand j; spare[i] is what supply i has not given yet.

    shift[a, b] is the least cost of moving a share that supply a gives over to supply b, of the demand via[a, b]. A
    height is what a share at a supply has cost (Johnson's potentials): shift[a, b] + height[a] - height[b] ≥ 0.
    """
    s, n = cost.shape
    flow = np.zeros((s, n))
    given, count = np.empty((s, n), np.int64), np.zeros(s, np.int64)  # the demands that each supply gives to
    shift, via = np.full((s, s), np.inf), np.zeros((s, s), np.int64)
    dear, before, done = np.empty(s), np.empty(s, np.int64), np.empty(s, np.bool_)
    height = np.zeros(s)
    for j in range(n):
        left = demand[j]
        while left > NONE:
            for i in range(s):
                dear[i], before[i], done[i] = cost[i, j] - height[i], -1, False
            best = -1
            while True:  # Dijkstra: heights keep all steps at or above 0
                a = -1
                for i in range(s):
                    if not done[i] and (a < 0 or dear[i] < dear[a]):
                        a = i
                if a < 0:
                    break
                done[a] = True
                if spare[a] > NONE:
                    best = a
                    break
                for b in range(s):
                    through = dear[a] + max(0.0, shift[a, b] + height[a] - height[b])
                    if not done[b] and through < dear[b]:
                        dear[b], before[b] = through, a
            if best < 0:
                break  # rounding: there is no more to give
            for i in range(s):
                if done[i]:
                    height[i] += dear[i] - dear[best]
            amount, b = min(left, spare[best]), best
            while before[b] >= 0:
                amount = min(amount, flow[before[b], via[before[b], b]])
                b = before[b]
            spare[best] -= amount
            left -= amount
            b, at = best, j
            while True:
                a = before[b]
                at = via[a, b] if a >= 0 else j
                if flow[b, at] == 0.0:
                    given[b, count[b]] = at
                    count[b] += 1
                flow[b, at] += amount
                if a < 0:
                    break
                flow[a, at] -= amount
                if flow[a, at] <= NONE:
                    flow[a, at] = 0.0
                b = a
            b = best
            while b >= 0:
                _renew(cost, flow, given, count, shift, via, b)
                b = before[b]
    return np.sum(flow * cost)


@kernel
def _renew(cost, flow, given, count, shift, via, a):  # type: ignore[no-untyped-def]
    """What moving a share of supply a over to any other costs, after its shares have changed."""
    kept = 0
    for x in range(count[a]):
        if flow[a, given[a, x]] > 0.0:
            given[a, kept] = given[a, x]
            kept += 1
    count[a] = kept
    for b in range(len(shift)):
        shift[a, b] = np.inf
        for x in range(kept):
            at = given[a, x]
            if b != a and cost[b, at] - cost[a, at] < shift[a, b]:
                shift[a, b], via[a, b] = cost[b, at] - cost[a, at], at

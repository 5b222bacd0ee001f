# mypy: allow-untyped-defs, allow-untyped-calls
"""Two groups, divided anew so that what both publish comes closer to their members: the kernels behind fit.py.

The two are one union of rows, with one task (members.py) for all of it; a part of it is the same task in which the
other members count 0 times. side[x] says in which of the two groups row x is.
"""

import numpy as np

from taxonym.jit import kernel
from taxonym.jit.sorting import argsort
from taxonym.publish.members import distances, distances_between, persons_holding
from taxonym.publish.representative import GAIN, descend_fast, total

SEEDS = 32  # of a larger union, only so many evenly chosen members are tried as seeds
HOPE = 1.1  # a division whose representatives cost more than so many times the least so far is given up
TURNS = 10  # representatives, division, representatives … seldom takes more than three turns


@kernel
def divide(union, task, fit, support, rule, bounds, side, reps, cost, effort):
    """A better division than `side` with the representatives `reps`, which costs `cost`, if one is found.

    Tried are the best division between the present representatives and the best ones between pairs of members (the
    seeds). Each gets representatives of its own, then the best division between these, and so on while that is better.
    effort: how many divisions around seeds are tried, and how many times `cost` they may cost before.
    Gives the cost, the sides and the two sets of positions; the old ones if nothing is better by GAIN.
    """
    first, item, place, member, _, _, stays = union
    E = distances_between(task, first, item, place)
    tries = _tries(E, member, side, stays, bounds, cost, effort, _between(task, member, side, stays, bounds, reps))
    best, found, chosen = cost, side, reps
    for t in range(len(tries)):
        now, pair, last = tries[t], reps, np.inf
        for _ in range(TURNS):
            a, to_a = _closest(union, task, fit, support, rule, now == 0, pair[0])
            b, to_b = _closest(union, task, fit, support, rule, now == 1, pair[1])
            if not to_a + to_b < min(last, HOPE * best) - GAIN:
                break
            pair, last = (a, b), to_a + to_b
            if last < best - GAIN:
                best, found, chosen = last, now, pair
            now = _between(task, member, now, stays, bounds, pair)
    return best, found, chosen


@kernel
def _closest(union, task, fit, support, rule, counted, start):
    """What the counted rows may publish, and its sum of distances: what `descend` finds from a set for other rows."""
    _, _, _, member, who, holds, _ = union
    k, m, consensus = rule
    times = np.zeros(len(holds))
    for x in np.flatnonzero(counted):
        times[member[x]] += 1
    part = (task[0], task[1], task[2], task[3], task[4], times, task[6])
    count, persons = persons_holding(holds, member, who, counted)
    fewest = (persons + 1) // 2 if consensus else 1
    start = start[count[start] >= fewest]
    chosen = np.empty(len(count) + 1, np.int64)
    chosen[: len(start)] = start
    n = descend_fast(part, fit[count[fit] >= fewest], support, (k, m), chosen, len(start), total(part, start))
    return chosen[:n], total(part, chosen[:n])


@kernel
def _between(task, member, side, stays, bounds, reps):
    """The best division between two representatives."""
    to_a, to_b = np.empty(len(task[5])), np.empty(len(task[5]))
    distances(task, reps[0], to_a)
    distances(task, reps[1], to_b)
    return _assign(to_a[member], to_b[member], side, stays, bounds)[0]


@kernel
def _assign(to_a, to_b, side, stays, bounds):
    """The best sides, and their cost: those for whom it gains most go to the first group, `bounds` say how many.

    Rows that stay are where they are, and not counted. No division within the bounds costs less.
    """
    low, high = bounds
    now, cost, free = side.copy(), 0.0, np.flatnonzero(~stays)
    gain = (to_a - to_b)[free]
    inside = min(max(np.sum(gain <= 0), low), high)
    now[free] = 1
    now[free[argsort(gain)[:inside]]] = 0
    for x in range(len(now)):
        cost += to_a[x] if now[x] == 0 else to_b[x]
    return now, cost


@kernel
def _tries(E, member, side, stays, bounds, cost, effort, first):
    """Divisions other than the present one: `first`, and the cheapest around two members, by their distances E."""
    tries, slack = effort
    sides, costs, count = np.empty((tries + 1, len(side)), side.dtype), np.full(tries + 1, np.inf), 0
    if (first != side).any():
        sides[0], costs[0], count = first, -np.inf, 1
    most = slack * cost
    every, open_ = 1 + (len(E) - 1) // SEEDS, not stays.any()
    for p in range(0, len(E), every):
        for q in range(0, len(E), every):
            if p == q or (open_ and p > q):
                continue  # where nobody stays, the groups may change their names
            bound = 0.0
            for r in member:
                bound += min(E[p, r], E[q, r])
            if bound >= min(most, costs[tries]):
                continue
            now, found = _assign(E[p][member], E[q][member], side, stays, bounds)
            if open_ and 2 * np.sum(now == side) < len(side):
                now = 1 - now
            if found >= min(most, costs[tries]) or (now == side).all():
                continue
            known = -1
            for t in range(count):
                if (sides[t] == now).all():
                    known = t
            if known >= 0:
                continue
            t = min(count, tries)
            count = t + 1
            while t > 0 and costs[t - 1] > found:
                sides[t], costs[t] = sides[t - 1], costs[t - 1]
                t -= 1
            sides[t], costs[t] = now, found
    return sides[:count]

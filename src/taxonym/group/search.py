# mypy: allow-untyped-defs, allow-untyped-calls
"""The local search behind refine.py: the best division of two groups, dissolving, splitting."""

import numpy as np

from taxonym.jit import kernel

PASSES = 50  # seldom more than a dozen are needed until nothing gets better
CANDIDATES = 32  # of a larger union, only so many evenly chosen records are tried as medoids, and the present two


# ---------------------------------------------------------------------- two groups, divided anew


@kernel
def _divide(E, count, k, largest, best, candidates, side):
    """The best division of `count` records into two groups, if it brings ΣD below `best`; whether there is one.

    For each pair of medoids (p, q) every record goes to the nearer one; if a group gets too small, those for whom it
    matters least change over. No other division is better for the pair. side[0, x] says in which group x is.
    """
    fewest, found = max(k, count - largest), False
    for a in range(len(candidates)):
        p = candidates[a]
        to_p = E[p, :count]
        for b in range(a + 1, len(candidates)):
            q = candidates[b]
            to_q = E[q, :count]
            bound = 0 * best
            for x in range(count):
                bound += min(to_p[x], to_q[x])
            if bound < best:
                total = _assign(to_p, to_q, p, q, fewest, side[1])
                if total < best:
                    best, found = total, True
                    for x in range(count):
                        side[0, x] = side[1, x]
    return found


@kernel
def _assign(to_p, to_q, p, q, fewest, side):
    """ΣD of the best two groups around p and q with at least `fewest` members each; side[x] is 0 for p's, 1 for q's."""
    count = len(to_p)
    total = 0 * to_p[p] + to_p[p] + to_q[q]
    inside = 1  # how many are with p
    for x in range(count):
        side[x] = 0 if to_p[x] <= to_q[x] else 1
        if x != p and x != q:
            inside += 1 - side[x]
            total += min(to_p[x], to_q[x])
    side[p], side[q] = 0, 1
    small = 0 if inside < fewest else 1
    for _ in range(fewest - min(inside, count - inside)):
        cheapest = -1
        for x in range(count):
            free = side[x] != small and x != p and x != q
            if free and (cheapest < 0 or abs(to_p[x] - to_q[x]) < abs(to_p[cheapest] - to_q[cheapest])):
                cheapest = x
        side[cheapest] = small
        total += abs(to_p[cheapest] - to_q[cheapest])
    return total


# ---------------------------------------------------------------------- the search

# `groups` is (label, members, size, cost, middle): the group of each row; of each group its rows, how many they are,
# the sum of their distances to the medoid, and the medoid. `room` is (E, side, rows, candidates), to work in.


@kernel
def _middle(D, rows):
    """The least sum of distances from one of the rows to all of them, and that row."""
    best, middle = 0 * D[0, 0], -1
    for r in rows:
        total = 0 * D[0, 0]
        for i in rows:
            total += D[r, i]
        if middle < 0 or total < best:
            best, middle = total, r
    return best, middle


@kernel
def _add(i, c, groups):
    label, members, size, _, _ = groups
    members[c, size[c]] = i
    size[c] += 1
    label[i] = c


@kernel
def _neighbours(c, near, groups, mark, found):
    """The groups of the records that are near to members of c, ascending; `found` and `mark` are room for them."""
    label, members, size, _, _ = groups
    count = 0
    for x in range(size[c]):
        for i in near[members[c, x]]:
            d = label[i]
            if d != c and not mark[d]:
                mark[d] = True
                p = count
                while p > 0 and found[p - 1] > d:
                    found[p] = found[p - 1]
                    p -= 1
                found[p] = d
                count += 1
    for p in range(count):
        mark[found[p]] = False
    return found[:count]


@kernel
def _divide_anew(D, c, d, k, largest, slack, room, groups):
    """Divide the members of groups c and d (which may be empty) better than now; whether that was possible."""
    _, members, size, cost, middle = groups
    E, side, rows, candidates = room
    if size[c] + size[d] > len(E):
        return False
    every = 1 + (size[c] + size[d]) // CANDIDATES
    count = chosen = 0
    for group in (c, d):
        for x in range(size[group]):
            rows[count] = members[group, x]
            if count % every == 0 or rows[count] == middle[group]:
                candidates[chosen] = count
                chosen += 1
            count += 1
    for x in range(count):
        for y in range(count):
            E[x, y] = D[rows[x], rows[y]]
    if not _divide(E, count, k, largest, cost[c] + cost[d] - slack, candidates[:chosen], side):
        return False
    size[c] = size[d] = 0
    for x in range(count):
        _add(rows[x], c if side[0, x] == 0 else d, groups)
    cost[c], middle[c] = _middle(D, members[c, : size[c]])
    cost[d], middle[d] = _middle(D, members[d, : size[d]])
    return True


@kernel
def _dissolve(D, c, neighbours, largest, slack, into, groups):
    """Send every member to the neighbouring group with the nearest medoid, if that is better; whether it was.

    into[x] says where the x-th member went.
    """
    _, members, size, cost, middle = groups
    count, total = size[c], 0 * D[0, 0]
    for x in range(count):
        i = members[c, x]
        into[x] = -1
        for d in neighbours:
            if into[x] >= 0 and not D[middle[d], i] < D[middle[into[x]], i]:
                continue
            free = largest - size[d]
            for y in range(x):
                free -= into[y] == d
            if free > 0:
                into[x] = d
        if into[x] < 0:
            return False
        total += D[middle[into[x]], i]
        if not total < cost[c] - slack:
            return False
    size[c], cost[c] = 0, 0
    for x in range(count):
        _add(members[c, x], into[x], groups)
    for x in range(count):
        d = into[x]
        cost[d], middle[d] = _middle(D, members[d, : size[d]])
    return True


@kernel
def search(D, label, k, largest, near, E, cost, slack):
    """Improve the groups in `label` until nothing is better. E and cost say in which kind of numbers to add."""
    slots, union = len(cost), len(E)
    members, size, middle = np.empty((slots, largest), np.int64), np.zeros(slots, np.int64), np.zeros(slots, np.int64)
    groups = label, members, size, cost, middle
    room = E, np.empty((2, union), np.int64), np.empty(union, np.int64), np.empty(union, np.int64)
    into, found, mark = np.empty(largest, np.int64), np.empty(slots, np.int64), np.zeros(slots, np.bool_)
    for i in range(len(D)):
        _add(i, label[i], groups)
    for c in range(slots):
        if size[c]:
            cost[c], middle[c] = _middle(D, members[c, : size[c]])
    clock, changed, scanned = 0, np.zeros(slots, np.int64), np.full(slots, -1)  # when each group last was
    for _ in range(PASSES):
        begin = clock
        for c in range(slots):
            if size[c] == 0:
                continue
            before, scanned[c] = scanned[c], clock
            neighbours = _neighbours(c, near, groups, mark, found)
            for d in neighbours:
                fresh = changed[c] > before or changed[d] > before
                if fresh and _divide_anew(D, c, d, k, largest, slack, room, groups):
                    clock += 1
                    changed[c] = changed[d] = clock
            if changed[c] <= before:
                continue
            count = size[c]
            if _dissolve(D, c, neighbours, largest, slack, into, groups):
                clock += 1
                changed[c] = clock
                for x in range(count):
                    changed[into[x]] = clock
            elif count >= 2 * k:
                d = 0
                while d < slots and size[d]:
                    d += 1  # to an empty one
                if d < slots and _divide_anew(D, c, d, k, largest, slack, room, groups):
                    clock += 1
                    changed[c] = changed[d] = clock
        if clock == begin:
            break

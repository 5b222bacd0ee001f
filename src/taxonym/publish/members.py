# mypy: allow-untyped-defs, allow-untyped-calls
"""What the members of a group have and hold, as small tables on which the searches for a representative work.

Everything is a position: of a concept in what the members have (`own`) or hold (`held`), of a member among the distinct
records of the group. A task is (table, sign, form, way, lengths, times, has), the same for all aggregations: a set S of
n concepts costs Σ over columns of weight(n) · min over S of table, plus what each of S costs(n). For the sums, columns
are the concepts of the members, and S costs its way to them; for min and max, columns are the members; avg has no
columns. A maximum is the minimum of the negative. times: how often each member counts.
"""

import numpy as np

from taxonym.jit import kernel
from taxonym.jit.sorting import distinct, place, places

SUMS, ENDS, MEAN = 0, 1, 2
INNER = {"min": 0, "max": 1, "mean": 2}


@kernel
def gather(start, codes, ancestor_start, ancestor, rows):
    """The distinct records among the rows, ascending, and who has and holds what.

    own, held: codes, ascending; place[u]: where own[u] is in `held`; item[first[r]:first[r + 1]]: the positions in
    `own` of member r's concepts; member: of each row; holds[r, h]: whether member r holds the concept at h.
    """
    total = 0
    for row in rows:
        total += start[row + 1] - start[row]
    flat, begin = np.empty(total, np.int64), np.zeros(len(rows) + 1, np.int64)  # the records as ascending codes
    for i in range(len(rows)):
        at = begin[i]
        record = distinct(codes[start[rows[i]] : start[rows[i] + 1]])
        flat[at : at + len(record)] = record
        begin[i + 1] = at + len(record)
    order, member = _in_order(flat, begin)
    own = distinct(flat[: begin[-1]])
    first, item = np.zeros(len(order) + 1, np.int64), np.empty(begin[-1], np.int64)
    for r in range(len(order)):
        record = flat[begin[order[r]] : begin[order[r] + 1]]
        first[r + 1] = first[r] + len(record)
        item[first[r] : first[r + 1]] = places(own, record)
    above, up = _held(own, ancestor_start, ancestor)
    held = distinct(above)
    place = places(held, above)
    holds = np.zeros((len(order), len(held)), np.bool_)
    for r in range(len(order)):
        for u in item[first[r] : first[r + 1]]:
            for j in range(up[u], up[u + 1]):
                holds[r, place[j]] = True
    return own, held, places(held, own), first, item[: first[-1]], member, holds


@kernel
def _held(own, ancestor_start, ancestor):
    up = np.zeros(len(own) + 1, np.int64)
    for u in range(len(own)):
        up[u + 1] = up[u] + ancestor_start[own[u] + 1] - ancestor_start[own[u]]
    above = np.empty(up[-1], np.int64)
    for u in range(len(own)):
        above[up[u] : up[u + 1]] = ancestor[ancestor_start[own[u]] : ancestor_start[own[u] + 1]]
    return above, up


@kernel
def _in_order(flat, begin):
    """One row of each distinct record, in the order of the records; and of each row, which of these it is."""
    n = len(begin) - 1
    order, count, member = np.empty(n, np.int64), 0, np.empty(n, np.int64)
    for i in range(n):
        at = _find(flat, begin, order[:count], i)
        if at == count or _before(flat, begin, i, order[at]):
            for j in range(count, at, -1):
                order[j] = order[j - 1]
            order[at] = i
            count += 1
    for i in range(n):
        member[i] = _find(flat, begin, order[:count], i)
    return order[:count], member


@kernel
def _find(flat, begin, order, i):
    """How many of the records in `order` come before record i."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if _before(flat, begin, order[middle], i):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _before(flat, begin, i, j):
    """Whether record i comes before record j."""
    a, b = begin[i], begin[j]
    while a < begin[i + 1] and b < begin[j + 1]:
        if flat[a] != flat[b]:
            return flat[a] < flat[b]
        a, b = a + 1, b + 1
    return a == begin[i + 1] and b < begin[j + 1]


@kernel
def publishable(held, place, depths, instance, printable, holders, k):
    """Of every held concept whether it may be published: at least k persons hold it, and it is fit to be printed.

    What members have may stay, and may rise to all but roots and what names one thing (instance). printable: see Rule;
    of length 0 if not given.
    """
    fit = np.empty(len(held), np.bool_)
    for h in range(len(held)):
        c = held[h]
        fit[h] = depths[c] > 1 and instance[c] == 0
    fit[place] = True
    for h in range(len(held)):
        c = held[h]
        fit[h] &= (printable[c] if len(printable) else instance[c] == 0) and holders[c] >= k
    return fit


@kernel
def task_of(d, first, item, times, form, inner):
    """The task, given the distances d from what is held to what somebody has; an empty member is at 1 from all."""
    lengths = np.diff(first)
    way, has = np.ones((len(d), len(lengths))), np.zeros((len(lengths), d.shape[1]))
    for r in range(len(lengths)):
        some = item[first[r] : first[r + 1]]
        for u in some:
            has[r, u] = 1
        for a in range(len(d) if len(some) else 0):
            near = d[a, some[0]]
            for u in some[1:]:
                near = min(near, d[a, u]) if inner == 0 else max(near, d[a, u]) if inner == 1 else near + d[a, u]
            way[a, r] = near / len(some) if inner == 2 else near
    sign = -1.0 if inner == 1 else 1.0
    table = d if form == SUMS else d[:, :0] if form == MEAN else way
    return np.ascontiguousarray(sign * table), sign, form, way, lengths, times, has


@kernel
def distances(task, chosen, out):
    """From each member to the chosen concepts; 1 from none of them, but for an empty member."""
    table, sign, form, way, lengths, _, has = task
    n = len(chosen)
    near = np.full(table.shape[1], np.inf)
    for a in chosen:
        for u in range(len(near)):
            near[u] = min(near[u], table[a, u])
    for r in range(len(lengths)):
        if n == 0:
            out[r] = min(lengths[r], 1)
        elif form == ENDS:
            out[r] = sign * near[r]
        else:
            total = 0.0
            for u in range(len(near)):
                if has[r, u]:
                    total += near[u]
            total *= sign
            for a in chosen:
                total += way[a, r]
            out[r] = total / (n + lengths[r] if form == SUMS else n)


@kernel
def distances_between(task, first, item, place):
    """From each member (columns) to each member taken as what is published (rows); place[u]: where own[u] is held."""
    members = len(first) - 1
    E = np.empty((members, members))
    for r in range(members):
        distances(task, place[item[first[r] : first[r + 1]]], E[r])
    return E


@kernel
def persons_holding(holds, member, who, counted):
    """By how many persons each concept is held, and how many there are, in the counted rows; rows come by person."""
    count, last, persons, before = np.zeros(holds.shape[1], np.int64), np.full(holds.shape[1], -1), 0, -1
    for x in np.flatnonzero(counted):
        persons += who[x] != before
        before = who[x]
        for h in range(len(count)):
            if holds[member[x], h] and last[h] != before:
                last[h] = before
                count[h] += 1
    return count, persons


@kernel
def own_concepts(records, rows):
    """What the rows have, ascending; row r has the concepts at item[first[r]:first[r + 1]] of these."""
    start, codes = records
    first = np.zeros(len(rows) + 1, np.int64)
    for r in range(len(rows)):
        first[r + 1] = first[r] + start[rows[r] + 1] - start[rows[r]]
    flat = np.empty(first[-1], np.int64)
    for r in range(len(rows)):
        flat[first[r] : first[r + 1]] = codes[start[rows[r]] : start[rows[r] + 1]]
    own = distinct(flat)
    for j in range(len(flat)):
        flat[j] = place(own, flat[j])
    return own, first, flat


@kernel
def rows_holding(concepts, own, first, item, taxonomy):
    """How many rows hold each of the (ascending) concepts, and below[i, u]: whether own[u] is it or below it."""
    below = np.zeros((len(concepts), len(own)), np.bool_)
    for u in range(len(own)):
        for j in range(taxonomy[0][own[u]], taxonomy[0][own[u] + 1]):
            i = place(concepts, taxonomy[1][j])
            if i < len(concepts) and concepts[i] == taxonomy[1][j]:
                below[i, u] = True
    count = np.zeros(len(concepts))
    for i in range(len(concepts)):
        for r in range(len(first) - 1):
            for j in range(first[r], first[r + 1]):
                if below[i, item[j]]:
                    count[i] += 1
                    break
    return count, below


@kernel
def rows_having(concepts, own, first, item):
    """How many rows have each of the concepts itself."""
    times, last = np.zeros(len(own), np.int64), np.full(len(own), -1)
    for r in range(len(first) - 1):
        for j in range(first[r], first[r + 1]):
            if last[item[j]] != r:
                last[item[j]] = r
                times[item[j]] += 1
    found = np.zeros(len(concepts))
    for i in range(len(concepts)):
        u = place(own, concepts[i])
        if u < len(own) and own[u] == concepts[i]:
            found[i] = times[u]
    return found

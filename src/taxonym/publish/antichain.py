# mypy: allow-untyped-defs, allow-untyped-calls
"""The search for the concepts that stand for a group: none is above another, and saying a thing twice gains nothing.

What a set of concepts is worth to a group is what its members find again in it, less what it says falsely of them:

    net(P) = Σ over members r of ( Σ over y in P that stand for something of r: w(y)
                                   + literal · Σ over y in P that r has itself: w(y)
                                   - doubt · Σ over y in P that are not true of r: w(y) )

Of every concept that a member has, one published concept stands for it: itself or the weightiest above it. So a concept
counts once for a member, however many of the member's it stands for, and an ancestor beside its descendant would count
nowhere. What is published as somebody has it is worth more than what only stands for it. How groups were formed has no
say in it. `net` is the definition; its compiled twin looks at all groups of a block at once.
docs/decisions/representative.md tells why this objective was chosen.
"""

from collections.abc import Collection, Sequence

import numpy as np

from taxonym.jit import kernel
from taxonym.jit.sorting import argsort, distinct, place
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.publish.members import own_concepts, rows_having, rows_holding
from taxonym.records.support import fits, joint

GAIN = 1e-9  # a smaller gain is none: ties do not hang on the last digit of a sum
MOST = 150  # of more concepts that a group could publish, the most valuable are looked at: work grows by the square
FEW = 24  # of so few concepts the search begins with every one
TOGETHER, SHARED, APART = 1, 2, 3  # may two concepts be published together? As _fit says


# ---------------------------------------------------------------------- the definitions


def standing(tax: Taxonomy, weight: Sequence[float], record: Collection[int], published: Collection[int]) -> set[int]:
    """The published concepts that stand for something that a record has."""
    found = set()
    for concept in record:
        above = sorted(set(tax.ancestors(concept)) & set(published))
        if above:
            found.add(max(above, key=lambda y: weight[y]))
    return found


def net(
    tax: Taxonomy,
    weight: Sequence[float],
    members: Sequence[Collection[int]],
    published: Collection[int],
    doubt: float,
    literal: float = 0.0,
) -> float:
    """What a set of concepts is worth to the members of a group."""
    total = 0.0
    for record in members:
        holds = {t for concept in record for t in tax.ancestors(concept)}
        total += sum(weight[y] for y in standing(tax, weight, record, published))
        total += literal * sum(weight[y] for y in set(published) & set(record))
        total -= doubt * sum(weight[y] for y in published if y not in holds)
    return total


def most_specific(tax: Taxonomy, concepts: Collection[int]) -> tuple[int, ...]:
    """The concepts that are above no other of them, ascending."""
    above = {t for c in concepts for t in tax.ancestors(c) if t != c}
    return tuple(sorted({int(c) for c in concepts} - above))


# ---------------------------------------------------------------------- the compiled twin


@kernel
def search_groups(records, groups, taxonomy, may, support, rule):
    """What every group publishes: where the concepts of each begin, and the concepts, ascending.

    records: (start, codes); groups: (start, rows); taxonomy: (ancestor_start, ancestor, weight, doubt,
    literal); may[c]: 2 if c
    may be published, 1 if only where somebody has it, 0 if not; support: the lists of who holds what (Holders.lists),
    whose each record is, and what is known of pairs already (`Pairs`); rule: (k, known items, consensus, the most
    concepts that a group publishes, with how many other concepts the search begins, too: those that are worth most by
    themselves, how often every concept is taken out in turn).
    """
    begin, rows = groups
    start, codes, used = np.zeros(len(begin), np.int64), np.empty(4 * len(begin) + 64, np.int64), 0
    for g in range(len(begin) - 1):
        task = group_task(records, rows[begin[g] : begin[g + 1]], taxonomy, may, support, rule)
        chosen = task[0][best_positions(task, taxonomy, support, rule)]
        while used + len(chosen) > len(codes):
            more = np.empty(2 * len(codes), np.int64)
            more[:used] = codes[:used]
            codes = more
        codes[used : used + len(chosen)] = chosen
        used += len(chosen)
        start[g + 1] = used
    return start, codes[:used]


@kernel
def net_of_groups(records, groups, taxonomy, published):
    """`net` of what every group publishes: published is (start, codes)."""
    begin, rows = groups
    start, codes = published
    found = np.zeros(len(begin) - 1)
    for g in range(len(found)):
        members = rows[begin[g] : begin[g + 1]]
        chosen = codes[start[g] : start[g + 1]]
        own, first, item = own_concepts(records, members)
        count, below = rows_holding(chosen, own, first, item, taxonomy)
        less = taxonomy[3][chosen] * (len(members) - count) - taxonomy[4] * rows_having(chosen, own, first, item)
        weight = taxonomy[2][chosen]
        worths = (weight, weight * (count - less), less, below, first, item)
        found[g] = net_at(np.arange(len(chosen)), worths)
    return found


@kernel
def group_task(records, rows, taxonomy, may, support, rule):
    """The concepts that may be worth publishing, ascending, and what `net_at` needs to know of them."""
    ancestor_start, ancestor, weights, doubt, literal = taxonomy
    whose, consensus = support[3], rule[2]
    own, first, item = own_concepts(records, rows)
    up = np.zeros(len(own) + 1, np.int64)
    for u in range(len(own)):
        up[u + 1] = up[u] + ancestor_start[own[u] + 1] - ancestor_start[own[u]]
    above, n = np.empty(up[-1], np.int64), 0
    for u in range(len(own)):
        for j in range(ancestor_start[own[u]], ancestor_start[own[u] + 1]):
            if may[ancestor[j]] == 2 or (may[ancestor[j]] == 1 and ancestor[j] == own[u]):
                above[n], n = ancestor[j], n + 1
    pool = distinct(above[:n])
    count, below = rows_holding(pool, own, first, item, taxonomy)
    less = doubt[pool] * (len(rows) - count) - literal * rows_having(pool, own, first, item)
    worth = weights[pool] * (count - less)
    keep = worth > GAIN
    if consensus:
        keep &= 2 * _persons(below, first, item, whose, rows) >= _different(whose, rows)
    at = np.flatnonzero(keep)
    if len(at) > MOST:
        best = at[argsort(-worth[at])[:MOST]]
        at = distinct(best)
    pool = pool[at]
    return pool, (weights[pool], worth[at], less[at], below[at], first, item)


@kernel
def _persons(below, first, item, whose, rows):
    """How many persons hold each concept; rows come by person."""
    found = np.zeros(len(below), np.int64)
    for i in range(len(below)):
        last = -1
        for r in range(len(rows)):
            if whose[rows[r]] == last:
                continue
            for j in range(first[r], first[r + 1]):
                if below[i, item[j]]:
                    found[i] += 1
                    last = whose[rows[r]]
                    break
    return found


@kernel
def _different(whose, rows):
    """How many persons the rows are of, which come by person."""
    n, last = 0, -1
    for row in rows:
        n += whose[row] != last
        last = whose[row]
    return n


@kernel
def net_at(chosen, worths):
    """`net` of the concepts at these positions."""
    weight, worth, less, below, first, item = worths
    best, twice = np.full(below.shape[1], -1), False
    for j in range(len(chosen)):
        for u in range(len(best)):
            if below[chosen[j], u]:
                twice |= best[u] >= 0
                if best[u] < 0 or _before(weight, chosen[j], chosen[best[u]]):
                    best[u] = j
    total = 0.0
    if not twice:  # who holds a concept has something that only this one stands for
        for j in range(len(chosen)):
            total += worth[chosen[j]]
        return total
    last, stands = np.full(len(chosen), -1), np.zeros(len(chosen))
    for r in range(len(first) - 1):
        for i in range(first[r], first[r + 1]):
            j = best[item[i]]
            if j >= 0 and last[j] != r:
                last[j] = r
                stands[j] += 1
    for j in range(len(chosen)):
        total += weight[chosen[j]] * (stands[j] - less[chosen[j]])
    return total


@kernel
def _before(weight, x, y):
    """Whether x stands for a concept rather than y, which is also above it."""
    return weight[x] > weight[y] or (weight[x] == weight[y] and x < y)


@kernel
def best_positions(task, taxonomy, support, rule):
    """Positions of what is published, ascending: from nothing upwards, and from single concepts; then each concept is
    taken out in turn, and what it stood against may take its place."""
    pool, worths = task
    n, most = len(pool), rule[3]
    order, fit = argsort(-worths[1]), np.zeros((n, n), np.int8)
    open_ = np.ones(n, np.bool_)
    chosen = _climb(np.empty(0, np.int64), order, open_, task, fit, taxonomy, support, rule)
    value = net_at(chosen, worths)
    if most == 1:
        return chosen
    tried, first, starts = 0, chosen, n if n <= FEW and rule[4] else rule[4]
    for x in order:  # what stands against several others may not be worth as much as these together
        if tried == starts:
            break
        if not (first == x).any():
            tried += 1
            other = _climb(np.full(1, x), order, open_, task, fit, taxonomy, support, rule)
            found = net_at(other, worths)
            if found > value + GAIN:
                chosen, value = other, found
    for _ in range(rule[5]):
        better = False
        for y in chosen.copy():
            if not (chosen == y).any():
                continue
            for x in range(n):
                open_[x] = x != y and (fit[x, y] or _fit(x, y, task, fit, taxonomy, support, rule)) == APART
            if not open_.any():
                continue
            other = _climb(chosen[chosen != y], order, open_, task, fit, taxonomy, support, rule)
            found = net_at(other, worths)
            if found > value + GAIN:
                chosen, value, better = other, found, True
        if not better:
            break
    return distinct(chosen)


@kernel
def _climb(chosen, order, open_, task, fit, taxonomy, support, rule):
    """Take in the open concept that gains most, for all that it does not fit with, until none gains anything.

    order: positions by what they are worth alone, the worthiest first, which bounds what they can gain. Where what
    comes and what goes stand for nothing that another one stands for, the gain is the difference of what they are
    worth alone; else it is counted.
    """
    pool, worths = task
    worth = worths[1]
    value, mixed = net_at(chosen, worths), _mixed(chosen, task, fit, taxonomy, support, rule)
    while True:
        gain, best = GAIN, -1
        for x in order:
            if worth[x] <= gain:
                break
            if not open_[x]:
                continue
            found, left, inside, common = worth[x], 0, False, False
            for y in chosen:
                inside |= x == y
                how = fit[x, y] or _fit(x, y, task, fit, taxonomy, support, rule)
                if how != APART:
                    left += 1
                    common |= how == SHARED
                elif mixed[y]:
                    common = True
                else:
                    found -= worth[y]
                    if found <= gain:
                        break  # what else goes only makes it less
            if inside or left >= rule[3] or found <= gain:
                continue
            trial = _with(x, chosen, fit)
            if common:
                found = net_at(trial, worths) - value
            if found > gain and _fits(pool[trial[:-1]], pool[x], support, rule):
                gain, best = found, x
        if best < 0:
            return chosen
        chosen = _with(best, chosen, fit)
        value, mixed = net_at(chosen, worths), _mixed(chosen, task, fit, taxonomy, support, rule)


@kernel
def _with(x, chosen, fit):
    """Those of the chosen that fit x, and x; all of them have been asked for."""
    kept, n = np.empty(len(chosen) + 1, np.int64), 0
    for y in chosen:
        if fit[x, y] != APART:
            kept[n], n = y, n + 1
    kept[n] = x
    return kept[: n + 1]


@kernel
def _mixed(chosen, task, fit, taxonomy, support, rule):
    """Of every position whether it is chosen and members have something that lies below it and another one chosen."""
    found = np.zeros(len(task[0]), np.bool_)
    for i in range(len(chosen)):
        for j in range(i):
            how = fit[chosen[i], chosen[j]] or _fit(chosen[i], chosen[j], task, fit, taxonomy, support, rule)
            if how == SHARED:
                found[chosen[i]] = found[chosen[j]] = True
    return found


@kernel
def _fit(x, y, task, fit, taxonomy, support, rule):
    """Whether two may be published together: APART if not, since one is above the other or fewer than k persons hold
    both; SHARED if members have something that lies below both; TOGETHER else. fit keeps answers, and is asked first
    where this happens often: a call with so many arrays takes longer than the answer."""
    if x == y:
        fit[x, y] = APART
    elif fit[x, y] == 0:
        below = task[1][3]
        how = _pair(task[0][x], task[0][y], taxonomy, support, rule)
        for u in range(below.shape[1] if how == TOGETHER else 0):
            if below[x, u] and below[y, u]:
                how = SHARED
                break
        fit[x, y] = fit[y, x] = how
    return fit[x, y]


@kernel
def _pair(a, b, taxonomy, support, rule):
    """The same for two concepts in any group: APART or TOGETHER. What was found out is kept: groups ask alike."""
    number, known = support[4], support[5]
    i, j = number[a], number[b]
    if i >= 0 and j >= 0 and known[i, j] != 0:
        return known[i, j]
    ok = not (above(a, b, taxonomy) or above(b, a, taxonomy))
    if ok and rule[1] > 1:
        pair = np.empty(2, np.int64)
        pair[0], pair[1] = a, b
        ok = joint(support[0], support[1], support[2], pair, len(pair), rule[0]) >= rule[0]
    how = np.int8(TOGETHER if ok else APART)
    if i >= 0 and j >= 0:
        known[i, j] = known[j, i] = how
    return how


@kernel
def above(a, b, taxonomy):
    """Whether concept a is above b."""
    higher = taxonomy[1][taxonomy[0][b] : taxonomy[0][b + 1]]
    at = place(higher, a)
    return at < len(higher) and higher[at] == a


@kernel
def _fits(others, x, support, rule):
    """Whether x fits the others where more than two are looked at together; pairs are known to fit."""
    if rule[1] < 3:
        return True
    return fits(support[0], support[1], support[2], others, len(others), x, rule[0], rule[1])

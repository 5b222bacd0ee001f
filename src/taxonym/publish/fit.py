# mypy: allow-untyped-defs, allow-untyped-calls
"""Groups that are fitted to what they publish.

Groups formed from distances between records are good for publishing the medoid. What is published is the set of
concepts that is worth most to all members (antichain.py), so other groups may keep more. Record by record, a group that
publishes what the record holds is looked for; the record goes there, alone or in exchange for one of its members, if
what the two groups then publish is worth more than before:

    Σ over groups of net(what it publishes)     [antichain.net]

All is decided by what groups are worth and, where they tie, by the row: the number of threads changes nothing. With
rows in another order, ties may fall otherwise; the pipeline sorts the records first.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.jit.sorting import argsort, distinct
from taxonym.knowledge.arrays import Long
from taxonym.publish.antichain import GAIN, above, best_positions, group_task, net_at
from taxonym.publish.objective import Objective, search_of
from taxonym.records.support import Holders, Rule

ROUNDS = 5  # seldom more than four change much
NEAREST = 4  # so many groups are tried for a record: those whose present words are worth most to it
TRIES = 2  # moves and exchanges that are worked out for a record: those that gain most, or lose least, with the words
HOPE = 0.5  # that the two groups have now, if they do not lose more than this, about half a word of one record
WORK = 1e7  # from so much work on, fitting takes more than about half a minute of one core


def fitted(
    holders: Holders,
    groups: Sequence[Sequence[int]],
    rule: Rule,
    objective: Objective,
    *,
    largest: int | None = None,
    blocks: ArrayLike | None = None,
    progress: Progress = SILENCE,
) -> list[list[int]]:
    """Groups of k to `largest` persons (3k unless given, or as many as a group has) that are worth no less.

    `groups` (row numbers of the records in `holders`) is where the search starts. Every group comes as ascending rows,
    in the order of the lowest. `blocks` gives a label to each row: only rows with the same are put together. Who has
    several records keeps them where they are.
    """
    rows = sorted(sorted(map(int, group)) for group in groups if len(group))
    block = np.zeros(len(holders), np.int64) if blocks is None else np.unique(blocks, return_inverse=True)[1]
    sizes = _checked_sizes(holders, rows, rule.k, largest, block)
    most = max(3 * rule.k, *sizes, 0) if largest is None else largest
    several = np.bincount(holders.person, minlength=holders.persons) > 1
    group_of = np.full(len(holders), -1, np.int64)
    for number, group in enumerate(rows):
        group_of[group] = number
    task = search_of(holders, rule, objective, starts=0)
    effort = (NEAREST, TRIES, HOPE)
    progress.start("fitting groups to what they publish", ROUNDS)
    try:
        for _ in range(ROUNDS):
            moved = _round(group_of, len(rows), block, several[holders.person], (rule.k, most), effort, *task)
            progress.advance()
            if not moved:
                break
    finally:
        progress.finish()
    made = [np.flatnonzero(group_of == number).tolist() for number in range(len(rows))]
    return sorted(made)


def work(holders: Holders, groups: Sequence[Sequence[int]]) -> float:
    """How much work it is to fit the groups: for every member that may move, the square of what its group has."""
    sizes = np.diff(holders.sets.start)
    return float(sum(int(sizes[list(group)].sum()) ** 2 * len(group) for group in groups))


def _checked_sizes(holders: Holders, rows: list[list[int]], k: int, largest: int | None, block: Long) -> list[int]:
    """How many persons each group has."""
    every = [row for group in rows for row in group]
    if len(every) != len(set(every)) or not all(0 <= row < len(holders) for row in every):
        raise BadPlan(f"groups: rows run from 0 to {len(holders) - 1}, each in one group.")
    sizes = [len(set(holders.person[group].tolist())) for group in rows]
    if sizes and (min(sizes) < k or max(sizes) > (largest or max(sizes))):
        raise BadPlan(f"groups: each must have {k} to {largest or 'any number of'} persons before it is fitted.")
    if len(block) != len(holders):
        raise BadPlan(f"blocks: {len(holders):,} records need as many labels, not {len(block):,}.")
    if any(len(set(block[group].tolist())) > 1 for group in rows):
        raise BadPlan("blocks: every group must be of one block before it is fitted.")
    return sizes


# ---------------------------------------------------------------------- the kernels


@kernel
def _round(group_of, groups, block, stays, bounds, effort, records, taxonomy, may, support, rule):
    """Try every row that may move with the groups that publish what it holds; how many have moved."""
    members, size = _members(group_of, groups, bounds[1])
    persons = np.zeros(groups, np.int64)
    home = np.full(groups, -1, np.int64)
    published, value = [np.empty(0, np.int64) for _ in range(groups)], np.zeros(groups)
    for g in range(groups):
        rows = members[g, : size[g]]
        home[g] = block[rows[0]]
        persons[g] = len(distinct(support[3][rows]))
        published[g], value[g] = _told(rows, records, taxonomy, may, support, rule)
    publishers, at = _publishers(published, len(taxonomy[2]))
    moved, worth = 0, np.zeros(groups)
    tries = effort[1]
    to, partner, hope = np.empty(tries, np.int64), np.empty(tries, np.int64), np.empty(tries)
    for row in range(len(group_of)):
        i = group_of[row]
        if i < 0 or stays[row]:
            continue
        _worth(row, worth, published, publishers, at, records, taxonomy)
        hope[:] = -effort[2]
        to[:] = -1
        own = _to(row, published[i], records, taxonomy)
        for j in _nearest(worth, i, home, effort[0]):
            gain = _to(row, published[j], records, taxonomy) - own
            if persons[i] > bounds[0] and persons[j] < bounds[1]:
                _enter(gain, j, -1, hope, to, partner)
            for other in members[j, : size[j]]:
                if not stays[other]:
                    more = _to(other, published[i], records, taxonomy)
                    more -= _to(other, published[j], records, taxonomy)
                    _enter(gain + more, j, other, hope, to, partner)
        best, which = GAIN, -1
        for t in range(tries):
            if to[t] < 0:
                break
            gain = _gain(row, partner[t], i, to[t], members, size, value, records, taxonomy, may, support, rule)
            if gain > best:
                best, which = gain, t
        if which < 0:
            continue
        moved += 1
        j = to[which]
        _move(row, i, j, members, size, group_of)
        persons[i], persons[j] = persons[i] - 1, persons[j] + 1
        if partner[which] >= 0:
            _move(partner[which], j, i, members, size, group_of)
            persons[i], persons[j] = persons[i] + 1, persons[j] - 1
        for g in (i, j):
            published[g], value[g] = _told(members[g, : size[g]], records, taxonomy, may, support, rule)
    return moved


@kernel
def _enter(gain, group, partner, hope, to, partners):
    """Keep the most hopeful tries, the best first; of equal ones those that came first."""
    at = len(hope)
    while at > 0 and hope[at - 1] < gain:
        at -= 1
    if at == len(hope):
        return
    for i in range(len(hope) - 1, at, -1):
        hope[i], to[i], partners[i] = hope[i - 1], to[i - 1], partners[i - 1]
    hope[at], to[at], partners[at] = gain, group, partner


@kernel
def _members(group_of, groups, most):
    """The rows of each group, ascending, and how many there are."""
    size = np.zeros(groups, np.int64)
    for g in group_of:
        if g >= 0:
            size[g] += 1
    members = np.empty((groups, most + 1 + (size.max() if groups else 0)), np.int64)
    size[:] = 0
    for row in range(len(group_of)):
        g = group_of[row]
        if g >= 0:
            members[g, size[g]], size[g] = row, size[g] + 1
    return members, size


@kernel
def _told(rows, records, taxonomy, may, support, rule):
    """What some rows publish, and what that is worth."""
    rows = rows[argsort(support[3][rows])]
    task = group_task(records, rows, taxonomy, may, support, rule)
    chosen = best_positions(task, taxonomy, support, rule)
    return task[0][chosen], net_at(chosen, task[1])


@kernel
def _publishers(published, concepts):
    """The groups that publish each concept: concept[at[c]:at[c + 1]]."""
    at = np.zeros(concepts + 1, np.int64)
    for codes in published:
        for c in codes:
            at[c + 1] += 1
    for c in range(concepts):
        at[c + 1] += at[c]
    put, groups = at.copy(), np.empty(at[-1], np.int64)
    for g in range(len(published)):
        for c in published[g]:
            groups[put[c]] = g
            put[c] += 1
    return groups, at


@kernel
def _worth(row, worth, published, groups, at, records, taxonomy):
    """What each group's words are worth to a row, as they were when the round began; -inf if it holds none of them."""
    worth[:] = -np.inf
    own = records[1][records[0][row] : records[0][row + 1]]
    for t in _all_above(own, taxonomy):
        for p in range(at[t], at[t + 1]):
            g = groups[p]
            if worth[g] == -np.inf:
                worth[g] = 0.0
                for c in published[g]:
                    worth[g] -= taxonomy[3][c] * taxonomy[2][c]
            worth[g] += (1 + taxonomy[3][t]) * taxonomy[2][t]
    for t in own:
        for p in range(at[t], at[t + 1]):
            worth[groups[p]] += taxonomy[4] * taxonomy[2][t]


@kernel
def _all_above(own, taxonomy):
    """The concepts and all that is above them, ascending."""
    n = 0
    for c in own:
        n += taxonomy[0][c + 1] - taxonomy[0][c]
    above, n = np.empty(n, np.int64), 0
    for c in own:
        for j in range(taxonomy[0][c], taxonomy[0][c + 1]):
            above[n], n = taxonomy[1][j], n + 1
    return distinct(above)


@kernel
def _nearest(worth, own, home, most):
    """The other groups of the same block that are worth most, the best first; ties: the lower number."""
    found, n = np.full(most, -1, np.int64), 0
    for g in range(len(worth)):
        if worth[g] == -np.inf or g == own or home[g] != home[own]:
            continue
        to = n
        while to > 0 and worth[found[to - 1]] < worth[g]:
            to -= 1
        if to == most:
            continue
        n = min(n + 1, most)
        for i in range(n - 1, to, -1):
            found[i] = found[i - 1]
        found[to] = g
    return found[:n]


@kernel
def _to(row, codes, records, taxonomy):
    """What some words are worth to a row, each by itself."""
    own = records[1][records[0][row] : records[0][row + 1]]
    total = 0.0
    for c in codes:
        held, same = False, False
        for x in own:
            same |= x == c
            held |= x == c or above(c, x, taxonomy)
        share = 1.0 + taxonomy[4] * same if held else -taxonomy[3][c]
        total += share * taxonomy[2][c]
    return total


@kernel
def _gain(row, partner, i, j, members, size, value, records, taxonomy, may, support, rule):
    """How much more two groups are worth if a row goes from i to j, and its partner, if there is one, from j to i."""
    there = np.empty(size[j] + 1, np.int64)
    there[: size[j]] = members[j, : size[j]]
    there[size[j]] = row
    here = members[i, : size[i]].copy()
    here = here[here != row]
    if partner >= 0:
        there = there[there != partner]
        here = np.append(here, partner)
    a = _told(here, records, taxonomy, may, support, rule)[1]
    b = _told(there, records, taxonomy, may, support, rule)[1]
    return a + b - value[i] - value[j]


@kernel
def _move(row, i, j, members, size, group_of):
    n = 0
    for at in range(size[i]):
        if members[i, at] != row:
            members[i, n], n = members[i, at], n + 1
    size[i] = n
    members[j, size[j]], size[j] = row, size[j] + 1
    group_of[row] = j

"""What a group publishes: one set of concepts that stands for all its records.

The paper publishes the concepts of the medoid, the record closest to all [Batet2014, eq. 7 and §3.2]. Nothing says that
the closest set of concepts is somebody's record: `best` looks for it among all that the members hold, at any level of
the taxonomy, under the support rule. `total_distance` and `descend` are the definitions; their compiled twins work on
a small table of distances between what the members hold and what they have.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any, TypeAlias

import numpy as np

from taxonym.distance.direct import direct
from taxonym.distance.direct import table as direct_table
from taxonym.distance.matrix import concept_distances
from taxonym.distance.registry import content_for, distance_named
from taxonym.distance.sets import Aggregation, aggregation_named
from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.jit.sorting import sort
from taxonym.knowledge.arrays import Codes, Floats, Long
from taxonym.publish.members import (
    ENDS,
    INNER,
    MEAN,
    SUMS,
    distances,
    distances_between,
    gather,
    persons_holding,
    publishable,
    task_of,
)
from taxonym.records.support import Holders, Rule, fits_knowing

Between: TypeAlias = Callable[[Long, Long], Floats]
Task: TypeAlias = tuple[Any, ...]

ANYTHING = np.empty(0, np.bool_)
GAIN = 1e-9  # a smaller gain is none: ties do not hang on the last digit of a sum


# ---------------------------------------------------------------------- the definitions


def total_distance(concepts: Codes, members: Iterable[Codes], distance: Callable[[Codes, Codes], float]) -> float:
    """Sum of the set distances from the members to what is published: what eq. 7 of Batet2014 makes small."""
    return fsum(distance(concepts, member) for member in members)


def descend(
    start: Codes, pool: Collection[int], distance: Callable[[Codes], float], allowed: Callable[[Codes], bool]
) -> Codes:
    """From a set of concepts to one that no allowed removal, replacement or addition of one concept brings closer.

    Each step takes the move that gains most; ties: removals, then replacements, then additions, lower codes first.
    """
    chosen = nearest = tuple(sorted(start))
    least = distance(chosen)
    while True:
        others = [x for x in sorted(pool) if x not in chosen]
        fewer = [tuple(c for c in chosen if c != out) for out in chosen]
        moves = [rest for rest in fewer if rest]
        moves += [(*rest, x) for rest in [*fewer, chosen] for x in others]
        for move in moves:
            found = distance(move)
            if found < least - GAIN and allowed(move):
                nearest, least = move, found
        if nearest == chosen:
            return chosen
        chosen = nearest = tuple(sorted(nearest))


# ---------------------------------------------------------------------- groups


def between(holders: Holders, measure: str, content: str | Floats, whole: int = 1 << 22) -> Between:
    """Concept distances from what is held to what somebody has; all at once where they are few, to save time."""
    tax, rows, columns = holders.tax, np.flatnonzero(holders.counts), np.unique(holders.sets.codes)
    if len(rows) * len(columns) > whole:
        if (how := direct(tax, measure, content_for(distance_named(measure), tax, content))) is not None:
            return lambda a, b: direct_table(how, a, b)
        return lambda a, b: concept_distances(tax, a, b, measure, content=content, threads=1)
    table = concept_distances(tax, rows, columns, measure, content=content, threads=1)
    row, column = np.empty((2, len(tax)), np.int64)
    row[rows], column[columns] = np.arange(len(rows)), np.arange(len(columns))
    return lambda a, b: table[row[a][:, None], column[b]]


class Group:
    """The records `rows` of `holders`, ready to be represented; their order does not matter.

    own: all concepts of the members; held: with their ancestors, ascending; pool: positions in `held` of what may be
    published, which are the concepts of the members and what they may rise to. The rest is as in members.py.
    """

    def __init__(self, holders: Holders, rows: Sequence[int], rule: Rule, how: Aggregation, d: Between) -> None:
        tax, self.holders, self.rule = holders.tax, holders, rule
        at = np.asarray(rows, np.int64)
        self.rows: Long = at[np.argsort(holders.person[at], kind="stable")]  # by person
        self.who = holders.person[self.rows]
        found = gather(holders.sets.start, holders.sets.codes, tax.ancestor_start, tax.ancestor, self.rows)
        self.own, self.held, self.place, self.first, self.item, self.member, self.holds = found
        count, persons = persons_holding(self.holds, self.member, self.who, np.ones(len(at), np.bool_))
        self.common = 2 * count >= persons
        printable = ANYTHING if rule.printable is None else rule.printable
        fewest = rule.k if rule.known_items else 0
        fit = publishable(self.held, self.place, tax.depths, tax.instance, printable, holders.counts, fewest)
        self.fit = np.flatnonzero(fit)  # what may be published, but for the consensus
        self.pool = np.flatnonzero(fit & self.common) if rule.consensus else self.fit
        self.seen = np.zeros((len(fit), len(fit)), np.int8), np.full((len(fit), max(1, rule.known_items - 1)), -1)
        times = np.bincount(self.member, minlength=len(self.holds)).astype(np.float64)
        form = SUMS if how.by_size else MEAN if how.both_ways else ENDS
        self.task: Task = task_of(d(self.held, self.own), self.first, self.item, times, form, INNER[how.inner])

    @cached_property
    def half(self) -> set[int]:
        """The concepts that half of the group's persons hold."""
        return set(self.held[self.common].tolist())

    @cached_property
    def medoid(self) -> Codes:
        """The member with the least sum of distances to all [Batet2014, eq. 7]; ties: the lowest codes."""
        sums = distances_between(self.task, self.first, self.item, self.place) @ self.task[5]
        r = int(np.argmin(sums.round(9)))
        return tuple(self.own[self.item[self.first[r] : self.first[r + 1]]].tolist())

    @property
    def support(self) -> Task:
        """What the kernels need to know of who holds what."""
        return *self.holders.lists, self.held, *self.seen

    def distance(self, concepts: Collection[int]) -> float:
        """total_distance of concepts that members hold."""
        return float(total(self.task, np.searchsorted(self.held, sorted(concepts))))

    def settle(self, concepts: Iterable[int]) -> Codes:
        rule, within = self.rule, self.half if self.rule.consensus else None
        return self.holders.settle(concepts, rule.k, rule.known_items, printable=rule.printable, within=within).concepts

    def descend(self, start: Collection[int]) -> Codes:
        """descend over the pool, under the support rule."""
        chosen = np.empty(len(self.held) + 1, np.int64)
        chosen[: len(start)] = np.searchsorted(self.held, sorted(start))
        rule = (self.rule.k, self.rule.known_items)
        n = descend_fast(self.task, self.pool, self.support, rule, chosen, len(start), self.distance(start))
        return tuple(self.held[chosen[:n]].tolist())


# ---------------------------------------------------------------------- representatives by name


def medoid(group: Group) -> Codes:
    """The record closest to all [Batet2014, eq. 7]."""
    return group.medoid


def medoid_supported(group: Group) -> Codes:
    """The medoid under the support rule."""
    return group.settle(group.medoid)


def consensus(group: Group) -> Codes:
    """The most specific concepts that half of the group's persons hold, under the support rule."""
    tax, own = group.holders.tax, set(group.own.tolist())
    shared = [c for c in group.half if c in own or (tax.depths[c] > 1 and not tax.instance[c])]
    above = {t for c in shared for t in tax.ancestors(c) if t != c}
    return group.settle(c for c in shared if c not in above)


def best(group: Group) -> Codes:
    """The closest set that `descend` finds from the medoid, from the consensus (both supported) and from nothing."""
    found = [group.descend(start) for start in (medoid_supported(group), consensus(group), ())]
    return min(found, key=lambda concepts: round(group.distance(concepts), 9))


def closest(group: Group) -> Codes:
    """The one concept that is closest to all members, for columns of one value; nothing where none is allowed."""
    found = [(round(group.distance([c]), 9), c) for c in group.held[group.pool].tolist()]
    return (min(found)[1],) if found else ()


@dataclass(frozen=True, slots=True)
class Representative:
    """A way to choose what stands for a group; `supported` ones obey the support rule. `exposes` is for the report,
    which fills in k and how many concepts are looked at together."""

    name: str
    choose: Callable[[Group], Codes]
    exposes: str
    supported: bool = True
    paper: str = ""


RULED = "{no_concepts} that fewer than {k} persons hold; a whole set may be held by fewer"
REPRESENTATIVES = {
    r.name: r
    for r in (
        Representative("best", best, RULED),
        Representative("closest", closest, RULED),
        Representative("medoid-supported", medoid_supported, RULED, paper="Batet2014"),
        Representative("consensus", consensus, RULED),
        Representative("medoid", medoid, "all concepts of one person's record", supported=False, paper="Batet2014"),
    )
}


@dataclass(frozen=True, slots=True)
class GroupConcepts:
    """What stands for a group, the sum of its distances to the members, and how it differs from the plain medoid."""

    concepts: Codes
    distance: float
    raised: tuple[tuple[int, int], ...]
    dropped: Codes
    added: Codes


def represent(
    holders: Holders,
    groups: Iterable[Sequence[int]],
    rule: Rule,
    representative: "str | Representative" = "best",
    aggregate: str = "min-sum",
    measure: str = "jaccard",
    content: str | Floats = "seco",
    *,
    progress: Progress = SILENCE,
) -> list[GroupConcepts]:
    """What each group (row numbers of the records in `holders`) publishes; nothing where the rule allows nothing."""
    if isinstance(representative, str):
        if representative not in REPRESENTATIVES:
            known = ", ".join(REPRESENTATIVES)
            raise BadPlan(f"representative: {representative!r} is not known. Choose one of {known}.")
        representative = REPRESENTATIVES[representative]
    how, d = aggregation_named(aggregate), between(holders, measure, content)
    choose, found, every = representative.choose, list[GroupConcepts](), list(groups)
    progress.start("what the groups publish", len(every))
    for rows in every:
        group = Group(holders, rows, rule, how, d)
        found.append(published(group, choose(group)))
        progress.advance()
    progress.finish()
    return found


def published(group: Group, concepts: Codes) -> GroupConcepts:
    """What there is to say of a set of concepts that stands for the group."""
    typical = group.medoid
    ways = {c: [t for t in group.holders.upwards(c) if t in concepts] for c in typical if c not in concepts}
    return GroupConcepts(
        concepts=concepts,
        distance=group.distance(concepts),
        raised=tuple((c, way[0]) for c, way in ways.items() if way),
        dropped=tuple(c for c, way in ways.items() if not way),
        added=tuple(t for t in concepts if t not in typical and all(t not in way for way in ways.values())),
    )


# ---------------------------------------------------------------------- the compiled twins


@kernel
def total(task, chosen):  # type: ignore[no-untyped-def]
    """total_distance of the concepts at these positions."""
    out, times = np.empty(len(task[5])), task[5]
    distances(task, chosen, out)
    return np.sum(times * out)


@kernel
def _weigh(weight, cost, n, task):  # type: ignore[no-untyped-def]
    """The weight of each column, and the cost of each concept, in a set of n."""
    _, sign, form, way, lengths, times, has = task
    weight[:], cost[:] = 0, 0
    for r in range(len(times)):
        if times[r] == 0:
            continue
        if form == ENDS:
            weight[r] = sign * times[r]
            continue
        share = times[r] / (n + lengths[r] if form == SUMS else n)
        for u in range(len(weight)):
            weight[u] += sign * has[r, u] * share
        for a in range(len(cost)):
            cost[a] += way[a, r] * share


@kernel
def descend_fast(task, pool, support, rule, chosen, n, least):  # type: ignore[no-untyped-def]
    """descend, in place on the positions chosen[:n] in what is held; how many are chosen in the end."""
    (k, m), (holder_start, holder, owner, codes, pairs, misfits), table = rule, support, task[0]
    weight, cost, rest, totals = np.empty(table.shape[1]), np.empty(len(table)), chosen.copy(), np.empty(len(pool))
    _weigh(weight, cost, 1, task)
    used = np.flatnonzero(weight)  # other columns belong to members that do not count here
    table = table[:, used]
    turned = np.ascontiguousarray(table[pool].T)
    near, next_near, whose = np.empty(len(used)), np.empty(len(used)), np.empty(len(used), np.int64)
    sums = np.empty(len(pool))
    while True:
        leaves, joins = -1, -1
        near[:], next_near[:], whose[:] = np.inf, np.inf, -1  # of each column the nearest of the set, and the second
        for i in range(n):
            for u in range(len(near)):
                d = table[chosen[i], u]
                if d < near[u]:
                    near[u], next_near[u], whose[u] = d, near[u], i
                elif d < next_near[u]:
                    next_near[u] = d
        for size in range(max(n - 1, 1), n + 2):  # one fewer, the same, one more
            _weigh(weight, cost, size, task)
            if size >= n:  # what each of the pool would bring, beside all of the set
                sums[:] = 0
                for u in range(len(near)):  # for the whole pool at once: the processor takes several in one step
                    w, least_d, line = weight[used[u]], near[u], turned[u]
                    for i in range(len(line)):
                        sums[i] += w * (line[i] if line[i] < least_d else least_d)
            for out in range(n if size <= n else 1):
                kept, fixed = 0, 0.0
                for i in range(n):
                    if size > n or i != out:
                        rest[kept], kept, fixed = chosen[i], kept + 1, fixed + cost[chosen[i]]
                if size == kept:
                    for u in range(len(near)):
                        fixed += weight[used[u]] * (next_near[u] if whose[u] == out else near[u])
                    if fixed < least - GAIN:
                        least, leaves, joins = fixed, out, -1
                    continue
                for i in range(len(pool)):
                    totals[i] = fixed + cost[pool[i]] + sums[i]
                for u in range(len(near) if size <= n else 0):  # where what leaves was the nearest
                    if whose[u] != out:
                        continue
                    w, least_d, second, line = weight[used[u]], near[u], next_near[u], turned[u]
                    for i in range(len(line)):
                        totals[i] += w * (min(line[i], second) - min(line[i], least_d))
                for i in range(len(pool)):
                    x = pool[i]
                    if totals[i] >= least - GAIN or (chosen[:n] == x).any():
                        continue
                    if fits_knowing(holder_start, holder, owner, codes, pairs, misfits, rest, kept, x, k, m):
                        least, leaves, joins = totals[i], out if size <= n else -1, x
        if leaves >= 0:
            chosen[leaves], n = chosen[n - 1], n - 1
        if joins >= 0:
            chosen[n], n = joins, n + 1
        if leaves < 0 and joins < 0:
            return n
        sort(chosen[:n])

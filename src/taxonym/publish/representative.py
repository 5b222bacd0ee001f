"""What a group publishes: one set of concepts that stands for all its records, of which none is above another.

The paper publishes the concepts of the medoid, the record closest to all [Batet2014, eq. 7 and §3.2]. Nothing says that
the set that tells most of a group is somebody's record: `best` looks for it among all that the members hold, at any
level of the taxonomy, under the support rule (antichain.py).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from taxonym.distance.direct import direct
from taxonym.distance.direct import table as direct_table
from taxonym.distance.matrix import concept_distances
from taxonym.distance.registry import content_for, distance_named
from taxonym.distance.sets import Aggregation, aggregation_named
from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Codes, Floats, Long, Mask
from taxonym.publish.antichain import most_specific
from taxonym.publish.members import (
    ENDS,
    INNER,
    MEAN,
    SUMS,
    distances_between,
    gather,
    persons_holding,
    task_of,
)
from taxonym.publish.objective import MANY, worthiest
from taxonym.records.support import Holders, Rule

Between: TypeAlias = Callable[[Long, Long], Floats]


# ---------------------------------------------------------------------- groups


def between(holders: Holders, measure: str, content: str | Floats, whole: int = 1 << 22) -> Between:
    """Concept distances between what somebody has; all at once where they are few, to save time."""
    tax, used = holders.tax, np.unique(holders.sets.codes)
    if len(used) ** 2 > whole:
        if (how := direct(tax, measure, content_for(distance_named(measure), tax, content))) is not None:
            return lambda a, b: direct_table(how, a, b)
        return lambda a, b: concept_distances(tax, a, b, measure, content=content, threads=1)
    table = concept_distances(tax, used, used, measure, content=content, threads=1)
    place = np.empty(len(tax), np.int64)
    place[used] = np.arange(len(used))
    return lambda a, b: table[place[a][:, None], place[b]]


class Group:
    """The records `rows` of `holders`, ready to be represented; their order does not matter.

    own: all concepts of the members; held: with their ancestors, ascending. The rest is as in members.py.
    """

    def __init__(self, holders: Holders, rows: Sequence[int], rule: Rule, how: Aggregation, d: Between) -> None:
        tax, self.holders, self.rule, self.how, self.d = holders.tax, holders, rule, how, d
        at = np.asarray(rows, np.int64)
        self.rows: Long = at[np.argsort(holders.person[at], kind="stable")]  # by person
        found = gather(holders.sets.start, holders.sets.codes, tax.ancestor_start, tax.ancestor, self.rows)
        self.own, self.held, self.place, self.first, self.item, self.member, self.holds = found
        everybody = np.ones(len(at), np.bool_)
        count, persons = persons_holding(self.holds, self.member, holders.person[self.rows], everybody)
        self.common: Mask = 2 * count >= persons

    @cached_property
    def half(self) -> set[int]:
        """The concepts that half of the group's persons hold."""
        return set(self.held[self.common].tolist())

    @cached_property
    def medoid(self) -> Codes:
        """The member with the least sum of distances to all [Batet2014, eq. 7]; ties: the lowest codes."""
        times = np.bincount(self.member, minlength=len(self.holds)).astype(np.float64)
        form = SUMS if self.how.by_size else MEAN if self.how.both_ways else ENDS
        task = task_of(self.d(self.own, self.own), self.first, self.item, times, form, INNER[self.how.inner])
        sums = distances_between(task, self.first, self.item, np.arange(len(self.own))) @ times
        r = int(np.argmin(sums.round(9)))
        return tuple(self.own[self.item[self.first[r] : self.first[r + 1]]].tolist())

    def settle(self, concepts: Iterable[int]) -> Codes:
        """The concepts under the support rule; what is above another of them goes without saying."""
        rule, within = self.rule, self.half if self.rule.consensus else None
        found = self.holders.settle(concepts, rule.k, rule.known_items, printable=rule.printable, within=within)
        return most_specific(self.holders.tax, found.concepts)


# ---------------------------------------------------------------------- representatives by name


def medoid(group: Group) -> Codes:
    """The record closest to all [Batet2014, eq. 7], less what its other concepts say already."""
    return most_specific(group.holders.tax, group.medoid)


def medoid_supported(group: Group) -> Codes:
    """The medoid under the support rule."""
    return group.settle(medoid(group))


def consensus(group: Group) -> Codes:
    """The most specific concepts that half of the group's persons hold, under the support rule."""
    tax, own = group.holders.tax, set(group.own.tolist())
    shared = [c for c in group.half if c in own or (tax.depths[c] > 1 and not tax.instance[c])]
    return group.settle(most_specific(tax, shared))


def best(group: Group) -> Codes:
    """What is worth most to the group, under the support rule."""
    return worthiest(group.holders, [group.rows.tolist()], group.rule)[0]


def closest(group: Group) -> Codes:
    """The one concept that is worth most to all members, for columns of one value; nothing where none is allowed."""
    return worthiest(group.holders, [group.rows.tolist()], group.rule, 1)[0]


@dataclass(frozen=True, slots=True)
class Representative:
    """A way to choose what stands for a group; `supported` ones obey the support rule. `exposes` is for the report,
    which fills in k and how many concepts are looked at together. `most`: how many concepts the search for what is
    worth most may publish, where that is how it is chosen, for all groups at once."""

    name: str
    choose: Callable[[Group], Codes]
    exposes: str
    supported: bool = True
    paper: str = ""
    most: int = 0


RULED = "{no_concepts} that fewer than {k} persons hold; a whole set may be held by fewer"
REPRESENTATIVES = {
    r.name: r
    for r in (
        Representative("best", best, RULED, most=MANY),
        Representative("closest", closest, RULED, most=1),
        Representative("medoid-supported", medoid_supported, RULED, paper="Batet2014"),
        Representative("consensus", consensus, RULED),
        Representative("medoid", medoid, "all concepts of one person's record", supported=False, paper="Batet2014"),
    )
}


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
) -> list[Codes]:
    """What each group (row numbers of the records in `holders`) publishes; nothing where the rule allows nothing.

    `aggregate`, `measure` and `content` say which record is the medoid; what is worth most does not depend on them.
    """
    if isinstance(representative, str):
        if representative not in REPRESENTATIVES:
            known = ", ".join(REPRESENTATIVES)
            raise BadPlan(f"representative: {representative!r} is not known. Choose one of {known}.")
        representative = REPRESENTATIVES[representative]
    every = list(groups)
    progress.start("what the groups publish", len(every))
    found = list[Codes]()
    if representative.most:
        found = worthiest(holders, every, rule, representative.most)
        progress.advance(len(every))
    else:
        how, d = aggregation_named(aggregate), between(holders, measure, content)
        for rows in every:
            found.append(representative.choose(Group(holders, rows, rule, how, d)))
            progress.advance()
    progress.finish()
    return found

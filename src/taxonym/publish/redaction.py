"""Keep what is similar, generalise what is not [ImranDaud2022, Algorithm 3, lines 14-18].

As printed, similar attributes take those of the centroid and others become a node above them, record by record: the
records of a group still differ, so it is not k-anonymous. Here the job is finished, so that a group publishes one set:

    similar     an attribute of the centroid that at least half of the members have, or a similar one, stands for these
    other       every attribute that is similar to none of them rises to the nearest concept that all members hold; of
                these the lowest are kept, for who holds one holds all that is above it
    the rule    what is left obeys the support rule, as everywhere

A `Veil` hides what nearly all of a group share: a sensitive concept that more than a share of the members hold tells
about each of them, so that it is published as its topic only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from taxonym.distance.attributes import Attributes, Similar, collapse
from taxonym.knowledge.arrays import Codes, Mask
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.publish.representative import Group, best, medoid_supported
from taxonym.records.support import Holders
from taxonym.text.sensitive import Topics


def similar_by(holders: Holders, threshold: float, measure: str) -> Similar:
    """Which of the concepts that somebody has are similar."""
    found = Attributes.of(holders.sets, threshold, measure)
    alike = [set(run.tolist()) for run in np.split(found.alike, found.alike_start[1:-1])]
    place = {code: i for i, code in enumerate(found.codes.tolist())}
    return lambda a, b: place[b] in alike[place[a]]


def redact(group: Group, similar: Similar, share: float = 1.0) -> Codes:
    """The concepts that a group publishes; the supported medoid, or else the closest set, where nothing is left.

    `share` is that of the members who hold what others rise to. Less than all of them lose less: bench/adaptive.py.
    """
    first, every = group.first, group.own[group.item].tolist()
    members = [every[first[r] : first[r + 1]] for r in range(len(first) - 1)]
    times = np.bincount(group.member, minlength=len(members))

    def has(member: list[int], a: int) -> bool:
        return any(similar(a, b) for b in member)

    centroid = [attribute.code for attribute in collapse(group.medoid, similar)]
    kept = [
        a
        for a in centroid
        if 2 * sum(n for n, member in zip(times.tolist(), members, strict=True) if has(member, a)) >= times.sum()
    ]
    upwards, tax = group.holders.upwards, group.holders.tax
    shared = set(group.held[times @ group.holds >= share * times.sum()].tolist())
    shared -= {t for a in kept for t in tax.ancestors(a)}
    others = (b for b in group.own.tolist() if not any(similar(a, b) for a in kept))
    raised = {t for b in others for t in [t for t in upwards(b, group.rule.printable) if t in shared][:1]}
    above = {t for c in raised for t in tax.ancestors(c) if t != c}
    return group.settle([*kept, *(raised - above)]) or medoid_supported(group) or best(group)


@dataclass(frozen=True, slots=True, eq=False)
class Veil:
    """No sensitive concept is published that more than `limit` of a group's persons hold.

    Such a concept becomes the highest one above it that is still in its topic and may be printed, again and again if
    that is in further topics; itself, if that is it. Concepts that rise have no fewer holders, so the support rule
    stays kept.
    """

    holders: Holders
    topics: Topics
    printable: Mask
    limit: float
    inside: Mask  # of every concept whether it is sensitive
    tops: dict[int, int] = field(default_factory=dict)  # that were looked for

    @classmethod
    def of(cls, holders: Holders, topics: Topics, printable: Mask, limit: float) -> "Veil":
        inside = np.zeros(len(holders.tax), np.bool_)
        inside[: topics.matrix.shape[1]] = topics.anywhere
        return cls(holders, topics, printable, limit, inside)

    def over(self, group: Sequence[int], concepts: Iterable[int]) -> dict[int, int]:
        """What each of the concepts of a group becomes."""
        holders, tops = self.holders, {c: c for c in concepts}
        if not (sensitive := [c for c in tops if self.inside[c]]):
            return tops
        persons = np.unique(holders.person[list(group)])
        for c in sensitive:
            theirs = holders.whose[holders.held[c]]
            if np.isin(persons, theirs).mean() > self.limit:
                self.tops[c] = self.tops[c] if c in self.tops else _top(holders.tax, c, self.topics, self.printable)
                tops[c] = self.tops[c]
        return tops


def veiled(veil: Veil, groups: Sequence[Sequence[int]], concepts: list[Codes]) -> tuple[list[Codes], int]:
    """What the groups publish behind a veil, and how many concepts rose."""
    every = [veil.over(group, codes) for group, codes in zip(groups, concepts, strict=True)]
    risen = sum(top != c for tops in every for c, top in tops.items())
    return [tuple(sorted(set(tops.values()))) for tops in every], risen


def _top(tax: Taxonomy, concept: int, topics: Topics, printable: Mask) -> int:
    """The highest printable concept of a concept's topics, and of that one's own."""
    while True:
        of: Mask = np.logical_or.reduce(topics.matrix[topics.matrix[:, concept]], axis=0)
        above = [t for t in tax.ancestors(concept) if t < len(of) and of[t] and printable[t]]
        highest = min(above, key=lambda t: (tax.depths[t], t), default=concept)
        if highest == concept:
            return concept
        concept = highest

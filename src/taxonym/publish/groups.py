"""What all groups publish: in columns of words the concepts that stand for each group, in others the median.

The support rule speaks of all concepts of a published record, whatever column they are in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np

from taxonym.distance.record import Compare
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Codes, Floats, Long, Mask
from taxonym.publish.redaction import Veil, redact, similar_by, veiled
from taxonym.publish.representative import RULED, GroupConcepts, Representative, represent
from taxonym.publish.wording import printable, synthesize
from taxonym.records.column import Column
from taxonym.records.records import renumbered
from taxonym.records.support import Holders, JointHolders, Rule
from taxonym.records.terms import Terms
from taxonym.records.words import WordColumn
from taxonym.text.sensitive import Topics

REDACTION = "redaction"


class ColumnSupport(Protocol):
    """What is needed to choose the concepts that groups publish in one column."""

    @property
    def column(self) -> Column: ...
    @property
    def topics(self) -> Topics | None: ...
    @property
    def holders(self) -> Holders: ...
    @property
    def printable(self) -> Mask: ...


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Who holds and who wrote what in one column: all that the support rule asks for."""

    words: WordColumn
    holders: Holders
    terms: Terms
    printable: Mask

    @property
    def column(self) -> Column:
        return self.words.column

    @property
    def topics(self) -> Topics | None:
        return self.words.topics

    @classmethod
    def of(cls, words: WordColumn, persons: Long, k: int) -> "Support":
        # searches walk holders in their order, which must not be that of the rows of the input
        holders, terms = Holders(words, renumbered(persons)), words.written(persons)
        return cls(words, holders, terms, may_be_told(words, holders.counts, terms, k))


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRepresentatives:
    """The concepts that each group publishes in one column, and how they differ from those of the group's medoid."""

    concepts: list[Codes]
    raised: int
    dropped: int
    added: int
    veiled: int = 0


def may_be_told(words: WordColumn, counts: Long, terms: Terms, k: int) -> Mask:
    """Of every concept of a column whether there is a word to print for it; counts[c] persons hold c."""
    mask = printable(words.tax, np.flatnonzero(counts).tolist(), terms, k, words.maps_to)
    if words.topics is not None and words.column.other_words == "drop":  # nor what lies above the topics
        mask[: words.topics.matrix.shape[1]] &= words.topics.anywhere
    return mask


def rule_of(rule: Rule, support: ColumnSupport) -> Rule:
    """The rule with what may be printed in one column."""
    return Rule(k=rule.k, known_items=rule.known_items, consensus=rule.consensus, printable=support.printable)


def choose(
    supports: Sequence[ColumnSupport],
    groups: Sequence[Sequence[int]],
    rule: Rule,
    representative: str,
    how: Compare,
    progress: Progress = SILENCE,
) -> list[ColumnRepresentatives]:
    """The concepts that each group publishes, column by column, under the support rule for all columns together."""
    found = []
    for one in supports:
        name: str | Representative = representative
        if one.column.kind == "nominal" and representative in ("best", REDACTION):
            name = "closest"
        elif representative == REDACTION:
            similar = similar_by(one.holders, how.threshold, how.measure)
            name = Representative(REDACTION, partial(redact, similar=similar), RULED, paper="ImranDaud2022")
        aggregate = "min-sum" if how.by_attributes else how.aggregate  # matching does not say which way is better
        parts = represent(
            one.holders, groups, rule_of(rule, one), name, aggregate, how.measure, how.content, progress=progress
        )
        if name == "medoid":  # as it is, but for what no word stands for
            parts = [replace(part, concepts=tuple(c for c in part.concepts if one.printable[c])) for part in parts]
        found.append(chosen_of(parts))
    if len(supports) > 1 and rule.known_items > 1 and representative != "medoid":
        together = JointHolders([one.holders for one in supports])
        masks = [one.printable for one in supports]
        for g in range(len(groups)):
            after = together.settle([column.concepts[g] for column in found], rule.k, rule.known_items, masks)
            for column, codes in zip(found, after, strict=True):
                column.concepts[g] = codes
    return found


def veil(
    supports: Sequence[ColumnSupport],
    groups: Sequence[Sequence[int]],
    chosen: Sequence[ColumnRepresentatives],
    limit: float,
) -> list[ColumnRepresentatives]:
    """Publish as its topic only what more than `limit` of a group share, in columns that name topics."""
    made = []
    for one, column in zip(supports, chosen, strict=True):
        topics = one.topics
        if topics is not None:
            codes, count = veiled(Veil.of(one.holders, topics, one.printable, limit), groups, column.concepts)
            column = replace(column, concepts=codes, veiled=count)
        made.append(column)
    return made


def chosen_of(parts: Sequence[GroupConcepts]) -> ColumnRepresentatives:
    return ColumnRepresentatives(
        [part.concepts for part in parts],
        sum(len(part.raised) for part in parts),
        sum(len(part.dropped) for part in parts),
        sum(len(part.added) for part in parts),
    )


def joined(one: ColumnRepresentatives, other: ColumnRepresentatives) -> ColumnRepresentatives:
    """What is published by the groups of one part and then those of another."""
    counts = (getattr(one, name) + getattr(other, name) for name in ("raised", "dropped", "added", "veiled"))
    return ColumnRepresentatives(one.concepts + other.concepts, *counts)


def with_concepts(
    groups: list[list[int]], chosen: list[ColumnRepresentatives]
) -> tuple[list[list[int]], list[ColumnRepresentatives]]:
    """The groups that have some concept left to publish; all of them where there are no columns of words."""
    kept = [g for g in range(len(groups)) if not chosen or any(column.concepts[g] for column in chosen)]
    if len(kept) == len(groups):
        return groups, chosen
    left = [replace(column, concepts=[column.concepts[g] for g in kept]) for column in chosen]
    return [groups[g] for g in kept], left


def words_for(
    support: Support,
    groups: Sequence[Sequence[int]],
    concepts: Sequence[Codes],
    k: int,
    rng: np.random.Generator,
    per_record: bool,
) -> list[list[tuple[str, ...]]]:
    """The words of every member of every group in one column."""
    words = support.words
    return synthesize(
        words.tax, groups, concepts, support.terms, k, words.maps_to, rng=rng, per_record=per_record
    ).records


def middle(values: Floats, group: Sequence[int]) -> int:
    """The row of a group that has the lower median of its numbers; one that is missing (NaN) where most are."""
    rows = sorted(group)
    return rows[int(np.argsort(values[rows], kind="stable")[(len(rows) - 1) // 2])]

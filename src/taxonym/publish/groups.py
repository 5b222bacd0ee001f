"""What groups would like to publish in columns of words: the concepts that stand for each group.

The support rule speaks of the whole published row; that is the business of publish/row.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from taxonym.distance.record import Compare
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Codes, Long, Mask
from taxonym.knowledge.floor import says_nothing
from taxonym.publish.antichain import most_specific
from taxonym.publish.redaction import Veil, redact, similar_by, veiled
from taxonym.publish.representative import RULED, Representative, represent
from taxonym.publish.wording import printable, synthesize
from taxonym.records.cells import typed
from taxonym.records.column import Column
from taxonym.records.records import renumbered
from taxonym.records.support import Holders, Rows, Rule
from taxonym.records.terms import MapsTo, Terms
from taxonym.records.thresholds import Thresholds
from taxonym.records.words import WordColumn
from taxonym.text.sensitive import Topics

if TYPE_CHECKING:
    import polars as pl

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
    k: int = 1

    @property
    def column(self) -> Column:
        return self.words.column

    @property
    def topics(self) -> Topics | None:
        return self.words.topics

    @property
    def maps_to(self) -> MapsTo:
        return self.words.maps_to

    @classmethod
    def of(
        cls, words: WordColumn, persons: Long, k: int, rows: Rows | None = None, secret: Thresholds | None = None
    ) -> "Support":
        """`rows` are those of the records, where some have several; `secret` are the thresholds in the place of k."""
        # searches walk holders in their order, which must not be that of the rows of the input
        holders, terms = Holders(words, renumbered(persons), rows), words.written(persons)
        terms.secret = secret
        return cls(words, holders, terms, may_be_told(words, holders.counts, terms, k), k)

    def among(self, rows: Rows, persons: Long, alive: Mask) -> "Support":
        """The same where only some rows count as held, and only what `alive` records wrote."""
        holders, terms = Holders(self.words, renumbered(persons), rows), self.words.written(persons, alive)
        terms.secret = self.terms.secret
        printable = self.printable.copy()
        lost = printable & (holders.counts < self.holders.counts)
        printable[lost] = may_be_told(self.words, np.where(lost, holders.counts, 0), terms, self.k)[lost]
        return replace(self, holders=holders, terms=terms, printable=printable)

    def released(self, persons: Long, alive: Mask) -> "Support":
        """The same where only the records that are published count, which are `alive`."""
        at = np.flatnonzero(alive)
        return self if alive.all() else self.among(Rows(self.words.take(at), at), persons, alive)


@dataclass(frozen=True, slots=True, eq=False)
class CellSupport:
    """Who holds what in a column that is not of words: ranges of numbers and dates, or cells that are kept."""

    column: Column
    holders: Holders
    maps_to: MapsTo
    texts: Callable[["pl.Series"], list[str | None]]

    def items(self, cells: "pl.Series", where: str) -> list[list[str]]:
        """What every cell of a release says, as maps_to takes it; nothing where it is empty."""
        return [[] if text is None else [text] for text in self.texts(typed(cells, self.column, where, ()))]


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRepresentatives:
    """The concepts that each group publishes in one column, and how many are published as their topic only."""

    concepts: list[Codes]
    veiled: int = 0


def may_be_told(words: WordColumn, counts: Long, terms: Terms, k: int) -> Mask:
    """Of every concept of a column whether it says something and there is a word to print for it; counts[c] persons
    hold c, which are enough where the threshold of the concept is a secret one."""
    tax, least = words.tax, terms.secret or Thresholds(k)
    counts = np.where(says_nothing(tax, words.column.least_content), 0, counts)
    mask = printable(tax, np.flatnonzero(counts).tolist(), terms, k, words.maps_to)
    if least.key:
        for code in np.flatnonzero(mask).tolist():
            mask[code] = counts[code] >= least.of("concept", tax.id(code))
    if words.topics is not None and words.column.other_words == "drop":  # nor what lies above the topics
        inside = words.topics.anywhere
        inside[tax.base :] |= tax.instance[tax.base : len(inside)] != 0  # values of the column stay
        mask[: len(inside)] &= inside
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
    """The concepts that each group would like to publish, under the support rule for each column alone."""
    found = []
    for one in supports:
        name: str | Representative = representative
        if one.column.kind == "nominal" and representative in ("best", REDACTION):
            name = "closest"
        elif representative == REDACTION:
            similar = similar_by(one.holders, how.threshold, how.measure)
            name = Representative(REDACTION, partial(redact, similar=similar), RULED, paper="ImranDaud2022")
        aggregate = "min-sum" if how.by_attributes else how.aggregate  # matching does not say which way is better
        concepts = represent(
            one.holders, groups, rule_of(rule, one), name, aggregate, how.measure, how.content, progress=progress
        )
        if name == "medoid":  # as it is, but for what no word stands for
            concepts = [tuple(c for c in some if one.printable[c]) for some in concepts]
        found.append(ColumnRepresentatives(concepts))
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
            codes = [most_specific(one.holders.tax, some) for some in codes]
            column = replace(column, concepts=codes, veiled=count)
        made.append(column)
    return made


def joined(one: ColumnRepresentatives, other: ColumnRepresentatives) -> ColumnRepresentatives:
    """What is published by the groups of one part and then those of another."""
    return ColumnRepresentatives(one.concepts + other.concepts, one.veiled + other.veiled)


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
    alike: bool = False,
) -> list[list[tuple[str, ...]]]:
    """The words of every member of every group in one column; `alike`, one word for each concept."""
    words = support.words
    return synthesize(
        words.tax, groups, concepts, support.terms, k, words.maps_to, rng=rng, per_record=per_record, alike=alike
    ).records

"""What a block of records does for itself, on whatever machine it is: form groups, ask, and choose what they publish.

A block looks at nothing but its own records and what is Shared with all blocks, which is little. Its records come in
the order of records/order.py, so that every engine forms the same groups and draws the same words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taxonym.distance.record import Compare
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Microaggregation, Plan
from taxonym.publish.groups import ColumnRepresentatives, choose, veil
from taxonym.publish.support_queries import Counter, Meaning, choices, proven, unproven
from taxonym.records.support import Rule


@dataclass(frozen=True, slots=True, eq=False)
class BlockContext:
    """What every block must know of the whole: the plan, and of every column of words what all persons hold."""

    plan: Plan
    meanings: Sequence[Meaning]

    @property
    def how(self) -> Compare:
        return self.plan.method.compare

    @property
    def name(self) -> str:
        """How the concepts of a group are chosen; words that are drawn for each record stand for the best ones."""
        wanted = Microaggregation.of(self.plan).representative
        return "best" if wanted == "per-record" else wanted

    def rule(self, known_items: int) -> Rule:
        method = Microaggregation.of(self.plan)
        return Rule(k=method.k, known_items=known_items, consensus=method.consensus)


def ask(shared: BlockContext, records: Sequence[Runs], groups: Sequence[Sequence[int]]) -> Long:
    """What the groups of a block would like to publish, if only it were known that k persons hold it together.

    `records` are the concepts of the block's records, column by column.
    """
    k, m = shared.plan.method.k, shared.plan.method.together
    if m < 2 or not shared.meanings:
        return choices((), m)
    columns = proven(shared.meanings, records, k, choices((), m))
    wished = choose(columns, groups, shared.rule(1), shared.name, shared.how)
    return unproven(columns, [column.concepts for column in wished], k, m)


def told(
    shared: BlockContext, records: Sequence[Runs], groups: Sequence[Sequence[int]], answers: Long
) -> list[ColumnRepresentatives]:
    """The concepts that each group of a block publishes in each column of words, under the support rule: what its own
    persons prove is held by k of them, and the answers to what blocks asked."""
    method = shared.plan.method
    columns = proven(shared.meanings, records, method.k, answers)
    chosen = choose(columns, groups, shared.rule(method.together), shared.name, shared.how)
    return veil(columns, groups, chosen, method.topic_share)


def holders_of(
    records: tuple[Sequence[Runs], Long], asked: Long, taxonomies: Sequence[Taxonomy], everywhere: Long, k: int
) -> Long:
    """How many persons hold each choice of concepts that blocks asked about, up to k, of those whose records are seen
    here: columns of runs, and whose each is. everywhere[c] persons hold c."""
    counter = Counter(asked, taxonomies, everywhere, k)
    if len(asked):
        counter.add(*records)
    return counter.counts


def entropy_of(rng: np.random.Generator) -> list[int]:
    """What all draws of a run depend on."""
    found: list[int] = rng.integers(0, 1 << 32, 8, np.uint32).tolist()
    return found


def generator(entropy: Sequence[int], key: Sequence[int]) -> np.random.Generator:
    """The randomness of one block: known by the run's entropy and the block's key, whoever draws."""
    return np.random.default_rng(np.random.SeedSequence(list(entropy), spawn_key=tuple(key)))

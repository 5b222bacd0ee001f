"""Recoded: records whose values were replaced by generalisations of them, all that a search for one gives back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from taxonym.knowledge.arrays import Codes, Mask
from taxonym.knowledge.concept_sets import ConceptSets


@dataclass(frozen=True, slots=True, eq=False)
class RecodingColumn(ConceptSets):
    """One column of words to generalise, the concepts of every record.

    A nominal column has one concept in every record. `allowed` says of every code whether it may be published (unless
    given, all may). `weight` is how much its costs count.
    """

    allowed: Mask | None = None
    weight: float = 1.0

    @property
    def nominal(self) -> bool:
        """Whether every record has exactly one concept."""
        return bool((self.sizes == 1).all())


@dataclass(frozen=True, slots=True, eq=False)
class Recoding:
    """Groups of records that are published alike: groups[g] are rows, concepts[g][c] what column c publishes for them.

    No concepts in a column means anything. What is published is true of every record of the group. `suppressed` are
    rows that are left out. `cost` is the sum over all records and columns, a suppressed record costing as much as one
    that becomes anything; no recoding of this kind can cost less than `bound`, so it is the cheapest where they are
    equal. `levels` says, where whole columns rise alike, how far each does.
    """

    groups: list[list[int]]
    concepts: list[tuple[Codes, ...]]
    cost: float
    bound: float
    suppressed: list[int] = field(default_factory=list)
    levels: Sequence[int] | None = None

    @property
    def cheapest(self) -> bool:
        return self.cost <= self.bound + 1e-9

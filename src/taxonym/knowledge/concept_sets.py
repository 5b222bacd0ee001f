"""Many sets of concepts over one taxonomy, and several taxonomies whose concepts share one row of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import Runs, edges
from taxonym.knowledge.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True, eq=False)
class ConceptSets(Runs):
    """Set i holds the concepts codes[start[i]:start[i + 1]] of a taxonomy."""

    tax: Taxonomy

    def upward(self) -> Self:
        """Every set with all that is above its concepts, ascending and each once."""
        which, at = self.tax.above(self.codes)
        closed = Runs.of_pairs(self.owner[which], self.tax.ancestor[at], len(self))
        return replace(self, start=closed.start, codes=closed.codes)

    def counts(self) -> Long:
        """How many sets hold each concept of the taxonomy, if every set holds a concept once."""
        return np.bincount(self.codes, minlength=len(self.tax))


def offsets(taxonomies: Sequence[Taxonomy]) -> Long:
    """Where the concepts of each taxonomy begin in the common row of numbers; the last is how many there are."""
    return edges([len(tax) for tax in taxonomies])


def joint_ancestors(taxonomies: Sequence[Taxonomy]) -> Runs:
    """The ancestors of every concept in the common row of numbers, itself included."""
    each = zip(taxonomies, offsets(taxonomies).tolist(), strict=False)
    return Runs.of(()).then(*(Runs(tax.ancestor_start, tax.ancestor + first) for tax, first in each))

"""Recoded: records whose values were replaced by generalisations of them, all that a search for one gives back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.taxonomy import Taxonomy

Long = NDArray[np.int64]
Codes = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RecodingColumn:
    """One column of words to generalise: record i has the concepts codes[start[i]:start[i + 1]] of `tax`.

    A nominal column has one concept in every record. `allowed` says of every code whether it may be published (unless
    given, all may). `weight` is how much its costs count.
    """

    tax: Taxonomy
    start: Long
    codes: NDArray[np.integer]
    allowed: NDArray[np.bool_] | None = None
    weight: float = 1.0

    def __len__(self) -> int:
        return len(self.start) - 1

    def record(self, row: int) -> Codes:
        return tuple(self.codes[self.start[row] : self.start[row + 1]].tolist())

    @property
    def nominal(self) -> bool:
        """Whether every record has exactly one concept."""
        return bool((np.diff(self.start) == 1).all())


@dataclass(frozen=True, slots=True, eq=False)
class Recoded:
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

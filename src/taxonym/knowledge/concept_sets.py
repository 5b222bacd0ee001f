"""Many sets of concepts over one taxonomy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Ints, expand, runs
from taxonym.knowledge.taxonomy import Taxonomy

S = TypeVar("S", bound="ConceptSets")
Long = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ConceptSets:
    """Set i holds the codes codes[start[i]:start[i + 1]]."""

    tax: Taxonomy
    start: Long
    codes: Ints

    @classmethod
    def of(cls: type[S], tax: Taxonomy, lists: Iterable[Sequence[int]], **more: Any) -> S:
        """The sets that are given as lists of codes."""
        return cls(tax, *runs(lists), **more)

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def sizes(self) -> Long:
        """How many codes each set holds."""
        found: Long = np.diff(self.start)
        return found

    def record(self, i: int) -> list[int]:
        """The codes of set i."""
        found: list[int] = self.codes[self.start[i] : self.start[i + 1]].tolist()
        return found

    def take(self: S, rows: Long) -> S:
        """Some of the sets, in the order of `rows`."""
        start, codes = taken(self.start, self.codes, rows)
        return replace(self, start=start, codes=codes)


def taken(start: NDArray[Any], values: NDArray[Any], rows: Long) -> tuple[Long, NDArray[Any]]:
    """Some runs, one after the other: where each begins, and their values."""
    first, last = start[rows], start[rows + 1]
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(last - first))), values[expand(first, last)]

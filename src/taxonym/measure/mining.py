"""What data mining still finds: how alike two clusterings are, clusterings themselves, and kept frequencies.

The definitions come first: two partitions of the same records are compared by counting pairs [NavarroArribas2010,
§3.2.1]. Then k-medoids on distances and k-means on features, with one and the same way to begin. Everything is
integers and arrays; what they stand for is the caller's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Labels: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]


# ---------------------------------------------------------------------- the definitions


@dataclass(frozen=True, slots=True)
class Pairs:
    """Of all pairs of records: together in both partitions, in the first only, in the second only, in neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def all(self) -> int:
        return self.both + self.first + self.second + self.neither

    @property
    def rand(self) -> float:
        """Share of pairs on which two partitions agree [Rand1971].

            R = (a + d) / (a + b + c + d)

        a: together in both, b and c: in one of them only, d: in neither. 1 where there is no pair.
        """
        return (self.both + self.neither) / self.all if self.all else 1.0

    @property
    def jaccard(self) -> float:
        """The same share without the pairs that are apart in both [NavarroArribas2010, §3.2.1].

            J = a / (a + b + c)

        1 where no pair is together in either.
        """
        together = self.both + self.first + self.second
        return self.both / together if together else 1.0

    @property
    def adjusted_rand(self) -> float:
        """Rand's index, 0 for what chance alone agrees on and 1 for equal partitions [HubertArabie1985].

            A = (a - e) / (m - e),   e = (a + b)(a + c) / n,   m = ((a + b) + (a + c)) / 2

        n counts all pairs. Rand and Jaccard grow with the number of clusters whatever these are (see Figure 3.8 of
        [NavarroArribas2010]); this one does not. 1 where both partitions are trivial in the same way.
        """
        if not self.all:
            return 1.0
        one, two = self.both + self.first, self.both + self.second
        expected, most = one * two / self.all, (one + two) / 2
        return (self.both - expected) / (most - expected) if most != expected else 1.0


def count_pairs(first: Sequence[int], second: Sequence[int]) -> Pairs:
    """Every pair of records, looked at one by one."""
    seen = [0, 0, 0, 0]
    for i, j in combinations(range(len(first)), 2):
        seen[2 * (first[i] != first[j]) + (second[i] != second[j])] += 1
    return Pairs(*seen)


# ---------------------------------------------------------------------- the same from a table of counts


def pairs(first: NDArray[np.integer], second: NDArray[np.integer]) -> Pairs:
    """count_pairs from how many records are in every pair of clusters."""
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} labels are not of the same records")
    one, two = (np.unique(labels, return_inverse=True)[1].astype(np.int64) for labels in (first, second))
    cells = np.unique(one * (int(two.max(initial=0)) + 1) + two, return_counts=True)[1]
    both, ones, twos = (_together(counts) for counts in (cells, np.bincount(one), np.bincount(two)))
    n = len(first) * (len(first) - 1) // 2
    return Pairs(both, ones - both, twos - both, n - ones - twos + both)


def _together(counts: NDArray[np.integer]) -> int:
    """Pairs within clusters of these sizes."""
    return sum(c * (c - 1) // 2 for c in counts.tolist())

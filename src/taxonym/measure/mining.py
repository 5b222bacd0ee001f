"""What data mining still finds: how alike two clusterings are, clusterings themselves, and kept frequencies.

The definitions come first: two partitions of the same records are compared by counting pairs [NavarroArribas2010,
§3.2.1]. Then k-medoids on distances and k-means on features, with one and the same way to begin. Everything is
integers and arrays; what they stand for is the caller's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Floats, Long

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


# ---------------------------------------------------------------------- clusterings


def k_medoids(apart: NDArray[Any], n: int, rng: np.random.Generator, rounds: int = 30) -> Long:
    """A clustering of records into at most n clusters, from their distances: k-means with medoids in place of means.

    Records go to the nearest medoid (ties: the first), and the medoid of a cluster becomes the member with the least
    sum of distances to all of it, until nothing changes. It begins with records drawn by D² [ArthurVassilvitskii2007].
    """
    middles = _spread_out(lambda row: apart[row].astype(np.float64), len(apart), n, rng)
    labels: Long = np.argmin(apart[:, middles], axis=1)
    for _ in range(rounds):
        for c in np.unique(labels).tolist():
            rows = np.flatnonzero(labels == c)
            middles[c] = rows[np.argmin(apart[np.ix_(rows, rows)].sum(axis=1, dtype=np.float64))]
        again = np.argmin(apart[:, middles], axis=1)
        if np.array_equal(again, labels):
            break
        labels = again
    return labels


def k_means(points: Floats, n: int, rng: np.random.Generator, rounds: int = 30) -> Long:
    """A clustering of points into at most n clusters by Lloyd's iterations, beginning as k_medoids does."""
    sizes = (points**2).sum(axis=1)

    def apart(middles: Floats) -> Floats:
        found: Floats = np.maximum(0.0, sizes[:, None] - 2 * points @ middles.T + (middles**2).sum(axis=1))
        return found

    first = _spread_out(lambda row: np.sqrt(apart(points[[row]])[:, 0]), len(points), n, rng)
    middles = points[first].copy()
    labels: Long = np.argmin(apart(middles), axis=1)
    for _ in range(rounds):
        for c in np.unique(labels).tolist():
            middles[c] = points[labels == c].mean(axis=0)
        again = np.argmin(apart(middles), axis=1)
        if np.array_equal(again, labels):
            break
        labels = again
    return labels


def _spread_out(apart: Callable[[int], Floats], n: int, wanted: int, rng: np.random.Generator) -> Long:
    """Records to begin with, each drawn in proportion to its squared distance to the nearest of those before it
    [ArthurVassilvitskii2007]; where all are at 0, any that was not drawn yet."""
    chosen = [int(rng.integers(n))]
    nearest = apart(chosen[0]) ** 2
    while len(chosen) < min(wanted, n):
        weights = nearest.copy()
        weights[chosen] = 0
        if not weights.sum():
            weights = np.ones(n)
            weights[chosen] = 0
        chosen.append(int(rng.choice(n, p=weights / weights.sum())))
        nearest = np.minimum(nearest, apart(chosen[-1]) ** 2)
    return np.array(chosen, np.int64)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How alike clusterings are on average."""

    rand: float
    jaccard: float
    adjusted_rand: float

    @classmethod
    def mean(cls, found: Sequence[Pairs]) -> "Agreement":
        every = [(one.rand, one.jaccard, one.adjusted_rand) for one in found]
        return cls(*(float(np.mean(column)) for column in zip(*every, strict=True)))


def agreement(
    cluster: Callable[[int, np.random.Generator], Long],
    again: Callable[[int, np.random.Generator], Long],
    n: int,
    runs: int,
    rng: np.random.Generator,
) -> tuple[Agreement, Agreement]:
    """How alike clusterings into n clusters of an original and of its release are, and, as the most that can be hoped
    for, two of the original that begin elsewhere. Every one of the `runs` has beginnings of its own."""
    first, other, second = ([make(n, rng) for _ in range(runs)] for make in (cluster, cluster, again))
    compared = [pairs(a, b) for a, b in zip(first, second, strict=True)]
    return Agreement.mean(compared), Agreement.mean([pairs(a, b) for a, b in zip(first, other, strict=True)])


# ---------------------------------------------------------------------- frequencies


def total_variation(first: NDArray[Any], second: NDArray[Any]) -> float:
    """How far apart two distributions are: the share of all lines that would have to be about something else.

        TV = ½ Σ_i |p_i / Σp - q_i / Σq|

    1 where one of them is empty and the other is not.
    """
    p, q = (np.asarray(values, np.float64) for values in (first, second))
    if not p.sum() or not q.sum():
        return float(bool(p.sum()) != bool(q.sum()))
    return float(np.abs(p / p.sum() - q / q.sum()).sum() / 2)


def still_on_top(first: NDArray[Any], second: NDArray[Any], n: int) -> int:
    """How many of the n most frequent things are among the n most frequent of the other distribution; ties: the lower
    number. What does not occur is never among them."""
    tops = []
    for values in (first, second):
        order = np.argsort(-np.asarray(values, np.float64), kind="stable")[:n]
        tops.append({int(i) for i in order if values[i] > 0})
    return len(tops[0] & tops[1])

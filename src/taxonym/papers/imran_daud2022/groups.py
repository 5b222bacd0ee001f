"""Equation 9 and Algorithm 3 of [ImranDaud2022], in the reading that gives Examples 4 and 5.

For checking the paper, not for publishing: what it finds depends on the order of the records, loses records and leaves
groups below k. The grouping that is meant for a release is `adaptive-mdav`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import NoReturn

from taxonym.errors import BadPlan
from taxonym.papers.imran_daud2022.printed import Pair
from taxonym.plan import FOR_CHECKING

Scores = dict[Pair, float]

SLACK = 1e-12  # a score that exceeds the mean in its last digits only equals it


def least_pairs(distances: Sequence[Sequence[float]]) -> Scores:
    """S: of every row of the upper triangle the pairs with the least distance, all ties kept [ImranDaud2022, eq. 9]."""
    found: Scores = {}
    for i in range(len(distances) - 1):
        least = min(distances[i][i + 1 :])
        found |= {(i, j): least for j in range(i + 1, len(distances)) if distances[i][j] == least}
    return found


def centroid_score(S: Mapping[Pair, float]) -> float:
    """The mean over S [ImranDaud2022, eq. 9]."""
    return fsum(S.values()) / len(S)


@dataclass(frozen=True, slots=True)
class Marks:
    """The pairs that one round of Algorithm 3 looks for."""

    centroid: Pair  # line 5: the largest score that is not above the mean; the first of ties
    farthest: Pair  # line 6: the largest score; the last of ties
    opposite: Pair  # line 7: the pair farthest from that one, so the least score; the first of ties


def marks(S: Mapping[Pair, float]) -> Marks:
    mean = centroid_score(S)
    centroid = max((pair for pair in S if S[pair] <= mean + SLACK), key=lambda pair: S[pair])
    farthest = max(reversed(list(S)), key=lambda pair: S[pair])
    return Marks(centroid, farthest, min(S, key=lambda pair: S[pair]))


# Which pairs are "closer to" a marked one (lines 8 and 10), from the scores of the pair, of the marked one, of the
# centroid pair and of the other marked one. Only the first gives Example 5.
CLOSER: dict[str, Callable[[float, float, float, float], bool]] = {
    "on its side of the centroid": lambda d, mark, centroid, other: (d - centroid) * (mark - centroid) > 0,
    "than to the other": lambda d, mark, centroid, other: abs(d - mark) < abs(d - other),
    "than to the centroid": lambda d, mark, centroid, other: abs(d - mark) < abs(d - centroid),
}


@dataclass(frozen=True, slots=True)
class PrintedGroups:
    """What Algorithm 3 makes of some records: its groups, the pairs that brought each together, and its faults."""

    groups: list[list[int]]
    pairs: list[Scores]
    lost: list[int]  # records in no group
    below_k: list[list[int]]

    def __iter__(self) -> NoReturn:
        """Groups to publish are lists; this is none."""
        raise BadPlan(f"algorithm3: {FOR_CHECKING}")


def algorithm3(
    distances: Sequence[Sequence[float]], k: int, closer: str = "on its side of the centroid"
) -> PrintedGroups:
    """Lines 1-13 of Algorithm 3 [ImranDaud2022].

    As long as there are more than k pairs: the records of all pairs that score below the centroid pair are one group,
    and every pair with one of them goes; the records of all pairs left that score above it are another, likewise. The
    records of the pairs that are left at the end are the last group. If all pairs score alike no group can be formed,
    and they are left. `closer` names other readings of lines 8 and 10.
    """
    left = least_pairs(distances)
    formed: list[Scores] = []
    while len(left) > k:
        found, before = marks(left), len(formed)
        low, middle, high = left[found.opposite], left[found.centroid], left[found.farthest]
        for mark, other in ((low, high), (high, low)):
            chosen = {pair: d for pair, d in left.items() if CLOSER[closer](d, mark, middle, other)}
            if chosen:
                formed.append(chosen)
                gone = set(records(chosen))
                left = {pair: d for pair, d in left.items() if not gone & set(pair)}
        if len(formed) == before:
            break
    formed += [left] if left else []
    groups = [records(pairs) for pairs in formed]
    placed = {record for group in groups for record in group}
    lost = [record for record in range(len(distances)) if record not in placed]
    return PrintedGroups(groups, formed, lost, [group for group in groups if len(group) < k])


def records(pairs: Mapping[Pair, float]) -> list[int]:
    return sorted({record for pair in pairs for record in pair})


def group_centroids(pairs: Mapping[Pair, float]) -> list[int]:
    """The records that may be the centroid of a group (line 15): in most of its pairs; of those, in the closest pair.

    Of several, "any query record can be chosen" [ImranDaud2022, §3.3.1].
    """
    rank = {
        record: (-sum(record in pair for pair in pairs), min(d for pair, d in pairs.items() if record in pair))
        for record in records(pairs)
    }
    best = min(rank.values())
    return [record for record in rank if rank[record] == best]

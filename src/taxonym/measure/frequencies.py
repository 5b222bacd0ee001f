"""How often concepts are published, beside how often they are held, and which of them go together."""

from itertools import combinations
from math import log
from typing import Any

import numpy as np

from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.concept_sets import ConceptSets

TOP = 20  # concepts that are looked at one by one
FEWEST = 3  # pairs of which a correlation says something


def total_variation(before: Long | Floats, after: Long | Floats) -> float | None:
    """Half of the sum of the differences between two distributions: the share of items that would have to become
    others. before[c] and after[c] count concept c."""
    if not before.sum() or not after.sum():
        return None
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def shift_by_person(before: ConceptSets, after: ConceptSets) -> float | None:
    """The total variation where everybody weighs alike: the concepts of a set share a weight of 1. Nobody changes it by
    more than one of all persons."""
    return total_variation(*(_shares(sets) for sets in (before, after)))


def _shares(sets: ConceptSets) -> Floats:
    return np.bincount(sets.codes, 1 / sets.sizes[sets.owner], len(sets.tax)).astype(np.float64)


def most_frequent(counts: Long, n: int = TOP) -> Long:
    """The concepts that are counted most often, the most frequent first; ties: the lowest code."""
    order = np.argsort(-counts, kind="stable")[:n]
    return order[counts[order] > 0].astype(np.int64)


def rank_correlation(x: Floats, y: Floats) -> float | None:
    """Spearman's: the correlation of ranks, equal values sharing theirs; None where all of one are equal."""
    return correlation(*(_ranks(values) for values in (x, y)))


def correlation(x: Floats, y: Floats) -> float | None:
    """Pearson's; None where all of one are equal, or there are too few."""
    if len(x) < FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(np.corrcoef(x, y)[0, 1])


def _ranks(values: Floats) -> Floats:
    _, at, times = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    ranks: Floats = (last - (times - 1) / 2)[at]
    return ranks


def frequency_shift(before: Long, after: Long) -> dict[str, Any]:
    """Of concepts that are held before[c] times and published after[c] times."""
    held, shown = most_frequent(before), most_frequent(after)
    both = np.union1d(held, shown)
    return {
        "total_variation": total_variation(before, after),
        "top_20_in_common": len(np.intersect1d(held, shown)),
        "rank_correlation": rank_correlation(before[both].astype(np.float64), after[both].astype(np.float64)),
    }


def lifts(sets: ConceptSets, concepts: Long) -> dict[tuple[int, int], float]:
    """The logarithm of how much more often two concepts are in one set than if they had nothing to do with each other,
    of all pairs that are in some set together."""
    member = np.zeros((len(sets), len(concepts)), np.bool_)
    for i, c in enumerate(concepts.tolist()):
        member[sets.owner[sets.codes == c], i] = True
    n, own = len(sets), member.sum(axis=0)
    found = {}
    for i, j in combinations(range(len(concepts)), 2):
        if together := int((member[:, i] & member[:, j]).sum()):
            found[int(concepts[i]), int(concepts[j])] = log(n * together / (int(own[i]) * int(own[j])))
    return found


def lift_correlation(before: ConceptSets, after: ConceptSets) -> float | None:
    """How the lifts of pairs before go together with those after, over the pairs that there are in both of the twenty
    most frequent concepts which are both held and published."""
    held, shown = before.counts(), after.counts()
    shared = most_frequent(np.where(shown > 0, held, 0))
    both = lifts(before, shared), lifts(after, shared)
    pairs = sorted(both[0].keys() & both[1].keys())
    x, y = (np.array([found[pair] for pair in pairs], np.float64) for found in both)
    return correlation(x, y)

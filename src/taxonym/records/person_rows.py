"""Rows of a person: nobody owns more than 1/k of a class, where persons keep several rows.

A person gives at most as many rows to a class as the k-th largest of its members does. Then at least k members give
that many, so the share of each is 1/k at most.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Long, Mask


def within_shares(number: Long, persons: Long, k: int, lots: NDArray[Any]) -> Mask:
    """Which rows stay: number[i] is the class of row i, and persons[i] whose it is. Of the rows that a person has too
    many in a class those with the lowest lots stay, which are drawn at random."""
    if not len(number):
        return np.zeros(0, np.bool_)
    order = np.lexsort((lots, persons, number))
    own, whose = number[order], persons[order]
    new = np.concatenate(([True], (np.diff(own) != 0) | (np.diff(whose) != 0)))
    first = np.flatnonzero(new)
    times = np.diff(np.append(first, len(order)))
    rank = np.arange(len(order)) - np.repeat(first, times)
    kept = np.zeros(len(order), np.bool_)
    kept[order] = rank < np.repeat(_most(own[first], times, k), times)
    return kept


def _most(number: Long, times: Long, k: int) -> Long:
    """For every member of a class, of whom number[j] has times[j] rows there, the k-th largest of them; of fewer than k
    members the least."""
    order = np.lexsort((-times, number))
    first = np.flatnonzero(np.concatenate(([True], np.diff(number[order]) != 0)))
    sizes = np.diff(np.append(first, len(order)))
    least = times[order][first + np.minimum(k, sizes) - 1]
    most: Long = np.empty(len(number), np.int64)
    most[order] = np.repeat(least, sizes)
    return most


def most_rows(many: Long, k: int) -> Long:
    """The k-th largest number of rows in every class, many[g, p] being those of person p in class g; 0 if fewer have
    some."""
    if many.shape[1] < k:
        return np.zeros(len(many), np.int64)
    found: Long = np.partition(many, many.shape[1] - k, axis=1)[:, many.shape[1] - k]
    return found


def large_owners(number: Long, persons: Long, k: int) -> int:
    """How many classes have a person who owns more than 1/k of their rows."""
    width = int(persons.max(initial=0)) + 1
    pairs, times = np.unique(number * width + persons, return_counts=True)
    whole = np.bincount(number)
    return len(np.unique((pairs // width)[times * k > whole[pairs // width]]))

"""Merging groups until each of them keeps what was promised.

A promise that holds for two groups must hold for both together (l-diversity and t-closeness do so), so that merging
never breaks it, and groups never fall below k.
"""

import heapq
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Long

Deficit: TypeAlias = Callable[[Long], float]  # of the rows of a group, ascending: 0 if it holds, else how much it lacks
Between: TypeAlias = Callable[[list[list[int]]], NDArray[np.generic]]  # the distances between all groups of a list

LOOK = 12  # nearest groups among which one that mends the failure is looked for


def merge(
    groups: Sequence[Sequence[int]], deficit: Deficit, between: Between, blocks: Long | None = None
) -> list[list[int]]:
    """Merge groups that lack something with near ones of the same block, those that lack most first.

    The partner is the nearest group with which nothing is lacking, or else the one of the nearest with which least is.
    Two merged groups are as far from a third as all their first groups are on average, by size. blocks[i] is the block
    of row i. A group that still lacks something is all of its block. The result depends on neither the order of the
    groups nor that of their rows; groups that change nothing come back as they are.
    """
    sets = sorted(sorted(group) for group in groups)
    lacks = [deficit(np.array(group, np.int64)) for group in sets]
    if not any(lacks):
        return [list(group) for group in groups]
    found = []
    block = [0 if blocks is None else int(blocks[group[0]]) for group in sets]
    for number in sorted(set(block)):
        mine = [g for g in range(len(sets)) if block[g] == number]
        found += _merged([sets[g] for g in mine], [lacks[g] for g in mine], deficit, between)
    return sorted(found)


def _merged(groups: list[list[int]], lacks: list[float], deficit: Deficit, between: Between) -> list[list[int]]:
    if not any(lacks) or len(groups) == 1:
        return groups
    apart = between(groups)
    sizes = np.array([len(group) for group in groups], np.float64)
    union = np.arange(len(groups))  # the first of the groups that each was merged with
    rows = {g: np.array(group, np.int64) for g, group in enumerate(groups)}
    queue = [(-round(lack, 9), g) for g, lack in enumerate(lacks) if lack]
    lacking = {g: key for key, g in queue}
    heapq.heapify(queue)
    while queue and len(rows) > 1:
        key, g = heapq.heappop(queue)
        if lacking.get(g) != key:
            continue  # merged meanwhile
        own = np.flatnonzero(union == g)
        row = np.average(apart[own].astype(np.float64), axis=0, weights=sizes[own])
        others = np.array([other for other in rows if other != g])
        far = np.bincount(union, row * sizes)[others] / np.bincount(union, sizes)[others]
        near = others[np.lexsort((others, far.round(6)))][:LOOK].tolist()
        best, least = near[0], np.inf
        for other in near:
            lack = round(deficit(np.sort(np.concatenate((rows[g], rows[other])))), 9)
            if lack < least:
                best, least = other, lack
            if not lack:
                break
        first, second = min(g, best), max(g, best)
        rows[first] = np.sort(np.concatenate((rows[first], rows.pop(second))))
        union[union == second] = first
        lacking.pop(first, None)
        lacking.pop(second, None)
        if least:
            lacking[first] = -least
            heapq.heappush(queue, (-least, first))
    return [list(map(int, group)) for group in rows.values()]

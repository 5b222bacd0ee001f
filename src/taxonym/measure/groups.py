"""What groups lost, told without telling which group it is.

Everybody can count the sizes of groups in a release. A figure beside a size would therefore tell which class it is of,
and a loss of 0 what its members had: so figures are told of at least k groups at a time, and never a mean of 0.
"""

from typing import Any

import numpy as np

from taxonym.knowledge.arrays import Floats, Long

STEPS = 12  # ranges of sizes, at most
TENTH = 10  # one group in so many is among the weakest


def about_groups(size: Long, lost: Floats, before: Floats, after: Floats, k: int, means: bool) -> dict[str, Any]:
    """What a report says of groups: the mean loss of every one, the largest first, where `means` may be told; loss
    against size; and what the groups are like that lost most. See by_size and weakest.

    Means come without sizes: a size that occurs once would tell which class it is, and a mean of 0 what its members
    had.
    """
    return {
        "groups": sorted((lost / size).round(4).tolist(), reverse=True) if means else [],
        "by_group_size": by_size(size, lost, k),
        "weakest_groups": weakest(size, lost, before, after, k),
    }


def by_size(size: Long, lost: Floats, k: int) -> list[dict[str, Any]]:
    """The mean loss of records in groups of about the same size; the size[g] records of group g lost lost[g].

    Ranges of sizes are as narrow as they may be: at least k groups and one twelfth of all are in each, and a mean that
    rounds to 0 takes the next range in. Nothing where only one range is left.
    """
    order = np.argsort(size, kind="stable")
    last = np.append(np.diff(size[order]) > 0, True)  # a size is not divided
    enough, ranges = max(k, -(-len(size) // STEPS)), list[Long]()
    first = 0
    for at in (np.flatnonzero(last) + 1).tolist():
        if at - first >= enough and _mean(lost, size, order[first:at]):
            ranges.append(order[first:at])
            first = at
    if ranges:
        ranges[-1] = np.concatenate((ranges[-1], order[first:]))
    return [
        {
            "smallest": int(size[groups].min()),
            "largest": int(size[groups].max()),
            "groups": len(groups),
            "mean_loss": _mean(lost, size, groups),
        }
        for groups in ranges
        if len(ranges) > 1
    ]


def weakest(size: Long, lost: Floats, before: Floats, after: Floats, k: int) -> dict[str, Any] | None:
    """The tenth of the groups that lost most, at least k of them, beside the others; None where there are too few.

    before[g] and after[g] are the numbers of concepts that the records of group g had, on average, and have now.
    """
    count = max(k, len(size) // TENTH)
    if len(size) < 2 * count:
        return None
    order = np.argsort(-lost / size, kind="stable")
    worst, others = order[:count], order[count:]
    if not _mean(lost, size, others):
        return None
    return {
        "share_of_the_loss_percent": round(100 * float(lost[worst].sum() / lost.sum()), 1),
        "weakest": _described(size, lost, before, after, worst),
        "others": _described(size, lost, before, after, others),
    }


def _described(size: Long, lost: Floats, before: Floats, after: Floats, groups: Long) -> dict[str, Any]:
    return {
        "groups": len(groups),
        "mean_size": round(float(size[groups].mean()), 1),
        "mean_loss": _mean(lost, size, groups),
        "concepts_per_record": round(float(np.average(before[groups], weights=size[groups])), 1),
        "concepts_per_published_record": round(float(np.average(after[groups], weights=size[groups])), 1),
    }


def _mean(lost: Floats, size: Long, groups: Long) -> float:
    return round(float(lost[groups].sum() / size[groups].sum()), 2)

"""What was lost: how far the published records are from the original ones.

All of it is measured on what is really published. `Loss` is 0 for unchanged data under a distance that is 0 for equal
sets; the paper's own L is not, so what it gives for unchanged data is shown beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

import numpy as np

from taxonym.distance.record import Compare, Part, different, record_pairs, record_rectangle
from taxonym.knowledge.arrays import Floats, Long

CANDIDATES = 1000  # records among which the middle of the data is looked for
FEWER = 20_000_000, 100  # so many pairs are compared for it, but with at least so many candidates


@dataclass(frozen=True, slots=True)
class Loss:
    """Distances D of n records to what is published instead.

    total = ΣD; mean = ΣD / n, the loss of [Martinez2012, §5.3]; sse = Σ D²; sst = Σ of the squared distances to the
    middle record of the data, which is what publishing one record for all would lose.
    """

    records: int
    total: float
    mean: float
    sse: float
    sst: float

    @property
    def share(self) -> float | None:
        """100 · SSE / SST; None where all records are alike."""
        return 100 * self.sse / self.sst if self.sst else None

    def as_data(self) -> dict[str, float | int | None]:
        return {
            "records": self.records,
            "sum": self.total,
            "mean": self.mean,
            "sse": self.sse,
            "sst": self.sst,
            "sse_of_sst_percent": self.share,
        }


def loss_of(apart: Floats, from_middle: Floats) -> Loss:
    """The loss, from the distances of all records to what is published and to the middle of the data."""
    total = fsum(apart.tolist())
    sse, sst = (fsum((values * values).tolist()) for values in (apart, from_middle))
    return Loss(len(apart), total, total / max(1, len(apart)), sse, sst)


def added(losses: Sequence[Loss]) -> Loss:
    """The loss of all records, from those of their parts."""
    total, sse, sst = (fsum(getattr(one, name) for one in losses) for name in ("total", "sse", "sst"))
    records = sum(one.records for one in losses)
    return Loss(records, total, total / max(1, records), sse, sst)


def judges_of(how: Compare) -> tuple[Compare, Compare]:
    """The distance that guided the grouping, and another that did not: what a method makes small it must not be judged
    by alone."""
    return how, replace(how, measure="wu-palmer" if how.measure in ("lin", "resnik", "jiang-conrath") else "lin")


def middle_of(parts: Sequence[Part], how: Compare) -> tuple[int, Floats]:
    """The middle record, and the distances of all to it: it has the least sum of these [Batet2014, eq. 7].

    Of more than a thousand different records, a thousand that are spread evenly over them are tried, and fewer of more
    than 20,000, a hundred at least; ties: the first.
    """
    every, like = different(parts, np.arange(len(parts[0])))
    order, times = np.argsort(every), np.bincount(like, minlength=len(every))
    count = min(len(every), CANDIDATES, max(FEWER[1], FEWER[0] // max(1, len(every))))
    tried = every[order[np.unique(np.linspace(0, len(every) - 1, count).astype(np.int64))]]
    row, best, least = 0, np.zeros(0), np.inf
    for rows in np.array_split(tried, len(tried) * len(every) // 10_000_000 + 1):
        apart = record_rectangle(parts, parts, rows, every, how)
        sums = (apart @ times).round(6)
        if len(sums) and sums.min() < least:
            row, best, least = int(rows[sums.argmin()]), apart[sums.argmin()], sums.min()
    return row, best[like] if len(best) else best


def to_random(parts: Sequence[Part], how: Compare, rng: np.random.Generator) -> float:
    """The mean distance of every record to another one by lot."""
    everybody = np.arange(len(parts[0]))
    return float(record_pairs(parts, parts, everybody, rng.permutation(everybody), how).mean())


def columns_to_random(parts: Sequence[Part], how: Compare, rng: np.random.Generator) -> list[float]:
    """The same in every column for itself."""
    everybody = np.arange(len(parts[0]))
    lots = rng.permutation(everybody)
    return [float(record_pairs([part], [part], everybody, lots, how).mean()) for part in parts]


def squared_sum(x: Sequence[Part], y: Sequence[Part], rows: Long, columns: Long, how: Compare) -> float:
    """The paper's L, whatever the grouping's own distance: (Σ_i D_avg(x_i, x_i^A))² [Batet2014, eq. 8]."""
    return average_sum(x, y, rows, columns, how) ** 2


def average_sum(x: Sequence[Part], y: Sequence[Part], rows: Long, columns: Long, how: Compare) -> float:
    """The sum that is squared, which parts of the records can add up."""
    return fsum(record_pairs(x, y, rows, columns, replace(how, aggregate="avg")).tolist())


def measures(
    x: Sequence[Part],
    y: Sequence[Part],
    rows: Long,
    columns: Long,
    how: Compare,
    rng: np.random.Generator,
    apart: Floats | None = None,
) -> dict[str, Any]:
    """Every measure of loss: record rows[p] of the original x is published as record columns[p] of y, at the distance
    apart[p] where that is known already."""
    own, other = judges_of(how)
    known = record_pairs(x, y, rows, columns, own) if apart is None else apart
    judged = zip((known, record_pairs(x, y, rows, columns, other)), (own, other), strict=True)
    losses = [loss_of(far, middle_of(x, by)[1][rows]) for far, by in judged]
    averages = average_sum(x, y, rows, columns, how), average_sum(x, x, rows, rows, how)
    return told_loss(how, losses, to_random(x, how, rng), averages)


def told_loss(how: Compare, losses: Sequence[Loss], random: float, averages: Sequence[float]) -> dict[str, Any]:
    """What a report says: the loss by the two judges, the mean distance to a random record, and the sums of average
    distances to what is published and to oneself."""
    mine, other = losses
    return {
        "distance": {"aggregate": how.aggregate, "measure": how.measure},
        **mine.as_data(),
        "mean_to_a_random_record": random,
        "batet2014_L": averages[0] ** 2,
        "batet2014_L_of_unchanged_data": averages[1] ** 2,
        "judged_by_another_distance": {"measure": judges_of(how)[1].measure, **other.as_data()},
    }


def to_medoids(parts: Sequence[Part], groups: Sequence[Sequence[int]], how: Compare) -> Floats:
    """The distance of every record to the medoid of its group: what plain microaggregation would lose.

    Records in no group get no meaningful number. Ties: the lowest row.
    """
    out = np.empty(len(parts[0]))
    for some in np.array_split(np.arange(len(groups)), min(len(groups), len(parts[0]) // 20_000 + 1)):
        chosen = [sorted(groups[g]) for g in some.tolist()]
        rows = np.concatenate([np.repeat(group, len(group)) for group in chosen]).astype(np.int64)
        columns = np.concatenate([np.tile(group, len(group)) for group in chosen]).astype(np.int64)
        apart, first = record_pairs(parts, parts, rows, columns, how), 0
        for group in chosen:
            square = apart[first : first + len(group) ** 2].reshape(len(group), len(group))
            first += len(group) ** 2
            out[group] = square[:, square.sum(axis=0).round(9).argmin()]
    return out

"""How close the members of groups are, and what their attributes lose [ImranDaud2022, eq. 10-13].

The definitions come first, what works on many records at once after them. Losses are taken on what is really published:
the set of concepts of every group, whatever method chose it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

import numpy as np

from taxonym.distance.attributes import MEASURE, Attribute, Attributes
from taxonym.distance.matrix import concept_distances
from taxonym.distance.record import Compare, Sets
from taxonym.distance.registry import concept_distance
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy

CANDIDATES = 4000  # records among which the middle of the data is looked for
_PAIRS = 1 << 10  # records whose attributes are compared at a time


# ---------------------------------------------------------------------- the definitions


def cohesion(apart: Sequence[float]) -> float:
    """How far a group's members are spread around its centroid, 0 = all alike [ImranDaud2022, eq. 10].

        C = sqrt(1 / (n - 1) · Σ_i d(q_i, centroid))

    `apart` holds the distances of the n - 1 members that are not the centroid; 0 if there is none. The root is taken of
    a mean that is not squared, as printed.
    """
    return sqrt(fsum(apart) / len(apart)) if len(apart) else 0.0


def squared_loss(
    tax: Taxonomy, attributes: Sequence[Attribute], published: Sequence[int], measure: str = MEASURE
) -> float:
    """What one record loses: a term of SSE, and of SST where one record stands for all [ImranDaud2022, eq. 12-13].

        Σ_m w_m · d(x_m, y_m)²

    y_m is the published concept nearest to x_m: a similar one if any is similar to x_m (by the same measure). The paper
    takes "its corresponding semantically similar attribute" and replaces orange and citrus alike by the centroid's
    orange, so several attributes may have the same counterpart. Where none is similar it takes what the attribute is
    generalised to, which is again something published. An attribute is at 1 from nothing. What is published beyond a
    record's own attributes costs nothing here: measure/loss.py has distances that go both ways.
    """
    nearest = (
        (x, min((concept_distance(tax, x.code, y, measure) for y in published), default=1.0)) for x in attributes
    )
    return fsum(x.weight * d**2 for x, d in nearest)


@dataclass(frozen=True, slots=True)
class AttributeLoss:
    """SSE of every group, and SST: the same sum with the middle record of the data published for everybody."""

    by_group: tuple[float, ...]
    sst: float

    @property
    def sse(self) -> float:
        """[ImranDaud2022, eq. 12], over all groups."""
        return fsum(self.by_group)

    @property
    def share(self) -> float | None:
        """IL = 100 · SSE / SST [ImranDaud2022, eq. 11]; None where the middle record stands for all without loss."""
        return 100 * self.sse / self.sst if self.sst else None

    def as_data(self) -> dict[str, float | None]:
        return {"sse": self.sse, "sst": self.sst, "sse_of_sst_percent": self.share}


# ---------------------------------------------------------------------- many records


def cohesions(
    attributes: Attributes, groups: Sequence[Sequence[int]], centroids: Sequence[int], reading: str = "matching"
) -> Floats:
    """The cohesion of every group around the record that is its centroid."""
    rows, number = _members(groups)
    columns = np.array(centroids, np.int64)[number]
    others = rows != columns
    apart = attributes.pairs(rows[others], attributes, columns[others], reading)
    total, n = np.bincount(number[others], apart, len(groups)), np.bincount(number[others], minlength=len(groups))
    return np.asarray(np.sqrt(total / np.maximum(1, n)))


def attribute_loss(original: Attributes, published: Sets, rows: Long, columns: Long, measure: str = MEASURE) -> Floats:
    """squared_loss of record rows[p], which is published as the set columns[p], for every p."""
    out = np.empty(len(rows))
    order = np.argsort(columns, kind="stable")
    for first in range(0, len(rows), _PAIRS):
        part = order[first : first + _PAIRS]
        items, theirs = Runs(original.start, original.item), published.take(columns[part])
        own, weight = items.take(rows[part]), original.weight[items.places(rows[part])]
        used, at_a = np.unique(own.codes, return_inverse=True)
        column, at_b = np.unique(theirs.codes, return_inverse=True)
        table = concept_distances(published.tax, original.codes[used], column, measure, threads=1)
        out[part] = _squares(table, at_a, weight, own.start, at_b, theirs.start)
    return out


def information_loss(
    original: Attributes,
    published: Sets,
    groups: Sequence[Sequence[int]],
    measure: str = MEASURE,
    middle: int | None = None,
) -> AttributeLoss:
    """What the attributes of all records lose: group g is published as set g.

    SST counts the records of the groups only, against the `middle` record (middle_record unless given).
    """
    rows, number = _members(groups)
    losses = attribute_loss(original, published, rows, number, measure)
    ends = np.searchsorted(number, np.arange(1, len(groups)))
    by_group = tuple(fsum(part.tolist()) for part in np.split(losses, ends)) if len(groups) else ()
    if not len(rows):
        return AttributeLoss(by_group, 0.0)
    codes = [x.code for x in original.record(middle_record(original) if middle is None else middle)]
    one = Sets.of([codes], published.tax)
    sst = fsum(attribute_loss(original, one, rows, np.zeros(len(rows), np.int64), measure).tolist())
    return AttributeLoss(by_group, sst)


def published_measures(
    original: Sets, published: Sets, groups: Sequence[Sequence[int]], how: Compare
) -> dict[str, Any]:
    """What the paper measures, where group g is published as set g: that set is the centroid, which is no member.

    Attributes are matched by `how` if that is its way, else as the paper does.
    """
    reading, measure = (how.aggregate, how.measure) if how.by_attributes else ("matching", MEASURE)
    both, own = (Attributes.of(sets, how.threshold, measure) for sets in (original.then(published), original))
    rows, number = _members(groups)
    apart = both.pairs(rows, both, len(original) + number, reading)
    spread = np.sqrt(np.bincount(number, apart, len(groups)) / np.bincount(number, minlength=len(groups)))
    return {
        "similar_to_nothing_else_percent": round(100 * own.dissimilar, 1),
        "mean_cohesion": float(spread.mean()),
        **information_loss(own, published, groups, measure).as_data(),
    }


def middle_record(attributes: Attributes, reading: str = "matching") -> int:
    """The record with the least sum of distances to all; ties: the first.

    The paper takes either record of the pair that scores nearest to the mean of equation 9, which depends on the order
    of the records. Of more than four thousand records, four thousand spread evenly over them are compared.
    """
    tried = np.unique(np.linspace(0, len(attributes) - 1, min(len(attributes), CANDIDATES)).astype(np.int64))
    return int(tried[attributes.square(tried, reading).sum(axis=1, dtype=np.int64).argmin()])


def _members(groups: Sequence[Sequence[int]]) -> tuple[Long, Long]:
    """The records of all groups, one group after the other, and the number of the group of each."""
    every = Runs.of(groups)
    return every.codes.astype(np.int64), every.owner


@kernel
def _squares(table, at_a, weight, ends_a, at_b, ends_b):  # type: ignore[no-untyped-def]
    out = np.zeros(len(ends_a) - 1)
    for p in range(len(out)):
        for i in range(ends_a[p], ends_a[p + 1]):
            nearest = 1.0
            for j in range(ends_b[p], ends_b[p + 1]):
                nearest = min(nearest, table[at_a[i], at_b[j]])
            out[p] += weight[i] * nearest * nearest
    return out

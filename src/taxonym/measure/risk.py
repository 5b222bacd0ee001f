"""What can be found out: linking people who are known to the records that are published [Martinez2012, §4].

An intruder knows original records and links each to the published ones that are most similar in meaning. L is the set
of all that are most similar, ties included:

    p(i) = 1 / |L| if the published record of person i is among them, else 0        [Martinez2012, def. 4.4]
    DR   = 100 · mean of p                                                          [Martinez2012, def. 4.3]

Published records that are equal are compared once, with how often they occur.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taxonym.distance.record import Compare, Long, Part, Sets, record_rectangle
from taxonym.distance.sets_matrix import Records, directed_distances
from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import runs
from taxonym.knowledge.content import Floats
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.progress import SILENCE, Progress

CELLS = 1 << 24  # distances that are looked at in one go: 128 MB
SAME = 1e-9  # distances that differ by less tie


@dataclass(frozen=True, slots=True, eq=False)
class LinkageRisk:
    """`dr` is in percent; `max` is the largest p; `baseline` is the dr of an intruder who links at random.

    `above_1_over_k` counts the records with p > 1/k: each of them is better known than k promises. `interval` is the
    95 % interval of dr where only a sample of the records was linked.
    """

    dr: float
    max: float
    above_1_over_k: int
    per_record: Floats
    baseline: float
    interval: tuple[float, float] | None = None

    def as_data(self) -> dict[str, object]:
        return {
            "records": len(self.per_record),
            "dr_percent": self.dr,
            "dr_percent_interval_95": self.interval,
            "max_p": self.max,
            "records_above_1_over_k": self.above_1_over_k,
            "baseline_dr_percent": self.baseline,
        }


def risk_of(p: Floats, k: int, released: int, whole: bool = True) -> LinkageRisk:
    """Sum up the probabilities of correct links; `released` is the number of published records."""
    dr = 100 * float(p.mean()) if len(p) else 0.0
    spread = 196 * float(p.std(ddof=1)) / np.sqrt(len(p)) if len(p) > 1 else 0.0
    return LinkageRisk(
        dr=dr,
        max=float(p.max(initial=0.0)),
        above_1_over_k=int(np.count_nonzero(p > 1 / k + SAME)),
        per_record=p,
        baseline=100 / released if released else 0.0,
        interval=None if whole else (max(0.0, dr - spread), min(100.0, dr + spread)),
    )


# ---------------------------------------------------------------------- linking


def links(
    x: Sequence[Part],
    y: Sequence[Part],
    size: Long,
    truth: Long,
    how: Compare,
    rows: Long | None = None,
    progress: Progress = SILENCE,
) -> Floats:
    """p for some records of x (all unless given) against all different published records y.

    size[j] is how often record j is published, truth[i] which one is that of record i of x, or -1: none is. Memory: 128
    MB for distances, whatever the number of records.
    """
    every = np.arange(len(size))
    return _linked(
        lambda part: record_rectangle(x, y, part, every, how),
        size,
        truth,
        np.arange(len(x[0])) if rows is None else rows,
        progress,
    )


def links_knowing(
    known: Sequence[Sequence[int]],
    published: Sets,
    size: Long,
    truth: Long,
    measure: str = "jaccard",
    progress: Progress = SILENCE,
) -> Floats:
    """p for an intruder who knows some concepts of each person: how far they are from what is published, one way.

        D(K, B) = Σ over a in K of min over b in B of d(a, b) / |K|

    What else is published does not count against a record, since the intruder does not know the rest.
    """
    rows = published.picked(np.arange(len(published)))

    def apart(part: Long) -> Floats:
        some = Records.of(published.tax, [known[i] for i in part.tolist()])
        found: Floats = directed_distances(published.tax, rows, some, measure).T
        return found

    return _linked(apart, size, truth, np.arange(len(known)), progress)


def links_by_equality(classes: Sequence[object], original: Sequence[object], size: Long, truth: Long) -> Floats:
    """p for an intruder without any taxonomy: equal records only; who equals nothing is linked to nobody
    [Martinez2012, eq. 8]."""
    place: dict[object, list[int]] = {}
    for j, record in enumerate(classes):
        place.setdefault(record, []).append(j)
    p = np.zeros(len(original))
    for i, record in enumerate(original):
        found = place.get(record, [])
        if truth[i] in found:
            p[i] = 1 / size[found].sum()
    return p


def _linked(apart: Callable[[Long], Floats], size: Long, truth: Long, rows: Long, progress: Progress) -> Floats:
    p = np.empty(len(rows))
    step = max(1, CELLS // max(1, len(size)))
    progress.start("linking", len(rows))
    for first in range(0, len(rows), step):
        part = rows[first : first + step]
        D = apart(part)
        nearest: NDArray[np.bool_] = D.min(axis=1, keepdims=True) + SAME >= D
        mine = truth[part]
        hit = nearest[np.arange(len(part)), mine] & (mine >= 0)
        p[first : first + step] = np.where(hit, 1 / (nearest @ size), 0)
        progress.advance(len(part))
    progress.finish()
    return p


def linkage_risk(
    original: Sequence[Sequence[int]],
    released: Sequence[Sequence[int]],
    *,
    tax: Taxonomy,
    truth: Sequence[int] | None = None,
    k: int = 5,
    aggregate: str = "min-sum",
    measure: str = "jaccard",
    content: str = "seco",
    progress: Progress = SILENCE,
) -> LinkageRisk:
    """How often an intruder who knows the original records (sets of codes) finds the published ones.

    Record i was published as released[truth[i]] (released[i] unless given; -1: not at all). The intruder may use
    another taxonomy or distance than whoever masked the data.
    """
    true = np.arange(len(original)) if truth is None else np.asarray(truth, np.int64)
    if len(true) != len(original) or (len(true) and true.max() >= len(released)):
        raise BadPlan("truth: needs one row number of the release for each original record, or -1.")
    different: dict[tuple[int, ...], int] = {}
    place = np.array([different.setdefault(tuple(sorted(set(row))), len(different)) for row in released], np.int64)
    size = np.bincount(place, minlength=len(different))
    parts = [sets_of(tax, rows) for rows in (original, list(different))]
    how = Compare(aggregate=aggregate, measure=measure, content=content)
    p = links([parts[0]], [parts[1]], size, np.where(true >= 0, place[true], -1), how, progress=progress)
    return risk_of(p, k, len(released))


def sets_of(tax: Taxonomy, records: Sequence[Sequence[int]]) -> Sets:
    """Sets of codes as a column; repeated codes count once."""
    return Sets(tax, *runs([sorted(set(record)) for record in records]))


# ---------------------------------------------------------------------- classes


@dataclass(frozen=True, slots=True)
class ClassRisk:
    """The classic figures, from the sizes of classes: an intruder who knows that somebody is in the release finds the
    record with 1 / size of the class (prosecutor: the worst of these; marketer: their mean over records)."""

    classes: int
    smallest: int
    unique: int
    prosecutor: float
    marketer: float


def class_risk(sizes: NDArray[np.int64]) -> ClassRisk:
    """From the number of records in every class."""
    smallest = int(sizes.min()) if len(sizes) else 0
    return ClassRisk(
        classes=len(sizes),
        smallest=smallest,
        unique=int(np.count_nonzero(sizes == 1)),
        prosecutor=1 / smallest if smallest else 0.0,
        marketer=len(sizes) / float(sizes.sum()) if len(sizes) else 0.0,
    )

"""What can be found out, summed up: disclosure risk by linkage, and the classic figures of classes.

    DR = 100 · mean of p, the probability of the correct link                       [Martinez2012, def. 4.3]

The links themselves are found in linkage.py (by all that is known) and partial_knowledge.py (by some items).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taxonym.attack.linkage import SAME, assigned, links
from taxonym.distance.record import Compare, Sets
from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.taxonomy import Taxonomy

REPEATS = 5  # draws whose risks are averaged, where something is drawn


@dataclass(frozen=True, slots=True, eq=False)
class LinkageRisk:
    """`dr` is in percent; `max` is the largest p; `baseline` is the dr of an intruder who links at random.

    `above_1_over_k` counts the records with p > 1/k: each of them is better known than k promises. `interval` is the
    95 % interval of dr where only a sample of the records was linked, and `rows` are these.
    """

    dr: float
    max: float
    above_1_over_k: int
    per_record: Floats
    baseline: float
    interval: tuple[float, float] | None = None
    rows: Long | None = None

    def as_data(self) -> dict[str, object]:
        return {
            "records": len(self.per_record),
            "dr_percent": self.dr,
            "dr_percent_interval_95": self.interval,
            "max_p": self.max,
            "records_above_1_over_k": self.above_1_over_k,
            "baseline_dr_percent": self.baseline,
        }


def risk_of(p: Floats, k: int, released: int, rows: Long | None = None) -> LinkageRisk:
    """Sum up the probabilities of correct links; `released` is the number of published persons.

    Where p is that of a sample (`rows`), the interval reaches at least to 3 / n: nothing seen among n persons may
    still be true of three of them.
    """
    dr = 100 * float(p.mean()) if len(p) else 0.0
    spread = 196 * float(p.std(ddof=1)) / np.sqrt(len(p)) if len(p) > 1 else 100.0
    most = min(100.0, max(dr + spread, 300 / max(1, len(p))))
    return LinkageRisk(
        dr=dr,
        max=float(p.max(initial=0.0)),
        above_1_over_k=int(np.count_nonzero(p > 1 / k + SAME)),
        per_record=p,
        baseline=100 / released if released else 0.0,
        interval=None if rows is None else (max(0.0, dr - spread), most),
        rows=rows,
    )


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
    sample: int | None = None,
    seed: int | None = None,
    one_to_one: bool = False,
    progress: Progress = SILENCE,
) -> LinkageRisk:
    """How often an intruder who knows the original records (sets of codes) finds the published ones.

    Record i was published as released[truth[i]] (released[i] unless given; -1: not at all). The intruder may use
    another taxonomy or distance than whoever masked the data. With `sample` only so many random records are linked;
    with `one_to_one` no two records are linked to the same published one, at least distance in all.
    """
    true = np.arange(len(original)) if truth is None else np.asarray(truth, np.int64)
    if len(true) != len(original) or (len(true) and true.max() >= len(released)):
        raise BadPlan("truth: needs one row number of the release for each original record, or -1.")
    different: dict[tuple[int, ...], int] = {}
    place = np.array([different.setdefault(tuple(sorted(set(row))), len(different)) for row in released], np.int64)
    size, rng = np.bincount(place, minlength=len(different)), np.random.default_rng(seed)
    x, y = sets_of(tax, original), sets_of(tax, list(different))
    how = Compare(aggregate=aggregate, measure=measure, content=content)
    rows = None if sample is None or sample >= len(original) else drawn_rows(len(original), sample, rng)
    goal = np.where(true >= 0, place[true], -1) if len(place) else true
    if one_to_one:
        p = assigned([x], [y], size, goal, how, rng, REPEATS, rows)
    else:
        p = links([x], [y], size, goal, how, rows, progress=progress)
    return risk_of(p, k, len(released), rows)


def sets_of(tax: Taxonomy, records: Sequence[Sequence[int]]) -> Sets:
    """Sets of codes as a column; repeated codes count once."""
    return Sets.of([sorted(set(record)) for record in records], tax)


def drawn_rows(n: int, sample: int, rng: np.random.Generator) -> Long:
    """So many random numbers below n, ascending."""
    if sample < 1:
        raise BadPlan(f"sample: must be at least 1, got {sample}.")
    return np.sort(rng.choice(n, sample, replace=False))


def auc(members: Floats, others: Floats) -> float:
    """How likely a member is nearer than one of the others, ties counting half: 0.5 tells nothing, 1 all."""
    ranked = np.sort(others)
    tolerant = 1e-4  # as linkage has it: nearer differences may be rounding
    nearer = len(ranked) - np.searchsorted(ranked, members + tolerant, side="right")
    not_farther = len(ranked) - np.searchsorted(ranked, members - tolerant, side="left")
    return float((nearer + not_farther).mean() / 2 / len(ranked))


# ---------------------------------------------------------------------- classes


@dataclass(frozen=True, slots=True)
class ClassRisk:
    """The classic figures, from the sizes f of classes and the numbers F of persons of a population who fit them
    [ElEmam2008]; they are the same where no population is known.

    prosecutor: an intruder who knows that somebody is in the release finds the record with 1 / f; at worst, and the
    mean over records. journalist: one who looks for anybody finds the person behind a record with at most 1 / F.
    marketer: the share of records that are rightly linked if all are, Σ (members in the population) / F / Σ f.
    """

    classes: int
    smallest: int
    largest: int
    mean: float
    unique: int
    prosecutor: float
    prosecutor_mean: float
    above_1_over_k: float
    journalist: float
    marketer: float

    def as_data(self) -> dict[str, Any]:
        return {
            "smallest_class_persons": self.smallest,
            "mean_class_persons": self.mean,
            "largest_class_persons": self.largest,
            "prosecutor_risk": self.prosecutor,
            "prosecutor_risk_mean": self.prosecutor_mean,
            "share_above_1_over_k": self.above_1_over_k,
            "journalist_risk": self.journalist,
            "marketer_risk": self.marketer,
        }


def class_risk(sizes: Long, k: int = 5, fitting: Long | None = None, known: Long | None = None) -> ClassRisk:
    """From the number of persons in every class; with a population, from how many of it fit every class, and how many
    of the class are in it."""
    whole = int(sizes.sum())
    F, inside = (sizes, sizes) if fitting is None or known is None else (fitting, known)
    smallest = int(sizes.min(initial=whole))
    found = F[F > 0].min(initial=whole + 1)
    return ClassRisk(
        classes=len(sizes),
        smallest=smallest,
        largest=int(sizes.max(initial=0)),
        mean=whole / len(sizes) if len(sizes) else 0.0,
        unique=int(np.count_nonzero(sizes == 1)),
        prosecutor=1 / smallest if smallest else 0.0,
        prosecutor_mean=len(sizes) / whole if whole else 0.0,
        above_1_over_k=float(sizes[sizes < k].sum()) / whole if whole else 0.0,
        journalist=float(1 / found) if (F > 0).any() else 0.0,
        marketer=float((inside[F > 0] / F[F > 0]).sum()) / whole if whole else 0.0,
    )

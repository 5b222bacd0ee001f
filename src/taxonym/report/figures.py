"""The parts of a report that all shapes share: who is published, classes, what was lost, what an intruder finds.

Every shape says over how many persons a figure is a mean; 0 stands for a mean to which a person may contribute without
a public bound, which is never told.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from taxonym.knowledge.arrays import Floats, Long
from taxonym.plan import Noise, Plan
from taxonym.promises import main_promise
from taxonym.promises.classes import Classes
from taxonym.render.plainly import UNTOLD, fine
from taxonym.report.disclosure import Disclosure, PrivateDisclosure, Told

FEW = 5  # persons below which a count is not told, where no k is promised
TWICE = 2.0  # for a figure that looks at what another one looks at, too
ALL = 4.0  # for a figure that a single person may change in several ways: how far random records are apart
COARSE = 1000.0  # for a percentage of which the order of magnitude is enough
COARSEST = 0.2  # steps in which a share of 1 may be told that is told more coarsely than others
STEPS = "told_in_steps_of"


def guard_of(plan: Plan, private: bool = False) -> Disclosure:
    """The guard of a run's report; a private one lets all figures pass."""
    kind, seed = PrivateDisclosure if private else Disclosure, plan.method.seed
    return kind(FEW, seed, f"<{FEW}") if isinstance(plan.method, Noise) else kind(plan.method.k, seed)


def row_per_person(plan: Plan) -> bool:
    """Whether everybody can count the persons of a table's release, each of whom has one row in it."""
    return not plan.input.keeps_rows


def unit_per_person(plan: Plan) -> bool:
    """Whether what is measured counts a person once; who has different `other` columns is in several classes."""
    return row_per_person(plan) or not any(column.role == "other" for column in plan.columns.values())


def person_mean(values: Floats, whose: Long) -> float:
    """The mean over persons of their own means: values[i] is that of person whose[i]."""
    if not len(values):
        return 0.0
    at = np.unique(whose, return_inverse=True)[1]
    return float((np.bincount(at, values) / np.bincount(at)).mean())


# ---------------------------------------------------------------------- who is published


def records_told(
    guard: Disclosure,
    *,
    rows: int,
    persons: int | None,
    published_rows: int,
    published: int | None,
    countable: bool,
    suppressed: Mapping[str, int],
    reasons: Sequence[str],
    surplus: int = 0,
) -> Told[dict[str, Any]]:
    """How many rows and persons there are; totals of the input only in private, since who is left out would follow.
    `surplus` rows of published persons are left out, so that nobody owns more than 1/k of a class.

    `published` persons can be counted in the release where `countable`; `reasons` are all for which persons of this
    shape may be left out, be anybody or not.
    """
    known: Told[Any] = guard.withheld(published)
    if published is not None:
        known = guard.public(published, "published", "persons") if countable else guard.count(published)
    if unforeseen := set(suppressed) - set(reasons):
        raise ValueError(f"persons are left out for reasons that a report does not foresee: {sorted(unforeseen)}")
    every = {why: suppressed.get(why, 0) for why in reasons}
    return guard.table(
        {
            "rows": guard.withheld(rows, of="rows"),
            "persons": guard.withheld(persons, of="persons"),
            "published_rows": guard.public(published_rows, "published", "rows"),
            "published_persons": known,
            "suppressed_persons": guard.table(
                {why: guard.count(n, part=why, of="persons") for why, n in every.items()}
            ),
            "surplus_rows": guard.count(surplus, part="surplus", of="rows"),
        }
    )


def classes_told(guard: Disclosure, classes: Classes, countable: bool) -> Told[dict[str, Any]]:
    """What was recounted; where persons cannot be counted in the release, the smallest class has k at least."""
    found = classes.as_data()
    if not countable and not guard.exact:
        found["smallest_class"] = min(classes.k, classes.smallest)
    return guard.public(found)


def groups_told(
    guard: Disclosure, number: Long, classes: Classes, groups: Long, blocks: Any = None
) -> Told[dict[str, Any]]:
    """The sizes of classes, in rows, which everybody can count: row i of the release is in class number[i]. The sizes
    of the groups behind them, in persons, are private: groups may publish the same, and persons several rows."""
    sizes = np.bincount(number)
    if classes.sizes:
        sizes = np.repeat(*np.array(classes.sizes).T)
    told = sizes_of(sizes[sizes > 0])
    private = {"of_groups": sizes_of(groups), "blocks": blocks}
    return guard.table(
        {name: guard.public(value) for name, value in told.items()}
        | {name: guard.private(value) for name, value in private.items() if value is not None}
    )


def sizes_of(sizes: Long) -> dict[str, Any]:
    """How many there are, and of which sizes."""
    return {
        "count": len(sizes),
        "smallest": int(sizes.min()),
        "largest": int(sizes.max()),
        "mean": float(sizes.mean()),
        "sizes": {int(size): int(n) for size, n in zip(*np.unique(sizes, return_counts=True), strict=True)},
    }


# ---------------------------------------------------------------------- what was lost


def loss_told(
    guard: Disclosure,
    loss: Mapping[str, Any],
    n: int,
    weights: Mapping[str, float] | None = None,
    records: Told[dict[str, Any]] | None = None,
) -> Told[dict[str, Any]]:
    """Means over n persons of distances between 0 and 1; sums, squares, and what groups lost are private.

    `weights` are those of the columns of which the mean is made: it is told as theirs then. `records` tell who is left
    out: the mean is that of all persons, of whom those lost everything, so that nobody gains by leaving out.
    """
    if "mean" not in loss:
        return guard.public({})
    columns = {name: guard.mean(mean, n) for name, mean in (loss.get("columns") or {}).items()}
    by_lot = loss.get("columns_to_a_random_record") or {}
    mean = guard.mean(loss["mean"], n)
    if columns and weights is not None and not guard.exact:
        mean = guard.average([*columns.values()], [weights[name] for name in columns], n)
    random, everybody = guard.mean(loss["mean_to_a_random_record"], n, ALL, COARSEST), mean
    if records is not None:
        everybody = guard.derived(with_left_out, mean, records)
    other = loss["judged_by_another_distance"]
    private = {key: value for key, value in other.items() if key not in ("measure", "mean")}
    told: dict[str, Told[Any]] = {
        "distance": guard.public(loss["distance"]),
        "mean": everybody,
        "mean_of_published": mean,
        "mean_to_a_random_record": random,
        "ratio_to_a_random_record": guard.derived(ratio, everybody, random),
        "columns": guard.table(columns),
        "columns_to_a_random_record": guard.table(
            {name: guard.mean(mean, n, ALL, COARSEST) for name, mean in by_lot.items()}
        ),
        STEPS: guard.public({"mean": guard.step(n), "mean_to_a_random_record": guard.step(n, ALL)}),
        "judged_by_another_distance": guard.table(
            {"measure": guard.public(other["measure"]), "mean": guard.mean(other["mean"], n, TWICE, COARSEST)}
            | {key: guard.private(value) for key, value in private.items()}
        ),
    }
    if ways := loss.get("mean_to_plain_medoids"):
        told["mean_to_plain_medoids"] = guard.table({way: guard.mean(value, n) for way, value in ways.items()})
    rest = {key: guard.private(value) for key, value in loss.items() if key not in (*told, "survival")}
    return guard.table(told | rest)


def with_left_out(mean: float | None, records: Mapping[str, Any]) -> float | None:
    """The mean loss of all persons, if it is `mean` for those who are published: who is left out lost everything. What
    is told as fewer than k counts as nobody."""
    left = sum(n for n in (records.get("suppressed_persons") or {}).values() if isinstance(n, int))
    published = records.get("published_persons")
    if mean is None or not left or not isinstance(published, int):
        return mean
    return round((mean * published + left) / (published + left), 12)


def ratio(mean: float | None, random: float | None) -> float | None:
    """A loss as a share of what a random record would lose."""
    return None if mean is None or not random else round(mean / random, 12)


def away(
    loss: Mapping[str, Any],
    meaning: str = "",
    whose: str = "the original",
    other: str = "a random record",
    it: str = "it",
) -> str:
    """How far a published record is from the original, by figures that are told; for the end of a verdict."""
    mean, random = (spoken(loss, name) for name in ("mean", "mean_to_a_random_record"))
    if mean is None:
        return f"how far {it} is from {whose} on average is not told: {UNTOLD}."
    beside = "an exact copy would be 0 away, and one with nothing in common 1"
    if random is not None:
        beside = f"{other} would be {random:.2f} and an exact copy 0"
    step = (loss.get(STEPS) or {}).get("mean")
    far = f"less than {step:g}" if step and not mean else f"{mean:.2f}"  # few releases are 0 away
    return f"on average {it} is {far} away{meaning} from {whose}, where {beside}."


def spoken(loss: Mapping[str, Any], name: str) -> float | None:
    """A figure of loss, if it is told so finely that it is worth a word. The mean over all persons is as fine as that
    of those who are published times their share, since who is left out lost everything."""
    value, step, theirs = loss.get(name), (loss.get(STEPS) or {}).get(name), loss.get("mean_of_published")
    if name == "mean" and value is not None and step is not None and theirs is not None and theirs < 1:
        step *= (1 - value) / (1 - theirs)
    return fine(value, step)


def worse_than_random(what: str, loss: Mapping[str, Any], cause: str = "") -> list[str]:
    """A warning where told figures say that a release is of no use, and what may be the cause."""
    mean, random = loss.get("mean_of_published"), loss.get("mean_to_a_random_record")
    if mean is None or random is None or mean <= random:
        return []
    return [
        f"What is published is {mean:.2f} away from the original, and {what} {random:.2f}: it tells nothing "
        f"of anybody. {cause}Choose a smaller k or known_items, other columns, or another taxonomy."
    ]


# ---------------------------------------------------------------------- what an intruder finds


def linkage_told(
    guard: Disclosure, found: Mapping[str, Any] | None, plan: Plan, published: Told[Any], countable: bool, n: int
) -> Told[dict[str, Any]] | None:
    """How often an intruder finds whom he looks for; n of the linked records are of different persons.

    Where whole records are alike, nobody is found more often than in 1 of k cases, which bounds the mean.
    """
    if found is None:
        return None
    noise = isinstance(plan.method, Noise)
    whole = main_promise(plan).whole_records and not noise
    most = 100 / guard.k if whole else 100.0
    linked = found["records_linked"]
    told = guard.mean(found["dr_percent"], n, most)
    return guard.table(
        {
            "records_linked": guard.public(linked) if countable or found["sampled"] else guard.count(linked),
            "sampled": guard.public(found["sampled"]),
            "dr_percent": told,
            "dr_percent_interval_95": guard.derived(_interval(linked, most, found["sampled"]), told),
            "max_p": guard.private(found["max_p"]),
            **({} if noise else {"records_above_1_over_k": guard.count(found["records_above_1_over_k"], none=whole)}),
            "baseline_dr_percent": guard.derived(_by_guessing, published),
            "dr_percent_without_masking": guard.mean(found["dr_percent_without_masking"], n, COARSE),
        }
    )


def _by_guessing(persons: Any) -> float | None:
    return float(f"{100 / persons:.3g}") if isinstance(persons, int) and persons else None


def _interval(n: int, most: float, sampled: bool) -> Callable[[float | None], list[float] | None]:
    """The 95 % interval of a mean of n values between 0 and `most`, whose variance is at most mean · (most - mean)."""

    def interval(mean: float | None) -> list[float] | None:
        if mean is None or not sampled or not n:
            return None
        spread = 1.96 * sqrt(max(0.0, mean * (most - mean)) / n)
        return [round(max(0.0, mean - spread), 2), round(min(most, max(mean + spread, 300 / n)), 2)]

    return interval

"""One setting tried: published and verified as a release would be, then judged and attacked as all others are."""

from pathlib import Path
from typing import Any

import numpy as np

from taxonym.attack.published import PublishedKinds
from taxonym.attack.risk import drawn_rows, risk_of
from taxonym.distance.record import Compare
from taxonym.errors import BadPlan, BrokenPromise, TaxonymError
from taxonym.executor.context import Context
from taxonym.executor.machine import Machine
from taxonym.knowledge.arrays import Floats, Long
from taxonym.measure.loss import to_medoids
from taxonym.methods.survival import mean_information
from taxonym.plan import Plan
from taxonym.promises import main_promise
from taxonym.records.masked import MaskedRecords
from taxonym.records.records import MISSING_VALUE, NO_CONCEPT
from taxonym.shapes.shape import shape_of
from taxonym.sweep.mined import mined
from taxonym.sweep.settings import Judges

_NEVER_GROUPED = (MISSING_VALUE, NO_CONCEPT)  # whatever the setting


def tried(
    records: Any, source: Any, plan: Plan, judges: Judges, sample: int, machine: Machine, mine: bool = False
) -> dict[str, Any]:
    """The figures of one setting, or why it is refused; `records` are those that the plan's shape read from `source`.

    No person's value and no figure of a single record; but they are exact, and so for the owner only.
    """
    k, seed = plan.method.k, plan.method.seed
    context = Context(np.random.default_rng(seed), machine)
    try:
        published = shape_of(plan).publish(records, plan, context)
        proof = published.check(published.batches())
    except (BadPlan, BrokenPromise) as error:
        return {"refused": without_place(error, source)}
    masked = published.masked
    assert masked is not None  # noise is compared with nothing
    rows, kinds = _linked(masked, published.persons, sample, seed), PublishedKinds.of(masked)
    some = None if len(rows) == len(masked.record) else rows
    risks = {
        name: risk_of(kinds.links(masked.x, how, rows), k, masked.published_persons, some)
        for name, how in _named(judges)
    }
    left_out = sum(n for why, n in published.left_out.items() if why not in _NEVER_GROUPED)
    losses = {name: _loss(masked.apart(how), left_out) for name, how in _named(judges)}
    found, survival = risks["common"], published.survival(context)
    return {
        "promise": main_promise(plan).name,
        "groups": len(masked.y[0]),
        "smallest_class": proof.as_data()["smallest_class"],
        "loss": round(losses["common"], 4),
        "loss_by_another": round(losses["another"], 4),
        "loss_of_random_groups": round(_by_lot(masked, k, judges.common, seed), 4),
        "information": _rounded(mean_information(survival)),
        "information_at_random": _rounded(mean_information(survival, random=True)),
        "taxonomies": "; ".join(f"{one.name}: {one.taxonomy}" for one in survival) or None,
        "dr_percent": round(found.dr, 2),
        "dr_percent_interval_95": None if found.interval is None else [round(end, 2) for end in found.interval],
        "dr_percent_by_another": round(risks["another"].dr, 2),
        "max_p": round(found.max, 4),
        "records_above_1_over_k": found.above_1_over_k,
        "left_out_persons": left_out,
        **({"mined": mined(published, source, plan)} if mine else {}),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def without_place(error: TaxonymError, source: Any) -> str:
    """Why a setting is refused, without the name of the file."""
    where = str(source) if isinstance(source, str | Path) else "the table"
    return str(error).removeprefix(f"{where}: ")


def _named(judges: Judges) -> tuple[tuple[str, Compare], ...]:
    return ("common", judges.common), ("another", judges.another)


def _loss(apart: Floats, left_out: int) -> float:
    """The mean distance to what is published; who is left out lost all: a method must not gain by leaving out."""
    return float((apart.sum() + left_out) / (len(apart) + left_out))


def _by_lot(masked: MaskedRecords, k: int, how: Compare, seed: int | None) -> float:
    """What groups of k by lot would lose, each publishing its middle record: the same for all settings of one k."""
    groups = masked.random_groups(k, np.random.default_rng([seed or 0, 2]))
    return float(to_medoids(masked.x, groups, how).mean())


def _linked(masked: MaskedRecords, persons: int, sample: int, seed: int | None) -> Long:
    """Whose records are linked: the published ones among so many persons, the same ones whatever the setting."""
    if sample >= persons:
        return np.sort(masked.record)
    chosen = drawn_rows(persons, sample, np.random.default_rng([seed or 0, 1]))
    return np.sort(masked.record[np.isin(masked.persons[masked.record], chosen)])

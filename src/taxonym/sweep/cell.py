"""One setting tried: masked and verified as a release would be, then judged and attacked as all others are."""

from pathlib import Path
from typing import Any

import numpy as np

from taxonym.attack.everybody import ShownGroups
from taxonym.attack.risk import drawn_rows, risk_of
from taxonym.distance.record import Compare
from taxonym.errors import BrokenPromise
from taxonym.executor.context import Context
from taxonym.executor.machine import Machine
from taxonym.knowledge.content import Floats
from taxonym.measure.loss import to_medoids
from taxonym.methods import masked
from taxonym.methods.closeness import Watch
from taxonym.methods.outcome import Outcome
from taxonym.plan import Plan
from taxonym.promises import main_promise
from taxonym.records.support import Long
from taxonym.records.units import Units
from taxonym.report.disclosure import Disclosure
from taxonym.shapes.table import verified
from taxonym.sweep.settings import Judges

_NEVER_GROUPED = ("missing value", "no concept")  # whatever the setting


def tried(units: Units, plan: Plan, judges: Judges, sample: int, machine: Machine) -> dict[str, Any]:
    """The figures of one setting, or why it is refused.

    No person's value, no figure of a single record; nor how many were linked, which beside another setting would tell
    what "<k" left out hides.
    """
    seed = plan.method.seed
    try:
        outcome, smallest = _released(units, plan, np.random.default_rng(seed), machine)
    except BrokenPromise as error:
        return {"refused": without_place(error, units.table.where)}
    k, members = plan.method.k, outcome.members
    published = len(np.unique(units.persons[members]))
    rows = _linked(units, members, sample, seed)
    x, shown, some = units.parts, ShownGroups.of(outcome), None if len(rows) == len(members) else rows
    risks = {name: risk_of(shown.links(x, how, rows), k, published, some) for name, how in _named(judges)}
    left_out = sum(n for why, n in outcome.suppressed.items() if why not in _NEVER_GROUPED)
    losses = {name: _loss(outcome.apart(how), left_out) for name, how in _named(judges)}
    found = risks["common"]
    return {
        "promise": main_promise(plan).name,
        "groups": len(outcome.groups),
        "smallest_class": smallest,
        "loss": round(losses["common"], 4),
        "loss_by_another": round(losses["another"], 4),
        "loss_of_random_groups": round(_by_lot(outcome, judges.common, seed), 4),
        "dr_percent": round(found.dr, 2),
        "dr_percent_interval_95": None if found.interval is None else [round(end, 2) for end in found.interval],
        "dr_percent_by_another": round(risks["another"].dr, 2),
        "max_p": round(found.max, 4),
        "records_above_1_over_k": Disclosure(k).count(found.above_1_over_k).value,
        "left_out_persons": Disclosure(k).count(left_out).value,
    }


def without_place(error: BrokenPromise, source: Any) -> str:
    """Why a setting is refused, without the name of the file."""
    where = str(source) if isinstance(source, str | Path) else "the table"
    return str(error).removeprefix(f"{where}: ")


def _released(units: Units, plan: Plan, rng: np.random.Generator, machine: Machine) -> tuple[Outcome, int]:
    """What would be published, all that is promised recounted, and the persons of its smallest class."""
    watch = Watch.promised(units, plan)
    outcome = masked(units, plan, Context(rng, machine), watch)
    record, place = outcome.rows(rng)
    classes = verified(outcome, outcome.batches(record, place), units.table.person[record].astype(np.int64))
    if watch is not None:
        watch.check(classes.number, outcome.members[place])
    return outcome, classes.smallest


def _named(judges: Judges) -> tuple[tuple[str, Compare], ...]:
    return ("common", judges.common), ("another", judges.another)


def _loss(apart: Floats, left_out: int) -> float:
    """The mean distance to what is published; who is left out lost all: a method must not gain by leaving out."""
    return float((apart.sum() + left_out) / (len(apart) + left_out))


def _by_lot(outcome: Outcome, how: Compare, seed: int | None) -> float:
    """What groups of k by lot would lose, each publishing its middle record: the same for all settings of one k."""
    groups = outcome.random_groups(np.random.default_rng([seed or 0, 2]))
    return float(to_medoids(outcome.units.parts, groups, how).mean())


def _linked(units: Units, members: Long, sample: int, seed: int | None) -> Long:
    """Whose records are linked: the published ones among so many persons, the same ones whatever the setting."""
    persons = units.table.persons
    if sample >= persons:
        return np.sort(members)
    chosen = drawn_rows(persons, sample, np.random.default_rng([seed or 0, 1]))
    return np.sort(members[np.isin(units.persons[members], chosen)])

"""From units to what is published instead of them, by the plan's method."""

from dataclasses import replace

import numpy as np

from taxonym.engine.generalized import generalized
from taxonym.engine.local import formed, publish
from taxonym.engine.machine import Machine
from taxonym.engine.outcome import Outcome
from taxonym.engine.prepare import Units
from taxonym.engine.promises import Watch
from taxonym.group.blocks import Keep
from taxonym.plan import Plan
from taxonym.progress import SILENCE, Progress


def masked(
    units: Units,
    plan: Plan,
    rng: np.random.Generator,
    progress: Progress = SILENCE,
    watch: Watch | None = None,
    machine: Machine | None = None,
    kept: Keep | None = None,
) -> Outcome:
    """What is published for every unit; `watch` is what l and t were promised of, `kept` holds what was done before."""
    if plan.method.generalizes:
        return generalized(units, plan, rng, progress, watch)
    machine = machine or Machine.of()
    found = formed(units, plan, progress, machine, kept)
    outcome = publish(units, found, plan, rng, progress, watch, machine, kept)
    return replace(outcome, blocks=found.as_data())

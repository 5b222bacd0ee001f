"""From units to what is published instead of them, by the plan's method."""

import numpy as np

from taxonym.engine.generalized import generalized
from taxonym.engine.local import form_groups, publish
from taxonym.engine.outcome import Outcome
from taxonym.engine.prepare import Units
from taxonym.engine.promises import Watch
from taxonym.mask.registry import METHODS
from taxonym.plan import Plan
from taxonym.progress import SILENCE, Progress


def masked(
    units: Units, plan: Plan, rng: np.random.Generator, progress: Progress = SILENCE, watch: Watch | None = None
) -> Outcome:
    """What is published for every unit; `watch` is what l and t were promised of."""
    if METHODS[plan.method.name].how == "generalize":
        return generalized(units, plan, rng, progress, watch)
    return publish(units, form_groups(units, plan, progress), plan, rng, progress, watch)

"""From units to what is published instead of them, by the plan's method."""

from dataclasses import replace

from taxonym.engine.context import Context
from taxonym.engine.generalized import generalized
from taxonym.engine.local import formed, publish
from taxonym.engine.outcome import Outcome
from taxonym.engine.prepare import Units
from taxonym.engine.promises import Watch
from taxonym.plan import Plan


def masked(units: Units, plan: Plan, context: Context, watch: Watch | None = None) -> Outcome:
    """What is published for every unit; `watch` is what l and t were promised of."""
    if plan.method.generalizes:
        return generalized(units, plan, context, watch)
    found = formed(units, plan, context)
    outcome = publish(units, found, plan, context, watch)
    return replace(outcome, blocks=found.as_data())

"""From units to what is published instead of them, by the plan's method."""

from dataclasses import replace

from taxonym.executor.context import Context
from taxonym.methods.closeness import Watch
from taxonym.methods.generalization import generalized
from taxonym.methods.microaggregation import formed, publish
from taxonym.methods.outcome import Outcome
from taxonym.plan import Plan
from taxonym.records.units import Units


def masked(units: Units, plan: Plan, context: Context, watch: Watch | None = None) -> Outcome:
    """What is published for every unit; `watch` is what l and t were promised of."""
    if plan.method.generalizes:
        return generalized(units, plan, context, watch)
    found = formed(units, plan, context)
    outcome = publish(units, found, plan, context, watch)
    return replace(outcome, blocks=found.as_data())

"""From units to what is published instead of them, by the plan's method."""

from taxonym.executor.context import Context
from taxonym.methods.closeness import Watch
from taxonym.methods.outcome import Outcome
from taxonym.plan import Plan, imported
from taxonym.publish.registry import METHODS
from taxonym.records.units import Units


def masked(units: Units, plan: Plan, context: Context, watch: Watch | None = None) -> Outcome:
    """What is published for every unit; `watch` is what l and t were promised of."""
    outcome: Outcome = imported(METHODS[plan.method.name].masks, __name__)(units, plan, context, watch)
    return outcome

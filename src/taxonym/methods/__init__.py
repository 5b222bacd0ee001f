"""From units to what is published instead of them, by the plan's method."""

from taxonym.executor.context import Context
from taxonym.methods.closeness import ConfidentialRule
from taxonym.methods.published_groups import PublishedGroups
from taxonym.plan import Plan, imported
from taxonym.publish.registry import METHODS
from taxonym.records.records import Records


def masked(units: Records, plan: Plan, context: Context, watch: ConfidentialRule | None = None) -> PublishedGroups:
    """What is published for every unit; `watch` is what l and t were promised of."""
    outcome: PublishedGroups = imported(METHODS[plan.method.name].masks, __name__)(units, plan, context, watch)
    return outcome

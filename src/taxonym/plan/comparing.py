"""How a plan compares records, and how it judges what was lost."""

from dataclasses import replace

from taxonym.distance.record import Compare
from taxonym.plan import EQUAL_TERMS, Plan


def compare_of(plan: Plan) -> Compare:
    """How sets are compared; terms without meaning are equal or not."""
    measure = "equal" if plan.method.measure == EQUAL_TERMS else plan.method.measure
    method = plan.method
    return Compare(aggregate=method.aggregate, measure=measure, content=method.content, threshold=method.threshold)


def judge_of(plan: Plan) -> Compare:
    """How it is judged what was lost and what can be found: terms without meaning cannot say, so concepts do."""
    how = compare_of(plan)
    return replace(how, measure="jaccard") if plan.method.measure == EQUAL_TERMS else how

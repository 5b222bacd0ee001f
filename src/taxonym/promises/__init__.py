"""What a release promises: one class for each promise, and which of them a plan makes.

A promise counts itself in a release as it was written, states itself in a sentence, and names its limits. Whoever
writes, verifies or reports asks the promises of the plan and knows none of them by name.
"""

from taxonym.plan import Plan
from taxonym.promises.closeness import LDiversity, TCloseness
from taxonym.promises.k_anonymity import ByConcept, ByLine, KAnonymity
from taxonym.promises.k_to_the_m import KToTheM
from taxonym.promises.noise import Epsilon, NoPromise
from taxonym.promises.promise import Promise
from taxonym.promises.support import SupportRule

__all__ = [
    "PROMISES", "ByConcept", "ByLine", "Epsilon", "KAnonymity", "KToTheM", "LDiversity", "NoPromise", "Promise",
    "SupportRule", "TCloseness", "main_promise", "promises_of", "support_rule",
]  # fmt: skip
PROMISES: tuple[type[Promise], ...] = (
    KAnonymity, ByConcept, ByLine, KToTheM, Epsilon, NoPromise, SupportRule, LDiversity, TCloseness,
)  # fmt: skip


def main_promise(plan: Plan) -> Promise:
    """Whom a release hides among how many, or what else it says of every person."""
    method = plan.method
    if method.perturbs:
        # whoever knows the seed can replay the draws
        return Epsilon(plan) if method.noise.private and method.seed is None else NoPromise(plan)
    if method.generalizes and method.recoding == "items":
        return KToTheM(plan)
    if not method.generalizes and method.representative == "per-record":
        return ByConcept(plan)
    return ByLine(plan) if getattr(plan.shape, "visitor", None) == "line" else KAnonymity(plan)


def support_rule(plan: Plan) -> SupportRule | None:
    """The support rule, where it is promised."""
    return SupportRule(plan) if plan.method.supported else None


def promises_of(plan: Plan) -> tuple[Promise, ...]:
    """Everything that a plan promises, the main promise first."""
    l = LDiversity(plan) if plan.method.l is not None else None  # noqa: E741
    t = TCloseness(plan) if plan.method.t is not None else None
    return tuple(promise for promise in (main_promise(plan), support_rule(plan), l, t) if promise is not None)

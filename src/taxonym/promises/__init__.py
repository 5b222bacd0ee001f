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
    "SupportRule", "TCloseness", "limits_of", "main_promise", "promises_of",
]  # fmt: skip
# Of the main promises, a plan makes the first that it can make; of the others, all.
PROMISES: list[type[Promise]] = [
    KToTheM, ByConcept, ByLine, Epsilon, NoPromise, KAnonymity, SupportRule, LDiversity, TCloseness,
]  # fmt: skip


def main_promise(plan: Plan) -> Promise:
    """Whom a release hides among how many, or what else it says of every person."""
    return next(promise(plan) for promise in PROMISES if promise.main and promise.made_by(plan))


def promises_of(plan: Plan) -> tuple[Promise, ...]:
    """Everything that a plan promises, the main promise first."""
    return main_promise(plan), *(one(plan) for one in PROMISES if not one.main and one.made_by(plan))


def limits_of(plan: Plan) -> list[str]:
    """What all promises of a plan leave open, each thing once."""
    return list(dict.fromkeys(limit for promise in promises_of(plan) for limit in promise.limits()))

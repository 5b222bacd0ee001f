"""ε, and the promise of nothing: what noise says of every person."""

from typing import Any, ClassVar

from taxonym.plan import Noise, Plan
from taxonym.promises.limits import MEMBERSHIP, SEVERAL
from taxonym.promises.promise import Promise, whom


class NoPromise(Promise):
    """Values are masked at random, which makes guessing harder, no more."""

    name = "none"

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return isinstance(plan.method, Noise)

    def sentence(self) -> str:
        return "none: values are masked at random, which makes guessing harder, no more"

    def limits(self) -> tuple[str, ...]:
        return (
            "Neither k nor ε is promised: a value may be published as it is, and what is likely can be guessed.",
            "Whoever knows several values of somebody may recognise the record by those that were hardly changed.",
            "Somebody who knows how the program draws can tell which originals are likely.",
            MEMBERSHIP,
            SEVERAL,
        )

    def as_data(self) -> dict[str, Any]:
        return {"kind": self.name, "k": None, "counts": whom(self.plan)}


class Epsilon(NoPromise):
    """Local differential privacy of all that is published of a person."""

    name = "ε"
    settings: ClassVar = {"method": {"noise_mechanism": "exponential", "epsilon": 1.0}}

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        # whoever knows the seed can replay the draws
        return isinstance(plan.method, Noise) and plan.method.private and plan.method.seed is None

    @property
    def spent(self) -> float:
        """By all cells of a person together, at most."""
        masked = [column for column in self.plan.columns.values() if column.role == "quasi-identifier"]
        return Noise.of(self.plan).allowed(len(masked))

    def sentence(self) -> str:
        return f"ε = {self.spent:g} for all that is published of a person together: local differential privacy"

    def limits(self) -> tuple[str, ...]:
        return (
            "Nothing is promised about k.",
            "Columns that are not masked are published as they are.",
            "That words were drawn with this ε rests on the program, not on the file.",
            "Who took part, and with how many records, is not hidden.",
            "Each further release of the same persons adds its ε to the others.",
        )

    def as_data(self) -> dict[str, Any]:
        return super().as_data() | {
            "epsilon": self.spent,
            "means": "for any two sets of values of one person and the same number of records, no outcome is more than "
            "e^epsilon times as likely for one than for the other, whatever else is known",
        }

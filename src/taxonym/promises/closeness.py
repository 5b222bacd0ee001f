"""l-diversity and t-closeness: what is learnt of somebody whose class is known."""

from typing import Any, ClassVar

from taxonym.plan import Plan
from taxonym.promises.limits import COMMON_KNOWLEDGE, MEMBERSHIP, MINIMALITY, SEVERAL
from taxonym.promises.promise import Promise

L_KINDS = {"distinct": "{l} different values", "entropy": "values as mixed as {l} equally frequent ones (entropy)"}
LIMITS = (
    COMMON_KNOWLEDGE,
    "Values may differ and yet all say the same of a person; a distance by meaning sees that, a count does not.",
    "Only confidential columns and the topics that the plan names are watched.",
    "Whoever adds persons of his own to the data, or knows the values of some, has fewer values left for the others.",
    MINIMALITY,
    MEMBERSHIP,
    SEVERAL,
)


class LDiversity(Promise):
    """The confidential values and sensitive topics of every class differ."""

    name = "l"
    main = False
    settings: ClassVar = {"method": {"l": 2}}

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return plan.method.l is not None

    def sentence(self) -> str:
        method = self.plan.method
        return f"l-diversity: in every class at least {L_KINDS[method.l_kind].format(l=method.l)}"

    def limits(self) -> tuple[str, ...]:
        return LIMITS

    def as_data(self) -> dict[str, Any]:
        return {"l": self.plan.method.l, "l_kind": self.plan.method.l_kind}


class TCloseness(Promise):
    """The confidential values of every class are spread as those of all persons."""

    name = "t"
    main = False
    settings: ClassVar = {"method": {"t": 0.5}}

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return plan.method.t is not None

    def sentence(self) -> str:
        return (
            f"t-closeness: in no class are confidential values spread farther from those of all than "
            f"t = {self.plan.method.t:g}, on a scale to 1"
        )

    def limits(self) -> tuple[str, ...]:
        return LIMITS

    def as_data(self) -> dict[str, Any]:
        return {"t": self.plan.method.t, "t_distance": self.plan.method.t_distance}

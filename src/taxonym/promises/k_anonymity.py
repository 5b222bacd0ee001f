"""k: nobody's published record is that of fewer than k persons."""

from typing import Any, ClassVar

from taxonym.plan import Microaggregation, Noise, Plan
from taxonym.promises.classes import Classes
from taxonym.promises.limits import (
    COMMON_KNOWLEDGE,
    EXCLUSION,
    MEMBERSHIP,
    MINIMALITY,
    SEVERAL,
    false_persons,
)
from taxonym.promises.promise import Promise, WrittenRelease, whom


class KAnonymity(Promise):
    """Every published record is identical, in all columns but the confidential ones, to those of k - 1 others."""

    name = "k"

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return not isinstance(plan.method, Noise)

    def sentence(self) -> str:
        return f"k = {self.k}: every published record is identical to those of at least {self.k - 1} others"

    def limits(self) -> tuple[str, ...]:
        return (COMMON_KNOWLEDGE, EXCLUSION, false_persons(self.k), MINIMALITY, MEMBERSHIP, SEVERAL)

    def as_data(self) -> dict[str, Any]:
        return {"kind": self.name, "k": self.k, "counts": whom(self.plan)}

    def count(self, written: WrittenRelease) -> Classes:
        return written.classes(self.k, self.by_concept)

    def failure(self, counted: Classes, where: str) -> str:
        if not counted.below and counted.broken:
            return f"{where}: {'; '.join(counted.broken)}"
        return f"{where}: {counted.below:,} classes would have fewer than {self.k} persons"


class ByConcept(KAnonymity):
    """The same, but records of a class may use different words for the same concepts."""

    name = "k by concept"
    settings: ClassVar = {"method": {"representative": "per-record"}}
    by_concept = True

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return isinstance(plan.method, Microaggregation) and plan.method.representative == "per-record"

    def sentence(self) -> str:
        return f"k = {self.k} by concept: every published record has the concepts of at least {self.k - 1} others"

    def limits(self) -> tuple[str, ...]:
        return (
            "Words are drawn for each record, so a record may be the only one with just these words.",
            *super().limits(),
        )


class ByLine(KAnonymity):
    """Every published line is identical to k - 1 others, which may all be one person's."""

    name = "k by line, none for persons"
    settings: ClassVar = {"accesslog": {"visitor": "line"}}

    @classmethod
    def made_by(cls, plan: Plan) -> bool:
        return super().made_by(plan) and getattr(plan.shape, "visitor", None) == "line"

    def sentence(self) -> str:
        return f"k = {self.k} by line: every published line is identical to at least {self.k - 1} others"

    def limits(self) -> tuple[str, ...]:
        return ("All lines of a class may be one person's: nothing is promised to persons.", *super().limits())

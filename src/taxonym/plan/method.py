"""What every method is told, whatever its family: the part of the plan's table [method] that all families share."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from taxonym.errors import BadPlan
from taxonym.publish.registry import METHODS
from taxonym.records.column import check_least_content, check_types, one_of
from taxonym.records.thresholds import RANDOM

if TYPE_CHECKING:
    from taxonym.distance.record import Compare
    from taxonym.plan import Plan

EQUAL_TERMS = "equal-terms"  # on the strings as written, so it is no distance between concepts [Batet2014, §4.3]
L_KINDS = ("distinct", "entropy")
T_DISTANCES = ("semantic", "equal")
THRESHOLDS = ("k", RANDOM)
FOR_CHECKING = (
    "Algorithm 3 of Imran-Daud et al. 2022 as printed is kept for checking the paper only: its groups depend on the "
    "order of the records, lose records and may have fewer than k. Use 'adaptive-mdav' for a release."
)
NOT_FOR_RELEASE = {"papers": FOR_CHECKING, "adaptive-mdav-papers": FOR_CHECKING}


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """The settings that all families of methods share; a plan holds an instance of one family (plan.families).

    `k` persons at least are alike in what is published; noise, which promises no k, has it as a yardstick of risk.
    `aggregate`, `measure`, `threshold` and `content` say how records are compared. `known_items` is the support rule's
    m. `least_content` is how much a concept must say to be published (knowledge.floor), in columns that do not say so
    themselves. `support_threshold` "random" draws a secret threshold between k and 2k for every single word and
    concept; a plan may write threshold = "random" for it, where it does not need that key for a number. `topics` are
    those of columns that name none themselves. A sensitive concept that more than `topic_share` of a group's
    persons hold is published as its topic only, in columns with topics. `l` and `t` promise l-diversity (by `l_kind`)
    and t-closeness (by `t_distance`) of every class, in confidential columns and in the topics of others. The seed
    belongs to tests and experiments: whoever knows it can replay the draws.

    `others` are settings of other families that the plan names too. They have no effect, and are kept for those who
    try the plan with another method.
    """

    how: ClassVar[str] = ""  # as publish.registry.Masking has it
    distinct_items: ClassVar[bool] = False  # whether a set is held only by whoever has an item of its own for each

    name: str = "refined"
    k: int = 5
    aggregate: str = "min-sum"
    measure: str = ""  # that of `usual_measure`
    threshold: float = 0.8
    support_threshold: str = "k"
    content: str = "seco"
    known_items: int = 2
    least_content: float | None = None
    topics: tuple[str, ...] = ()
    topic_share: float = 0.75
    l: int | None = None  # noqa: E741
    l_kind: str = "distinct"
    t: float | None = None
    t_distance: str = "semantic"
    seed: int | None = None
    others: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # The registries are imported when a plan is checked, not before.
        from taxonym.distance.attributes import MATCHINGS, check_threshold
        from taxonym.distance.registry import DISTANCES
        from taxonym.distance.sets import AGGREGATIONS
        from taxonym.knowledge.content import CONTENTS

        check_types(self, "method")
        object.__setattr__(self, "name", american(self.name, METHODS))
        if self.name in NOT_FOR_RELEASE:
            raise BadPlan(f"method.name: {NOT_FOR_RELEASE[self.name]}")
        one_of("method.name", self.name, METHODS)
        if METHODS[self.name].how != self.how:
            family = type(self).__name__
            raise BadPlan(f"method.name: {self.name!r} is no {family}. Change it with taxonym.plan.with_settings.")
        one_of("method.aggregate", self.aggregate, [*AGGREGATIONS, *MATCHINGS])
        if not self.measure:
            object.__setattr__(self, "measure", self.usual_measure)
        one_of("method.measure", self.measure, [*DISTANCES, EQUAL_TERMS])
        one_of("method.content", self.content, CONTENTS)
        one_of("method.support_threshold", self.support_threshold, THRESHOLDS)
        try:
            check_threshold(self.threshold)
        except BadPlan as error:
            raise BadPlan(f"method.{error}") from None
        if not 0 <= self.topic_share <= 1:
            raise BadPlan(f"method.topic_share: must lie between 0 and 1, got {self.topic_share}.")
        check_least_content("method", self.least_content)
        one_of("method.l_kind", self.l_kind, L_KINDS)
        one_of("method.t_distance", self.t_distance, T_DISTANCES)
        if self.t is not None and not 0 < self.t <= 1:
            raise BadPlan(f"method.t: must lie above 0 and be at most 1, got {self.t}.")
        self.at_least(k=2, known_items=0, l=2, seed=0)

    def at_least(self, **least: int) -> None:
        """Complain of settings below these values."""
        for key, value in least.items():
            if (given := getattr(self, key)) is not None and given < value:
                raise BadPlan(f"method.{key}: must be at least {value}, got {given}.")

    def check_plan(self, plan: "Plan") -> None:
        """Complain of columns and inputs that the method is not for."""
        for key in ("l", "t"):  # they are about something: a confidential column, or topics of one that has words
            if getattr(self, key) is None:
                continue
            if plan.shape is not None:
                if why := plan.shape.no_topics:
                    raise BadPlan(f"method.{key}: {why} Leave it out.")
                if not self.topics:
                    raise BadPlan(
                        f"method.{key}: there is nothing to watch. Name sensitive topics of the words (method.topics)."
                    )
                continue
            if not any(
                c.role == "confidential"
                or (c.role == "quasi-identifier" and (c.topics or (c.taxonomy and self.topics)))
                for c in plan.columns.values()
            ):
                raise BadPlan(
                    f"method.{key}: there is nothing to watch. Give a column the role 'confidential', or name the "
                    f"sensitive topics of a column with a taxonomy (topics)."
                )

    @classmethod
    def of(cls, plan: "Plan") -> Self:
        """The method of a plan that is known to be of this family."""
        if not isinstance(plan.method, cls):
            raise TypeError(f"{plan.method.name!r} has no settings of {cls.__name__}")
        return plan.method

    @property
    def together(self) -> int:
        """How many concepts of a record need k persons who hold them all: at least one, for every single one does."""
        return max(1, self.known_items)

    @property
    def usual_measure(self) -> str:
        """The distance between concepts, unless told otherwise."""
        return usual_measure(self.aggregate)

    @property
    def supported(self) -> bool:
        """Whether the support rule is promised."""
        return True

    @property
    def named(self) -> tuple[str | None, ...]:
        """The files that the settings name to be read, or None."""
        return ()

    @property
    def compare(self) -> "Compare":
        """How sets are compared; terms without meaning are equal or not."""
        from taxonym.distance.record import Compare

        measure = "equal" if self.measure == EQUAL_TERMS else self.measure
        return Compare(aggregate=self.aggregate, measure=measure, content=self.content, threshold=self.threshold)

    @property
    def judge(self) -> "Compare":
        """How it is judged what was lost and what can be found: terms without meaning cannot say, so concepts do."""
        return replace(self.compare, measure="jaccard") if self.measure == EQUAL_TERMS else self.compare


def usual_measure(aggregate: str) -> str:
    """The distance between concepts that belongs to a distance between sets, unless told otherwise."""
    return "log" if aggregate.startswith("matching") else "jaccard"


def american(name: str, known: Iterable[str]) -> str:
    """A name as it is registered, where it was written the British way (generalise)."""
    other = re.sub(r"is(e|ed|ation)\b", r"iz\1", name)
    return other if name not in known and other in known else name

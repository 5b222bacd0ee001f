"""The settings of noise: which mechanism, how strong, and what it asks of the columns.

They check themselves. What ε rests on is checked here before any data is read: the domain, ε and the shape of what is
published must not depend on the data, and nothing may be published beside the private values as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

from taxonym.errors import BadPlan
from taxonym.plan.method import EQUAL_TERMS, Method
from taxonym.publish.noise.budget import ROUNDING, Budget
from taxonym.records.column import Column, one_of

if TYPE_CHECKING:
    from taxonym.plan import Plan
    from taxonym.publish.noise.semantic import NoiseChoice

PRIVATE_NAMES = ("exponential", "geometric")  # a test compares them with publish.noise.private.PRIVATE
SHAPE_NAMES = ("normal", "laplace")  # and these with publish.noise.semantic.SHAPES
ALPHA = 0.5  # unless told: the most that [RodriguezGarcia2015, §II] calls usual
OF_SHAPES = ("alpha", "min_candidates", "aim", "correlated", "consistent")  # settings that only these have
OF_PRIVATE = ("epsilon", "budget")
OUTCOMES = ("all", "public", "usual")  # which concepts may come out, whatever the value
TABLE = ("outcomes", "public", "avoid")  # settings that a plan may also write in a table [noise] of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise(Method):
    """Every value masked at random for itself, so that there are neither groups nor k.

    `alpha` is the strength of `normal` and `laplace`, `epsilon` that of `exponential` and `geometric`, for a cell.
    `min_candidates` concepts at least may come out for every value, or an `aim` keeps one statistic better.
    `correlated` errors vary together as the columns do. `consistent` gives a person the same answer for the same value.
    `budget` is what the values of one person may cost in ε; unless given, what one record costs. `statistics` is a file
    that 'taxonym stats' made. `outcomes` names the concepts that may come out, the same for every value: all of the
    category, a `public` list (a file; without one, what the taxonomy's own source has seen in use), or what k persons
    wrote; `avoid` takes topics out of them.
    """

    how: ClassVar[str] = "noise"

    name: str = "noise"
    noise_mechanism: str = "normal"
    alpha: float | None = None
    epsilon: float | None = None
    budget: float | None = None
    min_candidates: int = 1
    aim: str | None = None
    correlated: bool = False
    consistent: bool = False
    statistics: str | None = None
    outcomes: str = "all"
    public: str | None = None
    avoid: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        from taxonym.publish.noise.mechanisms import MECHANISMS
        from taxonym.publish.noise.private import check_epsilon
        from taxonym.publish.noise.semantic import deviation

        Method.__post_init__(self)
        mechanism = self.noise_mechanism
        one_of("noise.outcomes", self.outcomes, OUTCOMES)
        if self.public is not None and self.outcomes != "public":
            raise BadPlan(f'noise.public: belongs to outcomes = "public", and outcomes is {self.outcomes!r}.')
        if self.outcomes == "usual" and self.private:
            raise BadPlan(
                "noise.outcomes: under ε nothing of the data has a say in what may come out, and 'usual' is what k "
                "persons wrote. Choose 'all' or 'public'."
            )
        one_of("method.noise_mechanism", mechanism, MECHANISMS)
        strength = MECHANISMS[mechanism].strength
        for keys, names in ((OF_SHAPES, SHAPE_NAMES), (OF_PRIVATE, PRIVATE_NAMES)):
            wrong = [f.name for f in fields(self) if f.name in keys and getattr(self, f.name) != f.default]
            if wrong and mechanism not in names:
                raise BadPlan(
                    f"method.{wrong[0]}: belongs to {' and '.join(map(repr, names))}, and noise_mechanism is "
                    f"{mechanism!r}.{_WHY.get(wrong[0], '') * self.private}"
                )
        if strength == "epsilon" and self.epsilon is None:
            raise BadPlan(f"method.epsilon: is missing, and {mechanism!r} needs it. Usual values are 0.1 to 10.")
        try:
            self.choice  # noqa: B018 - checks itself
            if strength == "alpha":
                deviation(self.strength, 1.0)
            if strength == "epsilon":
                check_epsilon(self.strength)
            if self.budget is not None:
                Budget(self.budget)
        except BadPlan as error:
            raise BadPlan(f"method.{error}") from None
        if self.correlated and (mechanism != "normal" or self.consistent):
            raise BadPlan("method.correlated: only errors of 'normal' can be correlated, and not if 'consistent'.")
        if self.statistics is not None and self.private:
            raise BadPlan("method.statistics: under ε nothing that was computed from data has a say. Leave it out.")
        for key in ("l", "t"):
            if getattr(self, key) is not None:
                raise BadPlan(f"method.{key}: is about classes, and noise forms none. Leave it out.")
        if self.measure == EQUAL_TERMS:
            raise BadPlan(f"method.measure: {EQUAL_TERMS!r} knows no concepts. Choose a distance between concepts.")

    @property
    def usual_measure(self) -> str:
        """That of the paper."""
        return "wu-palmer"

    @property
    def supported(self) -> bool:
        """No group, no support rule."""
        return False

    @property
    def named(self) -> tuple[str | None, ...]:
        return (self.statistics, self.public)

    @property
    def private(self) -> bool:
        """Whether the mechanism is ε-differentially private, if nobody knows the seed."""
        return self.noise_mechanism in PRIVATE_NAMES

    @property
    def choice(self) -> "NoiseChoice":
        from taxonym.publish.noise.semantic import NoiseChoice

        return NoiseChoice(min_candidates=self.min_candidates, aim=self.aim)

    @property
    def strength(self) -> float:
        """ε or α, unless told what is usual."""
        if self.private:
            return self.epsilon or 0.0
        return ALPHA if self.alpha is None else self.alpha

    def cost(self, columns: int) -> float:
        """What one record costs in ε: every masked cell that much."""
        return self.strength * columns

    def allowed(self, columns: int) -> float:
        """What the records of a person may cost together."""
        return self.cost(columns) if self.budget is None else self.budget

    # ------------------------------------------------------------------ columns

    def check_plan(self, plan: "Plan") -> None:
        """Complain of columns that this noise cannot mask, or beside which it would not keep its promise."""
        if plan.shape is not None:
            raise BadPlan("method.name: noise masks values of columns, which only a table has. Choose another.")
        columns, person = plan.columns, plan.input.person
        masked = [column for column in columns.values() if column.role == "quasi-identifier"]
        for column in masked:
            self._check_masked(column)
        for column in columns.values():
            if column.links == "cut":
                raise BadPlan(
                    f"columns.{column.name}.links: noise makes no classes inside which values could be permuted. Leave "
                    f"it out, or choose a method that promises k."
                )
        if self.correlated and (len(masked) < 2 or any(column.kind != "nominal" for column in masked)):
            raise BadPlan("method.correlated: needs at least two quasi-identifiers, all of kind 'nominal'.")
        if self.consistent and person is None:
            raise BadPlan("method.consistent: whose record it is has to be known. Name a column as input.person.")
        if self.private:
            self._check_private(columns, masked, person is not None and plan.input.person_rows == "unite")

    def _check_masked(self, column: Column) -> None:
        key = f"columns.{column.name}"
        if column.kind in ("number", "date"):
            raise BadPlan(
                f"{key}.kind: semantic noise is for words, not for a {column.kind}. Make it 'nominal', with a "
                f"hierarchy of ranges ('taxonym taxonomy cut --kind {column.kind}'), or leave the column out."
            )
        if not column.taxonomy:
            raise BadPlan(f"{key}.taxonomy: is missing. Noise replaces words by others that are near in a taxonomy.")
        if column.on_unknown == "keep-as-own-concept" and not self.private:
            raise BadPlan(
                f"{key}.on_unknown: a word that no taxonomy knows cannot be masked by noise, and would be published as "
                f"it is. Choose suppress or error."
            )
        if column.mean is not None and self.noise_mechanism not in SHAPE_NAMES:
            raise BadPlan(f"{key}.mean: {self.noise_mechanism!r} knows no mean. Remove mean and variance.")

    def _check_private(self, columns: Mapping[str, Column], masked: list[Column], united: bool) -> None:
        for column in columns.values():
            if column.role in ("confidential", "other"):
                raise BadPlan(
                    f"columns.{column.name}.role: a column that is published as it is would break the promise of ε. "
                    f"Make it a quasi-identifier, so that it is masked, or an identifier, so that it is removed."
                )
            if column not in masked:
                continue
            if united and column.kind == "nominal":
                raise BadPlan(
                    f"columns.{column.name}.kind: the rows of a person are united, so that there may be several "
                    f"values, and under ε the data must not say how many are published. Make it 'set' with a set_size, "
                    f'or set person_rows = "keep" or "unique".'
                )
            for key in ("on_unknown", "on_empty"):
                if getattr(column, key) == "error":
                    raise BadPlan(
                        f"columns.{column.name}.{key}: under ε what is unknown or missing is masked like any value, so "
                        f"that nobody learns of it. Remove this policy."
                    )
        if self.allowed(len(masked)) < self.cost(len(masked)) - ROUNDING:
            raise BadPlan(
                f"method.budget: one record costs ε = {self.cost(len(masked)):g} ({len(masked)} columns), more than a "
                f"budget of {self.budget:g}. Raise it, lower epsilon, or mask fewer columns."
            )


_WHY = {
    "consistent": " Which of a person's values are the same would show, and ε does not allow that; a budget limits how "
    "often a person is answered.",
}

"""The settings of noise in a plan: which mechanism, how strong, and what it asks of the columns.

They check themselves. What ε rests on is checked here before any data is read: the domain, ε and the shape of what is
published must not depend on the data, and nothing may be published beside the private values as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from taxonym.data.column import Column, one_of
from taxonym.errors import BadPlan
from taxonym.mask.budget import ROUNDING, Budget

if TYPE_CHECKING:
    from taxonym.mask.noise import Choice

PRIVATE_NAMES = ("exponential", "geometric")  # a test compares them with mask.private.PRIVATE
SHAPE_NAMES = ("normal", "laplace")  # and these with mask.noise.SHAPES
ALPHA = 0.5  # unless told: the most that [RodriguezGarcia2015, §II] calls usual


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseSettings:
    """`alpha` is the strength of `normal` and `laplace`, `epsilon` that of `exponential` and `geometric`, for a cell.

    `min_candidates` concepts at least may come out for every value, or an `aim` keeps one statistic better.
    `correlated` errors vary together as the columns do. `consistent` gives a person the same answer for the same value.
    `budget` is what the values of one person may cost in ε; unless given, what one record costs.
    """

    noise_mechanism: str = "normal"
    alpha: float | None = None
    epsilon: float | None = None
    budget: float | None = None
    min_candidates: int = 1
    aim: str | None = None
    correlated: bool = False
    consistent: bool = False

    def __post_init__(self) -> None:
        from taxonym.mask.mechanisms import MECHANISMS
        from taxonym.mask.noise import deviation
        from taxonym.mask.private import check_epsilon

        one_of("method.noise_mechanism", self.noise_mechanism, MECHANISMS)
        strength = MECHANISMS[self.noise_mechanism].strength
        belong = {"alpha": SHAPE_NAMES, "epsilon": PRIVATE_NAMES, "budget": PRIVATE_NAMES}
        belong |= dict.fromkeys(("min_candidates", "aim", "correlated", "consistent"), SHAPE_NAMES)
        for field in fields(self):
            if getattr(self, field.name) != field.default and self.noise_mechanism not in belong.get(
                field.name, MECHANISMS
            ):
                raise BadPlan(
                    f"method.{field.name}: belongs to {' and '.join(map(repr, belong[field.name]))}, and "
                    f"noise_mechanism is {self.noise_mechanism!r}.{_WHY.get(field.name, '') * self.private}"
                )
        if strength == "epsilon" and self.epsilon is None:
            raise BadPlan(
                f"method.epsilon: is missing, and {self.noise_mechanism!r} needs it. Usual values are 0.1 to 10."
            )
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
        if self.correlated and (self.noise_mechanism != "normal" or self.consistent):
            raise BadPlan("method.correlated: only errors of 'normal' can be correlated, and not if 'consistent'.")

    @property
    def private(self) -> bool:
        """Whether the mechanism is ε-differentially private, if nobody knows the seed."""
        return self.noise_mechanism in PRIVATE_NAMES

    @property
    def choice(self) -> "Choice":
        from taxonym.mask.noise import Choice

        return Choice(min_candidates=self.min_candidates, aim=self.aim)

    @property
    def strength(self) -> float:
        return (self.epsilon or 0.0) if self.private else ALPHA if self.alpha is None else self.alpha

    def cost(self, columns: int) -> float:
        """What one record costs in ε: every masked cell that much."""
        return self.strength * columns

    def allowed(self, columns: int) -> float:
        """What the records of a person may cost together."""
        return self.cost(columns) if self.budget is None else self.budget

    # ------------------------------------------------------------------ columns

    def check_columns(self, columns: Mapping[str, Column], person: str | None, person_rows: str) -> None:
        """Complain of columns that this noise cannot mask, or beside which it would not keep its promise."""
        masked = [column for column in columns.values() if column.role == "quasi-identifier"]
        for column in masked:
            self._check_masked(column)
        if self.correlated and (len(masked) < 2 or any(column.kind != "nominal" for column in masked)):
            raise BadPlan("method.correlated: needs at least two quasi-identifiers, all of kind 'nominal'.")
        if self.private:
            self._check_private(columns, masked, person is not None and person_rows == "unite")

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


NOISE_KEYS = tuple(field.name for field in fields(NoiseSettings))
_WHY = {
    "consistent": " Which of a person's values are the same would show, and ε does not allow that; a budget limits how "
    "often a person is answered.",
}

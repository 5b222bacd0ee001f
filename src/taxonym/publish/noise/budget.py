"""What a person's data may cost in ε altogether: over all columns, and all records of that person."""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import inf
from threading import Lock

from taxonym.errors import BadPlan, BrokenPromise

ROUNDING = 1e-9  # ten times 0.1 is 1


class Budget:
    """Spent per person; refuses what would go beyond it.

    Private values of one person add up: ε1 and ε2 together are ε1 + ε2, and a person who has three records pays three
    times. What a budget cannot hide is how many records a person has.

    `persons` is how many are remembered: whoever would be one more is refused, since nobody may be forgotten. Several
    threads may charge at once.
    """

    __slots__ = ("_lock", "_spent", "epsilon", "persons")

    def __init__(self, epsilon: float, persons: int | None = None) -> None:
        if not 0 < epsilon < inf:
            raise BadPlan(f"budget must be a number above 0, got {epsilon}.")
        if persons is not None and persons < 1:
            raise BadPlan(f"persons: at least 1 has to be remembered, got {persons}.")
        self.epsilon, self.persons, self._lock = epsilon, persons, Lock()
        self._spent: Counter[Hashable] = Counter()

    def left(self, person: Hashable) -> float:
        return self.epsilon - float(self._spent.get(person, 0))

    def charge(self, persons: Sequence[Hashable], epsilon: float) -> None:
        """Pay ε for each of these records, named by their persons: all of them, or BrokenPromise and none."""
        with self._lock:
            self._charge(persons, epsilon)

    def _charge(self, persons: Sequence[Hashable], epsilon: float) -> None:
        records = Counter(persons)
        if self.persons is not None and len(self._spent) + sum(p not in self._spent for p in records) > self.persons:
            raise BrokenPromise(
                f"budget: what {self.persons:,} persons have spent is remembered, and no more fit, so nothing was "
                f"drawn. Let more be remembered."
            )
        over = {p for p, n in records.items() if n * epsilon > self.left(p) + ROUNDING}
        if over:
            row = next(i for i, person in enumerate(persons) if person in over)
            who = "its person" if len(persons) == 1 else f"{len(over):,} persons"
            place = "" if len(persons) == 1 else f" (first at record {row + 1})"
            raise BrokenPromise(
                f"budget: {who} would spend more than ε = {self.epsilon:g}{place}, so nothing was drawn. Lower "
                f"epsilon, mask fewer columns, or keep fewer records each."
            )
        for person, n in records.items():
            self._spent[person] += n * epsilon  # type: ignore[assignment]

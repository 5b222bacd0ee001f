"""What data mining is asked about a release, and how its answer is told."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from taxonym.errors import BadPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Mining:
    """What is asked: numbers of clusters to try (those above the number of records are left out), how many of the most
    frequent values are followed, how often a clustering is begun anew, and a seed for tests and experiments."""

    clusters: tuple[int, ...] = (2, 5, 10, 20, 50, 100)
    top: int = 10
    runs: int = 3
    seed: int | None = None

    def __post_init__(self) -> None:
        for what, least, values in (
            ("clusters", 2, self.clusters),
            ("top", 1, (self.top,)),
            ("runs", 1, (self.runs,)),
            ("seed", 0, (self.seed or 0,)),
        ):
            if not values or min(values) < least:
                raise BadPlan(f"--{what}: must be at least {least}.")


def table(name: str, title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """One table of an answer: a name for programs, a title for people, and cells (numbers, words or None)."""
    return {"name": name, "title": title, "columns": list(columns), "rows": [list(row) for row in rows]}

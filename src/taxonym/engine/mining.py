"""What data mining still finds in a release: who answers that for each kind of data, and how the answer is told."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from taxonym.data.column import one_of
from taxonym.errors import BadPlan
from taxonym.plan import Plan, imported

if TYPE_CHECKING:
    from taxonym.engine.written import Trail

# Who mines which kind of data, imported when it is asked for.
MINERS: dict[str, str] = {
    "accesslog": "taxonym.engine.mining_accesslog:mine",
    "querylog": "taxonym.engine.mining_querylog:mine",
    "documents": "taxonym.engine.mining_documents:mine",
}


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


class Miner(Protocol):
    """Looks at an original and its release. The trail tells which record became which; what needs it is left out (and
    a note says so) where there is none. Gives "kind", "tables" (made by `table`), "notes" (sentences), and any more."""

    def __call__(
        self, original: str, release: str, plan: Plan, trail: "Trail | None", options: Mining
    ) -> dict[str, Any]: ...


def miner_named(kind: str) -> Miner:
    """Who mines a kind of data."""
    one_of("--kind", kind, MINERS)
    found: Miner = imported(MINERS[kind])
    return found


def table(name: str, title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """One table of an answer: a name for programs, a title for people, and cells (numbers, words or None)."""
    return {"name": name, "title": title, "columns": list(columns), "rows": [list(row) for row in rows]}

"""What every promise is asked."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from taxonym.knowledge.runs import Long
from taxonym.plan import Plan
from taxonym.promises.classes import Classes, Recount, published_words
from taxonym.publish.groups import Support
from taxonym.records.column import Column

if TYPE_CHECKING:
    import polars as pl

WHOM = "rows: no column says whose they are, so each counts as a person"


@dataclass(slots=True, eq=False)
class WrittenTable:
    """A release as it was read back, in batches, which come once. Row i stands for persons[i], where these are known.

    `columns` are those of words, as they are published; `supports` says who holds what in them, where the original is
    at hand. `rows` are those that were read.
    """

    batches: "Iterable[pl.DataFrame]"
    confidential: Collection[str]
    columns: Mapping[str, Column]
    where: str
    persons: Long | None = None
    supports: Mapping[str, Support] | None = None
    rows: Recount = field(init=False)

    def __post_init__(self) -> None:
        self.rows = Recount(self.confidential)

    def read(self) -> "Iterator[pl.DataFrame]":
        """The batches; each is counted on the way."""
        for batch in self.batches:
            self.rows.add(batch)
            yield batch

    def words(self, frame: "pl.DataFrame") -> dict[str, list[list[str]]]:
        """The words of every row, column by column."""
        return {name: published_words(frame, column, self.where) for name, column in self.columns.items()}


class Promise(ABC):
    """One promise of a plan."""

    name: ClassVar[str]
    main: ClassVar[bool] = True  # whether it says of every person among how many the person is hidden, or what else
    settings: ClassVar[Mapping[str, Mapping[str, Any]]] = {}  # tables of a plan that asks for it, beside the method
    whole_records: ClassVar[bool] = True  # whether nobody's whole published record is rarer than promised
    by_concept: ClassVar[bool] = False  # whether records are alike that mean the same in other words

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @classmethod
    @abstractmethod
    def made_by(cls, plan: Plan) -> bool:
        """Whether a plan can make it."""

    @property
    def k(self) -> int:
        return self.plan.method.k

    @abstractmethod
    def sentence(self) -> str:
        """What is promised, for people."""

    @abstractmethod
    def limits(self) -> tuple[str, ...]:
        """What is not promised, for people."""

    def as_data(self) -> dict[str, Any]:
        """What a report says of it."""
        return {}

    def check(self, written: WrittenTable, counted: Classes) -> None:  # noqa: B027  (l and t ask the original)
        """Raise BrokenPromise unless a release keeps it, which was counted for the main promise: for those beside."""

    def count(self, written: WrittenTable) -> Classes:
        """Recount it in a release as it was written."""
        raise TypeError(f"{self.name} is not counted in classes")

    def failure(self, counted: Classes, where: str) -> str:
        """What is said of a release that would break it."""
        raise TypeError(f"{self.name} is not counted in classes")


def whom(plan: Plan) -> str:
    """Whom a promise counts."""
    return "persons" if plan.input.person else WHOM

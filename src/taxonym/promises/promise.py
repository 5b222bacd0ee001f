"""What every promise is asked, and what it asks of a release as it was written."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from taxonym.knowledge.arrays import Long
from taxonym.plan import Plan
from taxonym.promises.classes import (
    Classes,
    Recount,
    as_concepts,
    count_combinations,
    count_owned,
    published_words,
    rare_choices,
    rare_words,
)
from taxonym.publish.groups import CellSupport, Support
from taxonym.records.column import Column

if TYPE_CHECKING:
    import polars as pl

WHOM = "rows: no column says whose they are, so each counts as a person"


class WrittenRelease(Protocol):
    """A release as it was read back, on whatever machine: it counts, and knows no promise.

    `original` says whether it is known who holds what, which the last two counts need.
    """

    @property
    def where(self) -> str: ...

    @property
    def original(self) -> bool: ...

    def classes(self, k: int, by_concept: bool) -> Classes:
        """Rows that are equal in all columns but the confidential ones; by_concept, those that mean the same."""

    def combinations(self, k: int, m: int) -> Classes:
        """The same, and how many combinations of at most m items fewer than k persons have."""

    def rare_choices(self, k: int, m: int, distinct: bool) -> int:
        """How many different records or choices have at most m concepts that fewer than k persons hold together;
        where `distinct`, with an item of their own for each."""

    def rare_words(self, k: int) -> int:
        """How many different words are no name of their concept and have fewer than k writers."""


@dataclass(slots=True, eq=False)
class WrittenTable:
    """A release as it was read back, in batches, which come once. Row i stands for persons[i], where these are known.

    `columns` are those of words, as they are published; `supports` says who holds what in them, and `cells` in the
    others, where the original is at hand. `rows` are those that were read.
    """

    batches: "Iterable[pl.DataFrame]"
    confidential: Collection[str]
    columns: Mapping[str, Column]
    where: str
    persons: Long | None = None
    supports: Mapping[str, Support] | None = None
    cells: Sequence[CellSupport] = ()
    rows: Recount = field(init=False)

    def __post_init__(self) -> None:
        self.rows = Recount(self.confidential)

    @property
    def original(self) -> bool:
        return bool(self.supports or self.cells)

    def classes(self, k: int, by_concept: bool) -> Classes:
        if not by_concept:
            for _ in self._read():
                pass
            return count_owned(self.rows.number, k, self.persons)
        if self.supports is None:
            raise TypeError("only the original tells which words mean the same")
        found = Recount(self.confidential)
        for batch in self._read():
            found.add(as_concepts(batch, {name: (words, self.supports[name]) for name, words in self._words(batch)}))
        return count_owned(found.number, k, self.persons)

    def combinations(self, k: int, m: int) -> Classes:
        import polars as pl

        frame = pl.concat(self._read())
        return count_combinations(frame, dict(self._words(frame)), k, m, self.confidential, self.persons)

    def rare_choices(self, k: int, m: int, distinct: bool) -> int:
        frame = self.rows.different
        cells = [(one.items(frame[one.column.name], self.where), one) for one in self.cells]
        return rare_choices([*self._different(), *cells], k, m, distinct)

    def rare_words(self, k: int) -> int:
        return rare_words(self._different(), k)

    def _read(self) -> "Iterator[pl.DataFrame]":
        """The batches; each is counted on the way."""
        for batch in self.batches:
            self.rows.add(batch)
            yield batch

    def _words(self, frame: "pl.DataFrame") -> Iterator[tuple[str, list[list[str]]]]:
        """The words of every row, column by column."""
        return ((name, published_words(frame, column, self.where)) for name, column in self.columns.items())

    def _different(self) -> list[tuple[list[list[str]], Support]]:
        """The words of one row of each class that was read, with who holds what."""
        return [(words, (self.supports or {})[name]) for name, words in self._words(self.rows.different)]


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

    def check(self, written: WrittenRelease, counted: Classes) -> None:  # noqa: B027  (l and t ask the original)
        """Raise BrokenPromise unless a release keeps it, which was counted for the main promise: for those beside."""

    def count(self, written: WrittenRelease) -> Classes:
        """Recount it in a release as it was written."""
        raise TypeError(f"{self.name} is not counted in classes")

    def failure(self, counted: Classes, where: str) -> str:
        """What is said of a release that would break it."""
        raise TypeError(f"{self.name} is not counted in classes")


def whom(plan: Plan) -> str:
    """Whom a promise counts."""
    return "persons" if plan.input.person else WHOM

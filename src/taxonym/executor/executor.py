"""What a run asks of the engine that does its work: this process, worker processes (workers.py), Spark (run/spark)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import NDArray

from taxonym.knowledge.arrays import Long

R = TypeVar("R")


class Executor(Protocol):
    """An engine: it works on parts, brings together what belongs to a block, and adds up what parts count.

    Parts are as the engine has them: blocks of records in a list, or the partitions of a distributed table. `work` is a
    function that has a name and sees one part and what all parts share, nothing else: so it does not matter who does
    it, in which order, or how often. `step` says what the engine must know of the results: here how they are told and
    kept (PartsStep), on Spark their schema.

    To add an engine, write these three methods and a Publisher (shapes/shape.py) that reads records into parts of it;
    run/pipeline.py then takes the same steps with it as with any other.
    """

    def map(self, work: Callable[..., Any], parts: Any, *shared: Any, step: Any) -> Any:
        """work(part, *shared) of every part, in the order of the parts."""

    def by_block(self, work: Callable[..., Any], parts: Any, *shared: Any, step: Any) -> Any:
        """The same for work that must have all records of a block at once."""

    def total(self, count: Callable[..., Long], parts: Any, *shared: Any, size: int) -> Long:
        """The sum of count(part, *shared) over all parts: so many numbers."""


@dataclass(frozen=True, slots=True)
class PartsStep(Generic[R]):
    """A step over some parts: what is told about it, the name of each part's result where these are kept, and how a
    result becomes arrays and comes back from them."""

    what: str
    names: Sequence[str]
    arrays: Callable[[R], Mapping[str, NDArray[Any]]]
    restored: Callable[[Mapping[str, NDArray[Any]]], R]

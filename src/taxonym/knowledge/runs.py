"""Runs: many short lists of whole numbers in two arrays. What is done with such arrays is written here, once."""

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Ints, Long, Mask


def frozen(values: Iterable[int] | NDArray[Any]) -> Ints:
    """A read-only array of 32-bit integers; of what is one already, a view."""
    array = np.asanyarray(values if isinstance(values, Sized) else list(values), np.int32).view()
    array.flags.writeable = False
    return array


def edges(sizes: Sequence[int] | NDArray[Any]) -> Long:
    """Where runs of these sizes begin, one after the other, and where the last one ends."""
    found = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=found[1:])
    return found


def starts(owners: NDArray[Any], n: int) -> Ints:
    """Where the run of each of n owners begins if these, one for every value, come in ascending order."""
    return frozen(edges(np.bincount(owners, minlength=n)))


def positions(first: NDArray[Any], last: NDArray[Any]) -> Long:
    """All positions from first[i] to last[i] - 1, for one i after the other."""
    sizes = (last - first).astype(np.int64)
    shift = np.repeat(first.astype(np.int64) - np.cumsum(sizes) + sizes, sizes)
    return shift + np.arange(len(shift), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Run i is codes[start[i]:start[i + 1]]. Neither array can be written to."""

    start: NDArray[Any]
    codes: NDArray[Any]

    def __post_init__(self) -> None:
        self.start.flags.writeable = self.codes.flags.writeable = False

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]], *more: Any, **named: Any) -> Self:
        """The runs that are given as lists; `more` is what else the class asks for."""
        every = list(lists)
        return cls(
            edges([len(one) for one in every]), frozen([value for one in every for value in one]), *more, **named
        )

    @classmethod
    def of_pairs(cls, row: NDArray[Any], code: NDArray[Any], n: int, *more: Any) -> Self:
        """Run row[j] of n has code[j], for every j: ascending, and each code once."""
        low = int(code.min(initial=0))
        width = int(code.max(initial=0)) - low + 1
        keys = np.unique(row.astype(np.int64) * width + (code - low))
        return cls(edges(np.bincount(keys // width, minlength=n)), frozen(keys % width + low), *more)

    def __len__(self) -> int:
        return len(self.start) - 1

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        values = self.codes.tolist()
        return (tuple(values[a:b]) for a, b in pairwise(self.start.tolist()))

    def __getitem__(self, i: int) -> NDArray[Any]:
        """Run i, as a part of `codes`."""
        run: NDArray[Any] = self.codes[self.start[i] : self.start[i + 1]]
        return run

    def record(self, i: int) -> tuple[int, ...]:
        """Run i, as whole numbers of Python."""
        return tuple(self[i].tolist())

    @property
    def sizes(self) -> Long:
        """How long each run is."""
        found: Long = np.diff(self.start)
        return found

    @property
    def owner(self) -> Long:
        """The run that each value belongs to."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def places(self, rows: NDArray[Any]) -> Long:
        """Where the values of some runs stand in `codes`, one run after the other."""
        return positions(self.start[rows], self.start[rows + 1])

    def take(self, rows: NDArray[Any]) -> Self:
        """Some of the runs, in the order of `rows`."""
        first, last = self.start[rows], self.start[rows + 1]
        return replace(self, start=edges(last - first), codes=self.codes[positions(first, last)])

    def keep(self, which: Mask) -> Self:
        """The same runs with only those values that `which` says."""
        return replace(self, start=edges(which)[self.start], codes=self.codes[which])

    def then(self, *others: "Runs") -> Self:
        """These runs, followed by those of others."""
        every: list[Runs] = [self, *others]
        sizes = np.concatenate([one.sizes for one in every])
        return replace(self, start=edges(sizes), codes=np.concatenate([one.codes for one in every]))

    def beside(self, *others: "Runs") -> Self:
        """Run i of these, followed by run i of each of the others."""
        several, n = 1 + len(others), len(self)
        every = self.then(*others).take(np.arange(several * n).reshape(several, n).T.ravel())
        return replace(every, start=every.start[::several].copy())

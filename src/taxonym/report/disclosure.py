"""The guard: what may be told about a run, figure by figure. Only it makes a Told, and a Report holds nothing else.

A figure says what it is over, and the guard chooses the grid:

public    what the plan or the program says, or anybody can count in the release itself: as it is
count     of persons, records or classes that nobody can count in the release: a multiple of k, below k "<k"; among
          persons of whom other figures tell, too, within 4k, and not at all of fewer than 10k
mean      over n persons who contribute at most B each, B being public: on the grid of the smallest 1, 2 or 5 · 10^j
          that is at least 2kB/n, and not at all (None) of fewer than 10k persons
derived   from what is told already, and from nothing else
private   an optimum, an extreme, a sum without bounds, a total whose parts are told: for the private report only

Figures are rounded at random to one of the two neighbours on their grid: to the one that is near, or to either where
both are about as far. A figure is then compatible with all that lies within one step of it, on both sides, and hardly
ever lies at the end of that: so nobody who knows all cells but one can tell the missing one by the side of an edge on
which a figure lies. A figure that is told twice is rounded once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any, Generic, TypeVar

import numpy as np

T = TypeVar("T")
HIDDEN = "<k"  # a count below k
ENOUGH = 10  # times k persons, of whom a mean may be told
WIDTH = 2  # times k persons, whose whole contributions fit in one step of the grid
COARSE = 4  # times k persons in a step of a count among persons of whom other figures are told
DRAWN = 9  # the more, the seldomer the farther neighbour is told of a value that lies near the other
DRAWS = 0x6772_6964  # what a seed is mixed with, so that figures do not share the draws of a release
_KEY = object()
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Entry:
    """That a report tells a total, or one of its parts."""

    total: str
    part: str | None
    told: bool


class Told(Generic[T]):
    """A value that has passed the guard, and which totals and parts are told in it."""

    __slots__ = ("entries", "value")

    def __init__(self, value: T, key: object, entries: Sequence[Entry] = ()) -> None:
        if key is not _KEY:
            raise TypeError("what is told must pass the guard: use a Disclosure")
        self.value, self.entries = value, tuple(entries)

    def __repr__(self) -> str:
        return f"Told({self.value!r})"


class Disclosure:
    """What may be told of persons, k of whom are alike; `seed` fixes how figures are rounded, for tests and
    experiments. `hidden` stands for a count below k."""

    exact = False

    def __init__(self, k: int, seed: int | None = None, hidden: str = HIDDEN) -> None:
        self.k, self.hidden = k, hidden
        self._rng = np.random.default_rng(None if seed is None else [seed, DRAWS])
        self._told: dict[tuple[float, ...], Any] = {}

    # ------------------------------------------------------------------ figures

    def public(self, value: T, part: str | None = None, of: str | None = None) -> Told[T]:
        """What the plan or the program says, or anybody can count in the release."""
        return Told(value, _KEY, _entries(of, part, value is not None))

    def count(
        self, n: int, among: int | None = None, *, none: bool = False, part: str | None = None, of: str | None = None
    ) -> Told[int | str | None]:
        """So many persons: a near multiple of k, below k as `hidden`.

        `among` is the number of those who were asked, where that is known: then there may be other figures about the
        same persons, or how many are left is of interest, so that such a count is coarser, and not told of fewer than
        10k. `none` says that the promise leaves no other count than 0. A count is the `part` of a total named `of`, or
        that total where it has no part's name.
        """
        draw = self._draw()
        found: int | str | None = 0 if none and n == 0 else self._counted(int(n), among, draw)
        return Told(found, _KEY, _entries(of, part, found is not None))

    def _counted(self, n: int, among: int | None, draw: float) -> int | str | None:
        if among is not None and among < ENOUGH * self.k:
            return None
        if n < self.k:
            return self.hidden
        if among is None:
            return self._rounded(n, self.k, draw) * self.k
        step = COARSE * self.k
        return max(self.k, min(self._rounded(n, step, draw) * step, among // self.k * self.k))

    def mean(self, value: float | None, n: int, most: float = 1.0, coarsest: float | None = None) -> Told[float | None]:
        """The mean over n persons, each of whom contributes from 0 to `most`, which is public. Where that would have to
        be told in steps of more than `coarsest`, it is not: it would say something else."""
        draw, step = self._draw(), self.step(n, most)
        if value is None or step is None or (coarsest is not None and step > coarsest * (1 + 1e-9)):
            return Told(None, _KEY)
        return Told(self._mean(float(value), int(n), most, draw), _KEY)

    def step(self, n: int, most: float = 1.0) -> float | None:
        """The steps in which such a mean is told, which is public; None where it is not."""
        found = grid(self.k, int(n), most)
        return None if found is None else found.at(1)

    def _mean(self, value: float, n: int, most: float, draw: float) -> float | None:
        step = grid(self.k, n, most)
        return None if step is None else step.at(self._rounded(min(max(value, 0.0), most), step.size, draw))

    def _draw(self) -> float:
        """The place between two neighbours from which on the upper one is told: somewhere about the middle."""
        return float(np.median(self._rng.random(DRAWN)))

    def _rounded(self, value: float, step: float, draw: float) -> int:
        """How many steps: one of the two neighbours of value / step. Every figure has a draw of its own, needed or not,
        so that one figure more or less changes no other."""
        key = (round(value, 12), step)
        if key not in self._told:
            steps = round(value / step, 9)
            self._told[key] = floor(steps) + int(draw < steps - floor(steps))
        return int(self._told[key])

    def average(
        self, parts: Sequence[Told[float | None]], weights: Sequence[float], n: int, most: float = 1.0
    ) -> Told[float | None]:
        """The weighted mean of means that are told already, on the grid of one over n persons: a total of which all
        parts are told must tell nothing that they do not."""
        values, step = [part.value for part in parts], grid(self.k, n, most)
        if step is None or not values or None in values:
            return Told(None, _KEY)
        mean = sum(w * v for w, v in zip(weights, values, strict=True) if v is not None) / sum(weights)
        return Told(step.at(round(mean / step.size)), _KEY)

    def derived(self, make: Callable[..., T], *told: Told[Any]) -> Told[T]:
        """What follows from figures that are told."""
        return Told(make(*map(_opened, told)), _KEY)

    def sentence(self, text: str, **counts: int) -> Told[str]:
        """A sentence with counts of persons, by name between braces."""
        named = {name: self.count(n).value for name, n in counts.items()}
        return Told(text.format_map({n: f"{v:,}" if isinstance(v, int) else v for n, v in named.items()}), _KEY)

    def private(self, value: Any) -> Told[Any]:
        """What only the private report tells; a table leaves it out elsewhere."""
        return Told(_ABSENT, _KEY)

    def withheld(self, value: Any, of: str | None = None) -> Told[Any]:
        """What only the private report tells, and every other one says to be there: the total `of` parts, say."""
        return Told(None, _KEY, _entries(of, None, False))

    # ------------------------------------------------------------------ several together

    def table(self, parts: "Mapping[str, Told[Any]]") -> Told[dict[str, Any]]:
        """A table of what may be told."""
        values = {name: _opened(part) for name, part in parts.items()}
        kept = {name: value for name, value in values.items() if value is not _ABSENT}
        return Told(kept, _KEY, [entry for part in parts.values() for entry in part.entries])

    def rows(self, parts: "Iterable[Told[Any]]") -> Told[list[Any]]:
        """A list of what may be told."""
        found = list(parts)
        values = [value for part in found if (value := _opened(part)) is not _ABSENT]
        return Told(values, _KEY, [entry for part in found for entry in part.entries])


class PrivateDisclosure(Disclosure):
    """Lets all figures pass as they are: for the report that only the data's owner may see."""

    exact = True

    def _counted(self, n: int, among: int | None, draw: float) -> int | str | None:
        return n

    def _mean(self, value: float, n: int, most: float, draw: float) -> float | None:
        return value

    def step(self, n: int, most: float = 1.0) -> float | None:
        return 0.0

    def private(self, value: Any) -> Told[Any]:
        return Told(value, _KEY)

    def withheld(self, value: Any, of: str | None = None) -> Told[Any]:
        return Told(value, _KEY)


@dataclass(frozen=True, slots=True)
class Grid:
    """Multiples of digit · 10^power."""

    digit: int
    power: int

    @property
    def size(self) -> float:
        return self.digit * 10.0**self.power

    def at(self, steps: int) -> float:
        """So many steps, without the noise of binary fractions."""
        return round(steps * self.digit * 10.0**self.power, max(0, -self.power))


def grid(k: int, n: int, most: float = 1.0) -> Grid | None:
    """The grid of a mean over n persons with contributions from 0 to `most`: the smallest 1, 2 or 5 · 10^j of at least
    2 · k · most / n; None where n is below 10k."""
    if n < ENOUGH * k:
        return None
    least = WIDTH * k * most / n
    power = floor(log10(least))
    for digit, more in ((1, 0), (2, 0), (5, 0), (1, 1)):
        if digit * 10.0 ** (power + more) >= least * (1 - 1e-12):
            return Grid(digit, power + more)
    return Grid(1, ceil(log10(least)))


def check_together(name: str, entries: Iterable[Entry]) -> None:
    """Refuse a total that is told beside all of its parts: any of them would follow from the others."""
    totals: dict[str, bool] = {}
    parts: dict[str, list[bool]] = {}
    for entry in entries:
        if entry.part is None:
            totals[entry.total] = totals.get(entry.total, False) or entry.told
        else:
            parts.setdefault(entry.total, []).append(entry.told)
    for total, told in totals.items():
        if told and all(parts.get(total, [False])):
            raise ValueError(f"{name}: tells the total {total!r} beside all of its parts")


def _entries(total: str | None, part: str | None, told: bool) -> Sequence[Entry]:
    return [] if total is None else [Entry(total, part, told)]


def _opened(part: Any) -> Any:
    if not isinstance(part, Told):
        raise TypeError("what is told must pass the guard: use a Disclosure")
    return part.value

"""What a class gives away about its members: how many values they have, and how unlike everybody's these are.

An attribute gives every person a set of values, usually one. In a class of n persons, of whom n_s have exactly the set
of values s,

    distinct l = number of different sets s                       [Machanavajjhala2007, def. 3]
    entropy l  = exp(- Σ_s n_s/n ln n_s/n)                        [Machanavajjhala2007, def. 4]
    t          = EMD(p, q)                                        [Li2007, §3]

but l is 1 if everybody in the class holds the same value, whatever else they hold: then that value is disclosed. p is
how the class is distributed over the values, q how all published persons are; a person with several values counts with
an equal share for each.

Departure: one value of an attribute may be harmless ("none of the sensitive topics"). To have it is no disclosure, so
whoever has nothing else counts as unlike everybody for l. For t it is a value like others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.knowledge.runs import Runs

Apart: TypeAlias = Callable[[Long, Long], Floats]  # the distances of some values (rows) to some others (columns)
EXACT = 1e-9  # an l or t that misses its limit by less has been rounded


@dataclass(frozen=True, slots=True, eq=False)
class ConfidentialAttribute:
    """The values of every person, ascending, each once, from 0 to size - 1.

    `order` is the rank of every value, NaN for one that stands outside the order (a missing number); None where values
    have no order. `apart` gives the distances between values by meaning, a metric; None where they have no meaning.
    `harmless` is the value that may be known.
    """

    values: Runs
    size: int
    order: Floats | None = None
    apart: Apart | None = None
    harmless: int = -1

    @classmethod
    def of(
        cls,
        values: Sequence[Sequence[int]],
        size: int | None = None,
        *,
        order: Floats | None = None,
        apart: Apart | None = None,
        harmless: int = -1,
    ) -> "ConfidentialAttribute":
        """From the values of every person."""
        sets = Runs.of([sorted(set(mine)) for mine in values])
        most = int(sets.codes.max(initial=-1)) + 1 if size is None else size
        return cls(sets, most, order, apart, harmless)

    def __len__(self) -> int:
        return len(self.values)

    def held(self, persons: Long) -> Long:
        """The values of some persons, one after the other."""
        return self.values.take(persons).codes.astype(np.int64)

    def whole(self) -> Long:
        """The set of values of every person as one number; whoever has only the harmless value has a number alone."""
        number: dict[tuple[int, ...], int] = {}
        found = np.empty(len(self), np.int64)
        for i, mine in enumerate(self.values):
            found[i] = len(self) + i if mine == (self.harmless,) else number.setdefault(mine, len(number))
        return found

    def distribution(self, persons: Long) -> Floats:
        """The share of every value among some persons, who count with equal shares for each of their values."""
        sizes = self.values.sizes[persons]
        mass = np.repeat(1 / np.maximum(sizes, 1), sizes)
        return np.bincount(self.held(persons), mass, self.size) / max(1, len(persons))


# ---------------------------------------------------------------------- l-diversity


@dataclass(frozen=True, slots=True)
class Diversity:
    """Of one class. `share` is the largest share of its persons who hold one value, the harmless one aside."""

    size: int
    distinct: int
    entropy: float
    share: float

    @property
    def homogeneous(self) -> bool:
        """Whether something is known of everybody in the class."""
        return self.share == 1


def diversity(attribute: ConfidentialAttribute, persons: Long, whole: Long | None = None) -> Diversity:
    """The l of one class, from the equations above; `whole` is attribute.whole(), where it is known already."""
    n = len(persons)
    sets = np.unique((attribute.whole() if whole is None else whole)[persons], return_counts=True)[1]
    held = np.bincount(attribute.held(persons), minlength=attribute.size)
    if attribute.harmless >= 0:
        held[attribute.harmless] = 0
    most = int(held.max(initial=0))
    if most == n:
        return Diversity(n, 1, 1.0, 1.0)
    return Diversity(n, len(sets), float(np.exp(np.log(n) - (sets * np.log(sets)).sum() / n)), most / n)


# ---------------------------------------------------------------------- t-closeness


class Closeness:
    """How far classes are from all published persons, in one attribute.

    `semantic` distances are those of the attribute (its order, or its meaning), others 0 for equal values and else 1.
    `everybody` lists the published persons, each as often as there are classes that they are in.
    """

    def __init__(self, attribute: ConfidentialAttribute, everybody: Long, semantic: bool = True) -> None:
        self.attribute = attribute
        self.overall = attribute.distribution(everybody)
        self.apart = attribute.apart if semantic else None
        self.steps = _steps(attribute.order, self.overall > 0) if semantic and attribute.order is not None else None

    def t(self, persons: Long) -> float:
        """The earth mover's distance of one class to everybody."""
        excess = self.attribute.distribution(persons) - self.overall
        if self.steps is not None:
            return self._ordered(excess)
        if self.apart is None:
            return _equal(excess)
        return self._by_meaning(excess)

    def bounds(self, persons: Long) -> tuple[float, float]:
        """Between what t lies, cheaply. For distances by meaning, s = max(0, p - q) has too much and r = max(0, q - p)
        too little; t is no less than if everything moved to or came from the nearest place, and, with f = d(·, v),

            |Σ_u f(u) (p_u - q_u)| ≤ EMD(p, q)

        for any v; the values v of the class are tried. It is no more than if one demand after the other took what is
        nearest to it.
        """
        from taxonym.measure.transport import greedy_work  # compiled code: only when needed

        if self.apart is None:
            exact = self.t(persons)
            return exact, exact
        excess = self.attribute.distribution(persons) - self.overall
        much, little = np.flatnonzero(excess > 0), np.flatnonzero(excess < 0)
        if not len(much):
            return 0.0, 0.0
        table, more, less = self.apart(much, np.concatenate((much, little))), excess[much], -excess[little]
        apart = table[:, len(much) :]
        low = max(np.abs(table @ np.concatenate((more, -less))).max(), apart.min(0) @ less, apart.min(1) @ more)
        return float(low), greedy_work(apart, more, less)

    def beyond(self, limit: float, persons: Long) -> float:
        """How far t is above a limit, 0 if it is not; solved exactly only where bounds cannot tell whether it is."""
        low, high = self.bounds(persons)
        if high <= limit + EXACT:
            return 0.0
        if low <= limit + EXACT:
            low = self.t(persons)
        return low - limit if low > limit + EXACT else 0.0

    def _by_meaning(self, excess: Floats) -> float:
        from taxonym.measure.transport import least_work  # compiled code: only when needed

        assert self.apart is not None
        much, little = np.flatnonzero(excess > 0), np.flatnonzero(excess < 0)
        return min(1.0, least_work(self.apart(much, little), excess[much], -excess[little]))

    def _ordered(self, excess: Floats) -> float:
        """Σ_i |Σ_{j ≤ i} (p_j - q_j)| · (x_{i+1} - x_i), with the values at x = rank / (m - 1) [Li2007, §3].

        A value outside the order hangs by an edge of 1/2 on the middle of the line, so it is 1/2 to 1 from any other.
        """
        assert self.steps is not None
        order, place, edge, outside = self.steps
        beside = float(excess[outside].sum()) if len(outside) else 0.0
        heaps, where = excess[order], place
        if len(outside):
            at = int(np.searchsorted(place, 0.5))
            heaps, where = np.insert(heaps, at, beside), np.insert(place, at, 0.5)
        return float((np.abs(np.cumsum(heaps)[:-1]) * np.diff(where)).sum() + edge * abs(beside))


def _equal(excess: Floats) -> float:
    """½ Σ |p - q|: every value is at 1 from every other [Li2007, §3]."""
    return float(np.abs(excess).sum() / 2)


def _steps(rank: Floats, used: Mask) -> tuple[Long, Floats, float, Long]:
    """The values in use by their order, their places between 0 and 1, the edge to what is outside, and that."""
    inside = np.flatnonzero(used & ~np.isnan(rank))
    order = inside[np.argsort(rank[inside], kind="stable")]
    place = np.linspace(0.0, 1.0, len(order)) if len(order) > 1 else np.full(len(order), 0.5)
    return order, place, 0.5 if len(order) > 1 else 1.0, np.flatnonzero(used & np.isnan(rank))


# ---------------------------------------------------------------------- all classes


def members(number: Long) -> Iterator[Long]:
    """The places of every class, from the class of every place."""
    order = np.argsort(number, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(number[order])) + 1)

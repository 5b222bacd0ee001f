"""Differential privacy for values with a meaning: what is published says little about which value it was.

A mechanism M is locally ε-differentially private if for any two values x, x' and any outcome z

    P(M(x) = z) <= e^ε · P(M(x') = z).

It holds for every single value, whoever else is in the data and whatever is known of them. It says nothing about k.
It rests on three things, which are the caller's part: the domain, the measure and ε are chosen without looking at the
data; all that a person gives is paid from one budget (see Budget); nothing that was computed from the original values
is published beside (no mean, no variance, no errors). Semantic noise is not private in this sense, with Laplace errors
neither: it never publishes the value itself, and it uses the column's own mean.

Missing and unknown values are symbols of the domain like any concept, at distance 1 from all others: whether a value is
missing is as protected as what it is.

Draws come from the operating system's secure generator (the `secrets` module) in whole numbers: the weights are
integers, so that probabilities are exact fractions and the tests can add them up. Rounding to integers is paid for by a
slightly smaller ε inside (SLACK). A seed replaces the secure generator; it is for tests and experiments, and voids the
promise. How long a draw takes is not protected.
"""

import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from typing import Protocol

import numpy as np

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats, Ints, Long
from taxonym.knowledge.runs import frozen
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.nominal import CELLS, Domain
from taxonym.publish.noise.budget import Budget
from taxonym.publish.noise.semantic import Mechanism

MISSING, UNKNOWN = -1, -2  # codes of the two symbols that are no concepts
SYMBOLS = (MISSING, UNKNOWN)

SCALE_BITS = 40  # the weight at distance 0 is 2^40
LARGEST = 25.0  # ε up to which the least weight keeps 21 bits
SMALLEST = 2.0**-10
SLACK = 2.0**-18  # what rounding weights of 21 bits and more can add to ε, with room to spare
RINGS = 10  # steps that the geometric mechanism cuts the distances into


# ---------------------------------------------------------------------- the definitions


def exponential(distance: float, epsilon: float) -> float:
    """The weight of a concept at this distance: the exponential mechanism of McSherry and Talwar (2007).

        P(z | x) = exp(-ε d(x, z) / 2) / Σ_c exp(-ε d(x, c) / 2)

    ε-private: distances lie in [0, 1], so between two values x, x' the numerator changes by a factor of at most
    e^(ε/2), and so does the sum below it. No triangle inequality is needed.
    """
    return exp(-epsilon * distance / 2)


def ring(distance: float, rings: int = RINGS) -> int:
    """Which ring around a value: 0 is the value itself, then steps of equal width up to `rings`."""
    return int(np.ceil(distance * rings))


def geometric(distance: float, decay: float, rings: int = RINGS) -> float:
    """The weight of a concept in the j-th ring: a geometric distribution over rings, uniform inside.

        P(z | x) = e^(-λ j(x, z)) / Z(x),    Z(x) = Σ_i |R_i(x)| e^(-λ i)

    A ring is drawn with probability |R_j(x)| e^(-λ j) / Z(x), then one of its concepts, all alike. On a line, where
    every ring has two members, that is the geometric mechanism of Ghosh et al. (2009) but for its ends. Rings that were
    drawn without regard to their size would not be private: the few members of a small ring would stand out.

    With j <= B rings, P(z | x) / P(z | x') <= e^(λB) · Z(x') / Z(x). So it is ε-private if

        λB + ln max_x Z(x) - ln min_x Z(x) <= ε,

    and `decay_for` looks for a large λ that keeps this over all values that the public domain allows. λ = ε / 2B always
    does; the more alike the values' surroundings, the nearer λ comes to ε / B.
    """
    return exp(-decay * ring(distance, rings))


# ---------------------------------------------------------------------- randomness


class RandomSource(Protocol):
    """Where whole numbers come from: `n` of them, each of 0..total-1 equally likely."""

    def below(self, total: int, n: int) -> Long: ...


class SecureSource:
    """The operating system's secure generator; as many bits as needed, drawn again where the number is too large."""

    def below(self, total: int, n: int) -> Long:
        shift = 64 - max(1, (total - 1).bit_length())
        out, filled = np.empty(n, np.int64), 0
        while filled < n:
            bits = np.frombuffer(secrets.token_bytes(8 * (n - filled)), np.uint64) >> np.uint64(shift)
            fit = bits[bits < total].astype(np.int64)
            out[filled : filled + len(fit)] = fit
            filled += len(fit)
        return out


class SeededSource:
    """A generator that can be replayed: for tests and experiments only."""

    def __init__(self, seed: int | np.random.Generator) -> None:
        self.rng = np.random.default_rng(seed)

    def below(self, total: int, n: int) -> Long:
        return self.rng.integers(0, total, n)


def source_of(seed: "int | np.random.Generator | None") -> RandomSource:
    return SecureSource() if seed is None else SeededSource(seed)


# ---------------------------------------------------------------------- mechanisms


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """One mechanism on one domain: whole weights of every outcome, given any value.

    Outcomes are the candidates of the domain, then MISSING, then UNKNOWN.
    """

    domain: Domain
    weigh: Callable[[Floats], Floats]  # of distances, elementwise; 1 at distance 0

    @property
    def outcomes(self) -> Ints:
        return frozen(np.concatenate((self.domain.candidates, np.array(SYMBOLS))))

    def rows(self, values: Ints) -> Long:
        """The weights of all outcomes for each value (codes of the domain, MISSING or UNKNOWN)."""
        concepts = values >= 0
        apart = np.ones((len(values), len(self.domain) + len(SYMBOLS)))
        apart[concepts, : len(self.domain)] = self.domain.distances(values[concepts], self.domain.candidates)
        for place, symbol in enumerate(SYMBOLS):
            apart[values == symbol, len(self.domain) + place] = 0
        return np.rint(self.weigh(apart) * (1 << SCALE_BITS)).astype(np.int64)

    def draw(self, values: Ints, source: RandomSource) -> Ints:
        """One outcome for every value, by inverting the sums of whole weights; values that are alike share the sums."""
        order = np.argsort(values, kind="stable")
        distinct, first = np.unique(values[order], return_index=True)
        start = np.append(first, len(values))
        outcomes, out = self.outcomes, np.empty(len(values), np.int32)
        step = max(1, CELLS // len(outcomes))
        for begin in range(0, len(distinct), step):
            some = distinct[begin : begin + step]
            sums = self.rows(some).cumsum(axis=1)
            for i in range(len(some)):
                rows = order[start[begin + i] : start[begin + i + 1]]
                drawn = source.below(int(sums[i, -1]), len(rows))
                out[rows] = outcomes[np.searchsorted(sums[i], drawn, side="right")]
        return frozen(out)


def weights_for(mechanism: str, domain: Domain, epsilon: float) -> Weights:
    """A private mechanism on a domain, by its name."""
    return (exponential_weights if mechanism == "exponential" else geometric_weights)(domain, epsilon)


def exponential_weights(domain: Domain, epsilon: float) -> Weights:
    """The exponential mechanism on a domain."""
    inside = _inside(domain, epsilon)
    return Weights(domain, lambda d: np.exp(-inside / 2 * d))


def geometric_weights(domain: Domain, epsilon: float, rings: int = RINGS, sizes: Long | None = None) -> Weights:
    """The geometric mechanism on a domain, as slow a decay as ε asks for and no slower."""
    decay = decay_for(domain, _inside(domain, epsilon), rings, sizes)
    return Weights(domain, lambda d: np.exp(-decay * np.ceil(d * rings)))


def decay_for(domain: Domain, epsilon: float, rings: int = RINGS, sizes: Long | None = None) -> float:
    """A λ with λB + ln max Z - ln min Z <= ε over all values of the domain: by halving, never past ε.

    `sizes` are the domain's ring_sizes, for who has them already.
    """
    if rings < 1:
        raise BadPlan(f"rings must be at least 1, got {rings}.")
    sizes = np.unique(ring_sizes(domain, rings), axis=0) if sizes is None else sizes
    powers = np.arange(rings + 1)

    def loss(decay: float) -> float:
        z = np.log(sizes @ np.exp(-decay * powers))
        return float(decay * rings + z.max() - z.min())

    kept, broken = epsilon / (2 * rings), min(epsilon, LARGEST / 2) / rings  # the least weight keeps its bits
    if loss(broken) <= epsilon:
        return broken
    for _ in range(40):
        middle = (kept + broken) / 2
        kept, broken = (middle, broken) if loss(middle) <= epsilon else (kept, middle)
    return kept


def ring_sizes(domain: Domain, rings: int = RINGS) -> Long:
    """How many outcomes lie in each ring, around every concept of the domain and around the two symbols."""
    n, width = len(domain.tax), rings + 1
    out = np.zeros((n + len(SYMBOLS), width), np.int64)
    step = max(1, CELLS // len(domain))
    for first in range(0, n, step):
        rows = np.arange(first, min(n, first + step))
        at = np.ceil(domain.distances(rows, domain.candidates) * rings).astype(np.int64)
        at += (np.arange(len(rows)) * width)[:, None]
        out[rows] = np.bincount(at.ravel(), minlength=len(rows) * width).reshape(-1, width)
    out[:n, rings] += len(SYMBOLS)
    out[n:, 0] = 1
    out[n:, rings] += len(domain) + len(SYMBOLS) - 1
    return out


def check_epsilon(epsilon: float) -> None:
    """Complain of an ε for which weights would be rounded too much, or that promises next to nothing."""
    if not SMALLEST <= epsilon <= LARGEST:
        raise BadPlan(
            f"epsilon must lie between {SMALLEST:.3f} and {LARGEST:g}, got {epsilon:g}. Usual values are 0.1 to 10."
        )


def _inside(domain: Domain, epsilon: float) -> float:
    """The ε that weights are made with, so that with their rounding they keep the one asked for."""
    check_epsilon(epsilon)
    if len(domain) + len(SYMBOLS) >= 1 << (62 - SCALE_BITS):
        raise BadPlan(f"{domain.tax.name}: too many concepts for exact weights. Choose a narrower category.")
    return epsilon - SLACK


def _exponential(domain: Domain, values: Ints, epsilon: float, rng: np.random.Generator | None = None) -> Ints:
    return exponential_weights(domain, epsilon).draw(values, source_of(rng))


def _geometric(domain: Domain, values: Ints, epsilon: float, rng: np.random.Generator | None = None) -> Ints:
    return geometric_weights(domain, epsilon).draw(values, source_of(rng))


PRIVATE = {
    m.name: m
    for m in (
        Mechanism("exponential", _exponential, "RodriguezGarcia2015", "ε", "epsilon", "near concepts more likely"),
        Mechanism("geometric", _geometric, "RodriguezGarcia2015", "ε", "epsilon", "likely by rings of distance"),
    )
}


# ---------------------------------------------------------------------- sets


def fixed_size(sets: Iterable[Sequence[int]], size: int, source: RandomSource) -> Iterator[list[int]]:
    """Every set with exactly `size` members: too many are drawn from, all alike; too few are filled up with MISSING.

    How many a person has is then as protected as which. With ε / size for each member the whole set is ε-private:
    whatever was drawn, two sets of that size differ in at most `size` members.
    """
    for members in sets:
        kept = left = sorted(set(members))
        if len(left) > size:
            kept = [left.pop(int(source.below(len(left), 1)[0])) for _ in range(size)]
        yield kept + [MISSING] * (size - len(kept))


# ---------------------------------------------------------------------- by codes of the whole taxonomy


def private(
    tax: Taxonomy,
    codes: Iterable[int],
    *,
    epsilon: float,
    category: int | None = None,
    measure: str = "wu-palmer",
    content: str | Floats = "seco",
    mechanism: str = "exponential",
    persons: Sequence[Hashable] | None = None,
    budget: Budget | None = None,
    seed: int | None = None,
) -> list[int]:
    """Values (codes) made locally ε-differentially private: each becomes a concept of the category or a symbol.

    The symbols are MISSING (-1) and UNKNOWN (-2), which may come in and may come out. A code that is not under the
    category counts as UNKNOWN. The budget, if one is given, is charged for every record; without `persons` the i-th
    record is the i-th person.
    """
    return [one for [one] in private_sets(
        tax, ([code] for code in codes), size=1, epsilon=epsilon, category=category, measure=measure, content=content,
        mechanism=mechanism, persons=persons, budget=budget, seed=seed,
    )]  # fmt: skip


def private_sets(
    tax: Taxonomy,
    sets: Iterable[Sequence[int]],
    *,
    size: int,
    epsilon: float,
    category: int | None = None,
    measure: str = "wu-palmer",
    content: str | Floats = "seco",
    mechanism: str = "exponential",
    persons: Sequence[Hashable] | None = None,
    budget: Budget | None = None,
    seed: int | None = None,
) -> list[list[int]]:
    """Sets of codes, each published as `size` values that are ε-private together. See `fixed_size` and `private`.

    The category, the measure and the numbers must not be chosen by looking at the data.
    """
    if mechanism not in PRIVATE:
        raise BadPlan(f"mechanism: {mechanism!r} is not known. Choose one of {', '.join(PRIVATE)}.")
    every, domain, source = list(sets), Domain.of(tax, category, measure, content), source_of(seed)
    if size < 1:
        raise BadPlan(f"size must be at least 1, got {size}.")
    if persons is not None and len(persons) != len(every):
        raise BadPlan(f"persons: {len(every):,} records need as many persons, not {len(persons):,}.")
    weights = weights_for(mechanism, domain, epsilon / size)
    if budget is not None:
        budget.charge(range(len(every)) if persons is None else persons, epsilon)
    members = [value for one in fixed_size(every, size, source) for value in one]
    drawn = weights.draw(_known(domain, members), source)
    found = np.where(drawn >= 0, domain.outer[np.maximum(drawn, 0)], drawn)
    out: list[list[int]] = found.reshape(len(every), size).tolist()
    return out


def _known(domain: Domain, codes: Sequence[int]) -> Ints:
    """Codes of the domain; what is not in it is UNKNOWN, MISSING stays."""
    given = np.asarray(codes, np.int64)
    inside = (given >= 0) & (given < len(domain.inner))
    found = np.where(given == MISSING, MISSING, UNKNOWN)
    found[inside] = domain.inner[given[inside]]
    found[inside & (found < 0)] = UNKNOWN
    return frozen(found)

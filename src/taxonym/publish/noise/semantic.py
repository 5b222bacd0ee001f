"""Semantic noise: every value becomes another concept, about as far away as a random error says [RodriguezGarcia2015].

Algorithm 1, as it is read here. The error ε of a value is drawn from N(0, α·variance), again while |ε| > 1, which no
distance exceeds. Its size is how far the replacement must be from the value at least, its sign whether the replacement
is farther from (ε > 0) or nearer to (ε < 0) the column's mean than the value. What the paper leaves open or prints
unclearly is fixed so:

    lines 14, 16    sd(c, mean) below the bar is a second condition, not a divisor
    ε = 0           the value stays (line 9), and only then: values that are all alike have no other error
    value = mean    no side (line 12)
    none so far     the farthest on the right side ("the term that best approximates the condition")
    none on a side  those as far from the mean as the value, then those on the other side
    ties            all alike, drawn uniformly
    instances       never a replacement

Noise promises nothing about k: a value next to the mean has only the mean on its near side, so that a negative error
turns clerk into employee whatever its size. `min_candidates` widens the ring until that many concepts qualify.
`choices` is the definition; taxonym.publish.noise.kernels is its fast twin.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import exp, sqrt

import numpy as np

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats, Ints
from taxonym.knowledge.runs import frozen
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.nominal import Domain, Statistics, statistics

AIMS = {
    "mean": "concepts nearer to what lies above the mean than to the mean count as farther off by that much",
    "variance": "the concept whose distance to the mean is |d(x, mean) + ε|: the variance grows by α, errors by more",
    "error": "the concept on the right side whose distance is nearest to |ε|, above or below it",
}


# ---------------------------------------------------------------------- the definition


def choices(domain: Domain, mean: int, x: int, error: float, at_least: int = 1, aim: str | None = None) -> list[int]:
    """The concepts that may replace a value x, given its error [RodriguezGarcia2015, Algorithm 1, lines 9-17].

        z = argmin_c { d(c, x) : d(c, x) >= |ε| and d(c, mean) > d(x, mean) }     for ε > 0, and < for ε < 0

    All concepts but x are ranked: right side first, far enough first, nearest to |ε| first. The best `at_least` of them
    may replace x, and whatever is as good as the last of these. An aim (see AIMS) ranks otherwise [§V].
    """
    if error == 0:
        return [x]
    size, codes = abs(error), domain.candidates.tolist()
    to_x = dict(zip(codes, domain.distances([x], codes)[0].tolist(), strict=True))
    to_mean = dict(zip(codes, domain.distances([mean], codes)[0].tolist(), strict=True))
    pulls = dict(zip(codes, pull(domain, mean).tolist(), strict=True))
    own = float(domain.distances([x], [mean])[0, 0])

    def side(c: int) -> int:
        """0 on the right side, 1 on neither, 2 on the wrong one."""
        farther = (to_mean[c] > own) - (to_mean[c] < own)
        return 1 if x == mean or farther == 0 else 0 if farther == (1 if error > 0 else -1) else 2

    def rank(c: int) -> tuple[float, ...]:
        off = abs(to_x[c] - size)
        if aim == "variance":
            return abs(to_mean[c] - abs(own + error)), off
        if aim == "error":
            return side(c), off
        return side(c), to_x[c] < size, off + pulls[c] if aim == "mean" else off

    def place(c: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Ties are drawn from uniformly; their order only has to be the twin's."""
        alike = (to_x[c], to_mean[c], pulls[c], c) if aim else (-c if to_x[c] < size else c,)
        return rank(c), alike

    ordered = sorted((c for c in codes if c != x), key=place)
    if not ordered:
        return [x]  # the only concept there is
    last = rank(ordered[min(at_least, len(ordered)) - 1])
    return [c for c in ordered if rank(c) <= last]


def pull(domain: Domain, mean: int) -> Floats:
    """How strongly each candidate, if it is published often, pulls the mean up to a parent p of it.

        pull(c) = max(0, d(c, mean) - min_p d(c, p))

    Where many values are the mean itself, its parent is often the nearest concept that is far enough, and becomes the
    mean of what is published. A mean without parents cannot move so.
    """
    parents = domain.tax.parents(mean)
    if not parents:
        return np.zeros(len(domain))
    nearest = domain.distances(parents, domain.candidates).min(axis=0)
    out: Floats = np.maximum(0, domain.distances([mean], domain.candidates)[0] - nearest)
    return out


# ---------------------------------------------------------------------- errors


def normal(deviation: float, n: int, rng: np.random.Generator) -> Floats:
    """ε ~ N(0, deviation²) [RodriguezGarcia2015, eq. 3], drawn again while |ε| > 1."""
    return _within_one(lambda k: rng.normal(0, deviation, k), n)


def laplace(deviation: float, n: int, rng: np.random.Generator) -> Floats:
    """ε with the same variance from the Laplace distribution [RodriguezGarcia2015, §V], drawn again while |ε| > 1.

    The scale is deviation / √2. A shape, not differential privacy: the value itself is never published, which alone
    tells two inputs apart for certain.
    """
    return _within_one(lambda k: rng.laplace(0, deviation / sqrt(2), k), n)


def _within_one(draw: Callable[[int], Floats], n: int) -> Floats:
    out = draw(n)
    while len(far := np.flatnonzero(np.abs(out) > 1)):
        out[far] = draw(len(far))
    return out


def normal_at(deviation: float, u: Floats) -> Floats:
    """The normal error at each of the quantiles u in [0, 1): for records that bring their own draws.

    ε(u) = σ Φ⁻¹(Φ(-1/σ) + u (Φ(1/σ) - Φ(-1/σ)))
    """
    from scipy.special import ndtr, ndtri  # slow to import: only when needed

    if deviation == 0:
        return np.zeros(len(u))
    low, high = ndtr(-1 / deviation), ndtr(1 / deviation)
    out: Floats = np.clip(deviation * ndtri(low + u * (high - low)), -1, 1)
    return out


def laplace_at(deviation: float, u: Floats) -> Floats:
    """The Laplace error at each of the quantiles u in [0, 1), cut at ±1 likewise."""
    if deviation == 0:
        return np.zeros(len(u))
    scale = deviation / sqrt(2)
    low = exp(-1 / scale) / 2
    p = np.maximum(low + u * (1 - 2 * low), np.finfo(np.float64).tiny)
    out: Floats = np.clip(np.where(p < 0.5, scale * np.log(2 * p), -scale * np.log(2 * (1 - p))), -1, 1)
    return out


def deviation(alpha: float, variance: float) -> float:
    """√(α·variance) [RodriguezGarcia2015, eq. 3]. Usual α are 0.1 to 0.5; near 100 nothing of the value is left."""
    if not 0 < alpha <= 100:
        raise BadPlan(f"alpha must be above 0 and at most 100, got {alpha}. Usual values are 0.1 to 0.5.")
    return sqrt(alpha * variance)


# ---------------------------------------------------------------------- columns


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseChoice:
    """How a replacement is chosen once the error is known."""

    min_candidates: int = 1
    aim: str | None = None

    def __post_init__(self) -> None:
        if self.min_candidates < 1:
            raise BadPlan(f"min_candidates must be at least 1, got {self.min_candidates}.")
        if self.aim is not None and self.aim not in AIMS:
            raise BadPlan(f"aim: {self.aim!r} is not known. Choose one of {', '.join(AIMS)}, or none.")
        if self.aim is not None and self.min_candidates > 1:
            raise BadPlan("aim narrows what may replace a value and min_candidates widens it. Choose one of the two.")


def replaced(domain: Domain, mean: int, values: Ints, errors: Floats, picks: Floats, how: NoiseChoice) -> Ints:
    """What replaces every value, given its error and a number in [0, 1) that settles ties: the definition."""
    rings = [
        choices(domain, mean, x, error, how.min_candidates, how.aim)
        for x, error in zip(values.tolist(), errors.tolist(), strict=True)
    ]
    return frozen([ring[int(pick * len(ring))] for ring, pick in zip(rings, picks.tolist(), strict=True)])


def semantic(
    domain: Domain,
    values: Ints,
    alpha: float,
    rng: np.random.Generator,
    *,
    shape: Callable[[float, int, np.random.Generator], Floats] = normal,
    how: NoiseChoice | None = None,
    known: Statistics | None = None,
) -> tuple[Ints, Floats]:
    """Algorithm 1 on codes of the domain: what replaces them, and the errors, which are nobody else's business.

    `known` statistics serve records that come one at a time; without them those of the values are taken.
    """
    from taxonym.publish.noise.kernels import replaced as fast  # compiled code: only when needed

    if not len(values):
        return frozen([]), np.zeros(0)
    column = statistics(domain, values) if known is None else known
    errors = shape(deviation(alpha, column.variance), len(values), rng)
    how, picks = how or NoiseChoice(), rng.random(len(values))
    made = fast(domain, column.mean, values, errors, picks, how)
    if how.aim is not None:
        from taxonym.publish.noise.aims import never_worse

        plain = fast(domain, column.mean, values, errors, picks, replace(how, aim=None))
        made = never_worse(how.aim, domain, values, made, plain, errors, alpha, np.arange(len(values)))
    return made, errors


def _normal(domain: Domain, values: Ints, alpha: float, rng: np.random.Generator) -> Ints:
    return semantic(domain, values, alpha, rng)[0]


def _laplace(domain: Domain, values: Ints, alpha: float, rng: np.random.Generator) -> Ints:
    return semantic(domain, values, alpha, rng, shape=laplace)[0]


def naive(domain: Domain, values: Ints, alpha: float, rng: np.random.Generator) -> Ints:
    """Each value becomes one of the distinct values of the column, all alike [RodriguezGarcia2015, §IV].

    The value itself is one of them: only so do the errors printed come out. `alpha` has no say.
    """
    return frozen(rng.choice(np.unique(_publishable(domain, values)), len(values)) if len(values) else [])


def probabilistic(domain: Domain, values: Ints, alpha: float, rng: np.random.Generator) -> Ints:
    """Each value becomes that of a record drawn from the column [RodriguezGarcia2015, §IV]. `alpha` has no say."""
    pool = _publishable(domain, values)
    return frozen(pool[rng.integers(len(pool), size=len(values))] if len(values) else [])


def _publishable(domain: Domain, values: Ints) -> Ints:
    """The values that may be published for another: no instances."""
    pool = values[np.isin(values, domain.candidates)]
    if len(values) and not len(pool):
        raise BadPlan(f"{domain.tax.name}: no value may be published for another: all are instances. Use 'normal'.")
    return frozen(pool)


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A way to replace values at random: (domain, values, strength, generator) -> values.

    `strength` is the name of its parameter; `promise` what `verify` may say of it.
    """

    name: str
    function: Callable[..., Ints]
    paper: str
    promise: str
    strength: str
    about: str


NOISES = {
    m.name: m
    for m in (
        Mechanism("normal", _normal, "RodriguezGarcia2015", "none", "alpha", "semantic noise, normal errors"),
        Mechanism("laplace", _laplace, "RodriguezGarcia2015", "none", "alpha", "semantic noise, Laplace errors; not ε"),
        Mechanism("naive", naive, "RodriguezGarcia2015", "none", "", "any value of the column, all alike: a baseline"),
        Mechanism("probabilistic", probabilistic, "RodriguezGarcia2015", "none", "", "that of any record: a baseline"),
    )
}


def noise(
    tax: Taxonomy,
    codes: Iterable[int],
    *,
    category: int | None = None,
    alpha: float = 0.5,
    seed: int | None = None,
    measure: str = "wu-palmer",
    content: str | Floats = "seco",
    mechanism: str = "normal",
    epsilon: float | None = None,
    min_candidates: int = 1,
    aim: str | None = None,
) -> list[int]:
    """Values (codes) with semantic noise: each replaced by another concept under `category`.

    `alpha` is the noise's share of the column's variance, 0.1 to 0.5 as a rule. `min_candidates` concepts at least may
    come out for every value and error; an `aim` ("mean", "variance" or "error") keeps one statistic better instead.
    Values that are all alike have no variance and stay as they are. Randomness is the operating system's unless a seed
    is given. Noise makes guessing harder; it promises no k and no ε.

    With `epsilon` and the mechanism "exponential" or "geometric" every value becomes locally ε-differentially private
    instead. Nothing of the column but that one value has a say then, and the codes -1 (missing) and -2 (unknown) may
    come in and come out.
    """
    from taxonym.publish.noise.mechanisms import MECHANISMS

    if mechanism not in MECHANISMS:
        raise BadPlan(f"mechanism: {mechanism!r} is not known. Choose one of {', '.join(MECHANISMS)}.")
    if (MECHANISMS[mechanism].strength == "epsilon") != (epsilon is not None):
        raise BadPlan("epsilon: belongs to the mechanisms 'exponential' and 'geometric', which need it.")
    how = NoiseChoice(min_candidates=min_candidates, aim=aim)
    if mechanism not in SHAPES and how != NoiseChoice():
        raise BadPlan(f"mechanism {mechanism!r} has neither min_candidates nor aim. Use 'normal' for them.")
    if epsilon is not None:
        from taxonym.publish.noise.private import private

        chosen = {"category": category, "measure": measure, "content": content, "mechanism": mechanism, "seed": seed}
        return private(tax, codes, epsilon=epsilon, **chosen)  # type: ignore[arg-type]
    domain, rng = Domain.of(tax, category, measure, content), np.random.default_rng(seed)
    values = domain.inside(codes)
    if mechanism in SHAPES:
        masked = semantic(domain, values, alpha, rng, shape=SHAPES[mechanism], how=how)[0]
    else:
        masked = NOISES[mechanism].function(domain, values, alpha, rng)
    out: list[int] = domain.outer[masked].tolist()
    return out


SHAPES = {"normal": normal, "laplace": laplace}
QUANTILES = {"normal": normal_at, "laplace": laplace_at}

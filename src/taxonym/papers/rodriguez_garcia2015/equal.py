"""All mechanisms at equal distortion: a comparison that [RodriguezGarcia2015, Tables II and IV] cannot make.

There the random methods change the values more than noise does, and so it is no wonder that they lose more. Here the
strength of each is set so that the mean distance of a value to its replacement is the same. Baselines have no strength;
they get one, the share of values that are replaced at all. A mechanism cannot match where even its weakest or strongest
setting is too far off: noise replaces every value by another concept, which is some way off however small α, and by no
concept of the other end of the domain however large; baselines can do no more than replace all values. A private
mechanism over thousands of concepts matches only at an ε that promises next to nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from taxonym.knowledge.arrays import Ints
from taxonym.knowledge.runs import frozen
from taxonym.measure.noise import NoiseLoss, noise_loss, pair_distances
from taxonym.papers.rodriguez_garcia2015.runs import SEEDS, Data
from taxonym.publish.noise.mechanisms import MECHANISMS
from taxonym.publish.noise.private import (
    LARGEST,
    PRIVATE,
    SMALLEST,
    SeededSource,
    exponential_weights,
    geometric_weights,
    ring_sizes,
)
from taxonym.publish.noise.semantic import SHAPES

NEAR = 0.01  # so near to the target counts as equal
STEPS = 12


@dataclass(frozen=True, slots=True)
class EqualStrength:
    """One mechanism at a target: its strength, whether it matched, and its runs."""

    mechanism: str
    strength: float
    name: str
    matched: bool
    runs: list[NoiseLoss]


def masking(data: Data, values: Ints, mechanism: str) -> Callable[[float], Callable[[int], Ints]]:
    """strength -> seed -> one run; the strength of a baseline is the share of values that it replaces."""
    sizes = np.unique(ring_sizes(data.domain), axis=0) if mechanism == "geometric" else None

    def at(strength: float) -> Callable[[int], Ints]:
        if mechanism in PRIVATE:
            weights = (
                exponential_weights(data.domain, strength)
                if sizes is None
                else geometric_weights(data.domain, strength, sizes=sizes)
            )
            return lambda seed: _inside(weights.draw(values, SeededSource(seed)))
        return lambda seed: _changed(data, values, mechanism, strength, np.random.default_rng(seed))

    return at


def _changed(data: Data, values: Ints, mechanism: str, strength: float, rng: np.random.Generator) -> Ints:
    other = MECHANISMS[mechanism].function(data.domain, values, strength, rng)
    if mechanism in SHAPES:
        return other
    return frozen(np.where(rng.random(len(values)) < strength, other, values))


def span(mechanism: str) -> tuple[float, float, str]:
    """The weakest and the strongest setting of a mechanism, and what it is called."""
    if mechanism in SHAPES:
        return 1e-4, 100.0, "α"
    return (LARGEST, SMALLEST, "ε") if mechanism in PRIVATE else (1e-4, 1.0, "share")


def strength_for(target: float, mechanism: str, error: Callable[[float], float]) -> tuple[float, bool]:
    """The strength whose mean error is the target, by halving on a logarithmic scale; or the end that comes nearest."""
    weak, strong, _ = span(mechanism)
    low, high = log(weak), log(strong)
    least, most = error(weak), error(strong)
    if least >= target:
        return weak, least - target <= NEAR
    if most <= target:
        return strong, target - most <= NEAR
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if error(exp(middle)) < target else (low, middle)
    middle = exp((low + high) / 2)
    return middle, abs(error(middle) - target) <= NEAR


def at_equal_distortion(
    data: Data, values: Ints, target: float, mechanisms: Sequence[str] = tuple(MECHANISMS), seeds: int = SEEDS
) -> list[EqualStrength]:
    """Every mechanism, as strong as it has to be for this mean error."""
    out = []
    for mechanism in mechanisms:
        at = masking(data, values, mechanism)

        def error(strength: float, at: Callable[[float], Callable[[int], Ints]] = at) -> float:
            run = at(strength)
            some = [run(seed) for seed in range(max(1, 1000 // len(values)))]
            return float(np.mean([pair_distances(data.domain, values, z).mean() for z in some]))

        strength, matched = strength_for(target, mechanism, error)
        run = at(strength)
        runs = [noise_loss(data.domain, values, run(seed)) for seed in range(seeds)]
        out.append(EqualStrength(mechanism, strength, span(mechanism)[2], matched, runs))
    return out


def _inside(z: Ints) -> Ints:
    """Missing and unknown, two of the thousands that a private mechanism may give, are no concepts: the category stands
    for them."""
    return frozen(np.where(z < 0, 0, z))

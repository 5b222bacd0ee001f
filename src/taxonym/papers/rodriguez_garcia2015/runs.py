"""The experiments of [RodriguezGarcia2015, §IV], run many times: what they give, and how much that varies.

The paper prints one run. A printed number is `exact` if the mean of our runs rounds to it, `within` if it lies, give or
take its rounding, between the least and the greatest of our runs, and `not` otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taxonym.knowledge.arrays import Ints
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.noise import NoiseLoss, noise_loss
from taxonym.measure.nominal import Domain
from taxonym.papers.rodriguez_garcia2015 import printed
from taxonym.publish.noise.semantic import NOISES, semantic

SEEDS = 20
HALF = 0.005 + 1e-9  # of the last digit printed


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """The domain, all occupations, the unbalanced sample of 100, and how concepts are called in the paper."""

    domain: Domain
    occupation: Ints
    sample: Ints

    @classmethod
    def of(cls, tax: Taxonomy) -> "Data":
        domain = Domain.of(tax, tax.code(printed.CATEGORY))
        code = {term: tax.code(id) for id, term, _ in printed.OCCUPATIONS}
        every = np.repeat([code[term] for _, term, _ in printed.OCCUPATIONS], [n for *_, n in printed.OCCUPATIONS])
        sample = np.repeat([code[term] for term in printed.SAMPLE], list(printed.SAMPLE.values()))
        return cls(domain, domain.inside(every), domain.inside(sample))

    def label(self, code: int) -> str:
        """The label of a code of the whole taxonomy."""
        return self.domain.tax.label(int(self.domain.inner[code]))


def masked(data: Data, values: Ints, alpha: float, mechanism: str, seed: int, records: int | None = None) -> NoiseLoss:
    """One run; `records` are drawn from the column first, as "a sample of 100 records" in the heading of Table I."""
    rng = np.random.default_rng(seed)
    if records is not None:
        values = rng.choice(values, records, replace=False)
    if mechanism == "normal":
        after, errors = semantic(data.domain, values, alpha, rng)
        return noise_loss(data.domain, values, after, alpha=alpha, errors=errors)
    return noise_loss(data.domain, values, NOISES[mechanism].function(data.domain, values, alpha, rng), alpha=alpha)


def runs(
    data: Data, values: Ints, alpha: float, mechanism: str = "normal", seeds: int = SEEDS, records: int | None = None
) -> list[NoiseLoss]:
    return [masked(data, values, alpha, mechanism, seed, records) for seed in range(seeds)]


def figures(some: Sequence[NoiseLoss], metric: str) -> list[float]:
    """One metric of the tables over all runs."""
    name = {"shift": "mean_shift", "variance": "variance_off", "actual": "mean_error", "target": "target_error"}[metric]
    return [getattr(run, name) for run in some]


def verdict(value: float, ours: Sequence[float]) -> str:
    """Whether a printed number is what our runs give."""
    if abs(value - sum(ours) / len(ours)) <= HALF:
        return "exact"
    return "within" if min(ours) - HALF <= value <= max(ours) + HALF else "not"


def worst(verdicts: Sequence[str]) -> str:
    """The verdict of a row of a table: that of its worst cell."""
    return next(v for v in ("not", "consistent", "within", "exact") if v in verdicts)

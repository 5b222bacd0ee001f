"""Noise for several columns at once: independent, as the paper has it, or with the columns' correlation kept.

Independent errors do not vary together, Cov(ε_t, ε_l) = 0 [RodriguezGarcia2015, eq. 5], and so blur whatever the
columns have in common. Correlated noise is the usual remedy for numbers (Kim 1986): errors that vary together as the
columns do, Σ_ε = αΣ, leave every correlation as it was. Values without an order have no correlation of their own, so a
score stands for each,

    s_ij = d(x_ij, mean_j),

which is what an error changes: ε > 0 moves a value away from its column's mean, ε < 0 towards it. The errors of a
record are drawn with the scores' correlation matrix R by a Gaussian copula: g ~ N(0, R), then ε_j is the normal error
of column j, cut at ±1 as ever, at the same quantile as g_j. Each column's own noise is so the same as without
correlation.

What survives is the correlation of scores (who is unusual in one column is unusual in the other), and only in part,
since a replacement is seldom exactly as far as its error. Which concept goes with which is not kept: for that, group
records instead.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from taxonym.knowledge.arrays import Floats, Ints
from taxonym.measure.nominal import Domain
from taxonym.publish.noise.semantic import normal_at


def scores(domain: Domain, values: Ints, mean: int) -> Floats:
    """The distance of every value to the column's mean."""
    distinct, back = np.unique(values, return_inverse=True)
    return domain.distances(distinct, [mean])[:, 0][back]


def correlation(table: Floats) -> Floats:
    """Pearson correlations of the columns of a table; a column that does not vary correlates with nothing."""
    centred = table - table.mean(axis=0)
    length = np.sqrt((centred**2).sum(axis=0))
    unit = centred / np.where(length > 1e-9 * sqrt(len(table)), length, np.inf)
    out: Floats = unit.T @ unit
    np.fill_diagonal(out, 1)
    return out


def correlated_errors(deviations: Sequence[float], R: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Errors whose columns have the normal distribution cut at ±1, joined by a Gaussian copula with correlations R.

    g ~ N(0, R),   ε_j = σ_j Φ⁻¹(Φ(-1/σ_j) + Φ(g_j) (Φ(1/σ_j) - Φ(-1/σ_j)))
    """
    return joined_errors(deviations, root_of(R), rng.standard_normal((n, len(R))))


def root_of(R: Floats) -> Floats:
    """A matrix A with A Aᵀ = R, so that A g has the correlations R if g is N(0, 1)."""
    values, vectors = np.linalg.eigh(R)
    out: Floats = vectors * np.sqrt(np.maximum(values, 0))
    return out


def joined_errors(deviations: Sequence[float], root: Floats, g: Floats) -> Floats:
    """The errors that independent normal numbers stand for, a row for each record."""
    from scipy.special import ndtr  # slow to import: only when needed

    u = ndtr(g @ root.T)
    return np.stack([normal_at(each, u[:, j]) for j, each in enumerate(deviations)], axis=1)

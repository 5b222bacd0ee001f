from math import sqrt

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan
from taxonym.mask.correlated import correlated_errors, correlation, independent_errors, noise_columns, scores
from taxonym.mask.noise import normal
from taxonym.measure.nominal import Domain, statistics

N = 4000


def tree(depth: int = 6, children: int = 3) -> Taxonomy:
    """A regular tree, so that there is a concept at nearly every distance."""
    edges, level = [], ["r"]
    for _ in range(depth - 1):
        below = [f"{parent}{i}" for parent in level for i in range(children)]
        edges += [(child, child[:-1]) for child in below]
        level = below
    return Taxonomy.from_edges(edges)


@pytest.fixture(scope="module")
def columns() -> list[tuple[Domain, np.ndarray]]:
    """Two columns of concepts whose distances to a middle concept go together."""
    rng, out = np.random.default_rng(3), []
    common = rng.standard_normal(N)
    for _ in range(2):
        domain = Domain.of(tree())
        middle = domain.tax.code("r00")
        order = np.argsort(domain.distances([middle], domain.candidates)[0], kind="stable")
        mixed = 0.9 * common + sqrt(1 - 0.81) * rng.standard_normal(N)
        skewed = (mixed.argsort().argsort() / N) ** 4  # most values near the middle
        out.append((domain, domain.candidates[order[(skewed * len(order)).astype(int)]]))
    return out


def of_scores(columns: list[tuple[Domain, np.ndarray]], values: list[np.ndarray]) -> float:
    table = np.stack([scores(d, v, statistics(d, x).mean) for (d, x), v in zip(columns, values, strict=True)], axis=1)
    return float(correlation(table)[0, 1])


def test_errors_of_different_columns_do_not_vary_together() -> None:
    """Equation 5; the covariance of n independent pairs has the deviation σ1 σ2 / √n."""
    errors = independent_errors([0.2, 0.3, 0.1], 50_000, np.random.default_rng(1))
    covariance = np.cov(errors.T)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert abs(covariance[i, j]) < 4 * sqrt(covariance[i, i] * covariance[j, j] / 50_000)


@pytest.mark.parametrize("r", [-0.8, 0.0, 0.5, 0.95])
def test_correlated_errors_have_the_correlation_asked_for_and_their_own_variances(r: float) -> None:
    errors = correlated_errors([0.1, 0.25], np.array([[1, r], [r, 1]]), 50_000, np.random.default_rng(1))
    assert float(np.corrcoef(errors.T)[0, 1]) == pytest.approx(r, abs=0.02)
    assert errors.std(axis=0).tolist() == pytest.approx([0.1, 0.25], rel=0.02)
    assert float(np.abs(errors).max()) <= 1


def test_each_correlated_column_is_distributed_as_an_independent_one() -> None:
    R = np.array([[1, 0.7], [0.7, 1]])
    errors = correlated_errors([0.8, 0.8], R, 50_000, np.random.default_rng(1))
    plain = normal(0.8, 50_000, np.random.default_rng(2))
    levels = np.linspace(0.05, 0.95, 19)
    np.testing.assert_allclose(np.quantile(errors[:, 0], levels), np.quantile(plain, levels), atol=0.02)


def test_correlated_noise_keeps_more_of_the_correlation_than_independent_noise(
    columns: list[tuple[Domain, np.ndarray]],
) -> None:
    before = of_scores(columns, [v for _, v in columns])
    assert before > 0.6
    kept = {
        correlated: np.mean(
            [
                of_scores(columns, noise_columns(columns, 0.5, np.random.default_rng(s), correlated=correlated)[0])
                for s in range(5)
            ]
        )
        for correlated in (False, True)
    }
    assert kept[False] < 0.8 * before
    assert kept[True] > kept[False] + 0.1
    assert abs(kept[True] - before) < abs(kept[False] - before)


def test_the_noise_of_each_column_is_not_larger_for_being_correlated(columns: list[tuple[Domain, np.ndarray]]) -> None:
    sizes = [
        np.abs(noise_columns(columns, 0.5, np.random.default_rng(1), correlated=correlated)[1]).mean(axis=0)
        for correlated in (False, True)
    ]
    np.testing.assert_allclose(sizes[0], sizes[1], rtol=0.06)


def test_a_column_that_does_not_vary_correlates_with_nothing_and_gets_no_noise(
    columns: list[tuple[Domain, np.ndarray]],
) -> None:
    domain, values = columns[0]
    same = np.full(N, values[0])
    [masked, _], errors = noise_columns(
        [(domain, same), (domain, values)], 0.5, np.random.default_rng(1), correlated=True
    )
    assert (masked == same).all()
    assert not errors[:, 0].any()
    assert errors[:, 1].all()
    assert correlation(np.stack([np.ones(9), np.arange(9.0)], axis=1)).tolist() == [[1, 0], [0, 1]]


def test_columns_of_different_lengths_or_none_are_refused(columns: list[tuple[Domain, np.ndarray]]) -> None:
    domain, values = columns[0]
    for wrong in ([(domain, values), (domain, values[:5])], [], [(domain, values[:0])]):
        with pytest.raises(BadPlan, match="need the same number of records, and at least one"):
            noise_columns(wrong, 0.5, np.random.default_rng(1))

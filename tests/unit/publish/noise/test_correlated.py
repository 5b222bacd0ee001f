import numpy as np
import pytest

from taxonym.publish.noise.correlated import correlated_errors, correlation
from taxonym.publish.noise.semantic import normal


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


def test_a_column_that_does_not_vary_correlates_with_nothing() -> None:
    assert correlation(np.stack([np.ones(9), np.arange(9.0)], axis=1)).tolist() == [[1, 0], [0, 1]]

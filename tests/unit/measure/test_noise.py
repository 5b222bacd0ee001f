from math import sqrt

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan
from taxonym.measure.noise import noise_loss, pair_distances, total_variation
from taxonym.measure.nominal import Domain

TAX = Taxonomy.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("e", "b")])
A, B, C, D, E = (TAX.code(id) for id in "abcde")


@pytest.fixture(scope="module")
def domain() -> Domain:
    return Domain.of(TAX)


def test_unchanged_data_has_lost_nothing(domain: Domain) -> None:
    x = domain.inside([A, B, B, D])
    found = noise_loss(domain, x, x, alpha=0.5, errors=np.zeros(4))
    assert (found.mean_shift, found.root_mean_square_error, found.mean_error, found.target_error) == (0, 0, 0, 0)
    assert (found.total_variation, found.unchanged) == (0, 1)
    assert found.variance_after == found.variance_before
    assert found.variance_off == pytest.approx(0.5 * found.variance_before)


def test_the_figures_of_a_column_of_four(domain: Domain) -> None:
    """d(b, d) = 1 - 4/5, d(b, a) = 1 - 2/3, d(b, c) = 1 - 2/4."""
    x, z = domain.inside([B, B, B, B]), domain.inside([D, A, C, B])
    found = noise_loss(domain, x, z, errors=np.array([0.1, -0.3, 0.2, 0.0]))
    errors = [0.2, 1 / 3, 0.5, 0]
    assert found.mean_error == pytest.approx(sum(errors) / 4)
    assert found.root_mean_square_error == pytest.approx(sqrt(sum(e * e for e in errors) / 4))
    assert found.target_error == pytest.approx(0.15)
    assert found.unchanged == 0.25
    assert found.total_variation == pytest.approx(0.75)
    assert (found.mean_before, found.variance_before) == (B, 0)
    assert found.expected_variance is None
    assert found.variance_off is None


def test_the_mean_error_never_exceeds_the_root_mean_square_error(domain: Domain) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        found = noise_loss(domain, *(domain.candidates[rng.integers(0, 5, 9)] for _ in "xz"))
        assert found.mean_error <= found.root_mean_square_error + 1e-12


def test_distances_of_pairs_are_those_of_the_concepts(wordnet: Taxonomy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taxonym.measure.noise.CELLS", 900)  # several blocks
    domain = Domain.of(wordnet)
    rng = np.random.default_rng(4)
    x, z = (domain.candidates[rng.integers(0, len(domain), 300)] for _ in "xz")
    found = pair_distances(domain, x, z)
    assert found.tolist() == [domain.distances([a], [b])[0, 0] for a, b in zip(x.tolist(), z.tolist(), strict=True)]


def test_total_variation_puts_rare_concepts_together() -> None:
    x, z = np.array([0, 0, 0, 1, 1, 2, 3, 4]), np.array([0, 0, 0, 1, 1, 5, 5, 5])
    assert total_variation(x, z, top=2) == 0
    assert total_variation(x, z) == pytest.approx(3 / 8)


def test_the_report_has_every_figure_under_its_name(domain: Domain) -> None:
    x = domain.inside([B, D, E])
    data = noise_loss(domain, x, x, alpha=0.1).as_data()
    assert list(data) == [
        "values", "mean_before", "mean_after", "mean_shift", "variance_before", "variance_after", "expected_variance",
        "root_mean_square_error", "mean_error", "target_error", "unchanged", "total_variation", "variance_off",
    ]  # fmt: skip
    assert data["expected_variance"] == pytest.approx(1.1 * data["variance_before"])  # type: ignore[operator]


def test_columns_of_different_lengths_cannot_be_compared(domain: Domain) -> None:
    with pytest.raises(BadPlan, match="3 values before and 2 after cannot be compared"):
        noise_loss(domain, domain.inside([A, B, C]), domain.inside([A, B]))

"""Indices of agreement by hand and by counting, clusterings, and frequencies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.measure.mining import (
    Pairs,
    agreement,
    count_pairs,
    k_means,
    k_medoids,
    pairs,
    still_on_top,
    total_variation,
)

labels = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12)


@given(labels)
def test_pairs_counted_from_a_table_are_those_counted_one_by_one(both: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in both], [b for _, b in both]
    found = pairs(np.array(first, int), np.array(second, int))
    assert found == count_pairs(first, second)
    assert 0 <= found.jaccard <= found.rand <= 1
    assert found.adjusted_rand <= 1
    assert pairs(np.array(first, int), np.array(first, int)).adjusted_rand == 1


def test_the_indices_are_those_of_a_worked_example() -> None:
    """Six records as {a, b, c}, {d, e, f} and as {a, b}, {c, d, e}, {f}: 2 pairs together in both, 4 and 2 in one."""
    found = count_pairs([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 2])
    assert found == Pairs(2, 4, 2, 7)
    assert found.rand == pytest.approx(9 / 15)
    assert found.jaccard == pytest.approx(2 / 8)
    expected = 6 * 4 / 15
    assert found.adjusted_rand == pytest.approx((2 - expected) / (5 - expected))


def test_labels_of_different_records_are_not_compared() -> None:
    with pytest.raises(ValueError, match="3 and 2 labels"):
        pairs(np.zeros(3, int), np.zeros(2, int))


def test_clusters_that_lie_apart_are_found_whatever_the_beginning() -> None:
    rng = np.random.default_rng(5)
    true = np.repeat([0, 1, 2], 20)
    points = rng.normal(size=(60, 4)) + 40 * np.eye(4)[true]
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    for seed in range(5):
        assert pairs(k_means(points, 3, np.random.default_rng(seed)), true).rand == 1
        assert pairs(k_medoids(apart, 3, np.random.default_rng(seed)), true).rand == 1


def test_equal_records_are_one_cluster_even_where_more_are_wanted() -> None:
    points = np.repeat(np.eye(3), 5, axis=0)
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    for found in (k_means(points, 7, np.random.default_rng(1)), k_medoids(apart, 7, np.random.default_rng(1))):
        assert pairs(found, np.repeat([0, 1, 2], 5)).rand == 1


def test_an_unchanged_release_agrees_as_much_as_the_original_with_itself() -> None:
    points = np.random.default_rng(2).normal(size=(50, 3))

    def cluster(n: int, rng: np.random.Generator) -> np.ndarray:
        return k_means(points, n, np.random.default_rng(1))

    found, ceiling = agreement(cluster, cluster, 4, 2, np.random.default_rng(3))
    assert found == ceiling
    assert found.adjusted_rand == 1


def test_total_variation_is_the_share_of_lines_that_would_have_to_change() -> None:
    assert total_variation(np.array([2, 2, 0]), np.array([1, 1, 0])) == 0
    assert total_variation(np.array([2, 2, 0]), np.array([1, 1, 2])) == pytest.approx(0.5)
    assert total_variation(np.zeros(2), np.array([1, 0])) == 1
    assert total_variation(np.zeros(2), np.zeros(2)) == 0


def test_what_does_not_occur_is_never_on_top() -> None:
    assert still_on_top(np.array([9, 8, 7, 1]), np.array([5, 0, 6, 7]), 3) == 2
    assert still_on_top(np.array([9, 8]), np.array([0, 0]), 2) == 0

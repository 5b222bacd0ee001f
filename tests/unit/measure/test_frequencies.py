from math import log

import numpy as np
import pytest

from taxonym.knowledge.combine import flat
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.measure.frequencies import (
    frequency_shift,
    lift_correlation,
    lifts,
    most_frequent,
    rank_correlation,
    total_variation,
)

TAX = flat(["a", "b", "c", "d"])
A, B, C, D = (TAX.code(name) for name in "abcd")


def counts(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def test_total_variation_is_the_share_of_items_that_would_have_to_become_others() -> None:
    assert total_variation(counts(2, 2, 0), counts(2, 2, 0)) == 0
    assert total_variation(counts(4, 0), counts(0, 3)) == 1
    assert total_variation(counts(3, 1), counts(1, 1)) == pytest.approx(0.25)
    assert total_variation(counts(0, 0), counts(1, 1)) is None


def test_the_most_frequent_come_first_and_of_equal_ones_the_lowest_code() -> None:
    assert most_frequent(counts(1, 3, 3, 0)).tolist() == [1, 2, 0]
    assert most_frequent(counts(1, 3, 3, 0), 1).tolist() == [1]


def test_equal_values_share_their_ranks() -> None:
    assert rank_correlation(np.array([1.0, 2, 2, 9]), np.array([10.0, 20, 20, 21])) == pytest.approx(1)
    assert rank_correlation(np.array([1.0, 2, 3]), np.array([3.0, 2, 1])) == pytest.approx(-1)
    assert rank_correlation(np.array([1.0, 1, 1]), np.array([3.0, 2, 1])) is None


def test_a_shift_tells_how_many_of_the_most_frequent_stay() -> None:
    found = frequency_shift(counts(5, 4, 3, 0), counts(5, 4, 0, 3))
    assert found["top_20_in_common"] == 2
    assert found["total_variation"] == pytest.approx(0.25)


def test_a_lift_compares_pairs_with_what_chance_would_give() -> None:
    sets = ConceptSets.of([[A, B], [A, B], [C], [D]], TAX)
    assert lifts(sets, np.array([A, B, C])) == {(A, B): pytest.approx(log(4 * 2 / (2 * 2)))}


def test_lifts_go_together_where_the_same_pairs_do() -> None:
    sets = ConceptSets.of([[A, B], [A, B], [A, C], [B, C], [A, B, C], [D], [D, A], [C]], TAX)
    assert lift_correlation(sets, sets) == pytest.approx(1)
    assert lift_correlation(sets, ConceptSets.of([[A]] * 8, TAX)) is None

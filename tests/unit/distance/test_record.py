import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.record import (
    Compare,
    Part,
    Sets,
    Values,
    record_distance,
    record_matrix,
    record_pairs,
    record_rectangle,
)
from taxonym.errors import BadPlan

TREE = Taxonomy.from_edges([("swimming", "water"), ("sailing", "water"), ("water", "sports"), ("chess", "sports")])
HOW = Compare()


def sets(*records: list[str], weight: float = 1.0) -> Sets:
    return Sets.of([sorted(TREE.code(name) for name in record) for record in records], TREE, weight)


def test_columns_count_by_their_weight() -> None:
    words, ages = sets(["swimming"], ["sailing"], weight=3), Values.of(np.array([0.0, 1.0]), 1)
    assert record_distance([words, ages], [words, ages], 0, 1) == pytest.approx((3 * 0.5 + 1) / 4)
    assert record_distance([words], [words], 0, 1) == 0.5


def test_a_missing_number_is_like_another_missing_one_and_far_from_any() -> None:
    ages = Values.of(np.array([1.0, np.nan, np.nan, 3.0]))
    assert [[ages.distance(ages, i, j, HOW) for j in range(4)] for i in range(2)] == [[0, 1, 1, 1], [1, 0, 0, 1]]


def test_a_number_beyond_the_range_is_at_1() -> None:
    ages = Values.of(np.array([0.0, 10.0]))
    assert ages.distance(Values(np.array([99.0]), ages.half), 0, 0, HOW) == 1


@pytest.mark.parametrize("values", [[5.0, 5.0], [np.nan, np.nan], [5.0, np.nan]])
def test_a_column_without_range_knows_only_equal_and_different(values: list[float]) -> None:
    ages = Values.of(np.array(values))
    assert ages.half == 0
    assert ages.distance(ages, 0, 0, HOW) == 0
    assert ages.distance(Values(np.array([6.0]), 0.0), 0, 0, HOW) == 1


def test_the_largest_numbers_do_not_overflow() -> None:
    ages = Values.of(np.array([-1.7e308, 0.0, 1.7e308]))
    assert ages.pairs(np.array([0, 0]), ages, np.array([1, 2]), HOW).tolist() == [0.5, 1.0]
    assert ages.distance(ages, 0, 2, HOW) == 1


def test_an_empty_set_is_at_0_from_an_empty_one_and_at_1_from_others() -> None:
    words = sets([], [], ["chess"])
    rows = np.array([0, 0])
    assert record_pairs([words], [words], rows, np.array([1, 2]), HOW).tolist() == [0, 1]


def test_records_must_have_the_same_columns() -> None:
    words, ages = sets(["chess"]), Values.of(np.array([1.0]))
    wrong: list[tuple[list[Part], list[Part]]] = [([], []), ([words], [ages]), ([words], [words, ages])]
    for x, y in wrong:
        with pytest.raises(BadPlan, match="the same columns"):
            record_distance(x, y, 0, 0)
        with pytest.raises(BadPlan, match="the same columns"):
            record_rectangle(x, y, np.array([0]), np.array([0]), HOW)


def test_a_matrix_is_symmetric_and_in_steps() -> None:
    words = sets(["swimming"], ["sailing", "chess"], ["chess"])
    ages = Values.of(np.array([1.0, 2.0, 4.0]))
    found = record_matrix([words, ages], np.array([0, 1, 2]), HOW)
    assert found.dtype == np.uint16
    assert (found == found.T).all()
    assert not found.diagonal().any()


def test_more_pairs_than_are_compared_at_a_time_come_out_in_their_order() -> None:
    words = sets(["swimming"], ["sailing"], ["chess"], ["water", "chess"])
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, 4, 5000), rng.integers(0, 4, 5000)
    found = record_pairs([words], [words], rows, columns, HOW)
    square = np.array([[record_distance([words], [words], i, j) for j in range(4)] for i in range(4)])
    assert np.allclose(found, square[rows, columns], atol=5e-5)

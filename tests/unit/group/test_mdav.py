import numpy as np
import pytest

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.group.mdav import mdav, medoid
from taxonym.group.registry import GROUPINGS, grouping_named

LINE = np.abs(np.subtract.outer(np.arange(10), np.arange(10)))


def test_ten_points_on_a_line_are_taken_from_the_ends() -> None:
    # the medoid is 4 (ties with 5), the farthest from it 9; then the farthest from 9 is 0; 3, 4, 5, 6 stay
    assert mdav(LINE, 3) == [[7, 8, 9], [0, 1, 2], [3, 4, 5, 6]]


def test_one_more_group_is_formed_of_2k_or_more() -> None:
    assert mdav(LINE[:5, :5], 2) == [[0, 1], [2, 3, 4]]  # medoid 2; 0 and 4 are equally far: the lower one
    assert mdav(LINE[:3, :3], 2) == [[0, 1, 2]]


def test_equal_distances_fall_to_the_lowest_rows() -> None:
    assert mdav(np.ones((7, 7)), 2) == [[0, 1], [2, 3], [4, 5, 6]]


def test_a_record_is_in_its_own_group_even_if_it_is_far_from_itself() -> None:
    D = LINE.copy()
    np.fill_diagonal(D, 100)
    groups = mdav(D, 3)
    assert groups[0] == [3, 4, 5]  # 4 is the medoid, and the farthest from it
    assert sorted(i for group in groups for i in group) == list(range(10))


@pytest.mark.parametrize("kind", ["uint8", "int16", "uint16", "int32", "uint64", "float16", "float32", "float64"])
def test_any_kind_of_number_gives_the_same_groups(kind: str) -> None:
    assert mdav(LINE.astype(kind), 3) == mdav(LINE, 3)
    assert mdav(np.asfortranarray(LINE.astype(kind)), 3) == mdav(LINE, 3)
    assert medoid(LINE.astype(kind), range(10)) == 4


def test_lists_and_truth_values_will_do() -> None:
    assert mdav(LINE.tolist(), 3) == mdav(LINE, 3)
    assert mdav(LINE > 2, 3) == mdav((LINE > 2).astype(int), 3)


def test_the_medoid_is_the_one_with_the_least_sum_itself_included() -> None:
    D = np.array([[5.0, 1.0, 1.0], [1.0, 0.0, 4.0], [1.0, 4.0, 0.0]])
    assert medoid(D, [0, 1, 2]) == 1  # 7, 5, 5: its distance to itself costs 0 the place
    assert medoid(D, [2]) == 2
    assert medoid(D, [2, 1, 1]) == 1


def test_sums_are_exact_so_that_ties_are_ties() -> None:
    # 0.1 + 0.2 + 0.3 is another float than 0.3 + 0.2 + 0.1 when added from the left
    D = np.array([[0.0, 0.3, 0.2, 0.1], [0.3, 0.0, 0.9, 0.9], [0.2, 0.9, 0.0, 0.9], [0.1, 0.9, 0.9, 0.0]])
    turned = D[::-1, ::-1]
    assert medoid(D, range(4)) == 0
    assert medoid(turned, range(4)) == 3
    same = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1]])
    assert medoid(same, range(3)) == 0


def test_distances_many_billion_times_smaller_than_others_still_count() -> None:
    D = np.array([[0.0, 1.0, 1.0], [1.0, 1e-40, 1.0], [1.0, 1.0, 1e-300]])
    assert medoid(D, [1, 2]) == 1  # 1 + 1e-40 and 1 + 1e-300, rounded once, are both 1: a tie
    assert medoid(np.array([[1e-40, 2e-40], [0.0, 1e-45]]), [0, 1]) == 1
    assert mdav(np.array([[3e-40, 1.0], [1.0, 1e-40]]), 1) == [[1], [0]]  # a tie: 0 is the medoid


def test_what_cannot_be_grouped_is_said() -> None:
    with pytest.raises(BrokenPromise, match="There are 10 records, fewer than k = 11"):
        mdav(LINE, 11)
    with pytest.raises(BrokenPromise, match="There are 0 records"):
        mdav(np.empty((0, 0)), 2)
    with pytest.raises(BadPlan, match="k: must be a whole number of at least 1, got 0"):
        mdav(LINE, 0)
    with pytest.raises(BadPlan, match="square array, n x n; this one is 2 x 10"):
        mdav(LINE[:2], 1)
    with pytest.raises(BadPlan, match="square array"):
        mdav([1.0, 2.0], 1)
    with pytest.raises(BadPlan, match="must all be numbers"):
        mdav([[0.0, np.nan], [1.0, 0.0]], 1)
    with pytest.raises(BadPlan, match="must all be numbers"):
        mdav([[0.0, np.inf], [1.0, 0.0]], 1)
    with pytest.raises(BadPlan, match="below 2\\^62"):
        mdav([[0, 2**62], [1, 0]], 1)
    with pytest.raises(BadPlan, match="at most 64 bits, not"):
        mdav([["a", "b"], ["c", "d"]], 1)
    for rows in ([], [10], [-1], [0.5]):
        with pytest.raises(BadPlan, match="rows: needs at least one row number"):
            medoid(LINE, rows)


def test_groupings_by_name() -> None:
    assert {name: g.form(LINE, 3) for name, g in GROUPINGS.items()}.keys() == {"mdav", "adaptive-mdav", "refined"}
    assert grouping_named("mdav").form is mdav
    with pytest.raises(BadPlan, match="method: 'noise' forms no groups. Choose one of mdav, adaptive-mdav, refined"):
        grouping_named("noise")

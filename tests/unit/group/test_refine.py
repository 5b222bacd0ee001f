from itertools import chain

import numpy as np
import pytest

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.group.mdav import mdav
from taxonym.group.refine import refined, sum_of_distances

SPOTS = np.array([0, 1, 2, 100, 101, 102, 103, 200, 201, 202, 300, 301, 302])
D = np.abs(np.subtract.outer(SPOTS, SPOTS))


def test_heaps_of_records_are_found_where_mdav_cuts_through_them() -> None:
    heaps = [[0, 1, 2], [3, 4, 5, 6], [7, 8, 9], [10, 11, 12]]
    assert refined(D, 3) == heaps
    assert sum_of_distances(D, heaps) == 2 + 4 + 2 + 2
    assert sum_of_distances(D / 10, heaps) == pytest.approx(1.0)
    assert sum_of_distances(D, mdav(D, 3)) >= 10


def test_groups_grow_beyond_2k_only_up_to_the_largest() -> None:
    star = np.full((13, 13), 10)  # all are near to one record and far from each other
    star[0, :] = star[:, 0] = 1
    np.fill_diagonal(star, 0)
    assert max(map(len, refined(star, 3, largest=5))) <= 5
    assert 5 < max(map(len, refined(star, 3))) <= 9
    assert refined(star, 3, largest=13) == [list(range(13))]


def test_few_records_make_one_group_and_k_1_leaves_everyone_alone() -> None:
    assert refined(D[:5, :5], 3) == [[0, 1, 2, 3, 4]]
    assert refined(D[:4, :4], 1) == [[0], [1], [2], [3]]


@pytest.mark.parametrize("kind", ["uint8", "uint16", "int64", "float32", "float64"])
def test_any_kind_of_number_gives_the_same_groups(kind: str) -> None:
    small = np.minimum(D, 200)
    assert refined(small.astype(kind), 3) == refined(small, 3)


def test_large_unions_are_divided_with_fewer_medoids_to_choose_from() -> None:
    random = np.random.default_rng(3)
    spots = np.concatenate([random.normal(centre, 1, 40) for centre in range(0, 60, 10)])
    far = np.abs(np.subtract.outer(spots, spots))
    groups = refined(far, 30)
    assert sorted(chain.from_iterable(groups)) == list(range(240))
    assert [len(g) for g in groups] == [40] * 6


def test_what_cannot_be_grouped_is_said() -> None:
    with pytest.raises(BrokenPromise, match="There are 13 records, fewer than k = 14"):
        refined(D, 14)
    with pytest.raises(BadPlan, match="largest: must be at least 2k - 1 = 5"):
        refined(D, 3, largest=4)
    with pytest.raises(BadPlan, match="k: must be a whole number of at least 1"):
        refined(D, 0)

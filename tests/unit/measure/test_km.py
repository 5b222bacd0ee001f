"""k^m counted on records small enough to count by hand."""

import numpy as np
import pytest

from taxonym.errors import BadPlan
from taxonym.knowledge.runs import Runs
from taxonym.measure.km import CombinationCount, count_km, rare_combinations

# Four baskets: bread 1 in all but the last, milk 2 in three, beer 3 in two.
BASKETS = [[1, 2], [1, 2, 3], [1, 2], [3]]


def test_combinations_of_four_baskets_are_those_counted_by_hand() -> None:
    count = count_km(Runs.of(BASKETS), k=2, m=3)
    assert count.sizes == (
        CombinationCount(size=1, occurring=3, rare=0, persons=0, least=2),
        CombinationCount(
            size=2, occurring=3, rare=2, persons=1, least=1
        ),  # {1, 3} and {2, 3}, both of the second basket
        CombinationCount(size=3, occurring=1, rare=1, persons=1, least=1),
    )
    assert (count.exposed, count.persons, count.least, count.holds) == (1, 4, 1, False)


def test_a_promise_for_one_known_item_need_not_hold_for_two() -> None:
    assert count_km(Runs.of(BASKETS), k=2, m=1).holds
    assert not count_km(Runs.of(BASKETS), k=2, m=2).holds


def test_several_records_of_a_person_count_once() -> None:
    count = count_km(Runs.of([[1], [1], [1]]), k=2, m=1, persons=np.array([7, 7, 7]))
    assert count.sizes[0] == CombinationCount(size=1, occurring=1, rare=1, persons=1, least=1)


def test_a_combination_counts_in_every_block_for_itself() -> None:
    count = count_km(Runs.of([[1], [1], [1]]), k=2, m=1, block=np.array([0, 0, 5]))
    assert count.sizes[0] == CombinationCount(size=1, occurring=2, rare=1, persons=1, least=1)


def test_an_item_that_is_written_twice_in_a_record_is_one_item() -> None:
    assert count_km(Runs.of([[1, 1], [1, 1]]), k=2, m=2).sizes[1].occurring == 0


def test_nothing_to_count_is_counted_as_nothing() -> None:
    count = count_km(Runs.of([]), k=2, m=2)
    assert count.holds
    assert (count.least, count.persons, count.exposed) == (0, 0, 0)


def test_rare_combinations_are_listed_and_none_continues_another() -> None:
    assert rare_combinations(Runs.of(BASKETS), k=2, m=3) == [(0, (1, 2, 3)), (0, (1, 3)), (0, (2, 3))]
    assert rare_combinations(Runs.of(BASKETS), k=2, m=2, below=2) == [(0, (1, 3))]
    assert rare_combinations(Runs.of(BASKETS), k=4, m=3) == [(0, (1,)), (0, (2,)), (0, (3,))]


def test_figures_as_data_name_every_size() -> None:
    data = count_km(Runs.of(BASKETS), k=2, m=2).as_data()
    assert data["persons_exposed"] == 1
    assert [of["items"] for of in data["sizes"]] == [1, 2]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("k", "m"), [(0, 1), (1, 0)])
def test_k_and_m_below_one_are_refused(k: int, m: int) -> None:
    with pytest.raises(BadPlan, match="at least 1"):
        count_km(Runs.of(BASKETS), k=k, m=m)

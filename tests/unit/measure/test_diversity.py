"""l-diversity and t-closeness of classes that can be counted by hand."""

from math import exp, log

import numpy as np
import pytest

from taxonym.measure.diversity import Closeness, ConfidentialAttribute, Diversity, diversity, members
from taxonym.measure.transport import emd, least_work


def of(*persons: int) -> np.ndarray:
    return np.array(persons, np.int64)


def test_a_class_has_as_many_values_as_there_are_different_sets() -> None:
    one = ConfidentialAttribute.of([[0], [1], [1], [0, 1], [1, 0], [2]])
    assert diversity(one, of(0, 1, 2)).distinct == 2
    assert diversity(one, of(0, 3, 4)).distinct == 1  # all of them hold value 0
    assert diversity(one, of(0, 1, 3, 4)).distinct == 3
    assert diversity(one, of(0, 1, 3, 4, 5)).share == 3 / 5


def test_the_entropy_of_a_class_is_that_of_its_values() -> None:
    one = ConfidentialAttribute.of([[0], [0], [1], [1], [2], [2], [0]])
    assert diversity(one, of(0, 2, 4)).entropy == pytest.approx(3)
    assert diversity(one, of(0, 2)).entropy == pytest.approx(2)
    expected = exp(-(3 / 4 * log(3 / 4) + 1 / 4 * log(1 / 4)))
    assert diversity(one, of(0, 1, 6, 2)).entropy == pytest.approx(expected)


@pytest.mark.parametrize("values", [[[0], [0]], [[0], [0, 1]], [[0, 1], [0, 2], [0]]])
def test_a_value_that_everybody_holds_is_disclosed(values: list[list[int]]) -> None:
    found = diversity(ConfidentialAttribute.of(values), np.arange(len(values)))
    assert found == Diversity(len(values), 1, 1.0, 1.0)
    assert found.homogeneous


def test_to_have_nothing_harmful_is_no_disclosure() -> None:
    """Value 1 is harmless: whoever has nothing else is unlike everybody."""
    one = ConfidentialAttribute.of([[1], [1], [1], [0], [0]], harmless=1)
    nobody = diversity(one, of(0, 1, 2))
    assert (nobody.distinct, nobody.share, nobody.homogeneous) == (3, 0, False)
    assert nobody.entropy == pytest.approx(3)
    assert diversity(one, of(3, 4)).homogeneous
    assert diversity(one, of(0, 1, 3, 4)).distinct == 3


def test_a_harmless_value_beside_another_makes_nobody_unlike_others() -> None:
    one = ConfidentialAttribute.of([[0, 1], [0, 1], [2]], harmless=1)
    assert diversity(one, of(0, 1, 2)).distinct == 2
    assert diversity(one, of(0, 1)).homogeneous


# ---------------------------------------------------------------------- t-closeness

SALARIES = ConfidentialAttribute.of([[i] for i in range(9)], order=np.arange(9.0))  # 3k, 4k, …, 11k [Li2007, table 3]


@pytest.mark.parametrize(
    ("salaries", "printed"),
    [((3, 4, 5), 0.375), ((6, 8, 11), 0.167)],  # [Li2007, §5]
)
def test_the_salaries_of_the_paper_are_as_far_as_it_prints(salaries: tuple[int, ...], printed: float) -> None:
    everybody = Closeness(SALARIES, np.arange(9))
    assert round(everybody.t(np.array(salaries) - 3), 3) == printed


def test_values_that_nobody_publishes_leave_no_gap_in_the_order() -> None:
    """Of the ranks 0, 4 and 8 only these three are published, so they are half the way from each other."""
    everybody = Closeness(SALARIES, of(0, 4, 8))
    assert everybody.t(of(0)) == pytest.approx((1 / 2 + 1) / 3)


def test_a_missing_number_is_half_to_one_away_from_any_other() -> None:
    """Values at 0, 1/2 and 1, and one that is missing: hung to the middle by an edge of 1/2."""
    one = ConfidentialAttribute.of([[0], [1], [2], [3]], order=np.array([0, 1, 2, np.nan]))
    for first, second, far in ((0, 3, 1), (1, 3, 0.5), (2, 3, 1), (0, 2, 1)):
        everybody = Closeness(one, of(first, second, 0, 1, 2, 3))
        between = everybody.t(of(first)), everybody.t(of(second))
        apart = np.array([[0, 0.5, 1, 1], [0.5, 0, 0.5, 0.5], [1, 0.5, 0, 1], [1, 0.5, 1, 0]])
        assert apart[first, second] == far
        for value, found in zip((first, second), between, strict=True):
            assert found == pytest.approx(emd(np.eye(4)[value], everybody.overall, apart))
    only = ConfidentialAttribute.of([[0], [1]], order=np.array([0, np.nan]))
    assert Closeness(only, of(0, 1)).t(of(0)) == pytest.approx(0.5)  # half of them are at distance 1


def test_equal_distances_give_half_the_sum_of_differences() -> None:
    one = ConfidentialAttribute.of([[0], [0], [1], [1, 2]])
    everybody = Closeness(one, np.arange(4), semantic=False)
    assert everybody.overall.tolist() == [0.5, 0.375, 0.125]
    assert everybody.t(of(0)) == pytest.approx(0.5)
    assert everybody.t(of(0, 3)) == pytest.approx((0 + 0.125 + 0.125) / 2)
    assert everybody.t(np.arange(4)) == 0


def test_diseases_of_one_kind_are_nearer_than_those_of_two() -> None:
    """Two stomach and two lung diseases: 1/3 within a kind, 1 across. A class of one kind must move half its mass
    across, a class of one disease of each kind moves all of it a third."""
    apart = np.array([[0, 1 / 3, 1, 1], [1 / 3, 0, 1, 1], [1, 1, 0, 1 / 3], [1, 1, 1 / 3, 0]])
    one = ConfidentialAttribute.of([[0], [1], [2], [3]], apart=lambda a, b: apart[np.ix_(a, b)])
    everybody = Closeness(one, np.arange(4))
    assert everybody.t(of(0, 1)) == pytest.approx(1 / 2)
    assert everybody.t(of(0, 2)) == pytest.approx(1 / 6)
    equal = Closeness(one, np.arange(4), semantic=False)
    assert equal.t(of(0, 1)) == equal.t(of(0, 2)) == pytest.approx(1 / 2)


def test_no_mass_is_no_work() -> None:
    assert least_work(np.zeros((0, 0)), np.zeros(0), np.zeros(0)) == 0


def test_the_places_of_every_class_are_told() -> None:
    assert [rows.tolist() for rows in members(np.array([1, 0, 1, 2, 0]))] == [[1, 4], [0, 2], [3]]

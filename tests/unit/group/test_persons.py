"""Groups that count persons where one person has many records."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym.distance.record import Compare, Values
from taxonym.group.mdav import mdav
from taxonym.group.persons import gather, group_persons, kept_apart, moved, spread
from taxonym.group.refine import refined

FORMS = {"mdav": None, "refined": refined}  # mdav is that which knows persons


def matrix(values: list[int]) -> np.ndarray:
    x = np.array(values)
    return np.abs(x[:, None] - x[None, :]).astype(np.uint16)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_k_near_records_of_one_person_are_no_group(form) -> None:  # type: ignore[no-untyped-def]
    persons = np.array([0, 0, 0, 0, 1, 2, 3, 4])
    found = group_persons(matrix([0, 1, 2, 3, 50, 51, 90, 91]), persons, 2, form)
    assert found is not None
    assert sorted(row for group in found[0] for row in group) == list(range(8))
    assert all(len(set(persons[group])) >= 2 for group in found[0])
    assert len(found[0]) >= 2


def test_fewer_than_k_persons_have_no_groups() -> None:
    assert group_persons(matrix([0, 1, 2, 3]), np.array([0, 0, 1, 1]), 3, None) is None


@settings(max_examples=40)
@given(data=st.data())
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_record_is_in_one_group_of_at_least_k_persons(form, data) -> None:  # type: ignore[no-untyped-def]
    values = data.draw(st.lists(st.integers(0, 60), min_size=2, max_size=30))
    persons = np.array(data.draw(st.lists(st.integers(0, 6), min_size=len(values), max_size=len(values))))
    k = data.draw(st.integers(2, 4))
    found = group_persons(matrix(values), persons, k, form)
    if len(set(persons.tolist())) < k:
        assert found is None
        return
    assert found is not None
    groups, middles = found
    assert sorted(row for group in groups for row in group) == list(range(len(values)))
    assert all(len(set(persons[group])) >= k for group in groups)
    assert all(middle in group for group, middle in zip(groups, middles, strict=True))


@settings(max_examples=30)
@given(values=st.lists(st.integers(0, 60), min_size=6, max_size=25, unique=True))
def test_where_everybody_has_one_record_the_first_groups_are_those_of_mdav(values: list[int]) -> None:
    found = [group.tolist() for group in spread(matrix(values), np.arange(len(values)), 2)]
    assert set(found[0]) >= set(mdav(matrix(values), 2)[0])


def test_a_record_that_its_group_can_do_without_moves_to_a_nearer_middle() -> None:
    persons, values = np.array([0, 1, 2, 3, 0]), [0, 1, 50, 51, 49]
    groups = [np.array([0, 1, 4]), np.array([2, 3])]
    assert [group.tolist() for group in moved(matrix(values), groups, persons, 2)] == [[0, 1], [2, 3, 4]]
    persons[4] = 4
    assert [group.tolist() for group in moved(matrix(values), groups, persons, 3)] == [[0, 1, 4], [2, 3]]


def test_one_person_among_the_nearest_does_not_dissolve_everything() -> None:
    rng = np.random.default_rng(1)
    values, persons = rng.integers(0, 2000, 300).tolist(), rng.integers(0, 20, 300)
    alone = kept_apart(matrix(values), persons, 10, refined)
    found = group_persons(matrix(values), persons, 10, refined)
    assert found is not None
    assert len(found[0]) > max(5, len(alone))


def test_blocks_without_enough_persons_join_groups_of_others() -> None:
    rng = np.random.default_rng(5)
    values = np.concatenate((rng.normal(0, 1, 300), rng.normal(1000, 1, 300)))
    persons = np.concatenate((rng.integers(1, 40, 300), np.zeros(300, np.int64)))  # the far half is one person's
    found = gather([Values.of(values)], np.arange(600), persons, Compare(), 3, refined, target=100)
    assert found.blocks > 3
    assert sorted(row for group in found.groups for row in group) == list(range(600))
    assert all(len(set(persons[group])) >= 3 for group in found.groups)
    again = gather([Values.of(values)], np.arange(600), persons, Compare(), 3, refined, target=100, workers=2)
    assert [group.tolist() for group in again.groups] == [group.tolist() for group in found.groups]


def test_persons_that_are_enough_only_together_are_one_group() -> None:
    values = np.repeat([0.0, 1000.0, 2000.0], 100)
    found = gather([Values.of(values)], np.arange(300), np.repeat([0, 1, 2], 100), Compare(), 3, None, target=50)
    assert len(found.groups) == 1
    assert len(found.groups[0]) == 300

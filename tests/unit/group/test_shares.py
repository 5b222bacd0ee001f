"""Rows that a person has too many of in one class, and where they go."""

import numpy as np

from taxonym.distance.record import Compare, Values
from taxonym.group.shares import rehoused


def test_a_surplus_row_goes_to_the_nearest_class_with_room_unless_that_is_too_far() -> None:
    # Records 0 to 8 are numbers. Class 0 is around 0, class 1 around 3 and class 2 around 10; person 7 has three rows
    # in class 0, where the others have one each.
    values = np.array([0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0, 10.0, 10.0])
    person = np.array([7, 1, 2, 7, 7, 3, 4, 5, 6])
    number = np.array([0, 0, 0, 0, 0, 1, 1, 2, 2])
    near = {"parts": [Values.of(values, 1.0)], "record": np.arange(9), "person": person, "number": number}
    rest = {"middles": np.array([1, 5, 7]), "k": 2, "lots": np.arange(9), "how": Compare()}
    found = rehoused(**near, **rest, scope=np.zeros(3, np.int64))
    assert found.tolist() == [0, 0, 0, 1, -1, 1, 1, 2, 2]  # class 2 is 0.8 away
    assert rehoused(**near, **rest, scope=np.zeros(3, np.int64), farthest=1.0)[4] == 2
    assert rehoused(**near, **rest, scope=np.arange(3))[3] == -1  # nowhere to go


def test_the_rows_of_a_record_move_together_as_far_as_there_is_room() -> None:
    values = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 9.0])
    record = np.array([0, 1, 2, 2, 2, 3, 3, 4, 4, 5])
    person = np.array([1, 2, 3, 3, 3, 4, 4, 5, 5, 3])
    number = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 0])
    found = rehoused(
        [Values.of(values, 1.0)], record, person, number, np.array([0, 3]), np.zeros(2, np.int64), 2,
        np.array([0, 1, 7, 8, 9, 2, 3, 4, 5, 6]), Compare(),
    )  # fmt: skip
    assert found[9] == 0  # who comes first stays
    assert sorted(found[2:5].tolist()) == [-1, 1, 1]

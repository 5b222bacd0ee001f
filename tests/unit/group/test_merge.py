"""Merging groups that can be followed by hand."""

import numpy as np

from taxonym.group.merge import merge

LINE = np.array([0, 1, 2, 10, 11, 12])  # where six rows lie


def between(groups: list[list[int]]) -> np.ndarray:
    middle = np.array([LINE[group].mean() for group in groups])
    return np.abs(middle[:, None] - middle[None, :])


def has(*kinds: str):  # type: ignore[no-untyped-def]
    """What is lacking of two different kinds."""
    return lambda group: max(0, 2 - len({kinds[row] for row in group}))


def test_a_group_that_lacks_something_joins_the_nearest_that_mends_it() -> None:
    groups = [[0], [1], [2], [3, 4, 5]]
    assert merge(groups, has("a", "a", "b", "a", "b", "b"), between) == [[0, 1, 2], [3, 4, 5]]


def test_groups_that_hold_come_back_in_their_order() -> None:
    groups = [[5, 3], [0, 4]]
    assert merge(groups, has("a", "a", "b", "a", "b", "b"), between) == groups


def test_nothing_is_merged_across_blocks() -> None:
    """The only b lies in the other block, so both rows of the first stay alone in their kind."""
    groups = [[0], [1], [2]]
    blocks = np.array([0, 0, 1, 1, 1, 1])
    assert merge(groups, has("a", "a", "b", "a", "b", "b"), between, blocks) == [[0, 1], [2]]


def test_merged_groups_are_as_far_as_their_groups_are_on_average() -> None:
    """Row 0 needs two more. Row 1 is nearest; the next is row 2, at 4 from both, not row 3, at 2 and 8."""
    apart = np.array([[0, 1, 4, 2], [1, 0, 4, 8], [4, 4, 0, 9], [2, 8, 9, 0]])
    found = merge([[0], [1], [2], [3]], lambda group: max(0, 3 - len(group)) if 0 in group else 0, lambda groups: apart)
    assert found == [[0, 1, 2], [3]]

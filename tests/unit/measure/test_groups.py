import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.measure.groups import STEPS, by_size, weakest

GROUPS = st.lists(st.tuples(st.integers(2, 40), st.floats(0, 1)), min_size=1, max_size=80)


def arrays(groups: list[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    """The sizes of groups, and what their records lost in all."""
    size = np.array([n for n, _ in groups], np.int64)
    return size, size * np.array([mean for _, mean in groups])


@given(groups=GROUPS, k=st.integers(2, 6))
def test_loss_by_size_is_told_of_at_least_k_groups_and_never_as_nothing(
    groups: list[tuple[int, float]], k: int
) -> None:
    size, lost = arrays(groups)
    ranges = by_size(size, lost, k)
    assert len(ranges) != 1
    assert len(ranges) <= STEPS
    assert sum(found["groups"] for found in ranges) == (len(size) if ranges else 0)
    for found in ranges:
        inside = (size >= found["smallest"]) & (size <= found["largest"])
        assert found["groups"] == inside.sum() >= k
        assert found["mean_loss"] > 0
        assert found["mean_loss"] == pytest.approx(lost[inside].sum() / size[inside].sum(), abs=0.005)


def test_groups_of_one_size_are_not_divided() -> None:
    size = np.full(100, 5)
    assert by_size(size, np.linspace(0, 1, 100), 5) == []


def test_the_weakest_are_a_tenth_of_the_groups_beside_the_others() -> None:
    size = np.array([5] * 90 + [8] * 10)
    lost = np.array([0.5] * 90 + [6.4] * 10)
    had, has = np.array([3.0] * 90 + [12.0] * 10), np.array([3.0] * 90 + [4.0] * 10)
    found = weakest(size, lost, had, has, 5)
    assert found is not None
    assert found["weakest"] == {
        "groups": 10, "mean_size": 8.0, "mean_loss": 0.8, "concepts_per_record": 12.0,
        "concepts_per_published_record": 4.0,
    }  # fmt: skip
    assert found["others"]["mean_loss"] == 0.1
    assert found["share_of_the_loss_percent"] == round(100 * 64 / 109, 1)


@pytest.mark.parametrize(("groups", "rest"), [(9, 0.5), (40, 0.0)], ids=["too few", "the others lost nothing"])
def test_nothing_is_told_of_the_weakest_where_it_would_tell_of_single_groups(groups: int, rest: float) -> None:
    size, lost = np.full(groups, 5), np.full(groups, rest)
    lost[:5] = 3
    assert weakest(size, lost, np.ones(groups), np.ones(groups), 5) is None

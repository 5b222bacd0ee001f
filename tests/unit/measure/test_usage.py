"""What web usage mining counts."""

import numpy as np
import pytest

from taxonym.measure.usage import moved, per_session, shares, slope, spread


def test_shares_are_of_everything_and_what_is_not_named_is_others() -> None:
    assert shares({"a": 2, "b": 1, "c": 1}, ["a", "b"]) == {"a": 0.5, "b": 0.25, "others": 0.25}
    assert shares({"a": 1, "others": 3}, ["a"]) == {"a": 0.25, "others": 0.75}
    assert shares({}, ["a"]) == {"a": 0.0, "others": 0.0}


def test_a_session_counts_once_for_each_of_its_browsers() -> None:
    assert per_session([1, 1, 1, 2], ["a", "a", "b", "a"]) == {"a": 2, "b": 1}


def test_spread_and_slope_are_those_of_numpy() -> None:
    rng = np.random.default_rng(0)
    ks, values = np.arange(1, 31), rng.random(30)
    assert spread(values.tolist()) == pytest.approx(values.std())
    assert slope(ks.tolist(), values.tolist()) == pytest.approx(np.polyfit(ks, values, 1)[0])
    assert slope([5], [0.3]) == 0


def test_moved_share_is_0_for_the_same_and_1_for_disjoint() -> None:
    assert moved({"a": 0.5, "b": 0.5}, {"b": 0.5, "a": 0.5}) == 0
    assert moved({"a": 1.0}, {"b": 1.0}) == 1
    assert moved({"a": 0.75, "b": 0.25}, {"a": 0.25, "b": 0.75}) == 0.5

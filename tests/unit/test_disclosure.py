"""The guard: nothing is told that has not passed it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.report import Report

COUNTS = st.integers(0, 60)


@given(n=COUNTS, k=st.integers(2, 9))
def test_a_count_of_persons_is_told_only_if_it_is_none_or_at_least_k(n: int, k: int) -> None:
    assert Disclosure(k).count(n).value == (n if n == 0 or n >= k else "<k")


@given(n=COUNTS, more=COUNTS, k=st.integers(2, 9))
def test_a_rounded_count_is_a_near_multiple_of_k_and_not_above_all(n: int, more: int, k: int) -> None:
    found = Disclosure(k).rounded(n, n + more).value
    if isinstance(found, str):
        assert 0 < n < k
    else:
        assert found % k == 0
        assert found <= n + more
        assert abs(found - n) < k


@given(published=COUNTS, left_out=st.lists(COUNTS, max_size=3), k=st.integers(2, 9))
def test_no_total_gives_away_by_subtraction_what_is_hidden(published: int, left_out: list[int], k: int) -> None:
    guard = Disclosure(k)
    total = guard.total(published + sum(left_out), left_out).value
    assert (total is None) == any(0 < n < k for n in left_out)


def test_nothing_else_makes_what_is_told_or_enters_a_report() -> None:
    guard = Disclosure(5)
    with pytest.raises(TypeError, match="must pass the guard"):
        Told(3, object())
    with pytest.raises(TypeError, match="must pass the guard"):
        guard.table({"persons": 3})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="must pass the guard"):
        guard.rows([guard.count(7), 3])  # type: ignore[list-item]
    empty = guard.public({})
    parts = dict.fromkeys(("promise", "verified", "plan", "records", "groups", "support_rule", "loss"), empty)
    lists = dict.fromkeys(("watched", "columns", "notes"), guard.public([]))
    sound = Report(verdict=guard.public("fine"), **parts, **lists)  # type: ignore[arg-type]
    assert sound.as_data()["verdict"] == "fine"
    assert sound.as_data()["linkage"] is None
    with pytest.raises(TypeError, match="records has not passed the guard"):
        Report(verdict=guard.public("fine"), **parts | {"records": {"persons": 3}}, **lists)  # type: ignore[arg-type]

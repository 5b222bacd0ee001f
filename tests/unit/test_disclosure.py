"""The guard: nothing is told that has not passed it, and every figure lies on its grid."""

from math import isclose
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.report.disclosure import Disclosure, PrivateDisclosure, Told, grid
from taxonym.report.report import Report

COUNTS = st.integers(0, 200)
SIZES = st.integers(2, 9)
SEEDS = st.integers(0, 2**32)


@given(n=COUNTS, k=SIZES, seed=SEEDS)
def test_a_count_is_a_near_multiple_of_k_and_below_k_is_not_told(n: int, k: int, seed: int) -> None:
    told = Disclosure(k, seed).count(n).value
    if n < k:
        assert told == "<k"  # nor that there is nobody
    else:
        assert isinstance(told, int)
        assert told % k == 0
        assert abs(told - n) < k


@given(n=COUNTS, more=COUNTS, k=SIZES, seed=SEEDS)
def test_a_count_among_persons_of_whom_more_is_told_is_coarse_and_not_above_all(
    n: int, more: int, k: int, seed: int
) -> None:
    told = Disclosure(k, seed).count(n, n + more).value
    if n + more < 10 * k:
        assert told is None
    elif n < k:
        assert told == "<k"
    else:
        assert isinstance(told, int)
        assert told % k == 0
        assert k <= told <= n + more
        assert abs(told - n) < 4 * k


def test_that_there_is_nobody_is_told_only_where_the_promise_says_so() -> None:
    assert Disclosure(5).count(0).value == "<k"
    assert Disclosure(5).count(0, none=True).value == 0
    assert Disclosure(5).count(3, none=True).value == "<k"


@given(share=st.floats(0, 1), n=st.integers(1, 5000), k=SIZES, most=st.sampled_from([1.0, 2.0, 100.0, 100 / 3]))
def test_a_mean_lies_on_the_grid_of_its_persons_and_is_not_told_of_few(
    share: float, n: int, k: int, most: float
) -> None:
    value = share * most
    told, step = Disclosure(k, 1).mean(value, n, most).value, grid(k, n, most)
    if n < 10 * k:
        assert told is step is None
        return
    assert step is not None
    assert told is not None
    assert step.digit in (1, 2, 5)
    assert step.size >= 2 * k * most / n * (1 - 1e-9)
    assert step.size <= 2.5 * 2 * k * most / n * (1 + 1e-9)  # no coarser than it must be
    assert isclose(told / step.size, round(told / step.size), abs_tol=1e-6)
    assert abs(told - value) <= step.size * (1 + 1e-6)


@pytest.mark.parametrize("k", range(2, 10))
def test_nobody_and_up_to_k_less_one_are_told_alike(k: int) -> None:
    assert {Disclosure(k, seed).count(n).value for n in range(k) for seed in range(30)} == {"<k"}


def test_a_figure_is_rounded_at_random_about_the_middle_between_its_neighbours() -> None:
    told = [Disclosure(5, seed).mean(0.13, 500).value for seed in range(2000)]
    assert set(told) == {0.12, 0.14}
    assert sum(one for one in told if one is not None) / 2000 == pytest.approx(0.13, abs=0.001)
    assert {Disclosure(5, seed).mean(0.126, 500).value for seed in range(500)} == {0.12, 0.14}
    assert {Disclosure(5, seed).mean(0.1205, 500).value for seed in range(500)} == {0.12}  # never far away


def test_a_figure_that_is_told_twice_is_rounded_once() -> None:
    for seed in range(20):
        guard = Disclosure(5, seed)
        assert len({guard.mean(0.13, 500).value for _ in range(9)}) == 1
        assert len({guard.count(12).value for _ in range(9)}) == 1
    assert len({Disclosure(5).mean(0.13, 500).value for _ in range(100)}) == 2  # without a seed nobody knows


def test_a_mean_of_told_means_tells_nothing_more() -> None:
    guard = Disclosure(5, 1)
    parts = [guard.mean(value, 500) for value in (0.13, 0.31)]
    told = [part.value for part in parts if part.value is not None]
    mean = guard.average(parts, [1, 3], 500).value
    assert mean == pytest.approx((told[0] + 3 * told[1]) / 4, abs=0.01)
    assert guard.average([*parts, guard.mean(0.5, 7)], [1, 1, 1], 500).value is None


def test_what_is_private_is_left_out_or_withheld_and_exact_in_the_private_report() -> None:
    def table(guard: Disclosure) -> dict[str, Any]:
        return guard.table(
            {
                "best": guard.private(3.21),
                "total": guard.withheld(12),
                "mean": guard.mean(0.123, 500),
                "few": guard.count(2),
                "all": guard.rows([guard.private(1), guard.public(2)]),
            }
        ).value

    assert table(Disclosure(5, 1)) == {"total": None, "mean": 0.12, "few": "<k", "all": [2]}
    assert table(PrivateDisclosure(5, 1)) == {"best": 3.21, "total": 12, "mean": 0.123, "few": 2, "all": [1, 2]}


def test_counts_in_a_sentence_pass_the_guard() -> None:
    text = "{rare} persons are rare, {many} are not."
    assert Disclosure(5, 1).sentence(text, rare=2, many=5000).value == "<k persons are rare, 5,000 are not."
    assert PrivateDisclosure(5).sentence(text, rare=2, many=5001).value == "2 persons are rare, 5,001 are not."


def report(guard: Disclosure, **parts: Any) -> Report:
    empty = dict.fromkeys(
        ("promise", "verified", "plan", "records", "groups", "support_rule", "loss"), guard.public({})
    )
    lists = dict.fromkeys(("watched", "columns", "warnings", "notes"), guard.public([]))
    return Report(verdict=guard.public("fine"), **empty | lists | parts)  # type: ignore[arg-type]


def test_a_report_with_a_total_and_all_of_its_parts_is_refused() -> None:
    guard = Disclosure(5, 1)
    total = guard.count(100, of="persons")
    some, others = guard.count(60, part="published", of="persons"), guard.count(40, part="left out", of="persons")
    with pytest.raises(ValueError, match="tells the total 'persons' beside all of its parts"):
        report(guard, records=guard.table({"all": total, "some": some}), groups=guard.table({"others": others}))
    with pytest.raises(ValueError, match="beside all of its parts"):
        report(guard, records=guard.rows([guard.table({"some": guard.public(60, "published", "persons")}), total]))
    report(guard, records=guard.table({"some": some}), groups=guard.table({"others": others}))
    withheld = guard.withheld(100, of="persons")
    assert report(guard, records=guard.table({"all": withheld, "some": some, "others": others}))


def test_nothing_else_makes_what_is_told_or_enters_a_report() -> None:
    guard = Disclosure(5)
    with pytest.raises(TypeError, match="must pass the guard"):
        Told(3, object())
    with pytest.raises(TypeError, match="must pass the guard"):
        guard.table({"persons": 3})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="must pass the guard"):
        guard.rows([guard.count(7), 3])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="must pass the guard"):
        guard.derived(lambda n: n, 3)  # type: ignore[arg-type]
    assert report(guard).as_data()["verdict"] == "fine"
    assert report(guard).as_data()["linkage"] is None
    with pytest.raises(TypeError, match="records has not passed the guard"):
        report(guard, records={"persons": 3})

"""The three questions of regulators: what is answered under each promise, and that a bad release is not called good."""

from typing import Any

import pytest

from taxonym.plan import Plan
from taxonym.report.questions import NO, PARTLY, YES, answers

WORDS = {"likes": {"role": "quasi-identifier", "taxonomy": "wordnet"}}
KEPT = {"k": 5, "holds": True, "smallest_class": 5, "classes_below_k": 0}
FOUND = {"dr_percent": 12.0, "records_above_1_over_k": 0, "dr_percent_without_masking": 100.0}
SHARED = {"column": "pay", "what": "values", "as_published": {"smallest_distinct_l": 1, "rows_in_them": 5}}
MIXED = {"column": "pay", "what": "values", "as_published": {"smallest_distinct_l": 3, "rows_in_them": 0}}


def asked(
    method: dict[str, Any], watched: list[Any] | None = None, support: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    plan = Plan.from_dict({"columns": WORDS, "method": method})
    promise = {"k": plan.method.k if method.get("name") != "noise" else None, "counts": "persons", **more}
    return answers(plan, promise, KEPT, FOUND, watched or [], support or {})


def test_every_answer_is_a_word_a_sentence_figures_and_limits() -> None:
    found = asked({"k": 5})
    assert list(found) == ["singling_out", "linking", "inference"]
    for one in found.values():
        assert list(one) == ["question", "answer", "says", "figures", "limits"]
        assert one["limits"]


def test_under_k_nobody_is_singled_out_or_linked_within_limits() -> None:
    found = asked({"k": 5})
    assert (found["singling_out"]["answer"], found["linking"]["answer"]) == (NO, NO)
    assert "at least 4 other persons" in found["singling_out"]["says"]
    assert "1 of 5 cases at best; tried on this release, he is right in 12 of 100" in found["linking"]["says"]
    assert found["singling_out"]["figures"]["smallest_class"] == 5


def test_a_middle_record_as_it_is_is_only_in_part_safe_from_singling_out() -> None:
    found = asked({"k": 5, "representative": "medoid"}, support={"representative": "medoid"})["singling_out"]
    assert found["answer"] == PARTLY
    assert "one member's" in found["limits"][0]


def test_where_a_class_shares_a_value_inference_is_possible_and_the_rows_are_told() -> None:
    found = asked({"k": 5}, [SHARED])["inference"]
    assert found["answer"] == YES
    assert "pay 5 rows" in found["says"]
    assert asked({"k": 5}, [MIXED])["inference"]["answer"] == PARTLY


def test_promised_diversity_answers_inference() -> None:
    plan = {"k": 5, "l": 2, "t": 0.3}
    found = answers(
        Plan.from_dict({"columns": WORDS | {"pay": {"role": "confidential"}}, "method": plan}),
        {"k": 5, "counts": "persons"}, KEPT, FOUND, [MIXED], {},
    )["inference"]  # fmt: skip
    assert found["answer"] == NO
    assert "Promised and kept: l = 2 and t = 0.3." in found["says"]


def test_noise_without_epsilon_answers_none_of_them_with_no() -> None:
    assert {one["answer"] for one in asked({"name": "noise"}).values()} == {YES}


def test_epsilon_bounds_all_three_and_says_how_far() -> None:
    found = asked({"name": "noise", "noise_mechanism": "exponential", "epsilon": 1.0}, epsilon=1.0)
    assert {one["answer"] for one in found.values()} == {PARTLY}
    assert all("2.72" in one["says"] for one in found.values())
    assert all(one["figures"] == {"epsilon": 1.0} for one in found.values())


def test_items_that_rise_alike_are_protected_up_to_as_many_as_are_known() -> None:
    plan = Plan.from_dict({"columns": WORDS, "method": {"name": "generalize", "recoding": "items", "k": 5}})
    found = answers(plan, {"k": 5, "counts": "persons"}, KEPT | {"known_items": 2}, FOUND, [], {})
    assert found["singling_out"]["answer"] == PARTLY
    assert "Not by up to 2 published items: at least 5 persons have them" in found["singling_out"]["says"]
    assert found["linking"]["answer"] == YES


@pytest.mark.parametrize("visitor", ["line", "address"])
def test_a_log_that_is_promised_by_line_hides_nobody(visitor: str) -> None:
    plan = Plan.from_dict({"accesslog": {"visitor": visitor}, "method": {"k": 5}})
    whom = "lines" if visitor == "line" else "visitors"
    found = answers(plan, {"k": 5, "counts": whom}, KEPT, FOUND, [], {})
    assert found["singling_out"]["answer"] == (YES if visitor == "line" else NO)
    assert found["linking"]["answer"] == (YES if visitor == "line" else NO)

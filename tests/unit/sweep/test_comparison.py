"""Which settings are good: the frontier, its knee, and the sentence that recommends one."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Comparison, Plan
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.render.page import asset
from taxonym.sweep.comparison import COLUMNS, efficient_among, knee
from taxonym.sweep.settings import Judges, Setting

POINTS = st.lists(st.tuples(st.integers(2, 5), st.integers(0, 4), st.integers(0, 4), st.integers(0, 1)), max_size=12)
PLAN = Plan.from_dict({"columns": {"a": {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}}})


@settings(max_examples=60)
@given(POINTS)
def test_a_setting_is_efficient_if_and_only_if_it_is_sound_and_none_that_promises_as_much_beats_it(
    points: list[tuple[int, int, int, int]],
) -> None:
    rows = [
        found(loss=loss, information=kept, records_above_1_over_k=above, k=k) | {"dr_percent": 7 * i % 5}
        for i, (k, loss, kept, above) in enumerate(points)
    ]

    def beats(a: dict[str, Any], b: dict[str, Any]) -> bool:
        as_good = a["k"] >= b["k"] and a["loss"] <= b["loss"] and a["information"] >= b["information"]
        return as_good and (a["k"] > b["k"] or a["loss"] < b["loss"] or a["information"] > b["information"])

    sound = [row for row in rows if not row["records_above_1_over_k"]]
    best = efficient_among(rows)
    for i, row in enumerate(rows):
        assert (i in best) == (row in sound and not any(beats(other, row) for other in sound))
    risks = [rows[i]["dr_percent"] for i in best]
    assert risks == sorted(risks, reverse=True)


def test_a_lower_risk_by_misleading_groups_makes_no_setting_efficient() -> None:
    rows = [found(k=5, loss=0.1, dr_percent=12), found(k=5, loss=0.4, dr_percent=1), found(k=3, loss=0.2, dr_percent=5)]
    assert efficient_among(rows) == [0]


def test_the_knee_is_where_both_shares_add_up_to_the_least() -> None:
    assert knee([(50, 0.08), (15, 0.14), (6, 0.20)]) == 1  # 9/44 + 6/12 is less than 1
    assert knee([(50, 0.0), (40, 0.9), (0, 1.0)]) == 2  # both ends cost 1: the lower risk
    assert knee([(3, 0.5)]) == 0


def found(**more: Any) -> dict[str, Any]:
    return {
        "promise": "k",
        "groups": 9,
        "smallest_class": 2,
        "loss": 0.2,
        "loss_by_another": 0.3,
        "loss_of_random_groups": 0.6,
        "dr_percent": 10.0,
        "dr_percent_by_another": 9.0,
        "max_p": 0.5,
        "records_above_1_over_k": 0,
        "left_out_persons": 0,
    } | more


def compared(*some: dict[str, Any], max_risk: float | None = None) -> Comparison:
    ks = (2, 3, 5, 10)
    settings = [Setting("mdav", "min-sum", "jaccard", ks[i]) for i in range(len(some))]
    judges = Judges.of(PLAN, settings)
    return Comparison.of(PLAN, judges, dict(zip(settings, some, strict=True)), max_risk)


def test_a_setting_is_recommended_with_its_reason_and_its_plan() -> None:
    made = compared(
        found(loss=0.08, dr_percent=50), found(loss=0.14, dr_percent=15), found(loss=0.2, dr_percent=16),
        found(loss=0.20, dr_percent=6),
    )  # fmt: skip
    assert made.recommendation == Setting("mdav", "min-sum", "jaccard", 3)
    assert made.reason == (
        "Take mdav, min-sum over jaccard, k = 3: it loses least at this k, and from here on more protection begins to "
        "cost more than it brings (loss 0.140, risk 15.0 %); mdav, min-sum over jaccard, k = 10 would lose 0.060 more "
        "for 9.0 points less risk."
    )
    assert (made.plan().method.name, made.plan().method.k) == ("mdav", 3)
    assert [made.plan(n).method.k for n in (1, 2, 3, 4)] == [2, 3, 5, 10]
    for wrong in (0, 5, True, "1"):
        with pytest.raises(BadPlan, match="numbered from 1 to 4"):
            made.plan(wrong)  # type: ignore[arg-type]
    assert made.frontier["k"].to_list() == [2, 3, 10]
    assert made.table.columns == list(COLUMNS)


def test_rows_over_different_taxonomies_do_not_compare_and_the_reason_says_so() -> None:
    same = [found(taxonomies="a: wordnet"), found(taxonomies="a: wordnet", loss=0.3, dr_percent=5)]
    assert "taxonomies" not in compared(*same).reason
    other = compared(same[0], found(taxonomies="a: groceries", loss=0.1, dr_percent=5)).reason
    assert other.endswith(
        "Some rows are over different taxonomies (a: groceries | a: wordnet): their losses and the information that "
        "they keep do not compare."
    )


def test_at_one_k_the_least_loss_wins_though_an_intruder_is_misled_more_often_by_another() -> None:
    settings = [Setting(method, "min-sum", "jaccard", k) for method in ("mdav", "refined") for k in (2, 5)]
    some = [found(loss=0.1, dr_percent=40), found(loss=0.2, dr_percent=9), found(loss=0.09, dr_percent=42)]
    some.append(found(loss=0.15, dr_percent=12, loss_by_another=0.31))
    made = Comparison.of(PLAN, Judges.of(PLAN, settings), dict(zip(settings, some, strict=True)))
    assert made.frontier["k"].to_list() == [2, 5]
    assert made.recommendation == Setting("refined", "min-sum", "jaccard", 5)
    assert "(loss 0.150, risk 12.0 %; by lin second of 2 at this k)" in made.reason


def test_with_a_risk_that_is_allowed_the_least_loss_below_it_is_recommended() -> None:
    some = found(loss=0.08, dr_percent=50), found(loss=0.14, dr_percent=15), found(loss=0.2, dr_percent=6)
    assert compared(*some, max_risk=60).recommendation == Setting("mdav", "min-sum", "jaccard", 2)
    assert compared(*some, max_risk=10).recommendation == Setting("mdav", "min-sum", "jaccard", 5)
    none = compared(*some, max_risk=5)
    assert none.recommendation is None
    assert none.reason.startswith("No setting is recommended: the least risk is 6.0 %, above the 5 % allowed")
    with pytest.raises(BrokenPromise, match="No setting"):
        none.plan()


def test_a_setting_in_which_somebody_is_found_too_often_is_never_recommended() -> None:
    made = compared(found(loss=0.1, records_above_1_over_k="<k"), found(loss=0.3, dr_percent=9))
    assert made.recommendation == Setting("mdav", "min-sum", "jaccard", 3)
    assert compared(found(records_above_1_over_k=12)).recommendation is None


def test_where_all_are_refused_nothing_is_recommended_and_everything_still_shows_itself() -> None:
    made = compared({"refused": "has 1 persons"})
    assert made.recommendation is None
    assert "none of them can keep its promise" in made.reason
    assert made.table["refused"].to_list() == ["has 1 persons"]
    assert "has 1 persons" in made.html()
    assert made.picture().startswith("<svg")
    assert made.chart()["data"] == {"values": []}


def test_it_shows_itself_in_a_notebook_and_as_data_for_a_chart() -> None:
    made = compared(found(loss=0.08, dr_percent=50), found(loss=0.14, dr_percent=15), found(loss=0.3, dr_percent=16))
    shown = made._repr_html_()
    assert made.reason in shown
    assert "<svg" in shown
    assert "<script" not in shown
    assert [shown.count(f"<bdi>{mark}</bdi>") for mark in ("recommended", "efficient")] == [1, 2]
    values = made.chart()["data"]["values"]
    assert [(v["k"], v["efficient"], v["recommended"]) for v in values] == [
        (2, True, False),
        (3, True, True),
        (5, True, False),
    ]
    assert made.chart()._repr_mimebundle_()["text/plain"] == f"<Chart Risk and loss of every setting: {made.reason}>"
    assert "3 settings" in repr(made)


def test_a_page_needs_no_other_file_and_escapes_what_it_shows() -> None:
    page = compared(found(), {"refused": "<b>no & never"}).html()
    assert "&lt;b&gt;no &amp; never" in page
    own = page.replace(asset("charts.js"), "").replace(asset("page.js"), "").replace("http://www.w3.org/2000/svg", "")
    assert "http:" not in own
    assert "https:" not in own
    assert "src=" not in own


def test_where_settings_are_many_shapes_are_for_methods_and_inks_for_distances() -> None:
    settings = [
        Setting(method, aggregate, measure, 2)
        for method in ("mdav", "refined") for aggregate in ("min-sum", "avg") for measure in ("jaccard", "path")
    ]  # fmt: skip
    made = Comparison.of(PLAN, Judges.of(PLAN, settings), {setting: found() for setting in settings})
    drawn = made.picture()
    assert [drawn.count(f">{name}</text>") for name in ("mdav", "refined", "avg over path")] == [1, 1, 1]
    assert ">mdav, avg over path</text>" not in drawn

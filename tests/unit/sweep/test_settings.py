"""What a sweep tries, and who judges."""

import pytest

from taxonym import Plan
from taxonym.errors import BadPlan
from taxonym.sweep.run import compare
from taxonym.sweep.settings import Judges, Setting, settings_of

SET = {"likes": {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}}


def plan(columns: dict[str, dict[str, str]] = SET, **method: object) -> Plan:
    return Plan.from_dict({"columns": columns, "method": method})


def test_unless_told_all_methods_are_tried_with_the_distance_of_the_plan() -> None:
    found = settings_of(plan(measure="path"), [3, 2, 3]).every
    assert {s.k for s in found} == {2, 3}
    assert {s.method for s in found} >= {"refined", "mdav", "adaptive-mdav", "generalize"}
    assert {s.measure for s in found if s.method == "mdav"} == {"path"}
    assert len(found) == len(set(found))


def test_generalisation_looks_at_no_distance_so_it_is_tried_once_for_each_k() -> None:
    found = settings_of(plan(), [2, 5], ["generalise", "mdav"], ["min-sum", "avg"], ["jaccard", "lin"]).every
    assert [s for s in found if s.method == "generalize"] == [
        Setting("generalize", None, None, 2),
        Setting("generalize", None, None, 5),
    ]
    assert sum(s.method == "mdav" for s in found) == 8


def test_numbers_cannot_be_generalised_so_that_is_not_tried_unless_it_is_asked_for() -> None:
    columns = SET | {"age": {"role": "quasi-identifier", "kind": "number"}}
    assert "generalize" not in {s.method for s in settings_of(plan(columns)).every}
    with pytest.raises(BadPlan, match="cannot be generalised"):
        settings_of(plan(columns), methods=["generalize"])


def test_what_the_columns_do_not_allow_is_refused_with_the_reason_and_the_rest_is_tried() -> None:
    columns = SET | {"age": {"role": "quasi-identifier", "kind": "number"}}
    found = settings_of(plan(columns), [3], ["generalize", "mdav", "noise"])
    assert [s.method for s in found.tried] == ["mdav"]
    assert ["cannot be generalised" in why or "promises no k" in why for why in found.refused.values()] == [True, True]


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"ks": [1]}, "method.k: must be at least 2"),
        ({"ks": []}, "at least one k"),
        ({"methods": ["magic"]}, "method.name"),
        ({"aggregates": ["magic"]}, "method.aggregate"),
        ({"measures": ["magic"]}, "method.measure"),
    ],
)
def test_a_mistake_is_told_before_anything_is_tried(wrong: dict[str, list[int]], match: str) -> None:
    with pytest.raises(BadPlan, match=match):
        settings_of(plan(), **wrong)  # type: ignore[arg-type]


def test_attributes_that_are_matched_are_compared_by_the_measure_that_belongs_to_them() -> None:
    found = settings_of(plan(), [2], ["mdav"], ["matching", "min-sum"]).every
    assert {s.aggregate: s.measure for s in found} == {"matching": "log", "min-sum": "jaccard"}


def test_the_second_judge_guided_no_setting() -> None:
    for measures, judge in ((["jaccard"], "lin"), (["lin", "wu-palmer"], "jiang-conrath")):
        settings = settings_of(plan(), measures=measures).every
        judges = Judges.of(plan(), settings)
        assert (judges.common.measure, judges.another.measure) == ("jaccard", judge)
        assert judges.common.aggregate == judges.another.aggregate == "min-sum"


def test_a_sweep_over_all_measures_leaves_no_judge_and_is_refused() -> None:
    settings = settings_of(plan(), measures=["lin", "wu-palmer", "jiang-conrath", "path", "log", "jaccard"]).every
    with pytest.raises(BadPlan, match="needed as a judge"):
        Judges.of(plan(), settings)


def test_a_plan_of_noise_has_no_k_to_compare_and_is_told_so() -> None:
    noisy = plan(name="noise", noise_mechanism="exponential", epsilon=1.0)
    with pytest.raises(BadPlan, match="compare: this plan masks by 'noise', which promises no k"):
        settings_of(noisy, [5])


@pytest.mark.parametrize("risk", [-1.0, 100.5, float("nan")])
def test_a_risk_that_is_no_percentage_is_refused(risk: float) -> None:
    with pytest.raises(BadPlan, match="max_risk: must be a percentage"):
        compare([], plan(), max_risk=risk)

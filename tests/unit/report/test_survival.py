"""What a report says of what survives: figures on the grid, the sentence of the verdict, and warnings."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import taxonym
from taxonym.cli import main
from taxonym.measure.survival import FORMS, SurvivalSums
from taxonym.methods.survival import ColumnSurvival, random_groups
from taxonym.plan import Plan
from taxonym.render.page import page
from taxonym.report.disclosure import Disclosure, PrivateDisclosure
from taxonym.report.figures import STEPS, away, with_left_out
from taxonym.report.schema import report_schema
from taxonym.report.sentences import verdict
from taxonym.report.survival import (
    MOST_LEFT_OUT,
    MOST_UNMAPPED,
    MOST_UNPUBLISHED,
    limits_passed,
    survival_told,
    survived,
)

# ---------------------------------------------------------------------- golden sentences


def column(
    name: str,
    information: float,
    forms: tuple[float, ...],
    random: float | None = 0.12,
    unmapped: float = 0.0,
    true: float = 100,
) -> ColumnSurvival:
    """A column of 10,000 persons with these figures: information, and of 100 said those in the first four forms."""
    n = 10_000.0

    def sums(information: float, forms: tuple[float, ...]) -> SurvivalSums:
        shares = dict(zip(FORMS, (n * share / 100 for share in forms), strict=False))
        return SurvivalSums(
            records=n,
            informed=n,
            telling=n,
            true=n * true / 100,
            information=n * information,
            unmapped=n * unmapped / 100,
            **shares,
        )

    by_chance = None if random is None else sums(random, (5, 5, 5, 5))
    return ColumnSurvival(name, "things", 1.0, sums(information, forms), by_chance)


def said(*columns: ColumnSurvival, left_out: int = 0) -> str:
    """The verdict of a release of these columns at k = 5."""
    names = {one.name: {"role": "quasi-identifier", "kind": "set"} for one in columns}
    plan = Plan.from_dict({"input": {"person": "who"}, "columns": names, "method": {"k": 5}})
    told = survival_told(Disclosure(5, seed=1), columns, 10_000)
    assert told is not None
    whys = {"no concept": "<k", "no concept that enough persons share": left_out or "<k"}
    records = {"published_persons": 10_000, "suppressed_persons": whys}
    loss = {"mean": with_left_out(0.2, records), "mean_to_a_random_record": 0.7}
    return verdict(plan, loss, {"smallest_class": 5}, None, told.value, limits_passed(told.value, records))


KEPT = (
    "Every published record is identical to those of at least 4 other persons; an intruder who knows everything about "
    "a person finds the right record in 1 of 5 cases at best; on average it is {away} away in meaning from the "
    "original, where a random record would be 0.70 and an exact copy 0. "
)


def test_the_verdict_of_a_good_release() -> None:
    assert said(column("queries", 0.84, (61, 22, 9, 5), true=93)) == KEPT.format(away="0.20") + (
        "Of 100 things said, 61 are published as they are, 22 one step more general, 9 more generally, 5 merged, 3 not "
        "at all, and of 100 published 93 are true (information kept 0.84; a random grouping keeps 0.12)."
    )


def test_the_verdict_of_a_release_with_85_percent_suppressed() -> None:
    found = said(column("queries", 0.13, (10, 3, 1, 1)), left_out=56_667)
    assert found == KEPT.format(away="0.88") + (
        "Of 100 things said, 10 are published as they are, 3 one step more general, 1 more generally, 1 merged, 85 not "
        "at all, and of 100 published 100 are true (information kept 0.13; a random grouping keeps 0.12). Warning: 85 "
        "of 100 persons are left out by protection (limit 10); 85 of 100 things said in column queries are lost by "
        "protection (limit 25)."
    )


def test_the_verdict_of_a_release_that_is_no_better_than_random() -> None:
    found = said(column("queries", 0.12, (5, 5, 65, 5)))
    assert found == KEPT.format(away="0.20") + (
        "Of 100 things said, 5 are published as they are, 5 one step more general, 65 more generally, 5 merged, 20 not "
        "at all, and of 100 published 100 are true (information kept 0.12; a random grouping keeps 0.12). Warning: "
        "Column queries keeps no more information than a random grouping (0.12, at random 0.12)."
    )


def test_the_verdict_of_several_columns_names_the_worst() -> None:
    found = said(column("sex", 0.98, (98, 0, 0, 0)), column("diagnoses", 0.48, (30, 20, 10, 10), unmapped=28))
    assert found == KEPT.format(away="0.20") + (
        "Of 100 things said, 64 are published as they are, 10 one step more general, 5 more generally, 5 merged, 16 "
        "not at all, and of 100 published 100 are true (information kept 0.73; a random grouping keeps 0.12); worst "
        "column: diagnoses (0.48). Warning: 28 of 100 things said in column diagnoses are lost by mapping (limit 25)."
    )


def test_too_few_persons_are_not_told_of() -> None:
    told = survival_told(Disclosure(5, seed=1), [column("queries", 0.84, (61, 22, 9, 5))], 49)
    assert told is not None
    assert told.value["information"] is None
    assert {told.value[form] for form in FORMS} == {None}
    assert survived(told.value) == ""
    assert limits_passed(told.value, {}) == []


def test_a_limit_that_is_reached_is_not_passed() -> None:
    at = column("a", 0.5, (50 - MOST_UNMAPPED + MOST_UNPUBLISHED, 0, 0, 0), unmapped=MOST_UNMAPPED)
    told = survival_told(PrivateDisclosure(5), [at], 10_000)
    assert told is not None
    assert limits_passed(told.value, {}) == []
    enough = {"published_persons": 900, "suppressed_persons": {"no concept that enough persons share": 100}}
    assert MOST_LEFT_OUT == 100 * 100 / 1000
    assert limits_passed(None, enough) == []
    assert len(limits_passed(None, enough | {"published_persons": 800})) == 1


def test_where_all_say_the_same_chance_does_as_well_and_nobody_is_warned() -> None:
    assert "Warning" not in said(column("sex", 0.95, (95, 0, 0, 0), random=0.95))
    assert "no more information than a random" in said(column("sex", 0.85, (85, 0, 0, 0), random=0.85))


def test_the_same_long_record_for_everybody_is_no_better_than_random_although_it_keeps_everything() -> None:
    found = said(column("queries", 1.0, (100, 0, 0, 0), random=1.0, true=4))
    assert "Warning: Column queries keeps no more information than a random grouping (1.00, at random 1.00)" in found


def test_a_mean_loss_that_is_mostly_of_persons_left_out_is_told_although_few_are_published() -> None:
    loss = {"mean": 0.855, "mean_of_published": 0.0, "mean_to_a_random_record": None, "told_in_steps_of": {"mean": 0.2}}
    assert away(loss | {"mean": 0.86}).startswith("on average it is 0.86 away from the original")
    assert "too few persons to tell" in away(loss | {"mean": 0.0})


def test_a_loss_that_is_rounded_to_nothing_is_not_said_to_be_nothing() -> None:
    rounded = {"mean": 0.0, "mean_of_published": 0.0, "mean_to_a_random_record": 0.6}
    coarse, exact = ({STEPS: dict.fromkeys(rounded, step)} for step in (0.1, 0.0))
    assert away(rounded | coarse).startswith("on average it is less than 0.1 away from the original")
    assert away(rounded | exact).startswith("on average it is 0.00 away from the original")


# ---------------------------------------------------------------------- on the grid


shares = st.lists(st.floats(0, 1), min_size=5, max_size=5).filter(lambda some: sum(some) > 0)


def test_of_rather_few_persons_only_information_is_told() -> None:
    told = survival_told(Disclosure(5, seed=1), [column("queries", 0.84, (61, 22, 9, 5), random=0.2)], 199)
    assert told is not None
    assert {told.value[form] for form in FORMS} == {None}
    assert survived(told.value) == (
        "What survives of what was said: information kept 0.80."  # at random would be told in steps of 0.2
    )


@given(shares, st.integers(200, 5_000), st.integers(0, 2**31))
def test_what_is_told_of_100_things_said_adds_up_to_100(some: list[float], n: int, seed: int) -> None:
    forms = tuple(100 * one / sum(some) for one in some)[:4]
    told = survival_told(Disclosure(5, seed=seed), [column("a", 0.5, forms), column("b", 0.2, forms[::-1])], n)
    assert told is not None
    for one in (told.value, *told.value["columns"].values(), *(c["random"] for c in told.value["columns"].values())):
        assert sum(one[form] for form in FORMS) == pytest.approx(100)
        assert min(one[form] for form in FORMS) >= 0


def test_a_private_report_tells_exact_figures_and_those_over_all_that_was_said() -> None:
    told = survival_told(PrivateDisclosure(5), [column("a", 0.123456, (61.25, 22.5, 9, 5))], 10)
    assert told is not None
    assert told.value["information"] == pytest.approx(0.123456)
    assert told.value["kept"] == pytest.approx(61.25)
    assert {"information", "lost"} <= told.value["columns"]["a"]["of_everything_said"].keys()


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_leaving_more_persons_out_never_lowers_the_headline_loss(rows: list[tuple[float, bool]]) -> None:
    def headline(published: list[float], left: int) -> float:
        mean = float(np.mean(published)) if published else 0.0
        records = {"published_persons": len(published), "suppressed_persons": {"why": left}}
        found = with_left_out(mean, records)
        assert found is not None
        return found

    some = [far for far, out in rows if not out]
    assert headline(some, len(rows) - len(some)) >= headline([far for far, _ in rows], 0) - 1e-9


def test_random_groups_have_the_sizes_of_others_and_stay_in_their_blocks() -> None:
    groups, block = [[0, 1, 2], [3, 4], [5, 6]], np.array([0, 0, 0, 0, 0, 1, 1, 1])
    for seed in range(20):
        found = random_groups(groups, block, np.random.default_rng(seed))
        assert [len(group) for group in found] == [3, 2, 2]
        assert [set(block[group].tolist()) for group in found] == [{0}, {0}, {1}]
        assert len({unit for group in found for unit in group}) == 7
        assert 7 not in {unit for group in found for unit in group}  # it is in no group


# ---------------------------------------------------------------------- whole runs

EDGES = [("apple", "fruit"), ("pear", "fruit"), ("fruit", "food"), ("bread", "food"), ("saw", "tool"),
         ("food", "thing"), ("tool", "thing")]  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("tree.csv").write_text("child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in EDGES))
    return tmp_path


def plan_of(**method: Any) -> dict[str, Any]:
    column = {"role": "quasi-identifier", "kind": "nominal", "taxonomy": "tree.csv"}
    return {"columns": {"has": column}, "method": {"k": 5, "seed": 3, **method}}


def test_a_release_of_what_everybody_shares_keeps_all_of_it(here: Path) -> None:
    frame = pl.DataFrame({"has": ["apple", "bread", "saw"] * 40})
    found = taxonym.anonymize(frame, plan_of(), baselines=False).private_report()["survival"]
    assert found["information"] == 1
    assert (found["kept"], found["lost"], found["true"]) == (100, 0, 100)
    assert found["random"]["information"] < 0.8
    assert found["columns"]["has"]["frequencies"]["total_variation"] == 0


def test_words_that_nobody_knows_are_lost_by_mapping_and_their_persons_count(here: Path) -> None:
    frame = pl.DataFrame({"has": ["apple"] * 600 + ["gibberish"] * 400})
    release = taxonym.anonymize(frame, plan_of(), baselines=False)
    found = release.private_report()["survival"]
    assert (found["information"], found["kept"], found["unmapped"]) == pytest.approx((0.6, 60, 40))
    assert len(release.report["warnings"]) == 1
    assert "40 of 100 things said in column has are lost by mapping (limit 25)" in release.report["verdict"]
    assert release.private_report()["loss"]["mean"] == pytest.approx(0.4)  # who is left out lost everything
    assert release.private_report()["loss"]["mean_of_published"] == 0


def test_a_release_of_few_persons_of_many_looks_bad(here: Path) -> None:
    """1,070 of 1,259 persons suppressed were told as 0.13 away."""
    edges = "".join(f"v{i},root\n" for i in range(850)) + "x,root\n"
    Path("tree.csv").write_text("child,parent\n" + edges)
    frame = pl.DataFrame({"has": [f"v{i}" for i in range(850)] + ["x"] * 150})
    settings = plan_of() | {"columns": {"has": plan_of()["columns"]["has"] | {"kind": "set"}}}
    release = taxonym.anonymize(frame, settings, baselines=False)
    exact = release.private_report()
    assert exact["survival"]["information"] == pytest.approx(0.15)
    assert exact["loss"]["mean"] > 0.8
    assert any("of 100 persons are left out by protection (limit 10)" in one for one in release.report["warnings"])


def test_values_that_all_rise_to_nearly_the_root_are_no_better_than_random(here: Path) -> None:
    edges = "".join(f"v{i},all\n" for i in range(200)) + "all,root\nnone,root\n"
    Path("tree.csv").write_text("child,parent\n" + edges)
    frame = pl.DataFrame({"has": [f"v{i}" for i in range(200)]})
    release = taxonym.anonymize(frame, plan_of(name="generalize"), baselines=False)
    assert release.report["survival"]["information"] <= 0.05
    assert release.report["survival"]["true"] == 100
    assert any("no more information than a random grouping" in one for one in release.report["warnings"])


def test_a_strict_run_above_a_limit_ends_with_1_and_writes_nothing(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("in.csv").write_text("has\n" + "apple\n" * 60 + "gibberish\n" * 40)
    Path("plan.toml").write_text(taxonym.Plan.from_dict(plan_of()).to_toml())
    assert main(["anonymize", "in.csv", "--plan", "plan.toml", "-o", "out.csv", "--strict"]) == 1
    assert "warning: 40 of 100 persons are left out by mapping (limit 25): no concept." in capsys.readouterr().err
    assert not Path("out.csv").exists()
    assert main(["anonymize", "in.csv", "--plan", "plan.toml", "-o", "out.csv"]) == 0
    assert "warning" in capsys.readouterr().err


def test_rows_that_are_cut_are_lost(here: Path) -> None:
    """Where persons keep several rows, nobody owns more than 1/k of a class."""
    rows = [("a", "apple")] * 10 + [(f"p{i}", "apple") for i in range(9)]
    frame = pl.DataFrame(rows, schema=["who", "has"], orient="row")
    settings = plan_of() | {"input": {"person": "who", "person_rows": "keep"}}
    settings["columns"]["who"] = {"role": "identifier"}
    exact = taxonym.anonymize(frame, settings, baselines=False).private_report()
    assert exact["records"]["surplus_rows"] == 9
    assert exact["survival"]["information"] == pytest.approx((9 + 0.1) / 10)


def test_all_shapes_and_methods_say_what_survives_or_nothing(here: Path) -> None:
    dice = random.Random(1)
    frame = pl.DataFrame({"has": [dice.choice(["apple", "pear", "bread", "saw"]) for _ in range(100)]})
    noise = {"columns": plan_of()["columns"], "method": {"name": "noise", "alpha": 0.5, "seed": 1}}
    found = taxonym.anonymize(frame, noise).report["survival"]
    assert 0 < found["information"] <= 1
    assert found["random"] is None
    private = noise | {"method": {"name": "noise", "noise_mechanism": "exponential", "epsilon": 2.0, "seed": 1}}
    assert taxonym.anonymize(frame, private).report["survival"] is None
    ages = {"columns": {"age": {"role": "quasi-identifier", "kind": "number"}}, "method": {"k": 5}}
    assert taxonym.anonymize(pl.DataFrame({"age": list(range(100))}), ages).report["survival"] is None


def test_the_page_shows_a_bar_for_every_column_and_the_report_fits_its_schema(here: Path) -> None:
    frame = pl.DataFrame({"has": ["apple", "bread", "saw"] * 100})
    report = taxonym.anonymize(frame, plan_of(), baselines=False).report
    assert not list(Draft202012Validator(report_schema()).iter_errors(json.loads(json.dumps(report))))
    shown = page(json.loads(json.dumps(report)))
    assert "What survives" in shown
    assert 'aria-label="as they are 100 %' in shown

"""A sweep gives what single runs give, keeps what is finished, and mixes in nothing stale."""

import csv
import hashlib
import json
import stat
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym.errors import BadInput, BadPlan
from taxonym.plan import with_settings
from taxonym.run.attack import risk_of_release
from taxonym.shapes.table.read import prepare
from taxonym.shapes.table.release_pair import TableReleasePair
from taxonym.shapes.table.reread import Trail
from taxonym.sweep import run
from taxonym.sweep.cell import tried

FILES = ("comparison.csv", "comparison.json", "comparison.html", "risk-loss.svg")


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The settings that are really tried."""
    seen: list[str] = []

    def counted(records: Any, source: Any, plan: Any, *more: Any) -> Any:
        seen.append(f"{plan.method.name} {plan.method.k}")
        return tried(records, source, plan, *more)

    monkeypatch.setattr(run, "tried", counted)
    return seen


def sweep(out: str | None = "out", **more: Any) -> taxonym.Comparison:
    given = {"k": [2, 5], "method": ["refined", "generalize"], "seed": 7} | more
    return taxonym.compare("in.csv", "plan.toml", out=out, **given)


@pytest.mark.parametrize("method", ["refined", "mdav", "generalize"])
def test_the_figures_of_a_setting_are_those_of_a_release_by_it(here: Path, method: str) -> None:
    row = sweep(None, k=[4], method=[method]).rows[0]
    plan = taxonym.read_plan("plan.toml")
    plan = replace(plan, method=with_settings(plan.method, name=method, k=4, seed=7))
    release = taxonym.anonymize("in.csv", plan, baselines=False)
    release.write("release.csv")
    release.write_trail("trail.jsonl")
    units, trail = prepare("in.csv", plan), Trail("trail.jsonl")
    compared = TableReleasePair.of_table("release.csv", plan, units, trail)
    attacked = risk_of_release(compared, np.random.default_rng(1))["semantic_linkage"]
    loss = release.private_report()["loss"]
    assert row["loss"] == pytest.approx(loss["mean"], abs=6e-5)
    assert row["loss_by_another"] == pytest.approx(loss["judged_by_another_distance"]["mean"], abs=6e-5)
    survival = release.private_report()["survival"]
    assert row["information"] == pytest.approx(survival["information"], abs=6e-5)
    assert row["information_at_random"] == pytest.approx(survival["random"]["information"], abs=0.1)
    assert row["dr_percent"] == pytest.approx(attacked["dr_percent"], abs=6e-3)
    assert row["max_p"] == pytest.approx(attacked["max_p"], abs=6e-5)
    assert row["records_above_1_over_k"] == attacked["records_above_1_over_k"] == 0
    assert row["smallest_class"] == release.report["verified"]["smallest_class"] >= 4
    assert row["groups"] == release.private_report()["groups"]["of_groups"]["count"]


def test_finished_settings_are_kept_and_new_ones_added(here: Path, computed: list[str]) -> None:
    sweep()
    assert sorted(computed) == ["generalize 2", "generalize 5", "refined 2", "refined 5"]
    first = {name: (here / "out" / name).read_bytes() for name in FILES}
    computed.clear()
    sweep(seed=None)  # the seed is kept, too
    assert computed == []
    assert {name: (here / "out" / name).read_bytes() for name in FILES} == first
    assert len(sweep(k=[2, 3, 5]).rows) == 6
    assert sorted(computed) == ["generalize 3", "refined 3"]


@pytest.mark.parametrize("change", ["input", "plan", "taxonomy", "seed", "sample", "measure", "cell", "key"])
def test_a_setting_computed_from_something_else_is_computed_again(here: Path, computed: list[str], change: str) -> None:
    sweep(k=[2], method=["refined"])
    computed.clear()
    more: dict[str, Any] = {}
    plan = here / "plan.toml"
    if change == "input":
        (here / "in.csv").write_text((here / "in.csv").read_text().replace("Kowalska0,", "Kowalska99,"))
    elif change == "plan":
        plan.write_text(plan.read_text() + "known_items = 1\n")
    elif change == "taxonomy":
        (here / "tree.csv").write_text((here / "tree.csv").read_text() + "polo,sports\n")
    elif change == "cell":
        (here / "out" / "cells" / "refined_min-sum_jaccard_k2.json").write_text('{"mark"')
    elif change == "key":
        (here / "out" / "private.json").unlink()
    else:
        more = {"seed": {"seed": 8}, "sample": {"sample": 20}, "measure": {"measure": ["jaccard", "lin"]}}[change]
    sweep(**{"k": [2], "method": ["refined"]} | more)
    assert computed[:1] == ["refined 2"]  # with lin as a measure another judge is needed, so all are judged anew


def test_what_a_sweep_writes_has_no_persons_value_and_confirms_no_guess(here: Path) -> None:
    sweep()
    private = here / "out" / "private.json"
    written = [path for path in (here / "out").rglob("*") if path.is_file()]
    assert len(written) > 5
    assert {stat.S_IMODE(path.stat().st_mode) for path in written} == {0o600}  # figures are exact
    assert "PRIVATE: not for publication" in (here / "out" / "comparison.json").read_text()
    kept = json.loads(private.read_text())
    assert kept["seed"] == 7
    digest = hashlib.sha256((here / "in.csv").read_bytes()).hexdigest()
    for path in (here / "out").rglob("*"):
        if path.is_file() and path != private:
            text = path.read_text()
            assert not [word for word in ("Kowalska", "swimming", "chess", digest, kept["key"]) if word in text], path
    # the same sweep in another folder has another key, so its marks tell nothing about this one
    sweep("elsewhere")
    cells = [json.loads((here / d / "cells" / "generalize_k2.json").read_text()) for d in ("out", "elsewhere")]
    assert cells[0]["figures"] == cells[1]["figures"]
    assert cells[0]["mark"] != cells[1]["mark"]


def test_the_table_is_the_same_in_csv_and_json(here: Path) -> None:
    made = sweep()
    told = json.loads((here / "out" / "comparison.json").read_text())
    lines = list(csv.DictReader((here / "out" / "comparison.csv").read_text().splitlines()))
    assert [float(line["loss"]) for line in lines] == [row["loss"] for row in told["settings"]]
    assert told["reason"] == made.reason
    assert told["judges"]["another"] == {"aggregate": "min-sum", "measure": "lin"}


def test_a_table_in_memory_is_compared_as_a_file_is(here: Path) -> None:
    frame = pl.read_csv("in.csv", infer_schema_length=0)
    one = taxonym.compare(frame, "plan.toml", k=[3], method=["mdav"], seed=7)
    assert one.rows == sweep(None, k=[3], method=["mdav"]).rows


def test_a_k_that_too_few_persons_reach_is_refused_and_the_others_are_not(here: Path) -> None:
    frame = pl.read_csv("in.csv", infer_schema_length=0)
    assert taxonym.compare(frame, "plan.toml", k=[64], method=["mdav"]).rows[0]["refused"].startswith("has 63 persons")
    made = sweep(k=[3, 64], method=["mdav"])
    assert made.rows[1]["refused"].startswith("has 63 persons, fewer than k = 64")
    assert made.rows[0]["refused"] is None
    assert made.recommendation is not None


def test_of_many_persons_a_sample_is_linked_the_same_for_all_settings(here: Path) -> None:
    whole, some = sweep(None, k=[3]), sweep(None, k=[3], sample=30)
    assert [row["loss"] for row in some.rows] == [row["loss"] for row in whole.rows]
    for row, exact in zip(some.rows, whole.rows, strict=True):
        low, high = row["dr_percent_interval_95"]
        assert low <= row["dr_percent"] <= high
        assert exact["dr_percent_interval_95"] is None


def test_groups_by_lot_stand_beside_and_are_the_same_for_all_settings_of_one_k(here: Path) -> None:
    rows = sweep(None, k=[3, 6]).rows
    lots = {row["k"]: {other["loss_of_random_groups"] for other in rows if other["k"] == row["k"]} for row in rows}
    assert [len(lots[k]) for k in (3, 6)] == [1, 1]
    assert all(row["loss"] < row["loss_of_random_groups"] < 1 for row in rows)


def test_who_is_left_out_has_lost_all(here: Path) -> None:
    """Seven persons at a site of their own are too few at k = 8, so each of them counts as 1."""
    lines = (here / "in.csv").read_text().splitlines()
    sites = ["site", *("north" if i % 9 else "south" for i in range(63))]
    (here / "in.csv").write_text("".join(f"{line},{site}\n" for line, site in zip(lines, sites, strict=True)))
    plan = here / "plan.toml"
    plan.write_text(plan.read_text() + '[columns.site]\nrole = "other"\n')
    row = sweep(None, k=[8], method=["mdav"]).rows[0]
    assert row["left_out_persons"] == 7
    made = taxonym.read_plan(plan)
    made = replace(made, method=replace(made.method, name="mdav", k=8, seed=7))
    published = taxonym.anonymize("in.csv", made, baselines=False).private_report()["loss"]
    assert row["loss"] == pytest.approx((56 * published["mean_of_published"] + 7) / 63, abs=6e-5)
    assert row["loss"] == pytest.approx(published["mean"], abs=6e-5)
    assert 0 < row["information"] <= 56 / 63


def test_a_process_that_is_ended_from_outside_is_told_in_a_line(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Ended:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

        def submit(self, *_: Any) -> Any:
            raise BrokenProcessPool("a child process terminated abruptly")

        def shutdown(self, cancel_futures: bool) -> None:
            assert cancel_futures

    monkeypatch.setattr(run, "ProcessPoolExecutor", Ended)
    with pytest.raises(BadInput, match="finished settings are kept"):
        sweep(workers=2)


def test_the_seed_of_the_plan_counts_unless_another_is_given(here: Path) -> None:
    plan = here / "plan.toml"
    plan.write_text(plan.read_text() + "seed = 11\n")
    sweep(k=[2], method=["mdav"], seed=None)
    assert json.loads((here / "out" / "private.json").read_text())["seed"] == 11


def test_bad_numbers_are_named(here: Path) -> None:
    for wrong in ({"sample": 0}, {"workers": 0}):
        with pytest.raises(BadPlan, match=f"{next(iter(wrong))}: must be at least 1"):
            sweep(None, **wrong)
    with pytest.raises(BadInput, match="no-such.csv"):
        taxonym.compare("no-such.csv", "plan.toml", out="out")
    (here / "taken").write_text("")
    with pytest.raises(BadInput, match="cannot be made"):
        sweep("taken")

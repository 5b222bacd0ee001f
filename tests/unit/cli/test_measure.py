"""taxonym loss: what a written release lost."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.common import PLANNED, run


def test_loss_by_the_trail_is_that_of_the_report(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    run(capsys, "anonymize", *PLANNED, "--trail", "trail", "--private-report", "private.json")
    private = json.loads((made / "private.json").read_text())
    report = private["loss"]
    code, out, err = run(
        capsys, "loss", "in.csv", "out.csv", "--plan", "plan.toml", "--trail", "trail", "--json", "--seed", "1"
    )
    assert (code, err) == (0, "")
    found = json.loads(out)
    for key in ("sum", "sse", "sst", "batet2014_L", "batet2014_L_of_unchanged_data", "records"):
        assert found[key] == pytest.approx(report[key])
    survival = private["survival"]["columns"]
    assert found["survival"].keys() == survival.keys()
    for name, left in found["survival"].items():
        for key in ("information", "kept", "one_step", "more_general", "merged", "lost", "true"):
            assert left[key] == pytest.approx(survival[name][key])
    code, out, _ = run(capsys, "loss", "in.csv", "out.csv", "--plan", "plan.toml", "--trail", "trail")
    assert code == 0
    assert f"mean distance to the original   {found['mean']:.4f}" in out
    for left in found["survival"].values():
        assert f"information kept {left['information']:.3f} (a random published record: " in out


def test_loss_without_a_trail_on_sorted_rows_is_refused(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    code, out, err = run(capsys, "loss", "in.csv", "out.csv", "--plan", "plan.toml")
    assert (code, out) == (2, "")
    assert err == (
        "taxonym: error: out.csv: its rows are sorted, so nobody knows whose they are. Give the trail with --trail, "
        "or say --keep-order if they are in the order of the original.\n"
    )


def test_loss_by_position_works_for_rows_in_their_order(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert run(capsys, "anonymize", *PLANNED, "--trail", "trail", "--keep-order")[0] == 0
    options = ("in.csv", "out.csv", "--plan", "plan.toml", "--json", "--seed", "1", "--keep-order")
    _, placed, _ = run(capsys, "loss", *options)
    _, trailed, _ = run(capsys, "loss", *options, "--trail", "trail")
    assert json.loads(placed) == json.loads(trailed)
    lines = (here / "out.csv").read_text().splitlines()
    (here / "out.csv").write_text("\n".join(lines[:-1]) + "\n")
    code, _, err = run(capsys, "loss", *options)
    assert code == 2
    assert "has 7 rows where the original has 8 records, so some were left out" in err


def test_nothing_is_lost_in_an_unchanged_copy(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "copy.csv").write_bytes((here / "in.csv").read_bytes())
    for plan in (("--plan", "plan.toml"), ("--taxonomy", "sports.csv")):
        code, out, _ = run(capsys, "loss", "in.csv", "copy.csv", *plan, "--keep-order", "--json")
        found = json.loads(out)
        assert (code, found["sum"], found["sse"]) == (0, 0, 0)
        assert [left["kept"] for left in found["survival"].values()] == [100]
        assert found["batet2014_L"] == pytest.approx(found["batet2014_L_of_unchanged_data"])
        assert found["batet2014_L"] > 0


def test_the_plan_may_say_that_nothing_was_shuffled(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "plan.toml").write_text("[output]\nshuffle = false\n" + (here / "plan.toml").read_text())
    assert run(capsys, "anonymize", *PLANNED)[0] == 0
    assert run(capsys, "loss", "in.csv", "out.csv", "--plan", "plan.toml")[0] == 0


def test_loss_needs_the_columns_that_the_plan_masks(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "copy.csv").write_text("pay\n1\n")
    code, _, err = run(capsys, "loss", "in.csv", "copy.csv", "--plan", "plan.toml", "--keep-order")
    assert code == 2
    assert "copy.csv: has no column 'likes', which the plan publishes" in err

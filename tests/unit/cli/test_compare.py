"""taxonym compare, as a person types it."""

import json
from pathlib import Path

import pytest

import taxonym
from taxonym.cli import main
from tests.unit.sweep.conftest import here  # noqa: F401

OPTIONS = ["compare", "in.csv", "--plan", "plan.toml", "-o", "out", "--workers", "1"]


def test_a_table_a_recommendation_and_files(here: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    assert main([*OPTIONS, "-k", "3, 64", "--method", "mdav", "--aggregate", "min-sum,avg"]) == 0
    printed = capsys.readouterr().out
    assert " ->   1  mdav, min-sum over jaccard     3  0." in printed
    assert "4  mdav, avg over jaccard        64  refused: has 63 persons, fewer than k = 64" in printed
    assert "\nTake mdav, min-sum over jaccard, k = 3: " in printed
    assert "Private, not for publication: out/comparison.csv, out/comparison.json, out/comparison.html" in printed
    assert (here / "out" / "comparison.html").exists()


def test_json_is_what_the_file_holds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    assert main([*OPTIONS, "-k", "3", "--method", "mdav", "--max-risk", "0.1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads((here / "out" / "comparison.json").read_text())
    assert told["recommendation"] is None
    assert "above the 0.1 % allowed" in told["reason"]


def test_where_no_setting_can_keep_its_promise_the_exit_code_says_so(
    here: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*OPTIONS, "-k", "64", "--method", "mdav"]) == 1
    assert "none of them can keep its promise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["-k", "two"], "-k: must be whole numbers, such as 2,3,5,10, got 'two'."),
        (["-k", "1"], "method.k: must be at least 2, got 1."),
        (["--method", "magic"], "method.name"),
        (["--workers", "-1"], "workers: must be at least 1, got -1."),
    ],
)
def test_a_mistake_is_one_line(
    here: Path,  # noqa: F811
    options: list[str],
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*OPTIONS, *options]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_a_sweep_that_is_stopped_says_where_to_go_on(
    here: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("taxonym.cli.compare.compare", stopped)
    assert main(OPTIONS) == 130
    assert "settings that were finished are kept in out. Run again to go on." in capsys.readouterr().err


def test_nothing_is_written_into_the_folder_of_the_documents(
    here: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    (here / "essays").mkdir()
    (here / "essays" / "a.txt").write_text("We ate an apple.")
    assert main(["compare", "essays", "--kind", "documents", "-o", "essays/out"]) == 2
    assert "essays/out: lies in the folder to try settings on" in capsys.readouterr().err
    assert [path.name for path in (here / "essays").iterdir()] == ["a.txt"]


def test_a_setting_is_taken_by_its_number_without_trying_any(
    here: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = ["-k", "3,5", "--method", "mdav,noise,refined", "--workers", "1"]
    given = ["compare", "in.csv", "--plan", "plan.toml"]
    assert main([*given, *chosen, "-o", "out"]) == 0
    printed = capsys.readouterr().out
    assert "2  noise" in printed
    assert "refused: compare: 'noise' promises no k" in printed
    assert "2 of the 6 settings could not be run; the table says why." in printed
    monkeypatch.setattr("taxonym.cli.compare.compare", None)
    (here / "else").mkdir()
    assert main([*given, *chosen, "--take", "6", "-o", "else/taken.toml"]) == 0
    taken = taxonym.read_plan("else/taken.toml")
    assert (taken.method.name, taken.method.k, taken.method.seed) == ("refined", 5, None)
    for plan in (taken, taxonym.read_plan("out/plans/6.toml")):
        assert plan.method == taken.method
        assert taxonym.anonymize("in.csv", plan, baselines=False).report["promise"]["k"] == 5
    for number, why in ((7, "from 1 to 6, got 7"), (2, "setting 2 cannot be run: compare: 'noise' promises no k")):
        assert main([*given, *chosen, "--take", str(number), "-o", "x.toml"]) == 2
        assert why in capsys.readouterr().err
    assert not (here / "x.toml").exists()


def test_without_a_plan_one_is_drafted_and_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    table = (here / "in.csv").read_text().replace("who,", "patient,")
    (here / "own.csv").write_text(table)
    assert main(["compare", "own.csv", "-o", "out", "-k", "3", "--method", "mdav", "--workers", "1"]) == 0
    shown = capsys.readouterr()
    assert "Take mdav" in shown.out
    assert "[columns.likes]" in shown.err

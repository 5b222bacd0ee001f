"""Files of statistics: only those that are sound and fit the plan are used."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import taxonym
from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.methods.noise.statistics import StatisticsFile
from tests.noisy import JOBS, people, plan, statistics_of


def test_statistics_come_from_a_file_that_fits(tmp_path: Path) -> None:
    given = plan(tmp_path)
    file = statistics_of(people(), given, tmp_path / "s.json")
    assert (tmp_path / "s.json").stat().st_mode & 0o077 == 0
    assert taxonym.Masker(given, statistics=file).mask({"who": 1, "job": "clerk"})["job"] in JOBS
    named = plan(tmp_path, {"statistics": file})
    assert taxonym.Masker(named).mask({"who": 1, "job": "clerk"})["job"] in JOBS
    with pytest.raises(BadInput, match="column 'job': was made with another measure than the plan names"):
        taxonym.Masker(plan(tmp_path, {"measure": "lin"}), statistics=file)
    with pytest.raises(BadPlan, match="columns.job: noise has to know the column's mean and variance"):
        taxonym.Masker(given)
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(BadInput, match=r"bad.json: is not a file of statistics"):
        StatisticsFile(tmp_path / "bad.json", 5)


def test_statistics_of_equal_values_do_not_let_others_pass_as_they_are(tmp_path: Path) -> None:
    given = plan(tmp_path)
    file = statistics_of(pl.DataFrame({"who": ["a", "b"], "job": ["clerk"] * 2}), given, tmp_path / "s.json")
    with pytest.raises(BrokenPromise, match="column 'job': the values that its variance was computed from"):
        taxonym.Masker(given, statistics=file)
    with pytest.raises(BrokenPromise, match="column 'job': the values that its variance was computed from"):
        taxonym.anonymize(people(), plan(tmp_path, {"statistics": file}))


@pytest.mark.parametrize(
    "damage",
    [
        {"variance": float("nan")}, {"variance": -0.2}, {"variance": 1.5}, {"variance": []}, {"mean": "astronaut"},
        {"mean": 3}, {"values": "x"}, {"values": 1e400}, {"values": None}, {"frequencies": {"clerk": -1}},
        {"frequencies": {"astronaut": 1}}, {"frequencies": [1]},
    ],
    ids=str,
)  # fmt: skip
def test_statistics_that_were_tampered_with_are_refused(damage: dict[str, Any], tmp_path: Path) -> None:
    given, path = plan(tmp_path), tmp_path / "s.json"
    said = json.loads(Path(statistics_of(people(), given, path)).read_text())
    said["columns"]["job"] |= damage
    path.write_text(json.dumps(said))
    with pytest.raises(BadInput, match="column 'job': is damaged. Make it again"):
        taxonym.Masker(given, statistics=path)
    with pytest.raises(BadInput, match="column 'job': is damaged. Make it again"):
        taxonym.anonymize(people(), plan(tmp_path, {"statistics": str(path)}))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"taxonym_statistics": 1, "columns": {"job": [1]}}', "\0", "[]"])
def test_what_is_no_file_of_statistics_is_named_as_such(text: str, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(BadInput, match="is not a file of statistics"):
        taxonym.Masker(plan(tmp_path), statistics=tmp_path / "s.json")


def test_the_category_and_the_content_of_statistics_are_those_of_the_plan(tmp_path: Path) -> None:
    narrow = plan(tmp_path, category="employee")
    file = statistics_of(people(), narrow, tmp_path / "s.json")
    with pytest.raises(BadInput, match="was made with another category"):
        taxonym.Masker(plan(tmp_path), statistics=file)
    lin = plan(tmp_path, {"measure": "lin", "content": "sanchez"})
    file = statistics_of(people(), lin, tmp_path / "s.json")
    assert taxonym.Masker(lin, statistics=file).mask({"who": 1, "job": "clerk"})["job"] in JOBS
    with pytest.raises(BadInput, match="was made with another content"):
        taxonym.Masker(plan(tmp_path, {"measure": "lin"}), statistics=file)

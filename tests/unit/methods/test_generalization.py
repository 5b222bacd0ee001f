"""Generalised sets that are nested: "a museum, and something else that is a structure"."""

import csv
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import taxonym
from tests.unit.cli.common import run

PLACES = """child,parent
structure,place
street,place
building,structure
museum,building
church,building
monument,structure
settlement,structure
town,settlement
"""
VISITED = ["museum;church", "museum;monument", "museum;town"]
PLAN = """[columns.visited]
role = "quasi-identifier"
kind = "set"
taxonomy = "places.csv"

[method]
name = "generalize"
k = 3
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("places.csv").write_text(PLACES)
    Path("plan.toml").write_text(PLAN)
    Path("in.csv").write_text("\n".join(["visited", *VISITED]) + "\n")
    return tmp_path


def plan(**method: Any) -> dict[str, Any]:
    column = {"role": "quasi-identifier", "kind": "set", "taxonomy": "places.csv"}
    return {"columns": {"visited": column}, "method": {"name": "generalize", "k": 3, **method}}


def test_what_all_share_is_kept_and_the_rest_rises(here: Path) -> None:
    release = taxonym.anonymize(pl.DataFrame({"visited": VISITED}), plan())
    assert release.table["visited"].to_list() == [["museum", "structure"]] * 3
    found = release.private_report()["recoding"]
    assert (found["cost"], found["no_recoding_costs_less_than"], found["is_the_cheapest"]) == (5, 5, True)


def test_what_all_share_is_kept_although_it_would_be_cheaper_if_it_rose_with_the_rest(here: Path) -> None:
    """A town is no structure here, so that nothing can stand beside the museum; all as structures would cost less."""
    Path("places.csv").write_text(PLACES.replace("town,settlement", "town,region") + "place,thing\nthing,entity\n")
    release = taxonym.anonymize(pl.DataFrame({"visited": VISITED}), plan())
    assert release.table["visited"].to_list() == [["museum"]] * 3


def test_the_steps_of_a_report_are_those_of_a_different_item_for_every_concept(here: Path) -> None:
    """Of two museums one is the museum, and the other becomes a structure."""
    rows = ["museum;church", "museum;church", "museum;building", "museum;building"]
    release = taxonym.anonymize(pl.DataFrame({"visited": rows}), plan(k=4))
    assert release.table["visited"].to_list() == [["building", "museum"]] * 4
    assert release.private_report()["recoding"]["cost"] == 2
    assert release.private_report()["loss"]["generalisation"]["steps_per_value"] == 2 / 8


def test_the_command_publishes_the_nested_set_and_verifies_it(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = run(capsys, "anonymize", "in.csv", "--plan", "plan.toml", "-o", "out.csv", "--trail", "trail.jsonl")
    assert made[0] == 0
    assert Path("out.csv").read_text().split() == ["visited", *["museum;structure"] * 3]
    asked = ("-k", "3", "--original", "in.csv", "--trail", "trail.jsonl")
    code, out, _ = run(capsys, "verify", "out.csv", *asked)
    assert (code, "The support rule holds." in out) == (0, True)


def test_a_nested_set_fails_the_verification_where_some_have_nothing_else(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("in.csv").write_text("visited\nmuseum\nmuseum;church\nmuseum;town\n")
    run(capsys, "anonymize", "in.csv", "--plan", "plan.toml", "-o", "out.csv", "--trail", "trail.jsonl")
    assert Path("out.csv").read_text().split() == ["visited", *["museum"] * 3]
    lines = [json.loads(line) for line in Path("trail.jsonl").read_text().splitlines()]
    del lines[0]["release_sha256"]  # as if it had been so from the start
    Path("trail.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Path("out.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["visited"], *[["museum;structure"]] * 3])
    asked = ("-k", "3", "--original", "in.csv", "--trail", "trail.jsonl")
    code, out, err = run(capsys, "verify", "out.csv", *asked)
    assert code == 1
    assert "fewer than 3 persons hold together" in out + err

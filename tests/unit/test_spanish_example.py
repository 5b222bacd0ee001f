"""The Spanish example works from end to end."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from tools.make_spanish_example import FOLDER, survey, wordnet

import taxonym
from tests.unit.cli.common import run


def test_the_files_are_what_their_tool_writes() -> None:
    assert (FOLDER / "wordnet-es.xml").read_text("utf-8") == wordnet()
    assert (FOLDER / "encuesta.csv").read_text("utf-8") == survey()


def test_the_wordnet_is_one_tree_with_glosses() -> None:
    tax = taxonym.load(str(FOLDER / "wordnet-es.xml"))
    assert len(tax.roots) == 1
    assert all(tax.gloss(code) for code in range(len(tax)))
    assert len(tax) > 100


def test_a_spanish_survey_is_published_and_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, plan = str(tmp_path / "out.csv"), str(FOLDER / "plan.toml")
    code, told, err = run(capsys, "anonymize", str(FOLDER / "encuesta.csv"), "--plan", plan, "-o", out)
    assert code == 0, err
    assert "Column 'compra': 100 % of what a person says has a concept in wordnet-es." in told
    assert run(capsys, "verify", out, "--plan", plan)[0] == 0
    with open(out, encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert min(Counter(rows).values()) >= 5
    assert len(rows) >= 150, "hardly anybody is suppressed"
    words = {word for row in rows for word in row[1].split(";")}
    assert words & {"fruta", "verdura", "carne", "bebida", "pescado"}


def test_what_is_unknown_is_suggested_and_counts_once_the_plan_names_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    own, asked = tmp_path / "own.csv", ("concepts", "--file", str(FOLDER / "encuesta.csv"), "--column", "ocupación")
    plan = ("--plan", str(FOLDER / "plan.toml"), "--against", "none")
    _, out, _ = run(capsys, *asked, *plan, "--suggest", str(own))
    assert "dependienta" in out
    assert "spelling of 'dependiente'" in out
    _, again, _ = run(capsys, *asked, *plan, "--overrides", str(own))
    assert "160 values, 100.0% with a concept" in again

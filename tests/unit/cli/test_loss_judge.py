"""taxonym loss --measure and --taxonomy: judged otherwise than the plan says, and never ignored."""

import json
from pathlib import Path
from typing import Any

import pytest

from taxonym.cli import main

TREES = {
    "deep.csv": "trout,fish carp,fish oak,tree fir,tree fish,animal tree,plant animal,being plant,being",
    "flat.csv": "trout,thing carp,thing oak,thing fir,thing fish,thing tree,thing animal,thing plant,thing",
}
WORDS = ["trout", "carp", "trout", "carp", "oak", "fir", "oak", "fir", "trout", "oak", "carp", "fir"]


@pytest.fixture(params=["table", "querylog", "documents"])
def kind(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A release of each shape of data, with its plan and trail."""
    monkeypatch.chdir(tmp_path)
    for name, text in TREES.items():
        Path(name).write_text("\n".join(["child,parent", *text.split()]) + "\n")
    kind: str = request.param
    method = "[method]\nk = 3\nseed = 1\n"
    if kind == "table":
        Path("in.csv").write_text("who,likes\n" + "".join(f"u{i},{w};{WORDS[i - 1]}\n" for i, w in enumerate(WORDS)))
        columns = '[columns.likes]\nrole = "quasi-identifier"\nkind = "set"\ntaxonomy = "deep.csv"\n'
        Path("plan.toml").write_text('[input]\nperson = "who"\n' + columns + method)
    elif kind == "querylog":
        Path("in.csv").write_text(
            "user,query\n" + "".join(f"u{i},{w}\nu{i},{WORDS[i - 1]}\n" for i, w in enumerate(WORDS))
        )
        Path("plan.toml").write_text('[querylog]\ntaxonomy = "deep.csv"\n' + method)
    else:
        Path("in.csv").write_text("who,text\n" + "".join(f"a{i},{w} {WORDS[i - 1]}\n" for i, w in enumerate(WORDS)))
        Path("plan.toml").write_text('[documents]\ntaxonomy = "deep.csv"\n' + method)
    assert main(["anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml", "--trail", "t", "--no-baselines"]) == 0
    return kind


def lost(capsys: pytest.CaptureFixture[str], more: str = "") -> dict[str, Any]:
    capsys.readouterr()
    assert main(f"loss in.csv out.csv --plan plan.toml --trail t --json --seed 1 {more}".split()) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_another_measure_is_the_one_that_judges(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain, other = lost(capsys), lost(capsys, "--measure equal")
    assert other["distance"]["measure"] == "equal" != plain["distance"]["measure"]
    assert other["mean"] > plain["mean"] > 0
    assert lost(capsys, f"--measure {plain['distance']['measure']}") == plain


def test_another_taxonomy_is_the_one_that_judges(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain, other = lost(capsys), lost(capsys, "--taxonomy flat.csv")
    assert other["taxonomies"] == ["flat.csv"]
    assert other["mean"] != plain["mean"]
    capsys.readouterr()
    assert main(["risk", "in.csv", "out.csv", "--plan", "plan.toml", "--trail", "t", "--taxonomy", "flat.csv"]) == 2
    assert "--intruder-taxonomy" in capsys.readouterr().err


def test_an_unknown_distance_is_one_clear_line(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--measure nothing", "--aggregate nothing"):
        capsys.readouterr()
        assert main(f"loss in.csv out.csv --plan plan.toml --trail t {option}".split()) == 2
        assert capsys.readouterr().err.count("\n") == 1

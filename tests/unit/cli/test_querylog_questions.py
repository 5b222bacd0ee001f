"""What was lost and what can be found out, asked of a query log."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.common import run

QUERIES = ["swimming", "sailing", "swimming lessons", "chess", "go", "chess", "sailing", "go lessons"]


@pytest.fixture
def log(here: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with a query log, its release and its trail."""
    rows = [
        f"{user},{QUERIES[(user + i) % 8 if user % 2 else (user // 2 + i) % 8]}" for user in range(16) for i in (0, 1)
    ]
    (here / "log.csv").write_text("user,query\n" + "\n".join(rows) + "\n")
    (here / "plan.toml").write_text('[querylog]\ntaxonomy = "sports.csv"\n[method]\nk = 3\nseed = 7\n')
    made = run(
        capsys,
        "anonymize",
        "log.csv",
        "--plan",
        "plan.toml",
        "-o",
        "out.csv",
        "--trail",
        "trail",
        "--private-report",
        "r.json",
    )
    assert made[0] == 0
    return here


def test_the_loss_of_a_written_log_is_that_of_its_report(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "loss", "log.csv", "out.csv", "--trail", "trail", "--json")
    assert (code, err) == (0, "")
    found, report = json.loads(out), json.loads((log / "r.json").read_text())
    assert found["mean"] == pytest.approx(report["loss"]["mean"])
    assert found["records"] == report["records"]["published_persons"]
    assert found["words_without_meaning"] == {}


def test_nobody_is_found_in_a_written_log_with_more_than_one_in_k(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(
        capsys, "risk", "log.csv", "out.csv", "--trail", "trail", "--knows", "1", "--seed", "1", "--json"
    )
    assert (code, err) == (0, "")
    found, report = json.loads(out), json.loads((log / "r.json").read_text())
    assert found["semantic_linkage"]["dr_percent"] == pytest.approx(report["linkage"]["dr_percent"], abs=0.01)
    for attack in ("semantic_linkage", "matching_linkage", "partial_knowledge"):
        assert 0 <= found[attack]["max_p"] <= 1 / 3 + 1e-9
    assert found["smallest_class_persons"] >= 3


def test_a_log_whose_trail_is_not_given_cannot_be_compared(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for look in ("loss", "risk"):
        code, _, err = run(capsys, look, "log.csv", "out.csv", "--plan", "plan.toml")
        assert (code, "its rows are sorted" in err) == (2, True)

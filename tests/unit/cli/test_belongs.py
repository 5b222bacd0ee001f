"""verify --report: whether a report belongs to a release, for every format and shape."""

import gzip
import json
import shutil
from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest

from taxonym.io.files import fingerprint
from taxonym.run.release import read_report
from tests.unit.cli.common import SPORTS, run

EXAMPLES = Path(str(files("taxonym") / "examples"))
PLAN = """
[columns.likes]
role = "quasi-identifier"
kind = "set"
taxonomy = "sports.csv"
[columns.note]
role = "confidential"
exact = true
[method]
k = 2
"""


@pytest.fixture
def sports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a table whose notes look like formulas, its plan and its taxonomy."""
    monkeypatch.chdir(tmp_path)
    Path("sports.csv").write_text("child,parent\n" + "".join(f"{a},{b}\n" for a, b in SPORTS))
    Path("in.csv").write_text("likes,note\n" + "chess,=1+1\n" * 3 + "sailing,-x\n" * 3)
    Path("plan.toml").write_text(PLAN)
    return tmp_path


@pytest.mark.parametrize("out", ["out.csv", "out.tsv.gz", "out.jsonl", "out.parquet"])
@pytest.mark.parametrize("report", ["report.json", "report.html"])
def test_a_report_belongs_to_its_release_and_to_no_other(
    out: str, report: str, sports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = "anonymize", "in.csv", "-o", out, "--plan", "plan.toml", "--report", report, "--no-baselines"
    assert run(capsys, *made)[0] == 0
    told = read_report(report)["released"]
    assert told["sha256"] == fingerprint(Path(out))
    for more in ((), ("--plan", "plan.toml")):
        code, said, _ = run(capsys, "verify", out, "--report", report, *more)
        assert (code, f"{report} belongs to it." in said) == (0, True)
    data = Path(out).read_bytes()
    Path(out).write_bytes(data + gzip.compress(b"") if out.endswith(".gz") else data + b"\n")
    code, _, complaint = run(capsys, "verify", out, "--report", report)
    assert (code, "does not belong to" in complaint) == (1, True)


@pytest.mark.parametrize(
    ("source", "plan", "out"),
    [("access.log", "access-log.toml", "out.log"), ("proposals.csv", "proposals.toml", "out.csv")],
)
def test_reports_of_logs_and_documents_belong_to_theirs(
    source: str,
    plan: str,
    out: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (source, plan):
        shutil.copy(EXAMPLES / name, name)
    assert (
        run(capsys, "anonymize", source, "--plan", plan, "-o", out, "--report", "report.html", "--no-baselines")[0] == 0
    )
    assert run(capsys, "verify", out, "--report", "report.html")[0] == 0
    Path(out).write_bytes(Path(out).read_bytes()[:-2])
    assert run(capsys, "verify", out, "--report", "report.html")[0] == 1


def test_the_digest_of_a_folder_is_that_of_its_files_and_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "out.parquet"
    folder.mkdir()
    for name in ("part-1.parquet", "part-0.parquet"):
        pl.DataFrame({"a": [name]}).write_parquet(folder / name)
    (folder / "_SUCCESS").touch()
    before = fingerprint(folder)
    (folder / "part-0.parquet").rename(folder / "part-2.parquet")
    assert fingerprint(folder) != before


def test_what_is_no_report_of_a_file_is_refused_with_a_reason(sports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = "anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml", "--no-baselines"
    assert run(capsys, *made, "--report", "report.json")[0] == 0
    report = json.loads(Path("report.json").read_text())
    Path("bare.json").write_text(json.dumps(report | {"released": {"sha256": None, "date": "2026-01-01"}}))
    Path("other.json").write_text("[]")
    for name, why in {
        "bare.json": "names no file",
        "other.json": "is not a report",
        "none.json": "cannot be read",
    }.items():
        code, _, complaint = run(capsys, "verify", "out.csv", "--report", name)
        assert (code, why in complaint) == (2, True), name
    code, _, complaint = run(capsys, *made, "--report", "report.pdf")
    assert (code, "a report is a page (.html) or JSON (.json)" in complaint) == (2, True)
    assert not Path("report.pdf").exists()


def test_a_report_tells_neither_seed_nor_paths_nor_overrides(sports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("deep").mkdir()
    shutil.move("sports.csv", "deep/sports.csv")
    Path("own.csv").write_text("term,concept\nrook,chess\n")
    text = PLAN.replace('"sports.csv"', '"deep/sports.csv"\noverrides = "own.csv"')
    Path("plan.toml").write_text(f'{text}seed = 987654\n[input]\npath = "deep/in.csv"\n')
    made = "anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml", "--report", "report.json", "--no-baselines"
    assert run(capsys, *made)[0] == 0
    told = Path("report.json").read_text()
    assert not [word for word in ("987654", "deep", "in.csv", "own.csv", "overrides", "rook") if word in told]
    assert json.loads(told)["plan"]["columns"]["likes"]["taxonomy"] == "sports.csv"


def test_no_cell_of_a_release_is_a_formula_and_all_are_read_back(
    sports: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = (
        "anonymize",
        "in.csv",
        "-o",
        "out.csv",
        "--plan",
        "plan.toml",
        "--report",
        "report.json",
        "--trail",
        "t.jsonl",
    )
    assert run(capsys, *made, "--no-baselines", "--seed", "1")[0] == 0
    cells = {line.split(",")[1] for line in Path("out.csv").read_text().splitlines()[1:]}
    assert cells == {"'=1+1", "'-x"}
    assert any("6 cells begin as a formula" in note for note in read_report("report.json")["notes"])
    known = "--plan", "plan.toml", "--original", "in.csv", "--trail", "t.jsonl"
    assert run(capsys, "verify", "out.csv", *known)[0] == 0
    Path("plan.toml").write_text(PLAN.replace("exact = true", 'exact = true\nformulas = "keep"'))
    assert run(capsys, *made, "--no-baselines", "--seed", "1")[0] == 0
    assert "=1+1" in {line.split(",")[1] for line in Path("out.csv").read_text().splitlines()[1:]}
    assert run(capsys, "verify", "out.csv", *known)[0] == 0
    Path("plan.toml").write_text(PLAN.replace("exact = true", 'exact = true\nformulas = "refuse"'))
    code, _, complaint = run(capsys, *made)
    assert (code, "begins as a formula" in complaint, "1+1" in complaint) == (2, True, False)

"""What a person is told whose machine lacks something."""

import sys
from pathlib import Path
from typing import Any

import pytest

from taxonym.cli import main
from taxonym.run.spark import session as module

PLAN = '[columns.words]\nrole = "quasi-identifier"\n'


def told(tmp_path: Path, capsys: pytest.CaptureFixture[str], *more: str, source: str = "in", out: str = "out") -> str:
    (tmp_path / "plan.toml").write_text(PLAN)
    how = ["--plan", str(tmp_path / "plan.toml"), "--engine", "spark", *more]
    assert main(["anonymize", str(tmp_path / source), "-o", str(tmp_path / out), *how]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    return lines[0]


def test_without_pyspark_the_extra_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == "pyspark" else sys)
    assert "pip install 'taxonym[spark]'" in told(tmp_path, capsys)


def test_without_java_a_package_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert "openjdk-17-jre-headless" in told(tmp_path, capsys)


@pytest.mark.parametrize(
    ("source", "out", "says"),
    [
        ("in.csv", "out", "in.csv: Spark reads a Parquet folder"),
        ("in", "out.csv.gz", "out.csv.gz: Spark writes a Parquet folder"),
        ("in", "in/out", "in/out: lies in the folder to anonymise"),
    ],
)
def test_what_is_no_folder_and_a_release_inside_its_input_are_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, out: str, says: str
) -> None:
    assert says in told(tmp_path, capsys, source=source, out=out)


@pytest.mark.parametrize(
    ("heard", "says"),
    [
        ("java.lang.UnsupportedClassVersionError: x", "too old"),
        ("java.lang.module.FindException: Module jdk.incubator.vector not found", "lacks the module"),
        ("something else", "did not start"),
    ],
)
def test_why_java_did_not_start_is_said_in_one_line(heard: str, says: str) -> None:
    line = module._why(heard, "", "spark://host:7077")
    assert says in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (["--trail", "t.jsonl"], "--trail: belongs to the local engine"),
        (["--workers", "2"], "--workers: belongs to the local engine"),
        (["--conf", "executor.memory"], "--conf: write spark.KEY=VALUE"),
    ],
)
def test_options_that_mean_nothing_on_spark_are_refused(
    option: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in told(tmp_path, capsys, *option)


def test_spark_says_nothing_by_itself(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    import os

    with module._unheard(False) as heard:
        os.write(2, b"java was here\n")
        assert "java was here" in heard()
    os.write(2, b"back again\n")
    assert capfd.readouterr().err == "back again\n"


def test_java_that_ends_in_the_middle_is_told_in_one_line() -> None:
    from taxonym.errors import BadInput
    from taxonym.run.spark.errors import explained, forgotten

    def gone() -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    forgotten(gone)
    with pytest.raises(BadInput, match="visits: the Java process of Spark ended"), explained("visits"):
        gone()

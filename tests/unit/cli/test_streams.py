"""Dashes in the place of files, and files whose names do not tell what they are."""

import io
import json
from pathlib import Path

import openpyxl
import pytest

from tests.unit.cli.common import run


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


QUIET = ("--plan", "plan.toml", "--no-baselines")


def test_a_release_goes_through_pipes_as_through_files(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(capsys, "anonymize", "in.csv", "-o", "out.csv", *QUIET)[0] == 0
    feed(monkeypatch, (here / "in.csv").read_bytes())
    code, out, told = run(capsys, "anonymize", "-", "-o", "-", *QUIET, "--trail", "trail")
    assert (code, out) == (0, (here / "out.csv").read_text())
    assert "Written: standard output" in told
    assert "taxonym-" not in told
    feed(monkeypatch, out.encode())
    code, out, _ = run(capsys, "verify", "-", "--plan", "plan.toml", "--original", "in.csv", "--trail", "trail")
    assert (code, out.splitlines()[-1][:22]) == (0, "standard input: holds.")
    feed(monkeypatch, (here / "in.csv").read_bytes())
    code, out, _ = run(capsys, "anonymize", "-", "-o", "-", *QUIET, "--output-format", "json")
    assert next(sorted(row) for row in json.loads(out)) == ["likes", "pay"]


def test_a_failed_run_writes_nothing_to_standard_output(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, (here / "in.csv").read_bytes())
    code, out, told = run(capsys, "anonymize", "-", "-o", "-", *QUIET, "-k", "50")
    assert (code, out) == (1, "")
    assert told.startswith("taxonym: error: standard input: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("anonymize", "-", "-o", "-", *QUIET), "standard input: is empty"),
        (("anonymize", "in.csv", "-o", "-", *QUIET, "--json"), "--json would go too"),
        (("loss", "-", "-"), "standard input is one file"),
        (("plan", "in.csv", "--max-unpacked", "much"), "--max-unpacked: must be a size"),
        (("anonymize", "in.csv", "-o", "out.xlsx", *QUIET), "are only read"),
        (
            ("anonymize", "in.csv", "-o", "out.csv", *QUIET, "--max-unpacked", "-1"),
            "input.max_unpacked: must be a size",
        ),
    ],
)
def test_what_cannot_be_piped_or_read_is_told_in_one_line(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    feed(monkeypatch, b"")
    code, _, told = run(capsys, *arguments)
    assert code == 2
    assert said in told
    assert len(told.splitlines()) == 1
    assert not (here / "out.csv").exists()


def test_a_sheet_that_is_named_is_the_input_of_every_command(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = openpyxl.Workbook()
    for line in (here / "in.csv").read_text().splitlines():
        book.active.append(line.split(","))
    book.create_sheet("notes").append(["Kowalska"])
    book.save(here / "in.xlsx")
    code, _, told = run(capsys, "anonymize", "in.xlsx", "-o", "out.csv.zst", *QUIET)
    assert code == 2
    assert "has the sheets 'Sheet', 'notes'" in told
    chosen = ("--sheet", "Sheet")
    assert run(capsys, "anonymize", "in.xlsx", "-o", "out.csv.zst", *QUIET, *chosen, "--trail", "trail")[0] == 0
    with_trail = ("--plan", "plan.toml", "--trail", "trail", *chosen)
    assert run(capsys, "verify", "out.csv.zst", "--original", "in.xlsx", *with_trail)[0] == 0
    for command in ("loss", "risk"):
        assert run(capsys, command, "in.xlsx", "out.csv.zst", *with_trail)[0] == 0
    about = ("--file", "in.xlsx", "--column", "likes", "--taxonomy", "sports.csv", *chosen)
    assert run(capsys, "concepts", *about)[0] == 0


def test_a_second_part_behind_a_packed_release_is_noticed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "anonymize", "in.csv", "-o", "out.csv.zst", *QUIET)[0] == 0
    assert run(capsys, "verify", "out.csv.zst", "--plan", "plan.toml")[0] == 0
    with (here / "out.csv.zst").open("ab") as file:
        file.write(b"\x50\x2a\x4d\x18\x08\x00\x00\x00Kowalska")  # a frame that readers skip
    code, out, _ = run(capsys, "verify", "out.csv.zst", "--plan", "plan.toml")
    assert code == 1
    assert "more than one part" in out

"""The first thing that a reader sees is what the program writes."""

import re
from pathlib import Path

import pytest

from tests.unit.cli.common import run

HERE = Path(__file__).resolve().parents[2]


def test_the_table_of_the_readme_is_what_its_command_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (HERE / "README.md").read_text("utf-8")
    (command,) = re.findall(r"^That is what `taxonym (anonymize .* -o release.csv)` writes", text, re.M)
    shown = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ") and ";" in line]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(HERE / "examples")
    assert run(capsys, *command.split())[0] == 0
    before, after = (
        Path(name).read_text("utf-8").split("\n")[1:-1] for name in ("examples/searches.csv", "release.csv")
    )
    assert [[one.replace(";", "; ") for one in pair] for pair in zip(before, after, strict=True)] == shown

"""A small table about sports, and the command line as a test runs it."""

import csv
from pathlib import Path

import pytest

from taxonym.cli import main

SPORTS = [("swimming", "water sports"), ("sailing", "water sports"), ("chess", "board games"), ("go", "board games")]
ANSWERS = ["swimming;sailing", "swimming", "sailing;swimming", "chess", "chess;go", "go;chess", "swimming", "chess"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


PLANNED = ("in.csv", "-o", "out.csv", "--plan", "plan.toml")

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


# what the plan of the folder `here` warns of: its confidential values are tags that nobody shares
WARNED = (
    "taxonym: warning: Column 'pay': values are published as they are (exact = true); 9 persons have one that fewer "
    "than 3 persons share.\n"
)
PLANNED = ("in.csv", "-o", "out.csv", "--plan", "plan.toml")

"""docs/matrix.md is what the program says of itself, and does."""

import argparse
import os
from pathlib import Path

import pytest
from tools.build_matrix import COMMANDS, OF_COLUMNS, PAGE, Row, page, rows

from taxonym.cli import _parser
from taxonym.promises import ByConcept, ByLine, Epsilon, KAnonymity, KToTheM, LDiversity, NoPromise
from tests.golden.cases import WHOLE
from tests.matrix import wrong

SAMPLE = [
    (Row("table", "refined", KAnonymity), ("with a work folder", "verify", "loss", "risk", "mine", "stream")),
    (Row("table", "generalize", KToTheM), ("in blocks", "on Spark", "verify", "compare")),
    (Row("table", "mdav", LDiversity), ("in blocks", "on Spark", "verify")),
    (Row("table", "noise", NoPromise), ("verify", "loss", "compare", "stream")),
    (Row("table", "noise", Epsilon), ("with a work folder", "stream")),
    (Row("table", "noise", LDiversity), ()),
    (Row("table", "mdav", Epsilon), ()),
    (Row("querylog", "mdav", KAnonymity), ("with a work folder", "on Spark", "loss", "mine")),
    (Row("querylog", "generalize", KAnonymity), ()),
    (Row("accesslog", "refined", ByLine), ("verify", "loss", "risk", "compare", "mine")),
    (Row("accesslog", "noise", NoPromise), ()),
    (Row("documents", "adaptive-mdav", KAnonymity), ("in blocks", "loss", "compare", "stream")),
    (Row("documents", "refined", ByConcept), ()),
]


def test_the_page_is_what_the_program_says_of_itself() -> None:
    assert PAGE.read_text("utf-8") == page(), "Build it anew with tools/build_matrix.py."


def test_every_command_is_a_column_or_asks_nothing_of_a_plan() -> None:
    (commands,) = (a for a in _parser()._actions if isinstance(a, argparse._SubParsersAction))
    assert {*commands.choices} - {"anonymise"} == {
        words.split()[0] for words in COMMANDS.values() if words
    } | OF_COLUMNS


CELLS = [(row, tuple(COMMANDS)) for row in rows()] if os.environ.get(WHOLE) else SAMPLE


@pytest.mark.parametrize(("row", "commands"), CELLS, ids=lambda x: str(x) if isinstance(x, Row) else "")
def test_a_cell_of_the_page_works_or_is_refused_for_its_reason(
    row: Row, commands: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(wrong(row, commands)) == []

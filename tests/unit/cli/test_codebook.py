"""The codebook beside a release: whatever is changed in it is refused, and commands read words by it."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import taxonym
from tests.unit.cli.common import run
from tests.unit.cli.test_tampering import SHAPES, Spoil, here, releases, rows, seen, text

__all__ = ["here", "releases"]  # fixtures


def entries(change: Callable[[list[list[str]]], object]) -> Spoil:
    """Change the rows of a codebook, and sort them as it was."""
    return rows(lambda cells: (change(cells), cells.sort()))


CODEBOOKS: list[tuple[str, Spoil, str]] = [
    ("a word that stands for another concept", entries(lambda c: c[0].__setitem__(2, "sports")), "file"),
    ("a word more", entries(lambda c: c.append([c[0][0], "rowing", *c[0][2:]])), "file"),
    ("a word fewer", entries(lambda c: c.pop()), "file"),
    ("a word that stands for two concepts", entries(lambda c: c.append([*c[0][:2], "sports", "", ""])), "file"),
    ("another gloss", entries(lambda c: c[0].__setitem__(3, "what Kowalska likes")), "file"),
    ("another parent", entries(lambda c: c[0].__setitem__(4, "Kowalska")), "file"),
    ("another column", entries(lambda c: c[0].__setitem__(0, "Kowalska")), "file"),
    ("a blank line", text(lambda w: w + "\n"), "file"),
    ("a row twice", entries(lambda c: c.append(c[0])), "file"),
    ("a column more", text(lambda w: w.replace("\n", ",\n")), "file"),
    ("other line ends", lambda d: d.replace(b"\n", b"\r\n"), "file"),
    ("nothing in it", lambda _: b"", "file"),
    ("no text", lambda _: b"\xff\xfe", "file"),
]


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "access"])
@pytest.mark.parametrize(("how", "spoil", "level"), CODEBOOKS, ids=[how for how, _, _ in CODEBOOKS])
def test_a_codebook_that_was_changed_is_refused(
    capsys: pytest.CaptureFixture[str], here: Path, shape: str, how: str, spoil: Spoil, level: str
) -> None:
    path = here / f"{SHAPES[shape][0]}.codebook.csv"
    before = path.read_bytes()
    assert spoil(before) != before
    path.write_bytes(spoil(before))
    assert seen(capsys, shape) == level


def test_without_a_plan_a_codebook_must_still_be_in_its_form(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    column = {"role": "quasi-identifier", "kind": "nominal"}
    table = pl.DataFrame({"town": ["Brno"] * 3 + ["Opava"] * 3})
    taxonym.anonymize(table, {"columns": {"town": column}, "method": {"k": 3}}).write("out.csv")
    path = tmp_path / "out.csv.codebook.csv"
    assert path.read_text() == "column,word,concept,gloss,parent\ntown,Brno,Brno,,\ntown,Opava,Opava,,\n"
    assert run(capsys, "verify", "out.csv", "-k", "3")[0] == 0
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert run(capsys, "verify", "out.csv", "-k", "3")[0] == 1


def test_a_codebook_may_lie_elsewhere_and_where_there_is_none_that_is_said(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    out, original, plan = SHAPES["csv"]
    (here / f"{out}.codebook.csv").rename(here / "book.csv")
    loss = ("loss", original, out, "--plan", plan, "--trail", "csv.trail", "--seed", "1", "--json")
    for command in (("verify", out, "--plan", plan), loss):
        code, told, err = run(capsys, *command)
        assert (code, "no codebook" in err) == (0, True)
        again, same, quiet = run(capsys, *command, "--codebook", "book.csv")
        assert (again, same, "no codebook" in quiet) == (0, told, False)
    code, _, err = run(capsys, *loss, "--codebook", "nowhere.csv")
    assert (code, "nowhere.csv: cannot be read" in err) == (2, True)


def test_loss_and_risk_read_words_by_the_codebook(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    out, original, plan = SHAPES["csv"]
    path = here / f"{out}.codebook.csv"
    options = (original, out, "--plan", plan, "--trail", "csv.trail", "--seed", "1", "--json")
    before = [json.loads(run(capsys, command, *options)[1]) for command in ("loss", "risk")]
    path.write_bytes(entries(lambda c: [row.__setitem__(2, "sports") for row in c])(path.read_bytes()))
    after = [json.loads(run(capsys, command, *options)[1]) for command in ("loss", "risk")]
    assert before[0]["mean"] < after[0]["mean"]
    assert before[1]["semantic_linkage"]["dr_percent"] > after[1]["semantic_linkage"]["dr_percent"]


@pytest.mark.parametrize("shape", ["csv", "parquet", "queries", "documents"])
@pytest.mark.parametrize("command", ["loss", "risk"])
def test_a_codebook_of_another_release_is_refused(
    capsys: pytest.CaptureFixture[str], here: Path, shape: str, command: str
) -> None:
    out, original, plan = SHAPES[shape]
    options = (command, original, out, "--plan", plan, "--trail", f"{shape}.trail", "--json")
    assert run(capsys, *options)[0] == 0
    path = here / f"{out}.codebook.csv"
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    code, _, err = run(capsys, *options)
    assert (code, "the codebook does not tell" in err, "swimming" in err) == (2, True, False)


def test_a_release_without_words_leaves_no_codebook_of_the_one_that_it_replaces(tmp_path: Path) -> None:
    table = pl.DataFrame({"town": ["Brno"] * 3 + ["Opava"] * 3, "age": [30, 31, 32, 40, 41, 42]})
    words = {"town": {"role": "quasi-identifier", "kind": "nominal"}, "age": {"role": "identifier"}}
    numbers = {"town": {"role": "identifier"}, "age": {"role": "quasi-identifier", "kind": "number"}}
    out, book = tmp_path / "out.csv", tmp_path / "out.csv.codebook.csv"
    taxonym.anonymize(table, {"columns": words, "method": {"k": 3}}).write(out)
    assert book.exists()
    taxonym.anonymize(table, {"columns": numbers, "method": {"k": 3}}).write(out)
    assert not book.exists()
    book.write_text("somebody's own file\n")
    taxonym.anonymize(table, {"columns": numbers, "method": {"k": 3}}).write(out)
    assert book.read_text() == "somebody's own file\n"

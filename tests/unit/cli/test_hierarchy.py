"""taxonym taxonomy cut, taxonym taxonomy check --data, and --show-values."""

import csv
import json
from pathlib import Path

import pytest

from taxonym import load, read_plan
from taxonym.run.pipeline import anonymize
from tests.unit.cli.common import run

CUT = ("taxonomy", "cut", "sports.csv", "--data", "in.csv", "--column", "likes")
CHECK = ("taxonomy", "check", "likes.csv", "--data", "in.csv", "--column", "likes")


def rows(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


@pytest.fixture
def made(capsys: pytest.CaptureFixture[str], here: Path) -> Path:
    assert run(capsys, *CUT, "-o", "likes.csv")[0] == 0
    return here


def test_a_hierarchy_is_written_for_the_terms_of_a_set(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    code, out, err = run(capsys, *CUT, "-o", "likes.csv")
    assert (code, err) == (0, "")
    assert "likes.csv: 4 values of column 'likes', 2 levels above them." in out
    assert "Private: it lists the values of the file." in out
    assert rows(here / "likes.csv") == [
        ["value", "level 1", "level 2"],
        ["chess", "board games", "sports"],
        ["go", "board games", "sports"],
        ["sailing", "water sports", "sports"],
        ["swimming", "water sports", "sports"],
    ]
    assert (here / "likes.csv").stat().st_mode & 0o077 == 0


def test_without_a_file_to_write_it_is_printed_and_the_rest_told_apart(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    code, out, err = run(capsys, *CUT, "--levels", "1")
    assert code == 0
    assert out == "value,level 1\nchess,sports\ngo,sports\nsailing,sports\nswimming,sports\n"
    assert "Private" in err
    _, out, _ = run(capsys, *CUT, "--json")
    found = json.loads(out)
    assert (found["values"], found["levels"], found["without_concept"], found["cost"]) == (4, 2, 0, 0)
    assert found["rows"][0] == ["chess", "board games", "sports"]


def test_values_without_a_concept_are_counted_and_stand_below_the_top(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    (here / "in.csv").write_text("likes\nswimming\nzyzzyva\nchess\n")
    _, out, _ = run(capsys, *CUT, "-o", "likes.csv")
    assert "1 values have no concept in sports and stand right below the top" in out
    assert rows(here / "likes.csv")[-1] == ["zyzzyva", "sports"]


def test_the_plan_may_say_how_the_column_is_read(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    arguments = ("taxonomy", "cut", "--plan", "plan.toml", "--column", "likes", "--data", "in.csv", "-o", "again.csv")
    assert run(capsys, *arguments)[0] == 0
    assert (made / "again.csv").read_bytes() == (made / "likes.csv").read_bytes()
    code, _, err = run(capsys, "taxonomy", "cut", "--plan", "plan.toml", "--column", "lies", "--data", "in.csv")
    assert (code, "columns.lies: is not there. It has likes, pay." in err) == (2, True)


def test_options_say_how_words_get_their_meaning(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "in.csv").write_text("thing\nbank\nchair\n")
    (here / "own.csv").write_text("term,concept\nbank,savings_bank.n.02\n")
    base = ("taxonomy", "cut", "wordnet", "--data", "in.csv", "--column", "thing", "--kind", "nominal", "--levels", "1")
    base += ("--senses", "first")
    tax = load("wordnet")

    def common(a: str, b: str) -> str:
        return tax.label(tax.lcs(tax.code(a), tax.code(b)) or 0)

    usual, own = (common(bank, "chair.n.01") for bank in ("bank.n.01", "savings_bank.n.02"))
    assert usual != own
    assert run(capsys, *base)[1] == f"value,level 1\nbank,{usual}\nchair,{usual}\n"
    assert run(capsys, *base, "--overrides", "own.csv")[1] == f"value,level 1\nbank,{own}\nchair,{own}\n"
    _, out, err = run(capsys, *base, "--category", "organization.n.01")
    assert "have no concept" in err
    assert out == "value,level 1\nbank,entity\nchair,entity\n"


@pytest.mark.parametrize(
    ("kind", "cells"),
    [("number", ["31", "35", "38", "52", "57"]), ("date", ["2020-01-02", "2020-01-09", "2020-03-01", "2021-07-09"])],
)
def test_numbers_and_dates_become_ranges_that_a_plan_can_use_as_words(
    capsys: pytest.CaptureFixture[str], here: Path, kind: str, cells: list[str]
) -> None:
    (here / "in.csv").write_text("x\n" + "".join(f"{cell}\n" * 3 for cell in cells))
    assert run(capsys, "taxonomy", "cut", "--data", "in.csv", "--column", "x", "--kind", kind, "-o", "x.csv")[0] == 0
    assert [row[0] for row in rows(here / "x.csv")[1:]] == cells
    assert run(capsys, "taxonomy", "check", "x.csv", "--data", "in.csv", "--column", "x")[0] == 0
    (here / "plan.toml").write_text(
        '[columns.x]\nrole = "quasi-identifier"\nkind = "nominal"\ntaxonomy = "x.csv"\non_unknown = "error"\n'
        "[method]\nk = 5\nseed = 1\n"
    )
    release = anonymize(here / "in.csv", read_plan(here / "plan.toml"))
    labels = {cell for row in rows(here / "x.csv")[1:] for cell in row}
    assert set(release.table["x"]) <= labels


def test_the_file_is_read_without_options_by_the_library_and_by_a_plan(
    capsys: pytest.CaptureFixture[str], made: Path
) -> None:
    tax = load(made / "likes.csv")
    (code,) = tax.codes("swimming")
    assert [tax.label(c) for c in tax.ancestors(code)] == ["sports", "water sports", "swimming"]
    plan = (made / "plan.toml").read_text().replace("sports.csv", "likes.csv")
    (made / "other.toml").write_text(plan)
    assert run(capsys, "anonymize", "in.csv", "-o", "out.csv", "--plan", "other.toml")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("sports.csv", "--data", "in.csv"), "--column: name the column"),
        (("sports.csv", "--column", "likes"), "--data: name the file"),
        (("--data", "in.csv", "--column", "likes"), "name one to look the values up in"),
        (("sports.csv", "--data", "in.csv", "--column", "lies"), "there is no column 'lies'"),
        (("sports.csv", "--data", "in.csv", "--column", "likes", "--levels", "0"), "at least 1, got 0"),
        (("sports.csv", "--data", "in.csv", "--column", "likes", "--kind", "words"), "'words' is not known"),
        (("sports.csv", "--data", "in.csv", "--column", "likes", "-o", "in.csv"), "so that nothing is lost"),
        (("sports.csv", "--data", "in.csv", "--column", "likes", "-o", "sports.csv"), "so that nothing is lost"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str], here: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    before = {path: path.read_bytes() for path in here.iterdir()}
    code, out, err = run(capsys, "taxonomy", "cut", *arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert {path: path.read_bytes() for path in here.iterdir()} == before


# ---------------------------------------------------------------------- check against the data


def test_a_hierarchy_that_has_every_value_passes(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    code, out, err = run(capsys, *CHECK)
    assert (code, err) == (0, "")
    assert "likes: sound, 7 concepts." in out
    assert "every value is in it" in out


@pytest.fixture
def short(made: Path) -> Path:
    """The hierarchy with a misspelt value, which is so not in it."""
    path = made / "likes.csv"
    path.write_text(path.read_text().replace("sailing", "sailling"))
    return made


def test_a_missing_value_is_named_by_its_row_only(capsys: pytest.CaptureFixture[str], short: Path) -> None:
    code, out, err = run(capsys, *CHECK)
    assert code == 2
    assert "column 'likes': 1 values in 2 places are not in likes.csv (first in rows 1)" in err
    assert "sailing" not in out + err
    _, out, err = run(capsys, *CHECK, "--json")
    assert json.loads(out)["missing"] == [{"row": 1}]
    assert "sailing" not in out + err


def test_a_missing_value_is_shown_with_the_nearest_label_on_request(
    capsys: pytest.CaptureFixture[str], short: Path
) -> None:
    code, _, err = run(capsys, *CHECK, "--show-values")
    assert code == 2
    assert "row 1: 'sailing', nearest label: 'sailling'" in err
    _, out, _ = run(capsys, *CHECK, "--show-values", "--json")
    assert json.loads(out)["missing"] == [{"row": 1, "value": "sailing"}]


def test_a_value_that_only_mentions_a_label_is_missing(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    (made / "in.csv").write_text("likes\nswimming;long swimming\n")
    code, _, err = run(capsys, *CHECK, "--show-values", "--separator", ";")
    assert code == 2
    assert "row 1: 'long swimming'" in err


def test_data_and_column_go_together(capsys: pytest.CaptureFixture[str], made: Path) -> None:
    for arguments in (CHECK[:5], (*CHECK[:3], *CHECK[5:])):
        code, _, err = run(capsys, *arguments)
        assert (code, "both the file with --data and its column" in err) == (2, True)


# ---------------------------------------------------------------------- a run that refuses unknown terms


def test_a_run_that_refuses_unknown_terms_shows_them_on_request_only(
    capsys: pytest.CaptureFixture[str], short: Path
) -> None:
    plan = (short / "plan.toml").read_text().replace('"sports.csv"', '"likes.csv"\non_unknown = "error"')
    (short / "plan.toml").write_text(plan)
    arguments = ("anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml")
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert "column 'likes': terms of 2 records have no concept in 'likes' (first in row 1)" in err
    assert "sailing" not in out + err
    code, out, err = run(capsys, *arguments, "--show-values")
    assert code == 2
    assert "row 1: 'sailing', nearest label: 'sailling'" in err
    assert not (short / "out.csv").exists()


def test_debugging_does_not_show_unknown_terms(capsys: pytest.CaptureFixture[str], short: Path) -> None:
    plan = (short / "plan.toml").read_text().replace('"sports.csv"', '"likes.csv"\non_unknown = "error"')
    (short / "plan.toml").write_text(plan)
    code, out, err = run(capsys, "anonymize", "in.csv", "-o", "out.csv", "--plan", "plan.toml", "--debug")
    assert code == 2
    assert "sailing" not in out + err

"""Columns that make up one set go through a run as the set would."""

import json
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.cli import main
from taxonym.drafting import draft_plan
from taxonym.errors import BadInput, BadPlan
from taxonym.plan import Plan
from taxonym.records.column import Column
from taxonym.records.gathered import gathered, item_names
from tests.door.files import made

ANIMALS = ["dog", "cat", "horse", "cow", "eagle", "salmon", "goat", "duck"]
CELLS = st.sampled_from([*ANIMALS, "", " ", "NA", None])


def rows(seed: int, n: int = 60) -> list[list[str]]:
    r = random.Random(seed)
    return [r.sample(ANIMALS, r.randint(1, 3)) for _ in range(n)]


def plan(**column: Any) -> dict[str, Any]:
    animals = {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet", **column}
    return {"columns": {"animals": animals}, "method": {"seed": 7}}


def numbered(sets: list[list[str]]) -> pl.DataFrame:
    cells = [[*some, *[""] * (3 - len(some))] for some in sets]
    return pl.DataFrame(cells, schema=["a1", "a2", "a3"], orient="row")


def marked(sets: list[list[str]], yes: object, no: object) -> pl.DataFrame:
    return pl.DataFrame({f"has_{name}": [yes if name in some else no for some in sets] for name in ANIMALS})


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=8))
def test_the_items_of_a_row_are_its_cells_that_have_a_value(cells: list[list[str | None]]) -> None:
    frame = pl.DataFrame(cells, schema={"x": pl.String, "y": pl.String, "z": pl.String}, orient="row")
    column = Column(name="s", role="quasi-identifier", kind="set", from_=("x", "y", "z"))
    found = gathered(frame, {"s": column}, "the table", ("NA",))["s"].to_list()
    assert found == [[c.strip() for c in row if c is not None and c.strip() not in ("", "NA")] for row in cells]


@pytest.mark.parametrize(("yes", "no"), [("1", "0"), (1, 0), (1.0, 0.0), (True, False), ("Yes", "No"), ("x", None)])
def test_where_cells_are_marks_the_items_are_names_of_columns(yes: object, no: object) -> None:
    sets, mark = rows(1), "true" if yes is True else "1" if yes in (1, "1") else str(yes).lower()
    column = Column(
        name="s", role="quasi-identifier", kind="set", from_=tuple(f"has_{a}" for a in ANIMALS), marks=(mark,)
    )
    found = gathered(marked(sets, yes, no), {"s": column}, "the table", ())["s"].to_list()
    assert [sorted(some) for some in found] == [sorted(some) for some in sets]


def test_names_of_columns_lose_what_all_begin_with() -> None:
    assert item_names(["pet_dog", "pet_guinea_pig"]) == ["dog", "guinea pig"]
    assert item_names(["dog", "donkey"]) == ["dog", "donkey"]
    assert item_names(["Q1: tea", "Q1: coffee"]) == ["tea", "coffee"]


def test_a_release_is_that_of_the_same_sets_in_one_column(tmp_path: Path) -> None:
    sets = rows(2)
    whole = taxonym.anonymize(pl.DataFrame({"animals": sets}), plan(), baselines=False)
    columns = ["a1", "a2", "a3"]
    from_cells = taxonym.anonymize(numbered(sets), plan(**{"from": columns}), baselines=False)
    names = [f"has_{name}" for name in ANIMALS]
    from_marks = taxonym.anonymize(marked(sets, 1, 0), plan(**{"from": names, "marks": ["1"]}), baselines=False)
    assert from_cells.table.equals(whole.table)
    assert from_marks.table.equals(whole.table)
    assert any("is made of 3 columns" in note for note in from_cells.report["notes"])
    numbered(sets).write_csv(tmp_path / "x.csv")
    (tmp_path / "work").mkdir()
    in_batches = taxonym.anonymize(
        tmp_path / "x.csv", plan(**{"from": columns}), baselines=False, work=tmp_path / "work"
    )
    assert in_batches.table.equals(whole.table)


def test_a_set_made_of_columns_is_verified_measured_and_attacked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = made("vaers.csv", tmp_path)
    draft, out, trail = tmp_path / "plan.toml", tmp_path / "out.csv", tmp_path / "trail.jsonl"
    assert main(["plan", str(data), "-o", str(draft)]) == 0
    run = ["anonymize", str(data), "--plan", str(draft), "-o", str(out), "--trail", str(trail), "--no-baselines"]
    assert main(run) == 0
    pair = ["--plan", str(draft), "--trail", str(trail)]
    assert main(["verify", str(out), "--original", str(data), *pair]) == 0
    capsys.readouterr()
    assert main(["loss", str(data), str(out), *pair, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)
    assert main(["risk", str(data), str(out), *pair]) == 0
    assert main(["concepts", "--file", str(data), "--plan", str(draft), "--column", "symptoms"]) == 0
    assert "nausea" in capsys.readouterr().out
    assert pl.read_csv(out).columns == ["STATE", "AGE_YRS", "SEX", "symptoms"]
    assert (tmp_path / "out.csv.codebook.csv").exists()


def test_what_cannot_be_gathered_is_said_in_one_line() -> None:
    frame = numbered(rows(3))
    with pytest.raises(BadInput, match="there is no column 'a4' among its 3. Correct columns.animals.from"):
        taxonym.anonymize(frame, plan(**{"from": ["a1", "a4"]}))
    with pytest.raises(BadPlan, match=r"columns.animals.from: the table has a column of this name"):
        taxonym.anonymize(frame.rename({"a3": "animals"}), plan(**{"from": ["a1", "a2"]}))
    for wrong, said in (
        ({"kind": "nominal", "from": ["a1"]}, "columns.animals.from: belongs to columns of kind set"),
        ({"marks": ["1"]}, "columns.animals.marks: belongs to a set that is made of columns"),
        ({"from": ["a1", "a1"]}, "columns.animals.from: names a column twice"),
        ({"from": 3}, "columns.animals.from: must be a list of texts"),
    ):
        with pytest.raises(BadPlan, match=said):
            Plan.from_dict(plan(**wrong))


def test_answers_to_numbered_questions_are_no_set(tmp_path: Path) -> None:
    r = random.Random(4)
    answers = ["agree", "disagree", "neutral"]
    frame = pl.DataFrame({f"Q{i}": [r.choice(answers) for _ in range(60)] for i in range(1, 6)})
    frame.write_csv(tmp_path / "x.csv")
    assert [*draft_plan(tmp_path / "x.csv").plan["columns"]] == ["Q1", "Q2", "Q3", "Q4", "Q5"]


def test_numbered_measurements_are_no_set(tmp_path: Path) -> None:
    r = random.Random(5)
    frame = pl.DataFrame({f"score{i}": [r.randint(0, 9) for _ in range(60)] for i in range(1, 4)})
    frame = frame.with_columns(pet=pl.Series([r.choice(ANIMALS) for _ in range(60)]))
    frame.write_csv(tmp_path / "x.csv")
    assert [*draft_plan(tmp_path / "x.csv").plan["columns"]] == ["pet"]

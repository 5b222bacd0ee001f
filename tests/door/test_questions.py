"""What a draft shows, asks and writes."""

import io
import json
import random
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym.cli import main
from taxonym.drafting import draft_plan
from taxonym.drafting.plan_draft import patched
from taxonym.drafting.written_plan import written_plan
from taxonym.plan import Plan
from tests.door.conftest import Drafted
from tests.door.expected import EXPECTED
from tests.door.files import GOODS, made

KEYS = {"role", "kind", "separator", "taxonomy", "coverage", "missing", "examples"}


def shown(command: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert main(command) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("name", ["hospital.csv", "aol.tsv", "letters", "unknown.csv"])
def test_json_has_its_fixed_form(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(["plan", str(made(name, tmp_path)), "--json"], capsys)
    assert {"person", "candidates", "kind", "columns", "questions"} <= found.keys()
    assert (found["person"], found["kind"]) == (EXPECTED[name].person, EXPECTED[name].kind)
    assert all(column.keys() >= KEYS for column in found["columns"].values())
    for question in found["questions"]:
        assert 0 <= question["safe"] < len(question["answers"])
        assert all(tomllib.loads(answer["toml"]) is not None for answer in question["answers"])
    if name == "hospital.csv":
        assert found["candidates"][0] | {"says": ""} == {
            "column": "MRN", "distinct": 54, "rows": 150, "form": "numbers", "says": "",
        }  # fmt: skip
        assert found["columns"]["MRN"]["role"] == "identifier"


@pytest.mark.parametrize("name", EXPECTED)
def test_a_written_draft_is_read_as_the_plan_it_is(name: str, drafted: Drafted) -> None:
    for draft in (drafted(name), drafted(name).safely()):
        text = written_plan(draft)
        read = Plan.from_dict(tomllib.loads(text))
        assert read == Plan.from_dict(patched(draft.plan, {"method": {"k": 5}}))
        assert all(len(line) <= 130 or not line.startswith("#") for line in text.splitlines())


@pytest.mark.parametrize("name", [name for name, one in EXPECTED.items() if one.kind == "table"])
def test_every_answer_to_every_question_gives_a_plan(name: str, drafted: Drafted) -> None:
    draft = drafted(name)
    for question in draft.questions:
        for i in range(len(question.answers)):
            made = draft.answered(question.id, i)
            assert question.id not in {one.id for one in made.questions}
            Plan.from_dict(made.plan)
            Plan.from_dict(tomllib.loads(written_plan(made)))


def test_questions_are_asked_on_the_terminal_and_an_empty_line_is_safe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out = made("hospital.csv", tmp_path), tmp_path / "plan.toml"
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n7\n2\n\n"))
    assert main(["plan", str(data), "--ask", "-o", str(out)]) == 0
    said = capsys.readouterr().err
    assert "Shall a person be one row of the release?" in said
    assert "That is none of the answers." in said
    plan = tomllib.loads(out.read_text())
    assert plan["input"]["person_rows"] == "keep"
    assert plan["columns"]["Admitted"] == {"role": "confidential", "kind": "date"}
    assert plan["columns"]["Diagnosis"]["role"] == "quasi-identifier"
    assert "HIV result" not in plan["columns"]
    assert "unsure" not in out.read_text()


def test_yes_takes_the_answers_that_protect_most(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(["plan", str(made("unknown.csv", tmp_path)), "--yes", "--json"], capsys)
    assert (found["person"], found["questions"]) == ("ref", [])
    assert found["plan"]["columns"]["pet"]["kind"] == "set"


def test_a_draft_that_stops_is_refused_until_a_line_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out, plan = made("unknown.csv", tmp_path), tmp_path / "out.csv", tmp_path / "plan.toml"
    assert main(["anonymize", str(data), "-o", str(out)]) == 2
    said = capsys.readouterr().err
    assert 'person = "ref", or person = false' in said
    assert "role = " in said  # the draft that would be used
    assert main(["plan", str(data), "-o", str(plan)]) == 0
    assert 'person = "ref" or person = false' in capsys.readouterr().out
    assert main(["anonymize", str(data), "--plan", str(plan), "-o", str(out)]) == 2
    assert not out.exists()
    plan.write_text(plan.read_text().replace('# person = "ref"', 'person = "ref"'))
    assert main(["anonymize", str(data), "--plan", str(plan), "-o", str(out), "--no-baselines"]) == 0
    assert out.exists()


def test_a_sound_draft_is_printed_and_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = made("vaers.csv", tmp_path), tmp_path / "out.csv"
    assert main(["anonymize", str(data), "-o", str(out), "--no-baselines"]) == 0
    said = capsys.readouterr().err
    assert 'person = "VAERS_ID"' in said
    assert 'from = ["SYMPTOM1"' in said
    assert pl.read_csv(out).height > 0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 6))
def test_a_draft_shows_no_value_that_fewer_than_k_persons_share(seed: int, k: int) -> None:
    r = random.Random(seed)
    ranges = ["18-24", "25-34", "35-44", "45-54", "55-64", "65-74", "75+"]
    rows = [(f"u{r.randrange(20)}", r.choice(GOODS), r.choices(ranges, [8, 8, 8, 4, 2, 1, 1])[0]) for _ in range(60)]
    frame = pl.DataFrame(rows, schema=["user", "food", "bracket"], orient="row")
    draft = draft_plan(frame, k=k)
    text = written_plan(draft) + json.dumps(draft.as_data())
    for name in ("food", "bracket"):
        holders = frame.group_by(name).agg(pl.col("user").n_unique())
        for value, persons in holders.iter_rows():
            assert persons >= k or (f"{value} =" not in text and f" {value} <" not in text and f"< {value}" not in text)


def test_every_taxonomy_and_their_combination_are_tried(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("child,parent\n" + "".join(f"q{i}x,thing\n" for i in range(10)))
    (tmp_path / "b.csv").write_text("child,parent\n" + "".join(f"z{i}y,stuff\n" for i in range(10)))
    cells = [f"q{i % 10}x" if i % 3 else f"z{i % 10}y" for i in range(60)]
    (tmp_path / "data.csv").write_text("\n".join(["word", *cells]))
    a, b = str(tmp_path / "a.csv"), str(tmp_path / "b.csv")
    draft = draft_plan(tmp_path / "data.csv", [a, b, "wordnet"])
    column = draft.columns[0]
    assert draft.plan["columns"]["word"]["taxonomy"] == [a, b]
    tried = {one.taxonomy: round(one.coverage, 2) for one in column.tried}
    assert tried == {(a,): 0.67, (b,): 0.33, ("wordnet",): 0.0, (a, b): 1.0}
    assert "67%" in column.why

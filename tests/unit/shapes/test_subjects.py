"""What a column is about, on its way through a run: learnt once, kept in the trail, given by a plan, or not known."""

import io
import json
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import taxonym
from taxonym import Finder, Plan, Taxonomy
from taxonym.cli import main
from taxonym.errors import BadPlan
from taxonym.knowledge import compiled
from taxonym.shapes.table.read import prepare
from taxonym.text.votes import learn_column

FRUIT = ["date", "apple", "pear", "plum", "cherry", "fig", "orange", "lemon", "peach", "mango", "melon", "grape"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = {
        "who": [f"p{i}" for i in range(48)],
        "fruit": [";".join({FRUIT[i % 12], FRUIT[i * 5 % 12]}) for i in range(48)],
    }
    pl.DataFrame(rows).write_csv("in.csv")
    return tmp_path


def plan(**fruit: Any) -> dict[str, Any]:
    column = {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}
    return {
        "input": {"path": "in.csv", "person": "who"},
        "columns": {"who": {"role": "identifier"}, "fruit": column | fruit},
        "method": {"k": 3, "seed": 1},
    }


def concepts(settings: dict[str, Any]) -> set[str]:
    words = prepare("in.csv", taxonym.Plan.from_dict(settings)).words[0]
    return {words.tax.id(code) for code in set(words.codes.tolist())}


def test_a_run_reads_a_column_by_what_it_is_about(here: Path) -> None:
    assert "date.n.08" in concepts(plan())
    assert "date.n.01" in concepts(plan(senses="first"))


def test_the_trail_keeps_the_subject_and_a_plan_can_be_given_it(here: Path) -> None:
    release = taxonym.anonymize("in.csv", plan(), baselines=False)
    release.write_trail("trail.jsonl")
    first = json.loads(Path("trail.jsonl").read_text().splitlines()[0])
    [subject] = [told["subjects"]["fruit"] for told in (first, first.get("run", {})) if "subjects" in told]
    assert "date.n.08" in subject["concepts"]
    Path("subject.json").write_text(json.dumps(subject))
    again = taxonym.anonymize("in.csv", plan(subject="subject.json"), baselines=False)
    assert again.frame.equals(release.frame)
    pl.read_csv("in.csv").with_columns(fruit=pl.lit("date")).write_csv("in.csv")  # one word is no column of fruit
    assert concepts(plan()) == {"date.n.01"}
    assert concepts(plan(subject="subject.json")) == {"date.n.08"}


def test_no_report_names_the_subject(here: Path) -> None:
    release = taxonym.anonymize("in.csv", plan(), baselines=False)
    assert "subjects" not in json.dumps(release.report)


def test_a_subject_belongs_to_the_policy_that_asks_for_it() -> None:
    with pytest.raises(BadPlan, match="columns.fruit.subject: belongs to senses = 'column', and this is 'first'"):
        taxonym.Plan.from_dict(plan(senses="first", subject="subject.json"))


def test_noise_does_not_learn_from_the_data(here: Path) -> None:
    settings = plan() | {"method": {"name": "noise"}}
    assert "date.n.01" in concepts(settings)


def test_a_work_folder_learns_what_the_whole_file_tells(here: Path) -> None:
    straight = taxonym.anonymize("in.csv", plan(), baselines=False).frame
    (here / "work").mkdir()
    assert taxonym.anonymize("in.csv", plan(), baselines=False, work=here / "work").frame.equals(straight)


def test_a_codebook_may_name_any_sense_of_a_word_and_nothing_else(here: Path) -> None:
    from taxonym.cli import main

    release = taxonym.anonymize("in.csv", plan(), baselines=False)
    release.write("out.csv")
    Path("plan.toml").write_text(taxonym.Plan.from_dict(plan()).to_toml())
    assert main(["verify", "out.csv", "-k", "3", "--plan", "plan.toml"]) == 0
    book = Path("out.csv.codebook.csv")
    word = next(line for line in book.read_text().splitlines() if "pear.n.01" in line)
    book.write_text(book.read_text().replace(word, word.replace("pear.n.01", "plum.n.02")))
    assert main(["verify", "out.csv", "-k", "3", "--plan", "plan.toml"]) == 1


@pytest.mark.parametrize(
    "method", [{"noise_mechanism": "normal"}, {"noise_mechanism": "exponential", "epsilon": 5.0, "budget": 1e6}]
)
def test_a_stream_is_given_a_subject_by_a_file_or_does_without(
    wordnet: Taxonomy, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, method: dict[str, Any]
) -> None:
    devices = wordnet.under(wordnet.code("device.n.01"))
    compiled.write(devices, here / "devices.taxonym")
    instruments = ["flute", "horn", "drum", "piano", "banjo", "harp", "bugle", "organ", "gong", "lute", "recorder"]
    finder = learn_column(Finder(devices), [[one] for one in instruments], range(11), entries=True)
    assert finder.subject is not None
    finder.subject.write(here / "subject.json", devices)
    column = {"role": "quasi-identifier", "kind": "nominal", "taxonomy": "devices.taxonym"}
    declared = {} if "epsilon" in method else {"mean": "device.n.01", "variance": 0.2}
    found = {}
    about = {"subject": "subject.json"}
    for word, given in product(("horn", "trumpet"), ({}, about)):
        columns = {"who": {"role": "identifier"}, "plays": column | given | declared}
        settings = {"columns": columns, "method": {"name": "noise", **method}}
        settings["input"] = {"person": "who", "person_rows": "keep"}
        Path("plan.toml").write_text(Plan.from_dict(settings).to_toml())
        lines = "".join(json.dumps({"who": i, "plays": word}) + "\n" for i in range(40))
        monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": io.BytesIO(lines.encode())}))
        assert main(["stream", "--plan", "plan.toml", "--seed", "1"]) == 0
        found[word, bool(given)] = [json.loads(line)["plays"] for line in capsys.readouterr().out.splitlines()]
    assert {*map(len, found.values())} == {40}
    assert found["horn", True] == found["trumpet", True]
    assert found["horn", False] != found["trumpet", False]

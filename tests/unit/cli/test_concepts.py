"""taxonym concepts --file: the mapping of a column, what is unknown, and suggestions."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from taxonym import load
from taxonym.text.senses import SENSES, read_overrides
from tests.unit.cli.common import rows_of, run

BASKETS = ["rolls|soda", "Soda|brocoli", "rolls|brocoli", "soda|rolls", "brocoli", "rolls|zyzzyva9", "secretword9"]
PLAN = """
[input]
path = "in.csv"
person = "who"
missing = ["none"]
[columns.who]
role = "identifier"
[columns.items]
role = "quasi-identifier"
kind = "set"
separator = "|"
taxonomy = "wordnet"
senses = "first"
[columns.job]
role = "confidential"
taxonomy = "wordnet"
senses = "first"
exact = true
[columns.note]
role = "quasi-identifier"
kind = "text"
taxonomy = "wordnet"
senses = "first"
[columns.age]
role = "quasi-identifier"
kind = "number"
[method]
k = 3
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seven persons, the last of whom has two rows."""
    with (tmp_path / "in.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["who", "items", "job", "note", "age"])
        for i, items in enumerate([*BASKETS, "secretword9|soda"]):
            rows.writerow([min(i, 6), items, "nurse" if i % 2 else "none", "a cold and a fever", 20 + min(i, 6)])
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def looked_at(capsys: pytest.CaptureFixture[str], column: str, *more: str) -> dict[str, Any]:
    asked = ["concepts", "--file", "in.csv", "--column", column, "--plan", "plan.toml", "--json", *more]
    asked += [] if "--against" in more else ["--against", "none"]
    code, out, err = run(capsys, *asked)
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_set_is_split_as_its_plan_says_and_terms_are_counted_by_persons(
    capsys: pytest.CaptureFixture[str], shop: Path
) -> None:
    found = looked_at(capsys, "items")
    terms = {one["term"]: one for one in found["terms"]}
    assert {term: one["persons"] for term, one in terms.items()} == {"rolls": 4, "soda": 3}
    assert terms["soda"]["concept"] == "sodium_carbonate.n.01"
    assert terms["soda"]["other_senses"] == ["pop.n.02"]
    assert terms["soda"]["hint"] == "salt"
    assert terms["soda"]["gloss"].startswith("a sodium salt")
    assert terms["soda"]["why"] == "exact label; sense 1 of 2"
    assert found["texts"] == 7
    assert [(one["term"], one["persons"]) for one in found["unknown"]] == [("brocoli", 3)]


def test_what_fewer_than_k_persons_wrote_is_counted_and_never_shown(
    capsys: pytest.CaptureFixture[str], shop: Path
) -> None:
    """Two rows of one person are one person."""
    found = looked_at(capsys, "items")
    assert "secretword9" not in json.dumps(found)
    assert "zyzzyva9" not in json.dumps(found)
    assert found["terms_in_fewer_than_min_records"] == 1  # Soda
    assert found["unknown_in_fewer_than_min_records"] == 2
    assert "Soda" in {one["term"] for one in looked_at(capsys, "items", "--min-records", "1")["terms"]}


def test_values_and_texts_of_a_plan_are_read_as_its_run_reads_them(
    capsys: pytest.CaptureFixture[str], shop: Path
) -> None:
    job, note = looked_at(capsys, "job"), looked_at(capsys, "note")
    assert (job["kind"], [one["term"] for one in job["terms"]]) == ("nominal", ["nurse"])
    assert job["terms"][0]["persons"] == 4  # "none" is a missing mark
    assert {one["term"]: one["persons"] for one in note["terms"]} == {"cold": 7, "fever": 7}


def test_every_other_policy_of_the_registry_is_compared_with(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    asked = ("concepts", "--file", "in.csv", "--column", "items", "--plan", "plan.toml", "--json")
    found = json.loads(run(capsys, *asked)[1])
    assert found["senses"] == "first"
    assert set(found["policies"]) == set(SENSES) - {"first"}
    assert set(looked_at(capsys, "items", "--against", "context")["policies"]) == {"context"}


def test_a_term_that_another_policy_reads_otherwise_is_listed(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    (shop / "in.csv").write_text("items\n" + "a cat and a crane and a duck\n" * 5)
    asked = ("concepts", "--file", "in.csv", "--column", "items", "--kind", "text", "--senses", "first", "--json")
    changes = json.loads(run(capsys, *asked, "--against", "best-pair")[1])["policies"]["best-pair"]
    assert changes == [{"term": "crane", "persons": 5, "concept": "crane.n.01", "instead": "crane.n.05"}]


def test_suggestions_are_a_file_of_overrides_that_the_plan_can_name(
    capsys: pytest.CaptureFixture[str], shop: Path
) -> None:
    found = looked_at(capsys, "items", "--suggest", "own.csv", "--min-records", "1")
    suggested = {one["term"]: one["suggestions"] for one in found["unknown"]}
    assert suggested["brocoli"][0]["label"] == "broccoli"
    assert "spelling of 'broccoli'" in suggested["brocoli"][0]["why"]
    lines = {row["term"]: row for row in rows_of(shop / "own.csv")}
    assert lines["secretword9"]["concept"] == "-"
    assert (shop / "own.csv").stat().st_mode & 0o077 == 0
    assert read_overrides(shop / "own.csv", load("wordnet")) == {
        term: load("wordnet").code(row["concept"]) for term, row in lines.items() if row["concept"] != "-"
    }
    text = (shop / "own.csv").read_text().replace("brocoli,-", "brocoli,broccoli.n.02")
    (shop / "own.csv").write_text(text)
    again = looked_at(capsys, "items", "--overrides", "own.csv")
    assert [(one["term"], one["concept"], one["why"]) for one in again["terms"] if one["term"] == "brocoli"] == [
        ("brocoli", "broccoli.n.02", "override")
    ]


def test_nothing_is_replaced_by_a_suggestion_alone(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    looked_at(capsys, "items", "--suggest", "own.csv")
    assert [one["term"] for one in looked_at(capsys, "items")["unknown"]] == ["brocoli"]


def test_a_table_is_printed_for_people(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    asked = ("concepts", "--file", "in.csv", "--column", "items", "--plan", "plan.toml", "--all-senses")
    code, out, _ = run(capsys, *asked, "--against", "context")
    assert code == 0
    lines = out.splitlines()
    assert lines[2].split() == ["persons", "term", "concept", "hint", "why", "gloss"]
    assert lines[3].split()[:3] == ["4", "rolls", "axial_rotation.n.01"]
    assert "    or pop.n.02: a sweet drink" in out
    assert "1 unknown phrases are in 3 or more persons, 2 in fewer (these are never shown)." in out
    assert "With senses = 'context', " in out
    few = run(capsys, *asked, "--limit", "1", "--against", "none")[1]
    assert "1 known terms; 1 more (--limit 0 shows all); 1 of fewer than 3 persons" in few


def test_without_a_plan_the_file_is_looked_at_or_the_options_say(
    capsys: pytest.CaptureFixture[str], shop: Path
) -> None:
    asked = ("concepts", "--file", "in.csv", "--column", "items", "--json", "--min-records", "3", "--against", "none")
    found = json.loads(run(capsys, *asked, "--separator", "|")[1])
    assert found["kind"] == "set"
    assert found["terms"][0]["term"] == "rolls"
    assert found["texts"] == 8
    assert json.loads(run(capsys, *asked, "--kind", "text")[1])["kind"] == "text"


def test_queries_of_a_log_are_a_column(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    lines = "".join(f"{user}\t{n}\theart attack\n" for n, user in enumerate("aabbc"))
    (shop / "log.tsv").write_text(lines)
    (shop / "log.toml").write_text("[querylog]\n[method]\nk = 3\n")
    asked = ("concepts", "--file", "log.tsv", "--plan", "log.toml", "--json", "--against", "none")
    code, out, err = run(capsys, *asked)
    assert code == 0, err
    [one] = json.loads(out)["terms"]
    assert (one["term"], one["concept"], one["persons"]) == ("heart attack", "heart_attack.n.01", 3)
    code, _, err = run(capsys, *asked, "--column", "user")
    assert code == 2
    assert "has the column 'query' only" in err


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--column", "age", "--plan", "plan.toml"], "column 'age' holds numbers, which need no concepts."),
        (["--column", "size", "--plan", "plan.toml"], "columns.size: is not there. It has who, items,"),
        (["--column", "items", "--against", "best"], "senses: 'best' is not known."),
        (["--column", "items", "--kind", "sets"], "--kind: 'sets' is not known. Did you mean 'set'?"),
        (["--column", "items", "--suggest", "in.csv"], "in.csv"),
        ([], "--column: name the column of --file."),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], shop: Path, more: list[str], told: str
) -> None:
    code, _, err = run(capsys, "concepts", "--file", "in.csv", *more)
    assert code == 2
    assert told in err
    assert len(err.splitlines()) == 1


def test_a_plan_without_columns_of_words_is_refused(capsys: pytest.CaptureFixture[str], shop: Path) -> None:
    (shop / "docs.toml").write_text("[documents]\n[method]\nk = 3\n")
    code, _, err = run(capsys, "concepts", "--file", "in.csv", "--column", "items", "--plan", "docs.toml")
    assert code == 2
    assert "a plan for documents has no column of words" in err

"""What the reports of the demo name: concepts that the support rule allows, and nothing else of anybody's words."""

import csv
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import taxonym
from taxonym.demo import EXAMPLES as SHOWN
from taxonym.plan import read_plan
from taxonym.publish.wording import name_of
from taxonym.records.support import holding
from taxonym.render.page import page
from taxonym.shapes.documents.read import prepare_documents
from taxonym.shapes.table.read import prepare
from tests.unit.render.common import EXAMPLES, REPORTS, PageWords, publish

pytestmark = REPORTS
FOLDER = Path(str(files("taxonym") / "examples"))


def told(report: dict[str, Any]) -> str:
    """Everything that a report says, as a page and as data, but for the digests of the page's own scripts; the data
    that a page holds are the same."""
    said = PageWords(page(report)).said
    assert sum(one.startswith('{"taxonym"') for one in said) == 1
    shown = re.sub(r"'sha256-[^']*'", "", " ".join(one for one in said if not one.startswith('{"taxonym"')))
    return json.dumps(report, ensure_ascii=False) + shown


def without_names(report: dict[str, Any]) -> dict[str, Any]:
    return report | {"columns": [column | {"branches": [], "mapped": []} for column in report["columns"]]}


def test_the_demo_shows_examples_that_are_looked_at_here() -> None:
    assert {example.name for example in SHOWN} <= set(EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_named_concept_is_held_by_k_persons_and_named_as_it_may_be(example: str) -> None:
    report, plan = publish(example).report, read_plan(FOLDER / f"{example}.toml")
    units, k = prepare(FOLDER / f"{example}.csv", plan), plan.method.k
    for words, column in zip(units.words, report["columns"], strict=True):
        assert column["branches"]
        records, terms = [words.record(i) for i in range(len(words))], words.written(units.persons)
        for branch in column["branches"]:
            for one in (branch, *branch["concepts"]):
                code = words.maps_to(one["concept"])
                assert code is not None
                assert len(holding(words.tax, records, units.persons.tolist(), [code])) >= k
                wrote = {term.text: term.writers for term in terms.of(code)}
                name = name_of(words.tax, code, words.maps_to)
                assert one["concept"] == name or wrote[one["concept"]] >= k


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_term_whose_meaning_is_told_was_written_by_about_as_many_persons(example: str) -> None:
    report, plan = publish(example).report, read_plan(FOLDER / f"{example}.toml")
    units, k, seen = prepare(FOLDER / f"{example}.csv", plan), plan.method.k, 0
    for words, column in zip(units.words, report["columns"], strict=True):
        terms = words.written(units.persons)
        for one in column["mapped"]:
            assert abs(terms.writers(one["term"]) - one["persons"]) < 4 * k
            assert terms.writers(one["term"]) > k
            assert words.maps_to(one["term"]) == words.maps_to(one["concept"])
            seen += 1
    assert seen


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_identifier_is_in_a_report(example: str) -> None:
    person = {"search-log": "user", "diagnoses": "patient"}.get(example)
    text = told(publish(example).report)
    with (FOLDER / f"{example}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows if person else ():
        assert row[person] not in text
    kept = {"search-log": ("time",), "diagnoses": ("visit",)}.get(example, ())
    assert not any(row[name] in text for row in rows for name in kept)


@pytest.mark.parametrize("example", EXAMPLES)
def test_but_for_named_concepts_all_words_of_a_report_are_those_of_the_program_or_the_plan(example: str) -> None:
    def words(text: str) -> set[str]:
        return set(re.findall(r"[^\W\d_]{2,}", text.lower()))

    report, source = without_names(publish(example).report), Path(taxonym.__file__).parent
    rooms = ("render", "records", "measure", "publish", "promises", "methods", "attack", "report", "shapes")
    program = [path.read_text() for room in rooms for path in (source / room).rglob("*.py")]
    plan = (FOLDER / f"{example}.toml").read_text()
    prints = " ".join(column["taxonomy_fingerprint"] or "" for column in report["columns"])
    assert words(told(report)) <= words(
        " ".join([*program, plan, prints, *report["versions"], *report["plan"]["method"]])
    )


def test_no_author_no_address_and_no_path_is_in_a_report_of_documents_or_of_a_log() -> None:
    with (FOLDER / "proposals.csv").open(newline="") as file:
        applicants = {row["applicant"] for row in csv.DictReader(file)}
    text = told(publish("proposals").report)
    assert not [name for name in applicants if re.search(rf"\b{name}\b", text)]
    lines = [line.split() for line in (FOLDER / "access.log").read_text().splitlines()]
    text = told(publish("access-log").report)
    assert not {line[0] for line in lines if line[0] in text}
    assert not {line[6] for line in lines if len(line[6]) > 1 and line[6] in text}


def test_what_documents_are_about_is_told_in_concepts_that_k_authors_hold() -> None:
    plan = read_plan(FOLDER / "proposals.toml")
    words = prepare_documents(FOLDER / "proposals.csv", plan).words
    records = [words.record(i) for i in range(len(words))]
    (column,) = publish("proposals").report["columns"]
    assert column["branches"]
    for branch in column["branches"]:
        for one in (branch, *branch["concepts"]):
            code = words.tax.code(one["concept"]) if "." in one["concept"] else words.maps_to(one["concept"])
            assert code is not None
            assert len(holding(words.tax, records, list(range(len(words))), [code])) >= plan.method.k

"""Reports of random releases: what they name, and what could be computed from their figures."""

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from taxonym.errors import BrokenPromise
from taxonym.render.page import page
from taxonym.report.disclosure import PrivateDisclosure
from taxonym.report.figures import loss_told
from taxonym.run.release import Release
from tests.properties.test_pipeline import publish, written
from tests.releases import SEED, Case, Row, cases, record_of
from tests.unit.render.common import PageWords


def released(case: Case) -> tuple[Release, list[Row]]:
    """The release of a case and the records of its trail."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            release = publish(case, folder)
        except BrokenPromise:
            assume(False)
        return release, written(release, folder, ".csv")[2]


def may_be_told(case: Case, column: str, word: str) -> bool:
    """The support rule, by hand: k persons hold the concept, and the word is its name or k persons wrote it."""
    concept = case.concept(column, word)
    if concept is None or sum(concept in mine for mine in case.held().values()) < case.k:
        return False
    code = concept[1]
    named = isinstance(code, int) and not case.tax.is_instance(code)
    names = [*case.tax.labels(code), case.tax.id(code)] if named else []
    return word in names or case.writers(column, word) >= case.k


@given(case=cases(max_rows=24) | cases(max_rows=24, representative="medoid"))
@settings(max_examples=25)
def test_no_report_names_what_the_support_rule_forbids_nor_an_identifier(case: Case) -> None:
    release, _ = released(case)
    for column in release.report["columns"]:
        for branch in column["branches"]:
            for one in (branch, *branch["concepts"]):
                assert may_be_told(case, column["name"], one["concept"])
        for one in column["mapped"]:
            assert case.writers(column["name"], one["term"]) > case.k
            assert may_be_told(case, column["name"], one["concept"])
    quiet = json.dumps(release.report) + " ".join(PageWords(page(release.report)).said)
    cells = {(name, str(value)) for row in case.rows for name, value in row.items() if value is not None}
    terms = {(name, part) for name, value in cells for part in value.split(";")}
    for name, term in terms:
        if name not in case.of_words() or not may_be_told(case, name, term):
            elsewhere = {other for other in case.of_words() if may_be_told(case, other, term)}
            settings_ = json.dumps(release.report["plan"])  # names of columns and roles are nobody's value
            if not elsewhere and term not in settings_:
                assert not re.search(rf"(?<![\w.]){re.escape(term)}(?![\w.])", quiet), (name, term)
    assert str(SEED) not in quiet


@given(case=cases(max_rows=24))
@settings(max_examples=15)
def test_branches_are_counted_before_in_private_only(case: Case) -> None:
    release, trail = released(case)
    records = record_of(trail)
    published = {case.person(record["rows"][0] - 1) for record in records.values()}
    held = case.held()
    for told, private in zip(release.report["columns"], release.private_report()["columns"], strict=True):
        for branch, exact in zip(told["branches"], private["branches"], strict=True):
            for one, other in zip((branch, *branch["concepts"]), (exact, *exact["concepts"]), strict=True):
                concept = case.concept(told["name"], one["concept"])
                assert one["persons_before"] is None
                true = sum(concept in held[person] for person in published)  # of all records of a person
                assert true - case.k < other["persons_before"] <= true + case.k


@given(case=cases(max_rows=24), data=st.data())
@settings(max_examples=10)
def test_a_page_shows_whatever_part_of_a_report_there_is(case: Case, data: st.DataObject) -> None:
    report = released(case)[0].report
    kept = data.draw(st.sets(st.sampled_from(sorted(report))))
    shown = page({key: report[key] for key in kept})
    assert shown.count("<h1>") == 1
    assert shown.endswith("</html>\n")


@given(case=cases(max_rows=24), data=st.data())
@settings(max_examples=15)
def test_the_headline_loss_never_falls_when_persons_are_suppressed_in_addition(case: Case, data: st.DataObject) -> None:
    release, trail = released(case)
    exact = release.private_report()
    lost = {}
    for record in trail:
        if record["release_row"]:
            lost.setdefault(case.person(record["rows"][0] - 1), []).append(record["loss"])
    assume(exact["records"]["rows"] == exact["records"]["persons"])  # who has several rows has several losses
    left = exact["records"]["persons"] - exact["records"]["published_persons"]
    told = [mine[0] for mine in lost.values()]
    assert exact["loss"]["mean"] == pytest.approx((sum(told) + left) / (len(told) + left))
    more = data.draw(st.integers(0, len(told) - 1))
    guard, gone = PrivateDisclosure(case.k), data.draw(st.permutations(told))[more:]
    records = guard.public({"published_persons": len(gone), "suppressed_persons": {"some": left, "more": more}})
    about = exact["loss"] | {"mean": sum(gone) / len(gone)}
    assert loss_told(guard, about, len(gone), None, records).value["mean"] >= exact["loss"]["mean"] - 1e-9

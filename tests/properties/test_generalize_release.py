"""Whole releases by generalisation, of random tables: written, read back by other means, and counted by hand."""

import tempfile
from collections import defaultdict
from collections.abc import Hashable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from taxonym.errors import BrokenPromise
from taxonym.plan import RECODINGS
from taxonym.publish.generalize.costs import COSTS
from tests.properties.test_pipeline import publish, written
from tests.releases import (
    SEED,
    Case,
    Concept,
    Row,
    cases,
    check_all_accounted_for,
    check_classes,
    check_support,
    meant,
    record_of,
    split,
)


@st.composite
def generalizing(draw: st.DrawFn, max_rows: int = 18) -> Case:
    """A table of words alone, to be generalised in some way."""
    case = draw(cases(max_rows))
    recoding = draw(st.sampled_from(RECODINGS))
    columns = {name: dict(c) for name, c in case.columns.items() if name not in ("age", "born")}
    rows = [{name: cell for name, cell in row.items() if name not in ("age", "born")} for row in case.rows]
    whose = dict(case.input)
    if recoding == "full-domain":
        whose = {"person": False}  # of a person with several rows, nominal columns become sets
        columns["words"] |= {"kind": "nominal"}
        rows = [row | {"words": (split(row["words"]) or [None])[0]} for row in rows]
    method: dict[str, Any] = {
        "name": "generalize",
        "k": case.k,
        "recoding": recoding,
        "cost": draw(st.sampled_from(sorted(COSTS))),
        "suppress": draw(st.sampled_from([0.0, 0.0, 0.3])),
        "known_items": draw(st.sampled_from([1, 2, 3])),
        "representative": "best",
        "seed": SEED,
    }
    return Case(case.tax, rows, columns, method, whose, case.output)


def check_combinations(case: Case, rows: list[Row], trail: list[Row]) -> None:
    """At least k persons have every combination of at most m published words, among rows with equal other columns."""
    records, persons = record_of(trail), defaultdict[Hashable, set[Hashable]](set)
    other = [name for name in case.published() if case.columns[name]["role"] == "other"]
    for number, row in enumerate(rows, 1):
        items = sorted({(name, word) for name in case.of_words() for word in split(row[name])})
        for size in range(1, case.method["known_items"] + 1):
            for some in combinations(items, size):
                key = tuple(row[name] for name in other), some
                persons[key].add(case.person(records[number]["rows"][0] - 1))
    assert all(len(whose) >= case.k for whose in persons.values())


def check_truth(case: Case, rows: list[Row], trail: list[Row]) -> None:
    """Whatever is published for somebody is something that this person holds, each concept with another item."""
    held, own, records = case.held(), case.items(), record_of(trail)
    for number, row in enumerate(rows, 1):
        person, said = case.person(records[number]["rows"][0] - 1), meant(case, row)
        assert said <= held[person]
        assert is_matched([{item for item in own[person] if concept in case.above(item)} for concept in said])


def is_matched(choices: list[set[Concept]]) -> bool:
    """Whether every set can give an element that no other gives: Hall's theorem."""
    some = (few for size in range(1, len(choices) + 1) for few in combinations(choices, size))
    return all(len(set[Concept]().union(*few)) >= len(few) for few in some)


@given(case=generalizing(), suffix=st.sampled_from([".csv", ".jsonl", ".parquet"]))
def test_a_generalised_release_keeps_its_promise_and_says_nothing_false(case: Case, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            release = publish(case, folder, suffix)
        except BrokenPromise:
            assume(False)
        _, rows, trail = written(release, folder, suffix)
    check_truth(case, rows, trail)
    check_support(case, rows)
    check_all_accounted_for(case, rows, trail, release.report)
    if case.method["recoding"] == "items":
        check_combinations(case, rows, trail)
        assert release.report["promise"]["kind"] == "k^m"
    else:
        check_classes(case, rows, trail)
        assert release.report["promise"]["kind"] == "k"


@given(case=generalizing(12), data=st.data())
@settings(max_examples=30)
def test_a_generalised_release_does_not_depend_on_the_order_of_the_rows(case: Case, data: st.DataObject) -> None:
    case.output["shuffle"] = True
    order = data.draw(st.permutations(range(len(case.rows))))
    turned = Case(case.tax, [case.rows[i] for i in order], case.columns, case.method, case.input, case.output)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            first = written(publish(case, folder), folder, ".csv")[0]
        except BrokenPromise:
            with pytest.raises(BrokenPromise):
                publish(turned, folder)
            return
        assert written(publish(turned, folder), folder, ".csv")[0] == first

"""Whole releases that promise l and t: recounted from the written file and the original rows by brute force."""

import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Hashable
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.errors import BrokenPromise
from taxonym.measure.transport import emd
from taxonym.run.release import Release
from tests.properties.test_pipeline import REFUSALS, written
from tests.releases import (
    UNKNOWN,
    Case,
    Row,
    cases,
    check_all_accounted_for,
    check_classes,
    meant,
    record_of,
    write_rows,
)

REFUSED = REFUSALS + "|cannot be kept, even with all"
Class = dict[Hashable, set[Any]]  # the values of each person in it


@st.composite
def watchful(draw: st.DrawFn) -> Case:
    """Cases with an illness (of the taxonomy), a fee (a number) or both as confidential columns, and promises."""
    case = draw(cases())
    dice = random.Random(draw(st.integers(0, 2**32)))
    labels = [case.tax.label(code) for code in range(len(case.tax))]
    few = dice.sample([*labels, *UNKNOWN], 3 if len(labels) > 2 else len(labels))
    fee = {case.person(i): dice.choice([None, 10, 20, 20, 35.5]) for i in range(len(case.rows))}
    for i, row in enumerate(case.rows):
        row["ill"] = None if dice.random() < 0.1 else dice.choice(few)
        row["fee"] = fee[case.person(i)]
    for name in draw(st.sampled_from([["ill"], ["fee"], ["ill", "fee"]])):
        case.columns[name] = {"role": "confidential"}
    if "ill" in case.columns and draw(st.booleans()):
        case.columns["ill"]["taxonomy"] = True
    if "fee" in case.columns:
        case.columns["fee"]["kind"] = "number"
    l, t = draw(  # noqa: E741
        st.sampled_from([(2, None), (3, None), (None, 0.5), (None, 0.2), (2, 0.4)])
    )
    case.method |= {} if l is None else {"l": l, "l_kind": draw(st.sampled_from(["distinct", "entropy"]))}
    case.method |= {} if t is None else {"t": t, "t_distance": draw(st.sampled_from(["semantic", "equal"]))}
    return case


def publish(case: Case, folder: Path) -> Release:
    write_rows(case.rows, folder / "in.csv")
    try:
        return taxonym.anonymize(folder / "in.csv", case.plan(folder), baselines=False)
    except BrokenPromise as refusal:
        if not re.search(REFUSED, str(refusal)):
            pytest.fail(str(refusal))
        raise


def classes_of(case: Case, rows: list[Row], trail: list[Row], name: str) -> list[Class]:
    """The values of every person in every class, read from the original rows."""
    records, found = record_of(trail), defaultdict(lambda: defaultdict(set))  # type: ignore[var-annotated]
    seen = [n for n in case.published() if case.columns[n]["role"] != "confidential"]
    drawn = case.method["representative"] == "per-record"
    for number, row in enumerate(rows, 1):
        plain = tuple(row[n] for n in seen if not drawn or n not in case.of_words())
        key = (plain, frozenset(meant(case, row)) if drawn else None)
        for i in records[number]["rows"]:
            mine = found[key][case.person(i - 1)]
            value = case.rows[i - 1][name]
            if value is not None:
                mine.add(case.concept(name, value) if name == "ill" else value)
    return [{who: values or {None} for who, values in one.items()} for one in found.values()]


def reached_l(one: Class, kind: str) -> float:
    if set.intersection(*one.values()):
        return 1
    counts = Counter(map(frozenset, one.values()))
    return len(counts) if kind == "distinct" else exp(-sum(n / len(one) * log(n / len(one)) for n in counts.values()))


def reached_t(case: Case, classes: list[Class], name: str) -> float:
    """The largest earth mover's distance of a class to all of them together, as a linear programme."""
    domain = sorted({v for one in classes for mine in one.values() for v in mine}, key=lambda v: (v is None, str(v)))
    numbers = sorted(v for v in domain if v is not None) if name == "fee" else []

    def far(a: Any, b: Any) -> float:
        if a == b:
            return 0
        if case.method["t_distance"] == "semantic":
            if a in numbers and b in numbers:
                return abs(numbers.index(a) - numbers.index(b)) / (len(numbers) - 1)
            if len(numbers) > 1:
                return 1 / 2 + abs(numbers.index(b if a is None else a) / (len(numbers) - 1) - 1 / 2)
            if name == "ill" and "taxonomy" in case.columns[name] and a and b:
                codes = a[1], b[1]
                return taxonym.concept_distance(case.tax, *codes) if all(type(c) is int for c in codes) else 1
        return 1

    def spread(persons: list[set[Any]]) -> np.ndarray:
        return np.array([sum((v in mine) / len(mine) for mine in persons) / len(persons) for v in domain])

    overall = spread([mine for one in classes for mine in one.values()])
    apart = np.array([[far(a, b) for a in domain] for b in domain])
    return max(emd(spread(list(one.values())), overall, apart) for one in classes)


@given(case=watchful())
@settings(max_examples=80)
def test_a_written_release_keeps_l_and_t_or_is_refused(case: Case) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            release = publish(case, folder)
        except BrokenPromise:
            assume(False)
        _, rows, trail = written(release, folder, ".csv")
    check_classes(case, rows, trail)
    check_all_accounted_for(case, rows, trail, release.report)
    names = [name for name in case.columns if case.columns[name]["role"] == "confidential"]
    told = {found["column"]: found for found in release.private_report()["watched"]}
    assert list(told) == [name for name in case.published() if name in names]
    for name in {"ill", "fee"} & set(names):
        classes = classes_of(case, rows, trail, name)
        if "l" in case.method:
            assert min(reached_l(one, case.method["l_kind"]) for one in classes) >= case.method["l"] - 1e-9
        assert told[name]["smallest_distinct_l"] == min(reached_l(one, "distinct") for one in classes)
        assert told[name]["smallest_entropy_l"] == pytest.approx(
            min(reached_l(one, "entropy") for one in classes), abs=1e-4
        )
        if "t" in case.method:
            found = reached_t(case, classes, name)
            assert found <= case.method["t"] + 1e-7
            assert told[name]["largest_t"][case.method["t_distance"]] == pytest.approx(found, abs=1e-4)


@given(case=watchful(), data=st.data())
@settings(max_examples=25)
def test_groups_that_were_merged_do_not_depend_on_the_order_of_the_rows(case: Case, data: st.DataObject) -> None:
    case.output["shuffle"] = True
    order = data.draw(st.permutations(range(len(case.rows))))
    turned = Case(case.tax, [case.rows[i] for i in order], case.columns, case.method, case.input, case.output)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            content = written(publish(case, folder), folder, ".csv")[0]
        except BrokenPromise as refusal:
            with pytest.raises(BrokenPromise, match=f"^{re.escape(str(refusal))}$"):
                publish(turned, folder)
            return
        assert written(publish(turned, folder), folder, ".csv")[0] == content

"""Whole releases of random tables: written to a file, read back by other means, and counted by hand."""

import json
import re
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.errors import BrokenPromise
from taxonym.run.release import Release
from tests.releases import (
    SEED,
    UNKNOWN,
    Case,
    Row,
    cases,
    check_all_accounted_for,
    check_classes,
    check_ranges,
    check_support,
    meant,
    read_rows,
    record_of,
    write_rows,
)

REFUSALS = (
    "nobody could hide|have nothing in common|every record would have to be suppressed|no group has a concept that"
)
SUFFIXES = [".csv", ".jsonl", ".parquet"]


def publish(case: Case, folder: Path, suffix: str = ".csv", baselines: bool = False) -> Release:
    """The release of a case; it may be refused, but not for a reason such as our own proof."""
    source = folder / f"in{suffix}"
    write_rows(case.rows, source)
    try:
        return taxonym.anonymize(source, case.plan(folder), baselines=baselines)
    except BrokenPromise as refusal:
        if not re.search(REFUSALS, str(refusal)):
            pytest.fail(str(refusal))
        raise


def written(release: Release, folder: Path, suffix: str) -> tuple[bytes, list[Row], list[Row]]:
    """The bytes of the release, its rows, and the records of the trail."""
    out, private = folder / f"out{suffix}", folder / "trail"
    release.write(out)
    release.write_trail(private)
    return out.read_bytes(), read_rows(out), [json.loads(line) for line in private.read_text().splitlines()[1:]]


@given(case=cases(), suffix=st.sampled_from(SUFFIXES))
def test_a_written_release_keeps_every_promise(case: Case, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            release = publish(case, folder, suffix)
        except BrokenPromise:
            assume(False)
        _, rows, trail = written(release, folder, suffix)
    check_classes(case, rows, trail)
    check_support(case, rows)
    check_all_accounted_for(case, rows, trail, release.report)
    check_ranges(case, rows, trail)
    grouped = {row - 1 for record in trail if record["release_row"] for row in record["rows"]}
    assert sorted(row for group in release.groups for row in group) == sorted(grouped)


@given(case=cases(max_rows=12), suffix=st.sampled_from(SUFFIXES), data=st.data())
@settings(max_examples=40)
def test_a_seed_fixes_the_bytes_whatever_the_order_of_the_rows(case: Case, suffix: str, data: st.DataObject) -> None:
    case.output["shuffle"] = True
    order = data.draw(st.permutations(range(len(case.rows))))
    turned = Case(case.tax, [case.rows[i] for i in order], case.columns, case.method, case.input, case.output)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            first = publish(case, folder, suffix)
        except BrokenPromise as refusal:
            with pytest.raises(BrokenPromise, match=f"^{re.escape(str(refusal))}$"):
                publish(turned, folder, suffix)
            return
        content = written(first, folder, suffix)[0]
        assert written(publish(case, folder, suffix), folder, suffix)[0] == content
        other = publish(turned, folder, suffix)
        assert written(other, folder, suffix)[0] == content

    def told(of: Case, release: Release) -> Counter[tuple[str, ...]]:
        """The groups, each as what its rows say: records that say the same may change places."""
        return Counter(tuple(sorted(of.record(row) for row in group)) for group in release.groups)

    assert told(turned, other) == told(case, first)


@given(case=cases(), suffix=st.sampled_from(SUFFIXES))
@settings(max_examples=30)
def test_without_shuffling_the_rows_stay_in_their_order(case: Case, suffix: str) -> None:
    case.output["shuffle"] = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            _, rows, trail = written(publish(case, folder, suffix), folder, suffix)
        except BrokenPromise:
            assume(False)
    records = record_of(trail)
    first = [records[number]["rows"][0] for number in range(1, len(rows) + 1)]
    assert first == sorted(first)
    for name in ("pay", "site"):
        if name in case.columns and case.input.get("person_rows") != "unite":
            cells = zip([row[name] for row in rows], [case.rows[row - 1][name] for row in first], strict=True)
            assert all(found in (own, None) for found, own in cells)  # what few share is emptied


@given(case=cases(max_rows=8), less=st.integers(1, 3))
@settings(max_examples=20)
def test_fewer_persons_than_k_are_refused(case: Case, less: int) -> None:
    persons = len({case.person(row) for row in range(len(case.rows))})
    case.method["k"] = persons + less
    with tempfile.TemporaryDirectory() as name, pytest.raises(BrokenPromise, match="nobody could hide"):
        publish(case, Path(name))


@given(case=cases())
@settings(max_examples=30)
def test_a_report_has_no_value_no_seed_and_no_small_count(case: Case) -> None:
    with tempfile.TemporaryDirectory() as name:
        try:
            report = publish(case, Path(name), baselines=True).report
        except BrokenPromise:
            assume(False)
    named = [{key: value for key, value in column.items() if key != "branches"} for column in report["columns"]]
    text = json.dumps({key: value for key, value in report.items() if key != "plan"} | {"columns": named})
    cells = {part for row in case.rows for value in row.values() if value is not None for part in str(value).split(";")}
    for value in (*cells, *UNKNOWN, "(missing)", SEED):
        assert not re.search(rf"(?<![\w.]){re.escape(str(value))}(?![\w.])", text)
    assert str(SEED) not in json.dumps(report["plan"])
    sizes = report["groups"]
    assert min(sizes["smallest"], *sizes["sizes"]) >= case.k
    assert "groups" not in report["loss"]
    records = report["records"]
    for total, published in (("rows", "published_rows"), ("persons", "published_persons")):
        if (
            records["suppressed_persons"]
            and isinstance(records[total], int)
            and case.input.get("person_rows") != "keep"
        ):
            assert records[total] - records[published] >= case.k  # nor by subtraction


# ---------------------------------------------------------------------- other ways to publish


@given(case=cases(representative="per-record"))
@settings(max_examples=30)
def test_drawn_records_of_a_group_have_equal_concepts(case: Case) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            release = publish(case, folder)
        except BrokenPromise:
            assume(False)
        _, rows, trail = written(release, folder, ".csv")
    assert release.report["promise"]["kind"] == "k by concept"
    assert "has the same concepts as" in release.report["verdict"]
    said: dict[int, set[frozenset[object]]] = {}
    for number, record in record_of(trail).items():
        said.setdefault(record["group"], set()).add(frozenset(meant(case, rows[number - 1])))
    assert all(len(concepts) == 1 for concepts in said.values())


@given(case=cases(representative="medoid"))
@settings(max_examples=30)
def test_the_plain_medoid_is_a_member_so_far_as_there_are_words_for_it(case: Case) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            release = publish(case, folder)
        except BrokenPromise:
            assume(False)
        _, rows, trail = written(release, folder, ".csv")
    check_classes(case, rows, trail)
    assert release.report["support_rule"]["exposes"] == "all concepts of one person's record"
    held: dict[object, dict[str, set[object]]] = {}
    for row in range(len(case.rows)):
        mine = held.setdefault(case.person(row), {name: set() for name in case.of_words()})
        for name in case.of_words():
            mine[name] |= {case.concept(name, term) for term in case.terms(row, name) or ["(missing)"]}
    for number, record in record_of(trail).items():
        members = [row - 1 for other in trail if other["group"] == record["group"] for row in other["rows"]]
        for name in case.of_words():
            published = {c for c in meant(case, rows[number - 1]) if c[0] == name}
            assert any(published <= held[case.person(row)][name] for row in members)


@given(case=cases(representative="best"))
@settings(max_examples=30)
def test_under_consensus_half_of_the_group_holds_every_concept(case: Case) -> None:
    case.method["consensus"] = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            _, rows, trail = written(publish(case, folder), folder, ".csv")
        except BrokenPromise:
            assume(False)
    held = case.held()
    for number, record in record_of(trail).items():
        group = {case.person(other["rows"][0] - 1) for other in trail if other["group"] == record["group"]}
        for concept in meant(case, rows[number - 1]):
            assert 2 * sum(concept in held[person] for person in group) >= len(group)

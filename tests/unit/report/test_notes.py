"""Sentences of a report that depend on what the run was about."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import taxonym
from taxonym.plan import Plan
from taxonym.report.disclosure import Disclosure, PrivateDisclosure
from taxonym.report.sentences import IN_BLOCKS, ONE_BLOCK, in_blocks

NUMBERS = {"columns": {"age": {"role": "quasi-identifier", "kind": "number"}}, "method": {"k": 2, "seed": 1}}
LINE = '192.0.2.{} - - [02/Mar/2026:10:00:11 +0000] "GET / HTTP/1.1" 200 7\n'


def test_numbers_are_not_away_in_meaning() -> None:
    verdict = taxonym.anonymize(pl.DataFrame({"age": [1, 2, 8, 9] * 10}), NUMBERS).report["verdict"]
    assert "away from the original" in verdict
    assert "in meaning" not in verdict


def records(folder: Path, kind: str) -> tuple[Any, dict[str, Any]]:
    """A few records of a kind, and a plan for them."""
    if kind == "table":
        return pl.DataFrame({"age": [1, 2, 8, 9]}), {"columns": NUMBERS["columns"]}
    if kind == "documents":
        return pl.DataFrame({"text": ["a dog", "a dog", "a cat", "a cat"]}), {"documents": {}}
    if kind == "querylog":
        return pl.DataFrame({"user": [1, 2, 3, 4], "query": ["dog", "dog", "cat", "cat"]}), {"querylog": {}}
    (folder / "in.log").write_text("".join(LINE.format(i) for i in range(4)))
    return folder / "in.log", {"accesslog": {}}


@pytest.mark.parametrize("kind", ["table", "querylog", "accesslog", "documents"])
def test_blocks_that_were_asked_for_and_not_needed_are_told(tmp_path: Path, kind: str) -> None:
    source, plan = records(tmp_path, kind)
    for blocks, told in (("always", True), ("auto", False)):
        notes = taxonym.anonymize(source, plan | {"method": {"k": 2, "blocks": blocks}}).report["notes"]
        assert (ONE_BLOCK in notes) == told


@pytest.mark.parametrize(
    ("gigabytes", "told"), [(12.0, "12 GB"), (0.8, "800 MB"), (0.0072, "7.2 MB"), (0.00072, "less than 1 MB")]
)
def test_memory_is_told_in_a_unit_that_people_use(gigabytes: float, told: str) -> None:
    found = {"count": 2, "largest": 9, "exact_would_need_gb": gigabytes}
    note, exactly = in_blocks(PrivateDisclosure(2), found, Plan.from_dict(NUMBERS))
    assert note.value == IN_BLOCKS
    assert exactly.value.endswith(f"exact grouping would need {told}.")
    public = Disclosure(2)
    assert public.rows(in_blocks(public, found, Plan.from_dict(NUMBERS))).value == [IN_BLOCKS]

"""Releases of records that are grouped in blocks, small enough to be counted by hand."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taxonym
from taxonym.errors import BadInput, BrokenPromise
from taxonym.executor import machine
from taxonym.methods import microaggregation as local
from taxonym.run.release import Release
from tests.properties.test_pipeline import publish, written
from tests.releases import (
    Case,
    cases,
    check_all_accounted_for,
    check_classes,
    check_ranges,
    check_support,
)

WORDS = [
    "dog", "cat", "horse", "cow", "sheep", "goat", "oak", "elm", "birch", "rose", "tulip", "lily", "car", "truck",
    "bus", "train", "boat", "ship", "bread", "cheese", "butter", "apple", "pear", "plum", "chair", "table", "bed",
]  # fmt: skip


def table(n: int, words: list[str] = WORDS) -> pl.DataFrame:
    """Sets of words, jobs and ages; the same first records whatever their number."""
    dice = np.random.default_rng(5)
    sets = [";".join(dice.choice(words, dice.integers(1, 5), replace=False)) for _ in range(n)]
    jobs = dice.choice(["nurse", "teacher", "farmer", "baker", "miner"], n)
    pays = dice.choice(["low", "high"], n)
    return pl.DataFrame({"words": sets, "job": jobs, "age": dice.integers(20, 80, n), "pay": pays})


def plan(names: tuple[str, ...] = ("words",), **method: Any) -> dict[str, Any]:
    quasi = {"role": "quasi-identifier", "taxonomy": "wordnet"}
    columns: dict[str, Any] = {"words": quasi | {"kind": "set"}, "job": quasi | {"kind": "nominal"}}
    columns["age"] = {"role": "quasi-identifier", "kind": "number"}
    chosen = {name: columns[name] for name in names} | {"pay": {"role": "confidential"}}
    return {"columns": chosen, "method": {"k": 3, "seed": 1, "block_size": 20, **method}}


def anonymized(data: pl.DataFrame, settings: dict[str, Any], **how: Any) -> Release:
    return taxonym.anonymize(data, settings, baselines=False, **how)


def classes_hold(release: Release, k: int) -> bool:
    open_ = [name for name in release.frame.columns if name != "pay"]
    return int(release.frame.group_by(open_).len()["len"].min()) >= k  # type: ignore[arg-type]


# ---------------------------------------------------------------------- promises


@given(case=cases(max_rows=48), size=st.integers(1, 12), name=st.sampled_from(["refined", "mdav", "adaptive-mdav"]))
def test_a_release_in_blocks_keeps_every_promise(case: Case, size: int, name: str) -> None:
    case = replace(case, method=case.method | {"blocks": "always", "block_size": size, "name": name})
    with tempfile.TemporaryDirectory() as folder:
        try:
            release = publish(case, Path(folder))
        except BrokenPromise:
            return
        _, rows, trail = written(release, Path(folder), ".csv")
        check_classes(case, rows, trail)
        check_support(case, rows)
        check_ranges(case, rows, trail)
        check_all_accounted_for(case, rows, trail, release.report)


@pytest.mark.parametrize("names", [("words",), ("job",), ("age",), ("words", "job", "age")])
def test_workers_change_nothing(names: tuple[str, ...]) -> None:
    data, settings = table(300), plan(names, blocks="always")
    made = [anonymized(data, settings, workers=workers) for workers in (1, 2, 3)]
    assert made[0].private_report()["groups"]["blocks"]["count"] > 5 or names == ("job",)
    for other in made[1:]:
        assert other.frame.equals(made[0].frame)
        assert other.groups == made[0].groups
        assert json.dumps(other.report, sort_keys=True) == json.dumps(made[0].report, sort_keys=True)


# ---------------------------------------------------------------------- when


def test_blocks_are_chosen_above_the_limit_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "EXACT", 60)
    at, above = (anonymized(table(n), plan()) for n in (60, 61))
    assert "blocks" not in at.private_report()["groups"]
    found = above.private_report()["groups"]["blocks"]
    assert found["count"] >= 2
    assert found["largest"] <= 30
    assert found["exact_would_need_gb"] >= 0
    assert any(note.startswith(f"Grouped in {found['count']} blocks") for note in above.private_report()["notes"])
    assert classes_hold(above, 3)
    assert not any("blocks" in note for note in at.report["notes"])
    assert "blocks" not in anonymized(table(61), plan(blocks="never")).private_report()["groups"]


def test_one_block_gives_the_exact_release() -> None:
    data = table(60)
    exact, one = (anonymized(data, plan(blocks=way, block_size=100)) for way in ("never", "always"))
    assert exact.frame.equals(one.frame)
    assert "blocks" not in one.private_report()["groups"]


def test_blocks_are_chosen_where_distances_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "in_use", lambda: 0)
    data = table(400)
    assert anonymized(data, plan(), max_memory="200K").private_report()["groups"]["blocks"]["count"] > 5
    assert "blocks" not in anonymized(data, plan(), max_memory="1G").private_report()["groups"]
    with pytest.raises(BadInput, match="the distances between 400 records would take"):
        anonymized(data, plan(blocks="never"), max_memory="200K")
    with pytest.raises(BadInput, match="a block of 20 records would take"):
        anonymized(data, plan(), max_memory="1K")


def test_the_baselines_are_formed_in_blocks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "in_use", lambda: 0)
    release = taxonym.anonymize(table(300), plan(), max_memory="150K")
    ways = release.private_report()["loss"]["mean_to_plain_medoids"]
    assert ways["these_groups"] < ways["random_groups"]
    assert {"groups_by_equal", "groups_by_equal_terms"} <= set(ways)


# ---------------------------------------------------------------------- hard cases


@pytest.mark.parametrize("words", [WORDS[:6], ["dog"]], ids=["one topic", "all equal"])
def test_records_that_hardly_differ_are_cut_into_blocks_that_hold(words: list[str]) -> None:
    data = table(250, [*words, *words[:1]]) if len(words) > 1 else table(250).with_columns(words=pl.lit("dog"))
    release = anonymized(data, plan(blocks="always", k=5))
    found = release.private_report()["groups"]["blocks"]
    assert found["count"] >= 250 // 30
    assert found["largest"] <= 30
    assert classes_hold(release, 5)
    assert release.frame.height == 250
    assert release.report["groups"]["smallest"] >= 5


def test_blocks_stay_within_equal_other_columns() -> None:
    data = table(300).with_columns(site=pl.Series(["north", "south", "east"] * 100))
    settings = plan(blocks="always")
    settings["columns"]["site"] = {"role": "other"}
    release = anonymized(data, settings)
    assert release.private_report()["groups"]["blocks"]["count"] >= 9
    sites = data["site"].to_list()
    assert all(len({sites[row] for row in group}) == 1 for group in release.groups)
    assert classes_hold(release, 3)

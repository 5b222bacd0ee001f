"""What an intruder computes from a release and its report: nothing that the release alone does not tell.

`bench/reconstruction.py` does the same with thousands of tables.
"""

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import taxonym
from tests.reconstruction import (
    Made,
    contradictions,
    finds,
    leaves_of,
    random_table,
    replay,
    taxonomy_files,
)

# what they list is chosen by plan and release
KEPT = ("branches", "columns", "columns_to_a_random_record", "topics", "sizes", "notes", "warnings")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        taxonomy_files(Path(name))
        yield Path(name)


def private(release: Any) -> dict[str, Any]:
    return {"notice": "", **release.private_report()}


@pytest.mark.parametrize("seed", range(1000, 1008))
def test_no_count_below_k_and_no_value_follows_from_a_report(seed: int, folder: Path) -> None:
    made = random_table(random.Random(seed), folder)
    release = made.released()
    assert finds(made, release.frame, release.report) == {}


def test_the_same_solver_finds_counts_in_exact_figures(folder: Path) -> None:
    """Or it would prove nothing."""
    tables = [random_table(random.Random(seed), folder) for seed in range(1000, 1006)]
    releases = [made.released() for made in tables]
    found = [finds(made, one.frame, private(one)) for made, one in zip(tables, releases, strict=True)]
    assert sum(map(bool, found)) > 3


def test_who_knows_all_cells_but_one_learns_nothing_more_from_a_report(folder: Path) -> None:
    dice = random.Random(1000)
    runs = [replay(random_table(dice, folder), dice) for _ in range(30)]
    several = [run for run in runs if run.release > 1]
    fell = [run for run in several if run.report < run.release]
    assert len(several) > 5
    assert len(fell) <= len(runs) / 100, [run.why for run in fell]
    assert not any(run.report == 1 for run in several)


# ---------------------------------------------------------------------- cases that were found


def table_of(folder: Path, values: list[str], k: int, seed: int) -> Made:
    column = {"role": "quasi-identifier", "kind": "nominal", "taxonomy": str(folder / "hiv.csv")}
    return Made(pl.DataFrame({"hiv": values}), {"columns": {"hiv": column}, "method": {"k": k, "seed": seed}})


@pytest.mark.parametrize(("n", "few", "k"), [(200, 2, 5), (700, 1, 5), (60, 1, 2)])
def test_how_few_persons_have_a_value_that_is_not_published_is_not_told(n: int, few: int, k: int, folder: Path) -> None:
    """loss.columns × n was the number of persons: 2 of 200 with an illness, 1 of 700 with another sex."""
    for seed in range(5):
        made = table_of(folder, ["positive"] * few + ["negative"] * (n - few), k, seed)
        release = made.released()
        told = release.report["loss"]["columns"]["hiv"] * n
        assert told == pytest.approx(0) or told >= 2 * k - 1e-9
        assert finds(made, release.frame, release.report) == {}
    assert finds(made, release.frame, private(release)) != {}


def test_the_highest_salary_cannot_be_computed() -> None:
    """Of eight salaries at k = 2, release and report gave it away in every run."""
    columns = {"salary": {"role": "quasi-identifier", "kind": "number"}}
    own, *others = (
        taxonym.anonymize(
            pl.DataFrame({"salary": [11, 12, 21, 22, 31, 32, 41, top]}),
            {"columns": columns, "method": {"k": 2, "seed": 1}},
        )
        for top in (45, 46, 50, 75, 140)
    )
    same = [one for one in others if sorted(one.frame.rows()) == sorted(own.frame.rows())]
    assert same
    for one in same:
        assert one.report == own.report
        assert list(contradictions(own.report, one.private_report(), 2)) == []


def test_how_few_are_left_out_does_not_follow_from_what_a_recoding_costs(folder: Path) -> None:
    column = {"role": "quasi-identifier", "kind": "nominal", "taxonomy": str(folder / "colour.csv")}
    method = {"name": "generalize", "suppress": 0.2, "k": 5, "seed": 1}
    for rare in (1, 2):
        cells = ["red"] * 30 + ["green"] * rare
        made = Made(pl.DataFrame({"colour": cells}), {"columns": {"colour": column}, "method": method})
        release = made.released()
        assert release.private_report()["records"]["suppressed_persons"]["left out to generalise less"] == rare
        assert release.report["recoding"] == {"cost_in": "steps"}
        assert set(release.report["records"]["suppressed_persons"].values()) == {"<k"}
        assert finds(made, release.frame, release.report) == {}


PRIVATE = (
    "cost", "no_recoding_costs_less_than", "is_the_cheapest", "of_groups", "groups", "by_group_size", "weakest_groups",
    "concepts_per_record", "phrases_outside_the_topics", "raised", "dropped",
    "added", "published_as_their_topic_only", "max_p", "sse", "sst", "sum", "batet2014_L", "attributes",
    "generalisation", "smallest_distinct_l", "largest_t", "entropy_l",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(1000, 1002))
def test_no_optimum_no_sum_and_no_figure_of_groups_is_told_and_the_keys_are_always_the_same(
    seed: int, folder: Path
) -> None:
    """Losses of groups gave their sizes away, concepts per record one added concept."""
    release = random_table(random.Random(seed), folder).released()
    shown = {"plan", "as_published", "inference"}  # what anybody can count in the release
    keys = {key for path, _ in leaves_of(release.report) if not shown & set(path) for key in path}
    assert not keys & set(PRIVATE) - {"groups"}
    assert "groups" not in release.report["loss"]
    known = {path for path, _ in leaves_of(release.report) if not set(path) & {*KEPT, "watched", "inference"}}
    table = pl.DataFrame({"word": ["dog", "cat", "dog", "cat", "dog"] * 12})
    plan = {"columns": {"word": {"role": "quasi-identifier", "taxonomy": "wordnet"}}, "method": {"k": 5, "seed": 1}}
    plan["method"]["name"] = release.report["plan"]["method"]["name"]
    other = taxonym.anonymize(table, plan, baselines=False).report
    mine = {path for path, _ in leaves_of(other) if not set(path) & {*KEPT, "watched", "inference"}}
    assert {path for path in known if path[0] != "plan"} == {path for path in mine if path[0] != "plan"}


def test_no_digest_of_a_taxonomy_that_was_cut_for_a_column_is_told(folder: Path) -> None:
    release = table_of(folder, ["positive", "negative"] * 10, 2, 1).released()
    tax = taxonym.load(str(folder / "hiv.csv"))
    assert release.report["columns"][0]["taxonomy_fingerprint"] is None
    assert tax.fingerprint not in json.dumps(release.report)

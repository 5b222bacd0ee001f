"""Local recoding on cases that can be worked out by hand."""

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.publish.generalize.local import recode_local
from taxonym.publish.generalize.recoding import RecodingColumn

JOBS = Taxonomy.from_edges(
    [("doctor", "health"), ("nurse", "health"), ("cook", "kitchen"), ("waiter", "kitchen"), ("health", "work"),
     ("kitchen", "work")],
    name="jobs",
)  # fmt: skip


def jobs(*names: str, allowed: list[str] | None = None, weight: float = 1.0) -> RecodingColumn:
    may = None if allowed is None else np.isin(np.arange(len(JOBS)), [JOBS.code(name) for name in allowed])
    return RecodingColumn.of([[JOBS.code(name)] for name in names], JOBS, may, weight)


def named(concepts: tuple[tuple[int, ...], ...]) -> list[str]:
    return [JOBS.id(codes[0]) if codes else "*" for codes in concepts]


def test_two_pairs_rise_one_step_each() -> None:
    found = recode_local([jobs("doctor", "cook", "nurse", "waiter")], 2)
    assert sorted((named(c), g) for c, g in zip(found.concepts, found.groups, strict=True)) == [
        (["health"], [0, 2]),
        (["kitchen"], [1, 3]),
    ]
    assert found.cost == found.bound == 4


def test_a_record_that_is_not_needed_by_its_own_kind_keeps_another_company() -> None:
    found = recode_local([jobs("doctor", "doctor", "doctor", "nurse")], 2)
    assert found.cost == 2  # one doctor joins the nurse, instead of four records or none
    assert sorted(map(len, found.groups)) == [2, 2]


def test_what_may_not_be_published_rises_even_if_k_are_alike() -> None:
    found = recode_local([jobs("doctor", "doctor", allowed=["work"])], 2)
    assert [named(c) for c in found.concepts] == [["work"]]
    assert found.cost == 4
    assert [named(c) for c in recode_local([jobs("doctor", "doctor", allowed=[])], 2).concepts] == [["*"]]


def test_the_weight_decides_which_column_rises() -> None:
    first, second = ["doctor", "doctor", "cook", "cook"], ["doctor", "cook", "doctor", "cook"]
    by_first = recode_local([jobs(*first, weight=3), jobs(*second)], 2)
    by_second = recode_local([jobs(*first), jobs(*second, weight=3)], 2)
    assert by_first.groups == [[2, 3], [0, 1]] or by_first.groups == [[0, 1], [2, 3]]
    assert sorted(by_second.groups) == [[0, 2], [1, 3]]
    assert by_first.cost == by_second.cost == 8


def test_records_of_different_blocks_are_never_together() -> None:
    found = recode_local([jobs("doctor", "cook", "doctor", "cook")], 2, block=np.array([1, 1, 2, 2]))
    assert sorted(found.groups) == [[0, 1], [2, 3]]
    assert [named(c) for c in found.concepts] == [["work"], ["work"]]


def test_an_outlier_is_left_out_where_that_is_allowed_and_cheaper() -> None:
    names = ["doctor"] * 2 + ["cook"]
    assert recode_local([jobs(*names)], 2).cost == 6
    found = recode_local([jobs(*names)], 2, suppress=0.34)
    assert found.suppressed == [2]
    assert found.cost == 3  # as much as becoming anything: two links to the root and one beyond


def test_blocks_share_all_that_may_be_left_out() -> None:
    column, block = jobs(*["doctor", "doctor", "cook"] * 2), np.array([0, 0, 0, 1, 1, 1])
    found = recode_local([column], 2, block=block, suppress=1 / 6)
    assert len(found.suppressed) == 1
    assert found.cost == 9  # 3 for who is left out, 6 for the block that may leave out nobody


def test_a_small_block_is_left_out_or_refused() -> None:
    column, block = jobs("doctor", "doctor", "cook"), np.array([0, 0, 1])
    assert recode_local([column], 2, block=block, suppress=0.5).suppressed == [2]
    with pytest.raises(BrokenPromise, match="1 records are in blocks of fewer than k = 2") as caught:
        recode_local([column], 2, block=block)
    assert "cook" not in str(caught.value)


def test_no_records_give_no_groups() -> None:
    found = recode_local([jobs()], 2)
    assert (found.groups, found.cost, found.bound) == ([], 0, 0)


@pytest.mark.parametrize(
    ("columns", "k", "suppress", "says"),
    [
        ([], 2, 0.0, "no column"),
        ([jobs("cook")], 0, 0.0, "k must be"),
        ([jobs("cook")], 2, 1.5, "suppress is a share"),
        ([RecodingColumn(np.array([0, 2]), np.array([0, 1]), JOBS)], 1, 0.0, "one concept in every record"),
    ],
)
def test_what_cannot_be_searched_is_refused(columns: list[RecodingColumn], k: int, suppress: float, says: str) -> None:
    with pytest.raises(BadPlan, match=says):
        recode_local(columns, k, suppress=suppress)


def test_a_search_that_stops_early_still_has_a_true_bound() -> None:
    rng = np.random.default_rng(5)
    leaves = ["doctor", "nurse", "cook", "waiter"]
    columns = [jobs(*rng.choice(leaves, 20)) for _ in range(3)]
    best = recode_local(columns, 3)
    for budget in (0, 1, 20, 400):
        found = recode_local(columns, 3, budget=budget)
        assert found.bound <= best.cost <= found.cost + 1e-9


def test_many_tuples_are_recoded_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taxonym.publish.generalize.local.MANY", 10)
    rng = np.random.default_rng(5)
    leaves = ["doctor", "nurse", "cook", "waiter"]
    columns = [jobs(*rng.choice(leaves, 90)) for _ in range(3)]
    found = recode_local(columns, 4)
    assert sorted(r for g in found.groups for r in g) == list(range(90))
    assert min(map(len, found.groups)) >= 4
    assert 0 <= found.bound <= found.cost

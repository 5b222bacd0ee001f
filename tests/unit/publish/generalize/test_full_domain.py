"""Full-domain recoding on cases that can be worked out by hand."""

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.publish.generalize.full_domain import level_images, recode_full_domain
from taxonym.publish.generalize.ladder import ladder
from taxonym.publish.generalize.recoding import RecodingColumn
from tests.unit.publish.generalize.test_local import JOBS, jobs, named


def test_all_values_rise_to_the_same_height() -> None:
    found = recode_full_domain([jobs("doctor", "nurse", "cook", "cook")], 2)
    assert [named(c) for c in found.concepts] == [["health"], ["kitchen"]] or found.levels == (1,)
    assert found.levels == (1,)
    assert found.cost == found.bound == 4  # the cooks rise although they need not


def test_a_few_records_are_left_out_instead() -> None:
    found = recode_full_domain([jobs("doctor", "doctor", "cook", "cook", "waiter")], 2, suppress=0.2)
    assert (found.levels, found.suppressed, found.cost) == ((0,), [4], 3)


def test_a_level_never_stops_below_what_may_be_published() -> None:
    column = jobs("doctor", "cook", allowed=["doctor", "kitchen", "work"])
    one = ladder(column, "steps")
    names = [
        ["*" if one.codes[n] < 0 else JOBS.id(int(one.codes[n])) for n in level] for level in level_images(column, one)
    ]
    by_value = [dict(zip((JOBS.id(int(c)) for c in one.used), level, strict=True)) for level in names]
    assert by_value == [
        {"doctor": "doctor", "cook": "kitchen"},
        {"doctor": "work", "cook": "kitchen"},
        {"doctor": "work", "cook": "work"},
        {"doctor": "*", "cook": "*"},
    ]


def test_of_several_parents_the_deepest_is_taken() -> None:
    tax = Taxonomy.from_edges([("b", "a"), ("c", "b"), ("x", "a"), ("x", "c")], name="graph")
    column = RecodingColumn(np.arange(2), np.array([tax.code("x")]), tax)
    one = ladder(column, "steps")
    assert [int(one.codes[level[0]]) for level in level_images(column, one)] == [
        *(tax.code(name) for name in ("x", "c", "b", "a")),
        -1,
    ]


def test_many_columns_do_not_overflow_the_numbering_of_classes() -> None:
    rng = np.random.default_rng(2)
    leaves = ["doctor", "nurse", "cook", "waiter"]
    rows = rng.choice(leaves, (4, 40))
    columns = [jobs(*np.repeat(rows[:, c], 2)) for c in range(40)]
    found = recode_full_domain(columns, 2)
    assert found.cost == 0
    assert sorted(found.groups) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_a_small_block_is_left_out_or_refused() -> None:
    column, block = jobs("doctor", "doctor", "cook"), np.array([0, 0, 1])
    assert recode_full_domain([column], 2, block=block, suppress=0.5).suppressed == [2]
    with pytest.raises(BrokenPromise, match="1 records are in blocks of fewer than k = 2"):
        recode_full_domain([column], 2, block=block)


def test_what_cannot_be_searched_is_refused_and_nothing_gives_nothing() -> None:
    for columns, k, suppress, says in (([], 2, 0, "no column"), ([jobs()], 0, 0, "k must"), ([jobs()], 2, -1, "share")):
        with pytest.raises(BadPlan, match=says):
            recode_full_domain(columns, k, suppress=suppress)
    assert recode_full_domain([jobs()], 2).groups == []

"""Distances between records of several columns, and what was lost: the fast ways against the definitions."""

import itertools
from math import fsum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy, set_distance
from taxonym.distance.record import (
    Compare,
    Part,
    Sets,
    Values,
    record_distance,
    record_matrix,
    record_pairs,
    record_rectangle,
)
from taxonym.distance.sets import AGGREGATIONS
from taxonym.measure.loss import measures, to_medoids
from tests.strategies import taxonomies

STEP = 5e-5
MEASURES = ["jaccard", "log", "wu-palmer", "lin", "resnik", "path", "equal"]
every_aggregation = pytest.mark.parametrize("aggregate", AGGREGATIONS)
compares = st.builds(
    Compare,
    aggregate=st.sampled_from(sorted(AGGREGATIONS)),
    measure=st.sampled_from(MEASURES),
    content=st.sampled_from(["seco", "sanchez"]),
)
weights = st.sampled_from([0.25, 1.0, 2.0, 7.0])
numbers = st.sampled_from([float("nan"), -3.0, 0.0, 0.5, 1.0, 1e6]) | st.floats(-1e9, 1e9)


@st.composite
def columns(draw: st.DrawFn, rows: int, tax: Taxonomy) -> Part:
    if draw(st.booleans()):
        return Values.of(np.array(draw(st.lists(numbers, min_size=rows, max_size=rows))), draw(weights))
    record = st.sets(st.integers(0, len(tax) - 1), max_size=4).map(sorted)
    return Sets.of(draw(st.lists(record, min_size=rows, max_size=rows)), tax, draw(weights))


@st.composite
def tables(draw: st.DrawFn, sets_only: bool = False) -> list[Part]:
    """One to three columns over the same records, each with a taxonomy of its own."""
    rows = draw(st.integers(1, 7))
    found = [draw(columns(rows, draw(taxonomies(8)))) for _ in range(draw(st.integers(1, 3)))]
    if not sets_only:
        return found
    record = st.sets(st.integers(0, len(tax := draw(taxonomies(8))) - 1), min_size=1, max_size=4).map(sorted)
    return [Sets.of(draw(st.lists(record, min_size=rows, max_size=rows)), tax)]


@every_aggregation
@settings(max_examples=25)
@given(parts=tables(), how=compares)
def test_matrix_pairs_and_rectangle_equal_the_definition(aggregate: str, parts: list[Part], how: Compare) -> None:
    how = Compare(aggregate=aggregate, measure=how.measure, content=how.content)
    n = len(parts[0])
    defined = np.array([[record_distance(parts, parts, i, j, how) for j in range(n)] for i in range(n)])
    assert (defined >= 0).all()
    assert (defined <= 1).all()
    rows = np.arange(n)
    assert np.abs(record_matrix(parts, rows, how) / 65535 - defined).max() <= STEP
    assert np.abs(record_rectangle(parts, parts, rows, rows, how) - defined).max() <= STEP
    first, second = (np.array(some) for some in zip(*itertools.product(range(n), repeat=2), strict=True))
    assert np.abs(record_pairs(parts, parts, first, second, how) - defined.ravel()).max() <= STEP


@given(parts=tables(), how=compares, data=st.data())
@settings(max_examples=30)
def test_some_records_have_the_distances_they_have_among_all(
    parts: list[Part], how: Compare, data: st.DataObject
) -> None:
    n = len(parts[0])
    rows = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=5)))
    whole, some = record_matrix(parts, np.arange(n), how), record_matrix(parts, rows, how)
    assert (some == whole[np.ix_(rows, rows)]).all()


@given(parts=tables(), how=compares)
@settings(max_examples=30)
def test_one_column_that_differs_more_never_brings_records_closer(parts: list[Part], how: Compare) -> None:
    """The mean lies between the least and the largest of its columns, and grows with the weight of the largest."""
    n = len(parts[0])
    for i, j in itertools.product(range(n), repeat=2):
        own = [record_distance([part], [part], i, j, how) for part in parts]
        assert min(own) - 1e-12 <= record_distance(parts, parts, i, j, how) <= max(own) + 1e-12
        worst = parts[int(np.argmax(own))]
        assert record_distance([*parts, worst], [*parts, worst], i, j, how) >= record_distance(
            parts, parts, i, j, how
        ) - 1e-12  # fmt: skip


@given(st.lists(numbers, min_size=1, max_size=9), st.data())
def test_a_number_is_as_far_from_a_range_as_from_a_number_of_it_that_is_drawn_at_random(
    values: list[float], data: st.DataObject
) -> None:
    own = Values.of(np.array(values))
    known = [v for v in values if not np.isnan(v)]
    ends = sorted(data.draw(st.lists(st.sampled_from(known or [0.0]), min_size=2, max_size=2)))
    other = own.ranged(np.array([ends[0]]), np.array([ends[1]]))
    for i, value in enumerate(values):
        found = own.distance(other, i, 0, Compare())
        assert own.pairs(np.array([i]), other, np.array([0]), Compare())[0] == pytest.approx(found)
        if np.isnan(value) or not own.half or not known:
            continue
        points = np.linspace(ends[0], ends[1], 2001)
        mean = np.abs(value - (points[1:] + points[:-1]) / 2).mean() / (2 * own.half)
        assert found == pytest.approx(min(1.0, mean), abs=1e-3)


# ---------------------------------------------------------------------- what was lost


@given(parts=tables(sets_only=True), how=compares, data=st.data())
@settings(max_examples=40)
def test_the_loss_is_that_of_the_definitions(parts: list[Part], how: Compare, data: st.DataObject) -> None:
    (column,) = parts
    assert isinstance(column, Sets)
    n, tax = len(column), column.tax
    record = st.sets(st.integers(0, len(tax) - 1), max_size=4).map(sorted)
    published = data.draw(st.lists(record, min_size=1, max_size=3))
    instead = data.draw(st.lists(st.integers(0, len(published) - 1), min_size=n, max_size=n))
    other = [Sets.of(published, tax)]
    found = measures(parts, other, np.arange(n), np.array(instead), how, np.random.default_rng(0))

    def apart(A: list[int], B: list[int], aggregate: str = how.aggregate) -> float:
        return set_distance(tax, A, B, aggregate, how.measure, content=how.content)

    records = [column.record(i) for i in range(n)]
    mine = [apart(records[i], published[instead[i]]) for i in range(n)]
    assert found["records"] == n
    assert found["sum"] == pytest.approx(fsum(mine), abs=1e-6)
    assert found["mean"] == pytest.approx(fsum(mine) / n, abs=1e-6)
    assert found["sse"] == pytest.approx(fsum(d * d for d in mine), abs=1e-6)
    sums = [fsum(apart(x, y) for y in records) for x in records]
    middles = [i for i in range(n) if sums[i] <= min(sums) + n * STEP]  # ties may fall either way
    squares = [fsum(apart(records[i], y) ** 2 for y in records) for i in middles]
    assert any(found["sst"] == pytest.approx(square, abs=2 * n * STEP) for square in squares)
    average = fsum(apart(records[i], published[instead[i]], "avg") for i in range(n))
    unchanged = fsum(apart(record, record, "avg") for record in records)
    assert found["batet2014_L"] == pytest.approx(average**2, abs=1e-5)
    assert found["batet2014_L_of_unchanged_data"] == pytest.approx(unchanged**2, abs=1e-5)
    if found["sst"]:
        assert found["sse_of_sst_percent"] == pytest.approx(100 * found["sse"] / found["sst"])
    assert found["judged_by_another_distance"]["measure"] != how.measure


@given(parts=tables())
@settings(max_examples=30)
def test_nothing_is_lost_where_nothing_changed(parts: list[Part]) -> None:
    rows = np.arange(len(parts[0]))
    found = measures(parts, parts, rows, rows, Compare(), np.random.default_rng(0))
    assert (found["sum"], found["sse"], found["judged_by_another_distance"]["sum"]) == (0, 0, 0)


@given(parts=tables(), how=compares, data=st.data())
@settings(max_examples=30)
def test_the_way_to_the_medoid_is_that_of_the_definition(parts: list[Part], how: Compare, data: st.DataObject) -> None:
    n = len(parts[0])
    label = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    groups = [[i for i in range(n) if label[i] == g] for g in sorted(set(label))]
    found = to_medoids(parts, groups, how)
    for group in groups:
        sums = {j: fsum(record_distance(parts, parts, i, j, how) for i in group) for j in group}
        assert fsum(found[group]) == pytest.approx(min(sums.values()), abs=1e-6)

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy, concept_distances
from taxonym.distance.attributes import MATCHINGS, SLACK, Attributes, attribute_distance, collapse, matching
from taxonym.distance.lines import UNIT
from taxonym.distance.record import Sets
from taxonym.measure.cohesion import (
    attribute_loss,
    cohesion,
    cohesions,
    information_loss,
    middle_record,
    squared_loss,
)
from tests.strategies import taxonomies

every_reading = pytest.mark.parametrize("reading", MATCHINGS)
measures = st.sampled_from(["log", "jaccard", "wu-palmer", "equal"])
Case = tuple[Taxonomy, list[list[int]], float, str]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A taxonomy, some records over it, a threshold (often one that is just reached), a distance between concepts."""
    tax = draw(taxonomies(16))
    records = draw(st.lists(st.lists(st.integers(0, len(tax) - 1), max_size=8), min_size=1, max_size=8))
    measure = draw(measures)
    every = range(len(tax))
    reached = np.unique(1 - concept_distances(tax, every, every, measure))
    exact = st.sampled_from([float(x) for x in reached if x > 0])
    return tax, records, draw(exact | st.floats(0.05, 1)), measure


def attributes(case: Case) -> Attributes:
    tax, records, threshold, measure = case
    return Attributes.of(Sets.of(records, tax), threshold, measure)


@every_reading
@given(case=cases())
def test_the_kernel_equals_the_definition(reading: str, case: Case) -> None:
    tax, records, threshold, measure = case
    made, n = attributes(case), len(records)
    expected = np.array(
        [
            [attribute_distance(tax, a, b, reading, threshold=threshold, measure=measure) for b in records]
            for a in records
        ]
    )
    np.testing.assert_array_equal(made.square(np.arange(n), reading), np.rint(UNIT * expected))
    rows, columns = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
    np.testing.assert_array_equal(made.pairs(rows, made, columns, reading).reshape(n, n), expected)


@given(case=cases())
def test_records_are_collapsed_as_defined(case: Case) -> None:
    tax, records, threshold, measure = case
    made = attributes(case)
    every = range(len(tax))
    alike = 1 - concept_distances(tax, every, every, measure) >= threshold - SLACK
    for i, record in enumerate(records):
        assert made.record(i) == collapse(record, lambda a, b: bool(alike[a, b]))


@given(st.data(), st.integers(0, 5), st.integers(0, 5))
def test_matching_finds_as_many_pairs_as_trying_all_orders(data: st.DataObject, n: int, m: int) -> None:
    like = data.draw(st.lists(st.lists(st.booleans(), min_size=m, max_size=m), min_size=n, max_size=n))
    A, B = list(range(n)), list(range(m))
    short, long = (A, B) if n <= m else (B, A)

    def similar(a: int, b: int) -> bool:
        return like[a][b] if n <= m else like[b][a]

    most = max(sum(similar(a, b) for a, b in zip(short, order, strict=False)) for order in permutations(long))
    assert matching(A, B, lambda a, b: like[a][b]) == most


@given(st.data(), st.integers(1, 7))
def test_collapsing_does_not_depend_on_order_and_keeps_the_weight(data: st.DataObject, n: int) -> None:
    pairs = [(a, b) for a in range(n) for b in range(a)]
    alike = {frozenset(p) for p in data.draw(st.lists(st.sampled_from(pairs), unique=True))} if pairs else set()

    def similar(a: int, b: int) -> bool:
        return a == b or frozenset((a, b)) in alike

    kept = collapse(range(n), similar)
    assert kept == collapse(data.draw(st.permutations(range(n))), similar)
    assert sum(attribute.weight for attribute in kept) == n
    assert not any(similar(a.code, b.code) for a in kept for b in kept if a != b)


@every_reading
@given(case=cases())
def test_a_distance_is_symmetric_bounded_and_does_not_depend_on_the_order_of_codes(reading: str, case: Case) -> None:
    tax, records, threshold, measure = case
    for a in records:
        for b in records:
            found = attribute_distance(tax, a, b, reading, threshold=threshold, measure=measure)
            assert 0 <= found <= 1
            assert found == attribute_distance(tax, b[::-1], a, reading, threshold=threshold, measure=measure)


@given(case=cases())
def test_matching_is_zero_on_itself_and_never_below_what_is_not_shared(case: Case) -> None:
    records, made = case[1], attributes(case)
    sizes, steps = np.diff(made.start), made.square(np.arange(len(records)))
    assert not np.diagonal(steps).any()
    for i in range(len(records)):
        for j in range(len(records)):
            largest = max(int(sizes[i]), int(sizes[j]), 1)
            assert steps[i, j] / UNIT >= abs(int(sizes[i]) - int(sizes[j])) / largest - 1 / UNIT


@given(case=cases(), seed=st.integers(0, 99))
def test_losses_of_many_records_equal_the_definition(case: Case, seed: int) -> None:
    tax, records, _, measure = case
    made, random = attributes(case), np.random.default_rng(seed)
    published = Sets.of(records, tax)
    rows, columns = random.integers(0, len(records), (2, 20))
    expected = [
        squared_loss(tax, made.record(i), records[j], measure)
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    found = attribute_loss(made, published, rows, columns, measure)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    assert not attribute_loss(made, published, np.arange(len(records)), np.arange(len(records)), measure).any()


@given(case=cases(), data=st.data())
def test_groups_lose_what_their_records_lose_and_the_middle_stands_for_all(case: Case, data: st.DataObject) -> None:
    tax, records, _, measure = case
    made = attributes(case)
    order = data.draw(st.permutations(range(len(records))))
    cut = data.draw(st.integers(0, len(records)))
    groups = [order[:cut], order[cut:]]
    shown = [records[0], records[-1]]
    loss = information_loss(made, Sets.of(shown, tax), groups, measure)
    for group, codes, found in zip(groups, shown, loss.by_group, strict=True):
        assert found == pytest.approx(sum(squared_loss(tax, made.record(i), codes, measure) for i in group))
    steps = made.square(np.arange(len(records))).astype(int).sum(axis=1).tolist()
    middle = steps.index(min(steps))
    assert middle_record(made) == middle
    codes = [a.code for a in made.record(middle)]
    assert loss.sst == pytest.approx(sum(squared_loss(tax, made.record(i), codes, measure) for i in order))


@every_reading
@given(case=cases(), data=st.data())
def test_the_cohesion_of_groups_equals_the_definition(reading: str, case: Case, data: st.DataObject) -> None:
    tax, records, threshold, measure = case
    order = data.draw(st.permutations(range(len(records))))
    cut = data.draw(st.integers(1, len(records)))
    groups = [group for group in (order[:cut], order[cut:]) if group]
    centroids = [data.draw(st.sampled_from(group)) for group in groups]
    expected = [
        cohesion(
            [
                attribute_distance(tax, records[i], records[c], reading, threshold=threshold, measure=measure)
                for i in group
                if i != c
            ]
        )
        for group, c in zip(groups, centroids, strict=True)
    ]
    np.testing.assert_allclose(cohesions(attributes(case), groups, centroids, reading), expected, atol=1e-12)

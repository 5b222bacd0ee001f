"""Groups fitted to what they publish, on random taxonomies, records, persons and blocks."""

from dataclasses import dataclass
from itertools import product
from math import fsum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.sets import AGGREGATIONS, set_distance
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.divide import _assign
from taxonym.publish.fit import fitted
from taxonym.publish.representative import represent
from taxonym.records.support import Holders, Rule
from tests.strategies import taxonomies


@dataclass
class Start:
    """Records in groups of at least k persons, all of a group in one block."""

    holders: Holders
    groups: list[list[int]]
    rule: Rule
    block: list[int]

    def persons(self, rows: list[int]) -> int:
        return len(set(self.holders.person[rows].tolist()))


@st.composite
def starts(draw: st.DrawFn) -> Start:
    tax: Taxonomy = draw(taxonomies(12))
    k = draw(st.integers(1, 3))
    numbers = draw(st.lists(st.integers(0, 2), min_size=1, max_size=6))  # more than k persons in each group
    blocks = draw(st.lists(st.integers(0, 1), min_size=len(numbers), max_size=len(numbers)))
    person, group = [], []
    for g, more in enumerate(numbers):
        for _ in range(k + more):
            copies = 1 + (draw(st.integers(0, 5)) == 0)  # now and then a person with two records
            person += [len(set(person))] * copies
            group += [g] * copies
    if draw(st.booleans()):  # somebody with records in two groups
        person.append(person[0])
        group.append(group[-1])
    records = [draw(st.lists(st.integers(0, len(tax) - 1), max_size=4)) for _ in person]
    order = draw(st.permutations(range(len(person))))
    holders = Holders(ConceptSets.of([records[row] for row in order], tax), np.array([person[row] for row in order]))
    rows: list[list[int]] = [[] for _ in numbers]
    for at, row in enumerate(order):
        rows[group[row]].append(at)
    block = [blocks[group[row]] for row in order]
    m, consensus = draw(st.integers(0, 3)), draw(st.booleans())
    return Start(holders, rows, Rule(k=k, known_items=m, consensus=consensus), block)


every_aggregation = pytest.mark.parametrize("aggregate", AGGREGATIONS)


@every_aggregation
@settings(max_examples=40, deadline=None)
@given(start=starts(), data=st.data())
def test_fitted_groups_keep_what_is_promised_and_lose_no_more_than_before(
    aggregate: str, start: Start, data: st.DataObject
) -> None:
    holders, rule = start.holders, start.rule
    largest = max(2 * rule.k, *map(start.persons, start.groups))
    arguments = {"aggregate": aggregate, "largest": largest, "blocks": start.block}
    groups, found = fitted(holders, start.groups, rule, **arguments)

    assert sorted(row for rows in groups for row in rows) == list(range(len(holders)))
    assert groups == sorted(sorted(rows) for rows in groups)
    assert all(rule.k <= start.persons(rows) <= largest for rows in groups)
    assert all(len({start.block[row] for row in rows}) == 1 for rows in groups)
    before = {row: set(rows) for rows in start.groups for row in rows}
    after = {row: set(rows) for rows in groups for row in rows}
    for a, b in product(range(len(holders)), repeat=2):
        if holders.person[a] == holders.person[b]:
            assert (b in before[a]) == (b in after[a])

    for rows, one in zip(groups, found, strict=True):
        members = [holders.sets.record(row) for row in rows]
        assert holders.allowed(one.concepts, rule.k, rule.known_items)
        assert set(one.concepts) <= {t for record in members for c in record for t in holders.tax.ancestors(c)}
        for concept in one.concepts if rule.consensus else ():
            having = [
                row
                for row, record in zip(rows, members, strict=True)
                if any(concept in holders.tax.ancestors(c) for c in record)
            ]
            assert 2 * start.persons(having) >= start.persons(rows)
        defined = fsum(set_distance(holders.tax, one.concepts, record, aggregate) for record in members)
        assert one.distance == pytest.approx(defined, abs=1e-9)
    loss = fsum(one.distance for one in found)
    assert loss <= fsum(one.distance for one in represent(holders, start.groups, rule, "best", aggregate)) + 1e-9

    order = data.draw(st.permutations(start.groups))
    turned = [data.draw(st.permutations(rows)) for rows in order]
    assert fitted(holders, turned, rule, **arguments) == (groups, found)


values = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@given(data=st.data(), count=st.integers(1, 7))
def test_no_division_within_the_bounds_costs_less(data: st.DataObject, count: int) -> None:
    to_a, to_b = (np.array(data.draw(st.lists(values, min_size=count, max_size=count))) for _ in range(2))
    side = np.array(data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count)), np.int64)
    stays = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)), np.bool_)
    free = int((~stays).sum())
    low = data.draw(st.integers(0, free))
    high = data.draw(st.integers(low, free))
    now, cost = _assign(to_a, to_b, side, stays, (low, high))
    assert (now == side)[stays].all()
    assert low <= int((now[~stays] == 0).sum()) <= high
    assert cost == pytest.approx(np.where(now == 0, to_a, to_b).sum())
    for other in product((0, 1), repeat=count):
        sides = np.array(other)
        if (sides == side)[stays].all() and low <= int((sides[~stays] == 0).sum()) <= high:
            assert cost <= np.where(sides == 0, to_a, to_b).sum() + 1e-9

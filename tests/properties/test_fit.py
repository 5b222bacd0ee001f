"""Groups fitted to what they publish, on random taxonomies, records, persons and blocks."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs
from taxonym.publish.antichain import net, search_groups
from taxonym.publish.fit import fitted
from taxonym.publish.objective import Objective, by_person, objective_of, search_of
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


def worth(holders: Holders, groups: list[list[int]], rule: Rule, objective: Objective) -> float:
    """What the groups are worth by the search that fitting uses."""
    records, taxonomy, may, support, limits = search_of(holders, rule, objective, starts=0)
    order = by_person(holders, groups)
    total = 0.0
    for rows, concepts in zip(
        groups, Runs(*search_groups(records, (order.start, order.codes), taxonomy, may, support, limits)), strict=True
    ):
        members = [holders.sets.record(row) for row in rows]
        weight, doubt = objective.weight.tolist(), float(objective.doubt[0])
        total += net(holders.tax, weight, members, concepts, doubt, objective.literal)
    return total


@settings(max_examples=120, deadline=None)
@given(start=starts(), data=st.data())
def test_fitted_groups_keep_what_is_promised_and_are_worth_no_less_than_before(
    start: Start, data: st.DataObject
) -> None:
    holders, rule = start.holders, start.rule
    objective = objective_of(holders.tax)
    largest = max(2 * rule.k, *map(start.persons, start.groups))
    groups = fitted(holders, start.groups, rule, objective, largest=largest, blocks=start.block)

    assert sorted(row for rows in groups for row in rows) == list(range(len(holders)))
    assert groups == sorted(sorted(rows) for rows in groups)
    assert all(rule.k <= start.persons(rows) <= largest for rows in groups)
    assert all(len({start.block[row] for row in rows}) == 1 for rows in groups)
    before = {row: set(rows) for rows in start.groups for row in rows}
    after = {row: set(rows) for rows in groups for row in rows}
    for a, b in product(range(len(holders)), repeat=2):
        if holders.person[a] == holders.person[b]:
            assert (b in before[a]) == (b in after[a])
    assert worth(holders, groups, rule, objective) >= worth(holders, start.groups, rule, objective) - 1e-9

    order = data.draw(st.permutations(start.groups))
    turned = [data.draw(st.permutations(rows)) for rows in order]
    assert fitted(holders, turned, rule, objective, largest=largest, blocks=start.block) == groups

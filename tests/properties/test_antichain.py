"""What groups publish, beside its definition, on random taxonomies: every antichain of a small group is tried."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs
from taxonym.publish.antichain import most_specific, net, net_of_groups, search_groups, standing
from taxonym.publish.objective import (
    OBJECTIVES,
    SLACK,
    Objective,
    by_person,
    may_be_published,
    search_of,
    sized_objective,
    worthiest,
)
from taxonym.records.support import Holders, Rule, obeys
from tests.strategies import taxonomies

Case = tuple[Taxonomy, list[list[int]], Rule]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """One group of records, and the rule."""
    tax = draw(taxonomies(10))
    records = draw(st.lists(st.lists(st.integers(0, len(tax) - 1), max_size=4), min_size=1, max_size=7))
    return tax, records, Rule(k=draw(st.integers(1, 3)), known_items=draw(st.integers(0, 3)))


def antichains(case: Case, holders: Holders) -> Iterator[Codes]:
    """Every set that the group may publish."""
    tax, records, rule = case
    may = may_be_published(holders, rule)
    had = {c for record in records for c in record}
    pool = sorted({t for c in had for t in tax.ancestors(c) if may[t] == 2 or (may[t] == 1 and t in had)})
    for size in range(len(pool) + 1):
        for some in combinations(pool, size):
            if most_specific(tax, some) == some and obeys(
                tax, records, range(len(records)), some, rule.k, rule.known_items
            ):
                yield some


@pytest.mark.parametrize("way", OBJECTIVES)
@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_what_a_group_publishes_is_an_allowed_antichain_that_no_single_change_makes_worthier(
    way: str, case: Case
) -> None:
    tax, records, rule = case
    holders = Holders(ConceptSets.of(records, tax))
    objective = OBJECTIVES[way].of(tax)
    rows = by_person(holders, [range(len(records))])
    task = search_of(holders, rule, objective)
    chosen = Runs(*search_groups(task[0], (rows.start, rows.codes), *task[1:]))
    (found,) = chosen
    allowed = set(antichains(case, holders))
    assert found in allowed

    def worth(concepts: Codes) -> float:
        return net(tax, objective.weight.tolist(), records, concepts, OBJECTIVES[way].doubt, objective.literal)

    (told,) = net_of_groups(task[0], (rows.start, rows.codes), task[1], (chosen.start, chosen.codes))
    assert told == pytest.approx(worth(found), abs=1e-9)
    for other in allowed:
        if len(set(other) ^ set(found)) == 1 or (len(set(other) - set(found)) == 1 and set(found) - set(other)):
            assert worth(other) <= worth(found) + 1e-8


def test_the_search_finds_nearly_always_what_trying_everything_finds() -> None:
    rng = np.random.default_rng(7)
    edges = [*((f"{i:02}", f"kind {i // 3}") for i in range(12)), *((f"kind {i}", f"sort {i // 2}") for i in range(4))]
    tax = Taxonomy.from_edges([*edges, ("sort 0", "all"), ("sort 1", "all")])
    leaves = np.array([tax.code(f"{i:02}") for i in range(12)])
    short = 0
    for _ in range(60):
        records = [sorted(rng.choice(leaves, rng.integers(1, 5), replace=False).tolist()) for _ in range(5)]
        case = (tax, records, Rule(k=2, known_items=2))
        holders = Holders(ConceptSets.of(records, tax))
        (found,) = worthiest(holders, [range(5)], case[2])
        objective = sized_objective(holders, by_person(holders, [range(5)]), case[2])
        most = max(worth_of(objective, tax, records, some) for some in antichains(case, holders))
        mine = worth_of(objective, tax, records, found)
        assert mine >= 0.9 * most
        short += mine < most - 1e-9
    assert short <= 3


@given(case=cases(), data=st.data())
def test_saying_a_thing_again_in_other_words_gains_nothing(case: Case, data: st.DataObject) -> None:
    """An ancestor beside its descendant stands for nothing that the descendant does not stand for."""
    tax, records, _ = case
    concepts = data.draw(st.sets(st.integers(0, len(tax) - 1), min_size=1, max_size=3))
    again = {t for c in concepts for t in tax.ancestors(c)} | concepts
    weight = OBJECTIVES["balanced"].of(tax).weight.tolist()
    for record in records:
        told = standing(tax, weight, record, again)
        if all(any(c in tax.ancestors(x) for c in concepts) for x in record):
            assert len(told) <= len(set(record))
    mine = [c for c in concepts if any(c in tax.ancestors(x) for record in records for x in record)]
    for c in mine:
        alone, twice = (net(tax, weight, records, [c, *more], 0.0) for more in ((), set(tax.ancestors(c)) - {c}))
        below = [
            r
            for r in records
            if all(c in tax.ancestors(x) or not set(tax.ancestors(x)) & set(tax.ancestors(c)) for x in r)
        ]
        if len(below) == len(records):
            assert twice <= alone + 1e-9


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_choice_for_the_sake_of_frequencies_is_worth_nearly_as_much(data: st.DataObject) -> None:
    tax = data.draw(taxonomies(10))
    records = data.draw(st.lists(st.lists(st.integers(0, len(tax) - 1), max_size=4), min_size=4, max_size=10))
    holders, rule, half = Holders(ConceptSets.of(records, tax)), Rule(k=2), len(records) // 2
    groups = [list(range(half)), list(range(half, len(records)))]
    every = by_person(holders, groups)
    objective = sized_objective(holders, every, rule)
    task = search_of(holders, rule, objective)
    alone = Runs(*search_groups(task[0], (every.start, every.codes), *task[1:]))
    for rows, first, found in zip(groups, alone, worthiest(holders, groups, rule), strict=True):
        members = [records[row] for row in rows]
        most, mine = (worth_of(objective, tax, members, some) for some in (first, found))
        assert mine >= (1 - SLACK) * most - 1e-9


def test_doubt_is_chosen_so_that_sets_stay_about_as_large_as_they_were() -> None:
    """However much persons have in common: with one doubt for all, sets would grow or shrink."""
    rng = np.random.default_rng(3)
    edges = [*((f"{i:02}", f"kind {i // 4}") for i in range(24)), *((f"kind {i}", "all") for i in range(6))]
    tax = Taxonomy.from_edges(edges)
    leaves, rule = np.array([tax.code(f"{i:02}") for i in range(24)]), Rule(k=3, known_items=1)
    for common in (1, 4):
        groups, records = [], []
        for _ in range(40):
            theirs = rng.choice(leaves, 4, replace=False)
            groups.append(list(range(len(records), len(records) + 4)))
            for _ in range(4):
                own = rng.choice(leaves, 4 - common, replace=False)
                records.append(sorted({*theirs[:common].tolist(), *own.tolist()}))
        holders = Holders(ConceptSets.of(records, tax))
        rows = by_person(holders, groups)
        task = search_of(holders, rule, OBJECTIVES["balanced"].of(tax))
        fixed = np.diff(search_groups(task[0], (rows.start, rows.codes), *task[1:])[0]).mean()
        had, said = np.mean([len(record) for record in records]), np.mean([*map(len, worthiest(holders, groups, rule))])
        assert abs(said - had) <= 0.3 * had
        assert abs(said - had) <= abs(fixed - had)
        assert common == 4 or fixed > 1.3 * had


def worth_of(objective: Objective, tax: Taxonomy, members: list[list[int]], published: Codes) -> float:
    weight, doubt = objective.weight.tolist(), float(objective.doubt[0])
    return net(tax, weight, members, published, doubt, objective.literal)

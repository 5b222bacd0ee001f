"""Who has an item of its own for each of some concepts, counted by lists and by the definition."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.distinct_items import HeldDistinctly
from taxonym.records.distinct import DistinctHolders, holds_distinctly, is_matched
from taxonym.records.support import Holders, JointHolders, Rows
from tests.properties.test_support import People, ks, ms, peoples
from tests.strategies import build, taxonomies


def holding_distinctly(people: People, concepts: tuple[int, ...]) -> int:
    """Persons who have a record with an item for each."""
    pairs = zip(people.records, people.persons, strict=True)
    return len({person for record, person in pairs if holds_distinctly(people.tax, record, concepts)})


@given(tax=taxonomies(12), data=st.data())
def test_a_record_is_matched_exactly_if_it_holds_distinctly(tax: Taxonomy, data: st.DataObject) -> None:
    codes = st.sets(st.integers(0, len(tax) - 1), max_size=5)
    record, concepts = data.draw(codes), data.draw(codes)
    assert is_matched(tax, record, concepts) == holds_distinctly(tax, record, concepts)


@given(people=peoples(), k=ks, m=ms, data=st.data())
def test_choices_are_counted_as_the_definition_says(people: People, k: int, m: int, data: st.DataObject) -> None:
    concepts = tuple(sorted(data.draw(st.sets(st.integers(0, len(people.tax) - 1), max_size=4))))
    together, counted = DistinctHolders([people.holders]), {}
    for size in range(1, len(concepts) + 1):
        for some in combinations(concepts, size):
            counted[some] = int(together.counted(np.array([some]), 99)[0])
            assert counted[some] == holding_distinctly(people, some)
            assert counted[some] <= people.holders.joint_holders(some)
    rare = [some for some, count in counted.items() if len(some) <= m and count < k]
    assert together.allowed([concepts], k, m) == (not rare)
    held = HeldDistinctly(together, k).pairs(concepts, concepts)
    expected = [[counted[tuple(sorted({a, b}))] >= k for b in concepts] for a in concepts]
    assert held.tolist() == expected


@given(first=peoples(), data=st.data())
def test_items_of_different_columns_are_different(first: People, data: st.DataObject) -> None:
    tax = data.draw(taxonomies(6))
    records = [data.draw(st.lists(st.integers(0, len(tax) - 1), max_size=3)) for _ in range(len(first.records))]
    second = People(tax, records, first.persons, [])
    chosen = [sorted(data.draw(st.sets(st.integers(0, len(people.tax) - 1), max_size=2))) for people in (first, second)]
    together = DistinctHolders([first.holders, second.holders])
    choice = together.together(chosen)
    both = zip(first.records, records, first.persons, strict=True)
    expected = {
        person
        for one, other, person in both
        if holds_distinctly(first.tax, one, chosen[0]) and holds_distinctly(tax, other, chosen[1])
    }
    if len(choice):
        assert together.counted(choice[None, :], 99)[0] == len(expected)


def test_who_has_one_museum_holds_no_museum_and_something_else_and_rows_are_not_put_together() -> None:
    tax = build({"structure": [], "museum": ["structure"], "church": ["structure"]})
    museum, church, structure = tax.code("museum"), tax.code("church"), tax.code("structure")
    sets = ConceptSets.of([[museum], [museum, church], [museum], [church, museum, structure]], tax)
    apart = Holders(ConceptSets.of([[0]] * 2, tax), np.array([0, 1]), Rows(sets, np.array([0, 0, 0, 1])))
    split = Rows(ConceptSets.of([[museum], [church], [museum, structure]], tax), np.array([0, 0, 1]))
    for holders, plain, distinct in (
        (Holders(sets, np.arange(4)), 4, 2),
        (apart, 2, 2),
        (Holders(ConceptSets.of([[0]] * 2, tax), np.array([0, 1]), split), 2, 1),
    ):
        pair = [structure, museum]
        assert JointHolders([holders]).allowed([pair], plain, 2)
        assert DistinctHolders([holders]).counted(np.array([pair]), 9).tolist() == [distinct]

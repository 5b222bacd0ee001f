import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.sets import AGGREGATIONS, set_distance
from taxonym.errors import BadPlan
from taxonym.knowledge.build import Draft
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.representative import REPRESENTATIVES, GroupConcepts, represent
from taxonym.records.support import Holders, Rule


@pytest.fixture
def food() -> Taxonomy:
    kinds = {"fruit": "apple pear plum fig", "drink": "tea milk beer", "bread": "bun roll toast"}
    edges = [(word, kind) for kind, words in kinds.items() for word in words.split()]
    return Taxonomy.from_edges([*edges, *((kind, "food") for kind in kinds)])


def holders(tax: Taxonomy, *records: str, persons: list[int] | None = None) -> Holders:
    rows = [[tax.code(word) for word in record.split()] for record in records]
    return Holders(ConceptSets.of(rows, tax), None if persons is None else np.array(persons))


def words(tax: Taxonomy, found: GroupConcepts) -> str:
    return " ".join(sorted(tax.id(code) for code in found.concepts))


def chosen(who: Holders, name: str, k: int = 2, m: int = 2, consensus: bool = False) -> str:
    """What all records together publish."""
    (found,) = represent(who, [range(len(who))], Rule(k=k, known_items=m, consensus=consensus), name)
    return words(who.tax, found)


def test_the_medoid_is_the_record_closest_to_all(food: Taxonomy) -> None:
    assert chosen(holders(food, "apple tea", "apple", "bun milk beer"), "medoid") == "apple tea"


def test_the_first_of_equal_medoids_is_that_of_the_lowest_codes(food: Taxonomy) -> None:
    assert chosen(holders(food, "tea", "beer"), "medoid") == chosen(holders(food, "beer", "tea"), "medoid") == "beer"


def test_a_medoid_shows_one_persons_record_and_the_supported_one_does_not(food: Taxonomy) -> None:
    who = holders(food, "apple tea", "apple milk", "apple beer")
    assert chosen(who, "medoid") == "apple beer"
    assert chosen(who, "medoid-supported") == "apple drink"


def test_the_consensus_is_the_most_specific_that_half_of_the_group_holds(food: Taxonomy) -> None:
    who = holders(food, "apple tea", "apple milk", "pear beer", "plum")
    assert chosen(who, "consensus") == "apple drink"  # fruit is above apple


def test_half_of_the_group_counts_persons_not_records(food: Taxonomy) -> None:
    who = holders(food, "apple", "apple", "tea bun", "milk bun", persons=[1, 1, 2, 3])
    assert chosen(who, "consensus", k=1) == "bun drink"


def test_best_finds_a_set_that_is_nobodys_record(food: Taxonomy) -> None:
    who = holders(food, "apple tea", "tea bun", "apple bun", "apple tea bun fig")
    assert chosen(who, "best") == "apple bun tea"


def test_best_finds_the_common_kind_where_nothing_is_common(food: Taxonomy) -> None:
    assert chosen(holders(food, "apple", "pear", "plum", "fig"), "best", k=4) == "fruit"


def test_with_consensus_nothing_is_published_that_less_than_half_of_the_group_holds(food: Taxonomy) -> None:
    who = holders(food, "apple tea", "apple tea", "pear bun", "pear bun", "pear tea")
    assert "apple" in chosen(who, "best")
    assert "apple" not in chosen(who, "best", consensus=True)


def test_the_whole_data_supports_a_group_not_the_group_alone(food: Taxonomy) -> None:
    who = holders(food, "apple tea", "apple tea", "fig bun", "apple tea", "apple tea")
    one, other = represent(who, [[0, 2], [1, 3, 4]], Rule(k=4))
    assert words(food, other) == "apple tea"
    assert "fig" not in words(food, one)


def test_a_group_for_which_nothing_is_allowed_publishes_nothing_at_distance_one(food: Taxonomy) -> None:
    (found,) = represent(holders(food, "apple", "tea"), [[0, 1]], Rule(k=2))
    assert found.concepts == ()
    assert found.distance == 2


def test_empty_records_are_at_distance_one_from_what_is_published(food: Taxonomy) -> None:
    who = holders(food, "apple", "apple", "")
    for aggregate in AGGREGATIONS:
        (found,) = represent(who, [[0, 1, 2]], Rule(k=2), aggregate=aggregate)
        assert words(food, found) == "apple"
        assert found.distance == 1
    (nothing,) = represent(who, [[2]], Rule(k=2))
    assert (nothing.concepts, nothing.distance) == ((), 0)


def test_the_distance_is_the_sum_of_set_distances_also_over_equal_records(food: Taxonomy) -> None:
    records = ["apple tea", "apple tea", "apple tea", "bun"]
    who = holders(food, *records)
    for name in REPRESENTATIVES:
        (found,) = represent(who, [range(4)], Rule(k=2), name)
        members = [[food.code(word) for word in record.split()] for record in records]
        assert found.distance == pytest.approx(sum(set_distance(food, found.concepts, r) for r in members))


def test_what_is_published_tells_how_it_differs_from_the_medoid(food: Taxonomy) -> None:
    (found,) = represent(holders(food, "apple tea", "apple milk", "apple beer"), [[0, 1, 2]], Rule(k=2), "best")
    assert words(food, found) == "apple drink"
    assert found.raised == ((food.code("beer"), food.code("drink")),)
    assert (found.dropped, found.added) == ((), ())


def test_an_instance_is_published_only_if_it_may_be_printed() -> None:
    draft = Draft("people")
    draft.link("franklin", "statesman")
    draft.link("washington", "statesman")
    draft.link("statesman", "person")
    draft.add("franklin", instance=True)
    draft.add("washington", instance=True)
    tax = draft.build()
    who = holders(tax, "franklin", "franklin", "washington")
    printable = np.ones(len(tax), np.bool_)
    for name in ("best", "medoid-supported", "consensus"):
        (never,) = represent(who, [[0, 1, 2]], Rule(k=2), name)
        (allowed,) = represent(who, [[0, 1, 2]], Rule(k=2, printable=printable), name)
        assert words(tax, never) == "statesman"
        assert words(tax, allowed) == "franklin"


def test_only_the_plain_medoid_does_not_obey_the_rule_and_it_says_what_it_exposes() -> None:
    assert [r.name for r in REPRESENTATIVES.values() if not r.supported] == ["medoid"]
    assert "one person's record" in REPRESENTATIVES["medoid"].exposes
    assert next(iter(REPRESENTATIVES)) == "best"


def test_an_unknown_representative_is_answered_with_those_there_are(food: Taxonomy) -> None:
    with pytest.raises(BadPlan, match="'mean' is not known. Choose one of best, closest, medoid-supported"):
        represent(holders(food, "tea"), [[0]], Rule(k=2), "mean")

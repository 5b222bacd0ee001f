import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.sets import AGGREGATIONS
from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.build import Draft
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.representative import REPRESENTATIVES, represent
from taxonym.records.support import Holders, Rule


@pytest.fixture
def food() -> Taxonomy:
    kinds = {"fruit": "apple pear plum fig", "drink": "tea milk beer", "bread": "bun roll toast"}
    edges = [(word, kind) for kind, words in kinds.items() for word in words.split()]
    return Taxonomy.from_edges([*edges, *((kind, "food") for kind in kinds)])


def holders(tax: Taxonomy, *records: str, persons: list[int] | None = None) -> Holders:
    rows = [[tax.code(word) for word in record.split()] for record in records]
    return Holders(ConceptSets.of(rows, tax), None if persons is None else np.array(persons))


def words(tax: Taxonomy, concepts: Codes) -> str:
    return " ".join(sorted(tax.id(code) for code in concepts))


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
    who = holders(food, "apple", "apple", "tea", "bun", "roll")
    assert chosen(who, "best", m=1) == "apple"
    assert chosen(who, "best", m=1, consensus=True) == ""


def test_the_whole_data_supports_a_group_not_the_group_alone(food: Taxonomy) -> None:
    who = holders(food, "apple tea", "apple tea", "fig bun", "apple tea", "apple tea")
    one, other = represent(who, [[0, 2], [1, 3, 4]], Rule(k=4))
    assert words(food, other) == "apple tea"
    assert "fig" not in words(food, one)


def test_a_group_for_which_nothing_is_allowed_publishes_nothing(food: Taxonomy) -> None:
    assert represent(holders(food, "apple", "tea"), [[0, 1]], Rule(k=2)) == [()]


def test_empty_records_change_nothing_of_what_is_published(food: Taxonomy) -> None:
    who = holders(food, "apple", "apple", "")
    assert [words(food, some) for some in represent(who, [[0, 1, 2], [2]], Rule(k=2))] == ["apple", ""]


@pytest.mark.parametrize("aggregate", AGGREGATIONS)
def test_what_is_published_does_not_hang_on_the_aggregate_that_formed_the_groups(
    food: Taxonomy, aggregate: str
) -> None:
    who = holders(food, "apple tea bun", "apple tea roll", "apple tea toast")
    (found,) = represent(who, [range(3)], Rule(k=2), aggregate=aggregate)
    assert words(food, found) == "apple bread tea"


def test_a_general_word_is_not_said_beside_a_special_one(food: Taxonomy) -> None:
    who = holders(food, "apple fruit", "apple fruit", "apple fruit")
    assert [chosen(who, name) for name in REPRESENTATIVES] == ["apple"] * len(REPRESENTATIVES)


def test_what_one_of_five_has_is_not_said_of_all(food: Taxonomy) -> None:
    who = holders(food, "apple tea", "apple", "apple", "apple", "apple", "tea", "apple tea")
    (found,) = represent(who, [range(5)], Rule(k=2))
    assert words(food, found) == "apple"


def test_a_kind_that_is_true_of_all_is_said_rather_than_what_is_true_of_few(food: Taxonomy) -> None:
    who = holders(food, "apple", "pear", "plum", "fig", "apple", "pear", "plum", "fig")
    assert [words(food, some) for some in represent(who, [[0, 1, 2, 3], [4, 5, 6, 7]], Rule(k=2))] == ["fruit"] * 2


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

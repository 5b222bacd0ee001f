from itertools import combinations

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, UnknownConcept
from taxonym.knowledge.build import Draft
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.records.support import Holders, Rule


@pytest.fixture
def sports() -> Taxonomy:
    edges = [("swimming", "water"), ("surfing", "water"), ("football", "ball"), ("golf", "ball")]
    return Taxonomy.from_edges([*edges, ("water", "sport"), ("ball", "sport"), ("sport", "thing")])


def holders(tax: Taxonomy, *records: str, persons: list[int] | None = None) -> Holders:
    rows = [[tax.code(word) for word in record.split()] for record in records]
    return Holders(ConceptSets.of(rows, tax), None if persons is None else np.array(persons))


def codes(tax: Taxonomy, words: str) -> tuple[int, ...]:
    return tuple(sorted(tax.code(word) for word in words.split()))


def test_who_has_a_concept_below_holds_the_concept(sports: Taxonomy) -> None:
    who = holders(sports, "swimming", "surfing golf", "ball", "")
    assert who.holders(sports.code("water")) == 2
    assert who.holders(sports.code("ball")) == 2
    assert who.holders(sports.code("thing")) == 3
    assert who.holders(sports.code("football")) == 0


def test_several_records_of_one_person_count_once_and_each_for_itself(sports: Taxonomy) -> None:
    who = holders(sports, "swimming", "golf", "swimming golf", persons=[7, 7, 900])
    assert who.persons == 2
    assert who.holders(sports.code("swimming")) == 2
    assert who.joint_holders(codes(sports, "swimming golf")) == 1  # nobody else has one record with both


def test_everybody_holds_nothing_at_all(sports: Taxonomy) -> None:
    assert holders(sports, "golf", "", "water").joint_holders([]) == 3


def test_each_concept_alone_may_be_common_and_the_pair_rare(sports: Taxonomy) -> None:
    who = holders(sports, "swimming", "swimming golf", "golf")
    pair = codes(sports, "swimming golf")
    assert who.allowed(pair, 2, 1)
    assert not who.allowed(pair, 2, 2)


def test_each_pair_may_be_common_and_the_triple_rare(sports: Taxonomy) -> None:
    who = holders(sports, "swimming golf", "swimming football", "golf football", "swimming golf football")
    three = codes(sports, "swimming golf football")
    assert who.allowed(three, 2, 2)
    assert not who.allowed(three, 2, 3)


@pytest.mark.parametrize("m", [2, 3, 4])
def test_one_rare_choice_among_many_common_ones_is_found_wherever_it_stands(m: int) -> None:
    tax = Taxonomy.from_edges([(word, "top") for word in "abcdef"])
    for rare in combinations("abcdef", m):
        who = holders(tax, *(" ".join(set("abcdef") - {missing}) for missing in rare for _ in "12"))
        everything = codes(tax, "a b c d e f")
        assert who.allowed(everything, 2, m - 1)
        assert not who.allowed(everything, 2, m)
        assert len(who.settle(everything, 2, m).concepts) == 5


def test_without_known_items_everything_is_allowed_and_nothing_moves(sports: Taxonomy) -> None:
    who = holders(sports, "swimming golf")
    pair = codes(sports, "swimming golf")
    assert who.allowed(pair, 99, 0)
    assert who.settle(pair, 99, 0).concepts == pair


def test_a_rare_concept_rises_until_enough_persons_hold_it(sports: Taxonomy) -> None:
    settled = holders(sports, "swimming", "surfing", "golf").settle(codes(sports, "swimming"), 2, 1)
    assert settled.concepts == codes(sports, "water")
    assert settled.raised == ((sports.code("swimming"), sports.code("water")),)
    assert settled.dropped == ()


def test_a_concept_with_only_a_root_above_it_left_is_dropped(sports: Taxonomy) -> None:
    settled = holders(sports, "swimming", "golf", "thing").settle(codes(sports, "swimming"), 3, 1)
    assert settled.concepts == ()
    assert settled.dropped == codes(sports, "swimming")


def test_a_root_that_was_given_stays_if_enough_persons_hold_it(sports: Taxonomy) -> None:
    who = holders(sports, "thing", "golf")
    assert who.settle(codes(sports, "thing"), 2, 2).concepts == codes(sports, "thing")
    assert who.settle(codes(sports, "thing"), 3, 2).dropped == codes(sports, "thing")


def test_of_a_rare_pair_the_concept_with_fewer_holders_rises(sports: Taxonomy) -> None:
    who = holders(sports, "swimming", "swimming golf", "swimming football", "golf")
    settled = who.settle(codes(sports, "swimming golf"), 2, 2)
    assert settled.concepts == codes(sports, "swimming ball")
    assert who.allowed(settled.concepts, 2, 2)


def test_concepts_that_rise_to_the_same_one_merge(sports: Taxonomy) -> None:
    settled = holders(sports, "swimming", "surfing").settle(codes(sports, "swimming surfing"), 2, 2)
    assert settled.concepts == codes(sports, "water")
    assert len(settled.raised) == 2


def test_of_several_parents_the_one_that_says_most_is_chosen() -> None:
    tax = Taxonomy.from_edges([("c", "broad"), ("c", "fine"), ("fine", "x"), ("x", "top"), ("broad", "top")])
    who = holders(tax, "c", "fine", "broad", "broad")
    assert who.settle(codes(tax, "c"), 2, 1).concepts == codes(tax, "fine")
    assert who.settle(codes(tax, "c"), 3, 1).concepts == codes(tax, "broad")  # fine and x have 2 holders


def test_what_names_one_thing_rises_unless_it_may_be_printed() -> None:
    draft = Draft("people")
    draft.link("franklin", "statesman")
    draft.link("statesman", "person")
    draft.add("franklin", instance=True)
    tax = draft.build()
    who = holders(tax, "franklin", "franklin", "franklin")
    assert who.settle(codes(tax, "franklin"), 2, 0).concepts == codes(tax, "statesman")
    yes = np.ones(len(tax), np.bool_)
    assert who.settle(codes(tax, "franklin"), 2, 2, printable=yes).concepts == codes(tax, "franklin")
    assert who.settle(codes(tax, "franklin"), 2, 2, printable=~yes).concepts == ()


def test_a_choice_can_be_limited_to_some_concepts(sports: Taxonomy) -> None:
    who = holders(sports, "swimming", "swimming")
    settled = who.settle(codes(sports, "swimming"), 2, 2, within=set(codes(sports, "sport water")))
    assert settled.concepts == codes(sports, "water")


def test_a_code_that_is_no_code_is_refused(sports: Taxonomy) -> None:
    with pytest.raises(UnknownConcept, match="codes run from 0 to"):
        Holders(ConceptSets.of([[len(sports)]], sports))


def test_records_and_persons_that_differ_in_number_are_refused(sports: Taxonomy) -> None:
    with pytest.raises(BadPlan, match="2 records need as many persons, not 1"):
        Holders(ConceptSets.of([[0], []], sports), np.array([0]))


def test_a_rule_without_sense_is_refused() -> None:
    with pytest.raises(BadPlan, match="k must be at least 1"):
        Rule(k=0)
    with pytest.raises(BadPlan, match="known_items must not be negative"):
        Rule(k=2, known_items=-1)

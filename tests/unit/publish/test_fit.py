from typing import Any

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish import fit
from taxonym.publish.objective import objective_of
from taxonym.publish.representative import represent
from taxonym.records.support import Holders, Rule

TWO = Rule(k=2, known_items=1)


@pytest.fixture
def food() -> Taxonomy:
    kinds = {"fruit": "apple pear plum fig", "drink": "tea milk beer", "bread": "bun roll toast"}
    edges = [(word, kind) for kind, words in kinds.items() for word in words.split()]
    return Taxonomy.from_edges([*edges, *((kind, "food") for kind in kinds)])


def holders(tax: Taxonomy, records: str, persons: list[int] | None = None) -> Holders:
    """Records of one word each."""
    return Holders(
        ConceptSets.of([[tax.code(word)] for word in records.split()], tax),
        None if persons is None else np.array(persons),
    )


def fitted(who: Holders, groups: list[list[int]], rule: Rule, **options: Any) -> list[list[int]]:
    return fit.fitted(who, groups, rule, objective_of(who.tax), **options)


def test_records_are_exchanged_where_more_is_published_then(food: Taxonomy) -> None:
    who = holders(food, "apple tea apple tea apple tea")
    groups = fitted(who, [[0, 1, 2], [3, 4, 5]], TWO, largest=3)
    assert groups == [[0, 2, 4], [1, 3, 5]]
    assert represent(who, groups, TWO) == [(food.code("apple"),), (food.code("tea"),)]


def test_a_record_goes_over_to_a_group_that_publishes_what_it_has(food: Taxonomy) -> None:
    assert fitted(holders(food, "apple apple tea tea tea"), [[0, 1, 2], [3, 4]], TWO) == [[0, 1], [2, 3, 4]]


def test_no_group_gets_more_persons_than_the_largest_may_have(food: Taxonomy) -> None:
    who = holders(food, "apple apple apple apple tea tea")
    groups = fitted(who, [[0, 1, 2], [3, 4, 5]], TWO, largest=3)
    assert groups == [[0, 1, 2], [3, 4, 5]]


def test_who_has_several_records_keeps_them_where_they_are(food: Taxonomy) -> None:
    who = holders(food, "apple tea apple tea tea", persons=[0, 0, 1, 2, 3])
    groups = fitted(who, [[0, 1, 2], [3, 4]], TWO)
    assert groups == [[0, 1, 2], [3, 4]]


def test_a_person_with_several_records_counts_once(food: Taxonomy) -> None:
    who = holders(food, "apple apple tea tea tea", persons=[0, 0, 1, 2, 3])
    groups = fitted(who, [[0, 1, 2], [3, 4]], TWO)
    assert groups == [[0, 1, 2], [3, 4]]


def test_records_of_different_blocks_stay_apart(food: Taxonomy) -> None:
    who = holders(food, "apple tea apple tea")
    groups = fitted(who, [[0, 1], [2, 3]], TWO, blocks=["red", "red", "blue", "blue"])
    assert groups == [[0, 1], [2, 3]]


def test_half_of_a_group_that_takes_others_in_still_holds_what_it_publishes(food: Taxonomy) -> None:
    who, rule = holders(food, "apple apple pear fig apple plum"), Rule(k=2, known_items=1, consensus=True)
    groups = fitted(who, [[0, 1], [2, 3], [4, 5]], rule, largest=6)
    for rows, concepts in zip(groups, represent(who, groups, rule), strict=True):
        for concept in concepts:
            having = [row for row in rows if concept in food.ancestors(who.sets.record(row)[0])]
            assert 2 * len(having) >= len(rows)


def test_no_groups_are_no_groups(food: Taxonomy) -> None:
    assert fitted(holders(food, ""), [], TWO) == []


def test_who_listens_hears_how_far_it_is(food: Taxonomy) -> None:
    heard = []

    class Listener:
        def start(self, what: str, total: int | None = None) -> None:
            heard.append(what)

        def advance(self, done: int = 1) -> None:
            heard.append("on")

        def finish(self) -> None:
            heard.append("over")

    fitted(holders(food, "apple tea apple tea"), [[0, 1], [2, 3]], TWO, progress=Listener())
    assert heard[0] == "fitting groups to what they publish"
    assert "on" in heard
    assert heard[-1] == "over"


@pytest.mark.parametrize(
    ("groups", "options", "complaint"),
    [
        ([[0], [1, 2, 3]], {}, "each must have 2 to any number of persons"),
        ([[0, 1, 2, 3]], {"largest": 3}, "each must have 2 to 3 persons"),
        ([[0, 1], [1, 2, 3]], {}, "rows run from 0 to 3, each in one group"),
        ([[0, 1], [2, 4]], {}, "rows run from 0 to 3, each in one group"),
        ([[0, 1], [2, 3]], {"blocks": [1, 1, 1]}, "4 records need as many labels, not 3"),
        ([[0, 1], [2, 3]], {"blocks": [1, 1, 1, 2]}, "every group must be of one block"),
    ],
)
def test_a_start_that_breaks_the_promise_is_refused(
    food: Taxonomy, groups: list[list[int]], options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(BadPlan, match=complaint):
        fitted(holders(food, "apple tea apple tea"), groups, TWO, **options)

"""Concepts that say nothing."""

import numpy as np
import pytest

from taxonym import Taxonomy, load
from taxonym.knowledge.combine import flat, with_roots
from taxonym.knowledge.content import seco
from taxonym.knowledge.floor import LEAST_CONTENT, says_nothing


def silent(tax: Taxonomy, least: float | None = None) -> set[str]:
    return {tax.id(code) for code in np.flatnonzero(says_nothing(tax, least)).tolist()}


def test_the_root_and_its_only_children_say_nothing() -> None:
    tax = Taxonomy.from_edges([("thing", "all"), ("food", "thing"), ("tool", "thing"), ("bread", "food")])
    assert silent(tax) == {"all", "thing"}


def test_a_root_beside_others_says_something() -> None:
    assert silent(Taxonomy.from_edges([("bread", "food"), ("saw", "tool")])) == set()
    assert silent(flat(["a", "b"])) == set()


def test_values_that_are_concepts_by_policy_do_not_make_the_root_say_something() -> None:
    tax = Taxonomy.from_edges([("bread", "food"), ("cake", "food")])
    assert silent(with_roots(tax, ["unheard of"])) == {"food"}


@pytest.mark.parametrize("id", ["person.n.01", "artifact.n.01", "animal.n.01", "dog.n.01", "disease.n.01", "food.n.01"])
def test_what_people_say_of_people_and_things_says_something(id: str) -> None:
    assert id not in silent(load("wordnet"))


@pytest.mark.parametrize(
    "id", ["entity.n.01", "attribute.n.02", "event.n.01", "act.n.02", "matter.n.03", "relation.n.01", "whole.n.02"]
)
def test_upper_concepts_of_wordnet_say_nothing(id: str) -> None:
    assert id in silent(load("wordnet"))


def test_one_number_would_be_wrong_both_ways() -> None:
    tax = load("wordnet")
    content = dict(
        zip(
            ("person.n.01", "attribute.n.02", "quality.n.01"),
            seco(tax)[[tax.code(i) for i in ("person.n.01", "attribute.n.02", "quality.n.01")]],
            strict=True,
        )
    )
    assert content["person.n.01"] < content["attribute.n.02"] < LEAST_CONTENT < content["quality.n.01"]


def test_a_plan_may_ask_for_more_or_less() -> None:
    tax = Taxonomy.from_edges([*((f"{i}", "many") for i in range(30)), ("many", "all"), ("one", "all")])
    assert silent(tax) == {"all"}
    assert silent(tax, 0.3) == {"all", "many"}
    assert "person.n.01" in silent(load("wordnet"), 0.25)
    assert "instrumentality.n.03" not in silent(load("wordnet"), 0.2)

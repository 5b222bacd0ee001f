"""What a group keeps and what it generalises, and what is published as its topic only."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.redaction import Veil, redact, similar_by, veiled
from taxonym.publish.representative import RULED, Representative, represent
from taxonym.records.support import Holders, Rule, obeys
from taxonym.text.sensitive import Topics, load_topics
from tests.strategies import taxonomies

KINDS = {"fruit": "apple pear", "drink": "tea milk", "illness": "cold fever", "cold": "flu catarrh", "body": "illness"}
TOPICS = '[topics.health]\nconcepts = ["illness"]\n[topics.liquids]\nconcepts = ["drink"]\n'
TWO = Rule(k=2, known_items=1)


@pytest.fixture(scope="module")
def tax() -> Taxonomy:
    kinds = [(word, kind) for kind, words in KINDS.items() for word in words.split()]
    return Taxonomy.from_edges([*kinds, *((kind, "thing") for kind in ("fruit", "drink", "body"))])


@pytest.fixture
def topics(tax: Taxonomy, tmp_path: Path) -> Topics:
    (tmp_path / "topics.toml").write_text(TOPICS)
    return load_topics(tax, tmp_path / "topics.toml")


def holders(tax: Taxonomy, *records: str, persons: Sequence[int] | None = None) -> Holders:
    codes = [sorted(tax.code(word) for word in record.split()) for record in records]
    return Holders(ConceptSets.of(codes, tax), None if persons is None else np.array(persons))


def redacted(who: Holders, group: Sequence[int], rule: Rule = TWO, threshold: float = 0.6, share: float = 1.0) -> Codes:
    how = partial(redact, similar=similar_by(who, threshold, "jaccard"), share=share)
    (found,) = represent(who, [group], rule, Representative("redaction", how, RULED))
    return found


def named(tax: Taxonomy, codes: Codes) -> set[str]:
    return {tax.label(code) for code in codes}


# ---------------------------------------------------------------------- redaction


def test_similar_attributes_take_the_one_of_the_centroid(tax: Taxonomy) -> None:
    who = holders(tax, "flu", "flu", "catarrh")  # four of six generalisations in common
    assert named(tax, redacted(who, [0, 1, 2])) == {"flu"}
    assert named(tax, redacted(who, [0, 1, 2], threshold=0.9)) == {"flu"}


def test_attributes_that_are_not_similar_rise_to_what_all_members_hold(tax: Taxonomy) -> None:
    who = holders(tax, "flu tea", "catarrh tea", "fever tea")
    assert named(tax, redacted(who, [0, 1, 2], threshold=0.9)) == {"tea", "illness"}
    assert named(tax, redacted(who, [0, 1, 2], threshold=0.9, share=0.5)) == {"tea", "cold"}
    who = holders(tax, "flu tea", "flu milk", "flu apple")
    assert named(tax, redacted(who, [0, 1, 2])) == {"flu"}  # a root says nothing


def test_of_what_all_members_hold_only_the_lowest_is_published(tax: Taxonomy) -> None:
    who = holders(tax, "flu", "catarrh", "cold fever")
    assert named(tax, redacted(who, [0, 1, 2], threshold=0.99)) == {"cold"}


def test_an_attribute_that_just_half_of_the_group_has_stands_for_it(tax: Taxonomy) -> None:
    who = holders(tax, "flu", "flu", "fever", "fever")
    assert named(tax, redacted(who, [0, 1, 2, 3])) == {"flu"}
    who = holders(tax, "flu", "flu", "fever", "fever", "milk")
    assert named(tax, redacted(who, [0, 1, 2, 3, 4])) != {"flu"}


def test_what_few_hold_rises_although_half_of_the_group_has_it(tax: Taxonomy) -> None:
    who = holders(tax, "flu", "flu", "catarrh", "fever")
    assert named(tax, redacted(who, [0, 1], Rule(k=3, known_items=1))) == {"cold"}
    assert named(tax, redacted(who, [0, 1], Rule(k=4, known_items=1))) == {"illness"}


def test_a_group_with_nothing_in_common_publishes_its_supported_medoid(tax: Taxonomy) -> None:
    who = holders(tax, "apple", "tea", "flu", "apple", "tea", "flu")
    (medoid,) = represent(who, [[0, 1, 2]], TWO, "medoid-supported")
    assert redacted(who, [0, 1, 2]) == medoid
    assert len(medoid) == 1


def test_where_nothing_of_the_medoid_is_left_the_closest_set_is_published(tax: Taxonomy) -> None:
    who = holders(tax, "apple", "apple fever", "apple tea", "milk", "flu tea")
    only = np.zeros(len(tax), np.bool_)
    only[[tax.code("illness"), tax.code("drink")]] = True
    rule = Rule(k=2, known_items=1, printable=only)
    assert represent(who, [[0, 1, 2]], rule, "medoid-supported")[0] == ()
    assert named(tax, redacted(who, [0, 1, 2], rule)) in ({"illness"}, {"drink"}, {"illness", "drink"})


@given(tax=taxonomies(10), seed=st.integers(0, 2**32), k=st.integers(2, 3), threshold=st.sampled_from([0.3, 0.6, 0.8]))
def test_a_redaction_obeys_the_support_rule_and_says_nothing_that_no_member_holds(
    tax: Taxonomy, seed: int, k: int, threshold: float
) -> None:
    dice = np.random.default_rng(seed)
    records = [sorted(set(dice.integers(0, len(tax), 3).tolist())) for _ in range(9)]
    persons = dice.integers(0, 7, 9).tolist()
    who = Holders(ConceptSets.of(records, tax), np.array(persons))
    groups = [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
    how = partial(redact, similar=similar_by(who, threshold, "log"))
    found = represent(who, groups, Rule(k=k), Representative("redaction", how, RULED))
    for group, published in zip(groups, found, strict=True):
        assert obeys(tax, records, persons, published, k, 2)
        held = {t for row in group for c in records[row] for t in tax.ancestors(c)}
        assert held.issuperset(published)
    turned = represent(who, [group[::-1] for group in groups], Rule(k=k), Representative("redaction", how, RULED))
    assert turned == found


# ---------------------------------------------------------------------- topics


def hidden(
    who: Holders, topics: Topics, codes: Sequence[str], limit: float = 0.75, *names: str
) -> tuple[set[str], int]:
    """What is left of the concepts that all records publish together; `names` cannot be printed."""
    tax, printable = who.tax, np.ones(len(who.tax), np.bool_)
    printable[[tax.code(name) for name in names]] = False
    published = tuple(sorted(tax.code(word) for word in codes))
    (found,), count = veiled(Veil.of(who, topics, printable, limit), [range(len(who))], [published])
    return named(tax, found), count


def test_what_more_than_the_limit_share_is_published_as_the_top_of_its_topic(tax: Taxonomy, topics: Topics) -> None:
    who = holders(tax, "flu apple", "flu apple", "flu apple", "apple")
    assert hidden(who, topics, ["flu", "apple"], 0.74) == ({"illness", "apple"}, 1)
    assert hidden(who, topics, ["flu", "apple"], 0.75) == ({"flu", "apple"}, 0)  # exactly the limit is not above it


def test_the_top_of_a_topic_is_the_highest_concept_that_can_be_printed(tax: Taxonomy, topics: Topics) -> None:
    who = holders(tax, "flu", "flu")
    assert hidden(who, topics, ["flu"], 0.75, "illness") == ({"cold"}, 1)
    assert hidden(who, topics, ["flu"], 0.75, "illness", "cold") == ({"flu"}, 0)
    assert hidden(who, topics, ["illness"], 0.75) == ({"illness"}, 0)


def test_persons_who_hold_something_below_count_and_each_counts_once(tax: Taxonomy, topics: Topics) -> None:
    who = holders(tax, "flu", "catarrh", "apple", "fever")
    assert hidden(who, topics, ["cold"], 0.4) == ({"illness"}, 1)
    assert hidden(who, topics, ["cold"], 0.5) == ({"cold"}, 0)
    who = holders(tax, "flu", "flu", "flu", "apple", persons=[7, 7, 7, 8])
    assert hidden(who, topics, ["flu"], 0.5) == ({"flu"}, 0)


def test_concepts_that_rise_to_one_become_one_and_each_topic_has_its_own(tax: Taxonomy, topics: Topics) -> None:
    who = holders(tax, "flu fever tea apple", "flu fever tea apple")
    assert hidden(who, topics, ["flu", "fever", "tea", "apple"]) == ({"illness", "drink", "apple"}, 3)
    assert hidden(who, topics.only(["liquids"]), ["flu", "tea"]) == ({"flu", "drink"}, 1)


def test_a_top_that_lies_in_a_further_topic_rises_to_the_top_of_that(tax: Taxonomy, tmp_path: Path) -> None:
    (tmp_path / "topics.toml").write_text(
        '[topics.colds]\nconcepts = ["cold"]\n[topics.body]\nconcepts = ["body"]\nexcept = ["flu", "catarrh"]\n'
    )
    topics = load_topics(tax, tmp_path / "topics.toml")
    who = holders(tax, "flu", "flu")
    assert hidden(who, topics, ["flu"]) == ({"body"}, 1)
    assert hidden(who, topics.only(["colds"]), ["flu"]) == ({"cold"}, 1)


def test_without_anything_sensitive_nothing_changes(tax: Taxonomy, topics: Topics) -> None:
    who = holders(tax, "apple pear", "apple")
    assert hidden(who, topics, ["apple", "fruit"], 0.0) == ({"apple", "fruit"}, 0)
    published = [(tax.code("apple"),), ()]
    veil = Veil.of(who, topics, np.ones(len(tax), np.bool_), 0.0)
    found, count = veiled(veil, [[0], [1]], published)
    assert (found, count) == (published, 0)

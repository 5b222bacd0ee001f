"""Entries of lists end in nouns, or in what is done."""

import pytest

from taxonym import Taxonomy
from taxonym.text.finder import Finder
from taxonym.text.terms import terms_of


@pytest.mark.parametrize(
    ("entry", "ids"),
    [
        ("meat spreads", ["spread.n.01"]),
        ("paint can", ["can.n.01"]),
        ("mountain biking", ["cycling.n.01"]),
        ("kayaking", ["kayak.v.01"]),  # no noun is known for it
        ("trouble biking", ["trouble.n.01"]),
    ],
)
def test_an_entry_ends_in_a_noun_or_in_an_activity(wordnet: Taxonomy, entry: str, ids: list[str]) -> None:
    found = terms_of(Finder(wordnet, senses="first"), [entry], entries=True)[0]
    assert [wordnet.id(code) for _, code in found.known] == ids


def test_an_activity_with_a_word_before_it_is_a_phrase_below_its_head(wordnet: Taxonomy) -> None:
    found = terms_of(Finder(wordnet), ["mountain biking"], entries=True)[0]
    assert [(one.text, wordnet.id(one.head)) for one in found.phrases] == [("mountain biking", "cycling.n.01")]


def test_a_text_that_is_no_entry_keeps_its_verbs(wordnet: Taxonomy) -> None:
    assert [mention.term for mention in Finder(wordnet).find("the meat spreads")] == ["meat"]

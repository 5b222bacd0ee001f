"""The papers' own examples of turning text into concepts, on WordNet 3.0."""

import pytest

from taxonym import Taxonomy
from taxonym.text.column_mapping import map_text
from taxonym.text.finder import Finder


@pytest.fixture(scope="module")
def finder(wordnet: Taxonomy) -> Finder:
    return Finder(wordnet)


def test_batet2014_the_iphone_is_younger_than_wordnet(finder: Finder) -> None:
    """000 §3.1.1 maps "iPhone" with a larger knowledge base; WordNet 3.0 has no such label, and we say so."""
    assert finder.find("iPhone") == []
    assert finder.unknown("iPhone") == [(0, 6)]


def test_batet2014_a_phrase_loses_its_left_most_word_until_it_is_known() -> None:
    """000 §3.1.1: a new iPhone -> new iPhone -> iPhone."""
    phones = Taxonomy.from_edges([("iPhone", "Smartphone"), ("Smartphone", "Handhelds"), ("Handhelds", "Computers")])
    [mention] = map_text(phones, "a new iPhone")
    assert mention.term == mention.label == "iPhone"
    assert mention.dropped == ("new",)


def test_batet2014_ac_charger_for_an_iphone(finder: Finder) -> None:
    """000 §3.1.1: the noun phrases are AC charger and iPhone; AC charger is known by its head."""
    text = "AC charger for an iPhone"
    charger = next(m for m in finder.find(text) if m.term == "charger")
    assert charger.dropped == ("AC",)
    assert [text[a:b] for a, b in finder.unknown(text)] == ["iPhone"]


def test_batet2014_a_charger_that_is_known_as_a_whole_is_not_cut() -> None:
    things = Taxonomy.from_edges([("AC charger", "charger"), ("charger", "device"), ("iPhone", "device")])
    found = [(m.term, m.dropped) for m in map_text(things, "AC chargers for an iPhone")]
    assert found == [("AC chargers", ()), ("iPhone", ())]


def test_imran_daud2022_cure_ill_health_disease_lung_infection(finder: Finder) -> None:
    """001 §3.1: the attributes of a query about an illness."""
    found = finder.find("a cure for ill-health pulmonary disease lung infection")
    assert [m.term for m in found] == ["cure", "ill-health", "disease", "lung", "infection"]
    assert [m.label for m in found] == ["remedy", "ill health", "disease", "lung", "infection"]


def test_imran_daud2022_flu_and_pneumonia(finder: Finder, wordnet: Taxonomy) -> None:
    """001, example 1."""
    assert [wordnet.id(m.code) for m in finder.find("flu, pneumonia")] == ["influenza.n.01", "pneumonia.n.01"]


def test_navarro_arribas2010_the_terms_of_table_2_1_are_known(finder: Finder) -> None:
    """003, table 2.1: four documents of three terms."""
    for document in (
        "keyboard laptop software", "horse dog cat", "hardware screen computer", "lion monkey tiger"
    ):  # fmt: skip
        assert [m.term for m in finder.find(", ".join(document.split()))] == document.split()

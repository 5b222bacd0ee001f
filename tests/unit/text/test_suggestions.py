"""Suggestions for unknown words."""

import csv
from io import StringIO

import pytest

from taxonym import Finder, Taxonomy
from taxonym.text.language import SPANISH
from taxonym.text.suggestions import LIKELY, SuggestedTerm, Suggester, override_file


@pytest.fixture(scope="module")
def suggester(wordnet: Taxonomy) -> Suggester:
    return Suggester(Finder(wordnet, senses="first"))


def ids(tax: Taxonomy, suggester: Suggester, term: str) -> list[str]:
    return [tax.id(one.code) for one in suggester.suggest(term)]


@pytest.mark.parametrize(
    ("term", "label"),
    [("avacado", "avocado"), ("pnuemonia", "pneumonia"), ("chiken nuggets", "nugget"), ("avacados", "avocado")],
)
def test_a_misspelt_word_suggests_the_label_that_is_spelt_nearly_so(
    wordnet: Taxonomy, suggester: Suggester, term: str, label: str
) -> None:
    best = suggester.suggest(term)[0]
    assert label in wordnet.labels(best.code)
    assert best.why.startswith("spelling of ")


def test_longer_words_and_fewer_edits_make_a_correction_surer(suggester: Suggester) -> None:
    sure = [suggester.suggest(word)[0].confidence for word in ("pneumonea", "pneumunea", "fevar")]
    assert sure == sorted(sure, reverse=True)
    assert len(set(sure)) == 3


def test_a_label_that_nobody_was_seen_to_use_is_no_likely_correction(suggester: Suggester) -> None:
    """arista, one letter from barista, is an awn."""
    assert all(one.confidence < LIKELY for one in suggester.suggest("barista"))


def test_a_word_of_the_language_is_not_taken_for_a_misspelling(suggester: Suggester) -> None:
    assert not [one for one in suggester.suggest("pregnant") if one.why.startswith("spelling")]


def test_an_activity_suggests_its_verb(wordnet: Taxonomy, suggester: Suggester) -> None:
    assert ids(wordnet, suggester, "windsurfing")[0] == "windsurf.v.01"
    assert ids(wordnet, suggester, "mountain biking")[0] == "bicycle.v.01"


def test_a_word_that_is_no_label_suggests_what_is_near_by_vectors(wordnet: Taxonomy, suggester: Suggester) -> None:
    found = suggester.suggest("pregnant")
    assert "pregnancy.n.01" in [wordnet.id(one.code) for one in found]
    assert all(one.confidence < LIKELY for one in found), "vectors alone never fill in a concept"


def test_a_word_that_is_like_nothing_has_no_suggestion(suggester: Suggester) -> None:
    assert suggester.suggest("xqzvvkj") == []


def test_suggestions_lie_under_the_category() -> None:
    tax = Taxonomy.from_edges([("apple", "fruit"), ("apply", "form"), ("fruit", "thing"), ("form", "thing")])
    for category, label in (("fruit", "apple"), ("form", "apply")):
        found = Suggester(Finder(tax, senses="first", category=category)).suggest("applx")
        assert [tax.label(one.code) for one in found] == [label]


def test_a_spanish_word_is_corrected_and_english_vectors_are_not_asked() -> None:
    tax = Taxonomy.from_edges([("dependiente", "persona"), ("pregnancy", "persona")])
    suggester = Suggester(Finder(tax, language=SPANISH, senses="first"))
    assert ids(tax, suggester, "dependienta") == ["dependiente"]
    assert all(one.why.startswith("spelling") for one in suggester.suggest("pregnant"))


def test_likely_suggestions_are_filled_in_and_others_are_left_open(wordnet: Taxonomy, suggester: Suggester) -> None:
    terms = [SuggestedTerm(term, 7, suggester.suggest(term)) for term in ("pnuemonia", "pregnant", "xqzvvkj")]
    rows = list(csv.DictReader(StringIO(override_file(terms, wordnet))))
    assert [row["term"] for row in rows] == ["pnuemonia", "pregnant", "xqzvvkj"]
    assert [row["concept"] for row in rows] == ["pneumonia.n.01", "-", "-"]
    assert "pregnancy.n.01" in [rows[1]["suggestion"], *rows[1]["others"].split()]
    assert all(rows[1].values())
    assert float(rows[1]["confidence"]) < LIKELY
    assert [row["persons"] for row in rows] == ["7", "7", "7"]

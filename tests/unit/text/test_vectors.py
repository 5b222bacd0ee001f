"""Terms of a document and its vector."""

from collections import Counter

import pytest

from taxonym import Taxonomy
from taxonym.text.vectors import TermCounts, count_terms, coverage, finder_for, term_vector

TEXT = "The dogs and a dog met an ox. Zorbulax barked; the zorbulax saw the dog's owner in it."


def said(tax: Taxonomy, counted: TermCounts) -> dict[str, int]:
    return {tax.label(senses[0]): n for senses, n in counted.known.items()}


def test_stop_words_short_words_and_unknown_words_are_no_terms(wordnet: Taxonomy) -> None:
    found = count_terms(finder_for([wordnet], "first"), TEXT)
    assert said(wordnet, found)["dog"] == 3
    assert "ox" not in said(wordnet, found)
    assert found.unknown == Counter({"zorbulax": 2})


def test_the_shortest_word_and_more_stop_words_can_be_told(wordnet: Taxonomy) -> None:
    found = count_terms(finder_for([wordnet], "first"), TEXT, shortest=2, stop_words={"owner", "zorbulax"})
    assert {"ox", "dog"} <= set(said(wordnet, found))
    assert "owner" not in said(wordnet, found)
    assert not found.unknown


def test_a_term_is_its_concept_or_where_pairs_decide_all_that_it_may_mean(wordnet: Taxonomy) -> None:
    one = count_terms(finder_for([wordnet], "first"), "The bank failed.").known
    every = count_terms(finder_for([wordnet], "best-pair"), "The bank failed.", "best-pair").known
    assert [len(senses) for senses in one] == [1]
    (senses,) = every
    assert len(senses) > 5
    assert next(iter(one)) == senses[:1]


def test_senses_may_follow_the_whole_document(wordnet: Taxonomy) -> None:
    text = "The river rose over its bank. The water of the river flooded the shore and the slope."
    found = count_terms(finder_for([wordnet], "context"), text, "context").known
    assert (wordnet.code("bank.n.01"),) in found


def test_weights_are_shares_of_all_terms_of_the_document_also_of_those_cut_off() -> None:
    known = {(1,): 5, (2,): 2, (3,): 2, (4,): 1}
    assert term_vector(known, 3) == [((1,), 0.5), ((2,), 0.2), ((3,), 0.2)]
    assert term_vector({}, 3) == []


def test_coverage_is_the_jaccard_of_vectors_with_and_without_unknown_words() -> None:
    told = TermCounts(Counter({(1,): 5, (2,): 3, (3,): 1}), Counter({"x": 4}))
    assert coverage(told, 2) == pytest.approx(1 / 3)  # {1, 2} and {1, x}
    assert coverage(told, 9) == pytest.approx(3 / 4)  # {1, 2, 3} and {1, x, 2, 3}
    assert coverage(TermCounts(Counter({(1,): 1})), 2) == 1
    assert coverage(TermCounts(), 2) is None
    assert coverage(TermCounts(Counter(), Counter({"x": 1})), 2) == 0

"""Why a term means a concept."""

from taxonym import Finder, Taxonomy
from taxonym.text.explanation import explain


def test_a_label_says_which_of_its_senses_was_chosen(wordnet: Taxonomy) -> None:
    why, senses = explain(Finder(wordnet, senses="first"), "soda", wordnet.code("pop.n.02"))
    assert why == "exact label; sense 2 of 2"
    assert [wordnet.id(code) for code in senses] == ["sodium_carbonate.n.01", "pop.n.02"]


def test_a_phrase_says_which_word_of_it_was_known(wordnet: Taxonomy) -> None:
    why, senses = explain(Finder(wordnet, senses="first"), "semi-finished bread", wordnet.code("bread.n.01"))
    assert why == "'bread' in it: exact label; sense 1 of 2"
    assert len(senses) == 2


def test_a_plural_says_what_it_is_a_form_of(wordnet: Taxonomy) -> None:
    assert explain(Finder(wordnet, senses="first"), "rivers", wordnet.code("river.n.01")).why == (
        "lemma of the label 'river'; only sense"
    )


def test_the_persons_own_choice_is_said_to_be_one(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet, senses="first", overrides={"bank": "savings_bank.n.02"})
    assert explain(finder, "Bank", wordnet.code("savings_bank.n.02")) == (
        "override",
        [wordnet.code("savings_bank.n.02")],
    )


def test_a_category_leaves_only_senses_below_it(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet, senses="first", category="food.n.01")
    assert explain(finder, "soda", wordnet.code("pop.n.02")).why == "exact label; only sense"

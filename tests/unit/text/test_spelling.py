"""The nearest known word within a stated number of edits."""

import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan
from taxonym.text.spelling import Speller, distance

WORDS = ["asthma", "diabetes", "fever", "river", "lover", "lung", "cough", "flu", "car", "cart", "chart"]


@pytest.mark.parametrize(
    ("a", "b", "edits"),
    [
        ("", "", 0),
        ("", "abc", 3),
        ("asthma", "asthma", 0),
        ("asthma", "asthmaa", 1),
        ("asthma", "astma", 1),
        ("asthma", "asthna", 1),
        ("asthma", "ashtma", 1),
        ("ca", "abc", 3),
        ("kitten", "sitting", 3),
        ("ab", "ba", 1),
        ("abcd", "badc", 2),
    ],
)
def test_the_distance_counts_insertions_deletions_replacements_and_swaps(a: str, b: str, edits: int) -> None:
    assert distance(a, b) == distance(b, a) == edits


@pytest.mark.parametrize("wrong", ["astma", "asthmaa", "asthna", "ashtma", "sthma", "asthm", "xasthma"])
def test_one_edit_is_mended_at_limit_1(wrong: str) -> None:
    assert Speller(WORDS).correct(wrong) == "asthma"


def test_two_edits_are_mended_only_at_limit_2() -> None:
    assert Speller(WORDS).correct("diabtis") is None
    assert Speller(WORDS, limit=2).correct("diabets") == "diabetes"
    assert Speller(WORDS, limit=2).correct("dibates") == "diabetes"
    assert Speller(WORDS, limit=2).correct("dbatse") is None


def test_a_known_word_stays_and_a_word_under_four_letters_is_never_changed() -> None:
    speller = Speller(WORDS, limit=2)
    assert speller.correct("river") == "river"
    assert speller.correct("flu") == "flu"
    assert speller.correct("fla") is None
    assert speller.correct("cat") is None
    assert speller.correct("") is None


def test_a_word_of_four_letters_may_become_one_of_three() -> None:
    assert Speller(WORDS).correct("fluu") == "flu"


def test_of_several_the_fewer_edits_win_then_the_more_frequent_then_the_alphabet() -> None:
    words = ["lover", "liver", "lever", "livery"]
    often = {"lover": 5, "liver": 9, "lever": 9, "livery": 100}
    assert Speller(words, limit=2, frequency=often.__getitem__).correct("lxver") == "lever"
    assert Speller(words, limit=2, frequency={**often, "liver": 10}.__getitem__).correct("lxver") == "liver"
    assert Speller(words, limit=2).correct("lxver") == "lever"
    assert Speller(reversed(words), limit=2).correct("lxver") == "lever"


def test_words_that_begin_alike_for_long_are_told_apart_by_their_ends() -> None:
    speller = Speller(["hypertension", "hypertensive", "hypertensin"])
    assert speller.correct("hypertensiom") == "hypertension"
    assert speller.correct("hypertensibe") == "hypertensive"


@pytest.mark.parametrize("limit", [0, 3, -1])
def test_another_limit_is_refused_by_name(limit: int) -> None:
    with pytest.raises(BadPlan, match=f"the limit must be 1 or 2 edits, got {limit}"):
        Speller(WORDS, limit=limit)


def test_misspelt_words_of_wordnet_are_mended_by_the_words_that_are_used_more(wordnet: Taxonomy) -> None:
    speller = Speller((key for key in wordnet.keys if " " not in key), frequency=lambda key: sum(wordnet.counts(key)))
    wrong = {"diabtes": "diabetes", "asthme": "asthma", "pnuemonia": "pneumonia", "chiken": "chicken"}
    assert {word: speller.correct(word) for word in wrong} == wrong

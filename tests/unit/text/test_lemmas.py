import pytest

from taxonym.text.lemmas import candidates


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("cats", "cat"),
        ("boxes", "box"),
        ("churches", "church"),
        ("caches", "cache"),
        ("babies", "baby"),
        ("cookies", "cookie"),
        ("knives", "knife"),
        ("lives", "life"),
        ("leaves", "leaf"),
        ("women", "woman"),
        ("firemen", "fireman"),
        ("children", "child"),
        ("mice", "mouse"),
        ("feet", "foot"),
        ("diagnoses", "diagnosis"),
        ("nouses", "nous"),
        ("analyses", "analysis"),
        ("indices", "index"),
        ("vertebrae", "vertebra"),
        ("bacteria", "bacterium"),
        ("potatoes", "potato"),
        ("tsunamis", "tsunami"),
        ("men's", "man"),
        ("dogs'", "dog"),
        ("valentine’s", "valentine"),
    ],
)
def test_a_plural_or_possessive_has_its_singular_among_its_candidates(form: str, lemma: str) -> None:
    assert lemma in candidates(form, "n")


@pytest.mark.parametrize("form", ["years", "falls", "glasses", "arms", "shingles"])
def test_a_plural_that_may_be_a_label_itself_comes_first_and_keeps_its_singular(form: str) -> None:
    found = candidates(form, "n")
    assert found[0] == form
    assert len(found) > 1


@pytest.mark.parametrize("word", ["virus", "glass", "bus", "cat", "gas"[:2], "s", ""])
def test_a_singular_loses_nothing(word: str) -> None:
    assert candidates(word, "n") == (word,)


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("planned", "plan"),
        ("planing", "plane"),
        ("visited", "visit"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("filled", "fill"),
        ("missing", "miss"),
        ("canceling", "cancel"),
        ("cancelled", "cancel"),
        ("tries", "try"),
        ("tried", "try"),
        ("ties", "tie"),
        ("dying", "die"),
        ("goes", "go"),
        ("passes", "pass"),
        ("gasses", "gas"),
        ("takes", "take"),
        ("chasing", "chase"),
        ("went", "go"),
        ("fell", "fall"),
        ("eaten", "eat"),
        ("agreed", "agree"),
        ("settling", "settle"),
    ],
)
def test_a_verb_form_has_its_infinitive_among_its_candidates(form: str, lemma: str) -> None:
    assert lemma in candidates(form, "v")


@pytest.mark.parametrize(
    ("form", "wrong"), [("planing", "plan"), ("plates", "plat"), ("seed", "see"), ("canes", "can"), ("rating", "rat")]
)
def test_a_form_that_spelling_rules_out_is_no_candidate(form: str, wrong: str) -> None:
    assert wrong not in candidates(form, "v")


@pytest.mark.parametrize(
    ("form", "lemma"), [("bigger", "big"), ("happiest", "happy"), ("nicer", "nice"), ("worse", "bad")]
)
def test_a_comparative_has_its_positive_among_its_candidates(form: str, lemma: str) -> None:
    assert lemma in candidates(form, "a")


def test_an_adverb_is_its_own_lemma_unless_the_list_knows_better() -> None:
    assert candidates("slowly", "r") == ("slowly",)
    assert "well" in candidates("best", "r")


@pytest.mark.parametrize("part", ["n", "v", "a", "r"])
def test_candidates_are_never_repeated(part: str) -> None:
    for word in ("axes", "bases", "stresses", "dies", "lay", "better", "cruises", "men's"):
        found = candidates(word, part)
        assert len(set(found)) == len(found)
        assert found[0] == word

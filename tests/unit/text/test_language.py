import dataclasses
import doctest

import pytest

from taxonym.text import language
from taxonym.text.language import ENGLISH, Language, lemma_list
from taxonym.text.phrases import analyse
from taxonym.text.tokens import tokenise, word_set

SPANISH = Language(
    code="es",
    tokenise=tokenise,
    lemmas=lemma_list([("pulmones", "pulmón"), ("duelen", "doler"), ("ve", "ver"), ("ve", "ir")]),
    tag=None,
    stop_words=word_set("el la los las un una de del en con para por y o a me mis su"),
    auxiliaries=word_set("es son está están ha han"),
)


def test_a_spanish_pack_needs_a_lemma_list_and_no_tagger() -> None:
    text = "me duelen los pulmones y el corazón"
    [sentence] = analyse(text, SPANISH)
    words = [sentence.tokens[p.head].text for p in sentence.phrases]
    assert words == ["duelen", "pulmones", "corazón"]
    assert [SPANISH.lemmas(w, "n")[-1] for w in words] == ["doler", "pulmón", "corazón"]
    assert [sentence.tokens[i].text for i in sentence.verbs] == words


def test_a_listed_form_may_have_several_lemmas_and_keeps_itself_first() -> None:
    assert SPANISH.lemmas("ve", "v") == ("ve", "ver", "ir")


def test_a_form_that_is_listed_as_its_own_lemma_is_given_once() -> None:
    assert lemma_list([("casa", "casa"), ("casa", "casar")])("casa", "n") == ("casa", "casar")


def test_the_pack_in_the_docstring_works() -> None:
    assert doctest.testmod(language) == doctest.TestResults(failed=0, attempted=3)


def test_english_has_a_tagger_and_no_word_with_content_among_its_stop_words() -> None:
    assert ENGLISH.tag is not None
    assert {"the", "of", "my", "without"} <= ENGLISH.stop_words
    assert ENGLISH.stop_words.isdisjoint({"lung", "cancer", "eat", "old"})
    assert {"is", "have", "can"} <= ENGLISH.auxiliaries


def test_a_language_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        ENGLISH.code = "xx"  # type: ignore[misc]

import pytest

from taxonym.text.language import ENGLISH, Language
from taxonym.text.phrases import analyse
from taxonym.text.tokens import tokenise, word_set


def phrases(text: str, language: Language = ENGLISH) -> list[str]:
    return [text[s.tokens[p.start].start : s.tokens[p.head].end] for s in analyse(text, language) for p in s.phrases]


def verbs(text: str, language: Language = ENGLISH) -> list[str]:
    return [s.tokens[i].text for s in analyse(text, language) for i in s.verbs]


def test_the_query_of_batet_2014_has_the_noun_phrases_the_paper_names() -> None:
    assert phrases("AC charger for an iPhone") == ["AC charger", "iPhone"]
    assert phrases("a new iPhone") == ["new iPhone"]


def test_the_query_of_imran_daud_2022_has_its_nouns_at_the_heads_of_phrases() -> None:
    assert phrases("a cure for ill-health pulmonary disease lung infection") == [
        "cure",
        "ill-health",
        "pulmonary disease lung infection",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my old dog and your new cat", ["old dog", "new cat"]),
        ("type 2 diabetes without complications", ["type 2 diabetes", "complications"]),
        ("12 fresh eggs", ["fresh eggs"]),
        ("frozen chicken 2kg", ["frozen chicken"]),
        ("had a baby last year", ["baby", "last year"]),
        ("surgery last year", ["surgery", "last year"]),
        ("chest pain, fever", ["chest pain", "fever"]),
        ("the barking dog ran away", ["barking dog"]),
        ("see www.example.org", []),
        ("very slowly", []),
        ("big red", []),
    ],
)
def test_a_phrase_ends_with_its_last_noun_and_starts_after_determiners_possessives_and_numbers(
    text: str, expected: list[str]
) -> None:
    assert phrases(text) == expected


def test_the_head_of_a_phrase_is_its_right_most_noun() -> None:
    [sentence] = analyse("acute upper respiratory infection")
    [phrase] = sentence.phrases
    assert sentence.tokens[phrase.head].text == "infection"
    assert sentence.tags[phrase.head] == "NN"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("she is eating and has eaten", ["eating", "eaten"]),
        ("do cats purr", ["purr"]),
        ("the doctor did not listen", ["listen"]),
        ("my pension did not", []),
        ("I do my homework", ["do"]),
        ("she had a baby", ["had"]),
        ("i have to go", ["go"]),
        ("frozen chicken", []),
        ("we could use more parks", ["use"]),
        ("it was", []),
    ],
)
def test_verbs_are_those_with_content(text: str, expected: list[str]) -> None:
    assert verbs(text) == expected


def test_every_sentence_of_a_text_is_analysed_by_itself() -> None:
    found = analyse("My knee hurts. Dr. Smith saw it!")
    assert [len(s.tokens) for s in found] == [4, 6]
    assert all(len(s.tokens) == len(s.tags) for s in found)


def test_the_share_of_nouns_reaches_the_tagger() -> None:
    [without] = analyse("he spoke zorbly")
    [with_it] = analyse("he spoke zorbly", noun_share={"zorbly": 1.0}.get)
    assert (len(without.phrases), len(with_it.phrases)) == (0, 1)


def test_a_text_without_words_has_no_sentences() -> None:
    assert analyse("") == analyse(" \n ") == []


def test_without_a_tagger_runs_of_words_with_content_are_phrases_and_each_word_may_be_a_verb() -> None:
    bare = Language(
        code="xx",
        tokenise=tokenise,
        lemmas=ENGLISH.lemmas,
        tag=None,
        stop_words=word_set("the of"),
        auxiliaries=word_set("is"),
    )
    assert phrases("the pain of lung cancer, is bad", bare) == ["pain", "lung cancer", "is bad"]
    assert verbs("the pain of lung cancer, is bad", bare) == ["pain", "lung", "cancer", "bad"]
    assert analyse("the pain", bare)[0].tags == ["", ""]

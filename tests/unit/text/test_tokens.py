import pytest

from taxonym.text.tokens import Kind, Token, sentences, tokenise


def pieces(text: str) -> list[str]:
    return [token.text for token in tokenise(text)]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.text, token.kind.value) for token in tokenise(text)]


def split(text: str) -> list[str]:
    return [text[tokens[0].start : tokens[-1].end] for tokens in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ill-health pulmonary disease", ["ill-health", "pulmonary", "disease"]),
        ("don't alzheimer's o’neil", ["don't", "alzheimer's", "o’neil"]),
        ("café cafe\u0301 naïve हिन्दी", ["café", "cafe\u0301", "naïve", "हिन्दी"]),
        ("mp3 b12 h1n1 covid-19 24-hour 3d", ["mp3", "b12", "h1n1", "covid-19", "24-hour", "3d"]),
        ("w/o c/o AT&T c++ U.S. e.g.", ["w/o", "c/o", "AT&T", "c++", "U.S.", "e.g."]),
        ("heart_disease", ["heart", "disease"]),
        ("dogs' food", ["dogs", "'", "food"]),
    ],
)
def test_a_word_keeps_its_hyphens_apostrophes_accents_and_digits(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [("chicken 2kg", "2", "kg"), ("500ml milk", "500", "ml"), ("3.5GB", "3.5", "GB"), ("50% off", "50", "%")],
)
def test_a_unit_glued_to_a_number_is_a_token_of_its_own(text: str, number: str, unit: str) -> None:
    assert (number, "number") in kinds(text)
    assert (unit, "unit") in kinds(text)


def test_a_unit_that_stands_alone_is_a_word() -> None:
    assert kinds("28 cm 2 in 1") == [
        ("28", "number"),
        ("cm", "word"),
        ("2", "number"),
        ("in", "word"),
        ("1", "number"),
    ]


@pytest.mark.parametrize("number", ["3.5", "1,000,000", "10:30", "12/05/2001", "555-1234", "1990s", "2nd", "1/2"])
def test_a_number_with_its_separators_and_endings_is_one_token(number: str) -> None:
    assert kinds(f"about {number} of them") == [
        ("about", "word"),
        (number, "number"),
        ("of", "word"),
        ("them", "word"),
    ]


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("jane.o'neil+x@mail.example.org", Kind.EMAIL),
        ("http://www.example.org/a?b=1", Kind.URL),
        ("www.example.org/shop", Kind.URL),
        ("example.com", Kind.URL),
        ("HTTPS://EXAMPLE.ORG", Kind.URL),
    ],
)
def test_an_address_is_one_token_without_the_full_stop_after_it(address: str, kind: Kind) -> None:
    token = tokenise(f"see {address}.")[1]
    assert token == Token(address, 4, 4 + len(address), kind)


def test_the_operators_of_a_query_are_not_words() -> None:
    found = kinds('site:example.com "lung cancer" -smoking +cure AND NOT old')
    assert [text for text, kind in found if kind == "operator"] == ["site:", '"', '"', "-", "+", "AND", "NOT"]
    assert [text for text, kind in found if kind == "word"] == ["lung", "cancer", "smoking", "cure", "old"]


def test_and_is_a_word_in_small_letters_and_in_a_text_of_capitals_only() -> None:
    assert ("AND", "word") in kinds("FISH AND CHIPS")
    assert ("and", "word") in kinds("fish and chips")


def test_a_hyphen_is_an_operator_only_before_a_word_and_after_a_blank() -> None:
    assert [kind for text, kind in kinds("a - b -c x-ray") if text == "-"] == ["punctuation", "operator"]


def test_other_scripts_are_words_and_emoji_are_symbols() -> None:
    assert kinds("Привет 日本語 😀") == [("Привет", "word"), ("日本語", "word"), ("😀", "symbol")]


@pytest.mark.parametrize("text", ["", " ", "\n\t\x00", "___", "\ud800", "\u200b", "\x1f"])
def test_a_text_without_words_has_no_words(text: str) -> None:
    assert not [token for token in tokenise(text) if token.kind is Kind.WORD]


def test_the_short_cut_for_plain_texts_gives_the_tokens_of_the_long_way() -> None:
    plain = "  lung  cancer in 0 women "
    long_way = tokenise(plain)
    short_way = tokenise(plain.replace("0", "x"))
    assert [(t.start, t.end) for t in short_way] == [(t.start, t.end) for t in long_way]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I saw Dr. Smith. He paid $3.50 in cash! Why?", ["I saw Dr. Smith.", "He paid $3.50 in cash!", "Why?"]),
        ("J. R. Tolkien wrote. it sold", ["J. R. Tolkien wrote.", "it sold"]),
        ("The U.S. army left", ["The U.S. army left"]),
        ("sold in the U.S.A. Then it rained", ["sold in the U.S.A.", "Then it rained"]),
        ("fruit, e.g. apples", ["fruit, e.g. apples"]),
        ('He said "stop!" Then he left', ['He said "stop!"', "Then he left"]),
        ("well... maybe", ["well... maybe"]),
        ("well... Maybe", ["well...", "Maybe"]),
        ("first line\nof a sentence", ["first line\nof a sentence"]),
        ("Bread\nMilk", ["Bread", "Milk"]),
        ("one\n\ntwo", ["one", "two"]),
        ("version 3.5 is out", ["version 3.5 is out"]),
    ],
)
def test_a_sentence_ends_at_its_mark_but_not_at_abbreviations_initials_and_decimals(
    text: str, expected: list[str]
) -> None:
    assert split(text) == expected


def test_a_text_without_tokens_has_no_sentences() -> None:
    assert sentences(" \n ") == []

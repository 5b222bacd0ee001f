import pytest

from taxonym import Finder, Taxonomy, load
from taxonym.text.terms import TextTerms, terms_of, tidy

TREE = Taxonomy.from_edges([("swimming", "sports"), ("water polo", "sports"), ("chess", "sports"), ("polo", "sports")])
FINDER = Finder(TREE)
CHESS, SWIMMING, WATER_POLO = (TREE.code(name) for name in ("chess", "swimming", "water polo"))


def said(text: str, entries: bool = True, single: bool = False) -> TextTerms:
    return terms_of(FINDER, [text], entries=entries, single=single)[0]


def test_an_entry_that_is_a_label_is_a_term_as_it_was_written() -> None:
    assert said("Water  Polo") == TextTerms([("Water Polo", WATER_POLO)], [])
    assert said("chess") == TextTerms([("chess", CHESS)], [])


def test_an_entry_with_one_concept_is_a_term_as_a_whole_if_it_says_no_more() -> None:
    assert said("the chess") == TextTerms([("the chess", CHESS)], [])
    assert said("my old chess").known == [("chess", CHESS)]
    assert said("my old chess").unknown == []


def test_an_entry_with_several_concepts_has_a_term_for_each() -> None:
    found = said("chess and swimming")
    assert [code for _, code in found.known] == [CHESS, SWIMMING]
    assert [term for term, _ in found.known] == ["chess", "swimming"]


def test_a_nominal_entry_is_the_head_of_its_first_phrase() -> None:
    assert [code for _, code in said("chess and swimming", single=True).known] == [CHESS]
    assert [code for _, code in said("school chess with water polo", single=True).known] == [CHESS]


def test_a_nominal_entry_of_which_all_words_count_is_its_longest_mention_and_of_equal_ones_the_last() -> None:
    for text, code in (("chess and swimming", SWIMMING), ("chess and water polo", WATER_POLO)):
        found = terms_of(FINDER, [text], entries=True, single=True, words=True)[0]
        assert [known for _, known in found.known] == [code]


# ---------------------------------------------------------------------- phrases and their heads

ENTRIES = [  # an entry, its concepts in WordNet, and the phrase that may be a concept of its own with its head
    ("injection site pain", ["pain.n.01"], ("injection site pain", "pain.n.01")),
    ("lower jaw pain", ["pain.n.01"], ("lower jaw pain", "pain.n.01")),
    ("AC charger", ["charger.n.01"], ("AC charger", "charger.n.01")),
    ("frozen chicken", ["chicken.n.01"], ("frozen chicken", "chicken.n.01")),
    ("Chronic sinusitis (disorder)", ["sinusitis.n.01", "disorder.n.01"],
     ("Chronic sinusitis (disorder)", "sinusitis.n.01")),
    ("Diabetes mellitus type 2", ["diabetes_mellitus.n.01"],
     ("Diabetes mellitus type 2", "diabetes_mellitus.n.01")),
    ("Ibuprofen 200 MG Oral Tablet", ["ibuprofen.n.01", "tablet.n.01"],
     ("Ibuprofen 200 MG Oral Tablet", "ibuprofen.n.01")),
    ("pain in the knee", ["pain.n.01", "knee.n.01"], ("pain in the knee", "pain.n.01")),
    ("soap and shampoo", ["soap.n.01", "shampoo.n.01"], None),
    ("other vegetables", ["vegetable.n.01"], None),
    ("whole milk", ["whole_milk.n.01"], None),
    ("dogs", ["dog.n.01"], None),
    ("apple iphone", ["apple.n.01"], None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "ids", "phrase"), ENTRIES)
def test_an_entry_is_what_its_heads_mean_and_tells_the_phrase_that_says_more(
    wordnet: Taxonomy, text: str, ids: list[str], phrase: tuple[str, str] | None
) -> None:
    found = terms_of(Finder(wordnet, senses="first"), [text], entries=True)[0]  # not about senses
    assert [wordnet.id(code) for _, code in found.known] == ids
    assert [(one.text, wordnet.id(one.head)) for one in found.phrases] == ([] if phrase is None else [phrase])


def test_all_known_words_of_an_entry_are_terms_where_somebody_wants_that(wordnet: Taxonomy) -> None:
    found = terms_of(Finder(wordnet), ["injection site pain"], entries=True, words=True)[0]
    assert [term for term, _ in found.known] == ["injection", "site", "pain"]
    assert found.phrases == ()


def test_of_a_text_the_known_words_left_of_a_head_are_terms_too_and_the_phrase_is_told(wordnet: Taxonomy) -> None:
    found = terms_of(Finder(wordnet), ["I lost my phone charger."], entries=False)[0]
    assert [term for term, _ in found.known] == ["phone", "charger"]
    assert [(one.text, one.first, one.last) for one in found.phrases] == [("phone charger", 1, 2)]


def test_an_endless_entry_is_read_in_a_time_that_grows_with_its_length(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet)
    found = terms_of(finder, ["site pain " * 5_000], entries=True)[0]  # a quadratic way would take minutes
    assert len(found.known) >= 1


def test_an_entry_without_any_concept_is_unknown_as_a_whole() -> None:
    assert said("zyzzyva  quux") == TextTerms([], ["zyzzyva quux"])


def test_of_a_text_only_the_phrases_are_terms() -> None:
    found = said("We went swimming with the zyzzyva.", entries=False)
    assert found.known == [("swimming", SWIMMING)]
    assert found.unknown == ["zyzzyva"]
    assert said("", entries=False) == TextTerms([], [])


def test_every_text_of_a_record_has_its_own_terms() -> None:
    assert terms_of(FINDER, ["chess", "zyzzyva", "chess"], entries=True) == [
        TextTerms([("chess", CHESS)], []), TextTerms([], ["zyzzyva"]), TextTerms([("chess", CHESS)], []),
    ]  # fmt: skip


def test_tidy_words_have_single_blanks() -> None:
    assert tidy(" a\n b\tc ") == "a b c"


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("text", ["sister raped me", "injection site pain", "dog 7", "spread cheese", "the dog"])
def test_an_entry_that_says_more_than_its_head_is_not_the_word_for_it(text: str, words: bool) -> None:
    """Others who say as much as the head are published by that word."""
    (found,) = terms_of(Finder(load("wordnet")), [text], entries=True, single=True, words=words)
    (term, _), *_ = found.known
    assert (term == text) == (text == "the dog")

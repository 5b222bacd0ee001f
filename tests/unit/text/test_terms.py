from taxonym import Finder, Taxonomy
from taxonym.text.terms import TextTerms, terms_of, tidy

TREE = Taxonomy.from_edges([("swimming", "sports"), ("water polo", "sports"), ("chess", "sports"), ("polo", "sports")])
FINDER = Finder(TREE)
CHESS, SWIMMING, WATER_POLO = (TREE.code(name) for name in ("chess", "swimming", "water polo"))


def said(text: str, entries: bool = True, single: bool = False) -> TextTerms:
    return terms_of(FINDER, [text], entries=entries, single=single)[0]


def test_an_entry_that_is_a_label_is_a_term_as_it_was_written() -> None:
    assert said("Water  Polo") == TextTerms([("Water Polo", WATER_POLO)], [])
    assert said("chess") == TextTerms([("chess", CHESS)], [])


def test_an_entry_with_one_concept_is_a_term_as_a_whole() -> None:
    assert said("my old chess") == TextTerms([("my old chess", CHESS)], [])


def test_an_entry_with_several_concepts_has_a_term_for_each() -> None:
    found = said("chess and swimming")
    assert [code for _, code in found.known] == [CHESS, SWIMMING]
    assert [term for term, _ in found.known] == ["chess", "swimming"]


def test_a_nominal_entry_is_its_longest_mention_and_of_equal_ones_the_last() -> None:
    assert [code for _, code in said("chess and swimming", single=True).known] == [SWIMMING]
    assert [code for _, code in said("chess and water polo", single=True).known] == [WATER_POLO]


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

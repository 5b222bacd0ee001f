import gc
import weakref

import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, UnknownConcept
from taxonym.text.column_mapping import map_text
from taxonym.text.finder import Finder
from taxonym.text.sources import mean_words


@pytest.fixture(scope="module")
def finder(wordnet: Taxonomy) -> Finder:
    return Finder(wordnet, parts=("n", "v"))


def test_a_mention_says_where_what_and_why(finder: Finder, wordnet: Taxonomy) -> None:
    [mention] = finder.find("a very old Washing Machine")
    assert (mention.term, mention.start, mention.end) == ("Washing Machine", 11, 26)
    assert mention.code == wordnet.code("washer.n.03")
    assert mention.label == wordnet.label(mention.code)
    assert mention.dropped == ("old",)
    assert mention.why == "multiword label; only sense"
    assert mention.confidence == 1


def test_several_senses_lower_the_confidence(finder: Finder) -> None:
    [bank] = finder.find("bank")
    assert " of 10 by policy 'column'" in bank.why
    assert 0 < bank.confidence < 1


def test_nouns_by_default_verbs_on_demand(wordnet: Taxonomy) -> None:
    text = "I stopped smoking and adopted a dog"
    assert [m.term for m in Finder(wordnet).find(text)] == ["smoking", "dog"]
    assert [m.term for m in Finder(wordnet, parts=("v",)).find(text)] == ["stopped", "adopted"]
    assert [m.term for m in Finder(wordnet, parts="nv").find(text)] == ["stopped", "smoking", "adopted", "dog"]


def test_the_mark_of_a_possessive_is_outside(finder: Finder) -> None:
    assert [m.term for m in finder.find("men's shoes")] == ["men", "shoes"]
    assert [m.term for m in finder.find("alzheimer's disease")] == ["alzheimer's disease"]


def test_unknown_phrases_are_told_where_they_are(finder: Finder) -> None:
    text = "bluetooth headphones for my iPhone and a zorbly flurb gadget"
    assert [text[a:b] for a, b in finder.unknown(text)] == ["bluetooth", "iPhone", "flurb"]


def test_the_senses_of_a_record_are_chosen_over_all_its_texts(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet, senses="context")
    [[alone]] = [finder.find("crane")]
    [[crane], _, _] = finder.find_record(["crane", "a heron and a stork", "birds in the marsh"])
    assert wordnet.id(alone.code) != "crane.n.05"
    assert wordnet.id(crane.code) == "crane.n.05"
    assert "by policy 'context'" in crane.why


def test_context_may_choose_the_plural_that_is_a_label(wordnet: Taxonomy) -> None:
    [glasses] = [m for m in Finder(wordnet, senses="context").find("glasses, contact lens") if m.term == "glasses"]
    assert " of 8 by" in glasses.why  # seven senses of glass, one of glasses


FOOD = Taxonomy.from_edges([("chicken", "food"), ("ice", "food"), ("cold", "illness")], name="mine")


def test_of_several_taxonomies_the_first_that_knows_a_phrase_wins(wordnet: Taxonomy) -> None:
    finder = Finder([FOOD, wordnet])
    found = [(m.term, finder.taxonomy.id(m.code)) for m in finder.find("ice cream, chicken and the bank")]
    assert found == [("ice", "ice"), ("cream", "cream.n.02"), ("chicken", "chicken"), ("bank", "bank.n.01")]
    assert len(finder.taxonomy) == len(FOOD) + len(wordnet) + 1


def test_or_the_longer_match(wordnet: Taxonomy) -> None:
    finder = Finder([FOOD, wordnet], prefer="specific")
    found = [(m.term, finder.taxonomy.id(m.code)) for m in finder.find("ice cream, chicken")]
    assert found == [("ice cream", "ice_cream.n.01"), ("chicken", "chicken")]


def test_ids_that_taxonomies_share_lead_to_their_own_concepts() -> None:
    other = Taxonomy.from_edges([("chicken", "animal")], name="mine")
    finder = Finder([other, FOOD])
    [mention] = finder.find("chicken")
    assert finder.taxonomy.id(mention.code) == "mine:chicken"
    [mention] = Finder([FOOD, other], category="mine#2:chicken").find("chicken")
    assert mention.label == "chicken"


def test_a_category_may_be_several_concepts_or_codes(wordnet: Taxonomy) -> None:
    animals = wordnet.code("animal.n.01")
    finder = Finder(wordnet, category=[animals, "food.n.01"])
    assert [m.term for m in finder.find("a crane, some bread, a bank")] == ["crane", "bread"]
    with pytest.raises(UnknownConcept):
        Finder(wordnet, category="no such concept")


SENTENCES = Taxonomy.from_edges(
    [
        ("Type 2 diabetes mellitus without complications", "Diseases of the endocrine system"),
        ("Fracture of the lower end of the radius", "Injuries of the elbow and forearm"),
        ("Unspecified atrial fibrillation and atrial flutter", "Diseases of the circulatory system"),
    ],
    name="icd",
)


def test_labels_that_are_sentences_are_retrieved_with_less_confidence() -> None:
    assert mean_words(SENTENCES) >= 4
    [exact] = map_text(SENTENCES, "type 2 diabetes mellitus, without complications")
    [near] = map_text(SENTENCES, "radius fracture, lower end")
    assert exact.confidence > near.confidence >= 0.5
    assert near.why.startswith("retrieval of 'Fracture of the lower end")
    assert map_text(SENTENCES, "radius fracture, lower end", retrieve=False) == []
    assert map_text(SENTENCES, "radius fracture, lower end", retrieve=1.1) == []


def test_retrieval_is_off_for_labels_that_are_words(wordnet: Taxonomy) -> None:
    assert mean_words(wordnet) < 4


def test_spelling_is_corrected_only_on_demand(wordnet: Taxonomy) -> None:
    text = "thai resturants"
    assert [m.term for m in Finder(wordnet).find(text)] == []
    [mention] = Finder(wordnet, spelling=1).find(text)
    assert (mention.term, mention.label) == ("resturants", "restaurant")
    assert mention.why.startswith("spelling; ")
    assert mention.confidence < 0.71


@pytest.mark.parametrize(
    ("options", "message"),
    [({"prefer": "mine"}, "prefer: 'mine' is not known"), ({"parts": ("x",)}, "parts: choose from"),
     ({"parts": ()}, "parts"), ({"senses": "best"}, "senses: 'best' is not known")],
)  # fmt: skip
def test_a_wrong_option_is_named(wordnet: Taxonomy, options: dict[str, object], message: str) -> None:
    with pytest.raises(BadPlan, match=message):
        Finder(wordnet, **options)  # type: ignore[arg-type]


def test_no_taxonomy_is_refused() -> None:
    with pytest.raises(BadPlan, match="name at least one"):
        Finder([])


def test_what_was_prepared_for_a_taxonomy_goes_with_it() -> None:
    tax = Taxonomy.from_edges([("a rather long label of words", "another quite long label of words")])
    assert map_text(tax, "a rather long label of words")
    gone = weakref.ref(tax)
    del tax
    gc.collect()
    assert gone() is None


def test_map_text_finds_the_same_every_time(wordnet: Taxonomy) -> None:
    text = "heart attack"
    assert map_text(wordnet, text) == map_text(wordnet, text) == Finder(wordnet).find(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("electric can opener", ["can opener"]),
        ("dented beer can", ["beer can"]),
        ("had a party at home", ["had", "party", "home"]),
        ("boy with down syndrome", ["boy", "down syndrome"]),
        ("she looks after my cat", ["looks after", "cat"]),
        ("get over a flu", ["get over", "flu"]),
        ("go to the bakery", ["go", "bakery"]),
        ("buses", ["buses"]),
    ],
)
def test_labels_of_several_words_end_and_begin_where_the_sentence_lets_them(
    wordnet: Taxonomy, text: str, expected: list[str]
) -> None:
    assert [m.term for m in Finder(wordnet, parts=("n", "v")).find(text)] == expected


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("my commute takes over an hour", ["commute", "takes", "hour"]),
        ("the study took ten minutes", ["study", "took", "minutes"]),
        ("printed t-shirts XL", ["t-shirts"]),
        ("hit by car while crossing street", ["hit", "car", "crossing", "street"]),
        ("ran out of money", ["ran out", "money"]),
        ("can't hear out of left ear", ["hear", "ear"]),
    ],
)
def test_a_label_of_several_words_must_be_meant_as_one(finder: Finder, text: str, terms: list[str]) -> None:
    assert [m.term for m in finder.find(text)] == terms

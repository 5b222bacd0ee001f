"""Adjectives and verbs as the nouns they stand for, and single words as nouns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.errors import BadPlan
from taxonym.knowledge.build import Draft
from taxonym.text.bulk import map_column
from taxonym.text.finder import Finder
from taxonym.text.sensitive import load_topics


def ids(finder: Finder, text: str) -> list[str]:
    return [finder.taxonomy.id(mention.code) for mention in finder.find(text)]


@pytest.fixture(scope="module")
def finder(wordnet: Taxonomy) -> Finder:
    return Finder(wordnet)


@pytest.fixture(scope="module")
def watching(wordnet: Taxonomy, finder: Finder) -> Finder:
    return finder.watching(load_topics(wordnet).anywhere)


ALONE = {
    # adjectives
    "pregnant": "pregnancy.n.01",
    "Pregnant": "pregnancy.n.01",
    "hepatic": "liver.n.01",
    "jewish": "jew.n.01",
    "autistic": "autism.n.01",
    "suicidal": "suicide.n.01",
    "infertile": "sterility.n.02",
    # adjectives that are nouns
    "gay": "homosexual.n.01",
    "lesbian": "lesbian.n.01",
    "hispanic": "spanish_american.n.01",
    "diabetic": "diabetic.n.01",
    "muslim": "muslim.n.01",
    "syrian": "syrian.n.01",
    "unemployed": "unemployed_people.n.01",
    "married": "married.n.01",
    # forms of verbs
    "vomited": "vomit.n.03",
    "divorced": "divorce.n.01",
    "breastfeed": "lactation.n.02",
    "died": "death.n.01",
    "adopting": "adoption.n.01",
    # nouns, whatever the tagger thinks
    "tonic": "tonic.n.01",
    "windows": "window.n.01",
    "teen": "adolescent.n.01",
    "swim": "swimming.n.01",
    "vomit": "vomit.n.01",
    "locomotive": "locomotive.n.01",
    "Tonic.": "tonic.n.01",
}


@pytest.mark.parametrize(("word", "id"), ALONE.items())
def test_a_text_of_one_word_means(finder: Finder, word: str, id: str) -> None:
    assert ids(finder, word) == [id]


@pytest.mark.parametrize("word", ["it", "the", "yes", "ok", "nothing", "very", "ten", "was", "is", "depressed"])
def test_a_word_that_says_nothing_or_is_not_linked_means_nothing_by_itself(finder: Finder, word: str) -> None:
    assert ids(finder, word) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I am pregnant", ["pregnancy.n.01"]),
        ("gay and lesbian", ["homosexual.n.01", "lesbian.n.01"]),
        ("divorced in 2010 and remarried", ["divorce.n.01", "remarriage.n.01"]),
        ("i never learned to swim", ["learning.n.01", "swimming.n.01"]),
        # beside a noun they only describe it, or tell what it does
        ("pregnant women", ["woman.n.01"]),
        ("beautiful garden", ["garden.n.01"]),
        ("he vomits every day", ["day.n.01"]),
        # and a noun that is not known is not told by what describes it
        ("recurrent xyzzy", []),
    ],
)
def test_adjectives_and_verbs_count_in_texts_without_a_noun(finder: Finder, text: str, expected: list[str]) -> None:
    assert ids(finder, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pregnant women", ["pregnancy.n.01", "woman.n.01"]),
        ("gay bar", ["homosexual.n.01", "barroom.n.01"]),
        ("hispanic neighborhood", ["spanish_american.n.01", "neighborhood.n.02"]),
        ("he vomits every day", ["vomit.n.03", "day.n.01"]),
        ("my husband beats me", ["husband.n.01", "beating.n.02"]),
        ("how to adopt a child", ["adoption.n.02", "child.n.01"]),
        ("my dog bleeds", ["dog.n.01", "bleeding.n.01"]),
        ("when did my uncle die", ["uncle.n.01", "death.n.01"]),
        # what lies in no topic describes as before
        ("red dress", ["dress.n.01"]),
        ("beautiful garden", ["garden.n.01"]),
    ],
)
def test_watched_topics_see_adjectives_and_verbs_beside_nouns(watching: Finder, text: str, expected: list[str]) -> None:
    assert ids(watching, text) == expected


def test_everywhere_a_verb_and_its_noun_are_one_thing(wordnet: Taxonomy) -> None:
    every = Finder(wordnet, parts=("n", "v"), related="all")
    assert ids(every, "swimming lessons") == ["swimming.n.01", "lesson.n.01"]
    assert ids(every, "children swim") == ["child.n.01", "swimming.n.01"]
    assert ids(Finder(wordnet, parts=("n", "v")), "children swim") == ["child.n.01", "swim.v.01"]
    assert ids(Finder(wordnet, related="all"), "children go") == ["child.n.01"]  # to go stands for nothing


def test_nowhere_leaves_single_nouns_alone(wordnet: Taxonomy) -> None:
    none = Finder(wordnet, related="none")
    assert ids(none, "pregnant") == []
    assert ids(none, "tonic") == ["tonic.n.01"]


def test_an_unknown_place_for_related_words_is_refused(wordnet: Taxonomy) -> None:
    with pytest.raises(BadPlan, match="related: 'often' is not known. Choose one of alone, all, none"):
        Finder(wordnet, related="often")


def test_a_mention_says_that_an_adjective_stands_for_it(finder: Finder) -> None:
    (mention,) = finder.find("so pregnant")
    assert (mention.term, mention.label) == ("pregnant", "pregnancy")
    assert mention.why == "adjective that stands for 'pregnancy'"
    assert 0 < mention.confidence <= 0.9


def test_overrides_and_categories_win_over_what_a_word_stands_for(wordnet: Taxonomy) -> None:
    assert ids(Finder(wordnet, overrides={"pregnant": "mother.n.01"}), "pregnant") == ["mother.n.01"]
    assert ids(Finder(wordnet, category="person.n.01"), "pregnant") == []
    assert ids(Finder(wordnet, category="person.n.01"), "jewish") == ["jew.n.01"]


def test_the_first_of_several_taxonomies_that_knows_a_word_wins() -> None:
    own = Taxonomy.from_edges([("hepatic", "status"), ("employed", "status")], name="own")
    assert ids(Finder([own, organs()]), "hepatic") == ["hepatic"]
    assert ids(Finder([organs(), own]), "hepatic") == ["liver.n.01"]
    assert ids(Finder([own, organs()]), "gastric") == ["stomach.n.01"]


def test_an_entry_of_a_list_means_what_the_same_text_means(finder: Finder) -> None:
    for word in ("hepatic", "gay", "tonic", "syrian", "locomotive"):
        assert finder.taxonomy.id(finder.whole(word) or 0) == ALONE.get(word)


def test_a_column_is_mapped_alike_by_one_worker_and_by_two(watching: Finder) -> None:
    texts = ["pregnant women", "gay", "he vomits every day", "hepatic", None, "red dress"]
    one, two = (map_column(watching, texts, workers=workers) for workers in (1, 2))
    assert [one[i] for i in range(6)] == [two[i] for i in range(6)]
    assert [watching.taxonomy.id(code) for code in one[1]] == ["homosexual.n.01"]


WORDS = ["pregnant", "gay", "women", "garden", "vomit", "red", "swim", "child", "the", "and", "hepatic", "adopt"]


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_watching_only_adds_what_is_watched(finder: Finder, watching: Finder, words: list[str]) -> None:
    text = " ".join(words)
    before = {(m.start, m.end): m.code for m in finder.find(text)}
    after = {(m.start, m.end): m.code for m in watching.find(text)}
    watched = load_topics_mask(watching)
    assert all(after.get(place) == code for place, code in before.items() if not watched[after.get(place, code)])
    assert all(watched[code] for place, code in after.items() if before.get(place) != code)


def load_topics_mask(finder: Finder) -> np.ndarray:
    mask = finder.options["watched"]
    assert isinstance(mask, np.ndarray)
    return mask


def organs() -> Taxonomy:
    draft = Draft("organs")
    draft.add("organ.n.01", ["organ"])
    for organ, adjective in (("liver", "hepatic"), ("stomach", "gastric")):
        draft.add(f"{organ}.n.01", [organ])
        draft.link(f"{organ}.n.01", "organ.n.01")
        draft.relate("a", adjective, f"{organ}.n.01")
    return draft.build()


def test_a_taxonomy_of_ones_own_can_have_related_words() -> None:
    assert ids(Finder(organs()), "hepatic") == ["liver.n.01"]

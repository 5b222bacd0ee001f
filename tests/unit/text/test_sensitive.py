"""Which concepts are in which sensitive topic."""

import re
from pathlib import Path

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, UnknownConcept
from taxonym.knowledge.build import Draft
from taxonym.text.sensitive import Topics, at_least, load_topics

DOCS = Path(__file__).parents[3] / "docs" / "topics.md"


@pytest.fixture(scope="module")
def shipped(wordnet: Taxonomy) -> Topics:
    return load_topics(wordnet)


@pytest.fixture(scope="module")
def shop() -> Taxonomy:
    draft = Draft("shop")
    for child, parent in [
        ("medicines", "goods"),
        ("insulin", "medicines"),
        ("vitamins", "medicines"),
        ("iron", "vitamins"),
        ("books", "goods"),
        ("bible", "books"),
        ("novel", "books"),
    ]:
        draft.link(child, parent)
    for name in ("Emma", "Ulysses"):
        draft.add(name, instance=True)
        draft.link(name, "novel")
    return draft.build()


def load(shop: Taxonomy, tmp_path: Path, text: str) -> Topics:
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    return load_topics(shop, tmp_path / "own.toml")


def members(shop: Taxonomy, topics: Topics, name: str) -> set[str]:
    return {shop.id(code) for code in topics.codes(name).tolist()}


# ---------------------------------------------------------------------- what a file means


@pytest.mark.parametrize(
    ("lines", "inside"),
    [
        ('concepts = ["medicines"]', {"medicines", "insulin", "vitamins", "iron"}),
        ('concepts = ["medicines"]\nexcept = ["vitamins"]', {"medicines", "insulin"}),
        ('concepts = ["medicines"]\nexcept = ["vitamins"]\nalso = ["vitamins"]', {"medicines", "insulin", "vitamins"}),
        ('concepts = []\nalso = ["books"]', {"books"}),
        ('named = ["books"]', {"Emma", "Ulysses"}),
        ('named = ["books"]\nexcept = ["Emma"]', {"Ulysses"}),
        ('concepts = ["books"]\nexcept_named = ["novel"]', {"books", "bible", "novel"}),
        ('concepts = ["books"]\nexcept_named = ["novel"]\nalso = ["Emma"]', {"books", "bible", "novel", "Emma"}),
    ],
)
def test_a_topic_holds_what_its_lists_say(shop: Taxonomy, tmp_path: Path, lines: str, inside: set[str]) -> None:
    assert members(shop, load(shop, tmp_path, f"[topics.t]\n{lines}\n"), "t") == inside


def test_names_stand_in_the_order_of_the_file_and_a_code_tells_its_topics(shop: Taxonomy, tmp_path: Path) -> None:
    topics = load(
        shop,
        tmp_path,
        'taxonomy = "shop"\n[topics.health]\ntitle = "Health"\nconcepts = ["medicines"]\n'
        '[topics.belief]\nconcepts = ["bible"]\n[topics.all]\nconcepts = ["goods"]\n',
    )
    assert topics.names == ("health", "belief", "all")
    assert [topic.title for topic in topics.topics] == ["Health", "belief", "all"]
    assert topics.of(shop.code("iron")) == ("health", "all")
    assert topics.of(shop.code("bible")) == ("belief", "all")
    assert topics.matrix.shape == (3, len(shop))
    assert np.flatnonzero(topics.mask("belief")).tolist() == topics.codes("belief").tolist() == [shop.code("bible")]
    with pytest.raises(ValueError, match="read-only"):
        topics.matrix[0, 0] = True


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ('[topics.t]\nconcepts = ["tea"]', UnknownConcept, "own.toml: topic 't': concepts: .*'shop' has the id 'tea'"),
        ('[topics.t]\nalso = ["tea"]', UnknownConcept, "topic 't': also: .*'tea'"),
        ('[topics.t]\nconcept = ["books"]', BadPlan, "own.toml: topic 't': 'concept' .*Did you mean 'concepts'"),
        ('[topics.t]\nzzz = 1\nconcepts = ["books"]', BadPlan, "'zzz' is not a key of a topic. Known are: title, law"),
        ('[topics.t]\nconcepts = "books"', BadPlan, "topic 't': concepts must be a list of ids"),
        ("[topics.t]\nconcepts = [1]", BadPlan, "topic 't': concepts must be a list of ids"),
        ('[topics.t]\ntitle = 1\nconcepts = ["books"]', BadPlan, "topic 't': title must be text"),
        ('[topics.t]\ntitle = "x"', BadPlan, "topic 't': has no concepts"),
        ("[topics]\nt = 1", BadPlan, r"topic 't': must be a table of its own: \[topics.t\]"),
        ("[topic.t]\nconcepts = []", BadPlan, "own.toml: 'topic' is not a key .*Did you mean 'topics'"),
        ('taxonomy = "shop"', BadPlan, "own.toml: has no topics"),
        ("[topics.t", BadPlan, "own.toml: is not a TOML file"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_file_topic_and_id(
    shop: Taxonomy, tmp_path: Path, text: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says) as raised:
        load(shop, tmp_path, text)
    assert "\n" not in str(raised.value)


def test_an_unknown_file_topic_or_code_is_refused(shop: Taxonomy, tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match="nowhere.toml: is neither a topic file nor shipped. Shipped are: wordnet"):
        load_topics(shop, "nowhere.toml")
    with pytest.raises(
        UnknownConcept, match=r"^the topics 'wordnet': topic 'health': concepts: .*written for 'wordnet'"
    ):
        load_topics(shop)
    topics = load(shop, tmp_path, '[topics.health]\nconcepts = ["medicines"]')
    with pytest.raises(BadPlan, match="'heath' is not known. Did you mean 'health'"):
        topics.mask("heath")
    for code in (-1, len(shop)):
        with pytest.raises(UnknownConcept, match="outside the taxonomy"):
            topics.of(code)
        with pytest.raises(UnknownConcept, match="outside the taxonomy"):
            topics.summary([[0], [code]])


# ---------------------------------------------------------------------- what a column says


def test_a_summary_counts_records_once_and_mentions_each_time(shop: Taxonomy, tmp_path: Path) -> None:
    topics = load(shop, tmp_path, '[topics.h]\nconcepts = ["medicines"]\n[topics.b]\nconcepts = ["bible"]')
    insulin, iron, bible, novel = (shop.code(id) for id in ("insulin", "iron", "bible", "novel"))
    found = topics.summary([[insulin, iron, insulin], [], [iron, bible], [novel]])
    assert found.records == 4
    assert [(c.topic.name, c.records, c.mentions) for c in found.counts] == [("h", 2, 4), ("b", 1, 1)]
    assert [(c.records, c.mentions) for c in topics.summary([]).counts] == [(0, 0), (0, 0)]


def test_a_count_below_the_minimum_is_hidden_and_with_it_the_mentions(shop: Taxonomy, tmp_path: Path) -> None:
    topics = load(shop, tmp_path, '[topics.h]\ntitle = "Health"\nconcepts = ["medicines"]')
    one_person = topics.summary([[shop.code("insulin")] * 50, []])
    assert one_person.shown(2) == [("Health", "<2", "<2")]
    assert one_person.shown(1) == [("Health", "1", "50")]
    assert [at_least(count, 5) for count in (0, 4, 5, 12345)] == ["<5", "<5", "5", "12,345"]


# ---------------------------------------------------------------------- the topics for WordNet


@pytest.mark.parametrize(
    ("id", "topics"),
    [
        ("syphilis.n.01", ("health", "sex-life")),
        ("nun.n.01", ("religion", "gender")),
        ("chair.n.01", ()),
        ("burglary.n.01", ("crime",)),
        ("paris.n.01", ("places",)),
        ("france.n.01", ()),
        ("die.v.01", ("health",)),
        ("bleed.v.01", ("health",)),
        ("breastfeed.v.01", ("health",)),
        ("beat.v.02", ("crime",)),
        ("adopt.v.05", ("family",)),
        ("pregnancy.n.01", ("health",)),
        ("gay.n.01", ("sex-life",)),
        ("lesbian.n.01", ("sex-life",)),
        ("hispanic.n.01", ("ethnicity",)),
    ],
)
def test_the_topics_of_some_words_of_wordnet(
    wordnet: Taxonomy, shipped: Topics, id: str, topics: tuple[str, ...]
) -> None:
    assert shipped.of(wordnet.code(id)) == topics


def test_the_numbers_of_concepts_in_the_documentation_are_those_of_the_file(shipped: Topics) -> None:
    if not DOCS.exists():
        pytest.skip("docs/topics.md is not beside the tests")
    rows = re.findall(r"^\| \[`([\w-]+)`\].*?\| ([\d,]+) \| [\d,]+ \| [\d,]+ \|$", DOCS.read_text(), re.M)
    assert [(name, int(n.replace(",", ""))) for name, n in rows] == [
        (name, len(shipped.codes(name))) for name in shipped.names
    ]

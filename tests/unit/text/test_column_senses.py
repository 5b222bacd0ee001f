"""Senses by the column: what a word means where, and that nothing but the data decides it."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taxonym
from taxonym import Taxonomy
from taxonym.errors import BadInput, BadPlan
from taxonym.text import votes
from taxonym.text.column_senses import ColumnSenses
from taxonym.text.finder import Finder
from taxonym.text.glosses import GlossVectors
from taxonym.text.senses import SenseChoice, TextMentions
from taxonym.text.subject import (
    GLOSSES,
    TOPIC_WEIGHT,
    CubedContent,
    GlossTopic,
    Subject,
    TermMeanings,
    Voter,
    certainty,
)
from taxonym.text.votes import count_votes, learn_column, limit_of, smallest_hashes
from taxonym.text.word_vectors import UNIT, word_vectors

INSTRUMENTS = [
    "recorder",
    "horn",
    "bass",
    "drum",
    "organ",
    "harp",
    "viola",
    "cello",
    "trumpet",
    "triangle",
    "guitar",
    "flute",
    "piano",
    "banjo",
    "lute",
]
BIRDS = [
    "crane",
    "swallow",
    "swift",
    "kite",
    "turkey",
    "duck",
    "robin",
    "cardinal",
    "jay",
    "lark",
    "thrush",
    "owl",
    "finch",
    "sparrow",
    "gull",
    "heron",
]
GROCERIES = [
    "date",
    "squash",
    "rolls",
    "buns",
    "soda",
    "eggs",
    "beef",
    "milk",
    "butter",
    "cheese",
    "bread",
    "rice",
    "tea",
    "coffee",
    "orange juice",
]
TOOLS = [
    "file",
    "plane",
    "saw",
    "drill",
    "level",
    "punch",
    "hammer",
    "pliers",
    "wrench",
    "chisel",
    "shovel",
    "rake",
    "screwdriver",
    "clamp",
    "knife",
]


def ids(tax: Taxonomy, values: list[str], **options: object) -> dict[str, list[str]]:
    return {value: [*map(tax.id, codes)] for value, codes in taxonym.map_column(tax, values, **options).items()}  # type: ignore[arg-type]


# ---------------------------------------------------------------------- what words mean in their columns


@pytest.mark.parametrize(
    ("values", "meant"),
    [
        (INSTRUMENTS, {"recorder": "fipple_flute.n.01", "triangle": "triangle.n.05", "organ": "organ.n.05"}),
        (BIRDS, {"crane": "crane.n.05", "cardinal": "cardinal.n.04", "kite": "kite.n.04", "swift": "swift.n.03"}),
        (GROCERIES, {"date": "date.n.08", "buns": "bun.n.01", "soda": "pop.n.02", "eggs": "egg.n.02"}),
        (TOOLS, {"file": "file.n.04", "plane": "plane.n.05", "punch": "punch.n.03"}),
    ],
)
def test_a_word_means_what_its_column_is_about(values: list[str], meant: dict[str, str], wordnet: Taxonomy) -> None:
    found = ids(wordnet, values)
    assert {value: found[value] for value in meant} == {value: [id] for value, id in meant.items()}


@pytest.mark.parametrize(
    ("values", "meant"),
    [
        ("fly tick worker cricket drone", ["fly.n.01", "tick.n.02", "worker.n.03", "cricket.n.01", "drone.n.01"]),
        ("roll tart kiss date", ["bun.n.01", "tart.n.02", "kiss.n.02", "date.n.08"]),
        ("ring stud charm band", ["ring.n.08", "stud.n.02", "charm.n.03", "ring.n.08"]),
    ],
)
def test_a_handful_of_ambiguous_words_says_what_its_column_is_about(
    values: str, meant: list[str], wordnet: Taxonomy
) -> None:
    assert [*ids(wordnet, values.split()).values()] == [[id] for id in meant]


def test_a_few_words_are_no_subject(wordnet: Taxonomy) -> None:
    assert ids(wordnet, ["dog", "apple", "train"])["dog"] == ["dog.n.01"]  # and not the sausage


def test_the_other_policies_stay_by_name(wordnet: Taxonomy) -> None:
    for policy in ("first", "context", "best-pair"):
        assert ids(wordnet, INSTRUMENTS, senses=policy)["recorder"] == ["recorder.n.01"]


def test_a_gloss_that_fits_the_text_decides_where_there_is_no_column(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet)

    def meant(text: str, term: str) -> str:
        return next(wordnet.id(m.code) for m in finder.find(text) if m.term == term)

    assert meant("the bank of the river, muddy slope above the water", "bank") == "bank.n.01"
    assert meant("the bank approved my loan and mortgage", "bank") == "depository_financial_institution.n.01"


def test_the_rest_of_the_record_is_heard(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet)
    [bird], _ = finder.find_record(["crane", "heron, stork and other birds with long wings"])
    [machine], _ = finder.find_record(["crane", "lifting heavy loads on a construction site"])
    assert (wordnet.id(bird.code), wordnet.id(machine.code)) == ("crane.n.05", "crane.n.04")


def test_what_is_missing_or_unknown_has_no_concept(wordnet: Taxonomy) -> None:
    assert taxonym.map_column(wordnet, ["piano", None, "", "xqzzy"]) == {
        "piano": wordnet.codes("piano")[:1],
        "": [],
        "xqzzy": [],
    }


def test_persons_are_as_many_as_values(wordnet: Taxonomy) -> None:
    with pytest.raises(BadPlan, match="persons: there are 1 for 2 values"):
        taxonym.map_column(wordnet, ["dog", "cat"], persons=["a"])


# ---------------------------------------------------------------------- category lists


PLACES = [
    ("business", ""), ("accountants", "business"), ("b-california", "accountants"),
    ("regional", ""), ("r-california", "regional"), ("los angeles", "r-california"), ("san diego", "r-california"),
    ("travel", ""), ("t-california", "travel"), ("hotels", "travel"), ("cruises", "travel"), ("beaches", "travel"),
]  # fmt: skip


def categories(order: random.Random | None = None) -> Taxonomy:
    """California as a leaf below accountants and below travel, and as a region with cities."""
    rows = list(PLACES)
    if order is not None:
        order.shuffle(rows)
    names = [name for name, _ in rows]
    if order is not None:
        order.shuffle(names)
    number = {name: f"{i:02}" for i, name in enumerate(names)}
    path = Path(categories.folder) / "places.csv"  # type: ignore[attr-defined]
    lines = ["id,label,parent"]
    lines += [f"{number[n]},{n.split('-')[-1]},{number[p] if p else ''}" for n, p in rows]
    path.write_text("\n".join(lines) + "\n")
    return taxonym.load(path)


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_of_equal_labels_the_larger_category_is_meant_whatever_the_order_of_ids(
    seed: int | None, tmp_path: Path
) -> None:
    categories.folder = tmp_path  # type: ignore[attr-defined]
    tax = categories(None if seed is None else random.Random(seed))
    [code] = taxonym.map_column(tax, ["california"])["california"]
    assert tax.label(tax.parents(code)[0]) == "regional"


def test_of_equal_labels_the_subject_of_the_column_decides_first(tmp_path: Path) -> None:
    categories.folder = tmp_path  # type: ignore[attr-defined]
    tax = categories()
    [code] = taxonym.map_column(tax, ["california", "hotels", "cruises", "beaches", "travel"])["california"]
    assert tax.label(tax.parents(code)[0]) == "travel"


# ---------------------------------------------------------------------- the same in any order and in parts


@pytest.mark.parametrize("seed", range(3))
def test_neither_the_order_of_rows_nor_repetitions_by_one_person_change_a_mapping(seed: int, wordnet: Taxonomy) -> None:
    rows = [(value, f"p{i}") for i, value in enumerate(INSTRUMENTS + BIRDS[:4])]
    mixed = random.Random(seed).sample(rows * 3, 3 * len(rows))
    straight = taxonym.map_column(wordnet, [value for value, _ in rows])
    assert taxonym.map_column(wordnet, [value for value, _ in mixed], [person for _, person in mixed]) == straight


def test_votes_of_parts_add_up_to_those_of_the_whole(wordnet: Taxonomy) -> None:
    finder = Finder(wordnet)
    records = [([value], i % 7) for i, value in enumerate(INSTRUMENTS + BIRDS + INSTRUMENTS)]

    def voters(text: str) -> list[Voter]:
        return votes.voters_of(finder, text, True)

    by_person = sorted(records, key=lambda record: record[1])
    parts = [[r for r in by_person if r[1] % 2 == half] for half in (0, 1)]
    added = count_votes(voters, parts[0]) + count_votes(voters, parts[1])
    assert added == count_votes(voters, records)


def test_a_long_column_is_represented_by_the_same_texts_in_any_order(
    wordnet: Taxonomy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(votes, "SAMPLE", 10)
    values = INSTRUMENTS + BIRDS
    limit = limit_of(smallest_hashes(values))
    assert sum(votes.text_hash(value) <= limit for value in values) == 10
    halves = [smallest_hashes(values[::2]), smallest_hashes(values[1::2])]
    assert limit_of([*halves[0], *halves[1]]) == limit
    read: list[str] = []
    original = votes.open_entry
    monkeypatch.setattr(votes, "open_entry", lambda finder, text: (read.append(text), original(finder, text))[1])
    cells = [[value] for value in values]
    one = learn_column(Finder(wordnet), cells, range(len(cells)), entries=True).subject
    assert len(read) == 10
    assert one == learn_column(Finder(wordnet), cells[::-1], range(len(cells)), entries=True).subject


def test_texts_looked_at_together_mean_what_they_mean_alone(wordnet: Taxonomy) -> None:
    finder = learn_column(Finder(wordnet), [[v] for v in INSTRUMENTS], range(len(INSTRUMENTS)), entries=True)
    texts = [f"{a} and {b} near the {c}" for a, b, c in zip(INSTRUMENTS, BIRDS, GROCERIES, strict=False)]
    read = [finder.read(text) for text in texts]
    choices, spans = [finder.choices(one) for one in read], [one.spans for one in read]
    together = finder.by_words.alone(texts, choices, spans)
    alone = finder.by_words.alone
    assert together == [alone([t], [c], [s])[0] for t, c, s in zip(texts, choices, spans, strict=True)]


def test_a_mention_hears_the_rest_of_its_text_more_than_itself(wordnet: Taxonomy) -> None:
    found = Finder(wordnet).find_record(["the bank of a river"])[0]
    assert [wordnet.id(mention.code) for mention in found] == ["bank.n.01", "river.n.01"]


def test_among_occupations_a_singer_is_no_inventor_of_that_name_but_among_countries_turkey_is_one(
    wordnet: Taxonomy,
) -> None:
    jobs = """baker cook smith mason carver potter turner cooper weaver carpenter gardener miller butler hunter porter
    archer bishop barber brewer dyer fowler shepherd tanner thatcher singer driver judge provost steward constable
    sheriff sexton groom usher packer roofer planter bouncer conductor coach clerk cleaner founder nurse pilot guard"""
    countries = ["turkey", "jordan", "chad", "china", "japan", "georgia", "guinea", "niger", "mali", "oman"]
    found = taxonym.map_column(wordnet, jobs.split())
    known = ("smith", "turner", "butler", "singer", "constable")
    assert not any(wordnet.label(code)[0].isupper() for job in known for code in found[job])
    found = taxonym.map_column(wordnet, countries)
    assert all(wordnet.label(code)[0].isupper() for codes in found.values() for code in codes)


def test_trees_are_not_read_as_their_woods(wordnet: Taxonomy) -> None:
    trees = "ash elm pine fir yew beech cedar palm bay larch birch poplar maple oak willow spruce hickory teak lime"
    found = taxonym.map_column(wordnet, trees.split())
    tree = wordnet.code("tree.n.01")
    assert [name for name, (code,) in found.items() if tree not in wordnet.ancestors(code)] == []


# ---------------------------------------------------------------------- the definition behind the fast path


@given(st.data())
def test_closeness_equals_its_definition(data: st.DataObject) -> None:
    tax = Taxonomy.from_edges([("b", "a"), ("c", "a"), ("d", "b"), ("e", "b"), ("f", "c"), ("g", "d"), ("g", "f")])
    n = len(tax)
    mass = np.array(data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)), np.float64)
    terms = data.draw(st.lists(st.lists(st.integers(0, n - 1), min_size=1, max_size=3, unique=True), min_size=1))
    codes = np.array([code for some in terms for code in some])
    owner = np.repeat(np.arange(len(terms)), [*map(len, terms)])
    gain, said = content = CubedContent.of(tax)
    found = TermMeanings(tax, content, codes, owner).closeness(mass)
    at = 0
    for some in terms:
        others = [o for o in range(n) if o not in some]
        for s in some:
            shared = [sum(gain[a] for a in set(tax.ancestors(s)) & set(tax.ancestors(o))) for o in others]
            total = sum(mass[o] for o in others)
            wanted = sum(mass[o] * x for o, x in zip(others, shared, strict=True)) / (total * said[s]) if total else 0
            assert found[at] == pytest.approx(wanted, abs=1e-9)
            at += 1


def test_where_a_column_points_is_asked_without_what_the_term_itself_may_mean(wordnet: Taxonomy) -> None:
    terms = [wordnet.codes("crane"), wordnet.codes("swallow"), wordnet.codes("kite")]
    codes = np.array([code for some in terms for code in some])
    owner = np.repeat(np.arange(len(terms)), [*map(len, terms)])
    own = np.arange(1.0, len(codes) + 1)
    glosses = GlossVectors(wordnet, word_vectors())
    rows = glosses.rows(glosses.places(codes.tolist())).astype(np.float64) / UNIT
    words = [700] * word_vectors().dimensions
    asked = GlossTopic(glosses, codes, owner)
    found = asked.scores(asked.topic(words, own), own, own.sum())
    for i, of in enumerate(owner):
        said = (1 - GLOSSES) * own.sum() * np.array(words) / UNIT
        others = GLOSSES * (own * (owner != of)) @ rows
        weight = (1 - GLOSSES) * own.sum() + GLOSSES * own[owner != of].sum()
        assert found[i] == pytest.approx(TOPIC_WEIGHT * rows[i] @ (said + others) / weight, abs=0.05)


@given(st.lists(st.lists(st.integers(0, 50_000), max_size=12), min_size=1, max_size=6), st.randoms())
def test_directions_do_not_depend_on_the_order_of_words_or_on_what_is_summed_beside_them(
    texts: list[list[int]], order: random.Random
) -> None:
    vectors = word_vectors()

    def directions(some: list[list[int]]) -> np.ndarray:
        start = np.cumsum([0, *map(len, some)])
        return vectors.directions(vectors.sums(np.array([w for text in some for w in text], np.int64), start))

    together = directions(texts)
    shuffled = [order.sample(text, len(text)) for text in texts]
    for row, text in zip(together, shuffled, strict=True):
        assert (row == directions([text])[0]).all()


def test_a_choice_that_no_text_can_change_is_certain_in_truth(wordnet: Taxonomy) -> None:
    """Words decide nothing where the column has: whatever words are heard, the same sense is chosen."""
    finder = learn_column(Finder(wordnet), [[v] for v in INSTRUMENTS], range(len(INSTRUMENTS)), entries=True)
    senses, rng = finder.by_words, np.random.default_rng(1)
    certain = 0
    for value in INSTRUMENTS:
        choice = finder.whole_choice(value)
        assert choice is not None
        [[ranked]] = senses._ranked([[choice]])
        certain += ranked.certain
        if ranked.certain:
            texts = [[TextMentions([choice], rng.integers(0, 60_000, 5).tolist())] for _ in range(50)]
            assert {picked for [[picked]] in senses.choose(texts)} == {ranked.at[ranked.best]}
    assert certain > 5


# ---------------------------------------------------------------------- kept, given, refused


def test_a_subject_from_a_file_is_the_one_that_was_learnt(wordnet: Taxonomy, tmp_path: Path) -> None:
    cells = [[value] for value in INSTRUMENTS]
    learnt = learn_column(Finder(wordnet), cells, range(len(cells)), entries=True)
    assert learnt.subject is not None
    learnt.subject.write(tmp_path / "subject.json", wordnet)
    given_subject = Subject.read(tmp_path / "subject.json", wordnet)
    assert given_subject == learnt.subject
    assert Finder(wordnet, subject=given_subject).whole("recorder") == learnt.whole("recorder")
    assert wordnet.id(learnt.whole("recorder") or 0) == "fipple_flute.n.01"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a subject"),
        ('{"terms": 1, "concepts": {"entity.n.01": -1}, "topic": []}', "is not a subject"),
        (json.dumps({"terms": 1, "concepts": {"nothing": 1}, "topic": [0] * 100}), "names concepts that 'wordnet'"),
    ],
)
def test_a_file_that_is_no_subject_is_refused(content: str, complaint: str, wordnet: Taxonomy, tmp_path: Path) -> None:
    (tmp_path / "subject.json").write_text(content)
    with pytest.raises(BadInput, match=f"subject.json: {complaint}"):
        Subject.read(tmp_path / "subject.json", wordnet)


def test_nothing_is_learnt_from_an_empty_column(wordnet: Taxonomy) -> None:
    subject = learn_column(Finder(wordnet), [[], []], range(2), entries=True).subject
    assert subject == Subject((), (), (0,) * 100, 0)
    assert certainty(0) == certainty(1) == 0 < certainty(2) < certainty(100) < 1
    assert ColumnSenses(wordnet, subject).choose([[TextMentions([SenseChoice([1, 2], [0, 3])], ())]]) == [[[1]]]

"""The figures of bench/meaning.py, on a taxonomy that fits on a page."""

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
EDGES = "child,parent\nanimal,thing\ndog,animal\ncat,animal\npoodle,dog\nbeagle,dog\nplant,thing\nrose,plant\n"
SAID = {1: ["poodle", "rose"], 2: ["poodle"], 3: ["beagle", "cat"], 4: ["beagle", "xyzzy"]}


@pytest.fixture(scope="module")
def figures():  # type: ignore[no-untyped-def]
    sys.path.insert(0, str(BENCH))
    try:
        import meaning_figures
    finally:
        sys.path.remove(str(BENCH))
    return meaning_figures


@pytest.fixture
def original(figures, tmp_path: Path):  # type: ignore[no-untyped-def]
    path = tmp_path / "things.csv"
    path.write_text(EDGES)
    knowledge = figures.Knowledge(str(path))
    return figures.Original({who: knowledge.said(words, "set") for who, words in SAID.items()}, "set", knowledge)


def read(figures, original, words):  # type: ignore[no-untyped-def]
    return figures.PublishedRecords(original, words, {}).figures()


def test_an_exact_copy_keeps_all_that_is_known(figures, original) -> None:  # type: ignore[no-untyped-def]
    found = read(figures, original, {1: ["poodle", "rose"], 2: ["poodle"], 3: ["beagle", "cat"], 4: ["beagle"]})
    assert found["kept of known"] == 1
    assert found["kept"] == pytest.approx(6 / 7)  # the unknown term weighs as much as a leaf, 1
    assert (found["loss"], found["shift"], found["redundant"], found["true"]) == (0, 0, 0, 1)
    assert found["exact"] == pytest.approx(6 / 7)


def test_each_thing_said_has_the_fate_that_it_has(figures, original) -> None:  # type: ignore[no-untyped-def]
    found = read(figures, original, {1: ["dog"], 2: ["animal"], 3: ["animal"]})
    # 1: poodle one step, rose lost. 2: poodle more generally. 3: cat one step, beagle merged with it. 4: both lost.
    # Which of beagle and cat is merged is a matter of order: one of them, and the other is not.
    fates = {fate: round(7 * found[fate]) for fate in figures.FATES}
    assert fates["exact"] == 0
    assert fates["merged"] == 1
    assert fates["lost"] == 3
    assert fates["one step"] + fates["more general"] == 3


def test_a_concept_beside_its_ancestor_is_redundant_and_keeps_nothing_more(figures, original) -> None:  # type: ignore[no-untyped-def]
    once = read(figures, original, {who: ["dog"] for who in SAID})
    twice = read(figures, original, {who: ["dog", "animal"] for who in SAID})
    assert (once["redundant"], once["records redundant"]) == (0, 0)
    assert (twice["redundant"], twice["records redundant"]) == (0.5, 1)
    # only the cat of the third, of whom "animal" is true, gains
    gained = twice["kept"] - once["kept"]
    assert gained == pytest.approx(original.knowledge.content[original.knowledge.tax.code("animal")] / 7)


def test_a_long_record_for_everybody_is_seldom_true(figures, original) -> None:  # type: ignore[no-untyped-def]
    found = read(figures, original, {who: ["poodle", "beagle", "cat", "rose"] for who in SAID})
    assert found["kept of known"] == 1
    assert found["true"] == 6 / 16


def test_raised_alone_each_concept_becomes_the_most_specific_that_k_records_hold(figures, original) -> None:  # type: ignore[no-untyped-def]
    tax = original.knowledge.tax
    alone = original.raised_alone(2)
    assert alone[1] == {tax.code("poodle")}  # only one has a plant, and that it is a thing says nothing
    assert alone[3] == {tax.code("beagle"), tax.code("animal")}
    assert alone[4] == {tax.code("beagle")}


def test_a_codebook_says_what_a_word_stands_for(figures, original) -> None:  # type: ignore[no-untyped-def]
    coded = figures.PublishedRecords(original, {1: ["pet"]}, {"pet": "dog"})
    assert coded.told[1] == {original.knowledge.tax.code("dog")}
    assert coded.uncoded == 0


def test_by_the_floor_what_says_nothing_counts_as_nothing_and_said_once_an_ancestor_beside_its_descendant(
    figures,  # type: ignore[no-untyped-def]
    original,  # type: ignore[no-untyped-def]
) -> None:
    told = figures.PublishedRecords(original, {3: ["beagle", "animal", "thing"]}, {})
    assert told.figures()["lost"] == pytest.approx(5 / 7)  # the beagle as it is, the cat as an animal
    assert told.by_the_floor()["lost"] == pytest.approx(5 / 7)
    assert told.said_once()["lost"] == pytest.approx(6 / 7)  # that the cat is an animal was said of the beagle
    empty = figures.PublishedRecords(original, {1: ["thing"]}, {})
    assert empty.figures()["lost"] == pytest.approx(5 / 7)  # a thing, and merged with it the other
    assert empty.by_the_floor()["lost"] == 1

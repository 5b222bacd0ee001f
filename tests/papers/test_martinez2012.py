"""Martinez et al. 2012: equations 1 to 9 on cases worked out by hand, and the shape of the survey."""

from collections import Counter
from math import log2
from typing import Any

import numpy as np
import pytest

from taxonym import Taxonomy, concept_distance, linkage_risk
from taxonym.attack.linkage import links, links_by_equality
from taxonym.attack.risk import sets_of
from taxonym.distance.concept import edges_between
from taxonym.distance.record import Compare, Sets, record_pairs
from taxonym.papers.martinez2012 import reproduce
from taxonym.papers.martinez2012.experiment import MATCHING, METHODS, RiskRow, columns, experiment, linked
from taxonym.papers.martinez2012.survey import HIERARCHIES, SENSES, VGH2, VGH3, hierarchy, survey

# entity ── activity ── sport ── water sport ── sailing, swimming
#        │                    └─ cycling
#        └─ place ── beach
TREE = Taxonomy.from_edges(
    [
        ("sailing", "water sport"), ("swimming", "water sport"), ("water sport", "sport"), ("cycling", "sport"),
        ("sport", "activity"), ("activity", "entity"), ("beach", "place"), ("place", "entity"),
    ]
)  # fmt: skip


def code(name: str) -> int:
    return TREE.code(name)


# ---------------------------------------------------------------------- similarity, equations 1 to 3

# The pair; eq. 1: edges; eq. 2: N1, N2, N3; eq. 3: |T ∪ T|, |T ∩ T|, each concept being in its own T.
PAIRS = [
    ("sailing", "swimming", 2, (1, 1, 3), (6, 4)),
    ("sailing", "water sport", 1, (1, 0, 3), (5, 4)),
    ("sailing", "cycling", 3, (2, 1, 2), (6, 3)),
    ("sailing", "beach", 6, (4, 2, 0), (7, 1)),
    ("place", "entity", 1, (1, 0, 0), (2, 1)),
]


@pytest.mark.parametrize(("a", "b", "edges", "links", "subsumers"), PAIRS)
def test_equation_1_counts_edges_which_as_a_distance_are_over_the_longest_path(a, b, edges, links, subsumers):
    assert edges_between(TREE, code(a), code(b)) == edges
    assert concept_distance(TREE, code(a), code(b), "path") == pytest.approx(edges / 8)  # depth 5: at most 4 up, 4 down


@pytest.mark.parametrize(("a", "b", "edges", "links", "subsumers"), PAIRS)
def test_equation_2_counts_links_to_the_common_ancestor_and_from_there_to_the_root(a, b, edges, links, subsumers):
    n1, n2, n3 = links
    assert concept_distance(TREE, code(a), code(b), "wu-palmer-links") == pytest.approx(1 - 2 * n3 / (n1 + n2 + 2 * n3))


@pytest.mark.parametrize(("a", "b", "edges", "links", "subsumers"), PAIRS)
def test_equation_3_without_its_sign_counts_subsumers_the_concepts_themselves_included(a, b, edges, links, subsumers):
    every, common = subsumers
    assert concept_distance(TREE, code(a), code(b), "log") == pytest.approx(log2(1 + (every - common) / every))


@pytest.mark.parametrize("measure", ["path", "wu-palmer-links", "log"])
def test_every_concept_is_most_similar_to_itself_also_the_root_where_equation_2_is_0_over_0(measure: str) -> None:
    assert [concept_distance(TREE, c, c, measure) for c in range(len(TREE))] == [0] * len(TREE)


# ---------------------------------------------------------------------- linkage, equations 4 to 8

ORIGINAL = [[code("sailing")], [code("swimming")], [code("cycling")], [code("beach")]]


@pytest.mark.parametrize("measure", ["path", "log"])
def test_ties_share_the_probability_and_the_risk_is_its_mean(measure: str) -> None:
    """Both water sports are nearest to sailing and to swimming, so that each is found with 1/2."""
    released = [[code("water sport")], [code("water sport")], [code("sport")], [code("entity")]]
    found = linkage_risk(ORIGINAL, released, tax=TREE, measure=measure)
    assert found.per_record.tolist() == [0.5, 0.5, 1, 1]
    assert found.dr == pytest.approx(100 * (0.5 + 0.5 + 1 + 1) / 4)


def test_equation_2_cannot_tell_what_only_the_root_is_common_to() -> None:
    """Beach is at 1 from all three, N3 being 0, so that L is everything; the others are found as by path."""
    released = [[code("water sport")], [code("water sport")], [code("sport")], [code("entity")]]
    found = linkage_risk(ORIGINAL, released, tax=TREE, measure="wu-palmer-links")
    assert found.per_record.tolist() == [0.5, 0.5, 1, 0.25]


def test_who_is_linked_to_others_only_is_not_found() -> None:
    """Cycling is nearest to sport and beach to entity, but these are published for each other."""
    released = [[code("water sport")], [code("water sport")], [code("entity")], [code("sport")]]
    found = linkage_risk(ORIGINAL, released, tax=TREE, measure="path")
    assert found.per_record.tolist() == [0.5, 0.5, 0, 0]
    assert found.dr == pytest.approx(25)


def two_columns(*records: tuple[str, str]) -> list[Sets]:
    return [sets_of(TREE, [[code(record[c])] for record in records]) for c in (0, 1)]


PUBLISHED = [("sailing", "entity"), ("sport", "beach"), ("water sport", "place")]


@pytest.mark.parametrize(("sizes", "p"), [([1, 1, 1], 1 / 3), ([2, 1, 1], 1 / 4), ([1, 1, 3], 1 / 5)])
def test_the_similarity_of_records_is_the_mean_over_their_columns(sizes: list[int], p: float) -> None:
    """(sailing, beach) is 0 + 2, 2 + 0 and 1 + 1 edges from these, so that all of them tie [eq. 5]."""
    x, y, how = two_columns(("sailing", "beach")), two_columns(*PUBLISHED), Compare(measure="path")
    assert record_pairs(x, y, np.zeros(3, np.int64), np.arange(3), how).tolist() == pytest.approx([1 / 8] * 3)
    for truth in range(3):
        assert links(x, y, np.array(sizes), np.array([truth]), how).tolist() == pytest.approx([p])
    further = two_columns(*PUBLISHED, ("sport", "entity"))
    assert links(x, further, np.array([*sizes, 1]), np.array([3]), how).tolist() == [0]


def test_matching_links_equal_records_only_and_a_record_that_equals_none_to_nobody() -> None:
    original = [("nature", "visit"), ("nature", "visit"), ("sport", "visit"), ("nature", "fishing"), ("beach", "visit")]
    classes = [("nature", "visit"), ("sport", "visit"), ("nature", "activity")]
    size, truth = np.array([2, 2, 1]), np.array([0, 0, 1, 2, 1])
    p = links_by_equality(classes, original, size, truth)
    assert p.tolist() == [0.5, 0.5, 0.5, 0, 0]  # the last is published as a sport, which it does not equal
    assert 100 * p.mean() == pytest.approx(30)


# ---------------------------------------------------------------------- loss, equation 9


def test_loss_is_the_mean_distance_of_the_original_records_to_the_published_ones() -> None:
    """(sailing, beach) rises by one edge in both columns, (cycling, beach) by one in one, (swimming, place) by none."""
    x = two_columns(("sailing", "beach"), ("cycling", "beach"), ("swimming", "place"))
    y = two_columns(("water sport", "place"), ("sport", "beach"), ("swimming", "place"))
    apart = record_pairs(x, y, np.arange(3), np.arange(3), Compare(measure="path"))
    assert apart.mean() == pytest.approx((2 / 16 + 1 / 16 + 0) / 3)


# ---------------------------------------------------------------------- the survey


def test_the_survey_has_the_figures_of_section_5() -> None:
    answers = survey()
    repeated = Counter(answers)
    assert len(answers) == 975
    assert len({term for answer in answers for term in answer}) == 25
    assert len(repeated) == 211
    assert sum(count == 1 for count in repeated.values()) == 118
    assert max(repeated.values()) == 118
    assert sum(count <= 5 for count in repeated.values()) > 211 / 2  # "most of the records [answers] … between 1 and 5"


def test_the_survey_is_the_same_every_time() -> None:
    assert survey() == survey()


@pytest.mark.parametrize(("name", "levels"), [("VGH2", 2), ("VGH3", 3)])
def test_the_leaves_of_a_hierarchy_are_the_terms_with_so_many_levels_above_each(name: str, levels: int) -> None:
    tree = hierarchy(HIERARCHIES[name], name)
    leaves = {tree.label(c) for c in range(len(tree)) if not tree.children(c)}
    assert leaves == {term for answer in survey() for term in answer}
    assert {len(tree.ancestors(tree.code(leaf))) - 1 for leaf in leaves} == {levels}


def test_the_finer_hierarchy_has_all_generalisations_of_the_coarser_one() -> None:
    coarse, fine = hierarchy(VGH2, "VGH2"), hierarchy(VGH3, "VGH3")
    for term in {term for answer in survey() for term in answer}:
        above = [{tree.label(c) for c in tree.ancestors(tree.code(term))} for tree in (coarse, fine)]
        assert above[0] < above[1]


def test_wordnet_knows_every_label_and_takes_no_two_terms_for_one_concept(wordnet: Taxonomy) -> None:
    tree = hierarchy(VGH3, "VGH3")
    labels = [(tree.label(c),) for c in range(len(tree))]
    (known,) = columns(wordnet, labels)
    assert len(set(known.codes.tolist())) == len(labels)
    for word, id in SENSES.items():
        assert word in wordnet.labels(wordnet.code(id))


@pytest.mark.parametrize("measure", ["path", "wu-palmer-links", "log"])
def test_every_generalisation_is_at_least_as_far_from_a_term_as_the_one_before_it(
    wordnet: Taxonomy, measure: str
) -> None:
    tree = hierarchy(VGH3, "VGH3")
    for term in sorted({term for answer in survey() for term in answer}):
        up = [tree.label(c) for c in reversed(tree.ancestors(tree.code(term)))]
        (chain,) = columns(wordnet, [(word,) for word in up])
        apart = [concept_distance(wordnet, int(chain.codes[0]), int(code), measure) for code in chain.codes]
        assert apart == sorted(apart), up


@pytest.mark.parametrize("method", METHODS)
def test_unchanged_answers_are_found_as_often_as_their_classes_allow_and_lose_nothing(
    wordnet: Taxonomy, method: str
) -> None:
    answers = survey()
    dr, loss = linked(answers, answers, wordnet, method)
    assert dr == pytest.approx(100 * 211 / 975)  # every class of c answers adds c · 1/c
    assert loss == pytest.approx(0)


@pytest.mark.parametrize("method", METHODS)
def test_who_publishes_the_top_for_everybody_leaves_chance_only(wordnet: Taxonomy, method: str) -> None:
    answers = survey()
    dr, loss = linked(answers, [("interest", "interest")] * len(answers), wordnet, method)
    assert dr == pytest.approx(0 if method == "matching" else 100 / 975)
    assert loss > 0.1


@pytest.mark.parametrize("method", [method for method in METHODS if method != "matching"])
def test_meaning_finds_more_than_words_where_all_terms_rise_by_one_step(wordnet: Taxonomy, method: str) -> None:
    answers, tree = survey(), hierarchy(VGH3, "VGH3")
    risen = [tuple(tree.label(tree.parents(tree.code(term))[0]) for term in answer) for answer in answers]
    assert linked(answers, risen, wordnet, "matching") == (0, 1)
    assert linked(answers, risen, wordnet, method)[0] > 100 / 975


# ---------------------------------------------------------------------- the experiment


@pytest.fixture(scope="module")
def figures() -> dict[tuple[str, int, str], RiskRow]:
    return {(row.hierarchy, row.k, row.method): row for row in experiment((2, 4, 7, 12, 20))}


def test_who_knows_meanings_finds_at_least_as_much_as_who_compares_words(figures: dict[Any, RiskRow]) -> None:
    for (name, k, method), row in figures.items():
        assert row.dr >= figures[name, k, MATCHING].dr, (name, k, method)


def test_risk_falls_and_loss_rises_as_k_grows(figures: dict[Any, RiskRow]) -> None:
    for less, more in zip((2, 4, 7, 12), (4, 7, 12, 20), strict=True):
        for name in ("VGH2", "VGH3"):
            for method in METHODS:
                assert figures[name, less, method].dr > figures[name, more, method].dr
                assert figures[name, less, method].loss < figures[name, more, method].loss


def test_nobody_is_found_with_more_than_one_in_k_by_any_measure(figures: dict[Any, RiskRow]) -> None:
    assert all(row.dr <= 100 / row.k for row in figures.values())


def test_every_claim_of_the_paper_gets_a_verdict() -> None:
    items = reproduce((2, 5, 20))
    assert [item.verdict for item in items] == [
        "exact", "consistent", "consistent", "fitted", "not", "consistent", "fitted",
    ]  # fmt: skip

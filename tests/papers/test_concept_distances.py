"""What the papers print about distances between concepts: printed value, ours, and the reading."""

import pytest

from taxonym import Taxonomy, concept_distance
from taxonym.papers.imran_daud2022 import example1

ANCESTORS_000 = [("swimming", "water sports"), ("windsurfing", "water sports"), ("water sports", "sports")]


def test_batet2014_swimming_and_windsurfing_are_half_apart() -> None:
    tax = Taxonomy.from_edges(ANCESTORS_000)
    a, b = tax.code("swimming"), tax.code("windsurfing")
    assert {tax.id(t) for t in tax.ancestors(a)} == {"sports", "water sports", "swimming"}
    assert concept_distance(tax, a, b, "jaccard") == 0.5


def test_imran_daud2022_example_1_prints_12_ancestors_10_common_and_022(wordnet: Taxonomy) -> None:
    flu, pneumonia = wordnet.codes("flu")[0], wordnet.codes("pneumonia")[0]
    entity = wordnet.code("entity.n.01")
    A, B = (set(wordnet.ancestors(c)) - {c, entity} for c in (flu, pneumonia))
    assert (len(A | B), len(A & B)) == (12, 10)
    assert round(example1(wordnet, flu, pneumonia), 2) == 0.22


def test_imran_daud2022_equation_1_read_literally_gives_15_11_and_0341(wordnet: Taxonomy) -> None:
    flu, pneumonia = wordnet.codes("flu")[0], wordnet.codes("pneumonia")[0]
    A, B = set(wordnet.ancestors(flu)), set(wordnet.ancestors(pneumonia))
    assert (len(A | B), len(A & B)) == (15, 11)
    assert round(concept_distance(wordnet, flu, pneumonia, "log"), 3) == 0.341


@pytest.mark.parametrize(
    ("a", "b", "printed"),
    [
        ("skilled_worker.n.01", "employee.n.01", 0.333),
        ("skilled_worker.n.01", "craftsman.n.03", 0.143),
        ("laborer.n.01", "craftsman.n.03", 0.556),
        ("technician.n.01", "craftsman.n.03", 0.250),
    ],
)
def test_rodriguez_garcia2015_printed_distances_hold_under_person(
    person: Taxonomy, a: str, b: str, printed: float
) -> None:
    assert round(concept_distance(person, person.code(a), person.code(b), "wu-palmer"), 3) == printed


def test_martinez2012_similarity_is_the_log_distance_with_its_sign_turned(wordnet: Taxonomy) -> None:
    # eq. 3 prints -log2(1 + x): 0 for equal concepts and -1 for those with nothing in common
    dog, verb = wordnet.code("dog.n.01"), wordnet.code("run.v.01")
    assert -concept_distance(wordnet, dog, dog, "log") == 0
    assert -concept_distance(wordnet, dog, verb, "log") == -1


def test_martinez2012_links_and_nodes_differ_but_order_these_pairs_alike(wordnet: Taxonomy) -> None:
    pairs = [("dog.n.01", "wolf.n.01"), ("dog.n.01", "cat.n.01"), ("dog.n.01", "bicycle.n.01")]
    codes = [(wordnet.code(a), wordnet.code(b)) for a, b in pairs]
    links = [concept_distance(wordnet, a, b, "wu-palmer-links") for a, b in codes]
    nodes = [concept_distance(wordnet, a, b, "wu-palmer") for a, b in codes]
    assert links == sorted(links)
    assert nodes == sorted(nodes)
    assert links != nodes

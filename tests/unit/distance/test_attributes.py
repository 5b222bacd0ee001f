from math import log2

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.attributes import (
    MATCHINGS,
    Attribute,
    Attributes,
    attribute_distance,
    collapse,
    difference,
    matching,
    printed,
    similarity,
)
from taxonym.distance.lines import UNIT
from taxonym.errors import BadPlan
from taxonym.knowledge.concept_sets import ConceptSets

EDGES = [("dog", "animal"), ("cat", "animal"), ("oak", "plant"), ("animal", "thing"), ("plant", "thing")]
every_reading = pytest.mark.parametrize("reading", MATCHINGS)


@pytest.fixture(scope="module")
def tax() -> Taxonomy:
    return Taxonomy.from_edges(EDGES)


def codes(tax: Taxonomy, *labels: str) -> list[int]:
    return [tax.code(label) for label in labels]


def of(tax: Taxonomy, records: list[list[int]], threshold: float = 0.8) -> Attributes:
    return Attributes.of(ConceptSets.of(records, tax), threshold)


def close(a: int, b: int) -> bool:
    return abs(a - b) <= 1


def test_similarity_is_one_less_the_log_distance(tax: Taxonomy) -> None:
    dog, cat = codes(tax, "dog", "cat")
    assert similarity(tax, dog, cat) == 1 - log2(1.5)
    assert similarity(tax, dog, cat, "jaccard") == 0.5
    assert similarity(tax, dog, dog) == 1


def test_a_chain_of_similar_attributes_is_one_and_its_best_connected_link_stands_for_it() -> None:
    assert collapse([5, 3, 4, 9], close) == [Attribute(4, 3), Attribute(9, 1)]
    assert collapse([2, 1], close) == [Attribute(1, 2)]  # a tie: the lowest
    assert collapse([7, 7, 7], close) == [Attribute(7, 1)]
    assert collapse([], close) == []


def test_matching_moves_earlier_partners_where_that_gives_one_more_pair() -> None:
    assert matching([2, 1], [2, 3], close) == 2  # 2 takes 2 first, and has to give it to 1
    assert matching([1, 2, 3], [2], close) == 1
    assert matching([1], [], close) == matching([], [1], close) == matching([1], [9], close) == 0


@pytest.mark.parametrize(
    ("n1", "n2", "s", "apart", "as_printed"),
    [(3, 4, 2, 0.6, 0.5), (5, 5, 4, 1 / 3, 0.25), (5, 5, 0, 1, 1), (1, 1, 1, 0, 1), (0, 0, 0, 0, 0), (0, 2, 0, 1, 1)],
)
def test_distances_from_counts(n1: int, n2: int, s: int, apart: float, as_printed: float) -> None:
    assert difference(n1, n2, s) == apart
    assert printed(n1, n2, s) == as_printed


def test_as_printed_a_record_is_not_at_zero_from_itself(tax: Taxonomy) -> None:
    dog, oak = codes(tax, "dog", "oak")
    assert attribute_distance(tax, [dog], [dog], "matching-printed") == 1
    assert attribute_distance(tax, [dog, oak], [dog, oak], "matching-printed") == 0.5
    assert attribute_distance(tax, [dog, oak], [dog, oak]) == 0


def test_the_threshold_decides_what_is_similar_and_is_reached_by_its_own_value(tax: Taxonomy) -> None:
    dog, cat = codes(tax, "dog", "cat")
    reached = similarity(tax, dog, cat)
    assert attribute_distance(tax, [dog], [cat], threshold=reached) == 0
    assert attribute_distance(tax, [dog], [cat], threshold=reached + 1e-6) == 1
    assert of(tax, [[dog], [cat]], reached).square(np.array([0, 1])).tolist() == [[0, 0], [0, 0]]


def test_similar_attributes_of_one_record_count_once(tax: Taxonomy) -> None:
    dog, cat, oak = codes(tax, "dog", "cat", "oak")
    assert attribute_distance(tax, [dog, cat, oak], [dog], threshold=0.4) == 0.5
    assert attribute_distance(tax, [dog, cat, oak], [dog]) == pytest.approx(2 / 3)


@pytest.mark.parametrize("threshold", [0, -0.1, 1.01, float("nan")])
def test_a_threshold_that_means_nothing_is_refused(tax: Taxonomy, threshold: float) -> None:
    with pytest.raises(BadPlan, match="threshold: must be above 0 and at most 1"):
        attribute_distance(tax, [1], [2], threshold=threshold)
    with pytest.raises(BadPlan, match="threshold: must be above 0 and at most 1"):
        of(tax, [[1]], threshold)


@every_reading
def test_two_empty_records_are_the_same_and_an_empty_one_is_far_from_any_other(tax: Taxonomy, reading: str) -> None:
    assert attribute_distance(tax, [], [], reading) == 0
    assert attribute_distance(tax, [], [1], reading) == 1
    records = of(tax, [[], [1], []])
    steps = records.square(np.arange(3), reading)
    assert (steps[0, 2], steps[2, 0], steps[0, 0], steps[0, 1], steps[1, 2]) == (0, 0, 0, UNIT, UNIT)
    both = np.array([0, 0]), records, np.array([1, 2])
    assert records.pairs(*both, reading).tolist() == [1, 0]


@every_reading
def test_no_records_at_all_are_no_fault(tax: Taxonomy, reading: str) -> None:
    nobody = of(tax, [])
    assert len(nobody) == 0
    assert nobody.dissimilar == 0
    none = np.zeros(0, np.int64)
    assert nobody.square(none, reading).shape == (0, 0)
    assert nobody.pairs(none, nobody, none, reading).tolist() == []


def test_records_come_back_with_their_weights(tax: Taxonomy) -> None:
    dog, cat, oak = codes(tax, "dog", "cat", "oak")
    records = of(tax, [[oak, cat, dog], [], [cat, cat]], 0.4)
    assert sorted((a.code, a.weight) for a in records.record(0)) == sorted([(min(dog, cat), 2), (oak, 1)])
    assert records.record(1) == []
    assert records.record(2) == [Attribute(cat, 1)]
    assert records.dissimilar == pytest.approx(1 / 3)  # only the oak is like nothing else


def test_rows_may_be_some_of_the_records_in_any_order(tax: Taxonomy) -> None:
    records = of(tax, [[0], [1, 2], [2], [0, 1]])
    whole = records.square(np.arange(4))
    some = np.array([3, 1])
    np.testing.assert_array_equal(records.square(some), whole[np.ix_(some, some)])


def test_the_usual_threshold_asks_for_deep_concepts() -> None:
    """0.8 by `log` is a jaccard of at most 0.1487: 6 generalisations for a child, 12 for siblings, in a tree."""
    chain = [(f"{i:02}", f"{i - 1:02}") for i in range(1, 20)]
    tax = Taxonomy.from_edges(chain + [(f"twin{i:02}", f"{i - 1:02}") for i in range(1, 20)])

    def similar(a: str, b: str) -> bool:
        return similarity(tax, tax.code(a), tax.code(b)) >= 0.8

    assert similarity(tax, tax.code("05"), tax.code("04")) < 0.8
    assert next(i for i in range(1, 20) if similar(f"{i:02}", f"{i - 1:02}")) == 6
    assert next(i for i in range(1, 20) if similar(f"{i:02}", f"twin{i:02}")) == 12
    assert len(tax.ancestors(tax.code("05"))) == 6
    assert len(tax.ancestors(tax.code("11"))) == 12

from math import log2, sqrt

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.attributes import Attribute, Attributes
from taxonym.distance.record import Compare, Sets
from taxonym.measure.cohesion import (
    AttributeLoss,
    attribute_loss,
    cohesion,
    cohesions,
    information_loss,
    middle_record,
    published_measures,
    squared_loss,
)

EDGES = [("dog", "animal"), ("cat", "animal"), ("oak", "plant"), ("animal", "thing"), ("plant", "thing")]
SIBLINGS = log2(1.5)  # dog and cat: two of four generalisations in common


@pytest.fixture(scope="module")
def tax() -> Taxonomy:
    return Taxonomy.from_edges(EDGES)


def sets(tax: Taxonomy, *records: list[str]) -> Sets:
    return Sets.of([[tax.code(label) for label in record] for record in records], tax)


def attributes(tax: Taxonomy, *records: list[str], threshold: float = 0.8) -> Attributes:
    return Attributes.of(sets(tax, *records), threshold)


def test_cohesion_is_the_root_of_the_mean_distance_of_the_others_to_the_centroid() -> None:
    assert cohesion([0.5, 0.25, 0.75]) == sqrt(0.5)
    assert cohesion([1, 1]) == 1
    assert cohesion([]) == cohesion([0, 0]) == 0


def test_the_centroid_itself_does_not_count_in_the_cohesion_of_its_group(tax: Taxonomy) -> None:
    records = attributes(tax, ["dog"], ["dog", "oak"], ["oak"], ["cat"], ["cat"])
    found = cohesions(records, [[0, 1, 2], [4, 3]], [1, 3])
    assert found == pytest.approx([cohesion([0.5, 0.5]), 0])
    assert cohesions(records, [[2]], [2]).tolist() == [0]
    assert cohesions(records, [], []).tolist() == []


def test_an_attribute_loses_its_squared_distance_to_the_nearest_concept_published(tax: Taxonomy) -> None:
    dog, cat, oak = (tax.code(label) for label in ("dog", "cat", "oak"))
    assert squared_loss(tax, [Attribute(dog, 1)], [oak, cat]) == pytest.approx(SIBLINGS**2)
    assert squared_loss(tax, [Attribute(dog, 1), Attribute(oak, 1)], [oak, cat]) == pytest.approx(SIBLINGS**2)


def test_an_attribute_that_stands_for_three_loses_three_times_as_much(tax: Taxonomy) -> None:
    dog, cat = tax.code("dog"), tax.code("cat")
    assert squared_loss(tax, [Attribute(dog, 3)], [cat]) == pytest.approx(3 * SIBLINGS**2)


def test_everything_is_lost_if_nothing_is_published_and_nothing_if_there_was_nothing(tax: Taxonomy) -> None:
    dog = tax.code("dog")
    assert squared_loss(tax, [Attribute(dog, 2)], []) == 2
    assert squared_loss(tax, [], [dog]) == squared_loss(tax, [], []) == 0
    records = attributes(tax, ["dog"], [])
    pairs = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert attribute_loss(records, sets(tax, [], ["dog"]), *pairs).tolist() == [1, 0, 0, 0]


def test_sse_sst_and_their_ratio_on_an_example_worked_by_hand(tax: Taxonomy) -> None:
    records = attributes(tax, ["dog"], ["cat"], ["dog"], ["dog", "oak"], ["oak"])
    published, groups = sets(tax, ["dog"], ["oak"]), [[0, 1, 2], [3, 4]]
    loss = information_loss(records, published, groups, middle=3)
    far = log2(1 + 4 / 5)  # dog and oak share only the root
    assert loss.by_group == pytest.approx((SIBLINGS**2, far**2))
    assert loss.sst == pytest.approx(SIBLINGS**2)  # only the cat is not in {dog, oak}
    assert loss.share == pytest.approx(100 * (SIBLINGS**2 + far**2) / SIBLINGS**2)
    assert middle_record(records) == 0  # 2.5 from all, and so is record 3: the first
    assert information_loss(records, published, groups).sst == pytest.approx(SIBLINGS**2 + 2 * far**2)


def test_similar_attributes_are_one_with_a_weight_and_what_stands_for_them_is_compared(tax: Taxonomy) -> None:
    records = attributes(tax, ["dog", "cat"], threshold=1 - SIBLINGS)
    [one] = records.record(0)
    assert (one.weight, tax.id(one.code)) == (2, min("dog", "cat", key=tax.code))
    found = attribute_loss(records, sets(tax, ["dog"], ["cat"]), np.array([0, 0]), np.array([0, 1]))
    assert sorted(found.tolist()) == pytest.approx([0, 2 * SIBLINGS**2])


def test_unchanged_data_loses_nothing(tax: Taxonomy) -> None:
    labels = ["dog"], ["cat", "oak"], ["plant", "dog"]
    loss = information_loss(attributes(tax, *labels), sets(tax, *labels), [[0], [1], [2]])
    assert loss.sse == loss.share == 0


def test_records_that_are_all_alike_have_no_share(tax: Taxonomy) -> None:
    loss = information_loss(attributes(tax, ["dog"], ["dog"]), sets(tax, ["dog"]), [[0, 1]])
    assert loss == AttributeLoss((0.0,), 0.0)
    assert loss.as_data() == {"sse": 0, "sst": 0, "sse_of_sst_percent": None}
    assert information_loss(attributes(tax, ["dog"]), sets(tax), []) == AttributeLoss((), 0.0)


def test_of_many_records_some_that_are_spread_over_all_are_tried_for_the_middle(
    tax: Taxonomy, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = attributes(tax, ["oak"], ["dog", "oak"], ["oak"], ["dog"], ["dog"])
    assert middle_record(records) == 1
    monkeypatch.setattr("taxonym.measure.cohesion.CANDIDATES", 3)  # 0, 2 and 4
    assert middle_record(records) == 0


def test_measures_of_a_release_are_taken_around_what_is_published(tax: Taxonomy) -> None:
    records, published = sets(tax, ["dog"], ["dog", "oak"], ["oak"], ["cat"]), sets(tax, ["dog"], ["plant"])
    found = published_measures(records, published, [[0, 1], [2, 3]], Compare(aggregate="matching", measure="log"))
    assert found["mean_cohesion"] == pytest.approx((sqrt(0.25) + 1) / 2)
    assert found["similar_to_nothing_else_percent"] == 100
    own = attributes(tax, ["dog"], ["dog", "oak"], ["oak"], ["cat"])
    assert found["sse"] == information_loss(own, published, [[0, 1], [2, 3]]).sse
    assert published_measures(records, published, [[0, 1], [2, 3]], Compare()) == found  # as the paper does


def test_a_low_threshold_makes_siblings_one_attribute(tax: Taxonomy) -> None:
    records, published = sets(tax, ["dog"], ["cat"]), sets(tax, ["dog"])
    how = Compare(aggregate="matching", measure="log", threshold=0.4)
    assert published_measures(records, published, [[0, 1]], how)["mean_cohesion"] == 0
    assert published_measures(records, published, [[0, 1]], how)["similar_to_nothing_else_percent"] == 0

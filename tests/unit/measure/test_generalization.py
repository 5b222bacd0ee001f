"""The classical measures of loss on cases counted by hand."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.measure.generalization import (
    ANYTHING,
    GeneralizedCells,
    average_class_size,
    cells,
    certainty_penalty,
    discernibility,
    entropy_percent,
    leaf_share,
    precision,
    steps_per_value,
    steps_to_anything,
)
from tests.strategies import taxonomies

#        food
#    fruit      bread
#  pear  plum
FOOD = Taxonomy.from_edges([("fruit", "food"), ("bread", "food"), ("pear", "fruit"), ("plum", "fruit")], name="food")


def column(original: list[str], published: list[list[str]]) -> GeneralizedCells:
    """A nominal column: one original concept per record, any number published."""
    return cells(sets([[word] for word in original]), sets(published))


def sets(words: list[list[str]]) -> ConceptSets:
    return ConceptSets.of([[FOOD.code(word) for word in record] for record in words], FOOD)


FOUR = column(["pear", "plum", "bread", "bread"], [["fruit"], ["fruit"], ["bread"], []])


def test_concepts_rise_to_anything_one_link_beyond_the_root() -> None:
    assert {FOOD.id(c): steps_to_anything(FOOD)[c] for c in range(len(FOOD))} == {
        "food": 1,
        "fruit": 2,
        "bread": 2,
        "pear": 3,
        "plum": 3,
    }


def test_the_share_of_leaves_is_zero_for_a_leaf_and_one_for_the_root() -> None:
    share = {FOOD.id(c): leaf_share(FOOD)[c] for c in range(len(FOOD))}
    assert share == pytest.approx({"food": 1, "fruit": 2 / 3, "bread": 0, "pear": 0, "plum": 0})


def test_every_original_concept_is_matched_with_the_nearest_published_one_above_it() -> None:
    found = cells(sets([["pear", "bread"], ["plum"]]), sets([["food", "fruit"], ["bread"]]))
    assert found.published.tolist() == [FOOD.code("fruit"), FOOD.code("food"), ANYTHING]
    assert found.links.tolist() == [1, 1, 3]


def test_steps_per_value() -> None:
    assert steps_per_value([FOUR]) == (1 + 1 + 0 + 2) / 4


def test_precision_counts_shares_of_the_way_to_anything() -> None:
    assert precision([FOUR]) == pytest.approx(1 - (1 / 3 + 1 / 3 + 0 + 2 / 2) / 4)


def test_certainty_penalty_is_the_mean_share_of_leaves() -> None:
    assert certainty_penalty([FOUR]) == pytest.approx((2 / 3 + 2 / 3 + 0 + 1) / 4)


def test_entropy_is_in_percent_of_what_suppressing_all_loses() -> None:
    # fruit: one pear of two; bread stays; anything: two breads of four
    lost = 1 + 1 + 0 + log2(4 / 2)
    most = log2(4) + log2(4) + log2(2) + log2(2)
    assert entropy_percent([FOUR]) == pytest.approx(100 * lost / most)


def test_entropy_has_no_percentage_where_all_values_are_alike() -> None:
    assert entropy_percent([column(["pear", "pear"], [[], []])]) is None


def test_discernibility_counts_suppressed_records_as_confused_with_all() -> None:
    assert discernibility([3, 2]) == 9 + 4
    assert discernibility([3, 2], suppressed=2) == 9 + 4 + 2 * 7


def test_average_class_size_is_one_at_best_if_k_is_given() -> None:
    assert average_class_size([3, 2]) == 2.5
    assert average_class_size([2, 2], k=2) == 1


@given(tax=taxonomies(), data=st.data())
def test_nothing_is_lost_by_publishing_all_and_everything_by_publishing_nothing(
    tax: Taxonomy, data: st.DataObject
) -> None:
    codes = data.draw(st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=12))
    given = ConceptSets.of([[code] for code in codes], tax)
    same, blank = cells(given, given), cells(given, ConceptSets.of([()] * len(codes), tax))
    assert steps_per_value([same]) == 0 == steps_per_value([same, same])
    assert precision([same]) == 1
    assert precision([blank]) == pytest.approx(0)
    assert certainty_penalty([blank]) == 1
    assert entropy_percent([blank]) in (None, pytest.approx(100))
    assert certainty_penalty([same]) == pytest.approx(leaf_share(tax)[codes].mean())


@given(tax=taxonomies(), data=st.data())
def test_a_match_is_published_above_the_original_and_no_other_is_fewer_links_away(
    tax: Taxonomy, data: st.DataObject
) -> None:
    code = data.draw(st.integers(0, len(tax) - 1))
    published = data.draw(st.lists(st.integers(0, len(tax) - 1), max_size=6, unique=True))
    found = cells(ConceptSets.of([[code]], tax), ConceptSets.of([published], tax))
    climbs, into = tax.climbs(code), int(found.published[0])
    covers = [c for c in published if c in climbs]
    assert (into in covers) if covers else into == ANYTHING
    if covers:
        assert found.links[0] == climbs[into] == min(climbs[c] for c in covers)

"""Items that are replaced everywhere alike, on a shop small enough to think through."""

from collections.abc import Sequence

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.publish.generalize.items import SEARCHES, recode_items
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn

SHOP = Taxonomy.from_edges(
    [
        ("milk", "dairy"),
        ("cheese", "dairy"),
        ("beer", "drinks"),
        ("wine", "drinks"),
        ("dairy", "all"),
        ("drinks", "all"),
    ]
)
every_search = pytest.mark.parametrize("search", SEARCHES)


def column(tax: Taxonomy, records: Sequence[str], **more: object) -> RecodingColumn:
    return RecodingColumn.of([[tax.code(word) for word in record.split()] for record in records], tax, **more)  # type: ignore[arg-type]


def told(tax: Taxonomy, recoded: Recoding, of: int = 0) -> list[str]:
    """What every record publishes, in words."""
    shown = {row: concepts for rows, concepts in zip(recoded.groups, recoded.concepts, strict=True) for row in rows}
    return [" ".join(tax.label(c) for c in shown[row][of]) for row in sorted(shown)]


@every_search
def test_items_that_enough_records_have_stay(search: str) -> None:
    recoded = recode_items([column(SHOP, ["milk", "milk", "beer", "beer"])], 2, 2, search=search)
    assert told(SHOP, recoded) == ["milk", "milk", "beer", "beer"]
    assert recoded.cost == 0


@every_search
def test_a_rare_item_takes_its_siblings_along(search: str) -> None:
    recoded = recode_items([column(SHOP, ["milk", "milk", "cheese", "beer", "beer"])], 2, 1, search=search)
    assert told(SHOP, recoded) == ["dairy", "dairy", "dairy", "beer", "beer"]
    assert recoded.cost == pytest.approx(3 * 2 / 4)  # three items that may mean two of four leaves


def test_a_rare_pair_rises_where_it_is_cheapest_which_greed_does_not_see() -> None:
    records = ["milk beer", "milk", "milk", "milk", "cheese wine", "cheese beer", "cheese wine", "beer", "wine"]
    assert told(SHOP, recode_items([column(SHOP, records)], 2, 1)) == records
    # {milk, beer} and {cheese, beer} are rare. Six drinks or seven items of dairy may rise: the drinks cost less, but
    # {milk, drinks} stays rare, so whoever began with them has to raise everything.
    pairs = recode_items([column(SHOP, records)], 2, 2)
    assert told(SHOP, pairs) == [record.replace("milk", "dairy").replace("cheese", "dairy") for record in records]
    assert pairs.cost == pytest.approx(7 * 2 / 4)
    greedy = recode_items([column(SHOP, records)], 2, 2, search="apriori")
    assert greedy.cost == pytest.approx((7 + 6) * 2 / 4)


def test_the_cheapest_is_known_to_be_the_cheapest() -> None:
    recoded = recode_items([column(SHOP, ["milk", "milk", "cheese", "beer", "beer"])], 2, 1)
    assert recoded.cheapest


@every_search
def test_an_item_for_which_nothing_suffices_is_not_published(search: str) -> None:
    allowed = np.array([SHOP.label(c) != "all" for c in range(len(SHOP))])
    recoded = recode_items([column(SHOP, ["milk", "milk", "beer"], allowed=allowed)], 2, 1, search=search)
    assert told(SHOP, recoded) == ["milk", "milk", ""]
    assert recoded.cost == pytest.approx(1)


@every_search
def test_an_item_above_another_one_replaces_it(search: str) -> None:
    recoded = recode_items([column(SHOP, ["milk", "milk", "dairy", "dairy"])], 2, 1, search=search)
    assert told(SHOP, recoded) == ["dairy"] * 4


@every_search
def test_combinations_reach_across_columns(search: str) -> None:
    first, second = column(SHOP, ["milk", "milk", "cheese", "cheese"]), column(SHOP, ["beer", "wine", "beer", "wine"])
    alone = recode_items([first, second], 2, 1, search=search)
    assert alone.cost == 0
    both = recode_items([first, second], 2, 2, search=search)
    assert sorted([told(SHOP, both, 0)[0], told(SHOP, both, 1)[0]]) in (["beer", "dairy"], ["drinks", "milk"])
    assert both.cost == pytest.approx(4 * 2 / 4)


@every_search
def test_the_weight_of_a_column_says_which_one_rises(search: str) -> None:
    first = column(SHOP, ["milk", "milk", "cheese", "cheese"], weight=3.0)
    second = column(SHOP, ["beer", "wine", "beer", "wine"])
    both = recode_items([first, second], 2, 2, search=search)
    assert told(SHOP, both, 0) == ["milk", "milk", "cheese", "cheese"]
    assert told(SHOP, both, 1) == ["drinks"] * 4


@every_search
def test_what_is_common_enough_in_all_may_be_rare_in_a_block(search: str) -> None:
    records, block = ["milk", "cheese", "milk", "cheese"], np.array([4, 4, 9, 9])
    assert told(SHOP, recode_items([column(SHOP, records)], 2, 1, search=search)) == records
    recoded = recode_items([column(SHOP, records)], 2, 1, block=block, search=search)
    assert told(SHOP, recoded) == ["dairy"] * 4
    assert len(recoded.groups) == 2  # groups do not reach across blocks


def test_a_block_below_k_breaks_the_promise() -> None:
    with pytest.raises(BrokenPromise, match="1 blocks have fewer than k = 2"):
        recode_items([column(SHOP, ["milk", "milk", "milk"])], 2, 1, block=np.array([0, 0, 1]))


def test_mistakes_are_named() -> None:
    one = column(SHOP, ["milk", "milk"])
    with pytest.raises(BadPlan, match="search"):
        recode_items([one], 2, 1, search="magic")
    with pytest.raises(BadPlan, match="m: must"):
        recode_items([one], 2, 0)
    with pytest.raises(BadPlan, match="k: must"):
        recode_items([one], 0, 1)
    with pytest.raises(BadPlan, match="none to generalise"):
        recode_items([], 2, 1)
    with pytest.raises(BadPlan, match="2 records like the first"):
        recode_items([one, column(SHOP, ["milk"])], 2, 1)

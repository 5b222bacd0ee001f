"""Sets generalised group by group, on a shop small enough to think through."""

from collections.abc import Sequence

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn
from taxonym.publish.generalize.topdown import SEARCHES, recode_sets

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
NO_ROOT = np.array([SHOP.label(c) != "all" for c in range(len(SHOP))])
every_search = pytest.mark.parametrize("search", SEARCHES)


def column(records: Sequence[str], **more: object) -> RecodingColumn:
    return RecodingColumn.of([[SHOP.code(word) for word in record.split()] for record in records], SHOP, **more)  # type: ignore[arg-type]


def told(recoded: Recoding, of: int = 0) -> list[str]:
    """What every record publishes, in words; None of a suppressed one."""
    shown = {row: concepts for rows, concepts in zip(recoded.groups, recoded.concepts, strict=True) for row in rows}
    return [" ".join(sorted(SHOP.label(c) for c in shown[row][of])) for row in sorted(shown)]


@every_search
def test_equal_records_stay_as_they_are(search: str) -> None:
    records = ["beer milk", "cheese", "beer milk", "cheese"]
    recoded = recode_sets([column(records)], 2, search=search)
    assert told(recoded) == records
    assert (recoded.cost, recoded.cheapest) == (0, True)


@every_search
def test_a_group_publishes_the_lowest_concepts_that_all_hold_and_that_cover_everything(search: str) -> None:
    recoded = recode_sets([column(["milk beer", "cheese beer", "milk beer", "milk cheese beer"])], 4, search=search)
    assert told(recoded) == ["beer dairy"] * 4  # milk would leave cheese uncovered, and one has no milk
    assert recoded.cost == pytest.approx(5 * 2 / 4)


@every_search
def test_records_with_different_kinds_of_things_have_the_root_in_common(search: str) -> None:
    assert told(recode_sets([column(["milk", "beer"])], 2, search=search)) == ["all"] * 2


@every_search
def test_without_the_root_only_what_all_hold_is_published_and_the_rest_becomes_anything(search: str) -> None:
    recoded = recode_sets([column(["milk beer", "milk", "milk"], allowed=NO_ROOT)], 3, search=search)
    assert told(recoded) == ["milk"] * 3
    assert recoded.cost == pytest.approx(1)  # the beer


@every_search
def test_nothing_in_common_is_published_as_nothing(search: str) -> None:
    recoded = recode_sets([column(["milk", "beer"], allowed=NO_ROOT)], 2, search=search)
    assert told(recoded) == ["", ""]
    assert recoded.cost == pytest.approx(2)


@every_search
def test_groups_are_alike_in_all_columns_together(search: str) -> None:
    job, basket = column(["milk", "milk", "beer", "beer"]), column(["wine", "cheese", "wine", "cheese"])
    assert [told(recode_sets([one], 2, search=search)) for one in (job, basket)] == [
        ["milk", "milk", "beer", "beer"],
        ["wine", "cheese", "wine", "cheese"],
    ]
    both = recode_sets([job, basket], 2, search=search)
    assert all(len(rows) >= 2 for rows in both.groups)
    assert both.cost == pytest.approx(4)  # one column stays, the other becomes all


@every_search
def test_records_of_different_blocks_are_never_grouped(search: str) -> None:
    recoded = recode_sets([column(["milk", "beer", "milk", "beer"])], 2, block=np.array([3, 3, 8, 8]), search=search)
    assert recoded.groups == [[0, 1], [2, 3]]
    assert told(recoded) == ["all"] * 4


def test_the_record_that_costs_the_others_most_is_suppressed_if_it_may_be() -> None:
    records = column(["milk"] * 4 + ["beer wine"])
    assert recode_sets([records], 3).cost == pytest.approx(6)
    recoded = recode_sets([records], 3, suppress=0.2)
    assert recoded.suppressed == [4]
    assert told(recoded) == ["milk"] * 4
    assert recoded.cost == pytest.approx(2)


def test_no_more_records_are_suppressed_than_the_share_allows() -> None:
    records = column(["milk"] * 4 + ["beer wine"])
    assert recode_sets([records], 3, suppress=0.19).suppressed == []


def test_a_block_below_k_is_suppressed_if_it_may_be_and_refused_otherwise() -> None:
    records, block = column(["milk", "milk", "milk", "beer"]), np.array([0, 0, 0, 1])
    recoded = recode_sets([records], 2, block=block, suppress=0.25)
    assert (recoded.suppressed, told(recoded)) == ([3], ["milk"] * 3)
    with pytest.raises(
        BrokenPromise, match="1 records are in blocks of fewer than k = 2, and 0 of 4 may be suppressed"
    ):
        recode_sets([records], 2, block=block)


def test_fewer_than_k_records_break_the_promise() -> None:
    with pytest.raises(BrokenPromise, match="fewer than k = 3"):
        recode_sets([column(["milk", "milk"])], 3)


def test_mistakes_are_named() -> None:
    one = column(["milk", "milk"])
    with pytest.raises(BadPlan, match="search"):
        recode_sets([one], 2, search="magic")
    with pytest.raises(BadPlan, match="share from 0 to 1"):
        recode_sets([one], 2, suppress=1.5)
    with pytest.raises(BadPlan, match="cost: 'gold' is not known"):
        recode_sets([one], 2, cost="gold")

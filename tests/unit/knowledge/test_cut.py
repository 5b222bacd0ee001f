import datetime as dt
from math import log2

import pytest

from taxonym import Taxonomy
from taxonym.errors import BadPlan
from taxonym.knowledge.cut import ColumnValue, branches, cut
from taxonym.knowledge.ranges import date_ranges, number_ranges

SPORTS = Taxonomy.from_edges(
    [
        ("swimming", "water sports"), ("sailing", "water sports"), ("water sports", "sports"), ("sports", "activity"),
        ("chess", "board games"), ("go", "board games"), ("board games", "games"), ("games", "activity"),
        ("activity", "entity"), ("rock", "entity"),
    ]
)  # fmt: skip


def values(**records: int) -> list[ColumnValue]:
    return [ColumnValue(text, (SPORTS.codes(text) or [None])[0], count) for text, count in records.items()]


def test_concepts_with_one_child_in_use_are_left_out_and_the_top_is_the_lowest_above_all() -> None:
    made = cut(SPORTS, values(swimming=1, sailing=1, chess=1, go=1))
    assert made.rows == [
        ("chess", "board games", "activity"),
        ("go", "board games", "activity"),
        ("sailing", "water sports", "activity"),
        ("swimming", "water sports", "activity"),
    ]
    assert made.header == ["value", "level 1", "level 2"]
    assert (made.cost, made.unplaced) == (0, 0)


def test_a_value_without_a_concept_stands_right_below_the_root_in_the_last_line() -> None:
    made = cut(SPORTS, values(swimming=1, sailing=1, chess=1, zyzzyva=1))
    assert made.rows[-1] == ("zyzzyva", "", "", "entity")
    assert made.rows[0] == ("chess", "", "activity", "entity")
    assert made.unplaced == 1


def test_of_two_concepts_the_one_is_kept_that_more_records_would_miss() -> None:
    tax = Taxonomy.from_edges(
        [
            ("crawl", "swimming"),
            ("butterfly", "swimming"),
            ("swimming", "water"),
            ("sailing", "water"),
            ("water", "top"),
            ("chess", "top"),
        ]
    )
    swim = [ColumnValue("crawl", tax.code("crawl"), 1), ColumnValue("butterfly", tax.code("butterfly"), 1)]
    sail = [ColumnValue("sailing", tax.code("sailing"), 4)]
    # two levels: the top and either water (6 records) or swimming (2); what is not kept becomes the next above it
    many_play = cut(tax, [*swim, *sail, ColumnValue("chess", tax.code("chess"), 20)], 2)
    assert many_play.cost == pytest.approx(min(2 * log2(6 / 2), 6 * log2(26 / 6)))
    assert {row[1] for row in many_play.rows} == {"water", ""}
    few_play = cut(tax, [*swim, *sail, ColumnValue("chess", tax.code("chess"), 1)], 2)
    assert few_play.cost == pytest.approx(min(2 * log2(6 / 2), 6 * log2(7 / 6)))
    assert {row[1] for row in few_play.rows} == {"swimming", ""}


def test_synonyms_meet_in_their_concept_and_a_value_that_is_a_concept_above_others_too() -> None:
    code = SPORTS.code("swimming")
    made = cut(SPORTS, [ColumnValue("swim", code), ColumnValue("bathing", code), *values(sailing=1)], 2)
    assert made.rows == [
        ("sailing", "", "water sports"),
        ("bathing", "swimming", "water sports"),
        ("swim", "swimming", "water sports"),
    ]
    made = cut(SPORTS, [ColumnValue("water sports", SPORTS.code("water sports")), *values(sailing=1, chess=1)], 2)
    assert made.rows == [
        ("chess", "", "activity"),
        ("sailing", "any water sports", "activity"),
        ("water sports", "any water sports", "activity"),
    ]


def test_equal_labels_of_two_concepts_are_told_apart_by_their_ids() -> None:
    tax = Taxonomy.from_edges(
        [("a1", "bank"), ("a2", "bank"), ("b1", "shore"), ("b2", "shore"), ("bank", "top"), ("shore", "top")]
    )
    both = [ColumnValue(text, tax.code(text)) for text in ("a1", "a2", "b1", "b2")]
    assert {row[1] for row in cut(tax, both).rows} == {"bank", "shore"}
    from taxonym.knowledge.build import Draft

    draft = Draft("two banks")
    for child, parent in (("a1", "b.1"), ("a2", "b.1"), ("b1", "b.2"), ("b2", "b.2"), ("b.1", "top"), ("b.2", "top")):
        draft.link(child, parent)
    draft.label("b.1", "bank")
    draft.label("b.2", "bank")
    tax = draft.build()
    both = [ColumnValue(text, tax.code(text)) for text in ("a1", "a2", "b1", "b2")]
    assert {row[1] for row in cut(tax, both).rows} == {"bank (b.1)", "bank (b.2)"}


def test_of_several_parents_the_deepest_is_followed() -> None:
    tax = Taxonomy.from_edges([("x", "aside"), ("x", "deep"), ("deep", "middle"), ("middle", "top"), ("aside", "top")])
    tree = branches(
        tax,
        [ColumnValue("x", tax.code("x")), ColumnValue("m", tax.code("middle")), ColumnValue("s", tax.code("aside"))],
    )
    assert [tax.label(code) for code in tree.code] == ["top", "middle"]
    assert tree.records == [3, 2]


def test_values_under_several_roots_meet_in_any() -> None:
    tax = Taxonomy.from_edges([("a", "one"), ("b", "one"), ("c", "two")])
    made = cut(tax, [ColumnValue(text, tax.code(text)) for text in "abc"])
    assert made.rows == [("c", "", "any"), ("a", "one", "any"), ("b", "one", "any")]


def test_spellings_that_differ_in_case_only_are_one_value_as_most_write_it() -> None:
    code = SPORTS.code("chess")
    made = cut(
        SPORTS, [ColumnValue("Chess", code, 2), ColumnValue("chess", code, 3), ColumnValue("go ", SPORTS.code("go"), 1)]
    )
    assert [row[0] for row in made.rows] == ["chess", "go"]


def test_fewer_than_one_level_is_refused() -> None:
    with pytest.raises(BadPlan, match="levels: must be at least 1, got 0"):
        cut(SPORTS, values(chess=1), 0)
    with pytest.raises(BadPlan, match="levels"):
        number_ranges({"1": 1}, {"1": 1}, 0)


def test_whole_numbers_have_ranges_with_both_ends_and_others_half_open_ones() -> None:
    ages = {str(age): age for age in range(20, 60)}
    made = number_ranges(ages, dict.fromkeys(ages, 1), 3)
    # A record loses 1 bit from steps of 5 to 10, (30 log2 3 + 10 log2 1) / 40 = 1.19 from 10 to 50 and
    # (30 log2 4/3 + 10 log2 4) / 40 = 0.81 from 50 to any: steps of 50 are missed least.
    assert made.rows[0] == ("20", "20 to 24", "20 to 29", "any")
    assert made.rows[-1] == ("59", "55 to 59", "50 to 59", "any")
    assert made.cost == pytest.approx(30 * log2(4 / 3) + 10 * log2(4))
    assert number_ranges(ages, dict.fromkeys(ages, 1), 4).rows[0] == ("20", "20 to 24", "20 to 29", "0 to 49", "any")
    shares = {text: float(text) for text in ("-0.25", "0.1", "0.3", "0.30", "0.7")}
    made = number_ranges(shares, dict.fromkeys(shares, 1), 3)
    assert [row[1] for row in made.rows] == ["[-0.5, 0)", "[0, 0.5)", "[0, 0.5)", "[0, 0.5)", "[0.5, 1)"]


def test_dates_have_ranges_of_the_calendar() -> None:
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=5 * i) for i in range(300)]
    known = {day.isoformat(): day for day in days}
    made = date_ranges(known, dict.fromkeys(known, 1), 4)
    assert made.rows[0] == ("2020-01-01", "2020-01", "2020 Q1", "2020", "any")
    years = {"2020": dt.date(2020, 1, 1), "2021": dt.date(2021, 1, 1), "2030": dt.date(2030, 1, 1)}
    assert date_ranges(years, dict.fromkeys(years, 1)).rows[0] == ("2020", "2020s", "any")

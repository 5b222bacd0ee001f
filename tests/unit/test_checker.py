"""The checker of releases must itself be right: it accepts a sound release and finds each kind of violation."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from taxonym import Taxonomy
from tests.checker import RULES, Row, violations
from tests.checker_cells import POINT, date_span, is_step, number_span

ILLNESSES = Taxonomy.from_edges(
    [("flu", "lung"), ("asthma", "lung"), ("lung", "illness"), ("sprain", "bone"), ("bone", "illness")]
)
WORDS = {"role": "quasi-identifier", "kind": "set", "taxonomy": "illnesses"}
YEARS = {"role": "quasi-identifier", "kind": "number"}
DAYS = {"role": "quasi-identifier", "kind": "date"}


def broken(
    original: Sequence[Row],
    release: Sequence[Row],
    columns: dict[str, Any],
    *,
    of: Sequence[Sequence[int] | None] | None = None,
    input: dict[str, Any] | None = None,
    output: dict[str, Any] | None = None,
    **method: Any,
) -> list[str]:
    """The rules that a release breaks, at k = 2; row i comes from input row i, or from the rows that `of` names."""
    rows = of if of is not None else [[i] for i in range(1, len(release) + 1)]
    published = iter(range(1, len(release) + 1))
    records = [{"rows": some, "release_row": next(published)} for some in rows if some is not None]
    plan = {"input": input or {}, "columns": columns, "method": {"k": 2} | method, "output": output or {}}
    taxonomies = {name: ILLNESSES for name, column in columns.items() if "taxonomy" in column}
    found = violations(original, plan, release, {"records": records}, taxonomies)
    assert {violation.rule for violation in found} <= set(RULES)
    return sorted({violation.rule for violation in found})


def table(**columns: Sequence[Any]) -> list[dict[str, Any]]:
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def test_a_sound_release_is_accepted() -> None:
    original = table(
        ill=["flu", "asthma", "flu", "sprain;flu", "sprain", "flu;sprain"],
        year=[1931, 1938, 1951, 1955, 1972, 1979],
        born=["1999-01-02", "1999-05-06", "2001-01-01", "2001-02-01", date(2005, 3, 4), date(2006, 1, 1)],
        town=["a", "a", "b", "b", "b", "b"],
        pay=[1, 1, 2, 1, 2, 2],
    )  # fmt: skip
    release = table(
        ill=[["lung"], ["lung"], ["flu"], ["flu"], ["sprain"], ["sprain"]],
        year=["< 1950", "< 1950", "[1950, 1960)", "[1950, 1960)", ">= 1970", ">= 1970"],
        born=["< 2000-01-01", "< 2000-01-01", "2001", "2001", ">= 2005-01-01", ">= 2005-01-01"],
        town=["a", "a", "b", "b", "b", "b"],
        pay=[1, 1, 1, 2, 2, 2],
    )
    columns = {"ill": WORDS, "year": YEARS, "born": DAYS, "town": {"role": "other"}, "pay": {"role": "confidential"}}
    ordered = [1, 2, 4, 3, 5, 6]
    assert broken(original, release, columns, of=[[i] for i in ordered], output={"order": "shuffled"}) == []
    by_text = sorted(zip(release, ordered, strict=True), key=lambda pair: (*pair[0].values(), pair[1]))
    assert broken(original, [row for row, _ in by_text], columns, of=[[i] for _, i in by_text]) == []


# ---------------------------------------------------------------------- classes, items, words


def test_a_class_of_one_person_is_found_even_if_it_has_many_rows() -> None:
    original = table(who=["p", "p", "q", "r"], ill=["flu"] * 4)
    columns = {"ill": WORDS}
    input = {"person": "who", "person_rows": "keep"}
    alone = table(ill=[["flu"], ["flu"], ["illness"], ["illness"]])
    assert broken(original, alone, columns, input=input) == ["class"]
    assert broken(original, alone[2:] * 2, columns, input=input) == ["rows"]


def test_a_confidential_column_does_not_divide_classes_but_another_one_does() -> None:
    original = table(ill=["flu", "flu"], town=["a", "b"])
    release = table(ill=[["flu"], ["flu"]], town=["a", "b"])
    assert broken(original, release, {"ill": WORDS, "town": {"role": "confidential", "exact": True}}) == []
    assert broken(original, release, {"ill": WORDS, "town": {"role": "other"}}, known_items=0) == ["class", "item"]


def test_per_record_classes_are_counted_by_concept() -> None:
    columns = {"ill": WORDS | {"on_unknown": "suppress"}}
    release = table(ill=[["flu"], ["FLU"]])
    original = table(ill=["FLU", "FLU"])
    assert broken(original, release, columns, output={"order": "shuffled"}) == ["class"]
    assert broken(original, release, columns, output={"order": "shuffled"}, representative="per-record") == []


@pytest.mark.parametrize(
    ("word", "kept"), [("sprain", False), ("bone", False), ("flu", True), ("lung", True), ("illness", True)]
)
def test_a_concept_is_held_by_who_has_it_or_something_below_it(word: str, kept: bool) -> None:
    original = table(ill=["flu", "flu", "asthma;sprain"])
    assert broken(original, table(ill=[[word]] * 3), {"ill": WORDS}) == ([] if kept else ["item"])


def test_holders_are_persons_of_the_release_only() -> None:
    original = table(ill=["flu", "asthma", "flu"])
    release = table(ill=[["flu"], ["flu"]])
    assert broken(original, release, {"ill": WORDS}, of=[[1], [3]]) == []
    assert broken(original, release, {"ill": WORDS}, of=[[1], [2]]) == ["item"]


@pytest.mark.parametrize(("known", "rules"), [(1, []), (2, ["joint"]), (3, ["joint"])])
def test_items_of_a_row_that_few_hold_together_are_found_up_to_known_items(known: int, rules: list[str]) -> None:
    original = table(ill=["flu;sprain", "flu", "sprain"])
    release = table(ill=[["flu", "sprain"]] * 3)
    assert broken(original, release, {"ill": WORDS}, known_items=known) == rules


def test_three_items_are_asked_for_only_where_three_are_known() -> None:
    original = table(ill=["flu;asthma", "flu;sprain", "asthma;sprain"] * 2)
    release = table(ill=[["asthma", "flu", "sprain"]] * 6)
    assert broken(original, release, {"ill": WORDS}, known_items=2) == []
    assert broken(original, release, {"ill": WORDS}, known_items=3) == ["joint"]


@pytest.mark.parametrize(
    ("column", "cells", "published"),
    [
        (YEARS, [1951, 1961, 1962, 1951], "< 1955"),
        ({"role": "other"}, ["a", "b", "b", "a"], "a"),
        (DAYS, ["2001-01-01", "2002-01-01", "2002-01-01", "2001-01-01"], "< 2002-01-01"),
        ({"role": "quasi-identifier", "kind": "nominal"}, ["a", "b", "b", "a"], "a"),
    ],
)
def test_the_rule_reaches_over_all_columns_of_a_row(column: dict[str, Any], cells: list[Any], published: str) -> None:
    original = table(ill=["flu", "flu", "flu", "sprain"], what=cells)
    release = table(ill=[["flu"]] * 4, what=[published] * 4)
    assert broken(original, release, {"ill": WORDS, "what": column}, known_items=1) == []
    assert broken(original, release, {"ill": WORDS, "what": column}) == ["joint"]


def test_items_count_together_in_one_row_where_rows_stay_apart_and_over_all_where_they_are_united() -> None:
    original = table(who=["p", "p", "q", "q"], ill=["flu", "sprain", "flu", "sprain"])
    united = {"person": "who"}
    whole = table(ill=[["flu", "sprain"]] * 2)
    assert broken(original, whole, {"ill": WORDS}, of=[[1, 2], [3, 4]], input=united) == []
    apart = table(ill=[["flu", "sprain"]] * 4)
    assert broken(original, apart, {"ill": WORDS}, input=united | {"person_rows": "keep"}) == ["joint"]


def test_a_concept_beside_its_ancestor_is_held_by_who_has_two_things_where_values_are_generalised() -> None:
    release = table(ill=[["flu", "lung"]] * 2)
    one, two = table(ill=["flu", "flu"]), table(ill=["flu;asthma", "flu;asthma"])
    assert broken(one, release, {"ill": WORDS}, name="refined") == []
    assert broken(one, release, {"ill": WORDS}, name="generalize") == ["joint"]
    assert broken(two, release, {"ill": WORDS}, name="generalize") == []


def test_a_mark_of_missing_values_is_held_by_who_has_none() -> None:
    release = table(ill=[["(missing)"]] * 2)
    kept = {"ill": WORDS | {"on_empty": "keep-as-own-concept"}}
    assert broken(table(ill=[None, None]), release, kept) == []
    assert broken(table(ill=[None, "flu"]), release, kept) == ["item"]
    assert broken(table(ill=[None, None]), release, {"ill": WORDS}) == ["item"]


def test_empty_cells_say_nothing() -> None:
    original = table(ill=["flu", "sprain"], year=[1, 2])
    assert broken(original, table(ill=[None, None], year=[None, None]), {"ill": WORDS, "year": YEARS}) == []
    assert broken(original, table(ill=[[], ""], year=["", None]), {"ill": WORDS, "year": YEARS}) == []
    assert broken(table(ill=["flu", "NA"]), table(ill=["NA", "NA"]), {"ill": WORDS}, input={"missing": ["NA"]}) == []


def test_a_word_that_is_not_a_name_needs_k_writers(tmp_path: Path) -> None:
    terms = tmp_path / "terms.csv"
    terms.write_text("term,concept\nthe grippe,flu\n")
    columns = {"ill": WORDS | {"overrides": str(terms)}}
    release = table(ill=[["the grippe"]] * 2)
    assert broken(table(ill=["the grippe", "the grippe"]), release, columns) == []
    assert broken(table(ill=["the grippe", "flu"]), release, columns) == ["word"]
    assert broken(table(ill=["Flu", "flu"]), table(ill=[["Flu"]] * 2), columns) == ["word"]
    assert broken(table(ill=["flu", "flu", "flu"]), table(ill=[["nonsense"]] * 2), columns) == ["item"]


# ---------------------------------------------------------------------- numbers and dates


@pytest.mark.parametrize(
    ("text", "span", "on_grid"),
    [
        ("[1940, 1960)", (1940, 1960), True),
        ("[1950, 1970)", (1950, 1970), True),  # two steps of ten
        ("[1945, 1965)", (1945, 1965), False),
        ("[1940, 1970)", (1940, 1970), False),
        ("7", (7, 7 + POINT), True),
        ("[1937, 1953)", (1937, 1953), False),
        ("[1937, 1938)", (1937, 1938), True),
        ("[-0.5, 0)", (-0.5, 0), True),
        ("[0.1, 0.2)", (Fraction(1, 10), Fraction(1, 5)), True),
        ("[0.1, 0.4)", (Fraction(1, 10), Fraction(2, 5)), False),
        ("[1e+15, 1.5e+15)", (10**15, 15 * 10**14), True),
        ("[5, 5)", (5, 5), False),
    ],
)
def test_ranges_of_numbers_lie_on_steps_of_1_2_or_5(text: str, span: tuple[Any, Any], on_grid: bool) -> None:
    assert number_span(text) == (span, on_grid)


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("2024-01-31", date(2024, 1, 31), date(2024, 2, 1)),
        ("2024-12", date(2024, 12, 1), date(2025, 1, 1)),
        ("2024 Q1", date(2024, 1, 1), date(2024, 4, 1)),
        ("2024 Q4", date(2024, 10, 1), date(2025, 1, 1)),
        ("2024", date(2024, 1, 1), date(2025, 1, 1)),
        ("[2020, 2030)", date(2020, 1, 1), date(2030, 1, 1)),
        ("[2020, 2040)", date(2020, 1, 1), date(2040, 1, 1)),
        ("[2024-02-28, 2024-03-01)", date(2024, 2, 28), date(2024, 3, 1)),
        ("[2024-02, 2024-04)", date(2024, 2, 1), date(2024, 4, 1)),
        ("[2024 Q2, 2024 Q4)", date(2024, 4, 1), date(2024, 10, 1)),
    ],
)
def test_ranges_of_dates_follow_the_calendar(text: str, first: date, after: date) -> None:
    assert date_span(text) == ((first.toordinal(), after.toordinal()), True)


@pytest.mark.parametrize("text", ["2024-13", "2024 Q5", "2024-02-30", "2024 Q1-01", "1 May", "[2020-01, soon)", ""])
def test_what_is_not_a_range_of_dates_is_refused(text: str) -> None:
    assert date_span(text) is None


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("[2021, 2031)", date(2021, 1, 1), date(2031, 1, 1)),
        ("[2019, 2022)", date(2019, 1, 1), date(2022, 1, 1)),
        ("[2024-02-28, 2024-03-07)", date(2024, 2, 28), date(2024, 3, 7)),
        ("[2024-02, 2024-05)", date(2024, 2, 1), date(2024, 5, 1)),
    ],
)
def test_ranges_of_dates_that_no_step_of_the_calendar_makes_are_off_the_grid(
    text: str, first: date, after: date
) -> None:
    assert date_span(text) == ((first.toordinal(), after.toordinal()), False)


def test_steps_are_1_2_and_5_times_a_power_of_ten() -> None:
    assert [n for n in range(-5, 300) if is_step(Fraction(n))] == [1, 2, 5, 10, 20, 50, 100, 200]
    assert [n for n in range(1, 100) if is_step(Fraction(n, 100))] == [1, 2, 5, 10, 20, 50]


@pytest.mark.parametrize("cell", [1951, "1951-1960", "about 1950"])
def test_a_number_in_place_of_a_range_is_found(cell: Any) -> None:
    assert "form" in broken(table(year=[1951, 1951]), table(year=[cell, cell]), {"year": YEARS})


@pytest.mark.parametrize(
    ("published", "rules"),
    [
        ("[1940, 1960)", []),
        ("[1943, 1957)", ["grid"]),  # the least and the largest of those in between
        ("[1935, 1955)", ["grid"]),
        ("1943", ["item"]),
        ("[1900, 1950)", ["open"]),  # only one is below
        ("[1950, 2000)", ["open"]),
        ("< 1950", []),
        ("< 1900", ["item"]),
        (">= 1990", ["item"]),
    ],
)
def test_ranges_end_on_the_grid_with_k_persons_beyond(published: str, rules: list[str]) -> None:
    original = table(year=[1899, 1905, 1943, 1944, 1957, 1958, 1961, 1990])
    assert broken(original, table(year=[published] * 8), {"year": YEARS}) == rules


def test_an_open_end_finer_than_the_grid_of_its_column_is_found() -> None:
    original = table(year=[1903, 1905, 1961, 1990, 1943, 1957])
    release = [
        {"year": cell}
        for cell in ("< 1911.00001", "< 1911.00001", ">= 1960", ">= 1960", "[1940, 1960)", "[1940, 1960)")
    ]
    assert broken(original, release, {"year": YEARS}) == ["grid"]


def test_who_is_left_out_does_not_decide_how_fine_an_open_end_may_be() -> None:
    """The middle half of all values is 10 ** 9 wide, that of those in the release 30."""
    years = [-(10**9), -(10**9) - 3, -(10**9) - 7, 10, 20, 30, 40]
    release = table(year=[">= 5", ">= 5", ">= 5", ">= 5"])
    of = [None, None, None, [4], [5], [6], [7]]
    assert broken(table(year=years), release, {"year": YEARS}, of=of) == []
    assert broken(table(year=years), table(year=[">= 5.00001"] * 4), {"year": YEARS}, of=of) == ["grid"]


def test_a_value_that_all_have_may_be_told_however_small_it_is() -> None:
    assert broken(table(year=[4.86e-12] * 4), table(year=["< 0.00000000000487"] * 4), {"year": YEARS}) == []


def test_rounded_numbers_need_k_persons_within_one_step() -> None:
    columns = {"year": YEARS | {"publish": "rounded"}}
    release = table(year=[1940, 1940, 1960, 1960])
    assert broken(table(year=[1937, 1951, 1949, 1965]), release, columns) == []
    assert broken(table(year=[1937, 1951, 1915, 1986]), release, columns) == ["item"]
    odd = table(year=[1.23456789012, 1.23456789012])
    assert broken(odd, odd, columns) == ["grid"]


@pytest.mark.parametrize(
    ("pay", "mean", "rules"),
    [
        ([100, 110, 120, 130], 120, []),
        ([100, 110, 120, 130], 115.25, ["mean"]),  # not rounded to a step of (130 - 100) / 8 or more
        ([1, 1, 1, 9000], 2000, ["mean"]),
        ([100, 100, None, None], 100, ["mean"]),  # who knows his own knows the other
        ([100, 100, 100, None], 100, ["mean"]),  # of three persons only
        ([100, 100, 100, 100], "much", ["form"]),
    ],
)
def test_means_do_not_let_one_member_estimate_another(pay: list[Any], mean: Any, rules: list[str]) -> None:
    columns = {"pay": {"role": "quasi-identifier", "kind": "number", "publish": "mean"}}
    assert broken(table(pay=pay), table(pay=[mean] * 4), columns, k=4) == rules


@pytest.mark.parametrize(("third", "rules"), [(20, []), (10, ["mean"])])
def test_a_person_counts_once_in_a_mean_with_the_mean_of_the_rows(third: int, rules: list[str]) -> None:
    columns = {"pay": {"role": "quasi-identifier", "kind": "number", "publish": "mean"}}
    original = table(who=["p", "p", "q", "q", "r"], pay=[100, 100, 50, 50, third])
    input = {"person": "who", "person_rows": "keep"}
    published = table(pay=[50] * 3)
    of = [[1], None, [3], None, [5]]
    assert broken(original, published, columns, of=of, input=input, k=3) == rules
    both = broken(original, table(pay=[50] * 5), columns, input=input, k=3)
    assert [rule for rule in both if rule != "rows"] == rules  # were sums compared, 20 would be too little beside 200


# ---------------------------------------------------------------------- confidential values, rows, order, trail


@pytest.mark.parametrize(
    ("pay", "rules"),
    [
        ([10, 10, 20, 20], []),
        ([10, 10, 10, 20], ["confidential"]),
        (["< 50", "< 50", "< 50", "< 50"], []),
        ([">= 20", ">= 20", "< 20", "< 20"], []),
        ([">= 30", "< 20", "< 20", "< 20"], ["confidential"]),
    ],
)
def test_a_confidential_value_has_k_holders_in_the_release(pay: list[Any], rules: list[str]) -> None:
    own = [10, 10, 20, 20] if rules != ["confidential"] else [10, 10, 10, 30] if ">= 30" in pay else [10, 10, 10, 20]
    original, release = table(ill=["flu"] * 4, pay=own), table(ill=[["flu"]] * 4, pay=pay)
    columns = {"ill": WORDS, "pay": {"role": "confidential", "kind": "number"}}
    shuffled = {"order": "shuffled"}
    assert broken(original, release, columns, output=shuffled) == rules
    exact = columns | {"pay": columns["pay"] | {"exact": True}}
    assert broken(original, release, exact, output=shuffled) == []


def test_a_confidential_word_counts_with_what_is_below_it() -> None:
    original = table(town=["a"] * 4, ill=["flu", "asthma", "flu", "sprain"])
    columns = {"town": {"role": "other"}, "ill": {"role": "confidential", "kind": "nominal", "taxonomy": "illnesses"}}
    raised = table(town=["a"] * 4, ill=["flu", "flu", "illness", "lung"])
    assert broken(original, raised, columns, of=[[1], [3], [4], [2]]) == []
    plain = table(town=["a"] * 4, ill=["asthma", "flu", "flu", "illness"])
    assert broken(original, plain, columns, of=[[2], [1], [3], [4]]) == ["confidential"]


@pytest.mark.parametrize(("rows", "rules"), [("ppqqrr", []), ("ppqr", ["rows"]), ("ppqqr", []), ("pppqqr", ["rows"])])
def test_nobody_gives_more_rows_to_a_class_than_the_kth_of_its_members(rows: str, rules: list[str]) -> None:
    original = table(who=list(rows), ill=["flu"] * len(rows))
    release = table(ill=[["flu"]] * len(rows))
    input = {"person": "who", "person_rows": "keep"}
    assert broken(original, release, {"ill": WORDS}, input=input) == rules


def test_a_year_among_ranges_of_dates_is_sorted_as_the_number_that_it_reads_as() -> None:
    original = table(born=["2021-10-15", "2021-12-27", "2027-03-01", "2027-11-24", "2031-01-01", "2031-01-01"])
    cells = ["2027", "2027", "2021 Q4", "2021 Q4", ">= 2030-01-01", ">= 2030-01-01"]
    of = [[3], [4], [1], [2], [5], [6]]
    assert "order" not in broken(original, table(born=cells), {"born": DAYS}, of=of)
    assert "order" in broken(original, table(born=[*cells[4:], *cells[:4]]), {"born": DAYS}, of=[*of[4:], *of[:4]])


def test_rows_and_items_in_another_order_than_the_sorted_one_are_found() -> None:
    original = table(ill=["flu;sprain"] * 4, pay=[1, 1, 10, 10])
    columns = {"ill": WORDS, "pay": {"role": "confidential", "kind": "number"}}
    items = ["flu", "sprain"]
    assert broken(original, table(ill=[items] * 4, pay=[1, 1, 10, 10]), columns) == []
    assert broken(original, table(ill=[items] * 4, pay=[10, 1, 1, 10]), columns) == ["order"]
    assert broken(original, table(ill=[items, items, ["flu"], ["flu"]], pay=[1, 1, 10, 10]), columns) == ["order"]
    assert broken(original, table(ill=[items[::-1]] * 4, pay=[1, 1, 10, 10]), columns) == ["order"]
    for free in ({"order": "shuffled"}, {"shuffle": False}):
        assert broken(original, table(ill=[items[::-1]] * 4, pay=[10, 1, 1, 10]), columns, output=free) == []


@pytest.mark.parametrize("of", [[[1]], [[1], [1]], [[1], [3]], [[1], [2], [2]]])
def test_a_trail_that_does_not_fit_the_release_is_found(of: list[list[int]]) -> None:
    original, release = table(ill=["flu", "flu"]), table(ill=[["flu"], ["flu"]])
    records = [{"rows": rows, "release_row": place} for place, rows in enumerate(of, 1)]
    plan = {"columns": {"ill": WORDS}, "method": {"k": 2}}
    found = violations(original, plan, release, {"records": records}, {"ill": ILLNESSES})
    assert {violation.rule for violation in found} == {"trail"}

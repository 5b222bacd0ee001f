"""What is printed of confidential columns, against definitions written apart from the product."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.publish.confidential_values import PrintedValues, WordMeaning
from taxonym.publish.value_steps import DAY, MONTH
from taxonym.records.column import Column
from tests.strategies import taxonomies

NUMBER = Column(name="x", role="confidential", kind="number")
DATE = Column(name="x", role="confidential", kind="date")
WORD = Column(name="x", role="confidential")
SET = Column(name="x", role="confidential", kind="set")
LADDER = [Fraction(digit) * Fraction(10) ** power for power in range(-3, 8) for digit in (1, 2, 5)]
YEARS = [Fraction(months * MONTH, DAY) for months in (1, 3, 12, 24, 60, 120, 240, 600, 1200)]

Held = dict[Any, set[int]]  # who has a value
ks = st.integers(2, 4)
persons = st.integers(0, 11)
whole = st.one_of(st.integers(-30, 60), st.integers(-9, 15), st.integers(-2_000, 200_000))
quarters = whole.map(lambda n: n / 4)
days = st.dates(dt.date(1890, 1, 1), dt.date(2030, 12, 31))
near = st.dates(dt.date(2023, 12, 1), dt.date(2024, 3, 31))


def held_by(values: list[Any], whose: list[int]) -> Held:
    found: Held = defaultdict(set)
    for value, person in zip(values, whose, strict=True):
        if value is not None:
            found[value].add(person)
    return found


def by_hand(
    held: Held, k: int, steps: Iterable[tuple[Any, Callable[[Any], Any]]], far: Callable[[Any, Any], Any], most: Any
) -> dict[Any, Any]:
    """The definition, value by value: steps have how far they reach and how they round (None: too coarse)."""
    made = {value: value for value, who in held.items() if len(who) >= k}
    printed = set(made)

    def nearest(value: Any, reach: Any) -> Any:
        close = [p for p in printed if far(p, value) <= min(reach, most(value))]
        return min(close, key=lambda p: (far(p, value), -far(p, min(printed)))) if close else None

    for reach, rounded in steps:
        left = [value for value in held if value not in made]
        bins: Held = defaultdict(set)
        for value in left:
            bins[rounded(value)] |= held[value]
        new = {value for value, who in bins.items() if value is not None and len(who) >= k}
        printed |= new
        for value in left:
            found = rounded(value) if rounded(value) in new else nearest(value, reach)
            if found is not None:
                made[value] = found
    return {value: made.get(value) for value in held}


def numbers_by_hand(held: Held, k: int) -> dict[Any, Any]:
    exact = {Fraction(value): who for value, who in held.items()}

    def step(size: Fraction) -> tuple[Fraction, Callable[[Fraction], Fraction | None]]:
        return size / 2, lambda value: floor(value / size + Fraction(1, 2)) * size if abs(value) >= size else None

    return by_hand(exact, k, map(step, LADDER), lambda a, b: abs(a - b), lambda value: abs(value) / 2)


def dates_by_hand(held: Held, k: int) -> dict[Any, Any]:
    def years(n: int) -> Callable[[dt.date], dt.date]:
        return lambda day: dt.date(day.year // n * n, 1, 1)

    rounds = [
        lambda day: day.replace(day=1),
        lambda day: dt.date(day.year, (day.month - 1) // 3 * 3 + 1, 1),
        *map(years, (1, 2, 5, 10, 20, 50, 100)),
    ]
    return by_hand(held, k, zip(YEARS, rounds, strict=True), lambda a, b: abs((a - b).days), lambda value: 10**9)


def printed(values: list[Any], whose: list[int], k: int, column: Column, kind: Any) -> list[Any]:
    cells = pl.Series("x", values, kind)
    found = PrintedValues.of(cells, np.array(whose), k, column).printed(cells)
    assert found.dtype == cells.dtype
    return found.to_list()


def rows_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[tuple[Any, int]]]:
    return st.lists(st.tuples(st.one_of(st.none(), values), persons), min_size=1, max_size=40)


def check_printed(values: Iterable[Hashable], whose: Iterable[int], k: int) -> None:
    """Every printed value is printed for at least k persons."""
    assert all(len(who) >= k for who in held_by(list(values), list(whose)).values())


# ---------------------------------------------------------------------- numbers and dates


@pytest.mark.parametrize(("values", "kind"), [(whole, pl.Int64), (quarters, pl.Float64)], ids=["whole", "broken"])
@given(data=st.data(), k=ks)
def test_numbers_are_rounded_as_the_definition_says(values: Any, kind: Any, data: st.DataObject, k: int) -> None:
    few = data.draw(
        st.sampled_from([values, values.filter(lambda v: 1 <= v <= 15), values.filter(lambda v: -9 <= v <= 9)])
    )
    rows = data.draw(rows_of(few))
    cells, whose = [value for value, _ in rows], [person for _, person in rows]
    found, wanted = printed(cells, whose, k, NUMBER, kind), numbers_by_hand(held_by(cells, whose), k)
    assert found == [None if value is None else wanted[Fraction(value)] for value in cells]
    check_printed(found, whose, k)


@given(rows=rows_of(st.one_of(days, near)), k=ks)
def test_dates_are_rounded_as_the_definition_says(rows: list[tuple[Any, int]], k: int) -> None:
    cells, whose = [value for value, _ in rows], [person for _, person in rows]
    found, wanted = printed(cells, whose, k, DATE, pl.Date), dates_by_hand(held_by(cells, whose), k)
    assert found == [None if value is None else wanted[value] for value in cells]
    check_printed(found, whose, k)


@given(rows=rows_of(st.datetimes(dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 5))), k=ks)
def test_moments_that_few_share_lose_their_minutes_first(rows: list[tuple[Any, int]], k: int) -> None:
    cells, whose = [value for value, _ in rows], [person for _, person in rows]
    found = printed(cells, whose, k, DATE, pl.Datetime("us"))
    check_printed(found, whose, k)
    for own, cell in zip(cells, found, strict=True):
        assert cell is None or own == cell or cell.minute == cell.second == cell.microsecond == 0 or cell in cells


@given(rows=rows_of(whole), k=ks)
def test_no_number_is_changed_by_more_than_half_of_itself(rows: list[tuple[Any, int]], k: int) -> None:
    cells, whose = [value for value, _ in rows], [person for _, person in rows]
    for own, cell in zip(cells, printed(cells, whose, k, NUMBER, pl.Int64), strict=True):
        assert own is None or cell is None or abs(own - cell) <= abs(own) / 2


@pytest.mark.parametrize("kind", [pl.Int8, pl.UInt8, pl.Float32, pl.UInt64])
@given(data=st.data(), k=ks)
def test_rounding_stays_within_the_type_of_the_column(kind: Any, data: st.DataObject, k: int) -> None:
    rows = data.draw(rows_of(st.integers(100, 127)))
    cells, whose = [value for value, _ in rows], [person for _, person in rows]
    found = printed(cells, whose, k, NUMBER, kind)
    check_printed(found, whose, k)
    assert all(cell is None or abs(own - cell) <= own / 2 for own, cell in zip(cells, found, strict=True))


def test_rounding_takes_a_coarser_step_where_a_finer_one_leaves_the_type() -> None:
    near = [2**31 - 23, 2**31 - 8]  # together first in steps of 50, as a number that 32 bits do not hold
    assert printed(near, [0, 1], 2, NUMBER, pl.Int32) == [2_147_483_600] * 2
    assert printed(near, [0, 1], 2, NUMBER, pl.Int64) == [2_147_483_650] * 2


@given(ids=st.lists(st.integers(2**60, 2**60 + 3), min_size=1, max_size=20), k=ks)
def test_numbers_too_large_to_be_rounded_are_still_printed_for_k(ids: list[int], k: int) -> None:
    found = printed(ids, list(range(len(ids))), k, NUMBER, pl.Int64)
    check_printed(found, range(len(ids)), k)
    assert all(cell == own for own, cell in zip(ids, found, strict=True) if ids.count(own) >= k)


# ---------------------------------------------------------------------- any column


@st.composite
def columns(draw: st.DrawFn) -> tuple[Column, pl.Series, np.ndarray[Any, Any], int, WordMeaning | None]:
    """A confidential column of any kind, whose rows they are, k, and what its words mean."""
    tax = draw(taxonomies())
    words = st.sampled_from([*(tax.label(c) for c in range(len(tax))), "no word"])
    column, values, kind = draw(
        st.sampled_from(
            [
                (NUMBER, whole, pl.Int64),
                (DATE, days, pl.Date),
                (WORD, words, pl.String),
                (SET, st.lists(words, min_size=1, max_size=4, unique=True), pl.List(pl.String)),
            ]
        )
    )
    rows = draw(rows_of(values))
    means = meaning(tax) if draw(st.booleans()) else None
    whose = np.array([person for _, person in rows])
    return column, pl.Series("x", [value for value, _ in rows], kind), whose, draw(ks), means


def meaning(tax: Taxonomy) -> WordMeaning:
    """Words are labels of the taxonomy, each of which one concept has."""

    def concept(text: str) -> int | None:
        return next(iter(tax.codes(text)), None)

    return WordMeaning(tax, concept, concept)


def pairs_of(cells: pl.Series, whose: Any) -> list[tuple[Any, int]]:
    """Every value, and every item of a set, with whose it is."""
    cut = [(cell if isinstance(cell, list) else [cell], int(p)) for cell, p in zip(cells.to_list(), whose, strict=True)]
    return [(value, person) for values, person in cut for value in values if value is not None]


@given(given_=columns(), data=st.data())
def test_what_is_printed_depends_neither_on_the_order_nor_on_the_part_of_the_rows(
    given_: Any, data: st.DataObject
) -> None:
    column, cells, whose, k, means = given_
    order = data.draw(st.permutations(range(len(cells))))
    one = PrintedValues.of(cells, whose, k, column, means)
    other = PrintedValues.of(cells.gather(order), 99 - whose[order], k, column, means)
    whole_, cut = one.printed(cells, means).to_list(), data.draw(st.integers(0, len(cells)))
    assert other.printed(cells, means).to_list() == whole_
    assert [*one.printed(cells[:cut], means).to_list(), *one.printed(cells[cut:], means).to_list()] == whole_


@given(given_=columns())
def test_every_printed_value_has_k_persons_and_what_k_share_stays(given_: Any) -> None:
    column, cells, whose, k, means = given_
    found = PrintedValues.of(cells, whose, k, column, means).printed(cells, means)
    assert found.dtype == cells.dtype
    values = pairs_of(found, whose)
    check_printed([value for value, _ in values], [person for _, person in values], k)
    had = held_by(*map(list, zip(*pairs_of(cells, whose), strict=True))) if pairs_of(cells, whose) else {}
    for own, cell in zip(cells.to_list(), found.to_list(), strict=True):
        own, cell = (x if isinstance(x, list) else [] if x is None else [x] for x in (own, cell))
        assert {value for value in own if len(had[value]) >= k} <= set(cell)
        if means is None and column in (WORD, SET):
            assert set(cell) <= set(own)


@given(tax=taxonomies(), data=st.data(), k=ks)
def test_rare_words_rise_to_the_nearest_generalisation_that_k_persons_need(
    tax: Taxonomy, data: st.DataObject, k: int
) -> None:
    rows = data.draw(rows_of(st.sampled_from([tax.label(c) for c in range(len(tax))])))
    cells, whose = pl.Series("x", [value for value, _ in rows], pl.String), np.array([p for _, p in rows])
    means = meaning(tax)
    found = PrintedValues.of(cells, whose, k, WORD, means).printed(cells, means)
    had, rare = held_by(cells.to_list(), whose.tolist()), list[tuple[int, int, int | None]]()
    for own, cell, person in zip(cells.to_list(), found.to_list(), whose.tolist(), strict=True):
        if own is not None and len(had[own]) < k:
            code, shown = tax.codes(own)[0], None if cell is None else tax.codes(cell)[0]
            assert shown is None or (shown in tax.ancestors(code) and tax.parents(shown))  # true, and never a root
            rare.append((code, person, shown))
    for concept in range(len(tax)):
        if tax.parents(concept):
            missed = {  # whoever could have been printed as this, but is printed as something above it, or not at all
                person
                for code, person, shown in rare
                if concept in tax.ancestors(code) and (shown is None or tax.depth(shown) < tax.depth(concept))
            }
            printed_anyway = tax.label(concept) in had and len(had[tax.label(concept)]) >= k
            assert len(missed) < k
            assert not (missed and printed_anyway)

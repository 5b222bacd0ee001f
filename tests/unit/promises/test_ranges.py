"""Ranges as they are printed, read back."""

import datetime as dt

import polars as pl
import pytest

from taxonym.promises.ranges import holds_all, range_of
from taxonym.shapes.table.form import odd_ranges

INF = float("inf")


def day(text: str) -> float:
    return float((dt.date.fromisoformat(text) - dt.date(1970, 1, 1)).days)


@pytest.mark.parametrize(
    ("text", "ends"),
    [("[1940, 1960)", (1940, 1960)), ("< 1920", (-INF, 1920)), (">= -0.5", (-0.5, INF)), ("[-10, 0)", (-10, 0))],
)
def test_a_range_of_numbers_is_read_back(text: str, ends: tuple[float, float]) -> None:
    assert range_of(text, date=False) == ends


@pytest.mark.parametrize(
    ("text", "first", "beyond"),
    [
        ("2024-01-31", "2024-01-31", "2024-02-01"), ("2024-12", "2024-12-01", "2025-01-01"),
        ("2024 Q4", "2024-10-01", "2025-01-01"), ("2024", "2024-01-01", "2025-01-01"),
        ("[2020, 2030)", "2020-01-01", "2030-01-01"), ("[2020-01-01, 2020-03-01)", "2020-01-01", "2020-03-01"),
    ],
)  # fmt: skip
def test_a_range_of_dates_is_read_back(text: str, first: str, beyond: str) -> None:
    assert range_of(text, date=True) == (day(first), day(beyond))
    assert range_of("< 2020-01-01", date=True) == (-INF, day("2020-01-01"))


@pytest.mark.parametrize(
    "text",
    [
        "[1940,1960)", "[1940.0, 1960)", "[01940, 1960)", "[1960, 1940)", "[5, 5)", "<1920", "< 1920 ", "< -0", "< 1e3",
        "1940", "", "[1940, 1960]", "> 5",
    ],
)  # fmt: skip
def test_what_is_written_otherwise_is_no_range_of_numbers(text: str) -> None:
    assert range_of(text, date=False) is None


@pytest.mark.parametrize(
    "text", ["2024-13", "2024-02-30", "2024 Q5", "2024-1", "24", "[2020,2030)", "< 2020", "1.2.2024"]
)
def test_what_is_written_otherwise_is_no_range_of_dates(text: str) -> None:
    assert range_of(text, date=True) is None


def test_cells_of_a_column_of_ranges_that_are_none_are_counted_without_a_value() -> None:
    cells = pl.Series("born", ["[1940, 1960)", None, "< 1920", "1950", "[1940,1960)"])
    assert odd_ranges(cells, False) == ["column 'born': 2 different cells are not ranges as they are written"]
    assert odd_ranges(cells[:3], False) == []


def test_a_range_holds_its_first_value_and_neither_its_last_nor_what_is_missing() -> None:
    assert holds_all((1940, 1960), [1940, 1959.9])
    assert not holds_all((1940, 1960), [1950, 1960])
    assert not holds_all((1940, 1960), [1950, float("nan")])

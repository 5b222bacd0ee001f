"""Numbers that stand for missing values, in files with types and without."""

import polars as pl
import pytest

from taxonym.drafting.missing import missing_numbers
from taxonym.records.cells import typed
from taxonym.records.column import Column

AGES = [20, 35, 64, 999, 41, 999]


@pytest.mark.parametrize("type", [pl.String, pl.Int64, pl.Float64])
def test_999_in_a_column_of_ages_is_no_age_whatever_the_type_of_the_column(type: type[pl.DataType]) -> None:
    texts = pl.Series("age", AGES).cast(type) if type != pl.String else pl.Series("age", [str(age) for age in AGES])
    assert missing_numbers(pl.DataFrame([texts]), [], 2) == ["999"]
    read = typed(texts, Column(name="age", role="quasi-identifier", kind="number"), "x", ("NA", "999"))
    assert read.cast(pl.Float64).to_list() == [20, 35, 64, None, 41, None]


def test_a_number_that_means_something_in_any_column_is_no_mark() -> None:
    amounts = pl.Series("amount", [500, 999, 999, 1200, 700, 30])
    assert missing_numbers(pl.DataFrame([pl.Series("age", AGES), amounts]), [], 2) == []
    assert missing_numbers(pl.DataFrame([pl.Series("age", AGES)]), [], 3) == []  # a draft shows what k persons share
    for values in ([1, 99, 2], [-9, 4, -9, -2], [88, 89, 90, 99, 99], ["low", "999", "999"]):
        assert missing_numbers(pl.DataFrame([pl.Series("x", values)]), [], 2) == []
    assert missing_numbers(pl.DataFrame([pl.Series("x", [1, 5, 3, -9, -9, 99, 99])]), [], 2) == ["-9", "99"]

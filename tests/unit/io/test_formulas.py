"""Cells that a spreadsheet would take for formulas: none is written as one, and all are read as they were."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.errors import BadInput
from taxonym.io.formulas import Formulas, escape_formulas, escaped, unescape_formulas, unescaped

TEXTS = st.text(st.sampled_from("'=+-@1.a\t\r\n"), max_size=5)


@given(st.lists(TEXTS | st.none(), min_size=1))
def test_what_is_escaped_is_read_as_it_was_and_begins_no_formula(cells: list[str | None]) -> None:
    frame = pl.DataFrame({"a": pl.Series(cells, dtype=pl.String)})
    made = escape_formulas(frame)
    assert unescape_formulas(made).equals(frame)
    for before, after in zip(cells, made["a"].to_list(), strict=True):
        if before is None:
            assert after is None
            continue
        assert (after, unescaped(after)) == (escaped(before), before)
        assert not after.startswith(("=", "@", "\t", "\r"))
        if after.startswith(("+", "-")):
            float(after.replace(",", "."))  # a plain number


def test_a_column_that_is_kept_stays_and_one_that_refuses_complains_without_the_value() -> None:
    frame = pl.DataFrame({"a": ["=1"], "b": ["=2"]})
    how = Formulas({"a": "keep"})
    assert how.written(frame, "out.csv").rows() == [("=1", "'=2")]
    assert how.notes() == [
        "Column 'b': 1 cells begin as a formula of a spreadsheet does and are written with ' before them."
    ]
    with pytest.raises(BadInput, match="column 'b': row 1: begins as a formula") as refused:
        Formulas({"b": "refuse"}).written(frame, "out.csv")
    assert "=2" not in str(refused.value)

"""l and t of confidential columns as they are printed: against a count by hand."""

from collections import Counter
from math import exp, log

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.methods.shown_values import shown_diversity

CELLS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["a", "b", "c", None])), min_size=1, max_size=20)


@given(CELLS)
def test_figures_of_single_values_are_those_of_a_count_by_hand(rows: list[tuple[int, str | None]]) -> None:
    classes = sorted({c for c, _ in rows})
    number = np.array([classes.index(c) for c, _ in rows], np.int64)
    found = shown_diversity(pl.Series("pay", [value for _, value in rows], pl.String), number)
    overall = Counter(value for _, value in rows)
    held = [Counter(value for c, value in rows if c == one) for one in classes]
    sizes = [sum(mine.values()) for mine in held]
    entropy = [-sum(n / size * log(n / size) for n in mine.values()) for mine, size in zip(held, sizes, strict=True)]
    far = [
        sum(abs(mine[value] / size - n / len(rows)) for value, n in overall.items()) / 2
        for mine, size in zip(held, sizes, strict=True)
    ]
    alike = [size for mine, size in zip(held, sizes, strict=True) if len(mine) == 1 and None not in mine]
    assert found.smallest_distinct_l == min(map(len, held))
    assert found.smallest_entropy_l == pytest.approx(exp(min(entropy)))
    assert found.largest_t == pytest.approx(max(far), abs=1e-9)
    assert (found.classes_of_one_value, found.rows_in_them) == (len(alike), sum(alike))


def test_a_class_of_sets_shares_a_value_if_all_have_some_item() -> None:
    cells = pl.Series("ill", [["flu", "gout"], ["flu"], ["gout"], ["flu"]], pl.List(pl.String))
    found = shown_diversity(cells, np.array([0, 0, 1, 1], np.int64))
    assert (found.classes_of_one_value, found.rows_in_them, found.smallest_distinct_l) == (1, 2, 2)

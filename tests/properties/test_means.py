"""Means of groups: nobody's value can be estimated from them, whichever rows of a person are published."""

from itertools import combinations, product
from statistics import fmean

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym.methods.numbers import DOMINANT, mean_told

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(-40, 40)), min_size=1, max_size=7)


@given(ROWS, st.integers(1, 3))
def test_a_mean_is_told_only_if_the_second_largest_cannot_estimate_the_largest_whichever_rows_are_left(
    rows: list[tuple[int, int]], k: int
) -> None:
    persons = sorted({who for who, _ in rows})
    told = mean_told(np.array([v for _, v in rows], np.float64), np.array([who for who, _ in rows], np.int64), k, 1.0)
    own = [[value for who, value in rows if who == person] for person in persons]
    of_person = [
        {abs(fmean(some)) for size in range(1, len(mine) + 1) for some in combinations(mine, size)} for mine in own
    ]
    safe = len(persons) >= k and all(sum(sorted(some)[:-2]) >= DOMINANT * max(some) for some in product(*of_person))
    if not safe:
        assert np.isnan(told)
    elif len(rows) == len(persons) and sum(sorted(abs(v) for _, v in rows)[:-2]):
        assert told == round(sum(value for _, value in rows) / len(rows))

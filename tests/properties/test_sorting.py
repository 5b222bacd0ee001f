"""The sorts and searches of compiled functions equal numpy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym.jit.sorting import argsort, distinct, place, places, sort

INTEGERS = st.lists(st.integers(-20, 20) | st.integers(-(2**62), 2**62), max_size=120).map(
    lambda values: np.array(values, np.int64)
)
FLOATS = st.lists(st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 0.5, 1e300, np.inf]), max_size=120).map(
    lambda values: np.array(values, np.float64)
)
CODES = INTEGERS.map(lambda values: (values % 50).astype(np.int32))


@given(INTEGERS | FLOATS | CODES)
def test_a_sort_in_place_is_numpys(values: np.ndarray) -> None:
    expected = np.sort(values)
    sort(values)
    assert values.tolist() == expected.tolist()


@given(INTEGERS | FLOATS | CODES)
def test_equal_values_keep_their_order(values: np.ndarray) -> None:
    assert argsort(values).tolist() == np.argsort(values, kind="stable").tolist()


@given(INTEGERS | CODES)
def test_distinct_values_are_ascending_and_the_input_is_left_alone(values: np.ndarray) -> None:
    before = values.copy()
    values.setflags(write=False)
    assert distinct(values).tolist() == np.unique(before).tolist()
    assert values.tolist() == before.tolist()


@given(INTEGERS, INTEGERS)
def test_places_are_those_of_numpys_search(among: np.ndarray, values: np.ndarray) -> None:
    among = np.sort(among)
    assert places(among, values).tolist() == np.searchsorted(among, values).tolist()
    for value in values.tolist():
        assert place(among, value) == np.searchsorted(among, value)

"""Ranges of numbers and dates: true of their values, on a public grid, open where they end."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from taxonym.records.ranges import COARSE, LADDER, RangeScale, kth_ends, spread_place
from tests.checker_cells import steps

NUMBERS = st.one_of(
    st.floats(-1e6, 1e6).map(lambda x: round(x, 3)),
    st.integers(-1000, 3000).map(float),
    st.floats(-1e-4, 1e-4),
    st.floats(1e12, 1e15),
)
DAYS = st.integers(-300_000, 300_000).map(float)


@st.composite
def scales(draw: st.DrawFn) -> tuple[RangeScale, np.ndarray, int, bool]:
    date = draw(st.booleans())
    values = np.array(draw(st.lists(DAYS if date else NUMBERS, min_size=2, max_size=40)))
    k = draw(st.integers(1, 5))
    low, high = kth_ends(values, np.arange(len(values)), k)
    assume(not np.isnan(low))
    whole = date or bool((values == np.round(values)).all())
    least, most = kth_ends(values, np.arange(len(values)), spread_place(len(values), k))
    return RangeScale.of(low, high, date=date, whole=whole, spread=most - least), values, k, date


@given(scales())
def test_a_value_lies_in_its_own_range_and_in_all_that_are_above_it(
    made: tuple[RangeScale, np.ndarray, int, bool],
) -> None:
    scale, values, _, _ = made
    for value, code in zip(values.tolist(), scale.codes(values).tolist(), strict=True):
        for t in scale.tax.ancestors(code):
            assert scale.low[t] <= value < scale.high[t] or t == scale.root


@given(scales())
def test_whoever_lies_in_a_range_holds_it(made: tuple[RangeScale, np.ndarray, int, bool]) -> None:
    scale, values, _, _ = made
    held = [set(scale.tax.ancestors(code)) for code in scale.codes(values).tolist()]
    for t in np.flatnonzero(scale.printable).tolist():
        for value, mine in zip(values.tolist(), held, strict=True):
            assert (scale.low[t] <= value < scale.high[t]) == (t in mine)


@given(scales())
def test_k_persons_lie_beyond_the_end_of_an_open_range_and_no_bounded_one_is_the_first_or_last(
    made: tuple[RangeScale, np.ndarray, int, bool],
) -> None:
    scale, values, k, _ = made
    for t in np.flatnonzero(scale.printable).tolist():
        if np.isinf(scale.low[t]) or np.isinf(scale.high[t]):
            assert np.count_nonzero((scale.low[t] <= values) & (values < scale.high[t])) >= k
        else:
            assert np.count_nonzero(values < scale.low[t]) >= k
            assert np.count_nonzero(values >= scale.high[t]) >= k


@given(scales())
def test_the_ends_of_open_ranges_are_coarse_beside_the_middle_half_of_the_values(
    made: tuple[RangeScale, np.ndarray, int, bool],
) -> None:
    """Of few persons the k-th least and the k-th greatest may be neighbours, or the same one."""
    scale, values, _, date = made
    assume(not date)
    quarter = len(values) // 4
    middle = np.sort(values)[quarter : len(values) - quarter]
    least = (Fraction(middle[-1]) - Fraction(middle[0])) / (COARSE + 2)
    for t in np.flatnonzero(scale.printable).tolist():
        ends = [end for end in (scale.low[t], scale.high[t]) if np.isfinite(end)]
        if len(ends) == 1 and ends[0]:
            end = Fraction(scale.tax.id(t).split()[1])
            assert least == 0 or any(end % step == 0 for step in steps(least, abs(end)))


def test_a_spread_beyond_all_numbers_does_not_make_endless_ranges() -> None:
    assert len(RangeScale.of(1.0, 2.0, date=False, spread=float("inf")).tax) < 1000


@given(scales())
def test_a_bounded_range_of_numbers_covers_one_or_two_cells_of_a_public_grid(
    made: tuple[RangeScale, np.ndarray, int, bool],
) -> None:
    scale, _, _, date = made
    assume(not date)
    for t in np.flatnonzero(scale.printable).tolist():
        if np.isfinite(scale.low[t]) and np.isfinite(scale.high[t]):
            low, high = (Decimal(end) for end in scale.tax.id(t).strip("[)").split(", "))
            steps = [(high - low) / cells for cells in (1, 2)]
            assert any(_public(step) and low % step == 0 for step in steps)


def _public(step: Decimal) -> bool:
    digits = step.normalize().as_tuple().digits
    return len(digits) == 1 and digits[0] in LADDER


@given(scales(), st.data())
def test_what_covers_a_group_is_the_narrowest_printable_range_that_is_true_of_all(
    made: tuple[RangeScale, np.ndarray, int, bool], data: st.DataObject
) -> None:
    scale, values, _, _ = made
    group = np.array(data.draw(st.lists(st.sampled_from(values.tolist()), min_size=1, max_size=6)))
    found = scale.covering(group)
    true_of_all = [
        t
        for t in np.flatnonzero(scale.printable).tolist()
        if all(scale.low[t] <= value < scale.high[t] for value in group.tolist())
    ]
    assert found == min(true_of_all, key=lambda t: (scale.width[t], t), default=scale.root)


@given(scales())
def test_what_is_printed_for_a_range_is_read_back_as_the_same(made: tuple[RangeScale, np.ndarray, int, bool]) -> None:
    scale, _, _, _ = made
    labels = [scale.label(t) for t in range(len(scale.tax))]
    for t, label in enumerate(labels):
        assert label is None or scale.maps_to(label) == t
    assert labels[scale.root] is labels[scale.missing] is None


@given(st.lists(NUMBERS, min_size=1, max_size=30), st.integers(1, 5))
def test_a_rounded_number_is_within_one_step_of_who_holds_it(numbers: list[float], k: int) -> None:
    values, step = np.array(numbers), 5.0 * 10 ** (np.floor(np.log10(np.ptp(numbers) + 1)))
    low, high = kth_ends(values, np.arange(len(values)), k)
    assume(not np.isnan(low))
    scale = RangeScale.round(min(low, high), max(low, high), step, date=False)
    for value, code in zip(numbers, scale.codes(values).tolist(), strict=True):
        for t in scale.tax.ancestors(code):
            if scale.printable[t] and min(low, high) <= value <= max(low, high):
                assert abs(float(scale.tax.id(t)) - value) <= step

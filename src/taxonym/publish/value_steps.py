"""Rounding of confidential numbers and dates, finer where many persons are near, coarser where few are.

The steps are public: 1, 2 and 5 times a power of ten for numbers; hour, day, month, quarter, year and 2, 5, 10 … 100
years for dates. Which of them a value is rounded to depends on how many persons share what comes out:

    exact     a value that k persons share is printed as it is
    rounded   else, from the finest step on: what k persons of those that are left share after rounding is printed
    nearest   what is left then takes the nearest printed value, if that is no farther off than this step may round
    emptied   what is left after the last step

No number is changed by more than half of itself: so it keeps its sign, and 0 stands for nothing but 0. A date is
rounded to the first day (or moment) of its month, quarter … Beyond the largest printed value "nearest" is top coding,
below the smallest bottom coding. What is printed depends on the printed values alone, so whoever knows these can print
any value, and no rare value has to travel.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from taxonym.knowledge.arrays import Floats, Long

DIGITS = (1, 2, 5)
LEAST_POWER = -15  # finer steps than the sixteen digits of a number
MONTH = 2_629_746_000_000  # microseconds, on average
DAY = 86_400_000_000
HOUR = 3_600_000_000
MONTHS = (1, 3, 12, 24, 60, 120, 240, 600, 1200)
NONE: Floats = np.empty(0)


class RoundingStep(Protocol):
    """One step of rounding."""

    @property
    def numbers(self) -> tuple[int, int]:
        """What the step is made of again."""

    @property
    def reach(self) -> float:
        """How far at most a value is moved."""

    def rounded(self, values: Floats) -> Floats:
        """Values on the grid of this step; NaN where it is too coarse for a value."""


@dataclass(frozen=True, slots=True)
class NumberStep:
    """Multiples of digit · 10^power, half a step up."""

    digit: int
    power: int

    @property
    def numbers(self) -> tuple[int, int]:
        return self.digit, self.power

    @property
    def size(self) -> float:
        return self.digit * 10.0**self.power if self.power >= 0 else self.digit / 10.0**-self.power

    @property
    def reach(self) -> float:
        return self.size / 2

    def rounded(self, values: Floats) -> Floats:
        scale = 10.0 ** abs(self.power)  # a power of ten is exact, a tenth is not: 3 / 10, never 3 · 0.1
        units = values / scale if self.power >= 0 else values * scale
        whole = np.floor(units / self.digit + 0.5) * self.digit
        made: Floats = whole * scale if self.power >= 0 else whole / scale
        return np.where(np.abs(values) >= self.size, made, np.nan)


@dataclass(frozen=True, slots=True)
class DateStep:
    """The beginning of so many months, or of so many microseconds; dates are microseconds since 1970."""

    months: int = 0
    moment: int = 0

    @property
    def numbers(self) -> tuple[int, int]:
        return self.months, self.moment

    @property
    def reach(self) -> float:
        return float(self.months * MONTH or self.moment)

    def rounded(self, values: Floats) -> Floats:
        whole = values.astype(np.int64)
        if not self.months:
            return (whole // self.moment * self.moment).astype(np.float64)
        month = whole.astype("M8[us]").astype("M8[M]").astype(np.int64) + 1970 * 12
        first = month // self.months * self.months
        made = (first - 1970 * 12).astype("M8[M]").astype("M8[us]").astype(np.int64).astype(np.float64)
        return np.where(first >= 12, made, np.nan)  # there is no year 0


def number_steps(values: Floats) -> list[RoundingStep]:
    """The steps that can bring some of these different values together, from the finest to the largest of them."""
    if len(values) < 2:
        return []
    gap, most = float(np.diff(np.sort(values)).min()), float(np.abs(values).max())
    power = max(LEAST_POWER, int(np.floor(np.log10(gap))))
    found: list[RoundingStep] = []
    while True:
        for digit in DIGITS:
            step = NumberStep(digit, power)
            if step.size > most:
                return found
            if step.size > gap:
                found.append(step)
        power += 1


def date_steps(moments: bool) -> list[RoundingStep]:
    """The steps for dates, or for moments, which have a time of day."""
    times: list[RoundingStep] = [DateStep(moment=HOUR), DateStep(moment=DAY)] if moments else []
    return times + [DateStep(months) for months in MONTHS]


@dataclass(frozen=True, slots=True, eq=False)
class Rounding:
    """What is printed, step by step: printed[i] are the values that step i adds to those printed `exact`.

    `relative` values are changed by at most half of themselves; none beyond `most` is made by rounding.
    """

    exact: Floats
    steps: tuple[RoundingStep, ...]
    printed: tuple[Floats, ...]
    relative: bool
    most: float

    @classmethod
    def of(
        cls,
        values: Floats,
        persons: Long,
        k: int,
        exact: Floats,
        steps: Sequence[RoundingStep],
        *,
        relative: bool,
        most: float,
    ) -> "Rounding":
        """From the values that are not printed as they are: persons[i] has values[i]; `exact` ones are."""
        different, of = np.unique(values, return_inverse=True)
        printed: list[Floats] = []

        def shared(i: int, left: Long, rounded: Floats) -> Floats:
            at = np.full(len(different), np.nan)
            at[left] = rounded
            printed.append(shared_by(at[of], persons, k))
            return printed[-1]

        _walk(different, exact, steps, shared, relative, most)
        return cls(exact, tuple(steps[: len(printed)]), tuple(printed), relative, most)

    def of_values(self, values: Floats) -> Floats:
        """What is printed for values that are not printed as they are; NaN where nothing can be."""
        different, of = np.unique(values, return_inverse=True)
        found = _walk(different, self.exact, self.steps, lambda i, *_: self.printed[i], self.relative, self.most)
        return found[of]


def shared_by(values: Floats, persons: Long, k: int) -> Floats:
    """The values that at least k different persons have, ascending."""
    there = ~np.isnan(values)
    values, persons = values[there], persons[there]
    order = np.lexsort((persons, values))
    values, persons = values[order], persons[order]
    new = np.ones(len(values), np.bool_)
    new[1:] = (values[1:] != values[:-1]) | (persons[1:] != persons[:-1])
    found, counts = np.unique(values[new], return_counts=True)
    return found[counts >= k]


def _walk(
    values: Floats,
    exact: Floats,
    steps: Sequence[RoundingStep],
    chosen: Callable[[int, Long, Floats], Floats],
    relative: bool,
    most: float,
) -> Floats:
    """What is printed for each of some different values, where step i prints what `chosen` says of those left."""
    found, known = np.full(len(values), np.nan), np.unique(exact)
    left = np.flatnonzero(~np.isnan(values))
    for i, step in enumerate(steps):
        if not len(left):
            break
        rounded = step.rounded(values[left])
        rounded[np.abs(rounded) > most] = np.nan
        new = chosen(i, left, rounded)
        known = np.union1d(known, new)
        made = np.where(np.isin(rounded, new), rounded, _near(values[left], known, step.reach, relative))
        found[left] = made
        left = left[np.isnan(made)]
    if relative:
        found[left] = _near(values[left], known, np.inf, relative)
    return found


def _near(values: Floats, known: Floats, reach: float, relative: bool) -> Floats:
    """The nearest known value within reach (the larger of two); else NaN."""
    padded = np.concatenate(([-np.inf], known, [np.inf]))
    at = np.searchsorted(known, values, side="left")
    below, above = padded[at], padded[at + 1]
    nearest = np.where(above - values <= values - below, above, below)
    most = np.minimum(reach, np.abs(values) / 2) if relative else np.full(len(values), reach)
    return np.where(np.isfinite(nearest) & (np.abs(nearest - values) <= most), nearest, np.nan)

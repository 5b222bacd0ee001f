"""Ranges of numbers and dates as a release prints them, read back: "[1940, 1960)", "< 1920", "2024 Q1".

A range holds its first value and not its last. Each is written in one way only; whatever is written otherwise is none.
"""

import datetime as dt
import re
from contextlib import suppress

_NUMBER = r"(?!-0(?![.\d]))-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?"
_DAY = r"\d{4}-\d\d-\d\d"
_NUMBERS = re.compile(rf"\[({_NUMBER}), ({_NUMBER})\)|(<|>=) ({_NUMBER})", re.ASCII)
_DATES = re.compile(rf"\[(\d{{4}}|{_DAY}), (\d{{4,5}}|{_DAY})\)|(<|>=) ({_DAY})", re.ASCII)
_CALENDAR = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?| Q([1-4]))?", re.ASCII)
_EPOCH = dt.date(1970, 1, 1)
_LAST = 2_932_897.0  # the day after the last one that a calendar has, since 1970
Range = tuple[float, float]


def range_of(text: str, *, date: bool) -> Range | None:
    """The first value of a printed range and the first one beyond it, dates in days since 1970; None if it is none."""
    if date and (found := _CALENDAR.fullmatch(text)):
        return _calendar(*found.groups())
    found = (_DATES if date else _NUMBERS).fullmatch(text)
    if found is None:
        return None
    low, high, side, end = found.groups()
    with suppress(ValueError):
        if side is not None:
            at = _value(end, date)
            return (float("-inf"), at) if side == "<" else (at, float("inf"))
        least, most = _value(low, date), _value(high, date)
        return (least, most) if least < most else None
    return None


def holds_all(range_: Range, values: list[float]) -> bool:
    """Whether a range holds all of some values; none that is missing (NaN)."""
    return all(range_[0] <= value < range_[1] for value in values)


def _value(text: str, date: bool) -> float:
    if not date:
        return float(text)
    if "-" in text:
        return float((dt.date.fromisoformat(text) - _EPOCH).days)
    return _LAST if int(text) > 9999 else float((dt.date(int(text), 1, 1) - _EPOCH).days)


def _calendar(year: str, month: str | None, day: str | None, quarter: str | None) -> Range | None:
    """A day, a month, a quarter or a year."""
    with suppress(ValueError):
        if day is not None:
            first = (dt.date(int(year), int(month or 1), int(day)) - _EPOCH).days
            return float(first), float(first + 1)
        months = 12 * int(year) + (3 * int(quarter) - 3 if quarter else int(month) - 1 if month else 0)
        if month is not None and not 1 <= int(month) <= 12:
            return None
        return _month(months), _month(months + (3 if quarter else 1 if month else 12))
    return None


def _month(months: int) -> float:
    return _LAST if months // 12 > 9999 else float((dt.date(months // 12, months % 12 + 1, 1) - _EPOCH).days)

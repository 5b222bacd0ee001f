"""How published cells read: ranges, the public grid, words and what they cover. Written apart from the product, for
tests/checker.py, from the documented forms alone."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import inf
from typing import Any

from taxonym import Taxonomy

MISSING = "(missing)"  # what is printed for "no value", where a column keeps that as a value of its own
POINT = Fraction(1, 10**12)  # the width of a single number
Reading = Callable[[str], Sequence[int]]  # the concepts of a text, for columns whose words are not labels
Span = tuple[Fraction | float, Fraction | float]  # from the first to below the second


def number(cell: Any) -> Fraction | None:
    """A number as it is written, without the error of a binary fraction."""
    try:
        value = Decimal(str(cell).strip())
        return Fraction(value) if value.is_finite() else None
    except InvalidOperation:
        return None


def day(year: int, month: int = 1, of_month: int = 1) -> Fraction:
    """Days since the calendar began; years without dates in Python lie at its ends."""
    if not 1 <= year <= 9999:
        return Fraction(0 if year < 1 else date.max.toordinal() + 1)
    return Fraction(date(year, month, of_month).toordinal())


def moment(cell: Any) -> Fraction | None:
    """The day of a date."""
    if isinstance(cell, datetime | date):
        return day(cell.year, cell.month, cell.day)
    try:
        return Fraction(date.fromisoformat(str(cell).strip()).toordinal())
    except ValueError:
        return None


def is_step(width: Fraction | float) -> bool:
    """Whether a width is 1, 2 or 5 times a power of ten."""
    if width <= 0 or width == inf:
        return False
    digits = Fraction(width)
    while digits >= 10:
        digits /= 10
    while digits < 1:
        digits *= 10
    return digits in (1, 2, 5)


def on_grid(low: Fraction, high: Fraction) -> bool:
    """Whether a range covers one or two cells of a grid whose lines are multiples of a public step."""
    return any(is_step(step) and low % step == 0 for step in (high - low, (high - low) / 2))


def steps(smallest: Fraction | float, largest: Fraction | float) -> Iterator[Fraction]:
    """The public steps from one width to another."""
    power = Fraction(1)
    while power > smallest:
        power /= 10
    while power * 10 <= smallest:
        power *= 10
    while power <= largest:
        yield from (power * times for times in (1, 2, 5) if smallest <= power * times <= largest)
        power *= 10


def is_on_grid(low: Fraction, high: Fraction) -> bool:
    """Whether a range is one or two public steps wide and begins at a multiple of the step."""
    return any(is_step(step) and low % step == 0 for step in (high - low, (high - low) / 2))


def number_span(text: str) -> tuple[Span, bool] | None:
    """What a published range of numbers covers, and whether it lies on the grid (open ones are asked later)."""
    if closed := re.fullmatch(r"\[(\S+), (\S+)\)", text):
        low, high = number(closed[1]), number(closed[2])
        return None if low is None or high is None else ((low, high), is_on_grid(low, high))
    if (above := re.fullmatch(r"(<|>=) (\S+)", text)) and (end := number(above[2])) is not None:
        return ((-inf, end) if above[1] == "<" else (end, inf)), True
    value = number(text)
    return None if value is None else ((value, value + POINT), True)


def date_span(text: str) -> tuple[Span, bool] | None:
    """The same for dates: a day, a month, a quarter, a year, two of them, several years, all before or from a day."""
    if parts := re.fullmatch(r"\[(.+), (.+)\)", text):
        low, high = _calendar(parts[1]), _calendar(parts[2])
        return None if low is None or high is None else ((day(*low[0]), day(*high[0])), _is_calendar(low[0], high[0]))
    if parts := re.fullmatch(r"(<|>=) (.+)", text):
        end = _calendar(parts[2])
        return None if end is None else ((-inf, day(*end[0])) if parts[1] == "<" else (day(*end[0]), inf), True)
    one = _calendar(text)
    return None if one is None else ((day(*one[0]), day(*one[1])), True)


Day = tuple[int, int, int]


def _calendar(text: str) -> tuple[Day, Day] | None:
    """The first day of a day, month, quarter or year, and the first one after it."""
    parts = re.fullmatch(r"(-?\d{1,5})(?:-(\d\d)| Q([1-4]))?(?:-(\d\d))?", text)
    if not parts or (parts[4] and not parts[2]):
        return None
    year, month = int(parts[1]), 3 * int(parts[3]) - 2 if parts[3] else int(parts[2] or 1)
    if parts[4]:
        if moment(text) is None:
            return None
        here = date.fromisoformat(text)
        after = here + timedelta(days=1) if here < date.max else None
        return (year, month, here.day), (after.year, after.month, after.day) if after else (10_000, 1, 1)
    end = month + (3 if parts[3] else 1 if parts[2] else 12)
    return None if month > 12 else ((year, month, 1), (year + (end > 12), (end - 1) % 12 + 1, 1))


def _is_calendar(low: Day, high: Day) -> bool:
    """Whether a range is one or two days, months or quarters, or one or two steps of years, wide."""
    months = 12 * (high[0] - low[0]) + high[1] - low[1]
    if low[2] == high[2] == 1 and (low[1] == high[1] == 1):
        return is_on_grid(Fraction(low[0]), Fraction(high[0]))
    if low[2] == high[2] == 1 and months in (1, 2):
        return True
    return (low[2] == high[2] == 1 and low[1] % 3 == 1 and months in (3, 6)) or day(*high) - day(*low) in (1, 2)


# ---------------------------------------------------------------------- columns and items


class Column:
    """One published column: what its original cells say, and what a published item of it covers."""

    def __init__(
        self,
        name: str,
        settings: Mapping[str, Any],
        missing: Iterable[str],
        tax: Taxonomy | None,
        read: Reading | None = None,
    ) -> None:
        self.name, self.tax, self.missing, self.read = name, tax, {*missing, ""}, read
        self.above: dict[int, frozenset[int]] = {}  # ancestors that were asked for
        self.role, self.kind = settings["role"], settings.get("kind", "nominal")
        self.separator, self.publish = settings.get("separator", ";"), settings.get("publish", "range")
        self.exact, self.own = settings.get("exact", False), settings.get("on_unknown") == "keep-as-own-concept"
        self.keeps_missing = settings.get("on_empty") == "keep-as-own-concept"
        self.ordered = self.kind in ("number", "date")
        self.scale: Callable[[Any], Fraction | None] = moment if self.kind == "date" else number
        self.step = number(settings.get("step", ""))  # of rounded numbers; of dates, days
        self.terms: dict[str, int] = {}
        if tax is not None and read is None:
            for code in range(len(tax)):
                for label in tax.labels(code):
                    self.terms.setdefault(label.casefold(), code)
            if path := settings.get("overrides"):
                with open(path, newline="") as file:
                    self.terms |= {line["term"].casefold(): tax.code(line["concept"]) for line in csv.DictReader(file)}

    def items(self, cell: Any) -> list[Any]:
        """The parts of a cell, as they are written; none where nothing is said."""
        several = self.kind in ("set", "text") and self.role != "other"
        parts = cell.split(self.separator) if several and isinstance(cell, str) else cell
        if not isinstance(parts, list | tuple):
            parts = [parts]
        bare = [part.strip() if isinstance(part, str) else part for part in parts]
        return [part for part in bare if part is not None and part not in self.missing]

    def concept(self, word: Any) -> int | str | None:
        """What a word means: a concept, or itself where the column has no taxonomy or keeps unknown words."""
        if self.read is not None:
            return next(iter(self.read(str(word))), None)
        code = self.terms.get(str(word).casefold())
        hinted = re.fullmatch(r"(.+) \(.+\)", str(word))
        if code is None and hinted:
            code = self.terms.get(hinted[1].casefold())
        return code if code is not None else None if self.tax is not None and not self.own else str(word)

    def ancestors(self, code: int) -> frozenset[int]:
        if code not in self.above:
            assert self.tax is not None
            self.above[code] = frozenset(map(int, self.tax.ancestors(code)))
        return self.above[code]

    def meaning(self, word: Any) -> Any:
        """What an original word or value counts as."""
        if self.keeps_missing and word == MISSING:
            return MISSING
        if self.ordered:
            return self.scale(word)
        return str(word) if self.role == "other" else self.concept(word)

    def meanings(self, cells: Iterable[Any]) -> list[Any]:
        """What all words of a unit count as: no value is one, too, where the column keeps it."""
        read = self.read
        found = [self.meaning(w) for w in cells] if read is None else [code for w in cells for code in read(str(w))]
        return [MISSING] if self.keeps_missing and all(one is None for one in found) else found

    def span(self, item: Any) -> tuple[Span, bool] | None:
        if not isinstance(item, str):
            return None
        return date_span(item) if self.kind == "date" else number_span(item)

    def covers(self, item: Any) -> Callable[[Any], bool]:
        """Whether the meaning of an original word lies in a published item."""
        if self.keeps_missing and item == MISSING:
            return lambda value: value == MISSING
        if self.ordered:
            if (read := self.span(item)) is not None:
                (low, high), _ = read
                return lambda value: isinstance(value, Fraction) and low <= value < high
            at, near = self.scale(item), (self.step or Fraction(0)) if self.publish == "rounded" else Fraction(0)
            return lambda value: isinstance(value, Fraction) and at is not None and abs(value - at) <= near
        told = self.meaning(item)
        if isinstance(told, int) and self.tax is not None:
            return lambda code: isinstance(code, int) and told in self.ancestors(code)
        return lambda value: value is not None and value == told

"""Ranges of numbers and dates as a hierarchy of values, each range inside one of the next level.

**Steps.** Numbers: 1, 5, 10, 50, 100, … and 0.5, 0.1, …, each of which divides the next; a range begins at a multiple
of its step. Dates: day, month, quarter, year, decade, century. Steps that part all values or none are left out.

**Which of them.** As many as there are levels below the top, so that the loss of cut.py is least, all ranges of a step
being kept or dropped together. Where the full hierarchy offers a range of step s, the next step kept, k(s), is offered;
with w(r) the records in a range r, and since the ranges inside R hold w(R) records between them,

    C = Σ over steps s of (Σ over R of k(s) of w(R) log2 w(R) - Σ over r of s of w(r) log2 w(r))
"""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from math import fsum, log2
from typing import Any

from taxonym.knowledge.cut import ANY, LEVELS, ColumnValue, Hierarchy, check_levels, different, unambiguous
from taxonym.knowledge.strings import fold

_DIGITS = 12  # the smallest step is so many powers of ten below the span of the values

Moment = dt.date | dt.datetime
CALENDAR: list[Callable[[Moment], str]] = [
    lambda day: f"{day.year:04}-{day.month:02}-{day.day:02}",
    lambda day: f"{day.year:04}-{day.month:02}",
    lambda day: f"{day.year:04} Q{(day.month + 2) // 3}",
    lambda day: f"{day.year:04}",
    lambda day: f"{day.year // 10 * 10}s",
    lambda day: f"{day.year // 100 * 100} to {day.year // 100 * 100 + 99}",
]


def number_ranges(values: Mapping[str, float], records: Mapping[str, int], levels: int = LEVELS) -> Hierarchy:
    """The hierarchy of numbers: what is written -> the number, and how many records hold it."""
    numbers = {text: Decimal(repr(number)) for text, number in values.items()}
    whole = all(number == int(number) for number in numbers.values())
    span = max(numbers.values(), default=Decimal()) - min(numbers.values(), default=Decimal())
    top = span.adjusted() + 1

    def step(size: Decimal) -> Callable[[Decimal], str]:
        return lambda number: _range((number / size).to_integral_value("ROUND_FLOOR") * size, size, whole)

    sizes = [digit * Decimal(10) ** e for e in range(top - _DIGITS, top + 1) for digit in (1, 5)]
    return _hierarchy(numbers, records, [step(size) for size in sizes if size > 1 or not whole], levels)


def date_ranges(values: Mapping[str, Moment], records: Mapping[str, int], levels: int = LEVELS) -> Hierarchy:
    """The hierarchy of dates or moments: what is written -> the date, and how many records hold it."""
    return _hierarchy(values, records, CALENDAR, levels)


def _range(start: Decimal, size: Decimal, whole: bool) -> str:
    """Whole numbers from first to last; others from the start up to the end, which is not in it."""
    if whole:
        return f"{start:f} to {start + size - 1:f}"
    return f"[{_short(start)}, {_short(start + size)})"


def _short(number: Decimal) -> str:
    return f"{number.normalize() + 0:f}"


def _hierarchy(
    known: Mapping[str, Any], records: Mapping[str, int], steps: Sequence[Callable[[Any], str]], levels: int
) -> Hierarchy:
    check_levels(levels)
    once = sorted(
        different(ColumnValue(text, None, records[text]) for text in known), key=lambda v: (known[v.text], v.text)
    )
    named = [[step(known[value.text]) for value in once] for step in steps]
    useful: dict[int, list[str]] = {}  # number of ranges -> ranges; as each step divides the next, equal ones are alike
    for names in named:
        if 1 < len(set(names)) < len({known[value.text] for value in once}):
            useful.setdefault(len(set(names)), names)
    kept, cost = best_steps(list(useful.values()), [value.records for value in once], levels - 1)
    taken = {fold(value.text) for value in once}
    columns = []
    for names in [*kept, [ANY] * len(once)]:
        labels = unambiguous(dict(enumerate(dict.fromkeys(names))), {}, taken)
        shown = dict(zip(dict.fromkeys(names), labels.values(), strict=True))
        taken |= set(map(fold, shown.values()))
        columns.append([shown[name] for name in names])
    rows = list(zip([value.text for value in once], *columns, strict=True))
    return Hierarchy(rows, [(None,) * len(row) for row in rows], 0, cost)


def best_steps(steps: list[list[str]], records: list[int], most: int) -> tuple[list[list[str]], float]:
    """The steps to keep, the finest first, and what that loses; steps[s][v] is the range of value v at step s."""
    bits = [_bits(names, records) for names in [*steps, [ANY] * len(records)]]

    @cache
    def below(top: int, left: int) -> tuple[float, tuple[int, ...]]:
        """The least loss of the steps below `top`, which is kept, if so many more may be."""
        found: list[tuple[float, tuple[int, ...]]] = [(fsum(bits[top] - bits[s] for s in range(top)), ())]
        for other in range(top) if left else ():
            cost, chosen = below(other, left - 1)
            between = fsum(bits[top] - bits[s] for s in range(other + 1, top))
            found.append((between + cost, (*chosen, other)))
        return min(found, key=lambda one: (round(one[0], 6), one[1]))

    cost, chosen = below(len(steps), most)
    return [steps[s] for s in chosen], cost


def _bits(names: list[str], records: list[int]) -> float:
    """Σ w log2 w over the ranges of a step."""
    held: Counter[str] = Counter()
    for name, count in zip(names, records, strict=True):
        held[name] += count
    return fsum(count * log2(count) for count in held.values())

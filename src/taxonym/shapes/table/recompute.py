"""With the original and the trail: is every class's record what its members, and the promise, allow?

groups       the rows of one group of the trail are published alike
words        each published concept is held by a member of its group; of `generalize` all of them by every member,
             with an item of its own for each
topics       nothing sensitive is told that more than the plan's share of a group holds
numbers      a range holds the values of all members; other numbers and dates lie among theirs
kept cells   `other` columns hold the records' own values or nothing, confidential ones what the records hold
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BrokenPromise
from taxonym.knowledge.arrays import Codes, Floats, Long
from taxonym.measure.diversity import members
from taxonym.methods.confidential_cells import printed_columns
from taxonym.methods.numbers import mean_step
from taxonym.plan import Microaggregation, Noise, Plan
from taxonym.promises.classes import concepts_of, published_words
from taxonym.promises.ranges import holds_all, range_of
from taxonym.publish.groups import Support
from taxonym.publish.redaction import Veil
from taxonym.records.cells import as_numbers, typed
from taxonym.records.column import Column
from taxonym.records.distinct import is_matched
from taxonym.records.records import NumberColumn, Records
from taxonym.records.words import WordColumn

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class MemberRows:
    """A release beside its original: row i stands for the unit unit[i], is in class number[i] and, as the trail says,
    in group[i]."""

    where: str
    frame: "pl.DataFrame"
    plan: Plan
    units: Records
    unit: Long
    number: Long
    group: Long

    def broken(self) -> list[str]:
        """What groups publish that they may not, without any value."""
        rows = list(members(self.group))
        apart = sum(len(np.unique(self.number[some])) > 1 for some in rows)
        found = [f"{apart:,} groups of the trail are not published alike"] * bool(apart)
        firsts, units = [int(some[0]) for some in rows], [np.unique(self.unit[some]) for some in rows]
        for column in self.units.columns:
            if isinstance(column, WordColumn):
                found += self._broken_words(column, firsts, units)
            else:
                found += self._broken_numbers(column, firsts, units)
        return found

    def _broken_words(self, words: WordColumn, firsts: list[int], units: list[Long]) -> list[str]:
        method, name = self.plan.method, words.column.name
        concepts = concepts_of(published_words(self.frame[firsts], words.column.published, self.where), words.maps_to)
        strange = foreign_groups(words, concepts, units, everybody=method.distinct_items)
        found = [f"column {name!r}: {strange:,} groups publish words that their members do not hold"] * bool(strange)
        plain = isinstance(method, Microaggregation) and method.representative == "medoid"
        if words.topics is not None and not plain:
            support = Support.of(words, self.units.persons, method.k)
            told = talkative_groups(support, concepts, units, method.topic_share)
            found += [f"column {name!r}: {told:,} groups tell more of a topic than the plan lets them"] * bool(told)
        return found

    def _broken_numbers(self, column: NumberColumn, firsts: list[int], units: list[Long]) -> list[str]:
        cells, own = self.frame[column.column.name].gather(firsts), column.column
        every = self.units.row_values(self.units.numbers.index(column))
        values = [every[self.units.rows.places(mine)] for mine in units]
        if own.publish == "range":
            texts = [None if cell is None else str(cell) for cell in cells.to_list()]
            wrong = sum(
                text is not None and not _true_range(text, mine, own.kind == "date")
                for text, mine in zip(texts, values, strict=True)
            )
        else:
            numbers = as_numbers(typed(cells, own.published, self.where, ()))
            step = float(own.step) if own.publish == "rounded" and own.step else mean_step(every, self.plan.method.k)
            pairs = zip(numbers.tolist(), values, strict=True)
            wrong = sum(not _true_number(number, mine, step) for number, mine in pairs)
        return [f"column {own.name!r}: {wrong:,} groups publish what is not true of their members"] * bool(wrong)


def _true_range(text: str, values: Floats, date: bool) -> bool:
    ends = range_of(text, date=date)
    return ends is not None and holds_all(ends, values.tolist())


def _true_number(number: float, values: Floats, step: float) -> bool:
    """Whether a group may publish a number: it lies among its members' values, as far as rounding goes, or is empty."""
    known = values[~np.isnan(values)]
    if np.isnan(number) or not len(known):
        return bool(np.isnan(number))
    return bool(known.min() - step <= number <= known.max() + step)


def foreign_groups(words: WordColumn, concepts: Sequence[Codes], units: Sequence[Long], *, everybody: bool) -> int:
    """How many groups publish a concept that no member holds; with `everybody`, concepts for which some member has not
    an item each."""
    above: dict[int, frozenset[int]] = {}

    def held(unit: int) -> set[int]:
        own = words.record(unit)
        for code in own:
            if code not in above:
                above[int(code)] = frozenset(map(int, words.tax.ancestors(int(code))))
        return set().union(*(above[int(code)] for code in own))

    strange = 0
    for codes, mine in zip(concepts, units, strict=True):
        if codes:
            if everybody:
                strange += not all(is_matched(words.tax, words.record(int(unit)), codes) for unit in mine)
            else:
                strange += not set.union(*(held(int(unit)) for unit in mine)).issuperset(codes)
    return strange


def talkative_groups(support: Support, concepts: Sequence[Codes], units: Sequence[Long], limit: float) -> int:
    """How many groups publish a sensitive concept that more than `limit` of them hold, and not only its topic."""
    if support.topics is None:
        return 0
    veil = Veil.of(support.holders, support.topics, support.printable, limit)
    pairs = zip(concepts, units, strict=True)
    return sum(any(top != code for code, top in veil.over(mine.tolist(), codes).items()) for codes, mine in pairs)


# ---------------------------------------------------------------------- columns that are kept


def check_kept(where: str, frame: "pl.DataFrame", units: Records, plan: Plan, record: Long, number: Long) -> None:
    """Raise unless the columns that are kept hold what is printed for the records that the rows stand for; where links
    are cut, what is printed for those of the class number[i] that row i is in. An `other` cell may be empty instead."""
    printed = {} if isinstance(plan.method, Noise) else printed_columns(units.table, record, plan)
    for name, column in units.table.columns.items():
        if column.role in ("confidential", "other"):
            own = printed[name] if name in printed else units.table.frame[name].gather(record.tolist())
            kind = "date" if own.dtype.is_temporal() else "number" if own.dtype.is_numeric() else column.kind
            plain = Column(name=name, role=column.role, kind=kind)  # as a release is written, whatever was read
            if kind == "set":
                plain = replace(plain, separator=column.separator, multiplicity=column.multiplicity)
            cells = [_comparable(typed(series, plain, where, ())) for series in (own, frame[name])]
            if column.links == "cut":
                cells = [[v for _, v in sorted(zip(number.tolist(), some, strict=True), key=repr)] for some in cells]
            for row, (mine, other) in enumerate(zip(*cells, strict=True), 1):
                if mine != other and not (other is None and column.role == "other"):
                    raise BrokenPromise(
                        f"{where}: column {name!r}: row {row} has not the value of the record that the trail names. "
                        f"The release, the original or the trail was changed, or one belongs to another run."
                    )


def _comparable(series: "pl.Series") -> list[Any]:
    if series.dtype.is_temporal() or series.dtype.is_numeric():
        return [None if np.isnan(value) else value for value in as_numbers(series).tolist()]
    return [sorted(cell) if isinstance(cell, list) else cell and str(cell) for cell in series.to_list()]

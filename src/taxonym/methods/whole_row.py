"""What groups publish in all columns of a row together, until the support rule holds among those who are published.

Words come as the groups' method chose them. Of numbers and dates a group publishes the narrowest range that holds all
its members, and cells that are kept are the same for all of them. Then the rule is asked for the whole row
(publish/row.py): holders are persons in the release, so whoever is left out, and rows that are cut, hold nothing any
more, and the rule is asked again until nothing changes.

Persons who keep several rows give at most as many to a class as the k-th largest number of its members: nobody owns
more than 1/k of it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Codes, Floats, Groups, Long, Mask
from taxonym.methods.combinations import without_rare_combinations
from taxonym.methods.numbers import GroupMeans, GroupRanges, PublishedNumbers, RangeColumn, kept_support
from taxonym.publish.distinct_items import HeldDistinctly
from taxonym.publish.groups import CellSupport, ColumnRepresentatives, Support, words_for
from taxonym.publish.row import CellLadder, ItemLadder, RangeLadder, RowSearch, WordLadder
from taxonym.records.distinct import DistinctHolders
from taxonym.records.person_rows import within_shares
from taxonym.records.records import Records, renumbered
from taxonym.records.rows import KeptColumn
from taxonym.records.support import Holders, Rows

Row: TypeAlias = tuple[Codes, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WholeRows:
    """What groups publish in all columns: concepts of words, numbers, and of every kept column whether a group's cell
    stays. `released` says which rows of the units, one unit after the other, are published; `cut` of those of published
    units are not."""

    groups: Groups
    supports: list[Support]
    cells: list[CellSupport]
    chosen: list[ColumnRepresentatives]
    numbers: list[PublishedNumbers]
    kept: dict[str, list[bool]]
    released: Mask
    cut: int

    @classmethod
    def of_words(
        cls, units: Records, groups: Groups, supports: list[Support], chosen: list[ColumnRepresentatives]
    ) -> "WholeRows":
        """Of records that have nothing but words, which obey the rule already."""
        return cls(groups, supports, [], chosen, [], {}, _rows_of(units, groups), 0)


class RowColumns:
    """All columns of the rows of some units: who holds what in them, among the rows that are published."""

    def __init__(
        self,
        units: Records,
        k: int,
        m: int,
        supports: Sequence[Support],
        *,
        supported: bool = True,
        antichain: bool = False,
        common_items: bool = False,
        distinct: bool = False,
        cells: tuple[list[RangeColumn], list[KeptColumn]] | None = None,
    ) -> None:
        """Without the support rule (`supported`), rows are published as they are wished for. In an `antichain` nothing
        is said beside something more special of the same column. With `common_items` every choice of at most m items
        is not only held by k persons, but published for so many (k^m). Where items are `distinct`, a row is held by
        whoever has one of its own for each concept. `cells` are the columns of numbers and those that are kept, where
        these units are not all that there are."""
        self.units, self.k, self.m, self.supported, self.antichain = units, k, m, supported, antichain
        self.common_items, self.distinct = common_items, distinct
        self.unit_of_row = units.rows.owner
        self.words = [units.row_words(c) for c in range(len(units.words))]
        if cells is None:
            cells = [RangeColumn.of(units, j, k) for j in range(len(units.numbers))], units.kept()
        self.ranges, self.kept = cells
        self._all = list(supports)
        self.nominal = any(words.column.kind == "nominal" for words in units.words)

    @property
    def scaled(self) -> list[RangeColumn]:
        """The columns of numbers whose ranges are items of the row; means are nobody's."""
        return [one for one in self.ranges if one.column.publish != "mean"]

    def supports(self, released: Mask) -> list[Support]:
        """Who holds what in the columns of words."""
        if released.all():
            return self._all
        units, alive = self.units, np.zeros(len(self.units), np.bool_)
        alive[self.unit_of_row[released]] = True
        at = np.flatnonzero(released)
        return [
            old.among(Rows(words.take(at), self.unit_of_row[at]), units.persons, alive)
            for old, words in zip(self._all, self.words, strict=True)
        ]

    def cells(self, released: Mask) -> list[CellSupport]:
        """Who holds what in the other columns that are published."""
        at = np.flatnonzero(released)
        persons = renumbered(self.units.persons)[self.unit_of_row[at]]  # rows come in one order in all columns
        return [
            *(one.support(Holders(one.sets.take(at), persons)) for one in self.scaled),
            *(kept_support(one, Holders(one.sets.take(at), persons)) for one in self.kept),
        ]

    def search(self, supports: Sequence[Support], cells: Sequence[CellSupport]) -> RowSearch:
        """The search under the rule."""
        holders = [*(one.holders for one in supports), *(one.holders for one in cells)]
        ladders: list[ItemLadder] = [WordLadder(s.holders, s.printable, s.column.weight) for s in supports]
        ladders += [RangeLadder(one.scale, one.column.weight) for one in self.scaled]
        ladders += [CellLadder() for _ in self.kept]
        if self.distinct:
            together = DistinctHolders(holders)
            return RowSearch(ladders, together.first, HeldDistinctly(together, self.k), self.m)
        return RowSearch.of(ladders, holders, self.k, self.m, self.antichain)

    def means(self, group: Sequence[int]) -> tuple[float | None, ...]:
        """What a group publishes as means."""
        told = (one.mean(group, self.k) for one in self.ranges if one.column.publish == "mean")
        return tuple(None if mean != mean else mean for mean in told)

    def first_rows(self, groups: Groups, chosen: Sequence[ColumnRepresentatives]) -> list[Row]:
        """What every group would like to publish: the words that were chosen, and the narrowest ranges and the cells
        that are true of all its members."""
        made = []
        for g, group in enumerate(groups):
            words = [column.concepts[g] for column in chosen]
            numbers = [one.covering(group) for one in self.scaled]
            row = int(self.units.rows.start[group[0]])
            made.append((*words, *numbers, *(one.sets.record(row) for one in self.kept)))
        return made


def settle_rows(
    columns: RowColumns,
    groups: Groups,
    chosen: Sequence[ColumnRepresentatives],
    lots: Floats,
    progress: Progress = SILENCE,
) -> WholeRows:
    """What the groups publish under the rule. Groups of which nothing is left to say are left out; of persons who have
    too many rows in a class, those with the highest lots are."""
    units = columns.units
    rows, words = columns.first_rows(groups, chosen), len(chosen)
    means = {tuple(group): columns.means(group) for group in groups}
    released = _rows_of(units, groups)
    progress.start("the support rule for whole rows")
    while True:
        supports, cells = columns.supports(released), columns.cells(released)
        search = columns.search(supports, cells)
        settled = [search.settle(row) for row in rows] if columns.supported else rows
        if columns.common_items:
            settled = without_rare_combinations(units, groups, settled, words, released, columns.k, columns.m)
        told = [g for g, row in enumerate(settled) if says_something(row, words, columns.nominal)]
        groups, rows = [groups[g] for g in told], [settled[g] for g in told]
        left = _rows_of(units, groups) & released
        told_rows = [(*row, *means[tuple(group)]) for group, row in zip(groups, rows, strict=True)]
        left &= _capped(units, groups, told_rows, left, columns.k, lots)
        if (left == released).all():
            break
        released = left
    progress.finish()
    return whole_rows(columns, groups, rows, chosen, released, supports, cells)


def says_something(row: Row, words: int, nominal: bool) -> bool:
    """Whether a row is worth publishing whose first columns are so many of words: where one of these is of one value,
    which may be missing, anything is enough."""
    return any(row) if nominal else any(row[:words]) or not words


def whole_rows(
    columns: RowColumns,
    groups: Groups,
    rows: Sequence[Row],
    chosen: Sequence[ColumnRepresentatives],
    released: Mask,
    supports: list[Support],
    cells: list[CellSupport],
) -> WholeRows:
    """What groups publish whose rows are settled."""
    n = len(chosen)
    made = [replace(column, concepts=[row[c] for row in rows]) for c, column in enumerate(chosen)]
    codes = {one.column.name: [row[n + j] for row in rows] for j, one in enumerate(columns.scaled)}
    numbers: list[PublishedNumbers] = []
    for one in columns.ranges:
        if one.column.name in codes:
            numbers.append(GroupRanges.of(one, codes[one.column.name]))
        else:
            numbers.append(GroupMeans.of(one, groups, columns.k))
    first = n + len(columns.scaled)
    kept = {one.column.name: [bool(row[first + i]) for row in rows] for i, one in enumerate(columns.kept)}
    cut = int((_rows_of(columns.units, groups) & ~released).sum())
    return WholeRows(groups, supports, cells, made, numbers, kept, released, cut)


def _rows_of(units: Records, groups: Groups) -> Mask:
    """The rows of the units that are in some group."""
    mask = np.zeros(len(units), np.bool_)
    mask[[unit for group in groups for unit in group]] = True
    found: Mask = mask[units.rows.owner]
    return found


def _capped(units: Records, groups: Groups, rows: Sequence[Hashable], left: Mask, k: int, lots: Floats) -> Mask:
    """Which rows stay, so that a person gives no more to a class than the k-th largest number of its members. Which of
    a person's rows go is decided by lot."""
    keep = left.copy()
    if not units.several_rows:
        return keep
    number: dict[Hashable, int] = {}
    class_of = np.full(len(units), -1, np.int64)
    for group, row in zip(groups, rows, strict=True):
        class_of[group] = number.setdefault(row, len(number))
    at = np.flatnonzero(left)
    unit = units.rows.owner[at]
    keep[at] = within_shares(class_of[unit], units.persons[unit], k, lots[at])
    return keep


@dataclass(frozen=True, slots=True, eq=False)
class WordDraws:
    """Some groups whose words are drawn together, and the units that they are of, ascending: a draw depends on the
    place of a group's first unit among these."""

    groups: Sequence[int]
    rng: np.random.Generator
    units: Long

    @classmethod
    def of_all(cls, whole: WholeRows, units: int, rng: np.random.Generator) -> "list[WordDraws]":
        return [cls(range(len(whole.groups)), rng, np.arange(units))]


def words_of(
    whole: WholeRows, k: int, draws: Sequence[WordDraws], per_record: bool, alike: bool = False
) -> list[list[list[tuple[str, ...]]]]:
    """The words of every member of every group, column by column; `alike`, one word for each concept."""
    made: list[list[list[tuple[str, ...]]]] = [[[] for _ in whole.groups] for _ in whole.supports]
    for drawn in draws:
        some, rng = drawn.groups, drawn.rng
        groups = [np.searchsorted(drawn.units, whole.groups[g]).tolist() for g in some]
        for column, support, chosen in zip(made, whole.supports, whole.chosen, strict=True):
            concepts = [chosen.concepts[g] for g in some]
            for g, words in zip(some, words_for(support, groups, concepts, k, rng, per_record, alike), strict=True):
                column[g] = words
    return made

"""What came out of a run: the published table, and what was lost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.distance.record import Compare, Part, Sets, column_pairs, weighted_mean
from taxonym.io.canonical import row_order
from taxonym.io.files import BATCH
from taxonym.knowledge.arrays import Floats, Groups, Long
from taxonym.knowledge.runs import Runs
from taxonym.measure.cohesion import published_measures
from taxonym.measure.generalization import classical
from taxonym.measure.groups import about_groups
from taxonym.measure.loss import columns_to_random, measures, to_medoids
from taxonym.methods.numbers import PublishedNumbers
from taxonym.methods.whole_row import WholeRows
from taxonym.plan import EQUAL_TERMS, Generalization, Microaggregation, Plan
from taxonym.promises import main_promise
from taxonym.publish.groups import REDACTION, ColumnRepresentatives, Support
from taxonym.records.column import Column
from taxonym.records.masked import MaskedRecords
from taxonym.records.records import Records
from taxonym.records.words import WordColumn

if TYPE_CHECKING:
    import polars as pl

Regroup = Callable[[str], list[list[int]]]  # by the name of a measure


@dataclass(frozen=True, eq=False)
class PublishedGroups:
    """What the groups of units publish: whole.chosen[c].concepts[g] as words[c][g][i] for the i-th member of group g.

    `supports`, `chosen` and `words` have an entry for each column of words, in the order of the plan.
    """

    plan: Plan
    units: Records
    whole: WholeRows
    words: list[list[list[tuple[str, ...]]]]
    recoding: dict[str, Any] | None = None  # what a search for the cheapest generalisation has to say
    blocks: dict[str, Any] | None = None  # how many blocks the groups were formed in, where they are not exact
    left_out: Mapping[str, int] = field(default_factory=dict)  # persons who have nothing to publish, by reason

    # ------------------------------------------------------------------ the table

    @property
    def groups(self) -> Groups:
        return self.whole.groups

    @property
    def supports(self) -> list[Support]:
        return self.whole.supports

    @property
    def chosen(self) -> list[ColumnRepresentatives]:
        return self.whole.chosen

    @property
    def suppressed(self) -> dict[str, int]:
        """The persons who are not in the release, by reason: before records were grouped, and since."""
        return {**self.units.suppressed, **self.left_out}

    @cached_property
    def _units_of_groups(self) -> Runs:
        return Runs.of(self.groups)

    @property
    def members(self) -> Long:
        """The units that are published, one group after the other."""
        return self._units_of_groups.codes.astype(np.int64)

    @property
    def group_of(self) -> Long:
        """The group of every member."""
        return self._units_of_groups.owner

    def columns(self) -> dict[str, Column]:
        """The columns as they are published."""
        quasi = {column.column.name: column.column.published for column in self.units.columns}
        return {name: quasi.get(name, column) for name, column in self.units.table.columns.items()}

    def rows(self, rng: np.random.Generator, shuffled: bool) -> tuple[Long, Long]:
        """For every row of the release the record it stands for, and the place of its unit among the members: shuffled,
        or as the rows of the input come."""
        place_of = np.full(len(self.units), -1, np.int64)
        place_of[self.members] = np.arange(len(self.members))
        rows = self.units.rows
        released = np.flatnonzero(self.whole.released & (place_of[rows.owner] >= 0))
        record, place = rows.codes[released].astype(np.int64), place_of[rows.owner[released]]
        order = rng.permutation(len(record)) if shuffled else np.argsort(record, kind="stable")
        return record[order], place[order]

    def batches(
        self, record: Long, place: Long, confidential: "Mapping[str, pl.Series] | None" = None
    ) -> "Iterator[pl.DataFrame]":
        """The release, some rows at a time: masked quasi-identifiers, and kept columns of the records as they are, but
        for cells that too few persons share, and `confidential` ones, whose cells are given row by row."""
        import polars as pl

        words, numbers = iter(self.words), iter(self.whole.numbers)
        made: dict[str, tuple[pl.Series, Long]] = {}  # what a column may publish, and which of it every member does
        for column in self.units.columns:
            if isinstance(column, WordColumn):
                made[column.column.name] = self._cells(column, next(words))
            else:
                made[column.column.name] = next(numbers).cells(), self.group_of
        stays = {name: np.array(kept, bool) for name, kept in self.whole.kept.items()}
        for first in range(0, len(record), BATCH):
            rows, places = record[first : first + BATCH], place[first : first + BATCH]
            batch = []
            for name in self.units.table.columns:
                if name in made:
                    batch.append(made[name][0].gather(made[name][1][places]))
                    continue
                if confidential and name in confidential:
                    batch.append(confidential[name][first : first + len(rows)])
                    continue
                cells = kept_cells(self.units.table.frame[name].gather(rows), self.plan)
                if name in stays:
                    cells = cells.set(pl.Series(~stays[name][self.group_of[places]]), None)
                batch.append(cells)
            yield pl.DataFrame(batch)

    def _cells(self, column: WordColumn, words: list[list[tuple[str, ...]]]) -> "tuple[pl.Series, Long]":
        """The different cells of a column of words, and which of them every member publishes."""
        import polars as pl

        number: dict[tuple[str, ...], int] = {}  # the members of a group mostly share one
        at = [number.setdefault(words_of, len(number)) for group in words for words_of in group]
        cells = [sorted(cell) if self.plan.output.items == "sorted" else list(cell) for cell in number]
        if column.column.kind == "nominal":
            series = pl.Series(column.column.name, [cell[0] if cell else None for cell in cells], pl.String)
        else:
            series = pl.Series(column.column.name, [cell or None for cell in cells], pl.List(pl.String))
        return series, np.array(at, np.int64)

    @cached_property
    def published(self) -> list[Part]:
        """What the groups publish, as distances see it: record g is that of group g."""
        return published_parts(self.units.parts, self.chosen, self.whole.numbers)

    @property
    def masked(self) -> MaskedRecords:
        """The units beside what their groups publish."""
        units = self.units
        return MaskedRecords(units.parts, self.published, self.members, self.group_of, units.persons, units.block)

    # ------------------------------------------------------------------ what was lost

    @cached_property
    def judge(self) -> Compare:
        """How it is judged what was lost."""
        return self.plan.method.judge

    @cached_property
    def _columns_apart(self) -> list[Floats]:
        return column_pairs(self.units.parts, self.published, self.members, self.group_of, self.judge)

    def apart(self, how: Compare | None = None) -> Floats:
        """The distance of every member to what its group publishes, by the judge unless another is given."""
        if how is None:
            return weighted_mean(self.units.parts, self._columns_apart)
        return self.masked.apart(how)

    def loss(self, rng: np.random.Generator, regroup: Regroup | None) -> dict[str, Any]:
        """Every measure of loss that applies, with what other ways would lose; `regroup` forms groups without meaning.

        Baselines publish the plain medoid of each group, whatever the support rule; compare them with `medoids`.
        """
        how, parts, apart = self.judge, self.units.parts, self.apart()
        found = measures(parts, self.published, self.members, self.group_of, how, rng, apart)
        found |= {"columns": self._by_column(), **self._about_groups(apart)}
        names = [column.column.name for column in self.units.columns]
        by_lot = columns_to_random(parts, how, rng.spawn(1)[0])
        found["columns_to_a_random_record"] = dict(zip(names, by_lot, strict=True))
        if self.by_attributes:
            found["attributes"] = self._attributes(how)
        if isinstance(self.plan.method, Generalization):
            found["generalisation"] = classical(
                parts,
                self.published,
                self.members,
                self.group_of,
                [len(group) for group in self.groups],
                len(self.units) - len(self.members),
                self.plan.method.k,
            )
        elif regroup is not None:
            found["mean_to_plain_medoids"] = self._other_ways(parts, how, rng, regroup)
        return found

    @property
    def by_attributes(self) -> bool:
        return about_attributes(self.plan, any(words.topics is not None for words in self.units.words))

    def _attributes(self, how: Compare) -> dict[str, Any]:
        """Cohesion and IL of every column of words [ImranDaud2022, eq. 10-13]."""
        columns = zip(self.units.columns, self.units.parts, self.published, strict=True)
        return {
            column.column.name: published_measures(part, other, self.groups, how)
            for column, part, other in columns
            if isinstance(part, Sets) and isinstance(other, Sets)
        }

    def _by_column(self) -> dict[str, float]:
        pairs = zip(self.units.columns, self._columns_apart, strict=True)
        return {column.column.name: float(apart.mean()) for column, apart in pairs}

    def _about_groups(self, apart: Floats) -> dict[str, Any]:
        """The losses of groups; no means where a class may have fewer than k records (k^m): that would be a single
        record's."""
        size = np.array([len(group) for group in self.groups], np.int64)
        lost: Floats = np.bincount(self.group_of, apart).astype(np.float64)
        had = sum((words.sizes[self.members] for words in self.units.words), np.zeros(len(self.members)))
        before = np.bincount(self.group_of, had) / size
        after = np.array([sum(len(column.concepts[g]) for column in self.chosen) for g in range(len(size))], np.float64)
        return about_groups(size, lost, before, after, self.plan.method.k, main_promise(self.plan).whole_records)

    def _other_ways(
        self, parts: Sequence[Part], how: Compare, rng: np.random.Generator, regroup: Regroup
    ) -> dict[str, float]:
        """The mean distance to the plain medoid of each group: of ours, of groups without meaning, of random groups."""
        ways = {"these_groups": self.groups}
        for name in ("equal", EQUAL_TERMS):
            if any(isinstance(part, Sets) for part in parts) and name != self.plan.method.measure:
                ways[f"groups_by_{name.replace('-', '_')}"] = regroup(name)
        ways["random_groups"] = self.masked.random_groups(self.plan.method.k, rng)
        lost = {name: to_medoids(parts, groups, how) for name, groups in ways.items()}
        lost["these_groups"] = lost["these_groups"][self.members]  # others have all units in some group
        return {name: float(apart.mean()) for name, apart in lost.items()}


def sorted_rows(table: "pl.DataFrame", columns: Mapping[str, Column]) -> Long:
    """The rows of a release by what is published, then by what is confidential (io.canonical)."""
    confidential = [name for name, column in columns.items() if column.role == "confidential"]
    return row_order(table, confidential, {name: c.separator for name, c in columns.items() if c.kind == "set"})


def kept_cells(cells: "pl.Series", plan: Plan) -> "pl.Series":
    """The cells of a column that is kept, the items of a set sorted where the plan says so."""
    import polars as pl

    return cells.list.sort() if isinstance(cells.dtype, pl.List) and plan.output.items == "sorted" else cells


def about_attributes(plan: Plan, topics: bool) -> bool:
    """Whether a run has to do with attributes, so that what their paper measures is of interest; `topics` says whether
    a column names some."""
    method = plan.method
    redacted = isinstance(method, Microaggregation) and method.representative == REDACTION
    return topics or redacted or method.name == "adaptive-mdav" or method.compare.by_attributes


def published_parts(
    parts: Sequence[Part], chosen: Sequence[ColumnRepresentatives], numbers: Sequence[PublishedNumbers]
) -> list[Part]:
    """What the groups of some records publish, as distances see it."""
    concepts, ranges, made = iter(chosen), iter(numbers), list[Part]()
    for part in parts:
        if isinstance(part, Sets):
            made.append(Sets.of(next(concepts).concepts, part.tax, part.weight))
        else:
            made.append(next(ranges).as_part(part))
    return made

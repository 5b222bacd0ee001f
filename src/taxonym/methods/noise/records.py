"""Masking by noise: every value of every record becomes another concept at random, whatever others have.

There are no groups and there is no k. What is promised is ε for the private mechanisms, and nothing for the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from taxonym.distance.record import Part, Sets, record_pairs
from taxonym.knowledge.arrays import Floats, Ints, Long, Mask
from taxonym.knowledge.runs import Runs, edges, frozen
from taxonym.methods.noise.column import NoiseColumn
from taxonym.methods.noise.outcomes import capped, chosen_words, usual_concepts
from taxonym.methods.noise.statistics import (
    ColumnStatistics,
    StatisticsFile,
    check_varies,
    column_values,
    known_of,
    lengths_of,
    score_table,
)
from taxonym.methods.published_groups import kept_cells, sorted_rows
from taxonym.plan import Noise, Plan
from taxonym.publish.noise.aims import never_worse
from taxonym.publish.noise.budget import Budget
from taxonym.publish.noise.correlated import correlated_errors, correlation
from taxonym.publish.noise.kernels import replaced
from taxonym.publish.noise.mechanisms import MECHANISMS
from taxonym.publish.noise.private import MISSING, UNKNOWN, RandomSource, Weights, fixed_size, source_of, weights_for
from taxonym.publish.noise.semantic import SHAPES, deviation
from taxonym.records.column import Column
from taxonym.records.records import Records
from taxonym.records.words import WordColumn

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class NoiseColumnValues(Runs):
    """One column after noise: what every record publishes, codes of the whole taxonomy or UNKNOWN.

    before[j] became after[j], both codes of the domain; `errors` are those drawn. Under ε these three are empty:
    nothing that compares the two may be told.
    """

    before: Ints
    after: Ints
    errors: Floats | None
    known: ColumnStatistics | None


@dataclass(frozen=True, slots=True, eq=False)
class NoiseResult:
    """What came out: the columns that were masked, and how."""

    plan: Plan
    units: Records
    columns: list[NoiseColumn]
    masked: list[NoiseColumnValues]

    @property
    def method(self) -> Noise:
        return Noise.of(self.plan)

    @property
    def group_of(self) -> Long:
        """Nobody is in a group."""
        return np.full(len(self.units), -1)

    def published_columns(self) -> dict[str, Column]:
        quasi = {words.column.name: words.column.published for words in self.units.words}
        return {name: quasi.get(name, column) for name, column in self.units.table.columns.items()}

    def rows(self, rng: np.random.Generator) -> tuple[Long, Long]:
        """For every row of the release the record it stands for, and the unit, which is one record here."""
        record = np.array([mine[0] for mine in self.units.records], np.int64)
        how = self.plan.output.rows
        order = rng.permutation(len(record)) if how == "shuffled" else np.argsort(record, kind="stable")
        if how == "sorted":
            order = order[sorted_rows(self.frame(record[order], order), self.published_columns())]
        return record[order], order

    def frame(self, record: Long, unit: Long) -> "pl.DataFrame":
        """The release: masked quasi-identifiers, and the kept columns of the records as they are."""
        import polars as pl

        done = {c.column.name: (c, m) for c, m in zip(self.columns, self.masked, strict=True)}
        made = []
        for name, column in self.published_columns().items():
            if name not in done:
                made.append(kept_cells(self.units.table.frame[name].gather(record), self.plan))
                continue
            words, masked = done[name]
            used, at = np.unique(masked.codes, return_inverse=True)
            names = pl.Series([words.word(code) for code in used.tolist()], dtype=pl.String)
            if column.kind == "nominal":
                place = np.full(len(self.units), len(names))
                place[np.flatnonzero(masked.sizes)] = at
                made.append(names.extend(pl.Series([None], dtype=pl.String)).gather(place[unit]).alias(name))
                continue
            cells = [names.gather(at[a:b]).to_list() or None for a, b in pairwise(masked.start.tolist())]
            if self.plan.output.items == "sorted":
                cells = [cell and sorted(cell) for cell in cells]
            made.append(pl.Series(name, cells, pl.List(pl.String)).gather(unit))
        return pl.DataFrame(made)

    @property
    def published(self) -> list[Part]:
        """What is published, as distances see it; what is unknown is nothing."""
        made: list[Part] = []
        for words, masked in zip(self.units.words, self.masked, strict=True):
            known = masked.keep(masked.codes >= 0)
            made.append(Sets(known.start, known.codes, words.tax, words.column.weight))
        return made

    def apart(self) -> Floats:
        """The distance of every record to what is published for it."""
        every = np.arange(len(self.units))
        return record_pairs(self.units.parts, self.published, every, every, self.plan.method.judge)


# ---------------------------------------------------------------------- noise, which promises nothing


def masked_noisily(
    units: Records, columns: Sequence[NoiseColumn], plan: Plan, rng: np.random.Generator, file: StatisticsFile | None
) -> list[NoiseColumnValues]:
    """Every value of every column replaced, as far away as its own error says; `file` has statistics, if given."""
    method, values = Noise.of(plan), [column_values(c, w) for c, w in zip(columns, units.words, strict=True)]
    found = known_of(columns, units.words, file)
    joined = _correlated(units, columns, plan, values, found, rng, file) if method.correlated else None
    made = []
    for j, (column, (before, row), known) in enumerate(zip(columns, values, found, strict=True)):
        lengths = lengths_of(column, units.words[j], row, units.persons, method.k)
        if known is None:  # every cell is empty, by policy
            made.append(NoiseColumnValues.of([()] * len(units), before, before, None, None))
            continue
        errors, fixed = None, column.column.set_size
        if lengths:
            sizes = np.bincount(row, minlength=len(units))
            chosen = chosen_words(row, capped(sizes, lengths), rng)
            before, row = frozen(before[chosen]), row[chosen]
        real = len(before)
        if fixed is not None:  # as if whoever wrote less had also written the column's mean
            sizes = np.bincount(row, minlength=len(units))
            more = np.repeat(np.arange(len(units)), np.where(sizes > 0, np.maximum(fixed - sizes, 0), 0))
            before = frozen(np.append(before, np.full(len(more), known.statistics.mean)))
            row = np.append(row, more)
        if method.noise_mechanism in SHAPES:
            check_varies(column, known)
            own = None if joined is None else joined[j][row]
            after, errors = _shaped(column, before, units.persons[row], known, plan, rng, own)
        else:
            after = MECHANISMS[method.noise_mechanism].function(column.outcomes, before, 0.0, rng)
        outer = column.domain.outer[after].astype(np.int64)
        both = before[:real], after[:real], None if errors is None else errors[:real]
        told = said_once(column, row, outer)
        made.append(NoiseColumnValues.of_pairs(row[told], outer[told], len(units), *both, known))
    return made


def said_once(column: NoiseColumn, row: Long, codes: Long) -> Mask:
    """Which of the codes that come out for records (row[j] gets codes[j], of the whole taxonomy) are published: not
    those above another one of their record, which say it again. It looks at nothing but what comes out."""
    tax = column.finder.taxonomy
    known = np.maximum(codes, 0)
    first, last = tax.ancestor_start[known].astype(np.int64), tax.ancestor_start[known + 1].astype(np.int64)
    many = np.where(codes >= 0, last - first, 0)
    at = np.repeat(first - (np.cumsum(many) - many), many) + np.arange(int(many.sum()))
    above, under = tax.ancestor[at].astype(np.int64), np.repeat(np.arange(len(codes)), many)
    proper = above != codes[under]
    told: Mask = ~np.isin(row * len(tax) + codes, (row[under] * len(tax) + above)[proper]) | (codes < 0)
    return told


def with_usual_outcomes(columns: Sequence[NoiseColumn], units: Records, plan: Plan) -> list[NoiseColumn]:
    """The columns as they are, or with those outcomes only that k persons wrote, where the plan says so."""
    method = Noise.of(plan)
    if method.outcomes != "usual":
        return list(columns)
    made = []
    for column, words in zip(columns, units.words, strict=True):
        values, row = column_values(column, words)
        made.append(column.only(frozen(usual_concepts(values, units.persons[row], method.k))))
    return made


def _shaped(
    column: NoiseColumn,
    before: Ints,
    persons: Long,
    known: ColumnStatistics,
    plan: Plan,
    rng: np.random.Generator,
    errors: Floats | None,
) -> tuple[Ints, Floats]:
    """Algorithm 1 on the values of a column. `consistent`: the same person has the same draws for the same value."""
    method, back = Noise.of(plan), np.arange(len(before))
    if method.consistent:
        before, persons = before.astype(np.int64), persons.astype(np.int64)
        _, first, back = np.unique(persons * len(column.domain.tax) + before, return_index=True, return_inverse=True)
        before = before[first]
    if errors is None:
        sigma = deviation(method.strength, known.statistics.variance)
        errors = SHAPES[method.noise_mechanism](sigma, len(before), rng)
    mean, picks = known.statistics.mean, rng.random(len(before))
    made = replaced(column.outcomes, mean, before, errors, picks, method.choice)
    if method.aim is not None:
        plain = replaced(column.outcomes, mean, before, errors, picks, replace(method.choice, aim=None))
        made = never_worse(method.aim, column.domain, before, made, plain, errors, method.strength, back)
    return made[back], errors[back]


def _correlated(
    units: Records,
    columns: Sequence[NoiseColumn],
    plan: Plan,
    values: Sequence[tuple[Ints, Long]],
    found: Sequence[ColumnStatistics | None],
    rng: np.random.Generator,
    file: StatisticsFile | None,
) -> list[Floats]:
    """The errors of every record in every column, drawn together; records that lack a value say nothing of that."""
    means = [0 if known is None else known.statistics.mean for known in found]
    spread = [0.0 if known is None else known.statistics.variance for known in found]
    R = None if file is None else file.correlation([column.column.name for column in columns])
    if R is None:
        table = score_table(columns, values, means)
        R = correlation(table) if len(table) else np.eye(len(columns))
    drawn = correlated_errors([deviation(Noise.of(plan).strength, v) for v in spread], R, len(units), rng)
    return [np.ascontiguousarray(drawn[:, j]) for j in range(len(columns))]


# ---------------------------------------------------------------------- ε


def masked_privately(units: Records, columns: Sequence[NoiseColumn], plan: Plan) -> list[NoiseColumnValues]:
    """Every cell ε-private, paid for by its person before anything is drawn."""
    method, source = Noise.of(plan), source_of(plan.method.seed)
    order = np.argsort([mine[0] for mine in units.records])  # as they came, so that a refusal names the right one
    Budget(method.allowed(len(columns))).charge(units.persons[order].tolist(), method.cost(len(columns)))
    made = []
    for column, words in zip(columns, units.words, strict=True):
        size = column.size
        weights = weights_for(method.noise_mechanism, column.outcomes, method.strength / size)
        drawn = _drawn(column, words, weights, size, source)
        outer = np.where(drawn >= 0, column.domain.outer[np.maximum(drawn, 0)], drawn).astype(np.int64)
        row = np.repeat(np.arange(len(units)), size)
        there = (drawn != MISSING) & said_once(column, row, outer)
        nothing = np.zeros(0, np.int32)
        made.append(NoiseColumnValues.of_pairs(row[there], outer[there], len(units), nothing, nothing, None, None))
    return made


def _drawn(column: NoiseColumn, words: WordColumn, weights: Weights, size: int, source: RandomSource) -> Ints:
    """`size` outcomes for every record, as codes of the domain or symbols."""
    values, row = column_values(column, words)
    strange = (words.unknown > 0) | (np.bincount(row, minlength=len(words)) < words.sizes)
    if size == 1 and column.column.kind == "nominal":
        every = np.where(strange, UNKNOWN, MISSING)
        every[row] = values
        return weights.draw(every.astype(np.int32), source)
    held = Runs(edges(np.bincount(row, minlength=len(words))), values)
    sets = ([*mine, *([UNKNOWN] if odd else [])] for mine, odd in zip(held, strange.tolist(), strict=True))
    members = [value for some in fixed_size(sets, size, source) for value in some]
    return weights.draw(np.array(members, np.int32), source)

"""From a file that is too large for memory to units: read in batches, never more than one as text.

Words become concepts at once, every different text once. What is kept of a row are numbers: whose it is, which texts it
has, and the places of its other cells in lists of different cells. Rows go to the work folder, divided by persons, and
come back person by person. The units are those of prepare.py, to the last bit.

Memory: a batch as text; per different text 100 to 200 bytes; different cells of columns that are not words, once each;
ids of persons; a part of the rows as numbers; and the units, some 30 bytes a word.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.executor.checkpoints import WorkFolder
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Ints, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs, edges, frozen, positions
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan
from taxonym.plan.meaning import finder_of, topics_of
from taxonym.records.cells import as_numbers, typed
from taxonym.records.column import Column
from taxonym.records.gathered import gathered
from taxonym.records.records import NumberColumn, Records, other_numbers, settled
from taxonym.records.rows import RowFeatures
from taxonym.records.table import Table, becomes_set, united
from taxonym.records.words import PhraseRule, Readings, WordColumn, texts_of_column
from taxonym.shapes.table.read import read_table, whose_batches
from taxonym.shapes.table.subjects import about_columns
from taxonym.text.finder import Finder

if TYPE_CHECKING:
    import polars as pl

PARTS, _ROWS = 16, "rows-{:05}-{:02}.parquet"  # of the rows, by persons


def prepare_streamed(source: str, plan: Plan, work: WorkFolder, progress: Progress = SILENCE) -> Records:
    """What prepare() gives, but for the cells of the quasi-identifiers, which are not kept."""
    try:
        return _Stream(source, plan, work, progress).units()
    except BadInput:
        read_table(source, plan)  # says what is wrong where in the whole file
        raise
    finally:
        work.remove("rows-*")


class DistinctCells:
    """The different cells of a column, numbered as they come; 0 is no cell."""

    def __init__(self) -> None:
        self.number: dict[Any, int] = {None: 0}
        self.type: pl.DataType | None = None

    def codes(self, series: "pl.Series") -> "pl.Series":
        import polars as pl

        self.type = series.dtype
        values = [tuple(v) if isinstance(v, list) else v for v in series.to_list()]
        found = [self.number.setdefault(value, len(self.number)) for value in values]
        return pl.Series(series.name, found, pl.UInt32)

    def series(self, column: Column, where: str, missing: tuple[str, ...]) -> "pl.Series":
        """The cells by number, as the kind of the column asks for."""
        import polars as pl

        values = [list(v) if isinstance(v, tuple) else v for v in self.number]
        return typed(pl.Series(column.name, values, self.type), column, where, missing)


class Texts:
    """The different texts of a column of words, read as they come and then forgotten."""

    def __init__(self, column: Column, finder: Finder | None) -> None:
        self.column, self.finder = column, finder
        self.readings = Readings()
        self.terms = texts_of_column(finder, column, self.readings)

    def lists(self, series: "pl.Series") -> "pl.Series":
        """For every cell the numbers of its texts: the terms of a set, the lines of a text."""
        import polars as pl

        cells = series.to_list()
        texts = [(cell or ()) if self.column.kind == "set" else (cell or "").splitlines() for cell in cells]
        numbers = iter(self.terms.numbers([text for some in texts for text in some]))
        return pl.Series(series.name, [[next(numbers) for _ in some] for some in texts], pl.List(pl.UInt32))


@dataclass(slots=True)
class _PersonPart:
    """The units of some persons: words as pairs of record and text, the rest as frames of records and units."""

    records: Table
    numbers: "pl.DataFrame"  # masked numbers and dates, one row per unit
    each: "pl.DataFrame"  # the same, one row per record
    unit: Long  # of every record
    person: Long  # of every unit
    pairs: dict[str, tuple[Long, Long]] = field(default_factory=dict)  # by column: record, number of a text or cell
    several: set[str] = field(default_factory=set)  # nominal columns in which a unit has several values


class _Stream:
    def __init__(self, source: str, plan: Plan, work: WorkFolder, progress: Progress) -> None:
        self.source, self.plan, self.work, self.progress = source, plan, work, progress
        self.columns = {c.name: c for c in plan.columns.values() if c.role != "identifier"}
        quasi = [c for c in self.columns.values() if c.role == "quasi-identifier"]
        self.words = [c for c in quasi if c.kind in ("nominal", "set", "text")]
        loaded: dict[str, Taxonomy] = {}
        finders = {c.name: finder_of(c, plan, loaded, progress) for c in self.words}
        self.finders = about_columns(source, plan, finders, progress)
        for column in self.words:
            finder = self.finders[column.name]
            if finder is None and column.kind == "text":
                raise BadPlan(f"columns.{column.name}.taxonomy: is missing. A text needs one, such as 'wordnet'.")
            if finder is not None and finder.policy.record:
                raise BadPlan(
                    f"columns.{column.name}.senses: {column.senses!r} looks at all words of a person at once, which "
                    f"a run with a work folder never does. Choose 'first', or run without a work folder."
                )
        # a nominal column may turn out to be a set, so its few different cells are kept until then
        self.texts = {c.name: Texts(c, self.finders[c.name]) for c in self.words if c.kind != "nominal"}
        self.cells = {name: DistinctCells() for name in self.columns if name not in self.texts}
        self.persons: dict[str, int] = {}
        self.rows, self.notes = 0, list[str]()

    def units(self) -> Records:
        self._read()
        missing = self.plan.input.missing
        values = {name: cells.series(self.columns[name], self.source, missing) for name, cells in self.cells.items()}
        parts = []
        self.progress.start("persons", PARTS)
        for number in range(PARTS):
            frames = [self.work.path(_ROWS.format(b, number)) for b in range(self.batches)]
            if part := self._part([path for path in frames if path.exists()], values):
                parts.append(part)
            self.progress.advance()
        self.progress.finish()
        return self._joined(parts, values)

    # ------------------------------------------------------------------ rows to the work folder

    def _read(self) -> None:
        import polars as pl

        given, self.batches = self.plan.input, 0
        self.progress.start("reading and concepts")
        for raw in whose_batches(self.source, self.plan):
            if not self.rows:
                lenient = {n: replace(c, on_empty="suppress") for n, c in self.plan.columns.items()}
                self.notes = Table.of(raw[:1], lenient, person=given.person, person_rows="keep").notes
            raw = gathered(raw, self.plan.columns, self.source, given.missing)
            row = pl.int_range(self.rows + 1, self.rows + raw.height + 1, eager=True).alias("row")
            made = [row.cast(pl.UInt32), self._of_persons(raw, row)]
            for i, (name, column) in enumerate(self.columns.items()):
                series = raw[name]
                if name in self.texts:
                    made.append(self.texts[name].lists(typed(series, column, self.source, given.missing)).alias(f"{i}"))
                else:
                    made.append(self.cells[name].codes(series).alias(f"{i}"))
            frame = pl.DataFrame(made)
            for number in range(PARTS):
                own = frame.filter(pl.col("person") % PARTS == number)
                if own.height:
                    path = self.work.path(_ROWS.format(self.batches, number))
                    path.touch(mode=0o600)
                    own.write_parquet(path)
            self.rows, self.batches = self.rows + raw.height, self.batches + 1
        self.progress.finish()

    def _of_persons(self, raw: "pl.DataFrame", row: "pl.Series") -> "pl.Series":
        import polars as pl

        given = self.plan.input
        if given.person is None:
            return (row - 1).cast(pl.UInt32).alias("person")
        column = Column(name=given.person, role="identifier")
        ids = typed(raw[given.person], column, self.source, given.missing).cast(pl.String).to_list()
        if None in ids:
            raise BadInput(f"{self.source}: column {given.person!r}: does not say whose row it is in some rows.")
        found = [self.persons.setdefault(id, len(self.persons)) for id in ids]
        if given.person_rows == "unique" and len(self.persons) < self.rows + raw.height:
            raise BadInput(f"{self.source}: column {given.person!r}: repeats an id.")
        return pl.Series("person", found, pl.UInt32)

    # ------------------------------------------------------------------ person by person

    def _part(self, paths: Sequence[Any], values: "dict[str, pl.Series]") -> "_PersonPart | None":
        import polars as pl

        if not paths:
            return None
        frame = pl.concat(pl.read_parquet(path) for path in paths).sort("row")
        place = {name: f"{i}" for i, name in enumerate(self.columns)}
        kept = {name: c for name, c in self.columns.items() if c.role != "quasi-identifier"}
        person, row = frozen(frame["person"].to_numpy()), frozen(frame["row"].to_numpy())
        start = frozen(np.arange(frame.height + 1))
        table = Table(
            pl.DataFrame([values[name].gather(frame[place[name]]) for name in kept]),
            kept, person, [], start, row, [], self.source,
        )  # fmt: skip
        unite = self.plan.input.person is not None and self.plan.input.person_rows == "unite"
        records = table.unite() if unite and kept else _one_each(table) if unite else table
        own = self._own(records)
        record_of_row = np.searchsorted(np.sort(records.row), row)
        number = Runs(records.row_start, records.row).owner
        record_of_row = number[np.argsort(records.row, kind="stable")][record_of_row]
        units, first = int(own.max()) + 1, np.unique(own, return_index=True)[1]
        numbers, each = (self._numbers(frame, place, values, whose[record_of_row]) for whose in (own, _each(own)))
        part = _PersonPart(records, numbers, each, own, records.person[first].astype(np.int64))
        for column in self.words:
            name = column.name
            if name in self.texts:
                lists = frame[place[name]]
                record = np.repeat(record_of_row, lists.list.len().to_numpy())
                text = lists.explode(empty_as_null=False, keep_nulls=False).to_numpy().astype(np.int64)
            else:
                cell = frame[place[name]].to_numpy().astype(np.int64)
                cell = _same(values[name])[cell]
                record, text = record_of_row[cell >= 0], cell[cell >= 0]
            if column.kind != "text" and not column.multiplicity:
                record, text = _different(record, text)
            unit = _different(own[record], text)[0]
            if column.kind == "nominal" and np.bincount(unit, minlength=units).max(initial=0) > 1:
                part.several.add(name)
            part.pairs[name] = record, text
        return part

    def _own(self, records: Table) -> Long:
        """The unit of every record: a person's records with equal `other` columns."""
        block = other_numbers(records)
        pairs = records.person.astype(np.int64) * (int(block.max()) + 1) + block
        found: Long = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
        return found

    def _numbers(
        self, frame: "pl.DataFrame", place: dict[str, str], values: "dict[str, pl.Series]", unit: Long
    ) -> "pl.DataFrame":
        """The numbers and dates that are masked, one row per unit: the lower median of several."""
        import polars as pl

        masked = {
            name: c for name, c in self.columns.items() if c.role == "quasi-identifier" and name not in self.finders
        }
        if not masked:
            return pl.DataFrame()
        made = pl.DataFrame([values[name].gather(frame[place[name]]) for name in masked])
        each = frozen(np.arange(frame.height + 1))
        table = Table(made, masked, frozen(unit), [], each, each[:-1], [], self.source).unite()
        sorted_: pl.DataFrame = table.frame[np.argsort(table.person, kind="stable").tolist()]
        return sorted_

    # ------------------------------------------------------------------ everything

    def _joined(self, parts: list[_PersonPart], values: "dict[str, pl.Series]") -> Records:
        import polars as pl

        several = set().union(*(part.several for part in parts))
        columns = {n: replace(c, kind="set") if n in several else c for n, c in self.columns.items()}
        frames = [part.records.frame for part in parts]
        for name, column in columns.items():
            if column.role != "quasi-identifier" and any(p.records.columns[name].kind != column.kind for p in parts):
                columns[name] = replace(column, kind="set")
                frames = [_as_lists(frame, name) for frame in frames]
                several.add(name)
        notes = [
            *self.notes,
            *(becomes_set(name) for name in columns if name in several),
        ]
        unite = self.plan.input.person is not None and self.plan.input.person_rows == "unite"
        person = np.concatenate([part.records.person for part in parts])
        if unite and len(person) < self.rows:
            notes.append(united(self.rows, len(person)))
        whole, order = _by_rows(
            Table(
                pl.concat(frames), columns, frozen(person), list(self.persons),
                _starts(np.concatenate([np.diff(part.records.row_start) for part in parts])),
                np.concatenate([part.records.row for part in parts]), notes, self.source,
            )
        )  # fmt: skip
        if whole.persons < self.plan.method.k:
            raise BrokenPromise(
                f"{self.source}: has {whole.persons:,} persons, fewer than k = {self.plan.method.k}: nobody could "
                f"hide. Choose a smaller k."
            )
        first = np.cumsum([0, *(len(part.person) for part in parts)])
        unit = np.concatenate([part.unit + at for part, at in zip(parts, first, strict=False)])[order]
        lead = whole.row[whole.row_start[:-1]].astype(np.int64)
        rows_of = np.full(int(first[-1]), np.iinfo(np.int64).max)
        np.minimum.at(rows_of, unit, lead)
        came = np.argsort(rows_of, kind="stable")  # units in the order of their first rows, as they come in a file
        place = np.empty(len(came), np.int64)
        place[came] = np.arange(len(came))
        rows_of, unit = rows_of[came], place[unit]
        made: list[WordColumn | NumberColumn] = []
        missing = np.zeros(len(rows_of), bool)
        numbers, each = (pl.concat(getattr(part, name) for part in parts) for name in ("numbers", "each"))
        at = np.cumsum([0, *(len(part.records) for part in parts)])
        several_rows = len(rows_of) < len(whole)
        features = RowFeatures([], []) if several_rows else None
        for column in columns.values():
            if column.role != "quasi-identifier":
                continue
            if column.name in self.finders:
                pairs = [part.pairs[column.name] for part in parts]
                of = np.argsort(order)[np.concatenate([r + begin for (r, _), begin in zip(pairs, at, strict=False)])]
                text = np.concatenate([t for _, t in pairs])
                words = self._words(column, of, text, lead, values, whole.person)
                empty = np.bincount(unit[of], minlength=len(rows_of)) == 0
                if features is not None:
                    features.words.append(ConceptSets(words.start, words.codes, words.tax))
                made.append(words.united(unit, len(rows_of)) if features is not None else words)
            else:
                cells = numbers[column.name].gather(came)
                empty = np.asarray(cells.is_null(), bool)
                made.append(NumberColumn(column, as_numbers(cells), cells))
                if features is not None:
                    features.numbers.append(as_numbers(each[column.name].gather(order)))
            if column.on_empty == "error" and empty.any():
                raise BadInput(f"{self.source}: column {column.name!r}: has no value in some records.")
            missing |= empty & (column.on_empty == "suppress")
        records = [[] for _ in range(len(rows_of))]  # type: list[list[int]]
        for record, u in enumerate(unit.tolist()):
            records[u].append(record)
        persons = np.concatenate([part.person for part in parts])[came]
        return settled(whole, made, records, persons, missing, self.plan.method.k, row_features=features)

    def _words(self, column: Column, of: Long, text: Long, rows: Long, values: Any, persons: Ints) -> WordColumn:
        finder = self.finders[column.name]
        topics = topics_of(column, self.plan, finder)
        if column.name in self.texts:
            readings, terms = self.texts[column.name].readings, self.texts[column.name].terms
        else:  # cells of a nominal column, which may have become a set
            readings, cells = Readings(), values[column.name].to_list()
            terms = texts_of_column(finder, column, readings)
            place = np.cumsum([cell is not None for cell in cells]) - 1
            text = np.array(terms.numbers([cell for cell in cells if cell is not None]), np.int64)[place[text]]
        text = terms.in_records(of, text)
        phrases = PhraseRule(self.plan.method.k, persons).own(column, readings, of, text)
        made = readings.words(column, finder, self.source, of, text, rows, topics, phrases=phrases)
        return made.worded(self.plan.output.hints)


def _by_rows(table: Table) -> tuple[Table, Long]:
    """The records in the order of their first rows, and which they were before."""
    order = np.argsort(table.row[table.row_start[:-1]], kind="stable")
    first, last = table.row_start[order], table.row_start[order + 1]
    frame = table.frame[order.tolist()] if table.frame.width else table.frame
    row, person = frozen(table.row[positions(first, last)]), frozen(table.person[order])
    return replace(table, frame=frame, person=person, row_start=_starts(last - first), row=row), order


def _each(owner: Long) -> Long:
    """Every record for itself."""
    return np.arange(len(owner))


def _starts(lengths: Any) -> Ints:
    return frozen(edges(lengths))


def _one_each(table: Table) -> Table:
    """One record per person, where no column is kept."""
    person, number = np.unique(table.person, return_inverse=True)
    order = np.argsort(number, kind="stable")
    return replace(table, person=frozen(person), row_start=_starts(np.bincount(number)), row=frozen(table.row[order]))


def _same(series: "pl.Series") -> Long:
    """For every cell the first that is equal to it once it was read; -1 for no value."""
    seen: dict[str, int] = {}
    return np.array([-1 if v is None else seen.setdefault(v, i) for i, v in enumerate(series.to_list())], np.int64)


def _different(unit: Long, text: Long) -> tuple[Long, Long]:
    base = int(text.max(initial=0)) + 1
    keys = np.unique(unit * base + text)
    return keys // base, keys % base


def _as_lists(frame: "pl.DataFrame", name: str) -> "pl.DataFrame":
    import polars as pl

    if isinstance(frame[name].dtype, pl.List):
        return frame
    lists = pl.Series(name, [None if v is None else [str(v)] for v in frame[name].to_list()], pl.List(pl.String))
    return frame.with_columns(lists)

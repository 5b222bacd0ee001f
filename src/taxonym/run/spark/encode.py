"""Rows to units, on the workers: words become codes there, and the text goes no further than the counts of terms.

A part of the table has all rows of its persons. Whatever only the whole can tell (Learned) is told by parts that find
more than they were given; then all are encoded again, knowing it. So every part uses the same codes and types, which
are those of the whole table.

A unit is a row of numbers: `who` numbers the persons of its part, `other` is a hash of its `other` columns, `rest` and
`content` are those of records/order.py and group/embedding.py; `likeness` is the latter with the number of records as
one more column. For column i of words `codes`, `terms` and `meant`, for column j of numbers the cell. `records` holds
the kept cells of its records, and where some units have several, what each has in columns of words and numbers.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadCells, BadInput, UnknownTerms
from taxonym.group.embedding import content_hashes
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import Runs, edges
from taxonym.records.cells import typed
from taxonym.records.column import Column
from taxonym.records.order import cell_hashes
from taxonym.records.phrases import WHOLE_PHRASES, OwnPhrase, PhraseWriters
from taxonym.records.records import (
    NumberColumn,
    UnsortedRecords,
    column_of_words,
    found_units,
    parts_of,
    row_count_part,
    unit_hashes,
    without_concept,
)
from taxonym.records.table import Table
from taxonym.records.words import KEEP, PhraseRule, Readings, WordColumn
from taxonym.records.words import MISSING as NO_VALUE
from taxonym.run.spark.arrow import ints, lists_of, signed
from taxonym.run.spark.kit import KnownElsewhere, WorkerKit
from taxonym.shapes.table.read import read_table

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

MISSING, NO_CONCEPT = 1, 2  # why a unit cannot be published
PLACE = ("file", "row")  # where a row of a Parquet folder stands


@dataclass(frozen=True, slots=True)
class TableSchema:
    """The columns of the rows that come in (c0, c1, … are those of `names`), and their types as polars has them."""

    names: tuple[str, ...]
    types: tuple[Any, ...]
    placed: bool  # whether rows say where they stand

    def frame(self, raw: "pl.DataFrame") -> "pl.DataFrame":
        """The rows under their own names."""
        import polars as pl

        return pl.DataFrame([raw[f"c{i}"].alias(name) for i, name in enumerate(self.names)])


# ---------------------------------------------------------------------- whose rows


def keyed(raw: "pl.DataFrame", kit: WorkerKit, shape: TableSchema) -> "list[pl.DataFrame]":
    """Instead of who a row is about, a number that only this run can make."""
    import polars as pl

    given = kit.plan.input
    name = f"c{shape.names.index(str(given.person))}"
    column = Column(name=str(given.person), role="identifier")
    ids = typed(raw[name], column, kit.where, given.missing).cast(pl.String).to_list()
    hidden = [id and blake2b(id.encode(), key=kit.secret, digest_size=16).hexdigest() for id in ids]
    return [raw.with_columns(pl.Series(name, hidden, pl.String))]


# ---------------------------------------------------------------------- units


def unit_schema(kit: WorkerKit, shape: TableSchema) -> "pa.Schema":
    """The columns of units; null in a row that is a note."""
    import pyarrow as pa

    types = cell_types(kit, shape)
    made = [("note", pa.string()), ("who", pa.int64()), ("person", pa.string()), ("other", pa.int64())]
    made += [("why", pa.int64()), ("rest", pa.int64()), ("content", pa.int64()), ("likeness", pa.int64())]
    for i, _ in enumerate(kit.spoken):
        made += [(f"codes{i}", pa.list_(pa.int32())), (f"terms{i}", pa.list_(pa.string()))]
        made += [(f"meant{i}", pa.list_(pa.int32())), (f"unknown{i}", pa.int64()), (f"outside{i}", pa.int64())]
    made += [(f"cell{j}", types[c.name]) for j, c in enumerate(kit.numbers)]
    kept = [pa.field(f"k{i}", types[c.name]) for i, c in enumerate(kit.kept)]
    if kit.learned.several:
        kept += [pa.field(f"w{i}", pa.list_(pa.int32())) for i, _ in enumerate(kit.spoken)]
        kept += [pa.field(f"n{j}", pa.float64()) for j, _ in enumerate(kit.numbers)]
    made.append(("records", pa.list_(pa.struct([pa.field("k", pa.bool_()), *kept]))))
    return pa.schema(made)


def cell_types(kit: WorkerKit, shape: TableSchema) -> "dict[str, pa.DataType]":
    """The types of columns that are published as cells: those which the whole table has."""
    import polars as pl

    kept, raw = {c.name for c in [*kit.kept, *kit.numbers]}, dict(zip(shape.names, shape.types, strict=True))
    empty = {
        name: typed(pl.Series(name, [], raw[name]), column, kit.where, ())
        for name, column in kit.plan.columns.items()
        if name in kept
    }
    columns = {name: kit.plan.columns[name] for name in empty}
    table = Table(pl.DataFrame(list(empty.values())), columns, ints([]).to_numpy(), [], ints([0]).to_numpy(),
                  ints([]).to_numpy(), [], kit.where)  # fmt: skip
    found = adapted(table, kit.learned).frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    return {field.name: _plain(field.type) for field in found.schema}


def _plain(kind: "pa.DataType") -> "pa.DataType":
    """Arrow's types without the large variants, which Spark does not ask for."""
    import pyarrow as pa

    if pa.types.is_large_string(kind):
        return pa.string()
    if pa.types.is_large_list(kind):
        return pa.list_(_plain(kind.value_type))
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", kind.tz)
    return kind


def encode(raw: "pl.DataFrame", kit: WorkerKit, shape: TableSchema) -> "list[pl.DataFrame]":
    """The units of a part of the table, or notes about what it found beyond what the kit knows."""
    rows = shape.frame(raw)
    try:
        read = read_table(rows, kit.travelling)
        seen = _seen(read, kit, shape)
        whole = adapted(read, kit.learned)
        united: list[Table] = []

        def of_units(table: Table) -> Table:
            united.append(table)
            return adapted(table, kit.learned)

        def words(table: Table, column: Column, first: Sequence[int]) -> WordColumn:
            known = kit.learned.known.get(column.name, ())
            finder, topics = kit.finder(column.name), kit.topics[column.name]
            return column_of_words(
                table, column, finder, topics, first, elsewhere=known, phrases=kit.phrases(column.name)
            )

        found = found_units(whole, words, of_units, kit.learned.several)
        seen = seen.joined(_seen(united[0], kit, shape)).joined(_values(found, kit))
        seen = replace(seen, several=found.row_features is not None)
    except BadCells as error:
        cells = (error.column, error.what, error.fix, error.things, error.count, *_place(raw, error.row))
        return notes([("cells", *cells)])
    except UnknownTerms as error:
        row = min(row for row, _ in error.terms)
        column = next(c.name for c in kit.spoken if f"column {c.name!r}" in str(error))
        return notes([("unknown", column, len(error.terms), *_place(raw, row))])
    except BadInput as error:
        return notes([("input", str(error))])
    if more := seen.beyond(kit.learned):
        told = [("learned", kind, name) for kind in ("sets", "broken", "moments") for name in getattr(more, kind)]
        told += [("learned", "several", "")] * more.several
        return notes([*told, *(("known", name, value) for name, values in more.known.items() for value in values)])
    return [_units(found, kit)]


def phrase_schema() -> "pa.Schema":
    """Of the phrases of a part: the place of their column, their head and label, and how many persons wrote them."""
    import pyarrow as pa

    numbers = [(name, pa.int64()) for name in ("place", "head", "writers")]
    return pa.schema([*numbers, ("label", pa.string())])


def phrases(raw: "pl.DataFrame", kit: WorkerKit, shape: TableSchema) -> "list[pl.DataFrame]":
    """How many persons of a part of the table wrote each phrase that says more than its head."""
    import polars as pl

    whole = adapted(read_table(shape.frame(raw), kit.travelling), kit.learned)
    place, found = {c.name: i for i, c in enumerate(kit.spoken)}, list[tuple[int, int, str, int]]()

    def words(table: Table, column: Column, first: Sequence[int]) -> WordColumn:
        rule = _PhraseCounter(1, table.person, [])
        finder, topics = kit.finder(column.name), kit.topics[column.name]
        known = kit.learned.known.get(column.name, ())
        made = column_of_words(table, column, finder, topics, first, elsewhere=known, phrases=rule)
        found.extend((place[column.name], *one) for one in rule.found)
        return made

    found_units(whole, words, lambda table: adapted(table, kit.learned), kit.learned.several)
    types = {"place": pl.Int64, "head": pl.Int64, "label": pl.String, "writers": pl.Int64}
    return [pl.DataFrame(found, schema=types, orient="row").select("place", "head", "writers", "label")]


@dataclass(frozen=True, slots=True, eq=False)
class _PhraseCounter(PhraseRule):
    """Counts who wrote which phrase, and makes none a concept yet."""

    found: list[PhraseWriters]

    def own(self, column: Column, readings: Readings, row: Long, text: Long) -> tuple[OwnPhrase, ...]:
        if column.phrases == WHOLE_PHRASES:
            self.found.extend(readings.phrase_writers(text, self.person[row].astype(np.int64)))
        return ()


def notes(told: Sequence[tuple[Any, ...]]) -> "list[pl.DataFrame]":
    import polars as pl

    return [pl.DataFrame({"note": [json.dumps(note) for note in told]})]


def adapted(table: Table, learned: KnownElsewhere) -> Table:
    """The table as the whole would be read."""
    import polars as pl

    columns, frame = dict(table.columns), table.frame
    for name, column in table.columns.items():
        series = frame[name]
        if name in learned.sets and column.kind == "nominal":
            columns[name] = replace(column, kind="set")
            cells = [None if v is None else [v] for v in series.cast(pl.String).to_list()]
            frame = frame.with_columns(pl.Series(name, cells, pl.List(pl.String)))
        elif name in learned.broken:
            frame = frame.with_columns(series.cast(pl.Float64))
        elif name in learned.moments:
            frame = frame.with_columns(series.cast(pl.Datetime("us")))
    return replace(table, columns=columns, frame=frame)


def _seen(table: Table, kit: WorkerKit, shape: TableSchema) -> KnownElsewhere:
    """What a part of the table tells about the whole by its columns."""
    import polars as pl

    raw, types = dict(zip(shape.names, shape.types, strict=True)), table.frame.schema
    written = [c for name, c in table.columns.items() if raw[name] == pl.String]
    return KnownElsewhere(
        sets=frozenset(n for n, c in table.columns.items() if c.kind == "set" and kit.plan.columns[n].kind != "set"),
        broken=frozenset(c.name for c in written if c.kind == "number" and types[c.name].is_float()),
        moments=frozenset(c.name for c in written if c.kind == "date" and types[c.name] != pl.Date),
    )


def _values(found: UnsortedRecords, kit: WorkerKit) -> KnownElsewhere:
    """What a part has that is a concept by policy."""
    known = {}
    for words in found.columns:
        if isinstance(words, WordColumn):
            finder = kit.finder(words.column.name)
            values = 0 if finder is None else len(finder.taxonomy), len(words.tax) - len(kit.phrases(words.column.name))
            own = words.term[(words.meant >= values[0]) & (words.meant < values[1])]
            names = {words.names[t] for t in np.unique(own).tolist()}
            if words.column.on_empty == KEEP and NO_VALUE in words.names:  # some record has none, though its unit does
                names.add(NO_VALUE)
            known[words.column.name] = frozenset(names)
    return KnownElsewhere(known=known)


def _place(raw: "pl.DataFrame", row: int) -> tuple[Any, ...]:
    """Where a row stands in its file, if anybody knows."""
    if PLACE[0] not in raw.columns:
        return "", 0
    return raw[PLACE[0]][row - 1], int(raw[PLACE[1]][row - 1]) + 1


def _units(found: UnsortedRecords, kit: WorkerKit) -> "pl.DataFrame":
    import polars as pl

    whole, n = found.whole, len(found.records)
    features = found.row_features
    rest = unit_hashes(whole, found.columns, found.records, features)  # sorts the records, so it comes first
    lead = [mine[0] for mine in found.records]
    others = [c for c in whole.columns.values() if c.role == "other"]
    why = np.where(found.missing, MISSING, np.where(without_concept(found.columns, n), NO_CONCEPT, 0))
    ids, parts = whole.person_ids, parts_of(found.columns)
    alike = [*parts, row_count_part(Runs.of(found.records).sizes)] if kit.learned.several else parts
    made: list[pl.Series] = [
        pl.Series("note", [None] * n, pl.String),
        pl.Series("who", found.persons, pl.Int64),
        pl.Series("person", [ids[p] for p in found.persons.tolist()] if ids else [None] * n, pl.String),
        pl.Series("other", signed(cell_hashes(whole, others, lead))),
        pl.Series("why", why, pl.Int64),
        pl.Series("rest", signed(rest)),
        pl.Series("content", signed(content_hashes(parts, np.arange(n)))),
        pl.Series("likeness", signed(content_hashes(alike, np.arange(n)))),
    ]
    spoken = [c for c in found.columns if isinstance(c, WordColumn)]
    for i, words in enumerate(spoken):
        start = edges(np.bincount(words.row, minlength=n))
        order = np.argsort(words.row, kind="stable")
        names = pl.Series(words.names, dtype=pl.String)
        made += [
            lists_of(f"codes{i}", words.start, ints(words.codes)),
            lists_of(f"terms{i}", start, names.gather(words.term[order])),
            lists_of(f"meant{i}", start, ints(words.meant[order])),
            pl.Series(f"unknown{i}", words.unknown, pl.Int64),
            pl.Series(f"outside{i}", words.outside, pl.Int64),
        ]
    numbers = [c for c in found.columns if isinstance(c, NumberColumn)]
    made += [column.cells.alias(f"cell{j}") for j, column in enumerate(numbers)]
    flat = [record for mine in found.records for record in mine]
    kept = [whole.frame[c.name].gather(flat).alias(f"k{i}") for i, c in enumerate(kit.kept)]
    if features is not None:
        sets = [own.take(np.array(flat, np.int64)) for own in features.words]
        kept += [lists_of(f"w{i}", own.start, ints(own.codes)) for i, own in enumerate(sets)]
        kept += [pl.Series(f"n{j}", own[flat], pl.Float64) for j, own in enumerate(features.numbers)]
    cells = pl.DataFrame([pl.Series("k", [True] * len(flat)), *kept]).to_struct("records")
    made.append(lists_of("records", np.cumsum([0, *map(len, found.records)]), cells))
    return pl.DataFrame(made)

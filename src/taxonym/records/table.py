"""Table: the person's data with what every column is for, one record per person or per row.

Missing is an empty or blank cell, null, NaN, and every mark that the plan names. Rows are counted from 1.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadInput
from taxonym.io.delimited import Dialect
from taxonym.io.frames import as_polars
from taxonym.knowledge.arrays import Floats, Ints, Long, Mask
from taxonym.knowledge.runs import edges, frozen
from taxonym.records.cells import as_numbers, complain, typed
from taxonym.records.column import PERSON_ROWS, ROLES, Column, meant, one_of
from taxonym.records.gathered import gathered
from taxonym.records.ids import RowsAsPersons

if TYPE_CHECKING:
    import polars as pl

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """Records 0..n-1; record i belongs to person[i] and was made of the input rows row[row_start[i]:row_start[i + 1]].

    `frame` has every column of the plan but identifiers, in the plan's order, as String (nominal, text), List(String)
    (set), numbers, Date or Datetime; missing is null. Kept columns (confidential, other) keep their own type where the
    kind allows. `notes` says what was left out and changed. Memory: the source, this frame and 12 bytes per row; while
    sets are split, some 70 bytes per term (a million rows of eight terms: 0.6 GB).
    """

    frame: "pl.DataFrame"
    columns: dict[str, Column]
    person: Ints
    person_ids: list[str]
    row_start: Ints
    row: Ints
    notes: list[str]
    where: str

    @classmethod
    def of(
        cls,
        source: Any,
        columns: Mapping[str, Column],
        *,
        person: str | None = None,
        person_rows: str = "unite",
        missing: Iterable[str] = (),
        dialect: Dialect | None = None,
        each_row: bool = True,
    ) -> "Table":
        """The table in a polars, pandas or pyarrow table or a file, read as the columns say.

        `person_rows`: the rows of a person become one record (unite), stay records that count once, or must be unique.
        `each_row`: without a person every row is one; else that is refused where a column of ids repeats itself.
        """
        import polars as pl

        one_of("input.person_rows", person_rows, PERSON_ROWS)
        where = str(source) if isinstance(source, str | Path) else "the table"
        raw = as_polars(source, dialect)
        given = raw.columns
        if person is None and not each_row:
            RowsAsPersons(columns, missing).see(raw).check(where)
        raw = gathered(raw, columns, where, tuple(missing))
        for name in [*columns, *([person] if person else [])]:
            if name not in raw.columns:
                fix = f"{meant(name, raw.columns)} Correct the plan, or see the columns with 'taxonym plan'."
                raise BadInput(f"{where}: there is no column {name!r} among its {raw.width}.{fix}")
            if not _names_itself(name):
                raise BadInput(f"{where}: column {name!r}: polars takes this name for a pattern. Rename the column.")
        if not raw.height:
            raise BadInput(f"{where}: has no rows. Is it the right table?")
        notes = left_out(given, columns)
        kept = {c.name: c for c in columns.values() if c.role != ROLES[0]}
        frame = pl.DataFrame([typed(raw[name], column, where, tuple(missing)) for name, column in kept.items()])
        each = frozen(range(1, raw.height + 1))
        table = cls(frame, kept, each - 1, [], frozen(range(raw.height + 1)), each, notes, where)
        if person is not None:
            ids = typed(raw[person], Column(name=person, role="identifier"), where, tuple(missing))
            table = table._of_persons(ids.cast(pl.String), person_rows)
        for column in table.quasi:
            if column.on_empty == "error":
                fix = "Fill it in, or set on_empty to another policy."
                complain(
                    where, column.name, table.empty(column.name), "has no value", fix, table.row[table.row_start[:-1]]
                )
        return table

    def __len__(self) -> int:
        return len(self.row_start) - 1

    @property
    def persons(self) -> int:
        return len(np.unique(self.person))

    @property
    def quasi(self) -> list[Column]:
        return [c for c in self.columns.values() if c.role == "quasi-identifier"]

    @property
    def separators(self) -> dict[str, str]:
        return {c.name: c.separator for c in self.columns.values() if c.kind == "set"}

    def rows(self, record: int) -> list[int]:
        """The input rows that a record was made of."""
        found: list[int] = self.row[self.row_start[record] : self.row_start[record + 1]].tolist()
        return found

    def terms(self, name: str) -> list[list[str]]:
        """The terms of every record in a nominal or set column; of a text the whole text; none where missing."""
        values = self.frame[name].to_list()
        return [v or [] for v in values] if self.columns[name].kind == "set" else [[v] if v else [] for v in values]

    def values(self, name: str) -> Floats:
        """The numbers of a column, or its dates in days since 1970; NaN where missing."""
        return as_numbers(self.frame[name])

    def empty(self, name: str) -> Mask:
        """Which records have no value in a column."""
        return np.asarray(self.frame[name].is_null(), bool)

    def suppressed(self) -> Mask:
        """Which records cannot be published because a quasi-identifier is missing and its policy is suppress."""
        found = np.zeros(len(self), bool)
        for column in self.quasi:
            found |= self.empty(column.name) & (column.on_empty == "suppress")
        return found

    def _of_persons(self, ids: "pl.Series", person_rows: str) -> "Table":
        fix, again = "Fill it in, or remove these rows.", 'Set person_rows = "unite" or "keep".'
        complain(self.where, ids.name, ids.is_null().to_numpy(), "does not say whose row it is", fix)
        if person_rows == "unique":
            complain(self.where, ids.name, (~ids.is_first_distinct()).to_numpy(), "repeats an id", again)
        number = {id: i for i, id in enumerate(ids.unique(maintain_order=True))}
        table = replace(self, person=frozen(number[id] for id in ids), person_ids=list(number))
        return table.unite() if person_rows == "unite" and len(number) < len(self) else table

    def unite(self) -> "Table":
        """One record per person. Sets are united; a nominal column becomes a set if any person has two values in it;
        texts follow each other on lines; all of these sorted, so that the order of the rows does not matter. Numbers
        and dates give the lower median, which is one of the person's own, but kept ones must not differ within a
        person, for nothing true could be published then."""
        import polars as pl

        keys = [f"{i}" for i in range(len(self.columns))]  # polars takes some names ("*") for patterns
        frame = self.frame.rename(dict(zip(self.frame.columns, keys, strict=True)))
        frame = frame.with_columns(person=pl.Series(self.person), row=pl.Series(self.row))
        made = frame.group_by("person", maintain_order=True).agg("row", *map(_united, keys, self.columns.values()))
        columns, notes, rows = dict(self.columns), [*self.notes], made["row"]
        for key, (name, c) in zip(keys, self.columns.items(), strict=True):
            if made[key].dtype != pl.List:
                continue
            value, several = pl.col(key), (made[key].list.len() > 1).to_numpy()
            if c.kind == "nominal" and several.any():
                columns[name], value = replace(c, kind="set"), value.cast(pl.List(pl.String))
                notes.append(becomes_set(name))
            elif c.kind == "text":
                value = value.list.join("\n")
            elif c.kind != "set":
                fix = 'Set kind = "set" to keep all values, or person_rows = "keep".'
                complain(self.where, name, several, "has several values of one person", fix, rows.list.first())
                value = value.list.first()
            made = made.with_columns(pl.when(pl.col(key).list.len() > 0).then(value).alias(key))
        notes.append(united(len(self), made.height))
        start = frozen(edges(rows.list.len().to_numpy()))
        person, row = frozen(made["person"].to_numpy()), frozen(rows.explode().to_numpy())
        frame = made.select(keys).rename(dict(zip(keys, columns, strict=True)))
        return replace(self, frame=frame, columns=columns, person=person, row_start=start, row=row, notes=notes)


def left_out(names: Sequence[str], columns: Mapping[str, Column]) -> list[str]:
    """The notes about columns of a table that are not read."""
    used = {name for c in columns.values() for name in c.from_}
    return [
        *(made_of(c) for c in columns.values() if c.from_),
        *(f"Column {name!r} is not in the plan and is left out." for name in names if name not in {*columns, *used}),
        *(f"Column {c.name!r} is an identifier and is removed." for c in columns.values() if c.role == ROLES[0]),
    ]


def made_of(column: Column) -> str:
    what = "the names of those that say so" if column.marks else "the cells"
    return f"Column {column.name!r} is made of {len(column.from_)} columns of the table: {what} are its items."


def becomes_set(name: str) -> str:
    return f"Column {name!r} has several values for some persons and becomes a set."


def united(rows: int, records: int) -> str:
    return f"The {rows:,} rows make {records:,} records, one per person."


def _names_itself(name: str) -> bool:
    """Whether polars finds a column by this name: it takes ^…$ for a pattern, which need not fit itself."""
    import polars as pl

    try:
        return pl.DataFrame({name: [0]}).select(pl.col(name)).width == 1
    except pl.exceptions.PolarsError:
        return False


def _united(key: str, c: Column) -> "pl.Expr":
    """The values of a person: of numbers and dates that are masked the middle one, else a list without repetitions."""
    import polars as pl

    values = (pl.col(key).explode() if c.kind == "set" else pl.col(key)).drop_nulls()
    if c.kind in ("number", "date") and c.role == "quasi-identifier":
        return values.sort().slice((values.len() - 1) // 2, 1).first()
    return values.sort() if c.multiplicity or c.kind == "text" else values.unique().sort()


def class_numbers(frame: "pl.DataFrame", confidential: Collection[str] = ()) -> Long:
    """The class of every row, numbered from 0 in the order in which they first appear."""
    import polars as pl

    kept = [name for name in frame.columns if name not in confidential]
    if not kept:
        return np.zeros(frame.height, np.int64)
    # by position: polars takes some names ("*", "^a$") for patterns
    plain = pl.DataFrame([frame[name].alias(f"{i}") for i, name in enumerate(kept)]).with_row_index("row")
    first = plain.select(pl.col("row").min().over([f"{i}" for i in range(len(kept))])).to_series().to_numpy()
    return np.unique(first, return_inverse=True)[1].astype(np.int64)

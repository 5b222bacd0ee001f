"""From cells as written to sets, numbers and dates; what cannot be read is named by its row, never by its value."""

import datetime as dt
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadCells, BadInput
from taxonym.io.canonical import canonical_cells
from taxonym.io.delimited import split_cell
from taxonym.knowledge.arrays import Floats, Mask
from taxonym.records.column import Column

if TYPE_CHECKING:
    import polars as pl

_BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace())  # what str.strip takes away


def typed(series: "pl.Series", column: Column, where: str, missing: tuple[str, ...]) -> "pl.Series":
    """A column as its kind asks for; null where there is no value. Texts get their one form (io.canonical) here, but
    for those that only say whose row it is: two persons must not become one."""
    import polars as pl

    if series.dtype in (pl.Categorical, pl.Enum):
        series = series.cast(pl.String)
    if series.dtype == pl.String:
        series = series.str.strip_chars(_BLANKS)
        if column.role != "identifier" and column.kind in ("nominal", "text"):
            series = canonical_cells(series, column.kind == "text" and column.role == "quasi-identifier")
        series = series.set(series.is_in(["", *missing]), None)
    if series.dtype.is_float():
        series = _one_zero(series.fill_nan(None))
    if series.dtype.is_numeric() and (marks := _numbers_in(missing)):
        series = series.set(series.cast(pl.Float64).is_in(marks), None)
    nested = isinstance(series.dtype, pl.List | pl.Array)
    if (nested and column.kind != "set") or series.dtype in (pl.Struct, pl.Object, pl.Binary):
        what = 'lists. Set kind = "set"' if nested else "objects. Turn them into text"
        raise BadInput(f"{where}: column {series.name!r}: holds {what}, or leave the column out.")
    if parse := {"set": _sets, "number": _numbers, "date": _dates}.get(column.kind):
        return parse(series, column, where)
    return series if column.kind == "nominal" and column.role != "quasi-identifier" else series.cast(pl.String)


def _numbers_in(marks: tuple[str, ...]) -> list[float]:
    """The marks that are numbers: in a file that has types, 999 is one, too."""
    found = []
    for mark in marks:
        with suppress(ValueError):
            found.append(float(mark))
    return [number for number in found if number == number]


def _sets(series: "pl.Series", column: Column, where: str) -> "pl.Series":
    """Lists of trimmed terms, null where there is none. Cells with quotes are split one by one, all others at once."""
    import polars as pl

    term = pl.element().str.strip_chars(_BLANKS)
    trimmed = pl.col("set").list.eval(term.filter(term != ""))
    if isinstance(series.dtype, pl.List | pl.Array):
        made = pl.DataFrame({"set": series.cast(pl.List(pl.String))}).with_columns(trimmed)
    else:
        cells = pl.DataFrame({"set": series.cast(pl.String).fill_null("")}).with_row_index()
        quoted = cells["set"].str.contains('"', literal=True)
        apart = [split_cell(cell, column.separator) for cell in cells["set"].filter(quoted)]
        plain = cells.filter(~quoted).with_columns(pl.col("set").str.split(column.separator)).with_columns(trimmed)
        late = cells.filter(quoted).with_columns(pl.Series("set", apart, pl.List(pl.String)))
        made = pl.concat([plain, late]).sort("index")
    items = made["set"].explode()
    if (formed := canonical_cells(items)) is not items:
        one = dict(zip(items.to_list(), formed.to_list(), strict=True))
        sets = [cell and [one[item] for item in cell] for cell in made["set"].to_list()]
        made = pl.DataFrame({"set": pl.Series(sets, dtype=pl.List(pl.String))}).with_columns(trimmed)
    if not column.multiplicity:
        made = made.with_columns(pl.col("set").list.unique(maintain_order=True))
    return made.select(pl.when(pl.col("set").list.len() > 0).then("set").alias(series.name)).to_series()


def _numbers(series: "pl.Series", column: Column, where: str) -> "pl.Series":
    import polars as pl

    if series.dtype.is_integer():
        return series
    series = series.cast(pl.String) if series.dtype.is_temporal() else series
    if series.dtype == pl.String:
        series = series.str.replace(",", ".", literal=True) if column.decimal == "," else series
        whole = series.cast(pl.Int64, strict=False)
        if whole.null_count() == series.null_count():
            return whole
    made = _one_zero(series.cast(pl.Float64, strict=False))
    wrong = (series.is_not_null() & ~made.is_finite().fill_null(False)).to_numpy()
    fix = f'Write it like 12{column.decimal}5, set decimal, or set kind = "nominal".'
    complain(where, series.name, wrong, "is not a finite number", fix)
    return made


def _one_zero(series: "pl.Series") -> "pl.Series":
    return series.set(series == 0, 0.0)  # -0 is the same number


def _dates(series: "pl.Series", column: Column, where: str) -> "pl.Series":
    """Dates, or moments in UTC if any has a time of day; the cells of one value are read once."""
    import polars as pl

    if series.dtype in (pl.Date, pl.Datetime):
        aware = isinstance(series.dtype, pl.Datetime) and series.dtype.time_zone is not None
        return series.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if aware else series
    series = series.cast(pl.String)
    read = {text: _moment(text, column.format) for text in series.unique().to_list() if text is not None}
    wrong = np.array([text is not None and read[text] is None for text in series.to_list()])
    how = f"like {column.format}" if column.format else "like 2024-12-31, or name the format, such as %d/%m/%Y"
    complain(where, series.name, wrong, "is not a date", f"Write it {how}.")
    moments = pl.Series(series.name, [text and read[text] for text in series.to_list()], pl.Datetime("us"))
    return moments if any(m and m.time() != dt.time() for m in read.values()) else moments.cast(pl.Date)


def as_numbers(series: "pl.Series") -> Floats:
    """Numbers, or dates in days since 1970; NaN where missing."""
    import polars as pl

    if series.dtype.is_temporal():
        series = series.cast(pl.Datetime("us")).cast(pl.Int64) / 86_400e6
    return series.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _moment(text: str, format: str | None) -> dt.datetime | None:
    with suppress(ValueError, OverflowError):
        made = dt.datetime.strptime(text, format) if format else dt.datetime.fromisoformat(text)
        return made.astimezone(dt.UTC).replace(tzinfo=None) if made.tzinfo else made
    return None


def complain(where: str, column: str, wrong: Mask, what: str, fix: str, rows: Any = None) -> None:
    """Raise if anything is wrong; the first is named by its row, never by what it holds. `rows`: first row of each."""
    found = np.flatnonzero(wrong)
    if len(found):
        first, things = (found[0] + 1, "rows") if rows is None else (rows[int(found[0])], "records")
        raise BadCells(where, column, what, fix, len(found), len(wrong), things, int(first))

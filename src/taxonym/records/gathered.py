"""Several columns that are one set: SYMPTOM1 to SYMPTOM5, or a column for each choice of a form.

The items of a row are the cells of the columns or, where `marks` says which cells mean yes, the names of the columns
without what all of them begin with: pet_dog and pet_cat are dog and cat.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from taxonym.errors import BadInput, BadPlan
from taxonym.records.column import Column, meant

if TYPE_CHECKING:
    import polars as pl


def gathered(
    raw: "pl.DataFrame", columns: Mapping[str, Column], where: str, missing: Collection[str]
) -> "pl.DataFrame":
    """The table with a column of lists for every set that is made of columns."""
    for column in columns.values():
        if column.from_:
            check_sources(raw.columns, column, where)
            raw = _without(raw, column.name).with_columns(_lists(raw, column, missing))
    return raw


def check_sources(names: Sequence[str], column: Column, where: str) -> None:
    """Complain if a set cannot be made of the columns that there are."""
    for name in column.from_:
        if name not in names:
            fix = f"{meant(name, names)} Correct columns.{column.name}.from."
            raise BadInput(f"{where}: there is no column {name!r} among its {len(names)}.{fix}")
    if column.name in names and column.name not in column.from_:
        raise BadPlan(
            f"columns.{column.name}.from: the table has a column of this name, too. Give the set another name."
        )


def item_names(names: Sequence[str]) -> list[str]:
    """What columns stand for whose cells say yes or no: their names in words, without a common beginning."""
    first, last = min(names), max(names)
    shared = next((first[:i] for i in range(len(first), 0, -1) if last.startswith(first[:i])), "")
    cut = max((shared.rfind(mark) + 1 for mark in "_.:-/ ["), default=0)
    plain = [re.sub(r"[_.]+", " ", name[cut:]).strip(" ]") for name in names]
    return plain if all(plain) and len({*plain}) == len(plain) else list(names)


def _without(raw: "pl.DataFrame", name: str) -> "pl.DataFrame":
    return raw.drop(name) if name in raw.columns else raw


def _lists(raw: "pl.DataFrame", column: Column, missing: Collection[str]) -> "pl.Series":
    """The items of every row, in the order of the columns."""
    import polars as pl

    no = {"", *missing}
    if column.marks:
        yes = {mark.strip().casefold() for mark in column.marks}
        names = item_names(column.from_)
        held = [[text is not None and text.casefold() in yes for text in _texts(raw[name])] for name in column.from_]
        rows = [[item for item, has in zip(names, row, strict=True) if has] for row in zip(*held, strict=True)]
        return pl.Series(column.name, rows, pl.List(pl.String))
    cells = [_texts(raw[name]) if not _nested(raw[name]) else raw[name].to_list() for name in column.from_]
    rows = [[item for cell in row for item in _items(cell) if item not in no] for row in zip(*cells, strict=True)]
    return pl.Series(column.name, rows, pl.List(pl.String))


def _nested(series: "pl.Series") -> bool:
    import polars as pl

    return isinstance(series.dtype, pl.List | pl.Array)


def _items(cell: object) -> list[str]:
    if cell is None:
        return []
    return [str(item) for item in cell if item is not None] if isinstance(cell, list) else [str(cell)]


def _texts(series: "pl.Series") -> list[str | None]:
    """Cells as texts; whole numbers without a point, as 1 is written in one file and 1.0 in another."""
    import polars as pl

    if series.dtype.is_float():
        return [None if v is None or v != v else str(int(v)) if v == int(v) else repr(v) for v in series.to_list()]
    return series.cast(pl.String).str.strip_chars().to_list()

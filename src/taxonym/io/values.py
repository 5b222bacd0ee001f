"""Columns from Python values, as JSON, workbooks and lists of dicts have them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from types import NoneType
from typing import TYPE_CHECKING, Any

from taxonym.errors import BadInput

if TYPE_CHECKING:
    import polars as pl


class _Long(int):
    """The kind of a number that no column of numbers holds."""


def kind_of(value: Any) -> type:
    """The kind of a value, as `series` asks for it."""
    return _Long if type(value) is int and abs(value) >= 2**63 else type(value)


def series(name: str, values: list[Any], where: str, kinds: set[type] | None = None, first: int = 1) -> "pl.Series":
    """Numbers, truth values or dates where all are, else text; lists of text if there is any list. `kinds` are those of
    the whole column, of which these are the values from row `first` on."""
    import polars as pl

    def word(value: Any, row: int) -> str | None:
        if isinstance(value, list | dict):
            fix = "Let it be text, a number or a list of texts."
            raise BadInput(f"{where}: column {name!r}: row {row}: holds an object or a list of lists. {fix}")
        if value is None or isinstance(value, str):
            return value
        return json.dumps(value) if isinstance(value, bool | int | float) else str(value)

    kinds = ({kind_of(value) for value in values} if kinds is None else kinds) - {NoneType}
    if list in kinds:
        lists = [v if v is None or isinstance(v, list) else [v] for v in values]
        words = [v and [w for x in v if (w := word(x, row)) is not None] for row, v in enumerate(lists, first)]
        try:
            return pl.Series(name, words, pl.List(pl.String))
        except UnicodeEncodeError:
            raise half_a_letter(name, where) from None
    if kinds in ({bool}, {int}):
        return pl.Series(name, values, pl.Boolean if kinds == {bool} else pl.Int64)
    if float in kinds and kinds <= {int, float, _Long}:
        return pl.Series(name, values, pl.Float64, strict=False)
    if kinds in ({date}, {datetime}):
        return pl.Series(name, values, pl.Date if kinds == {date} else pl.Datetime("us"), strict=False)
    try:
        return pl.Series(name, [word(v, row) for row, v in enumerate(values, first)], pl.String)
    except UnicodeEncodeError:
        raise half_a_letter(name, where) from None


def half_a_letter(name: str, where: str) -> BadInput:
    """What is wrong with a text that JSON and Python allow, and no file in UTF-8 can hold."""
    return BadInput(f"{where}: column {name!r}: holds half of a letter (a lone surrogate), which is no Unicode text.")


def table_of(rows: Sequence[Mapping[str, Any]], where: str) -> "pl.DataFrame":
    """Objects as a table; the columns are all the keys, in the order in which they first appear."""
    import polars as pl

    names = dict.fromkeys(key for row in rows for key in row)
    return pl.DataFrame([series(name, [row.get(name) for row in rows], where) for name in names])


def header(names: Iterable[str], where: str, fix: str) -> tuple[str, ...]:
    """The names of columns; one without a name gets its number, and no two may be the same."""
    found = [name.strip() or f"column {i}" for i, name in enumerate(names, 1)]
    for i, name in enumerate(found):
        if (before := found.index(name)) < i:
            raise BadInput(f"{where}: columns {before + 1} and {i + 1} have the same name. {fix}")
    return tuple(found)

"""Other people's tables, in and out: polars, pandas, pyarrow, DuckDB, lists of dicts, and whatever speaks Arrow.

The rows of a release are other rows than those that were given, in another order: the index of a pandas table never
goes from one to the other. An index that has a name is a column like any other, and is the index again if it is
published; one without a name numbers rows, and is left out.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadInput, MissingExtra
from taxonym.io import files
from taxonym.io.delimited import Dialect
from taxonym.io.forks import check_process
from taxonym.io.values import half_a_letter, table_of

if TYPE_CHECKING:
    import polars as pl

_KINDS = "a polars, pandas, pyarrow or DuckDB table, a list of dicts, or a path"


def as_polars(source: Any, dialect: Dialect | None = None) -> "pl.DataFrame":
    """A table of any kind, or the table in a file. A stream is read to its end, and cannot be read again."""
    import polars as pl

    check_process()
    if isinstance(source, str | Path):
        if "\n" in str(source):
            raise BadInput(f"a text of several lines is not the path of a table. Give {_KINDS}.")
        return files.read(source, dialect)
    if isinstance(source, pl.DataFrame | pl.LazyFrame):
        return source.lazy().collect()
    if isinstance(source, list | tuple):
        return _from_dicts(source)
    if _home(source) == "pandas" and hasattr(source, "columns"):
        return _from_pandas(source)
    try:
        if hasattr(source, "__arrow_c_stream__") or _home(source) == "pyarrow":
            return pl.DataFrame(source)
        if hasattr(source, "__dataframe__"):
            return pl.DataFrame(_interchange(source))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError, NotImplementedError):
        raise BadInput(f"the table: a {type(source).__name__} could not be read as Arrow. Give {_KINDS}.") from None
    raise BadInput(f"a {type(source).__name__} is not a table. Give {_KINDS}.")


def like(frame: "pl.DataFrame", original: Any) -> Any:
    """A frame as the kind of table that the caller gave; for a path or anything that cannot be made, a polars table."""
    home = _home(original)
    if home == "pyarrow":
        return frame.to_arrow()
    if home == "pandas":
        made = import_module("pandas").DataFrame(frame.to_dict(as_series=False))
        names = _index_names(original)
        return made.set_index(names) if names and set(names) <= set(frame.columns) else made
    if home in ("duckdb", "_duckdb"):
        return import_module("duckdb").from_arrow(frame.to_arrow())
    if isinstance(original, list | tuple):
        return frame.to_dicts()
    return frame.lazy() if type(original).__name__ == "LazyFrame" else frame


def _interchange(source: Any) -> Any:
    """What speaks the older protocol, as pyarrow reads it."""
    try:
        return import_module("pyarrow.interchange").from_dataframe(source)
    except ImportError:
        raise MissingExtra(
            f"the table: a {type(source).__name__} needs pyarrow. Install it with: pip install pyarrow."
        ) from None


def _home(source: Any) -> str:
    return type(source).__module__.split(".")[0]


# ---------------------------------------------------------------------- one kind at a time


def _from_dicts(rows: "list[Any] | tuple[Any, ...]") -> "pl.DataFrame":
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping) or not all(isinstance(name, str) for name in row):
            fix = "Give every row as a dict of its cells by the names of the columns."
            raise BadInput(f"the table: entry {number} of the list is not a dict with texts as keys. {fix}")
    return table_of([{name: _plain(cell) for name, cell in row.items()} for row in rows], "the table")


def _plain(cell: Any) -> Any:
    """A cell as JSON would have it: sets sorted, arrays and numbers of numpy as those of Python, NaN missing."""
    if isinstance(cell, set | frozenset):
        return sorted(map(str, cell))
    if isinstance(cell, tuple | np.ndarray):
        return [_plain(one) for one in cell]
    cell = cell.item() if isinstance(cell, np.generic) else cell
    return None if isinstance(cell, float) and cell != cell else cell


def _index_names(source: Any) -> list[str]:
    return [str(name) for name in source.index.names if name is not None]


def _from_pandas(source: Any) -> "pl.DataFrame":
    """Without pyarrow, which pandas' own way would need."""
    import polars as pl

    if index := _index_names(source):
        unnamed = [level for level, name in enumerate(source.index.names) if name is None]
        try:
            source = (source.reset_index(level=unnamed, drop=True) if unnamed else source).reset_index()
        except ValueError:
            raise BadInput(
                f"the table: its index and a column have the same name ({', '.join(index)}). Rename one."
            ) from None
    if not source.columns.is_unique or len({str(name) for name in source.columns}) < len(source.columns):
        raise BadInput("the table: two columns have the same name. Rename one.")
    columns: list[pl.Series] = []
    for label in source.columns:
        name = str(label)
        try:
            columns.append(_pandas_column(name, source[label]))
        except UnicodeEncodeError:
            raise half_a_letter(name, "the table") from None
    return pl.DataFrame(columns)


def _pandas_column(name: str, column: Any) -> "pl.Series":
    import polars as pl

    values = [None if gone else v for v, gone in zip(column.tolist(), column.isna(), strict=True)]
    if any(isinstance(v, list | tuple | set | frozenset | np.ndarray) for v in values):
        lists = [sorted(map(str, v)) if isinstance(v, set | frozenset) else v and [str(t) for t in v] for v in values]
        return pl.Series(name, lists, pl.List(pl.String))
    if len({type(v) for v in values} - {NoneType, int, float}) > 1:
        values = [v if v is None else str(v) for v in values]
    return pl.Series(name, values, None if any(v is not None for v in values) else pl.String, strict=False)

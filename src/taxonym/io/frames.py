"""Other people's tables: polars, pandas and pyarrow, in and out."""

from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadInput
from taxonym.io import files
from taxonym.io.delimited import Dialect
from taxonym.io.forks import check_process

if TYPE_CHECKING:
    import polars as pl


def as_polars(source: Any, dialect: Dialect | None = None) -> "pl.DataFrame":
    """A polars, pandas or pyarrow table, or the table in a file. The index of a pandas table is left out."""
    import polars as pl

    check_process()
    if isinstance(source, str | Path):
        return files.read(source, dialect)
    if isinstance(source, pl.DataFrame | pl.LazyFrame):
        return source.lazy().collect()
    home = type(source).__module__.split(".")[0]
    if home == "pyarrow":
        return pl.DataFrame(source)
    if home == "pandas" and hasattr(source, "columns"):
        if not source.columns.is_unique:
            raise BadInput("the table: two columns have the same name. Rename one.")
        return pl.DataFrame([_from_pandas(str(name), source[name]) for name in source.columns])
    raise BadInput(f"a {type(source).__name__} is not a table. Give a polars, pandas or pyarrow table, or a path.")


def _from_pandas(name: str, column: Any) -> "pl.Series":
    """Without pyarrow, which pandas' own way would need."""
    import polars as pl

    values = [None if gone else v for v, gone in zip(column.tolist(), column.isna(), strict=True)]
    if any(isinstance(v, list | tuple | set | frozenset | np.ndarray) for v in values):
        lists = [sorted(map(str, v)) if isinstance(v, set | frozenset) else v and [str(t) for t in v] for v in values]
        return pl.Series(name, lists, pl.List(pl.String))
    if len({type(v) for v in values} - {NoneType, int, float}) > 1:
        values = [v if v is None else str(v) for v in values]
    return pl.Series(name, values, None if any(v is not None for v in values) else pl.String, strict=False)


def like(frame: "pl.DataFrame", original: Any) -> Any:
    """A frame as the kind of table that the caller gave; for a path, the frame itself."""
    home = type(original).__module__.split(".")[0]
    if home == "pyarrow":
        return frame.to_arrow()
    if home == "pandas":
        return import_module("pandas").DataFrame(frame.to_dict(as_series=False))
    return frame.lazy() if type(original).__name__ == "LazyFrame" else frame

"""Files of statistics packages: SPSS, Stata and SAS. Codes that have labels become the words of these."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from taxonym.errors import BadInput, MissingExtra
from taxonym.io.compressed import UNPACKED
from taxonym.io.delimited import Dialect
from taxonym.io.sizes import gigabytes

if TYPE_CHECKING:
    import polars as pl

READERS = {"sav": "read_sav", "zsav": "read_sav", "por": "read_por", "dta": "read_dta", "sas7bdat": "read_sas7bdat",
           "xpt": "read_xport"}  # fmt: skip
_CELL = 8  # bytes at least


def read_statistics(file: BinaryIO, where: str, dialect: Dialect, reader: str) -> "pl.DataFrame":
    """A table with words where every value of a column has a label, and numbers, dates and texts elsewhere."""
    try:
        import pyreadstat
    except ImportError:
        raise MissingExtra(
            f"{where}: SPSS, Stata and SAS files need an extra part. Install it with: pip install "
            f"'taxonym[statistics]'."
        ) from None
    read = partial(getattr(pyreadstat, reader), output_format="polars")
    try:
        file.seek(0)
        _, about = read(file, metadataonly=True)
        if (need := _CELL * (about.number_rows or 0) * about.number_columns) > (dialect.max_unpacked or UNPACKED):
            raise BadInput(
                f"{where}: says that it holds {gigabytes(need)} of numbers. If it does, allow more: --max-unpacked, or "
                f"max_unpacked under [input]."
            )
        file.seek(0)
        frame, about = read(file, encoding=dialect.encoding) if dialect.encoding else read(file)
    except BadInput:
        raise
    except Exception:  # what the library raises for a damaged file has no one kind, and may hold a value
        name = {"read_sav": "SPSS", "read_por": "SPSS", "read_dta": "Stata"}.get(reader, "SAS")
        fix = 'Save it again, or name its encoding: encoding = "latin-1" under [input].'
        raise BadInput(f"{where}: is not a sound {name} file. {fix}") from None
    labels = about.variable_value_labels if dialect.labels else {}
    import polars as pl

    return pl.DataFrame([_column(column, labels.get(column.name, {})) for column in frame])


def statistics_batches(file: BinaryIO, where: str, dialect: Dialect, reader: str) -> "Iterator[pl.DataFrame]":
    """The whole file: it is not read in parts."""
    yield read_statistics(file, where, dialect, reader)


def _column(column: "pl.Series", labels: Mapping[Any, str]) -> "pl.Series":
    """Words for codes if all of them have some: of a scale from 1 to 10 whose ends are named, the numbers stay. Numbers
    without a fraction are whole ones."""
    import polars as pl

    if column.dtype == pl.String or column.dtype == pl.Object:
        texts = [None if value is None or not str(value).strip() else str(value).strip() for value in column.to_list()]
        column = pl.Series(column.name, texts, pl.String)
    elif column.dtype.is_float():
        column = column.fill_nan(None)
        known = column.drop_nulls()
        if known.is_finite().all() and (known == known.round()).all() and (known.abs() < 2**53).all():
            column = column.cast(pl.Int64)
    values = column.drop_nulls().unique().to_list()
    if values and labels and all(value in labels for value in values):
        words = {value: labels[value].strip() or None for value in values}
        column = pl.Series(column.name, [words.get(value) for value in column.to_list()], pl.String)
    return column

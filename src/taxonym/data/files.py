"""The person's files, in and out: CSV, TSV, Parquet and JSON lines, all of them also gzipped.

Lists stand as they are in Parquet and JSON lines; in CSV and TSV they are one cell, the terms joined by a separator
(delimited.join_cell). Rows are counted from 1, the header not included; lines with it.
"""

import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from taxonym.atomic import whole_file
from taxonym.data.delimited import CHUNK, Dialect, encoding_of, flat, read_csv, text_lines, write_csv
from taxonym.errors import BadInput

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file. Flat ones have no lists."""

    suffixes: tuple[str, ...]
    read: "Callable[[BinaryIO, str, Dialect], pl.DataFrame]"
    write: "Callable[[pl.DataFrame, BinaryIO], object]"
    flat: bool = False


# ---------------------------------------------------------------------- the two doors


def read(path: str | Path, dialect: Dialect | None = None) -> "pl.DataFrame":
    """The table in a file; every column of a CSV or TSV file is text.

    Memory: the frame (about the bytes of the unpacked file plus 16 per cell) and 5,000 rows as Python strings. JSON
    lines are Python objects (some 100 bytes per value) until the frame is made.
    """
    format, _ = format_of(Path(path))
    try:
        with Path(path).open("rb") as file:
            return _read(file, format, str(path), dialect or Dialect())
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}). Check its name and that you may read it.") from None


def write(
    table: "pl.DataFrame",
    path: str | Path,
    *,
    separators: Mapping[str, str] | None = None,
    verify: "Callable[[pl.DataFrame], object] | None" = None,
    private: bool = False,
) -> None:
    """Write a table whole or not at all; the same table gives the same bytes.

    Before the file gets its name it is read back as anybody would read it, and `verify` may raise what it likes about
    the frame it gets; then nothing is left behind. `separators` joins the lists of a column in CSV and TSV. `private`
    lets only the owner read the file. Memory beside the table: 5,000 rows as bytes (Parquet: the whole file), and for
    `verify` what read() needs.
    """
    path = Path(path)
    format, packed = format_of(path)
    table = flat(table, separators or {}, path) if format.flat else table
    with whole_file(path, private=private) as file:
        if packed:
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as archive:
                format.write(table, cast(BinaryIO, archive))
        else:
            format.write(table, file)
        if verify is not None:
            file.flush()
            with os.fdopen(os.dup(file.fileno()), "rb") as again:
                verify(_read(again, format, str(path), Dialect()))


def format_of(path: Path) -> tuple[Format, bool]:
    """The format that a file's name tells, and whether it is gzipped."""
    name = path.name.lower()
    for format in FORMATS.values():
        if name.removesuffix(".gz").endswith(format.suffixes):
            return format, name.endswith(".gz")
    known = ", ".join(suffix for format in FORMATS.values() for suffix in format.suffixes)
    raise BadInput(f"{path}: its name does not tell the format. Let it end in {known}, or these and .gz.")


def _read(file: BinaryIO, format: Format, where: str, dialect: Dialect) -> "pl.DataFrame":
    file.seek(0)
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    try:
        with cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file as plain:
            frame = format.read(plain, where, dialect)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise BadInput(f"{where}: the gzip archive is damaged or cut short. Fetch or pack it again.") from None
    if not frame.width:
        raise BadInput(f"{where}: the file is empty. Is it the right file?")
    if not frame.height:
        raise BadInput(f"{where}: has column names but no rows. Is it the right file?")
    return frame


# ---------------------------------------------------------------------- JSON lines and Parquet


def _read_jsonl(file: BinaryIO, where: str, dialect: Dialect) -> "pl.DataFrame":
    """An object per line; the columns are all the keys, in the order in which they first appear."""
    import polars as pl

    columns: dict[str, list[Any]] = {}
    count = 0
    for number, line in enumerate(text_lines(file, where, encoding_of(file, where, dialect)), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if "\\u" in line:  # half a surrogate pair is no text
                json.dumps(row, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise BadInput(f"{where}: line {number}: is not a sound JSON object. Write one {{…}} per line.")
        columns |= {key: [None] * count for key in row if key not in columns}
        for key, values in columns.items():
            values.append(row.get(key))
        count += 1
    return pl.DataFrame([_series(name, values, where) for name, values in columns.items()])


def _series(name: str, values: list[Any], where: str) -> "pl.Series":
    """Numbers or truth values where all are, else text; lists of text if there is any list."""
    import polars as pl

    def word(value: Any, row: int) -> str | None:
        if isinstance(value, list | dict):
            fix = "Let it be text, a number or a list of texts."
            raise BadInput(f"{where}: column {name!r}: row {row}: holds an object or a list of lists. {fix}")
        return value if value is None or isinstance(value, str) else json.dumps(value)

    kinds = {type(value) for value in values if value is not None}
    if list in kinds:
        lists = [v if v is None or isinstance(v, list) else [v] for v in values]
        words = [v and [w for x in v if (w := word(x, row)) is not None] for row, v in enumerate(lists, 1)]
        return pl.Series(name, words, pl.List(pl.String))
    if kinds == {bool} or (kinds == {int} and all(v is None or abs(v) < 2**63 for v in values)):
        return pl.Series(name, values)
    if float in kinds and kinds <= {int, float}:
        return pl.Series(name, values, pl.Float64, strict=False)
    return pl.Series(name, [word(v, row) for row, v in enumerate(values, 1)], pl.String)


def _write_jsonl(frame: "pl.DataFrame", file: BinaryIO) -> None:
    for part in frame.iter_slices(CHUNK):
        file.write(part.write_ndjson().encode())


def _read_parquet(file: BinaryIO, where: str, dialect: Dialect) -> "pl.DataFrame":
    import polars as pl

    try:
        if _ends_as_parquet(file):
            return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # the latter is no Exception
        pass
    raise BadInput(f"{where}: is not a sound Parquet file. Fetch or write it again.")


def _ends_as_parquet(file: BinaryIO) -> bool:
    """PAR1 … footer, its length in 4 bytes, PAR1. Polars panics, and prints that it does, where this is not so."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(4)
    file.seek(max(0, size - 8))
    length, tail = file.read(4), file.read(4)
    file.seek(0)
    return size >= 12 and head == tail == b"PAR1" and int.from_bytes(length, "little") <= size - 12


def _write_parquet(frame: "pl.DataFrame", file: BinaryIO) -> None:
    buffer = io.BytesIO()  # so that a full disk is an OSError of ours
    frame.write_parquet(buffer)
    file.write(buffer.getbuffer())


FORMATS = {
    "csv": Format((".csv", ".txt"), read_csv, write_csv, flat=True),
    "tsv": Format((".tsv", ".tab"), partial(read_csv, usual="\t"), partial(write_csv, delimiter="\t"), flat=True),
    "jsonl": Format((".jsonl", ".ndjson"), _read_jsonl, _write_jsonl),
    "parquet": Format((".parquet", ".pq"), _read_parquet, _write_parquet),
}

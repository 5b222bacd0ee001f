"""The person's files, in and out: CSV, TSV, Parquet, JSON lines and arrays; in also Excel, SPSS, Stata and SAS. All of
them also packed (.gz, .zst).

Lists stand as they are in Parquet and JSON lines; in CSV and TSV they are one cell, the terms joined by a separator
(delimited.join_cell). Rows are counted from 1, the header not included; lines with it.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from taxonym.errors import BadInput
from taxonym.io.atomic import Together, whole_file
from taxonym.io.compressed import PACKED, as_it_is, opened, packing, unpacked
from taxonym.io.delimited import Dialect, csv_batches, flat, read_csv, write_csv
from taxonym.io.forks import check_process
from taxonym.io.objects import object_batches, read_objects, write_array, write_lines
from taxonym.io.parquet import BATCH, parquet_batches, read_parquet, write_parquet
from taxonym.io.statistics import READERS, read_statistics, statistics_batches
from taxonym.io.workbook import read_workbook, workbook_batches

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BATCH", "FORMATS", "Format", "files_of", "fingerprint", "format_of", "read", "read_batches", "write"]


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file. Flat ones have no lists; some are only read."""

    suffixes: tuple[str, ...]
    read: "Callable[[BinaryIO, str, Dialect], pl.DataFrame]"
    batches: "Callable[[BinaryIO, str, Dialect], Iterator[pl.DataFrame]]"
    write: "Callable[[Iterator[pl.DataFrame], BinaryIO], object] | None" = None
    flat: bool = False


# ---------------------------------------------------------------------- the two doors


def read(path: str | Path, dialect: Dialect | None = None) -> "pl.DataFrame":
    """The table in a file; every column of a CSV or TSV file is text.

    Memory: the frame (about the bytes of the unpacked file plus 16 per cell) and 5,000 rows as Python strings. JSON
    lines are Python objects (some 100 bytes per value) until the frame is made.
    """
    check_process()
    if Path(path).is_dir():
        return _read_folder(Path(path))
    dialect = dialect or Dialect()
    format, _ = format_of(Path(path), dialect.format)
    with opened(path, dialect.max_unpacked) as plain:
        frame = format.read(plain, str(path), dialect)
    _check_filled(frame, str(path))
    return frame


def _read_folder(folder: Path) -> "pl.DataFrame":
    """The Parquet files of a folder, as Spark writes them: one table."""
    import polars as pl

    whole = pl.concat(_folder_pieces(folder))
    _check_filled(whole, str(folder))
    return whole


def _folder_pieces(folder: Path) -> "Iterator[pl.DataFrame]":
    """One file after the other; all must have the same columns."""
    schema = None
    for path in files_of(folder):
        with as_it_is(path) as file:
            for piece in parquet_batches(file, str(path), Dialect()):
                schema = schema or piece.schema
                if piece.schema != schema:
                    raise BadInput(f"{path}: has other columns or types than the files before it. Write them alike.")
                yield piece


def files_of(path: str | Path) -> list[Path]:
    """The file itself, or the Parquet files of a folder in the order of their names."""
    path = Path(path)
    if not path.is_dir():
        return [path]
    if found := [p for p in sorted(path.glob("*.parquet")) if not p.name.startswith((".", "_"))]:
        return found
    raise BadInput(
        f"{path}: is a folder without Parquet files. Name a file, or a folder that has some; if it holds documents, "
        f"say so: --kind documents."
    )


def fingerprint(path: Path) -> str:
    """SHA-256 of a file, or of the names and fingerprints of a folder's files."""
    if path.is_dir():
        lines = [f"{file.relative_to(path).as_posix()} {fingerprint(file)}\n" for file in files_of(path)]
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_batches(path: str | Path, dialect: Dialect | None = None) -> "Iterator[pl.DataFrame]":
    """The table in a file, some thousands of rows at a time, which together are what read() gives.

    Memory: one batch. Text files are read twice, the first time only to find out how they are written.
    """
    check_process()
    if Path(path).is_dir():
        yield from _gathered(_folder_pieces(Path(path)), str(path))
        return
    dialect = dialect or Dialect()
    format, _ = format_of(Path(path), dialect.format)
    with opened(path, dialect.max_unpacked) as plain:
        yield from _gathered(format.batches(plain, str(path), dialect), str(path))


def _gathered(pieces: "Iterator[pl.DataFrame]", where: str) -> "Iterator[pl.DataFrame]":
    """Batches from smaller pieces; there must be rows."""
    import polars as pl

    height, waiting = 0, list[pl.DataFrame]()
    for piece in pieces:
        waiting.append(piece)
        height += piece.height
        if sum(part.height for part in waiting) >= BATCH:
            yield pl.concat(waiting)
            waiting.clear()
    last = pl.concat(waiting) if waiting else pl.DataFrame()
    if not height:
        _check_filled(last, where)
    if last.height:
        yield last


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
    import polars as pl

    whole = None if verify is None else lambda batches: verify(pl.concat(batches))
    write_batches(iter([table]), path, separators=separators, verify=whole, private=private)


def write_batches(
    frames: "Iterator[pl.DataFrame]",
    path: str | Path,
    *,
    separators: Mapping[str, str] | None = None,
    verify: "Callable[[Iterator[pl.DataFrame]], object] | None" = None,
    private: bool = False,
    together: Together | None = None,
) -> None:
    """write() for a table that comes, and is looked at again, in batches. Memory: one batch.

    The file gets its name when all files that are written `together` do.
    """
    check_process()
    path = Path(path)
    format, packed = format_of(path)
    write = writer_of(path)
    if format.flat:
        frames = (flat(frame, separators or {}, path) for frame in frames)
    with whole_file(path, private, together) as file:
        with packing(file, packed, str(path)) as plain:
            write(frames, plain)
        if verify is not None:
            file.flush()
            with os.fdopen(os.dup(file.fileno()), "rb") as again, unpacked(again, str(path)) as plain:
                verify(_gathered(format.batches(plain, str(path), Dialect()), str(path)))


def format_of(path: Path, named: str | None = None) -> tuple[Format, str]:
    """The format that is named, or that a file's name tells, and how the name says that it is packed (.gz, .zst or
    not at all)."""
    name = path.name.lower()
    packed = next((ending for ending in PACKED if name.endswith(ending)), "")
    if named is not None:
        return FORMATS[named], packed
    name = name.removesuffix(packed)
    for format in FORMATS.values():
        if name.endswith(format.suffixes):
            return format, packed
    known = ", ".join(suffix for format in FORMATS.values() for suffix in format.suffixes)
    log = " If it is a log, say so: --kind accesslog or --kind querylog." * name.endswith(".log")
    old = " Save it as .xlsx first." * name.endswith((".xls", ".xlsb", ".ods"))
    raise BadInput(
        f"{path}: its name does not tell the format.{old or f' Let it end in {known}, or these and .gz or .zst.'}{log}"
    )


def writer_of(path: Path) -> "Callable[[Iterator[pl.DataFrame], BinaryIO], object]":
    """How a file of this name is written; BadInput if it is of a kind that is only read."""
    format, _ = format_of(path)
    if format.write is None:
        known = ", ".join(suffix for one in FORMATS.values() if one.write is not None for suffix in one.suffixes)
        raise BadInput(f"{path}: files of this kind are only read. Let the name end in {known}.")
    return format.write


def _check_filled(frame: "pl.DataFrame", where: str) -> None:
    if not frame.width:
        raise BadInput(f"{where}: the file is empty. Is it the right file?")
    if not frame.height:
        raise BadInput(f"{where}: has column names but no rows. Is it the right file?")


# ---------------------------------------------------------------------- the formats


FORMATS = {
    "csv": Format((".csv", ".txt"), read_csv, csv_batches, write_csv, flat=True),
    "tsv": Format(
        (".tsv", ".tab"),
        partial(read_csv, usual="\t"),
        partial(csv_batches, usual="\t"),
        partial(write_csv, delimiter="\t"),
        flat=True,
    ),
    "jsonl": Format((".jsonl", ".ndjson"), read_objects, object_batches, write_lines),
    "json": Format((".json",), read_objects, object_batches, write_array),
    "parquet": Format((".parquet", ".pq"), read_parquet, parquet_batches, write_parquet),
    "excel": Format((".xlsx", ".xlsm"), read_workbook, workbook_batches),
} | {
    name: Format((f".{name}",), partial(read_statistics, reader=reader), partial(statistics_batches, reader=reader))
    for name, reader in READERS.items()
}

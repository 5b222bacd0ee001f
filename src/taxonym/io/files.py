"""The person's files, in and out: CSV, TSV, Parquet and JSON lines, all of them also gzipped.

Lists stand as they are in Parquet and JSON lines; in CSV and TSV they are one cell, the terms joined by a separator
(delimited.join_cell). Rows are counted from 1, the header not included; lines with it.
"""

import errno
import gzip
import hashlib
import io
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from taxonym.errors import BadInput
from taxonym.io.atomic import Together, whole_file
from taxonym.io.compressed import as_it_is, opened, unpacked
from taxonym.io.delimited import CHUNK, Dialect, csv_batches, encoding_of, flat, read_csv, text_lines, write_csv
from taxonym.io.forks import check_process
from taxonym.io.formulas import Formulas, unescape_formulas

if TYPE_CHECKING:
    import polars as pl

BATCH = 100_000  # rows of a large file that are looked at together


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file. Flat ones have no lists."""

    suffixes: tuple[str, ...]
    read: "Callable[[BinaryIO, str, Dialect], pl.DataFrame]"
    batches: "Callable[[BinaryIO, str, Dialect], Iterator[pl.DataFrame]]"
    write: "Callable[[Iterator[pl.DataFrame], BinaryIO], object]"
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
    format, _ = format_of(Path(path))
    with opened(path) as plain:
        frame = format.read(plain, str(path), dialect or Dialect())
    _check_filled(frame, str(path))
    return frame


def read_released(path: str | Path, kept: Collection[str] = ()) -> "pl.DataFrame":
    """A release as it was before it was written: without quotes before formulas, but in the columns that are `kept`."""
    frame = read(path)
    return unescape_formulas(frame, kept) if not Path(path).is_dir() and format_of(Path(path))[0].flat else frame


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
            for piece in _parquet_batches(file, str(path), Dialect()):
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
        return folder_fingerprint({file.relative_to(path).as_posix(): fingerprint(file) for file in files_of(path)})
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_fingerprint(digests: Mapping[str, str]) -> str:
    """That of a folder whose files have these, by name: SHA-256 of a line for each, name, blank and digest, sorted."""
    lines = [f"{name} {digest}\n" for name, digest in sorted(digests.items())]
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def read_batches(path: str | Path, dialect: Dialect | None = None) -> "Iterator[pl.DataFrame]":
    """The table in a file, some thousands of rows at a time, which together are what read() gives.

    Memory: one batch. Text files are read twice, the first time only to find out how they are written.
    """
    check_process()
    if Path(path).is_dir():
        yield from _gathered(_folder_pieces(Path(path)), str(path))
        return
    format, _ = format_of(Path(path))
    with opened(path) as plain:
        yield from _gathered(format.batches(plain, str(path), dialect or Dialect()), str(path))


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
    formulas: Formulas | None = None,
) -> None:
    """write() for a table that comes, and is looked at again, in batches. Memory: one batch.

    The file gets its name when all files that are written `together` do. `formulas` says what becomes of cells that
    spreadsheets take for formulas.
    """
    check_process()
    path = Path(path)
    format, packed = format_of(path)
    if format.flat:
        frames = (flat(frame, separators or {}, path) for frame in frames)
        if formulas is not None:
            frames = map(partial(formulas.written, where=str(path)), frames)
    with whole_file(path, private, together) as file:
        if packed:
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as archive:
                format.write(frames, cast(BinaryIO, archive))
        else:
            format.write(frames, file)
        if verify is not None:
            file.flush()
            with os.fdopen(os.dup(file.fileno()), "rb") as again, unpacked(again, str(path)) as plain:
                again_read = _gathered(format.batches(plain, str(path), Dialect()), str(path))
                if format.flat and formulas is not None:
                    again_read = map(partial(unescape_formulas, kept=formulas.kept), again_read)
                verify(again_read)


def format_of(path: Path) -> tuple[Format, bool]:
    """The format that a file's name tells, and whether it is gzipped."""
    name = path.name.lower()
    for format in FORMATS.values():
        if name.removesuffix(".gz").endswith(format.suffixes):
            return format, name.endswith(".gz")
    known = ", ".join(suffix for format in FORMATS.values() for suffix in format.suffixes)
    log = " If it is a log, say so: --kind accesslog or --kind querylog." * name.removesuffix(".gz").endswith(".log")
    raise BadInput(f"{path}: its name does not tell the format. Let it end in {known}, or these and .gz.{log}")


def _check_filled(frame: "pl.DataFrame", where: str) -> None:
    if not frame.width:
        raise BadInput(f"{where}: the file is empty. Is it the right file?")
    if not frame.height:
        raise BadInput(f"{where}: has column names but no rows. Is it the right file?")


# ---------------------------------------------------------------------- JSON lines and Parquet


def _read_jsonl(file: BinaryIO, where: str, dialect: Dialect) -> "pl.DataFrame":
    """An object per line; the columns are all the keys, in the order in which they first appear."""
    import polars as pl

    rows = list(_objects(file, where, dialect))
    names = dict.fromkeys(key for row in rows for key in row)
    return pl.DataFrame([_series(name, [row.get(name) for row in rows], where) for name in names])


def _jsonl_batches(file: BinaryIO, where: str, dialect: Dialect) -> "Iterator[pl.DataFrame]":
    """The same piece by piece; the file is looked through once before, for what its columns hold."""
    import polars as pl

    kinds: dict[str, set[type]] = {}
    for row in _objects(file, where, dialect):
        for name, value in row.items():
            kinds.setdefault(name, set()).add(_kind(value))
    rows = _objects(file, where, dialect)
    first = 1
    while chunk := list(islice(rows, CHUNK)):
        columns = {name: [row.get(name) for row in chunk] for name in kinds}
        yield pl.DataFrame([_series(name, values, where, kinds[name], first) for name, values in columns.items()])
        first += len(chunk)


def _objects(file: BinaryIO, where: str, dialect: Dialect) -> Iterator[dict[str, Any]]:
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
        yield row


class _Long(int):
    """The kind of a number that no column of numbers holds."""


def _kind(value: Any) -> type:
    return _Long if type(value) is int and abs(value) >= 2**63 else type(value)


def _series(name: str, values: list[Any], where: str, kinds: set[type] | None = None, first: int = 1) -> "pl.Series":
    """Numbers or truth values where all are, else text; lists of text if there is any list. `kinds` are those of the
    whole column, of which these are the values from row `first` on."""
    import polars as pl

    def word(value: Any, row: int) -> str | None:
        if isinstance(value, list | dict):
            fix = "Let it be text, a number or a list of texts."
            raise BadInput(f"{where}: column {name!r}: row {row}: holds an object or a list of lists. {fix}")
        return value if value is None or isinstance(value, str) else json.dumps(value)

    kinds = ({_kind(value) for value in values} if kinds is None else kinds) - {NoneType}
    if list in kinds:
        lists = [v if v is None or isinstance(v, list) else [v] for v in values]
        words = [v and [w for x in v if (w := word(x, row)) is not None] for row, v in enumerate(lists, first)]
        return pl.Series(name, words, pl.List(pl.String))
    if kinds in ({bool}, {int}):
        return pl.Series(name, values, pl.Boolean if kinds == {bool} else pl.Int64)
    if float in kinds and kinds <= {int, float, _Long}:
        return pl.Series(name, values, pl.Float64, strict=False)
    return pl.Series(name, [word(v, row) for row, v in enumerate(values, first)], pl.String)


def _write_jsonl(frames: "Iterator[pl.DataFrame]", file: BinaryIO) -> None:
    for part in (part for frame in frames for part in frame.iter_slices(CHUNK)):
        file.write(part.write_ndjson().encode())


def _read_parquet(file: BinaryIO, where: str, dialect: Dialect) -> "pl.DataFrame":
    import polars as pl

    try:
        if _ends_as_parquet(file):
            return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # the latter is no Exception
        pass
    raise BadInput(f"{where}: is not a sound Parquet file. Fetch or write it again.")


def _parquet_batches(file: BinaryIO, where: str, dialect: Dialect) -> "Iterator[pl.DataFrame]":
    """Slice by slice; polars reads the groups of rows that it needs."""
    import polars as pl

    try:
        if not _ends_as_parquet(file):
            raise pl.exceptions.ComputeError
        whole = pl.scan_parquet(file)
        height = whole.select(pl.len()).collect().item()
        for first in range(0, max(1, height), BATCH):
            yield whole.slice(first, BATCH).collect()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        raise BadInput(f"{where}: is not a sound Parquet file. Fetch or write it again.") from None


def _ends_as_parquet(file: BinaryIO) -> bool:
    """PAR1 … footer, its length in 4 bytes, PAR1. Polars panics, and prints that it does, where this is not so."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(4)
    file.seek(max(0, size - 8))
    length, tail = file.read(4), file.read(4)
    file.seek(0)
    return size >= 12 and head == tail == b"PAR1" and int.from_bytes(length, "little") <= size - 12


def _write_parquet(frames: "Iterator[pl.DataFrame]", file: BinaryIO) -> None:
    import polars as pl
    from polars.io.plugins import register_io_source

    frames = _of_equal_height(frames)  # which become groups of rows: the same table gives the same bytes
    first = next(frames)
    second = next(frames, None)
    if second is None:
        buffer = io.BytesIO()  # so that a full disk is an OSError of ours
        first.write_parquet(buffer)
        file.write(buffer.getbuffer())
        return
    every = chain((first, second), frames)

    def source(columns: Any, predicate: Any, rows: Any, size: Any) -> "Iterator[pl.DataFrame]":
        return every

    try:
        register_io_source(source, schema=first.schema).sink_parquet(file)
    except pl.exceptions.PolarsError as error:
        raise OSError(errno.EIO, "the Parquet file could not be finished") from error


def _of_equal_height(frames: "Iterator[pl.DataFrame]") -> "Iterator[pl.DataFrame]":
    """The same rows, BATCH at a time; the first comes even if it has none. Rows are taken one by one, so that it does
    not matter of which pieces a table was made: bytes of lists would tell."""
    import numpy as np
    import polars as pl

    waiting, begun = list[pl.DataFrame](), False
    for frame in frames:
        waiting.append(frame)
        while (height := sum(part.height for part in waiting)) > BATCH:
            whole = pl.concat(waiting, rechunk=True)
            begun = True
            yield whole[np.arange(BATCH)]
            waiting = [whole.slice(BATCH, height)]
    if waiting and (not begun or waiting[0].height):
        whole = pl.concat(waiting, rechunk=True)
        yield whole[np.arange(whole.height)]


FORMATS = {
    "csv": Format((".csv", ".txt"), read_csv, csv_batches, write_csv, flat=True),
    "tsv": Format(
        (".tsv", ".tab"),
        partial(read_csv, usual="\t"),
        partial(csv_batches, usual="\t"),
        partial(write_csv, delimiter="\t"),
        flat=True,
    ),
    "jsonl": Format((".jsonl", ".ndjson"), _read_jsonl, _jsonl_batches, _write_jsonl),
    "parquet": Format((".parquet", ".pq"), _read_parquet, _parquet_batches, _write_parquet),
}

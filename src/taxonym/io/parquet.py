"""Parquet files, and how they are written so that the same table gives the same bytes."""

import errno
import io
import os
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from taxonym.errors import BadInput
from taxonym.io.delimited import Dialect

if TYPE_CHECKING:
    import polars as pl

BATCH = 100_000  # rows of a large file that are looked at together


def read_parquet(file: BinaryIO, where: str, dialect: Dialect) -> "pl.DataFrame":
    import polars as pl

    try:
        if _ends_as_parquet(file):
            return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # the latter is no Exception
        pass
    raise BadInput(f"{where}: is not a sound Parquet file. Fetch or write it again.")


def parquet_batches(file: BinaryIO, where: str, dialect: Dialect) -> "Iterator[pl.DataFrame]":
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


def write_parquet(frames: "Iterator[pl.DataFrame]", file: BinaryIO) -> None:
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

"""Files of bytes, gzipped or not; what is wrong with one is said in a line."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from taxonym.errors import BadInput


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """A file, unpacked if it is gzipped."""
    with as_it_is(path) as file, unpacked(file, str(path)) as plain:
        yield plain


@contextmanager
def as_it_is(path: str | Path) -> Iterator[BufferedReader]:
    """A file, packed if it is gzipped."""
    try:
        with open(path, "rb") as file:
            yield file
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}). Check its name and that you may read it.") from None


@contextmanager
def unpacked(file: BinaryIO, where: str) -> Iterator[BinaryIO]:
    """What is in an open file from its beginning on, unpacked if it is gzipped."""
    file.seek(0)
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    try:
        if packed:
            with gzip.GzipFile(fileobj=file) as plain:
                yield cast(BinaryIO, plain)
        else:
            yield file
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise BadInput(f"{where}: the gzip archive is damaged or cut short. Fetch or pack it again.") from None

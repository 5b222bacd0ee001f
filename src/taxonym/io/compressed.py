"""Files of bytes, packed with gzip or Zstandard or not; what is wrong with one is said in a line.

A small archive may hold more than any disk: what a file unpacks to is bounded, by UNPACKED unless somebody says more.
"""

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

from taxonym.errors import BadInput, MissingExtra
from taxonym.io.sizes import gigabytes

UNPACKED = 4_000_000_000  # bytes that a packed file may hold, unless more are allowed
PACKED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}  # endings of names, and how such files begin
_CHUNK = 1 << 20


@contextmanager
def opened(path: str | Path, limit: int | None = None) -> Iterator[BinaryIO]:
    """A file, unpacked if it is packed, to so many bytes at most."""
    with as_it_is(path) as file, unpacked(file, str(path), UNPACKED if limit is None else limit) as plain:
        yield plain


@contextmanager
def as_it_is(path: str | Path) -> Iterator[BufferedReader]:
    """A file, packed if it is."""
    try:
        with open(path, "rb") as file:
            yield file
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}). Check its name and that you may read it.") from None


@contextmanager
def unpacked(file: BinaryIO, where: str, limit: int | None = None) -> Iterator[BinaryIO]:
    """What is in an open file from its beginning on, unpacked if it is packed; BadInput beyond `limit` bytes, if one is
    given."""
    file.seek(0)
    head = file.read(4)
    file.seek(0)
    kind = next((name for name, mark in PACKED.items() if head.startswith(mark)), None)
    if kind is None:
        yield file
        return
    damaged: tuple[type[Exception], ...] = (EOFError, zlib.error, gzip.BadGzipFile)
    with ExitStack() as stack:
        if kind == ".gz":
            plain: Any = stack.enter_context(gzip.GzipFile(fileobj=file))
        else:
            zstd = zstandard(where)
            damaged = (EOFError, zstd.ZstdError)
            plain = stack.enter_context(zstd.ZstdFile(file))
        try:
            yield cast(BinaryIO, plain if limit is None else BufferedReader(_Bounded(plain, where, limit), _CHUNK))
        except damaged:
            name = "gzip" if kind == ".gz" else "Zstandard"
            raise BadInput(f"{where}: the {name} archive is damaged or cut short. Fetch or pack it again.") from None


@contextmanager
def packing(file: BinaryIO, kind: str, where: str) -> Iterator[BinaryIO]:
    """Where to write what a file shall hold, packed as the ending of its name says; the same bytes give the same
    file."""
    with ExitStack() as stack:
        if kind == ".gz":
            made: Any = stack.enter_context(gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0))
        elif kind == ".zst":
            made = stack.enter_context(zstandard(where).ZstdFile(file, "w"))
        else:
            made = file
        yield made


def zstandard(where: str) -> Any:
    """The library for .zst, which Python has from 3.14 on."""
    try:
        try:
            from compression import zstd  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            from backports import zstd
    except ImportError:
        raise MissingExtra(
            f"{where}: .zst files need an extra part. Install it with: pip install 'taxonym[zstd]'."
        ) from None
    return zstd


class _Bounded(io.RawIOBase):
    """A stream that ends in a complaint where it goes on for too long."""

    def __init__(self, stream: Any, where: str, limit: int) -> None:
        self._stream, self._where, self._limit = stream, where, limit

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read: int = self._stream.readinto(buffer)
        if self._stream.tell() > self._limit:
            raise BadInput(
                f"{self._where}: unpacks to more than {gigabytes(self._limit)}. If it is meant to, allow more: "
                f"--max-unpacked, or max_unpacked under [input]."
            )
        return read

    def tell(self) -> int:
        at: int = self._stream.tell()
        return at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_END:
            buffer = bytearray(_CHUNK)
            while self.readinto(buffer):
                pass
            whence = os.SEEK_CUR
        at: int = self._stream.seek(offset, whence)
        return at

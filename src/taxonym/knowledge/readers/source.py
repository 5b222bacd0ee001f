"""Opening the files that taxonomies come in: plain or gzipped, with one clear error for whatever is broken."""

import gzip
import io
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.graph import short

_GZIP = b"\x1f\x8b"


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if it is gzipped. A truncated or broken archive is a BadTaxonomy."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            with cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw as file:
                yield file
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise BadTaxonomy(f"{path}: the gzip archive is damaged or cut short. Fetch or pack it again.") from None
    except FileNotFoundError:
        raise BadTaxonomy(f"{path}: there is no such file.") from None
    except OSError as error:
        raise BadTaxonomy(f"{path}: cannot be read ({error.strerror}).") from None


@contextmanager
def open_text(path: Path, encoding: str = "utf-8-sig", newline: str | None = None) -> Iterator[IO[str]]:
    """The text of a file (UTF-8 unless told otherwise; a byte order mark is dropped)."""
    with open_bytes(path) as raw, io.TextIOWrapper(raw, encoding=encoding, newline=newline) as file:
        try:
            yield file
        except UnicodeDecodeError as error:
            raise BadTaxonomy(
                f"{path}: line {_bad_line(path, encoding):,}: is not {error.encoding} text. "
                f"Save the file as UTF-8, or name its encoding with encoding=."
            ) from None


def numbered_lines(path: Path, encoding: str = "utf-8-sig") -> Iterator[tuple[int, str]]:
    """(line number, line without its end) for every line of a file that must be text, one at a time."""
    try:
        with open_text(path, encoding) as file:
            for number, line in enumerate(file, 1):
                if "\0" in line:
                    raise BadTaxonomy(
                        f"{path}: line {number}: holds a NUL byte, so this is no {encoding} text. "
                        f"Save it as UTF-8 text, or name its encoding with encoding=."
                    )
                yield number, line.rstrip("\r\n")
    except LookupError:
        raise BadPlan(f"{path}: there is no encoding named {encoding!r}. Try 'utf-8', 'utf-16' or 'latin-1'.") from None
    except UnicodeError:  # UTF-16 without its byte order mark
        raise BadTaxonomy(f"{path}: is not {encoding} text. Save it as UTF-8, or name its encoding.") from None


def content_lines(path: Path, encoding: str = "utf-8-sig") -> Iterator[tuple[int, str]]:
    """The lines that are neither blank nor comments (#...)."""
    for number, line in numbered_lines(path, encoding):
        text = line.lstrip()
        if text and not text.startswith("#"):
            yield number, line


def shown(text: str) -> str:
    """A name as an error message quotes it: on one line and short."""
    return repr(short(text))


def not_empty(draft: Draft, path: Path) -> Draft:
    """The draft, if anything was found."""
    if not len(draft):
        raise BadTaxonomy(f"{path}: the file is empty or holds no concept. Is it the right file and format?")
    return draft


def chosen(what: str, given: Iterable[str], known: Collection[str]) -> list[str]:
    """The names a person chose, each of which must be known."""
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if name not in known:
            raise BadPlan(f"{what}: {name!r} is not known here. Choose among {', '.join(known)}.")
    return names


def _bad_line(path: Path, encoding: str) -> int:
    with open_bytes(path) as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode(encoding)
            except UnicodeDecodeError:
                return number
    return 1

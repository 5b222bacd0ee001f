"""JSON tables: an object per line, or one array of objects. Which of the two a file is, its first character tells."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from taxonym.errors import BadInput
from taxonym.io.delimited import CHUNK, Dialect, encoding_of, text_lines
from taxonym.io.values import kind_of, series, table_of

if TYPE_CHECKING:
    import polars as pl

_BEGIN, _BETWEEN, _END = b"[\n", b",\n", b"\n]\n"  # of an array as it is written


def read_objects(file: BinaryIO, where: str, dialect: Dialect) -> "pl.DataFrame":
    """The columns are all the keys, in the order in which they first appear."""
    return table_of(list(_objects(file, where, dialect)), where)


def object_batches(file: BinaryIO, where: str, dialect: Dialect) -> "Iterator[pl.DataFrame]":
    """The same piece by piece; the file is looked through once before, for what its columns hold. An array is held in
    memory as text."""
    import polars as pl

    kinds: dict[str, set[type]] = {}
    for row in _objects(file, where, dialect):
        for name, value in row.items():
            kinds.setdefault(name, set()).add(kind_of(value))
    rows = _objects(file, where, dialect)
    first = 1
    while chunk := list(islice(rows, CHUNK)):
        columns = {name: [row.get(name) for row in chunk] for name in kinds}
        yield pl.DataFrame([series(name, values, where, kinds[name], first) for name, values in columns.items()])
        first += len(chunk)


def _objects(file: BinaryIO, where: str, dialect: Dialect) -> Iterator[dict[str, Any]]:
    lines = text_lines(file, where, encoding_of(file, where, dialect))
    begun = False
    for number, line in enumerate(lines, 1):
        if not (text := line.strip()):
            continue
        if not begun and text.startswith("["):
            yield from _of_array("".join([line, *lines]), where, number)
            return
        begun = True
        if not isinstance(row := _sound(line), dict):
            fix = "Write one {…} per line, or all of them in one array."
            raise BadInput(f"{where}: line {number}: is not a sound JSON object. {fix}")
        yield row


def _of_array(text: str, where: str, first: int) -> Iterator[dict[str, Any]]:
    """The objects of an array that begins in line `first`, one after the other."""
    read, blank = json.JSONDecoder().raw_decode, re.compile(r"[ \t\r\n]*")

    def after(at: int) -> int:
        found = blank.match(text, at)
        return found.end() if found else at

    def complaint(at: int) -> BadInput:
        line = first + text.count("\n", 0, at)
        return BadInput(
            f"{where}: line {line}: the array is cut short or damaged. Let it hold objects: [{{…}}, {{…}}]."
        )

    at, number = after(text.index("[") + 1), 0
    closed = text.startswith("]", at)
    while not closed:
        number += 1
        try:
            row, end = read(text, at)
        except (ValueError, RecursionError):
            raise complaint(at) from None
        if not isinstance(row, dict) or not _is_text(row, text[at:end]):
            raise BadInput(f"{where}: entry {number} of the array is not a sound object. Write every row as {{…}}.")
        yield row
        at = after(end)
        closed = text.startswith("]", at)
        if not closed and not text.startswith(",", at):
            raise complaint(at)
        at = at if closed else after(at + 1)
    if after(at + 1) != len(text):
        raise complaint(at + 1)


def _sound(line: str) -> Any:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if _is_text(row, line) else None


def _is_text(row: Any, written: str) -> bool:
    """Whether all strings are text: half a surrogate pair is none."""
    if "\\u" not in written:
        return True
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


def write_lines(frames: "Iterator[pl.DataFrame]", file: BinaryIO) -> None:
    """An object per line."""
    for part in (part for frame in frames for part in frame.iter_slices(CHUNK)):
        file.write(part.write_ndjson().encode())


def write_array(frames: "Iterator[pl.DataFrame]", file: BinaryIO) -> None:
    """One array of objects, each on a line of its own."""
    file.write(_BEGIN)
    begun = False
    for part in (part for frame in frames for part in frame.iter_slices(CHUNK)):
        if lines := part.write_ndjson().encode().removesuffix(b"\n"):
            file.write(_BETWEEN * begun + lines.replace(b"\n", _BETWEEN))
            begun = True
    file.write(_END)

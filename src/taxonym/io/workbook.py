"""Excel workbooks (.xlsx, .xlsm): one sheet is a table, whose first row with anything in it names the columns.

A workbook is a zip archive whose sizes may lie, and a single cell in the last corner makes a sheet of 17 billion cells:
both are looked at before the workbook is opened.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from taxonym.errors import BadInput, MissingExtra
from taxonym.io.compressed import UNPACKED
from taxonym.io.delimited import Dialect
from taxonym.io.sizes import gigabytes
from taxonym.io.values import header, series

if TYPE_CHECKING:
    import polars as pl

CELLS = 100_000_000  # of a sheet, empty ones between its corners included
_CHUNK = 1 << 20
_PLACE = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_ENCRYPTED = b"\xd0\xcf\x11\xe0"  # how a workbook with a password begins, and one of Excel before 2007


def read_workbook(file: BinaryIO, where: str, dialect: Dialect) -> "pl.DataFrame":
    """The sheet that is named, or the only one with anything in it."""
    try:
        import python_calamine as calamine
    except ImportError:
        raise MissingExtra(
            f"{where}: Excel files need an extra part. Install it with: pip install 'taxonym[excel]'."
        ) from None
    _check_archive(file, where, dialect.max_unpacked or UNPACKED)
    file.seek(0)
    try:
        with calamine.CalamineWorkbook.from_filelike(file) as book:
            return _table(_chosen(book, where, dialect.sheet), where)
    except calamine.PasswordError:
        raise _locked(where) from None
    except (calamine.CalamineError, OSError, ValueError):
        raise BadInput(f"{where}: is not a sound Excel workbook. Open it in Excel and save it again.") from None


def workbook_batches(file: BinaryIO, where: str, dialect: Dialect) -> "Iterator[pl.DataFrame]":
    """The whole sheet: a workbook is not read in parts."""
    yield read_workbook(file, where, dialect)


def _chosen(book: Any, where: str, name: str | None) -> list[list[Any]]:
    """The rows of a sheet."""
    names = [sheet.name for sheet in book.sheets_metadata if str(sheet.typ).endswith("WorkSheet")]  # not a chart
    listed = ", ".join(repr(one) for one in names)
    if name is not None:
        if name not in names:
            raise BadInput(f"{where}: has no sheet {name!r}. Choose one of {listed}.")
        rows: list[list[Any]] = book.get_sheet_by_name(name).to_python()
        return rows
    sheets = [book.get_sheet_by_name(one) for one in names]
    full = [sheet for sheet in sheets if sheet.start is not None]
    if len(full) > 1:
        raise BadInput(
            f'{where}: has the sheets {listed}. Say which is the table: --sheet NAME, or sheet = "NAME" under [input].'
        )
    return full[0].to_python() if full else []


def _table(rows: list[list[Any]], where: str) -> "pl.DataFrame":
    import polars as pl

    filled = [row for row in rows if any(cell not in ("", None) for cell in row)]
    if not filled:
        return pl.DataFrame()
    columns = [[_value(row[i]) for row in filled[1:]] for i in range(len(filled[0]))]
    used = [i for i, cell in enumerate(filled[0]) if cell != "" or any(v is not None for v in columns[i])]
    names = header([_name(filled[0][i]) for i in used], where, "Rename one in the sheet.")
    return pl.DataFrame([series(n, columns[i], where) for n, i in zip(names, used, strict=True)])


def _name(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _value(cell: Any) -> Any:
    """A number without a fraction is a whole one: Excel knows no other."""
    if isinstance(cell, str):
        return cell.strip() or None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    return cell


def _locked(where: str) -> BadInput:
    return BadInput(
        f"{where}: is locked with a password, or older than Excel 2007. Open it in Excel and save it as an unlocked "
        f".xlsx."
    )


def _check_archive(file: BinaryIO, where: str, limit: int) -> None:
    """Unpack everything once, and forget it: what it comes to, and where the last cells are."""
    file.seek(0)
    if file.read(4) == _ENCRYPTED:
        raise _locked(where)
    try:
        with zipfile.ZipFile(file) as archive:
            left = limit
            for entry in archive.infolist():
                left -= _size(file, entry, left, where)
                if left < 0:
                    raise BadInput(
                        f"{where}: unpacks to more than {gigabytes(limit)}. If it is meant to, allow more: "
                        f"--max-unpacked, or max_unpacked under [input]."
                    )
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError):
        raise BadInput(f"{where}: is not a sound Excel workbook. Open it in Excel and save it again.") from None


def _size(file: BinaryIO, entry: zipfile.ZipInfo, limit: int, where: str) -> int:
    """The bytes that an entry really holds, counted up to a little above the limit; a sheet must not be too wide and
    high."""
    file.seek(entry.header_offset)
    head = file.read(30)
    if len(head) < 30 or head[:4] != b"PK\x03\x04":
        raise zipfile.BadZipFile
    file.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
    if entry.compress_type == zipfile.ZIP_STORED:
        return entry.compress_size
    if entry.compress_type != zipfile.ZIP_DEFLATED:
        raise zipfile.BadZipFile
    unpacker, size, left, tail = zlib.decompressobj(-15), 0, entry.compress_size, b""
    sheet = entry.filename.startswith("xl/worksheets/")
    wide = high = 0
    while left and not unpacker.eof and size <= limit:
        data = file.read(min(_CHUNK, left))
        if not data:
            raise EOFError
        left -= len(data)
        while data and size <= limit:
            plain = unpacker.decompress(data, _CHUNK)
            data, size = unpacker.unconsumed_tail, size + len(plain)
            if sheet:
                for column, row in _PLACE.findall(tail + plain):
                    wide, high = max(wide, _number(column)), max(high, int(row))
                tail = plain[-16:]
    if wide * high > CELLS:
        raise BadInput(
            f"{where}: a sheet is {wide:,} columns wide and {high:,} rows high, most of them empty. Delete what stands "
            f"far from the table."
        )
    return size


def _number(column: bytes) -> int:
    """A is 1, Z 26, AA 27."""
    found = 0
    for letter in column:
        found = 26 * found + letter - 64
    return found

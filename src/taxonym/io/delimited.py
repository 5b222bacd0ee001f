"""Text tables, CSV and TSV in any dialect, and sets of terms in one cell.

An empty cell is a missing value, quoted or not, and blank lines do not count.
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from taxonym.errors import BadInput, BadPlan
from taxonym.io.values import header

if TYPE_CHECKING:
    import polars as pl

SEPARATOR = ";"  # between the terms of a set, unless the plan names another
DELIMITERS = (",", ";", "\t", "|")
GroupVectors = TypeVar("GroupVectors")
CHUNK = 5_000  # rows that are Python objects at the same time
_SAMPLE = 100  # rows by which the delimiter is judged
_MARKS = {codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a text file is written. What is None is found out from the file.

    `delimiter` "" makes every line one cell, `quote` "" makes quotes ordinary characters, and `names` names the
    columns of a file that has no header. `format` is one of files.FORMATS, where the name of the file does not tell;
    `sheet` is that of a workbook, `labels` says whether codes become their labels (SPSS, Stata), and `max_unpacked` how
    many bytes a packed file may hold.
    """

    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    names: tuple[str, ...] = ()
    format: str | None = None
    sheet: str | None = None
    labels: bool = True
    max_unpacked: int | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """What is not found out, as the table [input] of a plan says it."""
        said = {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
        return said if self.max_unpacked is None else said | {"max_unpacked": str(self.max_unpacked)}


def read_csv(file: BinaryIO, where: str, dialect: Dialect, usual: str | None = None) -> "pl.DataFrame":
    """In the first dialect that reads the whole file; if none does, the first complaint counts."""
    import polars as pl

    return _first_sound(file, where, dialect, usual, lambda attempt: pl.concat(_frames(file, where, attempt)))


def csv_batches(file: BinaryIO, where: str, dialect: Dialect, usual: str | None = None) -> "Iterator[pl.DataFrame]":
    """The same piece by piece; the file is looked through once before, for the dialect that reads all of it."""

    def sound(attempt: Dialect) -> Dialect:
        for _ in _filled(file, where, attempt):
            pass
        return attempt

    return _frames(file, where, _first_sound(file, where, dialect, usual, sound))


def _first_sound(
    file: BinaryIO, where: str, dialect: Dialect, usual: str | None, read: Callable[[Dialect], GroupVectors]
) -> GroupVectors:
    csv.field_size_limit(2**31 - 1)  # of the process; the default makes an error of every long text
    delimiter = usual if dialect.delimiter is None else dialect.delimiter
    dialect = replace(dialect, encoding=encoding_of(file, where, dialect), delimiter=delimiter)
    complaints: list[BadInput] = []
    for attempt in _attempts(file, where, dialect):
        try:
            return read(attempt)
        except csv.Error:
            complaints.append(_fault(file, where, attempt))
    raise complaints[0]


def _attempts(file: BinaryIO, where: str, dialect: Dialect) -> list[Dialect]:
    """The delimiter is the one that splits the header and, most evenly, the rows after it.

    A header of one column makes a file of one column, whose lines are taken whole where they are not sound CSV. Where
    no quote is named, quotes are taken as such and then, if they do not pair up, as characters.
    """
    found: list[tuple[float, int, str]] = []
    for delimiter in DELIMITERS if dialect.delimiter is None else ():
        widths: list[int] = []
        with suppress(csv.Error):
            rows = islice(_rows(file, where, replace(dialect, delimiter=delimiter)), _SAMPLE)
            widths.extend(len(row) for row in rows if row)
        if widths and widths[0] > 1 and len(dialect.names) in (0, widths[0]):
            found.append((widths.count(widths[0]) / len(widths), widths[0], delimiter))
    if found:
        dialect = replace(dialect, delimiter=max(found, key=lambda f: f[:2])[2])
    if dialect.delimiter is None:
        return [replace(dialect, delimiter=","), replace(dialect, delimiter="")]
    return [dialect, replace(dialect, quote="")] if dialect.delimiter and dialect.quote is None else [dialect]


def _rows(file: BinaryIO, where: str, dialect: Dialect) -> Any:
    """The rows of cells; a blank line is a row of none."""
    lines = text_lines(file, where, dialect.encoding or "")
    if dialect.delimiter == "":
        return ([cell] if (cell := line.rstrip("\r\n")) else [] for line in lines)
    quoting = {"quoting": csv.QUOTE_NONE} if dialect.quote == "" else {"quotechar": dialect.quote or '"'}
    return csv.reader(lines, delimiter=dialect.delimiter or ",", strict=True, **quoting)


def _frames(file: BinaryIO, where: str, dialect: Dialect) -> "Iterator[pl.DataFrame]":
    """The whole file, piece by piece, the first without rows; csv.Error if it is not sound, and _fault says where."""
    import polars as pl

    pieces = _filled(file, where, dialect)
    names = next(pieces)[0]
    yield pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    for filled in pieces:
        made = pl.DataFrame(
            [pl.Series(n, cell, pl.String) for n, cell in zip(names, zip(*filled, strict=True), strict=True)]
        )
        yield pl.DataFrame([column.set(column == "", None) for column in made])


def _filled(file: BinaryIO, where: str, dialect: Dialect) -> Iterator[list[Sequence[str]]]:
    """The names of the columns, then some rows at a time, without blank lines; all of one width."""
    rows = _rows(file, where, dialect)
    names = dialect.names or _header(rows, where)
    yield [names]
    while chunk := list(islice(rows, CHUNK)):
        widths = set(map(len, chunk))
        if not widths <= {0, len(names)}:
            raise csv.Error
        if filled := list(filter(None, chunk)) if 0 in widths else chunk:
            yield filled


def _header(rows: Iterator[list[str]], where: str) -> tuple[str, ...]:
    """The names in the first row that is not blank."""
    fix = 'Rename one; if the file has no header, name its columns: names = ["…"] under [input].'
    return header(next(filter(None, rows), []), where, fix)


def _fault(file: BinaryIO, where: str, dialect: Dialect) -> BadInput:
    """What is wrong in which line, by reading once more and slowly."""
    rows, before, width = _rows(file, where, dialect), 0, len(dialect.names)
    try:
        for row in rows:
            width = width or len(row)
            if row and len(row) != width:
                fix = 'if each line is a list, set delimiter = "" and names = ["items"] under [input].'
                fix = f"Put cells that hold the delimiter in double quotes; {fix}"
                return BadInput(f"{where}: line {before + 1}: has {len(row)} cells, not {width}. {fix}")
            before = rows.line_num
    except csv.Error:
        pass
    fix = 'Double the quotes inside cells, or set quote = "" under [input] if quotes are ordinary characters.'
    return BadInput(
        f"{where}: line {before + 1}: a quoted cell is not closed, or goes on after its closing quote. {fix}"
    )


def write_csv(frames: "Iterator[pl.DataFrame]", file: BinaryIO, delimiter: str = ",") -> None:
    """UTF-8, line feeds, quotes where needed; a lone empty cell is quoted, since a blank line would not count."""
    import polars as pl

    odd = re.compile(r'[,;\t|"\r\n\ufeff]')  # what could pass for a delimiter or a byte order mark
    for i, frame in enumerate(frames):
        if not i:
            header = ('"' + c.replace('"', '""') + '"' if odd.search(c) else c for c in frame.columns)
            file.write((delimiter.join(header) + "\n").encode())
        if frame.width == 1:
            frame = frame.select(pl.all().cast(pl.String).fill_null(""))
        for part in frame.iter_slices(CHUNK):
            file.write(part.write_csv(include_header=False, separator=delimiter).encode())


def flat(frame: "pl.DataFrame", separators: Mapping[str, str], path: Path) -> "pl.DataFrame":
    """Lists as cells; what a text file cannot hold is refused."""
    import polars as pl

    done = []
    for column in frame.iter_columns():
        if isinstance(column.dtype, pl.List):
            sep = separators.get(column.name, SEPARATOR)
            cells = [join_cell(filter(None, v or ()), sep) or None for v in column.cast(pl.List(pl.String)).to_list()]
            column = pl.Series(column.name, cells, pl.String)
        if column.dtype == pl.String and (bad := column.str.contains("\0", literal=True).arg_true()).len():
            fix = "Remove it, or write .parquet or .jsonl."
            raise BadInput(
                f"{path}: column {column.name!r}: row {bad[0] + 1}: no text table holds NUL characters. {fix}"
            )
        done.append(column)
    return pl.DataFrame(done)


def join_cell(terms: Iterable[str], separator: str = SEPARATOR) -> str:
    """Terms as one cell that split_cell takes apart again.

    A term that holds the separator, begins with a double quote or has blanks at its ends is put in double quotes, and
    double quotes inside it are doubled: flu;"gout; acute". Empty terms are left out.
    """

    def bare(term: str) -> bool:
        return term[0] != '"' and term == term.strip() and (term + separator).find(separator) == len(term)

    return separator.join(t if bare(t) else '"' + t.replace('"', '""') + '"' for t in terms if t)


def split_cell(cell: str, separator: str = SEPARATOR) -> list[str]:
    """The terms of a cell in their order; blanks around them and empty terms are dropped."""
    if '"' not in cell:
        return [term for part in cell.split(separator) if (term := part.strip())]
    parts = re.findall(rf'\s*(?:"([^"]*(?:""[^"]*)*)"\s*|(.*?))(?:{re.escape(separator)}|\Z)', cell, re.DOTALL)
    return [term for quoted, plain in parts if (term := quoted.replace('""', '"') or plain.strip())]


# ---------------------------------------------------------------------- lines of text


def text_lines(file: BinaryIO, where: str, encoding: str) -> Iterator[str]:
    """The lines of a text file with their ends, one at a time."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, newline="")
    codec = encoding.removesuffix("-sig")
    try:
        for number, line in enumerate(text, 1):
            if "\0" in line:
                raise BadInput(
                    f"{where}: line {number}: holds a NUL byte: the file is damaged or no {codec} text. Save it as "
                    f'UTF-8, or name its encoding: encoding = "utf-16" under [input].'
                )
            yield line
    except UnicodeError:
        raise BadInput(
            f"{where}: line {_bad_line(file, encoding)}: is not {codec} text. Save the file as UTF-8, or name "
            f'its encoding: encoding = "latin-1" under [input].'
        ) from None
    finally:
        with suppress(ValueError):  # the file may be closed by now
            text.detach()


def _bad_line(file: BinaryIO, encoding: str) -> int:
    """Text is decoded ahead of its lines, so the faulty one has to be looked for."""
    file.seek(0)
    data = file.read()
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        return data[: error.start].decode(encoding).count("\n") + 1
    return 1


def encoding_of(file: BinaryIO, where: str, dialect: Dialect) -> str:
    file.seek(0)
    head = file.read(4)
    name = dialect.encoding or next((codec for mark, codec in _MARKS.items() if head.startswith(mark)), "utf-8")
    try:
        "".encode(name)
        name = codecs.lookup(name).name
    except (LookupError, ValueError):
        raise BadPlan(f"{where}: there is no encoding {name!r}. Try 'utf-8', 'utf-16' or 'latin-1'.") from None
    return "utf-8-sig" if name == "utf-8" else name

"""Query logs: lines of user, query and, if there are, time, rank and clicked address, with tabs between them.

    AOL-like      a header and five cells   AnonID  Query  QueryTime  ItemRank  ClickURL
    Excite-like   no header, three cells    user  time  query

Both are recognised; the plan's table [querylog] maps the columns of others, by their names or by their places from 1.
Quotes are ordinary characters. Lines whose query is empty (or "-", as AOL writes it) are no queries.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from taxonym.errors import BadInput, BadPlan
from taxonym.io.canonical import canonical_text
from taxonym.io.compressed import PACKED, opened
from taxonym.io.delimited import Dialect, encoding_of, text_lines
from taxonym.io.files import FORMATS
from taxonym.io.frames import as_polars
from taxonym.knowledge.arrays import Long
from taxonym.plan.query_log import CELLS, QueryLog

if TYPE_CHECKING:
    import polars as pl

NEEDED = ("user", "query")
KNOWN = {  # what headers call the cells, small letters and figures only
    "user": ("anonid", "user", "userid", "uid", "cookie", "id"),
    "query": ("query", "q", "querystring", "searchterm", "keywords"),
    "time": ("querytime", "time", "timestamp", "datetime", "date"),
    "rank": ("itemrank", "rank", "position"),
    "click": ("clickurl", "url", "click", "clicked", "clickedurl", "host"),
}
PLACES = {3: ("user", "time", "query"), 5: CELLS}  # without a header: Excite's order, AOL's
NO_QUERY = ("", "-")
FORM = "form"  # the column of a release that says what a line is
TABLES = tuple(
    f"{name}{packed}"
    for kind, format in FORMATS.items()
    if kind != "tsv"
    for name in format.suffixes
    if name != ".txt"
    for packed in ("", *PACKED)
)
_FORMATS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%y%m%d%H%M%S", "%Y-%m-%d %H:%M", "%d/%b/%Y:%H:%M:%S")
_CHUNK = 100_000  # lines that are Python objects at the same time


@dataclass(frozen=True, slots=True, eq=False)
class QueryRows:
    """The lines of a query log: a frame with the columns line (its number in the file, or its row in the table), user,
    query, time and click (null where there is none).

    `names` is what a release calls its columns, `without` how many lines had no query, `broken` how many were skipped.
    """

    frame: "pl.DataFrame"
    names: dict[str, str]
    without: int
    broken: int
    where: str

    @property
    def line(self) -> Long:
        """The numbers of all lines, ascending."""
        return self.frame["line"].to_numpy()


def read_log(source: Any, shape: QueryLog, dialect: Dialect) -> QueryRows:
    """The log in a file, or in a table that has a column for each cell."""
    if not isinstance(source, str | Path):
        return _of_table(as_polars(source), shape, "the table")
    if str(source).lower().endswith(TABLES):
        return _of_table(as_polars(source, dialect), shape, str(source))
    with opened(source, dialect.max_unpacked) as plain:
        return _of_lines(plain, shape, dialect, str(source))


# ---------------------------------------------------------------------- lines


def _of_lines(file: BinaryIO, shape: QueryLog, dialect: Dialect, where: str) -> QueryRows:
    import polars as pl

    encoding, delimiter = encoding_of(file, where, dialect), dialect.delimiter or "\t"
    lines = (line.rstrip("\r\n") for line in text_lines(file, where, encoding))
    numbered = ((i, line.split(delimiter)) for i, line in enumerate(lines, 1) if line.strip())
    first = next(numbered, None)
    if first is None:
        raise BadInput(f"{where}: the file is empty. Is it the right file?")
    header = _is_header(first[1], shape) if shape.header is None else shape.header
    place = _places(first[1], shape, where, header)
    names = {key: _name(first[1][at].strip(), key, shape) if header else key for key, at in place.items()}
    need = 1 + max(place[key] for key in NEEDED)
    wide = len(first[1])
    parts, rows, broken, without = [_frame([])], list[tuple[int, str, str, str | None, str | None]](), 0, 0

    def rest() -> Iterator[tuple[int, list[str]]]:
        if not header:
            yield first
        yield from numbered

    def cell(cells: Sequence[str], key: str) -> str | None:
        return cells[at].strip() or None if (at := place.get(key, wide)) < len(cells) else None

    for number, cells in rest():
        if not need <= len(cells) <= wide or not (user := cells[place["user"]].strip()):
            if shape.broken == "error":
                raise BadInput(
                    f"{where}: line {number}: has {len(cells)} cells, where {need} to {wide} are expected, or no user. "
                    f'Mend it, map the columns under [querylog], or set broken = "skip" there.'
                )
            broken += 1
            continue
        if (query := as_query(cells[place["query"]])) in NO_QUERY:
            without += 1
            continue
        rows.append((number, user, query, cell(cells, "time"), cell(cells, "click")))
        if len(rows) == _CHUNK:
            parts.append(_frame(rows))
            rows.clear()
    return _log(pl.concat([*parts, _frame(rows)], rechunk=True), names, without, broken, where)


def _frame(rows: list[tuple[int, str, str, str | None, str | None]]) -> "pl.DataFrame":
    import polars as pl

    kinds = {"line": pl.Int64, "user": pl.String, "query": pl.String, "time": pl.String, "click": pl.String}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def _log(frame: "pl.DataFrame", names: dict[str, str], without: int, broken: int, where: str) -> QueryRows:
    if not frame.height:
        raise BadInput(f"{where}: has no line with a query. Is it the right file?")
    return QueryRows(frame, names, without, broken, where)


def as_query(text: str) -> str:
    """A query as it is compared and published: small letters, in the one form of text."""
    return canonical_text(text.casefold())


def _name(name: str, key: str, shape: QueryLog) -> str:
    """What a release calls a column: as the log does, if that is what the plan says or what such columns are called."""
    return name if name != FORM and (getattr(shape, key) == name or plain_name(name) in KNOWN[key]) else key


def plain_name(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _is_header(cells: Sequence[str], shape: QueryLog) -> bool:
    """Whether the first line names columns: it has the names of the plan, or names that headers use."""
    said = [name for key in CELLS if isinstance(name := getattr(shape, key), str)]
    if said:
        return True
    if all(getattr(shape, key) is not None for key in NEEDED):
        return False  # by places
    return all(any(plain_name(cell) in KNOWN[key] for cell in cells) for key in NEEDED)


def _places(cells: Sequence[str], shape: QueryLog, where: str, header: bool) -> dict[str, int]:
    """Where each cell is, from 0; those that the log has not are left out."""
    named = [cell.strip() for cell in cells]
    place: dict[str, int] = {}
    for key in CELLS:
        said = getattr(shape, key)
        if isinstance(said, str):
            if not header or said not in named:
                raise BadInput(
                    f"{where}: there is no column {said!r} in its {'header' if header else 'first line'}. Correct "
                    f"querylog.{key}, or give the place of the column, from 1."
                )
            place[key] = named.index(said)
        elif isinstance(said, int):
            if said > len(cells):
                raise BadInput(f"{where}: querylog.{key} is {said}, but its first line has only {len(cells)} cells.")
            place[key] = said - 1
    own = any(getattr(shape, key) is not None for key in NEEDED)
    for at, name in enumerate(named):
        for key in CELLS if header else ():
            if key not in place and at not in place.values() and plain_name(name) in KNOWN[key]:
                place[key] = at
                break
    if not header and not own and len(cells) in PLACES:
        for at, key in enumerate(PLACES[len(cells)]):
            place.setdefault(key, at)
    for key in NEEDED:
        if key not in place:
            raise BadInput(
                f"{where}: nothing says which of its {len(cells)} columns is the {key}. Write it as a name or a place "
                f"from 1 under [querylog]: {key} = {CELLS.index(key) + 1}; or check that tabs divide the columns."
            )
    if len(set(place.values())) < len(place):
        raise BadInput(f"{where}: two cells of [querylog] are the same column. Correct the plan.")
    return place


def _of_table(table: "pl.DataFrame", shape: QueryLog, where: str) -> QueryRows:
    """From a table with a header; rows count as lines."""
    import polars as pl

    place = _places(table.columns, shape, where, True)
    cells = {key: _as_text(table[table.columns[at]]) for key, at in place.items()}
    users = cells["user"].is_null() | (cells["user"] == "")
    if users.any() and shape.broken == "error":
        raise BadInput(f'{where}: row {users.arg_true()[0] + 1}: has no user. Mend it, or set broken = "skip".')
    queries = [as_query(query or "") for query in cells["query"].to_list()]
    none = pl.Series([None] * table.height, dtype=pl.String)
    frame = pl.DataFrame(
        {"line": range(1, table.height + 1), "user": cells["user"], "query": queries}
        | {key: cells.get(key, none).replace("", None) for key in ("time", "click")}
    ).with_columns(pl.col("line").cast(pl.Int64))
    kept = frame.filter(~users & ~frame["query"].is_in(NO_QUERY))
    names = {key: _name(table.columns[at], key, shape) for key, at in place.items()}
    return _log(kept, names, table.height - kept.height - int(users.sum()), int(users.sum()), where)


def _as_text(cells: "pl.Series") -> "pl.Series":
    """Cells as a log would have them."""
    import polars as pl

    if cells.dtype == pl.Date:
        cells = cells.cast(pl.Datetime)
    if cells.dtype == pl.Datetime:
        return cells.dt.strftime(_FORMATS[0])
    return cells.cast(pl.String).str.strip_chars()


# ---------------------------------------------------------------------- times and hosts


def parse_times(log: QueryRows, shape: QueryLog) -> "pl.Series":
    """The times of all lines, in the first pattern that reads most of them; null where there is none. Seconds since
    1970 are known, too. What is written otherwise is a broken line."""
    import polars as pl

    times = log.frame["time"]
    try:
        tried = [
            times.str.to_datetime(f, strict=False) for f in ([shape.time_format] if shape.time_format else _FORMATS)
        ]
    except pl.exceptions.ComputeError:
        raise BadPlan(
            "querylog.time_format: is not a whole pattern of a time. Write one such as '%Y-%m-%d %H:%M:%S'."
        ) from None
    if not shape.time_format:
        seconds = times.str.extract(r"^(\d{9,10})$").cast(pl.Int64)
        tried.append(pl.from_epoch(seconds, time_unit="s").cast(pl.Datetime("us")))
    found = min(tried, key=lambda series: series.null_count())
    wrong = found.is_null() & times.is_not_null()
    if wrong.any() and shape.broken == "error":
        raise BadInput(
            f"{log.where}: line {log.frame['line'].filter(wrong)[0]}: its time is not written as expected. Name the "
            f'pattern under [querylog], time_format = "%Y-%m-%d %H:%M:%S", or set broken = "skip" there.'
        )
    return found


TIME_STEPS = {"hour": "%Y-%m-%d %H:00", "day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}


def coarser_times(step: str) -> list[str]:
    """Patterns from `step` on, each coarser than the one before."""
    return list(TIME_STEPS.values())[list(TIME_STEPS).index(step) :]


def pattern_of(time: str) -> str:
    """The pattern that a time was told in, by its length."""
    return {4: "%Y", 7: "%Y-%m", 10: "%Y-%m-%d"}.get(len(time), TIME_STEPS["hour"])


def host_of(address: str) -> str:
    """The host of a clicked address: what stands between // (if there) and the next slash, small, without a port."""
    host = address.split("//", 1)[-1].split("/", 1)[0].split("?", 1)[0].rsplit("@", 1)[-1]
    return host.split(":", 1)[0].casefold().rstrip(".")


def coarser_hosts(host: str) -> list[str]:
    """A host, then without its left-most name, and so on, as long as two names are left."""
    names = host.split(".")
    if all(name.isdigit() for name in names):
        return [host]  # an address in numbers has no name to lose
    return [".".join(names[i:]) for i in range(max(1, len(names) - 1))]

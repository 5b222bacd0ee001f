"""Lines of Apache's and Nginx's common and combined log formats, in and out.

    address ident user [day/month/year:hour:minute:second zone] "request" status size
    … and in the combined format: "referrer" "agent"

A log is read once, line by line; every field becomes a number that stands for its text, so that a million lines take
some 40 bytes each beside their different texts. What is no such line is broken, and counted.
"""

import re
from array import array
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

import numpy as np

from taxonym.errors import BadInput
from taxonym.io.compressed import opened
from taxonym.knowledge.arrays import Ints, Long

if TYPE_CHECKING:
    import polars as pl

NONE = "-"
FIELDS = ("address", "user", "request", "status", "size", "referrer", "agent")
LONGEST = 1 << 16  # characters: no server writes longer lines
_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_LINE = re.compile(
    r"(\S+) \S+ (\S+|\"[^\"]*\") \[(\d\d/[A-Z][a-z][a-z]/\d{4}):(\d\d):(\d\d):(\d\d) ([+-](?:0\d|1[0-4]))([0-5]\d)\] "
    rf"{_QUOTED} (\d{{3}}|-) (\d{{1,18}}|-)(?: {_QUOTED} {_QUOTED})?\s*"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
CODEC = "latin-1"  # every byte is a character and comes back as the same byte


class Click(NamedTuple):
    """One line. `time` is in seconds since 1970, `zone` in seconds east of Greenwich."""

    address: str
    user: str
    request: str
    status: str
    size: str
    referrer: str
    agent: str
    time: int
    zone: int
    combined: bool


@dataclass(frozen=True, slots=True, eq=False)
class ClickLog:
    """A log in columns: field f of line i is texts[f][codes[f][i]]. row[i] is the number of the line in its file."""

    where: str
    combined: bool
    texts: dict[str, list[str]]
    codes: dict[str, Ints]
    time: Long
    zone: int  # of most lines
    row: Long
    broken: int  # lines that are not here

    def __len__(self) -> int:
        return len(self.time)

    def table(self) -> "pl.DataFrame":
        """A row for every line: its number, its time (of Greenwich) and its fields; null where there is nothing."""
        import polars as pl

        made = {"line": pl.Series(self.row), "time": pl.from_epoch(pl.Series(self.time), "s")}
        for name, codes in self.codes.items():
            texts = [None if text == NONE else text for text in self.texts[name]]
            made[name] = pl.Series(name, [texts[code] for code in codes.tolist()], pl.String)
        return pl.DataFrame(made)


def read_click(line: str) -> Click | None:
    """One line of a log, or nothing if it is broken."""
    found = _LINE.fullmatch(line) if len(line) <= LONGEST else None
    if found is None:
        return None
    address, user, day, hour, minute, second, zone_hours, zone_minutes, request, status, size, referrer, agent = (
        found.groups()
    )
    midnight = _midnight(day)
    if midnight is None or int(hour) > 23 or int(minute) > 59 or int(second) > 60:
        return None
    zone = 3600 * abs(int(zone_hours)) + 60 * int(zone_minutes)
    zone = -zone if zone_hours[0] == "-" else zone
    time = midnight + 3600 * int(hour) + 60 * int(minute) + int(second) - zone
    given = user if user not in ('""', NONE) else NONE
    extra = referrer is not None
    return Click(
        address, given, request or NONE, status, size, referrer or NONE, agent or NONE, time, zone, extra
    )  # fmt: skip


def write_click(click: Click) -> str:
    """The line of a click."""
    at = datetime.fromtimestamp(click.time, UTC) + timedelta(seconds=click.zone)
    sign, minutes = "-" if click.zone < 0 else "+", abs(click.zone) // 60
    day = f"{at.day:02}/{_MONTHS[at.month - 1]}/{at.year:04}:{at:%H:%M:%S} {sign}{minutes // 60:02}{minutes % 60:02}"
    plain = f'{click.address} - {click.user} [{day}] "{click.request}" {click.status} {click.size}'
    return f'{plain} "{click.referrer}" "{click.agent}"' if click.combined else plain


def read_log(path: str | Path, format: str = "auto", *, strict: bool = False) -> ClickLog:
    """The log in a file, gzipped or not. `format`: common, combined, or what most of its lines are; lines in another
    are broken. `strict` complains of the first broken line."""
    with opened(path) as file:
        return parse(file, str(path), format, strict=strict)


def parse(file: BinaryIO, where: str, format: str = "auto", *, strict: bool = False) -> ClickLog:
    """The log in an open file."""
    number: dict[str, dict[str, int]] = {name: {} for name in FIELDS}
    codes = {name: array("i") for name in FIELDS}
    time, zones, row, kind, bad, at = array("q"), array("i"), array("q"), array("b"), 0, 0
    wanted = {"auto": None, "common": False, "combined": True}[format]
    for at, raw in raw_lines(file):
        click = read_click(raw.decode(CODEC))
        if click is None or (wanted is not None and click.combined != wanted):
            bad += 1
            if strict:
                raise BadInput(f"{where}: line {at} is not a line of a {_name(wanted)} log. Mend it, or leave it out.")
            continue
        for name, text in zip(FIELDS, click, strict=False):
            known = number[name]
            codes[name].append(known.setdefault(cast(str, text), len(known)))
        time.append(click.time)
        zones.append(click.zone)
        row.append(at)
        kind.append(click.combined)
    if not at:
        raise BadInput(f"{where}: the file is empty. Is it the right file?")
    if bad > len(time):
        raise BadInput(
            f"{where}: most of its lines are not lines of a {_name(wanted)} log. Is it an access log of Apache or "
            f"Nginx, in the common or combined format?"
        )
    kinds = np.array(kind, np.bool_)
    most = bool(2 * int(kinds.sum()) >= len(kinds))
    keep = np.flatnonzero(kinds == most)
    if strict and len(keep) < len(kinds):
        odd = int(row[int(np.flatnonzero(kinds != most)[0])])
        raise BadInput(f"{where}: line {odd} is not a line of a {_name(most)} log. Mend it, or leave it out.")
    values, counts = np.unique(np.array(zones, np.int64), return_counts=True)
    return ClickLog(
        where,
        most,
        {name: list(known) for name, known in number.items()},
        {name: np.array(column, np.int32)[keep] for name, column in codes.items()},
        np.array(time, np.int64)[keep],
        int(values[counts.argmax()]),
        np.array(row, np.int64)[keep],
        bad + len(kinds) - len(keep),
    )


def raw_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, without empty ones; of a line that has no end, only a part is looked at.

    A mark that some editors put before UTF-8 text is no part of the first line: the visitor would be another with it.
    """
    at, whole = 0, True
    while raw := file.readline(LONGEST + 2):
        before, whole = whole, raw.endswith(b"\n") or len(raw) < LONGEST + 2
        at += before
        raw = raw.removeprefix(BOM_UTF8) if at == 1 else raw
        if before and raw.strip():
            yield at, raw


def _name(combined: bool | None) -> str:
    return "common or combined" if combined is None else "combined" if combined else "common"


@lru_cache(maxsize=1024)
def _midnight(day: str) -> int | None:
    """When a day such as 17/May/2015 begins in Greenwich; None if there is no such day, or no server was there."""
    if not 1970 <= int(day[7:]) <= 9998:
        return None
    try:
        when = datetime(int(day[7:]), _MONTHS.index(day[3:6]) + 1, int(day[:2]), tzinfo=UTC)
    except ValueError:
        return None
    return int(when.timestamp())

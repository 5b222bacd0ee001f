"""Published sessions in a file, each under a number of its own, new in every run.

The number stands in the place of the address, as fd1f:2c5a:9b07::1, fd1f:2c5a:9b07::2, …: such addresses anybody may
give, their beginning is drawn at random for each release, and they are nobody's on the net. Analysers tell sessions
apart by them. Lines stand by time, then by number, then in the order of their session, which tells nothing of the
input.
"""

import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from taxonym.io.atomic import Together, whole_file
from taxonym.io.compressed import unpacked
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import edges, positions
from taxonym.promises.classes import Classes
from taxonym.shapes.access_log.log_lines import CODEC, FIELDS, Click, write_click
from taxonym.shapes.access_log.sessions.lines import number_address, random_prefix, session_lines
from taxonym.shapes.access_log.sessions.publish import SessionRelease
from taxonym.shapes.access_log.sessions.reread import check_file
from taxonym.shapes.access_log.trees import NOBODY

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSessions:
    """The sessions of a release: the one with number i is record[i - 1] of the log and has the lines of its group, of
    which clicks[first[g] : first[g + 1]] are those of group g. Line l of the file is line place[l] of these, and of the
    session with number number[l]."""

    made: SessionRelease
    prefix: int
    record: Long
    clicks: list[Click]
    first: Long
    place: Long
    number: Long

    @classmethod
    def of(cls, made: SessionRelease, rng: np.random.Generator) -> "NumberedSessions":
        record = rng.permutation(np.flatnonzero(made.kept))
        groups = [session_lines(made.rule, session) for session in made.published]
        first = edges([len(lines) for lines in groups])
        clicks = [click for lines in groups for click in lines]
        group = made.group_of[record]
        place = positions(first[group], first[group + 1])
        number = np.repeat(np.arange(1, len(record) + 1), np.diff(first)[group])
        time = np.array([click.time for click in clicks], np.int64)[place]
        order = np.lexsort((place, number, time))
        return cls(made, random_prefix(rng), record, clicks, first, place[order], number[order])

    @property
    def persons(self) -> Long:
        """The visitor of every session, by its number."""
        return self.made.rule.records.visitor[self.record]

    def texts(self) -> Iterator[bytes]:
        """The lines of the file."""
        rest = [write_click(click).removeprefix(NOBODY) for click in self.clicks]
        address: dict[int, str] = {}
        for place, number in zip(self.place.tolist(), self.number.tolist(), strict=True):
            home = address.get(number) or address.setdefault(number, number_address(self.prefix, number))
            yield f"{home}{rest[place]}\n".encode(CODEC)

    def check(self) -> Classes:
        """Recount all that the file must hold, too: who takes the table writes no file."""
        return check_file(BytesIO(b"".join(self.texts())), "the release", self.made.rule, self.persons)

    def frame(self) -> "pl.DataFrame":
        """The lines as a table."""
        import polars as pl

        combined = self.made.rule.records.clicks.log.combined
        shown = (*FIELDS, "time") if combined else (*FIELDS[:5], "time")
        columns = {name: [getattr(click, name) for click in self.clicks] for name in shown if name != "address"}
        addresses = pl.Series("address", [number_address(self.prefix, number) for number in self.number.tolist()])
        others = [pl.Series(name, values).gather(self.place) for name, values in columns.items()]
        return pl.DataFrame([addresses, *others])

    def input_rows(self) -> list[list[int]]:
        """The lines of the input (from 0) whose sessions are published alike."""
        records = self.made.rule.records
        found: dict[int, list[int]] = {}
        for record in np.sort(self.record).tolist():
            rows = records.clicks.log.row[records.lines[record]] - 1
            found.setdefault(int(self.made.group_of[record]), []).extend(rows.tolist())
        return list(found.values())

    def save(self, path: Path, together: Together | None = None) -> None:
        """Write the log whole or not at all, its promises recounted from the file; gzipped if its name ends in .gz."""
        with whole_file(path, together=together) as file:
            if path.name.lower().endswith(".gz"):
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as archive:
                    archive.writelines(self.texts())
            else:
                file.writelines(self.texts())
            file.flush()
            with os.fdopen(os.dup(file.fileno()), "rb") as again, unpacked(again, str(path)) as plain:
                check_file(plain, str(path), self.made.rule, self.persons)

"""The lines of a release, and how they get into a file."""

import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from taxonym.io.atomic import Together, whole_file
from taxonym.io.compressed import opened, unpacked
from taxonym.knowledge.arrays import Long
from taxonym.promises.classes import Classes
from taxonym.shapes.access_log.log_lines import CODEC, FIELDS, Click, ClickLog, raw_lines, write_click
from taxonym.shapes.access_log.publish import LineRelease, LineSupport
from taxonym.shapes.access_log.read import Clicks
from taxonym.shapes.access_log.reread import LogRelease, check_file, check_read, count_lines

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class WrittenLines:
    """The lines of a release in the order of their file: by time, then by text, which tells nothing of the input."""

    clicks: Clicks
    lines: list[Click]  # of every class
    kept: Long  # the lines of the input that are in the release
    class_of: Long  # of each of these
    order: Long  # the classes as they stand in the file
    release_row: Long  # of each of these lines, from 0

    @classmethod
    def of(cls, clicks: Clicks, made: LineRelease, rng: np.random.Generator) -> "WrittenLines":
        lines, kept = made.lines, np.flatnonzero(made.kept)
        class_of = made.class_of[kept]
        order = np.array(sorted(range(len(lines)), key=lambda g: (lines[g].time, lines[g])), np.int64)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        rows = np.lexsort((rng.permutation(len(class_of)), place[class_of]))
        release_row = np.empty(len(rows), np.int64)
        release_row[rows] = np.arange(len(rows))
        return cls(clicks, lines, kept, class_of, order, release_row)

    @property
    def persons(self) -> Long:
        """The visitor of every line of the release."""
        whose = np.empty(len(self.release_row), np.int64)
        whose[self.release_row] = self.clicks.visitor[self.kept]
        return whose

    @property
    def rows(self) -> Long:
        """Of every line of the input its place in the release, from 0; -1 if it is not there."""
        found = np.full(len(self.clicks.log), -1, np.int64)
        found[self.kept] = self.release_row
        return found

    def check(self, rule: LineSupport) -> Classes:
        """Recount from a line of every class what the file must hold too: who takes the table writes no file."""
        file = BytesIO(b"".join(_bytes(self.lines[g]) for g in self.order.tolist()))
        found = LogRelease.of(file, "the release", "combined" if self.clicks.log.combined else "common")
        counted = self.counted(rule.k)
        check_read(found, counted, "the release", self.clicks, rule)
        return counted

    def counted(self, k: int) -> Classes:
        """The classes as they will be written: lines may be equal that were grouped apart."""
        like: dict[Click, int] = {}
        number = np.array([like.setdefault(line, len(like)) for line in self.lines], np.int64)
        own = np.empty(len(self.class_of), np.int64)
        own[self.release_row] = number[self.class_of]
        return count_lines(own, k, self.persons)

    def texts(self) -> Iterator[bytes]:
        """The lines, those of a class as often as it has some."""
        many = np.bincount(self.class_of, minlength=len(self.lines))
        for g in self.order.tolist():
            line = _bytes(self.lines[g])
            for _ in range(int(many[g])):
                yield line

    def frame(self) -> "pl.DataFrame":
        """The lines as a table."""
        import polars as pl

        many = np.bincount(self.class_of, minlength=len(self.lines))[self.order]
        at = np.repeat(np.arange(len(many)), many)
        shown = (*FIELDS, "time") if self.clicks.log.combined else (*FIELDS[:5], "time")
        columns = [pl.Series(name, [getattr(self.lines[g], name) for g in self.order.tolist()]) for name in shown]
        return pl.DataFrame([column.gather(at) for column in columns])

    def input_rows(self) -> list[list[int]]:
        """The lines of the input (from 0) that are published alike."""
        order = np.argsort(self.class_of, kind="stable")
        ends = np.searchsorted(self.class_of[order], np.arange(1, len(self.lines)))
        rows = self.clicks.log.row[self.kept[order]] - 1
        return [part.tolist() for part in np.split(rows, ends)]

    def save(self, path: Path, rule: LineSupport, together: Together | None = None) -> None:
        """Write the log whole or not at all, its promises recounted from the file; gzipped if its name ends in .gz."""
        with whole_file(path, together=together) as file:
            if path.name.lower().endswith(".gz"):
                with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as archive:
                    archive.writelines(self.texts())
            else:
                file.writelines(self.texts())
            file.flush()
            with os.fdopen(os.dup(file.fileno()), "rb") as again, unpacked(again, str(path)) as plain:
                check_file(plain, str(path), self.clicks, rule, self.persons)


def _bytes(line: Click) -> bytes:
    return (write_click(line) + "\n").encode(CODEC)


def set_aside(source: Path, log: ClickLog, aside: Path, together: Together | None = None) -> None:
    """Write the lines that could not be read to a file for its owner's eyes only."""
    read = log.row
    with opened(source) as file, whole_file(aside, True, together) as out:
        for number, raw in raw_lines(file):
            at = int(np.searchsorted(read, number))
            if at == len(read) or read[at] != number:
                out.write(raw.rstrip(b"\r\n") + b"\n")  # of a very long line there is no end

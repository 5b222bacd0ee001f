"""Looking at a release that is already written: does it keep its promise, and what was lost?"""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadInput, BrokenPromise
from taxonym.io.files import read
from taxonym.knowledge.arrays import Long
from taxonym.methods.closeness import ConfidentialRule
from taxonym.plan import Plan
from taxonym.promises import main_promise
from taxonym.promises.check import count_table
from taxonym.promises.classes import Classes, count_classes
from taxonym.promises.promise import WrittenTable
from taxonym.publish.groups import Support
from taxonym.records.cells import as_numbers, typed
from taxonym.records.column import Column
from taxonym.records.records import Records

if TYPE_CHECKING:
    import polars as pl


class Trail:
    """The private trail of a run: which row of the release an input record became (from 1; 0: none)."""

    def __init__(self, path: str | Path) -> None:
        self.where = str(path)
        try:
            lines = Path(path).read_text("utf-8").splitlines()
            self.run, records = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
            self.first = [record["rows"][0] for record in records]
            self.released = [record["release_row"] or 0 for record in records]
            if not isinstance(self.run["plan"], dict) or not all(map(_is_row, (*self.first, *self.released))):
                raise ValueError("not as it was written")
        except OSError as error:
            raise BadInput(f"{path}: cannot be read ({error.strerror}).") from None
        except (ValueError, KeyError, IndexError, TypeError):
            raise BadInput(f"{path}: is not a trail. Give the file that 'taxonym anonymize --trail' wrote.") from None

    @property
    def seed(self) -> int | None:
        """What fixed the draws of the run, if anything did: whoever knows it can replay them."""
        found = self.run.get("seed")
        return found if type(found) is int and found >= 0 else None

    @property
    def plan(self) -> Plan:
        """The plan of the run, with what the command line said otherwise."""
        folder = self.run.get("folder")
        return Plan.from_dict(self.run["plan"], where=self.where, folder=folder and Path(folder))

    def rows(self, units: Records, height: int) -> Long:
        """For every row of the release the record of the table it stands for."""
        place = {int(units.table.row[units.table.row_start[i]]): i for i in range(len(units.table))}
        found = np.full(height, -1, np.int64)
        for first, row in zip(self.first, self.released, strict=True):
            if row:
                if row > height or first not in place:
                    raise BadInput(f"{self.where}: belongs to another release or original: they have fewer rows.")
                found[row - 1] = place[first]
        if (found < 0).any():
            row = found.argmin() + 1
            raise BadInput(f"{self.where}: belongs to another release: it does not tell whose row {row} is.")
        return found


def _is_row(number: object) -> bool:
    return type(number) is int and 0 <= number < 1 << 62


def read_release(path: str | Path, plan: Plan | None) -> "pl.DataFrame":
    """The release as a table; a column that the plan does not publish is refused."""
    frame = read(path)
    if plan is not None:
        published = {name for name, column in plan.columns.items() if column.role != "identifier"}
        for name in frame.columns:
            if name not in published:
                raise BadInput(f"{path}: the plan publishes no column {name!r}. Is it the right plan?")
        for name in published:
            if name not in frame.columns:
                raise BadInput(f"{path}: has no column {name!r}, which the plan publishes. Is it the right plan?")
    return frame


def verify_release(
    path: str | Path, k: int, plan: Plan | None = None, units: Records | None = None, trail: Trail | None = None
) -> Classes:
    """Recount the classes of a written release; with the original also persons, the support rule, l and t.

    Where the plan draws words for each record, classes are of equal concepts, which only the original can tell. The
    support rule is checked if the plan promises it, and raises BrokenPromise where it fails; so does a kept cell that
    is not that of the record which the trail names.
    """
    frame = read_release(path, plan)
    main = None if plan is None else main_promise(replace(plan, method=replace(plan.method, k=k)))
    if main is not None and main.by_concept and units is None:
        raise BadInput(
            f"{path}: its words were drawn for each record, so records are alike in their concepts only. To compare "
            f"these, give --original and --trail."
        )
    confidential = [c.name for c in plan.columns.values() if c.role == "confidential"] if plan else []
    persons = None
    if units is not None and trail is not None:
        persons = units.table.person[trail.rows(units, frame.height)].astype(np.int64)
    if plan is None or main is None:
        return count_classes(frame, k, confidential, persons)
    supports = None if units is None else {w.column.name: Support.of(w, units.persons, k) for w in units.words}
    columns = _columns(plan) if units is None else {w.column.name: w.column.published for w in units.words}
    counted = count_table(main.plan, WrittenTable([frame], confidential, columns, str(path), persons, supports))
    if units is not None and trail is not None:
        unit = places(path, frame, plan, units, trail)
        check_kept(str(path), frame, units, trail.rows(units, frame.height))
        watch = ConfidentialRule.of(units, plan)
        reached = watch.figures(counted.number, unit)
        counted = replace(counted, broken=tuple(watch.broken(counted.number, unit)), privacy=tuple(reached))
    return counted


def _columns(plan: Plan) -> dict[str, Column]:
    """The columns of words, where only the plan tells which they are: of a person, one value may be several."""
    words = {name: column for name, column in plan.columns.items() if column.role == "quasi-identifier"}
    return {name: replace(c, kind="set") if plan.input.person else c.published for name, c in words.items()}


def check_kept(where: str, frame: "pl.DataFrame", units: Records, record: Long) -> None:
    """Raise unless the columns that are kept as they are hold the cells of the records that the rows stand for."""
    for name, column in units.table.columns.items():
        if column.role in ("confidential", "other"):
            own, given = units.table.frame[name].gather(record.tolist()), frame[name]
            kind = "date" if own.dtype.is_temporal() else "number" if own.dtype.is_numeric() else column.kind
            plain = Column(name=name, role=column.role, kind=kind)  # as a release is written, whatever was read
            if kind == "set":
                plain = replace(plain, separator=column.separator, multiplicity=column.multiplicity)
            cells = [_comparable(typed(series, plain, where, ())) for series in (own, given)]
            for row, (mine, other) in enumerate(zip(*cells, strict=True), 1):
                if mine != other:
                    raise BrokenPromise(
                        f"{where}: column {name!r}: row {row} has not the value of the record that the trail names. "
                        f"The release, the original or the trail was changed, or one belongs to another run."
                    )


def _comparable(series: "pl.Series") -> list[Any]:
    if series.dtype.is_temporal() or series.dtype.is_numeric():
        return [None if np.isnan(value) else value for value in as_numbers(series).tolist()]
    return [sorted(cell) if isinstance(cell, list) else cell and str(cell) for cell in series.to_list()]


def places(path: str | Path, frame: "pl.DataFrame", plan: Plan, units: Records, trail: Trail | None) -> Long:
    """The unit that every row of a release stands for: by the trail, or else by their places in the file."""
    if trail is not None:
        record = trail.rows(units, frame.height)
    elif plan.output.shuffle:
        raise BadInput(
            f"{path}: its rows are shuffled, so nobody knows whose they are. Give the trail with --trail, or say "
            f"--keep-order if they are in the order of the original."
        )
    elif frame.height != len(units.table):
        raise BadInput(
            f"{path}: has {frame.height:,} rows where the original has {len(units.table):,} records, so some were left "
            f"out and rows do not correspond. Give the trail with --trail."
        )
    else:
        record = np.arange(frame.height)
    unit_of = np.full(len(units.table), -1, np.int64)
    for unit, records in enumerate(units.records):
        unit_of[records] = unit
    if (unit_of[record] < 0).any():
        raise BadInput(f"{path}: publishes records that the plan would leave out. Is it the right plan?")
    return unit_of[record]

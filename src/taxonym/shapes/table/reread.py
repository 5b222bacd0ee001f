"""Looking at a release that is already written: does it keep its promise, and what was lost?"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from taxonym.errors import BadInput, BadPlan
from taxonym.io.delimited import Dialect
from taxonym.io.files import fingerprint, read
from taxonym.io.rewrite import form_faults
from taxonym.knowledge.arrays import Long
from taxonym.methods.closeness import ConfidentialRule
from taxonym.methods.microaggregation import supports_of
from taxonym.methods.whole_row import RowColumns
from taxonym.plan import SHAPES, Plan
from taxonym.promises import main_promise
from taxonym.promises.check import count_table
from taxonym.promises.classes import Classes, count_classes
from taxonym.promises.promise import WrittenTable
from taxonym.records.column import Column
from taxonym.records.records import Records
from taxonym.shapes.codebook import Codebook, words_of
from taxonym.shapes.table.form import table_faults, type_faults
from taxonym.shapes.table.recompute import MemberRows, check_kept

if TYPE_CHECKING:
    import polars as pl


_OF_FILE = ("path", "format", "sheet", "max_unpacked")  # what the command line of a run may say of its input


class Trail:
    """The private trail of a run: which row of the release an input record became (from 1; 0: none)."""

    def __init__(self, path: str | Path) -> None:
        self.where = str(path)
        try:
            lines = Path(path).read_text("utf-8").splitlines()
            self.run, records = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
            self.first = [record["rows"][0] for record in records]
            self.released = [record["release_row"] or 0 for record in records]
            self.every = [list(record["rows"]) for record in records]
            self.persons = [record.get("person") for record in records]
            self.groups = [-1 if record.get("group") is None else record["group"] for record in records]
            rows = [*self.first, *self.released, *(row for mine in self.every for row in mine)]
            if not isinstance(self.run["plan"], dict) or not all(map(_is_row, rows)):
                raise ValueError("not as it was written")
            if not all(type(group) is int for group in self.groups):
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
        """The plan of the run, with what the command line said otherwise. Version 0.1 shuffled where a plan was silent,
        and its trails have another number."""
        folder, told = self.run.get("folder"), self.run["plan"]
        if self.run.get("taxonym_trail") == 1:
            told = told | {"output": {"shuffle": True} | told.get("output", {})}
        return Plan.from_dict(told, where=self.where, folder=folder and Path(folder))

    def changed_release(self, release: str | Path) -> list[str]:
        """A sentence if a release is not, byte for byte, the one that the run wrote; of an older run nobody knows."""
        known = self.run.get("release_sha256")
        if not isinstance(known, str) or Path(release).is_dir() or fingerprint(Path(release)) == known:
            return []
        return ["it is not the file that the run of the trail wrote"]

    @property
    def of_file(self) -> bool:
        """Whether the run read a file, so that its fingerprint can be taken again; not a table in memory."""
        return bool(self.run.get("fingerprint_of", "file") == "file")

    def check_original(self, found: str) -> None:
        """Raise unless an original with this fingerprint is the one that the run read."""
        known = self.run.get("input_fingerprint")
        if isinstance(known, str) and known != found:
            raise BadInput(f"{self.where}: belongs to another original, or the original was changed since the run.")

    def check_plan(self, plan: Plan) -> None:
        """Raise unless a plan is the one of the run, whatever was said on the command line of the method."""
        mine, own = plan.to_dict(), self.plan.to_dict()
        for table in (*SHAPES, "columns", "input"):
            told = [{k: v for k, v in one.get(table, {}).items() if k not in _OF_FILE} for one in (mine, own)]
            if told[0] != told[1] or ((table in mine) != (table in own) and table in SHAPES):
                raise BadPlan(
                    f"{self.where}: its run had another plan: the table [{table}] differs. Give the plan of the run, "
                    f"or leave --plan out."
                )

    def check_records(self, units: Records) -> None:
        """Raise unless the trail tells of exactly the records of a table: their rows, and whose they are."""
        table = units.table
        if self.every != [table.rows(i) for i in range(len(table))]:
            raise BadInput(f"{self.where}: belongs to another original: it has other records.")
        if table.person_ids and self.persons != [table.person_ids[i] for i in table.person.tolist()]:
            raise BadInput(f"{self.where}: belongs to another original: its records are other persons'.")

    def group_of(self, height: int) -> Long:
        """The group of every row of the release; -1 for none."""
        found = np.full(height, -1, np.int64)
        for group, row in zip(self.groups, self.released, strict=True):
            if row:
                found[row - 1] = group
        return found

    def rows(self, units: Records, height: int) -> Long:
        """For every row of the release the record of the table it stands for."""
        place = {int(units.table.row[units.table.row_start[i]]): i for i in range(len(units.table))}
        return self.one_to_one(place, height)

    def one_to_one(self, place: Mapping[int, int], height: int, noun: str = "row") -> Long:
        """For every row of the release what it stands for, by the first row of the input; each row stands for one."""
        found = np.full(height, -1, np.int64)
        for first, row in zip(self.first, self.released, strict=True):
            if row:
                if row > height or first not in place:
                    raise BadInput(f"{self.where}: belongs to another release or original: they have fewer {noun}s.")
                if found[row - 1] >= 0:
                    raise BadInput(f"{self.where}: belongs to another release: it tells twice whose {noun} {row} is.")
                found[row - 1] = place[first]
        if (found < 0).any():
            row = found.argmin() + 1
            raise BadInput(f"{self.where}: belongs to another release: it does not tell whose {noun} {row} is.")
        return found


def _is_row(number: object) -> bool:
    return type(number) is int and 0 <= number < 1 << 62


def read_release(path: str | Path, plan: Plan | None) -> "pl.DataFrame":
    """The release as a table; a column that the plan does not publish is refused."""
    frame = read(path, None if plan is None else Dialect(max_unpacked=plan.input.dialect.max_unpacked))
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
    path: str | Path,
    k: int,
    plan: Plan | None = None,
    units: Records | None = None,
    trail: Trail | None = None,
    codebook: Codebook | None = None,
) -> Classes:
    """Recount the classes of a written release, and look at its form; with the original also persons, the support
    rule, l and t, and whether every class publishes what its members allow.

    Where the plan draws words for each record, classes are of equal concepts, which only the original can tell. The
    support rule is checked if the plan promises it, and raises BrokenPromise where it fails; so does a kept cell that
    is not that of the record which the trail names.
    """
    import polars as pl

    frame = read_release(path, plan)
    main = None if plan is None else main_promise(replace(plan, method=replace(plan.method, k=k)))
    if main is not None and main.by_concept and units is None:
        raise BadInput(
            f"{path}: its words were drawn for each record, so records are alike in their concepts only. To compare "
            f"these, give --original and --trail."
        )
    if plan is None or main is None:
        more = [] if codebook is None else codebook.faults()
        return replace(count_classes(frame, k), broken=(*form_faults(path, frame), *more))
    faults = [] if trail is None else trail.changed_release(path)
    faults += codebook_faults(codebook, frame, plan, units)
    faults += table_faults(path, frame, plan, published_columns(plan, units))
    confidential = [c.name for c in plan.columns.values() if c.role == "confidential"]
    if units is None or trail is None:
        counted = count_table(main.plan, WrittenTable([frame], confidential, _columns(plan), str(path)))
        return replace(counted, broken=(*counted.broken, *faults))
    trail.check_records(units)
    record = trail.rows(units, frame.height)
    unit = places(path, frame, plan, units, trail)
    persons = units.table.person[record].astype(np.int64)
    columns = {w.column.name: w.column.published for w in units.words}
    released = np.isin(units.rows.codes, record)
    rows = RowColumns(units, k, plan.method.together, supports_of(units, k))
    supports = {one.column.name: one for one in rows.supports(released)}
    written = WrittenTable([frame], confidential, columns, str(path), persons, supports, rows.cells(released))
    counted = count_table(main.plan, written)
    check_kept(str(path), frame, units, plan, record, counted.number)
    watch = ConfidentialRule.of(units.released(record.tolist()), plan)
    reached = watch.figures(counted.number, unit)
    if Path(path).suffix.lower() in (".parquet", ".pq"):
        kept = [name for name, column in units.table.columns.items() if column.role != "quasi-identifier"]
        faults += type_faults(frame, pl.DataFrame([units.table.frame[name] for name in kept]))
    found = MemberRows(str(path), frame, plan, units, unit, counted.number, trail.group_of(frame.height)).broken()
    broken = (*counted.broken, *watch.broken(counted.number, unit), *found, *faults)
    return replace(counted, broken=broken, privacy=tuple(reached))


def published_columns(plan: Plan, units: Records | None) -> dict[str, Column]:
    """The columns that a plan publishes, as a release has them; of several rows of a person only the original tells
    whether a column of single values has become one of sets."""
    if units is not None:
        quasi = {column.column.name: column.column.published for column in units.columns}
        return {name: quasi.get(name, column) for name, column in units.table.columns.items()}
    kept = {name: column for name, column in plan.columns.items() if column.role != "identifier"}
    return {name: c.published if c.role == "quasi-identifier" else c for name, c in kept.items()}


def _columns(plan: Plan) -> dict[str, Column]:
    """The columns of words, where only the plan tells which they are: of a person, one value may be several."""
    words = {name: column for name, column in plan.columns.items() if column.role == "quasi-identifier"}
    return {name: replace(c, kind="set") if plan.input.person else c.published for name, c in words.items()}


def codebook_faults(codebook: Codebook | None, frame: "pl.DataFrame", plan: Plan, units: Records | None) -> list[str]:
    """What is wrong with the codebook of a table; with the original it is made again."""
    import polars as pl

    if codebook is None:
        return []
    if units is not None:
        return codebook.faults_beside(Codebook.of_frames([frame], units.words))
    said: dict[str, tuple[Column, set[str]]] = {}
    for name, column in plan.columns.items():
        if column.role == "quasi-identifier" and column.kind not in ("number", "date"):
            lists = frame[name].dtype == pl.List(pl.String)
            ways = [column.published] * (not lists) + [replace(column, kind="set")] * bool(lists or plan.input.person)
            words = [words_of(frame, way) for way in ways]
            listed = {one.word for one in codebook.entries if one.column == name}
            said[name] = column, next((some for some in words if some == listed), words[0])
    return codebook.faults_by_plan(said, plan)


def places(path: str | Path, frame: "pl.DataFrame", plan: Plan, units: Records, trail: Trail | None) -> Long:
    """The unit that every row of a release stands for: by the trail, or else by their places in the file."""
    if trail is not None:
        record = trail.rows(units, frame.height)
    elif plan.output.rows != "kept":
        raise BadInput(
            f"{path}: its rows are {plan.output.rows}, so nobody knows whose they are. Give the trail with --trail, or "
            f"say --keep-order if they are in the order of the original."
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

"""A file that is read in batches, with numbers in a work folder, gives the units of the file that is read whole."""

import tempfile
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.errors import BrokenPromise, TaxonymError
from taxonym.executor.checkpoints import FOLDER, work_folder
from taxonym.io import delimited, files, objects, parquet
from taxonym.methods import published_groups as outcome
from taxonym.plan import Plan
from taxonym.records.records import Records
from taxonym.records.words import WordColumn
from taxonym.shapes.table.read import prepare
from taxonym.shapes.table.stream import prepare_streamed
from tests.releases import Case, cases, write_rows


def told(units: Records) -> list[object]:
    """Everything a run goes on with. Units that are alike in all that a release shows may change places."""
    ids, n = units.table.person_ids, len(units)
    found: list[object] = [units.suppressed, sorted(units.table.notes), len(units.table), units.table.persons]
    inside: list[list[object]] = [[ids[p] if ids else None] for p in units.persons.tolist()]
    for column in units.columns:
        found.append(column.column)
        if isinstance(column, WordColumn):
            found += [column.start.tolist(), column.codes.tolist()]
            for i in range(n):
                mine = np.flatnonzero(column.row == i)
                terms = sorted((column.names[t], m) for t, m in zip(column.term[mine], column.meant[mine], strict=True))
                inside[i] += [terms, int(column.unknown[i]), int(column.outside[i])]
        else:
            found += [np.nan_to_num(column.values, nan=-1).tolist(), column.cells.to_list()]
    for name, c in units.table.columns.items():
        if c.role != "quasi-identifier":
            cells = units.table.frame[name].to_list()
            found += [c, [sorted(str(cells[record]) for record in mine) for mine in units.records]]
    for i, mine in enumerate(units.records):
        inside[i].append(sorted(units.table.rows(record) for record in mine))
    return [*found, sorted(map(str, inside))]


@given(case=cases(max_rows=24), size=st.integers(1, 9), suffix=st.sampled_from([".csv", ".jsonl", ".parquet"]))
@settings(max_examples=60)
def test_the_units_of_batches_are_those_of_the_whole_file(case: Case, size: int, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / f"data{suffix}"
        write_rows(case.rows, path)
        plan = Plan.from_dict(case.plan(folder))
        outcomes = []
        for streamed in (False, True):
            try:
                if streamed:
                    with (
                        patch.multiple(files, BATCH=size),
                        patch.multiple(parquet, BATCH=size),
                        patch.multiple(objects, CHUNK=size),
                        patch.object(delimited, "CHUNK", size),
                        work_folder(folder, path, plan, [1]) as work,
                    ):
                        units = prepare_streamed(str(path), plan, work)
                        assert not list(work.folder.glob("rows-*"))
                else:
                    units = prepare(str(path), plan)
                outcomes.append(told(units))
            except TaxonymError as error:
                outcomes.append([type(error), str(error)])
        assert outcomes[1] == outcomes[0]


@given(case=cases(max_rows=40), size=st.integers(1, 9), blocks=st.sampled_from(["always", "never"]))
@settings(max_examples=25)
def test_a_release_through_a_work_folder_is_the_same_to_the_byte(case: Case, size: int, blocks: str) -> None:
    case = replace(case, method=case.method | {"blocks": blocks, "block_size": 8})
    with tempfile.TemporaryDirectory() as name, patch.multiple(files, BATCH=size), patch.object(outcome, "BATCH", 7):
        folder = Path(name)
        write_rows(case.rows, folder / "in.csv")
        found = []
        for work in (None, folder):
            try:
                release = taxonym.anonymize(folder / "in.csv", case.plan(folder), baselines=False, work=work)
                release.write(folder / "out.csv")
                release.write_trail(folder / "trail")
                assert release.frame.equals(release.table)
                found.append(((folder / "out.csv").read_bytes(), release.report))
            except BrokenPromise as error:
                found.append((str(error).encode(), {}))
        assert found[0] == found[1]
        assert not (folder / FOLDER).exists()

"""The order of the steps, from a table and a plan to a verified release.

read      the table, one record per person (or rows that stay together)
map       words to concepts; what has none is suppressed, kept or refused, as the plan says
sort      records by their codes, then by their cells, so that nothing depends on the order of the rows
mask      records with equal `other` columns form groups of at least k persons, which publish one record each under the
          support rule; or their values rise in the taxonomy until enough are alike; l and t may ask for larger groups;
          or every value becomes another at random, and nothing is promised about k (engine.noised)
verify    classes or combinations, the support rule, l and t, recounted from the file before it gets its name
measure   what was lost, on what is really published, and how often an intruder finds whom he looks for
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.data.forks import check_process
from taxonym.engine.blockwise import entropy_of
from taxonym.engine.linked import linkage
from taxonym.engine.local import form_groups
from taxonym.engine.machine import Machine
from taxonym.engine.methods import masked
from taxonym.engine.noised import noised
from taxonym.engine.outcome import Outcome, judge_of
from taxonym.engine.prepare import Units, prepare
from taxonym.engine.promises import Watch
from taxonym.engine.report import report, trail
from taxonym.engine.streamed import prepare_streamed
from taxonym.engine.work import Work, work_folder
from taxonym.errors import BadInput, BadPlan
from taxonym.mask.proof import Classes, check_release
from taxonym.mask.result import Release
from taxonym.plan import Plan, as_plan, imported
from taxonym.progress import SILENCE, Progress

if TYPE_CHECKING:
    import polars as pl


def anonymize(
    table: Any,
    plan: Plan | Mapping[str, Any] | str | Path,
    *,
    baselines: bool = True,
    progress: Progress = SILENCE,
    workers: int | None = None,
    max_memory: int | str | None = None,
    work: str | Path | None = None,
) -> Release:
    """Make a table publishable: groups of at least k persons that are published alike, and a report of what was lost.

    `table` is a polars, pandas or pyarrow table, or a path. `plan` is a Plan, its tables as a dict, or the path of its
    file. `baselines` also measures what groups without meaning would lose, which takes about three times as long.

    `workers` threads do the work (all cores unless given), and as many processes where it pays, if the number is given:
    a script needs `if __name__ == "__main__":` then. The release is the same for any number of them. `max_memory`
    is a ceiling for the memory of the process ("4G"): what does not fit below is done in blocks, or refused. `work` is
    a folder for work files: a file is then read in batches, never held as text, and a run that was killed goes on from
    the blocks that it had finished.

    Memory: the table, and 2 bytes for every pair of records with equal `other` columns (20,000 records: 0.8 GB; six
    bytes where there are several quasi-identifiers). More records, or more than fits, are grouped in blocks.
    """
    check_process()
    plan = as_plan(plan)
    machine, rng = Machine.of(workers, max_memory), np.random.default_rng(plan.method.seed)
    if plan.shape is not None:
        run: Callable[..., Release] = imported(plan.shape.engine)
        if work is not None:
            raise BadPlan("work: only plain tables are read in batches. Leave the work folder out.")
        return run(table, plan, rng, machine, baselines, progress)
    if plan.method.perturbs:
        if work is not None:
            raise BadPlan("work: noise needs no blocks and keeps none. Leave the work folder out.")
        return noised(table, plan, progress)
    if work is None:
        return _released(table, plan, prepare(table, plan, progress), rng, baselines, progress, machine)
    if not isinstance(table, str | Path):
        raise BadInput("work: a work folder is for files. Give the path of one, or leave the work folder out.")
    with work_folder(work, table, plan, entropy_of(np.random.default_rng())) as kept:
        if plan.method.seed is None:
            rng = np.random.default_rng(kept.entropy)
        units = prepare_streamed(str(table), plan, kept, progress)
        return _released(table, plan, units, rng, baselines, progress, machine, kept)


def _released(
    table: Any,
    plan: Plan,
    units: Units,
    rng: np.random.Generator,
    baselines: bool,
    progress: Progress,
    machine: Machine,
    kept: Work | None = None,
) -> Release:
    """Everything after reading; `kept` has what a killed run had finished."""
    watch = Watch.promised(units, plan, progress)
    outcome = masked(units, plan, rng, progress, watch, machine, kept)
    record, place = outcome.rows(rng)

    def batches() -> "Iterator[pl.DataFrame]":
        return outcome.batches(record, place)

    def check(written: "Iterator[pl.DataFrame]") -> Classes:
        counted = verified(outcome, written, units.table.person[record].astype(np.int64))
        if watch is not None:
            watch.check(counted.number, outcome.members[place])
        return counted

    classes = check(batches())
    if watch is not None:
        classes = replace(classes, privacy=tuple(watch.figures(classes.number, outcome.members[place])))
    progress.start("what was lost")
    loss = outcome.loss(rng, _regroup(outcome, machine) if baselines else None)
    progress.finish()
    return Release(
        groups=[_input_rows(outcome, group) for group in outcome.groups],
        report=report(outcome, loss, classes, linkage(outcome, rng, progress)),
        batches=batches,
        separators={name: c.separator for name, c in outcome.columns().items() if c.kind == "set"},
        check=check,
        original=table,
        trail=lambda: trail(outcome, table, record, place, outcome.apart(judge_of(plan))),
    )


def verified(outcome: Outcome, batches: "Iterator[pl.DataFrame]", persons: np.ndarray) -> Classes:
    """Recount from the batches of a table, as it was written, what the run promised; row i stands for persons[i]."""
    columns, method = outcome.columns(), outcome.plan.method
    return check_release(
        batches,
        method.k,
        [name for name, column in columns.items() if column.role == "confidential"],
        persons,
        {support.words.column.name: (columns[support.words.column.name], support) for support in outcome.supports},
        method.together if method.supported else None,
        outcome.promise,
        "the release",
    )


def _regroup(outcome: Outcome, machine: Machine) -> Any:
    """How the same records would be grouped with another measure."""

    def regroup(measure: str) -> list[list[int]]:
        method = replace(outcome.plan.method, measure=measure)
        return form_groups(outcome.units, replace(outcome.plan, method=method), machine=machine)

    return regroup


def _input_rows(outcome: Outcome, group: list[int]) -> list[int]:
    """The input rows of a group's records, from 0."""
    table, records = outcome.units.table, outcome.units.records
    return sorted(row - 1 for unit in group for record in records[unit] for row in table.rows(record))

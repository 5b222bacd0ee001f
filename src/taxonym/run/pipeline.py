"""The order of the steps, from any input and a plan to a verified release. No other file knows it.

read      the records of persons, whose words become concepts; what has none is suppressed, kept or refused
publish   what is said about them instead: groups of at least k that publish one record each under the support rule,
          values that rise in the taxonomy until enough are alike, or other values at random
check     what was promised, recounted from what is published, and again from the file before it gets its name
measure   what was lost and what survives, on what is really published
attack    how often an intruder finds whom he looks for
report    everything that may be told

What each step does with a table, a log or documents is the business of its shape (shapes/shape.py); a run on Spark
takes the same steps with tables that workers hold (run/spark/table.py).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.drafting.plans import draft
from taxonym.errors import BadInput, BadPlan
from taxonym.executor.checkpoints import work_folder
from taxonym.executor.context import Context
from taxonym.executor.machine import Machine
from taxonym.io.forks import check_process
from taxonym.io.frames import as_polars
from taxonym.io.progress import SILENCE, Progress
from taxonym.methods.blockwise import entropy_of
from taxonym.plan import Noise, Plan, as_plan
from taxonym.report.figures import guard_of
from taxonym.run.release import Release
from taxonym.shapes.shape import Published, Publisher, shape_of


def anonymize(
    table: Any,
    plan: Plan | Mapping[str, Any] | str | Path | None = None,
    *,
    baselines: bool = True,
    progress: Progress = SILENCE,
    workers: int | None = None,
    max_memory: int | str | None = None,
    work: str | Path | None = None,
) -> Release:
    """Make a table publishable: groups of at least k persons that are published alike, and a report of what was lost.

    `table` is a polars, pandas, pyarrow or DuckDB table, anything that speaks Arrow, a list of dicts, or a path. `plan`
    is a Plan, its tables as a dict, or the path of its file; without one, a plan is drafted (see `draft`), which
    publishes only columns that it understands. `baselines` also measures what groups without meaning would lose, which
    takes about three times as long.

    `workers` threads do the work (all cores unless given), and as many processes where it pays, if the number is given:
    a script needs `if __name__ == "__main__":` then. The release is the same for any number of them. `max_memory`
    is a ceiling for the memory of the process ("4G"): what does not fit below is done in blocks, or refused. `work` is
    a folder for work files: a file is then read in batches, never held as text, and a run that was killed goes on from
    the blocks that it had finished.

    Memory: the table, and 2 bytes for every pair of records with equal `other` columns (20,000 records: 0.8 GB; six
    bytes where there are several quasi-identifiers). More records, or more than fits, are grouped in blocks.
    """
    check_process()
    source = table if isinstance(table, str | Path) else as_polars(table)
    plan = draft(source) if plan is None else as_plan(plan)
    rng = np.random.default_rng(plan.method.seed)
    context = Context(rng, Machine.of(workers, max_memory), progress, baselines)
    with _keeping(context, source, plan, work) as context:
        return replace(_release(source, plan, context), original=table)


@contextmanager
def _keeping(context: Context, table: Any, plan: Plan, work: str | Path | None) -> Iterator[Context]:
    """The context with a work folder, if one is named: draws go on as a killed run began them."""
    if work is None:
        yield context
        return
    if plan.shape is not None:
        raise BadPlan(f"work: {plan.shape.whole} Leave the work folder out.")
    if isinstance(plan.method, Noise):
        raise BadPlan("work: noise needs no blocks and keeps none. Leave the work folder out.")
    if not isinstance(table, str | Path):
        raise BadInput("work: a work folder is for files. Give the path of one, or leave the work folder out.")
    with work_folder(work, table, plan, entropy_of(np.random.default_rng())) as kept:
        rng = context.rng if plan.method.seed is not None else np.random.default_rng(kept.entropy)
        yield replace(context, rng=rng, kept=kept)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is published, and the report for everybody; `private` makes the one with exact figures."""

    published: Published
    report: dict[str, Any]
    private: Callable[[], dict[str, Any]]


def carried_out(way: Publisher, source: Any, plan: Plan, context: Context) -> Outcome:
    """The steps of a run, whatever the data and wherever they are."""
    published = way.publish(way.read(source, plan, context), plan, context)
    with context.step("proof"):
        proof = published.check(published.batches())
    with context.step("what was lost"):
        loss = published.loss(context) | {"survival": published.survival(context)}
    with context.step("what an intruder finds"):
        linkage = published.linkage(context)

    def report(private: bool) -> dict[str, Any]:
        guard = guard_of(plan, private)
        return published.report(guard, proof, loss, linkage).as_data(*published.packages)

    return Outcome(published, report(False), lambda: report(True))


def _release(table: Any, plan: Plan, context: Context) -> Release:
    outcome = carried_out(shape_of(plan), table, plan, context)
    published = outcome.published
    return Release(
        groups=published.groups,
        report=outcome.report,
        private_report=outcome.private,
        batches=published.batches,
        separators=published.separators,
        check=published.check,
        trail=published.trail,
        original=table,
        sources=published.sources,
        save=published.save,
        make_codebook=published.codebook,
        kind=plan.kind,
    )

"""From a query log and a plan to a verified release, in which every user of a group has the same log.

read      the log, one record per user
map       whole queries that k users wrote, and the words of others, to concepts
group     users by what their queries mean; as a baseline, by how these are written
choose    what each group publishes and how often, under the support rule, so that frequencies are kept
tell      times and clicked hosts only where k users of a group share them, if at all
name      every user anew, at random
verify    from the file: users per class, the support rule, times, hosts and names
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.data.querylog import FORM
from taxonym.engine.linked import linkage
from taxonym.engine.local import formed
from taxonym.engine.machine import Machine
from taxonym.engine.outcome import Outcome, judge_of
from taxonym.engine.prepare import Units
from taxonym.engine.querylog.lines import by_frequency, by_meaning
from taxonym.engine.querylog.prepare import Asked, by_syntax, prepare_log
from taxonym.engine.querylog.proof import Written, check_log
from taxonym.engine.querylog.shared import Shared, Told
from taxonym.engine.report import report, trail
from taxonym.mask.proof import Classes
from taxonym.mask.queries import line_of
from taxonym.mask.result import Release
from taxonym.plan import Plan
from taxonym.progress import Progress

if TYPE_CHECKING:
    import polars as pl

BATCH = 20_000  # users whose lines are made at a time
NAMES = 10**11, 10**12  # users are named anew by numbers of twelve digits


def anonymize(
    source: Any, plan: Plan, rng: np.random.Generator, machine: Machine, baselines: bool, progress: Progress
) -> Release:
    """Make a query log publishable; see pipeline.anonymize."""
    asked = prepare_log(source, plan, progress)
    units = asked.units
    found = formed(_compared(asked), asked.plan, progress, machine)
    progress.start("what groups publish")
    if asked.shape.choice == "meaning":
        outcome, lines = by_meaning(asked, found, rng, progress)
    else:
        outcome, lines = by_frequency(asked, found.groups, rng)
    outcome = replace(outcome, blocks=found.as_data())
    told = Shared.of(asked).told(outcome.groups, lines, rng)
    record, place = outcome.rows(rng)
    users = new_names(len(record), set(units.table.person_ids), rng)
    group = outcome.group_of[place].tolist()
    progress.finish()

    def batches() -> "Iterator[pl.DataFrame]":
        return _batches(asked, told, users, group)

    def check(written: "Iterator[pl.DataFrame]") -> Classes:
        import polars as pl

        read = Written.of(pl.concat(written), asked.shape, "the release")
        return check_log(read, asked, outcome.members[place], outcome.supports[0], plan.method.k)

    progress.start("proof")
    classes = check(batches())
    progress.finish()
    progress.start("what was lost")
    loss = outcome.loss(rng, _regroup(asked, machine) if baselines else None)
    progress.finish()
    return Release(
        groups=[_input_rows(outcome, group) for group in outcome.groups],
        report=_report(asked, outcome, loss, classes, plan, linkage(outcome, rng, progress)),
        batches=batches,
        separators={},
        check=check,
        original=source,
        trail=lambda: _trail(outcome, source, plan, record, place),
    )


def _compared(asked: Asked) -> Units:
    """The users as the groups are to compare them."""
    return by_syntax(asked) if asked.shape.grouping == "syntax" else asked.units


def _regroup(asked: Asked, machine: Machine) -> Any:
    """How the same users would be grouped with another measure."""

    def regroup(measure: str) -> list[list[int]]:
        method = replace(asked.plan.method, measure=measure)
        return formed(asked.units, replace(asked.plan, method=method), machine=machine).groups

    return regroup


def new_names(n: int, taken: set[str], rng: np.random.Generator) -> list[str]:
    """Names for n users: different random numbers, none of which was anybody's name before."""
    names: dict[str, None] = {}
    while len(names) < n:
        for number in rng.integers(*NAMES, n - len(names)).tolist():
            if str(number) not in taken:
                names[str(number)] = None
    return list(names)


def _batches(asked: Asked, told: list[list[Told]], users: list[str], group: list[int]) -> "Iterator[pl.DataFrame]":
    """The release, some users at a time: the lines of their groups, under the names that the log uses."""
    import polars as pl

    names, shape = asked.log.names, asked.shape
    kept = ["query", *["time"] * (shape.times != "drop"), *["click"] * (shape.clicks != "drop")]
    cells = dict.fromkeys(("user", "query", FORM, "time", "click"), pl.String)
    for first in range(0, len(users), BATCH):
        part = zip(users[first : first + BATCH], group[first : first + BATCH], strict=True)
        rows = pl.DataFrame([(user, *line) for user, g in part for line in told[g]], schema=cells, orient="row")
        yield pl.DataFrame([*(rows[key].alias(names[key]) for key in ("user", *kept)), rows[FORM]])


def _report(
    asked: Asked, outcome: Outcome, loss: dict[str, Any], classes: Classes, plan: Plan, linked: dict[str, Any]
) -> dict[str, Any]:
    """The report of any run, in the terms of a log."""
    found = report(outcome, loss, classes, linked)
    told = plan.to_dict() | {"method": found["plan"]["method"]}
    records, notes = found["records"], list(found["notes"])
    if records["rows"] is not None:  # else it would give away how few were suppressed
        notes.append(f"{asked.log.frame.height:,} lines with a query were read; a line is published for each word too.")
    records = records | {"rows": None}
    columns = found["columns"]
    for one in (one for column in columns for branch in column["branches"] for one in (branch, *branch["concepts"])):
        one["concept"] = line_of(one["concept"], True)[0]
    if asked.shape.choice == "frequencies":
        for column in columns:
            changed = column.pop("compared_with_the_medoids")
            column["compared_with_the_originals"] = {key: changed[key] for key in ("raised", "dropped")}
    return found | {"plan": told, "records": records, "columns": columns, "notes": notes}


def _input_rows(outcome: Outcome, group: list[int]) -> list[int]:
    """The lines of a group's users, from 0."""
    table, records = outcome.units.table, outcome.units.records
    return sorted(line - 1 for unit in group for record in records[unit] for line in table.rows(record))


def _trail(outcome: Outcome, source: Any, plan: Plan, record: Any, place: Any) -> dict[str, Any]:
    """The trail of any run; rows of the release are its users, in the order in which they appear."""
    found = trail(outcome, source, record, place, outcome.apart(judge_of(outcome.plan)))
    return found | {"run": found["run"] | {"plan": plan.to_dict()}}

"""From a query log and a plan to a verified release, in which every user of a group has the same log.

read      the log, one record per user
map       whole queries that k users wrote, and the words of others, to concepts
group     users by what their queries mean; as a baseline, by how these are written
choose    what each group publishes and how often, under the support rule, so that frequencies are kept
tell      times and clicked hosts only where k users of a group share them, if at all
name      every user anew, at random
verify    from the file: users per class, the support rule, times, hosts and names
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.data.frames import like
from taxonym.data.querylog import FORM
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
from taxonym.mask.result import Release
from taxonym.plan import Plan
from taxonym.progress import SILENCE, Progress

if TYPE_CHECKING:
    import polars as pl

NAMES = 10**11, 10**12  # users are named anew by numbers of twelve digits


def anonymize(
    source: Any,
    plan: Plan,
    *,
    baselines: bool = True,
    progress: Progress = SILENCE,
    workers: int | None = None,
    max_memory: int | str | None = None,
) -> Release:
    """Make a query log publishable; see pipeline.anonymize."""
    machine, rng = Machine.of(workers, max_memory), np.random.default_rng(plan.method.seed)
    asked = prepare_log(source, plan, progress)
    units = asked.units
    found = formed(_compared(asked), asked.plan, progress, machine)
    progress.start("what groups publish")
    if asked.shape.choice == "meaning":
        outcome, lines = by_meaning(asked, found.groups, rng, progress)
    else:
        outcome, lines = by_frequency(asked, found.groups, rng)
    outcome = replace(outcome, blocks=found.as_data())
    told = Shared.of(asked).told(outcome.groups, lines, rng)
    record, place = outcome.rows(rng)
    users = new_names(len(record), set(units.table.person_ids), rng)
    frame = _frame(asked, told, users, outcome.group_of[place].tolist())
    progress.finish()

    def check(written: "pl.DataFrame") -> Classes:
        members = outcome.members[place]
        return check_log(
            Written.of(written, asked.shape, "the release"), asked, members, outcome.supports[0], plan.method.k
        )

    progress.start("proof")
    classes = check(frame)
    progress.finish()
    progress.start("what was lost")
    loss = outcome.loss(rng, _regroup(asked, machine) if baselines else None)
    progress.finish()
    return Release(
        table=like(frame, source),
        groups=[sorted(row for unit in group for row in asked.lines(unit)) for group in outcome.groups],
        report=_report(asked, outcome, loss, classes, plan),
        frame=frame,
        separators={},
        check=check,
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


def _frame(asked: Asked, told: list[list[Told]], users: list[str], group: list[int]) -> "pl.DataFrame":
    """The release: for every user the lines of the group, under the names that the log uses."""
    import polars as pl

    names, shape = asked.log.names, asked.shape
    logs = [
        pl.DataFrame(mine, schema=dict.fromkeys(("query", FORM, "time", "click"), pl.String), orient="row")
        for mine in told
    ]
    every = pl.concat(logs)
    ends = np.concatenate(([0], np.cumsum([len(mine) for mine in told])))
    at = np.concatenate([np.arange(ends[g], ends[g + 1]) for g in group])
    rows = every[at]
    whose = pl.Series(names["user"], users).gather(np.repeat(np.arange(len(users)), [len(told[g]) for g in group]))
    kept = ["query", *["time"] * (shape.times != "drop"), *["click"] * (shape.clicks != "drop")]
    columns = [whose, *(rows[key].alias(names[key]) for key in kept)]
    return pl.DataFrame([*columns, rows[FORM]])


def _report(asked: Asked, outcome: Outcome, loss: dict[str, Any], classes: Classes, plan: Plan) -> dict[str, Any]:
    """The report of any run, in the terms of a log."""
    found = report(outcome, loss, classes)
    told = plan.to_dict() | {"method": found["plan"]["method"]}
    records = found["records"]
    if records["rows"] is not None:
        records = records | {"rows": asked.log.frame.height}
    columns = found["columns"]
    if asked.shape.choice == "frequencies":
        for column in columns:
            changed = column.pop("compared_with_the_medoids")
            column["compared_with_the_originals"] = {key: changed[key] for key in ("raised", "dropped")}
    return found | {"plan": told, "records": records, "columns": columns}


def _trail(outcome: Outcome, source: Any, plan: Plan, record: Any, place: Any) -> dict[str, Any]:
    """The trail of any run; rows of the release are its users, in the order in which they appear."""
    found = trail(outcome, source, record, place, outcome.apart(judge_of(outcome.plan)))
    return found | {"run": found["run"] | {"plan": plan.to_dict()}}

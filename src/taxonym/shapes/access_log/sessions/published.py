"""Whole sessions on their way through a run: grouped, published, recounted, measured, attacked, reported."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.attack.everybody import linkage
from taxonym.executor.context import Context
from taxonym.group.blocks import Form
from taxonym.group.persons import PersonGroups, gather
from taxonym.io.atomic import Together
from taxonym.plan import Microaggregation, Plan
from taxonym.promises.classes import Classes
from taxonym.records.masked import MaskedRecords
from taxonym.records.thresholds import Thresholds
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.shapes.access_log.read import Clicks
from taxonym.shapes.access_log.sessions.publish import SessionRelease, publish_groups, published_parts
from taxonym.shapes.access_log.sessions.records import SessionRecords, session_records
from taxonym.shapes.access_log.sessions.report import (
    NOTHING_SHARED,
    loss_of_sessions,
    report,
    trail,
    visitors_left_out,
)
from taxonym.shapes.access_log.sessions.write import NumberedSessions
from taxonym.shapes.shape import Published

if TYPE_CHECKING:
    import polars as pl

Aside = Callable[[Path, Together | None], None]  # writes the lines that could not be read to a private file


@dataclass(frozen=True, eq=False)
class PublishedSessions(Published):
    """What groups of sessions publish."""

    source: str | Path
    plan: Plan
    grouped: PersonGroups
    made: SessionRelease
    written: NumberedSessions
    set_aside: Callable[[Path, Together | None], None]

    @property
    def records(self) -> SessionRecords:
        return self.made.rule.records

    @cached_property
    def groups(self) -> list[list[int]]:
        return self.written.input_rows()

    @property
    def masked(self) -> MaskedRecords:
        records, y = self.records, published_parts(self.records, self.made.published)
        kept, block = np.flatnonzero(self.made.kept), np.zeros(len(records), np.int64)
        own = list(records.parts().values())
        return MaskedRecords(own, list(y.values()), kept, self.made.group_of[kept], records.visitor, block)

    @property
    def persons(self) -> int:
        return self.records.visitors

    @property
    def left_out(self) -> Mapping[str, int]:
        return {NOTHING_SHARED: visitors_left_out(self.made)}

    def batches(self) -> "Iterator[pl.DataFrame]":
        yield self.written.frame()

    def check(self, written: "Iterator[pl.DataFrame]") -> Classes:
        """Recounted from the lines of the file to be; saving recounts from the file."""
        return self.written.check()

    @property
    def save(self) -> Callable[[Path, Together | None], None]:
        def save(path: Path, together: Together | None) -> None:
            self.set_aside(path, together)
            self.written.save(path, together)

        return save

    def loss(self, context: Context) -> dict[str, Any]:
        return loss_of_sessions(self.made, self.plan.method.compare, context.rng)

    def linkage(self, context: Context) -> dict[str, Any]:
        how, k = self.plan.method.compare, self.plan.method.k
        return linkage(self.masked, how, k, context.rng.spawn(1)[0], context.progress, by_person=True)

    def report(self, guard: Disclosure, proof: Classes, loss: dict[str, Any], linkage: dict[str, Any] | None) -> Report:
        return report(guard, self.plan, self.grouped, self.made, loss, linkage, proof)

    def trail(self) -> dict[str, Any]:
        return trail(
            self.source, self.plan, self.grouped, self.made, self.written.record, self.plan.method.compare
        )  # fmt: skip


def publish_sessions(
    source: str | Path, clicks: Clicks, plan: Plan, form: Form | None, context: Context, set_aside: Aside
) -> PublishedSessions:
    """Sessions in groups of at least k visitors, and what each group publishes."""
    method = Microaggregation.of(plan)
    with context.step("sessions"):
        records = session_records(clicks)
    groups = grouped(records, method, form, context)
    with context.step("what groups of sessions publish"):
        secret = Thresholds.of_run(method.k, method.support_threshold, context.rng)
        made = publish_groups(records, groups, method.k, method.compare, context.rng, secret)
        written = NumberedSessions.of(made, context.rng)
    return PublishedSessions(source, plan, groups, made, written, set_aside)


def grouped(records: SessionRecords, method: Microaggregation, form: Form | None, context: Context) -> PersonGroups:
    """Groups of sessions of at least k visitors."""
    rows = np.arange(len(records))
    size = max(method.block_size, 4 * method.k)
    target = size if method.blocks != "never" else len(rows)
    need = 10 * min(len(rows), 3 * target // 2) ** 2
    context.machine.check(need, records.clicks.log.where, f"a block of {target:,} sessions")
    workers = max(1, min(context.machine.workers, int(context.machine.left // max(1, need))))
    return gather(
        list(records.parts().values()), rows, records.visitor, method.compare, method.k, form,
        target=target, workers=workers, progress=context.progress,
    )  # fmt: skip

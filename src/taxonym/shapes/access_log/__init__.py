"""From an access log to a verified one: read, group, publish, recount from the file.

A class is the lines of a release that are equal in every character. It must hold lines of at least k different
visitors: k lines of one visitor would hide nobody, and tell what he did k times. See groups.py (who goes with whom),
publish.py (what is written instead) and proof.py (what is recounted).
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.attack.everybody import linkage
from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.executor.context import Context
from taxonym.group.registry import GROUPINGS
from taxonym.io.atomic import Together
from taxonym.io.progress import Progress
from taxonym.plan import EQUAL_TERMS, Method, Microaggregation, Plan
from taxonym.plan.access_log import AccessLog
from taxonym.promises.classes import Classes
from taxonym.records.masked import MaskedRecords
from taxonym.records.thresholds import Thresholds
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.shapes.access_log.groups import LineClasses, grouped
from taxonym.shapes.access_log.log_lines import read_log
from taxonym.shapes.access_log.publish import LineRelease, publish_classes
from taxonym.shapes.access_log.read import Clicks, prepare
from taxonym.shapes.access_log.release_pair import LogReleasePair
from taxonym.shapes.access_log.report import loss_of_lines, published_parts, report, trail
from taxonym.shapes.access_log.reread import verify
from taxonym.shapes.access_log.sessions.published import PublishedSessions, publish_sessions
from taxonym.shapes.access_log.sessions.release_pair import SessionReleasePair
from taxonym.shapes.access_log.sessions.reread import holds_sessions
from taxonym.shapes.access_log.sessions.reread import verify as verify_sessions
from taxonym.shapes.access_log.write import WrittenLines, set_aside
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.mining import Mining
from taxonym.shapes.shape import Published

if TYPE_CHECKING:
    import polars as pl

    from taxonym.shapes.table.reread import Trail


@dataclass(frozen=True, eq=False)
class PublishedLines(Published):
    """What classes of lines publish."""

    source: str | Path
    plan: Plan
    shape: AccessLog
    clicks: Clicks
    grouped: LineClasses
    made: LineRelease
    written: WrittenLines

    @cached_property
    def groups(self) -> list[list[int]]:
        return self.written.input_rows()

    @property
    def masked(self) -> MaskedRecords:
        clicks, y = self.clicks, published_parts(self.clicks, self.made.published)
        record, row = self.made.units
        own, block = list(clicks.parts().values()), np.zeros(len(clicks.first), np.int64)
        return MaskedRecords(own, list(y.values()), record, row, clicks.person, block)

    @property
    def persons(self) -> int:
        return self.clicks.visitors

    def batches(self) -> "Iterator[pl.DataFrame]":
        yield self.written.frame()

    def check(self, written: "Iterator[pl.DataFrame]") -> Classes:
        """Recounted from a line of every class; saving recounts from the file."""
        return self.written.check(self.made.rule)

    @property
    def save(self) -> Callable[[Path, Together | None], None]:
        return self._save

    def _save(self, path: Path, together: Together | None) -> None:
        _set_aside(self.source, self.plan, self.clicks, path, together)
        self.written.save(path, self.made.rule, together)

    def loss(self, context: Context) -> dict[str, Any]:
        return loss_of_lines(self.clicks, self.made, self.plan.method.compare, context.rng)

    def linkage(self, context: Context) -> dict[str, Any]:
        how, k = self.plan.method.compare, self.plan.method.k
        return linkage(self.masked, how, k, context.rng.spawn(1)[0], context.progress, by_person=True)

    def report(self, guard: Disclosure, proof: Classes, loss: dict[str, Any], linkage: dict[str, Any] | None) -> Report:
        return report(guard, self.plan, self.clicks, self.grouped, self.made, loss, proof, linkage)

    def trail(self) -> dict[str, Any]:
        rows, how = self.written.rows, self.plan.method.compare
        made = trail(self.source, self.plan, self.clicks, self.made, rows, how)
        moved = self.made.class_of != self.grouped.class_of[self.clicks.unit_of]
        made["run"]["moved_lines"] = int(moved.sum())  # from the class whose values they had a part in
        return made


class AccessLogShape:
    """How an access log goes through a run."""

    widest: Mapping[str, Any] = {"session": True}

    def read(self, source: Any, plan: Plan, context: Context) -> tuple[str | Path, Clicks]:
        """The lines of a log; `source` is its path, gzipped or not.

        Memory: some 200 bytes a line beside its different texts, and for every worker about 10 bytes for each pair of
        the lines of a block.
        """
        shape = plan.shape
        assert isinstance(shape, AccessLog)
        if not isinstance(source, str | Path):
            raise BadInput("accesslog: give the path of a log; a table in memory has no lines to read.")
        _check_method(plan.method, shape)
        with context.step("reading the log"):
            log = read_log(source, shape.format, strict=shape.on_broken == "error")
        clicks, k = prepare(log, plan, context.progress), plan.method.k
        if clicks.visitors < k:
            whom = "lines" if shape.visitor == "line" else "visitors"
            raise BrokenPromise(f"{source}: has fewer than {k} {whom}, so k = {k} cannot be kept. Choose a smaller k.")
        return source, clicks

    def publish(
        self, records: tuple[str | Path, Clicks], plan: Plan, context: Context
    ) -> PublishedLines | PublishedSessions:
        source, clicks = records
        form = None if plan.method.name == "mdav" else GROUPINGS[plan.method.name].forming(plan.method)
        if clicks.shape.whole_sessions:
            aside = partial(_set_aside, source, plan, clicks)
            return publish_sessions(source, clicks, plan, form, context, aside)
        groups = grouped(
            clicks, Microaggregation.of(plan), plan.method.compare, form, context.machine, context.progress
        )
        with context.step("who had what"):
            method = plan.method
            secret = Thresholds.of_run(method.k, method.support_threshold, context.rng)
            made = publish_classes(clicks, groups, method.k, method.known_items, method.compare, context.rng, secret)
        written = WrittenLines.of(clicks, made, context.rng)
        return PublishedLines(source, plan, clicks.shape, clicks, groups, made, written)

    def verify(
        self,
        release: str,
        plan: Plan,
        k: int | None,
        original: str | None,
        trail: "Trail | None",
        codebook: Codebook | None = None,
    ) -> Classes:
        assert isinstance(plan.shape, AccessLog)
        if plan.shape.whole_sessions or (trail is None and holds_sessions(release, plan.shape)):
            return verify_sessions(release, k or 1, plan, original, trail)
        return verify(release, k or 1, plan, original, trail)

    def compared(
        self,
        original: str,
        release: str,
        plan: Plan,
        trail: "Trail | None",
        progress: Progress,
        codebook: Codebook | None = None,
    ) -> LogReleasePair | SessionReleasePair:
        assert isinstance(plan.shape, AccessLog)
        if plan.shape.whole_sessions:
            return SessionReleasePair.of(original, release, plan, trail, progress)
        return LogReleasePair.of(original, release, plan, trail, progress)

    def mine(self, original: str, release: str, plan: Plan, trail: "Trail | None", options: Mining) -> dict[str, Any]:
        from taxonym.shapes.access_log.mining import mine

        return mine(original, release, plan, trail, options)


SHAPE = AccessLogShape()


def _set_aside(source: str | Path, plan: Plan, clicks: Clicks, path: Path, together: Together | None) -> None:
    """Write the lines that could not be read to the private file that the plan names, beside a release at `path`."""
    if (aside := clicks.shape.aside) is not None:
        _check_aside(aside, [source, path, *plan.files])
        set_aside(Path(source), clicks.log, Path(aside), together)


def _check_aside(aside: str, others: Iterable[str | Path]) -> None:
    """Complain before anything is written."""
    if any(os.path.realpath(aside) == os.path.realpath(other) for other in others):
        raise BadInput(
            f"{aside}: accesslog.aside is the log, its release or a file that the plan names. Name another file, so "
            f"that nothing is lost."
        )
    if os.path.isdir(aside) or not os.access(Path(aside).parent, os.W_OK):
        raise BadInput(f"{aside}: accesslog.aside cannot be written. Name a file in a folder that you may write to.")


def _check_method(method: Method, shape: AccessLog) -> None:
    if not isinstance(method, Microaggregation):
        raise BadPlan(
            f"method.name: an access log is published in groups, whose values rise in their own trees. Choose one of "
            f"{', '.join(GROUPINGS)}."
        )
    if method.known_items > 2:
        raise BadPlan("method.known_items: of an access log, at most 2 values of a line are counted together.")
    for key, usual in (("representative", "best"), ("consensus", False)):
        if getattr(method, key) != usual:
            raise BadPlan(f"method.{key}: is not for access logs. Leave it out.")
    if method.aggregate != "min-sum":
        raise BadPlan(f"method.aggregate: {shape.no_sets} Leave it out.")
    if method.topics:
        raise BadPlan(
            "method.topics: are parts of a taxonomy of words, and a line of an access log has no words. Leave it out."
        )
    if method.measure == EQUAL_TERMS:
        raise BadPlan(f"method.measure: {EQUAL_TERMS!r} is not for access logs. Choose 'equal', or leave it out.")
    if shape.whole_sessions and shape.visitor == "line":
        raise BadPlan("accesslog.records: sessions have visitors. Let accesslog.visitor be another than 'line'.")
    if shape.whole_sessions and method.known_items != 2:
        raise BadPlan(
            "method.known_items: whole sessions are built of two clicks in a row, which k visitors share. Leave it out."
        )

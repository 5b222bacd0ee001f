"""Plain tables: one row per person, or rows that belong together."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.attack.everybody import linkage
from taxonym.errors import BadPlan
from taxonym.executor.context import Context
from taxonym.io.files import fingerprint
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.methods import masked
from taxonym.methods.closeness import ConfidentialRule
from taxonym.methods.confidential_cells import ConfidentialCells
from taxonym.methods.microaggregation import formed
from taxonym.methods.published_groups import PublishedGroups, sorted_rows
from taxonym.methods.shown_values import shown_of
from taxonym.methods.survival import ColumnSurvival, Publish, survival_of
from taxonym.plan import Noise, Plan
from taxonym.promises.check import check_table
from taxonym.promises.classes import Classes
from taxonym.promises.promise import WrittenTable
from taxonym.records.masked import MaskedRecords
from taxonym.records.records import Records
from taxonym.report.builder import RunCounts, report, trail
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.mining import Mining
from taxonym.shapes.shape import Proof, Published
from taxonym.shapes.table.noise import noised
from taxonym.shapes.table.noise_proof import NoiseReleasePair, verify_noise
from taxonym.shapes.table.read import prepare
from taxonym.shapes.table.release_pair import TableReleasePair
from taxonym.shapes.table.reread import Trail, verify_release
from taxonym.shapes.table.stream import prepare_streamed

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class PublishedTable(Published):
    """What groups of records publish: row i of the release stands for record[i] and the member at place[i]."""

    source: Any
    outcome: PublishedGroups
    watch: ConfidentialRule | None
    record: Long
    place: Long
    confidential: ConfidentialCells

    @cached_property
    def groups(self) -> list[list[int]]:
        released = set(self.record.tolist())
        return [_input_rows(self.outcome.units, group, released) for group in self.outcome.groups]

    @property
    def separators(self) -> Mapping[str, str]:
        return {name: c.separator for name, c in self.outcome.columns().items() if c.kind == "set"}

    @property
    def formulas(self) -> Mapping[str, str]:
        return self.outcome.plan.formulas

    @property
    def masked(self) -> MaskedRecords:
        return self.outcome.masked

    @property
    def persons(self) -> int:
        return self.outcome.units.table.persons

    @property
    def left_out(self) -> Mapping[str, int]:
        return self.outcome.suppressed

    def batches(self) -> "Iterator[pl.DataFrame]":
        return self.outcome.batches(self.record, self.place, self.confidential.cells)

    def check(self, written: "Iterator[pl.DataFrame]") -> Classes:
        counted = verified(self.outcome, written, self.outcome.units.table.person[self.record].astype(np.int64))
        if self.watch is not None:
            self._released_watch.check(counted.number, self.outcome.members[self.place])
        return counted

    @cached_property
    def _released_watch(self) -> ConfidentialRule:
        """What l and t are promised of: the values of the rows that are published."""
        units, plan = self.outcome.units, self.outcome.plan
        cut = self.watch is None or self.outcome.whole.cut
        return (
            ConfidentialRule.of(units.released(self.record.tolist()), plan) if cut or self.watch is None else self.watch
        )

    def codebook(self) -> Codebook | None:
        words = [support.words for support in self.outcome.supports]
        return Codebook.of_frames(self.batches(), words) if words else None

    def loss(self, context: Context) -> dict[str, Any]:
        return self.outcome.loss(context.rng, self._regroup(context) if context.baselines else None)

    def survival(self, context: Context) -> list[ColumnSurvival]:
        return survival_of(self.outcome, context.rng.spawn(1)[0], self.other_groups)

    @property
    def other_groups(self) -> Publish | None:
        """What other groups would publish; None where that is what the plan's method chooses for them."""
        return None

    def _regroup(self, context: Context) -> Callable[[str], list[list[int]]]:
        """How the same records would be grouped with another measure."""
        units, plan = self.outcome.units, self.outcome.plan

        def regroup(measure: str) -> list[list[int]]:
            other = replace(plan, method=replace(plan.method, measure=measure))
            return formed(units, other, replace(context, progress=SILENCE, kept=None)).groups

        return regroup

    def linkage(self, context: Context) -> dict[str, Any]:
        plan = self.outcome.plan
        return linkage(self.masked, self.outcome.judge, plan.method.k, context.rng, context.progress)

    def report(self, guard: Disclosure, proof: Classes, loss: dict[str, Any], linkage: dict[str, Any] | None) -> Report:
        if self.watch is not None or (guard.exact and self.confidential.columns):
            reached = self._released_watch.figures(proof.number, self.outcome.members[self.place])
            proof = replace(proof, privacy=tuple(reached))
        cells = self.confidential
        counts = replace(
            RunCounts.of(self.outcome),
            counted=cells.notes,
            shown=shown_of(cells, proof.number),
            warnings=cells.all_warnings(proof.number),
        )
        return report(guard, counts, loss, proof, linkage)

    def trail(self) -> dict[str, Any]:
        return trail(self.outcome, self.source, self.record, self.place, self.outcome.apart())


class TableShape:
    """How a table goes through a run."""

    widest: Mapping[str, Any] = {}

    def read(self, source: Any, plan: Plan, context: Context) -> tuple[Any, Records]:
        if context.kept is not None:
            return source, prepare_streamed(str(source), plan, context.kept, context.progress)
        return source, prepare(source, plan, context.progress, strict=True)

    def publish(self, records: tuple[Any, Records], plan: Plan, context: Context) -> Published:
        source, units = records
        if isinstance(plan.method, Noise):
            return noised(source, units, plan, context)
        watch = ConfidentialRule.promised(units, plan, context.progress)
        outcome = masked(units, plan, context, watch)
        record, place = outcome.rows(context.rng, plan.output.rows == "shuffled")
        cells = ConfidentialCells.of(units, plan, record, outcome.group_of[place], context.rng)
        if plan.output.rows == "sorted":
            import polars as pl

            order = sorted_rows(pl.concat(outcome.batches(record, place, cells.cells)), outcome.columns())
            record, place, cells = record[order], place[order], cells.take(order)
        return PublishedTable(source, outcome, watch, record, place, cells)

    def verify(
        self,
        release: str,
        plan: Plan | None,
        k: int | None,
        original: str | None,
        trail: Trail | None,
        codebook: Codebook | None = None,
    ) -> Proof:
        if trail is not None and original is not None and trail.of_file:
            trail.check_original(fingerprint(Path(original)))
        units = prepare(original, plan) if plan is not None and original is not None else None
        if plan is not None and isinstance(plan.method, Noise):
            return verify_noise(release, plan, units, trail, codebook)
        return verify_release(release, k or 1, plan, units, trail, codebook)

    def compared(
        self,
        original: str,
        release: str,
        plan: Plan,
        trail: Trail | None,
        progress: Progress,
        codebook: Codebook | None = None,
    ) -> TableReleasePair:
        kind = NoiseReleasePair if isinstance(plan.method, Noise) else TableReleasePair
        return kind.of_table(release, plan, prepare(original, plan, progress), trail, codebook)

    def mine(self, original: str, release: str, plan: Plan, trail: Trail | None, options: Mining) -> dict[str, Any]:
        raise BadPlan("mine: asks what is particular to logs and documents. Of a table ask 'taxonym loss'.")


SHAPE = TableShape()


def verified(outcome: PublishedGroups, batches: "Iterator[pl.DataFrame]", persons: Long) -> Classes:
    """Recount from the batches of a table, as it was written, what the run promised; row i stands for persons[i]."""
    columns = outcome.columns()
    supports = {support.words.column.name: support for support in outcome.supports}
    confidential = [name for name, column in columns.items() if column.role == "confidential"]
    words = {name: columns[name] for name in supports}
    cells = outcome.whole.cells
    written = WrittenTable(batches, confidential, words, "the release", persons, supports, cells)
    return check_table(outcome.plan, written)


def _input_rows(units: Records, group: list[int], released: set[int]) -> list[int]:
    """The input rows of a group's records that are published, from 0."""
    records = (record for unit in group for record in units.records[unit] if record in released)
    return sorted(row - 1 for record in records for row in units.table.rows(record))

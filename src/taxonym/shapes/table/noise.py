"""Tables that are published by noise."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.attack.everybody import linkage
from taxonym.errors import BrokenRelease
from taxonym.executor.context import Context
from taxonym.knowledge.arrays import Long
from taxonym.methods.noise.column import noise_columns_of
from taxonym.methods.noise.statistics import StatisticsFile
from taxonym.methods.survival import ColumnSurvival
from taxonym.plan import Noise, Plan
from taxonym.records.masked import MaskedRecords
from taxonym.records.records import Records
from taxonym.report.builder import trail
from taxonym.report.disclosure import Disclosure
from taxonym.report.figures import FEW
from taxonym.report.report import Report
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.shape import Published
from taxonym.shapes.table.noise_proof import NoiseProof, check_words, noise_codebook
from taxonym.shapes.table.noise_report import loss_by_noise, noise_report, survival_of_noise

if TYPE_CHECKING:
    import polars as pl
from taxonym.methods.noise.records import NoiseResult, masked_noisily, masked_privately, with_usual_outcomes


@dataclass(frozen=True, eq=False)
class PublishedNoise(Published):
    """What noise made of every record: row i of the release stands for record[i], which is unit[i]."""

    source: Any
    outcome: NoiseResult
    record: Long
    unit: Long

    @property
    def groups(self) -> list[list[int]]:
        """Nobody is in one."""
        return []

    @property
    def separators(self) -> Mapping[str, str]:
        return {name: c.separator for name, c in self.outcome.published_columns().items() if c.kind == "set"}

    @property
    def formulas(self) -> Mapping[str, str]:
        return self.outcome.plan.formulas

    @cached_property
    def frame(self) -> "pl.DataFrame":
        return self.outcome.frame(self.record, self.unit)

    def batches(self) -> "Iterator[pl.DataFrame]":
        yield self.frame

    def check(self, written: "Iterator[pl.DataFrame]") -> NoiseProof:
        import polars as pl

        made, whole = self.outcome, pl.concat(written)
        columns = made.published_columns()
        proof = check_words(whole, made.columns, columns, made.plan, "the release", len(self.record))
        if not proof.holds:
            raise BrokenRelease(" ".join(proof.broken).rstrip("."), ours=True)
        return proof

    def codebook(self) -> Codebook:
        made = self.outcome
        return noise_codebook(self.frame, made.columns, made.published_columns(), made.plan)

    def loss(self, context: Context) -> dict[str, Any]:
        return loss_by_noise(self.outcome, context.rng)

    def survival(self, context: Context) -> list[ColumnSurvival]:
        """Nothing under ε, since it compares with the original; there are no groups to be filled at random."""
        return [] if self.outcome.method.private else survival_of_noise(self.outcome)

    @property
    def masked(self) -> MaskedRecords | None:
        """Nothing under ε: all that follows compares with the original."""
        made, every = self.outcome, np.arange(len(self.outcome.units))
        if made.method.private:
            return None
        return MaskedRecords(made.units.parts, made.published, every, every, made.units.persons, made.units.block)

    @property
    def persons(self) -> int:
        return self.outcome.units.table.persons

    def linkage(self, context: Context) -> dict[str, Any] | None:
        masked, how = self.masked, self.outcome.plan.method.judge
        if masked is None:
            return None
        return linkage(masked, how, FEW, context.rng.spawn(1)[0], context.progress, by_person=True)

    def report(
        self, guard: Disclosure, proof: NoiseProof, loss: dict[str, Any], linkage: dict[str, Any] | None
    ) -> Report:
        return noise_report(guard, self.outcome, proof, loss, linkage)

    def trail(self) -> dict[str, Any]:
        return trail(self.outcome, self.source, self.record, self.unit, self.outcome.apart())


def noised(source: Any, units: Records, plan: Plan, context: Context) -> PublishedNoise:
    """Mask the units of a table by noise."""
    columns = with_usual_outcomes(noise_columns_of(plan, context.progress), units, plan)
    method = Noise.of(plan)
    file = None if method.statistics is None else StatisticsFile(plan.located(method.statistics), method.k)
    with context.step("noise"):
        masked = (
            masked_privately(units, columns, plan)
            if method.private
            else masked_noisily(units, columns, plan, context.rng, file)
        )
    outcome = NoiseResult(plan, units, columns, masked)
    return PublishedNoise(source, outcome, *outcome.rows(context.rng))

"""An original and its release, for who asks what was lost and what can be found out."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from taxonym.attack.linkage import numbered
from taxonym.attack.published import PublishedKinds, View
from taxonym.distance.attributes import MATCHINGS
from taxonym.distance.record import Compare, Part
from taxonym.distance.registry import distance_named
from taxonym.distance.sets import AGGREGATIONS
from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.measure.loss import measures
from taxonym.plan import Plan
from taxonym.records.column import one_of
from taxonym.records.masked import MaskedRecords

Taxonomies = Sequence[str] | None


@dataclass(frozen=True, eq=False)
class ReleasePair(ABC):
    """An original and its release as records; `how` is the distance that loss is told by, unless another is asked for.

    `one_taxonomy` says why an intruder cannot choose taxonomies of his own, where he cannot.
    """

    where: str
    plan: Plan
    how: Compare
    masked: MaskedRecords

    one_taxonomy: ClassVar[str] = ""

    @property
    @abstractmethod
    def written(self) -> Sequence[Hashable]:
        """The original records without any meaning, to be compared with `shown`."""

    @property
    @abstractmethod
    def shown(self) -> Sequence[Hashable]:
        """The rows of the release without any meaning."""

    @property
    def kinds(self) -> Long:
        """Rows that everybody sees to be equal have the same number."""
        return numbered(zip(self.masked.block_of_row.tolist(), self.shown, strict=True))

    @abstractmethod
    def population(
        self, file: str | Path, kinds: PublishedKinds, taxonomies: Taxonomies = None, progress: Progress = SILENCE
    ) -> View:
        """What an intruder compares who has a file of his own, of the same shape, about persons who may be in the
        release or not."""

    def reread(
        self, kinds: PublishedKinds, taxonomies: Sequence[str], progress: Progress = SILENCE
    ) -> tuple[list[Part], list[Part]]:
        """The original and the published records as somebody reads them who has other taxonomies."""
        raise BadPlan(f"--intruder-taxonomy: {self.one_taxonomy}")

    def judged(self, judge: Compare, rng: np.random.Generator) -> dict[str, Any]:
        """What was lost by another distance than that of the plan."""
        return replace(self, how=judge).loss(rng)

    def judged_by_taxonomies(
        self, taxonomies: Sequence[str], judge: Compare, rng: np.random.Generator, progress: Progress = SILENCE
    ) -> dict[str, Any]:
        """The same if both sides are read with other taxonomies than those of the plan. A word that they do not know is
        a concept of its own."""
        kinds = PublishedKinds.of(self.masked, self.kinds)
        x, y = self.reread(kinds, taxonomies, progress)
        record = self.masked.record
        found = measures(x, y, record, kinds.truth[record], judge, rng)
        return found | {"taxonomies": list(taxonomies), "words_without_meaning": {}}

    @property
    def no_sets(self) -> str:
        """Why nobody can choose how sets are compared, where there are none."""
        return "" if self.plan.shape is None else self.plan.shape.no_sets

    def chosen(self, measure: str | None, aggregate: str | None) -> Compare:
        """How an intruder compares who may choose."""
        if aggregate and self.no_sets:
            raise BadPlan(f"--aggregate: {self.no_sets} Leave it out.")
        if measure:
            distance_named(measure)
        if aggregate:
            one_of("aggregate", aggregate, [*AGGREGATIONS, *MATCHINGS])
        return replace(self.how, measure=measure or self.how.measure, aggregate=aggregate or self.how.aggregate)

    def loss(self, rng: np.random.Generator) -> dict[str, Any]:
        """Every measure of loss that applies."""
        one = self.masked
        return measures(one.x, one.y, one.record, one.row, self.how, rng)

    def disclosed(self, kind: Long, records: Long, progress: Progress = SILENCE) -> dict[str, Any]:
        """l-diversity and t-closeness of what is confidential, by column: records[i] is published in class kind[i].
        Empty where nothing is confidential."""
        return {}

"""A column that noise masks: which concepts may come out, what they are called, and what is known of its values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taxonym.distance.registry import distance_named
from taxonym.errors import BadPlan, BrokenPromise, UnknownConcept
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Ints
from taxonym.knowledge.runs import frozen
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.nominal import Domain, Statistics
from taxonym.methods.noise.outcomes import avoided_concepts, public_concepts
from taxonym.plan import Noise, Plan
from taxonym.plan.meaning import finder_of
from taxonym.publish.noise.private import UNKNOWN
from taxonym.publish.wording import name_of
from taxonym.records.column import Column
from taxonym.records.vocabulary import Vocabulary
from taxonym.text.finder import Finder
from taxonym.text.lookup import verbs_of

SET_SIZE = 3  # values of a set that are published under ε, unless the plan says how many
UNKNOWN_WORD = "(unknown)"  # how the symbol for a value without a concept is printed; that for a missing one is not


@dataclass(frozen=True, slots=True, eq=False)
class NoiseColumn:
    """`domain` holds all concepts of the category, among which the mean is looked for; `outcomes` is the same with
    those only that may come out: `names` tells what they are called, by their codes in the whole taxonomy.

    A concept comes out if it is no instance, of the part of speech that the column asks for, one that the plan's
    `outcomes` and `avoid` allow, and if one of its labels means it, be it with a hint.
    """

    column: Column
    finder: Finder
    domain: Domain
    outcomes: Domain
    names: Mapping[int, str]
    content: str | None  # the information content that the measure uses, if it does

    @classmethod
    def of(cls, column: Column, plan: Plan, loaded: dict[str, Taxonomy], progress: Progress = SILENCE) -> "NoiseColumn":
        finder = finder_of(column, plan, loaded, progress)
        if finder is None:
            raise BadPlan(f"columns.{column.name}.taxonomy: is missing. Noise replaces words by others that are near.")
        tax = finder.taxonomy
        category = None if column.category is None else tax.code(column.category)
        domain = Domain.of(tax, category, plan.method.measure, plan.method.content)
        verb, told = verbs_of(tax)
        fit = domain.outer[domain.candidates]
        if told:
            fit = fit[[("v" if v else "n") in column.parts for v in verb[fit].tolist()]]
        method = Noise.of(plan)
        if method.outcomes == "public":
            fit = fit[public_concepts(tax, method.public and plan.located(method.public))[fit]]
        if method.avoid:
            fit = fit[~avoided_concepts(tax, column, method.avoid, plan.located(column.topics_file))[fit]]
        words = column.phrases == "words"
        maps_to = Vocabulary(finder, {}, column.kind == "nominal", hints=plan.output.hints, words=words)
        names = {code: name for code in fit.tolist() if (name := name_of(tax, code, maps_to)) is not None}
        if len(names) < 2:
            raise BadPlan(
                f"columns.{column.name}: fewer than two concepts could be published ({domain.tax.name}), so that "
                f"nothing would be masked. Widen the category, or let more come out (noise.outcomes, noise.avoid)."
            )
        outcomes = replace(domain, candidates=frozen(np.sort(domain.inner[list(names)])))
        content = plan.method.content if distance_named(domain.measure).informed else None
        return cls(column, finder, domain, outcomes, names, content)

    @property
    def size(self) -> int:
        """How many values of a record are published under ε."""
        return 1 if self.column.kind == "nominal" else self.column.set_size or SET_SIZE

    def only(self, codes: Ints) -> "NoiseColumn":
        """The same if only some codes of the domain may come out: those that k persons wrote."""
        some = np.intersect1d(self.outcomes.candidates, codes)
        if len(some) < 2:
            raise BrokenPromise(
                f"column {self.column.name!r}: fewer than two of its words were written by k persons, so that nothing "
                f"could come out. Choose a smaller k, or outcomes = 'public'."
            )
        outer = self.domain.outer[some].tolist()
        names = {code: self.names[code] for code in outer}
        return replace(self, outcomes=replace(self.outcomes, candidates=frozen(some)), names=names)

    def inside(self, codes: Ints) -> Ints:
        """Codes of the whole taxonomy as codes of the domain; -1 where they are not in it."""
        return frozen(self.domain.inner[codes])

    def word(self, code: int) -> str:
        """What is printed for a concept (its code in the whole taxonomy) or for UNKNOWN."""
        return UNKNOWN_WORD if code == UNKNOWN else self.names[code]

    def declared(self) -> Statistics | None:
        """The mean and the variance that the plan declares."""
        if self.column.mean is None or self.column.variance is None:
            return None
        return Statistics(self.concept(self.column.mean, "mean"), self.column.variance, 0)

    def concept(self, name: str, key: str) -> int:
        """The code in the domain of a concept that the plan names by its id or by a label."""
        tax, inner = self.finder.taxonomy, self.domain.inner
        try:
            found = [int(inner[tax.code(name)])]
        except UnknownConcept:
            found = [int(inner[code]) for code in tax.codes(name)]
        for code in found:
            if code >= 0:
                return code
        raise BadPlan(f"columns.{self.column.name}.{key}: {name!r} is not a concept of {self.domain.tax.name!r}.")

    def as_data(self) -> dict[str, Any]:
        """What may be told of it, whatever the data."""
        tax = self.finder.taxonomy
        return {
            "name": self.column.name,
            "taxonomy": tax.name,
            "taxonomy_fingerprint": self.column.public_fingerprint(tax),
            "category": self.column.category,
            "measure": self.domain.measure,
            "concepts_that_may_come_out": len(self.outcomes),
        }


def noise_columns_of(plan: Plan, progress: Progress = SILENCE) -> list[NoiseColumn]:
    """The columns that a plan masks by noise, in its order."""
    loaded: dict[str, Taxonomy] = {}
    masked = [column for column in plan.columns.values() if column.role == "quasi-identifier"]
    return [NoiseColumn.of(column, plan, loaded, progress) for column in masked]

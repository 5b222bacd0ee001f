"""Attacking a release as a capable intruder would: who can be linked to which published record, and what is learned?

Every figure is found by a small function of its own, which gives a part of one document.
"""

from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.attack.inference import Beliefs, knowing
from taxonym.attack.linkage import SAME, Links, alike, assigned, links_by_equality, nearest, numbered
from taxonym.attack.partial_knowledge import Items, words_of
from taxonym.attack.published import PublishedKinds, View
from taxonym.attack.risk import REPEATS, auc, class_risk, drawn_rows, risk_of
from taxonym.distance.record import Compare
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.measure.km import count_km
from taxonym.plan import Plan
from taxonym.promises import main_promise
from taxonym.promises.classes import Classes
from taxonym.records.distinct import DistinctHolders
from taxonym.records.masked import MaskedRecords
from taxonym.records.support import Holders, JointHolders
from taxonym.shapes.release_pair import ReleasePair

Found = dict[str, Any]
MOST = 3_000_000_000  # more combinations than these are not counted, which would take minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class Intruder:
    """Who attacks: with what distance, how many items of each person he knows besides all, with which file and which
    taxonomies. `sample` links so many random persons only, `one_to_one` also links no two persons to one row."""

    measure: str | None = None
    aggregate: str | None = None
    knows: int | None = None
    file: str | Path | None = None
    taxonomies: tuple[str, ...] | None = None
    sample: int | None = None
    one_to_one: bool = False


def risk_of_release(
    compared: ReleasePair, rng: np.random.Generator, intruder: Intruder | None = None, progress: Progress = SILENCE
) -> Found:
    """What an intruder finds out who knows all of everybody, or what his file says, or some random items of each."""
    plan, masked, who = compared.plan, compared.masked, intruder or Intruder()
    how = compared.chosen(who.measure, who.aggregate)
    published = PublishedKinds.of(masked, compared.kinds)
    view = original = all_known(compared, published, who.taxonomies if who.file is None else None, progress)
    population = None
    if who.file is not None:
        view = population = compared.population(who.file, published, who.taxonomies, progress)
    attack = Attack(compared, published, view, how, _sampled(view, who, rng))
    near = nearest(view.x, view.y, published.size, view.truth, attack.how, attack.rows, view.span, progress)
    found = attack.linkage(near)
    if who.one_to_one:
        found |= attack.one_to_one(rng)
    if who.knows is not None and words_of(view.x):
        found |= attack.partial_knowledge(who.knows, rng, progress)
    if who.file is not None:
        found |= attack.membership(near)
    kind = kinds(plan, published)
    return (
        found
        | classes(compared, published, kind, original, population)
        | combinations(plan, masked, published)
        | attributes(compared, published, kind, progress)
    )


def all_known(
    compared: ReleasePair, published: PublishedKinds, taxonomies: tuple[str, ...] | None, progress: Progress
) -> View:
    """The worst case [Martinez2012, def. 4.3]: he has the original, `other` columns included, and looks among the
    published records that have the same values there. With `taxonomies` he reads words by these."""
    masked = compared.masked
    x, y = masked.x, published.y
    if taxonomies is not None:
        x, y = compared.reread(published, taxonomies, progress)
    written = list(zip(masked.block.tolist(), compared.written, strict=True))
    shown = [compared.shown[row] for row in published.first.tolist()]
    others = list(zip(published.block.tolist(), shown, strict=True))
    return View(x, y, published.truth, masked.persons, published.span, written, others)


def _sampled(view: View, who: Intruder, rng: np.random.Generator) -> Long:
    """The records of so many random persons, or all."""
    persons = np.unique(view.persons)
    if who.sample is None or who.sample >= len(persons):
        return np.arange(len(view.persons))
    return np.flatnonzero(np.isin(view.persons, persons[drawn_rows(len(persons), who.sample, rng)]))


# ---------------------------------------------------------------------- linking


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """One view of a release, and the records of it that are linked."""

    compared: ReleasePair
    published: PublishedKinds
    view: View
    how: Compare
    rows: Long

    @property
    def k(self) -> int:
        return self.compared.plan.method.k

    @property
    def is_inside(self) -> Mask:
        """Of which records to link the persons are in the release."""
        found: Mask = self.view.truth[self.rows] >= 0
        return found

    @property
    def inside(self) -> Long:
        return self.rows[self.is_inside]

    @property
    def outside(self) -> Long:
        return self.rows[~self.is_inside]

    def linkage(self, near: Links) -> Found:
        """By meaning, and by equal words."""
        view, rows = self.view, self.inside
        written = [view.written[i] for i in rows.tolist()]
        equal = links_by_equality(view.shown, written, self.published.size, view.truth[rows])
        return {
            "semantic_linkage": self._named() | self._risk(near.p[self.is_inside]),
            "matching_linkage": self._risk(equal),
        }

    def one_to_one(self, rng: np.random.Generator) -> Found:
        """All persons at once, each with a row of the release of its own."""
        view, size = self.view, self.published.size
        kind = alike(self.published.block, view.y)  # what ties anyway is one class, whatever its words
        first = np.unique(kind, return_index=True)[1]
        y = [part.take(first) for part in view.y]
        truth = np.where(view.truth >= 0, kind[view.truth], -1)
        span = np.searchsorted(first, view.span[0]), np.searchsorted(first, view.span[1])
        whole = np.bincount(kind, weights=size).astype(np.int64)
        p = assigned(view.x, y, whole, truth, self.how, rng, REPEATS, self.rows, span)
        return {"one_to_one_linkage": self._named() | {"repeats": REPEATS} | self._risk(p[self.is_inside])}

    def partial_knowledge(self, knows: int, rng: np.random.Generator, progress: Progress) -> Found:
        """The mean over several draws of `knows` items of each record, the worst of them, and what is learned."""
        inside = self._knowing(knows, self.inside, rng, progress)
        p = inside.p.reshape(REPEATS, -1)
        worst = p.max(axis=0, initial=0.0)
        learned: Found = {"in_release": inside.summed().as_data(), "not_in_release": None}
        if self._enough(self.outside):
            learned["not_in_release"] = self._knowing(knows, self.outside, rng, progress).summed().as_data()
        return {
            "partial_knowledge": {
                "items": knows,
                "repeats": REPEATS,
                **self._risk(p.mean(axis=0)),
                "worst_p": float(worst.max(initial=0.0)),
                "records_above_1_over_k_in_any_draw": int(np.count_nonzero(worst > 1 / self.k + SAME)),
                "learned": learned,
            }
        }

    def membership(self, near: Links) -> Found:
        """Whether persons in the release are nearer to it than others, which tells who is in it."""
        known = self._enough(self.inside) and self._enough(self.outside)
        members, others = near.distance[self.is_inside], near.distance[~self.is_inside]
        return {
            "intruder_file": {
                "persons_in_release": self._count(self.inside),
                "persons_not_in_release": self._count(self.outside),
                "membership_auc": auc(members, others) if known else None,
            }
        }

    def _knowing(self, knows: int, rows: Long, rng: np.random.Generator, progress: Progress) -> Beliefs:
        view, size = self.view, self.published.size
        return knowing(
            view.x, view.y, size, view.truth, self.how, rng,
            knows=knows, repeats=REPEATS, rows=rows, span=view.span, progress=progress,
        )  # fmt: skip

    def _named(self) -> Found:
        taxonomies = {part.tax.name for part in words_of(self.view.x)}
        aggregate = None if self.compared.no_sets else self.how.aggregate
        return {"aggregate": aggregate, "measure": self.how.measure, "taxonomies": sorted(taxonomies)}

    def _risk(self, p: Floats) -> Found:
        rows = self.inside if len(self.rows) < len(self.view.persons) else None
        return risk_of(p, self.k, self.compared.masked.published_persons, rows).as_data()

    def _enough(self, rows: Long) -> bool:
        return len(np.unique(self.view.persons[rows])) >= self.k

    def _count(self, rows: Long) -> int | str:
        count = len(np.unique(self.view.persons[rows]))
        return "<k" if 0 < count < self.k else count


# ---------------------------------------------------------------------- classes


def kinds(plan: Plan, published: PublishedKinds) -> Long:
    """The class of every different published record: its own, unless records are alike in their concepts only."""
    return alike(published.block, published.y) if main_promise(plan).by_concept else np.arange(len(published))


def classes(
    compared: ReleasePair, published: PublishedKinds, kind: Long, original: View, population: View | None = None
) -> Found:
    """The classic figures of classes; with a population, from how many of it fit each."""
    k, size = compared.plan.method.k, np.bincount(kind, weights=published.size).astype(np.int64)
    fitting = known = None
    if population is not None:
        inside = population.inside
        pairs = np.unique(np.stack((kind[population.truth[inside]], population.persons[inside])), axis=1)
        known = np.bincount(pairs[0], minlength=len(size))
        different = np.unique(kind, return_index=True)[1]
        fitting = np.maximum(_fitting(population, different, compared.plan.method.distinct_items), known)
    found = class_risk(size, k, fitting, known)
    rows, below = len(compared.masked.row), int(np.count_nonzero(size < k))
    return {
        "classes": Classes(rows, len(size), found.smallest, below, k, "persons").as_data(),
        "unique_records_before": int(np.count_nonzero(np.bincount(numbered(original.written)) == 1)),
        "unique_records_after": found.unique,
        **found.as_data(),
        "population": "the release" if population is None else "the intruder's file",
    }


def combinations(plan: Plan, masked: MaskedRecords, published: PublishedKinds) -> Found:
    """k^m before and after: how many persons have one to three items together that fewer than k persons have."""
    inside = np.flatnonzero(published.truth >= 0)
    rows = {"original": np.arange(len(masked.persons)), "release": inside}
    items = {"original": Items.of_parts(masked.x), "release": Items.of_parts(published.y)}
    items["release"] = items["release"].take(published.truth[inside])
    found: Found = {}
    for name, of in items.items():
        m = next((m for m in (3, 2) if _work(of, m) <= MOST), 1)
        counted = count_km(of, plan.method.k, m, masked.block[rows[name]], masked.persons[rows[name]])
        found[name] = counted.as_data()
    return {"k_m": found} if len(items["original"].codes) else {}


def _work(items: Items, m: int) -> int:
    """How many combinations of m items there are to look at."""
    sizes, times = np.unique(items.sizes, return_counts=True)
    return sum(comb(n, m) * t for n, t in zip(sizes.tolist(), times.tolist(), strict=True))


def attributes(compared: ReleasePair, published: PublishedKinds, kind: Long, progress: Progress) -> Found:
    """l-diversity and t-closeness of what is confidential, and in how many classes all have the same."""
    inside = np.flatnonzero(published.truth >= 0)
    found = compared.disclosed(kind[published.truth[inside]], inside, progress)
    return {"attribute_disclosure": found} if found else {}


def _fitting(population: View, published: Long, distinct: bool) -> Long:
    """How many persons of the population hold all concepts of each of these published records; where `distinct`, with
    an item of their own for each. Numbers are published as medians, which need not be true of anybody, so they do not
    count."""
    held = [Holders(part, population.persons) for part in words_of(population.x)]
    everybody = len(np.unique(population.persons))
    if not held:
        return np.full(len(published), everybody)
    together = DistinctHolders(held) if distinct else JointHolders(held)
    items = Items.of_parts(population.y)
    number = together.first[items.column] + items.code
    found = []
    for j in published.tolist():
        concepts = number[items[j]]
        found.append(together.holders(concepts, everybody) if len(concepts) else everybody)
    return np.array(found, np.int64)

"""Documents from their files to a verified release of generalised vectors [NavarroArribas2010, ch. 2].

read      the texts, and whose they are
count     the terms of every author, the most frequent of which are the author's vector
group     authors whose vectors mean alike, at least k together
publish   one vector per group: what its members' terms have in common, under the support rule, with rounded weights
          unless the plan asks for exact ones
verify    classes of equal vectors, the support rule and the weights, recounted from the file before it gets its name
measure   what was lost, on what is really published
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.attack.everybody import linkage
from taxonym.distance.record import Compare, Sets
from taxonym.distance.vectors import Vectors
from taxonym.distance.vectors_matrix import vector_matrix
from taxonym.errors import BrokenPromise, BrokenRelease
from taxonym.executor.context import Context
from taxonym.executor.machine import Machine
from taxonym.group.blocks import Cutter
from taxonym.group.registry import grouping_named
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.methods.microaggregation import NO_SHARED
from taxonym.methods.survival import ColumnSurvival
from taxonym.plan import Microaggregation, Plan
from taxonym.plan.documents import Documents
from taxonym.promises.classes import Classes
from taxonym.publish.groups import Support
from taxonym.publish.redaction import Veil
from taxonym.publish.vectors import PRINTED, Generalized, around, folded, heaviest, middle_of
from taxonym.publish.wording import one_name
from taxonym.records.masked import MaskedRecords
from taxonym.records.person_rows import within_shares
from taxonym.records.thresholds import Thresholds
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.documents.read import Authors, prepare_documents, settings_of
from taxonym.shapes.documents.release_pair import DocumentReleasePair, masked_vectors
from taxonym.shapes.documents.report import losses, report, trail_of
from taxonym.shapes.documents.reread import (
    Written,
    check,
    frame_of,
    kept_promises,
    published,
    vector_codebook,
    verify,
    watch_of,
)
from taxonym.shapes.documents.survival import survival_of_vectors
from taxonym.shapes.mining import Mining
from taxonym.shapes.shape import Published
from taxonym.shapes.table.reread import Trail

if TYPE_CHECKING:
    import polars as pl

EXACT = 5_000  # authors whose vectors are all compared; more are grouped in blocks, unless the plan says otherwise


@dataclass(frozen=True, slots=True, eq=False)
class GroupVectors:
    """What the groups publish: concepts with their weights; how many of the generalised concepts rose or were dropped
    under the support rule, and how many are published as their topic only."""

    groups: list[list[int]]
    vectors: list[Generalized]
    raised: int = 0
    dropped: int = 0
    veiled: int = 0
    blocks: int = 0


@dataclass(frozen=True, eq=False)
class PublishedVectors(Published):
    """What groups of authors publish, words[g] for group g: members[i] is what stands at place i of the release, a
    group and the documents that the vector there stands for. `surplus` documents are left out, so that nobody owns more
    than 1/k of a class."""

    authors: Authors
    plan: Plan
    support: Support
    made: GroupVectors
    words: list[Written]
    members: list[tuple[int, list[int]]]
    surplus: int

    @property
    def groups(self) -> list[list[int]]:
        return [sorted(d for unit in group for d in self.authors.documents[unit]) for group in self.made.groups]

    @property
    def sources(self) -> Sequence[str]:
        return self.authors.corpus.files

    @cached_property
    def masked(self) -> MaskedRecords:
        groups = self.made.groups
        record = np.array([unit for group in groups for unit in group], np.int64)
        row = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        return masked_vectors(self.authors, self.made.vectors, record, row)

    @property
    def persons(self) -> int:
        return len(self.authors)

    @property
    def left_out(self) -> Mapping[str, int]:
        lost = len(self.authors) - sum(map(len, self.made.groups))
        return dict(self.authors.suppressed) | ({NO_SHARED: lost} if lost else {})

    @cached_property
    def frame(self) -> "pl.DataFrame":
        sizes = [len(some) for _, some in self.members]
        return frame_of([self.words[g] for g, _ in self.members], sizes, self.authors.how.layout)

    def batches(self) -> "Iterator[pl.DataFrame]":
        yield self.frame

    def check(self, written: "Iterator[pl.DataFrame]") -> Classes:
        import polars as pl

        method, found = self.plan.method, published(pl.concat(written), "the release")
        persons = [[int(self.authors.person[document]) for document in some] for _, some in self.members]
        if [len(some) for some in persons] != found.sizes:
            raise BrokenRelease("The release as written has other documents than were published")
        counted = check(
            found, method.k, method.together, self.support, persons, "the release", self.authors.how.weights
        )
        if broken := kept_promises(found, self.authors, [some for _, some in self.members], self.plan):
            raise BrokenRelease("; ".join(broken), ours=True)
        return counted

    def codebook(self) -> Codebook:
        return vector_codebook(self.words, self.authors)

    def loss(self, context: Context) -> dict[str, Any]:
        made, method = self.made, Microaggregation.of(self.plan)

        def again(random: list[list[int]]) -> tuple[list[list[int]], list[Generalized]]:
            beside = publish(self.authors, self.support, random, method)
            return beside.groups, beside.vectors

        beside = again if context.baselines else None
        return losses(self.authors, made.groups, made.vectors, context.rng, beside, method.k)

    def survival(self, context: Context) -> list[ColumnSurvival]:
        method = Microaggregation.of(self.plan)

        def again(groups: list[list[int]]) -> list[Generalized]:
            made = publish(self.authors, self.support, groups, method)
            told = {tuple(group): vector for group, vector in zip(made.groups, made.vectors, strict=True)}
            return [told.get(tuple(group), []) for group in groups]

        return survival_of_vectors(self.authors, self.made, again, context.rng.spawn(1)[0])

    def linkage(self, context: Context) -> dict[str, Any]:
        return linkage(self.masked, Compare(measure=self.authors.how.measure), self.plan.method.k, context.rng)

    def report(self, guard: Disclosure, proof: Classes, loss: dict[str, Any], linkage: dict[str, Any] | None) -> Report:
        sizes = np.array([len(some) for _, some in self.members])
        about = self.authors, self.plan, self.support, self.made, self.left_out, sizes
        return report(guard, *about, self.surplus, loss, proof, linkage)

    def trail(self) -> dict[str, Any]:
        row_of = {document: row for row, (_, some) in enumerate(self.members, 1) for document in some}
        return trail_of(self.authors, self.plan, self.made.groups, row_of)


class DocumentsShape:
    """How documents go through a run."""

    widest: Mapping[str, Any] = {}

    def read(self, source: Any, plan: Plan, context: Context) -> Authors:
        """Memory: the texts, 2 bytes for every pair of different terms and of authors, and 4 bytes for every author
        and concept that the author mentions or that lies above one."""
        return prepare_documents(source, plan, context.progress)

    def publish(self, records: Authors, plan: Plan, context: Context) -> PublishedVectors:
        method, records = Microaggregation.of(plan), replace(records, how=settings_of(plan))
        secret = Thresholds.of_run(method.k, method.support_threshold, context.rng)
        persons = np.arange(len(records))
        support = everybody = Support.of(records.words, persons, method.k, None, secret)
        groups, blocks = form_groups(records, plan, context.machine, context.progress)
        watch = watch_of(records, plan)
        groups = groups if watch is None else watch.keep(groups)
        made = publish(records, support, groups, method, blocks, context.progress)
        while made.groups:  # who is left out holds nothing any more, and l and t are asked of who is left
            kept = made.groups if watch is None else watch.keep(made.groups)
            if kept == groups:
                break
            groups = kept
            alive = np.isin(persons, [unit for group in groups for unit in group])
            support = everybody.released(persons, alive)
            made = publish(records, support, groups, method, blocks, context.progress)
        if not made.groups:
            raise BrokenPromise(
                f"{records.corpus.where}: no group has a concept that {method.k} persons share, so nothing is left. "
                f"Choose a smaller k or known_items, or a smaller cover under [documents]."
            )
        words = [worded(vector, support, method.k) for vector in made.vectors]
        members, surplus = _order(records, made, words, plan, context.rng)
        return PublishedVectors(records, plan, support, made, words, members, surplus)

    def verify(
        self,
        release: str,
        plan: Plan,
        k: int | None,
        original: str | None,
        trail: Trail | None,
        codebook: Codebook | None = None,
    ) -> Classes:
        method = Microaggregation.of(plan)

        def again(authors: Authors, groups: list[list[int]]) -> list[Written]:
            support = Support.of(authors.words, np.arange(len(authors)), method.k)
            made = publish(replace(authors, how=settings_of(plan)), support, groups, method)
            told = {tuple(g): worded(v, support, method.k) for g, v in zip(made.groups, made.vectors, strict=True)}
            return [told.get(tuple(group), ()) for group in groups]

        return verify(release, k or 1, plan, original, trail, again, codebook)

    def compared(
        self,
        original: str,
        release: str,
        plan: Plan,
        trail: Trail | None,
        progress: Progress,
        codebook: Codebook | None = None,
    ) -> DocumentReleasePair:
        return DocumentReleasePair.of(original, release, plan, trail, progress, codebook)

    def mine(self, original: str, release: str, plan: Plan, trail: Trail | None, options: Mining) -> dict[str, Any]:
        from taxonym.shapes.documents.mining import mine

        return mine(original, release, plan, trail, options)


SHAPE = DocumentsShape()


def form_groups(
    authors: Authors, plan: Plan, machine: Machine, progress: Progress = SILENCE
) -> tuple[list[list[int]], int]:
    """Groups of at least k authors, and how many blocks they were formed in (0: all vectors were compared)."""
    how, method, x = authors.how, Microaggregation.of(plan), authors.vectors
    form, rows = grouping_named(method.name).forming(method), np.arange(len(x))

    def formed(some: Long) -> list[list[int]]:
        mine = x.take(some)
        machine.check(
            2 * (len(some) ** 2 + len(mine.senses) ** 2), authors.corpus.where, "the distances between documents"
        )
        matrix = vector_matrix(mine, how.measure, machine.workers, progress)
        progress.start(f"groups of at least {method.k}")
        found = [some[group].tolist() for group in form(matrix, method.k)]
        progress.finish()
        return found

    if len(x) < method.k:
        raise BrokenPromise(
            f"{authors.corpus.where}: only {len(x):,} authors have words with a concept, fewer than k = {method.k}. "
            f"Choose a smaller k."
        )
    if method.blocks == "always" or (method.blocks == "auto" and len(x) > EXACT):
        parts = [Sets(authors.words.start, authors.words.codes, authors.words.tax)]
        cutter = Cutter.fit(parts, rows, Compare(), method.k, method.block_size)
        blocks = list(cutter.blocks(parts, rows, np.ones(len(rows), np.int64), method.k, method.k))
        if len(blocks) > 1:
            return sorted(group for at in blocks for group in formed(rows[at])), len(blocks)
    return sorted(formed(rows)), 0


# ---------------------------------------------------------------------- publish


def publish(
    authors: Authors,
    support: Support,
    groups: list[list[int]],
    method: Microaggregation,
    blocks: int = 0,
    progress: Progress = SILENCE,
) -> GroupVectors:
    """One vector per group, under the support rule; a group that nothing is left of is suppressed."""
    kept, vectors = [], []
    raised = dropped = hidden = 0
    printed = PRINTED[authors.how.weights]
    topics = support.topics
    veil = None if topics is None else Veil.of(support.holders, topics, support.printable, method.topic_share)
    progress.start("generalised vectors", len(groups))
    for group in groups:
        progress.advance()
        plain = generalized(authors.vectors.take(np.array(group)), authors.how)
        tax = support.words.tax  # a root says nothing, unless nothing lies below it
        weights = {code: weight for code, weight in plain if tax.parents(code) or not tax.children(code)}
        within = _shared(authors, group) if method.consensus else None
        settled = support.holders.settle(weights, method.k, method.together, printable=support.printable, within=within)
        target = dict(settled.raised)
        after: dict[int, float] = {}
        for code, weight in weights.items():
            if code not in settled.dropped:
                at = target.get(code, code)
                after[at] = after.get(at, 0.0) + weight
        raised, dropped = raised + len(settled.raised), dropped + len(settled.dropped)
        if veil is not None:
            tops = veil.over(group, after)
            hidden += sum(top != code for code, top in tops.items())
            after = {top: sum(after[c] for c in after if tops[c] == top) for top in tops.values()}
        if after:
            kept.append(group)
            vectors.append(heaviest({code: printed(weight) for code, weight in after.items()}))
    progress.finish()
    return GroupVectors(kept, vectors, raised, dropped, hidden, blocks)


def generalized(x: Vectors, how: Documents) -> Generalized:
    """What a group's vectors have in common."""
    middle = middle_of(x, how.measure)
    if how.centroid == "fold":
        return folded(x, middle, measure=how.measure)
    return around(x, middle, cover=how.cover, measure=how.measure)


def _shared(authors: Authors, group: list[int]) -> set[int]:
    """The concepts that at least half of a group's authors hold."""
    held: Counter[int] = Counter()
    for unit in group:
        held.update({t for c in authors.words.record(unit) for t in authors.words.tax.ancestors(c)})
    return {code for code, n in held.items() if 2 * n >= len(group)}


def worded(vector: Generalized, support: Support, k: int) -> Written:
    """A vector as it is printed: names of concepts, the heaviest first, then by name."""
    words = support.words
    named = [(one_name(words.tax, code, support.terms, k, words.maps_to), weight) for code, weight in vector]
    return tuple(sorted(named, key=lambda one: (-one[1], one[0])))


def _order(
    authors: Authors, made: GroupVectors, words: list[Written], plan: Plan, rng: np.random.Generator
) -> tuple[list[tuple[int, list[int]]], int]:
    """What is written one after the other, and how many documents are left out: a group, and the documents that the
    vector written there stands for (all of the group's, or one). An author's documents are published once, or each, but
    of those of a class no more than k authors have. Vectors come sorted unless the plan says otherwise."""
    keep = plan.input.person_rows == "keep"
    texts = authors.corpus.texts
    every = [sorted(some, key=texts.__getitem__) if keep else some[:1] for some in authors.documents]
    of = [(g, d) for g, group in enumerate(made.groups) for unit in group for d in every[unit]]
    like: dict[Written, int] = {}
    number = [like.setdefault(vector, len(like)) for vector in words]
    group, document = (np.array([one[i] for one in of], np.int64) for i in (0, 1))
    lots = rng.permutation(len(of))
    stay = within_shares(np.array(number, np.int64)[group], authors.person[document], plan.method.k, lots)
    left = [of[i] for i in np.flatnonzero(stay)]
    if authors.how.layout == "groups":
        found = [(g, [d for own, d in left if own == g]) for g in range(len(words))]
    else:
        found = [(g, [d]) for g, d in left]
    if plan.output.rows == "shuffled":
        found = [found[i] for i in rng.permutation(len(found)).tolist()]
    elif plan.output.rows == "sorted":
        lot = dict(zip(document.tolist(), lots.tolist(), strict=True))
        found.sort(key=lambda one: (words[one[0]], len(one[1]), lot[one[1][0]]))
    elif authors.how.layout != "groups":
        found.sort(key=lambda one: one[1])
    return found, len(of) - len(left)

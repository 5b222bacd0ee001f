"""Documents beside their release: what was lost, and what an intruder can find who knows documents or some concepts."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.attack.linkage import numbered
from taxonym.attack.published import PublishedKinds, View
from taxonym.distance.record import Compare
from taxonym.distance.vector_sets import VectorSets
from taxonym.distance.vectors import Vectors
from taxonym.errors import BadInput, BadPlan
from taxonym.io.files import read_released
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.plan import Plan
from taxonym.publish.vectors import Generalized, heaviest
from taxonym.records.masked import MaskedRecords
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.documents.read import TERM, Authors, authors_of, prepare_documents
from taxonym.shapes.documents.report import ShownVectors, loss_of_vectors, overall
from taxonym.shapes.documents.reread import ReadVectors, documents_of, published
from taxonym.shapes.documents.source import read_documents
from taxonym.shapes.release_pair import ReleasePair, Taxonomies
from taxonym.shapes.table.reread import Trail

HIS = "\0"  # before the names of authors whose documents an intruder has; no name has one


@dataclass(frozen=True, eq=False)
class DocumentReleasePair(ReleasePair):
    """Authors and the vectors of a release; `strange` counts the published terms that mean nothing."""

    authors: Authors
    release: ReadVectors
    strange: int
    codebook: Codebook | None = None

    one_taxonomy = "let documents.taxonomy name his in the plan by which risk reads both files."

    @classmethod
    def of(
        cls,
        original: str,
        release: str,
        plan: Plan,
        trail: Trail | None,
        progress: Progress,
        codebook: Codebook | None = None,
    ) -> "DocumentReleasePair":
        """Documents and vectors are brought together by the trail; without one by their places, if each document was
        published, and in its place."""
        authors = _coded(prepare_documents(original, plan, progress), codebook)
        found = published(read_released(release), str(release))
        if trail is not None:
            documents = documents_of(found, authors, trail, str(release))
        else:
            documents = _by_places(found, authors, plan, str(release))
        unit_of = {d: unit for unit, mine in enumerate(authors.documents) for d in mine}
        if any(d not in unit_of for some in documents for d in some):
            raise BadInput(f"{release}: publishes documents that the plan would leave out. Is it the right plan?")
        pairs = sorted({(unit_of[d], row) for row, some in enumerate(documents) for d in some})
        record, row = np.array(pairs, np.int64).T
        vectors, strange = _meant(found, authors)
        masked = masked_vectors(authors, vectors, record, row)
        return cls(release, plan, Compare(measure=authors.how.measure), masked, authors, found, strange, codebook)

    @property
    def written(self) -> Sequence[Hashable]:
        return _terms(self.authors.vectors)

    @property
    def shown(self) -> Sequence[Hashable]:
        return _terms(self.published)

    @property
    def kinds(self) -> Long:
        """Everybody sees the weights, too."""
        return numbered(self.release.vectors)

    @property
    def published(self) -> Vectors:
        """The vectors of the release."""
        (part,) = self.masked.y
        assert isinstance(part, VectorSets)
        return part.vectors

    def loss(self, rng: np.random.Generator) -> dict[str, Any]:
        """An author who has several documents counts once, as where authors are grouped."""
        record, at = np.unique(self.masked.record, return_index=True)
        x, measure = self.authors.vectors, self.how.measure
        shown = ShownVectors(x, self.published, record, self.masked.row[at])
        found = loss_of_vectors(shown, shown.apart(measure), measure, overall(x, measure), rng)
        return found | {"words_without_meaning": {TERM: self.strange} if self.strange else {}}

    def population(
        self, file: str | Path, kinds: PublishedKinds, taxonomies: Taxonomies = None, progress: Progress = SILENCE
    ) -> View:
        """He has documents of his own, and knows their authors."""
        if taxonomies is not None:
            raise BadPlan(f"--intruder-taxonomy: {self.one_taxonomy}")
        own, plan = self.authors.corpus, self.plan
        his = read_documents(file, self.authors.how, plan.input.person, plan.input.dialect, progress)
        if own.authors is None or his.authors is None:
            raise BadPlan(
                "--intruder: nothing says whose the documents are, so nobody knows who in that file is who. Name the "
                'column with input.person, or set author = "folder" under [documents].'
            )
        # read together, so that words without a concept are the same for both
        names = [*own.authors, *(HIS + name for name in his.authors)]
        both = replace(own, names=[*own.names, *his.names], texts=[*own.texts, *his.texts], authors=names, classes=None)
        united = replace(plan, input=replace(plan.input, person_rows="unite"))
        authors = _coded(authors_of(both, united, progress), self.codebook)
        units = np.array([i for i, mine in enumerate(authors.documents) if mine[0] >= len(own)], np.int64)
        x, y = _own(authors).take(units), _published(authors, _meant(self.release, authors)[0]).take(kinds.first)
        known = zip(self.authors.documents, kinds.truth.tolist(), strict=True)
        published = {own.authors[mine[0]]: kind for mine, kind in known}
        whose = [names[authors.documents[unit][0]].removeprefix(HIS) for unit in units.tolist()]
        truth = np.array([published.get(name, -1) for name in whose], np.int64)
        whole = np.zeros(len(units), np.int64), np.full(len(units), len(kinds))
        return View([x], [y], truth, np.arange(len(units)), whole, _terms(x.vectors), _terms(y.vectors))


def _coded(authors: Authors, codebook: Codebook | None) -> Authors:
    """Authors whose published terms are read by the codebook, if there is one."""
    return authors if codebook is None else replace(authors, words=codebook.coded(authors.words))


def masked_vectors(authors: Authors, vectors: Sequence[Generalized], record: Long, row: Long) -> MaskedRecords:
    """Authors beside published vectors: what record[p] has is published as vectors[row[p]]."""
    x, y = _own(authors), _published(authors, vectors)
    return MaskedRecords([x], [y], record, row, np.arange(len(authors)), np.zeros(len(authors), np.int64))


def _own(authors: Authors) -> VectorSets:
    words = authors.words
    return VectorSets(words.start, words.codes, words.tax, vectors=authors.vectors)


def _published(authors: Authors, vectors: Sequence[Generalized]) -> VectorSets:
    tax = authors.words.tax
    told = Vectors.of(tax, [[((code,), weight) for code, weight in vector] for vector in vectors])
    return VectorSets.of([sorted(code for code, _ in vector) for vector in vectors], tax, vectors=told)


def _meant(found: ReadVectors, authors: Authors) -> tuple[list[Generalized], int]:
    """The vectors of a release as concepts, and how many of their terms mean nothing."""
    meant = [[(authors.words.maps_to(term), weight) for term, weight in vector] for vector in found.vectors]
    known = [heaviest({code: weight for code, weight in vector if code is not None}) for vector in meant]
    return known, sum(code is None for vector in meant for code, _ in vector)


def _by_places(found: ReadVectors, authors: Authors, plan: Plan, where: str) -> list[list[int]]:
    """The document that each vector of a release stands for, where nothing was shuffled or lost."""
    if plan.output.rows != "kept" or authors.how.layout == "groups":
        raise BadInput(
            f"{where}: nobody knows whose vectors they are. Give the trail with --trail, or say --keep-order if they "
            f"are in the order of the documents."
        )
    keep = plan.input.person_rows == "keep"
    documents = sorted(d for mine in authors.documents for d in (mine if keep else mine[:1]))
    if len(documents) != len(found.vectors):
        raise BadInput(
            f"{where}: has {len(found.vectors):,} vectors where {len(documents):,} would be published if nothing were "
            f"left out, so they do not correspond. Give the trail with --trail."
        )
    return [[d] for d in documents]


def _terms(vectors: Vectors) -> list[Hashable]:
    """Vectors without weights and meaning: terms are the same or they are not."""
    return [frozenset(senses for senses, _ in vector) for vector in vectors]

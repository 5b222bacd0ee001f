"""From documents to what is grouped: one vector of terms per author, and who holds which concept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.distance.vectors import Vectors
from taxonym.errors import BadInput, BadPlan, BrokenPromise, UnknownTerms
from taxonym.group.registry import GROUPINGS
from taxonym.io.canonical import canonical_lines
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.catalog import load
from taxonym.knowledge.combine import with_values
from taxonym.plan import EQUAL_TERMS, Microaggregation, Plan, usual_measure
from taxonym.plan.documents import Documents
from taxonym.plan.meaning import how_to_read, topics_of
from taxonym.records.column import Column
from taxonym.records.vocabulary import Vocabulary
from taxonym.records.words import WordColumn
from taxonym.shapes.documents.source import Corpus, read_documents, read_stop_words
from taxonym.text.sensitive import Topics
from taxonym.text.vectors import TermCounts, count_terms, coverage, finder_for, term_vector
from taxonym.text.votes import learn_column, learns

TERM = "term"  # the column of a release


@dataclass(frozen=True, slots=True, eq=False)
class Authors:
    """What is grouped: author i (a document, where no author is told) has the documents documents[i] and a vector.

    They come sorted by what they say. `words` holds all their concepts, not only those of the vectors: who mentions
    something holds it. `coverage` is the mean figure of [NavarroArribas2010, §2.4]. `suppressed` counts the authors
    without any concept.
    """

    corpus: Corpus
    how: Documents
    vectors: Vectors
    words: WordColumn
    documents: list[list[int]]
    person: Long  # of every document
    coverage: float
    known: int
    unknown: int
    suppressed: dict[str, int]

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def persons(self) -> int:
        return int(self.person.max(initial=-1)) + 1


def settings_of(plan: Plan) -> Documents:
    """The plan's settings for documents, checked against what else the plan says."""
    how, method = plan.shape, plan.method
    if not isinstance(how, Documents):
        raise BadPlan("documents: the plan has no table [documents].")
    if not isinstance(method, Microaggregation):
        raise BadPlan(f"method.name: documents are published in groups. Choose one of {', '.join(GROUPINGS)}.")
    if method.representative != "best":
        raise BadPlan("method.representative: a group of documents publishes a generalised vector. Leave it out.")
    if method.measure == EQUAL_TERMS or method.aggregate != "min-sum":
        raise BadPlan(
            "method: documents are compared by pairs of terms. Leave aggregate out, and choose documents.measure."
        )
    if plan.columns:
        raise BadPlan("columns: documents have none to describe. Leave them out, and name columns under [documents].")
    if method.measure != usual_measure(method.aggregate):  # as the command line says it
        return replace(how, measure=method.measure)
    return how


def term_settings(how: Documents) -> Column:
    """The terms of documents as a column of a table, for who looks them up."""
    return Column(
        name=TERM, role="quasi-identifier", kind="set", taxonomy=how.taxonomy, category=how.category, parts=how.parts,
        on_unknown=how.on_unknown,
    )  # fmt: skip


def prepare_documents(source: Any, plan: Plan, progress: Progress = SILENCE) -> Authors:
    """Everything up to the groups; fewer than k authors are refused here."""
    corpus = read_documents(source, settings_of(plan), plan.input.person, plan.input.dialect, progress)
    return authors_of(corpus, plan, progress)


def authors_of(corpus: Corpus, plan: Plan, progress: Progress = SILENCE) -> Authors:
    """The authors of documents that have been read, with their vectors."""
    how = settings_of(plan)
    person = _persons(corpus, plan.input.person_rows)
    k, persons = plan.method.k, int(person.max(initial=-1)) + 1
    if persons < k:
        whose = "authors" if corpus.authors else "documents"
        raise BrokenPromise(
            f"{corpus.where}: has {persons:,} {whose}, fewer than k = {k}: nobody could hide. Choose a smaller k."
        )
    taxonomies = [load(plan.located(name), progress=progress) for name in how.taxonomy]
    column = Column(
        name=TERM,
        role="quasi-identifier",
        kind="set",
        taxonomy=how.taxonomy,
        topics_file=how.topics_file,
        least_content=plan.method.least_content
        or 0.0,  # vectors are made of what concepts have in common, however little
    )
    finder = finder_for(taxonomies, how.senses, parts=how.parts, category=how.category, **how_to_read(how, plan))
    topics = topics_of(column, plan, finder)
    finder = finder if topics is None else finder.watching(topics.anywhere)
    texts = [[canonical_lines(text)] for text in corpus.texts] if learns(finder) else []
    finder = learn_column(finder, texts, person.tolist(), entries=False) if texts else finder
    stop_words = read_stop_words(Path(plan.located(how.stop_words))) if how.stop_words else frozenset()
    told = [TermCounts() for _ in range(persons)]
    mine: list[list[int]] = [[] for _ in range(persons)]
    progress.start("terms of documents", len(corpus))
    for i, (text, who) in enumerate(zip(corpus.texts, person.tolist(), strict=True)):
        found = count_terms(finder, canonical_lines(text), how.senses, shortest=how.shortest, stop_words=stop_words)
        if found.unknown and how.on_unknown == "error":
            raise _unknown(corpus, finder.taxonomy.name, i, found)
        told[who].add(found)
        mine[who].append(i)
        progress.advance()
    progress.finish()
    tax, own = finder.taxonomy, dict[str, int]()
    if how.on_unknown == "keep-as-own-concept" and (labels := sorted({w for one in told for w in one.unknown})):
        tax, own = with_values(tax, labels, finder.root), {label: len(tax) + i for i, label in enumerate(labels)}
        for one in told:
            one.known.update({(own[word],): n for word, n in one.unknown.items()})
    kept = [i for i in range(persons) if told[i].known]
    if not kept:
        raise BrokenPromise(f"{corpus.where}: no document has a word with a concept in {tax.name}, so nothing is left.")
    vectors = [term_vector(one.known, how.terms) for one in told]
    kept.sort(key=lambda i: (vectors[i], sorted(corpus.texts[d] for d in mine[i])))
    left = [c for i in kept if (c := coverage(told[i], how.terms)) is not None]
    maps_to = Vocabulary(finder, own, single=False, sentences=False, hints=plan.output.hints)
    return Authors(
        corpus,
        how,
        Vectors.of(tax, [vectors[i] for i in kept]),
        _words([told[i] for i in kept], tax, own, column, topics, maps_to),
        [mine[i] for i in kept],
        person,
        float(np.mean(left)),
        sum(sum(one.known.values()) for one in told),
        sum(sum(one.unknown.values()) for one in told) if not own else 0,
        {"no concept": persons - len(kept)} if len(kept) < persons else {},
    )


def _persons(corpus: Corpus, rows: str) -> Long:
    if corpus.authors is None:
        return np.arange(len(corpus))
    number = {author: i for i, author in enumerate(dict.fromkeys(corpus.authors))}
    if rows == "unique" and len(number) < len(corpus):
        again = next(i for i, a in enumerate(corpus.authors) if a in corpus.authors[:i])
        raise BadInput(f'{corpus.where}: document {again + 1}: repeats an author. Set person_rows = "unite" or "keep".')
    return np.array([number[author] for author in corpus.authors], np.int64)


def _unknown(corpus: Corpus, taxonomy: str, i: int, found: TermCounts) -> UnknownTerms:
    return UnknownTerms(
        f"{corpus.where}: document {i + 1}: {len(found.unknown):,} of its words have no concept in {taxonomy!r}. Set "
        f'on_unknown = "suppress" under [documents] to drop such words.',
        [(i + 1, word) for word in found.unknown],
    )


def _words(
    told: Sequence[TermCounts],
    tax: Any,
    own: dict[str, int],
    column: Column,
    topics: Topics | None,
    maps_to: Any,
) -> WordColumn:
    """All concepts of every author, as the support rule knows them; the only words that may be printed as they were
    written are those that are concepts of their own."""
    sets = [sorted({c for senses in one.known for c in senses}) for one in told]
    names = list(own)
    place = {name: i for i, name in enumerate(names)}
    wrote = [(i, place[word]) for i, one in enumerate(told) for word in one.unknown if word in own]
    row, term = (np.array([pair[x] for pair in wrote], np.int64) for x in (0, 1))
    meant = np.array([own[names[t]] for t in term.tolist()], np.int64)
    none = np.zeros(len(told), np.int64)
    return WordColumn.of(sets, tax, column, row, term, meant, names, none, none, topics, maps_to)

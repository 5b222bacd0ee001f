"""The queries of users as concepts: a whole query where at least k users wrote it, else its words.

A query that at least k users wrote becomes a concept of its own, below the concepts of its words: who asked it holds
these too, and where it may not be published it can rise to one of them. So the support rule speaks of whole queries as
it does of words, and of two queries of one log it asks for k users who wrote both. Words without a concept become
concepts of their own if the column says so and at least k users wrote them; others could never be published. A phrase
that at least k users wrote in queries of fewer is a concept below that of its head.

What looks like an identifier is withheld however many wrote it: such a query is none as a whole, and its other words
are read alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from taxonym.errors import UnknownTerms
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.combine import with_leaves, with_phrases, with_values
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.strings import fold
from taxonym.records.column import Column
from taxonym.records.phrases import WHOLE_PHRASES, OwnPhrase, PhraseWriters, labels_of, written_by
from taxonym.records.vocabulary import WHOLE, Vocabulary
from taxonym.records.words import Readings, WordColumn
from taxonym.text.finder import Finder
from taxonym.text.identifiers import without_identifiers
from taxonym.text.sensitive import Topics
from taxonym.text.terms import TextTerms, terms_of

QUERY, WORD, CONCEPT = "query", "word", "concept"  # what a published line is


@dataclass(frozen=True, slots=True, eq=False)
class Queries:
    """The words of users' queries, and of every different query what it was taken for: the concept that it is as a
    whole, or those of its words. `withheld` are queries in which something looks like an identifier."""

    words: WordColumn
    codes: dict[str, tuple[int, ...]]
    withheld: frozenset[str]


def read_queries(
    column: Column,
    asked: Sequence[Sequence[str]],
    finder: Finder,
    k: int,
    where: str,
    lines: Sequence[int],
    topics: Topics | None = None,
    progress: Progress = SILENCE,
    withhold: bool = True,
) -> Queries:
    """What users asked, user by user; `lines` are the lines of the log that complaints name. A whole query is in the
    `topics` of its words. `withhold` what looks like an identifier, or treat it like other words."""
    writers: dict[str, int] = {}
    for mine in asked:
        for query in set(mine):
            writers[query] = writers.get(query, 0) + 1
    progress.start("concepts of queries", len(writers))
    said, withheld = {}, set[str]()
    for query in sorted(writers):
        kept = without_identifiers(query) if withhold else query
        if kept != query:
            withheld.add(query)
        said[query] = terms_of(finder, [kept], entries=finder.whole(kept) is not None)[0]
        progress.advance()
    progress.finish()
    unknown = {word for one in said.values() for word in one.unknown}
    if unknown and column.on_unknown == "error":
        raise _unknown(finder, asked, said, where, lines)
    own = dict[str, int]()
    if column.on_unknown == "keep-as-own-concept":
        for word in _written_by(k, asked, said):
            own[word] = len(finder.taxonomy) + len(own)
    rare = {query: one for query, one in said.items() if writers[query] < k}
    phrases = written_by(k, _phrase_writers(asked, rare)) if column.phrases == WHOLE_PHRASES else ()
    leaves = labels_of(phrases, len(finder.taxonomy) + len(own))
    meant = {
        query: [*_with_phrases(one, leaves), *((word, own[word]) for word in one.unknown if word in own)]
        for query, one in said.items()
    }
    # a query without any known word is a concept all the same, if unknown words are
    shared = [query for query, n in sorted(writers.items()) if n >= k and query not in withheld]
    whole = [query for query in shared if said[query].known or column.on_unknown != "suppress"]
    tax = with_values(finder.taxonomy, list(own), finder.root)  # first, so that queries can lie below them
    tax = with_phrases(tax, phrases) if phrases else tax
    own |= {WHOLE + query: len(tax) + i for i, query in enumerate(whole)}
    top = set[int]() if finder.root is None else {finder.root}
    above = [{c for _, c in meant[query]} or top for query in whole]
    tax = with_leaves(tax, [WHOLE + query for query in whole], above)
    read = {
        query: TextTerms([(WHOLE + query, own[WHOLE + query])] if WHOLE + query in own else pairs, said[query].unknown)
        for query, pairs in meant.items()
    }
    readings = Readings()
    number = {query: readings.add(one) for query, one in read.items()}
    texts = Runs.of([[number[query] for query in mine] for mine in asked])
    known = {label: code for (_, label), code in leaves.items()}
    words = readings.meant(column, tax, Vocabulary(finder, own, False, phrases=known), texts)
    if topics is not None:
        lie = {code: {head} for (head, _), code in leaves.items()}  # first, for queries can lie below them
        lie |= {own[WHOLE + query]: a for query, a in zip(whole, above, strict=True)}
        words = replace(words, topics=topics.with_leaves(len(tax), lie))
    codes = {query: tuple(sorted({code for _, code in one.known})) for query, one in read.items()}
    return Queries(words, codes, frozenset(withheld))


def _phrase_writers(asked: Sequence[Sequence[str]], said: dict[str, TextTerms]) -> Iterator[PhraseWriters]:
    """How many users wrote each phrase that says more than its head in one of these queries."""
    writers: Counter[OwnPhrase] = Counter()
    for mine in asked:
        writers.update({(one.head, fold(one.text)) for query in mine if query in said for one in said[query].phrases})
    return (PhraseWriters(head, label, n) for (head, label), n in writers.items())


def _with_phrases(said: TextTerms, leaves: Mapping[OwnPhrase, int]) -> list[tuple[str, int]]:
    """The terms of a query, with phrases that are concepts in the places of what they consist of."""
    terms: list[tuple[str, int] | None] = [*said.known]
    for text, head, first, last in said.phrases:
        if (leaf := leaves.get((head, fold(text)))) is not None:
            terms[first:last] = [(text, leaf), *[None] * (last - first - 1)]
    return [term for term in terms if term is not None]


def _written_by(k: int, asked: Sequence[Sequence[str]], said: dict[str, TextTerms]) -> list[str]:
    """The unknown words that at least k users wrote, in order."""
    writers: dict[str, int] = {}
    for mine in asked:
        for word in {word for query in mine for word in said[query].unknown}:
            writers[word] = writers.get(word, 0) + 1
    return sorted(word for word, n in writers.items() if n >= k)


def _unknown(
    finder: Finder, asked: Sequence[Sequence[str]], said: dict[str, TextTerms], where: str, lines: Sequence[int]
) -> UnknownTerms:
    found = [(line, word) for line, mine in zip(lines, asked, strict=True) for q in mine for word in said[q].unknown]
    first: dict[str, int] = {}
    for line, word in found:
        first.setdefault(word, line)
    return UnknownTerms(
        f"{where}: words in the queries of {len({line for line, _ in found}):,} users have no concept in "
        f"{finder.taxonomy.name!r} (first user at line {found[0][0]}). Let anonymize --show-values show them to you, "
        f'or set on_unknown = "suppress" under [querylog].',
        [(line, word) for word, line in first.items()],
        finder.taxonomy.keys,
    )


def line_of(term: str, named: bool) -> tuple[str, str]:
    """The text of a published line, and what it is: a whole query, a word as it was written, the name of a concept."""
    return term.removeprefix(WHOLE), QUERY if term.startswith(WHOLE) else CONCEPT if named else WORD


def term_of(text: str, form: str) -> str:
    """The term that a published line stands for."""
    return WHOLE + text if form == QUERY else text


def plain_term(term: str) -> str:
    """A term as people write it."""
    return term.removeprefix(WHOLE)

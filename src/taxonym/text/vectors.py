"""From a document to its vector: the most frequent terms and their weights [NavarroArribas2010, §2.2]."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from taxonym.distance.vectors import Senses
from taxonym.text.finder import Finder
from taxonym.text.tokens import TEXT

SHORTEST = 3  # letters of a word that counts [NavarroArribas2010, §2.2]
BEST_PAIR = "best-pair"


@dataclass(frozen=True, slots=True)
class TermCounts:
    """How often a document (or all those of an author) says what: terms by what they may mean, and words that no
    concept is known for."""

    known: Counter[Senses] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, other: "TermCounts") -> None:
        self.known.update(other.known)
        self.unknown.update(other.unknown)


def finder_for(taxonomies: Sequence[object], senses: str, **options: object) -> Finder:
    """A finder for count_terms. Where pairs of terms decide between senses, none is chosen while reading."""
    return Finder(taxonomies, senses="first" if senses == BEST_PAIR else senses, **options)  # type: ignore[arg-type]


def count_terms(
    finder: Finder, text: str, senses: str = "first", *, shortest: int = SHORTEST, stop_words: Collection[str] = ()
) -> TermCounts:
    """The terms of a document, without stop words, words of fewer than `shortest` letters and words without a concept.

    A term is the concept that it means or, with senses "best-pair", all that it may mean.
    """
    stopped = {*finder.language.stop_words, *finder.language.auxiliaries, *stop_words}

    def counts(term: str) -> bool:
        return term not in stopped and sum(map(str.isalpha, term)) >= shortest

    reading = finder.read(text)
    choices = finder.choices(reading)
    picked = [0] * len(choices) if senses == BEST_PAIR else finder.choose_record([text], [choices], [reading.spans])[0]
    told = TermCounts()
    at = 0
    for sentence, found in zip(reading.sentences, reading.found, strict=True):
        for one in found:
            term = " ".join(map(TEXT, sentence.tokens[one.first : one.last])).lower()
            choice, chosen = choices[at], picked[at]
            at += 1
            if counts(term):
                codes = tuple(choice.codes) if senses == BEST_PAIR else (choice.codes[chosen],)
                told.known[codes] += 1
    for start, end in finder.unknown_in(reading):
        phrase = " ".join(text[start:end].lower().split())
        if counts(phrase):
            told.unknown[phrase] += 1
    return told


def term_vector(known: Mapping[Senses, int], terms: int) -> list[tuple[Senses, float]]:
    """The most frequent terms of a document, with their weights, the heaviest first [NavarroArribas2010, eq. 2.1-2.2].

        w(i, j) = n(i, j) / Σ_k n(k, j)

    n(i, j): how often term i is in document j; the sum is over all its terms, also those that are no more among the
    first `terms`. Of equally frequent ones the lower concept comes first.
    """
    total = sum(known.values())
    first = sorted(known.items(), key=lambda item: (-item[1], item[0]))[:terms]
    return [(senses, n / total) for senses, n in first]


def coverage(told: TermCounts, terms: int) -> float | None:
    """How much of a vector is left where words without a concept are dropped [NavarroArribas2010, §2.4].

        J(A, B) = |A ∩ B| / |A ∪ B|

    A: the most frequent terms, B: the most frequent ones if words without a concept could be terms, too; equally
    frequent ones in an order that has nothing to do with their having one. None for a document without words.
    """

    def first(counts: Mapping[Senses | str, int]) -> set[Senses | str]:
        order = sorted(counts, key=lambda term: (-counts[term], crc32(repr(term).encode())))
        return set(order[:terms])

    known: dict[Senses | str, int] = dict(told.known.items())
    if not (every := known | dict(told.unknown.items())):
        return None
    a, b = first(known), first(every)
    return len(a & b) / len(a | b)

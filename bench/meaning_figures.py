"""What a release still says: figures from an original, its release and its trail, for meaning.py.

Written apart from the product: of it these lines take the taxonomy's parents and labels, and how a text is read. What a
record says are the concepts of its words, each once, and the phrases that have none. A published word is read by the
release's codebook where there is one, else as an entry of a list is read.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import log
from random import Random
from statistics import StatisticsError, correlation, fmean
from typing import Any

import taxonym
from taxonym.knowledge.floor import says_nothing
from taxonym.text.terms import terms_of

GENERAL = 1_000  # concepts below one that says next to nothing
DRAWS = 10  # random records for everybody
FATES = ("exact", "one step", "more general", "merged", "lost")
Term = int | str  # a concept, or a phrase without one
Terms = frozenset[Term]


class Knowledge:
    """A taxonomy as these figures see it."""

    def __init__(self, name: str) -> None:
        self.tax = taxonym.load(name)
        self.finder = taxonym.Finder(self.tax, senses="first")
        self.is_wordnet = name == "wordnet"
        self.above = cache(lambda code: frozenset(self.tax.ancestors(code)))  # with the concept itself
        below = Counter(above for code in range(len(self.tax)) for above in self.tax.ancestors(code))
        self.below = {code: count - 1 for code, count in below.items()}
        size = log(max(len(self.tax), 2))
        self.content = {code: 1 - log(count) / size for code, count in below.items()}  # [Seco2004, eq. 3]
        self.empty = says_nothing(self.tax)
        self.apart = cache(self._apart)

    def said(self, texts: Sequence[str], kind: str) -> Terms:
        """The concepts and unknown phrases of a record, as the pipeline reads its column."""
        if kind == "querylog":
            read = [terms_of(self.finder, [t], entries=self.finder.whole(t) is not None)[0] for t in texts]
        else:
            read = terms_of(self.finder, texts, entries=kind == "set")
        return frozenset(t for one in read for t in (*(code for _, code in one.known), *one.unknown))

    @cache  # noqa: B019 (one for each taxonomy, as long as the script runs)
    def word(self, word: str) -> Terms:
        """What a published word means where no codebook says it."""
        one = terms_of(self.finder, [word], entries=True)[0]
        return frozenset([code for _, code in one.known] or [word])

    def _apart(self, a: int, b: int) -> float:
        A, B = self.above(a), self.above(b)
        return len(A ^ B) / len(A | B)

    def distance(self, A: Iterable[int], B: Iterable[int]) -> float:
        """min-sum by jaccard [Batet2014, eq. 6]."""
        A, B = list(A), list(B)
        rows = [[self.apart(*sorted((a, b))) for b in B] for a in A]
        return (sum(map(min, rows)) + sum(map(min, zip(*rows, strict=True)))) / (len(A) + len(B))


def concepts(terms: Terms) -> frozenset[int]:
    return frozenset(term for term in terms if isinstance(term, int))


class Original:
    """What everybody said, and how much it says."""

    def __init__(self, said: Mapping[Any, Terms], kind: str, knowledge: Knowledge) -> None:
        self.knowledge, self.kind, self.said = knowledge, kind, said
        known = [knowledge.content[code] for terms in self.said.values() for code in concepts(terms)]
        self.mean = fmean(known) if known else 1.0  # what an unknown term weighs
        self.known = len(known) / max(1, sum(map(len, self.said.values())))

    def weight(self, term: Term) -> float:
        return self.knowledge.content[term] if isinstance(term, int) else self.mean

    def survival(self, published: Mapping[Any, Terms]) -> dict[str, float]:
        """What is left of what was said, by what is published for each record; nothing where it is not there."""
        kept = total = known_kept = known_total = 0.0
        fates: Counter[str] = Counter()
        for who, terms in self.said.items():
            told = published.get(who, frozenset())
            standing: set[Term] = set()
            best = {term: self._best(term, told) for term in terms}
            for term in sorted(terms, key=lambda t: (-self._kept(best[t]) / (self.weight(t) or 1), str(t))):
                weight, left = self.weight(term), self._kept(best[term])
                kept, total = kept + left, total + weight
                if isinstance(term, int):
                    known_kept, known_total = known_kept + left, known_total + weight
                fates[self._fate(term, best[term], standing)] += 1
                standing |= {best[term]} - {None}
        every = max(1, fates.total())
        found = {fate: fates[fate] / every for fate in FATES}
        return found | {"kept": kept / (total or 1), "kept of known": known_kept / (known_total or 1)}

    def _best(self, term: Term, told: Terms) -> Term | None:
        """The published term that says most of one, of those that are true of it."""
        if term in told:
            return term
        if not isinstance(term, int):
            return None
        true = self.knowledge.above(term) & told
        return max(true, key=lambda code: (self.knowledge.content[code], -code), default=None)

    def _kept(self, best: Term | None) -> float:
        return 0.0 if best is None else self.weight(best)

    def _fate(self, term: Term, best: Term | None, standing: set[Term]) -> str:
        if best is None:
            return "lost"
        if best == term:
            return "exact"
        if best in standing:
            return "merged"
        assert isinstance(term, int)
        return "one step" if best in self.knowledge.tax.parents(term) else "more general"

    def raised_alone(self, k: int) -> dict[Any, Terms]:
        """Each concept by itself as the most specific that k records hold, of those that say something."""
        holders: Counter[Term] = Counter()
        for terms in self.said.values():
            held: set[Term] = {above for code in concepts(terms) for above in self.knowledge.above(code)}
            holders.update(held | terms)

        @cache
        def raised(term: Term) -> Term | None:
            if not isinstance(term, int):
                return None  # the mapping gives it no concept, so nothing can be published for it
            fit = (c for c in self.knowledge.above(term) if holders[c] >= k and not self.knowledge.empty[c])
            return max(fit, key=lambda code: (self.knowledge.content[code], -code), default=None)

        return {who: frozenset(r for t in terms if (r := raised(t)) is not None) for who, terms in self.said.items()}


class PublishedRecords:
    """A release beside its original: of every record that is published its words, and what they mean."""

    def __init__(self, original: Original, words: Mapping[Any, Sequence[str]], codebook: Mapping[str, str]) -> None:
        self.original, self.knowledge, self.words = original, original.knowledge, words
        self.meant = {word: self._read(word, codebook) for mine in words.values() for word in mine}
        self.uncoded = len(self.meant.keys() - codebook.keys()) if codebook else None  # words that it does not explain
        self.told: dict[Any, Terms] = {
            who: frozenset(term for word in mine for term in self.meant[word]) for who, mine in words.items()
        }

    def _read(self, word: str, codebook: Mapping[str, str]) -> Terms:
        if word not in codebook:
            whole = self.knowledge.said([word], "querylog") if self.original.kind == "querylog" else None
            return whole or self.knowledge.word(word)
        try:
            return frozenset([self.knowledge.tax.code(codebook[word])])
        except taxonym.errors.TaxonymError:  # a whole query, or a word that is a concept of its own
            return self.knowledge.said([word], "querylog") or frozenset([word])

    def figures(self) -> dict[str, Any]:
        told = {who: codes for who, terms in self.told.items() if (codes := concepts(terms))}
        said = {who: concepts(terms) for who, terms in self.original.said.items()}
        above, content, below = self.knowledge.above, self.knowledge.content, self.knowledge.below
        items = [(who, code) for who, codes in told.items() for code in codes]
        redundant = [any(code in above(o) and o != code for o in told[who]) for who, code in items]
        hit = {who for (who, _), is_redundant in zip(items, redundant, strict=True) if is_redundant}
        held = {who: {a for code in codes for a in above(code)} for who, codes in said.items()}
        true = [code in held[who] for who, code in items]
        sizes = [(len(said[who] or ()), len(codes)) for who, codes in told.items()]
        general = [below[code] >= GENERAL for _, code in items]
        nothing_else = [all(below[code] >= GENERAL for code in codes) for codes in told.values()]
        return {
            "uncoded": self.uncoded,
            "published": len(self.words) / max(1, len(said)),
            "redundant": share(redundant),
            "records redundant": len(hit) / max(1, len(told)),
            "general": share(general) if self.knowledge.is_wordnet else None,
            "records general": share(nothing_else) if self.knowledge.is_wordnet else None,
            "before": fmean(a for a, _ in sizes) if sizes else 0.0,
            "after": fmean(b for _, b in sizes) if sizes else 0.0,
            "sizes": related(sizes),
            "true": share(true),
            "true by content": sum(content[code] for (_, code), is_true in zip(items, true, strict=True) if is_true)
            / (sum(content[code] for _, code in items) or 1),
            "shift": shift(said.values(), told.values()),
            "loss": fmean(
                self.knowledge.distance(codes, told[who]) if who in told else 1.0
                for who, codes in said.items()
                if codes
            ),
            **self.original.survival(self.told),
        }

    def by_the_floor(self) -> dict[str, float]:
        """What survives if words that say nothing count as nothing."""
        return self.original.survival({who: self._something(terms) for who, terms in self.told.items()})

    def said_once(self) -> dict[str, float]:
        """The same where a word that is true of another word of its record goes without saying, too."""
        told = {who: self._something(terms) for who, terms in self.told.items()}
        above = self.knowledge.above
        for who, terms in told.items():
            told[who] = terms - {c for term in concepts(terms) for c in above(term) if c != term}
        return self.original.survival(told)

    def _something(self, terms: Terms) -> Terms:
        return frozenset(t for t in terms if not isinstance(t, int) or not self.knowledge.empty[t])

    def random(self) -> dict[str, float]:
        """What survives if everybody who is published gets somebody's published record; the mean of several draws."""
        random, everybody = Random(1), list(self.told.values())
        draws = []
        for _ in range(DRAWS):
            shuffled = random.sample(everybody, len(everybody))
            draws.append(self.original.survival(dict(zip(self.told, shuffled, strict=True))))
        return {name: fmean(draw[name] for draw in draws) for name in draws[0]}


def share(found: Iterable[bool]) -> float:
    every = list(found)
    return sum(every) / max(1, len(every))


def related(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Pearson's correlation; none where one side is always the same."""
    try:
        return correlation(*zip(*pairs, strict=True)) if len(pairs) > 1 else None
    except StatisticsError:
        return None


def shift(said: Iterable[Iterable[int]], told: Iterable[Iterable[int]]) -> float:
    """Total variation between how often concepts are said and how often they are published, as shares of all."""
    a, b = (Counter(code for codes in many for code in codes) for many in (said, told))
    return sum(abs(a[code] / max(1, a.total()) - b[code] / max(1, b.total())) for code in a | b) / 2

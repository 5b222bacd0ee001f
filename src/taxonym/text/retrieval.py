"""Ranked retrieval of concepts, for taxonomies whose labels are sentences ("Unspecified asthma, uncomplicated").

Labels are bags of words. A word weighs as in BM25, by how few of the N labels have it,

    w(t) = ln(1 + (N - n(t) + ½) / (n(t) + ½))

and a label d answers a query q by the weight that they share, held against what the query asks beyond it and, at a
discount β, what the label says beyond the query: Tversky's ratio, which stands where BM25 has its length norm and is
bounded, so that it tells a good answer from a poor one without a second answer beside it.

    s(q, d) = Σ w(q ∩ d) / (Σ w(q) + β (Σ c(d \\ q) + δ depth(d)))

c(t) is w(t), but a tenth of it for words that narrow nothing down (unspecified, NOS, what stands in brackets, what
"unspecified" speaks of), half of it beside "and" or "or", and that of the rarest word for "other". A query that says
no more than "asthma" thus finds "Asthma", then "Asthma NOS", and every rarer or remaining asthma behind them.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import count
from math import exp
from pathlib import Path

import numpy as np

from taxonym.knowledge.arrays import Ints, Long, Mask, Singles
from taxonym.knowledge.runs import frozen, starts
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.language import ENGLISH, Language
from taxonym.text.tokens import word_set

# Chosen, like the shares below, on the dev half of bench/gold/icd10cm.jsonl.
_BETA = 0.2
_DEPTH = 0.3  # δ
_STOP = 0.25  # what a stop word weighs, beside another word in as many labels
_LEAST = 0.3  # labels that share a smaller part of the weight than this may be passed over
_STEEP, _EVEN = 12.0, 0.77  # the logistic curve from score to confidence, and the score where it is ½

_SHARES = np.array([0.1, 0.5, 1.0], np.float32)  # how much of its weight a word costs where it stands
_LITTLE, _HALF, _FULL = range(3)
_OPEN = word_set("unspecified specified nos site uncomplicated")
_REST = word_set("other nec elsewhere")

_ACCENTS = re.compile("[\u0300-\u036f]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_SIGNS = "()[],\n"
_PIECES = re.compile(r"[^\W_]+|[()\[\],\n]")


class Retriever:
    """Finds the concepts of a taxonomy by the words of their labels; a term is a word with its inflected forms.

    The labels that have term t are label[start[t]:start[t + 1]], ascending; cost[i] is what t costs in label[i] when it
    was not asked for.
    """

    def __init__(self, tax: Taxonomy, language: Language = ENGLISH) -> None:
        self.tax = tax
        self.language = language
        self._term, self._label, term, share = self._read_labels()
        n, terms = len(tax.label_word), max(self._term.values(), default=-1) + 1
        self._start = starts(term, terms)
        found = np.diff(self._start)
        self._new = float(np.log1p((n + 0.5) / 0.5))  # the weight of a word that no label has
        self._weight: Singles = np.log1p((n - found + 0.5) / (found + 0.5)).astype(np.float32)
        self._weight[self._numbers(language.stop_words)] *= np.float32(_STOP)
        cost = self._weight.copy()
        cost[self._numbers(_REST)] = self._new
        self._cost: Singles = cost[term] * _SHARES[share]
        per_concept = np.diff(tax.label_start)
        self._most = int(per_concept.max(initial=1))
        self._code = frozen(np.repeat(np.arange(len(tax)), per_concept))
        length = np.bincount(self._label, self._cost, minlength=n) + _DEPTH * tax.depths[self._code]
        self._length: Singles = length.astype(np.float32)

    def best(self, words: Sequence[str]) -> tuple[int, float] | None:
        """The concept whose label answers these words best, with a confidence in [0, 1]; None if no label has any."""
        return next(iter(self.ranked(words, 1)), None)

    def ranked(self, words: Sequence[str], n: int = 5) -> list[tuple[int, float]]:
        """The n best concepts with their confidence, the best first; of equal ones the lower code, so parents first.

        Fewer than n if the others share only common words with the query, too little for an answer.
        """
        found: dict[int, float] = {}
        for terms, asked in self._readings(words):
            for code, score in self._search(terms, asked, n):
                found[code] = max(score, found.get(code, 0.0))
        order = sorted(found, key=lambda code: (-found[code], code))[:n]
        return [(code, confidence(found[code])) for code in order]

    def _readings(self, words: Sequence[str]) -> list[tuple[list[int], float]]:
        """The terms asked for and the weight of all that is asked.

        Two readings if there are abbreviations: with all of them expanded, and with those that are no word of a label.
        """
        everywhere: list[str] = []
        where_unknown: list[str] = []
        listed = abbreviations() if self.language.code == "en" else {}
        for word in map(_plain, words):
            pieces, full = _words(word), list(listed.get(word, ()))
            if not full or any(self._find(w) is None for w in full if w not in self.language.stop_words):
                full = pieces
            everywhere += full
            where_unknown += pieces if len(pieces) == 1 and self._find(word) is not None else full
        readings = [everywhere] if everywhere == where_unknown else [everywhere, where_unknown]
        return [self._asked(reading) for reading in readings]

    def _asked(self, words: Iterable[str]) -> tuple[list[int], float]:
        terms: set[int] = set()
        unknown: set[str] = set()
        for word in words:
            term = self._find(word)
            if term is not None:
                terms.add(term)
            elif word not in self.language.stop_words:
                unknown.add(word)
        return sorted(terms), float(self._weight[sorted(terms)].sum()) + self._new * len(unknown)

    def _find(self, word: str) -> int | None:
        """The term of a word: as written, by a lemma, or by its American spelling."""
        if word in self._term:
            return self._term[word]
        for form in (word, *_american(word)) if self.language.code == "en" else (word,):
            for part in "nva":
                for lemma in self.language.lemmas(form, part):
                    if lemma in self._term:
                        return self._term[lemma]
        return None

    def _search(self, terms: list[int], asked: float, n: int) -> list[tuple[int, float]]:
        """Codes with scores, the best first: those of the n best concepts and perhaps more, some of them repeated."""
        runs = {term: self._label[self._start[term] : self._start[term + 1]] for term in terms}
        left, some = float(self._weight[terms].sum()), list[Ints]()
        for term in sorted(terms, key=lambda term: len(runs[term])):  # what has only the most common words is left out
            if some and left < _LEAST * asked:
                break
            some.append(runs[term])
            left -= float(self._weight[term])
        if not some:
            return []
        labels = np.sort(np.concatenate(some))
        labels = labels[np.diff(labels, prepend=-1) > 0]
        shared, spared = np.zeros((2, len(labels)), np.float32)
        for term, run in runs.items():
            at = np.searchsorted(run, labels)
            at[at == len(run)] = 0
            has = run[at] == labels
            shared[has] += self._weight[term]
            spared[has] += self._cost[self._start[term] + at[has]]
        score = shared / (asked + _BETA * np.maximum(self._length[labels] - spared, 0))
        width = n * self._most
        if len(score) > width:
            top = score >= np.partition(score, -width)[-width]
            labels, score = labels[top], score[top]
        order = np.argsort(-score, kind="stable")
        return list(zip(self._code[labels[order]].tolist(), score[order].tolist(), strict=True))

    def _read_labels(self) -> tuple[dict[str, int], Ints, Ints, Long]:
        """Word -> term; and for each pair of term and label, ascending: the label, the term, what share it costs."""
        written, n = list(self.tax.words), max(len(self.tax.label_word), 1)
        whole = _plain("\n".join([written[w].replace("\n", " ") for w in self.tax.label_word.tolist()]))
        number: defaultdict[str, int] = defaultdict(count().__next__)
        piece = np.array([number[p] for p in _PIECES.findall(_POSSESSIVE.sub("", whole))], dtype=np.int64)

        def among(words: Iterable[str]) -> Mask:
            return np.isin(piece, [number[w] for w in words if w in number])

        first = _next(among("\n"))
        label = np.cumsum(among("\n"))
        level = np.cumsum(among("([").astype(np.int64) - among(")]"))
        before = np.concatenate(([0], level[among("\n")]))  # a bracket that is never closed ends with its label
        little = among(_OPEN) | (level > before[label])
        ends = among((*_SIGNS, *self.language.stop_words))
        after = among(["unspecified"]) & ~first
        for _ in range(2):  # Pneumonia, unspecified organism: the next word or two
            after = _next(after) & ~ends
            little |= after
        beside = among(["and", "or"])
        half = (_next(beside) | _next(beside[::-1])[::-1]) & ~among(_REST)
        share = np.where(little, _LITTLE, np.where(half, _HALF, _FULL))
        term_of = self._terms([w for w in number if w not in _SIGNS])
        term = np.array([term_of.get(w, -1) for w in number], dtype=np.int64)[piece]
        key = np.sort(((term * n + label) * 4 + share)[term >= 0])
        key = key[np.diff(key // 4, prepend=-1) > 0]  # a word that a label has twice costs its smaller share
        return term_of, frozen(key // 4 % n), frozen(key // 4 // n), key % 4

    def _terms(self, words: list[str]) -> dict[str, int]:
        """Each word's term: a word and the first of its lemmas that is a word of a label, too, share one."""
        known, lemma = set(words), dict[str, str]()
        for word in words:
            forms = [*self.language.lemmas(word, "n")[1:], *self.language.lemmas(word, "v")[1:]]
            forms = [form for form in forms if form in known and len(form) > 2]
            if forms and word not in self.language.stop_words:
                lemma[word] = forms[0]
        numbers: dict[str, int] = {}
        term_of: dict[str, int] = {}
        for word in words:
            root, seen = word, {word}
            while root in lemma and lemma[root] not in seen:
                root = lemma[root]
                seen.add(root)
            term_of[word] = numbers.setdefault(root, len(numbers))
        for word in words:  # forms that no label has: week, where labels say weeks
            for form in self.language.lemmas(word, "n")[1:]:
                term_of.setdefault(form, term_of[word])
        return term_of

    def _numbers(self, words: Iterable[str]) -> list[int]:
        return sorted({self._term[word] for word in words if word in self._term})


def confidence(score: float) -> float:
    """How likely an answer with this score is right: a logistic curve."""
    return 1 / (1 + exp(-_STEEP * (score - _EVEN)))


@cache
def abbreviations() -> Mapping[str, tuple[str, ...]]:
    """Abbreviation -> the words it stands for; a shipped file, read once."""
    text = (Path(__file__).parent / "data" / "abbreviations.txt").read_text(encoding="utf-8")
    pairs = (line.split(" = ") for line in text.splitlines() if line and not line.startswith("#"))
    return {short: tuple(long.split()) for short, long in pairs}


def _plain(text: str) -> str:
    """Small letters without accents."""
    text = text.casefold()
    return text if text.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


def _words(text: str) -> list[str]:
    return [p for p in _PIECES.findall(_POSSESSIVE.sub("", text)) if p not in _SIGNS]


def _american(word: str) -> list[str]:
    """The American spelling of a British word, if it has another; the look-up tells whether it is a word."""
    changed = word.replace("ae", "e").replace("oe", "e").replace("our", "or")
    changed = re.sub(r"is(e[ds]?|ing|ations?)$", r"iz\1", changed)
    return [changed] if changed != word else []


def _next(marked: Mask) -> Mask:
    return np.concatenate((np.zeros(1, np.bool_), marked))[: len(marked)]

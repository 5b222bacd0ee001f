"""Suggestions for words that no label is known for: a label spelt nearly so, a verb's form, the nearest concepts.

Nothing is replaced by a suggestion: a person reads them, and what is right becomes a line of an override file.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from taxonym.knowledge.arrays import Mask, Singles
from taxonym.knowledge.runs import edges
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.finder import Finder
from taxonym.text.glosses import GlossVectors
from taxonym.text.language import ENGLISH
from taxonym.text.lookup import NOUN, VERB, plain, verbs_of
from taxonym.text.sources import under_category
from taxonym.text.spelling import SHORTEST, Speller, distance
from taxonym.text.word_vectors import UNIT, WordVectors, word_vectors

LIKELY = 0.75  # from which confidence on a suggestion is filled in as the concept of its line
MOST = 3  # suggestions for one term
NO_CONCEPT = "-"  # in an override file: the term stays unknown, until somebody writes an id there
HEADER = ("term", "concept", "suggestion", "label", "confidence", "why", "gloss", "others", "persons")
_EDITS = 2
_NEAREST = 60  # concepts by their label, of which glosses are looked at
_VERB_FORM = 0.8  # an activity without a noun of its own, such as windsurfing
_NEVER_SEEN = 0.5  # of a label that the taxonomy saw nobody use, where it saw others: rarely what is meant
# How often the nearest label is the word that was meant, by edits and letters (4, 5, …, 12 and more), where a word in
# use is misspelt at random: bench/suggestions.py
_RIGHT = {
    1: (0.31, 0.59, 0.82, 0.93, 0.96, 0.98, 0.99, 0.99, 0.99),
    2: (0.04, 0.25, 0.53, 0.75, 0.87, 0.94, 0.95, 0.99, 0.99),
}
# The same for the nearest concept by vectors: from which score on, how often (the same bench).
_NEAR = ((0.85, 0.42), (0.8, 0.34), (0.7, 0.27), (0.55, 0.19))


class Suggestion(NamedTuple):
    """A concept that an unknown term may mean, how sure that is (0 to 1), and why."""

    code: int
    confidence: float
    why: str


@dataclass(frozen=True, slots=True)
class SuggestedTerm:
    """An unknown term, how many persons wrote it, and what it may mean, the likeliest first."""

    term: str
    persons: int
    suggestions: list[Suggestion]


class Suggester:
    """Suggests concepts of a finder's taxonomy, as its settings allow; what it needs is made when it is first asked."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._tax = finder.taxonomy
        self._spellers: dict[int, Speller] = {}
        self._usual: dict[str, int] = {}
        self._near: _NearestConcepts | None = None
        category: Any = finder.options["category"]
        every = np.ones(len(self._tax), np.bool_)
        self._allowed: Mask = every if category is None else under_category(self._tax, category)
        self._seen = bool(self._tax.sense_count.any())

    def suggest(self, term: str) -> list[Suggestion]:
        """At most three, the likeliest first; concepts are named once."""
        found = [*self._by_spelling(term), *self._by_verb(term), *self._by_meaning(term)]
        best: dict[int, Suggestion] = {}
        for one in sorted(found, key=lambda one: -one.confidence):
            best.setdefault(one.code, one)
        return list(best.values())[:MOST]

    def _by_spelling(self, term: str) -> list[Suggestion]:
        """The term with its unknown words corrected, if that is a label or ends with one."""
        words, sure, changed = term.lower().split(), 1.0, False
        for i, word in enumerate(words):
            if len(word) < SHORTEST or not word.isalpha() or self._is_right(word):
                continue
            right, share = self._corrected(word)
            if right is None:
                return []
            words[i], sure, changed = right, sure * share, True
        if not changed:
            return []
        for left in range(len(words)):
            code = self._meant(" ".join(words[left:]))
            if code is not None:
                return [Suggestion(code, sure, f"spelling of '{' '.join(words)}'")]
        return []

    def _is_right(self, word: str) -> bool:
        """Whether a word is spelt right: a label or a form of one, or known from running text."""
        language = self._finder.language
        lemmas = {lemma for part in (NOUN, VERB) for lemma in language.lemmas(word, part)}
        known = word_vectors().words if language.code == ENGLISH.code else {}
        return word in known or any(self._tax.codes(lemma) for lemma in lemmas) or self._meant(word) is not None

    def _corrected(self, word: str) -> tuple[str | None, float]:
        """The nearest label of one word, or of the word that a plural belongs to, and how often that is right."""
        forms = dict.fromkeys(map(plain, self._finder.language.lemmas(word, NOUN)))
        for limit in (1, _EDITS):
            best = (0.0, "")
            for form in forms:
                right = self._nearest_label(form, limit)
                if right is None or right == form:
                    continue
                sure = _RIGHT[distance(form, right)][min(len(form), 12) - SHORTEST]
                best = max(best, (sure if not self._seen or self._used(right) else sure * _NEVER_SEEN, right))
            if best[1]:
                return best[1], best[0]
        return None, 0.0

    def _nearest_label(self, form: str, limit: int) -> str | None:
        if limit not in self._spellers:
            if not self._usual:
                seen = np.append(np.cumsum(self._tax.sense_count), 0)
                times = seen[self._tax.sense_start[1:] - 1] - seen[self._tax.sense_start[:-1] - 1]
                allowed = self._allowed
                narrow = not allowed.all()
                for key, n in zip(self._tax.keys, times.tolist(), strict=True):
                    if " " not in key and not (narrow and not allowed[self._tax.codes(key)].any()):
                        self._usual.setdefault(plain(key), n)
            self._spellers[limit] = Speller(self._usual, limit, self._usual.__getitem__)
        return self._spellers[limit].correct(form)

    def _used(self, form: str) -> int:
        return self._usual.get(form, 0)

    def _by_verb(self, term: str) -> list[Suggestion]:
        """The verb that the term's last word is a form of, where only nouns are looked for."""
        if VERB in self._finder.parts:
            return []
        verb, told = verbs_of(self._tax)
        head, _, last = term.lower().rpartition(" ")
        for lemma in self._finder.language.lemmas(last, VERB)[1:] if told else ():
            for text in (f"{head} {lemma}", lemma) if head else (lemma,):
                codes = [code for code in self._tax.codes(text) if verb[code] and self._allowed[code]]
                if codes:
                    return [Suggestion(codes[0], _VERB_FORM, f"form of the verb '{text}'")]
        return []

    def _by_meaning(self, term: str) -> list[Suggestion]:
        """The nearest concepts by word vectors, which are English."""
        if self._finder.language.code != ENGLISH.code:
            return []
        if self._near is None:
            self._near = _NearestConcepts(self._tax, word_vectors(), self._wanted())
        found = []
        for code, score in self._near.nearest(term):
            sure = next((share for least, share in _NEAR if score >= least), 0.0)
            if sure:
                found.append(Suggestion(code, sure, f"near '{self._tax.label(code)}' by word vectors"))
        return found

    def _wanted(self) -> Mask:
        verb, _ = verbs_of(self._tax)
        parts = self._finder.parts
        mine: Mask = self._allowed & ((verb & (VERB in parts)) | (~verb & (NOUN in parts)))
        return mine

    def _meant(self, text: str) -> int | None:
        code = self._finder.whole(text)
        if code is None:
            for lemma in self._finder.language.lemmas(text.rpartition(" ")[2], NOUN)[1:]:
                code = self._finder.whole(" ".join((*text.split()[:-1], lemma)))
                if code is not None:
                    break
        return code


class _NearestConcepts:
    """Concepts whose label, and then whose gloss, is about the same as a term: cosines of summed word vectors."""

    def __init__(self, tax: Taxonomy, vectors: WordVectors, wanted: Mask) -> None:
        self._codes = np.flatnonzero(wanted)
        self._vectors, self._glosses = vectors, GlossVectors(tax, vectors)
        self._labels = self._directions([tax.label(int(code)) for code in self._codes])

    def _directions(self, texts: Sequence[str]) -> Singles:
        words = [self._vectors.numbers(text) for text in texts]
        start = edges(np.array([*map(len, words)], np.int64))
        return self._vectors.directions(
            self._vectors.sums(np.array([w for some in words for w in some], np.int64), start)
        )

    def nearest(self, term: str) -> list[tuple[int, float]]:
        """The best by the mean of both cosines, times the share of the term's words that have a vector."""
        words = term.lower().split()
        known = sum(bool(self._vectors.numbers(word)) for word in words)
        if not known or not len(self._codes):
            return []
        asked = self._directions([term])[0] / UNIT**2
        by_label = self._labels @ asked
        top = np.argsort(-by_label, kind="stable")[:_NEAREST]
        by_gloss = self._glosses.rows(self._glosses.places(self._codes[top].tolist())) @ asked
        score = (by_label[top] + by_gloss) / 2 * (known / len(words))
        best = np.argsort(-score, kind="stable")[:MOST]
        return [(int(self._codes[top[i]]), float(score[i])) for i in best]


def override_file(terms: Sequence[SuggestedTerm], tax: Taxonomy) -> str:
    """A file of overrides to be edited: likely suggestions are filled in, other terms stay unknown (-)."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(HEADER)
    for one in terms:
        if not one.suggestions:
            rows.writerow([one.term, NO_CONCEPT, "", "", "", "", "", "", one.persons])
            continue
        best, *others = one.suggestions
        concept = tax.id(best.code) if best.confidence >= LIKELY else NO_CONCEPT
        about = [tax.id(best.code), tax.label(best.code), f"{best.confidence:.2f}", best.why, tax.gloss(best.code)]
        rows.writerow([one.term, concept, *about, " ".join(tax.id(other.code) for other in others), one.persons])
    return out.getvalue()

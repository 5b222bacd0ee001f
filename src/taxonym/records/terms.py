"""The terms of the whole data as they were written: what each was taken for, and how many persons wrote it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.knowledge.names import ConceptNames
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.records.thresholds import Thresholds
from taxonym.records.vocabulary import Vocabulary

MapsTo: TypeAlias = Callable[[str], int | None]


@dataclass(frozen=True, slots=True)
class Term:
    """Text as written: the concept it was taken for, how often so, and how many persons wrote it at all."""

    text: str
    code: int
    occurrences: int
    writers: int


class Terms:
    """The terms of the whole data, by the concepts they were taken for; those of one concept in order of their text."""

    __slots__ = ("_meaning", "_writers", "by_code", "secret")

    def __init__(self, occurrences: Iterable[tuple[str, int, int]]) -> None:
        """From every term that somebody wrote: its text, its code, and the person's number."""
        found = list(occurrences)
        number = {text: i for i, text in enumerate(dict.fromkeys(text for text, _, _ in found))}
        term = np.array([number[text] for text, _, _ in found], np.int64)
        meant, person = (np.array([one[i] for one in found], np.int64) for i in (1, 2))
        self._count(list(number), term, meant, person)

    @classmethod
    def of_arrays(cls, names: Sequence[str], term: Long, meant: Long, person: Long) -> "Terms":
        """The same from arrays: person[j] wrote names[term[j]], taken for meant[j]; names differ from each other."""
        made = cls.__new__(cls)
        made._count(names, term, meant, person)
        return made

    @classmethod
    def of_counts(cls, terms: Iterable[Term]) -> "Terms":
        """The same from terms that somebody else has counted."""
        made = cls.__new__(cls)
        made._keep(terms)
        return made

    def _count(self, names: Sequence[str], term: Long, meant: Long, person: Long) -> None:
        codes, persons = (int(values.max(initial=0)) + 1 for values in (meant, person))
        pairs, times = np.unique(term * codes + meant, return_counts=True)
        wrote = np.unique(term * persons + person) // persons
        writers = np.bincount(wrote, minlength=len(names)).tolist()
        numbers = zip((pairs // codes).tolist(), (pairs % codes).tolist(), times.tolist(), strict=True)
        self._keep(Term(names[t], code, n, writers[t]) for t, code, n in numbers)

    def _keep(self, terms: Iterable[Term]) -> None:
        self.by_code: dict[int, tuple[Term, ...]] = {}
        self._meaning: dict[str, int] = {}
        self._writers: dict[str, int] = {}
        self.secret: Thresholds | None = None  # how many must have written a term, where k does not say it
        for term in sorted(terms, key=lambda t: (t.text, -t.occurrences, t.code)):
            self.by_code[term.code] = (*self.by_code.get(term.code, ()), term)
            self._meaning.setdefault(term.text, term.code)
            self._writers[term.text] = term.writers

    def of(self, code: int) -> tuple[Term, ...]:
        return self.by_code.get(code, ())

    def writers(self, text: str) -> int:
        """How many persons wrote a text at all."""
        return self._writers.get(text, 0)

    def drawable(self, code: int, k: int, maps_to: MapsTo) -> tuple[Term, ...]:
        """The terms that may stand for a concept, as they are printed: at least k persons wrote them (or as many as is
        secret), and they map back to it. Ids are not printed, whoever wrote them: the codebook tells them."""
        fit = [t for t in self.of(code) if t.writers >= self._least(t.text, k) and maps_to(t.text) == code]
        if not isinstance(maps_to, Vocabulary):
            return tuple(fit)
        fit = [t for t in fit if not maps_to.is_id(t.text)]
        if not maps_to.hints:
            return tuple(fit)
        shown = (replace(t, text=maps_to.printed(t.text, code)) for t in fit)
        return tuple(t for t in shown if maps_to(t.text) == code)

    def _least(self, text: str, k: int) -> int:
        return k if self.secret is None else max(k, self.secret.of("term", text))

    def reader(self, tax: Taxonomy) -> MapsTo:
        """The simplest way back: a term means what it was most often taken for, other words what the taxonomy says.

        A label means its most usual concept unless a hint says otherwise, an id its own.
        """
        names = ConceptNames(tax)

        def maps_to(text: str) -> int | None:
            if text in self._meaning:
                return self._meaning[text]
            if codes := tax.codes(text):
                return codes[0]
            at = tax.ids.find(text, tax.id_order)
            return at if at >= 0 else names.meant(text)

        return maps_to

"""Phrases of a column that are concepts of their own: what at least k persons wrote, below the concept of its head.

A phrase is one whatever its capitals. Which ones become concepts depends on how many persons wrote them and on nothing
else: not on the order of rows, nor on the parts in which a table is read, whose counts can be added.
"""

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from taxonym.knowledge.arrays import Long, Mask
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.strings import fold
from taxonym.text.terms import HeadPhrase

WHOLE_PHRASES = "whole"  # what a column says of phrases, where those that k persons wrote are concepts
OwnPhrase: TypeAlias = tuple[int, str]  # the concept of its head, and its label: how it is written, in small letters


class PhraseWriters(NamedTuple):
    """How many persons wrote a phrase and meant this head."""

    head: int
    label: str
    writers: int


def written_by(k: int, counts: Iterable[PhraseWriters]) -> tuple[OwnPhrase, ...]:
    """The phrases that at least k persons wrote, in order. One that was written with several heads in mind is below
    that of most writers, so that it stands for one concept; of equal ones below the lowest code."""
    best: dict[str, PhraseWriters] = {}
    for one in counts:
        other = best.get(one.label)
        if one.writers >= k and (other is None or (-one.writers, one.head) < (-other.writers, other.head)):
            best[one.label] = one
    return tuple(sorted((one.head, one.label) for one in best.values()))


class ReadPhrases:
    """The phrases of texts that are read one after the other, kept as numbers."""

    __slots__ = ("_ends", "_first", "_head", "_last", "_texts", "_which")

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}  # as they were written
        self._ends, self._which, self._head = array("q", [0]), array("i"), array("i")
        self._first, self._last = array("q"), array("q")

    def add(self, phrases: Sequence[HeadPhrase], begin: int) -> None:
        """Those of one more text, whose terms begin at this place of all terms."""
        for text, head, first, last in phrases:
            self._which.append(self._texts.setdefault(text, len(self._texts)))
            self._head.append(head)
            self._first.append(begin + first)
            self._last.append(begin + last)
        self._ends.append(len(self._which))

    def writers(self, text: Long, person: Long) -> list[PhraseWriters]:
        """Who wrote what: person[j] wrote the text with the number text[j]."""
        label, number = self._labels()
        said = Runs(np.array(self._ends, np.int64), np.arange(len(self._which))).take(text)
        if not len(said.codes):
            return []
        who, at = np.unique(person, return_inverse=True)[1][said.owner], said.codes
        pairs = np.array(self._head, np.int64) * len(label) + number[np.array(self._which, np.int64)]
        pair, own = np.unique(pairs[at], return_inverse=True)
        persons = int(who.max()) + 1
        counts = np.bincount(np.unique(own * persons + who) // persons, minlength=len(pair))
        told = zip((pair // len(label)).tolist(), (pair % len(label)).tolist(), counts.tolist(), strict=True)
        return [PhraseWriters(head, label[i], n) for head, i, n in told]

    def _labels(self) -> tuple[list[str], Long]:
        """The different phrases, and which of these each one is as it was written."""
        number: dict[str, int] = {}
        own = [number.setdefault(fold(text), len(number)) for text in self._texts]
        return list(number), np.array(own, np.int64)

    def put_in(self, own: Mapping[OwnPhrase, int], names: dict[str, int], term: Long, code: Long) -> Mask:
        """Put phrases that are concepts (`own` has their codes) in the place of the terms that they consist of. `names`
        numbers the terms and gets more. Of every term whether it is still there."""
        kept, texts = np.ones(len(term), np.bool_), list(self._texts)
        labels = [fold(text) for text in texts] if own else []
        for which, head, first, last in zip(self._which, self._head, self._first, self._last, strict=True):
            if own and (leaf := own.get((head, labels[which]))) is not None:
                term[first], code[first] = names.setdefault(texts[which], len(names)), leaf
                kept[first + 1 : last] = False
        return kept


def labels_of(own: Collection[OwnPhrase], first: int) -> dict[OwnPhrase, int]:
    """The codes of phrases that become concepts, from `first` on."""
    return {phrase: first + i for i, phrase in enumerate(own)}

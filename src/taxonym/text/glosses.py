"""What concepts are about: the words of their labels, glosses and nearest relatives, as directions of word vectors."""

from collections.abc import Sequence
from itertools import islice

import numpy as np

from taxonym.knowledge.arrays import Long, Singles
from taxonym.knowledge.runs import edges
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.word_vectors import WordVectors

CHILDREN = 8  # of which the labels count; a concept with thousands is not about the first of them
_ROOM = 1024  # rows at first


def sense_text(tax: Taxonomy, code: int) -> str:
    """All that a taxonomy says about a concept: labels, gloss, labels of its parents and of some children. Where there
    are no glosses, the labels of all that is above it."""
    gloss = tax.gloss(code)
    above = tax.parents(code) if gloss else tax.ancestors(code)
    near = (tax.label(other) for other in (*above, *islice(tax.children(code), CHILDREN)) if other != code)
    return "; ".join((*tax.labels(code), gloss, *near))


class GlossVectors:
    """The directions of the concepts that somebody asked for, one row each; never more rows than concepts."""

    __slots__ = ("_place", "_rows", "_tax", "_vectors")

    def __init__(self, tax: Taxonomy, vectors: WordVectors) -> None:
        self._tax, self._vectors = tax, vectors
        self._place: dict[int, int] = {}
        self._rows: Singles = np.empty((_ROOM, vectors.dimensions), np.float32)

    def places(self, codes: Sequence[int]) -> Long:
        """The rows of these concepts."""
        new = [code for code in dict.fromkeys(codes) if code not in self._place]
        if new:
            words = [self._vectors.numbers(sense_text(self._tax, code)) for code in new]
            start = edges(np.array([*map(len, words)], np.int64))
            flat = np.array([word for some in words for word in some], np.int64)
            made = self._vectors.directions(self._vectors.sums(flat, start))
            n = len(self._place)
            while n + len(new) > len(self._rows):
                self._rows = np.concatenate((self._rows, np.empty_like(self._rows)))
            self._rows[n : n + len(new)] = made
            self._place.update(zip(new, range(n, n + len(new)), strict=True))
        return np.array([self._place[code] for code in codes], np.int64)

    def rows(self, places: Long) -> Singles:
        found: Singles = self._rows[places]
        return found

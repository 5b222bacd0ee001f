"""Static word vectors: what words are about, as directions in a space of 100 dimensions.

The file was made by tools/build_word_vectors.py and is read when somebody first needs it.
All sums are over whole numbers that a float holds exactly: they do not depend on the order of the words, nor on how
many texts are looked at together.
"""

import json
import re
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Floats, Long, Singles

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+")  # a word, or a number, in lower case
FILE = Path(__file__).parent / "data" / "english.vectors"
SMOOTHING = 1e-3  # a in a / (a + p(word)): words as frequent as this count half
DIMENSIONS = 100
UNIT = 2048.0  # length of a direction: dot products of whole numbers stay below 2**24, which a 32-bit float holds
_DIMENSIONS = 100
_FINE = 1024.0  # of a word's share in a sum


class WordVectors:
    """The directions of many words.

    `words` numbers them, the most frequent first. A word counts a / (a + p) with p by Zipf's law from its rank: what
    every text has says little about any. `common` is the direction that all texts share most, for the same reason
    taken out of every sum [Arora2017].
    """

    __slots__ = ("_common", "_weighted", "words")

    def __init__(self, words: dict[str, int], rank: Long, rows: NDArray[np.int8], of: int, common: Floats) -> None:
        self.words = words
        usual = 1 / ((rank + 1.0) * np.log(of))
        length = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
        factor = _FINE * SMOOTHING / (SMOOTHING + usual) / np.maximum(length, 1)
        self._weighted = np.rint(rows * factor.astype(np.float32)[:, None]).astype(np.int16)
        self._common = common

    @property
    def dimensions(self) -> int:
        return int(self._weighted.shape[1])

    def numbers(self, text: str) -> list[int]:
        """The words of a text that have a vector."""
        known = self.words.get
        return [number for word in WORD.findall(text.lower()) if (number := known(word)) is not None]

    def sums(self, words: Long, start: Long) -> Floats:
        """For every text its words' directions times their weights, added up: whole numbers. The words of text i are
        words[start[i]:start[i + 1]]; a text without any has zeros."""
        out = np.zeros((len(start) - 1, self.dimensions))
        some = np.flatnonzero(np.diff(start))
        if len(some):
            out[some] = np.add.reduceat(self._weighted[words], start[some], axis=0, dtype=np.int64)
        return out

    def directions(self, sums: Floats) -> Singles:
        """Sums without what all texts share, as whole numbers with the length UNIT (or 0): dot products of these are
        cosines times UNIT², whatever the order in which they are added up."""
        shared = (sums @ self._common)[:, None] / UNIT**2
        own = np.rint(sums - shared * self._common)
        length = np.sqrt((own * own).sum(axis=1))[:, None]
        made: Singles = np.rint(own * (UNIT / np.maximum(length, 1))).astype(np.float32)
        return made


@lru_cache(1)
def word_vectors(path: Path = FILE) -> WordVectors:
    """The vectors of the English language pack."""
    with path.open("rb") as file:
        head = json.loads(file.readline())
        n, dimensions = head["words"], head["dimensions"]
        words = {file.readline()[:-1].decode(): i for i in range(n)}
        at = file.tell()
    rank = np.fromfile(path, "<u4", n, offset=at).astype(np.int64)
    rows = np.fromfile(path, np.int8, n * dimensions, offset=at + 4 * n).reshape(n, dimensions)
    return WordVectors(words, rank, rows, head["of"], np.array(head["common"], np.float64))


def vectors_of(language: str) -> WordVectors:
    """The vectors of a language, by its code. Of others than English no word has one: a word that only looks like an
    English one (pan) would be taken for it."""
    if language == "en":
        return word_vectors()
    empty = np.empty(0, np.int64)
    return WordVectors({}, empty, np.empty((0, _DIMENSIONS), np.int8), 2, np.zeros(_DIMENSIONS))

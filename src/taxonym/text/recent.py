"""What was worked out for recent words: people's words repeat, so most are looked up instead of analysed again."""

from collections.abc import Callable, Sized
from typing import TypeVar

LONGEST = 200  # letters of a word; longer ones are no words, and are not kept
MOST = 1 << 16  # words remembered unless told

K = TypeVar("K", bound=Sized)
V = TypeVar("V")


class Recent(dict[K, V]):
    """The values of a function of words, or of a few words together. A full table is emptied and fills again.

    Asked by recent[word], or through the function recent.__getitem__. Unlike functools.lru_cache a word that is known
    costs one look-up in one table, and a word of a million letters is not kept.
    """

    __slots__ = ("most", "work")

    def __init__(self, work: Callable[[K], V], most: int = MOST) -> None:
        self.work, self.most = work, most

    def __missing__(self, word: K) -> V:
        value = self.work(word)
        if len(word) <= LONGEST:
            if len(self) >= self.most:
                self.clear()
            self[word] = value
        return value

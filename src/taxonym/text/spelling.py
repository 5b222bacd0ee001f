"""Optional spelling correction: the nearest known word within one or two edits.

An edit inserts, deletes or replaces a letter, or swaps two neighbours (Damerau and Levenshtein). Candidates are found
by deletion on both sides: of two words within k edits the same string is left when at most k letters are deleted from
each, and the same holds for how they begin. The index holds what is left of the beginnings of all known words.
"""

from collections.abc import Callable, Iterable

from taxonym.errors import BadPlan

SHORTEST = 4  # shorter words are never corrected: too many words are one letter away
_BEGINNING = 8  # letters of a word that the index reads; fewer make it smaller and the search slower


def distance(a: str, b: str) -> int:
    """Edits from a to b, no part edited twice (optimal string alignment).

        D(i, j) = min(D(i-1, j) + 1, D(i, j-1) + 1, D(i-1, j-1) + [a_i ≠ b_j],
                      D(i-2, j-2) + 1 where a_{i-1} a_i = b_j b_{j-1})

    Not a metric: from ca to abc there are 3, though ca, ac, abc are one apart each.
    """
    before, last = list[int](), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            edits = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                edits = min(edits, before[j - 2] + 1)
            row.append(edits)
        before, last = last, row
    return last[-1]


class Speller:
    """Corrects a word to the nearest of the known ones. Words and keys are compared as given; fold both alike.

    `frequency` tells how often a known word is used, to choose between those that are equally near; without it the
    alphabet does.
    """

    def __init__(self, keys: Iterable[str], limit: int = 1, frequency: Callable[[str], int] | None = None) -> None:
        if limit not in (1, 2):
            raise BadPlan(f"spelling: the limit must be 1 or 2 edits, got {limit}.")
        self.limit = limit
        self._frequency = frequency
        self._known = frozenset(keys)
        self._near: dict[str, str | list[str]] = {}  # what is left -> the words it is left of; most have only one
        near = self._near
        for key in sorted(self._known):
            if len(key) + limit < SHORTEST:
                continue  # no word that may be corrected is so near
            for left in _remains(key, limit):
                others = near.setdefault(left, key)
                if isinstance(others, list):
                    others.append(key)
                elif others is not key:
                    near[left] = [others, key]

    def correct(self, word: str) -> str | None:
        """The word itself if it is known, else the nearest known word; None if there is none within the limit.

        Of several: fewer edits, then the more frequent, then the first by the alphabet.
        """
        if word in self._known:
            return word
        if len(word) < SHORTEST:
            return None
        found: set[str] = set()
        for left in _remains(word, self.limit):
            keys = self._near.get(left, ())
            found.update((keys,) if isinstance(keys, str) else keys)
        ordered = [self._order(word, key) for key in found if abs(len(key) - len(word)) <= self.limit]
        edits, _, best = min(ordered, default=(self.limit + 1, 0, ""))
        return best if edits <= self.limit else None

    def _order(self, word: str, key: str) -> tuple[int, int, str]:
        return _core_distance(word, key), -self._frequency(key) if self._frequency else 0, key


def _core_distance(a: str, b: str) -> int:
    """`distance`, without reading what both begin and end with."""
    shorter = min(len(a), len(b))
    left = 0
    while left < shorter and a[left] == b[left]:
        left += 1
    right = 0
    while right < shorter - left and a[-1 - right] == b[-1 - right]:
        right += 1
    return distance(a[left : len(a) - right], b[left : len(b) - right])


def _remains(word: str, limit: int) -> set[str]:
    """How a word begins, and all that is left of that when up to `limit` letters are deleted."""
    fresh = {word[:_BEGINNING]}
    found = set(fresh)
    for _ in range(limit):
        fresh = {part[:i] + part[i + 1 :] for part in fresh for i in range(len(part))}
        found |= fresh
    return found

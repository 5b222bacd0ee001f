"""The taxonomy of a column as a tree with counts of persons.

What fewer than k persons hold is not told apart from what nobody holds, unless private values are shown: neither by a
count, nor by what is listed, nor by its place in the list.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from taxonym.studio.terms import Concepts, ShownConcept

MOST = 200  # children that are shown at once


class ShownBranch(NamedTuple):
    """A concept in the tree: how many persons hold it or something below it, and what can be unfolded."""

    concept: ShownConcept
    persons: int
    children: int

    def told(self, k: int, private: bool) -> str:
        return f"{self.persons:,}" if private or self.persons >= k else f"<{k}"


class ConceptTree:
    """The concepts of a column's taxonomy, and who holds them."""

    def __init__(self, concepts: Concepts, holders: Mapping[int, int]) -> None:
        self.concepts, self.tax, self.holders = concepts, concepts.tax, holders

    def branch(self, code: int) -> ShownBranch:
        return ShownBranch(self.concepts.shown(code), self.holders.get(code, 0), len(self.tax.children(code)))

    def below(self, code: int, least: int) -> list[ShownBranch]:
        """What lies right below a concept (-1: the roots) and at least so many persons hold, most first."""
        held = [child for child in self._children(code) if self.holders.get(child, 0) >= least]
        held.sort(key=lambda child: (-self.holders[child], self.tax.label(child)))
        return [self.branch(child) for child in held[:MOST]]

    def rest(self, code: int, least: int, secret: Collection[int] = ()) -> list[ShownBranch]:
        """What else lies right below it, by name; not what is `secret`."""
        others = [c for c in self._children(code) if self.holders.get(c, 0) < least and c not in secret]
        return [self.branch(child) for child in sorted(others, key=self.tax.label)[:MOST]]

    def _children(self, code: int) -> list[int]:
        return self.tax.children(code) if code >= 0 else self.tax.roots

    def path(self, code: int) -> list[ShownConcept]:
        """The way from a root to a concept, over the first parents."""
        way = [code]
        while parents := self.tax.parents(way[-1]):
            way.append(parents[0])
        return [self.concepts.shown(one) for one in reversed(way)]

    def start(self) -> int:
        """Where a person begins to look: the lowest concept that all who have any hold."""
        roots = [code for code in self.tax.roots if self.holders.get(code)]
        if len(roots) != 1:
            return -1
        at = roots[0]
        while True:
            whole = [child for child in self.tax.children(at) if self.holders.get(child) == self.holders[at]]
            if len(whole) != 1:
                return at
            at = whole[0]

"""The taxonomy of a column as a tree with counts of persons. Counts below k are told to who asks for private values."""

from collections.abc import Mapping
from typing import NamedTuple

from taxonym.studio.terms import Concepts, ShownConcept

MOST = 200  # children that are shown at once


class ShownBranch(NamedTuple):
    """A concept in the tree: how many persons hold it or something below it, and what can be unfolded."""

    concept: ShownConcept
    persons: int
    children: int

    def told(self, k: int, private: bool) -> str:
        return f"{self.persons:,}" if private or self.persons >= k or not self.persons else f"<{k}"


class ConceptTree:
    """The concepts of a column's taxonomy, and who holds them."""

    def __init__(self, concepts: Concepts, holders: Mapping[int, int]) -> None:
        self.concepts, self.tax, self.holders = concepts, concepts.tax, holders

    def branch(self, code: int) -> ShownBranch:
        held = [child for child in self.tax.children(code) if self.holders.get(child)]
        return ShownBranch(self.concepts.shown(code), self.holders.get(code, 0), len(held))

    def roots(self) -> list[ShownBranch]:
        return self._sorted(self.tax.roots, False)

    def children(self, code: int, every: bool = False) -> list[ShownBranch]:
        """What lies right below a concept: what somebody holds, or everything."""
        return self._sorted(self.tax.children(code), every)

    def _sorted(self, codes: list[int], every: bool) -> list[ShownBranch]:
        chosen = [code for code in codes if every or self.holders.get(code)] or codes[:MOST]
        chosen.sort(key=lambda code: (-self.holders.get(code, 0), self.tax.label(code)))
        return [self.branch(code) for code in chosen[:MOST]]

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
            held = [child for child in self.tax.children(at) if self.holders.get(child)]
            if len(held) != 1 or self.holders[held[0]] != self.holders[at]:
                return at
            at = held[0]

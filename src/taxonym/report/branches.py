"""What a column is about before and after: the persons who hold each branch of its taxonomy.

Branches are chosen by what is published, so that which of them are named tells nothing that the release does not; and
only such as the support rule lets anybody see. How many persons hold one in the release can be counted there. How many
did in the original is private: the branches of a column are many figures about the same persons, which tell together
what each by itself does not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Codes, Long, Mask
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.publish.groups import Support
from taxonym.publish.wording import name_of
from taxonym.records.support import Holders
from taxonym.records.terms import Terms
from taxonym.records.words import WordColumn
from taxonym.report.disclosure import COARSE, Disclosure, Told

BRANCHES = 12  # that are told
INSIDE = 3  # concepts of each
TERMS = 20  # whose meaning is told
TOO_GENERAL = 0.2  # of all persons: a branch that more of them hold says little, so that what is below is told instead


@dataclass(frozen=True, slots=True, eq=False)
class ConceptHolders:
    """Who holds what in a column, before and after: counts[c] of all persons hold c, and somebody is published with
    each of the concepts `shown`.

    `before` and `after` count the published persons who hold a concept in the original, and in what is published.
    """

    words: WordColumn
    terms: Terms
    printable: Mask
    counts: Long
    shown: NDArray[Any]
    before: Callable[[int], int]
    after: Callable[[int], int]

    @classmethod
    def of(cls, support: Support, concepts: Sequence[Codes], members: Long, group_of: Long) -> "ConceptHolders":
        """`concepts` are those that each group publishes, `group_of` is the group of every member."""
        holders, published = support.holders, _Persons(support.holders, concepts, members, group_of)
        counts = holders.counts, np.unique(published.concepts.codes), published.before, published.after
        return cls(support.words, support.terms, support.printable, *counts)

    def name(self, code: int, k: int) -> str | None:
        """What a report calls a concept: its name, or a term that k persons wrote; None where neither may be."""
        if not self.printable[code] or self.counts[code] < k:
            return None
        name = name_of(self.words.tax, code, self.words.maps_to)
        return name or next((t.text for t in self.terms.drawable(code, k, self.words.maps_to)), None)


def branches_of(guard: Disclosure, held: ConceptHolders, most: int, countable: bool) -> Told[list[Any]]:
    """The branches of a column that most of the `most` published persons hold in the release, each with the concepts
    that most of them hold in it; `countable` says whether persons can be counted there."""
    tax, k = held.words.tax, guard.k
    after = np.zeros(len(tax), np.int64)
    for code in {above for own in held.shown.tolist() for above in tax.ancestors(own)}:
        after[code] = held.after(code)

    def told(code: int, name: str, **more: Told[Any]) -> Told[dict[str, Any]]:
        now = guard.public(int(after[code])) if countable else guard.count(int(after[code]), most)
        before = guard.withheld(held.before(code))
        return guard.table({"concept": guard.public(name), "persons_before": before, "persons_after": now, **more})

    found: list[Told[dict[str, Any]]] = []
    in_use = held.shown[np.argsort(-after[held.shown], kind="stable")]
    for branch in antichain(tax, after, most, k):
        if len(found) == BRANCHES:
            break
        if (name := held.name(branch, k)) is None:
            continue
        inside: list[int] = []
        for code in in_use[_below(tax, in_use, branch)].tolist():
            if len(inside) == INSIDE or after[code] < k:
                break
            above = set(tax.ancestors(code))
            related = code == branch or any(c in above or code in tax.ancestors(c) for c in inside)
            if not related and held.name(code, k) is not None:
                inside.append(code)
        below = guard.rows(told(code, held.name(code, k) or "") for code in inside)
        found.append(told(branch, name, concepts=below))
    return guard.rows(found)


def mapped_told(guard: Disclosure, held: ConceptHolders, among: int) -> Told[list[Any]]:
    """What terms were taken for: those that so many persons wrote that even their rounded number says so.

    Which terms are named follows from the rounded numbers, so that a term is not there or missing because of one
    person. Where there are too few persons to tell numbers, none is named.
    """
    words, k = held.words, guard.k
    least = k if guard.exact else COARSE * k
    found = []
    for code, terms in sorted(held.terms.by_code.items()):
        shared = [term for term in terms if term.writers >= k and words.maps_to(term.text) == code]
        if shared and (name := held.name(code, k)) is not None:
            found += [(term.text, name, guard.count(term.writers, among)) for term in shared]
    counts = guard.rows(persons for *_, persons in found).value
    named = [(-n, *found[i]) for i, n in enumerate(counts) if isinstance(n, int) and n >= least]
    named.sort(key=lambda one: one[:2])
    return guard.rows(
        guard.table({"term": guard.public(term), "concept": guard.public(concept), "persons": persons})
        for _, term, concept, persons in named[:TERMS]
    )


def antichain(tax: Taxonomy, counts: Long, persons: int, k: int) -> list[int]:
    """Concepts that at least k persons hold, none above another, those that most hold first: from the roots down to
    where no more than a fifth of all persons hold a concept."""
    front = [code for code in tax.roots if counts[code] >= k]
    found: set[int] = set()
    while front:
        code = front.pop()
        below = [child for child in tax.children(code) if counts[child] >= k]
        if below and counts[code] > TOO_GENERAL * persons:
            front += below
        else:
            found.add(code)
    lowest = [code for code in found if not found & (set(tax.ancestors(code)) - {code})]
    return sorted(lowest, key=lambda code: (-counts[code], code))


class _Persons:
    """Counts the published persons who hold a concept in the original, and those whose published record holds it."""

    def __init__(self, holders: Holders, concepts: Sequence[Codes], members: Long, group_of: Long) -> None:
        self.holders, self.group_of = holders, group_of
        self.concepts = Runs.of(concepts)
        self.whose = holders.person[members]
        self.published = np.zeros(self.holders.persons, np.bool_)
        self.published[self.whose] = True

    def before(self, code: int) -> int:
        holders = np.unique(self.holders.whose[self.holders.held[code]])
        return int(np.count_nonzero(self.published[holders]))

    def after(self, code: int) -> int:
        shown = self.concepts.keep(_below(self.holders.tax, self.concepts.codes, code)).sizes > 0
        seen = np.zeros(self.holders.persons, np.bool_)
        seen[self.whose[shown[self.group_of]]] = True
        return int(seen.sum())


def _below(tax: Taxonomy, codes: NDArray[Any], branch: int) -> Mask:
    """Of every code whether it is the branch or lies below it."""
    which, at = tax.above(codes)
    inside = np.zeros(len(codes), np.bool_)
    inside[which[tax.ancestor[at] == branch]] = True
    return inside

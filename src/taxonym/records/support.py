"""Who holds what: the support rule, which every published set of concepts obeys.

A person holds concepts who has one record that has each of them, or a concept below it. A published set of concepts is
allowed if at least k persons hold each of its concepts, and at least k persons hold all concepts of every choice of at
most m of them: who knows m things of somebody then finds k persons to whom they apply. m = 0 asks for nothing. The
definitions come first; `Holders` says the same from lists of records.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadPlan, UnknownConcept
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Mask
from taxonym.knowledge.concept_sets import ConceptSets, offsets
from taxonym.knowledge.runs import Runs, edges, frozen
from taxonym.knowledge.taxonomy import Taxonomy

# ---------------------------------------------------------------------- the definitions


def holding(
    tax: Taxonomy, records: Sequence[Collection[int]], persons: Sequence[int], concepts: Iterable[int]
) -> set[int]:
    """The persons who have one record that holds all of the concepts."""
    wanted = set(concepts)
    return {
        person
        for record, person in zip(records, persons, strict=True)
        if wanted <= {t for c in record for t in tax.ancestors(c)}
    }


def obeys(
    tax: Taxonomy, records: Sequence[Collection[int]], persons: Sequence[int], concepts: Iterable[int], k: int, m: int
) -> bool:
    """Whether every choice of at most m of the concepts has at least k persons who hold all of it."""
    distinct = sorted(set(concepts))
    choices = (choice for size in range(1, m + 1) for choice in combinations(distinct, size))
    return all(len(holding(tax, records, persons, choice)) >= k for choice in choices)


# ---------------------------------------------------------------------- the same from lists


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """What is asked of every published set of concepts.

    `consensus` also asks that half of the group's persons hold each concept. `printable` says of every code whether it
    may be published; unless given, all may but those that name one thing (instances).
    """

    k: int
    known_items: int = 2
    consensus: bool = False
    printable: Mask | None = None

    def __post_init__(self) -> None:
        if self.k < 1:
            raise BadPlan(f"k must be at least 1, got {self.k}.")
        if self.known_items < 0:
            raise BadPlan(f"known_items must not be negative, got {self.known_items}.")


@dataclass(frozen=True, slots=True)
class SupportedSet:
    """What is left of a set of concepts under the support rule: what rose (from, to), and what had nowhere to go."""

    concepts: tuple[int, ...]
    raised: tuple[tuple[int, int], ...]
    dropped: tuple[int, ...]


class Holders:
    """The records that hold each concept of a taxonomy, and whose they are.

    Record i of `sets` is of persons[i], or of a person of its own. `rows`, if given, are looked at in the place of the
    records that they belong to: only what a row has is held together. held.record(c) are the rows that hold concept c,
    ascending; they are numbered person by person, and whose[r] is the person of row r. counts[c] persons hold c. It
    takes 4 bytes for every row and concept that it holds.
    """

    __slots__ = ("_order", "_own", "_ways", "counts", "held", "person", "persons", "sets", "tax", "whose")

    def __init__(self, sets: ConceptSets, persons: NDArray[Any] | None = None, rows: "Rows | None" = None) -> None:
        records, tax, codes = len(sets), sets.tax, sets.codes
        if len(codes) and (codes.min() < 0 or codes.max() >= len(tax)):
            raise UnknownConcept(f"{tax.name}: codes run from 0 to {len(tax) - 1}; one of those given does not.")
        if persons is not None and len(persons) != records:
            raise BadPlan(f"{records:,} records need as many persons, not {len(persons):,}.")
        distinct, person = np.unique(np.arange(records) if persons is None else persons, return_inverse=True)
        self.sets, self.tax, self.persons, self.person = sets, tax, len(distinct), frozen(person)
        own, whose = (sets, person) if rows is None else (rows.sets, person[rows.record])
        order = np.argsort(whose, kind="stable")
        self.whose, self._own, self._order = frozen(whose[order]), own, order
        lists = (own.start, own.codes, order, self.whose, tax.ancestor_start, tax.ancestor)
        sizes, counts = np.zeros(len(tax), np.int64), np.zeros(len(tax), np.int64)
        _list_holders(*lists, sizes, counts, np.empty(0, np.int32), False)
        self.counts = counts
        self._ways: dict[int, list[int]] = {}  # what each concept may rise to, once asked
        start, holder = edges(sizes), np.empty(sizes.sum(), np.int32)
        _list_holders(*lists, start[:-1].copy(), counts, holder, True)
        self.held = Runs(start, holder)

    @property
    def lists(self) -> tuple[Any, Any, Any]:
        """The lists of rows as kernels take them."""
        return self.held.start, self.held.codes, self.whose

    @property
    def rows(self) -> Runs:
        """The concepts of every row, as rows are numbered here: ascending, each once."""
        return Runs.of_pairs(np.argsort(self._order)[self._own.owner], self._own.codes, len(self._order))

    def __len__(self) -> int:
        return len(self.person)

    def holders(self, concept: int) -> int:
        """How many persons have the concept or one below it."""
        return int(self.counts[concept])

    def joint_holders(self, concepts: Iterable[int]) -> int:
        """How many persons hold all of the concepts; everybody holds none."""
        chosen = np.array(sorted(set(concepts)), np.int32)
        return joint(*self.lists, chosen, len(chosen), self.persons) if len(chosen) else self.persons

    def allowed(self, concepts: Iterable[int], k: int, m: int) -> bool:
        """Whether at least k persons hold all concepts of every choice of at most m of them; m = 0 allows anything."""
        chosen = np.array(sorted(set(concepts)), np.int32)
        return all(fits(*self.lists, chosen, i, x, k, m) for i, x in enumerate(chosen))

    def settle(
        self,
        concepts: Iterable[int],
        k: int,
        m: int,
        *,
        printable: Mask | None = None,
        within: Collection[int] | None = None,
    ) -> SupportedSet:
        """Raise in the taxonomy what may not be published, and drop what only a root is left for.

        One concept after the other, the one with most holders first (ties: the lower code), becomes the nearest of
        itself and its ancestors that the concepts settled before allow. Nearest is the one with most generalisations
        of its own, so that least of T(c) is lost [Batet2014, eq. 1]; ties: fewest holders, then the lower code. So
        what many hold stays, and what few hold gives way. Equal concepts merge. A root is kept where it was given and
        is allowed, and never risen to; so is a concept that names one thing. `printable` says of every code whether it
        may be published at all (unless given: whether it is no such instance); `within`, if given, are the only
        concepts to choose from.
        """
        order = sorted({int(c) for c in concepts}, key=lambda c: (-self.counts[c], c))
        chosen = np.empty(len(order), np.int32)
        target: dict[int, int] = {}
        n = 0
        for c in order:
            for t in self.upwards(c, printable):
                if within is not None and t not in within:
                    continue
                if t in target.values() or fits(*self.lists, chosen, n, t, k, m):
                    if t not in target.values():
                        chosen[n], n = t, n + 1
                    target[c] = t
                    break
        return SupportedSet(
            concepts=tuple(sorted(chosen[:n].tolist())),
            raised=tuple(sorted((c, t) for c, t in target.items() if c != t)),
            dropped=tuple(sorted(c for c in order if c not in target)),
        )

    def upwards(self, concept: int, printable: Mask | None = None) -> list[int]:
        """The concept and what it may rise to, the nearest first, so far as it may be published."""
        tax, counts = self.tax, self.counts
        if concept not in self._ways:
            above = [t for t in tax.ancestors(concept) if t != concept and tax.depths[t] > 1 and not tax.instance[t]]
            above.sort(key=lambda t: (tax.ancestor_start[t] - tax.ancestor_start[t + 1], counts[t], t))
            self._ways[concept] = [concept, *above]
        return [t for t in self._ways[concept] if (not tax.instance[t] if printable is None else printable[t])]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Records that are made of several rows each: row r, which has sets[r], belongs to record[r]."""

    sets: ConceptSets
    record: NDArray[Any]


class JointHolders:
    """Several columns of the same records, so that the support rule speaks of all concepts of a record at once."""

    __slots__ = ("columns", "first", "held", "whose")

    def __init__(self, columns: Sequence[Holders]) -> None:
        self.columns = columns
        self.first = offsets([h.tax for h in columns])
        self.held = Runs.of(()).then(*(h.held for h in columns))
        self.whose = columns[0].whose if columns else np.zeros(0, np.int32)

    @property
    def lists(self) -> tuple[Any, Any, Any]:
        return self.held.start, self.held.codes, self.whose

    def holders(self, choice: NDArray[Any], enough: int) -> int:
        """How many persons hold all of a choice in the common row of numbers, up to `enough`."""
        return int(joint(*self.lists, choice, len(choice), enough))

    def allowed(self, concepts: Sequence[Iterable[int]], k: int, m: int) -> bool:
        """Holders.allowed for the concepts of all columns together."""
        chosen = self.together(concepts)
        return all(fits(*self.lists, chosen, i, x, k, m) for i, x in enumerate(chosen))

    def together(self, concepts: Sequence[Iterable[int]]) -> NDArray[Any]:
        """The concepts of all columns in the common row of numbers."""
        every = [c + first for cs, first in zip(concepts, self.first, strict=False) for c in sorted(set(cs))]
        return np.array(every, np.int64)


def holder_lists(rows: Runs, persons: NDArray[Any], above: Runs) -> tuple[Any, Any, Any]:
    """The lists of rows as kernels take them, of rows whose concepts are in a common row of numbers; `above` are the
    ancestors of every concept, itself included."""
    order = np.argsort(persons, kind="stable")
    whose = np.unique(persons[order], return_inverse=True)[1]
    lists = (rows.start, rows.codes, order, whose, above.start, above.codes)
    sizes, counts = np.zeros(len(above), np.int64), np.zeros(len(above), np.int64)
    _list_holders(*lists, sizes, counts, np.empty(0, np.int32), False)
    start, holder = edges(sizes), np.empty(sizes.sum(), np.int32)
    _list_holders(*lists, start[:-1].copy(), counts, holder, True)
    return start, holder, whose


@kernel
def _list_holders(start, codes, order, whose, ancestor_start, ancestor, at, persons, holder, write):  # type: ignore[no-untyped-def]
    """Count each concept's rows and persons, or write its rows from position at[c] on; whose[i] has row order[i]."""
    last, last_person = np.full(len(at), -1, np.int64), np.full(len(at), -1, np.int64)
    for i in range(len(order)):
        row, who = order[i], whose[i]
        for j in range(start[row], start[row + 1]):
            for a in range(ancestor_start[codes[j]], ancestor_start[codes[j] + 1]):
                t = ancestor[a]
                if last[t] == i:
                    continue
                last[t] = i
                if write:
                    holder[at[t]] = i
                elif last_person[t] != who:
                    last_person[t] = who
                    persons[t] += 1
                at[t] += 1


@kernel
def joint(holder_start, holder, whose, chosen, n, enough):  # type: ignore[no-untyped-def]
    """How many persons have a row that holds all of chosen[:n]; counting ends at `enough`."""
    short = 0
    for i in range(1, n):
        c, s = chosen[i], chosen[short]
        if holder_start[c + 1] - holder_start[c] < holder_start[s + 1] - holder_start[s]:
            short = i
    at = np.empty(n, np.int64)
    for i in range(n):
        at[i] = holder_start[chosen[i]]
    found, last = 0, -1
    for p in range(at[short], holder_start[chosen[short] + 1]):
        row, everywhere = holder[p], True
        if whose[row] == last:
            continue
        for i in range(n):
            if i == short:
                continue
            low, end, step = at[i], holder_start[chosen[i] + 1], 1
            while low + step < end and holder[low + step] < row:  # in growing steps, then by halves
                low += step
                step *= 2
            high = min(low + step, end)
            while low < high:
                middle = (low + high) // 2
                if holder[middle] < row:
                    low = middle + 1
                else:
                    high = middle
            at[i] = low
            if low == end:
                return found
            if holder[low] != row:
                everywhere = False
                break
        if everywhere:
            found += 1
            last = whose[row]
            if found >= enough:
                return found
    return found


@kernel
def fits(holder_start, holder, whose, chosen, n, x, k, m):  # type: ignore[no-untyped-def]
    """Whether every choice of at most m of chosen[:n] and x, x among them, is held by k persons."""
    if m == 0:
        return True
    one = np.array([x])
    enough = joint(holder_start, holder, whose, one, len(one), k) >= k
    return enough and not _misfit(holder_start, holder, whose, chosen, n, x, k, np.arange(min(m - 1, n)))


@kernel
def _misfit(holder_start, holder, whose, chosen, n, x, k, pick):  # type: ignore[no-untyped-def]
    """Find, from the first on, a choice chosen[pick] which fewer than k persons hold together with x.

    Fewer concepts have no fewer holders: it is enough to look at choices as large as `pick`.
    """
    size = len(pick)
    choice = np.empty(size + 1, np.int64)
    choice[size] = x
    while True:
        for i in range(size):
            choice[i] = chosen[pick[i]]
        if joint(holder_start, holder, whose, choice, size + 1, k) < k:
            return True
        i = size - 1
        while i >= 0 and pick[i] == n - size + i:
            i -= 1
        if i < 0:
            return False
        pick[i] += 1
        for j in range(i + 1, size):
            pick[j] = pick[j - 1] + 1


@kernel
def fits_knowing(holder_start, holder, whose, codes, pairs, misfits, chosen, n, x, k, m):  # type: ignore[no-untyped-def]
    """fits for positions in `codes`, where x has k holders, keeping what was found for the next question.

    pairs[x, a]: 1 if x fits a, -1 if not, 0 if unknown. misfits[x]: m - 1 positions that did not fit x, if not -1.
    """
    if m < 2:
        return True
    found, inside = np.empty(n, np.int64), 0
    for i in range(n):
        a = chosen[i]
        found[i] = codes[a]
        if pairs[x, a] == 0:
            pair = np.array([codes[x], found[i]])
            pairs[x, a] = 1 if joint(holder_start, holder, whose, pair, len(pair), k) >= k else -1
        if pairs[x, a] < 0:
            return False
        inside += np.sum(misfits[x] == a)
    if m == 2 or n < 2:
        return True
    pick = np.arange(min(m - 1, n))
    if inside == m - 1:
        return False
    if _misfit(holder_start, holder, whose, found, n, codes[x], k, pick):
        for i in range(m - 1):
            misfits[x, i] = chosen[pick[min(i, len(pick) - 1)]]
        return False
    return True

"""Who holds what, where nobody sees all records at once: a block proves what it can, and asks about the rest.

The support rule wants k persons who hold all concepts of a choice. Mostly the persons of a block, who mean alike, are
enough to prove it. What they do not prove is asked of everybody: all persons are looked at once, in any number of
parts, and each part counts how many of its own hold each of the choices asked for. The answers come back to the block
as witnesses: k persons without a name for every choice that k persons hold, who hold nothing else. So every choice that
the block then takes for held by k is held by k; what nobody asked for, it does without.

Concepts of several columns share one row of numbers: those of column i follow those of the columns before it. A choice
is a row of such numbers, ascending, filled up with -1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Long, Mask
from taxonym.knowledge.concept_sets import ConceptSets, joint_ancestors, offsets
from taxonym.knowledge.runs import Runs, edges, frozen
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.publish.groups import ColumnSupport
from taxonym.records.column import Column
from taxonym.records.support import Holders, JointHolders, joint
from taxonym.text.sensitive import Topics

MOST_ASKED = 3  # choices of more concepts are not asked for: there would be too many


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """What a block must know of a column of words: counts[c] persons hold c, and printable[c] says it may be told."""

    column: Column
    tax: Taxonomy
    counts: Long
    printable: Mask
    topics: Topics | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BlockSupport:
    """A column of a block: what its own persons hold, and the witnesses. As Held asks for."""

    column: Column
    topics: Topics | None
    holders: Holders
    printable: Mask


# ---------------------------------------------------------------------- the block


def proven(meanings: Sequence[Meaning], records: Sequence[Runs], k: int, answers: Long) -> list[BlockSupport]:
    """What the records of a block hold, column by column; every record is a person of its own.

    `answers` are choices of the block's concepts that k persons hold.
    """
    first = offsets([meaning.tax for meaning in meanings])
    sets = [ConceptSets(runs.start, runs.codes, m.tax) for m, runs in zip(meanings, records, strict=True)]
    own = [Holders(one) for one in sets]
    counts = np.concatenate([holders.counts for holders in own])
    everywhere = np.concatenate([meaning.counts for meaning in meanings])
    alone = np.flatnonzero((counts > 0) & (counts < k) & (everywhere >= k))
    found = []
    for i, (meaning, holders) in enumerate(zip(meanings, own, strict=True)):
        if len(alone) or len(answers):
            witnesses = _inside(alone[:, None], first, i).then(_inside(answers, first, i))
            holders = Holders(sets[i].then(witnesses.take(np.repeat(np.arange(len(witnesses)), k))))
        holders.counts = np.where(counts[first[i] : first[i + 1]] > 0, meaning.counts, 0)
        found.append(BlockSupport(meaning.column, meaning.topics, holders, meaning.printable))
    return found


def unproven(columns: Sequence[ColumnSupport], concepts: Sequence[Sequence[Iterable[int]]], k: int, m: int) -> Long:
    """The choices of two to m concepts that the block's own persons do not prove.

    concepts[c][g] are those that group g would like to publish in column c.
    """
    together, m = JointHolders([one.holders for one in columns]), min(m, MOST_ASKED)
    found: set[tuple[int, ...]] = set()
    for of_group in zip(*concepts, strict=True):
        codes = sorted(int(c + first) for cs, first in zip(of_group, together.first, strict=False) for c in set(cs))
        for size in range(2, m + 1):
            found.update(combinations(codes, size))
    chosen = sorted(found)
    rare = [c for c in chosen if joint(*together.lists, np.array(c), len(c), k) < k]
    return choices(rare, m)


def choices(tuples: Iterable[Sequence[int]], m: int) -> Long:
    """Choices of at most m concepts as rows."""
    rows = [(*some, *[-1] * (m - len(some))) for some in tuples]
    return np.array(rows, np.int64).reshape(len(rows), max(m, 1))


def different(several: Sequence[Long]) -> Long:
    """All different choices among these, in order."""
    every = np.concatenate(several)
    base = int(every.max(initial=0)) + 2
    keys = np.unique(_numbers(every, base))
    found: Long = keys[:, None] // base ** np.arange(every.shape[1] - 1, -1, -1) % base - 1
    return found


def _numbers(rows: Long, base: int) -> Long:
    """Every choice as one number, in the same order: three of a million concepts still fit."""
    found: Long = (rows + 1) @ base ** np.arange(rows.shape[1] - 1, -1, -1)
    return found


class Answers:
    """The choices that k persons hold, for blocks to look up what they asked; `concepts` is how many there are."""

    __slots__ = ("_base", "_keys")

    def __init__(self, held: Long, concepts: int) -> None:
        self._base = concepts + 1
        self._keys = np.sort(_numbers(held, self._base))

    def to(self, asked: Long) -> Long:
        """Those of the choices asked about that k persons hold. A block that had all answers to all blocks would lose
        hardly less, and take ever longer the more blocks there are."""
        if not len(self._keys):
            return asked[:0]
        keys = _numbers(asked, self._base)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found: Long = asked[self._keys[at] == keys]
        return found


# ---------------------------------------------------------------------- everybody


class Counter:
    """Counts of how many persons hold all concepts of each choice, up to k; persons come in parts, in any order."""

    __slots__ = ("_above", "_index", "_k", "_rows", "choices", "counts", "first")

    def __init__(self, asked: Long, taxonomies: Sequence[Taxonomy], everywhere: Long, k: int) -> None:
        """`everywhere` says how many persons hold each concept: the rarest of a choice is looked for first."""
        self.choices, self.first, self._k = asked, offsets(taxonomies), k
        self.counts = np.zeros(len(asked), np.int64)
        holders = np.where(asked >= 0, everywhere[asked], np.iinfo(np.int64).max)
        rarest = asked[np.arange(len(asked)), holders.argmin(axis=1)] if len(asked) else np.empty(0, np.int64)
        self._rows = np.argsort(rarest, kind="stable")
        self._index = np.searchsorted(rarest[self._rows], np.arange(self.first[-1] + 1))
        self._above = joint_ancestors(taxonomies)

    def add(self, records: Sequence[Runs], persons: Long | None = None) -> None:
        """Look at the records of some persons; all records of a person must come together."""
        persons = np.arange(len(records[0])) if persons is None else persons
        order, every = np.argsort(persons, kind="stable"), self.together(records)
        lists = (every.start, every.codes, order, persons, self._above.start, self._above.codes)
        _count(*lists, self._index, self._rows, self.choices, self._k, self.counts)

    def together(self, records: Sequence[Runs]) -> Runs:
        """The concepts of all columns of every record in the common row of numbers."""
        each = zip(records, self.first.tolist(), strict=False)
        first, *others = (Runs(runs.start, runs.codes + at if at else runs.codes) for runs, at in each)
        return first.beside(*others) if others else first

    @property
    def answers(self) -> Answers:
        """The choices that k persons hold."""
        return Answers(self.choices[self.counts >= self._k], int(self.first[-1]))


@kernel
def _count(start, codes, order, persons, above_start, above, index, rows, choices, k, counts):  # type: ignore[no-untyped-def]
    n = len(above_start) - 1
    mark, held, last = np.full(n, -1, np.int64), np.empty(n, np.int64), np.full(len(counts), -1, np.int64)
    for p in range(len(order)):
        who, size = persons[order[p]], 0
        for i in range(start[order[p]], start[order[p] + 1]):
            for j in range(above_start[codes[i]], above_start[codes[i] + 1]):
                c = above[j]
                if mark[c] != p:
                    mark[c] = p
                    held[size] = c
                    size += 1
        for h in range(size):
            for r in range(index[held[h]], index[held[h] + 1]):
                row = rows[r]
                if counts[row] >= k or last[row] == who:
                    continue
                every = True
                for c in choices[row]:
                    if c >= 0 and mark[c] != p:
                        every = False
                        break
                if every:
                    counts[row] += 1
                    last[row] = who


# ---------------------------------------------------------------------- witnesses


def _inside(rows: Long, first: Long, i: int) -> Runs:
    """What each choice has in column i, in the codes of that column."""
    own = (rows >= first[i]) & (rows < first[i + 1])
    return Runs(edges(own.sum(axis=1)), frozen(rows[own] - first[i]))

"""The mapping of a column as its owner looks at it: terms, the concepts they were taken for, and how many persons."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.records.words import MISSING, WordColumn


class MappedTerm(NamedTuple):
    """A term as written, the concept of the column's taxonomy that it was taken for (None: unknown), and how many
    persons wrote it so. `own` says that it is a concept of its own below that one."""

    term: str
    code: int | None
    persons: int
    own: bool = False


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """What the terms of a column were taken for, those of most persons first.

    `records` cells were read, so many of them `with_concept`; they say `said` terms, of which so many are `known`.
    """

    terms: list[MappedTerm]
    records: int
    with_concept: int
    said: int
    known: int

    @classmethod
    def of(cls, words: WordColumn, persons: Long) -> "ColumnMapping":
        """Of a column that keeps unknown terms as concepts of their own; record i belongs to persons[i]."""
        base = words.tax.base
        used, place = np.unique(words.meant, return_inverse=True)
        head = np.array([_head(words, int(code), base) for code in used], np.int64)
        heads = head[place] if len(used) else np.empty(0, np.int64)
        gone = words.names.index(MISSING) if MISSING in words.names else -1
        keys = np.stack((words.term, heads, words.meant, persons[words.row]))[:, words.term != gone]
        each, held = np.unique(np.unique(keys, axis=1)[:3], axis=1, return_counts=True)
        terms = [
            MappedTerm(words.names[term], code if code >= 0 else None, int(n), code >= 0 and meant != code)
            for (term, code, meant), n in zip(each.T.tolist(), held.tolist(), strict=True)
        ]
        known = heads >= 0
        return cls(
            sorted(terms, key=lambda one: (-one.persons, one.term, -1 if one.code is None else one.code)),
            len(words),
            len(np.unique(words.row[known])),
            keys.shape[1],
            int(np.count_nonzero(known)),
        )

    def shown(self, k: int) -> list[MappedTerm]:
        """Known terms of at least k persons."""
        return [one for one in self.terms if one.code is not None and one.persons >= k]

    def unknown(self, k: int) -> list[MappedTerm]:
        """Unknown terms of at least k persons."""
        return [one for one in self.terms if one.code is None and one.persons >= k]

    def rare(self, k: int) -> tuple[int, int]:
        """How many known and unknown terms are those of fewer than k persons."""
        few = [one for one in self.terms if one.persons < k]
        known = sum(one.code is not None for one in few)
        return known, len(few) - known

    def changes(self, other: "ColumnMapping", k: int) -> Iterator[tuple[MappedTerm, int | None]]:
        """Terms of at least k persons that most persons' records mean otherwise by the other mapping, and what."""
        there = other.usual()
        for term, mine in self.usual().items():
            if mine.persons >= k and (then := there.get(term)) is not None and then.code != mine.code:
                yield mine, then.code

    def usual(self) -> dict[str, MappedTerm]:
        """Of every term what most persons were taken to mean."""
        found: dict[str, MappedTerm] = {}
        for one in self.terms:
            found.setdefault(one.term, one)
        return found


def _head(words: WordColumn, code: int, base: int) -> int:
    """The concept of the taxonomy that a concept is or stands below as a term of its own; -1 for an unknown term."""
    while code >= base:
        if words.tax.is_instance(code):  # a value of the column, which nobody knows to be a kind of anything
            return -1
        code = words.tax.parents(code)[0]
    return code

"""k^m of what is published: every few items of a row that is published are in the rows of k published persons.

Items that are recoded everywhere alike have this of themselves. Rows that are settled for themselves, persons who are
left out and rows that are cut may break it: then an item of the combination gives way in the rows that have it.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np

from taxonym.knowledge.arrays import Codes, Groups, Long, Mask
from taxonym.knowledge.runs import Runs
from taxonym.measure.km import Combination, rare_combinations
from taxonym.records.records import Records


def without_rare_combinations(
    units: Records, groups: Groups, rows: Sequence[tuple[Codes, ...]], words: int, released: Mask, k: int, m: int
) -> list[tuple[Codes, ...]]:
    """The rows of groups, whose first columns are so many of words, without items of combinations of at most m that
    fewer than k persons publish beside the same other cells. Of a combination the item goes that fewest persons
    publish. Items only go, so there is an end; and what goes depends on who has what, not on the order of rows."""
    alive = np.zeros(len(units), np.bool_)
    alive[units.rows.owner[released]] = True
    members = [np.array(group, np.int64)[alive[group]] for group in groups]
    number: dict[Hashable, int] = {}
    block = np.array([number.setdefault(row[words:], len(number)) for row in rows], np.int64)
    first = 1 + max((code for row in rows for codes in row[:words] for code in codes), default=0)
    items = [{c * first + code for c, codes in enumerate(row[:words]) for code in codes} for row in rows]
    while True:
        persons = _Publishers(items, block, members, units.persons)
        found = persons.rare(k, m)
        if not found:
            break
        for at, some in sorted(found, key=lambda one: (len(one[1]), one)):
            having = [g for g in persons.having(at, some[0]) if items[g].issuperset(some)]
            least = min(some, key=lambda item: (persons.count(at, item), -item))
            for g in having:
                items[g].discard(least)
    made = []
    for row, own in zip(rows, items, strict=True):
        said = (tuple(code for code in codes if c * first + code in own) for c, codes in enumerate(row[:words]))
        made.append((*said, *row[words:]))
    return made


class _Publishers:
    """Who publishes what: items[g] are those of group g in its block, and members[g] its published units."""

    def __init__(self, items: Sequence[set[int]], block: Long, members: Sequence[Long], persons: Long) -> None:
        self.items, self.block, self.members, self.persons = items, block, members, persons
        self._having = defaultdict[tuple[int, int], list[int]](list)
        for g, own in enumerate(items):
            for item in own:
                self._having[int(block[g]), item].append(g)

    def having(self, block: int, item: int) -> list[int]:
        """The groups that publish an item."""
        return self._having[block, item]

    def count(self, block: int, item: int) -> int:
        """How many persons do."""
        units = np.concatenate([self.members[g] for g in self.having(block, item)])
        return len(np.unique(self.persons[units]))

    def rare(self, k: int, m: int) -> list[Combination]:
        """Combinations of at most m items of a group that fewer than k persons publish, by block."""
        sizes = np.array([len(units) for units in self.members], np.int64)
        if not sizes.sum():
            return []
        of = np.repeat(np.arange(len(sizes)), sizes)
        sets = Runs.of([sorted(own) for own in self.items]).take(of)
        persons = self.persons[np.concatenate(self.members)]
        blocks = self.block[of]
        there = np.unique(blocks)  # blocks are told by their place among those that are there
        found = rare_combinations(sets, k, m, blocks, persons=persons)
        return [(int(there[at]), some) for at, some in found]

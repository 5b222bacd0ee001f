"""Who holds two things at once: rules 2 and 3 of the support rule for records that hold one concept of each column.

A person holds a concept if one of his records has it or a descendant of it, and two concepts of two columns together if
one and the same record of his has both. Whatever is published needs k such persons.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.taxonomy import Taxonomy

NONE = -1


@dataclass(slots=True, eq=False)
class PairHolders:
    """Columns of concepts of the same records: record i of person person[i] has codes[c][i] in column c, -1 if none.

    What was counted once is remembered.
    """

    trees: Sequence[Taxonomy]
    codes: Sequence[Ints]
    person: Long
    single: list[Long] = field(init=False)  # holders of every concept of each column
    _known: dict[tuple[int, int], tuple[Long, Long]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        order = _different(self.person, self.codes)
        self.person = self.person[order]
        self.codes = [column[order] for column in self.codes]
        self.single = [self._holders(c) for c in range(len(self.trees))]

    def _holders(self, c: int) -> Long:
        has, n = self.codes[c] >= 0, int(self.person.max(initial=-1)) + 1
        return ConceptSets.of_pairs(self.person[has], self.codes[c][has], n, self.trees[c]).upward().counts()

    def joint(self, a: int, b: int, x: Ints, y: Ints) -> Long:
        """How many persons hold x[i] of column a and y[i] of column b in one record, for every i."""
        keys = x.astype(np.int64) * len(self.trees[b]) + y
        wanted = np.unique(keys)
        known, counts = self._known.get((a, b), (np.zeros(0, np.int64), np.zeros(0, np.int64)))
        new = np.setdiff1d(wanted, known, assume_unique=True)
        if len(new):
            found = np.zeros(len(new), np.int64)
            up, other = self.trees[a], self.trees[b]
            above = up.ancestor_start, up.ancestor, other.ancestor_start, other.ancestor
            _count(self.person, self.codes[a], self.codes[b], *above, len(other), new, found)
            order = np.argsort(np.concatenate((known, new)), kind="stable")
            known, counts = np.concatenate((known, new))[order], np.concatenate((counts, found))[order]
            self._known[a, b] = known, counts
        return counts[np.searchsorted(known, keys)]

    def rare(self, chosen: Ints, k: int) -> Mask:
        """Which pairs of columns fewer than k persons hold together: [i, a, b] for the concepts chosen[i]."""
        columns = range(chosen.shape[1])
        out = np.zeros((len(chosen), len(columns), len(columns)), bool)
        for a, b in combinations(columns, 2):
            both = np.flatnonzero((chosen[:, a] >= 0) & (chosen[:, b] >= 0))
            few = self.joint(a, b, chosen[both, a], chosen[both, b]) < k
            out[both[few], a, b] = out[both[few], b, a] = True
        return out


def _different(person: Long, codes: Sequence[Ints]) -> Long:
    """One record of each kind, those of a person together."""
    keys: list[NDArray[np.integer]] = [*codes, person]
    order = np.lexsort(keys)
    new = np.zeros(len(order), bool)
    new[:1] = True
    for column in keys:
        new[1:] |= np.diff(column[order]) != 0
    return order[new]


@kernel
def _count(person, own, other, start_a, above_a, start_b, above_b, width, keys, out):  # type: ignore[no-untyped-def]
    """out[p]: persons with a record below keys[p] // width in one column and keys[p] % width in the other.

    Records of a person come together, so each is counted once by remembering who was last. Keys are found by a table of
    places that is filled by a mixed number of theirs.
    """
    size = 16
    while size < 2 * len(keys):
        size *= 2
    place = np.full(size, -1, np.int64)
    top_a, top_b = len(start_a) - 1, len(start_b) - 1
    wanted_a, wanted_b = np.zeros(top_a, np.bool_), np.zeros(top_b, np.bool_)
    for p in range(len(keys)):
        wanted_a[keys[p] // width] = True
        wanted_b[keys[p] % width] = True
        at = (keys[p] * 0x9E3779B97F4A7C1 >> 7) & (size - 1)
        while place[at] >= 0:
            at = (at + 1) & (size - 1)
        place[at] = p
    last = np.full(len(keys), -1, np.int64)
    for i in range(len(person)):
        if own[i] < 0 or other[i] < 0:
            continue
        for q in range(start_a[own[i]], start_a[own[i] + 1]):
            if not wanted_a[above_a[q]]:
                continue
            for r in range(start_b[other[i]], start_b[other[i] + 1]):
                if not wanted_b[above_b[r]]:
                    continue
                key = np.int64(above_a[q]) * width + above_b[r]
                at = (key * 0x9E3779B97F4A7C1 >> 7) & (size - 1)
                while place[at] >= 0:
                    p = place[at]
                    if keys[p] == key:
                        if last[p] != person[i]:
                            last[p] = person[i]
                            out[p] += 1
                        break
                    at = (at + 1) & (size - 1)

"""How many attributes two records share [ImranDaud2022, §3.1-3.2].

An attribute is a concept; two are similar if 1 - d(a, b) reaches a threshold, d being the paper's `log` unless told
otherwise. Attributes of one record that are similar count once, with a weight. Two records are compared by the largest
number s of one-to-one pairs of similar attributes. The definitions come first, the compiled twin after them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from taxonym.distance.lines import UNIT
from taxonym.distance.matrix import concept_distance_blocks
from taxonym.distance.registry import concept_distance
from taxonym.errors import BadPlan
from taxonym.jit import kernel
from taxonym.jit.sorting import argsort, distinct
from taxonym.knowledge.arrays import Floats, Ints, Long, Shorts
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import edges
from taxonym.knowledge.taxonomy import Taxonomy

Similar: TypeAlias = Callable[[int, int], bool]

THRESHOLD = 0.8
MEASURE = "log"
SLACK = 1e-12  # a similarity that misses the threshold in its last digits only has reached it


# ---------------------------------------------------------------------- the definitions


def similarity(tax: Taxonomy, a: int, b: int, measure: str = MEASURE) -> float:
    """sim(a, b) = 1 - d(a, b) [ImranDaud2022, eq. 2]."""
    return 1 - concept_distance(tax, a, b, measure)


@dataclass(frozen=True, slots=True)
class Attribute:
    """One of several similar attributes of a record, and how many it stands for (itself included)."""

    code: int
    weight: int


def collapse(codes: Sequence[int], similar: Similar) -> list[Attribute]:
    """Similar attributes of one record as one [ImranDaud2022, Algorithm 1 and Example 2].

    Attributes belong together if a chain of similar ones joins them, so that their order does not matter. The one that
    is similar to most of the others stands for all; ties: the lowest code.
    """
    left, found = sorted(set(codes)), []
    while left:
        chain = [left.pop(0)]
        for a in chain:  # grows while it is walked
            more = [b for b in left if similar(a, b)]
            chain += more
            left = [b for b in left if b not in more]
        typical = min(chain, key=lambda a: (-sum(similar(a, b) for b in chain), a))
        found.append(Attribute(typical, len(chain)))
    return sorted(found, key=lambda attribute: attribute.code)


def matching(A: Sequence[int], B: Sequence[int], similar: Similar) -> int:
    """s: the largest number of one-to-one pairs of similar attributes of two records [ImranDaud2022, eq. 3 and 6]."""
    taken: dict[int, int] = {}  # attribute of B -> its partner in A

    def place(a: int, seen: set[int]) -> bool:
        for b in B:
            if b not in seen and similar(a, b):
                seen.add(b)
                if b not in taken or place(taken[b], seen):
                    taken[b] = a
                    return True
        return False

    return sum(place(a, set()) for a in A)


def difference(n1: int, n2: int, s: int) -> float:
    """Symmetric difference over union, as the text and 41 of 45 cells of Table 3 have it [ImranDaud2022, eq. 6-8].

        u = n1 + n2 - s,    d = (u - s) / u,    1 if nothing matches

    Two empty records are at 0, an empty one is at 1 from any other.
    """
    if s == 0:
        return float(n1 + n2 > 0)
    union = n1 + n2 - s
    return (union - s) / union


def printed(n1: int, n2: int, s: int) -> float:
    """Equations 7 and 8 as they are printed [ImranDaud2022]: (u / s) / u = 1 / s, and 1 if nothing matches."""
    return 1 / s if s else float(n1 + n2 > 0)


@dataclass(frozen=True, slots=True)
class Matching:
    """A distance between records by how many attributes they share: from their sizes and s."""

    name: str
    define: Callable[[int, int, int], float]
    paper: str


MATCHINGS = {
    m.name: m
    for m in (
        Matching("matching", difference, "ImranDaud2022"),
        Matching("matching-printed", printed, "ImranDaud2022"),
    )
}


def attribute_distance(
    tax: Taxonomy,
    A: Sequence[int],
    B: Sequence[int],
    reading: str = "matching",
    *,
    threshold: float = THRESHOLD,
    measure: str = MEASURE,
) -> float:
    """The distance of two records by their attributes, similar ones of each collapsed before."""
    check_threshold(threshold)

    def similar(a: int, b: int) -> bool:
        return similarity(tax, a, b, measure) >= threshold - SLACK

    a, b = ([attribute.code for attribute in collapse(codes, similar)] for codes in (A, B))
    return MATCHINGS[reading].define(len(a), len(b), matching(a, b, similar))


def check_threshold(threshold: float) -> None:
    if not 0 < threshold <= 1:
        raise BadPlan(f"threshold: must be above 0 and at most 1, got {threshold}.")


# ---------------------------------------------------------------------- many records


@dataclass(frozen=True, slots=True, eq=False)
class Attributes:
    """The attributes of records, collapsed, and which are similar to which.

    Record i has the attributes item[start[i]:start[i + 1]] with as many weights; they are positions in `codes`. Similar
    to position c are alike[alike_start[c]:alike_start[c + 1]], itself included, ascending. Memory: 4 bytes for every
    pair of similar concepts in use; half a million distances at a time while they are found.
    """

    codes: Long
    start: Long
    item: Long
    weight: Long
    alike_start: Long
    alike: Ints

    @classmethod
    def of(
        cls,
        sets: ConceptSets,
        threshold: float = THRESHOLD,
        measure: str = MEASURE,
    ) -> "Attributes":
        """From the concepts of every record."""
        check_threshold(threshold)
        used, item = np.unique(sets.codes.astype(np.int64), return_inverse=True)
        counts, found = [np.zeros(1, np.int64)], [np.empty(0, np.int32)]
        for _, block in concept_distance_blocks(sets.tax, used, used, measure, cells=1 << 19):
            row, column = np.nonzero(1 - block >= threshold - SLACK)
            counts.append(np.bincount(row, minlength=len(block)))
            found.append(column.astype(np.int32))
        alike_start, alike = np.cumsum(np.concatenate(counts)), np.concatenate(found)
        kept, weight, sizes = _collapse(sets.start, item, alike_start, alike)
        return cls(used, edges(sizes), kept, weight, alike_start, alike)

    def __len__(self) -> int:
        return len(self.start) - 1

    def record(self, i: int) -> list[Attribute]:
        run = slice(self.start[i], self.start[i + 1])
        pairs = zip(self.codes[self.item[run]].tolist(), self.weight[run].tolist(), strict=True)
        return [Attribute(code, weight) for code, weight in pairs]

    def square(self, rows: Long, reading: str = "matching") -> Shorts:
        """All pairs of some records, in steps of 1/65535 (rounded); 2 bytes a pair."""
        out = np.full((len(rows), len(rows)), UNIT, np.uint16)
        owner_start, owner = _owners(self.start, self.item, rows, len(self.codes))
        is_printed = MATCHINGS[reading].define is printed
        _fill(self.start, self.item, self.alike_start, self.alike, rows, owner_start, owner, is_printed, out)
        return out

    def pairs(self, rows: Long, other: "Attributes", columns: Long, reading: str = "matching") -> Floats:
        """From record rows[p] to record columns[p] of other records over the same concepts, for every p."""
        if other is not self and not np.array_equal(self.codes, other.codes):
            raise BadPlan("records: attributes are compared only if they were made together, over the same concepts.")
        s = _shared(self.start, self.item, other.start, other.item, rows, columns, self.alike_start, self.alike)
        both = np.diff(self.start)[rows] + np.diff(other.start)[columns]
        union = np.maximum(1, both - s)
        apart = 1 / np.maximum(1, s) if MATCHINGS[reading].define is printed else (union - s) / union
        return np.where(s > 0, apart, (both > 0).astype(np.float64))

    @property
    def dissimilar(self) -> float:
        """Share of concepts in use that are similar to nothing but themselves."""
        return float(np.mean(np.diff(self.alike_start) == 1)) if len(self.codes) else 0.0


# ---------------------------------------------------------------------- compiled


@kernel
def _alike(alike_start, alike, a, b):  # type: ignore[no-untyped-def]
    low, high = alike_start[a], alike_start[a + 1]
    while low < high:
        middle = (low + high) // 2
        if alike[middle] < b:
            low = middle + 1
        else:
            high = middle
    return low < alike_start[a + 1] and alike[low] == b


@kernel
def _collapse(start, item, alike_start, alike):  # type: ignore[no-untyped-def]
    """collapse for every record: what is kept, its weights, and how many each record keeps."""
    kept, weight = np.empty(len(item), np.int64), np.empty(len(item), np.int64)
    sizes, n = np.zeros(len(start) - 1, np.int64), 0
    for r in range(len(start) - 1):
        mine = distinct(item[start[r] : start[r + 1]])
        group = np.full(len(mine), -1, np.int64)
        chain = np.empty(len(mine), np.int64)
        for first in range(len(mine)):
            if group[first] >= 0:
                continue
            group[first], chain[0], end, at = first, first, 1, 0
            while at < end:
                for j in range(len(mine)):
                    if group[j] < 0 and _alike(alike_start, alike, mine[chain[at]], mine[j]):
                        group[j], chain[end], end = first, j, end + 1
                at += 1
            best, most = -1, -1
            for j in range(len(mine)):
                if group[j] == first:
                    near = 0
                    for i in range(end):
                        near += _alike(alike_start, alike, mine[j], mine[chain[i]])
                    if near > most:
                        best, most = j, near
            kept[n], weight[n], n = mine[best], end, n + 1
            sizes[r] += 1
        order = argsort(kept[n - sizes[r] : n])
        kept[n - sizes[r] : n] = kept[n - sizes[r] : n][order]
        weight[n - sizes[r] : n] = weight[n - sizes[r] : n][order]
    return kept[:n], weight[:n], sizes


@kernel
def _owners(start, item, rows, concepts):  # type: ignore[no-untyped-def]
    """For every concept the places in `rows` of the records that have it, ascending."""
    owner_start = np.zeros(concepts + 1, np.int64)
    for row in rows:
        for i in range(start[row], start[row + 1]):
            owner_start[item[i] + 1] += 1
    owner_start = np.cumsum(owner_start)
    at, owner = owner_start[:-1].copy(), np.empty(owner_start[-1], np.int32)
    for place in range(len(rows)):
        for i in range(start[rows[place]], start[rows[place] + 1]):
            owner[at[item[i]]] = place
            at[item[i]] += 1
    return owner_start, owner


@kernel
def _most_pairs(a, b, alike_start, alike, taken, seen):  # type: ignore[no-untyped-def]
    """matching, by augmenting paths; taken and seen are room for as many numbers as b has."""
    taken[: len(b)] = -1
    found, way, at = 0, np.empty(len(a) + 1, np.int64), np.empty(len(a) + 1, np.int64)
    for first in range(len(a)):
        seen[: len(b)] = False
        deep, way[0], at[0] = 0, first, 0
        while deep >= 0:
            j = at[deep]
            if j == len(b):
                deep -= 1
                continue
            at[deep] += 1
            if seen[j] or not _alike(alike_start, alike, a[way[deep]], b[j]):
                continue
            seen[j] = True
            if taken[j] < 0:  # a free one: everybody on the way takes the one it looked at last
                while deep >= 0:
                    taken[at[deep] - 1] = way[deep]
                    deep -= 1
                found += 1
                break
            deep += 1
            way[deep], at[deep] = taken[j], 0
    return found


@kernel
def _step(n1, n2, s, is_printed):  # type: ignore[no-untyped-def]
    """difference or printed, in steps, for s > 0."""
    union = n1 + n2 - s
    return np.uint16(np.rint(UNIT * (1 / s if is_printed else (union - s) / union)))


@kernel
def _fill(start, item, alike_start, alike, rows, owner_start, owner, is_printed, out):  # type: ignore[no-untyped-def]
    """Only pairs that share a similar attribute are looked at; all others are at 1 already."""
    largest = 0
    for row in rows:
        largest = max(largest, start[row + 1] - start[row])
    taken, seen = np.empty(largest, np.int64), np.empty(largest, np.bool_)
    last = np.full(len(rows), -1, np.int64)
    for p in range(len(rows)):
        a = item[start[rows[p]] : start[rows[p] + 1]]
        out[p, p] = _step(len(a), len(a), len(a), is_printed) if len(a) else 0
        if len(a) == 0:
            for q in range(len(rows)):
                if start[rows[q]] == start[rows[q] + 1]:
                    out[p, q] = 0
        for c in a:
            for i in range(alike_start[c], alike_start[c + 1]):
                for j in range(owner_start[alike[i]], owner_start[alike[i] + 1]):
                    q = owner[j]
                    if q <= p or last[q] == p:
                        continue
                    last[q] = p
                    b = item[start[rows[q]] : start[rows[q] + 1]]
                    s = _most_pairs(a, b, alike_start, alike, taken, seen)
                    out[p, q] = out[q, p] = _step(len(a), len(b), s, is_printed)


@kernel
def _shared(start_a, item_a, start_b, item_b, rows, columns, alike_start, alike):  # type: ignore[no-untyped-def]
    out = np.empty(len(rows), np.int64)
    largest = 0
    for column in columns:
        largest = max(largest, start_b[column + 1] - start_b[column])
    taken, seen = np.empty(largest, np.int64), np.empty(largest, np.bool_)
    for p in range(len(rows)):
        a = item_a[start_a[rows[p]] : start_a[rows[p] + 1]]
        b = item_b[start_b[columns[p]] : start_b[columns[p] + 1]]
        out[p] = _most_pairs(a, b, alike_start, alike, taken, seen)
    return out

"""How far apart two sequences of concepts are, such as the pages of two visits in their order.

The two are aligned: pairs of their members, no two of which cross each other. A pair costs the distance of its
concepts, a member that stays without a partner costs 1, and the cheapest alignment counts:

    D(A, B) = min over alignments P of (Σ over (a, b) in P of d(a, b) + unpaired members) / max(|A|, |B|)

This is the edit distance [Levenshtein1966] whose substitutions cost what the concepts are apart, over the longer
length: from 0 (the same in the same order) to 1, because pairing the first members of both costs at most the longer
length. It is symmetric where d is. The triangle inequality does not hold for it, and no grouping needs it.

The definition comes first. Its twin works with whole numbers (1.0 = 65535), as the twins of sets do, so that neither
ties nor the number of threads change a result.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from taxonym.distance.lines import UNIT
from taxonym.distance.matrix import concept_distances
from taxonym.distance.record import Compare, Sets
from taxonym.distance.registry import content_for, distance_named
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long, Shorts
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy

ROWS = 16  # sequences whose distances to all others are one piece of work
PAIRS = 1 << 14  # pairs of sequences whose concepts are compared at a time


def sequence_distance(
    tax: Taxonomy, A: Sequence[int], B: Sequence[int], measure: str = "jaccard", *, content: str = "seco"
) -> float:
    """How far apart two sequences of concepts (codes) are, from 0 to 1: the definition. Two empty ones are the same; an
    empty one is at 1 from any other."""
    chosen = distance_named(measure)
    ic = content_for(chosen, tax, content)
    costs = [float(j) for j in range(len(B) + 1)]  # of nothing of A against the first j of B
    for i, a in enumerate(A, 1):
        before, costs = costs, [float(i)]
        for j, b in enumerate(B, 1):
            costs.append(min(before[j - 1] + chosen.define(tax, a, b, ic), before[j] + 1, costs[-1] + 1))
    return costs[-1] / max(len(A), len(B), 1)


@dataclass(frozen=True, slots=True, eq=False)
class Sequences(Sets):
    """A column of sequences: `order`, by which whole records are compared, and the set of the concepts of each, of
    which an intruder may know some. How sets are aggregated does not matter, since order pairs their members."""

    order: Runs = field(kw_only=True)

    @classmethod
    def of_runs(cls, order: Runs, tax: Taxonomy, weight: float = 1.0) -> "Sequences":
        sets = Runs.of_pairs(order.owner, order.codes, len(order))
        return cls(sets.start, sets.codes, tax, weight, order=order)

    def take(self, rows: Long) -> "Sequences":
        return replace(Sets.take(self, rows), order=self.order.take(rows))

    def distance(self, other: Sets, i: int, j: int, how: Compare) -> float:
        pair = self.order.record(i), _order(other).record(j)
        return sequence_distance(self.tax, *pair, how.measure, content=how.content)

    def square(self, rows: Long, how: Compare, threads: int | None = None) -> Shorts:
        runs = self.order.take(rows)
        table, at, _ = _table(self.tax, runs, runs, how, threads)
        n = len(rows)
        out = np.zeros((n, n), np.uint16)
        with ThreadPoolExecutor(threads or 1) as pool:
            list(pool.map(lambda i: _square(table, runs.start, at, i, min(i + ROWS, n), out), range(0, n, ROWS)))
        return out

    def rectangle(self, rows: Long, other: Sets, columns: Long, how: Compare) -> Floats:
        every = self.pairs(np.repeat(rows, len(columns)), other, np.tile(columns, len(rows)), how)
        return every.reshape(len(rows), len(columns))

    def pairs(self, rows: Long, other: Sets, columns: Long, how: Compare) -> Floats:
        out, theirs = np.empty(len(rows)), _order(other)
        order = np.lexsort((columns, rows))
        for first in range(0, len(rows), PAIRS):
            part = order[first : first + PAIRS]
            (own, a), (one, b) = (np.unique(x[part], return_inverse=True) for x in (rows, columns))
            x, y = self.order.take(own), theirs.take(one)
            table, at_a, at_b = _table(self.tax, x, y, how, 1)
            out[part] = _pairs(table, x.start, at_a, a, y.start, at_b, b) / UNIT
        return out

    def alike(self, rows: Long) -> tuple[Long, Long]:
        return Sets(self.order.start, self.order.codes, self.tax).alike(rows)


def _order(other: Sets) -> Runs:
    if not isinstance(other, Sequences):
        raise TypeError("sequences are compared with sequences only")
    return other.order


def _table(tax: Taxonomy, x: Runs, y: Runs, how: Compare, threads: int | None) -> tuple[Shorts, Long, Long]:
    """The distances of all concepts of x to all of y, and where those of each sequence stand in it."""
    (row, at_x), (column, at_y) = (np.unique(runs.codes, return_inverse=True) for runs in (x, y))
    found = concept_distances(tax, row, column, how.measure, content=how.content, threads=threads)
    return np.rint(found * UNIT).astype(np.uint16), at_x.astype(np.int64), at_y.astype(np.int64)


# ---------------------------------------------------------------------- compiled


@kernel
def _aligned(table, a, b, costs):  # type: ignore[no-untyped-def]
    """The distance of two sequences, 1.0 = 65535; `costs` has room for one more than b is long."""
    longer = max(len(a), len(b))
    if longer == 0:
        return 0
    for j in range(len(b) + 1):
        costs[j] = j * 65535
    for i in range(len(a)):
        corner, costs[0] = costs[0], (i + 1) * 65535
        for j in range(len(b)):
            best = min(corner + table[a[i], b[j]], costs[j + 1] + 65535, costs[j] + 65535)
            corner, costs[j + 1] = costs[j + 1], best
    return (2 * costs[len(b)] + longer) // (2 * longer)


@kernel
def _square(table, start, at, first, last, out):  # type: ignore[no-untyped-def]
    """Rows first..last-1 above the diagonal, and their mirror images."""
    longest = 0
    for i in range(len(start) - 1):
        longest = max(longest, start[i + 1] - start[i])
    costs = np.empty(longest + 1, np.int64)
    for i in range(first, last):
        a = at[start[i] : start[i + 1]]
        for j in range(i + 1, len(start) - 1):
            out[i, j] = _aligned(table, a, at[start[j] : start[j + 1]], costs)
            out[j, i] = out[i, j]


@kernel
def _pairs(table, start_a, at_a, rows, start_b, at_b, columns):  # type: ignore[no-untyped-def]
    out = np.empty(len(rows))
    longest = 0
    for j in range(len(start_b) - 1):
        longest = max(longest, start_b[j + 1] - start_b[j])
    costs = np.empty(longest + 1, np.int64)
    for p in range(len(rows)):
        a = at_a[start_a[rows[p]] : start_a[rows[p] + 1]]
        out[p] = _aligned(table, a, at_b[start_b[columns[p]] : start_b[columns[p] + 1]], costs)
    return out

"""Fast twins of vectors.py: distances of all terms once, then one pairing for every two documents, in threads.

Distances are 16-bit fixed point (1.0 = 65535), as those of sets are: sums are whole numbers, so that
neither ties nor the number of threads change a result.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from taxonym.distance.assignment import assign, paired
from taxonym.distance.lines import UNIT
from taxonym.distance.matrix import concept_distance_blocks
from taxonym.distance.vectors import MEASURE, Vectors
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long, Shorts

ROWS = 8  # documents whose distances to all others are one piece of work
CELLS = 1 << 23  # distances of concepts at a time


def term_distances(x: Vectors, y: Vectors, measure: str = MEASURE) -> Shorts:
    """vectors.term_distance between every term of x and every term of y. Memory: 2 bytes a pair of terms."""
    a, b = x.senses, y.senses
    out = np.empty((len(a), len(b)), np.uint16)
    if not out.size:
        return out
    last = np.zeros(0)  # rows of a term whose senses lie in two pieces
    begun = 0
    for rows, block in concept_distance_blocks(a.tax, a.codes, b.codes, measure, cells=CELLS):
        near = np.minimum.reduceat(block, b.start[:-1], axis=1)
        if len(last):
            near = np.concatenate((last, near))
        first = rows.stop - len(near)
        ends = np.searchsorted(a.start, rows.stop, "right") - 1  # terms that are whole by now
        starts = a.start[begun:ends] - first
        if len(starts):
            whole = int(a.start[ends] - first)
            out[begun:ends] = np.rint(np.minimum.reduceat(near[:whole], starts, axis=0) * UNIT)
            near, begun = near[whole:], ends
        last = near
    return out


def vector_matrix(x: Vectors, measure: str = MEASURE, workers: int = 1, progress: Progress = SILENCE) -> Shorts:
    """vectors.vector_distance between every two documents, 1.0 = 65535.

    Memory: 2 bytes for every pair of documents, and for every pair of different terms.
    """
    terms = term_distances(x, x, measure)
    start, term, n = x.terms.start, x.terms.codes, len(x)
    out = np.zeros((n, n), np.uint16)
    size = int(np.diff(start).max(initial=0))
    pieces = range(0, n, ROWS)

    def fill(first: int) -> None:
        _fill(terms, start, term, first, min(first + ROWS, n), size, out)

    progress.start(f"distances of {n:,} documents", len(pieces))
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(fill, pieces):
            progress.advance()
    progress.finish()
    _mirror(out)
    return out


def vector_pairs(x: Vectors, y: Vectors, rows: Long, columns: Long, measure: str = MEASURE) -> Floats:
    """The distances of documents rows[p] of x to columns[p] of y, all terms being compared once."""
    terms = term_distances(x, y, measure)
    found = [_apart(t) for t in _tables(terms, x, y, rows, columns)]
    return np.array(found, np.float64)


def pairs_of(terms: Shorts, x: Vectors, y: Vectors, i: int, j: int) -> list[tuple[int, int]]:
    """The places of the terms of x[i] and y[j] that are paired, by place in x[i]; `terms` are term_distances(x, y)."""
    table = next(_tables(terms, x, y, np.array([i]), np.array([j])))
    if table.shape[0] > table.shape[1]:
        column = paired(np.ascontiguousarray(table.T))[0].tolist()
        return sorted((a, b) for b, a in enumerate(column))
    return list(enumerate(paired(table)[0].tolist()))


def _tables(terms: Shorts, x: Vectors, y: Vectors, rows: Long, columns: Long) -> Iterator[Shorts]:
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        yield terms[np.ix_(x.terms[i], y.terms[j])]


def _apart(table: Shorts) -> float:
    n, m = sorted(table.shape)
    if not n:
        return float(m > 0)
    total = int(paired(table if table.shape[0] == n else np.ascontiguousarray(table.T))[1])
    apart: float = ((m - n) * UNIT + total) / (m * UNIT)
    return apart


@kernel
def _fill(terms, start, term, first, last, size, out):  # type: ignore[no-untyped-def]
    """Rows first..last-1 above the diagonal."""
    cost = np.empty((size, size), terms.dtype)
    column = np.empty(size, np.int64)
    room = np.empty((5, size), np.int64)
    seen = np.empty(size, np.bool_)
    for i in range(first, last):
        a, a_end = start[i], start[i + 1]
        for j in range(i + 1, len(start) - 1):
            b, b_end = start[j], start[j + 1]
            n, m = a_end - a, b_end - b
            turned = n > m
            if turned:
                n, m = m, n
            if n == 0:
                out[i, j] = 65535 if m else 0
                continue
            for p in range(a, a_end):
                near = terms[term[p]]
                for q in range(b, b_end):
                    if turned:
                        cost[q - b, p - a] = near[term[q]]
                    else:
                        cost[p - a, q - b] = near[term[q]]
            total = assign(cost, n, m, column, room[0], room[1], room[2], room[3], room[4], seen)
            out[i, j] = np.rint(((m - n) * 65535 + total) / m)


@kernel
def _mirror(out):  # type: ignore[no-untyped-def]
    for i in range(len(out)):
        for j in range(i + 1, len(out)):
            out[j, i] = out[i, j]

"""Distances of single pairs of concepts, straight from their ancestors: the fast way where few pairs are asked for.

The kernels of kernels.py compare many rows with many columns at once and pay for their preparation; two short lists of
concepts are compared sooner by walking through both lists of ancestors. The numbers are the same to the last bit.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taxonym.jit import kernel
from taxonym.jit.sorting import argsort, place
from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.taxonomy import Taxonomy

Direct: TypeAlias = tuple[Any, ...]

_KINDS = {"jaccard": 0, "wu-palmer": 1, "lin": 2, "equal": 3}
WEIGHTED = (1, 2)  # ask how heavy common ancestors are; others have no weights


def direct(tax: Taxonomy, measure: str, ic: Floats | None) -> Direct | None:
    """What the compiled functions need to know; None for a distance that they do not know."""
    if measure not in _KINDS:
        return None
    weight = tax.depths.astype(np.float64) if measure == "wu-palmer" else np.empty(0) if ic is None else ic
    return _KINDS[measure], tax.ancestor_start, tax.ancestor, weight


def table(how: Direct, rows: NDArray[Any], columns: NDArray[Any]) -> Floats:
    """The distances of every row to every column."""
    out = np.empty((len(rows), len(columns)))
    fill(how, rows, columns, out)
    return out


@kernel
def fill(how, rows, columns, out):  # type: ignore[no-untyped-def]
    """Every ancestor of a row's concept is looked up once, with the columns below it."""
    kind, start, ancestor, weight = how
    total = 0
    for c in columns:
        total += start[c + 1] - start[c]
    above, column, at = np.empty(total, np.int64), np.empty(total, np.int64), 0
    for j in range(len(columns)):
        for p in range(start[columns[j]], start[columns[j] + 1]):
            above[at], column[at], at = ancestor[p], j, at + 1
    order = argsort(above)
    above, column = above[order], column[order]
    common, heaviest = np.empty(len(columns), np.int64), np.empty(len(columns))
    for i in range(len(rows)):
        common[:], heaviest[:] = 0, -1.0
        for p in range(start[rows[i]], start[rows[i] + 1]):
            t = ancestor[p]
            q = place(above, t)
            while q < total and above[q] == t:
                common[column[q]] += 1
                if kind in WEIGHTED:
                    heaviest[column[q]] = max(heaviest[column[q]], weight[t])
                q += 1
        for j in range(len(columns)):
            out[i, j] = _distance(how, rows[i], columns[j], common[j], heaviest[j])


@kernel
def concepts_apart(how, a, b):  # type: ignore[no-untyped-def]
    """One distance."""
    kind, start, ancestor, weight = how
    common, heaviest = 0, -1.0
    p, q, end, last = start[a], start[b], start[a + 1], start[b + 1]
    while p < end and q < last:
        x, y = ancestor[p], ancestor[q]
        if x == y:
            common += 1
            if kind in WEIGHTED:
                heaviest = max(heaviest, weight[x])
        p += x <= y
        q += y <= x
    return _distance(how, a, b, common, heaviest)


@kernel
def _distance(how, a, b, common, heaviest):  # type: ignore[no-untyped-def]
    """From what the common ancestors tell; the steps are those of the kernel with the same name."""
    kind, start, _, weight = how
    if kind == 3:
        return 0.0 if a == b else 1.0
    if kind == 0:
        union = float(start[a + 1] - start[a]) + float(start[b + 1] - start[b]) - common
        return (union - common) / union
    if a == b and kind == 2:
        return 0.0
    said = weight[a] + weight[b]
    if kind == 2 and said == 0:
        said = 1.0
    return 1 - max(heaviest, 0.0) * 2 / said

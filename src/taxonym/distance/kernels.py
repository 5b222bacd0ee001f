"""The fast twins of the concept distances: many rows against many columns at once.

All distances are functions of something about the common ancestors of two concepts: how many there are, which is the
heaviest, over which the path is shortest. Codes are numbered depth-first, so the columns below an ancestor form few
runs of neighbours: for each ancestor of a row's concept its runs are updated whole, in loops without branches that the
compiler turns into vector code. What was found is then turned into distances with plain array arithmetic.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Ints
from taxonym.knowledge.runs import frozen, starts
from taxonym.knowledge.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Concepts to compare with, ascending and distinct, and where they lie below each ancestor.

    The columns below concept t are the runs low[r]:high[r] for r in run_start[t]:run_start[t + 1]; climb[at[r] + i] is
    the least number of edges from the i-th column of run r up to t.
    """

    tax: Taxonomy
    codes: Ints
    run_start: Ints
    low: Ints
    high: Ints
    at: Ints
    climb: Ints

    @classmethod
    def of(cls, tax: Taxonomy, codes: Ints) -> "Columns":
        column, position = tax.above(codes)
        ancestor = tax.ancestor[position]
        sort = np.argsort(ancestor, kind="stable")
        ancestor, column = ancestor[sort], column[sort]
        begins = np.ones(len(sort), dtype=bool)
        begins[1:] = (ancestor[1:] != ancestor[:-1]) | (column[1:] != column[:-1] + 1)
        at = np.flatnonzero(begins)
        length = np.diff(np.append(at, len(sort)))
        low, run_start = column[at], starts(ancestor[at], len(tax))
        return cls(tax, *map(frozen, (codes, run_start, low, low + length, at, tax.climb[position[sort]])))  # type: ignore[arg-type]


# ---------------------------------------------------------------------- what common ancestors tell


@kernel
def _count_common(rows, ancestor_start, ancestor, run_start, low, high, found):  # type: ignore[no-untyped-def]
    for i in range(len(rows)):
        row = found[i]
        row[:] = 0
        for p in range(ancestor_start[rows[i]], ancestor_start[rows[i] + 1]):
            for r in range(run_start[ancestor[p]], run_start[ancestor[p] + 1]):
                for j in range(low[r], high[r]):
                    row[j] += 1


@kernel
def _heaviest_common(rows, ancestor_start, ancestor, run_start, low, high, weight, found):  # type: ignore[no-untyped-def]
    for i in range(len(rows)):
        row = found[i]
        row[:] = -1
        for p in range(ancestor_start[rows[i]], ancestor_start[rows[i] + 1]):
            w = weight[ancestor[p]]
            for r in range(run_start[ancestor[p]], run_start[ancestor[p] + 1]):
                for j in range(low[r], high[r]):
                    row[j] = w if w > row[j] else row[j]


@kernel
def _shortest_through_common(  # type: ignore[no-untyped-def]
    rows, ancestor_start, ancestor, climb, run_start, low, high, at, column_climb, handicap, far, found
):
    for i in range(len(rows)):
        row = found[i]
        row[:] = far
        for p in range(ancestor_start[rows[i]], ancestor_start[rows[i] + 1]):
            up = climb[p] + handicap[ancestor[p]]
            for r in range(run_start[ancestor[p]], run_start[ancestor[p] + 1]):
                shift = at[r] - low[r]
                for j in range(low[r], high[r]):
                    way = up + column_climb[shift + j]
                    row[j] = way if way < row[j] else row[j]


def _common(view: Columns, rows: Ints) -> Ints:
    """|T(a) ∩ T(b)| for every row a and column b."""
    found = np.empty((len(rows), len(view.codes)), np.int32)
    _count_common(rows, view.tax.ancestor_start, view.tax.ancestor, view.run_start, view.low, view.high, found)
    return found


def _heaviest(view: Columns, rows: Ints, weight: Floats) -> Floats:
    """Largest weight among the common ancestors; -1 where there are none."""
    found = np.empty((len(rows), len(view.codes)))
    tax = view.tax
    _heaviest_common(rows, tax.ancestor_start, tax.ancestor, view.run_start, view.low, view.high, weight, found)
    return found


def _shortest(view: Columns, rows: Ints, handicap: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Least handicap(t) + climb(a, t) + climb(b, t) over common ancestors t, and what stands where there are none."""
    found = np.empty((len(rows), len(view.codes)), handicap.dtype)
    far = np.iinfo(handicap.dtype).max
    tax = view.tax
    _shortest_through_common(
        rows, tax.ancestor_start, tax.ancestor, tax.climb,
        view.run_start, view.low, view.high, view.at, view.climb, handicap, handicap.dtype.type(far), found,
    )  # fmt: skip
    return found, far


# ---------------------------------------------------------------------- the distances


def jaccard(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    size = np.diff(view.tax.ancestor_start).astype(np.float64)
    common = _common(view, rows).astype(np.float64)
    union = np.add.outer(size[rows], size[view.codes], out=out)
    union -= common
    np.subtract(union, common, out=common)
    np.divide(common, union, out=out)


def log_jaccard(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    jaccard(view, rows, ic, out)
    out += 1
    np.log2(out, out=out)


def path(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    edges, _ = _shortest(view, rows, np.zeros(len(view.tax), np.int32))
    np.divide(edges, max(2 * (view.tax.max_depth - 1), 1), out=out)
    np.minimum(out, 1, out=out)  # across roots, and between what a column added below the deepest concepts


def leacock_chodorow(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    edges, _ = _shortest(view, rows, np.zeros(len(view.tax), np.int32))
    longest = 2 * (view.tax.max_depth - 1)
    np.minimum(edges, longest + 1, out=edges)  # log(2 maxdepth) / log(2 maxdepth) = 1: the distance across roots
    np.take(np.log(np.arange(longest + 2) + 1) / np.log(2 * view.tax.max_depth), edges, out=out)


def wu_palmer(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    depth = view.tax.depths.astype(np.float64)
    deepest = _heaviest(view, rows, depth)
    np.add.outer(depth[rows], depth[view.codes], out=out)
    np.maximum(deepest, 0, out=deepest)
    deepest *= 2
    np.divide(deepest, out, out=out)
    np.subtract(1, out, out=out)


def wu_palmer_links(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    # one number orders by depth of the ancestor, deepest first, then by the length of the path over it
    deepest = int(view.tax.depths.max())
    step = 2 * deepest
    depth = view.tax.depths if step * deepest < 2**30 else view.tax.depths.astype(np.int64)
    ranked, far = _shortest(view, rows, depth * -step)
    across = ranked == far
    n12 = ranked % step
    n3 = (n12 - ranked) // step - 1
    with np.errstate(invalid="ignore"):
        np.divide(2 * n3, n12 + 2 * n3, out=out)
    np.subtract(1, out, out=out)
    out[across] = 1
    _zero_where_equal(view, rows, out)


def equal(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    out[:] = rows[:, None] != view.codes


def resnik(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    assert ic is not None
    np.subtract(1, np.maximum(_heaviest(view, rows, ic), 0), out=out)
    _zero_where_equal(view, rows, out)


def lin(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    assert ic is not None
    shared = np.maximum(_heaviest(view, rows, ic), 0)
    said = np.add.outer(ic[rows], ic[view.codes], out=out)
    said[said == 0] = 1  # two that say nothing share nothing
    shared *= 2
    np.divide(shared, said, out=out)
    np.subtract(1, out, out=out)
    _zero_where_equal(view, rows, out)


def jiang_conrath(view: Columns, rows: Ints, ic: Floats | None, out: Floats) -> None:
    assert ic is not None
    shared = _heaviest(view, rows, ic)
    across = shared < 0
    np.add.outer(ic[rows], ic[view.codes], out=out)
    shared *= 2
    out -= shared
    out /= 2
    out[across] = 1


def _zero_where_equal(view: Columns, rows: Ints, out: Floats) -> None:
    at = np.minimum(np.searchsorted(view.codes, rows), len(view.codes) - 1)
    same = np.flatnonzero(view.codes[at] == rows)
    out[same, at[same]] = 0

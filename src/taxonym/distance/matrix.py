"""All pairs of two lists of concepts, block by block, so that memory stays bounded."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from taxonym.distance.registry import content_for, distance_named
from taxonym.errors import UnknownConcept
from taxonym.knowledge.arrays import Floats, Ints, Long
from taxonym.knowledge.runs import frozen
from taxonym.knowledge.taxonomy import Taxonomy

if TYPE_CHECKING:
    from taxonym.distance.kernels import Columns

BLOCK_CELLS = 1 << 16  # half a megabyte of distances: a block and its helpers stay in the processor's cache


def concept_distances(
    tax: Taxonomy,
    codes_a: Iterable[int],
    codes_b: Iterable[int],
    measure: str = "jaccard",
    *,
    content: str | Floats = "seco",
    threads: int | None = None,
) -> Floats:
    """Distances between every code of one list (rows) and every code of another (columns).

    The result takes 8 bytes a pair; concept_distance_blocks gives the same rows in pieces. It does not depend on the
    number of threads (all cores unless given).
    """
    a, b = _codes(tax, codes_a), _codes(tax, codes_b)
    out = np.empty((len(a), len(b)))
    fill, rows = _filler(tax, a, b, measure, content)
    blocks = [slice(i, i + rows) for i in range(0, len(a), rows)]
    workers = min(threads or os.cpu_count() or 1, len(blocks) or 1)
    if workers == 1:
        for block in blocks:
            fill(block, out[block])
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda block: fill(block, out[block]), blocks))
    return out


def concept_distance_blocks(
    tax: Taxonomy,
    codes_a: Iterable[int],
    codes_b: Iterable[int],
    measure: str = "jaccard",
    *,
    content: str | Floats = "seco",
    cells: int = 1 << 22,
) -> Iterator[tuple[slice, Floats]]:
    """The same distances as (rows, block) pieces of at most about `cells` distances, for lists too long for memory."""
    a, b = _codes(tax, codes_a), _codes(tax, codes_b)
    step = max(1, cells // max(1, len(b)))
    fill, rows = _filler(tax, a, b, measure, content)
    for first in range(0, len(a), step):
        piece = slice(first, min(first + step, len(a)))
        out = np.empty((piece.stop - piece.start, len(b)))
        for i in range(piece.start, piece.stop, rows):
            block = slice(i, min(i + rows, piece.stop))
            fill(block, out[block.start - first : block.stop - first])
        yield piece, out


def _filler(
    tax: Taxonomy, a: Ints, b: Ints, measure: str, content: str | Floats
) -> tuple[Callable[[slice, Floats], None], int]:
    """A function that fills a block of rows, and how many rows a block should have."""
    chosen = distance_named(measure)
    ic = content_for(chosen, tax, content)
    if not len(a) or not len(b):
        return lambda block, out: None, 1
    kernel = chosen.kernel
    view, back = _columns(tax, b)

    def fill(block: slice, out: Floats) -> None:
        if back is None:
            kernel(view, a[block], ic, out)
        else:
            whole = np.empty((len(out), len(view.codes)))
            kernel(view, a[block], ic, whole)
            np.take(whole, back, axis=1, out=out)

    return fill, max(1, BLOCK_CELLS // len(view.codes))


def _columns(tax: Taxonomy, codes: Ints) -> tuple["Columns", Long | None]:
    """The columns in ascending order without repetitions, and how to get back to the order asked for."""
    from taxonym.distance.kernels import Columns  # compiled code: only when needed

    distinct, back = np.unique(codes, return_inverse=True)
    in_order = len(distinct) == len(codes) and bool((distinct == codes).all())
    return Columns.of(tax, distinct), None if in_order else back


def _codes(tax: Taxonomy, codes: Iterable[int]) -> Ints:
    array = np.asarray(codes if isinstance(codes, np.ndarray) else list(codes))
    if len(array) and (array.ndim != 1 or array.dtype.kind not in "iu"):
        raise UnknownConcept(f"{tax.name}: codes must be a flat list of whole numbers.")
    if len(array) and (array.min() < 0 or array.max() >= len(tax)):
        raise UnknownConcept(f"{tax.name}: codes run from 0 to {len(tax) - 1}; one of those given does not.")
    return frozen(array)

"""The order of units, by what they hold: the same whoever sorts them, and in whatever order or parts the rows came.

Units are sorted by the codes of their words, column by column, then by a hash of everything else that may show in a
release: the terms as written, the numbers, and the cells that are kept. Units that are equal in all of this are alike
in every respect that matters. Hashes are sums, so that a unit can be met piece by piece.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.runs import Runs
from taxonym.records.column import Column
from taxonym.records.hashes import SALT, mixed
from taxonym.records.table import Table

Hashes = NDArray[np.uint64]


def text_hash(text: str) -> int:
    """A number for a text, the same on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def text_hashes(texts: Iterable[str]) -> Hashes:
    return np.fromiter(map(text_hash, texts), np.uint64)


def term_hashes(names: Sequence[str], row: Long, term: Long, n: int, column: int) -> Hashes:
    """For each of n units the sum over its different terms: names[term[j]] was written in row[j]."""
    pairs = np.unique(row * max(1, len(names)) + term)
    return summed(mixed(text_hashes(names) + salt(column))[pairs % max(1, len(names))], pairs // max(1, len(names)), n)


def number_hashes(values: Floats, column: int) -> Hashes:
    """A hash of each number; all missing ones are alike."""
    plain = values + 0.0  # -0 is 0
    plain[np.isnan(plain)] = np.nan
    return mixed(plain.view(np.uint64) + salt(column))


def cell_hashes(table: Table, columns: Sequence[Column], records: Sequence[int] | None = None) -> Hashes:
    """A hash of the cells in these columns of each record, or of some."""
    found = np.zeros(len(table) if records is None else len(records), np.uint64)
    for c, column in enumerate(columns):
        seen: dict[Any, int] = {}
        series = table.frame[column.name]
        values = series.to_list() if records is None else series.gather(list(records)).to_list()
        cells = [tuple(v) if isinstance(v, list) else v for v in values]
        for cell in cells:
            if cell not in seen:
                seen[cell] = text_hash(repr(cell))
        found += mixed(np.fromiter((seen[cell] for cell in cells), np.uint64, len(cells)) + salt(-1 - c))
    return found


def summed(hashes: Hashes, unit: Long, n: int) -> Hashes:
    """The sum of the hashes of each of n units; `unit` ascends."""
    found = np.zeros(n, np.uint64)
    if len(unit):
        first = np.flatnonzero(np.concatenate(([True], unit[1:] != unit[:-1])))
        found[unit[first]] = np.add.reduceat(hashes, first)
    return found


def in_order(codes: Sequence[Runs], hashes: Hashes) -> Long:
    """The places of units in their order, from the codes of each column of words and the hashes of the rest."""
    import polars as pl

    keys = {f"{c}": pl.Series(_bytes(runs), dtype=pl.Binary) for c, runs in enumerate(codes)}
    frame = pl.DataFrame(keys | {"rest": pl.Series(hashes, dtype=pl.UInt64)}).with_row_index("at")
    found: Long = frame.sort([*keys, "rest"], maintain_order=True)["at"].to_numpy().astype(np.int64)
    return found


def _bytes(runs: Runs) -> list[bytes]:
    """Lists of codes as texts of bytes, which sort like the lists."""
    flat, ends = runs.codes.astype(">i4").tobytes(), (4 * runs.start).tolist()
    return [flat[first:last] for first, last in pairwise(ends)]


def salt(column: int) -> np.uint64:
    return np.uint64(SALT * (column + (1 << 20)) % 2**64)

"""All pairs of records that are sets of concepts, in blocks of rows, so that memory stays bounded."""

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taxonym.distance import record_kernels as kernel
from taxonym.distance.kernels import Columns
from taxonym.distance.lines import LANES, UNIT, How, best_how
from taxonym.distance.matrix import BLOCK_CELLS
from taxonym.distance.registry import ConceptDistance, content_for, distance_named
from taxonym.distance.sets import Aggregation, aggregation_named
from taxonym.errors import BadPlan, UnknownConcept
from taxonym.knowledge.arrays import Ints, expand, frozen
from taxonym.knowledge.content import Floats
from taxonym.knowledge.taxonomy import Taxonomy

Shorts: TypeAlias = NDArray[np.uint16]
Fill: TypeAlias = Callable[[int, Shorts], None]

MOST_MEMORY = 1 << 30  # beyond this, more memory for the work saves hardly any time


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Sets of concepts: record r holds the concepts codes[item[start[r]:start[r + 1]]]; `codes` are those in use."""

    start: NDArray[np.int64]
    item: Ints
    codes: Ints

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.start)

    @classmethod
    def of(cls, tax: Taxonomy, records: "Records | Collection[Iterable[int]]") -> "Records":
        """From codes per record, in any order; repeated ones count once."""
        if isinstance(records, Records):
            return records
        rows = [r if isinstance(r, list | tuple | np.ndarray) else list(r) for r in records]
        row = np.repeat(np.arange(len(rows)), np.fromiter(map(len, rows), np.int64, len(rows)))
        try:
            flat = np.concatenate([np.empty(0, np.int8), *(np.asarray(r) for r in rows if len(r))])
        except ValueError:
            flat = np.empty(1)  # not even flat lists
        if flat.dtype.kind not in "iu":
            raise UnknownConcept(f"{tax.name}: each record must be a list or set of codes, which are whole numbers.")
        return cls._of_flat(tax, len(rows), row, flat.astype(np.int64))

    @classmethod
    def of_runs(cls, tax: Taxonomy, first: NDArray[Any], last: NDArray[Any], codes: Ints) -> "Records":
        """Record r holds codes[first[r]:last[r]]."""
        row = np.repeat(np.arange(len(first)), last - first)
        return cls._of_flat(tax, len(first), row, codes[expand(first, last)].astype(np.int64))

    @classmethod
    def _of_flat(cls, tax: Taxonomy, n: int, row: NDArray[np.int64], flat: NDArray[np.int64]) -> "Records":
        wrong = np.flatnonzero((flat < 0) | (flat >= len(tax)))
        if len(wrong):
            raise UnknownConcept(
                f"{tax.name}: record {row[wrong[0]]} holds what is no code; codes run from 0 to {len(tax) - 1}."
            )
        keys = row * len(tax) + flat
        if not (keys[1:] > keys[:-1]).all():
            keys = np.unique(keys)  # by record, then by code
            row, flat = keys // len(tax), keys % len(tax)
        sizes = np.bincount(row, minlength=n)
        if sizes.max(initial=0) > kernel.LARGEST_RECORD:
            raise BadPlan(f"record {sizes.argmax()} holds more than {kernel.LARGEST_RECORD:,} concepts. Split it.")
        used = np.zeros(len(tax), np.bool_)
        used[flat] = True
        codes, item = np.flatnonzero(used), (np.cumsum(used) - 1)[flat]
        start = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
        start.flags.writeable = False
        return cls(start, frozen(item), frozen(codes))


def distance_matrix(
    tax: Taxonomy,
    records: Records | Collection[Iterable[int]],
    aggregate: str = "min-sum",
    measure: str = "jaccard",
    *,
    content: str | Floats = "seco",
    dtype: str = "float64",
    memory: int | None = None,
    threads: int | None = None,
) -> NDArray[Any]:
    """Distances between all records, each a set of concepts (codes): n x n numbers in [0, 1].

    They are computed in steps of 1/65535 and lie within record_kernels.ERROR (2.4e-5) of set_distance. `dtype` "uint16"
    gives the steps themselves, in a quarter of the memory; "float32" is there too. `memory` is how many bytes the work
    may take beside the result; neither it nor `threads` (all cores unless given) changes any number.
    """
    give = _giver(dtype)
    work = _work(tax, aggregate, measure, content, memory, threads)
    return give(work.square(Records.of(tax, records)))


def set_distances(
    tax: Taxonomy,
    records_a: Records | Collection[Iterable[int]],
    records_b: Records | Collection[Iterable[int]],
    aggregate: str = "min-sum",
    measure: str = "jaccard",
    *,
    content: str | Floats = "seco",
    dtype: str = "float64",
    memory: int | None = None,
    threads: int | None = None,
) -> NDArray[Any]:
    """Distances between every record of one list (rows) and every record of another (columns), as distance_matrix."""
    give = _giver(dtype)
    work = _work(tax, aggregate, measure, content, memory, threads)
    return give(work.rectangle(Records.of(tax, records_a), Records.of(tax, records_b)))


def directed_distances(
    tax: Taxonomy,
    records_a: Records | Collection[Iterable[int]],
    records_b: Records | Collection[Iterable[int]],
    measure: str = "jaccard",
    *,
    content: str | Floats = "seco",
) -> NDArray[Any]:
    """From every record b (columns) to every record a (rows), one way: the mean over b's concepts of how far the
    nearest of a's is. An empty set is at 1 from any other."""
    work = _work(tax, "min-sum", measure, content, None, None)
    a, b = Records.of(tax, records_a), Records.of(tax, records_b)
    out = np.empty((len(a), len(b)), np.uint16)
    work._one_way(a, b, range(len(a)), out)
    return _giver("float64")(_with_empty(out, a, b))


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """What is to be computed, and with how much of the machine."""

    tax: Taxonomy
    chosen: Aggregation
    measure: ConceptDistance
    content: Floats | None
    how: How
    memory: int
    threads: int

    def square(self, records: Records) -> Shorts:
        out = np.empty((len(records), len(records)), np.uint16)
        self._one_way(records, records, range(len(records)), out, triangle=not self.chosen.both_ways)
        tiles = range(0, len(records), LANES)
        if self.chosen.both_ways:
            weights = self._weights(records)
            self._each(lambda row: kernel.both_ways_square(self.how, out, weights, row), tiles)
        else:
            self._each(lambda row: kernel.mirror(self.how, out, row), tiles)
        return _with_empty(out, records, records)

    def rectangle(self, rows: Records, columns: Records) -> Shorts:
        out = np.empty((len(rows), len(columns)), np.uint16)
        self._one_way(rows, columns, range(len(rows)), out)
        if self.chosen.both_ways:
            own, other = self._weights(rows), self._weights(columns)
            for part in self._blocks(range(len(columns)), len(rows.codes) + len(rows)):
                back = np.empty((len(part), len(rows)), np.uint16)
                self._one_way(columns, rows, part, back)

                def join(row: int, back: Shorts = back, column: int = part.start) -> None:
                    kernel.both_ways(out, back, column, own, other, row, min(row + LANES, len(out)))

                self._each(join, range(0, len(rows), LANES))
        return _with_empty(out, rows, columns)

    def _one_way(self, rows: Records, columns: Records, span: range, out: Shorts, *, triangle: bool = False) -> None:
        """out[i, j] = the inner, then the outer step for the row record span[i] and column record j."""
        if not len(rows.codes) or not len(columns.codes):
            return  # no concepts at all: _with_empty says the rest
        inner, outer = kernel.STEPS[self.chosen.inner], kernel.STEPS[self.chosen.outer]
        concepts = _padded(len(columns.codes))
        blocks = self._blocks(span, concepts)
        reached = aligned(_padded(max(map(len, blocks))) // LANES * concepts, np.uint16)
        tiler = self._tiler(rows, columns)

        for block in blocks:

            def tiles(part: range, block: range = block) -> None:
                fill, tile = tiler(), aligned(_padded(len(rows.codes)), np.uint16)
                for first in part:
                    fill(first, tile)
                    kernel.reach(
                        self.how, inner, tile, rows.start, rows.item, block.start, block.stop, first, concepts, reached
                    )

            def line(row: int, block: range = block) -> None:
                base = (row - block.start) // LANES * concepts
                first = row if triangle else 0
                kernel.directed(
                    self.how, outer, reached, base, concepts, columns.start, columns.item, first, out, row - span.start
                )

            every = range(0, len(columns.codes), LANES)
            pieces = min(len(every), 4 * self.threads)
            self._each(tiles, [every[i * len(every) // pieces : (i + 1) * len(every) // pieces] for i in range(pieces)])
            self._each(line, block[::LANES])

    def _tiler(self, rows: Records, columns: Records) -> Callable[[], Fill]:
        """Makes functions, one per thread, that fill a tile: all row concepts against 32 column concepts."""
        tax, how, view = self.tax, self.how, Columns.of(self.tax, rows.codes)
        sizes = np.diff(tax.ancestor_start)[rows.codes].astype(np.float32)

        def counting() -> Fill:
            counts = aligned(len(rows.codes), np.uint8)
            counts[:] = 0

            def fill(first: int, tile: Shorts) -> None:
                codes = columns.codes[first : first + LANES]
                start, end = tax.ancestor_start[codes], tax.ancestor_start[codes + 1]
                lane = np.repeat(np.arange(len(codes)), end - start)
                above = np.sort(tax.ancestor[expand(start, end)].astype(np.int64) * LANES + lane)
                own = np.ones(LANES, np.float32)
                own[: len(codes)] = end - start
                kernel.jaccard_tile(how, above, own, view.run_start, view.low, view.high, sizes, counts, tile)

            return fill

        def any_measure() -> Fill:
            twin, step = self.measure.kernel, max(1, BLOCK_CELLS // len(rows.codes))
            lanes = np.zeros((LANES, _padded(len(rows.codes))), np.uint16)
            block = np.empty((min(step, LANES), len(rows.codes)))

            def fill(first: int, tile: Shorts) -> None:
                codes = columns.codes[first : first + LANES]
                for i in range(0, len(codes), step):
                    some = codes[i : i + step]
                    twin(view, some, self.content, block[: len(some)])
                    kernel.rounded(block[: len(some)], lanes[i:])
                kernel.turned_tile(how, lanes, tile)

            return fill

        counted = self.measure.name == "jaccard" and sizes.max() <= kernel.LARGEST_COUNT
        return counting if counted else any_measure

    def _weights(self, records: Records) -> NDArray[np.float32]:
        sizes = np.maximum(records.sizes, 1) if self.chosen.by_size else np.ones(len(records))
        return sizes.astype(np.float32)

    def _blocks(self, span: range, width: int) -> list[range]:
        """Equal parts of a span of records, whole lines each, whose `width` numbers per record fit into memory."""
        most = max(1, self.memory // (2 * max(1, width) * LANES)) * LANES
        parts = max(1, -(-len(span) // most))
        size = _padded(-(-len(span) // parts))
        return [span[i : i + size] for i in range(0, len(span), max(1, size))]

    def _each(self, do: Callable[[Any], None], parts: Sequence[Any]) -> None:
        if self.threads == 1 or len(parts) < 2:
            for part in parts:
                do(part)
        else:
            with ThreadPoolExecutor(min(self.threads, len(parts))) as pool:
                list(pool.map(do, parts))


def _with_empty(out: Shorts, rows: Records, columns: Records) -> Shorts:
    """An empty set is at 1 from all others and at 0 from another empty one."""
    a, b = np.flatnonzero(rows.sizes == 0), np.flatnonzero(columns.sizes == 0)
    out[a, :] = UNIT
    out[:, b] = UNIT
    out[np.ix_(a, b)] = 0
    return out


def _giver(dtype: str) -> Callable[[Shorts], NDArray[Any]]:
    """From steps to the numbers asked for."""
    if dtype == "uint16":
        return lambda steps: steps
    if dtype not in ("float64", "float32"):
        raise BadPlan(f"dtype: {dtype!r} is not possible. Choose one of float64, float32, uint16.")
    return lambda steps: np.divide(steps, np.dtype(dtype).type(UNIT), dtype=np.dtype(dtype))


def _work(
    tax: Taxonomy, aggregate: str, measure: str, content: str | Floats, memory: int | None, threads: int | None
) -> _Work:
    chosen = distance_named(measure)
    return _Work(
        tax=tax,
        chosen=aggregation_named(aggregate),
        measure=chosen,
        content=content_for(chosen, tax, content),
        how=best_how(),
        memory=min(MOST_MEMORY, free_memory() // 2) if memory is None else memory,
        threads=threads or os.cpu_count() or 1,
    )


def free_memory() -> int:
    """Bytes that can be had without swapping, or a guess where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return 2 * MOST_MEMORY


def aligned(lines: int, kind: type[Any]) -> NDArray[Any]:
    """An array of lines that begin where cache lines do; where they straddle two, reading takes twice as long."""
    size = lines * LANES * np.dtype(kind).itemsize
    raw = np.empty(size + 64, np.uint8)
    skip = -raw.ctypes.data % 64
    array: NDArray[Any] = raw[skip : skip + size].view(kind).reshape(lines, LANES)
    return array


def _padded(count: int) -> int:
    """The next multiple of 32."""
    return -(-count // LANES) * LANES

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
from taxonym.knowledge.arrays import Floats, Ints, Long, Shorts
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs, edges, frozen
from taxonym.knowledge.taxonomy import Taxonomy

Fill: TypeAlias = Callable[[int, Shorts], None]

MOST_MEMORY = 1 << 30  # beyond this, more memory for the work saves hardly any time


@dataclass(frozen=True, slots=True, eq=False)
class IndexedSets(Runs):
    """Sets of concepts by their places among those in use: codes[start[i]:start[i + 1]] are the places of set i."""

    used: Ints

    @classmethod
    def of_records(cls, tax: Taxonomy, records: "IndexedSets | Collection[Iterable[int]]") -> "IndexedSets":
        """From codes per record, in any order; repeated ones count once."""
        if isinstance(records, IndexedSets):
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
    def of_sets(cls, sets: ConceptSets) -> "IndexedSets":
        return cls._of_flat(sets.tax, len(sets), sets.owner, sets.codes.astype(np.int64))

    @classmethod
    def _of_flat(cls, tax: Taxonomy, n: int, row: Long, flat: Long) -> "IndexedSets":
        size = len(tax)
        wrong = np.flatnonzero((flat < 0) | (flat >= size))
        if len(wrong):
            raise UnknownConcept(
                f"{tax.name}: record {row[wrong[0]]} holds what is no code; codes run from 0 to {size - 1}."
            )
        keys = row * size + flat
        if not (keys[1:] > keys[:-1]).all():
            keys = np.unique(keys)  # by record, then by code
            row, flat = keys // size, keys % size
        sizes = np.bincount(row, minlength=n)
        if sizes.max(initial=0) > kernel.LARGEST_RECORD:
            raise BadPlan(f"record {sizes.argmax()} holds more than {kernel.LARGEST_RECORD:,} concepts. Split it.")
        there = np.zeros(size, np.bool_)
        there[flat] = True
        return cls(edges(sizes), frozen((np.cumsum(there) - 1)[flat]), frozen(np.flatnonzero(there)))


def distance_matrix(
    tax: Taxonomy,
    records: IndexedSets | Collection[Iterable[int]],
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
    return give(work.square(IndexedSets.of_records(tax, records)))


def set_distances(
    tax: Taxonomy,
    records_a: IndexedSets | Collection[Iterable[int]],
    records_b: IndexedSets | Collection[Iterable[int]],
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
    return give(work.rectangle(IndexedSets.of_records(tax, records_a), IndexedSets.of_records(tax, records_b)))


def directed_distances(
    tax: Taxonomy,
    records_a: IndexedSets | Collection[Iterable[int]],
    records_b: IndexedSets | Collection[Iterable[int]],
    measure: str = "jaccard",
    *,
    content: str | Floats = "seco",
) -> NDArray[Any]:
    """From every record b (columns) to every record a (rows), one way: the mean over b's concepts of how far the
    nearest of a's is. An empty set is at 1 from any other."""
    work = _work(tax, "min-sum", measure, content, None, None)
    a, b = IndexedSets.of_records(tax, records_a), IndexedSets.of_records(tax, records_b)
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

    def square(self, records: IndexedSets) -> Shorts:
        n = len(records)
        out = np.empty((n, n), np.uint16)
        self._one_way(records, records, range(n), out, triangle=not self.chosen.both_ways)
        tiles = range(0, n, LANES)
        if self.chosen.both_ways:
            weights = self._weights(records)
            self._each(lambda row: kernel.both_ways_square(self.how, out, weights, row), tiles)
        else:
            self._each(lambda row: kernel.mirror(self.how, out, row), tiles)
        return _with_empty(out, records, records)

    def rectangle(self, rows: IndexedSets, columns: IndexedSets) -> Shorts:
        n, m = len(rows), len(columns)
        out = np.empty((n, m), np.uint16)
        self._one_way(rows, columns, range(n), out)
        if self.chosen.both_ways:
            own, other = self._weights(rows), self._weights(columns)
            for part in self._blocks(range(m), len(rows.used) + n):
                back = np.empty((len(part), n), np.uint16)
                self._one_way(columns, rows, part, back)

                def join(row: int, back: Shorts = back, column: int = part.start) -> None:
                    kernel.both_ways(out, back, column, own, other, row, min(row + LANES, len(out)))

                self._each(join, range(0, n, LANES))
        return _with_empty(out, rows, columns)

    def _one_way(
        self, rows: IndexedSets, columns: IndexedSets, span: range, out: Shorts, *, triangle: bool = False
    ) -> None:
        """out[i, j] = the inner, then the outer step for the row record span[i] and column record j."""
        if not len(rows.used) or not len(columns.used):
            return  # no concepts at all: _with_empty says the rest
        inner, outer = kernel.STEPS[self.chosen.inner], kernel.STEPS[self.chosen.outer]
        concepts = _padded(len(columns.used))
        blocks = self._blocks(span, concepts)
        reached = aligned(_padded(max(map(len, blocks))) // LANES * concepts, np.uint16)
        tiler = self._tiler(rows, columns)

        for block in blocks:

            def tiles(part: range, block: range = block) -> None:
                fill, tile = tiler(), aligned(_padded(len(rows.used)), np.uint16)
                for first in part:
                    fill(first, tile)
                    kernel.reach(
                        self.how, inner, tile, rows.start, rows.codes, block.start, block.stop, first, concepts, reached
                    )

            def line(row: int, block: range = block) -> None:
                base = (row - block.start) // LANES * concepts
                first = row if triangle else 0
                kernel.directed(
                    self.how, outer, reached, base, concepts, columns.start, columns.codes, first, out, row - span.start
                )

            every = range(0, len(columns.used), LANES)
            pieces = min(len(every), 4 * self.threads)
            self._each(tiles, [every[i * len(every) // pieces : (i + 1) * len(every) // pieces] for i in range(pieces)])
            self._each(line, block[::LANES])

    def _tiler(self, rows: IndexedSets, columns: IndexedSets) -> Callable[[], Fill]:
        """Makes functions, one per thread, that fill a tile: all row concepts against 32 column concepts."""
        tax, how, view = self.tax, self.how, Columns.of(self.tax, rows.used)
        sizes = np.diff(tax.ancestor_start)[rows.used].astype(np.float32)

        def counting() -> Fill:
            counts = aligned(len(rows.used), np.uint8)
            counts[:] = 0

            def fill(first: int, tile: Shorts) -> None:
                lane, at = tax.above(columns.used[first : first + LANES])
                above = np.sort(tax.ancestor[at].astype(np.int64) * LANES + lane)
                own = np.maximum(np.bincount(lane, minlength=LANES), 1).astype(np.float32)
                kernel.jaccard_tile(how, above, own, view.run_start, view.low, view.high, sizes, counts, tile)

            return fill

        def any_measure() -> Fill:
            twin, step = self.measure.kernel, max(1, BLOCK_CELLS // len(rows.used))
            lanes = np.zeros((LANES, _padded(len(rows.used))), np.uint16)
            block = np.empty((min(step, LANES), len(rows.used)))

            def fill(first: int, tile: Shorts) -> None:
                codes = columns.used[first : first + LANES]
                for i in range(0, len(codes), step):
                    some = codes[i : i + step]
                    twin(view, some, self.content, block[: len(some)])
                    kernel.rounded(block[: len(some)], lanes[i:])
                kernel.turned_tile(how, lanes, tile)

            return fill

        counted = self.measure.name == "jaccard" and sizes.max() <= kernel.LARGEST_COUNT
        return counting if counted else any_measure

    def _weights(self, records: IndexedSets) -> NDArray[np.float32]:
        sizes = np.maximum(np.diff(records.start), 1) if self.chosen.by_size else np.ones(len(records.start) - 1)
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


def _with_empty(out: Shorts, rows: IndexedSets, columns: IndexedSets) -> Shorts:
    """An empty set is at 1 from all others and at 0 from another empty one."""
    a, b = (np.flatnonzero(np.diff(one.start) == 0) for one in (rows, columns))
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

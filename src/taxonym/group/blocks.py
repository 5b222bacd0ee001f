"""Groups among very many records: first into blocks of records that mean alike, then groups inside each block.

A matrix of all distances is out of reach for a million records, and not needed: who is near to whom shows already in
what their concepts have above them. So the records become points (embedding.py), a tree fitted on a sample cuts these
into blocks of about 2,000 (tree.py), and each block forms its groups from its own matrix. Time grows in proportion to
the records. Who lies near the border of a block may have nearer ones beyond it: another pass cuts the groups, not the
records, into blocks along other axes, and improves them there by the local search of refine.py.

Fitting looks at what records hold, not at their rows; where records are equal, or distances tie, the order of the rows
decides. The number of workers changes nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taxonym.distance.lines import UNIT
from taxonym.distance.record import Compare, Part, record_matrix
from taxonym.errors import BadPlan
from taxonym.executor.executor import PartsStep
from taxonym.executor.workers import InProcess
from taxonym.group.embedding import Embedding, content_hashes, sampled
from taxonym.group.mdav import check_k
from taxonym.group.refine import improved
from taxonym.group.registry import MOST_PASSES
from taxonym.group.tree import SplitTree, direction, project
from taxonym.knowledge.arrays import Groups, Long, Shorts

Form: TypeAlias = Callable[[Shorts, int], Groups]

TARGET = 2_000  # records in a block: twice as many lose 2 to 3 % less and take up to twice as long
SAMPLE = 4_096  # records that say how to cut in two, at least
PER_LEAF = 40  # records of the sample for each block, so that blocks differ in size by a sixth or so
MOST_SAMPLE = 1 << 18  # sums of so many stay below 2^63
CHUNK = 1 << 14  # points at a time


@dataclass(frozen=True, slots=True, eq=False)
class BlockGrouping:
    """Groups, block by block, and how they came about. distance is ΣD: the sum of the distances of all records to the
    medoid of their group [Batet2014, eq. 7]."""

    by_block: list[Groups]  # of the last pass, in the order of the blocks; groups in the order of their lowest rows
    largest: int  # records in the largest block
    distance: float

    @property
    def groups(self) -> Groups:
        """All groups, in the order of their lowest rows."""
        return sorted(group for groups in self.by_block for group in groups)

    @property
    def blocks(self) -> int:
        return len(self.by_block)


@dataclass(frozen=True, slots=True, eq=False)
class BlockGroups:
    """The groups of one block: rows, the medoid of each, and ΣD in steps of 1/65535."""

    groups: list[Long]
    middles: Long
    distance: int

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As they are kept."""
        rows, sizes = np.concatenate(self.groups), np.array([len(group) for group in self.groups])
        return {"rows": rows, "sizes": sizes, "middles": self.middles, "distance": np.array(self.distance)}

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> "BlockGroups":
        groups = np.split(arrays["rows"], np.cumsum(arrays["sizes"])[:-1])
        return cls(groups, arrays["middles"], int(arrays["distance"]))


@dataclass(frozen=True, slots=True)
class CutSize:
    """How some records are to be cut: into so many leaves of a tree that is fitted on so many of them; a block holds at
    most `limit`."""

    leaves: int
    sample: int
    limit: int

    @classmethod
    def of(cls, records: int, k: int, target: int) -> "CutSize":
        target = max(target, 4 * k)
        limit = target + target // 2
        leaves = max(2, round(records / target)) if records > limit else 1
        return cls(leaves, min(max(SAMPLE, PER_LEAF * leaves), MOST_SAMPLE) if leaves > 1 else 0, limit)

    def pieces(self, records: int, step: int) -> int:
        """How many pieces Cutter.divided makes of a block of single records: their number alone decides."""
        if records <= self.limit or records < 2 * step:
            return 1
        half = min(max(1, records // 2 // step), records // step - 1) * step
        return self.pieces(half, step) + self.pieces(records - half, step)


@dataclass(frozen=True, slots=True, eq=False)
class Cutter:
    """Which block a record belongs to: the same on every machine that has it. `limit` is what a block may hold."""

    embedding: Embedding
    tree: SplitTree
    limit: int

    @classmethod
    def fit(
        cls, parts: Sequence[Part], rows: Long, how: Compare, k: int, target: int = TARGET, number: int = 0
    ) -> "Cutter":
        """For blocks of about `target` of these records, found from a sample. Pass `number` leaves out so many quarters
        of the axes, the widest first, so that every pass cuts elsewhere."""
        wanted = CutSize.of(len(rows), k, target)
        return cls.of_sample(parts, rows[sampled(content_hashes(parts, rows), wanted.sample)], how, wanted, number)

    @classmethod
    def of_sample(
        cls, parts: Sequence[Part], sample: Long, how: Compare, wanted: "CutSize", number: int = 0
    ) -> "Cutter":
        """The same from a sample that somebody else has drawn."""
        embedding = Embedding.fit(parts, sample, how)
        embedding = embedding.without(len(embedding) * number // MOST_PASSES)
        return cls(embedding, SplitTree.fit(embedding.points(parts, sample), wanted.leaves), wanted.limit)

    def leaves(self, parts: Sequence[Part], rows: Long) -> Long:
        """The leaf of the tree for each of these records."""
        none = np.empty(0, np.int32)
        routed = [self.tree.route(self.embedding.points(parts, some)) for some in _chunks(rows)]
        return np.concatenate([none, *routed]).astype(np.int64)

    def blocks(self, parts: Sequence[Part], rows: Long, sizes: Long, k: int, step: int) -> Iterator[Long]:
        """Places in `rows`, block by block: none with fewer than 2k records (if there are so many), none above the
        limit. Row i stands for sizes[i] records."""
        leaf = self.leaves(parts, rows)
        counts = np.bincount(leaf, sizes, minlength=self.tree.leaves).astype(np.int64)
        block = self.tree.joined(counts, 2 * k)[leaf]
        order = np.argsort(block, kind="stable")
        for at in np.split(order, np.flatnonzero(np.diff(block[order])) + 1):
            for piece in self.divided(parts, rows[at], sizes[at], step):
                yield at[piece]

    def divided(self, parts: Sequence[Part], rows: Long, sizes: Long, step: int) -> list[Long]:
        """A block with too many records cut into smaller ones: places in `rows`, ascending. Each piece but one is a
        multiple of `step` rows. Equal records are cut by the order of the rows."""
        done, todo = [], [np.arange(len(rows))]
        while todo:
            at = todo.pop()
            if sizes[at].sum() <= self.limit or len(at) < 2 * step:
                done.append(at)
                continue
            order = at[np.argsort(self._along(parts, rows[at]), kind="stable")]
            before = np.cumsum(sizes[order])
            half = int(np.searchsorted(before, before[-1] // 2, "right"))
            half = min(max(1, half // step), len(at) // step - 1) * step
            todo += [np.sort(order[half:]), np.sort(order[:half])]
        return done

    def _along(self, parts: Sequence[Part], rows: Long) -> Long:
        some = rows[sampled(content_hashes(parts, rows), SAMPLE)]
        points = self.embedding.points(parts, some)
        u = direction(points, np.arange(len(points)))
        if u is None:
            return np.zeros(len(rows), np.int64)
        return np.concatenate([project(self.embedding.points(parts, chunk), u) for chunk in _chunks(rows)])


def form_in_blocks(
    parts: Sequence[Part],
    rows: Long,
    how: Compare,
    k: int,
    form: Form,
    *,
    target: int = TARGET,
    passes: int = 1,
    executor: InProcess | None = None,
    name: str = "groups",
) -> BlockGrouping:
    """Groups of at least k of these records, formed by form(distances, k) in blocks of about `target` (at least 4k).

    Up to 1.5 target records are one block: the result is then that of form on all distances. Passes after the first
    improve by local search whatever groups there are, so they belong to `refined`; 1 to 4 are possible. The executor
    keeps the groups of finished blocks under this name.

    Memory, beside the columns: some 200 bytes a record, and for every worker the matrix of a block with what
    distance_matrix needs to make it (for 2,000 records of 20 concepts some 100 MB).
    """
    check_k(len(rows), k)
    if not 1 <= passes <= MOST_PASSES or target < 1:
        raise BadPlan(f"blocks: target must be at least 1, and passes from 1 to {MOST_PASSES}.")
    executor = executor or InProcess()
    cutter = Cutter.fit(parts, rows, how, k, target)
    blocks = list(cutter.blocks(parts, rows, np.ones(len(rows), np.int64), k, k))
    threads, step = max(1, executor.threads // len(blocks)), _step(f"groups of at least {k}", f"{name}-0", len(blocks))
    found = list(executor.by_block(_form, (rows[at] for at in blocks), parts, how, k, form, threads, step=step))
    largest = max(map(len, blocks))
    for number in range(1, passes if len(blocks) > 1 else 1):
        cutter = Cutter.fit(parts, rows, how, k, target, number)
        groups = [group for f in found for group in f.groups]
        sizes = np.array([len(group) for group in groups])
        blocks = list(cutter.blocks(parts, np.concatenate([f.middles for f in found]), sizes, k, 1))
        step = _step(f"better groups, pass {number + 1}", f"{name}-{number}", len(blocks))
        found = list(executor.by_block(_improve, ([groups[i] for i in at] for at in blocks), parts, how, k, step=step))
        largest = max(int(sizes[at].sum()) for at in blocks)
    every = [sorted(group.tolist() for group in f.groups) for f in found]
    return BlockGrouping(every, largest, sum(f.distance for f in found) / UNIT)


def form_block(
    parts: Sequence[Part], rows: Long, how: Compare, k: int, form: Form, threads: int | None = None
) -> BlockGroups:
    """The groups of one block; looks at nothing but these rows."""
    matrix = record_matrix(taken(parts, rows), np.arange(len(rows)), how, threads)
    return _found(matrix, [np.array(group) for group in form(matrix, k)], rows)


def improve_block(
    parts: Sequence[Part], groups: Sequence[Long], how: Compare, k: int, threads: int | None = None
) -> BlockGroups:
    """Better groups of the same records, by the search of refine.py from the groups that are there."""
    rows = np.sort(np.concatenate(groups))
    matrix = record_matrix(taken(parts, rows), np.arange(len(rows)), how, threads)
    largest = max(3 * k, *(len(group) for group in groups))
    better = improved(matrix, [np.searchsorted(rows, group) for group in groups], k, largest)
    return _found(matrix, [np.array(group) for group in better], rows)


def taken(parts: Sequence[Part], rows: Long) -> list[Part]:
    """Some records as columns of their own; numbers keep the range of the whole column."""
    return [part.take(rows) for part in parts]


# ---------------------------------------------------------------------- steps


def _form(rows: Long, parts: Sequence[Part], how: Compare, k: int, form: Form, threads: int) -> BlockGroups:
    return form_block(parts, rows, how, k, form, threads)


def _improve(groups: Sequence[Long], parts: Sequence[Part], how: Compare, k: int) -> BlockGroups:
    return improve_block(parts, groups, how, k, 1)


def _step(what: str, name: str, blocks: int) -> PartsStep[BlockGroups]:
    names = [f"{name}-{i:06}.npz" for i in range(blocks)]
    return PartsStep(f"{what} in {blocks:,} blocks", names, BlockGroups.arrays, BlockGroups.of)


def _found(matrix: Shorts, groups: Sequence[Long], rows: Long) -> BlockGroups:
    """Rows instead of places, with medoids; ties: the lowest row."""
    sums = [matrix[np.ix_(group, group)].sum(axis=1, dtype=np.int64) for group in groups]
    middles = [group[np.argmin(s)] for group, s in zip(groups, sums, strict=True)]
    return BlockGroups([rows[group] for group in groups], rows[middles], int(sum(s.min() for s in sums)))


def _chunks(rows: Long) -> Iterator[Long]:
    return (rows[i : i + CHUNK] for i in range(0, len(rows), CHUNK))

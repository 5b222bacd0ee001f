"""Groups of records of which one person may have many: k counts persons, not records.

Records of one person are alike, so groups of k near records would mostly be one person's. Hence, while groups are
formed (by mdav, refined, …), records of one person count as far apart as can be: each looks for records of others.
Groups that still have too few persons are dissolved, and each of their records joins the nearest group that has enough;
that never takes a person away from anybody. Where no group has enough, near groups are merged until one does.

Very many records are cut into blocks, as in blocks.py; a block with fewer than k persons joins the groups of the block
next to it.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from taxonym.distance.lines import UNIT
from taxonym.distance.record import Compare, Long, Part, record_matrix, record_rectangle
from taxonym.distance.sets_matrix import Shorts
from taxonym.group.blocks import TARGET, Cutter, Form, taken
from taxonym.group.merge import merge
from taxonym.progress import SILENCE, Progress


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """Groups of rows with the medoid of each (that of the records that formed it), and what it took."""

    groups: list[Long]
    middles: Long
    blocks: int = 1
    largest: int = 0


def group_persons(matrix: Shorts, persons: Long, k: int, form: Form) -> tuple[list[Long], Long] | None:
    """Groups of rows of at least k persons each, and their medoids; nothing if there are fewer than k persons."""
    if len(np.unique(persons)) < k:
        return None
    apart = np.where(persons[:, None] == persons[None, :], UNIT, matrix).astype(np.uint16)
    np.fill_diagonal(apart, 0)
    groups = [np.array(group, np.int64) for group in form(apart, k)]
    lacking = [k - len(np.unique(persons[group])) for group in groups]
    if min(lacking) > 0:
        middle = _medoids(matrix, groups)
        between = {group[0]: m for group, m in zip([sorted(g.tolist()) for g in groups], middle, strict=True)}
        merged = merge(
            [group.tolist() for group in groups],
            lambda rows: max(0.0, float(k - len(np.unique(persons[rows])))),
            lambda some: matrix[np.ix_(*2 * ([between[min(group)] for group in some],))],
        )
        groups = [np.array(group, np.int64) for group in merged]
        lacking = [k - len(np.unique(persons[group])) for group in groups]
    sound = [group for group, lacks in zip(groups, lacking, strict=True) if lacks <= 0]
    middles = _medoids(matrix, sound)
    homeless = [group for group, lacks in zip(groups, lacking, strict=True) if lacks > 0]
    if homeless:
        rows = np.concatenate(homeless)
        sound = _joined(sound, rows, matrix[np.ix_(rows, middles)].argmin(axis=1))
    return sound, middles


def gather(
    parts: Sequence[Part],
    rows: Long,
    persons: Long,
    how: Compare,
    k: int,
    form: Form,
    *,
    target: int = TARGET,
    workers: int = 1,
    progress: Progress = SILENCE,
) -> Gathered:
    """Groups of these records of at least k persons each; persons[row] says whose a record is. There must be k.

    Up to 1.5 target records are one block. Memory, beside the columns: for every worker about 10 bytes for each pair of
    a block's records.
    """
    cutter = Cutter.fit(parts, rows, how, k, target)
    blocks = [rows[at] for at in cutter.blocks(parts, rows, np.ones(len(rows), np.int64), k, k)]

    def job(block: Long) -> tuple[list[Long], Long] | None:
        matrix = record_matrix(taken(parts, block), np.arange(len(block)), how, max(1, workers // len(blocks)))
        found = group_persons(matrix, persons[block], k, form)
        return None if found is None else ([block[group] for group in found[0]], block[found[1]])

    found = []
    progress.start(f"groups of at least {k} visitors in {len(blocks):,} blocks", len(blocks))
    with ThreadPoolExecutor(workers) as pool:
        for one in pool.map(job, blocks) if workers > 1 else map(job, blocks):
            found.append(one)
            progress.advance()
    progress.finish()
    _house(parts, blocks, found, how)
    if not any(found):  # enough persons, but in no block
        return Gathered([rows], rows[:1], len(blocks), len(rows))
    groups = [group for one in found if one for group in one[0]]
    middles = np.concatenate([one[1] for one in found if one])
    return Gathered(groups, middles, len(blocks), max(map(len, blocks)))


def _house(
    parts: Sequence[Part], blocks: list[Long], found: list[tuple[list[Long], Long] | None], how: Compare
) -> None:
    """Let the records of blocks without groups join the nearest groups of the nearest block that has some."""
    sound = [b for b, one in enumerate(found) if one is not None]
    guests: dict[int, list[Long]] = {}
    for b, one in enumerate(found):
        if one is None and sound:
            guests.setdefault(min(sound, key=lambda s: (abs(s - b), s)), []).append(blocks[b])
    for b, some in guests.items():
        host = found[b]
        assert host is not None
        for rows in some:
            apart = record_rectangle(parts, parts, rows, host[1], how).round(9)
            host = _joined(host[0], rows, apart.argmin(axis=1)), host[1]
        found[b] = host


def _joined(groups: list[Long], rows: Long, to: Long) -> list[Long]:
    """The groups with more rows; rows[i] joins group to[i]."""
    order = np.argsort(to, kind="stable")
    ends = np.searchsorted(to[order], np.arange(len(groups) + 1))
    more = [rows[order[ends[g] : ends[g + 1]]] for g in range(len(groups))]
    return [
        np.sort(np.concatenate((group, new))) if len(new) else group for group, new in zip(groups, more, strict=True)
    ]


def _medoids(matrix: Shorts, groups: Sequence[Long]) -> Long:
    """The record of each group with the least sum of distances to all of it [Batet2014, eq. 7]; ties: the lowest."""
    found = [group[matrix[np.ix_(group, group)].sum(axis=1, dtype=np.int64).argmin()] for group in groups]
    return np.array(found, np.int64)

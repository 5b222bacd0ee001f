"""Groups of records of which one person may have many: k counts persons, not records.

Records of one person are alike, so groups of k near records would mostly be one person's. Three ways to have k persons:

spread   MDAV [NavarroArribas2010, Algorithm 1] in which a record is grouped with the nearest records of k - 1 other
         persons; when fewer than k persons are left, each of their records joins the group whose middle is nearest
apart    any method that knows no persons, for which records of one person count as far apart as can be; groups that
         still have too few persons are dissolved, and their records join the nearest groups that have enough
moved    a record that its group can do without moves to a group whose middle is nearer

`mdav` is the first, moved; other methods are the better of the first two, moved. No group ever falls below k persons.

Very many records are cut into blocks, as in blocks.py; a block with fewer than k persons joins the groups of the block
next to it.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from taxonym.distance.lines import UNIT
from taxonym.distance.record import Compare, Part, record_matrix, record_rectangle
from taxonym.group.blocks import TARGET, Cutter, Form, taken
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long, Shorts

ROUNDS = 10  # of moving; most end sooner


@dataclass(frozen=True, slots=True, eq=False)
class PersonGroups:
    """Groups of rows with the medoid of each (that of the records that formed it), and what it took."""

    groups: list[Long]
    middles: Long
    blocks: int = 1
    largest: int = 0
    block: Sequence[int] = (0,)  # of every group


def group_persons(matrix: Shorts, persons: Long, k: int, form: Form | None) -> tuple[list[Long], Long] | None:
    """Groups of rows of at least k persons each, and their medoids; nothing if there are fewer than k persons.

    `form` is the method that knows no persons, None for mdav.
    """
    persons = np.unique(persons, return_inverse=True)[1].astype(np.int64)
    if persons.max(initial=-1) + 1 < k:
        return None
    found = moved(matrix, spread(matrix, persons, k), persons, k)
    if form is not None and (other := kept_apart(matrix, persons, k, form)):
        found = min(moved(matrix, other, persons, k), found, key=lambda groups: _sum(matrix, groups))
    return found, _medoids(matrix, found)


def spread(matrix: Shorts, persons: Long, k: int) -> list[Long]:
    """MDAV with k different persons in every group; ties: the lowest row."""
    free = np.ones(len(persons), bool)
    sums = matrix.sum(axis=1, dtype=np.int64)
    groups: list[Long] = []

    def take(r: int) -> None:
        order = np.flatnonzero(free)
        order = order[np.argsort(np.where(order == r, -1, matrix[r, order].astype(np.int64)), kind="stable")]
        first = np.sort(np.unique(persons[order], return_index=True)[1])[:k]
        groups.append(np.sort(order[first]))
        free[groups[-1]] = False
        np.subtract(sums, matrix[:, groups[-1]].sum(axis=1, dtype=np.int64), out=sums)

    while (left := len(np.unique(persons[free]))) >= k:
        rows = np.flatnonzero(free)
        middle = rows[sums[rows].argmin()]
        r = int(rows[matrix[middle, rows].argmax()])
        take(r)
        rows = np.flatnonzero(free)
        if left >= 2 * k and len(np.unique(persons[free])) >= k:
            take(int(rows[matrix[r, rows].argmax()]))
    return _housed(matrix, groups, np.flatnonzero(free))


def kept_apart(matrix: Shorts, persons: Long, k: int, form: Form) -> list[Long]:
    """Groups by a method that knows no persons; none where none of them has k persons."""
    apart = np.where(persons[:, None] == persons[None, :], UNIT, matrix).astype(np.uint16)
    np.fill_diagonal(apart, 0)
    groups = [np.array(group, np.int64) for group in form(apart, k)]
    sound = [len(np.unique(persons[group])) >= k for group in groups]
    if not any(sound):
        return []
    rest = [group for group, enough in zip(groups, sound, strict=True) if not enough]
    homeless = np.concatenate(rest) if rest else np.zeros(0, np.int64)
    return _housed(matrix, [group for group, enough in zip(groups, sound, strict=True) if enough], homeless)


def moved(matrix: Shorts, groups: list[Long], persons: Long, k: int) -> list[Long]:
    """Records that their groups can do without move to nearer middles, until nothing is gained."""
    label = np.empty(len(persons), np.int64)
    for g, rows in enumerate(groups):
        label[rows] = g
    for _ in range(ROUNDS):
        middles = _medoids(matrix, _lists(label))
        many = np.zeros((len(middles), int(persons.max()) + 1), np.int64)
        np.add.at(many, (label, persons), 1)
        whole = np.count_nonzero(many, axis=1)
        near = matrix[:, middles].argmin(axis=1)
        gain = (
            matrix[np.arange(len(label)), middles[label]].astype(np.int64)
            - matrix[np.arange(len(label)), middles[near]]
        )
        done = 0
        for i in np.argsort(-gain, kind="stable")[: np.count_nonzero(gain > 0)].tolist():
            own, person = label[i], persons[i]
            if many[own, person] > 1 or whole[own] > k:
                many[own, person] -= 1
                whole[own] -= many[own, person] == 0
                whole[near[i]] += many[near[i], person] == 0
                many[near[i], person] += 1
                label[i] = near[i]
                done += 1
        if not done:
            break
    return _lists(label)


def gather(
    parts: Sequence[Part],
    rows: Long,
    persons: Long,
    how: Compare,
    k: int,
    form: Form | None,
    *,
    target: int = TARGET,
    workers: int = 1,
    progress: Progress = SILENCE,
) -> PersonGroups:
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
        return PersonGroups([rows], rows[:1], len(blocks), len(rows))
    groups = [group for one in found if one for group in one[0]]
    middles = np.concatenate([one[1] for one in found if one])
    block = [b for b, one in enumerate(found) if one for _ in one[0]]
    return PersonGroups(groups, middles, len(blocks), max(map(len, blocks)), block)


def by_lot(persons: Long, k: int, rng: np.random.Generator) -> list[Long]:
    """Groups of rows of at least k persons by lot: the first rows of all persons, then their second ones, …, k at a
    time. There must be k persons."""
    lots = rng.permutation(len(persons))
    order = np.lexsort((lots, persons))
    first = np.searchsorted(persons[order], persons[order])
    turn = np.arange(len(order)) - first
    groups: list[Long] = []
    for rank in range(int(turn.max(initial=-1)) + 1):
        rows = rng.permutation(order[turn == rank])
        many = len(rows) // k
        groups += np.array_split(rows, many) if many else []
        if not many:  # fewer than k persons have so many: they join groups that are there
            for row in rows.tolist():
                at = int(rng.integers(len(groups)))
                groups[at] = np.append(groups[at], row)
    return [np.sort(group) for group in groups]


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


def _housed(matrix: Shorts, groups: list[Long], rows: Long) -> list[Long]:
    """Groups that these rows have joined, each the one whose middle is nearest."""
    return _joined(groups, rows, matrix[np.ix_(rows, _medoids(matrix, groups))].argmin(axis=1)) if len(rows) else groups


def _lists(label: Long) -> list[Long]:
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


def _sum(matrix: Shorts, groups: Sequence[Long]) -> int:
    """ΣD, the distances of all records to the medoids of their groups."""
    return sum(int(matrix[np.ix_(group, group)].sum(axis=1, dtype=np.int64).min()) for group in groups)


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

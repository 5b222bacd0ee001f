"""Groups that are fitted to what they publish.

Groups formed from distances between records are good for publishing the medoid. What is published is a set of concepts
that lies closer to all members (centroid.best), so other groups may lose less. From given groups, those that are
neighbours are joined and divided anew in turn, each half with its best representative; a group whose members other
groups can take is dissolved; a large one is split. Only what brings the published loss down is done:

    Σ over records of D(record, what its group publishes)     [Batet2014, eq. 7, for any representative]

All is decided by the distances and, where they tie, by the row: neither the order of the groups nor the number of
threads changes the result. With rows in another order, ties and the order of the search may fall otherwise; the
pipeline sorts the records first.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from taxonym.distance.sets import aggregation_named
from taxonym.distance.sets_matrix import IndexedSets, set_distances
from taxonym.errors import BadPlan
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Codes, Floats, Long
from taxonym.publish.divide import HOPE, divide
from taxonym.publish.representative import GAIN, Group, GroupConcepts, best, between, published
from taxonym.records.support import Holders, Rule

ROUNDS = 20  # seldom more than ten are needed until nothing gets better
NEAREST = 4  # groups are neighbours if one publishes one of the so many sets nearest to a member of the other
EFFORT = 3, 1.25  # divisions around seeds that are tried, and how many times the present cost they may cost before
WORK = 3e8  # from so much work on, fitting takes more than about a minute of one core
CELLS = 1 << 25  # of a block of distances between records and published sets


def fitted(
    holders: Holders,
    groups: Sequence[Sequence[int]],
    rule: Rule,
    *,
    aggregate: str = "min-sum",
    measure: str = "jaccard",
    content: str | Floats = "seco",
    largest: int | None = None,
    blocks: ArrayLike | None = None,
    progress: Progress = SILENCE,
) -> tuple[list[list[int]], list[GroupConcepts]]:
    """Groups of k to `largest` persons (3k unless given, or as many as a group has), and what each of them publishes.

    `groups` (row numbers of the records in `holders`) is where the search starts; the loss is never larger than theirs
    with `best`. Every group comes as ascending rows, in the order of the lowest. `blocks` gives a label to each row:
    only rows with the same are put together. Who has several records keeps them where they are.
    """
    fit = _Fit(holders, groups, rule, (aggregate, measure, content), largest, blocks)
    progress.start("fitting groups to what they publish")
    try:
        for _ in range(ROUNDS):
            if not fit.round(progress):
                break
        return fit.result()
    finally:
        progress.finish()


def work(holders: Holders, groups: Sequence[Sequence[int]], enough: float = float("inf")) -> float:
    """How much work it is to represent the groups once: concepts of a record, squared, times what is had and held.

    Counting ends where it is more than `enough`.
    """
    total = 0.0
    for rows in groups:
        records = [holders.sets[row] for row in rows]
        own = np.unique(np.concatenate(records))
        held = len({t for code in own.tolist() for t in holders.tax.ancestors(code)})
        total += (sum(map(len, records)) / len(records)) ** 2 * len(own) * held
        if total > enough:
            break
    return total


class _Fit:
    """Groups by number: their rows, what they publish, and its sum of distances to them. An empty one is dissolved."""

    def __init__(
        self,
        holders: Holders,
        groups: Sequence[Sequence[int]],
        rule: Rule,
        how: tuple[str, str, str | Floats],
        largest: int | None,
        blocks: ArrayLike | None,
    ) -> None:
        self.holders, self.rule, self.how = holders, rule, how
        self.aggregation, self.d = aggregation_named(how[0]), between(holders, how[1], how[2])
        self.rows = sorted(sorted(rows) for rows in groups)
        self.group_of = np.full(len(holders), -1, np.int64)
        self.block = np.zeros(len(holders), np.int64) if blocks is None else np.unique(blocks, return_inverse=True)[1]
        self._check(largest)
        sizes = map(self.persons, self.rows)
        self.largest = max(3 * rule.k, *sizes, 0) if largest is None else largest
        for number, rows in enumerate(self.rows):
            self.group_of[rows] = number
        several = np.bincount(holders.person, minlength=holders.persons) > 1
        self.stays = several[holders.person]
        self.records = IndexedSets.of_sets(holders.sets)
        self.concepts: list[Codes] = []
        self.cost: list[float] = []
        for rows in self.rows:
            group = self.group(rows)
            self.concepts.append(best(group))
            self.cost.append(group.distance(self.concepts[-1]))
        self.clock, self.changed, self.asked = 0, [0] * len(self.rows), dict[tuple[int, int], int]()

    def _check(self, largest: int | None) -> None:
        every = [row for rows in self.rows for row in rows]
        if len(every) != len(set(every)) or not all(0 <= row < len(self.holders) for row in every):
            raise BadPlan(f"groups: rows run from 0 to {len(self.holders) - 1}, each in one group.")
        k, sizes = self.rule.k, [self.persons(rows) for rows in self.rows]
        if sizes and (min(sizes) < k or max(sizes) > (largest or max(sizes))):
            raise BadPlan(f"groups: each must have {k} to {largest or 'any number of'} persons before it is fitted.")
        if len(self.block) != len(self.holders):
            raise BadPlan(f"blocks: {len(self.holders):,} records need as many labels, not {len(self.block):,}.")
        if any(len(set(self.block[rows].tolist())) > 1 for rows in self.rows):
            raise BadPlan("blocks: every group must be of one block before it is fitted.")

    def group(self, rows: Sequence[int]) -> Group:
        return Group(self.holders, rows, self.rule, self.aggregation, self.d)

    def persons(self, rows: Sequence[int]) -> int:
        return len(set(self.holders.person[rows].tolist()))

    # ------------------------------------------------------------------ one round

    def round(self, progress: Progress) -> bool:
        """Try every group with its neighbours, so far as one of them has changed; whether anything got better."""
        begin = self.clock
        self.near, self.near_d = self._nearest()
        for c in range(len(self.rows)):
            progress.advance()
            if not self.rows[c]:
                continue
            for d in self._neighbours(c):
                if self._news(min(c, d), max(c, d)):
                    self._divide(c, d)
            if self._news(c, c) and not self._dissolve(c) and self.persons(self.rows[c]) >= 2 * self.rule.k:
                self._divide(c, self._empty())
        return self.clock > begin

    def _news(self, c: int, d: int) -> bool:
        """Whether one of the groups has changed since this was last asked."""
        before, self.asked[c, d] = self.asked.get((c, d), -1), self.clock
        return max(self.changed[c], self.changed[d]) > before

    def _nearest(self) -> tuple[Long, NDArray[Any]]:
        """For each row the groups that publish nearest to it, in order; ties: the lower group. -1 where there is none.

        In blocks of groups, so that memory stays bounded.
        """
        holders, (aggregate, measure, content) = self.holders, self.how
        near = np.full((len(holders), NEAREST + 1), -1, np.int64)
        near_d = np.full((len(holders), NEAREST + 1), np.iinfo(np.uint16).max, np.uint16)
        groups = np.array([c for c, rows in enumerate(self.rows) if rows], np.int64)
        block = np.array([self.block[self.rows[c][0]] for c in groups], np.int64)
        step = max(1, CELLS // max(1, len(holders)))
        for i in range(0, len(groups), step):
            some = groups[i : i + step]
            sets = [self.concepts[c] for c in some]
            D = set_distances(holders.tax, self.records, sets, aggregate, measure, content=content, dtype="uint16")
            _keep_nearest(D, some, block[i : i + step], self.block, near, near_d)
        return near, near_d

    def _neighbours(self, c: int) -> list[int]:
        return sorted({d for d in self.near[self.rows[c]].ravel().tolist() if self._joinable(c, d)})

    def _joinable(self, c: int, d: int) -> bool:
        """Whether rows of c may go to d; since the round began, d may have been dissolved and its number used again."""
        return d >= 0 and d != c and bool(self.rows[d]) and self.block[self.rows[c][0]] == self.block[self.rows[d][0]]

    def _empty(self) -> int:
        """The number of a group without rows."""
        if [] not in self.rows:
            self.rows.append([])
            self.concepts.append(())
            self.cost.append(0.0)
            self.changed.append(0)
        return self.rows.index([])

    def _change(self, c: int, rows: list[int], concepts: Codes, cost: float) -> None:
        self.rows[c], self.concepts[c], self.cost[c] = rows, concepts, cost
        self.group_of[rows] = c
        self.clock += 1
        self.changed[c] = self.clock

    def _divide(self, c: int, d: int) -> None:
        """Divide the rows of groups c and d (which may be empty) better than now, if possible."""
        k, group = self.rule.k, self.group(sorted(self.rows[c] + self.rows[d]))
        side, stays = (self.group_of[group.rows] != c).astype(np.int64), self.stays[group.rows]
        fixed = [len(set(group.who[stays & (side == which)].tolist())) for which in (0, 1)]
        free = len(stays) - int(stays.sum())
        low = max(0, k - fixed[0], free - (self.largest - fixed[1]))
        high = min(free, self.largest - fixed[0], free - (k - fixed[1]))
        if low > high:
            return
        union = (group.first, group.item, group.place, group.member, group.who, group.holds, stays)
        rule = (k, self.rule.known_items, self.rule.consensus)
        reps = tuple(np.searchsorted(group.held, self.concepts[g]) for g in (c, d))
        cost = self.cost[c] + self.cost[d]
        now, sizes = (side, reps, cost), (low, high)
        found, side, reps = divide(union, group.task, group.fit, group.support, rule, sizes, *now, EFFORT)
        if found < cost:
            for which, g in enumerate((c, d)):
                rows, concepts = group.rows[side == which], group.held[reps[which]]
                self._change(g, sorted(rows.tolist()), tuple(concepts.tolist()), 0.0)
                self.cost[g] = self.group(self.rows[g]).distance(self.concepts[g])

    def _dissolve(self, c: int) -> bool:
        """Send every row to a group that publishes near to it, if that is better; whether it was."""
        rows, joins, worth = self.rows[c], dict[int, list[int]](), 0.0
        if self.stays[rows].any():
            return False
        for row in rows:
            for d, far in zip(self.near[row].tolist(), self.near_d[row].tolist(), strict=True):
                if self._joinable(c, d) and self.persons(self.rows[d]) + len(joins.get(d, ())) < self.largest:
                    joins.setdefault(d, []).append(row)
                    worth += far / np.iinfo(np.uint16).max
                    break
            else:
                return False
        if worth > HOPE * self.cost[c]:
            return False
        made = []
        for d, more in joins.items():
            group = self.group(sorted(self.rows[d] + more))
            still = [c for c in self.concepts[d] if not self.rule.consensus or c in group.half]
            concepts = min((group.descend(start) for start in (still, ())), key=group.distance)
            made.append((d, sorted(self.rows[d] + more), concepts, group.distance(concepts)))
        if not sum(cost for *_, cost in made) < self.cost[c] + sum(self.cost[d] for d in joins) - GAIN:
            return False
        self._change(c, [], (), 0.0)
        for change in made:
            self._change(*change)
        return True

    # ------------------------------------------------------------------ the end

    def result(self) -> tuple[list[list[int]], list[GroupConcepts]]:
        numbers = sorted((c for c, rows in enumerate(self.rows) if rows), key=lambda c: self.rows[c])
        found = []
        for c in numbers:
            group = self.group(self.rows[c])
            found.append(
                published(group, min((self.concepts[c], best(group)), key=lambda s: round(group.distance(s), 9)))
            )
        return [self.rows[c] for c in numbers], found


@kernel
def _keep_nearest(D, groups, group_block, row_block, near, near_d):  # type: ignore[no-untyped-def]
    """Enter the groups into each row's list of the nearest of its block; groups come ascending."""
    for row in range(len(D)):
        for g in range(len(groups)):
            d = D[row, g]
            at = near.shape[1]
            while at > 0 and (near[row, at - 1] < 0 or near_d[row, at - 1] > d):
                at -= 1
            if at == near.shape[1] or group_block[g] != row_block[row]:
                continue
            near[row, at + 1 :] = near[row, at:-1].copy()
            near_d[row, at + 1 :] = near_d[row, at:-1].copy()
            near[row, at], near_d[row, at] = groups[g], d

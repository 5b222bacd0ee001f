"""Cheaper groups of at least k: records move, small groups dissolve into others, large ones divide.

Nothing is done that does not lower the cost, so what comes out never costs more than what came in.
"""

import numpy as np

from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Groups
from taxonym.knowledge.runs import Runs
from taxonym.publish.generalize.groups import LESS, Costs
from taxonym.publish.generalize.moves import NEAR, nucleus, resplit, targets

SWEEPS = 6
ENOUGH = 2e-3  # a sweep that saves less of the cost is the last
FEW = 4  # times k: pairs of groups with more records are not grouped anew
WORK = 100_000  # nor those where this would take more comparisons
TRIES = 4  # records around which a large group is tried to divide before it stays


def improved(costs: Costs, groups: Groups, k: int, progress: Progress = SILENCE) -> Groups:
    """Groups of the same records, at most as dear. The order of rows inside equal records does not matter."""
    groups = [sorted(rows) for rows in groups]
    progress.start("improving groups", SWEEPS)
    for _ in range(SWEEPS):
        before = sum(costs.of(rows) for rows in groups)
        groups = [part for rows in groups for part in divided(costs, rows, k)]
        groups = moved(costs, groups, k)
        progress.advance()
        if before - sum(costs.of(rows) for rows in groups) <= ENOUGH * before:
            break
    progress.finish()
    return groups


def divided(costs: Costs, rows: list[int], k: int) -> Groups:
    """Take k records after the other out of a large group as long as that is cheaper."""
    if len(rows) > NEAR >= 2 * k:
        half = len(rows) // 2
        return divided(costs, rows[:half], k) + divided(costs, rows[half:], k)
    parts: Groups = []
    whole = costs.of(rows)
    failed: set[int] = set()
    while len(rows) >= 2 * k and len(failed) < TRIES:
        price = costs.shares(rows)
        seed = min((row for row in rows if row not in failed), key=lambda row: (-price[row], row), default=-1)
        if seed < 0:
            break
        part = nucleus(costs, rows, price, seed, k)
        rest = sorted(set(rows) - set(part))
        cost = costs.of(rest)
        if cost + costs.of(part) < whole - LESS:
            parts.append(part)
            rows, whole, failed = rest, cost, set()
        else:
            failed.add(seed)
    return [*parts, rows]


def moved(costs: Costs, groups: Groups, k: int) -> Groups:
    """Dissolve groups, move single records to where they cost less, group pairs of near groups anew."""
    if len(groups) < 2:
        return groups
    now = _Now(costs, sorted((sorted(rows) for rows in groups), key=lambda rows: (costs.shown(rows), rows)))
    now.dissolve()
    now.move(k)
    now.exchange(k)
    return [rows for g, rows in enumerate(now.groups) if g not in now.gone]


class _Now:
    """Groups while they change. Where each record might go is asked once and checked again when it goes: record rows[i]
    would add adds[i] to group best[i], and its own would cost leaves[i] less."""

    def __init__(self, costs: Costs, groups: Groups) -> None:
        self.costs, self.groups = costs, groups
        self.price = [costs.of(rows) for rows in groups]
        every = Runs.of(groups)
        self.first, self.rows = every.start, every.codes
        self.best, self.adds, self.leaves = targets(costs, self.first, self.rows)
        self.home = {row: g for g, rows in enumerate(groups) for row in rows}
        self.gone: set[int] = set()

    def replace(self, new: dict[int, list[int]], gone: int | None = None) -> None:
        """Take these groups instead if they cost less than those that they replace, and one that vanishes."""
        cost = {g: self.costs.of(rows) for g, rows in new.items()}
        before = sum(self.price[g] for g in new) + (0.0 if gone is None else self.price[gone])
        if sum(cost.values()) < before - LESS:
            if gone is not None:
                self.gone.add(gone)
            for g, rows in new.items():
                self.groups[g], self.price[g] = rows, cost[g]
                self.home.update(dict.fromkeys(rows, g))

    def dissolve(self) -> None:
        """Give all records of a group to others."""
        touched = set[int]()
        more = np.add.reduceat(self.adds, self.first[:-1]) - np.array(self.price)
        for g in np.argsort(more, kind="stable").tolist():
            goals = self.best[self.first[g] : self.first[g + 1]].tolist()
            if more[g] >= -LESS:
                break
            if g not in touched and not self.gone.intersection(goals):
                to = {h: [r for r, goal in zip(self.groups[g], goals, strict=True) if goal == h] for h in goals}
                self.replace({h: sorted(self.groups[h] + to[h]) for h in to}, gone=g)
                if g in self.gone:
                    touched.update(to)

    def move(self, k: int) -> None:
        """Give single records to other groups."""
        more = self.adds - self.leaves
        for i in np.argsort(more, kind="stable").tolist():
            row, h = int(self.rows[i]), int(self.best[i])
            g = self.home[row]
            if more[i] >= -LESS:
                break
            if h not in self.gone and g != h and len(self.groups[g]) > k:
                self.replace({g: [r for r in self.groups[g] if r != row], h: sorted([*self.groups[h], row])})

    def exchange(self, k: int) -> None:
        """Group two groups anew of which one has a record that goes well with the other."""
        near: dict[tuple[int, int], float] = {}
        for i, row in enumerate(self.rows.tolist()):
            g, h = sorted((self.home[row], int(self.best[i])))
            if g != h and not {g, h} & self.gone:
                near[g, h] = min(near.get((g, h), np.inf), float(self.adds[i] - self.leaves[i]))
        for g, h in sorted(near, key=lambda pair: (near[pair], pair)):
            together = sorted(self.groups[g] + self.groups[h])
            if len(together) <= FEW * k and len(together) ** 2 * k <= WORK:
                part = resplit(self.costs, together, k)
                self.replace({g: part, h: sorted(set(together) - set(part))})

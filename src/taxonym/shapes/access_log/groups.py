"""Which lines of a log are published alike: groups of at least k visitors."""

from dataclasses import dataclass, replace

import numpy as np

from taxonym.distance.record import Compare, Part, Sets, Values, record_pairs
from taxonym.executor.machine import Machine
from taxonym.group.blocks import Form
from taxonym.group.persons import PersonGroups, gather
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.plan import Microaggregation
from taxonym.shapes.access_log.read import Clicks, sets_of_one
from taxonym.shapes.access_log.trees import plant

CANDIDATES = 256  # for the middle of a class
PAIRS = 1 << 18  # distances that are computed at a time
PAGES = 64  # different pages of a session that are compared, the first ones: a crawler asks for thousands


@dataclass(frozen=True, slots=True, eq=False)
class LineClasses:
    """The class of every unit with the unit in its middle, and, where sessions were grouped, the group of every
    session."""

    class_of: Long
    middle: Long
    scope: Long  # of every class: which others lines may move to
    blocks: int
    largest: int
    session_group: Long | None = None

    @property
    def classes(self) -> int:
        return len(self.middle)


def grouped(
    clicks: Clicks,
    method: Microaggregation,
    how: Compare,
    form: Form | None,
    machine: Machine,
    progress: Progress = SILENCE,
) -> LineClasses:
    """Classes of units; where marks of sessions are published, sessions are grouped before."""
    run = _Run(clicks, method, how, form, machine, progress)
    if not clicks.shape.session:
        return run.lines(clicks.parts())
    group, parts = run.sessions(), clicks.parts()
    own = clicks.session[clicks.first]
    chains = [(f"g{g}", f"s{s}") for s, g in enumerate(group.tolist())]
    tree, code = plant("session", chains)
    parts["session"] = sets_of_one(tree, code[own], clicks.shape.weight("session"))
    return replace(run.lines(parts), session_group=group)


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    clicks: Clicks
    method: Microaggregation
    how: Compare
    form: Form | None
    machine: Machine
    progress: Progress

    def gathered(self, parts: dict[str, Part], rows: Long, person: Long, progress: Progress) -> PersonGroups:
        size = max(self.method.block_size, 4 * self.method.k)
        target = size if self.method.blocks != "never" else len(rows)
        need = 10 * min(len(rows), 3 * target // 2) ** 2
        self.machine.check(need, self.clicks.log.where, f"a block of {target:,} lines")
        workers = max(1, min(self.machine.workers, int(self.machine.left // max(1, need))))
        return gather(
            list(parts.values()), rows, person, self.how, self.method.k, self.form,
            target=target, workers=workers, progress=progress,
        )  # fmt: skip

    def lines(self, parts: dict[str, Part]) -> LineClasses:
        rows = np.arange(len(self.clicks.first))
        found = self.gathered(parts, rows, self.clicks.person, self.progress)
        middle, scope = self.middles(parts, found.groups), np.array(found.block, np.int64)
        return LineClasses(_labels(found.groups, len(rows)), middle, scope, found.blocks, found.largest)

    def sessions(self) -> Long:
        """The group of every session, of at least k visitors."""
        parts, person = session_parts(self.clicks)
        rows = np.arange(len(person))
        found = self.gathered(parts, rows, person, self.progress)
        return _labels(found.groups, len(rows))

    def middles(self, parts: dict[str, Part], groups: list[Long]) -> Long:
        """The unit of every class with the least sum of distances to all of its lines [Batet2014, eq. 7]; of very large
        classes one of those with most lines. Ties: the lowest."""
        lines = np.bincount(self.clicks.unit_of)
        return middles(list(parts.values()), groups, lines, self.how)


def middles(parts: list[Part], groups: list[Long], weight: Long, how: Compare) -> Long:
    """The record of each group with the least weighted sum of distances to all of it."""
    found: list[int] = []
    some: list[tuple[Long, Long]] = []  # candidates and members
    pairs = 0
    for g, group in enumerate(groups):
        heavy = (
            group
            if len(group) <= CANDIDATES
            else np.sort(group[np.argsort(-weight[group], kind="stable")[:CANDIDATES]])
        )
        some, pairs = [*some, (heavy, group)], pairs + len(heavy) * len(group)
        if pairs >= PAIRS or g == len(groups) - 1:
            rows = np.concatenate([np.repeat(one, len(all_)) for one, all_ in some])
            columns = np.concatenate([np.tile(all_, len(one)) for one, all_ in some])
            apart, at = record_pairs(parts, parts, rows, columns, how), 0
            for one, all_ in some:
                square = apart[at : at + len(one) * len(all_)].reshape(len(one), len(all_))
                found.append(int(one[(square @ weight[all_]).round(6).argmin()]))
                at += square.size
            some, pairs = [], 0
    return np.array(found, np.int64)


def session_parts(clicks: Clicks) -> tuple[dict[str, Part], Long]:
    """Sessions as distances see them: who came when, from where, for how long, to which pages; and whose they are.

    Each visitor's sessions are his own, so that the first line tells who it is.
    """
    order = np.lexsort((clicks.log.time, clicks.session))
    ends = np.searchsorted(clicks.session[order], np.arange(int(clicks.session.max()) + 2))
    entry, shape = order[ends[:-1]], clicks.shape
    made: dict[str, Part] = {}
    for name in ("address", "referrer", "browser", "system"):
        codes = clicks.codes[name][entry]
        if (codes >= 0).any():
            made[name] = sets_of_one(clicks.trees[name], codes, shape.weight(name))
    pages = clicks.codes["path"][order].tolist()
    seen = [
        sorted([c for c in dict.fromkeys(pages[a:b]) if c >= 0][:PAGES])
        for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    ]
    if any(seen):
        made["path"] = Sets.of(seen, clicks.trees["path"].tax, shape.weight("path"))
    made["time"] = Values.of(clicks.log.time[entry].astype(np.float64), shape.weight("time"))
    made["size"] = Values.of(np.log2(np.diff(ends).astype(np.float64)), shape.weight("path"))
    return made, clicks.visitor[entry]


def _labels(groups: list[Long], n: int) -> Long:
    label = np.empty(n, np.int64)
    for g, rows in enumerate(groups):
        label[rows] = g
    return label

"""What every group of sessions publishes: one session for all of its members, each under a number of its own.

The path comes from paths.py; referrer, browser, system and hour are those of the middle session, raised until the
support rule holds; everything else follows from the clicks (moves.py). A visitor gives at most as many sessions to a
group as the k-th largest of its visitors does; surplus sessions go to the nearest group with room, or are left out.
Sessions of a group that has nothing to publish are left out, too. Only published sessions count for the support rule,
so all is repeated until nothing changes.
"""

from dataclasses import dataclass

import numpy as np

from taxonym.distance.record import Compare, Part, Values
from taxonym.distance.sequences import Sequences
from taxonym.group.persons import PersonGroups
from taxonym.group.shares import rehoused
from taxonym.knowledge.arrays import Long, Mask
from taxonym.knowledge.runs import Runs
from taxonym.records.person_rows import within_shares
from taxonym.records.thresholds import Thresholds
from taxonym.shapes.access_log.read import sets_of_one
from taxonym.shapes.access_log.sessions.paths import typical_path
from taxonym.shapes.access_log.sessions.records import ITEMS, SessionRecords
from taxonym.shapes.access_log.sessions.support import Items, Path, SessionSupport, paths_of
from taxonym.shapes.access_log.trees import NEVER


@dataclass(frozen=True, slots=True)
class TypicalSession:
    """What is told of a session instead: its clicks and its items."""

    path: Path
    items: Items


@dataclass(frozen=True, slots=True, eq=False)
class SessionRelease:
    """What groups publish under a rule that holds for it, and the group of every session, -1 for those that are not in
    the release."""

    rule: SessionSupport
    published: list[TypicalSession]
    group_of: Long

    @property
    def kept(self) -> Mask:
        return self.group_of >= 0


def publish_groups(
    records: SessionRecords,
    groups: PersonGroups,
    k: int,
    how: Compare,
    rng: np.random.Generator,
    secret: Thresholds | None = None,
) -> SessionRelease:
    """One session for every group, and which sessions of the log it stands for."""
    n = len(records)
    label, scope = np.empty(n, np.int64), np.array(groups.block, np.int64)
    scope = scope if len(scope) == len(groups.groups) else np.zeros(len(groups.groups), np.int64)
    for g, rows in enumerate(groups.groups):
        label[rows] = g
    lots, draws = rng.permutation(n), rng.integers(1 << 62, size=len(groups.groups)).tolist()
    own = rehoused(
        list(records.parts().values()), np.arange(n), records.visitor, label, groups.middles, scope, k, lots, how
    )
    while True:
        rule = SessionSupport.of(records, k, own >= 0, secret)
        members = _members(own, len(draws))
        published = [
            typical_session(rule, rows, middle, np.random.default_rng(draw))
            for rows, middle, draw in zip(members, groups.middles.tolist(), draws, strict=True)
        ]
        left = _within(published, own, records.visitor, k, lots)
        if (left == own).all():
            return SessionRelease(rule, published, own)
        own = left


def typical_session(rule: SessionSupport, rows: Long, middle: int, rng: np.random.Generator) -> TypicalSession:
    """What a group of these sessions publishes; a path without clicks where nothing can be."""
    records = rule.records
    if not len(rows):
        return TypicalSession((), (-1,) * len(ITEMS))
    browser = int(records.codes["browser"][middle])
    path = typical_path(rule, list(paths_of(records.path, rows)), records.path.record(middle), browser, rng)
    items = tuple(int(records.codes[name][middle]) for name in ITEMS)
    return TypicalSession(path, rule.raised(items, path))


def _members(own: Long, n: int) -> list[Long]:
    order = np.argsort(own, kind="stable")
    ends = np.searchsorted(own[order], np.arange(n + 1))
    return [order[ends[g] : ends[g + 1]] for g in range(n)]


def _within(published: list[TypicalSession], own: Long, visitor: Long, k: int, lots: Long) -> Long:
    """The groups of sessions without those that nothing is published for, and without those that somebody has too many
    of: groups that publish the same are one class."""
    number: dict[TypicalSession, int] = {}
    like = np.array([number.setdefault(one, len(number)) if one.path else -1 for one in published], np.int64)
    said = np.where(own >= 0, like[own], -1)
    found = np.where(said >= 0, own, -1)
    some = np.flatnonzero(said >= 0)
    width = int(visitor.max(initial=0)) + 1
    pairs, times = np.unique(said[some] * width + visitor[some], return_counts=True)
    persons, rows = np.bincount(pairs // width), np.bincount(said[some])
    unsound = (persons < k) & (persons > 0)  # whose members went elsewhere
    found[some[unsound[said[some]]]] = -1
    large = np.zeros(len(persons), bool)
    large[(pairs // width)[times * k > rows[pairs // width]]] = True
    many = some[large[said[some]] & ~unsound[said[some]]]
    found[many[~within_shares(said[many], visitor[many], k, lots[many])]] = -1
    return found


def published_parts(records: SessionRecords, published: list[TypicalSession]) -> dict[str, Part]:
    """What groups publish, as distances see it."""
    made: dict[str, Part] = {}
    for name, part in records.parts().items():
        if isinstance(part, Sequences):
            made[name] = Sequences.of_runs(Runs.of([one.path for one in published]), part.tax, part.weight)
            continue
        codes = np.array([one.items[ITEMS.index(name)] for one in published], np.int32)
        if isinstance(part, Values):
            text = records.trees[name].text
            told = [int(text[c]) if c >= 0 and text[c] != NEVER else np.nan for c in codes.tolist()]
            made[name] = Values(np.array(told) - records.clicks.log.zone, part.half, part.weight)
        else:
            made[name] = sets_of_one(records.trees[name], codes, part.weight)
    return made

"""An access log beside its published sessions: what was lost, and what an intruder finds who knows whole visits."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.attack.published import PublishedKinds, View
from taxonym.errors import BadInput, BadPlan
from taxonym.io.compressed import opened
from taxonym.io.progress import SILENCE, Progress
from taxonym.plan import Plan
from taxonym.plan.access_log import AccessLog
from taxonym.records.masked import MaskedRecords
from taxonym.shapes.access_log.agents import read_agent
from taxonym.shapes.access_log.log_lines import read_log
from taxonym.shapes.access_log.read import prepare, sessions_of
from taxonym.shapes.access_log.release_pair import joined, log_lines, nearest_own
from taxonym.shapes.access_log.report import loss_by_part
from taxonym.shapes.access_log.sessions.publish import TypicalSession, published_parts
from taxonym.shapes.access_log.sessions.records import SessionRecords, session_records
from taxonym.shapes.access_log.sessions.reread import SessionReader, WrittenSessions, rows_of
from taxonym.shapes.release_pair import ReleasePair, Taxonomies
from taxonym.shapes.table.reread import Trail


@dataclass(frozen=True, eq=False)
class SessionReleasePair(ReleasePair):
    """A log and its published sessions: record i is session i of the log, row j the session with the number j + 1."""

    records: SessionRecords
    release: WrittenSessions

    one_taxonomy = "the values of a log rise in trees of their own, whoever reads them. Leave it out."

    @classmethod
    def of(
        cls, original: str, release: str, plan: Plan, trail: Trail | None, progress: Progress
    ) -> "SessionReleasePair":
        """Sessions are brought together by the trail."""
        shape = plan.shape
        assert isinstance(shape, AccessLog)
        if trail is None:
            raise BadInput(
                f"{release}: its sessions have new numbers, so nobody knows whose they are. Give the trail with "
                f"--trail."
            )
        records = session_records(prepare(read_log(original, shape.format), plan, progress))
        with opened(release) as file:
            found = WrittenSessions.of(file, str(release), shape.format)
        rows, block = rows_of(trail, records, found), np.zeros(len(records), np.int64)
        y = list(published_parts(records, _meant(found, records)).values())
        own = list(records.parts().values())
        masked = MaskedRecords(own, y, rows, found.number, records.visitor, block)
        return cls(release, plan, plan.method.compare, masked, records, found)

    @property
    def written(self) -> Sequence[Hashable]:
        return _sessions(self.records)

    @property
    def shown(self) -> Sequence[Hashable]:
        return [tuple(tuple(click[1:8]) for click in lines) for lines in self.release.different]

    def loss(self, rng: np.random.Generator) -> dict[str, Any]:
        one = self.masked
        whose = self.records.visitor[one.record]
        found = loss_by_part(list(self.records.parts()), one.x, one.y, one.record, one.row, self.how, rng, whose)
        reader = SessionReader(self.records)
        strange = sum(-2 in codes for lines in self.release.different for codes in reader.codes(lines))
        return found | {"words_without_meaning": {"session": strange} if strange else {}}

    def population(
        self, file: str | Path, kinds: PublishedKinds, taxonomies: Taxonomies = None, progress: Progress = SILENCE
    ) -> View:
        """He has a log of his own. A session that he has of somebody is rightly linked where the nearest published ones
        are one of the same visitor's."""
        shape, own = self.records.clicks.shape, self.records.clicks.log
        if taxonomies is not None:
            raise BadPlan(f"--intruder-taxonomy: {self.one_taxonomy}")
        his = read_log(file, shape.format)
        if his.combined != own.combined:
            raise BadInput(f"{file}: is not in the format of the original. Give a log in the same format.")
        clicks, agents = prepare(joined(own, his), self.plan), [read_agent(text) for text in his.texts["agent"]]
        apart = sessions_of(his, agents, self.plan) + int(self.records.clicks.session.max()) + 1  # none is of both logs
        both = session_records(replace(clicks, session=np.concatenate((self.records.clicks.session, apart))))
        first = both.asked.codes[both.asked.start[:-1]]
        place = {int(line): i for i, line in enumerate(first.tolist())}
        own_first = self.records.asked.codes[self.records.asked.start[:-1]]
        mine = np.array([place[line] for line in own_first.tolist()], np.int64)
        rows = np.flatnonzero(first >= len(own))
        every = both.parts()
        x = [part.take(rows) for part in every.values()]
        y = list(published_parts(both, _meant(self.release, both)).values())
        y = [part.take(kinds.first) for part in y]
        truth = nearest_own(kinds, both.visitor[mine], both.visitor[rows], x, y, self.how)
        whole = np.zeros(len(rows), np.int64), np.full(len(rows), len(kinds))
        written = _sessions(both)
        return View(
            x, y, truth, both.visitor[rows], whole, [written[i] for i in rows.tolist()],
            [self.shown[j] for j in kinds.first.tolist()],
        )  # fmt: skip


def _meant(found: WrittenSessions, records: SessionRecords) -> list[TypicalSession]:
    """What an intruder makes of every class of sessions; what means nothing to him is not told."""
    reader = SessionReader(records)
    made = []
    for lines in found.different:
        path, items = reader.codes(lines)
        made.append(TypicalSession(tuple(c for c in path if c >= 0), tuple(max(-1, code) for code in items)))
    return made


def _sessions(records: SessionRecords) -> list[Hashable]:
    """The sessions of a log as they are written; whose they are is no part of what is compared."""
    lines = [line[1:] for line in log_lines(records.clicks.log, records.lines.codes)]
    return [tuple(lines[a:b]) for a, b in pairwise(records.lines.start.tolist())]

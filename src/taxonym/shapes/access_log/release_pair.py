"""An access log beside its release: what was lost, and what an intruder can find who knows lines of visitors."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.attack.published import PublishedKinds, View
from taxonym.distance.record import Compare, Part, record_pairs
from taxonym.errors import BadInput, BadPlan
from taxonym.io.compressed import opened
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Ints, Long
from taxonym.knowledge.runs import positions
from taxonym.plan import Plan
from taxonym.plan.access_log import AccessLog
from taxonym.records.masked import MaskedRecords
from taxonym.shapes.access_log.agents import read_agent
from taxonym.shapes.access_log.log_lines import FIELDS, ClickLog, read_log
from taxonym.shapes.access_log.publish import PublishedClicks
from taxonym.shapes.access_log.read import COLUMNS, Clicks, chains_of, planted, prepare, visitors_of
from taxonym.shapes.access_log.report import loss_by_part, published_parts
from taxonym.shapes.access_log.reread import LogRelease, as_codes, lines_of
from taxonym.shapes.release_pair import ReleasePair, Taxonomies
from taxonym.shapes.table.reread import Trail


@dataclass(frozen=True, eq=False)
class LogReleasePair(ReleasePair):
    """A log and its release: record i is unit i of the clicks, row j is line j of the release.

    `strange` counts the different texts of the release that are no values which rise from the original.
    """

    clicks: Clicks
    release: ClickLog
    strange: int

    one_taxonomy = "the values of a log rise in trees of their own, whoever reads them. Leave it out."

    @classmethod
    def of(cls, original: str, release: str, plan: Plan, trail: Trail | None, progress: Progress) -> "LogReleasePair":
        """Lines are brought together by the trail."""
        shape = plan.shape
        assert isinstance(shape, AccessLog)
        if trail is None:
            raise BadInput(
                f"{release}: its lines are sorted by their times, so nobody knows whose they are. Give the trail with "
                f"--trail."
            )
        clicks = prepare(read_log(original, shape.format), plan, progress)
        with opened(release) as file:
            log = LogRelease.of(file, str(release), shape.format).log
        unit = clicks.unit_of[lines_of(trail, clicks, len(log))]
        codes, strange = _meant(log, clicks)
        y = published_parts(clicks, PublishedClicks(codes, log.time, []))
        own = list(clicks.parts().values())
        block = np.zeros(len(clicks.first), np.int64)
        masked = MaskedRecords(own, list(y.values()), unit, np.arange(len(log)), clicks.person, block)
        return cls(release, plan, plan.method.compare, masked, clicks, log, strange)

    @property
    def written(self) -> Sequence[Hashable]:
        return log_lines(self.clicks.log, self.clicks.first)

    @property
    def shown(self) -> Sequence[Hashable]:
        return log_lines(self.release, np.arange(len(self.release)))

    def loss(self, rng: np.random.Generator) -> dict[str, Any]:
        """Lines that one visitor repeats in a session count once, as they do where lines are grouped."""
        one = self.masked
        record, at = np.unique(one.record, return_index=True)
        whose = self.clicks.person[record]
        found = loss_by_part(list(self.clicks.parts()), one.x, one.y, record, one.row[at], self.how, rng, whose)
        return found | {"words_without_meaning": {"line": self.strange} if self.strange else {}}

    def population(
        self, file: str | Path, kinds: PublishedKinds, taxonomies: Taxonomies = None, progress: Progress = SILENCE
    ) -> View:
        """He has a log of his own. A line that he has of somebody is rightly linked where the nearest published lines
        are one of the same visitor's."""
        shape, own = self.clicks.shape, self.clicks.log
        if taxonomies is not None:
            raise BadPlan(f"--intruder-taxonomy: {self.one_taxonomy}")
        if shape.visitor == "line":
            raise BadPlan(
                "--intruder: every line counts for itself here, so nobody knows whose lines that log has. Let "
                "accesslog.visitor be another than 'line'."
            )
        his = read_log(file, shape.format)
        if his.combined != own.combined:
            raise BadInput(f"{file}: is not in the format of the original. Give a log in the same format.")
        both = joined(own, his)
        agents = [read_agent(text) for text in both.texts["agent"]]
        trees, codes = planted(both, agents)
        visitor, n = visitors_of(both, agents, shape.visitor), len(own)
        clicks = replace(self.clicks, trees=trees, codes={name: codes[name][:n] for name in COLUMNS})
        lines = np.stack([codes[name][n:] for name in COLUMNS], axis=1)
        x = list(published_parts(clicks, PublishedClicks(lines, his.time, [])).values())
        shown = PublishedClicks(_meant(self.release, clicks)[0][kinds.first], self.release.time[kinds.first], [])
        y = list(published_parts(clicks, shown).values())
        truth = nearest_own(kinds, visitor[self.clicks.first], visitor[n:], x, y, self.how)
        whole = np.zeros(len(his), np.int64), np.full(len(his), len(kinds))
        written, others = log_lines(his, np.arange(len(his))), log_lines(self.release, kinds.first)
        return View(x, y, truth, visitor[n:], whole, written, others)


def nearest_own(kinds: PublishedKinds, whose: Long, his: Long, x: list[Part], y: list[Part], how: Compare) -> Long:
    """For every record of an intruder's, of those that the same visitor is published with the one that is nearest to
    it; -1 where the visitor is not in the release. whose[i] is the visitor of record i, his[j] that of his record j."""
    inside = np.flatnonzero(kinds.truth >= 0)
    had = np.unique(np.stack((whose[inside], kinds.truth[inside])), axis=1)
    low, high = (np.searchsorted(had[0], his, side=side) for side in ("left", "right"))
    record = np.repeat(np.arange(len(his)), high - low)
    kind = had[1][positions(low, high)]
    order = np.lexsort((record_pairs(x, y, record, kind, how), record))
    found = np.full(len(his), -1, np.int64)
    found[record[order][::-1]] = kind[order][::-1]  # the nearest is written last
    return found


def _meant(log: ClickLog, clicks: Clicks) -> tuple[Ints, int]:
    """What an intruder makes of every line of a release, and how many different texts no run writes: such a text, say
    somebody's address, is the value that it was in the original."""
    codes, strange = as_codes(log, clicks)
    every = chains_of(log, [read_agent(text) for text in log.texts["agent"]]).items()
    for c, (name, (field, chains)) in enumerate(every):
        place = {step: code for code, step in enumerate(clicks.trees[name].steps)}
        own = np.array([place.get(chain[-1], -1) if chain else -1 for chain in chains], np.int32)
        codes[:, c] = np.where(codes[:, c] < 0, own[log.codes[field]], codes[:, c])
    return codes, strange


def log_lines(log: ClickLog, rows: Long) -> list[tuple[Hashable, ...]]:
    """Some lines as they are written."""
    columns = [[log.texts[name][code] for code in log.codes[name][rows].tolist()] for name in FIELDS]
    return list(zip(*columns, log.time[rows].tolist(), strict=True))


def joined(one: ClickLog, other: ClickLog) -> ClickLog:
    """The lines of one log and then those of another; every text is there once."""
    texts, codes = {}, {}
    for name in FIELDS:
        place = {text: i for i, text in enumerate(one.texts[name])}
        theirs = np.array([place.setdefault(text, len(place)) for text in other.texts[name]], np.int32)
        texts[name], codes[name] = list(place), np.concatenate((one.codes[name], theirs[other.codes[name]]))
    time, row = (np.concatenate((getattr(one, name), getattr(other, name))) for name in ("time", "row"))
    return replace(one, texts=texts, codes=codes, time=time, row=row)

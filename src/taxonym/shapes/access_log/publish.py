"""What every class of lines publishes: its middle line under the support rule.

The middle line is the record with the least sum of distances to its class [NavarroArribas2010, §3.1; Batet2014, eq. 7],
at the median of the times of the class. Then, of each of its values, the time and the mark of its session among them,
and of each two of them together (`known_items`), at least k visitors must have had it in one and the same line; what
fails rises in its tree: first the value that is part of most failures, of several the one that matters least to those
who look at logs (LEAST_WANTED). What rises above its tree is left out. A status cannot be left out of a log, so the
most usual one of the log takes its place. A mark has nothing to rise to, so that the others rise before it goes.

Then surplus lines go: a visitor gives at most as many lines to a class as the k-th largest of its visitors does. Only
lines that are published count for the support rule, so that both are repeated until nothing changes.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import count, islice

import numpy as np

from taxonym.distance.record import Compare
from taxonym.group.shares import rehoused
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.publish.pairs import PairHolders
from taxonym.records.person_rows import within_shares
from taxonym.records.thresholds import Thresholds
from taxonym.shapes.access_log.agent_texts import AgentTexts
from taxonym.shapes.access_log.groups import LineClasses
from taxonym.shapes.access_log.log_lines import FIELDS, NONE, Click
from taxonym.shapes.access_log.read import COLUMNS, RULED, Clicks, users_of
from taxonym.shapes.access_log.trees import NEVER, NOBODY, ValueTree, plant, request_text

LEAST_WANTED = ("size", "time", "address", "request", "referrer", "system", "status", "browser", "path", "session")
MARK = re.compile(r"s[0-9a-f]{6,}")  # what stands for a group of sessions in the field of the user
_RANK = np.array([LEAST_WANTED.index(name) for name in RULED])
_ADDRESS, _STATUS, _BROWSER, _SYSTEM = (COLUMNS.index(name) for name in ("address", "status", "browser", "system"))
_TIME, _SESSION = RULED.index("time"), RULED.index("session")


@dataclass(frozen=True, slots=True, eq=False)
class LineSupport:
    """The support rule for the items of a line (RULED); `pairs` tells whether two of them together need k holders, too.

    Who had what is counted in the lines that are published.
    """

    clicks: Clicks
    trees: list[ValueTree]
    holders: PairHolders
    k: int
    pairs: bool
    good: list[Ints]  # of every concept the lowest one at or above it that may be written, -1 if none
    usual: int  # the status that most visitors have, -1 if fewer than k have it
    agents: AgentTexts

    @classmethod
    def of(
        cls,
        clicks: Clicks,
        k: int,
        known_items: int,
        kept: Mask,
        marks: tuple[ValueTree, Ints],
        secret: Thresholds | None = None,
    ) -> "LineSupport":
        """From the lines that are kept; `marks` are those of sessions, and which of them every line is published with,
        -1 for none."""
        least = secret or Thresholds(k)
        trees = [*(clicks.trees[name] for name in RULED[:-1]), marks[0]]
        codes = [*(clicks.codes[name][kept] for name in RULED[:-1]), marks[1][kept]]
        holders = PairHolders([tree.tax for tree in trees], codes, clicks.visitor[kept])
        good = []
        for tree, many in zip(trees, holders.single, strict=True):
            best = np.full(len(tree), -1, np.int32)
            for code, text in enumerate(tree.text):  # what is above comes first
                like, above = int(tree.like[code]), int(tree.parent[code])
                told = text and many[like] >= k and many[like] >= least.of(tree.name, tree.steps[like])
                best[code] = like if told else -1 if above < 0 else best[above]
            good.append(best)
        seen = np.unique(codes[_STATUS])
        usual = max(seen.tolist(), key=lambda code: (holders.single[_STATUS][code] if code >= 0 else 0, -code))
        usual = usual if usual >= 0 and good[_STATUS][usual] == usual else -1
        return cls(clicks, trees, holders, k, known_items >= 2, good, usual, AgentTexts.of(clicks, kept, least))

    def applied(self, chosen: Ints) -> Ints:
        """These values, raised until the rule holds."""
        chosen = np.stack([self._allowed(c, chosen[:, c]) for c in range(len(RULED))], axis=1)
        todo = np.arange(len(chosen))
        while len(todo):
            failing = self._failing(chosen[todo])
            todo, failing = todo[failing.any(axis=1)], failing[failing.any(axis=1)]
            # the most failures first, of several the least wanted; a status that is usual stays, a mark if it can
            score = failing * 100 - _RANK * (failing > 0)
            score[:, _SESSION] = failing[:, _SESSION] > 0
            score[(chosen[todo, _STATUS] == self.usual) & (failing[:, _STATUS] > 0), _STATUS] = -1
            at = score.argmax(axis=1)
            for c in range(len(RULED)):
                some = todo[at == c]
                above = self.trees[c].parent[chosen[some, c]]
                chosen[some, c] = self._allowed(c, above)
        return chosen

    def _allowed(self, c: int, codes: Ints) -> Ints:
        found = np.where(codes >= 0, self.good[c][codes], -1).astype(np.int32)
        return np.where(found < 0, self.usual, found).astype(np.int32) if c == _STATUS else found

    def _failing(self, chosen: Ints) -> Long:
        """How many failures every value is part of."""
        failing = np.zeros(chosen.shape, np.int64)
        if self.pairs:
            failing += self.holders.rare(chosen, self.k).sum(axis=2)
        both, like = np.unique(chosen[:, [_BROWSER, _SYSTEM]], axis=0, return_inverse=True)
        dumb = np.array([self.agents.written(*pair) is None for pair in both.tolist()], bool)[like.ravel()]
        failing[dumb, _SYSTEM] += chosen[dumb, _SYSTEM] >= 0
        failing[dumb, _BROWSER] += (chosen[dumb, _BROWSER] >= 0) & (chosen[dumb, _SYSTEM] < 0)
        return failing

    def broken(self, chosen: Ints) -> int:
        """How many of these lines break the rule."""
        single = np.zeros(len(chosen), bool)
        for c, many in enumerate(self.holders.single):
            codes = chosen[:, c]
            single |= (codes >= 0) & (many[codes] < self.k)
        pairs = self.holders.rare(chosen, self.k).any(axis=(1, 2)) if self.pairs else np.zeros(len(chosen), bool)
        return int(np.count_nonzero(single | pairs))


# ---------------------------------------------------------------------- classes


@dataclass(frozen=True, slots=True, eq=False)
class PublishedClicks:
    """What every class publishes: codes (of COLUMNS; those of a run of RULED), time, the mark of its session ("" for
    none)."""

    codes: Ints
    time: Long
    mark: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class LineRelease:
    """What classes publish under a rule that holds for it, and the class of every line of the log, -1 for those that
    are not in the release."""

    rule: LineSupport
    published: PublishedClicks
    class_of: Long

    @property
    def kept(self) -> Mask:
        return self.class_of >= 0

    @property
    def units(self) -> tuple[Long, Long]:
        """The units of the log that some line of the release stands for, and the class of each."""
        pairs = np.unique(np.stack((self.rule.clicks.unit_of, self.class_of))[:, self.kept], axis=1)
        return pairs[0], pairs[1]

    @property
    def lines(self) -> list[Click]:
        """The line of every class."""
        return [click_of(self.rule.clicks, self.rule, self.published, g) for g in range(len(self.published.codes))]


def publish_classes(
    clicks: Clicks,
    groups: LineClasses,
    k: int,
    known_items: int,
    how: Compare,
    rng: np.random.Generator,
    secret: Thresholds | None = None,
) -> LineRelease:
    """One line for every class, and which lines of the log it stands for."""
    line = clicks.first[groups.middle]
    visit = None if groups.session_group is None else groups.session_group[clicks.session[line]]
    marked = int(visit.max()) + 1 if visit is not None and clicks.shape.session else 0
    session, code = plant("session", [(name,) for name in _marks(marked, users_of(clicks.log), rng)])
    mark = np.full(len(line), -1, np.int32) if visit is None or not marked else code[visit]
    chosen = np.stack([*(clicks.codes[name][line] for name in COLUMNS), _middle_times(clicks, groups), mark], axis=1)
    lots = np.empty(len(clicks.log), np.int64)
    lots[_in_order(clicks)] = rng.permutation(len(clicks.log))
    own = rehoused(
        list(clicks.parts().values()), clicks.unit_of, clicks.visitor, groups.class_of[clicks.unit_of], groups.middle,
        groups.scope, k, lots, how,
    )  # fmt: skip
    kept = own >= 0
    while True:
        before = chosen
        rule = LineSupport.of(clicks, k, known_items, kept, (session, chosen[own, _SESSION]), secret)
        chosen = _without_unsaid(rule.applied(chosen))
        found = LineRelease(rule, _told(rule, chosen), np.where(kept, own, -1))
        like: dict[Click, int] = {}
        number = np.array([like.setdefault(text, len(like)) for text in found.lines], np.int64)
        stay = np.flatnonzero(kept)
        left = within_shares(number[own[stay]], clicks.visitor[stay], k, lots[stay])
        if left.all() and (before[:, _SESSION] == chosen[:, _SESSION]).all():
            return found
        kept = kept.copy()
        kept[stay[~left]] = False


def _in_order(clicks: Clicks) -> Long:
    """The lines in an order that what they hold decides, so that draws do not depend on the order of the log."""
    log = clicks.log
    ranks = (np.argsort(np.argsort(np.array(log.texts[name])))[log.codes[name]] for name in FIELDS)
    return np.lexsort([log.time, *ranks])


def _told(rule: LineSupport, chosen: Ints) -> PublishedClicks:
    """The values of every class with its time and its mark."""
    text = rule.trees[_TIME].text
    times = np.array([int(text[t] if t >= 0 else NEVER) for t in chosen[:, _TIME].tolist()], np.int64)
    marks = [rule.trees[_SESSION].text[m] if m >= 0 else "" for m in chosen[:, _SESSION].tolist()]
    return PublishedClicks(chosen, times - rule.clicks.log.zone, marks)


def _marks(n: int, users: Collection[str], rng: np.random.Generator) -> list[str]:
    """Marks for n groups of sessions, in random order; none is a user of the original."""
    free = (mark for number in count() if (mark := f"s{number:06x}") not in users)
    names = list(islice(free, n))
    return [names[i] for i in rng.permutation(n).tolist()]


def _middle_times(clicks: Clicks, groups: LineClasses) -> Ints:
    """The median of the times of each class, of an even number the earlier one, in the tree of times."""
    own = groups.class_of[clicks.unit_of]
    order = np.lexsort((clicks.log.time, own))
    ends = np.searchsorted(own[order], np.arange(groups.classes + 1))
    found: Ints = clicks.codes["time"][order[(ends[:-1] + ends[1:] - 1) // 2]]
    return found


def click_of(clicks: Clicks, rule: LineSupport, published: PublishedClicks, g: int) -> Click:
    """The line that class g publishes."""
    text = [
        clicks.trees[name].text[code] if code >= 0 else ""
        for name, code in zip(COLUMNS, published.codes[g, : len(COLUMNS)].tolist(), strict=True)
    ]
    address, request, path, status, size, referrer = text[:6]
    agent = rule.agents.written(int(published.codes[g, _BROWSER]), int(published.codes[g, _SYSTEM]))
    return Click(
        address or NOBODY,
        published.mark[g] or NONE,
        request_text(request, path),
        status or NONE,
        size or NONE,
        referrer or NONE,
        agent or NONE,
        int(published.time[g]),
        clicks.log.zone,
        clicks.log.combined,
    )


def _without_unsaid(codes: Ints) -> Ints:
    """A path without its request, and a request without a path, are not written: they are not published then."""
    request, path = COLUMNS.index("request"), COLUMNS.index("path")
    codes = codes.copy()
    gone = (codes[:, request] < 0) | (codes[:, path] < 0)
    codes[gone, request] = codes[gone, path] = -1
    return codes

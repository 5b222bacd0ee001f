"""Sessions of a log as mining looks for them, what is counted in them, and with what a release is compared: how much
two halves of the original differ, and what groups by lot would have published."""

from collections import Counter
from io import BytesIO
from typing import Any

import numpy as np

from taxonym.group.persons import PersonGroups, by_lot
from taxonym.knowledge.arrays import Long, Mask
from taxonym.measure.browsing import Browsing, ClickSeen, PageRule, browsing, changes, rule, rules
from taxonym.plan import Plan
from taxonym.plan.access_log import AccessLog
from taxonym.shapes.access_log.agents import read_agent
from taxonym.shapes.access_log.groups import LineClasses
from taxonym.shapes.access_log.log_lines import NONE, ClickLog, parse
from taxonym.shapes.access_log.publish import publish_classes
from taxonym.shapes.access_log.read import Clicks, prepare, visitors_of
from taxonym.shapes.access_log.sessions.find import find_sessions
from taxonym.shapes.access_log.sessions.publish import publish_groups
from taxonym.shapes.access_log.sessions.records import session_records
from taxonym.shapes.access_log.sessions.write import NumberedSessions
from taxonym.shapes.access_log.trees import referrer_chain, split_request
from taxonym.shapes.access_log.write import WrittenLines
from taxonym.shapes.mining import table

Sessions = list[list[ClickSeen]]


class LogSessions:
    """The sessions of a log, by address, agent and pause [NavarroArribas2010, §3.1.2], and whose each is."""

    def __init__(self, log: ClickLog, gap: float) -> None:
        visitor = visitors_of(log, [read_agent(text) for text in log.texts["agent"]], "address+agent")
        pages = [split_request(text)[1] for text in log.texts["request"]]
        before = [_page(text) for text in log.texts["referrer"]]
        asked = np.array([bool(page) for page in pages], bool)[log.codes["request"]]
        session = find_sessions(visitor, log.time, 60 * gap)
        order = np.lexsort((np.arange(len(log)), log.time, session))
        order = order[asked[order]]
        self.visitor: Long = visitor[order[np.unique(session[order], return_index=True)[1]]]
        self.seen: Sessions = []
        columns = (log.codes[name][order].tolist() for name in ("request", "status", "referrer"))
        last = -1
        for number, request, status, referrer in zip(session[order].tolist(), *columns, strict=True):
            if number != last:
                self.seen.append([])
                last = number
            self.seen[-1].append(ClickSeen(pages[request], log.texts["status"][status], before[referrer]))

    def some(self, which: Mask) -> Sessions:
        """The sessions of some visitors."""
        return [one for one, own in zip(self.seen, which[self.visitor].tolist(), strict=True) if own]

    def shared(self, k: int) -> tuple[set[str], set[tuple[str, str]], set[tuple[str, str]]]:
        """Pages, transitions and pairs of pages that at least k visitors have: others are not named."""
        every: list[Counter[Any]] = [Counter(), Counter(), Counter()]
        own: list[set[Any]] = [set(), set(), set()]
        whose = -1
        order = np.argsort(self.visitor, kind="stable").tolist()
        for i in [*order, None]:
            visitor = -2 if i is None else int(self.visitor[i])
            if visitor != whose:
                for counts, mine in zip(every, own, strict=True):
                    counts.update(mine)
                    mine.clear()
                whose = visitor
            if i is not None:
                counted = browsing([self.seen[i]])
                own[0].update(counted.pages)
                own[1].update(counted.transitions)
                own[2].update(counted.pairs)
        pages, moves, pairs = ({name for name, n in counts.items() if n >= k} for counts in every)
        return pages, moves, pairs


def _page(referrer: str) -> str:
    """The page that a referrer names, "" for none; of another site nobody can tell it from one's own by the path."""
    if referrer == NONE or not referrer_chain(referrer):
        return ""
    path = referrer.partition("://")[2].partition("/")
    return f"/{path[2]}" if path[1] else "/"


# ---------------------------------------------------------------------- beside


def halves(found: LogSessions, rng: np.random.Generator) -> tuple[Browsing, Browsing]:
    """Two halves of the visitors, by lot."""
    n = int(found.visitor.max(initial=-1)) + 1
    which = np.zeros(n, bool)
    which[rng.permutation(n)[: n // 2]] = True
    return browsing(found.some(which)), browsing(found.some(~which))


def grouped_by_lot(log: ClickLog, plan: Plan, rng: np.random.Generator) -> ClickLog:
    """What groups of k visitors by lot would publish under the same rules."""
    clicks, k, how = prepare(log, plan), plan.method.k, plan.method.compare
    if clicks.shape.whole_sessions:
        records = session_records(clicks)
        groups = by_lot(records.visitor, k, rng)
        drawn = PersonGroups(groups, np.array([group[0] for group in groups], np.int64))
        lines = NumberedSessions.of(publish_groups(records, drawn, k, how, rng), rng).texts()
    else:
        lines = WrittenLines.of(clicks, publish_classes(clicks, _lots(clicks, k, rng), k, 2, how, rng), rng).texts()
    return parse(BytesIO(b"".join(lines)), log.where, "combined" if log.combined else "common")


def _lots(clicks: Clicks, k: int, rng: np.random.Generator) -> LineClasses:
    groups = by_lot(clicks.person, k, rng)
    label = np.empty(len(clicks.first), np.int64)
    for g, rows in enumerate(groups):
        label[rows] = g
    middle = np.array([group[0] for group in groups], np.int64)
    return LineClasses(label, middle, np.zeros(len(groups), np.int64), 1, len(label))


# ---------------------------------------------------------------------- tables


def mined_sessions(
    original: ClickLog, release: ClickLog, plan: Plan, top: int, rng: np.random.Generator
) -> tuple[list[dict[str, Any]], dict[str, dict[str, float]]]:
    """Tables of what is counted in the sessions of both logs, and how far the release, a second half of the original
    and groups by lot are from it."""
    shape, k = plan.shape, plan.method.k
    assert isinstance(shape, AccessLog)
    own = LogSessions(original, shape.gap)
    before, after = browsing(own.seen), browsing(LogSessions(release, shape.gap).seen)
    pages, moves, pairs = own.shared(k)
    most = rules(before, pairs, top)
    one, other = halves(own, rng)
    lot = browsing(LogSessions(grouped_by_lot(original, plan, rng), shape.gap).seen)
    beside = {
        "release": changes(before, after, most),
        "halves": changes(one, other, [rule(one, r.has, r.also) for r in most]),
        "by_lot": changes(before, lot, most),
    }
    return [
        _changes(beside),
        _shares("transitions", "Transitions", ["from", "to"], before.transitions, after.transitions, moves, top),
        _shares("entry_pages", "Entry pages", ["page"], before.entries, after.entries, pages, top),
        _shares("exit_pages", "Exit pages", ["page"], before.exits, after.exits, pages, top),
        _shares("lengths", "Clicks of a session", ["clicks"], before.lengths, after.lengths, None, 20),
        _shares("status_classes", "Status classes of clicks", ["status"], before.statuses, after.statuses, None, 9),
        _rules(most, after),
    ], beside  # fmt: skip


def _changes(beside: dict[str, dict[str, float]]) -> dict[str, Any]:
    rows = [
        [name, value, *(beside[way].get(name) for way in ("halves", "by_lot"))]
        for name, value in beside["release"].items()
    ]
    columns = ["figure", "change", "between two halves of the original", "in groups by lot"]
    return table("sessions", "Sessions: how far the release is from the original", columns, rows)


def _shares(
    name: str, title: str, heads: list[str], before: Counter[Any], after: Counter[Any], named: set[Any] | None, top: int
) -> dict[str, Any]:
    """The most usual values with their shares; those that fewer than k visitors had are not named."""
    every = [(what, n) for what, n in before.items() if named is None or what in named]
    every = sorted(every, key=lambda one: one[0]) if named is None else sorted(every, key=lambda one: (-one[1], one[0]))
    a, b = max(1, before.total()), max(1, after.total())
    rows = [[*(what if isinstance(what, tuple) else (what,)), n / a, after.get(what, 0) / b] for what, n in every[:top]]
    return table(name, title, [*heads, "share before", "share after"], rows)


def _rules(most: list[PageRule], after: Browsing) -> dict[str, Any]:
    rows = []
    for one in most:
        now = rule(after, one.has, one.also)
        rows.append([one.has, one.also, one.support, now.support, one.confidence, now.confidence])
    heads = ["who has", "also has", "support before", "after", "confidence before", "after"]
    return table("rules", "Association rules of pages", heads, rows)

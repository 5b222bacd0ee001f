"""The support rule for whole sessions: who has what, in the order in which it came.

single       every click, referrer, browser, system and hour of a published session is one that k visitors had
two          so is every two of these in one session, and every two clicks in their order: k visitors had the first, or
             what lies below it, before the second
whole path   is published if k visitors have it as a subsequence of one of their sessions
built path   any other is built of moves that k visitors made, one directly after the other; and it is nobody's: no
             session of the log is that path, unless k visitors' are
length       no path is longer than a session of k visitors

Who has what is counted in the sessions that are published.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.knowledge.concept_sets import offsets
from taxonym.knowledge.runs import Runs, edges
from taxonym.records.thresholds import Thresholds
from taxonym.shapes.access_log.agent_texts import AgentTexts
from taxonym.shapes.access_log.sessions.moves import Moves
from taxonym.shapes.access_log.sessions.records import ITEMS, SessionRecords
from taxonym.shapes.access_log.trees import ValueTree

Path = tuple[int, ...]
Items = tuple[int, ...]  # codes of ITEMS, -1 for what is not told

LEAST_WANTED = ("time", "referrer", "system", "browser", "sends")  # what gives way first
_LATE = 1 << 30  # after every click
BROWSER, _SYSTEM = ITEMS.index("browser"), ITEMS.index("system")


@dataclass(frozen=True, slots=True, eq=False)
class SessionHolders:
    """Who has what: concept c (of all trees in one row of numbers) is in the sessions session[start[c]:start[c + 1]],
    in each from place early to place late. Sessions come by visitor: who[s]."""

    start: Long
    session: Long
    early: Long
    late: Long
    who: Long

    @classmethod
    def of(cls, records: SessionRecords, trees: Sequence[ValueTree], kept: Mask) -> "SessionHolders":
        some = np.flatnonzero(kept)
        some = some[np.argsort(records.visitor[some], kind="stable")]
        path, first = records.path.take(some), offsets([tree.tax for tree in trees])
        which, at = trees[0].tax.above(path.codes)
        place = np.arange(len(path.codes)) - path.start[path.owner]
        concept, session = [trees[0].tax.ancestor[at].astype(np.int64)], [path.owner[which]]
        early, late = [place[which]], [place[which]]
        for name, tree, more in zip(ITEMS, trees[1:], first[1:].tolist(), strict=False):
            has = np.flatnonzero(records.codes[name][some] >= 0)
            which, at = tree.tax.above(records.codes[name][some][has])
            concept.append(tree.tax.ancestor[at] + more)
            session.append(has[which])
            early.append(np.full(len(at), -1))
            late.append(np.full(len(at), _LATE))
        every, owner, begin, end = (np.concatenate(column) for column in (concept, session, early, late))
        order = np.lexsort((begin, owner, every))
        every, owner, begin, end = every[order], owner[order], begin[order], end[order]
        new = np.ones(len(every), bool)
        new[1:] = (np.diff(every) != 0) | (np.diff(owner) != 0)
        at = np.flatnonzero(new)
        last = np.append(at[1:], len(every)) - 1
        start = edges(np.bincount(every[at], minlength=int(first[-1])))
        return cls(start, owner[at], begin[at], end[last], records.visitor[some])

    def single(self) -> Long:
        """How many visitors have each concept."""
        concept = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        width = int(self.who.max(initial=0)) + 1
        keys = np.unique(concept * width + self.who[self.session])
        return np.bincount(keys // width, minlength=len(self.start) - 1)

    def together(self, a: int, b: int, k: int) -> bool:
        """Whether k visitors have the concept a before the concept b in one session; what has no place in the order
        comes first and last."""
        return bool(_together(self.start, self.session, self.early, self.late, self.who, a, b, k))


@dataclass(frozen=True, slots=True, eq=False)
class SessionSupport:
    """The rule for the sessions of a log of which some are published. trees[0] is that of clicks, the others are those
    of ITEMS."""

    records: SessionRecords
    k: int
    kept: Mask
    trees: list[ValueTree]
    first: Long  # where the concepts of each tree begin in the common row of numbers
    holders: SessionHolders
    moves: Moves
    agents: AgentTexts
    good: list[Ints]  # of every concept the lowest one at or above it that may be written, -1 if none
    longest: int
    _pairs: dict[tuple[int, int], bool] = field(default_factory=dict)
    _paths: dict[Path, bool] = field(default_factory=dict)
    _with: dict[int, Ints] = field(default_factory=dict)

    @classmethod
    def of(cls, records: SessionRecords, k: int, kept: Mask, secret: Thresholds | None = None) -> "SessionSupport":
        least = secret or Thresholds(k)
        trees = [records.trees[name] for name in ("click", *ITEMS)]
        first, holders, moves = (
            offsets([tree.tax for tree in trees]),
            SessionHolders.of(records, trees, kept),
            Moves.of(records, k, kept),
        )
        many, good = holders.single(), []
        for t, tree in enumerate(trees):
            best = np.full(len(tree), -1, np.int32)
            for code, text in enumerate(tree.text):  # what is above comes first
                like, above = int(tree.like[code]), int(tree.parent[code])
                held = many[first[t] + like]
                told = text and held >= k and held >= least.of(tree.name, tree.steps[like])
                told = told and (t > 0 or moves.request(like) >= 0)
                best[code] = like if told else -1 if above < 0 else best[above]
            good.append(best)
        published = np.zeros(len(records.clicks.log), bool)
        published[records.lines.take(np.flatnonzero(kept)).codes] = True
        agents = AgentTexts.of(records.clicks, published, least)
        return cls(records, k, kept, trees, first, holders, moves, agents, good, _longest(records, k, kept))

    # ------------------------------------------------------------------ paths

    def before(self, a: int, b: int) -> bool:
        """Whether k visitors had click a before click b."""
        return self._together(a, b)

    def moved(self, a: int, b: int) -> bool:
        """Whether k visitors went from click a directly to click b."""
        return a * len(self.trees[0]) + b in self.moves.follows

    def shared(self, path: Path) -> bool:
        """Whether k visitors have a path as a subsequence of one of their sessions."""
        if path not in self._paths:
            self._paths[path] = self._shared(path)
        return self._paths[path]

    def _shared(self, path: Path) -> bool:
        holders = self.holders
        rarest = min(path, key=lambda c: int(holders.start[c + 1] - holders.start[c]))
        some = holders.session[holders.start[rarest] : holders.start[rarest + 1]]
        order = np.flatnonzero(self.kept)
        order = order[np.argsort(self.records.visitor[order], kind="stable")]
        runs = self.records.path
        return bool(_having(self._masks(path), runs.start, runs.codes, order[some], holders.who[some], self.k))

    def own(self, path: Path) -> bool:
        """Whether a path is the whole session of somebody, and of fewer than k visitors."""
        records = self.records
        rows = np.flatnonzero(records.path.sizes == len(path))
        codes = records.path.codes[records.path.start[rows][:, None] + np.arange(len(path))]
        masks = self._masks(path)
        for place in range(len(path)):
            inside = masks[place][codes[:, place]]
            rows, codes = rows[inside], codes[inside]
        return 0 < len(np.unique(records.visitor[rows])) < self.k

    def _masks(self, path: Path) -> Mask:
        """For every place of a path which codes are at or below its click."""
        masks = np.zeros((len(path), len(self.trees[0])), bool)
        for place, click in enumerate(path):
            masks[place, self.moves.below[click]] = True
        return masks

    def allowed(self, path: Path) -> bool:
        """Whether a path may be published."""
        if not path or len(path) > self.longest or any(self.good[0][click] != click for click in path):
            return False
        if self.shared(path):
            return True
        ordered = all(self.before(a, b) for a, b in combinations(path, 2))
        return ordered and all(self.moved(a, b) for a, b in pairwise(path)) and not self.own(path)

    # ------------------------------------------------------------------ items

    def raised(self, items: Items, path: Path) -> Items:
        """What else is told of a session with this path: these items, raised until the rule holds."""
        chosen = [int(self.good[t + 1][code]) if code >= 0 else -1 for t, code in enumerate(items)]
        while failing := self._failing(tuple(chosen), path):
            most = max(failing.values())
            t = next(t for t in map(ITEMS.index, LEAST_WANTED) if failing.get(t) == most)
            above = int(self.trees[t + 1].parent[chosen[t]])
            chosen[t] = int(self.good[t + 1][above]) if above >= 0 else -1
        return tuple(chosen)

    def holds(self, items: Items, path: Path) -> bool:
        """Whether a path with these items may be published."""
        good = all(code < 0 or self.good[t + 1][code] == code for t, code in enumerate(items))
        return self.allowed(path) and good and not self._failing(items, path)

    def good_with(self, browser: int) -> Ints:
        """Of every click the lowest one at or above it that k visitors had with this browser, of any version, if so
        many had the browser; -1 if there is none."""
        tree, good = self.trees[1 + BROWSER], self.good[0]
        while browser >= 0 and tree.parent[browser] >= 0:
            browser = int(tree.parent[browser])
        if browser < 0 or self.good[1 + BROWSER][browser] < 0:
            return good
        if browser not in self._with:
            found, number = good.copy(), int(self.first[1 + BROWSER]) + browser
            for click, above in enumerate(self.trees[0].parent.tolist()):  # what is above comes first
                if good[click] != click or not self._together(number, click):
                    found[click] = found[above] if above >= 0 else -1
            self._with[browser] = found
        return self._with[browser]

    def _failing(self, items: Items, path: Path) -> dict[int, int]:
        """How many failures every item is part of; none where there are none."""
        found: dict[int, int] = {}
        told = [(t, int(self.first[t + 1]) + code) for t, code in enumerate(items) if code >= 0]
        for t, number in told:
            if few := sum(not self._together(number, click) for click in set(path)):
                found[t] = found.get(t, 0) + few
        for (t, one), (u, other) in combinations(told, 2):
            if not self._together(one, other):
                found[t], found[u] = found.get(t, 0) + 1, found.get(u, 0) + 1
        if self.agents.written(items[BROWSER], items[_SYSTEM]) is None:
            t = _SYSTEM if items[_SYSTEM] >= 0 else BROWSER
            found[t] = found.get(t, 0) + 1
        return found

    def _together(self, a: int, b: int) -> bool:
        if (a, b) not in self._pairs:
            self._pairs[a, b] = self.holders.together(a, b, self.k)
        return self._pairs[a, b]


def _longest(records: SessionRecords, k: int, kept: Mask) -> int:
    """How long a session of k visitors is at least."""
    most = np.zeros(records.visitors, np.int64)
    np.maximum.at(most, records.visitor[kept], records.path.sizes[kept])
    return int(np.sort(most)[-k]) if len(most) >= k else 0


def paths_of(runs: Runs, rows: Long) -> Iterator[Path]:
    """Some paths as codes."""
    return (runs.record(i) for i in rows.tolist())


# ---------------------------------------------------------------------- compiled


@kernel
def _together(start, session, early, late, who, a, b, k):  # type: ignore[no-untyped-def]
    """Whether k visitors have a before b in one session; visitors come in order, so each is counted once."""
    p, q, end, last = start[a], start[b], start[a + 1], start[b + 1]
    many, latest = 0, -1
    while p < end and q < last:
        s, t = session[p], session[q]
        if s == t:
            if early[p] < late[q] and who[s] != latest:
                many, latest = many + 1, who[s]
                if many >= k:
                    return True
            p, q = p + 1, q + 1
        elif s < t:
            p += 1
        else:
            q += 1
    return False


@kernel
def _having(masks, start, codes, rows, who, k):  # type: ignore[no-untyped-def]
    """Whether k visitors have a path as a subsequence of one of these sessions, which come by visitor."""
    many, latest = 0, -1
    for i in range(len(rows)):
        if who[i] == latest:
            continue
        place = 0
        for p in range(start[rows[i]], start[rows[i] + 1]):
            if masks[place, codes[p]]:
                place += 1
                if place == len(masks):
                    many, latest = many + 1, who[i]
                    break
        if many >= k:
            return True
    return False

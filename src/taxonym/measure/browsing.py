"""What web usage mining asks of sessions: how long they are, where they begin and end, what follows what, what goes
with what, and how the server answered.

A session is a row of clicks in their order. Two logs are compared by the share that moved (usage.moved): half the sum
of all differences, which is the total variation of two distributions. A page that has risen ("/shop/*") is not the page
that it was, so that whatever was raised counts as moved.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple, TypeVar

from taxonym.measure.usage import moved

Key = TypeVar("Key")
MOST = 20  # clicks: longer sessions count as one length
PAGES = 50  # different pages of a session that are paired for rules, the first ones


class ClickSeen(NamedTuple):
    """A click as mining sees it: its page, the status of the answer, and the page that the referrer names ("" for
    none)."""

    page: str
    status: str
    referrer: str


@dataclass(frozen=True, slots=True)
class Browsing:
    """What is counted in the sessions of a log."""

    sessions: int
    clicks: int
    lengths: Counter[int]
    entries: Counter[str]
    exits: Counter[str]
    transitions: Counter[tuple[str, str]]
    repeats: int  # transitions from a page to itself
    followed: int  # transitions whose referrer is the page before
    statuses: Counter[str]  # by class: 2xx, 3xx, …
    failed: int  # sessions with a client's or a server's error
    pages: Counter[str]  # sessions that have each
    pairs: Counter[tuple[str, str]]  # sessions that have both, in the order of the alphabet

    @property
    def moves(self) -> int:
        return self.transitions.total()


def browsing(sessions: Iterable[Sequence[ClickSeen]]) -> Browsing:
    """What is counted in some sessions, none of which is empty."""
    lengths: Counter[int] = Counter()
    entries, exits, statuses, pages = (Counter[str]() for _ in range(4))
    transitions, pairs = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    many = clicks = followed = failed = 0
    for session in sessions:
        many, clicks = many + 1, clicks + len(session)
        lengths[min(len(session), MOST)] += 1
        entries[session[0].page] += 1
        exits[session[-1].page] += 1
        for a, b in pairwise(session):
            transitions[a.page, b.page] += 1
            followed += fits(b.referrer, a.page)
        kinds = [click.status[:1] for click in session]
        statuses.update(f"{kind}xx" for kind in kinds)
        failed += bool({"4", "5"} & set(kinds))
        seen = sorted(list(dict.fromkeys(click.page for click in session))[:PAGES])
        pages.update(seen)
        pairs.update(combinations(seen, 2))
    repeats = sum(n for (a, b), n in transitions.items() if a == b and not a.endswith("*"))
    return Browsing(
        many, clicks, lengths, entries, exits, transitions, repeats, followed, statuses, failed, pages, pairs
    )


def fits(referrer: str, page: str) -> bool:
    """Whether a referrer names the page before; what has risen fits what it may stand for."""
    if not referrer:
        return False
    for one, other in ((referrer, page), (page, referrer)):
        if one == other or (one.endswith("*") and other.startswith(one.rstrip("*").removesuffix("?"))):
            return True
    return False


def shift(one: Mapping[Key, int], other: Mapping[Key, int]) -> float:
    """The share of one count that lies elsewhere in the other; 1 where one of them is empty and the other is not."""
    a, b = sum(one.values()), sum(other.values())
    if not a or not b:
        return float(a != b)
    return moved({k: n / a for k, n in one.items()}, {k: n / b for k, n in other.items()})  # type: ignore[misc]


class PageRule(NamedTuple):
    """An association rule of pages [Agrawal1993]: who has the one has the other, in this share of the sessions with the
    first (confidence), and in this share of all sessions (support)."""

    has: str
    also: str
    support: float
    confidence: float


def rule(found: Browsing, has: str, also: str) -> PageRule:
    """A rule in a log; 0 where the page is not there."""
    both, own = found.pairs[min(has, also), max(has, also)], found.pages[has]
    return PageRule(has, also, both / max(1, found.sessions), both / own if own else 0.0)


def rules(found: Browsing, among: Iterable[tuple[str, str]], top: int) -> list[PageRule]:
    """The rules with most support (ties: confidence, then the alphabet) among pairs of pages."""
    every = [rule(found, *pair) for a, b in among for pair in ((a, b), (b, a))]
    return sorted(every, key=lambda one: (-one.support, -one.confidence, one.has, one.also))[:top]


def changes(before: Browsing, after: Browsing, followed: Sequence[PageRule] = ()) -> dict[str, float]:
    """How far a log is from another, figure by figure: shares that moved, and differences of shares."""
    a, b = max(1, before.moves), max(1, after.moves)
    found = {
        "sessions": after.sessions / max(1, before.sessions) - 1,
        "clicks per session": after.clicks / max(1, after.sessions) - before.clicks / max(1, before.sessions),
        "transitions": shift(before.transitions, after.transitions),
        "lengths": shift(before.lengths, after.lengths),
        "entry pages": shift(before.entries, after.entries),
        "exit pages": shift(before.exits, after.exits),
        "same page again": after.repeats / b - before.repeats / a,
        "referrer is the page before": after.followed / b - before.followed / a,
        "status classes": shift(before.statuses, after.statuses),
        "sessions with errors": after.failed / max(1, after.sessions) - before.failed / max(1, before.sessions),
    }
    if followed:
        apart = [abs(one.confidence - rule(after, one.has, one.also).confidence) for one in followed]
        found["rules, mean change of confidence"] = sum(apart) / len(apart)
    return found

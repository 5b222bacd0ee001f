"""The path that a group of sessions publishes: that of its middle, or one that is built of shared moves.

The middle session's path, its clicks raised until k visitors have each, is published if k visitors have it as a
subsequence. Otherwise it is one person's, and a path is built: it begins where a member begins, and goes on where a
member, drawn at random, goes on from the same page; where nobody of the group does so with enough others, where
visitors of the log do; only if neither leads to a page, what these pages rise to. Pages are reloaded as often as
members do. The length is the median of the members'. Every step is one that k visitors made, and may stand after all
clicks before it; where nothing is left to go to, the path ends. All clicks are such as k visitors had with the browser
of the middle session, which is told with them: browsers per session are what the paper looks at.
"""

from collections import Counter
from itertools import pairwise

import numpy as np

from taxonym.knowledge.arrays import Ints
from taxonym.shapes.access_log.sessions.records import failed
from taxonym.shapes.access_log.sessions.support import Path, SessionSupport

TRIES = 8  # paths that are built before one is shortened until it may be published
USUAL = 64  # of all places to which visitors of the log go from a page, so many are looked at


def typical_path(
    rule: SessionSupport, members: list[Path], middle: Path, browser: int, rng: np.random.Generator
) -> Path:
    """What a group publishes whose middle uses this browser; nothing where no page of its own may be."""
    good = rule.good_with(browser)
    whole = tuple(int(good[c]) for c in middle if good[c] >= 0)[: rule.longest]
    if whole and rule.shared(whole):
        return whole
    entries = [int(good[path[0]]) for path in members if good[path[0]] >= 0]
    if not entries:
        return ()
    length = min(int(np.sort([len(path) for path in members])[(len(members) - 1) // 2]), rule.longest)
    best: Path = ()
    for _ in range(TRIES):
        path = _walk(rule, good, members, entries, length, rng)
        if rule.allowed(path):
            if len(path) == length:
                return path
            best = max(best, path, key=len)
        else:
            while path and not rule.allowed(path):
                path = path[:-1]
            best = max(best, path, key=len)
    return best


def _walk(
    rule: SessionSupport, good: Ints, members: list[Path], entries: list[int], length: int, rng: np.random.Generator
) -> Path:
    path: Path = (entries[int(rng.integers(len(entries)))],)
    while len(path) < length:
        click = path[-1]
        went, options = _of_members(rule, members, click) or _of_visitors(rule, members, click), Counter[int]()
        if went and rng.integers(went.total()) < went[click]:
            options = _next(rule, good, path, Counter({click: 1}))[0]  # a reload, as often as there were some
        options = options or _options(rule, good, path, members)
        if not options:
            break
        clicks = sorted(options)
        ends = np.cumsum([options[click] for click in clicks])
        path = (*path, clicks[int(np.searchsorted(ends, rng.integers(ends[-1]), "right"))])
    return path


def _options(rule: SessionSupport, good: Ints, path: Path, members: list[Path]) -> Counter[int]:
    """What may come next, and how many go there: members if any of them go to a page, else visitors of the log if any
    of them do; else what pages of members, or of visitors, rise to."""
    risen: list[Counter[int]] = []
    for source in (_of_members, _of_visitors):
        went = source(rule, members, path[-1])
        del went[path[-1]]
        as_they_are, others = _next(rule, good, path, went)
        if as_they_are:
            return as_they_are
        risen.append(others)
    return risen[0] or risen[1]


def _of_members(rule: SessionSupport, members: list[Path], click: int) -> Counter[int]:
    """Where members go from a click, or from what lies below it."""
    below = set(rule.moves.below[click].tolist())
    return Counter(b for path in members for a, b in pairwise(path) if a in below)


def _of_visitors(rule: SessionSupport, members: list[Path], click: int) -> Counter[int]:
    """The most usual places to which visitors of the log go from it."""
    targets, many = rule.moves.successors(click)
    most = np.argsort(-many, kind="stable")[:USUAL]
    return Counter(dict(zip(targets[most].tolist(), many[most].tolist(), strict=True)))


def _next(rule: SessionSupport, good: Ints, path: Path, targets: Counter[int]) -> tuple[Counter[int], Counter[int]]:
    """What may come next: targets as they are, and what others rise to. An error counts as it is however far its page
    rises: that something failed is what is told of it."""
    found: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    parent = rule.trees[0].parent
    for target, many in targets.items():
        click = int(good[target])
        while click >= 0 and not (rule.moved(path[-1], click) and all(rule.before(c, click) for c in path)):
            above = int(parent[click])
            click = int(good[above]) if above >= 0 else -1
        if click >= 0:
            found[click != target and not failed(rule.trees[0].steps[target])][click] += many
    return found

"""What web usage mining still finds in a protected access log [NavarroArribas2010, §3.1.2].

Browsers per click, browsers per session and their shares, in the original and in the release; sessions are looked for
in both files alike, by address, agent and pause, and in the release also by its session marks, where it has some.
Beside the paper: the most asked pages, the traffic of the hours, and what happens in sessions (browsing.py). Browsers
and pages that fewer than k visitors of the original had are not shown: they may not be published.
"""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.measure.usage import OTHERS, moved, per_session, shares
from taxonym.plan import Plan
from taxonym.plan.access_log import AccessLog
from taxonym.shapes.access_log.agents import read_agent
from taxonym.shapes.access_log.browsing import mined_sessions
from taxonym.shapes.access_log.log_lines import ClickLog, read_log
from taxonym.shapes.access_log.read import visitors_of
from taxonym.shapes.access_log.sessions.find import find_sessions
from taxonym.shapes.access_log.trees import split_request
from taxonym.shapes.mining import Mining, table

if TYPE_CHECKING:
    from taxonym.shapes.table.reread import Trail


@dataclass(frozen=True, slots=True)
class Usage:
    """What is counted in one log."""

    clicks: Counter[str]  # by browser
    sessions: Counter[str]  # by browser; a session is an address and an agent without a long pause
    marked: Counter[str]  # by browser; a session is what has the same mark (or user: a release has no users)
    pages: Counter[str]
    hours: Counter[int]
    visitors: Counter[tuple[str, str]]  # by ("browser", its name) and ("page", its path)


def usage(log: ClickLog, gap: float = 30.0) -> Usage:
    """Browsers, pages and hours of a log."""
    agents = [read_agent(text) for text in log.texts["agent"]]
    names = [agent.browser or OTHERS for agent in agents]
    browser = [names[code] for code in log.codes["agent"].tolist()]
    visitor = visitors_of(log, agents, "address+agent")
    found = find_sessions(visitor, log.time, 60 * gap)
    marks = [(log.texts["user"][m], b) for m, b in zip(log.codes["user"].tolist(), browser, strict=True)]
    marked = [(mark, b) for mark, b in marks if mark != "-"]
    paths = [split_request(text)[1] for text in log.texts["request"]]
    page = [paths[code] for code in log.codes["request"].tolist()]
    pages = Counter(page)
    del pages[""]
    had = {
        (who, what, name)
        for what, names in (("browser", browser), ("page", page))
        for who, name in zip(visitor.tolist(), names, strict=True)
    }
    return Usage(
        Counter(browser),
        per_session(found.tolist(), browser),
        per_session([mark for mark, _ in marked], [b for _, b in marked]),
        pages,
        Counter((log.time // 3600).tolist()),
        Counter((what, name) for _, what, name in had),
    )


def mine(original: str, release: str, plan: Plan, trail: "Trail | None", options: Mining) -> dict[str, Any]:
    """Browsers per click and per session, pages and hours, before and after."""
    shape = plan.shape
    assert isinstance(shape, AccessLog)
    logs = [read_log(path, shape.format) for path in (original, release)]
    before, after = (usage(log, shape.gap) for log in logs)
    k = plan.method.k
    often = [name for name, _ in before.clicks.most_common() if before.visitors["browser", name] >= k]
    names = [name for name in often if name != OTHERS][: options.top]
    per = {"click": (before.clicks, after.clicks), "session": (before.sessions, after.sessions)}
    if after.marked:
        per["session, by mark"] = (before.sessions, after.marked)
    tables, told = [], {}
    for what, (old, new) in per.items():
        a, b = shares(old, names), shares(new, names)
        told[what] = {"before": sum(old.values()), "after": sum(new.values()), "share_moved": moved(a, b)}
        tables.append(
            table(
                f"browsers_per_{what.replace(', ', '_').replace(' ', '_')}",
                f"Browsers per {what}",
                ["browser", "before", "after", "share before", "share after"],
                [[name, old.get(name, 0), new.get(name, 0), a[name], b[name]] for name in names]
                + [[OTHERS, *(_rest(counts, names) for counts in (old, new)), a[OTHERS], b[OTHERS]]],
            )
        )
    tables.append(_pages(before, after, options.top, k))
    more, beside = mined_sessions(logs[0], logs[1], plan, options.top, np.random.default_rng(options.seed))
    tables += more
    hours = sorted({*before.hours, *after.hours})
    traffic = _alike([before.hours[h] for h in hours], [after.hours[h] for h in hours])
    notes = [
        f"Per {what}: {one['before']:,} before, {one['after']:,} after; {100 * one['share_moved']:.1f} % of the share "
        f"moved to another browser."
        for what, one in told.items()
    ]
    if traffic is not None:
        notes.append(f"Requests per hour, before and after, correlate by {traffic:.3f}.")
    notes.append(f"Browsers and pages that fewer than {k} visitors had are not shown by name.")
    if not shape.whole_sessions:
        notes.append("The sessions of at least k visitors are one in a release, so their numbers cannot be compared.")
    return {
        "kind": "accesslog",
        "tables": tables,
        "notes": notes,
        "browsers": told,
        "sessions": beside,
        "hours_correlation": traffic,
    }


def _rest(counts: Counter[str], names: list[str]) -> int:
    return sum(n for name, n in counts.items() if name not in names)


def _pages(before: Usage, after: Usage, top: int, k: int) -> dict[str, Any]:
    most = [one for one in before.pages.most_common() if before.visitors["page", one[0]] >= k][:top]
    rank = {page: i for i, (page, _) in enumerate(after.pages.most_common(), 1)}
    rows = [[page, n, after.pages.get(page, 0), rank.get(page)] for page, n in most]
    return table("pages", "The most asked pages", ["page", "before", "after", "rank after"], rows)


def _alike(x: list[int], y: list[int]) -> float | None:
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    return float(np.corrcoef(x, y)[0, 1])

"""What accesslog.py found, as tables and a plot."""

from collections import Counter
from typing import Any

import numpy as np
from charts import charts
from common import met, short, table

from taxonym.measure.usage import OTHERS, moved, shares, slope, spread

KS = range(2, 31)
SHOWN = (1, 2, 3, 5, 10, 20, 30)
SOME = (2, 3, 5, 10, 15, 20, 30)
FEW = (5, 10, 20)
WAYS: dict[str, tuple[dict[str, Any], Any]] = {
    "visitors": ({}, KS),
    "visitors, session variable": ({"session": True}, KS),
    "lines, as the paper": ({"visitor": "line"}, SOME),
    "lines, as the paper, session variable": ({"visitor": "line", "session": True}, SOME),
    "visitors, sessions as records": ({"records": "sessions", "session": True}, FEW),
}
SIZES = (10_000, 100_000, 1_000_000)
Result = dict[str, Any]


def names_of(found: Result) -> list[str]:
    return [name for name, _ in Counter(found["original"]["clicks"]).most_common() if name != OTHERS][:4]


def lines_of(found: Result, way: str, what: str) -> dict[str, list[tuple[float, float]]]:
    """The share of every browser over k, the original being k = 1."""
    names = names_of(found)
    base = "sessions" if what == "marked" else what
    every = {1: shares(found["original"][base], names)}
    every |= {int(k): shares(one[what], names) for k, one in found[way].items()}
    return {name: [(k, 100 * share[name]) for k, share in sorted(every.items())] for name in [*names, OTHERS]}


def plot(found: Result) -> str:
    own, marked = "visitors", "visitors, session variable"
    return charts(
        "Share of each browser, in percent, over k",
        {
            "per click": lines_of(found, own, "clicks"),
            "per session": lines_of(found, own, "sessions"),
            "per session, by variable": lines_of(found, marked, "marked"),
            "per session, k by line (paper)": lines_of(found, "lines, as the paper", "sessions"),
        },
        "k (1: the original)",
    )


def told_browsers(found: Result) -> list[str]:
    names = [*names_of(found), OTHERS]
    steady = []
    for way in WAYS:
        for what in ("clicks", "sessions", "marked"):
            if what == "marked" and "session" not in way:
                continue
            lines = lines_of(found, way, what)
            for sign, measure in (
                ("σ", lambda p: spread([y for _, y in p])),
                ("b", lambda p: slope(*zip(*p, strict=True))),
            ):
                steady.append(
                    (
                        way,
                        what,
                        sign,
                        *(
                            f"{measure(lines[name]):+.3f}" if sign == "b" else f"{measure(lines[name]):.3f}"
                            for name in names
                        ),
                    )
                )
    over = []
    for way, (_, ks) in WAYS.items():
        for k in (k for k in SHOWN if k in ks):
            one, base = found[way][str(k)], found["original"]
            old = {
                what: shares(base["sessions" if what == "marked" else what], names_of(found))
                for what in ("clicks", "sessions", "marked")
            }
            apart = {
                what: f"{100 * moved(old[what], shares(one[what], names_of(found))):.1f}"
                if sum(one[what].values())
                else "–"
                for what in old
            }
            top = list(base["pages"])[:20]
            hits = sum(page in list(one["pages"])[:20] for page in top)
            hours = sorted({*base["hours"], *one["hours"]})
            alike = np.corrcoef([[h.get(hour, 0) for hour in hours] for h in (base["hours"], one["hours"])])[0, 1]
            over.append(
                (
                    way,
                    k,
                    f"{one['classes']:,}",
                    f"{sum(one['sessions'].values()):,}",
                    f"{sum(one['marked'].values()):,}" if one["marked"] else "–",
                    *apart.values(),
                    f"{hits} of 20",
                    f"{alike:.2f}",
                    short(one["cpu"]),
                )
            )
    total = sum(found["original"]["clicks"].values()), sum(found["original"]["sessions"].values())
    ours = {
        what: lines_of(found, "visitors" if what != "marked" else "visitors, session variable", what)
        for what in ("clicks", "sessions", "marked")
    }
    rows = [(k, *(f"{dict(ours[what][name])[k]:.1f}" for what in ours for name in names)) for k in (1, *KS)]
    return [
        f"**Browsers over k** (NavarroArribas2010, Figures 3.1 to 3.5). The real log has {total[0]:,} lines in "
        f"{total[1]:,} sessions. k = 1 is the original. Sessions are found in a release as in the original, by "
        "address, agent and pauses of more "
        'than 30 minutes; by the session variable they are its different marks. "Moved" is the share, in percent, that '
        "went to another browser. Sessions of at least k visitors become one, so counts of sessions fall; the paper's "
        "way keeps more of them because k lines of one visitor may be a group. The plot is docs/images/accesslog.svg.",
        table(
            (
                "k counts",
                "k",
                "classes",
                "sessions",
                "marks",
                "moved per click",
                "per session",
                "by mark",
                "top pages",
                "hours correlate",
                "CPU s",
            ),
            over,
        ),
        "Standard deviation (σ) and slope (b) of the share of each browser over k = 1 to 30 (where k counts lines, "
        "and of sessions as records: over the k that the table above shows, 15, and 1), all times 100, as Table 3.1:",
        table(("k counts", "share of", "", *names), steady),
        "Shares in percent of clicks, of sessions, and of sessions by mark (k counts visitors; by mark: with the "
        "session variable):",
        table(("k", *(f"{what}: {name}" for what in ours for name in names)), rows),
    ]


def told_parsers(found: list[Result]) -> str:
    rows = [
        (
            f["way"],
            f"{f['read']:,}",
            f"{f['lines']:,}",
            f["apachelogs"],
            "–" if f["goaccess"] is None else f["goaccess"],
            met(f["lines"] == f["read"] and not f["apachelogs"] and not f["goaccess"], 1),
            f"{f['classes']:,}",
            f"{f['below']:,}",
            f"{f['alone']:,}",
        )
        for f in found
    ]
    head = ("k counts", "lines that can be read", "lines in the release", "apachelogs 0.6.1: errors")
    head += ("GoAccess 1.7: errors", "same number, no errors", "groups", "of fewer than 5 visitors", "of one visitor")
    text = "**Other programs** read the release of the real log, k = 5; and how many groups of lines are whose:"
    return f"{text}\n\n{table(head, rows)}"


def told_sizes(found: list[Result]) -> list[str]:
    runs = [f for f in found if "peak" in f]
    rows = [
        (
            f["how"], f"{f['lines']:,}", f"{f['written']:,}", f"{f['groups']['count']:,}",
            f["verified"]["smallest_class"], f"{f['kept']['path']['whole']:.0f} %", f"{f['loss']:.3f}",
            short(f["wall"]), short(f["cpu"]), f"{1e6 * f['cpu'] / f['lines']:.0f}", f"{f['peak']:.2f}",
        )
        for f in runs
    ]  # fmt: skip
    own, peer = (next(f for f in found if f["how"] == how) for how in ("read", "apachelogs"))
    small, large = (next(f for f in runs if f["how"] == "lines" and f["lines"] == n) for n in SIZES[1:])
    grown = np.log10(large["cpu"] / small["cpu"])
    aims = [
        ("1,000,000 lines: at most 2 GB", f"{large['peak']:.2f}", met(large["peak"], 2, most=True)),
        (
            "CPU time grows by lines to the power of at most 1.15 (100,000 to 1,000,000)",
            f"{grown:.2f}",
            met(grown, 1.15, most=True),
        ),
        (
            "reading takes no more CPU than apachelogs takes to parse the same lines",
            f"{own['cpu'] / peer['cpu']:.2f} of it",
            met(own["cpu"], peer["cpu"], most=True),
        ),
    ]
    return [
        "**Logs of our own making** (bench/accesslog_made.py says how), k = 5, read, grouped in blocks, written and "
        'recounted from the file, each in a process of its own. "Whole paths" are lines whose path is published as '
        "somebody asked for it.",
        table(
            (
                "records",
                "lines",
                "published",
                "classes",
                "fewest visitors",
                "whole paths",
                "mean loss",
                "wall s",
                "CPU s",
                "µs CPU a line",
                "peak GB",
            ),
            rows,
        ),
        table(("aim", "found", "met"), aims),
    ]

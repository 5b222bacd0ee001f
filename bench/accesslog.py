"""Protected access logs: what usage mining still finds over k, who can read them, and how they grow to a million lines.

    python bench/accesslog.py [--data DIR] [--goaccess PROGRAM] [--only browsers|parsers|sizes]

Browsers per click and per session (Figures 3.1 to 3.5 and Table 3.1 of NavarroArribas2010) for k = 1 to 30 on the real
log of DIR/weblogs, with and without the session variable, k counting visitors (ours) or lines (as the paper does); the
release is read by apachelogs and, if it is named, by GoAccess; logs of our own making (accesslog_made.py) of up to a
million lines, each in a process of its own. Draws docs/images/accesslog.svg. What was measured before stays in
results/accesslog.json, so that parts can be run one by one.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from accesslog_made import write as make_log
from charts import charts
from common import RESULTS, met, section, short, table
from real_sets import data_argument

from taxonym.data.accesslog.lines import read_log
from taxonym.engine.accesslog.clicks import prepare
from taxonym.engine.accesslog.groups import grouped
from taxonym.engine.accesslog.publish import Rule, publish_classes
from taxonym.engine.accesslog.written import Written
from taxonym.engine.machine import Machine
from taxonym.engine.mining_accesslog import Usage, usage
from taxonym.engine.outcome import compare_of
from taxonym.group.registry import GROUPINGS
from taxonym.measure.usage import OTHERS, moved, shares, slope, spread
from taxonym.pipeline import anonymize
from taxonym.plan import Plan

KS = range(2, 31)
SHOWN = (1, 2, 3, 5, 10, 20, 30)
FEW = (2, 5, 10, 20, 30)
WAYS: dict[str, tuple[dict[str, Any], Any]] = {
    "visitors": ({}, KS),
    "visitors, session variable": ({"session": True}, KS),
    "lines, as the paper": ({"visitor": "line"}, KS),
    "lines, as the paper, session variable": ({"visitor": "line", "session": True}, KS),
    "visitors, sessions as records": ({"records": "sessions", "session": True}, FEW),
}
SIZES = (10_000, 100_000, 1_000_000)
PLOT = Path(__file__).resolve().parents[1] / "docs" / "images" / "accesslog.svg"
KEPT = RESULTS / "accesslog.json"
Result = dict[str, Any]


def main() -> None:
    arguments = data_argument(__doc__)
    arguments.add_argument("--goaccess", default="", metavar="PROGRAM")
    arguments.add_argument("--task", nargs=2, help="(for the script itself)")
    given = arguments.parse_args()
    if given.task:
        print(json.dumps(task(Path(given.task[0]), given.task[1])))
        return
    found: Result = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    log = given.data / "weblogs" / "apache_combined_10k_pseudonymised.log.gz"
    with tempfile.TemporaryDirectory() as folder:
        for name, run in {
            "sizes": lambda: sizes(Path(folder)),
            "parsers": lambda: parsers(log, Path(folder), given.goaccess),
            "browsers": lambda: browsers(log, Path(folder)),
        }.items():
            if given.only in name:
                found[name] = run()
                KEPT.write_text(json.dumps(found))
    PLOT.write_text(plot(found["browsers"]), encoding="utf-8")
    parts = [*told_browsers(found["browsers"]), told_parsers(found["parsers"]), *told_sizes(found["sizes"])]
    section(
        "accesslog",
        "Access logs",
        "python bench/accesslog.py --goaccess PROGRAM",
        parts,
        ["numpy", "numba", "ua-parser"],
    )


def cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


# ---------------------------------------------------------------------- browsers over k


def browsers(log: Path, folder: Path) -> Result:
    original = usage(read_log(log))
    found: Result = {"original": counted(original)}
    for way, (shape, ks) in WAYS.items():
        plan = Plan.from_dict({"accesslog": shape})
        clicks = prepare(read_log(log), plan)
        found[way] = {}
        for k in ks:
            plan = Plan.from_dict({"accesslog": shape, "method": {"k": k, "seed": 1}})
            began, rng = cpu(), np.random.default_rng(1)
            groups = grouped(clicks, plan.method, compare_of(plan), GROUPINGS["refined"].form, Machine.of())
            rule = Rule.of(clicks, k, plan.method.known_items)
            Written.of(clicks, groups, rule, publish_classes(clicks, groups, rule, rng), rng).save(
                folder / "out.log", rule
            )
            found[way][k] = counted(usage(read_log(folder / "out.log"))) | {
                "cpu": cpu() - began,
                "classes": groups.classes,
            }
            print(f"{way}, k = {k}: {found[way][k]['cpu']:.1f} CPU s", file=sys.stderr)
    return json.loads(json.dumps(found))


def counted(one: Usage) -> Result:
    return {
        "clicks": one.clicks, "sessions": one.sessions, "marked": one.marked,
        "pages": dict(one.pages.most_common(100)), "hours": {str(h): n for h, n in one.hours.items()},
    }  # fmt: skip


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
        f"**Browsers over k** (NavarroArribas2010, Figures 3.1 to 3.5). The real log has {total[0]:,} lines in {total[1]:,} sessions. "
        "k = 1 is the original. Sessions are found in a release as in the original, by address, agent and pauses of more "
        'than 30 minutes; by the session variable they are its different marks. "Moved" is the share, in percent, that '
        "went to another browser. Sessions of at least k visitors become one, so counts of sessions fall; the paper's way "
        "keeps more of them because its groups are mostly one visitor's. The plot is docs/images/accesslog.svg.",
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
        "Standard deviation (σ) and slope (b) of the share of each browser over k = 1 to 30, all times 100, as Table 3.1:",
        table(("k counts", "share of", "", *names), steady),
        "Shares in percent of clicks, of sessions, and of sessions by mark (k counts visitors; by mark: with the session variable):",
        table(("k", *(f"{what}: {name}" for what in ours for name in names)), rows),
    ]


# ---------------------------------------------------------------------- other programs


def parsers(log: Path, folder: Path, goaccess: str) -> list[Result]:
    from apachelogs import COMBINED, LogParser

    found = []
    for way, (shape, _) in WAYS.items():
        out = folder / "out.log"
        anonymize(log, {"accesslog": shape, "method": {"k": 5, "seed": 1}}).write(out)
        lines = out.read_text().splitlines()
        parser, failed = LogParser(COMBINED), 0
        for line in lines:
            try:
                parser.parse(line)
            except ValueError:
                failed += 1
        result = {"way": way, "lines": len(lines), "read": len(read_log(log)), "apachelogs": failed, "goaccess": None}
        if goaccess:
            command = [
                goaccess,
                str(out),
                "--log-format=COMBINED",
                "--no-global-config",
                "-o",
                str(folder / "out.json"),
            ]
            subprocess.run(command, check=True, capture_output=True)
            general = json.loads((folder / "out.json").read_text())["general"]
            result |= {"goaccess": general["failed_requests"], "goaccess_valid": general["valid_requests"]}
        found.append(result)
    return found


def told_parsers(found: list[Result]) -> str:
    rows = [
        (
            f["way"],
            f"{f['read']:,}",
            f"{f['lines']:,}",
            f["apachelogs"],
            "–" if f["goaccess"] is None else f["goaccess"],
            met(f["lines"] == f["read"] and not f["apachelogs"] and not f["goaccess"], 1),
        )
        for f in found
    ]
    head = (
        "k counts",
        "lines that can be read",
        "lines in the release",
        "apachelogs 0.6.1: errors",
        "GoAccess 1.7: errors",
        "same number, no errors",
    )
    return "**Other programs** read the release of the real log, k = 5:\n\n" + table(head, rows)


# ---------------------------------------------------------------------- a million lines


def task(log: Path, peer: str) -> Result:
    began, wall = cpu(), time.perf_counter()
    if peer == "apachelogs":
        from apachelogs import COMBINED, LogParser

        parser = LogParser(COMBINED)
        lines = sum(parser.parse(line) is not None for line in log.open(encoding="ascii"))
        return {"lines": lines, "cpu": cpu() - began}
    if peer == "read":
        return {"lines": len(read_log(log)), "cpu": cpu() - began}
    release = anonymize(log, {"accesslog": json.loads(peer), "method": {"k": 5, "seed": 1}})
    made, out = cpu() - began, log.with_suffix(".out")
    release.write(out)
    with out.open("rb") as file:
        written = sum(1 for _ in file)
    used = {"cpu": cpu() - began, "wall": time.perf_counter() - wall, "made": made}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    figures = {key: release.report[key] for key in ("groups", "kept", "verified")}
    return {
        "lines": release.report["records"]["published_rows"],
        "written": written,
        "peak": peak,
        **used,
        **figures,
        "loss": release.report["loss"]["mean"],
    }


def sizes(folder: Path) -> list[Result]:
    found = []
    ask(folder, 2_000, "{}")  # compiles
    for lines in SIZES:
        found.append({"how": "lines", **ask(folder, lines, "{}")})
    found.append({"how": "sessions as records", **ask(folder, SIZES[1], '{"records": "sessions", "session": true}')})
    for peer in ("read", "apachelogs"):
        found.append({"how": peer, **ask(folder, SIZES[1], peer)})
    return found


def ask(folder: Path, lines: int, what: str) -> Result:
    log = folder / f"{lines}.log"
    if not log.exists():
        make_log(lines, log)
    command = [sys.executable, __file__, "--task", str(log), what]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "NUMBA_NUM_THREADS": "2"}
    )
    result: Result = json.loads(done.stdout.splitlines()[-1])
    print(f"{lines:,} {what}: {result}", file=sys.stderr)
    return result


def told_sizes(found: list[Result]) -> list[str]:
    runs = [f for f in found if "peak" in f]
    rows = [
        (
            f["how"], f"{f['lines']:,}", f"{f['written']:,}", f"{f['groups']['count']:,}", f["verified"]["smallest_class"], f"{f['kept']['path']['whole']:.0f} %",
            f"{f['loss']:.3f}", short(f["wall"]), short(f["cpu"]), f"{1e6 * f['cpu'] / f['lines']:.0f}", f"{f['peak']:.2f}",
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
        "**Logs of our own making** (bench/accesslog_made.py says how), k = 5, read, grouped in blocks, written and recounted "
        'from the file, each in a process of its own. "Whole paths" are lines whose path is published as somebody asked for it.',
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


if __name__ == "__main__":
    main()

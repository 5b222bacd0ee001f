"""What survives of sessions, line by line and by whole sessions, on a real log and on a Markov site of our own making.

    python bench/accesslog_sessions.py [--data DIR] [--goaccess PROGRAM] [--lines N] [--only NAME]

For k = 2, 3, 5, 10 and both ways (`records = "lines"`, `"sessions"`): how many sessions there are, and how far
transitions, lengths, entry pages, repeats of a page, referrers that are the page before, and errors are from the
original; beside two halves of the original. `bound` is what the support rule alone moves: every transition of the
original raised until k visitors share it. `within` compares a release with that, so at the level that is published.
`cap` is the largest number of sessions of which nobody owns more than 1/k. Every release of sessions is read by
apachelogs and, if it is named, by GoAccess. What was measured stays in a temporary file, so that parts can be run one
by one (`--only site-sessions-5`).
"""

import json
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from accesslog_site import write as make_site
from apachelogs import COMBINED, LogParser
from real_sets import data_argument

from taxonym.measure.browsing import browsing, changes, shift
from taxonym.plan import Plan
from taxonym.run.pipeline import anonymize
from taxonym.shapes.access_log.browsing import LogSessions, halves
from taxonym.shapes.access_log.log_lines import ClickLog, read_log
from taxonym.shapes.access_log.read import prepare
from taxonym.shapes.access_log.sessions.moves import Moves
from taxonym.shapes.access_log.sessions.records import click_parts, session_records

KEPT = Path(tempfile.gettempdir()) / "taxonym-bench-accesslog-sessions.json"
RESULTS = Path(__file__).resolve().parent / "results" / "accesslog_sessions.md"
KS = (2, 3, 5, 10)
WAYS = ("sessions", "lines")
GAP = 30.0
CRAWLERS = (
    "Why referrers are the page before more often in the release: crawlers (9,000 of the 83,550 transitions) send none "
    "and ask for random pages, of which too few visitors share pairs. Of the other transitions of the original, 75.1 % "
    "have the page before as referrer."
)
Found = dict[str, Any]


def main() -> None:
    arguments = data_argument(__doc__)
    arguments.add_argument("--goaccess", default="", metavar="PROGRAM")
    arguments.add_argument("--lines", type=int, default=100_000)
    given = arguments.parse_args()
    found: Found = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        logs = {"real": given.data / "weblogs" / "apache_combined_10k_pseudonymised.log.gz"}
        logs["site"] = Path(folder) / "site.log"
        make_site(given.lines, logs["site"])
        for name, log in logs.items():
            if given.only in f"{name}-halves" and f"{name}-halves" not in found:
                found[f"{name}-halves"] = variation(read_log(log))
            for k in (5, 2, 3, 10):
                for way in WAYS:
                    key = f"{name}-{way}-{k}"
                    if given.only in key and key not in found:
                        found[key] = measured(log, way, k, Path(folder), given.goaccess)
                        KEPT.write_text(json.dumps(found))
                        print(key, json.dumps(found[key]), flush=True)
    KEPT.write_text(json.dumps(found))
    RESULTS.write_text(told(found), "utf-8")


def variation(log: ClickLog) -> Found:
    """How far one half of the visitors is from the other."""
    one, other = halves(LogSessions(log, GAP), np.random.default_rng(1))
    return {"changes": changes(one, other)}


def measured(log: Path, way: str, k: int, folder: Path, goaccess: str) -> Found:
    """One release, mined and read by others."""
    out, begun = folder / f"{way}-{k}.log", time.process_time()
    plan = {"accesslog": {"records": way}, "method": {"k": k, "seed": 1}}
    release = anonymize(log, plan, baselines=False)
    release.write(out)
    spent = time.process_time() - begun
    original = read_log(log)
    own, after = LogSessions(original, GAP), browsing(LogSessions(read_log(out), GAP).seen)
    before = browsing(own.seen)
    raised = bound(original, k)
    found: Found = {
        "cpu_seconds": round(spent, 1),
        "sessions": [before.sessions, after.sessions],
        "cap": cap(own.visitor, k),
        "repeats": [before.repeats / before.moves, after.repeats / max(1, after.moves)],
        "followed": [before.followed / before.moves, after.followed / max(1, after.moves)],
        "failed": [before.failed / before.sessions, after.failed / max(1, after.sessions)],
        "changes": changes(before, after),
        "bound": shift(before.transitions, raised),
        "within": shift(raised, after.transitions),
    }
    if way == "sessions":
        parser, lines = LogParser(COMBINED), out.read_text().splitlines()
        found["apachelogs"] = sum(parser.parse(line) is not None for line in lines) == len(lines)
        if goaccess:
            told = subprocess.run(
                [goaccess, str(out), "--log-format=COMBINED", "-o", "json", "--no-global-config"],
                capture_output=True, check=True, text=True,
            ).stdout  # fmt: skip
            general = json.loads(told)["general"]
            found["goaccess"] = {key: general[key] for key in ("valid_requests", "failed_requests", "unique_visitors")}
            found["lines"] = len(lines)
    return found


def cap(visitor: np.ndarray, k: int) -> int:
    """The largest number of sessions of which nobody owns more than 1/k."""
    many = np.bincount(visitor)
    total = int(many.sum())
    while total and np.minimum(many, total // k).sum() < total:
        total = int(np.minimum(many, total // k).sum())
    return total


def bound(log: ClickLog, k: int) -> Counter[tuple[str, str]]:
    """The transitions of a log, each raised until k visitors made it: the page that lies deeper rises first."""
    records = session_records(prepare(log, Plan.from_dict({"accesslog": {}, "method": {"k": k}})))
    moves, tree = Moves.of(records, k, np.ones(len(records), bool)), records.trees["click"]
    depth, n = tree.tax.depths.tolist(), len(tree)
    found: Counter[tuple[str, str]] = Counter()
    for (a, b), many in Counter(zip(moves.origin.tolist(), moves.target.tolist(), strict=True)).items():
        while a >= 0 and b >= 0 and a * n + b not in moves.follows:
            a, b = (int(tree.parent[a]), b) if depth[a] > depth[b] else (a, int(tree.parent[b]))
        pages = tuple(click_parts(tree.steps[c])[0] if c >= 0 else "-" for c in (a, b))
        found[pages[0], pages[1]] += many
    return found


def told(found: Found) -> str:
    """All that was measured, as tables."""
    parts = [
        "# Sessions of access logs, line by line and whole",
        "`python bench/accesslog_sessions.py --goaccess goaccess`; 2 cores, 24 GiB. Transitions, lengths and entry "
        "pages: the share that moved (total variation). The row *halves* compares two halves of the original's "
        "visitors. *bound*: what the support rule alone moves; *within*: from there to the release. *cap*: the most "
        "sessions of which nobody owns more than 1/k. Sessions are found in both files by address, agent and pause.",
    ]
    for name, title in (
        ("real", "Public log, 9,999 lines"),
        ("site", "Markov site (bench/accesslog_site.py), 100,000 lines"),
    ):
        heads = "records | k | sessions (cap) | transitions | bound | within | lengths | entry pages | same page again"
        heads += " | referrer is the page before | sessions with errors | CPU s"
        rows = [f"| {heads} |", f"|{'---|' * (heads.count('|') + 1)}"]
        if (half := found.get(f"{name}-halves")) is not None:
            c = half["changes"]
            rows.append(
                f"| halves | | | {c['transitions']:.3f} | | | {c['lengths']:.3f} | {c['entry pages']:.3f} | "
                f"{100 * c['same page again']:+.1f} points | {100 * c['referrer is the page before']:+.1f} points | "
                f"{100 * c['sessions with errors']:+.1f} points | |"
            )
        for way in WAYS:
            for k in KS:
                if (one := found.get(f"{name}-{way}-{k}")) is None:
                    continue
                c = one["changes"]
                shares = " | ".join(
                    f"{100 * one[what][0]:.1f} → {100 * one[what][1]:.1f} %"
                    for what in ("repeats", "followed", "failed")
                )
                rows.append(
                    f"| {way} | {k} | {one['sessions'][0]:,} → {one['sessions'][1]:,} ({one['cap']:,}) | "
                    f"{c['transitions']:.3f} | {one['bound']:.3f} | {one['within']:.3f} | {c['lengths']:.3f} | "
                    f"{c['entry pages']:.3f} | {shares} | {one['cpu_seconds']:.0f} |"
                )
        parts += [f"## {title}", "\n".join(rows), *([CRAWLERS] if name == "site" else [])]
    read = [
        f"- {key}: apachelogs {'reads every line' if one['apachelogs'] else 'FAILS'}"
        + (
            f"; GoAccess: {one['goaccess']['valid_requests']:,} of {one['lines']:,} lines valid, "
            f"{one['goaccess']['failed_requests']:,} failed, {one['goaccess']['unique_visitors']:,} visitors"
            if "goaccess" in one
            else ""
        )
        for key, one in found.items()
        if "apachelogs" in one
    ]
    return "\n\n".join([*parts, "## Read by others", "\n".join(read)]) + "\n"


if __name__ == "__main__":
    main()

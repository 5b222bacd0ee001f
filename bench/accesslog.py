"""Protected access logs: what usage mining still finds over k, who can read them, and how they grow to a million lines.

    python bench/accesslog.py [--data DIR] [--goaccess PROGRAM] [--only browsers|parsers|sizes]

Browsers per click and per session (Figures 3.1 to 3.5 and Table 3.1 of NavarroArribas2010) for k = 1 to 30 on the real
log of DIR/weblogs, with and without the session variable, k counting visitors (ours) or lines (as the paper does); the
release is read by apachelogs and, if it is named, by GoAccess; logs of our own making (accesslog_made.py) of up to a
million lines, each in a process of its own. Draws docs/images/accesslog.svg. What was measured stays in a temporary
file, so that parts can be run one by one.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from accesslog_made import write as make_log
from accesslog_told import SIZES, WAYS, Result, plot, told_browsers, told_parsers, told_sizes
from common import section
from real_sets import data_argument

from taxonym.executor.machine import Machine
from taxonym.group.refine import refined
from taxonym.plan import Plan
from taxonym.run.pipeline import anonymize
from taxonym.shapes.access_log.agents import read_agent
from taxonym.shapes.access_log.groups import grouped
from taxonym.shapes.access_log.log_lines import read_log
from taxonym.shapes.access_log.mining import Usage, usage
from taxonym.shapes.access_log.publish import LineSupport, publish_classes
from taxonym.shapes.access_log.read import prepare, visitors_of
from taxonym.shapes.access_log.write import WrittenLines

PLOT = Path(__file__).resolve().parents[1] / "docs" / "images" / "accesslog.svg"
KEPT = Path(tempfile.gettempdir()) / "taxonym-bench-accesslog.json"


def main() -> None:
    arguments = data_argument(__doc__)
    arguments.add_argument("--goaccess", default="", metavar="PROGRAM")
    arguments.add_argument("--task", nargs=2, help="(for the script itself)")
    given = arguments.parse_args()
    if given.task:
        print(json.dumps(task(Path(given.task[0]), given.task[1])))
        return
    found = kept(KEPT)
    log = given.data / "weblogs" / "apache_combined_10k_pseudonymised.log.gz"
    with tempfile.TemporaryDirectory() as folder:
        for name, run in {
            "sizes": lambda: sizes(Path(folder)),
            "parsers": lambda: parsers(log, Path(folder), given.goaccess),
            "browsers": lambda: browsers(log, Path(folder), kept(KEPT.with_suffix(".ways"))),
        }.items():
            if given.only in name:
                result = run()
                found = kept(KEPT) | {name: result}  # another part may have been measured meanwhile
                KEPT.write_text(json.dumps(found))
    if not {"sizes", "parsers", "browsers"} <= set(found):
        return
    KEPT.with_suffix(".ways").unlink(missing_ok=True)
    PLOT.write_text(plot(found["browsers"]), encoding="utf-8")
    parts = [*told_browsers(found["browsers"]), told_parsers(found["parsers"]), *told_sizes(found["sizes"])]
    section(
        "accesslog",
        "Access logs",
        "python bench/accesslog.py --goaccess PROGRAM",
        parts,
        ["numpy", "numba", "ua-parser"],
    )


def kept(file: Path) -> Result:
    """What was measured before."""
    found: Result = json.loads(file.read_text()) if file.exists() else {}
    return found


def cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


# ---------------------------------------------------------------------- browsers over k


def browsers(log: Path, folder: Path, before: Result) -> Result:
    """What is counted for every way and k; a way that was measured before is left as it was."""
    found: Result = {"original": counted(usage(read_log(log)))} | before
    for way, (shape, ks) in WAYS.items():
        if way in found:
            continue
        plan = Plan.from_dict({"accesslog": shape})
        clicks = prepare(read_log(log), plan)
        found[way] = {}
        for k in ks:
            plan = Plan.from_dict({"accesslog": shape, "method": {"k": k, "seed": 1}})
            began, rng = cpu(), np.random.default_rng(1)
            groups = grouped(clicks, plan.method, plan.method.compare, refined, Machine.of())
            rule = LineSupport.of(clicks, k, plan.method.known_items)
            WrittenLines.of(clicks, groups, rule, publish_classes(clicks, groups, rule, rng), rng).save(
                folder / "out.log", rule
            )
            found[way][k] = counted(usage(read_log(folder / "out.log"))) | {
                "cpu": cpu() - began,
                "classes": groups.classes,
            }
            print(f"{way}, k = {k}: {found[way][k]['cpu']:.1f} CPU s", file=sys.stderr)
        KEPT.with_suffix(".ways").write_text(json.dumps(found))
    return json.loads(json.dumps(found))


def counted(one: Usage) -> Result:
    return {
        "clicks": one.clicks, "sessions": one.sessions, "marked": one.marked,
        "pages": dict(one.pages.most_common(100)), "hours": {str(h): n for h, n in one.hours.items()},
    }  # fmt: skip


# ---------------------------------------------------------------------- other programs


def parsers(log: Path, folder: Path, goaccess: str) -> list[Result]:
    from apachelogs import COMBINED, LogParser

    found = []
    original = read_log(log)
    seen = original, [read_agent(text) for text in original.texts["agent"]]
    for way, (shape, _) in WAYS.items():
        out = folder / "out.log"
        release = anonymize(log, {"accesslog": shape, "method": {"k": 5, "seed": 1}})
        release.write(out)
        lines = out.read_text().splitlines()
        parser, failed = LogParser(COMBINED), 0
        for line in lines:
            try:
                parser.parse(line)
            except ValueError:
                failed += 1
        whose, place = visitors_of(*seen, "address+agent"), {row: i for i, row in enumerate(seen[0].row.tolist())}
        visitors = [len({int(whose[place[row + 1]]) for row in group}) for group in release.groups]
        below = {
            "classes": len(visitors),
            "below": sum(n < 5 for n in visitors),
            "alone": sum(n == 1 for n in visitors),
        }
        result = below | {
            "way": way,
            "lines": len(lines),
            "read": len(original),
            "apachelogs": failed,
            "goaccess": None,
        }
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


if __name__ == "__main__":
    main()

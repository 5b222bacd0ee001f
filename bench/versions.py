"""The same work by two versions of Taxonym, in turn: python bench/versions.py OLD [--rounds N]

OLD is a checkout of the version before (git worktree add ../old TAG). Both run with this Python and its packages, each
with its own compiled kernels, which a small run fills first. Every job is the whole command, from the file to the
verified release with its report: CPU seconds of the process and its children, peak memory. The versions take turns, so
that a busy machine slows both; of the rounds the least CPU time counts.
"""

import argparse
import csv
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import accesslog_made
import numpy as np
import querylog_made
from common import met, section, short, table

import taxonym

NEW = Path(__file__).resolve().parents[1]
SLOWER = 1.05  # at most so much of the old version's time, unless asked otherwise
SIZES = {"sets": 100_000, "query log": 500_000, "access log": 100_000}
SMALL = 200  # times fewer, for warming up
LINES_OF_A_USER = 15  # in the made query log
PLAN = """[columns.basket]
role = "quasi-identifier"
kind = "set"
taxonomy = "wordnet"
[method]
k = 5
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("old", type=Path, help="a checkout of the version before")
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("--jobs", nargs="*", default=list(SIZES), choices=SIZES)
    arguments.add_argument("--times-fewer", type=int, default=1, help="smaller inputs")
    arguments.add_argument("--most", type=float, default=SLOWER, help="times the old version's CPU time")
    arguments.add_argument("--section", default="versions", help="under which name the result is kept")
    options = arguments.parse_args()
    rows = []
    with TemporaryDirectory() as made:
        folder = Path(made)
        for job in options.jobs:
            ready, source = folder / f"small {job}", folder / job
            make(job, ready, SIZES[job] // SMALL)
            make(job, source, SIZES[job] // options.times_fewer)
            runs: dict[Path, list[tuple[float, float]]] = {}
            for version in (options.old.resolve(), NEW):
                run(version, job, ready, folder)
                runs[version] = []
            for _ in range(options.rounds):
                for version, found in runs.items():
                    found.append(run(version, job, source, folder))
            (old, old_memory), (new, new_memory) = (
                (min(cpu for cpu, _ in found), max(memory for _, memory in found)) for found in runs.values()
            )
            rows.append(
                [job, f"{SIZES[job] // options.times_fewer:,}", short(old), short(new), f"{new / old:.2f}",
                 met(new / old, options.most, most=True), short(old_memory), short(new_memory),
                 f"{new_memory / old_memory:.2f}"]
            )  # fmt: skip
    head = ["input", "records or lines", "CPU s, old", "CPU s, new", "new/old", f"≤ {options.most}", "GB, old",
            "GB, new", "new/old"]  # fmt: skip
    fewer = f" --times-fewer {options.times_fewer}" if options.times_fewer > 1 else ""
    section(
        options.section,
        "The version before and this one",
        f"python bench/versions.py OLD --rounds {options.rounds}{fewer}",
        [f"OLD is {version_of(options.old)}; this is {taxonym.__version__}. k = 5, whole command.", table(head, rows)],
    )


def make(job: str, path: Path, size: int) -> None:
    """An input of about so many records or lines."""
    if job == "query log":
        querylog_made.write_log(path, size // LINES_OF_A_USER)
    elif job == "access log":
        accesslog_made.write(size, path)
    else:
        tax, rng = taxonym.load("wordnet"), np.random.default_rng(1)
        words = [tax.labels(int(code))[0] for code in rng.choice(len(tax), 2_000, replace=False)]
        with path.open("w", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["basket"])
            lines.writerows([";".join(words[int(i)] for i in rng.zipf(1.3, 5) % len(words))] for _ in range(size))


def run(version: Path, job: str, source: Path, folder: Path) -> tuple[float, float]:
    """CPU seconds and gigabytes of a command."""
    plan = folder / "plan.toml"
    plan.write_text(PLAN)
    given = source.with_suffix({"sets": ".csv", "query log": ".tsv", "access log": ".log"}[job])
    if not given.exists():
        given.hardlink_to(source)
    how = ["--plan", str(plan)] if job == "sets" else ["--kind", job.replace(" ", "")]
    out = folder / f"release{given.suffix}"
    command = [sys.executable, "-m", "taxonym", "anonymize", str(given), "-o", str(out), "-k", "5", "--seed", "1"]
    where = {"PYTHONPATH": str(version / "src"), "XDG_CACHE_HOME": str(folder / "cache" / version.name)}
    where["NUMBA_CACHE_DIR"] = where["XDG_CACHE_HOME"]
    process = subprocess.Popen(
        [*command, *how], env=os.environ | where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{version}: {job}: exit code {os.waitstatus_to_exitcode(status)}")
    for file in folder.glob("release*"):
        file.unlink()
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20


def version_of(checkout: Path) -> str:
    """What a checkout calls itself, and its commit."""
    commit = subprocess.run(["git", "-C", checkout, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return f"commit {commit.stdout.strip()}"


if __name__ == "__main__":
    main()

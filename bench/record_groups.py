"""Distances between records and groups of them: how long, how much memory, and how good?

    python bench/record_groups.py --prototypes DIR [--sizes 1000,2000,5000,10000,20000,50000]

Synthetic records of about 20 WordNet nouns each, drawn from a few of 400 topics (parts of WordNet) and, one in seven,
from anywhere. Every line is measured in a process of its own (record_tasks.py). The prototypes are the experiments
behind this code (semscale.py, simd.py), on the same data in the same run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from common import met, section, short, table
from record_tasks import TIMES, K, Result

HERE = Path(__file__).parent
SIZES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000]
N = 10_000


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--prototypes", type=Path, required=True, metavar="DIR", help="folder with semscale.py")
    arguments.add_argument("--sizes", default=",".join(map(str, SIZES)))
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as fresh:
        ask = Asker(given.prototypes.resolve(), fresh)
        cold, warm = ask("cold", N), ask("cold", N)
        race, loop, quality, measures = (ask(task, N) for task in ("race", "loop", "quality", "measures"))
        growth = [ask("growth", int(n)) for n in given.sizes.split(",")]
    section(
        "record_groups",
        "Distances between sets, and groups",
        "python bench/record_groups.py --prototypes DIR",
        [
            "CPU seconds, user and system together, one thread. System time is mostly first touches of memory, which "
            "vary between machines (and runs) more than the rest; user seconds are therefore given beside them.",
            f"### {N:,} records of ~20 WordNet nouns, min-sum over jaccard, mdav k = {K}",
            race_table(race, loop, cold, warm),
            f"The plain loop is measured on all pairs of {loop['n']:,} records, with the distances between all their "
            f"concepts at hand, and scaled by the number of pairs to {N:,}; mdav is not in it.",
            "### Growth",
            "Each line is one call in a new process (compiled code is at hand), so that all memory is touched for the "
            "first time; above, the best of several calls is given.",
            growth_table(growth),
            f"### Refined groups: ΣD and seconds at n = {N:,}",
            quality_table(quality),
            f"### Every aggregation and measure at n = {measures['n']:,}, distances only, CPU seconds",
            measures_table(measures),
        ],
    )


class Asker:
    """Runs tasks in processes of their own, with a compile cache that is empty at first."""

    def __init__(self, prototypes: Path, cache: str) -> None:
        self.prototypes, self.cache = prototypes, cache

    def __call__(self, task: str, n: int) -> Result:
        print(f"{task} {n:,} …", file=sys.stderr)
        done = subprocess.run(
            [sys.executable, str(HERE / "record_tasks.py"), task, str(n), str(self.prototypes)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            env={**os.environ, "NUMBA_CACHE_DIR": self.cache, "NUMBA_NUM_THREADS": "1"},
        )
        result: Result = json.loads(done.stdout.splitlines()[-1])
        return result


# ---------------------------------------------------------------------- tables


def race_table(race: Result, loop: Result, cold: Result, warm: Result) -> str:
    mine, theirs = sum(race["ours"] + race["mdav"]), sum(race["theirs"] + race["their mdav"])
    user = (race["ours"][0] + race["mdav"][0]) / (race["theirs"][0] + race["their mdav"][0])
    slow = loop["scaled"] / sum(race["ours"])

    def line(name: str, seconds: list[float], ratio: str = "", verdict: str = "") -> tuple[str, str, str, str, str]:
        return name, short(sum(seconds)), short(seconds[0]), ratio, verdict

    same = "the same numbers" if race["same"] else "**other numbers**"
    wall = f"wall {short(race['wall'])} s on all cores"
    kept = met(max(mine / theirs, user), 1.5, most=True)
    return table(
        (f"best of {TIMES}, by turns", "CPU s", "user s", "taxonym is", "target"),
        [
            line("taxonym distances", race["ours"], wall),
            line("taxonym mdav", race["mdav"]),
            line(f"prototype distances ({same})", race["theirs"]),
            line("prototype mdav", race["their mdav"]),
            ("both steps", "", "", f"{mine / theirs:.2f} × its time (user {user:.2f})", f"≤ 1.5: {kept}"),
            ("plain numba loop, scaled", short(loop["scaled"]), "", f"{slow:.0f} × faster", f"≥ 50: {met(slow, 50)}"),
            ("largest difference from that loop", f"{loop['error']:.1e}", "", "", ""),
            line("first call, nothing compiled yet: distances and mdav", cold["distances and mdav"]),
            line("… and refined", cold["refined"]),
            line("first call in a later process", warm["distances and mdav"]),
            line("… and refined", warm["refined"]),
        ],
    )


def growth_table(growth: list[Result]) -> str:
    rows = []
    for g in growth:
        pairs = g["n"] ** 2 / 2 / g["distances"][0] / 1e6
        small = f"≤ 2.5: {met(g['peak'], 2.5, most=True)}" if g["n"] == 20_000 else ""
        seconds = [f"{short(sum(g[what]))} ({short(g[what][0])})" for what in ("distances", "mdav")]
        rows.append((f"{g['n']:,}", *seconds, short(pairs), f"{g['peak']:.2f}", f"{g['matrix'] / 1024**3:.2f}", small))
    head = ("records", "distances, CPU (user) s", "mdav", "M pairs/user s", "peak GB", "of which matrix", "target")
    return table(head, rows)


def quality_table(quality: Result) -> str:
    rows = []
    for f in quality["found"]:
        more = sum(f["refined"]) - sum(f["mdav"])
        verdict = f"≥ 15 % less: {met(1 - f['ratio'], 0.15)}" if f["k"] == 5 else ""
        least, most = f["sizes"]
        rows.append((f["k"], f"{f['ratio'] - 1:+.1%}", short(sum(f["mdav"])), short(more), f"{least}–{most}", verdict))
    return table(("k", "ΣD against mdav", "mdav, CPU s", "refined, more CPU s", "sizes", "target"), rows)


def measures_table(measures: Result) -> str:
    found, ways = measures["found"], measures["aggregations"]
    return table(("", *ways), [(m, *(short(found[f"{m} {a}"]) for a in ways)) for m in measures["measures"]])


if __name__ == "__main__":
    main()

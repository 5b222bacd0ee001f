"""What does a protected query log still tell, and what does it take? Figures 3.6 to 3.9 of NavarroArribas2010.

    python bench/querylog.py [made|excite|many] [--data DIR] [--users 5000] [--many 100000]

Two logs: Excite of 16 September 1997 (real; hardly any whole query is shared by five users, so words are followed, and
only those shown that ten users wrote), and one made by querylog_made.py. For k = 3 to 50: the most frequent queries and
words; clusterings of users before and after, on our distance and on words without meaning, with the agreement of two
clusterings of the original. For k = 5 also other ways to group and to choose. Then a whole run for very many users, in
a process of its own. Also draws docs/images/querylog-*.svg.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts import charts
from common import met, section, table
from querylog_made import write_log
from real_sets import BESIDE

from taxonym.plan import Plan
from taxonym.run.pipeline import anonymize
from taxonym.shapes.mining import Mining
from taxonym.shapes.query_log.mining import mine
from taxonym.shapes.table.reread import Trail

KS = (3, 5, 10, 20, 30, 50)
CLUSTERS = (2, 10, 50, 100, 200, 300, 400, 500)
SHOWN = 5  # lines in a picture
LEAST = {"made": 3, "excite": 10}  # users who wrote what is shown: of real people's words only what many wrote
PARTS = ("made", "excite", "many")
COMMAND, PACKAGES = "python bench/querylog.py", ("numpy", "polars")
MEMORY = 4.0  # GB for 100,000 users
IMAGES = Path(__file__).parents[1] / "docs" / "images"


@dataclass
class Run:
    """One release, and what mining finds in it."""

    loss: float
    random: float
    users: int
    lines: int
    classes: int
    mined: dict[str, Any]

    def table(self, name: str) -> list[list[Any]]:
        found = next(one for one in self.mined["tables"] if one["name"] == name)
        return [list(row) for row in found["rows"]]

    def frequency(self, what: str) -> dict[str, Any]:
        found: dict[str, Any] = self.mined["frequencies"][what]
        return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("part", nargs="*", default=PARTS, help="only these sections")
    arguments.add_argument("--data", type=Path, default=BESIDE, metavar="DIR", help="folder of the real data")
    arguments.add_argument("--users", type=int, default=5_000, help="of the made log")
    arguments.add_argument("--many", type=int, default=100_000, help="users of the whole run")
    arguments.add_argument("--task", type=Path, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.task:
        print(json.dumps(task(given.task)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "made" in given.part:
            lines = write_log(folder / "made.tsv", given.users)
            about = f"Made by `bench/querylog_made.py`: {given.users:,} users, {lines:,} lines."
            log_section("made", "a made log", folder / "made.tsv", about, folder)
        if "excite" in given.part:
            path = given.data / "queries" / "excite1997_small_rekeyed.tsv"
            about = "Excite, 16 September 1997: 4,501 lines of 891 users; who has no concept is left out."
            log_section("excite", "Excite", path, about, folder)
        if "many" in given.part:
            lines = write_log(folder / "many.tsv", given.many)
            parts = [whole_run(large(folder / "many.tsv"), given.many, lines)]
            section("querylog_many", "Query logs: very many users", f"{COMMAND} many", parts, PACKAGES)


def log_section(name: str, title: str, path: Path, about: str, folder: Path) -> None:
    found = {k: run(path, {"k": k}, {}, folder) for k in KS}
    draw(name, title, found)
    parts = [about, *told(name, found, other_ways(path, folder))]
    section(f"querylog_{name}", f"Query logs: what is still found in {title}", f"{COMMAND} {name}", parts, PACKAGES)


def run(
    path: Path, method: dict[str, Any], shape: dict[str, Any], folder: Path, clusters: Sequence[int] = CLUSTERS
) -> Run:
    plan = Plan.from_dict({"querylog": shape, "method": {"seed": 1} | method})
    release = anonymize(str(path), plan, baselines=False)
    release.write(folder / "release.tsv")
    release.write_trail(folder / "trail.jsonl")
    asked = Mining(clusters=tuple(clusters), runs=2, seed=1)
    mined = mine(str(path), str(folder / "release.tsv"), plan, Trail(folder / "trail.jsonl"), asked)
    loss, records = release.report["loss"], release.report["records"]
    return Run(
        loss["mean"], loss["mean_to_a_random_record"], records["published_persons"], records["published_rows"],
        release.report["verified"]["classes"], mined,
    )  # fmt: skip


def other_ways(path: Path, folder: Path) -> dict[str, Run]:
    ways: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "as it is by default": ({}, {}),
        "known_items = 1": ({"known_items": 1}, {}),
        'choice = "meaning"': ({}, {"choice": "meaning"}),
        'grouping = "syntax"': ({}, {"grouping": "syntax"}),
        'method "mdav"': ({"name": "mdav"}, {}),
    }
    return {name: run(path, {"k": 5} | method, shape, folder, (10, 50, 100)) for name, (method, shape) in ways.items()}


# ---------------------------------------------------------------------- very many users


def task(path: Path) -> dict[str, float]:
    """A whole run, from the file to the verified release, and its verification from the files."""
    began, cpu = time.perf_counter(), time.process_time()
    plan = Plan.from_dict({"querylog": {}, "method": {"k": 5, "seed": 1}})
    release = anonymize(str(path), plan, baselines=False)
    release.write(path.with_name("many-release.tsv"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return {
        "wall": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "peak": peak,
        "loss": release.report["loss"]["mean"],
        "random": release.report["loss"]["mean_to_a_random_record"],
        "blocks": release.report["groups"]["blocks"]["count"],
        "users": release.report["records"]["published_persons"],
        "lines": release.report["records"]["published_rows"],
    }


def large(path: Path) -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, "--task", path], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def whole_run(found: dict[str, float], users: int, lines: int) -> str:
    return (
        f"**{users:,} users** (made log, {lines:,} lines), k = 5, from the file to the verified release, without "
        f"baselines: {found['cpu']:.0f} s of CPU ({found['wall']:.0f} s on a busy machine), peak memory "
        f"{found['peak']:.2f} GB (limit {MEMORY:g}: {met(found['peak'], MEMORY, most=True)}); "
        f"{found['users']:,} users published in {found['blocks']:,} blocks, {found['lines']:,} lines, mean loss "
        f"{found['loss']:.3f} (a random record: {found['random']:.3f})."
    )


# ---------------------------------------------------------------------- tables and pictures


def told(name: str, runs: dict[int, Run], ways: dict[str, Run]) -> list[str]:
    first = runs[LEAST[name]]
    parts = []
    for what, figure in (("queries", "3.6"), ("words", "3.7")):
        names = [row[0] for row in first.table(what)]
        by_k = {k: {row[0]: row for row in one.table(what)} for k, one in runs.items()}
        rows = []
        for query in names:
            shown = [f"{by_k[k][query][2]:.2f}" if query in by_k[k] else "–" for k in KS]
            rows.append([query, f"{by_k[LEAST[name]][query][1]:.2f}", *shown])
        if rows:
            parts.append(
                f"The most frequent {what} that at least k users wrote (Figure {figure}), lines per 100 users:"
            )
            parts.append(table([what, "k = 1", *(f"k = {k}" for k in KS)], rows))
    heads = ["k", "users", "lines", "classes", "mean loss", "random record"]
    heads += ["queries counted", "top 10 kept", "TV", "words counted", "top 10 kept", "TV"]
    parts.append(table(heads, [[k, *_figures(one)] for k, one in runs.items()]))
    for what, about in (
        ("clusters", "our distance (k-medoids)"),
        ("clusters_by_words", "words without meaning (k-means)"),
    ):
        rows = []
        for k, one in runs.items():
            for row in one.table(what):
                rows.append([k, row[0], *(f"{value:.3f}" for value in row[1:])])
        kept = [row for row in rows if row[0] in (3, 10, 50) and row[1] in (2, 10, 50, 100, 300, 500)]
        parts.append(f"Clusters of users before and after (Figure 3.8), on {about}:")
        heads = [
            "k",
            "clusters",
            "Rand",
            "Jaccard",
            "adjusted Rand",
            "ceiling Rand",
            "ceiling Jaccard",
            "ceiling adjusted",
        ]
        parts.append(table(heads, kept))
    parts.append("The difference between k = 3 and k = 50 (Figure 3.9), on our distance:")
    pairs = zip(runs[3].table("clusters"), runs[50].table("clusters"), strict=True)
    rows = [[a[0], *(f"{a[i] - b[i]:+.3f}" for i in (1, 2, 3))] for a, b in pairs]
    parts.append(table(["clusters", "Rand", "Jaccard", "adjusted Rand"], rows))
    parts.append(
        "Other ways, k = 5; agreement is the adjusted Rand index for 50 clusters, on our distance and on words:"
    )
    heads = ["way", "users", "lines", "classes", "mean loss", "random record"]
    heads += ["queries counted", "top 10 kept", "TV", "words counted", "top 10 kept", "TV", "by meaning", "by words"]
    rows = []
    for way, one in ways.items():
        agreed = [f"{next(r for r in one.table(t) if r[0] == 50)[3]:.3f}" for t in ("clusters", "clusters_by_words")]
        rows.append([way, *_figures(one), *agreed])
    parts.append(table(heads, rows))
    return parts


def _figures(one: Run) -> list[str]:
    found = [f"{one.users:,}", f"{one.lines:,}", f"{one.classes:,}", f"{one.loss:.3f}", f"{one.random:.3f}"]
    for what in ("queries", "words"):
        figures = one.frequency(what)
        found += [f"{figures['counted']:,}", f"{figures['still_on_top']} of {figures['on_top']}"]
        found.append(f"{figures['total_variation']:.3f}" if figures["counted"] else "–")
    return found


def draw(name: str, title: str, runs: dict[int, Run]) -> None:
    """The figures of the paper, for our logs."""
    for what in ("queries", "words"):
        lines: dict[str, list[tuple[float, float]]] = {}
        for row in runs[LEAST[name]].table(what)[:SHOWN]:
            lines[row[0]] = [(1, row[1])]
            for k in KS:
                after = {other[0]: other[2] for other in runs[k].table(what)}
                if row[0] in after:
                    lines[row[0]].append((k, after[row[0]]))
        if lines:
            about = f"{title.capitalize()}: {what}, lines per 100 users"
            (IMAGES / f"querylog-{what}-{name}.svg").write_text(charts(about, {about: lines}, "k"), encoding="utf-8")
    shown = {}
    for index, which in ((1, "Rand"), (2, "Jaccard"), (3, "adjusted Rand")):
        shown[which] = {
            f"k = {k}": [(r[0], max(0.0, r[index])) for r in runs[k].table("clusters")] for k in (3, 10, 50)
        }
        shown[which]["original, twice"] = [(r[0], max(0.0, r[index + 3])) for r in runs[3].table("clusters")]
    picture = charts(f"Clusters of users before and after, {title}", shown, "clusters")
    (IMAGES / f"querylog-clusters-{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()

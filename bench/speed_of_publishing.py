"""How much of a run is publishing? Whole runs beside their groups, before and now.

    python bench/speed_of_publishing.py --before CHECKOUT [--data DIR] [--records 20000] [--only NAME]

Whole runs without baselines: records of 20 unrelated leaf concepts of WordNet, where nothing is shared and the search
for what to publish has most to do, at once and in blocks; and Adult, 30,162 complete rows of 8 nominal columns, method
mdav. Each version runs in a process of its own with compiled kernels of its own, first a small run that compiles.
Groups are the steps that progress calls distances and groups.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from common import met, section, short, table
from meaning_run import cpu

HERE = Path(__file__).resolve().parents[1]
BESIDE = HERE.parent / "shared" / "data"
K, ITEMS = 5, 20
TIMES_GROUPS, ADULT_SECONDS = 12.0, 8.0  # the aims
ADULT_BEFORE = 22.0  # CPU seconds of the version before where the aim was set: another machine needs the ratio
GROUPS = ("distances of", "groups of")
COLUMNS = ["workclass", "education", "marital-status", "occupation", "relationship", "race", "sex", "native-country"]
Result = dict[str, Any]


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        run(Path(sys.argv[2]))
        return
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--before", type=Path, metavar="CHECKOUT", help="a checkout of the version before")
    arguments.add_argument("--data", type=Path, default=BESIDE, metavar="DIR", help="folder of the real data")
    arguments.add_argument("--records", type=int, default=20_000, help="of unrelated concepts")
    arguments.add_argument("--only", default="", metavar="NAME", help="only the run whose name holds this")
    given = arguments.parse_args()
    versions = ([("before", given.before.resolve())] if given.before else []) + [("now", HERE)]
    found = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in ("sets", "sets in blocks", "Adult"):
            if given.only not in name:
                continue
            job = folder / name
            job.mkdir()
            frame, plan = adult(given.data, folder) if name == "Adult" else sets(given.records, "blocks" in name)
            frame.write_parquet(job / "table.parquet")
            (job / "plan.json").write_text(json.dumps(plan))
            for version, checkout in versions:
                found.append({"name": name, "n": len(frame), "version": version} | ask(job, version, checkout, folder))
                print(found[-1], file=sys.stderr, flush=True)
    section("speed_of_publishing", "Publishing beside grouping", f"python {COMMAND} --before CHECKOUT", text(found))


COMMAND = "bench/speed_of_publishing.py"


# ---------------------------------------------------------------------- data


def sets(n: int, in_blocks: bool) -> tuple[pl.DataFrame, Result]:
    """Records of leaves of WordNet, all alike likely, by names that mean nothing else."""
    import taxonym

    tax, random = taxonym.load("wordnet"), np.random.default_rng(7)
    leaves = [c for c in tax.descendants(tax.code("entity.n.01")) if not tax.children(c) and not tax.is_instance(c)]
    # in small letters only, since others are read as names of something else
    names = [label for c in leaves if (label := tax.label(c)).isalpha() and label.islower() and tax.codes(label) == [c]]
    cells = [[names[i] for i in random.choice(len(names), ITEMS, replace=False)] for _ in range(n)]
    words = {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}
    blocks = {"blocks": "always"} if in_blocks else {}
    return pl.DataFrame({"words": cells}), {"columns": {"words": words}, "method": {"k": K, "seed": 1} | blocks}


def adult(data: Path, folder: Path) -> tuple[pl.DataFrame, Result]:
    from generalize import HIERARCHIES, NAMES, ladder

    with gzip.open(data / "adult" / "adult.data.gz", "rt") as file:
        rows = [line.strip().split(", ") for line in file if "?" not in line and line.strip()]
    columns: dict[str, Result] = {name: {"role": "quasi-identifier", "kind": "nominal"} for name in COLUMNS}
    for name in set(COLUMNS) & set(HIERARCHIES):
        ladders = [ladder(name, value)[:-1] for value in HIERARCHIES[name]]
        edges = {pair: None for rungs in ladders for pair in zip(rungs, [*rungs[1:], "anything"], strict=True)}
        (folder / f"{name}.csv").write_text("child,parent\n" + "".join(f'"{a}","{b}"\n' for a, b in edges))
        columns[name]["taxonomy"] = str(folder / f"{name}.csv")
    frame = pl.DataFrame(rows, schema=NAMES, orient="row").select(COLUMNS)
    return frame, {"columns": columns, "method": {"name": "mdav", "k": K, "seed": 1}}


# ---------------------------------------------------------------------- running a version


class Steps:
    """CPU seconds of every step that progress tells of."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self.step, self.since = "the rest", cpu()

    def start(self, what: str, total: int | None = None) -> None:
        now = cpu()
        self.spent[self.step] = self.spent.get(self.step, 0.0) + now - self.since
        self.step, self.since = what, now

    def advance(self, done: int = 1) -> None:
        pass

    def finish(self) -> None:
        self.start("the rest")


def run(job: Path) -> None:
    """In a process of the version that is measured."""
    import taxonym

    warnings.simplefilter("ignore")
    plan, frame = json.loads((job / "plan.json").read_text()), pl.read_parquet(job / "table.parquet")
    with suppress(taxonym.errors.TaxonymError):  # so few rows may be refused; it is for compiling
        taxonym.anonymize(frame.head(300), plan, baselines=False, workers=1)
    began, steps = cpu(), Steps()
    release = taxonym.anonymize(frame, plan, baselines=False, progress=steps, workers=1)
    whole = cpu() - began
    steps.finish()
    groups = sum(seconds for step, seconds in steps.spent.items() if step.startswith(GROUPS))
    peak = resource_peak()
    told = {"whole": whole, "groups": groups, "peak": peak, "steps": steps.spent, "verdict": release.report["verdict"]}
    print(json.dumps(told | {"code": taxonym.__file__}))


def resource_peak() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2  # GB; Linux counts in kB


def ask(job: Path, version: str, checkout: Path, folder: Path) -> Result:
    print(f"{job.name}, {version} …", file=sys.stderr, flush=True)
    place = {"PYTHONPATH": str(checkout / "src"), "XDG_CACHE_HOME": str(folder / f"cache of {version}")}
    command = [sys.executable, __file__, "--run", str(job)]
    ended = subprocess.run(command, env=os.environ | place, stdout=subprocess.PIPE, text=True, check=True)
    found: Result = json.loads(ended.stdout.splitlines()[-1])
    assert Path(found["code"]).is_relative_to(checkout), "an installed version must not answer for the checkout"
    if not found["groups"]:
        raise SystemExit(f"{checkout}: no step is called {' or '.join(GROUPS)} …, but {', '.join(found['steps'])}.")
    return found


# ---------------------------------------------------------------------- telling


def text(found: list[Result]) -> list[str]:
    rows, aims, steps = [], [], []
    for f in found:
        times = f["whole"] / f["groups"]
        rows.append((f["name"], f"{f['n']:,}", f["version"], short(f["groups"]), short(f["whole"]), f"{times:.1f}",
                     f"{f['peak']:.2f}"))  # fmt: skip
        if f["name"] != "Adult":
            aims.append((f"{f['name']}, {f['version']}: whole run ≤ {TIMES_GROUPS:.0f} × its groups", f"{times:.1f}",
                         met(times, TIMES_GROUPS, most=True)))  # fmt: skip
        else:
            aims.append((f"Adult, {f['version']}: whole run ≤ {ADULT_SECONDS:.0f} CPU s", short(f["whole"]),
                         met(f["whole"], ADULT_SECONDS, most=True)))  # fmt: skip
            before = [other["whole"] for other in found if (other["name"], other["version"]) == ("Adult", "before")]
            if before and f["version"] == "now":
                share, most_share = f["whole"] / before[0], ADULT_SECONDS / ADULT_BEFORE
                aims.append((f"Adult: now ≤ {ADULT_SECONDS:.0f}/{ADULT_BEFORE:.0f} = {most_share:.2f} of before",
                             f"{share:.2f}", met(share, most_share, most=True)))  # fmt: skip
        most = sorted(f["steps"].items(), key=lambda step: -step[1])[:6]
        steps.append(f"- {f['name']}, {f['version']}: " + "; ".join(f"{what} {short(s)}" for what, s in most))
    return [
        f"Whole runs with k = {K}, one worker, no baselines, from a table in memory to the proved release with its "
        f"report. `sets`: {ITEMS} leaves of WordNet a record, drawn alike from all; Adult: 8 nominal columns, mdav.",
        table(("data", "records", "version", "groups, CPU s", "whole, CPU s", "whole / groups", "peak GB"), rows),
        table(("aim", "found", "met"), aims),
        f"The aim for Adult was set on a machine where the version before took {ADULT_BEFORE:.0f} CPU s; where it "
        "takes less, the share of before says whether it is met.",
        "CPU seconds of the longest steps, as progress calls them:",
        "\n".join(steps),
    ]


if __name__ == "__main__":
    main()

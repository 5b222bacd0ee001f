"""What does each rule of publishing cost? Loss, rows kept and what is published, before and after, rule by rule.

    python bench/protection_cost.py --before CHECKOUT [--data DIR] [-k 3,5,10] [--only NAME] [--rows N]

CHECKOUT is a checkout of the version before; both versions run with this Python and its packages, each with compiled
kernels of its own, and get the same table and plan. A rule is taken away by what the plan says: one item known instead
of two, numbers rounded or as means or left out, confidential values exact. Everything is measured here, from the
releases, the originals and the trails, by the same lines for both versions; holders are counted by tests/checker.py.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import polars as pl
from common import section, short, table
from protection_sources import Setting, Source, settings, sources
from real_sets import BESIDE

HERE = Path(__file__).resolve().parents[1]
ENOUGH, ROUNDS = 2.0, 5  # short runs are taken so often, within so many CPU seconds; the least counts
SLOWER = 1.3  # at most so many times the CPU time of the version before


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        run(*map(Path, sys.argv[2:]))
        return
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--before", type=Path, metavar="CHECKOUT", help="a checkout of the version before")
    arguments.add_argument("--data", type=Path, default=BESIDE, metavar="DIR", help="folder of the real data")
    arguments.add_argument("-k", default="3,5,10", metavar="K,K,…")
    arguments.add_argument("--only", default="", metavar="NAME", help="only the data whose name holds this")
    arguments.add_argument("--rows", type=int, default=10_000, help="of each table at most")
    given = arguments.parse_args()
    sys.path.insert(0, str(HERE))
    versions = ([("before", given.before.resolve())] if given.before else []) + [("now", HERE)]
    parts = [ABOUT]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for source in sources(given.data, folder, given.only, given.rows):
            lines = [
                measured(source, setting, k, name, checkout, folder)
                for k in map(int, given.k.split(","))
                for setting in settings(source.plan)
                for name, checkout in versions
                if name == "now" or not setting.is_new
            ]
            parts += [f"### {source.name}", source.told, *tables(lines)]
            print("\n".join(parts[-3:]), file=sys.stderr, flush=True)
    section("protection_cost", "What each rule costs", "python bench/protection_cost.py --before CHECKOUT", parts)


ABOUT = (
    "The same table and plan by the version before and by this one, then this one with a rule taken away. Loss: for "
    "words the min-sum distance by jaccard between what a record says and what is published for it; for numbers and "
    "dates the distance to the published number or the middle of the published range, as a share of the column's; "
    "for other values whether they changed. An emptied cell and a suppressed record count 1, every row counts "
    "alike; `loss, report`: the figure of the report, whose weights may be others. `confidential changed`: "
    "published cells that differ from the original. `rare pairs`: pairs of published items of a class that fewer "
    "than k persons of the release hold in one record, of all such pairs; `with a number`: those of a word with a "
    "number or a date. `width`: mean width of the ranges, as a share of the column's. CPU seconds of the whole "
    "call, from the table to the proved release with its report, without the groups by equal words."
)


# ---------------------------------------------------------------------- running a version


def run(job: Path, out: Path) -> None:
    """In a process of the version that is measured: a small run that compiles, then the whole one."""
    import warnings

    import taxonym

    warnings.simplefilter("ignore")
    plan = json.loads((job / "plan.json").read_text())
    frame = pl.read_parquet(job / "table.parquet")
    with suppress(taxonym.errors.TaxonymError):  # so few rows may be refused; what is measured is the whole
        taxonym.anonymize(frame.head(400), plan, baselines=False)
    seconds: list[float] = []
    while not seconds or (sum(seconds) < ENOUGH and len(seconds) < ROUNDS):
        began = cpu()
        release = taxonym.anonymize(frame, plan, baselines=False)
        seconds.append(cpu() - began)
    release.table.write_parquet(out / "release.parquet")
    told = release.report.get("loss") or {}
    loss = told.get("mean") if isinstance(told, dict) else None
    trail = {"records": release.trail()["records"], "seconds": min(seconds), "report": loss}
    (out / "trail.json").write_text(json.dumps(trail, default=str))


def cpu() -> float:
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measured(source: Source, setting: Setting, k: int, version: str, checkout: Path, folder: Path) -> dict[str, Any]:
    """A version's release under a setting, and all that is told of it."""
    columns = {name: column | setting.columns.get(name, {}) for name, column in source.plan["columns"].items()}
    for name in setting.without:
        del columns[name]
    plan = {"input": source.plan["input"], "columns": columns, "method": setting.method | {"k": k, "seed": 1}}
    job = folder / "job"
    job.mkdir(exist_ok=True)
    (job / "plan.json").write_text(json.dumps(plan))
    source.frame.write_parquet(job / "table.parquet")
    place = {"PYTHONPATH": str(checkout / "src"), "XDG_CACHE_HOME": str(folder / f"cache of {version}")}
    command = [sys.executable, __file__, "--run", str(job), str(job)]
    print(f"{source.name}, k = {k}, {version}, {setting.name} …", file=sys.stderr, flush=True)
    began = time.monotonic()
    ended = subprocess.run(command, env=os.environ | place, capture_output=True, text=True)
    line: dict[str, Any] = {"k": k, "version": version, "setting": setting.name, "wall": time.monotonic() - began}
    if ended.returncode:
        return line | {"refused": ended.stderr.strip().splitlines()[-1]}
    trail = json.loads((job / "trail.json").read_text())
    released = Judged(source, plan, pl.read_parquet(job / "release.parquet").to_dicts(), trail)
    return line | {"seconds": trail["seconds"], "report": trail["report"]} | released.figures()


# ---------------------------------------------------------------------- measuring


class Judged:
    """A release beside its original."""

    def __init__(
        self, source: Source, plan: dict[str, Any], release: list[dict[str, Any]], trail: dict[str, Any]
    ) -> None:
        from tests.checker import Release

        self.source, self.plan, self.release, self.trail = source, plan, release, trail
        taxonomies = {name: tax for name, tax in source.taxonomies.items() if name in plan["columns"]}
        self.checked = Release(source.rows, plan, release, trail, taxonomies, source.readings)
        self.columns = self.checked.columns

    def figures(self) -> dict[str, Any]:
        records = [record["rows"] for record in self.trail["records"]]
        published = [record for record in self.trail["records"] if record["release_row"]]
        who = self.plan["input"].get("person")
        everybody = {row[who] for row in self.source.rows} if who else set(range(len(self.source.rows)))
        inside = set(self.checked.person)
        masked = [column for column in self.columns.values() if column.role == "quasi-identifier"]
        losses = {column.name: self.loss(column) for column in masked}
        cells = [column.items(row[column.name]) for row in self.release for column in self.checked.open_columns()]
        items = [len(c.items(row[c.name])) for row in self.release for c in masked if not c.ordered]
        kept = sum(len(record["rows"]) for record in published)
        return {
            "records": len(records),
            "loss": fmean(losses.values()),
            "losses": losses,
            "rows kept": kept / len(self.source.rows),
            "suppressed": len(everybody) - len(everybody & inside),
            "items": sum(items) / max(1, len(self.release)),
            "empty": sum(not cell for cell in cells) / max(1, len(cells)),
            "width": self.width(),
            "changed": self.changed(),
            **self.rare(),
        }

    def loss(self, column: Any) -> float:
        """Mean over all records, with 1 for those that are not published."""
        apart = Distance(column, self.source)
        total = []
        for record in self.trail["records"]:
            cells = [self.source.rows[row - 1][column.name] for row in record["rows"]]
            if record["release_row"]:
                total.append(apart(cells, self.release[record["release_row"] - 1][column.name]))
            else:
                total.append(1.0)
        return fmean(found for found in total if found is not None)

    def width(self) -> float | None:
        """Of ranges, within what the column holds."""
        found = []
        for column in self.columns.values():
            if column.ordered and column.role == "quasi-identifier":
                low, high = extent(column, self.source)
                spans = [column.span(i) for row in self.release for i in column.items(row[column.name])]
                if high > low:
                    found += [float((min(b, high) - max(a, low)) / (high - low)) for (a, b), _ in filter(None, spans)]
        return fmean(found) if found else None

    def changed(self) -> float | None:
        """The share of confidential cells that are not the original's."""
        same = []
        for column in self.columns.values():
            if column.role == "confidential":
                for place, row in enumerate(self.release):
                    own = [
                        str(w) for r in self.checked.own[place] for w in column.items(self.source.rows[r][column.name])
                    ]
                    same.append({str(item) for item in column.items(row[column.name])} == set(own))
        return 1 - fmean(same) if same else None

    def rare(self) -> dict[str, Any]:
        """Pairs of items of a class that fewer than k hold, and all of them; then those of a word with a number."""
        few: dict[Any, bool] = {}
        pairs, dated = [], []
        for places in self.checked.members().values():
            row = self.release[places[0]]
            items = [(c, i) for c, i in self.checked.items(row) if not (c.ordered and c.publish == "mean")]
            for pair in combinations(items, 2):
                key = tuple((column.name, str(item)) for column, item in pair)
                if key not in few:
                    few[key] = self.checked.holders(pair) < self.checked.k
                pairs.append(few[key])
                kinds = {column.ordered for column, _ in pair}
                if kinds == {True, False} and any(column.tax is not None for column, _ in pair):
                    dated.append(few[key])
        scaled = any(column.ordered for column in self.columns.values())
        return {"rare": (sum(pairs), len(pairs)), "dated": (sum(dated), len(dated)) if scaled else None}


def extent(column: Any, source: Source) -> tuple[Any, Any]:
    """The least and the largest value of a column."""
    values = [v for row in source.rows for w in column.items(row[column.name]) if (v := column.scale(w)) is not None]
    return min(values), max(values)


class Distance:
    """How far what is published for a record is from what it says, in one column."""

    def __init__(self, column: Any, source: Source) -> None:
        self.column, self.tax = column, source.taxonomies.get(column.name)
        if column.ordered:
            self.low, self.high = extent(column, source)
        self.codes = source.readings.get(column.name, lambda word: ())
        self.known: dict[Any, float] = {}

    def __call__(self, cells: list[Any], published: Any) -> float | None:
        """Nothing where the record says nothing."""
        said = [word for cell in cells for word in self.column.items(cell)]
        told = self.column.items(published)
        if self.column.ordered:
            return self.between(said, told)
        if self.tax is None:
            return None if not said else float({*map(str, said)} != {*map(str, told)})
        A = frozenset(code for word in said for code in self.codes(word))
        B = frozenset(code for word in told for code in self.codes(word))
        if not A:
            return None
        return self.apart(A, B) if B else 1.0

    def between(self, said: list[Any], told: list[Any]) -> float | None:
        values = [value for word in said if (value := self.column.scale(word)) is not None]
        if not values:
            return None
        if not told:
            return 1.0
        span = self.column.span(told[0])
        middle = (max(span[0][0], self.low) + min(span[0][1], self.high)) / 2 if span else self.column.scale(told[0])
        return float(fmean(abs(value - middle) for value in values) / ((self.high - self.low) or 1))

    def apart(self, A: frozenset[int], B: frozenset[int]) -> float:
        import taxonym

        if (A, B) not in self.known:
            self.known[A, B] = float(taxonym.set_distance(self.tax, A, B, aggregate="min-sum", measure="jaccard"))
        return self.known[A, B]


# ---------------------------------------------------------------------- telling


def tables(lines: list[dict[str, Any]]) -> list[str]:
    columns = list(dict.fromkeys(name for line in lines for name in line.get("losses", ())))
    changed = any(line.get("changed") is not None for line in lines)
    scaled = any(line.get("dated") for line in lines)
    head = ["k", "version", "plan", "loss", *columns, "loss, report", "rows kept", "persons suppressed"]
    head += ["items a record", "empty cells"]
    head += (["width", "rare pairs with a number"] if scaled else []) + ["rare pairs"]
    head += (["confidential changed"] if changed else []) + ["CPU s", f"× before (≤ {SLOWER})"]
    rows, refused = [], []
    before = {(line["k"], line["setting"]): line for line in lines if line["version"] == "before"}
    for line in lines:
        if "refused" in line:
            refused.append(f"- k = {line['k']}, {line['version']}, {line['setting']}: {line['refused']}")
            continue
        row = [line["k"], line["version"], line["setting"], f"{line['loss']:.3f}"]
        row += [f"{line['losses'][name]:.3f}" if name in line["losses"] else "–" for name in columns]
        row += [f"{line['report']:.3f}" if isinstance(line["report"], float) else str(line["report"])]
        row += [share(line["rows kept"]), f"{line['suppressed']:,}", f"{line['items']:.2f}", share(line["empty"])]
        if scaled:
            row += [share(line["width"]), of(line["dated"])]
        row += [of(line["rare"])] + ([share(line["changed"])] if changed else [])
        then = before.get((line["k"], line["setting"])) or before.get((line["k"], "all rules"))
        slower = line["seconds"] / then["seconds"] if then and "seconds" in then and line["version"] == "now" else None
        rows.append([*row, short(line["seconds"]), f"{slower:.2f}" if slower else ""])
    return [table(head, rows), *(["Refused:\n" + "\n".join(refused)] if refused else [])]


def share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def of(pair: tuple[int, int] | None) -> str:
    return "–" if pair is None else f"{pair[0]:,} of {pair[1]:,}"


if __name__ == "__main__":
    main()

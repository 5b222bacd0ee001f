"""What does Spark cost beside the local engine, on the same records and the same machine?

    python bench/spark.py [--sizes 20000,100000,1000000] [--cores 2]

The records of large.py (synthetic, about 8 words each, the labels of WordNet nouns, a confidential column) as a Parquet
folder, to a verified release: by the local engine in blocks with a work folder, and by Spark with as many cores
(local[2]: one Java process, and a Python process for each core). Each in a new process; CPU seconds are those of all
processes together. Both releases must have the same rows.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from common import section, short, table
from large import write
from record_tasks import Result

import taxonym
from taxonym.io.files import read
from taxonym.io.progress import Progress

SIZES = "20000,100000,1000000"
QUASI = {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}
PLAN: dict[str, Any] = {
    "columns": {"words": QUASI, "ward": {"role": "confidential"}},
    "method": {"k": 5, "seed": 1, "blocks": "always"},
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default=SIZES)
    arguments.add_argument("--cores", type=int, default=2)
    arguments.add_argument("--task", nargs=2, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.task:
        print(json.dumps(task(given.task[0], Path(given.task[1]), given.cores)))
        return
    found = []
    with tempfile.TemporaryDirectory() as name:
        for n in [4_000, *map(int, given.sizes.split(","))]:  # the first compiles
            folder = Path(name) / str(n)
            made = [ask(way, folder, n, given.cores) for way in ("local", "spark")]
            rows = [sorted(map(repr, read(folder / way).rows())) for way in ("local.parquet", "spark")]
            found.append((n, *made, rows[0] == rows[1]))
    section("spark", "Spark beside the local engine", "python bench/spark.py", text(found[1:], given.cores), PACKAGES)


PACKAGES = ("numpy", "numba", "polars", "pyspark")


def ask(way: str, folder: Path, n: int, cores: int) -> Result:
    if not folder.exists():
        (folder / "in").mkdir(parents=True)
        write(folder / "all.csv", n)
        whole, size = pl.read_csv(folder / "all.csv", infer_schema=False), n // 4
        for i, part in enumerate(whole.iter_slices(size)):
            part.write_parquet(folder / "in" / f"part-{i}.parquet")
    command = [sys.executable, __file__, "--cores", str(cores), "--task", way, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    made: Result = json.loads(done.stdout.splitlines()[-1])
    print(f"{n:,} {way}: {made}", file=sys.stderr)
    return made


# ---------------------------------------------------------------------- tasks, each in its own process


def task(way: str, folder: Path, cores: int) -> Result:
    steps = Steps()
    begun = time.time()
    (local if way == "local" else spark)(folder, cores, steps)
    wall = time.time() - begun
    return {"cpu": cpu(), "wall": wall, "peak": steps.most, "worker": steps.worker, "steps": steps.cpu}


def local(folder: Path, cores: int, steps: Progress) -> None:
    release = taxonym.anonymize(folder / "in", PLAN, baselines=False, progress=steps, workers=cores, work=folder)
    release.write(folder / "local.parquet")


def spark(folder: Path, cores: int, steps: "Steps") -> None:
    from taxonym.plan import Plan
    from taxonym.run.spark import anonymize_folder
    from taxonym.run.spark.session import session

    steps.start("start")
    memory = {"spark.driver.memory": "3g", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    own = session(f"local[{cores}]", memory)
    with anonymize_folder(own, str(folder / "in"), Plan.from_dict(PLAN), progress=steps) as release:
        release.write(folder / "spark")
    steps.finish()


class Steps:
    """CPU seconds of each step, and the most memory of all processes together, looked at every second."""

    def __init__(self) -> None:
        self.cpu: dict[str, float] = {}
        self.most = self.worker = 0.0
        self._what, self._begun = "", 0.0
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            filled = resident()
            self.most = max(self.most, sum(filled.values()))
            workers = [size for pid, size in filled.items() if pid != os.getpid() and python(pid)]
            self.worker = max([self.worker, *workers])
            time.sleep(1)

    def start(self, what: str, total: int | None = None) -> None:
        self.finish()
        self._what, self._begun = what, cpu()

    def advance(self, done: int = 1) -> None:
        pass

    def finish(self) -> None:
        if self._what:
            self.cpu[self._what] = self.cpu.get(self._what, 0.0) + cpu() - self._begun
        self._what = ""


def family() -> dict[int, list[str]]:
    """This process and all below it, as /proc/PID/stat tells them."""
    every = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            said = path.read_text()
        except OSError:
            continue
        every[int(path.parent.name)] = said[said.rindex(")") + 2 :].split()
    mine, more = {os.getpid()}, {os.getpid()}
    while more:
        more = {pid for pid, said in every.items() if int(said[1]) in more}
        mine |= more
    return {pid: every[pid] for pid in mine if pid in every}


def cpu() -> float:
    """Seconds of all processes, with those that have ended and were waited for."""
    return sum(sum(map(int, said[11:15])) for said in family().values()) / os.sysconf("SC_CLK_TCK")


def resident() -> dict[int, float]:
    """GB of memory that each process fills now; what they share is counted for each."""
    return {pid: int(said[21]) * os.sysconf("SC_PAGE_SIZE") / 1e9 for pid, said in family().items()}


def python(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/comm").read_text().startswith("python")
    except OSError:
        return False


# ---------------------------------------------------------------------- the page


def text(found: Sequence[tuple[int, Result, Result, bool]], cores: int) -> list[str]:
    rows = []
    for n, one, many, same in found:
        ratio = many["cpu"] / one["cpu"]
        rows.append(
            [f"{n:,}", short(one["cpu"]), short(many["cpu"]), f"{ratio:.2f}", short(one["wall"]), short(many["wall"]),
             short(one["peak"]), short(many["peak"]), short(many["worker"]), "yes" if same else "**no**"]
        )  # fmt: skip
    head = ["records", "local CPU s", "Spark CPU s", "ratio", "local wall s", "Spark wall s", "local GB", "Spark GB",
            "of these a Python worker", "same rows"]  # fmt: skip
    steps = found[-1][2]["steps"]
    told = table(["step on Spark", "CPU s"], [[name, short(seconds)] for name, seconds in steps.items()])
    return [
        f"From a Parquet folder to a verified release, k = 5, {cores} cores each. CPU seconds are those of all "
        f"processes; the machine does other things, too, so compare these and not the wall. Memory is what all "
        f"processes fill, looked at every second, shared pages counted for each. On Spark everything promised is "
        f"counted again by Spark itself, over the files.",
        table(head, rows),
        f"Where the time goes at {found[-1][0]:,}:",
        told,
    ]  # fmt: skip


if __name__ == "__main__":
    main()

"""A whole run for very many records, from the file to the verified release: how much time and memory does it take?

    python bench/large.py [--sizes 20000,50000,100000,200000] [--workers 2]

Synthetic records of about 8 words (the labels of WordNet nouns, by the topics of blocks.py) with a confidential column,
in a CSV file; groups in blocks, without baselines. Every size is a new process, which sees the compiled code and the
file only.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from blocks import draw
from common import met, section, short, table
from growth import exponent
from record_tasks import Result, nouns, peak

from taxonym.io.progress import Progress

SIZES = "20000,50000,100000,200000"
SECONDS = 120  # of CPU for 100,000 records
MEMORY = 8.0  # GB for a million
STEPS = ("read", "groups", "who holds what", "publish", "what was lost", "check and write", "the rest")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default=SIZES)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--task", nargs=2, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.task:
        print(json.dumps(task(Path(given.task[0]), int(given.task[1]), given.workers)))
        return
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for n in [4_000, *map(int, given.sizes.split(","))]:  # the first compiles
            found.append(ask(Path(folder) / f"{n}.csv", n, given.workers))
    section("large", "A whole run for very many records", "python bench/large.py", text(found[1:]))


# ---------------------------------------------------------------------- tasks, each in its own process


def task(file: Path, n: int, workers: int) -> Result:
    if not file.exists():  # in a process of its own, whose memory is not counted
        write(file, n)
        return {}
    return run(file, n, workers)


def write(file: Path, n: int) -> None:
    """Three or more words of each record that blocks.py draws, and a ward."""
    tax, random = nouns(), np.random.default_rng(3)
    start, codes = draw(tax, n, "subtrees")
    labels = [tax.label(code).replace("_", " ").replace(";", " ").replace('"', "") for code in range(len(tax))]
    with file.open("w", encoding="utf-8") as out:
        out.write("words,ward\n")
        for first, last in pairwise(start):
            some = random.permutation(codes[first:last])[: max(3, int((last - first) * 0.42))]
            out.write('"' + ";".join(labels[code] for code in some) + f'",w{random.integers(20)}\n')


class Steps:
    """Notes when each step begins and ends."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, float, float]] = []

    def start(self, what: str, total: int | None = None) -> None:
        self.notes.append((what, seconds(), peak()))

    def advance(self, done: int = 1) -> None:
        pass

    def finish(self) -> None:
        self.notes.append(("", seconds(), peak()))


def run(file: Path, n: int, workers: int) -> Result:
    """All of `taxonym anonymize --no-baselines`, with groups in blocks also where they could be exact."""
    import taxonym

    columns: dict[str, Any] = {
        "words": {
            "role": "quasi-identifier",
            "kind": "set",
            "taxonomy": "wordnet",
            "on_unknown": "suppress",
            "separator": ";",
        },
        "ward": {"role": "confidential"},
    }
    plan = {"columns": columns, "method": {"k": 5, "seed": 1, "blocks": "always"}}
    progress: Progress = Steps()
    before, wall, begin = peak(), time.perf_counter(), seconds()
    release = taxonym.anonymize(file, plan, baselines=False, progress=progress, workers=workers, work=file.parent)
    made = seconds()
    release.write(file.with_suffix(".out.csv"))
    end = seconds()
    report = release.report
    assert report["verified"]["holds"]
    assert isinstance(progress, Steps)
    spent = dict.fromkeys(STEPS, 0.0)
    for (what, since, _), (_, until, _) in zip(progress.notes, [*progress.notes[1:], ("", made, 0.0)], strict=True):
        spent[step_of(what)] += until - since
    spent["check and write"] = end - made
    return {
        "cpu": end - begin,
        "wall": time.perf_counter() - wall,
        "before": before,
        "peak": peak(),
        "steps": spent,
        "published": report["records"]["published_rows"],
        "blocks": report["groups"].get("blocks"),
        "loss": report["loss"]["mean"],
        "random": report["loss"]["mean_to_a_random_record"],
    }


def step_of(what: str) -> str:
    """The step that progress tells of."""
    known = {"reading": "read", "persons": "read", "groups of": "groups", "what the groups": "publish"}
    known |= {name: name for name in ("who holds what", "what was lost")}
    return next((step for begin, step in known.items() if what.startswith(begin)), "the rest")


def seconds() -> float:
    """Of this process and those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def ask(file: Path, n: int, workers: int) -> Result:
    """A task in a process of its own."""
    print(f"{n:,} records …", file=sys.stderr)
    command = [sys.executable, __file__, "--task", str(file), str(n), "--workers", str(workers)]
    for _ in range(2):  # the first time writes the file
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    result: Result = json.loads(done.stdout.splitlines()[-1])
    print(f"    {result}", file=sys.stderr)
    return {"n": n, "workers": workers, **result}


# ---------------------------------------------------------------------- tables


def text(found: Sequence[Result]) -> list[str]:
    rows = [
        (
            f"{f['n']:,}",
            f"{f['blocks']['count']:,} (≤ {f['blocks']['largest']:,})",
            short(f["cpu"]),
            short(f["wall"]),
            f"{f['before']:.2f}",
            f"{f['peak']:.2f}",
            f"{f['loss']:.4f}",
            f"{f['random']:.4f}",
        )
        for f in found
    ]
    head = ("records", "blocks (records)", "CPU s", "wall s", "GB before", "peak GB", "mean distance", "random record")
    steps = [(f"{f['n']:,}", *(short(f["steps"][step]) for step in STEPS)) for f in found]
    return [
        "CSV to verified CSV with the usual settings (refined groups of at least 5, best representative, known_items "
        f"2), {found[0]['workers']} workers, no baselines. Where other work goes on beside, CPU seconds say more than "
        "wall seconds. The mean distance is that of the records to what is published for them.",
        table(head, rows),
        "CPU seconds by step:",
        table(("records", *STEPS), steps),
        table(("aim", "found", "met"), aims(found)),
    ]


def aims(found: Sequence[Result]) -> list[tuple[str, str, str]]:
    grown, more = exponent(found, "cpu"), (found[-1]["peak"] - found[0]["peak"]) / (found[-1]["n"] - found[0]["n"])
    million = found[-1]["peak"] + more * (1_000_000 - found[-1]["n"])
    rows = [
        ("CPU time grows by n to the power of at most 1.15", f"{grown:.2f}", met(grown, 1.15, most=True)),
        (
            f"a million records within {MEMORY:.0f} GB, by a straight line",
            short(million),
            met(million, MEMORY, most=True),
        ),
    ]
    for f in found:
        if f["n"] == 100_000:
            rows.append(
                (f"100,000 records: at most {SECONDS} CPU s", short(f["cpu"]), met(f["cpu"], SECONDS, most=True))
            )
    return rows


if __name__ == "__main__":
    main()

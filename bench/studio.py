"""How long the studio lets people wait: to start, for a page of words, for a preview.

    python bench/studio.py

Writes nothing; bench/results/studio.md has what it printed.
"""

import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import polars as pl

from taxonym.io.progress import SILENCE
from taxonym.knowledge.catalog import load
from taxonym.plan import Plan, read_plan
from taxonym.studio import tasks
from taxonym.studio.terms import Concepts, TermTable
from taxonym.text.finder import Finder

EXAMPLES = Path(str(files("taxonym") / "examples"))
TERMS = 200_000
ROWS = 5_000


def main() -> None:
    start()
    words()
    previews()


def start() -> None:
    """From the command to its address, and to the first page."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            began = time.perf_counter()
            command = [sys.executable, "-m", "taxonym", "studio", folder, "--no-open"]
            studio = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert studio.stdout is not None
            studio.stdout.readline()
            print(f"start: the address is there after {time.perf_counter() - began:.2f} s")
            studio.terminate()
            studio.wait()


def words() -> None:
    """Pages of a column with very many words: all of them, filtered, searched, the last one."""
    tax = load("wordnet")
    labels = list(tax.keys)
    rows = [
        (f"{labels[i % len(labels)]} {i}", None if i % 3 == 0 else i % 90_000, TERMS - i, False, i % 4)
        for i in range(TERMS)
    ]
    figures = dict.fromkeys(("records", "with_concept", "said", "known", "persons"), TERMS)
    table = TermTable({"terms": rows, **figures}, Concepts(Finder(tax)))
    decided = {f"{labels[i]} {i}": tax.id(5) for i in range(0, 5_000, 7)}
    for what, asked in (
        ("first page", {}),
        ("unknown only", {"only": "unknown"}),
        ("search", {"text": "dog"}),
        ("last page", {"page": 10**6}),
        ("several senses, page 900", {"only": "ambiguous", "page": 900}),
    ):
        took = []
        for _ in range(5):
            began = time.process_time()
            table.page(decided, 5, private=True, **asked)  # type: ignore[arg-type]
            table.counts(decided, 5, True)
            took.append(1000 * (time.process_time() - began))
        print(f"{TERMS:,} words, {what}: {sorted(took)[2]:.0f} ms (at most {max(took):.0f})")


def previews() -> None:
    """The slider of k moves: another k on a file of 5,000 rows."""
    with tempfile.TemporaryDirectory() as folder:
        for name, source in (("diagnoses", "diagnoses.csv"), ("search-log", "search-log.csv")):
            plan = read_plan(EXAMPLES / f"{name}.toml")
            frame = pl.read_csv(EXAMPLES / source, infer_schema_length=0)
            person = str(plan.input.person)
            copies = [frame.with_columns(pl.col(person) + f"-{n}") for n in range(-(-ROWS // frame.height))]
            path = Path(folder) / source
            pl.concat(copies).head(ROWS).write_csv(path)
            kept: dict[str, object] = {}
            preview(plan, 5, path, kept)
            for k in (6, 7, 8):
                cpu, began = time.process_time(), time.perf_counter()
                found = preview(plan, k, path, kept)
                print(
                    f"{source}, {ROWS:,} rows, k = {k}: {time.perf_counter() - began:.2f} s "
                    f"({time.process_time() - cpu:.2f} s of the processor), on {found['sample']}"
                )


def preview(plan: Plan, k: int, path: Path, kept: dict[str, object]) -> dict[str, object]:
    plan = replace(plan, method=replace(plan.method, k=k))
    return tasks.preview(plan.to_dict(), str(EXAMPLES), str(path), SILENCE, kept)


if __name__ == "__main__":
    main()

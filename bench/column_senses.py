"""Are words read as their column means them? `python bench/column_senses.py [DATA] [--halves dev] [--rows N]`.

On bench/gold/columns (its README says how a value is judged): right concept per value by policy. On bench/gold: right
senses of texts. Then texts per second of whole columns, and the memory of a column of N distinct values. DATA is the
folder of shared data (default: shared/data beside the checkout; what needs it is left out where it is missing). With
--halves other than dev,test nothing is kept.
"""

import argparse
import csv
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from common import met, section, table
from text_mapping import gold, queries, sense_accuracy

import taxonym
from taxonym import Taxonomy
from taxonym.text.bulk import map_column as map_texts
from taxonym.text.finder import Finder
from taxonym.text.votes import learn_column

HERE = Path(__file__).parent
COLUMNS = HERE / "gold" / "columns"
POLICIES = ("first", "context", "column")
HALVES = "dev,test"
EVERYDAY = "everyday_dev"  # further columns, for tuning only
TEXT_SETS = ("dev", "dev2", "dev3", "test")
LARGE = """
import random, sys, time
import taxonym
n, distinct = int(sys.argv[1]), random.Random(1)
words = "recorder horn bass drum organ harp viola cello trumpet triangle guitar flute piano banjo lute".split()
values = [f"{distinct.choice(words)} {i}" for i in range(n)]
tax = taxonym.load("wordnet")
taxonym.map_column(tax, values[:1000])
def peak():  # not ru_maxrss, which a process inherits from the one that started it
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
before, start = peak(), time.process_time()
found = taxonym.map_column(tax, values)
print(peak() - before, time.process_time() - start, len(found))
"""


def right(accepted: set[str], parts: set[str], ids: set[str]) -> bool:
    """As bench/gold/columns/README.md says."""
    return bool(ids & accepted) and ids <= accepted | parts if ids else "-" in accepted


def values(half: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (COLUMNS / f"{half}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["column"]].append(row)
    return found


def columns(tax: Taxonomy, halves: list[str]) -> Iterator[str]:
    yield "Right concept per value, each column of each half mapped by itself with `taxonym.map_column`."
    rows, targets = [], []
    for half in halves:
        score: dict[str, dict[str, list[bool]]] = {policy: {} for policy in POLICIES}
        for name, mine in values(half).items():
            column = "survey (32 columns of codes)" if name.startswith("survey/") else name
            for policy in POLICIES:
                found = taxonym.map_column(tax, [row["value"] for row in mine], senses=policy)
                good = [
                    right(set(row["accepted"].split()), set(row["parts"].split()), {*map(tax.id, found[row["value"]])})
                    for row in mine
                ]
                score[policy].setdefault(column, []).extend(good)
        words = [name for name in score["first"] if not name.startswith("survey")]
        for name in [*words, "all columns of words", *(n for n in score["first"] if n not in words)]:
            of = words if name.startswith("all") else [name]
            shares = [[good for n in of for good in score[policy][n]] for policy in POLICIES]
            rows.append([half, name, len(shares[0]), *(f"{sum(some) / len(some):.3f}" for some in shares)])
            if name.startswith("all"):
                first, _, new = (sum(some) / len(some) for some in shares)
                targets.append(f"{half}: ≥ .95 {met(new, 0.95)}, .10 above `first` {met(new - first, 0.10)}")
    yield table(["half", "column", "values", *(f"`{policy}`" for policy in POLICIES)], rows)
    yield "Targets. " + "; ".join(targets) + "."


def texts(tax: Taxonomy, sets: list[str]) -> Iterator[str]:
    rows = []
    for name in sets:
        several = [sense_accuracy(tax, gold(name), policy)[1] for policy in POLICIES]
        alone = sense_accuracy(tax, gold(name), "column", subject=False)[1]
        rows.append([name, *(f"{share:.3f}" for share in several), f"{alone:.3f}"])
    yield "Texts (bench/gold): right senses of mentions whose label has several; last without a subject."
    yield table(["set", *(f"`{policy}`" for policy in POLICIES), "`column`, each text alone"], rows)


def speed(tax: Taxonomy, data: Path) -> Iterator[str]:
    some = queries(data)
    first, fresh = Finder(tax, senses="first"), Finder(tax)
    given = learn_column(fresh, [[text] for text in some], range(len(some)), entries=False)
    best = dict.fromkeys(("`first`", "`column`, subject and glosses known", "`column`, from nothing"), 0.0)
    for finder in (first, given):
        map_texts(finder, some, workers=1)
    for _ in range(5):
        for name, finder in zip(best, (first, given, Finder(tax)), strict=True):
            start = time.process_time()
            map_texts(finder, some, workers=1)
            best[name] = max(best[name], len(some) / (time.process_time() - start))
    yield f"TREC queries ({len(some):,}) as a column: texts per second of processor time on one core, best of 5."
    yield table(
        ["policy", "texts/s", "of `first`"], [[n, f"{r:,.0f}", f"{r / best['`first`']:.2f}"] for n, r in best.items()]
    )


def large(n: int) -> Iterator[str]:
    done = subprocess.run([sys.executable, "-c", LARGE, str(n)], capture_output=True, text=True, check=True)
    memory, seconds, found = done.stdout.split()
    yield (
        f"A column of {int(found):,} distinct values (`recorder 17`): {float(seconds):.0f} s of processor time, "
        f"{int(memory) / 1024:,.0f} MiB more than before, the result (a list for each value) included."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=HERE.parents[1] / "shared" / "data")
    parser.add_argument("--halves", default=HALVES)
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    tax, halves = taxonym.load("wordnet"), options.halves.split(",")
    parts = list(columns(tax, [*halves, EVERYDAY]))
    parts += texts(tax, [name for name in TEXT_SETS if options.halves == HALVES or name != "test"])
    if options.data.is_dir():
        parts += speed(tax, options.data)
    if options.halves != HALVES:
        print("\n\n".join(parts))
        return
    parts += large(options.rows)
    section("column_senses", "Senses of words in their columns", "python bench/column_senses.py", parts)


if __name__ == "__main__":
    main()

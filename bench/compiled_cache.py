"""Do compiled functions compute what they say, whichever processes have filled their cache, in whatever order?

    python bench/compiled_cache.py [--rounds 10] [--seed 1]

Every method of the product is a job on a small table. The jobs are run once in one process without a cache. Then, in
every round, a part of the cache is thrown away, the jobs are dealt in a random order to several processes that work two
at a time (one of them forks a child for each job), and a last process runs all of them in that order with the cache
that the others have filled. What it gives must be what the run without a cache gave, and no function number may have
been given by two processes.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path
from typing import Any

from common import section, table

sys.path.insert(0, str(Path(__file__).parents[1]))

PROCESSES = 4
THROWN_AWAY = 0.3
WORDS = [
    "dog",
    "cat",
    "cow",
    "horse",
    "car",
    "bus",
    "train",
    "ship",
    "oak",
    "elm",
    "pine",
    "rose",
    "tulip",
    "lily",
    "apple",
    "pear",
    "plum",
    "bread",
    "cheese",
    "milk",
]
SET = {"role": "quasi-identifier", "kind": "set", "separator": ";", "taxonomy": "wordnet"}
ONE = {"role": "quasi-identifier", "taxonomy": "wordnet"}
AGE = {"role": "quasi-identifier", "kind": "number"}
JOBS: dict[str, dict[str, Any]] = {
    "refined": {"columns": {"words": SET}},
    "mdav": {"columns": {"words": SET, "age": AGE}, "name": "mdav"},
    "adaptive-mdav": {"columns": {"words": SET}, "name": "adaptive-mdav"},
    "redaction": {"columns": {"words": SET}, "name": "mdav", "representative": "redaction"},
    "matching": {"columns": {"words": SET}, "name": "mdav", "aggregate": "matching"},
    "avg and lin": {"columns": {"words": SET}, "name": "mdav", "aggregate": "avg", "measure": "lin"},
    "max and equal": {"columns": {"words": SET}, "name": "mdav", "aggregate": "max", "measure": "equal"},
    "blocks": {"columns": {"words": SET, "one": ONE}, "blocks": "always", "block_size": 20},
    "l and t": {"columns": {"words": SET, "pay": {"role": "confidential"}}, "l": 2, "t": 0.6},
    "generalize sets": {"columns": {"words": SET}, "name": "generalize"},
    "generalize values": {"columns": {"one": ONE}, "name": "generalize"},
    "full-domain": {"columns": {"one": ONE}, "name": "generalize", "recoding": "full-domain"},
    "items": {"columns": {"words": SET}, "name": "generalize", "recoding": "items"},
    "noise": {"columns": {"one": ONE | {"category": "entity.n.01"}}, "name": "noise"},
}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.work:
        work(*chosen.work)
        return
    from tests.symbols import numbered

    luck, ranges, rows = random.Random(chosen.seed), list[range](), list[tuple[object, ...]]()
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        begin = time.monotonic()
        plain, _ = finished(started("/dev/null/none", "here", list(JOBS)))
        print(f"without a cache: {time.monotonic() - begin:.0f} s", flush=True)
        for round_ in range(1, chosen.rounds + 1):
            kept = sorted(cache.rglob("*.nbc"))
            for file in luck.sample(kept, int(THROWN_AWAY * len(kept))):
                file.unlink()
            order = luck.sample(list(JOBS), len(JOBS))
            hands = [order[i::PROCESSES] for i in range(PROCESSES)]
            for pair in (hands[:2], hands[2:]):
                begun = [started(folder, "fork" if hand is hands[-1] else "here", hand) for hand in pair]
                for one in begun:
                    ranges += finished(one)[1]
            found, more = finished(started(folder, "here", order))
            ranges += more
            wrong = [name for name in order if found[name] != plain[name]]
            numbers = numbered(cache)
            twice = [n for n, names in numbers.items() if len(names) > 1 or sum(n in one for one in ranges) != 1]
            files = len(list(cache.rglob("*.nbc")))
            rows.append((round_, len(order), files, len(numbers), len(wrong), len(twice)))
            print(*rows[-1], wrong, flush=True)
        apart = all(a.stop <= b.start or b.stop <= a.start for a, b in combinations(ranges, 2))
    section(
        "compiled_cache",
        "Compiled functions in a cache that many processes fill",
        f"python bench/compiled_cache.py --rounds {chosen.rounds}",
        [
            f"{len(JOBS)} methods and settings, each on 60 records, by {len(ranges)} processes in {len(rows)} orders; "
            f"before each order {THROWN_AWAY:.0%} of the cache is thrown away. A run is wrong if its release or report "
            f"differs from that of a process without a cache; a number is used twice if two functions or two processes "
            f"have it.",
            table(("order", "runs", "files", "function numbers", "wrong runs", "numbers used twice"), rows),
            f"The ranges of the processes {'do not overlap' if apart else 'OVERLAP'}.",
        ],
    )
    if not apart or any(row[4] or row[5] for row in rows):
        sys.exit("compiled functions do not compute what they say")


def started(cache: str, where: str, jobs: list[str]) -> "subprocess.Popen[str]":
    environment = os.environ | {"XDG_CACHE_HOME": cache, "PYTHONWARNINGS": "ignore"}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, __file__, "--work", where, *jobs]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def finished(process: "subprocess.Popen[str]") -> tuple[dict[str, str], list[range]]:
    """What its jobs gave, as digests, and the function numbers that it and its children used."""
    out, _ = process.communicate()
    if process.returncode:
        sys.exit(f"a process ended with {process.returncode}")
    results, ranges = dict[str, str](), list[range]()
    for line in map(json.loads, out.splitlines()):
        results |= line["results"]
        ranges.append(range(line["first"], line["last"] + 1))
    return results, ranges


def work(where: str, *jobs: str) -> None:
    import taxonym.publish.fit  # compiled functions are known before the fork  # noqa: F401

    if where == "fork":
        for job in jobs:
            if not os.fork():
                tell([job])
                os._exit(0)
            if os.wait()[1]:
                sys.exit("a forked child failed")
        return
    tell(list(jobs))


def tell(jobs: list[str]) -> None:
    first = next_number()
    results = {job: result(job) for job in jobs}
    print(json.dumps({"first": first, "last": next_number(), "results": results}), flush=True)


def next_number() -> int:
    from numba.core.bytecode import FunctionIdentity

    return int(FunctionIdentity.from_function(next_number).unique_id)


def result(job: str) -> str:
    """A digest of a job's release and report."""
    import numpy as np
    import polars as pl

    import taxonym

    rng, n = np.random.default_rng(0), 60
    frame = pl.DataFrame(
        {
            "words": [";".join(rng.choice(WORDS, rng.integers(1, 5), replace=False)) for _ in range(n)],
            "one": rng.choice(WORDS, n),
            "age": rng.integers(10, 90, n),
            "pay": rng.choice(["a", "b", "c"], n),
        }
    )
    settings = dict(JOBS[job])
    columns = settings.pop("columns")
    method = {"seed": 1} | ({} if settings.get("name") == "noise" else {"k": 3}) | settings
    made = taxonym.anonymize(frame, {"columns": columns, "method": method})
    told = [made.frame.to_dicts(), made.report]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()


if __name__ == "__main__":
    main()

"""Does a report tell more than its release? A solver and a replay try to find out, on thousands of random tables.

Reconstruction: of every count of persons and every value of a class, whether all data that fit release and report agree
on it although the release alone leaves several. Replay: who knows all cells but one runs the program for every value
that the cell may have, and keeps those that give the release, and whose report could be the one that is told. Beside
them the same with exact figures, as a private report has them.

    python bench/reconstruction.py [TABLES] [FIRST]
"""

import os
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from common import section, table

ROOT = Path(__file__).parents[1]


def tried(seed: int, folder: str) -> Counter[str]:
    """What was found in one table."""
    from tests.reconstruction import finds, random_table, replay

    from taxonym.errors import TaxonymError

    dice = random.Random(seed)
    made = random_table(dice, Path(folder))
    try:
        release = made.released()
    except TaxonymError:
        return Counter(refused=1)
    told = finds(made, release.frame, release.report)
    exact = finds(made, release.frame, {"notice": "", **release.private_report()}) if seed % 10 == 0 else {}
    run = replay(made, dice)
    if told or run.report < run.release:
        print(f"table {seed}: {told} {run}", file=sys.stderr)
    return Counter(
        tables=1,
        finds=bool(told),
        tried_exactly=seed % 10 == 0,
        finds_in_exact=bool(exact),
        replays=run.release > 1,
        fell=run.report < run.release,
        fell_to_one=run.report == 1 < run.release,
    )


def main(tables: int = 2000, first: int = 0) -> None:
    sys.path.insert(0, str(ROOT))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    from tests.reconstruction import taxonomy_files

    with tempfile.TemporaryDirectory() as folder:
        taxonomy_files(Path(folder))
        with ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            seeds = range(first, first + tables)
            found = sum(pool.map(partial(tried, folder=folder), seeds, chunksize=20), Counter[str]())
    rows = [
        ["tables (20 to 60 rows, k = 2 to 5)", f"{found['tables']:,}"],
        ["in which a count below k or a value follows from the report", f"{found['finds']:,}"],
        ["the same with exact figures", f"{found['finds_in_exact']:,} of {found['tried_exactly']:,}"],
        ["in which the release leaves several candidates for a cell", f"{found['replays']:,}"],
        ["of them the report leaves fewer", f"{found['fell']:,}"],
        ["of them the report leaves one", f"{found['fell_to_one']:,}"],
    ]
    command = f"python bench/reconstruction.py {tables} {first}"
    section("reconstruction", "What follows from a report", command, [table(["", "tables"], rows)])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""A query log of five million rows, from the file to the verified release on one machine: how long, how much memory?

    python bench/log.py [--rows 5000000] [--users 200000] [--workers 2]

The log is made here: every user has two to four of 400 topics (subtrees of WordNet's nouns) and asks, the busiest most,
for one to three of their words in a row, some words far more often than others, with a few words around that mean
nothing; user, query and time in a CSV file. The run is `taxonym anonymize --work` without baselines: it reads in
batches, and holds no text but different phrases.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from common import section, short, table
from large import STEPS, Steps, seconds, step_of
from record_tasks import Result, nouns, peak, zipf

Long = np.ndarray[Any, np.dtype[np.int64]]
TOPICS = 400
PHRASES = 1_500  # different ones in each topic
FILLERS = ("", "", "", "", "cheap ", "how to get ", "best ", "where is the ")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", type=int, default=5_000_000)
    arguments.add_argument("--users", type=int, default=200_000)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--task", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.task:
        print(json.dumps(task(Path(given.task), given.rows, given.users, given.workers)))
        return
    sizes = [(given.rows // 10, given.users // 10), (given.rows, given.users)]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for rows, users in sizes:
            command = [sys.executable, __file__, "--task", str(Path(folder) / f"{rows}.csv")]
            command += ["--rows", str(rows), "--users", str(users), "--workers", str(given.workers)]
            for _ in range(2):  # the first time writes the file
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            found.append(json.loads(done.stdout.splitlines()[-1]))
            print(found[-1], file=sys.stderr)
    section("log", "A query log from file to release", "python bench/log.py", text(found))


def task(file: Path, rows: int, users: int, workers: int) -> Result:
    if not file.exists():  # in a process of its own, whose memory is not counted
        write(file, rows, users)
        return {}
    return run(file, rows, users, workers)


def write(file: Path, rows: int, users: int) -> None:
    tax, dice = nouns(), np.random.default_rng(7)
    sizes = np.array([len(tax.descendants(code)) for code in range(len(tax))])
    roots = dice.choice(np.flatnonzero((sizes >= 30) & (sizes <= 300)), TOPICS, replace=False)
    labels = [tax.label(code).replace("_", " ").replace('"', "").replace(",", "") for code in range(len(tax))]
    phrases = []
    for root in roots.tolist():
        words = dice.permutation(tax.descendants(root))
        some = words[often(dice, len(words), 3 * PHRASES)].reshape(PHRASES, 3)
        many = dice.integers(1, 4, PHRASES)
        phrases.append([" ".join(labels[c] for c in row[:n]) for row, n in zip(some.tolist(), many, strict=True)])
    topics = dice.integers(0, TOPICS, (users, 4))
    number = dice.integers(2, 5, users)
    busy = dice.pareto(1.2, users) + 0.2
    user = np.sort(dice.choice(users, rows, p=busy / busy.sum()))
    user[:users] = np.arange(users)  # everybody asks at least once
    user = dice.permutation(user)
    topic = topics[user, (dice.random(rows) * number[user]).astype(int)]
    phrase, filler = often(dice, PHRASES, rows), dice.integers(0, len(FILLERS), rows)
    with file.open("w", encoding="utf-8") as out:
        out.write("user,query,time\n")
        for first in range(0, rows, 100_000):
            part = slice(first, first + 100_000)
            lines = zip(user[part], topic[part], phrase[part], filler[part], range(first, rows), strict=False)
            out.writelines(f"u{u},{FILLERS[f]}{phrases[t][p]},{1_700_000_000 + 7 * s}\n" for u, t, p, f, s in lines)


def often(dice: np.random.Generator, n: int, size: int) -> Long:
    """Numbers below n, the lower ones more often."""
    return np.searchsorted(zipf(n, 1.0), dice.random(size))


def run(file: Path, rows: int, users: int, workers: int) -> Result:
    import taxonym

    plan = {
        "input": {"person": "user"},
        "columns": {
            "user": {"role": "identifier"},
            "query": {"role": "quasi-identifier", "kind": "text", "taxonomy": "wordnet"},
        },
        "method": {"k": 5, "seed": 1, "blocks": "always"},
    }
    progress = Steps()
    wall, begin = time.perf_counter(), seconds()
    release = taxonym.anonymize(file, plan, baselines=False, progress=progress, workers=workers, work=file.parent)
    made = seconds()
    release.write(file.with_suffix(".out.csv"))
    end, report = seconds(), release.report
    spent = dict.fromkeys(STEPS, 0.0)
    for (what, since, _), (_, until, _) in zip(progress.notes, [*progress.notes[1:], ("", made, 0.0)], strict=True):
        spent[step_of(what)] += until - since
    spent["check and write"] = end - made
    return {
        "rows": rows,
        "users": users,
        "megabytes": file.stat().st_size / 1e6,
        "cpu": end - begin,
        "wall": time.perf_counter() - wall,
        "peak": peak(),
        "worker": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2,
        "steps": spent,
        "persons": report["records"]["published_rows"],
        "blocks": report["groups"].get("blocks", {"count": 1})["count"],
        "smallest": report["verified"]["smallest_class"],
        "loss": report["loss"]["mean"],
        "random": report["loss"]["mean_to_a_random_record"],
    }


def text(found: list[Result]) -> list[str]:
    head = (
        "rows", "users", "MB", "CPU s", "wall s", "peak GB", "a worker's GB", "persons published", "blocks",
        "smallest class", "mean distance", "random record",
    )  # fmt: skip
    rows = [
        (
            f"{f['rows']:,}", f"{f['users']:,}", short(f["megabytes"]), short(f["cpu"]), short(f["wall"]),
            f"{f['peak']:.2f}", f"{f['worker']:.2f}", f"{f['persons']:,}", f["blocks"], f["smallest"],
            f"{f['loss']:.4f}", f"{f['random']:.4f}",
        )
        for f in found
    ]  # fmt: skip
    return [
        "CSV to verified CSV: one record per user, refined groups of at least 5 users in blocks, the support rule with "
        "2 known items. Where other work goes on beside, CPU seconds say more than wall seconds.",
        table(head, rows),
        "CPU seconds by step (those of worker processes count where they end, in the step after theirs):",
        table(("rows", *STEPS), [(f"{f['rows']:,}", *(short(f["steps"][step]) for step in STEPS)) for f in found]),
    ]


if __name__ == "__main__":
    main()

"""Linkage: how much it costs beside the distances that it needs, and how it grows.

    python bench/linkage.py [--large 100000]

Records of about 20 WordNet nouns (see record_tasks.py). A release publishes every fifth record for five of them. Each
figure comes from a process of its own, in which compiled code is at hand.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from common import met, section, short, table
from record_tasks import Clock, Result, draw, nouns, peak

N, TIMES, EACH = 10_000, 5, 5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", type=int, default=100_000, metavar="N", help="records of the large run")
    parser.add_argument("task", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.task:
        print(json.dumps(TASKS[given.task[0]](int(given.task[1]))))
        return
    race, some, large = asked("race", N), asked("knowing", given.large), asked("large", given.large)
    pairs = [asked("one_to_one", n) for n in (1_000, 2_000, 5_000)]
    section(
        "linkage",
        "Linkage",
        f"python bench/linkage.py --large {given.large}",
        [
            "CPU seconds and ratios say more than wall seconds, which depend on what else the machine does.",
            f"### {N:,} records of ~20 WordNet nouns against {N:,}, min-sum over jaccard",
            race_table(race),
            f"### {given.large:,} records against a release of theirs with {given.large // EACH:,} different sets",
            large_table(large, some),
            "### One to one, all persons at once",
            table(
                ("persons", "wall s", "peak GB"), [(f"{p['n']:,}", short(p["wall"]), f"{p['peak']:.2f}") for p in pairs]
            ),
        ],
    )


def asked(task: str, n: int) -> Result:
    print(f"{task} {n:,} …", file=sys.stderr)
    done = subprocess.run([sys.executable, __file__, task, str(n)], stdout=subprocess.PIPE, text=True, check=True)
    result: Result = json.loads(done.stdout.splitlines()[-1])
    return result


# ---------------------------------------------------------------------- tables


def race_table(race: Result) -> str:
    kernel, ours = race["distances"], race["linkage"]
    ratio, wall = sum(ours[:2]) / sum(kernel[:2]), ours[2] / kernel[2]
    kept = met(max(ratio, wall), 2, most=True)
    return table(
        (f"best of {TIMES}, by turns", "CPU s", "wall s", "ratio", "target"),
        [
            ("distances alone", short(sum(kernel[:2])), short(kernel[2]), "", ""),
            ("linkage", short(sum(ours[:2])), short(ours[2]), f"{ratio:.2f} CPU, {wall:.2f} wall", f"≤ 2: {kept}"),
            ("linkage, by a plain numpy scan", "", short(race["numpy"]), f"{race['numpy'] / kernel[2]:.2f} wall", ""),
        ],
    )


def large_table(large: Result, some: Result) -> str:
    lines = [
        ("nothing yet: the records are there", "", "", f"{large['before']:.2f}"),
        ("every record against every published set", large["wall"], large["cpu"], f"{large['peak']:.2f}"),
        ("2 known items of each, 5 draws, and what is learned", some["wall"], some["cpu"], f"{some['peak']:.2f}"),
    ]
    rows = [(name, *(short(s) if s else "" for s in seconds), gb) for name, *seconds, gb in lines]
    return table(("", "wall s", "CPU s", "peak GB"), rows)


# ---------------------------------------------------------------------- tasks, each in its own process


def data(n: int) -> Any:
    from taxonym.attack.risk import sets_of

    tax = nouns()
    records = draw(tax, n)
    x, y = sets_of(tax, records), sets_of(tax, records[::EACH])  # type: ignore[arg-type]
    truth = np.arange(n) // EACH
    return x, y, np.bincount(truth), truth


def timed(do: Callable[[], Any]) -> list[float]:
    clock, start = Clock(), time.monotonic()
    do()
    return [*clock.read(), time.monotonic() - start]


def race(n: int) -> Result:
    from taxonym.attack.linkage import SAME, links
    from taxonym.distance.record import Compare
    from taxonym.distance.sets_matrix import set_distances

    x, _, _, _ = data(n)
    every, how = np.arange(n), Compare()
    ready, ones = x.picked(every), np.ones(n, np.int64)

    def by_numpy() -> None:
        for first in range(0, n, 1_000):
            D = set_distances(x.tax, x.picked(every[first : first + 1_000]), ready)
            nearest = D.min(axis=1, keepdims=True) + SAME >= D
            np.where(nearest[np.arange(len(D)), every[first : first + 1_000]], 1 / (nearest @ ones), 0)

    links([x], [x], ones, every, how, every[:64])  # compiled before the race
    times: dict[str, list[list[float]]] = {"distances": [], "linkage": []}
    for _ in range(TIMES):
        times["distances"].append(timed(lambda: set_distances(x.tax, ready, ready, dtype="uint16")))
        times["linkage"].append(timed(lambda: links([x], [x], ones, every, how)))
    best = {name: min(runs, key=lambda run: run[2]) for name, runs in times.items()}
    return {**best, "numpy": timed(by_numpy)[2]}


def large(n: int) -> Result:
    from taxonym.attack.linkage import links
    from taxonym.distance.record import Compare

    x, y, size, truth = data(n)
    links([x], [y], size, truth, Compare(), np.arange(64))
    before = peak()
    user, system, wall = timed(lambda: links([x], [y], size, truth, Compare()))
    return {"wall": wall, "cpu": user + system, "before": before, "peak": peak()}


def knowing(n: int) -> Result:
    from taxonym.attack import inference as learned
    from taxonym.distance.record import Compare

    x, y, size, truth = data(n)
    rng, rows = np.random.default_rng(1), np.arange(64)
    learned.knowing([x], [y], size, truth, Compare(), rng, knows=2, rows=rows)
    user, system, wall = timed(lambda: learned.knowing([x], [y], size, truth, Compare(), rng, knows=2, repeats=5))
    return {"wall": wall, "cpu": user + system, "peak": peak()}


def one_to_one(n: int) -> Result:
    from taxonym.attack.linkage import assigned
    from taxonym.distance.record import Compare

    x, y, size, truth = data(n)
    user, system, wall = timed(lambda: assigned([x], [y], size, truth, Compare(), np.random.default_rng(1)))
    return {"n": n, "wall": wall, "cpu": user + system, "peak": peak()}


TASKS = {"race": race, "large": large, "knowing": knowing, "one_to_one": one_to_one}


if __name__ == "__main__":
    main()

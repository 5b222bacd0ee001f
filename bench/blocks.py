"""Groups among a million records: how much time and memory, and how much is lost by working in blocks?

    python bench/blocks.py [--sizes 10000,100000,1000000]

Synthetic records of about 20 WordNet nouns from two worlds: topics that are subtrees, and topics that are bags of small
unrelated subtrees and lone concepts, which ancestors tell little about. Every row is a new process, which sees the
compiled code and the records only. Draws docs/images/blocks.svg.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from common import met, section, short, table
from growth import COLOURS, exponent, panel
from record_tasks import Clock, K, Result, nouns, peak, zipf

import taxonym

SIZES = "10000,100000,1000000"
EXACT = (5_000, 10_000)  # where all distances are compared, too
WAYS = {(1, 1): 100_000, (2, 1): 1_000_000, (2, 2): 10_000}  # workers and passes: up to so many records
WORLDS = ("subtrees", "bags")
TOPICS = 400
STEP = 50_000  # records are drawn so many at a time; fewer are the first of them
PLOT = Path(__file__).resolve().parents[1] / "docs" / "images" / "blocks.svg"

Codes = np.ndarray[Any, np.dtype[np.int64]]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default=SIZES)
    arguments.add_argument("--task", nargs=4, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.task:
        file, n, workers, passes = given.task
        print(json.dumps(task(Path(file), int(n), int(workers), int(passes))))
        return
    sizes = [int(size) for size in given.sizes.split(",")]
    found: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        ask(folder, "subtrees", 500, 1, 2)  # compiles
        ask(folder, "subtrees", 500, 0, 0)
        for world in WORLDS:
            found += [ask(folder, world, n, 0, 0) for n in EXACT if n <= max(sizes)]
            for n in sizes:
                ways = [way for way, most in WAYS.items() if n <= most]
                found += [ask(folder, world, n, workers, passes) for workers, passes in ways]
    PLOT.write_text(plot(found), encoding="utf-8")
    section("blocks", "Groups among a million records", "python bench/blocks.py", text(found))


# ---------------------------------------------------------------------- records


def topics(tax: taxonym.Taxonomy, world: str) -> list[Codes]:
    random = np.random.default_rng(12345)  # the same topics whatever the number of records
    below = np.bincount(tax.ancestor, minlength=len(tax))

    def heads(least: int, most: int, count: int) -> list[int]:
        found: list[int] = random.choice(np.flatnonzero((below >= least) & (below <= most)), count, False).tolist()
        return found

    if world == "subtrees":
        return [random.permutation(tax.descendants(head)) for head in heads(25, 1500, TOPICS)]
    bags = []
    for _ in range(TOPICS):
        trees = [tax.descendants(head) for head in heads(5, 60, 6)]
        bags.append(random.permutation(np.unique(np.concatenate([*trees, random.integers(0, len(tax), 30)]))))
    return bags


def draw(tax: taxonym.Taxonomy, n: int, world: str) -> tuple[Codes, Codes]:
    """Records as runs of codes. Each has 1 to 8 topics; 15 % of its concepts come from anywhere; all follow Zipf."""
    parts = [*topics(tax, world), np.random.default_rng(54321).permutation(len(tax))]
    slopes = [1.0 if world == "subtrees" else 0.8] * TOPICS + [0.9]
    chances = np.concatenate([t + zipf(len(part), s) for t, (part, s) in enumerate(zip(parts, slopes, strict=True))])
    concepts, sizes, codes = np.concatenate(parts), [], []
    for first in range(0, n, STEP):
        random = np.random.default_rng([first, 7])
        wanted = np.clip(np.exp(random.normal(np.log(17), 0.6, STEP)), 5, 60).astype(int)
        own = np.searchsorted(zipf(TOPICS, 0.9), random.random((STEP, 8)))
        share = random.exponential(size=(STEP, 8)) * (np.arange(8) < 1 + random.poisson(1.6, STEP)[:, None])
        share = np.cumsum(share, axis=1) / share.sum(axis=1, keepdims=True)
        row = np.repeat(np.arange(STEP), 4 * wanted)  # enough, also where some are drawn again
        which = np.minimum((share[row] < random.random((len(row), 1))).sum(axis=1), 7)
        topic = np.where(random.random(len(row)) < 0.15, TOPICS, own[row, which])
        code = concepts[np.searchsorted(chances, topic + random.random(len(row)))]
        new = np.sort(np.unique(row * len(tax) + code, return_index=True)[1])
        begin = np.searchsorted(row[new], np.arange(STEP))
        new = new[np.arange(len(new)) - begin[row[new]] < wanted[row[new]]]
        keys = np.sort(row[new] * len(tax) + code[new])
        keys = keys[: np.searchsorted(keys, (n - first) * len(tax))]
        sizes.append(np.bincount(keys // len(tax), minlength=min(STEP, n - first)))
        codes.append((keys % len(tax)).astype(np.int32))
    return np.concatenate(([0], np.cumsum(np.concatenate(sizes)))), np.concatenate(codes)


# ---------------------------------------------------------------------- tasks, each in its own process


def task(file: Path, n: int, workers: int, passes: int) -> Result:
    if not file.exists():  # in a process of its own, whose memory is not counted
        start, codes = draw(nouns(), n, file.stem.rstrip("0123456789"))
        np.savez(file, start=start, codes=codes)
        return {}
    return blocks(file, n, workers, passes) if workers else exact(file)


def blocks(file: Path, n: int, workers: int, passes: int) -> Result:
    """Groups in blocks, with everything that belongs to it."""
    from taxonym.distance.record import Compare, Sets
    from taxonym.executor.workers import InProcess
    from taxonym.group.blocks import form_in_blocks
    from taxonym.group.refine import refined

    part, rows = records(file), np.arange(n)
    assert isinstance(part, Sets)
    form_in_blocks([part], rows[:400], Compare(), K, refined, target=100, passes=passes)  # loads what is compiled
    before, clock, wall = peak(), Clock(), time.perf_counter()
    found = form_in_blocks([part], rows, Compare(), K, refined, passes=passes, executor=InProcess(workers))
    spent, passed = sum(clock.read()), time.perf_counter() - wall
    assert sorted(row for group in found.groups for row in group) == rows.tolist()
    assert min(map(len, found.groups)) >= K
    figures: Result = {"blocks": found.blocks, "largest": found.largest, "loss": found.distance / n}
    return figures | {"cpu": spent, "wall": passed, "before": before, "peak": peak()}


def exact(file: Path) -> Result:
    """All distances; mdav and refined."""
    from taxonym.distance.record import Compare, record_matrix
    from taxonym.group.mdav import mdav
    from taxonym.group.refine import refined, sum_of_distances

    part = records(file)
    n, how = len(part), Compare()
    refined(record_matrix([part], np.arange(100), how), K)
    before, clock, wall = peak(), Clock(), time.perf_counter()
    matrix = record_matrix([part], np.arange(n), how)
    better = refined(matrix, K)
    spent, passed, most = sum(clock.read()), time.perf_counter() - wall, peak()
    loss, simple = (sum_of_distances(matrix, groups) / 65535 / n for groups in (better, mdav(matrix, K)))
    return {"loss": loss, "mdav": simple, "cpu": spent, "wall": passed, "before": before, "peak": most}


def records(file: Path) -> Any:
    from taxonym.distance.record import Sets

    drawn = np.load(file)
    return Sets(drawn["start"], drawn["codes"], nouns())


def ask(folder: str, world: str, n: int, workers: int, passes: int) -> Result:
    """A task in a process of its own."""
    print(f"{world}, {n:,} records, {workers} workers, {passes} passes …", file=sys.stderr)
    file = Path(folder) / f"{world}{n}.npz"
    command = [sys.executable, __file__, "--task", str(file), str(n), str(workers), str(passes)]
    environment = {**os.environ, "NUMBA_NUM_THREADS": "1"}
    for _ in range(1 if file.exists() else 2):  # the first time draws the records
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    result: Result = json.loads(done.stdout.splitlines()[-1])
    print(f"    {result}", file=sys.stderr)
    return {"world": world, "n": n, "workers": workers, "passes": passes, **result}


# ---------------------------------------------------------------------- tables


def text(found: Sequence[Result]) -> list[str]:
    rows = [
        (
            f["world"],
            f"{f['n']:,}",
            f"blocks, passes: {f['passes']}, workers: {f['workers']}" if f["workers"] else "all pairs",
            f"{f['blocks']:,} (≤ {f['largest']:,})" if f["workers"] else "–",
            short(f["wall"]),
            short(f["cpu"]),
            f"{f['before']:.2f}",
            f"{f['peak']:.2f}",
            f"{f['loss']:.4f}",
            f"{f['loss'] / mdav_of(found, f) - 1:+.1%}" if mdav_of(found, f) else "–",
        )
        for f in found
    ]
    head = ("topics", "records", "how", "blocks (records)", "wall s", "CPU s", "GB before", "peak GB", "mean distance")
    return [
        f"Records of about 20 WordNet nouns, min-sum over jaccard, refined groups of at least {K}. The mean distance "
        "is that of the records to the medoids of their groups; beside it how it compares with exact mdav on all pairs "
        "of the same records. Seconds and peak memory are those of all of it, distances included; memory before it is "
        "that of WordNet and the records. Where other work goes on beside, CPU seconds say more than wall seconds. "
        "Distances use all cores also with one worker. The plot is docs/images/blocks.svg.",
        table((*head, "against exact mdav"), rows),
        table(("topics", "aim", "found", "met"), aims(found)),
    ]


def mdav_of(found: Sequence[Result], f: Result) -> float:
    """What exact mdav loses on the same records, or 0 if that is not known."""
    return next((e["mdav"] for e in found if "mdav" in e and (e["world"], e["n"]) == (f["world"], f["n"])), 0.0)


def aims(found: Sequence[Result]) -> list[tuple[str, str, str, str]]:
    rows = []
    for world in WORLDS:
        once = [f for f in found if f["world"] == world and (f["workers"], f["passes"]) == (2, 1)]
        last, known = once[-1], [f for f in once if mdav_of(found, f)]
        ratio, grown = max(f["loss"] / mdav_of(found, f) for f in known), exponent(once, "cpu")
        size, more = f"{last['n']:,} records, 2 workers", last["peak"] - last["before"]
        rows += [
            (world, "loses no more than exact mdav", f"{ratio - 1:+.1%}", met(ratio, 1, most=True)),
            (world, "CPU time grows by n to the power of at most 1.15", f"{grown:.2f}", met(grown, 1.15, most=True)),
            (world, f"{size}: at most 120 wall s", short(last["wall"]), met(last["wall"], 120, most=True)),
            (world, f"{size}: at most 240 CPU s", short(last["cpu"]), met(last["cpu"], 240, most=True)),
            (world, f"{size}: at most 1 GB more", f"{more:.2f}", met(more, 1, most=True)),
        ]
    return rows


# ---------------------------------------------------------------------- the plot


def plot(found: Sequence[Result]) -> str:
    """CPU seconds (left) and memory beyond the records (right) over the number of records, all axes logarithmic."""
    own = [f for f in found if f["world"] == "subtrees"]
    ways = {
        "in blocks": [f for f in own if (f["workers"], f["passes"]) == (2, 1)],
        "all pairs": [f for f in own if not f["workers"]],
    }
    COLOURS.update({"in blocks": "#0b6e99", "all pairs": "#b3541e"})
    every = sorted((f for f in own if f["workers"] in (0, 2) and f["passes"] < 2), key=lambda f: float(f["n"]))
    cpu = {name: [(f["n"], f["cpu"]) for f in some] for name, some in ways.items()}
    memory = {name: [(f["n"], max(f["peak"] - f["before"], 1e-3)) for f in some] for name, some in ways.items()}
    sizes = f"{every[0]['n']:,} to {every[-1]['n']:,}"
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 300" font-family="sans-serif" font-size="12">',
        f"<title>CPU seconds and memory for {sizes} records, in blocks and with all pairs</title>",
        '<rect width="720" height="300" fill="white"/>',
        *panel(cpu, 55, "CPU seconds", [every[0], *ways["in blocks"]]),
        *panel(memory, 420, "memory beside the records, GB", [every[0], *ways["in blocks"]]),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    main()

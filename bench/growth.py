"""How do time and memory grow with the number of records?

    python bench/growth.py [--sizes 1000,2000,5000,10000,20000,50000] [--times 3]

Synthetic records of about 20 WordNet nouns (record_tasks.py), min-sum over jaccard, groups of 5, one thread. Every
number is measured in a new process, which sees the compiled code but has touched no memory yet; a size is measured
several times and the least CPU time is kept. Draws docs/images/growth.svg.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from math import ceil, floor, log, log10
from pathlib import Path

import numpy as np
from common import section, short, table
from record_tasks import Clock, K, Result, draw, nouns, peak

SIZES = "1000,2000,5000,10000,20000,50000"
LONGEST = 300.0  # refined groups are formed where they are expected to take fewer CPU seconds
STEPS = ("distances", "mdav", "refined")
PLOT = Path(__file__).resolve().parents[1] / "docs" / "images" / "growth.svg"
COLOURS = {"distances": "#0b6e99", "mdav": "#b3541e", "refined": "#4b7f1f", "memory": "#6b4c9a"}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", default=SIZES)
    arguments.add_argument("--times", type=int, default=3, help="how often a size up to 20,000 is measured")
    arguments.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments.add_argument("--refine", action="store_true", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.one:
        print(json.dumps(one(given.one, given.refine)))
        return
    found: list[Result] = []
    with tempfile.TemporaryDirectory() as cache:
        ask(500, True, cache)  # compiles
        for n in map(int, given.sizes.split(",")):
            refine = expected(found, "refined", n) < LONGEST
            times = given.times if n <= 20_000 else 1
            found.append(least([ask(n, refine, cache) for _ in range(times)]))
    PLOT.parent.mkdir(exist_ok=True)
    PLOT.write_text(plot(found), encoding="utf-8")
    section(
        "growth",
        "How time and memory grow",
        "python bench/growth.py",
        [
            f"Records of about 20 WordNet nouns, min-sum over jaccard, k = {K}, one thread. CPU seconds, user and "
            f"system, the least of {given.times} new processes (one above 20,000 records); refined is the whole of it, "
            "the mdav start included. Peak memory is that of the whole process, WordNet and the records included. The "
            "plot is docs/images/growth.svg.",
            sizes_table(found),
            "Fitted exponent: the slope of log(CPU s) over log(n), by least squares.",
            exponents_table(found),
        ],
    )


def one(n: int, refine: bool) -> Result:
    """All steps for n records, in this process."""
    from taxonym.distance.sets_matrix import distance_matrix
    from taxonym.group.mdav import mdav
    from taxonym.group.refine import refined, sum_of_distances

    tax = nouns()
    records = draw(tax, n)
    refined(distance_matrix(tax, records[:100], dtype="uint16", threads=1), K)  # loads what is compiled
    result: Result = {"n": n, "concepts": float(np.mean([len(r) for r in records])), "before": peak()}
    clock = Clock()
    D = distance_matrix(tax, records, dtype="uint16", threads=1)
    result |= {"distances": sum(clock.read()), "peak distances": peak(), "matrix": D.nbytes / 1024**3}
    clock = Clock()
    simple = mdav(D, K)
    result |= {"mdav": sum(clock.read()), "peak mdav": peak()}
    if refine:
        clock = Clock()
        better = refined(D, K)
        result |= {"refined": sum(clock.read()), "peak refined": peak()}
        result["ratio"] = sum_of_distances(D, better) / sum_of_distances(D, simple)
    return result


def ask(n: int, refine: bool, cache: str) -> Result:
    print(f"{n:,} …", file=sys.stderr)
    done = subprocess.run(
        [sys.executable, __file__, "--one", str(n), *(["--refine"] if refine else [])],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": cache, "NUMBA_NUM_THREADS": "1"},
    )
    result: Result = json.loads(done.stdout.splitlines()[-1])
    return result


def least(runs: list[Result]) -> Result:
    """The least of every figure."""
    return {name: min(run[name] for run in runs) for name in runs[0]}


def expected(found: list[Result], step: str, n: int) -> float:
    """What the growth so far lets expect, or nothing if there is none."""
    known = [f for f in found if step in f]
    return known[-1][step] * (n / known[-1]["n"]) ** max(2.0, exponent(known, step)) if len(known) > 1 else 0.0


def exponent(found: list[Result], step: str) -> float:
    known = [f for f in found if step in f]
    slope: float = np.polyfit([log(f["n"]) for f in known], [log(f[step]) for f in known], 1)[0]
    return slope


# ---------------------------------------------------------------------- tables


def sizes_table(found: list[Result]) -> str:
    rows = [
        (
            f"{f['n']:,}",
            *(short(f[step]) if step in f else "–" for step in STEPS),
            f"{f['ratio'] - 1:+.1%}" if "ratio" in f else "–",
            short(f["n"] ** 2 / 2 / f["distances"] / 1e6),
            f"{f['before']:.2f}",
            f"{f['matrix']:.2f}",
            *(f"{f[f'peak {step}']:.2f}" if f"peak {step}" in f else "–" for step in STEPS),
        )
        for f in found
    ]
    head = ("records", *(f"{step}, CPU s" for step in STEPS), "ΣD, refined against mdav", "M pairs per CPU s")
    head += ("GB before", "GB of the matrix", "peak GB at distances", "… at mdav", "… at refined")
    return table(head, rows)


def exponents_table(found: list[Result]) -> str:
    large = [f for f in found if f["n"] >= 10_000]
    rows = []
    for step in STEPS:
        fits = [f"{exponent(some, step):.2f}" if sum(step in f for f in some) > 1 else "–" for some in (found, large)]
        rows.append((step, *fits))
    return table(("step", "all sizes", "10,000 and more"), rows)


# ---------------------------------------------------------------------- the plot


def plot(found: list[Result]) -> str:
    """Seconds (left) and memory (right) over the number of records, all axes logarithmic."""
    lines = {step: [(f["n"], f[step]) for f in found if step in f] for step in STEPS}
    memory = {"memory": [(f["n"], max(f[name] for name in f if name.startswith("peak"))) for f in found]}
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 300" font-family="sans-serif" font-size="12">',
        "<title>CPU seconds and peak memory for 1,000 to 50,000 records</title>",
        '<rect width="720" height="300" fill="white"/>',
        *panel(lines, 55, "CPU seconds", found),
        *panel(memory, 420, "peak memory, GB", found),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def panel(lines: dict[str, list[tuple[int, float]]], left: int, title: str, found: list[Result]) -> list[str]:
    width, top, height = 225, 35, 215
    every = [value for points in lines.values() for _, value in points]
    low, high = floor(log10(min(every))), ceil(log10(max(every)))
    first, last = log10(found[0]["n"]), log10(found[-1]["n"])

    def x(n: float) -> float:
        return left + width * (log10(n) - first) / max(last - first, 1e-9)

    def y(value: float) -> float:
        return top + height * (high - log10(value)) / (high - low)

    parts = [f'<text x="{left}" y="20" font-weight="bold">{title}</text>']
    for power in range(low, high + 1):
        at = y(10.0**power)
        parts.append(f'<path d="M{left} {at:.1f}h{width}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for f in found:
        at = x(f["n"])
        parts.append(f'<path d="M{at:.1f} {top}v{height}" stroke="#eee"/>')
        parts.append(f'<text x="{at:.1f}" y="{top + height + 18}" text-anchor="middle">{f["n"] // 1000}k</text>')
    middle = left + width / 2
    parts.append(f'<text x="{middle}" y="{top + height + 38}" text-anchor="middle">records</text>')
    for name, points in lines.items():
        path = " ".join(f"{x(n):.1f},{y(value):.1f}" for n, value in points)
        colour = COLOURS[name]
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(n):.1f}" cy="{y(v):.1f}" r="3" fill="{colour}"/>' for n, v in points]
        n, value = points[-1]
        parts.append(f'<text x="{x(n) + 8:.1f}" y="{y(value) + 4:.1f}" fill="{colour}">{name}</text>')
    return parts


if __name__ == "__main__":
    main()

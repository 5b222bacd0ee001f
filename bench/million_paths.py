"""What does it take to compile one million category paths?

    python bench/million_paths.py [LINES]

Writes a list of LINES (default 1,000,000) distinct paths of 6 to 8 levels, made of WordNet words with a fixed seed, to
a temporary folder; reads and compiles it in a fresh process, and loads the result in another.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from common import met, section, short, table
from numpy.typing import NDArray

import taxonym

SEED = 20261115
UPPER = (16, 400, 5_000, 25_000, 90_000)  # categories on levels 1 to 5
LISTED = (0.45, 0.35, 0.20)  # share of the lines that end on levels 6, 7 and 8
WORDS = 30_000
LIMIT_GB = 1.5


def main() -> None:
    if len(sys.argv) > 2:
        stage = {"--write": write_paths, "--compile": compile_paths, "--load": load_compiled}[sys.argv[1]]
        print(json.dumps(stage(Path(sys.argv[2]), int(sys.argv[3]))))
        return
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "paths.txt"
        fresh("--write", path, lines)  # not here: a process passes its own peak on to those that it starts
        size = path.stat().st_size
        built, loaded = fresh("--compile", path, lines), fresh("--load", path, lines)
        binary = compiled_path(path).stat().st_size
    verdict = f"≤ {LIMIT_GB} GB: {met(built['peak'], LIMIT_GB, most=True)}"
    rows = [
        ("read and build", short(built["load"]), short(built["load_peak"]), ""),
        ("write compiled", short(built["write"]), short(built["peak"]), verdict),
        ("load compiled (fresh process, fingerprint checked)", short(loaded["load"]), short(loaded["peak"]), ""),
    ]
    section(
        "million_paths",
        "One million category paths",
        "python bench/million_paths.py",
        [
            f"{lines:,} distinct paths of 6 to 8 levels ({size / 1e6:.0f} MB of text) become {built['concepts']:,} "
            f"concepts and a compiled file of {binary / 1e6:.0f} MB. The peak is that of the whole process so far, "
            f"interpreter and numpy ({short(built['base'])} GB) included; of the loaded file it counts the mapped "
            f"pages too.",
            table(("stage", "seconds", "peak GB", "target"), rows),
        ],
        packages=["numpy"],
    )


def write_paths(path: Path, lines: int) -> dict[str, float]:
    """A tree whose categories have few to very many children; every category of levels 6 to 8 is a line."""
    rng = np.random.default_rng(SEED)
    words = vocabulary(rng)
    paths = np.array([""], dtype=object)
    sizes = [*UPPER, *(round(lines * share) for share in LISTED)]
    sizes[-1] += lines - sum(sizes[len(UPPER) :])
    listed: list[str] = []
    for level, size in enumerate(sizes):
        parent, word = children(rng, len(paths), size)
        joint = " > " if level else ""
        paths = np.array([f"{paths[p]}{joint}{words[w]}" for p, w in zip(parent, word, strict=True)], dtype=object)
        if level >= len(UPPER):
            listed += paths.tolist()
    assert len(set(listed)) == lines
    rng.shuffle(listed)
    path.write_text("\n".join(listed) + "\n", encoding="utf-8")
    return {"lines": lines}


def vocabulary(rng: np.random.Generator) -> list[str]:
    """Labels of WordNet nouns, in random order; some are taken up again and again, as 'News' and 'Europe' are."""
    tax = taxonym.load("wordnet")
    nouns = tax.descendants(tax.code("entity.n.01"))
    labels = sorted({tax.label(code) for code in rng.choice(nouns, 2 * WORDS, replace=False).tolist()})
    return [label.capitalize() for label in rng.permutation(np.array(labels, dtype=object))[:WORDS].tolist()]


def children(rng: np.random.Generator, parents: int, size: int) -> tuple[list[int], list[int]]:
    """`size` distinct (parent, word) pairs; weights fall off, of parents mildly, of words like 1/rank."""
    found: NDArray[np.int64] = np.empty(0, np.int64)
    while len(found) < size:
        parent = (parents * rng.random(size) ** 1.5).astype(np.int64)
        word = np.minimum(np.exp(rng.random(size) * np.log(WORDS + 1)) - 1, WORDS - 1).astype(np.int64)
        found = np.unique(np.concatenate([found, parent * WORDS + word]))
    found = np.sort(rng.permutation(found)[:size])
    return (found // WORDS).tolist(), (found % WORDS).tolist()


# ---------------------------------------------------------------------- in fresh processes


def compile_paths(path: Path, lines: int) -> dict[str, float]:
    from taxonym.knowledge import compiled

    base, begin = peak_gb(), time.perf_counter()
    tax = taxonym.load(path)
    built, load_peak = time.perf_counter(), peak_gb()
    compiled.write(tax, compiled_path(path))
    return {
        "base": base,
        "load": built - begin,
        "load_peak": load_peak,
        "write": time.perf_counter() - built,
        "peak": peak_gb(),
        "concepts": len(tax),
    }


def load_compiled(path: Path, lines: int) -> dict[str, float]:
    begin = time.perf_counter()
    taxonym.load(compiled_path(path))
    return {"load": time.perf_counter() - begin, "peak": peak_gb()}


def compiled_path(path: Path) -> Path:
    return path.with_suffix(".taxonym")


def peak_gb() -> float:
    """Largest resident memory of this process so far (Linux counts in KiB, macOS in bytes)."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def fresh(stage: str, path: Path, lines: int) -> dict[str, float]:
    command = [sys.executable, __file__, stage, str(path), str(lines)]
    figures: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return figures


if __name__ == "__main__":
    main()

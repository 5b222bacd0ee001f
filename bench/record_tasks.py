"""What record_groups.py measures: synthetic records, and tasks that each run in a process of their own.

    python bench/record_tasks.py TASK N PROTOTYPES

prints the figures as one line of JSON.
"""

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import taxonym

K, TIMES = 5, 5
Result = dict[str, Any]

# ---------------------------------------------------------------------- data


def nouns() -> taxonym.Taxonomy:
    wordnet = taxonym.load("wordnet")
    return wordnet.under(wordnet.code("entity.n.01"))


def draw(tax: taxonym.Taxonomy, n: int, topics: int = 400) -> list[np.ndarray[Any, np.dtype[np.int64]]]:
    """Records whose concepts come from 1 to 8 topics; topics and concepts within them follow Zipf's law."""
    world = np.random.default_rng(12345)  # the same topics whatever n is
    below = np.bincount(tax.ancestor, minlength=len(tax))
    heads = world.choice(np.flatnonzero((below >= 25) & (below <= 1500)), topics, replace=False)
    parts = [world.permutation(tax.descendants(int(head))) for head in heads]
    anywhere = world.permutation(len(tax))
    random = np.random.default_rng(0)
    sizes = np.clip(np.exp(random.normal(np.log(17), 0.6, n)), 5, 60).astype(int)
    topic_odds, any_odds = zipf(topics, 0.9), zipf(len(tax), 0.9)
    odds = [zipf(len(part), 1.0) for part in parts]
    records = []
    for size in sizes:
        own = np.searchsorted(topic_odds, random.random(min(1 + random.poisson(1.6), 8)))
        share = random.dirichlet(np.ones(len(own))).cumsum()
        chosen: set[int] = set()
        while len(chosen) < size:
            kind, where, which = random.random(3)
            t = own[min(np.searchsorted(share, which), len(own) - 1)]
            part, chances = (anywhere, any_odds) if kind < 0.15 else (parts[t], odds[t])
            chosen.add(int(part[min(np.searchsorted(chances, where), len(part) - 1)]))
        records.append(np.array(sorted(chosen)))
    return records


def zipf(n: int, exponent: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    weights = 1 / np.arange(1, n + 1) ** exponent
    return (weights / weights.sum()).cumsum()


# ---------------------------------------------------------------------- tasks, each in its own process


class Clock:
    """User and system seconds of this process since it was made."""

    def __init__(self) -> None:
        self.start = self.now()

    @staticmethod
    def now() -> np.ndarray[Any, np.dtype[np.float64]]:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return np.array([used.ru_utime, used.ru_stime])

    def read(self) -> list[float]:
        spent: list[float] = (self.now() - self.start).tolist()
        return spent


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2  # GB; Linux counts in kB


def best(times: list[list[float]]) -> list[float]:
    return min(times, key=sum)


def ours(tax: taxonym.Taxonomy, records: Any) -> tuple[list[float], list[float], Any]:
    from taxonym.distance.sets_matrix import distance_matrix
    from taxonym.group.mdav import mdav

    clock = Clock()
    D = distance_matrix(tax, records, dtype="uint16", threads=1)
    distances, clock = clock.read(), Clock()
    mdav(D, K)
    return distances, clock.read(), D


def task_cold(prototypes: Path, n: int) -> Result:
    """The first call in a new process, on few records: imports and compiling."""
    tax = nouns()
    records = draw(tax, 200)
    clock = Clock()
    ours(tax, records)
    distances = clock.read()
    from taxonym.group.refine import refined

    D = np.zeros((50, 50), np.uint16)
    clock = Clock()
    refined(D, K)
    return {"distances and mdav": distances, "refined": clock.read()}


def task_race(prototypes: Path, n: int) -> Result:
    """Ours and the prototype by turns, the best of each."""
    sys.path.insert(0, str(prototypes))
    import semscale

    tax = nouns()
    records = draw(tax, n)
    start = np.concatenate(([0], np.cumsum([len(r) for r in records])))
    graph = {"indptr": tax.ancestor_start.astype(np.int64), "anc": tax.ancestor}
    ours(tax, records[:200])
    small = semscale.View(graph, start[:201], np.concatenate(records[:200]))
    semscale.mdav(semscale.record_matrix(small, semscale.MINSUM), K)

    found: dict[str, list[list[float]]] = {name: [] for name in ("ours", "mdav", "theirs", "their mdav")}
    for _ in range(TIMES):
        distances, groups, D = ours(tax, records)
        found["ours"].append(distances)
        found["mdav"].append(groups)
        clock = Clock()
        view = semscale.View(graph, start, np.concatenate(records))
        E = semscale.record_matrix(view, semscale.MINSUM)
        found["theirs"].append(clock.read())
        clock = Clock()
        semscale.mdav(E, K)
        found["their mdav"].append(clock.read())
        same = bool((D == E).all())
    clock, wall = Clock(), time.perf_counter()
    from taxonym.distance.sets_matrix import distance_matrix

    distance_matrix(tax, records, dtype="uint16")
    threaded = time.perf_counter() - wall
    return {**{name: best(times) for name, times in found.items()}, "same": same, "wall": threaded}


def task_loop(prototypes: Path, n: int) -> Result:
    """A plain numba loop over all pairs of records and all pairs of their concepts."""
    from numba import njit

    @njit
    def triple(d, start, item, out):  # type: ignore[no-untyped-def]
        for i in range(len(start) - 1):
            for j in range(i, len(start) - 1):
                total = 0.0
                for first, second in ((i, j), (j, i)):
                    for p in range(start[first], start[first + 1]):
                        least = 1.0
                        for q in range(start[second], start[second + 1]):
                            least = min(least, d[item[p], item[q]])
                        total += least
                out[i, j] = out[j, i] = total / (start[i + 1] - start[i] + start[j + 1] - start[j])

    from taxonym.distance.sets_matrix import IndexedSets, distance_matrix

    few, tax = 1_000, nouns()
    records = IndexedSets.of_records(tax, draw(tax, n)[:few])
    d = taxonym.concept_distances(tax, records.codes, records.codes)
    out = np.empty((few, few))
    triple(d, records.start[:3], records.codes, out)
    clock = Clock()
    triple(d, records.start, records.codes, out)
    seconds = clock.read()
    error = float(np.abs(out - distance_matrix(tax, records)).max())
    return {"n": few, "seconds": seconds, "scaled": sum(seconds) * (n / few) ** 2, "error": error}


def task_growth(prototypes: Path, n: int) -> Result:
    tax = nouns()
    records = draw(tax, n)
    ours(tax, records[:200])
    before = peak()
    distances, groups, D = ours(tax, records)
    return {"n": n, "distances": distances, "mdav": groups, "peak": peak(), "before": before, "matrix": D.nbytes}


def task_quality(prototypes: Path, n: int) -> Result:
    from taxonym.group.mdav import mdav
    from taxonym.group.refine import refined, sum_of_distances

    tax = nouns()
    _, _, D = ours(tax, draw(tax, n))
    refined(D[:200, :200], K)
    found = []
    for k in (2, 3, 5, 10):
        clock = Clock()
        simple = mdav(D, k)
        alone, clock = clock.read(), Clock()
        better = refined(D, k)
        both = clock.read()
        ratio = sum_of_distances(D, better) / sum_of_distances(D, simple)
        lengths = [len(group) for group in better]
        found.append({"k": k, "ratio": ratio, "mdav": alone, "refined": both, "sizes": [min(lengths), max(lengths)]})
    return {"found": found}


def task_measures(prototypes: Path, n: int) -> Result:
    from taxonym.distance.registry import DISTANCES
    from taxonym.distance.sets import AGGREGATIONS
    from taxonym.distance.sets_matrix import IndexedSets, distance_matrix

    n, tax = n // 5, nouns()  # the slowest measures take a while
    records = IndexedSets.of_records(tax, draw(tax, n))
    found = {}
    for measure in DISTANCES:
        for aggregate in AGGREGATIONS:
            distance_matrix(tax, [[1, 2]], aggregate, measure, threads=1)
            clock = Clock()
            distance_matrix(tax, records, aggregate, measure, dtype="uint16", threads=1)
            found[f"{measure} {aggregate}"] = sum(clock.read())
    return {"n": n, "found": found, "measures": list(DISTANCES), "aggregations": list(AGGREGATIONS)}


TASKS = {name.removeprefix("task_"): task for name, task in globals().items() if name.startswith("task_")}


if __name__ == "__main__":
    print(json.dumps(TASKS[sys.argv[1]](Path(sys.argv[3]), int(sys.argv[2]))))

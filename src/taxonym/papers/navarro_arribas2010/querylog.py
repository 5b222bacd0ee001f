"""Chapter 3.2: query logs. Figures 3.6 to 3.9, and Appendix A, on the example log that we ship.

The paper's log is AOL's, which was withdrawn and is not used; its figures print no numbers. So the trends are checked,
on 600 invented users. The distance and the protection that it used are in papers it cites; ours are those of this
project, with the words as they are written (`grouping = "syntax"`) as the nearest to it.
"""

import tempfile
from collections.abc import Sequence
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.group.mdav import mdav
from taxonym.measure.mining import pairs
from taxonym.papers.items import Item
from taxonym.plan import Plan
from taxonym.run.pipeline import anonymize
from taxonym.shapes.mining import Mining
from taxonym.shapes.query_log.mining import mine
from taxonym.shapes.table.reread import Trail

OURS = "600 invented users; known_items = 1, as the paper knows no support rule"
KS = (3, 50)
CLUSTERS = (2, 100, 300)
Found = dict[int, dict[str, Any]]


def reproduce(ks: Sequence[int] = KS, clusters: Sequence[int] = CLUSTERS) -> list[Item]:
    """What the chapter says of its figures, beside ours."""
    found = mined(ks, clusters)
    return [*_frequencies(found), *_clusters(found), _difference(found), _sizes()]


def mined(ks: Sequence[int], clusters: Sequence[int], grouping: str = "meaning") -> Found:
    """What mining finds in releases of the example for every k."""
    asked = Mining(clusters=tuple(clusters), runs=2, seed=1)
    found = {}
    with as_file(files("taxonym") / "examples" / "search-log.csv") as log, tempfile.TemporaryDirectory() as folder:
        for k in ks:
            method = {"k": k, "seed": 1, "known_items": 1}
            plan = Plan.from_dict({"querylog": {"grouping": grouping, "senses": "first"}, "method": method})
            release = anonymize(log, plan, baselines=False)
            out, trail = Path(folder) / "out.tsv", Path(folder) / "trail"
            release.write(out)
            release.write_trail(trail)
            found[k] = mine(str(log), str(out), plan, Trail(trail), asked)
    return found


def _frequencies(found: Found) -> list[Item]:
    tops = {k: one["frequencies"]["queries"] for k, one in found.items()}
    kept = ", ".join(f"{top['still_on_top']} of {top['on_top']} at k = {k}" for k, top in tops.items())
    least = min(top["still_on_top"] - top["on_top"] for top in tops.values())
    words = {k: one["frequencies"]["words"]["total_variation"] for k, one in found.items()}
    grows = all(a <= b for a, b in pairwise(words.values()))
    return [
        Item(
            "Figure 3.6: the ten most frequent queries",
            "the same ten at every k, with minor exceptions",
            kept,
            OURS,
            "consistent" if least >= -2 else "not",
        ),
        Item(
            "Figure 3.7: words",
            "relatively preserved; some disappear at large k",
            "to change for equal shares: " + ", ".join(f"{100 * tv:.0f} % at k = {k}" for k, tv in words.items()),
            OURS,
            "consistent" if grows else "not",
        ),
    ]


def _rows(found: Found, k: int) -> list[list[Any]]:
    return next(list(one["rows"]) for one in found[k]["tables"] if one["name"] == "clusters")


def _clusters(found: Found) -> list[Item]:
    items = []
    for i, name in ((1, "Rand"), (2, "Jaccard")):
        ways = {k: [row[i] for row in _rows(found, k)] for k in found}
        rises = all(values[-1] >= max(values[:-1]) for values in ways.values())
        last = ", ".join(f"{values[0]:.2f} to {values[-1]:.2f} at k = {k}" for k, values in ways.items())
        items.append(
            Item(
                f"Figure 3.8: {name} index over the number of clusters",
                "closer to 1 as it grows, at every k",
                last,
                OURS,
                "consistent" if rises else "not",
            )
        )
    rng, n, many = np.random.default_rng(1), 600, _rows(found, min(found))[-1][0]
    chance = [pairs(rng.integers(c, size=n), rng.integers(c, size=n)) for c in (2, many)]
    items.append(
        Item(
            "Figure 3.8: what the Rand index says",
            "that both partitions are very similar",
            f"random partitions into {many} clusters have {chance[1].rand:.2f} (into 2: {chance[0].rand:.2f}), and "
            f"{chance[1].adjusted_rand:.2f} adjusted",
            "Rand's index nears 1 with many clusters, whatever these are: see the adjusted one",
            "not",
        )
    )
    return items


def _difference(found: Found) -> Item:
    few, most = min(found), max(found)
    apart = [abs(a[1] - b[1]) for a, b in zip(_rows(found, few), _rows(found, most), strict=True)]
    return Item(
        f"Figure 3.9: Rand index, k = {few} against k = {most}",
        "the difference falls as the number of clusters grows",
        " to ".join(f"{d:.3f}" for d in (apart[0], apart[-1])),
        OURS,
        "consistent" if apart[-1] <= apart[0] else "not",
    )


def _sizes() -> Item:
    """Appendix A asks for k to 2k records in a group; Algorithm 1 leaves k to 2k - 1."""
    rng = np.random.default_rng(1)
    sizes = set()
    for n in range(6, 40):
        points = rng.random((n, 2))
        distances = np.linalg.norm(points[:, None] - points, axis=2)
        sizes |= {len(group) for group in mdav(distances, 3)}
    return Item(
        "Appendix A: records in a group of Algorithm 1",
        "k to 2k",
        f"{min(sizes)} to {max(sizes)} for k = 3",
        "6 to 39 random points; line 15 leaves at most 2k - 1",
        "consistent" if min(sizes) >= 3 and max(sizes) <= 6 else "not",
    )

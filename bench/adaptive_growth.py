"""How far should adaptive groups grow, and what does a larger group cost? [ImranDaud2022, Figures 5 and 6]

    python bench/adaptive_growth.py [--data DIR] [--records N]

Users of Excite, queries of TREC and baskets of Groceries, compared by min-sum over jaccard, k = 5. For every growth:
how large groups become, the mean distance of a record to the middle of its group, and the same for groups of a fixed
size that is as large on average (mdav). DIR is shared/data beside the checkout unless given. Draws
docs/images/adaptive-growth.svg and docs/images/adaptive-order.svg.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from adaptive import concepts, queries, users
from charts import charts
from common import section, table
from real_sets import BESIDE, real_sets

import taxonym
from taxonym.distance.sets_matrix import distance_matrix
from taxonym.group.adaptive import adaptive_mdav
from taxonym.group.mdav import mdav, medoid
from taxonym.text.finder import Finder

K = 5
GROWTHS = (0.0, 0.5, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0)
IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
HEAD = (
    "growth", "groups", "exactly k", "median", "largest", "mean size", "distance to the middle", "mdav of that size",
    "mdav loses more by",
)  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=BESIDE, metavar="DIR")
    arguments.add_argument("--records", type=int, default=3000, metavar="N")
    given = arguments.parse_args()
    parts, panels, order = [], dict[str, Any](), dict[str, Any]()
    for name, tax, records in sources(given.data, given.records):
        D = distance_matrix(tax, records)
        known: dict[int, tuple[float, float]] = {}
        rows, lines = [], {"adaptive": [], "fixed size (mdav)": []}  # type: ignore[var-annotated]
        for growth in GROWTHS:
            groups = adaptive_mdav(D, K, growth=growth)
            sizes = np.array([len(group) for group in groups])
            lost, fixed = apart(D, groups), fixed_size(D, float(sizes.mean()), known)
            lines["adaptive"].append((float(sizes.mean()), lost))
            lines["fixed size (mdav)"].append((float(sizes.mean()), fixed))
            rows.append(
                (
                    f"{growth:g}", f"{len(sizes):,}", f"{100 * (sizes == K).mean():.0f} %", f"{np.median(sizes):.0f}",
                    f"{sizes.max():,}", f"{sizes.mean():.1f}", f"{lost:.3f}", f"{fixed:.3f}",
                    f"{fixed / lost - 1:+.1%}",
                )
            )  # fmt: skip
            if growth in (1.0, 2.0, 5.0):
                means = [float(D[group, medoid(D, group)].mean()) for group in groups]
                tenths = [float(np.mean(some)) for some in np.array_split(means, 10)]
                order.setdefault(name, {})[f"growth {growth:g}"] = [(10.0 * (i + 1), y) for i, y in enumerate(tenths)]
        panels[name] = {label: sorted(points) for label, points in lines.items()}
        parts += [f"{name}: {len(records):,} records.", table(HEAD, rows)]
    (IMAGES / "adaptive-growth.svg").write_text(
        charts("Mean distance to the middle of the group over the mean size of groups", panels, "mean size of groups")
    )
    (IMAGES / "adaptive-order.svg").write_text(
        charts("Mean distance to the middle, by the order in which groups are formed", order, "percent of the groups")
    )
    section("adaptive_growth", "How far adaptive groups grow", "python bench/adaptive_growth.py", parts)


def apart(D: Any, groups: list[list[int]]) -> float:
    """The mean distance of a record to the middle of its group."""
    return float(np.concatenate([D[group, medoid(D, group)] for group in groups]).mean())


def fixed_size(D: Any, size: float, known: dict[int, tuple[float, float]]) -> float:
    """The same for mdav groups that are as large on average, between the two k whose mean sizes are next to it."""
    k = 2
    while True:
        if k not in known:
            groups = mdav(D, k)
            known[k] = len(D) / len(groups), apart(D, groups)
        if known[k][0] >= size:
            break
        k += 1
    points = sorted(known.values())
    return float(np.interp(size, *zip(*points, strict=True)))


def sources(data: Path, most: int) -> Any:
    tax = taxonym.load("wordnet")
    finder = Finder([tax])
    yield "Excite", tax, concepts(finder, users(data))[:most]
    yield "TREC", tax, concepts(finder, ([text] for text in queries(data, 2 * most)))[:most]
    for real in real_sets(data, "Groceries, own"):
        words = real.words
        yield "Groceries", words.tax, [list(words.record(i)) for i in range(min(most, len(words)))]


if __name__ == "__main__":
    main()

"""Sets of items made safe: global recoding to k^m and groups from the top down, on the baskets of Groceries.

NCP is the mean over all items bought of 0 for an item that stays, else the share of the taxonomy's leaves that its
generalisation may mean. The known values for k = 5 are those on which three independent programs agree.

    python bench/km.py [--data DIR]
"""

import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from common import section, short, table
from real_sets import data_argument

import taxonym
from taxonym.knowledge.runs import Runs
from taxonym.measure.km import count_km
from taxonym.publish.generalize.items import recode_items
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn
from taxonym.publish.generalize.topdown import recode_sets

KNOWN = {1: 0.2597, 2: 7.6014, 3: 13.7354}  # percent, k = 5


def baskets(data: Path) -> RecodingColumn:
    """Items are leaves: an item and a category may have the same name."""
    tax = taxonym.load(data / "groceries" / "groceries_taxonomy.csv", format="levels", join_roots=True)
    leaves = np.flatnonzero(np.diff(tax.child_start) == 0).tolist()
    code = {tax.label(leaf): leaf for leaf in leaves}
    lines = (data / "groceries" / "groceries_baskets.csv").read_text("utf-8").splitlines()
    return RecodingColumn.of([sorted({code[item] for item in line.split(",")}) for line in lines], tax)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    begin = time.process_time()
    done = work()
    return done, time.process_time() - begin


def published(recoded: Recoding, n: int) -> Runs:
    shown: list[tuple[int, ...]] = [()] * n
    for rows, concepts in zip(recoded.groups, recoded.concepts, strict=True):
        for row in rows:
            shown[row] = concepts[0]
    return Runs.of(shown)


def counting(items: RecodingColumn, m: int) -> list[object]:
    count, seconds = timed(lambda: count_km(items, 5, m))
    of = count.sizes[-1]
    return [m, f"{of.occurring:,}", f"{of.rare:,}", f"{of.persons:,}", f"{count.exposed:,}", short(seconds)]


def warm(items: RecodingColumn) -> None:
    """Have everything compiled, so that it is not timed."""
    few = items.take(np.arange(50))
    for search in ("plain", "improved"):
        recode_sets([few], 2, search=search)
    recode_items([few], 2, 2)


def grouping(task: tuple[Path, int, bool]) -> list[Any]:
    data, k, root = task
    items = baskets(data)
    warm(items)
    print(f"k = {k}, root {root} …", file=sys.stderr)
    allowed = np.ones(len(items.tax), np.bool_)
    allowed[items.tax.roots] = root
    column = replace(items, allowed=allowed)
    plain, quick = timed(lambda: recode_sets([column], k, search="plain"))
    better, slow = timed(lambda: recode_sets([column], k))
    assert min(map(len, better.groups)) >= k
    costs = plain.cost, better.cost, better.bound
    return [k, "yes" if root else "no", *costs, f"{len(better.groups):,}", short(quick), short(slow)]


def main() -> None:
    arguments = data_argument(__doc__).parse_args()
    items = baskets(arguments.data)
    bought = len(items.codes)
    warm(items)

    def percent(cost: float) -> str:
        return f"{100 * cost / bought:.4f}"

    globally = []
    for m, known in KNOWN.items():
        greedy, quick = timed(lambda m=m: recode_items([items], 5, m, search="apriori"))
        best, slow = timed(lambda m=m: recode_items([items], 5, m))
        holds = count_km(published(best, len(items)), 5, m).holds
        least = "yes" if best.cheapest else f"no, at least {percent(best.bound)}"
        row = [m, known, percent(greedy.cost), percent(best.cost), least, "yes" if holds else "**no**"]
        globally.append([*row, short(quick), short(slow)])

    tasks = [(arguments.data, k, root) for k in (2, 5, 10, 25) for root in (True, False)]
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(grouping, tasks))
    locally = [[*told[:2], *map(percent, told[2:5]), *told[5:]] for told in found]

    section(
        "km",
        "Sets of items: k^m and groups of sets",
        "python bench/km.py",
        [
            f"Groceries: {len(items):,} baskets, {bought:,} items bought, {len(np.unique(items.codes))} different. "
            "Seconds are processor time, compiled. Memory of counting: 16 bytes for every item bought, and at most as "
            "much again for each of the m - 1 upper levels.",
            "Combinations of exactly m items that occur, those that fewer than 5 baskets have, baskets with one of "
            "them, and baskets with one of at most m:",
            table(
                ["m", "occur", "rare", "baskets", "baskets, up to m", "s"], (counting(items, m) for m in (1, 2, 3, 4))
            ),
            "Every item replaced by the same generalisation everywhere, k = 5, NCP in percent. The cheapest is found "
            "by an exact search that also proves it:",
            table(
                ["m", "known", "apriori", "cheapest", "proven", "recounted k^m holds", "apriori s", "cheapest s"],
                globally,
            ),
            "Groups of at least k that publish the same, top-down, NCP in percent: plain, improved, and what no such "
            "groups can cost less than. Where the root may be published everything must be covered; where it may not, "
            "what is not common to a group is left out and costs as much as the root.",
            table(["k", "root", "plain", "improved", "bound", "groups", "plain s", "improved s"], locally),
        ],
        ("numpy", "numba", "scipy"),
    )


if __name__ == "__main__":
    main()

"""Does meaning pay? Table 1 of Batet2014 again, on public data.

    python bench/table1.py [--data DIR] [--figures FILE]

Five samples of 1,000 persons (all, where there are fewer) in random order; MDAV groups by each of the five aggregations
over jaccard, over equal concepts (eq. 9) and over equal strings; what is published is the plain medoid under the same
distance. The paper's L (eq. 8) is given beside a loss that is 0 for unchanged data. Then the same with what users get.
FILE keeps the figures: if it is there, they are reported again, not measured.
"""

import pickle
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from common import section, table
from real_sets import RealSet, data_argument, real_sets, sets_of

from taxonym.distance.record import Compare, Sets, record_matrix, record_pairs
from taxonym.distance.sets import AGGREGATIONS
from taxonym.group.mdav import mdav
from taxonym.group.refine import refined
from taxonym.measure.loss import squared_sum
from taxonym.papers.batet2014.printed import TABLE_1 as PAPER
from taxonym.publish.groups import Support, choose
from taxonym.records.support import Rule

SEED, SAMPLES, MOST = 20261116, 5, 1000
KS = (2, 3, 4, 5)
T95 = 2.776  # Student's t, 4 degrees of freedom
WAYS = ("jaccard", "equal", "equal-terms")
CALLED = {"jaccard": "semantic", "equal": "equal concepts", "equal-terms": "equal strings"}
MIN_SUM = Compare(aggregate="min-sum", measure="jaccard")


class Cell(NamedTuple):
    """A data set, how its groups were formed, and for which k."""

    name: str
    aggregate: str
    way: str
    k: int


@dataclass
class Found:
    """Figures by cell, one for each sample."""

    L: dict[Cell, list[float]] = field(default_factory=dict)
    mean: dict[Cell, list[float]] = field(default_factory=dict)  # sqrt(L) / n
    apart: dict[Cell, list[float]] = field(default_factory=dict)  # min-sum
    size: dict[Cell, list[float]] = field(default_factory=dict)  # concepts of what is published
    tied: dict[tuple[str, str, str], list[float]] = field(default_factory=dict)  # pairs at the commonest distance
    itself: dict[str, list[tuple[float, float]]] = field(default_factory=dict)  # L(X, X), and its root / n
    told: dict[str, str] = field(default_factory=dict)
    sampled: dict[str, int] = field(default_factory=dict)
    same: dict[Cell, list[float]] = field(default_factory=dict)  # sqrt(L) / n with one rule for the medoid
    nothing: dict[Cell, list[float]] = field(default_factory=dict)  # share of persons for whom nothing is published
    seconds: float = 0.0

    def add(self, cell: Cell, x: Sets, published: Sequence[Sequence[int]], groups: list[list[int]]) -> None:
        y = Sets.of(published, x.tax)
        rows = np.array([row for group in groups for row in group], np.int64)
        columns = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        L = squared_sum([x], [y], rows, columns, MIN_SUM)
        for where, value in (
            (self.L, L),
            (self.mean, sqrt(L) / len(rows)),
            (self.apart, float(record_pairs([x], [y], rows, columns, MIN_SUM).mean())),
            (self.size, float(np.diff(y.start)[columns].mean())),
            (self.nothing, float((np.diff(y.start)[columns] == 0).mean())),
        ):
            where.setdefault(cell, []).append(value)


def main() -> None:
    arguments = data_argument(__doc__)
    arguments.add_argument("--figures", type=Path, metavar="FILE")
    given = arguments.parse_args()
    if given.figures and given.figures.exists():
        paper, users = pickle.loads(given.figures.read_bytes())  # our own file
    else:
        paper, users = measured(given.data, given.only)
    if given.figures:
        given.figures.write_bytes(pickle.dumps((paper, users)))
    names = list(paper.told)
    winners = [[best(figures, name, k) for name in names for k in KS] for figures in (paper.mean, paper.apart)]
    section(
        "table1",
        "Table 1 of Batet2014 on public data",
        "python bench/table1.py",
        [
            *introduction(paper),
            *(part for name in names for part in one_set(paper, name)),
            "### Is the semantic loss below the others?",
            *verdict(paper, names, "L", paper.mean),
            *verdict(paper, names, "min-sum", paper.apart),
            f"Of the semantic aggregations L is least for `avg` in {winners[0].count('avg')} of {len(winners[0])} "
            f"pairs of data and k, and the min-sum loss for `min-sum` in {winners[1].count('min-sum')}.",
            *reasons(paper, names),
            *beside_the_paper(paper, names),
            *what_users_get(users, paper, names),
            f"CPU seconds of the whole script: {paper.seconds:.0f}.",
        ],
    )


# ---------------------------------------------------------------------- measuring


def measured(data: Path, only: str) -> tuple[Found, Found]:
    paper, users = Found(), Found()
    for real in real_sets(data, only):
        paper.told[real.name] = real.told()
        x, raw = sets_of(real), sets_of(real, raw=True)
        for number in range(SAMPLES):
            rows = np.random.default_rng([SEED, number]).permutation(len(real.units))[:MOST]
            paper.sampled[real.name] = len(rows)
            measure_paper(paper, real.name, x, raw, rows)
            measure_groups(paper, real.name, x, rows)
            measure_users(users, real, rows)
    paper.seconds = time.process_time()
    return paper, users


def measure_paper(found: Found, name: str, x: Sets, raw: Sets, rows: np.ndarray[Any, Any]) -> None:
    """MDAV and plain medoids. Ties go to the earlier record, and the order is random."""
    records = [x.record(row) for row in rows.tolist()]
    every = np.arange(len(rows))
    mine = Sets.of(records, x.tax)
    L = squared_sum([mine], [mine], every, every, MIN_SUM)
    found.itself.setdefault(name, []).append((L, sqrt(L) / len(rows)))
    for aggregate in AGGREGATIONS:
        for way in WAYS:
            part, measure = (raw, "equal") if way == "equal-terms" else (x, way)
            D = record_matrix([part], rows, Compare(aggregate=aggregate, measure=measure))
            above = D[np.triu_indices(len(D), 1)]
            commonest = np.bincount(above).max() / len(above)
            found.tied.setdefault((name, aggregate, way), []).append(float(commonest))
            for k in KS:
                groups = mdav(D, k)
                middles = [group[int(D[np.ix_(group, group)].sum(axis=1, dtype=np.int64).argmin())] for group in groups]
                found.add(Cell(name, aggregate, way, k), mine, [records[m] for m in middles], groups)


def measure_groups(found: Found, name: str, x: Sets, rows: np.ndarray[Any, Any]) -> None:
    """The groups by `min` alone: whatever formed them, the medoid by the semantic average is published."""
    average = record_matrix([x], rows, Compare(aggregate="avg", measure="jaccard"))
    for way in WAYS[:2]:
        D = record_matrix([x], rows, Compare(aggregate="min", measure=way))
        for k in KS:
            total = sum(int(average[np.ix_(g, g)].sum(axis=1, dtype=np.int64).min()) for g in mdav(D, k))
            found.same.setdefault(Cell(name, "min", way, k), []).append(total / 65535 / len(rows))


def measure_users(found: Found, real: RealSet, rows: np.ndarray[Any, Any]) -> None:
    """The pipeline's steps: refined groups by min-sum, and the best set under the support rule, known_items = 2."""
    words, persons = real.words.of(rows), real.units.persons[rows]
    x = Sets(words.start, words.codes, words.tax)
    raw = words.raw()
    for k in KS:
        support, rule = Support.of(words, persons, k), Rule(k=k, known_items=2)
        for way in WAYS:
            part, measure = (raw, "equal") if way == "equal-terms" else (x, way)
            how = Compare(aggregate="min-sum", measure=measure)
            groups = refined(record_matrix([part], np.arange(len(rows)), how), k)
            concepts = choose([support], groups, rule, "best", how)[0].concepts
            found.add(Cell(real.name, "min-sum", way, k), x, concepts, groups)


def interval(values: Iterable[float]) -> tuple[float, float]:
    """Mean and half the width of its 95 % interval."""
    given = np.array(list(values))
    return float(given.mean()), float(T95 * given.std(ddof=1) / sqrt(len(given)))


# ---------------------------------------------------------------------- the report


def introduction(found: Found) -> list[str]:
    below = sum(np.mean(v) < np.mean([root for _, root in found.itself[c.name]]) for c, v in found.mean.items())
    return [
        f"{SAMPLES} random samples of {MOST:,} persons, all in random order where there are fewer; figures are means "
        "with their 95 % interval (Student's t). The interval tells how much the sample and the order of the records "
        "matter, the latter through ties; where nearly all persons are in every sample, it tells of the order alone. "
        "An item of Groceries that is named like its group means the group.",
        "L = (Σ D_avg)² in thousands; behind it √L / n, the mean D_avg of a person to what is published, which can be "
        "compared between data sets. L(X, X) is what unchanged data gives: D_avg of a set to itself is not 0, so that "
        f"masked data may have a smaller L than unchanged data (it has in {below} of {len(found.mean)} cells). "
        "`min-sum` is the mean distance that is 0 for unchanged data.",
    ]


def one_set(found: Found, name: str) -> list[str]:
    L, root = (interval(pair[i] for pair in found.itself[name])[0] for i in (0, 1))
    rows, zero = [], []
    for aggregate in AGGREGATIONS:
        for way in WAYS:
            cells = [Cell(name, aggregate, way, k) for k in KS]
            head = (aggregate, CALLED[way])
            rows.append((*head, *(_thousands(found, cell) for cell in cells)))
            zero.append((*head, *("{:.3f} ± {:.3f}".format(*interval(found.apart[cell])) for cell in cells)))
    columns = ("aggregation", "groups by", *(f"k = {k}" for k in KS))
    return [
        f"### {name}",
        f"{found.told[name]}. {found.sampled[name]:,} in a sample.",
        f"L in thousands (√L / n); L(X, X) = {L / 1000:,.1f} ({root:.3f}):",
        table(columns, rows),
        "Mean min-sum distance:",
        table(columns, zero),
    ]


def _thousands(found: Found, cell: Cell) -> str:
    mean, half = interval(found.L[cell])
    return f"{mean / 1000:,.1f} ± {half / 1000:,.1f} ({interval(found.mean[cell])[0]:.3f})"


def compared(figures: dict[Cell, list[float]], cell: Cell, other: str) -> tuple[float, float]:
    """How far the semantic loss is below the other, as a share of it: mean and half its interval, sample by sample."""
    theirs = figures[cell._replace(way=other)]
    return interval(1 - a / b for a, b in zip(figures[cell], theirs, strict=True))


def best(figures: dict[Cell, list[float]], name: str, k: int) -> str:
    return min(AGGREGATIONS, key=lambda aggregate: np.mean(figures[Cell(name, aggregate, WAYS[0], k)]))


def verdict(found: Found, names: list[str], loss: str, figures: dict[Cell, list[float]]) -> list[str]:
    what = "√L / n" if loss == "L" else "the mean min-sum distance"
    rows, exceptions, counts = [], [], {other: [0, 0, 0] for other in WAYS[1:]}
    for name in names:
        line: list[str] = [name]
        for other in WAYS[1:]:
            cells = [Cell(name, aggregate, WAYS[0], k) for aggregate in AGGREGATIONS for k in KS]
            found_here = {cell: compared(figures, cell, other) for cell in cells}
            below = sum(mean > 0 for mean, _ in found_here.values())
            sure = sum(mean > half for mean, half in found_here.values())
            worse = sum(mean < -half for mean, half in found_here.values())
            counts[other] = [a + b for a, b in zip(counts[other], (below, sure, worse), strict=True)]
            line += [f"{below} of {len(cells)}", str(sure), str(worse)]
            exceptions += [
                (name, cell.aggregate, cell.k, CALLED[other], f"{-100 * mean:+.1f} ± {100 * half:.1f} %")
                for cell, (mean, half) in found_here.items()
                if mean <= 0
            ]
        rows.append(line)
    total = len(names) * len(AGGREGATIONS) * len(KS)
    says = [
        f"below groups by {CALLED[other]} in {below} of {total} cells (surely in {sure}, surely above in {worse})"
        for other, (below, sure, worse) in counts.items()
    ]
    head = [
        "",
        *(f"{word} {CALLED[other]}" for other in WAYS[1:] for word in ("below", "surely below", "surely above")),
    ]
    parts = [
        f"**By {what}** the semantic loss is {' and '.join(says)}. `surely`: the 95 % interval of the difference, "
        "sample by sample, does not hold 0.",
        table(head, rows),
    ]
    if exceptions:
        parts += [
            f"Where the semantic loss is not below, by {what}:",
            table(("data", "aggregation", "k", "against", "semantic loss is"), exceptions),
        ]
    return parts


def reasons(found: Found, names: list[str]) -> list[str]:
    rows = []
    for name in names:
        for aggregate in AGGREGATIONS:
            ties = [f"{100 * np.mean(found.tied[name, aggregate, way]):.0f} %" for way in WAYS]
            sizes = [f"{size(found, name, aggregate, way, k):.2f}" for k in (2, 5) for way in WAYS[:2]]
            cells = [Cell(name, aggregate, WAYS[0], k) for k in KS]
            gains = [np.mean([compared(f, cell, "equal")[0] for cell in cells]) for f in (found.mean, found.apart)]
            rows.append((name, aggregate, *ties, *sizes, *(f"{100 * gain:+.0f} %" for gain in gains)))
    head = (
        "data",
        "aggregation",
        *(f"ties, {CALLED[w]}" for w in WAYS),
        *(f"size at k = {k}, {CALLED[w]}" for k in (2, 5) for w in WAYS[:2]),
    )
    return [
        "### Why",
        "`ties`: the share of the pairs of persons that lie at the commonest distance, which therefore says nothing "
        "about them. `size`: concepts of what is published for a person, on average. `gain`: how far the semantic loss "
        "is below that by equal concepts, mean over k.",
        table((*head, "gain, L", "gain, min-sum"), rows),
        *_reasons_in_words(found, names),
    ]


def size(found: Found, name: str, aggregate: str, way: str, k: int) -> float:
    return float(np.mean(found.size[Cell(name, aggregate, way, k)]))


def _reasons_in_words(found: Found, names: list[str]) -> list[str]:
    every = [Cell(name, aggregate, WAYS[0], k) for name in names for aggregate in AGGREGATIONS for k in KS]
    by_L, by_min_sum = (
        [cell for cell in every if compared(figures, cell, "equal")[0] <= 0] for figures in (found.mean, found.apart)
    )
    smallest = [cell for cell in by_L if cell.aggregate == "min"]
    rest = max((-compared(found.mean, cell, "equal")[0] for cell in by_L if cell.aggregate != "min"), default=0.0)
    larger = sum(size(found, *cell) > size(found, *cell._replace(way="equal")) for cell in smallest)
    groups = [compared(found.same, cell, "equal") for cell in smallest]
    less = [mean for mean, _ in groups] or [0.0]
    not_zero = [cell for cell in by_min_sum if cell.aggregate in ("max", "max-sum")]
    others = ", ".join(f"{c.aggregate} k = {c.k} in {c.name}" for c in by_min_sum if c not in not_zero)
    smaller = sum(size(found, *cell) < size(found, *cell._replace(way="equal")) for cell in not_zero)
    return [
        f"- By L, against equal concepts, {len(smallest)} of the {len(by_L)} exceptions are groups by `min` (the "
        f"others are differences of at most {100 * rest:.1f} %). One near pair of concepts makes two persons near, so "
        "its medoid is a person who has something near to everything, with a large set; L, an average over all pairs, "
        f"punishes large sets. In {larger} of these {len(smallest)} cells the semantic medoids are larger than the "
        "others. To test it, all groups by `min` published the same kind of medoid (by the semantic average): then the "
        f"semantic groups are below in {sum(m > 0 for m in less)} of the {len(groups)} cells, surely in "
        f"{sum(mean > half for mean, half in groups)}; L's root changes by {-100 * max(less):+.1f} to "
        f"{-100 * min(less):+.1f} %.\n"
        f"- By min-sum, {len(not_zero)} of the {len(by_min_sum)} exceptions are groups by `max` or `max-sum`, "
        f"{sum(cell.k == 2 for cell in not_zero)} of them at k = 2. Under these a set of several concepts is at 0 "
        "neither from itself nor from its copy: they join a large set with a small one in its middle instead of with "
        f"its like, and publish the small one (smaller than without meaning in {smaller} of {len(not_zero)} cells). "
        "Without meaning nearly all pairs tie, so that groups are nearly random and sizes as they come.\n"
        f"- The other exceptions by min-sum: {others or 'none'}. Where `min` ties for nearly all pairs, with and "
        "without meaning, nothing can be learnt from it.",
    ]


def beside_the_paper(found: Found, names: list[str]) -> list[str]:
    """The printed figures, and ours in the setting that is most like the paper's."""
    name = "Excite, DMOZ"
    if name not in names:
        return []
    rows = []
    for aggregate, (theirs, without) in PAPER.items():
        for way, printed in (("jaccard", theirs), ("equal-terms", without)):
            own = [interval(found.mean[Cell(name, aggregate, way, k)])[0] for k in KS]
            rows.append((aggregate, CALLED[way], *printed, *(f"{value:.3f}" for value in own)))
    gains = [1 - a / b for theirs, without in PAPER.values() for a, b in zip(theirs, without, strict=True)]
    ours = [
        compared(found.mean, Cell(name, aggregate, WAYS[0], k), "equal-terms")[0] for aggregate in PAPER for k in KS
    ]
    return [
        "### Beside the paper's figures",
        "The paper's setting (query logs, ODP) with public data: Excite and DMOZ. It prints L between 639 and 895 for "
        "1,000 users. As squares of sums these would be mean distances of 0.025 to 0.030, next to nothing; as plain "
        "sums they are means of 0.639 to 0.895, which is what such data gives. So Table 1 seems to print Σ D_avg, not "
        "eq. 8; compare its figures, divided by 1,000, with √L / n.",
        table(("aggregation", "groups by", *(f"paper, k = {k}" for k in KS), *(f"ours, k = {k}" for k in KS)), rows),
        f"Semantic below equal strings: {100 * min(gains):.0f} to {100 * max(gains):.0f} % in the paper, "
        f"{100 * min(ours):.0f} to {100 * max(ours):.0f} % here, by √L / n.",
    ]


def what_users_get(users: Found, paper: Found, names: list[str]) -> list[str]:
    rows = []
    for name in names:
        for way in WAYS:
            cells = [Cell(name, "min-sum", way, k) for k in KS]
            line = ["{:.3f} ± {:.3f}".format(*interval(users.apart[cell])) for cell in cells]
            line += [f"{interval(users.mean[cell])[0]:.3f}" for cell in cells]
            rows.append((name, CALLED[way], *line))
    cells = [Cell(name, "min-sum", WAYS[0], k) for name in names for k in KS]
    below = [compared(users.apart, cell, other) for cell in cells for other in WAYS[1:]]
    less = [1 - interval(users.apart[cell])[0] / interval(paper.apart[cell])[0] for cell in cells]
    nothing = max(max(shares) for shares in users.nothing.values())
    higher = ", ".join(
        f"{cell.name} k = {cell.k} ({-100 * v:+.1f} %)" for cell, v in zip(cells, less, strict=True) if v <= 0
    )
    return [
        "### What users get",
        "Refined groups by min-sum, and the closest set of concepts under the support rule with `known_items = 2` "
        "(`best`), chosen by the same distance as the groups; mean min-sum distance, then √L / n.",
        table(("data", "groups by", *(f"k = {k}" for k in KS), *(f"√L / n, k = {k}" for k in KS)), rows),
        f"The semantic loss is below the one without meaning in {sum(mean > 0 for mean, _ in below)} of {len(below)} "
        f"comparisons, surely in {sum(mean > half for mean, half in below)}; by {100 * min(m for m, _ in below):.0f} "
        f"to {100 * max(m for m, _ in below):.0f} %. Against the paper's procedure (semantic MDAV by min-sum, plain "
        f"medoids, no support rule) it changes by {-100 * max(less):+.0f} to {-100 * min(less):+.0f} %: lower in "
        f"{sum(v > 0 for v in less)} of {len(less)} cells although the support rule is kept. Higher: {higher}. "
        f"Nothing could be published for at most {100 * nothing:.1f} % of a sample (counted as at 1).",
    ]


if __name__ == "__main__":
    main()

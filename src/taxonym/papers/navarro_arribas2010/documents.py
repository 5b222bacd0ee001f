"""Chapter 2 of [NavarroArribas2010]: semantic microaggregation of vectors of terms.

Table 2.1 is made anew from its four documents. Table 2.2 is about 50 papers of a conference, which are not published
with it: what can be checked is its arithmetic, and whether it shows what the text says of it. The same figures on
public documents are made by bench/documents.py.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from taxonym.distance.vectors import Vector, pairing, vector_distance
from taxonym.group.mdav import mdav
from taxonym.knowledge.arrays import Groups
from taxonym.knowledge.catalog import load
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.squares import Squares
from taxonym.papers.items import Item, checked
from taxonym.publish.vectors import covering
from taxonym.text.senses import closest_pair

Terms = list[tuple[str, float]]

# Table 2.1
ORIGINAL: list[Terms] = [
    [("keyboard", 0.3), ("laptop", 0.4), ("software", 0.3)],
    [("horse", 0.7), ("dog", 0.2), ("cat", 0.1)],
    [("hardware", 0.3), ("screen", 0.3), ("computer", 0.4)],
    [("lion", 0.5), ("monkey", 0.3), ("tiger", 0.2)],
]
PARTS: Terms = [("abstraction", 0.3), ("computer", 0.4), ("instrumentality", 0.3)]
ANIMALS: Terms = [("big_cat", 0.3), ("carnivore", 0.2), ("placental", 0.5)]
PROTECTED: list[Terms] = [PARTS, ANIMALS, PARTS, ANIMALS]


class PrintedRow(NamedTuple):
    """A row of Table 2.2."""

    k: int
    data: str
    sse: float
    ssa: float
    sst: float
    loss: float


_F50, _F100 = "f50x50", "f100x50"
TABLE_2_2 = [
    PrintedRow(2, _F50, 4.938, 30.929, 35.867, 13.766), PrintedRow(2, _F100, 4.936, 37.119, 42.055, 11.736),
    PrintedRow(3, _F50, 11.407, 21.390, 32.797, 34.780), PrintedRow(3, _F100, 12.049, 29.733, 41.782, 28.838),
    PrintedRow(4, _F50, 15.693, 21.556, 37.249, 42.131), PrintedRow(4, _F100, 16.647, 22.759, 39.406, 42.245),
    PrintedRow(5, _F50, 20.404, 11.890, 32.294, 63.181), PrintedRow(5, _F100, 21.070, 19.157, 40.227, 52.377),
    PrintedRow(6, _F50, 23.072, 17.372, 40.444, 57.046), PrintedRow(6, _F100, 24.516, 18.336, 42.852, 57.212),
    PrintedRow(7, _F50, 25.109, 11.332, 36.441, 68.903), PrintedRow(7, _F100, 26.712, 18.981, 45.693, 58.560),
    PrintedRow(8, _F50, 27.034, 8.986, 36.0194, 75.053), PrintedRow(8, _F100, 27.662, 16.101, 43.763, 63.209),
    PrintedRow(9, _F50, 28.529, 10.085, 38.614, 73.883), PrintedRow(9, _F100, 30.107, 11.657, 41.764, 72.088),
    PrintedRow(10, _F50, 31.670, 5.680, 37.350, 84.793), PrintedRow(10, _F100, 31.455, 10.857, 42.312, 74.341),
]  # fmt: skip
HALF = 0.0005  # of the last digit printed
MISPRINT = (7, _F100)  # 58.560, where SSE and SST give 58.460


def groups(tax: Taxonomy, k: int = 2) -> Groups:
    """The partition of Table 2.1: MDAV on the distances between the four documents."""
    found = [_vector(tax, terms) for terms in ORIGINAL]
    return mdav(np.array([[vector_distance(tax, x, y) for y in found] for x in found]), k)


def together(tax: Taxonomy, x: Terms, y: Terms) -> Terms:
    """The generalised vector of two documents, its terms in the order of the alphabet as in Table 2.1."""
    pairs, _ = pairing(tax, _vector(tax, x), _vector(tax, y))
    found: dict[str, float] = {}
    for i, j in pairs:
        a, b, _ = closest_pair(tax, _senses(tax, x[i][0]), _senses(tax, y[j][0]))
        concept = covering(tax, [a, b], 2)
        label = tax.label(tax.roots[0] if concept is None else concept).replace(" ", "_")
        found[label] = found.get(label, 0.0) + (x[i][1] + y[j][1]) / 2
    return sorted((label, round(weight, 9)) for label, weight in found.items())


def protected(tax: Taxonomy) -> list[Terms]:
    """All four documents as Table 2.1 protects them."""
    found: list[Terms] = [[] for _ in ORIGINAL]
    for a, b in groups(tax):
        found[a] = found[b] = together(tax, ORIGINAL[a], ORIGINAL[b])
    return found


def _senses(tax: Taxonomy, word: str) -> tuple[int, ...]:
    return tuple(tax.codes(word))


def _vector(tax: Taxonomy, terms: Terms) -> Vector:
    return [(_senses(tax, word), weight) for word, weight in terms]


# ---------------------------------------------------------------------- what is printed, beside ours


def reproduce() -> list[Item]:
    """Tables 2.1 and 2.2, and what the text says of the latter."""
    tax = load("wordnet")
    shown = [[i + 1 for i in group] for group in sorted(groups(tax))]
    return [
        checked("Table 2.1: groups", [[1, 3], [2, 4]], shown, "1 - mean similarity of paired terms; mdav, k = 2"),
        checked(
            "Table 2.1: protected data",
            PROTECTED,
            protected(tax),
            "Wu-Palmer of the nearest synsets; of two equally good pairings the last permutation",
        ),
        *_arithmetic(),
        *_trends(),
        Item(
            "§2.4: Jaccard of vectors with and without words outside WordNet",
            "0.769557 (50 terms), 0.771153 (100 terms)",
            "not computed here",
            "the 50 papers are not given; bench/documents.py measures public documents",
            "not",
        ),
        Item(
            "Table 2.2: its numbers",
            "SSE 4.938 to 31.670, L 13.766 to 84.793 (50 terms)",
            "not computed here",
            "the 50 papers are not given; bench/documents.py measures public documents",
            "not",
        ),
    ]


def _arithmetic() -> list[Item]:
    sums = [row for row in TABLE_2_2 if abs(row.sse + row.ssa - row.sst) < 3 * HALF]
    off = {(row.k, row.data) for row in TABLE_2_2 if abs(_loss(row) - row.loss) > _spread(row)}
    wrong = next(row for row in TABLE_2_2 if (row.k, row.data) == MISPRINT)
    return [
        checked("Table 2.2: SST = SSA + SSE", "18 of 18 rows", f"{len(sums)} of {len(TABLE_2_2)} rows", "as printed"),
        checked(
            "Table 2.2: L = 100 · SSE / SST (eq. 2.3)",
            "17 of 17 rows",
            f"{len(TABLE_2_2) - len(off)} of {len(TABLE_2_2) - 1} rows",
            "from SSE and SST as printed, to their digits; the other row is the next item",
        ),
        checked(
            "Table 2.2: L at k = 7, f100x50",
            f"{wrong.loss:.3f}",
            f"{_loss(wrong):.3f}",
            "from SSE and SST as printed: a misprint",
        ),
    ]


def _loss(row: PrintedRow) -> float:
    """Eq. 2.3 from what is printed."""
    return Squares(row.sse, row.sst - row.sse).loss or 0.0


def _spread(row: PrintedRow) -> float:
    """How far L may be off because SSE, SST and L itself are printed with three digits."""
    return HALF + (100 * HALF + row.loss * HALF) / row.sst


def _trends() -> list[Item]:
    """What the text says of Table 2.2, counted over its steps from k to k + 1."""
    by = {data: [row for row in TABLE_2_2 if row.data == data] for data in (_F50, _F100)}
    steps = [pair for rows in by.values() for pair in pairwise(rows)]
    more = sum(a.loss > b.loss for a, b in zip(by[_F50], by[_F100], strict=True))

    def item(what: str, said: str, count: int, of: int) -> Item:
        return Item(what, said, f"{count} of {of}", "the printed rows", "exact" if count == of else "not")

    return [
        item("Table 2.2: SSE as k grows", "increases", sum(a.sse < b.sse for a, b in steps), len(steps)),
        item("Table 2.2: SSA as k grows", "decreases", sum(a.ssa > b.ssa for a, b in steps), len(steps)),
        item("Figure 2.1: L as k grows", "increases", sum(a.loss < b.loss for a, b in steps), len(steps)),
        item("Figure 2.1: L of 50 terms against 100", "higher", more, len(by[_F50])),
    ]

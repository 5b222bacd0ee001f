"""The tables of [ImranDaud2022] as they are printed, and the text around them that gives numbers."""

from collections.abc import Mapping

Pair = tuple[int, int]

# Table 1: similarity of the attributes of one query. It does not come from WordNet (see `reproduce`), which writes the
# paper's "ill-health" in two words.
ATTRIBUTES_1 = {11: "infection", 21: "disease", 31: "ill health", 41: "cure", 51: "lung"}
TABLE_1 = {
    (11, 21): 0.85, (11, 31): 0.82, (11, 41): 0.33, (11, 51): 0.13, (21, 31): 0.91,
    (21, 41): 0.14, (21, 51): 0.65, (31, 41): 0.55, (31, 51): 0.23, (41, 51): 0.22,
}  # fmt: skip
EXAMPLE_2 = [11, 41, 51]  # what is left of the query once similar attributes count once

# Table 2: similarity of the attributes of three queries; the rows of (c) are those of q2.
_Q1, _Q2, _Q3 = (11, 41, 51), (12, 22, 32, 42), (13, 23, 33, 43)


def _table(rows: tuple[int, ...], columns: tuple[int, ...], values: str) -> dict[Pair, float]:
    read = map(float, values.split())
    return {(row, column): next(read) for row in rows for column in columns}


TABLE_2 = {
    "a": _table(_Q2, _Q1, ".8 .4 .3  .2 .7 .6  .6 .1 .5  .1 .8 .6"),
    "b": _table(_Q3, _Q1, ".3 .2 .3  .1 .8 .4  .6 .2 .6  .9 .4 .1"),
    "c": _table(_Q2, _Q3, ".6 .2 .8 .4  .5 .2 .7 .5  .5 .3 .7 .3  .4 .6 .1 .6"),
}

# Table 3: the distances of ten queries, upper triangle.
TABLE_3 = {
    (row, row + 1 + place): float(value)
    for row, line in enumerate(
        (
            "0.50 0.33 0.88 1.0 0.88 0.88 0.11 0.88 0.75",
            "0.40 0.75 0.88 1.0 0.88 0.57 0.57 0.75",
            "0.75 1.0 0.75 0.88 0.38 0.88 0.88",
            "0.57 1.0 0.88 0.88 0.88 0.57",
            "0.75 0.75 1.0 0.57 0.75",
            "0.75 0.88 0.88 0.75",
            "0.75 0.75 1.0",
            "0.88 0.75",
            "0.75",
        ),
        start=1,
    )
    for place, value in enumerate(line.split())
}

# Table 4: the set S of equation 9.
TABLE_4 = {
    (1, 8): 0.11, (2, 3): 0.40, (3, 8): 0.38, (4, 10): 0.57, (4, 5): 0.57, (5, 10): 0.57, (5, 9): 0.57,
    (6, 10): 0.75, (6, 7): 0.75, (7, 8): 0.75, (7, 9): 0.75, (8, 10): 0.75, (9, 10): 0.75,
}  # fmt: skip
CENTROID_SCORE = 0.59
CENTROID_PAIR, FARTHEST_PAIR, OPPOSITE_PAIR = (4, 5), (9, 10), (1, 8)
EXAMPLE_5 = [[1, 2, 3, 8], [6, 7, 9, 10], [4, 5]]
CENTROIDS = [8, 7, 5]  # of these groups

# §4.1: orange and citrus are similar within the first, and both are similar to the orange of the second
FRUIT = ["peach", "apple", "orange", "citrus", "cherry"]
OTHER = ["circle", "orange", "soccer"]


def square(cells: Mapping[Pair, float] = TABLE_3) -> list[list[float]]:
    """A triangle of distances between queries 1, 2, … as a full matrix: query 1 is row 0."""
    n = max(b for _, b in cells)
    full = [[0.0] * n for _ in range(n)]
    for (a, b), value in cells.items():
        full[a - 1][b - 1] = full[b - 1][a - 1] = value
    return full

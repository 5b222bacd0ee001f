"""Which way of counting explains Table 3 of [ImranDaud2022]: a search over what the queries may have held.

The queries are not printed. If a distance comes from n1 and n2 attributes of which s match, then a cell is explained by
sizes n1 and n2 if some s gives what is printed. The more attributes, the more any number can be explained, so sizes end
at nine; with twelve nothing changes, with fifteen attributes in every query 42 cells could be explained.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, product

from taxonym.papers.imran_daud2022.printed import TABLE_3, Pair

LARGEST = 9


def _printed(a: int, b: int, s: int) -> Fraction:
    return Fraction(1, s) if s else Fraction(1)


def _printed_over_total(a: int, b: int, s: int) -> Fraction:
    return Fraction(a + b - s, s * (a + b)) if s else Fraction(1)


WAYS: dict[str, Callable[[int, int, int], Fraction]] = {
    "difference over union": lambda a, b, s: Fraction(a + b - 2 * s, a + b - s),
    "difference over total": lambda a, b, s: Fraction(a + b - 2 * s, a + b),  # §4.1 says total, not union
    "equations 7 and 8": _printed,
    "equation 7 over total": _printed_over_total,
    "not shared by the smaller": lambda a, b, s: 1 - Fraction(s, min(a, b)),
    "not shared by the larger": lambda a, b, s: 1 - Fraction(s, max(a, b)),
}
DIGITS: dict[str, Callable[[Fraction], int]] = {  # hundredths
    "cut": lambda x: int(100 * x),
    "rounded": lambda x: int(100 * x + Fraction(1, 2)),
}
READINGS = list(product(WAYS, DIGITS))


def explained(sizes: Mapping[int, int], way: str, digits: str, cells: Mapping[Pair, float] = TABLE_3) -> list[Pair]:
    """The cells that queries of these sizes can have."""
    return [(i, j) for (i, j), value in cells.items() if _fits(sizes[i], sizes[j], value, way, digits)]


def best_sizes(
    way: str,
    digits: str,
    above: int = -1,
    cells: Mapping[Pair, float] = TABLE_3,
    largest: int = LARGEST,
) -> dict[int, int] | None:
    """One size for every query so that most cells are explained; None if never more than `above` are.

    All sizes are tried, except where even all cells that are still open and can be explained at all are not enough.
    """
    queries = sorted({query for pair in cells for query in pair})
    fits = {
        (value, a, b): _fits(a, b, value, way, digits)
        for value in set(cells.values())
        for a in range(1, largest + 1)
        for b in range(1, largest + 1)
    }
    possible = {value for (value, _, _), fit in fits.items() if fit}
    found: dict[int, int] | None = None

    def gain(query: int, size: int, sizes: dict[int, int]) -> int:
        return sum(fits[cells[other, query], sizes[other], size] for other in sizes)

    def search(sizes: dict[int, int], so_far: int) -> None:
        nonlocal found, above
        rest = queries[len(sizes) :]
        if not rest:
            found, above = (dict(sizes), so_far) if so_far > above else (found, above)
            return
        gains = {query: [gain(query, size, sizes) for size in range(1, largest + 1)] for query in rest}
        still_open = sum(cells[pair] in possible for pair in combinations(rest, 2))
        if so_far + still_open + sum(map(max, gains.values())) <= above:
            return
        here = rest[0]
        for size in sorted(range(1, largest + 1), key=lambda size: -gains[here][size - 1]):
            search({**sizes, here: size}, so_far + gains[here][size - 1])

    search({}, 0)
    return found


def _fits(a: int, b: int, value: float, way: str, digits: str) -> bool:
    hundredths = round(100 * value)
    return any(DIGITS[digits](WAYS[way](a, b, s)) == hundredths for s in range(min(a, b) + 1))

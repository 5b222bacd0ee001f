"""How far apart two concepts are: the definitions, each under its equation.

Every distance lies in [0, 1]; 0 means the same, 1 is the distance across roots. T(c) is the concept with all its
ancestors, depth counts concepts on the longest path from a root (a root has 1), LCS is the deepest common ancestor or
self, climb(c, t) the least number of is-a edges from c up to t. These functions are the oracle: kernels equal them.
"""

from math import log, log2

from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.taxonomy import Taxonomy


def jaccard(tax: Taxonomy, a: int, b: int) -> float:
    """Share of generalisations that two concepts do not have in common [Batet2014, eq. 1].

        d(a, b) = (|T(a) ∪ T(b)| - |T(a) ∩ T(b)|) / |T(a) ∪ T(b)|

    A metric.
    """
    A, B = set(tax.ancestors(a)), set(tax.ancestors(b))
    return len(A ^ B) / len(A | B)


def log_jaccard(tax: Taxonomy, a: int, b: int) -> float:
    """The same on a logarithmic scale [ImranDaud2022, eq. 1; Martinez2012, eq. 3 without its sign].

    d(a, b) = log2(1 + jaccard(a, b))
    """
    return log2(1 + jaccard(tax, a, b))


def edges_between(tax: Taxonomy, a: int, b: int) -> int | None:
    """Fewest is-a edges from a up to a common ancestor and down to b [Martinez2012, eq. 1]; None across roots."""
    up_a, up_b = tax.climbs(a), tax.climbs(b)
    return min((up_a[t] + up_b[t] for t in up_a.keys() & up_b.keys()), default=None)


def path(tax: Taxonomy, a: int, b: int) -> float:
    """Shortest path over the longest possible one [Martinez2012, eq. 1].

        d(a, b) = edges(a, b) / (2 (maxdepth - 1))

    The paper ranks by -edges(a, b); the division, which keeps that order, makes it a distance in [0, 1].
    """
    edges = edges_between(tax, a, b)
    if edges is None:
        return 1.0
    return min(1.0, edges / max(2 * (tax.max_depth - 1), 1))


def wu_palmer(tax: Taxonomy, a: int, b: int) -> float:
    """How high the common ground lies above the two [RodriguezGarcia2015, eq. 8-9; WuPalmer1994].

        d(a, b) = 1 - 2 depth(LCS) / (depth(a) + depth(b))

    Depth over the longest path keeps it in [0, 1] where a concept has several parents.
    """
    lcs = tax.lcs(a, b)
    return 1.0 if lcs is None else 1 - 2 * tax.depth(lcs) / (tax.depth(a) + tax.depth(b))


def wu_palmer_links(tax: Taxonomy, a: int, b: int) -> float:
    """The same counted in links [Martinez2012, eq. 2].

        d(a, b) = 1 - 2 N3 / (N1 + N2 + 2 N3)

    N1, N2 are the links from a and b up to their LCS, N3 those from the LCS to its root (the longest way). Where the
    LCS is a root the printed formula is 0/0 for equal concepts; they get 0.
    """
    if a == b:
        return 0.0
    lcs = tax.lcs(a, b)
    if lcs is None:
        return 1.0
    n1, n2, n3 = tax.climbs(a)[lcs], tax.climbs(b)[lcs], tax.depth(lcs) - 1
    return 1 - 2 * n3 / (n1 + n2 + 2 * n3)


def leacock_chodorow(tax: Taxonomy, a: int, b: int) -> float:
    """Shortest path on a logarithmic scale [LeacockChodorow1998].

    sim(a, b) = -log((edges(a, b) + 1) / (2 maxdepth)),    d = 1 - sim / log(2 maxdepth)
    """
    edges = edges_between(tax, a, b)
    return 1.0 if edges is None else min(1.0, log(edges + 1) / log(2 * tax.max_depth))


def equal(tax: Taxonomy, a: int, b: int) -> float:
    """0 for the same concept, 1 for any other: the baseline without meaning [Batet2014, eq. 9]. A metric."""
    return float(a != b)


def shared_content(tax: Taxonomy, a: int, b: int, ic: Floats) -> float | None:
    """Content of the most informative common ancestor or self [Resnik1995]; None across roots."""
    common = set(tax.ancestors(a)) & set(tax.ancestors(b))
    return max((float(ic[t]) for t in common), default=None)


def resnik(tax: Taxonomy, a: int, b: int, ic: Floats) -> float:
    """How little the common ground says [Resnik1995, eq. 1].

        d(a, b) = 1 - max IC(t) over common ancestors t

    IC lies in [0, 1]. Departure: equal concepts get 0, which the similarity does not give them.
    """
    shared = shared_content(tax, a, b, ic)
    return 0.0 if a == b else 1.0 if shared is None else 1 - shared


def lin(tax: Taxonomy, a: int, b: int, ic: Floats) -> float:
    """What the two share against what they say [Lin1998].

        d(a, b) = 1 - 2 IC(t) / (IC(a) + IC(b)),  t the most informative common ancestor

    Equal concepts get 0, also where nothing is said (0/0).
    """
    shared, said = shared_content(tax, a, b, ic), float(ic[a]) + float(ic[b])
    if a == b:
        return 0.0
    return 1.0 if shared is None or said == 0 else 1 - 2 * shared / said


def jiang_conrath(tax: Taxonomy, a: int, b: int, ic: Floats) -> float:
    """What the two say beyond what they share [JiangConrath1997, eq. 9; scaled as in Seco2004, eq. 5].

    d(a, b) = (IC(a) + IC(b) - 2 IC(t)) / 2,  t the most informative common ancestor
    """
    shared = shared_content(tax, a, b, ic)
    return 1.0 if shared is None else (float(ic[a]) + float(ic[b]) - 2 * shared) / 2

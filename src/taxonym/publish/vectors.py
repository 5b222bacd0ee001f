"""The generalised vector of a group of documents [NavarroArribas2010, §2.3], and weights that tell nobody's.

Two vectors: their terms are paired one-to-one at the largest total similarity, every pair becomes its least common
subsumer with the mean weight, and equal concepts add up. The paper refers to others for more than two. Here the terms
of all members are paired with those of the medoid (`around`), or members are folded into the medoid's vector one after
the other, the nearest first (`folded`). Both give the paper's vector for two.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, fsum, log10, sqrt
from typing import TypeAlias

import numpy as np

from taxonym.distance.direct import direct, table
from taxonym.distance.matrix import concept_distances
from taxonym.distance.vectors import MEASURE, Senses, Vectors
from taxonym.distance.vectors_matrix import pairs_of, term_distances, vector_matrix
from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.taxonomy import Taxonomy

Generalized: TypeAlias = list[tuple[int, float]]  # concepts with their weights, the heaviest first
SERIES = (1.0, 2.0, 5.0, 10.0)
LEAST = 1e-12  # no document has so many words


def covering(tax: Taxonomy, codes: Sequence[int], least: int) -> int | None:
    """The deepest concept that at least `least` of the concepts are or lie below; None where there is none.

    Of equally deep ones that with the shorter ways up to it, then the lower code: of two concepts it is tax.lcs. What
    names one thing (an instance) is never taken instead of another.
    """
    under: Counter[int] = Counter()
    steps: Counter[int] = Counter()
    for code in codes:
        for above, climb in tax.climbs(code).items():
            under[above] += 1
            steps[above] += climb
    fit = (t for t, n in under.items() if n >= least and (not tax.instance[t] or codes.count(t) >= least))
    return min(fit, key=lambda t: (-int(tax.depths[t]), steps[t], t), default=None)


def middle_of(x: Vectors, measure: str = MEASURE) -> int:
    """The medoid: the document with the least sum of distances to all; ties: the first."""
    return int(np.argmin(vector_matrix(x, measure).sum(axis=1, dtype=np.int64)))


def around(x: Vectors, middle: int, *, cover: float = 1.0, measure: str = MEASURE) -> Generalized:
    """What stands for all documents, from the terms that are paired with each term of the middle one.

    A term becomes the deepest concept that covers at least the share `cover` of those paired with it, and two at least
    (1: the least common subsumer). Its weight is the mean over all documents, one without such a term counting as 0. A
    term of the middle one that finds no partner in any other is left out: it would be one author's alone.
    """
    tax, centre = x.senses.tax, x.take(np.array([middle]))
    apart = term_distances(x, centre, measure)
    slots: list[list[tuple[Senses, float]]] = [[one] for one in x[middle]]
    for i in range(len(x)):
        if i != middle:
            mine = x[i]
            for place, slot in pairs_of(apart, x, centre, i, 0):
                slots[slot].append(mine[place])
    found: dict[int, float] = {}
    for paired in (some for some in slots if len(some) > 1 or len(x) == 1):
        codes = _one_each(tax, [senses for senses, _ in paired], measure)
        least = max(min(2, len(codes)), ceil(round(cover * len(codes), 9)))
        concept = covering(tax, codes, least)
        if concept is not None:
            found[concept] = found.get(concept, 0.0) + fsum(weight for _, weight in paired) / len(x)
    return heaviest(found)


def folded(x: Vectors, middle: int, *, measure: str = MEASURE) -> Generalized:
    """The same by pairs: the middle document and the nearest, what comes out and the next, and so on.

    Terms of a document that find no partner are left out; those of the vector so far keep their place and lose weight,
    unless they never find one.
    """
    tax = x.senses.tax
    order = np.argsort(vector_matrix(x, measure)[middle], kind="stable").tolist()
    order.remove(middle)
    made: list[tuple[Senses, float]] = x[middle]
    alone = [True] * len(made)  # whether a term has found no partner yet
    for count, i in enumerate(order, 1):
        other = x[i]
        two = Vectors.of(tax, [made, other])
        partner = dict(pairs_of(term_distances(two, two, measure), two, two, 0, 1))
        after: list[tuple[Senses, float]] = []
        still: list[bool] = []
        for place, (senses, weight) in enumerate(made):
            weight *= count / (count + 1)
            if place in partner:
                theirs, more = other[partner[place]]
                concept = covering(tax, _one_each(tax, [senses, theirs], measure), 2)
                weight += more / (count + 1)
                if concept is None:
                    continue
                senses = (concept,)
            after.append((senses, weight))
            still.append(alone[place] and place not in partner)
        made, alone = after, still
    found: dict[int, float] = {}
    for senses, weight in (one for one, lonely in zip(made, alone, strict=True) if not lonely or not order):
        found[senses[0]] = found.get(senses[0], 0.0) + weight
    return heaviest(found)


def heaviest(weights: Mapping[int, float]) -> Generalized:
    """Concepts with their weights, the heaviest first, then by code."""
    return sorted(weights.items(), key=lambda one: (-one[1], one[0]))


def _one_each(tax: Taxonomy, terms: Sequence[Senses], measure: str) -> list[int]:
    """One sense of each term: of the first the one that is nearest to all others, of those the nearest to it.

    Of two terms these are the two nearest senses. Ties: the more usual sense.
    """
    if all(len(senses) == 1 for senses in terms):
        return [senses[0] for senses in terms]
    first, others = terms[0], terms[1:]
    if not others:
        return [first[0]]
    columns = np.array([code for senses in others for code in senses])
    starts = np.cumsum([0, *map(len, others)])[:-1]
    apart = _distances(tax, np.array(first), columns, measure).round(9)
    chosen = int(np.argmin(np.minimum.reduceat(apart, starts, axis=1).sum(axis=1).round(9)))
    near = np.split(apart[chosen], starts[1:])
    return [first[chosen], *(senses[int(np.argmin(d))] for senses, d in zip(others, near, strict=True))]


def _distances(tax: Taxonomy, rows: np.ndarray, columns: np.ndarray, measure: str) -> Floats:
    how = direct(tax, measure, None) if measure in ("wu-palmer", "jaccard", "equal") else None
    return concept_distances(tax, rows, columns, measure, threads=1) if how is None else table(how, rows, columns)


# ---------------------------------------------------------------------- weights


def rounded(weight: float) -> float:
    """The nearest of …, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 by ratio.

    A mean that is published as it is gives away, in a group of two, the other's weight to everybody who knows one of
    them: 2 · mean - own. What is published stands for all means between the geometric means of its neighbours, which
    differ by a factor of 2 at least: what is left for the other is as wide as 1.4 times the published weight.
    """
    if weight <= 0:
        return 0.0
    unit = 10.0 ** floor(log10(weight))
    digit = weight / unit
    step = next((a for a, b in pairwise(SERIES) if digit < sqrt(a * b)), SERIES[-1])
    return float(f"{step * unit:.1g}")


def exact(weight: float) -> float:
    """The mean as it is, to nine digits: what is beyond comes from adding up."""
    return float(f"{weight:.9g}")


PRINTED = {"rounded": rounded, "exact": exact}  # by what a plan says of weights


def is_printed(weight: float, weights: str) -> bool:
    """Whether a weight is one that is printed so; a share of all words is at most 1, and of some billion at least
    one."""
    return LEAST <= weight <= 1 and PRINTED[weights](weight) == weight

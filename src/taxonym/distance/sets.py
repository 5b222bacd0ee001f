"""How far apart two sets of concepts are: five ways to sum up the distances between their members.

Each definition stands under its equation and works with any distance d between two concepts; what it gives lies in
[0, 1] because d does. The sets are not empty there: the papers do not speak of empty sets. `set_distance` says that two
empty sets are the same (0) and that an empty one has nothing in common with any other (1).
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from math import fsum
from typing import Literal, TypeAlias

from taxonym.distance.registry import content_for, distance_named
from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.taxonomy import Taxonomy

Concepts: TypeAlias = Collection[int]
Between: TypeAlias = Callable[[int, int], float]


def least(A: Concepts, B: Concepts, d: Between) -> float:
    """The two members nearest to each other [Batet2014, eq. 2].

    D(A, B) = min over a, b of d(a, b)
    """
    return min(d(a, b) for a in A for b in B)


def most(A: Concepts, B: Concepts, d: Between) -> float:
    """The two members farthest from each other [Batet2014, eq. 3]. Not 0 for equal sets of several concepts.

    D(A, B) = max over a, b of d(a, b)
    """
    return max(d(a, b) for a in A for b in B)


def average(A: Concepts, B: Concepts, d: Between) -> float:
    """All pairs alike [Batet2014, eq. 4]. Not 0 for equal sets of several concepts.

    D(A, B) = Σ_a Σ_b d(a, b) / (|A| |B|)
    """
    return fsum(d(a, b) for a in A for b in B) / (len(A) * len(B))


def min_sum(A: Concepts, B: Concepts, d: Between) -> float:
    """Every member against the nearest of the other set [Batet2014, eq. 5].

    D(A, B) = (Σ_a min_b d(a, b) + Σ_b min_a d(a, b)) / (|A| + |B|)
    """
    from_a, from_b = (min(d(a, b) for b in B) for a in A), (min(d(a, b) for a in A) for b in B)
    return fsum((*from_a, *from_b)) / (len(A) + len(B))


def max_sum(A: Concepts, B: Concepts, d: Between) -> float:
    """Every member against the farthest of the other set [Batet2014, eq. 6]. Not 0 for equal sets of several concepts.

    D(A, B) = (Σ_a max_b d(a, b) + Σ_b max_a d(a, b)) / (|A| + |B|)
    """
    from_a, from_b = (max(d(a, b) for b in B) for a in A), (max(d(a, b) for a in A) for b in B)
    return fsum((*from_a, *from_b)) / (len(A) + len(B))


# ---------------------------------------------------------------------- by name

Step: TypeAlias = Literal["min", "max", "mean"]


@dataclass(frozen=True, slots=True)
class Aggregation:
    """A distance between sets, made of a distance between concepts.

    The kernels take all five in two steps: `inner` over the members a of A for every concept b, then `outer` over the
    members b of B. Where the two directions differ they are taken `both_ways` and averaged, weighted by the other set's
    size (`by_size`) or evenly.
    """

    name: str
    define: Callable[[Concepts, Concepts, Between], float]
    paper: str
    inner: Step
    outer: Step
    both_ways: bool = False
    by_size: bool = False
    zero_on_itself: bool = False


AGGREGATIONS = {
    a.name: a
    for a in (
        Aggregation("min", least, "Batet2014", "min", "min", zero_on_itself=True),
        Aggregation("max", most, "Batet2014", "max", "max"),
        # one way would do for avg, but for the rounding in between, which must not depend on who comes first
        Aggregation("avg", average, "Batet2014", "mean", "mean", both_ways=True),
        Aggregation("min-sum", min_sum, "Batet2014", "min", "mean", both_ways=True, by_size=True, zero_on_itself=True),
        Aggregation("max-sum", max_sum, "Batet2014", "max", "mean", both_ways=True, by_size=True),
    )
}


def aggregation_named(aggregate: str) -> Aggregation:
    """The aggregation with this name, or one clear complaint."""
    if aggregate not in AGGREGATIONS:
        raise BadPlan(f"aggregate: {aggregate!r} is not known. Choose one of {', '.join(AGGREGATIONS)}.")
    return AGGREGATIONS[aggregate]


def set_distance(
    tax: Taxonomy,
    A: Iterable[int],
    B: Iterable[int],
    aggregate: str = "min-sum",
    measure: str = "jaccard",
    *,
    content: str | Floats = "seco",
) -> float:
    """How far apart two sets of concepts (codes) are, from 0 to 1. Repeated codes count once.

    Two empty sets are at 0; an empty set is at 1 from any other. `content` is as in concept_distance.
    """
    chosen, between = aggregation_named(aggregate), distance_named(measure)
    ic = content_for(between, tax, content)
    first, second = sorted(set(A)), sorted(set(B))
    for code in (*first, *second):
        tax.depth(code)  # says which code is no code
    if not first or not second:
        return float(first != second)
    known = {(a, b): between.define(tax, a, b, ic) for a in first for b in second}
    return chosen.define(first, second, lambda a, b: known[a, b])

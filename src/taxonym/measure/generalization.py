"""What generalisation loses, by the classical measures.

A *cell* is one original concept of a record and what is published instead: the cheapest published concept that is the
same or above it, or ANYTHING if none is. So the measures hold for columns with one concept per record and for sets.
Every concept of a set is published for some item, where there is one: an ancestor beside its descendant for another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np

from taxonym.distance.assignment import paired
from taxonym.distance.record import Part, Sets
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.taxonomy import Taxonomy

ANYTHING = -1  # in the place of a code: above all roots, published as nothing
FAR = 1 << 40  # more links than there are


# ---------------------------------------------------------------------- concepts


def steps_to_anything(tax: Taxonomy) -> Floats:
    """The least number of is-a links from every concept up to a root, and one more."""
    root = np.diff(tax.parent_start) == 0
    climb = np.where(root[tax.ancestor], tax.climb, np.iinfo(np.int32).max)
    to_root: Floats = np.minimum.reduceat(climb, tax.ancestor_start[:-1]).astype(np.float64)
    return to_root + 1


def leaf_share(tax: Taxonomy) -> Floats:
    """NCP(c) of every concept: 0 for a leaf, else the share of all leaves below it [Terrovitis2008, §3]."""
    leaf = tax.leaves
    counted = leaf & (np.arange(len(tax)) < tax.base)
    share: Floats = np.where(leaf, 0.0, tax.total_below(counted) / max(1, counted.sum()))
    return share


# ---------------------------------------------------------------------- cells


@dataclass(frozen=True, slots=True, eq=False)
class GeneralizedCells:
    """The cells of one column: original[i] is published as published[i], links[i] steps above it."""

    tax: Taxonomy
    original: Long
    published: Long
    links: Floats

    def __len__(self) -> int:
        return len(self.original)


def cells(original: ConceptSets, published: ConceptSets) -> GeneralizedCells:
    """Match every original concept of record i with what is published for record i.

    Taken is the published concept the fewest links above it; ties: fewer leaves below, then the lower code. A published
    concept that nothing takes so takes the item to which that adds fewest links, each another one.
    """
    tax, codes, shown = original.tax, original.codes.astype(np.int64), list(published)
    share, anything = leaf_share(tax), steps_to_anything(tax)
    into, links = np.full(len(codes), ANYTHING), anything[codes]
    seen: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[list[int], list[float]]] = {}
    for r, record in enumerate(original):
        key = (record, shown[r])
        if key not in seen:
            best = _nearest(tax, record, shown[r], share)
            climbs = [tax.climbs(code) for code in record]
            far = [float(anything[c] if b == ANYTHING else w[b]) for c, b, w in zip(record, best, climbs, strict=True)]
            seen[key] = best, far
        first, last = int(original.start[r]), int(original.start[r + 1])
        into[first:last], links[first:last] = seen[key]
    return GeneralizedCells(tax, codes, into, links)


def _nearest(tax: Taxonomy, record: Sequence[int], shown: Sequence[int], share: Floats) -> list[int]:
    """What each item of a record becomes."""
    climbs = [tax.climbs(code) for code in record]
    found = [
        min((c for c in shown if c in climb), key=lambda c: (climb[c], share[c], c), default=ANYTHING)
        for climb in climbs
    ]
    if not set(shown) <= set(found) and len(shown) <= len(record):
        far = np.full((len(shown), len(record)), FAR)
        for x, (climb, best) in enumerate(zip(climbs, found, strict=True)):
            for i, c in enumerate(shown):
                if c in climb:
                    far[i, x] = climb[c] - climb[best]
        items, paid = paired(far)
        if paid < FAR:
            for c, x in zip(shown, items.tolist(), strict=True):
                found[x] = c
    return found


# ---------------------------------------------------------------------- measures of cells


def steps_per_value(columns: Sequence[GeneralizedCells]) -> float:
    """Links that a value rises on average [Martinez2012, §5.2].

        Σ_cells links(original, published) / number of cells

    Becoming anything is one link more than becoming a root.
    """
    return fsum(x for one in columns for x in one.links.tolist()) / max(1, sum(map(len, columns)))


def precision(columns: Sequence[GeneralizedCells]) -> float:
    """Prec: 1 less the mean share of its hierarchy's height that a cell has risen [Sweeney2002].

        Prec = 1 - Σ_cells links(original, published) / links(original, anything) / number of cells

    Departure: the height is counted from the cell's own value on, since leaves need not be equally deep; where they
    are, and the top is a value of its own, it is the paper's |DGH|.
    """
    risen = fsum(x for one in columns for x in (one.links / steps_to_anything(one.tax)[one.original]).tolist())
    return 1 - risen / max(1, sum(map(len, columns)))


def certainty_penalty(columns: Sequence[GeneralizedCells]) -> float:
    """Global certainty penalty: the mean NCP of what is published [Xu2006; Terrovitis2008, §3].

        GCP = Σ_cells NCP(published) / number of cells,  NCP(c) = 0 for a leaf, else leaves(c) / all leaves

    NCP of anything is 1. All columns count alike.
    """
    total = fsum(
        x
        for one in columns
        for x in np.where(one.published == ANYTHING, 1.0, leaf_share(one.tax)[one.published]).tolist()
    )
    return total / max(1, sum(map(len, columns)))


def entropy_percent(columns: Sequence[GeneralizedCells]) -> float | None:
    """Non-uniform entropy, in percent of what suppressing everything would lose [Gionis2009].

        Π = Σ_cells -log2 Pr(original | published),  Pr(a | b) = #(a) / #(values at or below b)

    # counts the cells of the original column. None where nothing can be lost: every column holds one value only.
    """
    lost, most = [], []
    for one in columns:
        if not len(one):
            continue
        count = np.bincount(one.original, minlength=len(one.tax)).astype(np.float64)
        among = np.where(one.published == ANYTHING, len(one), one.tax.total_below(count)[one.published])
        lost += np.log2(among / count[one.original]).tolist()
        most += np.log2(len(one) / count[one.original]).tolist()
    return 100 * fsum(lost) / fsum(most) if fsum(most) > 0 else None


# ---------------------------------------------------------------------- measures of classes


def discernibility(sizes: Sequence[int], suppressed: int = 0) -> int:
    """DM: with how many records each record is confused [Bayardo2005].

        DM = Σ_classes |E|² + n · suppressed,  n = all records

    A suppressed record counts as many as there are.
    """
    return sum(int(size) ** 2 for size in sizes) + (sum(map(int, sizes)) + suppressed) * suppressed


def average_class_size(sizes: Sequence[int], k: int | None = None) -> float:
    """Records per class; divided by k if that is given, so that 1 is the best possible.

    C_avg = published records / classes / k
    """
    return sum(map(int, sizes)) / max(1, len(sizes)) / (k or 1)


def classical(
    x: Sequence[Part], y: Sequence[Part], rows: Long, columns: Long, sizes: Sequence[int], suppressed: int, k: int
) -> dict[str, Any]:
    """The classical measures: record rows[p] of the original x is published as record columns[p] of y, in classes of
    these sizes. Those of cells are about generalisations: other words count as anything."""
    pairs = zip(x, y, strict=True)
    found = [cells(a.take(rows), b.take(columns)) for a, b in pairs if isinstance(a, Sets) and isinstance(b, Sets)]
    return {
        "steps_per_value": steps_per_value(found),
        "precision": precision(found),
        "ncp_percent": 100 * certainty_penalty(found),
        "non_uniform_entropy_percent": entropy_percent(found),
        "discernibility": discernibility(sizes, suppressed),
        "mean_class_size": average_class_size(sizes),
        "mean_class_size_over_k": average_class_size(sizes, k),
    }

"""Information content: how much a concept says, 0 for what is true of everything, 1 for the most specific.

One function per paper. Each gives an array over all concepts, never larger for a concept than for its descendants.
What a column added to its taxonomy counts in none of them: a phrase says as much as its head, and what lies below no
concept or below several says 1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats, Long, Mask
from taxonym.knowledge.taxonomy import Taxonomy


def seco(tax: Taxonomy) -> Floats:
    """From the number of concepts below [Seco2004, eq. 3].

        IC(c) = 1 - log(hypo(c) + 1) / log(N)

    hypo(c) counts the descendants without c; N is the number of concepts.
    """
    below = tax.total_below(_counted(tax))  # with the concept itself: hypo + 1
    return _with_own(tax, 1 - np.log(np.maximum(below, 1)) / np.log(max(tax.base, 2)))


def sanchez(tax: Taxonomy) -> Floats:
    """From the leaves below and the generalisations above [Sanchez2011, eq. 9].

        IC(c) = -log((leaves(c) / |T(c)| + 1) / (max_leaves + 1))

    leaves(c) counts the leaves below c (0 for a leaf), max_leaves all leaves. Divided by its maximum,
    log(max_leaves + 1), to lie in [0, 1], which the paper does not do.
    """
    leaf = tax.leaves & _counted(tax)
    above = np.diff(tax.ancestor_start)
    leaves = tax.total_below(leaf) - leaf
    most = int(leaf.sum())
    return _with_own(tax, 1 - np.log(leaves / above + 1) / np.log(most + 1))


def corpus(tax: Taxonomy, counts: NDArray[np.integer] | None = None) -> Floats:
    """From how often concepts are mentioned in texts [Resnik1995, eq. 1-2].

        IC(c) = -log(freq(c) / N),  freq(c) = mentions of c and of all that is below it

    Departures: every concept counts as seen once more than it was, so that unseen ones stay finite; divided by log(N)
    to lie in [0, 1]. A descendant with several paths up to c counts once. `counts` are mentions per code; without it
    the counts that came with the taxonomy's labels.
    """
    seen = own_counts(tax) if counts is None else np.asarray(counts)
    if len(seen) != len(tax) or (len(seen) and seen.min() < 0):
        raise BadPlan(f"{tax.name}: counts must be {len(tax)} numbers of 0 or more, one per concept.")
    if counts is None and not seen.any():
        raise BadPlan(
            f"{tax.name}: its labels carry no counts, so content 'corpus' needs your own. Use 'seco' or 'sanchez'."
        )
    seen = np.where(_counted(tax), seen + 1.0, 0.0)
    return _with_own(tax, 1 - np.log(np.maximum(tax.total_below(seen), 1)) / np.log(max(seen.sum(), 2)))


def own_counts(tax: Taxonomy) -> Long:
    """Times each concept was mentioned, over all its labels, in the texts that the taxonomy's makers tagged."""
    return np.bincount(tax.sense, weights=tax.sense_count, minlength=len(tax)).astype(np.int64)


def _counted(tax: Taxonomy) -> Mask:
    """The concepts that count: those of the taxonomy itself."""
    counted: Mask = np.arange(len(tax)) < tax.base
    return counted


def _with_own(tax: Taxonomy, values: Floats) -> Floats:
    """The content of all concepts, from that of those that count."""
    found: Floats = np.clip(values, 0.0, 1.0)  # rounding may leave -1e-17
    for code in range(tax.base, len(tax)):  # after all that is above it
        heads = tax.parents(code)
        found[code] = (found[heads[0]] or 1.0) if len(heads) == 1 else 1.0  # below a root it says all there is to say
    return found


@dataclass(frozen=True, slots=True)
class Content:
    """One way to say how much a concept says."""

    name: str
    define: Callable[[Taxonomy], Floats]
    paper: str


CONTENTS = {
    c.name: c
    for c in (
        Content("seco", seco, "Seco2004"),
        Content("sanchez", sanchez, "Sanchez2011"),
        Content("corpus", corpus, "Resnik1995"),
    )
}


def content(tax: Taxonomy, which: str | Floats = "seco") -> Floats:
    """The information content by name, or an array of your own as it is."""
    if isinstance(which, str):
        if which not in CONTENTS:
            raise BadPlan(f"content: {which!r} is not known. Choose one of {', '.join(CONTENTS)}.")
        return CONTENTS[which].define(tax)
    own = np.asarray(which, dtype=np.float64)
    if own.shape != (len(tax),) or not bool(((own >= 0) & (own <= 1)).all()):
        raise BadPlan(f"content: an array of your own needs {len(tax)} numbers between 0 and 1, one per concept.")
    if (own[tax.parent] > np.repeat(own, np.diff(tax.parent_start))).any():
        raise BadPlan("content: in the array given, a concept says less than one above it. It must not.")
    return own

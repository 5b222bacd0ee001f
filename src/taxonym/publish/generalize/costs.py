"""What it costs to say something more general: how far a value is from one of its generalisations.

A value may also become *anything*: nothing is published then, which is above all roots. Costs never fall on the way
up, but for `steps` where one link passes over concepts that others go through.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.content import seco
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.generalization import ANYTHING, leaf_share, steps_to_anything

__all__ = ["ANYTHING", "COSTS", "Cost", "content", "cost_named", "leaf_share", "ncp", "steps"]


def steps(tax: Taxonomy) -> tuple[Floats, Floats]:
    """The least number of is-a links from a value up to its generalisation; one more beyond the root
    [Martinez2012, §5.2]."""
    return tax.climb.astype(np.float64), steps_to_anything(tax)


def content(tax: Taxonomy) -> tuple[Floats, Floats]:
    """The information content that is lost: IC(value) - IC(generalisation) [Seco2004, eq. 3]."""
    says = seco(tax)
    return _fallen(tax, says), says


def ncp(tax: Taxonomy) -> tuple[Floats, Floats]:
    """The share of all leaves that a generalisation may mean, less that of the value: NCP [Terrovitis2008, §3].

    NCP(c) = 0 for a leaf, leaves(c) / all leaves otherwise
    """
    share = leaf_share(tax)
    return _fallen(tax, -share), 1 - share


def _fallen(tax: Taxonomy, value: Floats) -> Floats:
    """For every entry of tax.ancestor how much of a figure the concept loses by becoming that ancestor."""
    fallen: Floats = np.repeat(value, np.diff(tax.ancestor_start)) - value[tax.ancestor]
    return fallen


@dataclass(frozen=True, slots=True)
class Cost:
    """One way to count. `of(tax)` gives two arrays: what it costs every concept to become tax.ancestor[i], aligned with
    tax.ancestor, and what it costs every concept to become anything."""

    name: str
    of: Callable[[Taxonomy], tuple[Floats, Floats]]
    paper: str
    about: str


COSTS = {
    c.name: c
    for c in (
        Cost("steps", steps, "Martinez2012", "links of the hierarchy that values rise"),
        Cost("content", content, "Seco2004", "information content that values lose"),
        Cost("ncp", ncp, "Terrovitis2008", "share of all leaves that a generalisation may mean"),
    )
}


def cost_named(name: str) -> Cost:
    """The cost with this name, or one clear complaint."""
    if name not in COSTS:
        raise BadPlan(f"cost: {name!r} is not known. Choose one of {', '.join(COSTS)}.")
    return COSTS[name]

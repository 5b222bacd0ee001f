"""What is in a taxonomy, and what a person may want to mend in it."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from taxonym.knowledge.taxonomy import Taxonomy

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class TaxonomyFacts:
    """The size and shape of a taxonomy."""

    name: str
    concepts: int
    roots: int
    leaves: int
    instances: int
    labels: int
    ambiguous_labels: int
    several_parents: int
    links: int
    max_depth: int
    mean_depth: float
    mean_ancestors: float
    has_counts: bool
    has_glosses: bool
    fingerprint: str


def facts(tax: Taxonomy) -> TaxonomyFacts:
    """Count what is in a taxonomy."""
    return TaxonomyFacts(
        name=tax.name,
        concepts=len(tax),
        roots=len(tax.roots),
        leaves=int((np.diff(tax.child_start) == 0).sum()),
        instances=int(tax.instance.sum()),
        labels=len(tax.keys),
        ambiguous_labels=int((np.diff(tax.sense_start) > 1).sum()),
        several_parents=int((np.diff(tax.parent_start) > 1).sum()),
        links=len(tax.parent),
        max_depth=tax.max_depth,
        mean_depth=float(tax.depths.mean()),
        mean_ancestors=len(tax.ancestor) / len(tax),
        has_counts=bool(tax.sense_count.any()),
        has_glosses=len(tax.glosses) > 0,
        fingerprint=tax.fingerprint,
    )


def remarks(tax: Taxonomy) -> list[str]:
    """What is no mistake but may surprise: each a sentence with examples."""
    found = []
    if len(tax.roots) > 1:
        found.append(
            f"{len(tax.roots):,} roots: concepts under different roots are at distance 1. "
            f"Join them with join_roots if they belong together."
        )
    isolated = [c for c in tax.roots if not tax.children(c)]
    if isolated and len(tax) > 1:
        found.append(f"{len(isolated):,} concepts have neither parent nor child: {_examples(tax, isolated)}.")
    ambiguous = np.flatnonzero(np.diff(tax.sense_start) > 1).tolist()
    if ambiguous:
        shown = ", ".join(repr(tax.keys[i]) for i in ambiguous[:_EXAMPLES])
        found.append(
            f"{len(ambiguous):,} labels mean several concepts ({shown}): the first is taken unless told otherwise."
        )
    redundant = redundant_links(tax)
    if redundant:
        child, parent = redundant[0]
        found.append(
            f"{len(redundant):,} links repeat what longer paths say (such as {tax.id(child)!r} to {tax.id(parent)!r})."
        )
    same_name = [c for c in range(len(tax)) if any(tax.label(p) == tax.label(c) for p in tax.parents(c))]
    if same_name:
        found.append(f"{len(same_name):,} concepts have the same name as a parent: {_examples(tax, same_name)}.")
    return found


def redundant_links(tax: Taxonomy) -> list[tuple[int, int]]:
    """Links from a concept to a parent that is also an ancestor of another of its parents."""
    links = []
    for c in np.flatnonzero(np.diff(tax.parent_start) > 1).tolist():
        above = Counter(t for p in tax.parents(c) for t in tax.ancestors(p))
        links += [(c, p) for p in tax.parents(c) if above[p] > 1]
    return links


def _examples(tax: Taxonomy, codes: list[int]) -> str:
    return ", ".join(repr(tax.id(c)) for c in codes[:_EXAMPLES])

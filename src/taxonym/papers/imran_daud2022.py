"""Multivariate Microaggregation of Set-Valued Data [ImranDaud2022]: readings that only the paper needs."""

from math import log2

from taxonym.knowledge.taxonomy import Taxonomy


def example1(tax: Taxonomy, a: int, b: int) -> float:
    """Equation 1 as Example 1 counts it: without the concepts themselves and without the root.

    The paper prints 12 ancestors of flu and pneumonia, 10 of them common, and 0.22; the equation as printed, which
    counts the concepts and the root, gives 15, 11 and 0.341.
    """
    roots = set(tax.roots)
    A, B = (set(tax.ancestors(c)) - {c} - roots for c in (a, b))
    return log2(1 + len(A ^ B) / len(A | B))

"""Documents as vectors of terms with weights, and how far apart two of them are [NavarroArribas2010, §2.2-2.3].

A term is the concepts that it may mean: one where its sense was chosen, several where the pair of terms decides ("the
possible combination of synsets"). The definitions come first; vectors_matrix.py has their fast twins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TypeAlias

import numpy as np

from taxonym.distance.registry import concept_distance
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs, frozen
from taxonym.knowledge.taxonomy import Taxonomy

Senses: TypeAlias = tuple[int, ...]  # the concepts that a term may mean, the most usual first
Vector: TypeAlias = Sequence[tuple[Senses, float]]  # terms with their weights, the heaviest first
MEASURE = "wu-palmer"  # the paper's


# ---------------------------------------------------------------------- the definitions


def term_distance(tax: Taxonomy, a: Senses, b: Senses, measure: str = MEASURE) -> float:
    """How far apart two terms are: as far as their nearest senses [NavarroArribas2010, §2.3].

    d(a, b) = min over s of a, t of b, of d(s, t)
    """
    return min(concept_distance(tax, s, t, measure) for s in a for t in b)


def pairing(tax: Taxonomy, x: Vector, y: Vector, measure: str = MEASURE) -> tuple[list[tuple[int, int]], float]:
    """The places (in x, in y) of the terms that are paired, and the sum of their similarities, which is the largest.

    Every term of the shorter vector gets another one of the longer. Of equally good pairings it is the last one, in the
    order of permutations: the one by which Table 2.1 of [NavarroArribas2010] comes out. Takes |y|! steps.
    """
    if len(x) > len(y):
        turned, most = pairing(tax, y, x, measure)
        return sorted((i, j) for j, i in turned), most
    similar = [[1 - term_distance(tax, a, b, measure) for b, _ in y] for a, _ in x]

    def total(chosen: Sequence[int]) -> float:
        return round(sum(similar[i][j] for i, j in enumerate(chosen)), 9)

    best = max(reversed([*permutations(range(len(y)), len(x))]), key=total)
    return list(enumerate(best)), sum(similar[i][j] for i, j in enumerate(best))


def vector_distance(tax: Taxonomy, x: Vector, y: Vector, measure: str = MEASURE) -> float:
    """How far apart two documents are [NavarroArribas2010, §2.3].

        D(x, y) = 1 - max over one-to-one pairings P of Σ over (a, b) in P of (1 - d(a, b)) / max(|x|, |y|)

    The paper does not print its distance but refers to others; this reading gives the groups of Table 2.1. Terms
    without a partner are similar to nothing. Weights do not matter. 0 for equal vectors, 1 where nothing is alike.
    """
    if not len(x) or not len(y):
        return float(len(x) != len(y))
    return 1 - pairing(tax, x, y, measure)[1] / max(len(x), len(y))


# ---------------------------------------------------------------------- many at once


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Many documents: vector i has the terms terms.record(i), with as many weights; term t may mean the concepts
    senses.record(t)."""

    senses: ConceptSets
    terms: Runs
    weight: Floats

    @classmethod
    def of(cls, tax: Taxonomy, vectors: Sequence[Vector]) -> "Vectors":
        """Terms are numbered by their senses, so that no number depends on the order of the vectors."""
        number = {senses: t for t, senses in enumerate(sorted({senses for v in vectors for senses, _ in v}))}
        terms = Runs.of([[number[senses] for senses, _ in v] for v in vectors])
        return cls(ConceptSets.of(number, tax), terms, np.array([w for v in vectors for _, w in v], np.float64))

    def __len__(self) -> int:
        return len(self.terms)

    def __getitem__(self, i: int) -> list[tuple[Senses, float]]:
        at = slice(self.terms.start[i], self.terms.start[i + 1])
        return [(self.senses.record(t), w) for t, w in zip(self.terms.record(i), self.weight[at].tolist(), strict=True)]

    def __iter__(self) -> Iterator[list[tuple[Senses, float]]]:
        return (self[i] for i in range(len(self)))

    def take(self, rows: Long) -> "Vectors":
        """Some of the documents, with no more terms than they have."""
        terms = self.terms.take(rows)
        used, number = np.unique(terms.codes, return_inverse=True)
        weight = self.weight[self.terms.places(rows)]
        return Vectors(self.senses.take(used), replace(terms, codes=frozen(number)), weight)

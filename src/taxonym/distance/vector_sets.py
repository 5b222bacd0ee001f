"""Documents as a column of records, so that they are compared, linked and counted as the records of a table are."""

from dataclasses import dataclass, field, replace

import numpy as np

from taxonym.distance.record import Compare, Sets
from taxonym.distance.vectors import Vectors, vector_distance
from taxonym.distance.vectors_matrix import vector_matrix, vector_pairs
from taxonym.knowledge.arrays import Floats, Long, Shorts


@dataclass(frozen=True, slots=True, eq=False)
class VectorSets(Sets):
    """Documents: their vectors, by which whole documents are compared, and the concepts that each mentions, of which an
    intruder may know some. How sets are aggregated does not matter, since terms are paired."""

    vectors: Vectors = field(kw_only=True)

    def take(self, rows: Long) -> "VectorSets":
        return replace(Sets.take(self, rows), vectors=self.vectors.take(rows))

    def distance(self, other: Sets, i: int, j: int, how: Compare) -> float:
        return vector_distance(self.tax, self.vectors[i], _vectors(other)[j], how.measure)

    def square(self, rows: Long, how: Compare, threads: int | None = None) -> Shorts:
        return vector_matrix(self.vectors.take(rows), how.measure, threads or 1)

    def rectangle(self, rows: Long, other: Sets, columns: Long, how: Compare) -> Floats:
        every = self.pairs(np.repeat(rows, len(columns)), other, np.tile(columns, len(rows)), how)
        return every.reshape(len(rows), len(columns))

    def pairs(self, rows: Long, other: Sets, columns: Long, how: Compare) -> Floats:
        return vector_pairs(self.vectors, _vectors(other), rows, columns, how.measure)

    def alike(self, rows: Long) -> tuple[Long, Long]:
        number: dict[tuple[object, ...], int] = {}
        like = np.array([number.setdefault(tuple(self.vectors[i]), len(number)) for i in rows.tolist()], np.int64)
        return rows[np.unique(like, return_index=True)[1]], like


def _vectors(other: Sets) -> Vectors:
    if not isinstance(other, VectorSets):
        raise TypeError("documents are compared with documents only")
    return other.vectors

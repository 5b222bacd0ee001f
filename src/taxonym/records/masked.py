"""Persons' records beside what is published instead of them: all that loss and linkage look at, whatever the shape."""

from dataclasses import dataclass

import numpy as np

from taxonym.distance.record import Compare, Part, record_pairs
from taxonym.knowledge.arrays import Floats, Long


@dataclass(frozen=True, slots=True, eq=False)
class MaskedRecords:
    """Record record[p] of the original x is published as record row[p] of y, for every p.

    persons[i] is whose record i of x is. block[i] numbers what is published with it unchanged (`other` columns):
    whoever knows that looks only among published records with the same number.
    """

    x: list[Part]
    y: list[Part]
    record: Long
    row: Long
    persons: Long
    block: Long

    @property
    def block_of_row(self) -> Long:
        """The block of every published record."""
        found = np.zeros(len(self.y[0]), np.int64)
        found[self.row] = self.block[self.record]
        return found

    @property
    def published_persons(self) -> int:
        return len(np.unique(self.persons[self.record]))

    def apart(self, how: Compare) -> Floats:
        """How far every record is from what is published for it."""
        return record_pairs(self.x, self.y, self.record, self.row, how)

    def random_groups(self, k: int, rng: np.random.Generator) -> list[list[int]]:
        """Groups of at least k records of one block, by lot."""
        groups: list[list[int]] = []
        for number in np.unique(self.block).tolist():
            rows = rng.permutation(np.flatnonzero(self.block == number))
            groups += [part.tolist() for part in np.array_split(rows, len(rows) // k)]
        return groups

"""How diverse the confidential values of classes are as they are printed, which anybody can count in a release.

l and t as promises speak of the members' original values (methods/closeness.py). These figures speak of the rows of the
release: whatever its plan asks for, a reader sees no more than this.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.methods.confidential_cells import ConfidentialCells, in_shared_classes
from taxonym.records.table import class_numbers

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class ShownDiversity:
    """Of the worst class of a release, in one column: the fewest different values, the least exponential of their
    entropy, and the largest total variation between its values and those of all rows. Then how many classes have a
    value that all of their rows share, and how many rows these have."""

    column: str
    smallest_distinct_l: int
    smallest_entropy_l: float
    largest_t: float
    classes_of_one_value: int
    rows_in_them: int

    def as_data(self) -> dict[str, Any]:
        """Without the name of the column."""
        told = {key: value for key, value in asdict(self).items() if key != "column"}
        return {key: round(value, 4) if isinstance(value, float) else value for key, value in told.items()}


def shown_diversity(cells: "pl.Series", number: Long) -> ShownDiversity:
    """Of a column whose row i is in class number[i]; an empty cell is a value of its own, but nothing to share."""
    import polars as pl

    own = cells.list.sort() if isinstance(cells.dtype, pl.List) else cells
    value = class_numbers(pl.DataFrame([own]))
    shared = in_shared_classes(cells, np.arange(len(number)), number)
    size, overall = np.bincount(number), np.bincount(value) / len(value)
    pairs, times = np.unique(np.stack((number, value)), axis=1, return_counts=True)
    share = times / size[pairs[0]]
    entropy = np.bincount(pairs[0], -share * np.log(share))
    # what is not in a class is missing there by its whole share
    far = np.bincount(pairs[0], np.abs(share - overall[pairs[1]]) - overall[pairs[1]])
    return ShownDiversity(
        column=cells.name,
        smallest_distinct_l=int(np.bincount(pairs[0]).min()),
        smallest_entropy_l=float(np.exp(entropy.min())),
        largest_t=float(max(0.0, (1 + far).max() / 2)),
        classes_of_one_value=len(np.unique(number[shared])),
        rows_in_them=int(shared.sum()),
    )


def shown_of(cells: ConfidentialCells, number: Long) -> Sequence[ShownDiversity]:
    """Of every confidential column of a release whose row i is in class number[i]."""
    return [shown_diversity(cells.cells[one.name].alias(one.name), number) for one in cells.columns]

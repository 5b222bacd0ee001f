"""Who answers the search for a row where every concept needs an item of its own (records/distinct.py)."""

from collections.abc import Sequence

import numpy as np

from taxonym.knowledge.arrays import Mask
from taxonym.publish.row import Choice, padded
from taxonym.records.distinct import DistinctHolders


class HeldDistinctly:
    """Answers from the lists of who holds what, item by item: as publish.row.Known asks."""

    def __init__(self, together: DistinctHolders, k: int) -> None:
        self.together, self.k = together, k

    def pairs(self, these: Sequence[int], those: Sequence[int]) -> Mask:
        return self.together.pairs(np.array(these, np.int64), np.array(those, np.int64), self.k)

    def singles(self, these: Sequence[int]) -> Mask:
        return self.all_held([(one,) for one in these])

    def all_held(self, choices: Sequence[Choice]) -> Mask:
        held: Mask = self.together.counted(padded(choices), self.k) >= self.k
        return held

"""Who has a different item for each of some concepts: how sets are held that `generalize` publishes.

`{museum, structure}` reads "a museum, and something else that is a structure": one museum alone does not hold it. Where
no item lies below two of the concepts this is what `holding` counts anyway, so that only other choices are looked at
item by item. Items of different columns are different.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Long, Mask
from taxonym.knowledge.concept_sets import joint_ancestors
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.records.support import Holders, JointHolders, holder_lists, joint

# ---------------------------------------------------------------------- the definition


def holds_distinctly(tax: Taxonomy, record: Collection[int], concepts: Iterable[int]) -> bool:
    """Whether a record has a different item for each of the concepts, which is the concept or lies below it."""
    below = [[x for x in sorted(set(record)) if c in tax.ancestors(x)] for c in sorted(set(concepts))]
    return any(len(set(items)) == len(items) for items in product(*below))


# ---------------------------------------------------------------------- the same from lists


def is_matched(tax: Taxonomy, record: Collection[int], concepts: Iterable[int]) -> bool:
    """holds_distinctly, for sets of any size."""
    items, chosen = np.array(sorted(set(record)), np.int64), np.array(sorted(set(concepts)), np.int64)
    return bool(matched(items, tax.ancestor_start, tax.ancestor, chosen, len(chosen)))


class DistinctHolders(JointHolders):
    """Several columns of the same records, where a choice of concepts is held by a different item for each."""

    __slots__ = ("_above", "_below", "_items")

    def __init__(self, columns: Sequence[Holders]) -> None:
        super().__init__(columns)
        self._above = joint_ancestors([one.tax for one in columns])
        each = zip(columns, self.first.tolist(), strict=False)
        parts = [Runs(one.rows.start, one.rows.codes + first) for one, first in each]
        self._items = parts[0].beside(*parts[1:]) if len(parts) > 1 else parts[0]
        used = np.unique(self._items.codes)
        single = Runs(np.arange(len(used) + 1), used)
        self._below = holder_lists(single, np.arange(len(used)), self._above)  # the items below every concept

    def counted(self, choices: Long, enough: int) -> Long:
        """How many persons hold each choice, up to `enough`; choices are rows, filled up with -1."""
        items, above = self._items, self._above
        found: Long = _counted(
            *self.lists, *self._below, items.start, items.codes, above.start, above.codes, choices, enough
        )
        return found

    def holders(self, choice: NDArray[Any], enough: int) -> int:
        return int(self.counted(choice.astype(np.int64)[None, :], enough)[0])

    def pairs(self, these: NDArray[Any], those: NDArray[Any], k: int) -> Mask:
        """Of every pair of one of these and one of those whether k persons hold both; of one twice, whether they hold
        it."""
        a, b = np.repeat(these, len(those)), np.tile(those, len(these))
        held: Mask = self.counted(np.stack((a, np.where(a == b, -1, b)), axis=1), k) >= k
        return held.reshape(len(these), len(those))

    def allowed(self, concepts: Sequence[Iterable[int]], k: int, m: int) -> bool:
        """Whether at least k persons hold every choice of at most m of the concepts. Fewer concepts have no fewer
        holders, so that the largest choices are enough."""
        every = self.together(concepts)
        size = min(m, len(every))
        choices = np.array(list(combinations(every.tolist(), size)), np.int64)
        return size == 0 or bool((self.counted(choices, k) >= k).all())


@kernel
def _counted(  # type: ignore[no-untyped-def]
    holder_start, holder, whose, below_start, below, single, item_start, item, above_start, above, choices, enough
):
    found = np.empty(len(choices), np.int64)
    pair = np.empty(2, np.int64)
    for i in range(len(choices)):
        n = 0
        while n < choices.shape[1] and choices[i, n] >= 0:
            n += 1
        shared = False
        for a in range(n):
            for b in range(a):
                pair[0], pair[1] = choices[i, a], choices[i, b]
                shared = shared or joint(below_start, below, single, pair, 2, 1) > 0
        found[i] = joint(holder_start, holder, whose, choices[i], n, enough)
        if shared and found[i] > 0:
            found[i] = _one_to_one(
                holder_start, holder, whose, item_start, item, above_start, above, choices[i], n, enough
            )
    return found


@kernel
def _one_to_one(holder_start, holder, whose, item_start, item, above_start, above, chosen, n, enough):  # type: ignore[no-untyped-def]
    """How many persons have a row with a different item for each of chosen[:n]; counting ends at `enough`."""
    short = 0
    for i in range(1, n):
        c, s = chosen[i], chosen[short]
        if holder_start[c + 1] - holder_start[c] < holder_start[s + 1] - holder_start[s]:
            short = i
    found, last = 0, -1
    for p in range(holder_start[chosen[short]], holder_start[chosen[short] + 1]):
        row = holder[p]
        if whose[row] == last:
            continue
        if matched(item[item_start[row] : item_start[row + 1]], above_start, above, chosen, n):
            found += 1
            last = whose[row]
            if found >= enough:
                return found
    return found


@kernel
def matched(items, above_start, above, chosen, n):  # type: ignore[no-untyped-def]
    """Twin of holds_distinctly: give one concept after the other an item, along paths by which others change theirs."""
    width = len(items)
    if width < n:
        return False
    owner, seen_from = np.full(width, -1), np.empty(width, np.int64)
    item_of, waiting = np.full(n, -1), np.empty(n, np.int64)
    for first in range(n):
        seen_from[:] = -1
        waiting[0], at, end, free = first, 0, 1, -1
        while at < end and free < 0:
            c = waiting[at]
            at += 1
            for j in range(width):
                if seen_from[j] >= 0 or not _is_below(above_start, above, items[j], chosen[c]):
                    continue
                seen_from[j] = c
                if owner[j] < 0:
                    free = j
                    break
                waiting[end] = owner[j]
                end += 1
        if free < 0:
            return False
        j = free
        while True:
            c = seen_from[j]
            owner[j], item_of[c], j = c, j, item_of[c]
            if c == first:
                break
    return True


@kernel
def _is_below(above_start, above, item, concept):  # type: ignore[no-untyped-def]
    low, high = above_start[item], above_start[item + 1]
    while low < high:
        middle = (low + high) // 2
        if above[middle] < concept:
            low = middle + 1
        else:
            high = middle
    return low < above_start[item + 1] and above[low] == concept

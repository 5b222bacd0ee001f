"""Combinations of items that too few publish: what is left has none, and nothing goes without need."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym.knowledge.runs import Runs
from taxonym.measure.km import define_km, holders_of_combinations, rare_combinations
from taxonym.methods.combinations import without_rare_combinations
from taxonym.records.records import Records

ITEMS = st.lists(st.integers(0, 4), max_size=3, unique=True).map(lambda some: tuple(sorted(some)))
ROW = st.tuples(ITEMS, ITEMS, st.sampled_from([(), (1,)]))  # two columns of words and a cell that is kept


@given(data=st.data(), k=st.integers(1, 4), m=st.integers(1, 3))
def test_k_persons_publish_every_few_items_that_are_left(data: st.DataObject, k: int, m: int) -> None:
    rows = data.draw(st.lists(ROW, min_size=1, max_size=8))
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    n = sum(sizes)
    persons = data.draw(st.lists(st.integers(0, 6), min_size=n, max_size=n))
    released = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    nobody: Any = None  # of the table nothing is asked
    units = Records(nobody, [], [[unit] for unit in range(n)], np.array(persons), np.zeros(n, np.int64), {})
    ends = np.cumsum(sizes).tolist()
    groups = [list(range(end - size, end)) for end, size in zip(ends, sizes, strict=True)]

    def published(some: list[Any]) -> tuple[list[set[int]], list[int], list[int]]:
        """The items, block and person of every unit that is published."""
        of = [(g, u) for g, group in enumerate(groups) for u in group if released[u]]
        items = [{10 * c + code for c in (0, 1) for code in some[g][c]} for g, _ in of]
        return items, [len(some[g][2]) for g, _ in of], [persons[u] for _, u in of]

    made = without_rare_combinations(units, groups, rows, 2, np.array(released), k, m)
    before, block, whose = published(rows)
    after = published(made)[0]
    assert define_km(after, k, m, block, whose).holds
    for old, new in zip(rows, made, strict=True):
        assert old[2] == new[2]
        assert all(set(new[c]) <= set(old[c]) for c in (0, 1))
    rare = {key for key, who in holders_of_combinations(before, m, block, whose).items() if len(who) < k}
    assert (after == before) == (not rare)
    there = sorted(set(block))
    found = rare_combinations(Runs.of(list(map(sorted, before))), k, m, np.array(block), persons=np.array(whose))
    assert {(there[at], some) for at, some in found} <= rare
    assert bool(found) == bool(rare)

"""What blocks ask about the support rule: counted in parts, answered soundly."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs
from taxonym.publish.support_queries import Answers, Counter, Meaning, choices, different, offsets, proven, unproven
from taxonym.records.column import Column
from taxonym.records.order import in_order
from taxonym.records.support import Holders, JointHolders, holding
from tests.strategies import taxonomies

COLUMN = Column(name="words", role="quasi-identifier", kind="set")
Sets = list[list[int]]


@st.composite
def worlds(draw: st.DrawFn, most: int = 2) -> tuple[list[Taxonomy], list[Sets], list[int]]:
    """One or two taxonomies, records of some persons in each, and whose they are."""
    taxes = draw(st.lists(taxonomies(10), min_size=1, max_size=most))
    n = draw(st.integers(1, 12))
    some = [st.sets(st.integers(0, len(t) - 1), max_size=4).map(sorted) for t in taxes]
    sets = [draw(st.lists(one, min_size=n, max_size=n)) for one in some]
    return taxes, sets, draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))


def held_by(world: Any, choice: tuple[int, ...]) -> int:
    """How many persons hold all concepts of a choice, by the definition, column by column."""
    taxes, sets, persons = world
    first = offsets(taxes)
    rows = set(range(len(persons)))  # one record must hold all of them
    for i, tax in enumerate(taxes):
        inside = [c - int(first[i]) for c in choice if first[i] <= c < first[i + 1]]
        rows &= holding(tax, sets[i], range(len(persons)), inside)
    return len({persons[row] for row in rows})


@given(world=worlds(), data=st.data(), k=st.integers(1, 4))
def test_persons_counted_in_parts_are_those_of_the_definition(world: Any, data: st.DataObject, k: int) -> None:
    taxes, sets, persons = world
    every = int(offsets(taxes)[-1])
    asked = data.draw(st.lists(st.sets(st.integers(0, every - 1), min_size=1, max_size=3).map(sorted), max_size=6))
    rows = different([choices(asked, 3), choices(asked[:2], 3)])
    assert {tuple(row) for row in rows.tolist()} == {(*a, *[-1] * (3 - len(a))) for a in asked}
    counts = np.concatenate(
        [Holders(ConceptSets.of(s, t), np.array(persons)).counts for t, s in zip(taxes, sets, strict=True)]
    )
    counter = Counter(rows, taxes, counts, k)
    cut = data.draw(st.sets(st.sampled_from(persons)))
    for part in ([i for i, p in enumerate(persons) if p in cut], [i for i, p in enumerate(persons) if p not in cut]):
        counter.add([Runs.of([s[i] for i in part]) for s in sets], np.array([persons[i] for i in part], np.int64))
    for row, count in zip(rows, counter.counts, strict=True):
        assert min(count, k) == min(held_by(world, tuple(c for c in row.tolist() if c >= 0)), k)


@given(world=worlds(), k=st.integers(2, 4), data=st.data())
def test_a_block_takes_for_held_only_what_k_persons_hold(world: Any, k: int, data: st.DataObject) -> None:
    taxes, sets, _ = world
    n = len(sets[0])
    everybody = (taxes, sets, list(range(n)))
    block = sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=1)))
    counts = [Holders(ConceptSets.of(s, t)).counts for t, s in zip(taxes, sets, strict=True)]
    meanings = [Meaning(COLUMN, t, c, np.ones(len(t), bool)) for t, c in zip(taxes, counts, strict=True)]
    records = [Runs.of([s[i] for i in block]) for s in sets]
    wished = [[[c for c in range(len(t)) if data.draw(st.booleans())]] for t in taxes]
    asked = unproven(proven(meanings, records, k, choices((), 2)), wished, k, 2)
    counter = Counter(asked, taxes, np.concatenate(counts), k)
    counter.add([Runs.of(s) for s in sets])
    together = JointHolders([column.holders for column in proven(meanings, records, k, counter.answers.to(asked))])
    first = offsets(taxes)
    inside = [c for i, t in enumerate(taxes) for c in range(int(first[i]), int(first[i]) + len(t))]
    for a in inside:
        for b in inside:
            choice = [[c - int(first[i]) for c in {a, b} if first[i] <= c < first[i + 1]] for i in range(len(taxes))]
            if together.allowed(choice, k, 2):
                assert held_by(everybody, tuple({a, b})) >= k


@given(data=st.data(), m=st.integers(1, 3), concepts=st.integers(1, 10))
def test_a_block_gets_the_answers_to_its_own_questions_and_no_others(
    data: st.DataObject, m: int, concepts: int
) -> None:
    some = st.lists(st.sets(st.integers(0, concepts - 1), min_size=1, max_size=m).map(sorted), max_size=8)
    held, asked = choices(data.draw(some), m), choices(data.draw(some), m)
    found = Answers(held, concepts).to(asked)
    assert found.tolist() == [row for row in asked.tolist() if row in held.tolist()]


@given(lists=st.lists(st.sets(st.integers(0, 300), max_size=4).map(sorted), max_size=12), data=st.data())
def test_units_sort_like_their_codes_and_then_by_the_rest(lists: Sets, data: st.DataObject) -> None:
    rest = data.draw(st.lists(st.integers(0, 3), min_size=len(lists), max_size=len(lists)))
    found = in_order([Runs.of(lists)], np.array(rest, np.uint64))
    assert found.tolist() == sorted(range(len(lists)), key=lambda i: (lists[i], rest[i], i))


@pytest.mark.parametrize("m", [1, 2, 3])
def test_nothing_asked_is_an_empty_list_of_choices(m: int) -> None:
    assert different([choices((), m), choices((), m)]).shape == (0, m)

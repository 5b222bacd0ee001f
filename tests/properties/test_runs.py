"""Runs and ConceptSets against lists and sets of Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.knowledge.concept_sets import ConceptSets, joint_ancestors, offsets
from taxonym.knowledge.runs import Runs, edges, frozen, positions, starts
from taxonym.knowledge.taxonomy import Taxonomy
from tests.strategies import taxonomies

lists = st.lists(st.lists(st.integers(-3, 9), max_size=5), max_size=8)


def longs(values: list[int]) -> np.ndarray:  # type: ignore[type-arg]
    return np.array(values, np.int64)


@given(lists)
def test_runs_are_the_lists_that_they_were_made_of(given_: list[list[int]]) -> None:
    runs, expected = Runs.of(given_), [tuple(one) for one in given_]
    assert list(runs) == [runs.record(i) for i in range(len(runs))] == expected
    assert runs.sizes.tolist() == [len(one) for one in given_]
    assert runs.owner.tolist() == [i for i, one in enumerate(given_) for _ in one]


@given(lists)
def test_neither_array_of_runs_can_be_written_to(given_: list[list[int]]) -> None:
    runs = Runs.of([*given_, [1]])
    for made in (runs, runs.take(longs([0])), runs.then(runs), runs.keep(runs.codes > 0), runs.beside(runs)):
        with pytest.raises(ValueError, match="read-only"):
            made.start[0] = 1
        with pytest.raises(ValueError, match="read-only"):
            made.codes[:] = 1


@given(lists, st.data())
def test_some_runs_come_in_the_order_asked_for(given_: list[list[int]], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(given_) - 1), max_size=9)) if given_ else []
    runs = Runs.of(given_)
    assert list(runs.take(longs(rows))) == [tuple(given_[i]) for i in rows]
    assert runs.codes[runs.places(longs(rows))].tolist() == [value for i in rows for value in given_[i]]


@given(lists)
def test_values_that_are_not_kept_leave_their_runs(given_: list[list[int]]) -> None:
    runs = Runs.of(given_)
    assert list(runs.keep(runs.codes % 2 == 0)) == [tuple(v for v in one if v % 2 == 0) for one in given_]


@given(st.lists(lists, max_size=3), lists)
def test_runs_of_others_follow(others: list[list[list[int]]], first: list[list[int]]) -> None:
    found = Runs.of(first).then(*map(Runs.of, others))
    assert list(found) == [tuple(one) for several in (first, *others) for one in several]


@given(st.integers(1, 3), st.data())
def test_runs_beside_each_other_become_one(columns: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(0, 4))
    every = [
        data.draw(st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=n, max_size=n)) for _ in range(columns)
    ]
    first, *others = map(Runs.of, every)
    assert list(first.beside(*others)) == [tuple(v for one in row for v in one) for row in zip(*every, strict=True)]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-3, 9)), max_size=20))
def test_pairs_become_runs_that_ascend_and_repeat_nothing(pairs: list[tuple[int, int]]) -> None:
    row, code = longs([r for r, _ in pairs]), longs([c for _, c in pairs])
    assert list(Runs.of_pairs(row, code, 7)) == [tuple(sorted({c for r, c in pairs if r == i})) for i in range(7)]


@given(lists)
def test_edges_starts_and_positions_are_those_of_the_lists(given_: list[list[int]]) -> None:
    runs = Runs.of(given_)
    assert edges(runs.sizes).tolist() == [sum(map(len, given_[:i])) for i in range(len(given_) + 1)]
    assert starts(runs.owner, len(runs)).tolist() == runs.start.tolist()
    assert positions(runs.start[:-1], runs.start[1:]).tolist() == list(range(len(runs.codes)))


def test_what_is_frozen_is_a_view_that_cannot_be_written_to() -> None:
    own = np.array([1, 2], np.int32)
    view = frozen(own)
    own[0] = 3
    assert view.tolist() == [3, 2]
    assert not view.flags.writeable


@given(taxonomies(), st.data())
def test_sets_with_all_that_is_above_them_are_counted_by_concept(tax: Taxonomy, data: st.DataObject) -> None:
    records = data.draw(st.lists(st.lists(st.integers(0, len(tax) - 1), max_size=4), max_size=5))
    closed = [sorted({t for c in record for t in tax.ancestors(c)}) for record in records]
    found = ConceptSets.of(records, tax).upward()
    assert list(found) == [tuple(one) for one in closed]
    assert found.counts().tolist() == [sum(c in one for one in closed) for c in range(len(tax))]


@given(taxonomies(), st.data())
def test_values_are_added_up_over_a_concept_and_all_below_it(tax: Taxonomy, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.integers(0, 99), min_size=len(tax), max_size=len(tax)))
    expected = [sum(values[d] for d in tax.descendants(c)) for c in range(len(tax))]
    assert tax.total_below(longs(values)).tolist() == expected


@given(st.lists(taxonomies(), max_size=3))
def test_concepts_of_several_taxonomies_have_their_ancestors_in_one_row_of_numbers(several: list[Taxonomy]) -> None:
    each = zip(several, offsets(several).tolist(), strict=False)
    expected = [tuple(at + t for t in tax.ancestors(c)) for tax, at in each for c in range(len(tax))]
    assert list(joint_ancestors(several)) == expected

"""The short ways to what longer ones give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.direct import _KINDS, concepts_apart, direct, table
from taxonym.distance.matrix import concept_distances
from taxonym.distance.record import Sets
from taxonym.distance.registry import DISTANCES, content_for
from taxonym.distance.sets_matrix import IndexedSets
from taxonym.records.terms import Terms
from tests.strategies import taxonomies


@pytest.mark.parametrize("measure", _KINDS)
@given(tax=taxonomies(12), data=st.data())
def test_single_distances_are_those_of_the_kernels_to_the_last_bit(
    measure: str, tax: Taxonomy, data: st.DataObject
) -> None:
    some = st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=6)
    rows, columns = (np.array(data.draw(some), np.int64) for _ in "ab")
    how = direct(tax, measure, content_for(DISTANCES[measure], tax, "seco"))
    assert how is not None
    expected = concept_distances(tax, rows, columns, measure)
    np.testing.assert_array_equal(table(how, rows, columns), expected)
    np.testing.assert_array_equal([[concepts_apart(how, a, b) for b in columns] for a in rows], expected)


@given(tax=taxonomies(4))
def test_other_distances_have_no_short_way(tax: Taxonomy) -> None:
    assert {name for name in DISTANCES if direct(tax, name, None) is not None} == set(_KINDS)


@given(tax=taxonomies(6), data=st.data())
def test_equal_sets_are_found_as_a_dictionary_finds_them(tax: Taxonomy, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.lists(st.integers(0, len(tax) - 1), max_size=3, unique=True), min_size=1, max_size=30))
    part = Sets.of(sets, tax)
    rows = np.array(data.draw(st.lists(st.integers(0, len(sets) - 1), max_size=30)), np.int64)
    seen: dict[tuple[int, ...], int] = {}
    like = [seen.setdefault(tuple(sets[row]), len(seen)) for row in rows]
    first, found = part.alike(rows)
    assert found.tolist() == like
    assert first.tolist() == [next(row for row in rows if tuple(sets[row]) == one) for one in seen]


@given(tax=taxonomies(8), data=st.data())
def test_records_from_runs_are_those_from_lists(tax: Taxonomy, data: st.DataObject) -> None:
    sets = data.draw(st.lists(st.lists(st.integers(0, len(tax) - 1), max_size=5), max_size=9))
    made, expected = IndexedSets.of_sets(Sets.of(sets, tax)), IndexedSets.of_records(tax, [set(one) for one in sets])
    for a, b in ((made.start, expected.start), (made.codes, expected.codes), (made.used, expected.used)):
        np.testing.assert_array_equal(a, b)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 3), st.integers(0, 5)), max_size=40))
def test_terms_are_counted_as_by_hand(said: list[tuple[str, int, int]]) -> None:
    terms = Terms(said)
    for code in range(4):
        texts = sorted({text for text, meant, _ in said if meant == code})
        assert [term.text for term in terms.of(code)] == texts
        for term in terms.of(code):
            assert term.occurrences == sum((text, meant) == (term.text, code) for text, meant, _ in said)
            assert term.writers == len({person for text, _, person in said if text == term.text})
    names = ["d", "c", "b", "a"]
    lists = ([names.index(text) for text, _, _ in said], [code for _, code, _ in said], [who for _, _, who in said])
    again = Terms.of_arrays(names, *(np.array(values, np.int64) for values in lists))
    assert again.by_code == terms.by_code

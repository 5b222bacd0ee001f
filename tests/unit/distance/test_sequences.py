"""Distances between sequences: the definition, its twin, and what order does to it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym.distance.record import Compare, record_distance
from taxonym.distance.registry import DISTANCES
from taxonym.distance.sequences import Sequences, sequence_distance
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy
from tests.strategies import taxonomies

MEASURES = st.sampled_from(["jaccard", "wu-palmer", "equal", "lin"])


@st.composite
def columns(draw: st.DrawFn) -> tuple[Taxonomy, list[list[int]]]:
    tax = draw(taxonomies())
    code = st.integers(0, len(tax) - 1)
    return tax, draw(st.lists(st.lists(code, max_size=6), min_size=1, max_size=6))


@settings(max_examples=40)
@given(made=columns(), measure=MEASURES, threads=st.sampled_from([1, 2]))
def test_the_twin_is_the_definition_whichever_way_it_is_asked(
    made: tuple[Taxonomy, list[list[int]]], measure: str, threads: int
) -> None:
    tax, lists = made
    column, how, rows = Sequences.of_runs(Runs.of(lists), tax), Compare(measure=measure), np.arange(len(lists))
    defined = np.array([[sequence_distance(tax, a, b, measure) for b in lists] for a in lists])
    assert ((defined >= 0) & (defined <= 1 + 1e-12)).all()
    assert np.allclose(defined, defined.T)
    assert (defined.diagonal() == 0).all()
    assert column.square(rows, how, threads) / 65535 == pytest.approx(defined, abs=1.6 / 65535)
    assert column.rectangle(rows, column, rows, how) == pytest.approx(defined, abs=1.6 / 65535)
    assert column.distance(column, 0, len(lists) - 1, how) == defined[0, -1]
    assert record_distance([column], [column], 0, len(lists) - 1, how) == defined[0, -1]
    assert column.take(rows[::-1]).order.record(0) == tuple(lists[-1])
    like = column.alike(rows)[1]
    assert [[bool(x == y) for y in like] for x in like] == [[a == b for b in lists] for a in lists]


def test_an_alignment_pairs_in_order_and_counts_what_is_left_over() -> None:
    draft = ["swimming", "chess", "go"]
    tax = taxonomy(draft)
    a, b, c = (tax.code(name) for name in draft)
    assert sequence_distance(tax, [a, b, c], [a, b, c], "equal") == 0
    assert sequence_distance(tax, [a, b, c], [a, c], "equal") == pytest.approx(1 / 3)
    assert sequence_distance(tax, [a, b], [b, a], "equal") == 1  # two sets that are the same
    assert sequence_distance(tax, [], [a], "equal") == 1
    assert sequence_distance(tax, [], [], "equal") == 0


def taxonomy(names: list[str]) -> Taxonomy:
    from taxonym.knowledge.build import Draft

    draft = Draft("games")
    for name in names:
        draft.add(name)
    return draft.build()


@given(made=columns())
def test_every_distance_of_concepts_makes_one_of_sequences(made: tuple[Taxonomy, list[list[int]]]) -> None:
    tax, lists = made
    for measure in DISTANCES:
        assert 0 <= sequence_distance(tax, lists[0], lists[-1], measure) <= 1 + 1e-12

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy, concept_distances
from taxonym.distance.lines import PLAIN, VECTORS
from taxonym.distance.record_kernels import ERROR
from taxonym.distance.registry import DISTANCES
from taxonym.distance.sets import AGGREGATIONS, set_distance
from taxonym.distance.sets_matrix import IndexedSets, _work, distance_matrix, set_distances
from tests.strategies import taxonomies

every_aggregation = pytest.mark.parametrize("aggregate", AGGREGATIONS)
every_measure = pytest.mark.parametrize("measure", DISTANCES)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Taxonomy, list[list[int]]]:
    """A taxonomy and up to 80 records over it (more than two lines): few different ones, some of one concept, empty."""
    tax = draw(taxonomies(16))
    sets = draw(st.lists(st.lists(st.integers(0, len(tax) - 1), max_size=6), min_size=1, max_size=6))
    return tax, [sets[i] for i in draw(st.lists(st.integers(0, len(sets) - 1), max_size=80))]


def defined(tax: Taxonomy, A: list[list[int]], B: list[list[int]], aggregate: str, measure: str) -> np.ndarray:  # type: ignore[type-arg]
    every = range(len(tax))
    d = concept_distances(tax, every, every, measure)
    known: dict[tuple[frozenset[int], frozenset[int]], float] = {}
    found = np.empty((len(A), len(B)))
    for i, a in enumerate(map(frozenset, A)):
        for j, b in enumerate(map(frozenset, B)):
            if (a, b) not in known:
                far = float(a != b)
                known[a, b] = AGGREGATIONS[aggregate].define(a, b, lambda x, y: float(d[x, y])) if a and b else far
            found[i, j] = known[a, b]
    return found


@every_aggregation
@every_measure
@settings(max_examples=15)
@given(case=cases())
def test_the_kernel_is_within_the_stated_error_of_the_definition(
    aggregate: str, measure: str, case: tuple[Taxonomy, list[list[int]]]
) -> None:
    tax, records = case
    found = distance_matrix(tax, records, aggregate, measure, threads=1)
    np.testing.assert_allclose(found, defined(tax, records, records, aggregate, measure), rtol=0, atol=ERROR)
    np.testing.assert_array_equal(found, found.T)
    if AGGREGATIONS[aggregate].zero_on_itself:
        assert not np.diagonal(found).any()


@every_aggregation
@settings(max_examples=10)
@given(case=cases(), measure=st.sampled_from(list(DISTANCES)))
def test_a_definition_is_bounded_symmetric_and_the_one_of_set_distance(
    aggregate: str, case: tuple[Taxonomy, list[list[int]]], measure: str
) -> None:
    tax, records = case
    for A, B in zip(records[:3], records[-3:], strict=False):
        found = set_distance(tax, A, B, aggregate, measure)
        assert 0 <= found <= 1
        assert found == set_distance(tax, B, A, aggregate, measure)
        assert found == pytest.approx(defined(tax, [A], [B], aggregate, measure)[0, 0], abs=1e-14)


@every_aggregation
@settings(max_examples=15)
@given(case=cases(), measure=st.sampled_from(["jaccard", "lin"]))
def test_vectors_and_their_plain_twins_agree_bit_for_bit(
    aggregate: str, case: tuple[Taxonomy, list[list[int]]], measure: str
) -> None:
    tax, lists = case
    records = IndexedSets.of_records(tax, lists)
    work = _work(tax, aggregate, measure, "seco", None, 1)
    vectors, plain = replace(work, how=VECTORS), replace(work, how=PLAIN)
    np.testing.assert_array_equal(vectors.square(records), plain.square(records))
    half = IndexedSets.of_records(tax, lists[::2])
    np.testing.assert_array_equal(vectors.rectangle(half, records), plain.rectangle(half, records))


@every_aggregation
@settings(max_examples=15)
@given(case=cases(), measure=st.sampled_from(list(DISTANCES)), cut=st.integers(0, 80))
def test_threads_memory_order_and_other_records_change_nothing(
    aggregate: str, case: tuple[Taxonomy, list[list[int]]], measure: str, cut: int
) -> None:
    tax, records = case
    whole = distance_matrix(tax, records, aggregate, measure, dtype="uint16", threads=1)
    np.testing.assert_array_equal(
        distance_matrix(tax, records, aggregate, measure, dtype="uint16", threads=2, memory=1), whole
    )
    turned = distance_matrix(tax, records[::-1], aggregate, measure, dtype="uint16")
    np.testing.assert_array_equal(turned[::-1, ::-1], whole)
    part = set_distances(tax, records[:cut], records[cut:], aggregate, measure, dtype="uint16", memory=1, threads=2)
    np.testing.assert_array_equal(part, whole[:cut, cut:])


@every_aggregation
def test_real_records_on_wordnet_agree_with_the_definition_and_for_any_threads(
    aggregate: str, wordnet: Taxonomy
) -> None:
    random = np.random.default_rng(7)
    topics = [wordnet.descendants(wordnet.code(t)) for t in ("dog.n.01", "vehicle.n.01", "disease.n.01")]
    records = [random.choice(topics[i % 3], random.integers(1, 30)).tolist() for i in range(100)]
    one, two = (distance_matrix(wordnet, records, aggregate, threads=t, memory=1 << 20) for t in (1, 2))
    np.testing.assert_array_equal(one, two)
    for i, j in random.integers(0, 100, (20, 2)):
        assert one[i, j] == pytest.approx(set_distance(wordnet, records[i], records[j], aggregate), abs=ERROR)

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy, concept_distance, concept_distance_blocks, concept_distances, content
from taxonym.distance.registry import DISTANCES, ConceptDistance
from taxonym.knowledge.content import CONTENTS, corpus
from tests.strategies import EACH, Graph, build, graphs, taxonomies

every_distance = pytest.mark.parametrize("d", DISTANCES.values(), ids=lambda d: d.name)


@every_distance
@EACH
@given(tax=taxonomies(), which=st.sampled_from(["seco", "sanchez"]), data=st.data())
def test_a_distance_is_bounded_symmetric_and_zero_on_itself(
    d: ConceptDistance, tax: Taxonomy, which: str, data: st.DataObject
) -> None:
    a, b = (data.draw(st.integers(0, len(tax) - 1)) for _ in "ab")
    ab = concept_distance(tax, a, b, d.name, content=which)
    assert 0 <= ab <= 1
    assert ab == concept_distance(tax, b, a, d.name, content=which)
    assert concept_distance(tax, a, a, d.name, content=which) == 0


@every_distance
@EACH
@given(tax=taxonomies(24), which=st.sampled_from(["seco", "sanchez"]), data=st.data())
def test_a_kernel_equals_its_definition_for_any_rows_and_columns(
    d: ConceptDistance, tax: Taxonomy, which: str, data: st.DataObject
) -> None:
    codes = st.lists(st.integers(0, len(tax) - 1), max_size=12)
    rows, columns = data.draw(codes), data.draw(codes)
    ic = content(tax, which)
    defined = np.array([[d.define(tax, a, b, ic) for b in columns] for a in rows]).reshape(len(rows), len(columns))
    np.testing.assert_allclose(
        concept_distances(tax, rows, columns, d.name, content=which), defined, rtol=0, atol=1e-15
    )


@pytest.mark.parametrize("d", [d for d in DISTANCES.values() if d.metric], ids=lambda d: d.name)
@given(tax=taxonomies())
def test_a_distance_called_a_metric_keeps_the_triangle_inequality(d: ConceptDistance, tax: Taxonomy) -> None:
    D = concept_distances(tax, range(len(tax)), range(len(tax)), d.name)
    assert (D[:, :, None] + D[None, :, :] - D[:, None, :] >= -1e-12).all()


@every_distance
@EACH
@given(graph=graphs(), random=st.randoms(use_true_random=False))
def test_permuting_the_input_changes_no_distance(d: ConceptDistance, graph: Graph, random: Random) -> None:
    order = list(graph)
    random.shuffle(order)
    one, other = build(graph), build(graph, order, reverse_parents=True)
    ids = sorted(graph)
    np.testing.assert_array_equal(
        *(concept_distances(t, [t.code(i) for i in ids], [t.code(i) for i in ids], d.name) for t in (one, other))
    )


@every_distance
@EACH
@given(tax=taxonomies(), cells=st.integers(1, 40))
def test_blocks_put_together_are_the_whole_and_threads_do_not_matter(
    d: ConceptDistance, tax: Taxonomy, cells: int
) -> None:
    codes = list(range(len(tax)))
    whole = concept_distances(tax, codes, codes, d.name, threads=1)
    pieces = np.empty_like(whole)
    for rows, block in concept_distance_blocks(tax, codes, codes, d.name, cells=cells):
        assert block.size <= max(cells, len(codes))
        pieces[rows] = block
    np.testing.assert_array_equal(pieces, whole)
    np.testing.assert_array_equal(concept_distances(tax, codes, codes, d.name, threads=3), whole)


@pytest.mark.parametrize("name", [name for name in CONTENTS if name != "corpus"])
@given(tax=taxonomies())
def test_content_lies_in_0_to_1_and_never_shrinks_downwards(name: str, tax: Taxonomy) -> None:
    ic = content(tax, name)
    assert ((ic >= 0) & (ic <= 1)).all()
    assert all(ic[t] <= ic[c] for c in range(len(tax)) for t in tax.ancestors(c))


@given(tax=taxonomies(), data=st.data())
def test_corpus_content_never_shrinks_downwards_whatever_the_counts(tax: Taxonomy, data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(0, 10**6), min_size=len(tax), max_size=len(tax)))
    ic = corpus(tax, np.array(counts))
    assert ((ic >= 0) & (ic <= 1)).all()
    assert all(ic[t] <= ic[c] for c in range(len(tax)) for t in tax.ancestors(c))


@settings(max_examples=5)
@given(length=st.integers(300, 600))
def test_long_chains_keep_kernels_and_definitions_together(length: int) -> None:
    tax = Taxonomy.from_edges([(f"{i:04}", f"{i - 1:04}") for i in range(1, length)])
    codes = [0, 1, length // 2, length - 2, length - 1]
    for d in DISTANCES.values():
        ic = content(tax) if d.informed else None
        defined = [[d.define(tax, a, b, ic) for b in codes] for a in codes]
        np.testing.assert_allclose(concept_distances(tax, codes, codes, d.name), defined, rtol=0, atol=1e-14)

"""Vectors of terms: the fast twins equal their definitions, and what a group publishes is what its members share."""

from math import sqrt
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from taxonym import Taxonomy
from taxonym.distance import vectors_matrix
from taxonym.distance.assignment import paired
from taxonym.distance.vectors import Vector, Vectors, pairing, term_distance, vector_distance
from taxonym.distance.vectors_matrix import pairs_of, term_distances, vector_matrix, vector_pairs
from taxonym.publish.vectors import SERIES, around, covering, folded, is_printed, middle_of, rounded
from tests.strategies import taxonomies

STEP = 1 / 65535


@st.composite
def corpora(draw: st.DrawFn, most: int = 4) -> tuple[Taxonomy, list[Vector]]:
    """Documents of a few terms that mean one to three concepts each, no term twice in a document."""
    tax = draw(taxonomies(10))
    code = st.integers(0, len(tax) - 1)
    term = st.lists(code, min_size=1, max_size=3, unique=True).map(tuple)
    document = st.lists(term, min_size=1, max_size=4, unique=True)
    texts = draw(st.lists(document, min_size=1, max_size=most))
    return tax, [[(senses, draw(st.floats(0.01, 1))) for senses in text] for text in texts]


@given(st.integers(1, 7), st.integers(0, 4), st.integers(0, 2**32 - 1), st.sampled_from([3, 100, 65536]))
def test_the_pairing_costs_what_scipys_does_and_gives_no_column_twice(n, more, seed, costs):
    cost = np.random.default_rng(seed).integers(0, costs, (n, n + more)).astype(np.uint16)
    column, total = paired(cost)
    assert len(set(column.tolist())) == n
    assert total == cost[np.arange(n), column].sum() == cost[linear_sum_assignment(cost)].sum()


@given(corpora(), st.sampled_from(["wu-palmer", "jaccard", "equal"]), st.integers(1, 3))
@settings(max_examples=40)
def test_all_distances_of_documents_equal_the_definition(given_, measure, workers):
    tax, documents = given_
    x = Vectors.of(tax, documents)
    matrix = vector_matrix(x, measure, workers)
    n = len(documents)
    rows, columns = (at.ravel() for at in np.indices((n, n)))
    apart = vector_pairs(x, x, rows, columns, measure)
    for i, j, d in zip(rows.tolist(), columns.tolist(), apart.tolist(), strict=True):
        defined = vector_distance(tax, documents[i], documents[j], measure)
        assert 0 <= defined <= 1
        assert d == pytest.approx(defined, abs=STEP)
        assert matrix[i, j] * STEP == pytest.approx(defined, abs=2 * STEP)
    assert (np.diag(matrix) == 0).all()
    assert (matrix == matrix.T).all()


@given(corpora(), st.integers(1, 40))
@settings(max_examples=40)
def test_terms_are_as_far_apart_as_their_nearest_senses_in_whatever_pieces_they_are_compared(given_, cells):
    tax, documents = given_
    x = Vectors.of(tax, documents)
    with patch.object(vectors_matrix, "CELLS", cells):
        found = term_distances(x, x)
    for a in range(len(x.senses)):
        for b in range(len(x.senses)):
            assert found[a, b] * STEP == pytest.approx(
                term_distance(tax, x.senses.record(a), x.senses.record(b)), abs=STEP
            )


@given(corpora(2))
@settings(max_examples=40)
def test_the_fast_pairing_is_as_good_as_the_best_permutation(given_):
    tax, documents = given_
    x, y = documents[0], documents[-1]
    both = Vectors.of(tax, [x, y])
    pairs = pairs_of(term_distances(both, both), both, both, 0, 1)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == min(len(x), len(y))
    similar = sum(1 - term_distance(tax, x[i][0], y[j][0]) for i, j in pairs)
    assert similar == pytest.approx(pairing(tax, x, y)[1], abs=8 * STEP)


@given(corpora(3), st.data())
def test_some_documents_keep_their_vectors_and_no_other_terms(given_, data):
    tax, documents = given_
    x = Vectors.of(tax, documents)
    rows = data.draw(st.lists(st.integers(0, len(x) - 1), max_size=4))
    taken = x.take(np.array(rows, np.int64))
    assert list(taken) == [documents[i] for i in rows]
    assert len(taken.senses) == len({senses for i in rows for senses, _ in documents[i]})


@given(taxonomies(), st.data())
def test_what_covers_two_concepts_is_their_deepest_common_ancestor(tax, data):
    a, b = (data.draw(st.integers(0, len(tax) - 1)) for _ in "ab")
    assert covering(tax, [a, b], 2) == tax.lcs(a, b)


@given(taxonomies(), st.data())
def test_what_covers_a_share_of_the_concepts_lies_above_so_many_and_nothing_deeper_does(tax, data):
    codes = data.draw(st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=6))
    least = data.draw(st.integers(1, len(codes)))
    under = {t: sum(t in tax.ancestors(c) for c in codes) for t in range(len(tax))}
    deepest = max((tax.depth(t) for t, n in under.items() if n >= least), default=None)
    found = covering(tax, codes, least)
    assert (found is None) == (deepest is None)
    if found is not None:
        assert under[found] >= least
        assert tax.depth(found) == deepest


@given(corpora())
@settings(max_examples=40)
def test_a_generalised_vector_holds_only_what_lies_above_a_term_of_the_middle_one_and_of_every_document(given_):
    tax, documents = given_
    size = min(map(len, documents))
    documents = [document[:size] for document in documents]  # so that every term has a partner
    x = Vectors.of(tax, documents)
    middle = middle_of(x)
    held = [{t for senses, _ in document for c in senses for t in tax.ancestors(c)} for document in documents]
    for vector in (around(x, middle), folded(x, middle)):
        assert all(code in have for code, _ in vector for have in held)
        assert len({code for code, _ in vector}) == len(vector)
        assert sum(w for _, w in vector) <= sum(w for d in documents for _, w in d) / len(documents) + 1e-9
        if len(tax.roots) == 1:  # else a pair may have nothing in common, and its weight is gone
            assert sum(w for _, w in vector) == pytest.approx(sum(w for d in documents for _, w in d) / len(documents))


@given(corpora())
@settings(max_examples=60)
def test_nothing_in_a_generalised_vector_is_of_one_document_alone_however_long_they_are(given_):
    tax, documents = given_
    x = Vectors.of(tax, documents)
    middle = middle_of(x)
    held = [{t for senses, _ in document for c in senses for t in tax.ancestors(c)} for document in documents]
    for vector in (around(x, middle), around(x, middle, cover=0.3), folded(x, middle)):
        assert all(sum(code in have for have in held) >= min(2, len(x)) for code, _ in vector)


@given(st.floats(1e-6, 1))
def test_a_weight_becomes_the_nearest_of_1_2_and_5(weight):
    found = rounded(weight)
    digit = float(f"{found:.0e}"[0])
    assert digit in SERIES
    assert found == pytest.approx(float(f"{found:.0e}"))
    assert 1 / sqrt(2.5) - 1e-9 <= weight / found <= sqrt(2.5) + 1e-9
    assert is_printed(found, "rounded")
    assert rounded(found) == found


@given(st.floats(0.001, 0.5), st.floats(0.001, 0.5))
def test_who_knows_one_of_two_weights_cannot_compute_the_other(own, other):
    """Many other weights, as wide apart as the published one is large, would have given the same figure."""
    shown = rounded((own + other) / 2)
    room = [w for w in np.linspace(0, 4 * shown, 2001) if rounded((own + w) / 2) == shown]
    wide = max(room) - min(room)
    assert wide >= 1.4 * shown - 0.01 * shown or min(room) <= 0.002 * shown  # or it was small beside one's own

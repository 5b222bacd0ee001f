from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.measure.nominal import Domain
from taxonym.publish.noise.private import (
    MISSING,
    PRIVATE,
    SYMBOLS,
    SecureSource,
    SeededSource,
    Weights,
    decay_for,
    exponential,
    exponential_weights,
    fixed_size,
    geometric,
    geometric_weights,
)
from tests.strategies import taxonomies

MAKERS = {"exponential": exponential_weights, "geometric": geometric_weights}
every_mechanism = pytest.mark.parametrize("name", MAKERS)
epsilons = st.floats(0.01, 25) | st.sampled_from([0.1, 1.0, 5.0])
measures = st.sampled_from(["wu-palmer", "jaccard", "path", "lin", "equal"])


def fractions(weights: Weights) -> list[list[Fraction]]:
    """P(z | x), exactly, for every value that the domain allows (rows) and every outcome."""
    values = np.array([*range(len(weights.domain.tax)), *SYMBOLS])
    return [[Fraction(w, sum(row)) for w in row] for row in weights.rows(values).tolist()]


def test_every_private_mechanism_is_tested_here() -> None:
    assert set(MAKERS) == set(PRIVATE)


@every_mechanism
@given(tax=taxonomies(14), epsilon=epsilons, measure=measures)
def test_no_outcome_tells_two_values_apart_by_more_than_e_to_the_epsilon(
    name: str, tax: Taxonomy, epsilon: float, measure: str
) -> None:
    table = fractions(MAKERS[name](Domain.of(tax, measure=measure), epsilon))
    bound = Fraction(exp(epsilon))
    for outcome in zip(*table, strict=True):
        assert max(outcome) <= bound * min(outcome)


@given(tax=taxonomies(14), epsilon=epsilons, measure=measures)
def test_exponential_probabilities_are_those_of_the_formula(tax: Taxonomy, epsilon: float, measure: str) -> None:
    domain = Domain.of(tax, measure=measure)
    apart = np.ones((len(tax) + 2, len(tax) + 2))
    apart[: len(tax), : len(tax)] = domain.distances(range(len(tax)), range(len(tax)))
    np.fill_diagonal(apart, 0)
    for row, found in zip(apart.tolist(), fractions(exponential_weights(domain, epsilon)), strict=True):
        weights = [exponential(d, epsilon) for d in row]
        np.testing.assert_allclose([float(p) for p in found], np.array(weights) / sum(weights), rtol=1e-5, atol=0)


@given(tax=taxonomies(14), epsilon=epsilons, rings=st.integers(1, 12))
def test_geometric_probabilities_are_those_of_the_formula_and_alike_inside_a_ring(
    tax: Taxonomy, epsilon: float, rings: int
) -> None:
    domain = Domain.of(tax)
    decay = decay_for(domain, epsilon, rings)
    apart = np.ones((len(tax) + 2, len(tax) + 2))
    apart[: len(tax), : len(tax)] = domain.distances(range(len(tax)), range(len(tax)))
    np.fill_diagonal(apart, 0)
    for row, found in zip(apart.tolist(), fractions(geometric_weights(domain, epsilon, rings)), strict=True):
        weights = [geometric(d, decay, rings) for d in row]
        np.testing.assert_allclose([float(p) for p in found], np.array(weights) / sum(weights), rtol=1e-4, atol=0)
        for j in range(rings + 1):
            inside = {p for p, d in zip(found, row, strict=True) if int(np.ceil(d * rings)) == j}
            assert len(inside) <= 1


@given(tax=taxonomies(14), epsilon=st.floats(0.01, 10), rings=st.integers(1, 12))
def test_a_decay_lies_between_what_is_always_private_and_what_never_is_more(
    tax: Taxonomy, epsilon: float, rings: int
) -> None:
    assert epsilon / (2 * rings) <= decay_for(Domain.of(tax), epsilon, rings) <= epsilon / rings


@every_mechanism
@given(tax=taxonomies(10), epsilon=epsilons)
def test_the_value_itself_is_always_the_likeliest_outcome(name: str, tax: Taxonomy, epsilon: float) -> None:
    table = fractions(MAKERS[name](Domain.of(tax), epsilon))
    assert all(row[i] == max(row) for i, row in enumerate(table))


@given(total=st.integers(1, 2**62), n=st.integers(0, 50), seed=st.none() | st.integers(0, 99))
def test_whole_numbers_stay_below_their_bound(total: int, n: int, seed: int | None) -> None:
    drawn = (SecureSource() if seed is None else SeededSource(seed)).below(total, n)
    assert len(drawn) == n
    assert all(0 <= x < total for x in drawn.tolist())


@given(sets=st.lists(st.lists(st.integers(0, 30), max_size=9)), size=st.integers(1, 6), seed=st.integers(0, 99))
def test_sets_get_one_size_and_lose_members_only_if_they_have_too_many(
    sets: list[list[int]], size: int, seed: int
) -> None:
    for members, made in zip(sets, fixed_size(sets, size, SeededSource(seed)), strict=True):
        assert len(made) == size
        kept = [m for m in made if m != MISSING]
        assert set(kept) <= set(members)
        assert len(kept) == len(set(kept)) == min(size, len(set(members)))

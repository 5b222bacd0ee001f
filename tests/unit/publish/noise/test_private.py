import secrets
from collections.abc import Iterator
from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.stats import chi2

from taxonym import Taxonomy
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.measure.nominal import Domain
from taxonym.publish.noise.budget import Budget
from taxonym.publish.noise.private import (
    LARGEST,
    MISSING,
    PRIVATE,
    SLACK,
    SMALLEST,
    SYMBOLS,
    UNKNOWN,
    SecureSource,
    SeededSource,
    decay_for,
    exponential_weights,
    geometric_weights,
    private,
    private_sets,
    ring,
    weights_for,
)

EDGES = [("b", "a"), ("c", "a"), ("d", "b"), ("e", "b"), ("f", "c"), ("f", "b")]


@pytest.fixture(scope="module")
def small() -> Domain:
    return Domain.of(Taxonomy.from_edges(EDGES))


@pytest.fixture(scope="module")
def persons(person: Taxonomy) -> Domain:
    return Domain.of(person)


def too_far(observed: np.ndarray, expected: np.ndarray) -> bool:
    """Whether a chi-square statistic is one that comes by chance once in a thousand million times."""
    return bool(chi2.sf(((observed - expected) ** 2 / expected).sum(), len(expected) - 1) < 1e-9)


# ---------------------------------------------------------------------- draws


@pytest.mark.parametrize("make", [exponential_weights, geometric_weights], ids=lambda f: f.__name__)
@pytest.mark.parametrize("source", [SecureSource(), SeededSource(3)], ids=lambda s: type(s).__name__)
def test_draws_on_a_small_domain_follow_the_weights(small: Domain, make, source) -> None:  # type: ignore[no-untyped-def]
    weights = make(small, 2.0)
    n = 40_000
    for value in (0, 4, MISSING):
        drawn = weights.draw(np.full(n, value, np.int32), source)
        row = weights.rows(np.array([value], np.int32))[0]
        observed = np.array([(drawn == z).sum() for z in weights.outcomes.tolist()])
        assert observed.sum() == n
        assert not too_far(observed, n * row / row.sum())


def test_exactly_as_many_whole_numbers_lead_to_an_outcome_as_its_weight_says(small: Domain) -> None:
    weights = exponential_weights(small, 1.0)
    row = weights.rows(np.array([2], np.int32))[0].tolist()
    first = [sum(row[:k]) for k in range(len(row))]
    last = [f + w - 1 for f, w in zip(first, row, strict=True)]

    class Given:
        def __init__(self, numbers: list[int]) -> None:
            self.numbers = numbers

        def below(self, total: int, n: int) -> np.ndarray:
            assert total == sum(row)
            return np.array(self.numbers)

    for numbers in (first, last):
        drawn = weights.draw(np.full(len(row), 2, np.int32), Given(numbers))
        assert drawn.tolist() == weights.outcomes.tolist()


def test_draws_on_wordnet_follow_the_formula(persons: Domain) -> None:
    """6,981 outcomes, 200 draws for each; outcomes at the same distance are alike, and so are their sums."""
    weights, n, value = exponential_weights(persons, 8.0), 1_400_000, int(persons.candidates[4000])
    drawn = weights.draw(np.full(n, value, np.int32), SeededSource(1))
    apart = np.append(persons.distances([value], persons.candidates)[0], [1, 1])
    p = np.exp(-(8.0 - SLACK) / 2 * apart)
    observed = np.bincount(np.searchsorted(persons.candidates, drawn[drawn >= 0]), minlength=len(persons))
    observed = np.append(observed, [(drawn == s).sum() for s in SYMBOLS])
    assert not too_far(observed, n * p / p.sum())


def test_the_share_of_an_outcome_differs_between_two_values_by_at_most_e_to_the_epsilon(small: Domain) -> None:
    n, epsilon = 60_000, 1.0
    for make in (exponential_weights, geometric_weights):
        weights = make(small, epsilon)
        shares = [
            np.array([(drawn == z).mean() for z in weights.outcomes.tolist()])
            for value in (*range(len(small)), *SYMBOLS)
            for drawn in [weights.draw(np.full(n, value, np.int32), SecureSource())]
        ]
        for p in shares:
            for q in shares:
                slack = 6 * np.sqrt(1 / (n * p) + 1 / (n * q))
                assert (np.log(p / q) <= epsilon + slack).all()


def test_the_worst_case_on_wordnet_keeps_epsilon_and_comes_near_it(persons: Domain) -> None:
    """Exactly, over 300 values and all 6,981 outcomes."""
    values = np.append(np.random.default_rng(2).choice(len(persons.tax), 298, replace=False), SYMBOLS).astype(np.int32)
    for name, make in (("exponential", exponential_weights), ("geometric", geometric_weights)):
        rows = make(persons, 1.0).rows(values).astype(np.float64)
        p = np.log(rows / rows.sum(axis=1, keepdims=True))
        worst = float((p.max(axis=0) - p.min(axis=0)).max())
        assert worst <= 1.0
        assert worst > (0.5 if name == "exponential" else 0.9)


def test_each_mechanism_is_found_by_its_name(small: Domain) -> None:
    values = np.arange(len(small.tax), dtype=np.int32)
    for name, make in (("exponential", exponential_weights), ("geometric", geometric_weights)):
        np.testing.assert_array_equal(weights_for(name, small, 1.5).rows(values), make(small, 1.5).rows(values))


def test_over_the_persons_of_wordnet_an_epsilon_of_8_is_hardly_better_than_a_blind_draw(persons: Domain) -> None:
    """The figures of docs/noise.md."""
    values = persons.candidates[np.linspace(0, len(persons) - 1, 500).astype(int)]
    rows = exponential_weights(persons, 8.0).rows(values)
    apart = np.hstack((persons.distances(values, persons.candidates), np.ones((len(values), 2))))
    assert (apart * rows).sum(axis=1) @ (1 / rows.sum(axis=1)) / len(values) == pytest.approx(0.718, abs=0.0005)
    assert apart.mean() == pytest.approx(0.756, abs=0.0005)


def test_the_geometric_mechanism_uses_what_the_exponential_leaves_over(persons: Domain) -> None:
    """ε / 2B is always private; as alike as surroundings on WordNet are, a decay almost half again as fast is too."""
    assert decay_for(persons, 1.0, 10) > 1.4 * 1.0 / (2 * 10)


def test_rings_drawn_without_regard_to_their_size_would_not_be_private(small: Domain) -> None:
    """Why the geometric mechanism weighs rings by their size."""
    n, rings, epsilon = len(small.tax), 4, 0.5
    at = np.array([[ring(d, rings) for d in row] for row in small.distances(range(n), range(n)).tolist()])
    p = np.empty((n, n))
    for x in range(n):
        present = sorted(set(at[x].tolist()))
        mass = {j: exp(-epsilon / (2 * rings) * j) for j in present}
        p[x] = [mass[j] / sum(mass.values()) / (at[x] == j).sum() for j in at[x].tolist()]
    assert log((p.max(axis=0) / p.min(axis=0)).max()) > epsilon


# ---------------------------------------------------------------------- randomness


def test_the_secure_generator_is_asked_unless_a_seed_is_given(small: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    real = secrets.token_bytes
    monkeypatch.setattr(secrets, "token_bytes", lambda n: asked.append(n) or real(n))
    private(small.tax, [0, 1, 2], epsilon=1.0, seed=5)
    assert not asked
    private(small.tax, [0, 1, 2], epsilon=1.0)
    assert sum(asked) >= 3 * 8


def test_secure_numbers_are_drawn_again_where_they_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def high_then_low() -> Iterator[bytes]:
        yield (2**64 - 1).to_bytes(8, "little") * 2  # 7 of 0..7: not below 6
        yield (2**63).to_bytes(8, "little") * 2  # 4

    stream = high_then_low()
    monkeypatch.setattr(secrets, "token_bytes", lambda n: next(stream))
    assert SecureSource().below(6, 2).tolist() == [4, 4]


def test_a_seed_repeats_and_its_absence_does_not(small: Domain) -> None:
    codes = [0, 1, 2, 3, 4, 5] * 20
    assert private(small.tax, codes, epsilon=1.0, seed=1) == private(small.tax, codes, epsilon=1.0, seed=1)
    assert private(small.tax, codes, epsilon=1.0) != private(small.tax, codes, epsilon=1.0)


# ---------------------------------------------------------------------- columns and sets


@pytest.mark.parametrize("mechanism", PRIVATE)
def test_missing_and_unknown_go_in_and_come_out(small: Domain, mechanism: str) -> None:
    category = small.tax.code("b")
    outside = small.tax.code("c")
    out = private(small.tax, [outside, MISSING, UNKNOWN] * 300, epsilon=1.0, category=category, mechanism=mechanism)
    assert set(out) == {*small.tax.descendants(category), MISSING, UNKNOWN}
    assert outside not in out


def test_a_large_epsilon_mostly_keeps_the_value(small: Domain) -> None:
    row = exponential_weights(small, LARGEST).rows(np.array([3], np.int32))[0]
    kept = 500 * row[3] / row.sum()
    assert kept > 400
    out = private(small.tax, [3] * 500 + [MISSING] * 500, epsilon=LARGEST)
    assert out[:500].count(3) > kept - 6 * sqrt(kept)
    assert out[500:].count(MISSING) > 490


def test_sets_are_published_at_one_size_with_a_share_of_epsilon_each(small: Domain) -> None:
    sets = [[], [1], [0, 1, 2, 3, 4, 5]] * 50
    out = private_sets(small.tax, sets, size=2, epsilon=20.0, seed=4)
    assert [len(one) for one in out] == [2] * 150
    assert sum(one == [MISSING, MISSING] for one in out[::3]) > 25
    alone = private_sets(small.tax, [[3]] * 400, size=1, epsilon=5.0, seed=4)
    assert [one for [one] in alone] == private(small.tax, [3] * 400, epsilon=5.0, seed=4)


# ---------------------------------------------------------------------- budget


def test_a_budget_counts_columns_and_repeated_records_of_a_person(small: Domain) -> None:
    budget = Budget(1.0)
    private(small.tax, [0, 1, 2], epsilon=0.4, persons=["ann", "bob", "ann"], budget=budget)
    assert budget.left("ann") == pytest.approx(0.2)
    assert budget.left("bob") == pytest.approx(0.6)
    with pytest.raises(
        BrokenPromise, match="1 persons would spend more than ε = 1 .first at record 2., so nothing was"
    ):
        private(small.tax, [0, 1], epsilon=0.4, persons=["bob", "ann"], budget=budget)
    assert budget.left("bob") == pytest.approx(0.6)  # all or nothing
    private(small.tax, [0], epsilon=0.6, persons=["bob"], budget=budget)
    assert budget.left("bob") == pytest.approx(0)


def test_a_refusal_names_no_person_and_draws_nothing(small: Domain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_bytes", lambda n: pytest.fail("drawn"))
    with pytest.raises(BrokenPromise) as refused:
        private(small.tax, [0, 0], epsilon=1.0, persons=["ann", "ann"], budget=Budget(1.5))
    assert "ann" not in str(refused.value)
    assert refused.value.exit_code == 1


def test_ten_times_a_tenth_is_within_a_budget_of_one() -> None:
    budget = Budget(1.0)
    for _ in range(10):
        budget.charge(range(3), 0.1)
    with pytest.raises(BrokenPromise, match="3 persons"):
        budget.charge(range(3), 0.1)


def test_without_persons_the_rows_of_two_columns_are_the_same_persons(small: Domain) -> None:
    budget = Budget(1.0)
    private(small.tax, [0, 1], epsilon=0.7, budget=budget)
    with pytest.raises(BrokenPromise):
        private(small.tax, [0, 1], epsilon=0.7, budget=budget)


def test_mistakes_are_named(small: Domain) -> None:
    tax = small.tax
    for epsilon in (0, SMALLEST / 2, LARGEST + 1, float("nan")):
        with pytest.raises(BadPlan, match="epsilon must lie between 0.001 and 25"):
            private(tax, [0], epsilon=epsilon)
    with pytest.raises(BadPlan, match="mechanism: 'normal' is not known. Choose one of exponential, geometric"):
        private(tax, [0], epsilon=1.0, mechanism="normal")
    with pytest.raises(BadPlan, match="persons: 2 records need as many persons, not 1"):
        private(tax, [0, 1], epsilon=1.0, persons=["ann"])
    with pytest.raises(BadPlan, match="size must be at least 1, got 0"):
        private_sets(tax, [[0]], size=0, epsilon=1.0)
    with pytest.raises(BadPlan, match="rings must be at least 1, got 0"):
        decay_for(small, 1.0, 0)
    with pytest.raises(BadPlan, match="budget must be a number above 0"):
        Budget(0)

"""How far adaptive groups grow is the plan's to say."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taxonym
from taxonym.errors import BadPlan
from taxonym.group.adaptive import GROWTH, adaptive_mdav
from taxonym.plan import Plan
from taxonym.plan.families import Microaggregation


def points(n: int, seed: int) -> np.ndarray:
    """Distances between points in a plane, most of them in a few heaps."""
    rng = np.random.default_rng(seed)
    where = rng.normal(size=(5, 2))[rng.integers(0, 5, n)] + rng.normal(scale=0.2, size=(n, 2))
    apart = np.sqrt(((where[:, None] - where[None]) ** 2).sum(axis=2))
    return apart / apart.max()


@given(st.integers(6, 40), st.integers(0, 1000), st.integers(2, 3), st.sampled_from([0.0, 0.5, 1.0, 2.0, 9.0]))
def test_every_record_is_in_one_group_of_at_least_k_however_far_groups_grow(
    n: int, seed: int, k: int, growth: float
) -> None:
    groups = adaptive_mdav(points(n, seed), k, growth=growth)
    assert sorted(row for group in groups for row in group) == list(range(n))
    assert min(map(len, groups)) >= k
    assert max(map(len, groups)) <= max(2 * k, round(10 * k * growth))


def test_groups_grow_with_growth() -> None:
    D = points(400, 1)
    many = [len(adaptive_mdav(D, 5, growth=growth)) for growth in (0.0, 1.0, 1.5, 3.0)]
    assert many[0] >= many[1] > many[2] > many[3]


def test_the_plan_hands_its_growth_to_the_groups() -> None:
    rng = np.random.default_rng(3)
    words = ("dog", "cat", "horse", "oak", "fir", "rose", "car", "bus", "ship", "hammer", "saw", "nail")
    table = pl.DataFrame({"likes": [";".join(rng.choice(words, 2, replace=False)) for _ in range(120)]})
    column = {"role": "quasi-identifier", "kind": "set", "taxonomy": "wordnet"}

    def groups(growth: float) -> int:
        method = {"name": "adaptive-mdav", "k": 3, "growth": growth}
        return len(taxonym.anonymize(table, {"columns": {"likes": column}, "method": method}, baselines=False).groups)

    assert groups(0.0) > groups(5.0)


def test_the_default_of_the_plan_is_that_of_the_groups() -> None:
    assert Microaggregation().growth == GROWTH


@pytest.mark.parametrize("method", [{"name": "mdav", "growth": 2.0}, {"name": "adaptive-mdav", "growth": -1.0}])
def test_growth_that_means_nothing_is_refused(method: dict[str, object]) -> None:
    with pytest.raises(BadPlan, match=r"method\.growth"):
        Plan.from_dict({"method": method})


def test_who_has_nothing_in_common_with_a_group_does_not_join_it_because_its_members_have_little() -> None:
    kind = np.repeat(np.arange(4), 5)
    D = np.where(kind[:, None] == kind, 0.9, 1.0)
    np.fill_diagonal(D, 0)
    assert adaptive_mdav(D, 5) == [list(range(first, first + 5)) for first in range(0, 20, 5)]

"""Random classes: l and t against their definitions, and what merging promises."""

from collections import Counter
from math import exp, log

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import concept_distances
from taxonym.group.merge import merge
from taxonym.measure.diversity import EXACT, Closeness, ConfidentialAttribute, diversity
from taxonym.measure.transport import emd, least_work
from tests.strategies import taxonomies


@st.composite
def attributes(draw: st.DrawFn, kind: str | None = None) -> ConfidentialAttribute:
    """Persons with one or several values that have an order, a meaning or neither; one may be harmless."""
    kind = kind or draw(st.sampled_from(["order", "meaning", "neither"]))
    tax = draw(taxonomies(7))
    size = len(tax) if kind == "meaning" else draw(st.integers(1, 7))
    values = st.lists(st.integers(0, size - 1), min_size=1, max_size=3)
    sets = draw(st.lists(values, min_size=2, max_size=14))
    table = concept_distances(tax, range(len(tax)), range(len(tax)))
    rank = np.arange(size, dtype=np.float64)
    if draw(st.booleans()):
        rank[-1] = np.nan
    return ConfidentialAttribute.of(
        sets,
        size,
        order=rank if kind == "order" else None,
        apart=(lambda a, b: table[np.ix_(a, b)]) if kind == "meaning" else None,
        harmless=draw(st.sampled_from([-1, 0])),
    )


def some(data: st.DataObject, one: ConfidentialAttribute) -> np.ndarray:
    persons = st.lists(st.integers(0, len(one) - 1), min_size=1, unique=True)
    return np.array(sorted(data.draw(persons)), np.int64)


def matrix(one: ConfidentialAttribute, used: np.ndarray) -> np.ndarray:
    """All distances between values, as the definitions say; those that nobody has are of no account."""
    every = np.arange(one.size)
    if one.apart is not None:
        return one.apart(every, every)
    if one.order is None:
        return 1 - np.eye(one.size)
    inside = [v for v in every.tolist() if used[v] and not np.isnan(one.order[v])]
    made = 1 - np.eye(one.size)
    place = {v: i / max(1, len(inside) - 1) for i, v in enumerate(inside)}
    for a in inside:
        for b in inside:
            made[a, b] = abs(place[a] - place[b])
        for b in np.flatnonzero(np.isnan(one.order)):
            made[a, b] = made[b, a] = 1 / 2 + abs(place[a] - 1 / 2) if len(inside) > 1 else 1
    return made


@given(one=attributes(), data=st.data())
def test_t_is_the_linear_programme_and_lies_within_its_bounds(one: ConfidentialAttribute, data: st.DataObject) -> None:
    group = some(data, one)
    everybody = np.unique(np.concatenate((group, some(data, one))))
    close = Closeness(one, everybody)
    exact = emd(one.distribution(group), close.overall, matrix(one, close.overall > 0))
    assert abs(close.t(group) - exact) < 1e-7
    low, high = close.bounds(group)
    assert low - 1e-9 <= exact + 1e-7
    assert exact - 1e-7 <= high + 1e-9
    assert -1e-9 <= close.t(group) <= 1 + 1e-9
    limit = data.draw(st.floats(0.01, 1))
    assert (close.beyond(limit, group) == 0) == (close.t(group) <= limit + EXACT)
    assert close.beyond(limit, group) <= max(0, close.t(group) - limit) + 1e-9


@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 2**32))
def test_the_least_work_is_that_of_the_linear_programme_whatever_the_costs(s: int, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cost = rng.integers(0, 4, (s, n)) / 3 if rng.random() < 0.5 else rng.random((s, n))
    supply, demand = rng.multinomial(6, np.ones(s) / s) / 6, rng.dirichlet(np.ones(n))
    whole = np.zeros((s + n, s + n))
    whole[:s, s:] = cost
    p, q = np.append(supply, np.zeros(n)), np.append(np.zeros(s), demand)
    assert abs(least_work(cost, supply, demand) - emd(p, q, whole)) < 1e-9


@given(one=attributes(), data=st.data())
def test_l_is_counted_as_by_hand(one: ConfidentialAttribute, data: st.DataObject) -> None:
    group = some(data, one)
    sets = [tuple(one.held(np.array([i])).tolist()) for i in group]
    harmful = [set(mine) - {one.harmless} for mine in sets]
    counts = Counter((mine, i) if mine == (one.harmless,) else mine for i, mine in enumerate(sets))
    shared = bool(set.intersection(*harmful))
    found = diversity(one, group)
    assert found.homogeneous == shared
    assert found.distinct == (1 if shared else len(counts))
    entropy = exp(-sum(n / len(sets) * log(n / len(sets)) for n in counts.values()))
    assert abs(found.entropy - (1 if shared else entropy)) < 1e-9
    assert found.share == max((sum(v in mine for mine in harmful) for v in range(one.size)), default=0) / len(sets)


@given(one=attributes(), data=st.data())
def test_what_two_groups_keep_their_union_keeps(one: ConfidentialAttribute, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(one) - 1))
    a, b, both = np.arange(cut), np.arange(cut, len(one)), np.arange(len(one))
    found = [diversity(one, group) for group in (a, b, both)]
    assert found[2].distinct >= max(found[0].distinct, found[1].distinct)
    assert found[2].entropy >= min(found[0].entropy, found[1].entropy) - 1e-9
    close = Closeness(one, some(data, one))
    assert close.t(both) <= max(close.t(a), close.t(b)) + 1e-9


# ---------------------------------------------------------------------- merging


@given(data=st.data(), limit=st.floats(0.05, 0.9), l=st.integers(1, 3))
@settings(max_examples=60)
def test_merged_groups_hold_unless_a_whole_block_does_not_whatever_their_order(
    data: st.DataObject, limit: float, l: int  # noqa: E741
) -> None:  # fmt: skip
    one = data.draw(attributes())
    n = len(one)
    blocks = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    groups: list[list[int]] = []
    for block in (0, 1):
        rows = data.draw(st.permutations(np.flatnonzero(blocks == block).tolist()))
        while rows:
            size = data.draw(st.integers(1, 3)) if len(rows) > 3 else len(rows)
            groups, rows = [*groups, rows[:size]], rows[size:]
    close, whole = Closeness(one, np.arange(n)), one.whole()
    apart = np.random.default_rng(data.draw(st.integers(0, 99))).integers(0, 5, (n, n))

    def deficit(group: np.ndarray) -> float:
        return max(close.beyond(limit, group), 1 - diversity(one, group, whole).distinct / l)

    def between(groups: list[list[int]]) -> np.ndarray:
        return np.array([[(apart + apart.T)[min(a), min(b)] for a in groups] for b in groups])

    found = merge(groups, lambda group: max(0.0, deficit(group)), between, blocks)
    assert sorted(row for group in found for row in group) == list(range(n))
    for group in found:
        assert len(set(blocks[group].tolist())) == 1
        assert any(set(first) <= set(group) for first in groups)
        if deficit(np.array(sorted(group))) > 0:
            assert sorted(group) == np.flatnonzero(blocks == blocks[group[0]]).tolist()
    for first in groups:  # no group is torn apart
        assert any(set(first) <= set(group) for group in found)
    turned = [data.draw(st.permutations(group)) for group in data.draw(st.permutations(groups))]
    again = merge(turned, lambda group: max(0.0, deficit(group)), between, blocks)
    assert sorted(map(sorted, again)) == sorted(map(sorted, found))

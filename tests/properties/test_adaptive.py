"""Adaptive groups against a plain transcription of their rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.group.adaptive import adaptive_mdav

Rows = list[int]


def transcription(D: np.ndarray, k: int, largest: int, growth: float) -> list[Rows]:
    """The rule of group/adaptive.py, word by word."""
    free = set(range(len(D)))
    groups: list[Rows] = []
    middles: Rows = []

    def nearest(r: int, among: set[int]) -> Rows:
        return sorted(among - {r}, key=lambda i: (D[r, i], i))

    def stretched(distances: list[float]) -> float:
        total, most = sum(distances), len(distances) * D.max()
        return growth * total if growth < 1 else total + (growth - 1) * min(total, most - total)

    def home(i: int) -> int | None:
        open_ones = [g for g, rows in enumerate(groups) if len(rows) < largest]
        return min(open_ones, key=lambda g: (D[i, middles[g]], g), default=None)

    while len(free) >= k:
        r = min(sorted(free), key=lambda i: (sum(D[i, j] for j in nearest(i, free)[: k - 1]), i))
        group = sorted([r, *nearest(r, free)[: k - 1]])
        m = min(group, key=lambda i: (sum(D[i, j] for j in group), i))
        homes = {i: home(i) for i in group}
        if None not in homes.values():
            there = {i: D[i, middles[homes[i]]] for i in group}
            if sum(there.values()) < sum(D[i, m] for i in group):
                i = max(group, key=lambda i: (D[i, m] - there[i], -i))
                groups[homes[i]].append(i)
                free.discard(i)
                continue
        free -= set(group)
        while free and len(group) < largest:
            y = nearest(m, free)[0]
            if D[m, y] * (len(group) - 1) > stretched([D[m, i] for i in group if i != m]):
                break
            if home(y) is not None and D[y, middles[home(y)]] < D[m, y]:
                break
            own = nearest(y, free)[: k - 1]
            if D[m, y] > 0 and len(own) == k - 1 and D[m, y] * (k - 1) >= stretched([D[y, i] for i in own]):
                break
            group.append(y)
            free.discard(y)
        groups.append(group)
        middles.append(m)
    for i in sorted(free):
        g = home(i)
        if g is None:
            g = min(range(len(groups)), key=lambda g: (D[i, middles[g]], g))
            taken = sorted(groups[g], key=lambda j: (D[i, j], j))[: k - 1]
            groups[g] = [j for j in groups[g] if j not in taken]
            groups.append([i, *taken])
            middles.append(i)
        else:
            groups[g].append(i)
    return [sorted(group) for group in groups]


@st.composite
def matrices(draw: st.DrawFn, most: int = 24) -> np.ndarray:
    """Symmetric distances in few steps, so that ties abound; now and then all different."""
    n = draw(st.integers(2, most))
    steps = draw(st.sampled_from([2, 4, 1000]))
    flat = draw(st.lists(st.integers(0, steps), min_size=n * n, max_size=n * n))
    D = np.array(flat, np.int64).reshape(n, n)
    D = np.minimum(D, D.T)
    np.fill_diagonal(D, 0)
    return D


@given(D=matrices(), k=st.integers(2, 5), data=st.data())
def test_adaptive_groups_are_those_of_the_rule(D: np.ndarray, k: int, data: st.DataObject) -> None:
    largest = data.draw(st.integers(2 * k, 4 * k))
    if len(D) < k:
        with pytest.raises(BrokenPromise):
            adaptive_mdav(D, k)
        return
    growth = data.draw(st.sampled_from([0.0, 0.5, 1.0, 1.25, 1.5, 3.0]))
    groups = adaptive_mdav(D, k, largest=largest, growth=growth)
    assert groups == transcription(D, k, largest, growth)
    assert sorted(row for group in groups for row in group) == list(range(len(D)))
    assert all(k <= len(group) <= largest for group in groups)


@given(seed=st.integers(0, 2**32), n=st.integers(4, 40), k=st.integers(3, 4), data=st.data())
def test_adaptive_groups_do_not_depend_on_the_order_where_nothing_ties(
    seed: int, n: int, k: int, data: st.DataObject
) -> None:
    points = np.random.default_rng(seed).random((n, 3))  # in a pair both are its middle, so k = 2 always ties
    D = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    order = data.draw(st.permutations(range(n)))
    there = adaptive_mdav(D[np.ix_(order, order)], k)
    assert sorted(sorted(order[i] for i in group) for group in there) == sorted(adaptive_mdav(D, k))


def test_equal_records_gather_in_one_group_and_distant_ones_do_not_spoil_it() -> None:
    x = np.array([0] * 9 + [50, 51, 52])
    groups = adaptive_mdav(np.abs(np.subtract.outer(x, x)), 3)
    assert groups == [list(range(9)), [9, 10, 11]]


def test_a_group_never_exceeds_the_stated_maximum() -> None:
    D = np.zeros((23, 23))
    assert [len(group) for group in adaptive_mdav(D, 3, largest=6)] == [6, 6, 6, 5]
    with pytest.raises(BadPlan, match="largest: must be at least 2k = 6"):
        adaptive_mdav(D, 3, largest=5)


def test_with_k_1_every_record_is_its_own_group() -> None:
    assert adaptive_mdav(np.zeros((3, 3)), 1) == [[0], [1], [2]]

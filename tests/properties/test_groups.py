from itertools import chain, combinations
from math import fsum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from taxonym.group.mdav import mdav, medoid
from taxonym.group.refine import refined, sum_of_distances
from taxonym.group.search import _divide

# few different values: ties everywhere. Decimals and thirds cannot be added without rounding.
KINDS: list[list[Any]] = [
    [0, 1],
    [0, 1, 2, 3],
    [0.0, 0.25, 1.0],
    [0.1, 0.2, 0.3, 0.7],
    [0.0, 1 / 3, 2 / 3],
    [1e-30, 0.5, 1.0],
]


@st.composite
def arrays(draw: st.DrawFn, max_size: int = 24) -> NDArray[Any]:
    """Square arrays full of ties or without any; symmetric or not; zero on the diagonal or not."""
    n = draw(st.integers(1, max_size))
    values = draw(st.sampled_from(KINDS))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    D = random.choice(np.array(values), (n, n)) if draw(st.integers(0, 3)) else random.random((n, n))
    if draw(st.booleans()):
        D = np.minimum(D, D.T)
    if draw(st.booleans()):
        np.fill_diagonal(D, 0)
    return D.astype(np.uint16) if D.dtype.kind == "i" and draw(st.booleans()) else D


def transcribed(distances: NDArray[Any], k: int) -> list[list[int]]:
    """Algorithm 1 of NavarroArribas2010, line by line, everything made anew at every step."""
    D = distances.tolist()
    X = list(range(len(D)))
    clusters: list[list[int]] = []

    def average() -> int:
        return min(X, key=lambda i: (fsum(D[i][j] for j in X), i))

    def most_distant(r: int) -> int:
        return max(X, key=lambda i: (D[r][i], -i))

    def form_cluster(r: int) -> None:
        cluster = [r, *sorted((i for i in X if i != r), key=lambda i: (D[r][i], i))[: k - 1]]
        clusters.append(sorted(cluster))
        X[:] = [i for i in X if i not in cluster]

    while len(X) >= 3 * k:
        x_r = most_distant(average())
        form_cluster(x_r)
        x_s = most_distant(x_r)
        form_cluster(x_s)
    if len(X) >= 2 * k:
        x_r = most_distant(average())
        form_cluster(x_r)
    clusters.append(sorted(X))
    return clusters


@settings(max_examples=300)
@given(D=arrays(), data=st.data())
def test_mdav_is_the_algorithm_of_the_paper(D: NDArray[Any], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(D)))
    assert mdav(D, k) == transcribed(D, k)


@given(D=arrays(), data=st.data())
def test_the_medoid_is_found_by_looking_at_all(D: NDArray[Any], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(D) - 1), min_size=1, unique=True))
    assert medoid(D, rows) == min(rows, key=lambda r: (fsum(D[r, i] for i in rows), r))


@pytest.mark.parametrize("k", range(1, 9))
def test_groups_have_k_to_2k_minus_1_records_for_every_number_of_records(k: int) -> None:
    for n in range(k, 6 * k + 3):
        random = np.random.default_rng(n)
        D = random.integers(0, 9, (n, n)).astype(np.uint16)
        groups = mdav(D, k)
        assert sorted(chain.from_iterable(groups)) == list(range(n))
        assert all(k <= len(g) <= 2 * k - 1 for g in groups)
        for largest in {2 * k - 1, 3 * k}:
            groups = refined(D, k, largest=largest)
            assert sorted(chain.from_iterable(groups)) == list(range(n))
            assert all(k <= len(g) <= largest for g in groups)


@settings(max_examples=200)
@given(D=arrays(60), data=st.data())
def test_refined_groups_are_a_partition_of_allowed_sizes_and_never_worse_than_mdav(
    D: NDArray[Any], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, min(len(D), 9)))
    largest = data.draw(st.integers(2 * k - 1, 4 * k))
    groups = refined(D, k, largest=largest)
    assert sorted(chain.from_iterable(groups)) == list(range(len(D)))
    assert all(k <= len(g) <= max(largest, 2 * k - 1) for g in groups)
    assert all(g == sorted(g) for g in groups)
    assert groups == sorted(groups)
    assert sum_of_distances(D, groups) <= sum_of_distances(D, mdav(D, k))
    assert groups == refined(D.copy(), k, largest=largest)


@settings(max_examples=60)
@given(data=st.data())
def test_the_division_of_two_groups_is_the_best_there_is(data: st.DataObject) -> None:
    k = data.draw(st.integers(1, 3))
    count = data.draw(st.integers(2 * k, 2 * k + 3))
    largest = data.draw(st.integers((count + 1) // 2, count))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    E = random.integers(0, data.draw(st.sampled_from([3, 50])), (count, count)).astype(np.int32)
    side = np.empty((2, count), np.int64)

    def cost(group: tuple[int, ...]) -> int:
        return min(int(E[m, list(group)].sum()) for m in group)

    sizes = range(max(k, count - largest), min(largest, count - k) + 1)
    parts = [(a, tuple(set(range(count)) - set(a))) for s in sizes for a in combinations(range(count), s)]
    best = min(cost(a) + cost(b) for a, b in parts)
    assert _divide(E, count, k, largest, best + 1, np.arange(count), side)
    found = tuple(tuple(np.flatnonzero(side[0] == s).tolist()) for s in (0, 1))
    assert all(len(g) in sizes for g in found)
    assert cost(found[0]) + cost(found[1]) == best
    assert not _divide(E, count, k, largest, best, np.arange(count), side)

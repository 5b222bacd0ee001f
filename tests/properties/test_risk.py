"""Linkage and what is learned from it, against the definitions."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from taxonym import linkage_risk
from taxonym.attack import linkage
from taxonym.attack import partial_knowledge as known_items
from taxonym.attack.inference import belief, beliefs, knowing, most_frequent
from taxonym.attack.linkage import assigned, chance, linked, links, nearest
from taxonym.attack.partial_knowledge import Items, links_knowing, one_way, words_of
from taxonym.attack.risk import auc, risk_of
from taxonym.distance.attributes import MATCHINGS
from taxonym.distance.record import Compare, Part, Sets, Values, record_distance
from taxonym.distance.registry import DISTANCES
from taxonym.distance.sets import AGGREGATIONS
from tests.strategies import taxonomies

STEP = 1e-4  # distances are computed in steps: those that differ by less may or may not tie

compares = st.builds(
    Compare, aggregate=st.sampled_from([*AGGREGATIONS, *MATCHINGS]), measure=st.sampled_from(sorted(DISTANCES))
)


@st.composite
def tables(draw: st.DrawFn, words_only: bool = False) -> tuple[list[Part], list[Part]]:
    """What an intruder knows and what is published: one to three columns, some records each."""
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    x: list[Part] = []
    y: list[Part] = []
    for _ in range(draw(st.integers(1, 3))):
        weight = draw(st.sampled_from([0.5, 1.0, 3.0]))
        if words_only or draw(st.booleans()):
            tax = draw(taxonomies(8))
            record = st.sets(st.integers(0, len(tax) - 1), max_size=4).map(sorted)
            for parts, rows in ((x, n), (y, m)):
                parts.append(Sets.of(draw(st.lists(record, min_size=rows, max_size=rows)), tax, weight))
        else:
            number = st.sampled_from([np.nan, 0.0, 1.0, 2.5, 9.0])
            x.append(Values.of(np.array(draw(st.lists(number, min_size=n, max_size=n))), weight))
            y.append(Values(np.array(draw(st.lists(number, min_size=m, max_size=m))), x[-1].half, weight))
    return x, y


@st.composite
def goals(draw: st.DrawFn, n: int, m: int) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    """How many persons share each published record, which is whose, and among which everybody looks."""
    size = draw(st.lists(st.integers(1, 4), min_size=m, max_size=m))
    truth = draw(st.lists(st.integers(-1, m - 1), min_size=n, max_size=n))
    span = draw(st.lists(st.tuples(st.integers(0, m), st.integers(0, m)), min_size=n, max_size=n))
    return size, truth, span


def arrays(span: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    return np.array([low for low, _ in span]), np.array([high for _, high in span])


def clear(apart: Sequence[float]) -> bool:
    """Whether all distances tie with the least or are well apart from it."""
    return all(d <= min(apart) + 1e-9 or d > min(apart) + STEP for d in apart)


# ---------------------------------------------------------------------- by all that is known


@settings(max_examples=150)
@given(table=tables(), how=compares, data=st.data())
def test_linkage_of_records_with_any_columns_and_distances_is_its_definition(
    table: tuple[list[Part], list[Part]], how: Compare, data: st.DataObject
) -> None:
    x, y = table
    size, truth, span = data.draw(goals(len(x[0]), len(y[0])))
    found = nearest(x, y, np.array(size), np.array(truth), how, span=arrays(span))
    for i, (low, high) in enumerate(span):
        among = list(range(low, high))
        apart = [record_distance(x, y, i, j, how) for j in among]
        if not among:
            assert (found.p[i], found.persons[i]) == (0, 0)
        elif clear(apart):
            near = linked(x, y, i, among, how)
            assert found.p[i] == pytest.approx(chance(near, size, truth[i]))
            assert found.persons[i] == sum(size[j] for j in near)
            assert found.distance[i] == pytest.approx(min(apart), abs=STEP)


@given(table=tables(), rows=st.lists(st.integers(0, 0), max_size=3))
def test_some_rows_are_linked_as_all_are(table: tuple[list[Part], list[Part]], rows: list[int]) -> None:
    x, y = table
    size, truth = np.ones(len(y[0]), np.int64), np.zeros(len(x[0]), np.int64)
    every = links(x, y, size, truth, Compare())
    assert links(x, y, size, truth, Compare(), np.array(rows, np.int64)).tolist() == every[rows].tolist()


@given(table=tables(words_only=True), k=st.integers(2, 5), data=st.data())
def test_linkage_risk_sums_up_the_links_of_sets(
    table: tuple[list[Part], list[Part]], k: int, data: st.DataObject
) -> None:
    x, y = words_of(table[0])[0], words_of(table[1])[0]
    original, released = [x.record(i) for i in range(len(x))], [y.record(j) for j in range(len(y))]
    truth = data.draw(st.lists(st.integers(-1, len(released) - 1), min_size=len(original), max_size=len(original)))
    apart = [[record_distance([x], [y], i, j) for j in range(len(y))] for i in range(len(x))]
    assume(all(map(clear, apart)))
    found = linkage_risk(original, released, tax=x.tax, truth=truth, k=k)
    p = [chance(linked([x], [y], i, range(len(y)), Compare()), [1] * len(y), truth[i]) for i in range(len(x))]
    assert found.per_record.tolist() == pytest.approx(p)
    assert found.dr == pytest.approx(100 * sum(p) / len(p))
    assert found.max == pytest.approx(max(p))
    assert found.above_1_over_k == sum(q > 1 / k + 1e-9 for q in p)
    assert found.baseline == pytest.approx(100 / len(released))
    assert found.interval is None


@settings(max_examples=30)
@given(table=tables(words_only=True), block=st.integers(1, 40))
def test_nothing_depends_on_how_much_is_looked_at_in_one_go(table: tuple[list[Part], list[Part]], block: int) -> None:
    x, y = table
    size, truth = np.arange(1, len(y[0]) + 1), np.arange(len(x[0])) % len(y[0])
    known = Items.of_parts(x).drawn(2, np.random.default_rng(1))

    def both() -> list[list[float]]:
        some = beliefs(x, known, np.arange(len(known)), y, size, truth, Compare())
        by_items = links_knowing(known, y, size, truth, Compare())
        found = links(x, y, size, truth, Compare()), by_items, some.p, some.believed, some.right, some.naive
        return [part.tolist() for part in found]

    whole = both()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linkage, "BLOCK", block)
        patch.setattr(known_items, "REACHED", block)
        assert both() == [pytest.approx(part) for part in whole]


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_sample_has_an_interval_around_its_mean_that_is_never_a_point(p: list[float]) -> None:
    found = risk_of(np.array(p), 5, 100, rows=np.arange(len(p)))
    assert found.interval is not None
    low, high = found.interval
    assert 0 <= low <= found.dr + 1e-9
    assert min(100.0, found.dr) <= high + 1e-9
    assert high >= min(100, 300 / len(p))


# ---------------------------------------------------------------------- one to one


@settings(max_examples=60)
@given(table=tables(), data=st.data())
def test_one_to_one_is_the_best_of_all_permutations(table: tuple[list[Part], list[Part]], data: st.DataObject) -> None:
    x, y = table
    n, m = len(x[0]), len(y[0])
    size = data.draw(st.lists(st.integers(1, 2), min_size=m, max_size=m))
    truth = data.draw(st.lists(st.integers(-1, m - 1), min_size=n, max_size=n))
    kind = [j for j in range(m) for _ in range(size[j])]
    apart = [[record_distance(x, y, i, j) for j in kind] for i in range(n)]
    few = min(n, len(kind))
    ways = [
        (sum(apart[i][r] for i, r in zip(some, rows, strict=True)), dict(zip(some, rows, strict=True)))
        for some in itertools.combinations(range(n), few)
        for rows in itertools.permutations(range(len(kind)), few)
    ]
    best = min(total for total, _ in ways)
    near = [way for total, way in ways if total <= best + n * STEP]
    chances = [[1 / size[truth[i]] if i in w and kind[w[i]] == truth[i] else 0.0 for i in range(n)] for w in near]
    p = assigned(x, y, np.array(size), np.array(truth), Compare(), np.random.default_rng(1), 3)
    for i in range(n):
        assert min(c[i] for c in chances) - 1e-9 <= p[i] <= max(c[i] for c in chances) + 1e-9


# ---------------------------------------------------------------------- by some items


@settings(max_examples=100)
@given(
    table=tables(words_only=True), measure=st.sampled_from(sorted(DISTANCES)), knows=st.integers(1, 5), data=st.data()
)
def test_what_is_learned_from_some_items_is_its_definition(
    table: tuple[list[Part], list[Part]], measure: str, knows: int, data: st.DataObject
) -> None:
    x, y = table
    how, words = Compare(measure=measure), words_of(y)
    size, truth, span = data.draw(goals(len(x[0]), len(y[0])))
    whole = Items.of_parts(x)
    known = whole.drawn(knows, np.random.default_rng(len(whole)))
    frequent = most_frequent(words, size)
    owner = np.arange(len(known))
    made = beliefs(x, known, owner, y, np.array(size), np.array(truth), how, arrays(span))
    p = links_knowing(known, y, np.array(size), np.array(truth), how, arrays(span))
    assert made.p.tolist() == p.tolist()
    for i, (low, high) in enumerate(span):
        mine = known.known(i)
        assert (
            set(mine) <= set(whole.known(i)) == {(c, a) for c, part in enumerate(words_of(x)) for a in part.record(i)}
        )
        assert len(set(mine)) == min(knows, len(whole.known(i)))
        apart = {j: one_way(words, mine, j, how) for j in range(low, high)}
        if not apart or not clear(list(apart.values())):
            continue
        near = [j for j, d in apart.items() if d <= min(apart.values()) + 1e-9]
        found = belief(words, whole.known(i), mine, near, size, frequent)
        assert p[i] == pytest.approx(chance(near, size, truth[i]))
        for name in ("believed", "right", "found", "hidden", "naive"):
            assert getattr(made, name)[i] == pytest.approx(getattr(found, name)), name


@given(table=tables(words_only=True), seed=st.integers(0, 99))
def test_who_knows_all_items_learns_nothing_more_about_them(table: tuple[list[Part], list[Part]], seed: int) -> None:
    x, y = table
    size, truth = np.ones(len(y[0]), np.int64), np.zeros(len(x[0]), np.int64)
    found = knowing(x, y, size, truth, Compare(), np.random.default_rng(seed), knows=99, repeats=2)
    assert len(found.p) == 2 * len(x[0])
    assert not found.hidden.any()
    assert not found.right.any()
    assert found.summed().recall is None


@given(
    members=st.lists(st.integers(0, 5), min_size=1, max_size=9),
    others=st.lists(st.integers(0, 5), min_size=1, max_size=9),
)
def test_the_auc_is_the_share_of_pairs_in_which_the_member_is_nearer(members: list[int], others: list[int]) -> None:
    pairs = [(m < o) + (m == o) / 2 for m in members for o in others]
    assert auc(np.array(members) / 5, np.array(others) / 5) == pytest.approx(sum(pairs) / len(pairs))

"""Groups in blocks: nobody is lost, no group is too small, whatever the records and the size of blocks."""

from dataclasses import replace
from itertools import chain
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.record import Compare, Part, Sets, Values, record_matrix
from taxonym.executor.workers import InProcess
from taxonym.group.blocks import CutSize, Cutter, form_block, form_in_blocks, taken
from taxonym.group.embedding import UNIT, Embedding, content_hashes, sampled
from taxonym.group.registry import GROUPINGS
from taxonym.group.tree import SplitTree
from tests.strategies import taxonomies

weights = st.sampled_from([0.25, 1.0, 3.0])
seeds = st.integers(0, 2**32)


@st.composite
def columns(draw: st.DrawFn, rows: int) -> Part:
    """Numbers or sets, full of equal records or without any."""
    random, weight = np.random.default_rng(draw(seeds)), draw(weights)
    if draw(st.integers(0, 2)) == 0:
        values = random.choice([0.0, -0.0, 1.0, 5.0, np.nan], rows) if draw(st.booleans()) else random.normal(size=rows)
        return Values.of(values, weight)
    tax: Taxonomy = draw(taxonomies(12))
    most = draw(st.integers(0, 4))
    sets = [np.unique(random.integers(0, len(tax), random.integers(0, most + 1))).tolist() for _ in range(rows)]
    return Sets.of(sets, tax, weight)


@st.composite
def tables(draw: st.DrawFn, most: int = 120) -> list[Part]:
    rows = draw(st.integers(1, most))
    return [draw(columns(rows)) for _ in range(draw(st.integers(1, 3)))]


def permuted(parts: list[Part], order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[Part]:
    return taken(parts, order)


@pytest.mark.parametrize("name", GROUPINGS)
@settings(max_examples=40, deadline=None)
@given(parts=tables(), data=st.data())
def test_every_record_is_in_one_group_of_at_least_k_whatever_the_size_of_blocks(
    name: str, parts: list[Part], data: st.DataObject
) -> None:
    n = len(parts[0])
    k = data.draw(st.integers(1, min(n, 6)))
    target = data.draw(st.sampled_from([1, 7, 25, 1000]))
    passes = data.draw(st.integers(1, 4))
    rows = np.arange(n)[data.draw(st.integers(0, n - k)) :]
    form = GROUPINGS[name].form
    found = form_in_blocks(parts, rows, Compare(), k, form, target=target, passes=passes)
    assert sorted(chain.from_iterable(found.groups)) == rows.tolist()
    assert all(len(group) >= k for group in found.groups)
    assert found.groups == sorted(found.groups)
    if passes == 1:
        assert found.largest <= max(target, 4 * k) * 3 / 2
    threaded = form_in_blocks(parts, rows, Compare(), k, form, target=target, passes=passes, executor=InProcess(3))
    assert threaded.groups == found.groups
    assert threaded.distance == found.distance


@settings(max_examples=60, deadline=None)
@given(parts=tables(40), data=st.data())
def test_the_sum_of_distances_is_that_of_the_groups_and_further_passes_never_enlarge_it(
    parts: list[Part], data: st.DataObject
) -> None:
    n, how = len(parts[0]), Compare()
    k = data.draw(st.integers(1, min(n, 3)))
    whole = record_matrix(parts, np.arange(n), how).astype(np.int64)
    before = float("inf")
    for passes in (1, 2, 3):
        form = GROUPINGS["refined"].form
        found = form_in_blocks(parts, np.arange(n), how, k, form, target=8, passes=passes)
        steps = sum(int(whole[np.ix_(g, g)].sum(axis=1).min()) for g in found.groups)
        assert found.distance == pytest.approx(steps / 65535)
        assert found.distance <= before + 1e-9
        before = found.distance


@settings(max_examples=50, deadline=None)
@given(parts=tables(), data=st.data())
def test_what_is_fitted_does_not_depend_on_the_order_of_the_records(parts: list[Part], data: st.DataObject) -> None:
    n, how = len(parts[0]), Compare()
    order = np.random.default_rng(data.draw(seeds)).permutation(n)
    target = data.draw(st.integers(4, 30))
    one = Cutter.fit(parts, np.arange(n), how, 1, target)
    other = Cutter.fit(permuted(parts, order), np.arange(n), how, 1, target)
    assert (one.embedding.code == other.embedding.code).all()
    assert (one.embedding.column == other.embedding.column).all()
    for name in ("direction", "threshold", "below"):
        assert (getattr(one.tree, name) == getattr(other.tree, name)).all()
    leaf = one.leaves(parts, np.arange(n))
    assert (other.leaves(permuted(parts, order), np.arange(n)) == leaf[order]).all()
    assert (one.leaves(taken(parts, order), np.arange(n)) == leaf[order]).all()


@settings(max_examples=50, deadline=None)
@given(parts=tables(60), data=st.data())
def test_a_block_needs_no_more_than_its_own_records(parts: list[Part], data: st.DataObject) -> None:
    n = len(parts[0])
    rows = np.flatnonzero(np.random.default_rng(data.draw(seeds)).random(n) < 0.5)
    k, form = min(3, len(rows)), GROUPINGS["refined"].form
    if not k:
        return
    here = form_block(parts, rows, Compare(), k, form)
    there = form_block(taken(parts, rows), np.arange(len(rows)), Compare(), k, form)
    assert [rows[group].tolist() for group in there.groups] == [group.tolist() for group in here.groups]
    assert there.distance == here.distance
    assert rows[there.middles].tolist() == here.middles.tolist()


@settings(max_examples=60, deadline=None)
@given(parts=tables(), data=st.data())
def test_machines_that_have_only_their_own_records_form_the_same_groups(parts: list[Part], data: st.DataObject) -> None:
    """Route everywhere, count, join; then each machine gets the records of one block, in the order of their rows."""
    n, how, form = len(parts[0]), Compare(), GROUPINGS["refined"].form
    k, target = data.draw(st.integers(1, min(n, 4))), data.draw(st.sampled_from([1, 20, 50]))
    cutter = Cutter.fit(parts, np.arange(n), how, k, target)
    halves = np.array_split(np.arange(n), 2)
    leaf = np.concatenate([cutter.leaves(taken(parts, half), np.arange(len(half))) for half in halves])
    block = cutter.tree.joined(np.bincount(leaf, minlength=cutter.tree.leaves), 2 * k)[leaf]
    groups = []
    for number in np.unique(block):
        rows = np.flatnonzero(block == number)
        own = taken(parts, rows)
        for piece in cutter.divided(own, np.arange(len(rows)), np.ones(len(rows), np.int64), k):
            groups += [rows[group].tolist() for group in form_block(own, piece, how, k, form).groups]
    assert sorted(groups) == form_in_blocks(parts, np.arange(n), how, k, form, target=target).groups


# ---------------------------------------------------------------------- the tree


@settings(deadline=None)
@given(seed=seeds, leaves=st.integers(1, 20), n=st.integers(1, 80), axes=st.integers(0, 5), values=st.integers(1, 50))
def test_every_point_goes_where_the_definition_says_and_leaves_are_numbered_from_the_left(
    seed: int, leaves: int, n: int, axes: int, values: int
) -> None:
    random = np.random.default_rng(seed)
    points = random.integers(0, values, (n, axes)).astype(np.int16)
    tree = SplitTree.fit(points, leaves)
    assert tree.leaves <= leaves
    others = random.integers(-5, values + 5, (50, axes)).astype(np.int16)
    for some in (points, others):
        assert tree.route(some).tolist() == [tree.leaf(point) for point in some]
    reached = [-1 - x for x in _walk(tree)]
    assert reached == list(range(tree.leaves))
    assert set(tree.route(points).tolist()) == set(reached)  # none was made for nobody


def _walk(tree: SplitTree, node: int = 0) -> list[int]:
    """The leaves from left to right."""
    if node < 0 or not len(tree.threshold):
        return [min(node, -1)]
    return [*_walk(tree, int(tree.below[node, 0])), *_walk(tree, int(tree.below[node, 1]))]


@settings(deadline=None)
@given(seed=seeds, leaves=st.integers(1, 20), least=st.integers(1, 30))
def test_joined_leaves_are_neighbours_and_hold_enough(seed: int, leaves: int, least: int) -> None:
    random = np.random.default_rng(seed)
    tree = SplitTree.fit(random.integers(0, 9, (60, 3)).astype(np.int16), leaves)
    counts = random.integers(0, 25, tree.leaves)
    block = tree.joined(counts, least)
    assert block[0] == 0
    assert set(np.diff(block).tolist()) <= {0, 1}
    records = np.bincount(block, counts)
    assert records.sum() == counts.sum()
    assert records.min() >= min(least, counts.sum())
    if counts.min() >= least:
        assert len(records) == tree.leaves


@settings(deadline=None)
@given(seed=seeds, leaves=st.integers(2, 16))
def test_leaves_get_about_as_many_points_each_where_none_are_equal(seed: int, leaves: int) -> None:
    random = np.random.default_rng(seed)
    points = random.integers(-4096, 4096, (2000, 6)).astype(np.int16)
    counts = np.bincount(SplitTree.fit(points, leaves).route(points), minlength=leaves)
    assert len(counts) == leaves
    assert abs(counts - 2000 / leaves).max() <= 10


# ---------------------------------------------------------------------- the points


@settings(deadline=None)
@given(parts=tables(30), measure=st.sampled_from(["jaccard", "equal"]))
def test_coordinates_of_sets_are_the_shares_of_their_concepts_below_an_ancestor(
    parts: list[Part], measure: str
) -> None:
    rows, how = np.arange(len(parts[0])), Compare(measure=measure)
    sets = [replace(part, weight=1.0) for part in parts if isinstance(part, Sets)][:1]
    if not sets:
        return
    embedding = Embedding.fit(sets, rows, how)
    points = embedding.points(sets, rows)
    tax = sets[0].tax
    above = {c: tax.ancestors(c) if measure == "jaccard" else [c] for c in range(len(tax))}
    for i in rows.tolist():
        record = sets[0].record(i)
        for axis, a in enumerate(embedding.code.tolist()):
            whole = sum(isqrt(UNIT**2 // len(above[c])) for c in record if a in above[c])
            assert points[i, axis] == (whole // len(record) if record else 0)


@settings(deadline=None)
@given(parts=tables(40))
def test_axes_are_those_along_which_the_records_differ_the_widest_first(parts: list[Part]) -> None:
    rows = np.arange(len(parts[0]))
    embedding = Embedding.fit(parts, rows, Compare())
    spread = embedding.points(parts, rows).astype(np.float64).var(axis=0)
    assert (spread > 0).all()
    assert (np.diff(spread) <= 1e-6 * spread.max(initial=1)).all()
    assert len(embedding.without(1)) == max(0, len(embedding) - 1)


@settings(deadline=None)
@given(parts=tables(), size=st.integers(1, 50), data=st.data())
def test_a_sample_holds_the_same_records_whatever_their_order(
    parts: list[Part], size: int, data: st.DataObject
) -> None:
    n = len(parts[0])
    order = np.random.default_rng(data.draw(seeds)).permutation(n)
    hashes = content_hashes(parts, np.arange(n))
    again = content_hashes(permuted(parts, order), np.arange(n))
    assert (again == hashes[order]).all()
    chosen = sampled(hashes, size)
    assert len(set(chosen.tolist())) == min(size, n)
    assert sorted(hashes[chosen].tolist()) == sorted(again[sampled(again, size)].tolist())
    apart = record_matrix(parts, np.arange(n), Compare())
    same = hashes[:, None] == hashes[None, :]
    assert (apart[same] == 0).all()


@given(parts=tables(), k=st.integers(1, 6), limit=st.integers(1, 60))
def test_how_many_pieces_a_block_is_cut_into_depends_on_the_number_of_its_records_alone(
    parts: list[Part], k: int, limit: int
) -> None:
    rows = np.arange(len(parts[0]))
    wanted = CutSize(1, 0, limit)
    cutter = Cutter.of_sample(parts, rows, Compare(), wanted)
    pieces = cutter.divided(parts, rows, np.ones(len(rows), np.int64), k)
    assert wanted.pieces(len(rows), k) == len(pieces)

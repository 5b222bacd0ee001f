"""Linkage against its definition, written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import linkage_risk
from taxonym.distance.sets import set_distance
from taxonym.distance.sets_matrix import directed_distances
from taxonym.errors import BadPlan
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.measure.risk import class_risk, links_by_equality, links_knowing, sets_of
from tests.strategies import taxonomies

STEP = 3e-5  # distances are computed in steps: nearer ones than this may tie


@st.composite
def cases(draw: st.DrawFn) -> tuple[Taxonomy, list[list[int]], list[list[int]], list[int]]:
    tax = draw(taxonomies(8))
    records = st.lists(st.integers(0, len(tax) - 1), min_size=1, max_size=3, unique=True)
    original = draw(st.lists(records, min_size=1, max_size=8))
    released = draw(st.lists(records, min_size=1, max_size=8))
    truth = [draw(st.integers(-1, len(released) - 1)) for _ in original]
    return tax, original, released, truth


@given(case=cases(), k=st.integers(2, 5))
def test_linkage_is_the_definition_written_out(
    case: tuple[Taxonomy, list[list[int]], list[list[int]], list[int]], k: int
) -> None:
    tax, original, released, truth = case
    p = []
    for record, true in zip(original, truth, strict=True):
        apart = [set_distance(tax, record, other) for other in released]
        near = [j for j, d in enumerate(apart) if d <= min(apart) + STEP]
        p.append(1 / len(near) if true in near else 0.0)
    found = linkage_risk(original, released, tax=tax, truth=truth, k=k)
    assert found.per_record.tolist() == pytest.approx(p)
    assert found.dr == pytest.approx(100 * sum(p) / len(p))
    assert found.max == pytest.approx(max(p))
    assert found.above_1_over_k == sum(x > 1 / k + 1e-9 for x in p)
    assert found.baseline == pytest.approx(100 / len(released))


@given(case=cases())
def test_who_knows_some_items_compares_them_one_way(
    case: tuple[Taxonomy, list[list[int]], list[list[int]], list[int]],
) -> None:
    tax, known, released, _ = case
    D = directed_distances(tax, released, known)
    for j, a in enumerate(released):
        for i, b in enumerate(known):
            way = np.mean([min(set_distance(tax, [y], [x]) for x in a) for y in b])
            assert D[j, i] == pytest.approx(way, abs=STEP)


def test_a_release_of_equal_records_never_links_with_more_than_one_in_their_number() -> None:
    tax = Taxonomy.from_edges([("swimming", "sport"), ("chess", "game"), ("surfing", "sport")])
    a, b, c = (tax.code(name) for name in ("swimming", "chess", "surfing"))
    found = linkage_risk([[a], [c], [b], [b]], [[a], [a], [b], [b]], tax=tax, k=2)
    assert found.per_record.tolist() == [0.5, 0.5, 0.5, 0.5]
    assert (found.dr, found.above_1_over_k) == (50, 0)
    with pytest.raises(BadPlan, match="truth: needs one row number"):
        linkage_risk([[a]], [[a]], tax=tax, truth=[0, 0])


def test_equality_links_nobody_who_equals_nothing() -> None:
    size, truth = np.array([2, 1]), np.array([0, 1, 0])
    assert links_by_equality(["x", "y"], ["x", "z", "y"], size, truth).tolist() == [0.5, 0, 0]


def test_two_known_items_are_enough_where_only_one_record_has_both() -> None:
    tax = Taxonomy.from_edges([("milk", "food"), ("bread", "food"), ("soap", "goods"), ("pen", "goods")])
    milk, bread, soap, pen = (tax.code(name) for name in ("milk", "bread", "soap", "pen"))
    published = sets_of(tax, [[milk, bread, soap], [milk, pen]])
    p = links_knowing([[milk], [milk, soap]], published, np.array([3, 2]), np.array([0, 0]))
    assert p.tolist() == pytest.approx([1 / 5, 1 / 3])


def test_the_risk_of_classes_follows_from_their_sizes() -> None:
    found = class_risk(np.array([1, 4, 5]))
    assert (found.classes, found.smallest, found.unique, found.prosecutor) == (3, 1, 1, 1.0)
    assert found.marketer == pytest.approx(0.3)

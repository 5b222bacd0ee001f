import numpy as np
import pytest

from taxonym import Taxonomy, linkage_risk
from taxonym.attack.inference import knowing, learned_against
from taxonym.attack.linkage import MOST_AT_ONCE, assigned, links_by_equality
from taxonym.attack.partial_knowledge import Items, links_knowing
from taxonym.attack.risk import class_risk, sets_of
from taxonym.distance.record import Compare
from taxonym.errors import BadPlan

GOODS = Taxonomy.from_edges([("milk", "food"), ("bread", "food"), ("soap", "goods"), ("pen", "goods")])
MILK, BREAD, SOAP, PEN, FOOD = (GOODS.code(name) for name in ("milk", "bread", "soap", "pen", "food"))
SPORT = Taxonomy.from_edges([("swimming", "sport"), ("chess", "game"), ("surfing", "sport")])
SWIMMING, CHESS, SURFING = (SPORT.code(name) for name in ("swimming", "chess", "surfing"))


def test_a_release_of_equal_records_never_links_with_more_than_one_in_their_number() -> None:
    original = [[SWIMMING], [SURFING], [CHESS], [CHESS]]
    found = linkage_risk(original, [[SWIMMING], [SWIMMING], [CHESS], [CHESS]], tax=SPORT, k=2)
    assert found.per_record.tolist() == [0.5, 0.5, 0.5, 0.5]
    assert (found.dr, found.above_1_over_k) == (50, 0)
    with pytest.raises(BadPlan, match="truth: needs one row number"):
        linkage_risk([[CHESS]], [[CHESS]], tax=SPORT, truth=[0, 0])


def test_a_sample_links_so_many_records_and_the_same_seed_the_same_ones() -> None:
    records = [[SWIMMING], [SURFING], [CHESS], [SWIMMING, CHESS], [SURFING, CHESS]]
    first, again, other = (linkage_risk(records, records, tax=SPORT, k=2, sample=3, seed=seed) for seed in (1, 1, None))
    assert first.rows is not None
    assert again.rows is not None
    assert first.rows.tolist() == again.rows.tolist()
    assert first.per_record.tolist() == other.per_record.tolist() == [1, 1, 1]
    assert first.interval is not None
    assert linkage_risk(records, records, tax=SPORT, sample=99).interval is None
    with pytest.raises(BadPlan, match="sample: must be at least 1"):
        linkage_risk(records, records, tax=SPORT, sample=0)


def test_one_to_one_finds_whom_the_nearest_record_misleads() -> None:
    original, released = [[SWIMMING], [SWIMMING, SURFING, CHESS]], [[SWIMMING], [CHESS]]
    assert linkage_risk(original, released, tax=SPORT, k=2).per_record.tolist() == [1, 0]
    assert linkage_risk(original, released, tax=SPORT, k=2, one_to_one=True).per_record.tolist() == [1, 1]


def test_ties_are_assigned_at_random() -> None:
    x, y = sets_of(SPORT, [[CHESS], [CHESS]]), sets_of(SPORT, [[SWIMMING], [SURFING]])
    size, truth = np.array([1, 1]), np.array([0, 1])
    p = assigned([x], [y], size, truth, Compare(), np.random.default_rng(3), 400)
    assert p[0] == p[1] == pytest.approx(0.5, abs=0.1)


def test_too_many_persons_are_not_assigned() -> None:
    many = sets_of(SPORT, [[CHESS]] * (MOST_AT_ONCE + 1))
    with pytest.raises(BadPlan, match="one to one: at most 5,000 persons"):
        assigned([many], [many], np.ones(len(many), np.int64), np.arange(len(many)), Compare(), np.random.default_rng())


def test_equality_links_nobody_who_equals_nothing() -> None:
    size, truth = np.array([2, 1]), np.array([0, 1, 0])
    assert links_by_equality(["x", "y"], ["x", "z", "y"], size, truth).tolist() == [0.5, 0, 0]


def test_two_known_items_are_enough_where_only_one_record_has_both() -> None:
    known = Items.of_parts([sets_of(GOODS, [[MILK], [MILK, SOAP]])])
    published = sets_of(GOODS, [[MILK, BREAD, SOAP], [MILK, PEN]])
    p = links_knowing(known, [published], np.array([3, 2]), np.array([0, 0]), Compare())
    assert p.tolist() == pytest.approx([1 / 5, 1 / 3])


def test_items_are_drawn_over_all_columns() -> None:
    columns = [sets_of(GOODS, [[MILK, BREAD]] * 400), sets_of(SPORT, [[CHESS]] * 400)]
    one = Items.of_parts(columns).drawn(1, np.random.default_rng(1))
    assert len(one.codes) == 400
    counts = {item: sum(one.known(i) == [item] for i in range(400)) for item in ((0, MILK), (0, BREAD), (1, CHESS))}
    assert sum(counts.values()) == 400
    assert min(counts.values()) > 80


def test_what_is_published_of_a_person_is_learned_and_of_others_is_not() -> None:
    x = sets_of(GOODS, [[MILK, SOAP], [BREAD, PEN], [MILK, PEN], [BREAD, SOAP]])
    y = sets_of(GOODS, [[MILK, SOAP], [BREAD, PEN]])
    inside, outside = learned_against(
        [x], [y], np.array([1, 1]), np.array([0, 1]), np.array([2, 3]), Compare(), np.random.default_rng(0), knows=1
    )
    assert (inside.precision, inside.recall, inside.believed) == (1, 1, 1)
    assert (outside.precision, outside.recall) == (0, 0)


def test_what_follows_from_the_known_items_is_not_learned() -> None:
    x, y = sets_of(GOODS, [[MILK]]), sets_of(GOODS, [[MILK, FOOD]])
    one, none = np.array([1]), np.array([0])
    found = knowing([x], [y], one, none, Compare(), np.random.default_rng(0), knows=1)
    assert found.believed.tolist() == [0]
    assert found.summed().precision is None


def test_the_risk_of_classes_follows_from_their_sizes() -> None:
    found = class_risk(np.array([1, 4, 5]), k=5)
    assert (found.classes, found.smallest, found.largest, found.unique, found.prosecutor) == (3, 1, 5, 1, 1.0)
    assert found.mean == pytest.approx(10 / 3)
    assert found.above_1_over_k == 0.5
    assert found.marketer == found.prosecutor_mean == pytest.approx(0.3)
    assert found.journalist == found.prosecutor
    assert class_risk(np.empty(0, np.int64)).prosecutor == 0


def test_a_population_hides_who_is_in_the_release() -> None:
    sizes = np.array([2, 3])
    found = class_risk(sizes, k=2, fitting=np.array([10, 3]), known=np.array([2, 3]))
    assert (found.prosecutor, found.journalist) == (1 / 2, 1 / 3)
    assert found.marketer == pytest.approx((2 / 10 + 3 / 3) / 5)
    nobody = class_risk(sizes, k=2, fitting=np.array([0, 0]), known=np.array([0, 0]))
    assert (nobody.journalist, nobody.marketer) == (0, 0)

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.record import Compare, Sets, Values
from taxonym.measure.loss import CANDIDATES, added, loss_of, measures, middle_of, squared_sum, to_medoids

TREE = Taxonomy.from_edges([("a1", "a"), ("a2", "a"), ("a", "all"), ("b", "all")])
A1, A2, A, B = (TREE.code(name) for name in ("a1", "a2", "a", "b"))
HOW = Compare()


def values(*numbers: float) -> list[Values]:
    return [Values.of(np.array(numbers))]


def test_the_sums_are_those_of_the_distances() -> None:
    found = loss_of(np.array([0.5, 0.0, 1.0]), np.array([1.0, 1.0, 0.0]))
    assert found.as_data() == {
        "records": 3, "sum": 1.5, "mean": 0.5, "sse": 1.25, "sst": 2.0, "sse_of_sst_percent": 62.5,
    }  # fmt: skip


def test_losses_of_parts_add_up_to_that_of_all_records() -> None:
    apart, middle = np.array([0.5, 0.25, 1.0, 0.0]), np.array([1.0, 0.5, 0.0, 0.25])
    parts = [loss_of(apart[some], middle[some]) for some in (slice(0, 1), slice(1, 4), slice(0, 0))]
    assert added(parts) == loss_of(apart, middle)


def test_records_that_are_all_alike_have_no_share() -> None:
    assert loss_of(np.zeros(3), np.zeros(3)).share is None
    assert loss_of(np.zeros(0), np.zeros(0)).mean == 0


def test_the_middle_is_the_record_closest_to_all() -> None:
    row, apart = middle_of(values(0, 1, 4, 10), HOW)
    assert (row, apart.tolist()) == (1, [0.1, 0.0, 0.3, 0.9])


def test_of_many_records_some_that_are_spread_evenly_are_tried() -> None:
    many = np.arange(3 * CANDIDATES, dtype=float)
    assert middle_of([Values.of(many)], HOW)[1].max() == pytest.approx(0.5, abs=0.01)


def test_the_paper_s_own_loss_squares_the_sum_and_is_not_0_for_unchanged_data() -> None:
    x = [Sets.of([[A1, A2], [B]], TREE)]
    y = [Sets.of([[A], [B]], TREE)]
    rows = np.arange(2)
    assert squared_sum(x, y, rows, rows, HOW) == pytest.approx((1 / 3) ** 2)  # d(a1, a) = d(a2, a) = 1/3
    assert squared_sum(x, x, rows, rows, HOW) == pytest.approx((2 * 0.5 / 4) ** 2)  # d(a1, a2) = 1/2
    found = measures(x, x, rows, rows, Compare(aggregate="max"), np.random.default_rng(1))
    assert found["batet2014_L"] == found["batet2014_L_of_unchanged_data"] == pytest.approx(0.0625)


@pytest.mark.parametrize(("measure", "judge"), [("jaccard", "lin"), ("lin", "wu-palmer"), ("equal", "lin")])
def test_the_judge_did_not_guide_the_grouping(measure: str, judge: str) -> None:
    x = [Sets.of([[A1], [B]], TREE)]
    found = measures(x, x, np.arange(2), np.arange(2), Compare(measure=measure), np.random.default_rng(1))
    assert found["distance"]["measure"] == measure
    assert found["judged_by_another_distance"]["measure"] == judge


def test_published_records_that_are_left_out_do_not_count() -> None:
    x, y = values(0, 5, 10), values(0)
    found = measures(x, [Values(y[0].values, x[0].half)], np.array([1]), np.array([0]), HOW, np.random.default_rng(1))
    assert (found["records"], found["sum"]) == (1, 0.5)


def test_the_way_to_the_medoid_takes_the_lowest_row_of_ties() -> None:
    assert to_medoids(values(0, 10, 4, 6), [[1, 0], [3, 2]], HOW).tolist() == [0.0, 1.0, 0.0, 0.2]


def test_few_groups_of_many_records_are_no_problem() -> None:
    found = to_medoids([Values.of(np.arange(45_000.0))], [[0, 44_999]], HOW)
    assert found[[0, 44_999]].tolist() == [0.0, 1.0]

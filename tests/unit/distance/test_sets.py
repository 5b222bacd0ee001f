import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.lines import LANES, PLAIN, UNIT, VECTORS, best_how
from taxonym.distance.record_kernels import LARGEST_RECORD
from taxonym.distance.sets import AGGREGATIONS, set_distance
from taxonym.distance.sets_matrix import IndexedSets, aligned, distance_matrix, free_memory, set_distances
from taxonym.errors import BadPlan, UnknownConcept

EDGES = [("dog", "animal"), ("cat", "animal"), ("oak", "plant"), ("animal", "thing"), ("plant", "thing")]
every_aggregation = pytest.mark.parametrize("name", AGGREGATIONS)


@pytest.fixture(scope="module")
def tax() -> Taxonomy:
    return Taxonomy.from_edges(EDGES)


@every_aggregation
def test_two_empty_sets_are_the_same_and_an_empty_one_is_far_from_any_other(tax: Taxonomy, name: str) -> None:
    assert set_distance(tax, [], [], name) == 0
    assert set_distance(tax, [], [1], name) == set_distance(tax, [1], [], name) == 1
    found = distance_matrix(tax, [[], [1], [], [1]], name)
    assert found.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    assert set_distances(tax, [[], [1]], [[]], name).tolist() == [[0], [1]]


@every_aggregation
def test_no_records_and_only_empty_records_give_arrays_of_that_shape(tax: Taxonomy, name: str) -> None:
    assert distance_matrix(tax, [], name).shape == (0, 0)
    assert distance_matrix(tax, [[], []], name).tolist() == [[0, 0], [0, 0]]
    assert set_distances(tax, [], [[1]], name).shape == (0, 1)
    assert set_distances(tax, [[1]], [], name).shape == (1, 0)


@every_aggregation
def test_repeated_codes_and_their_order_do_not_count(tax: Taxonomy, name: str) -> None:
    one, other = set_distance(tax, [1, 2, 2, 1], (3, 0), name), set_distance(tax, {2, 1}, iter([0, 3, 3]), name)
    assert one == other
    matrix = distance_matrix(tax, [[1, 2, 2, 1], (3, 0), {2, 1}, np.array([0, 3, 3])], name)
    assert matrix[0, 1] == matrix[2, 3] == pytest.approx(one, abs=2.4e-5)


@every_aggregation
def test_the_flag_says_which_are_zero_on_equal_sets(tax: Taxonomy, name: str) -> None:
    several = [tax.code("dog"), tax.code("oak")]
    assert (set_distance(tax, several, several, name) == 0) is AGGREGATIONS[name].zero_on_itself
    assert (distance_matrix(tax, [several] * 2, name)[0, 1] == 0) == AGGREGATIONS[name].zero_on_itself


def test_the_kinds_of_numbers(tax: Taxonomy) -> None:
    records = [[1, 2], [3], [0, 4]]
    steps = distance_matrix(tax, records, dtype="uint16")
    assert steps.dtype == np.uint16
    assert distance_matrix(tax, records).dtype == np.float64
    assert distance_matrix(tax, records, dtype="float32").dtype == np.float32
    np.testing.assert_array_equal(distance_matrix(tax, records), steps / UNIT)


def test_what_cannot_be_asked_for_is_named(tax: Taxonomy) -> None:
    with pytest.raises(BadPlan, match="'median' is not known. Choose one of min, max, avg, min-sum, max-sum"):
        set_distance(tax, [1], [2], "median")
    with pytest.raises(BadPlan, match="measure: 'euclid' is not known"):
        distance_matrix(tax, [[1]], measure="euclid")
    with pytest.raises(BadPlan, match="dtype: 'int8' is not possible"):
        distance_matrix(tax, [[1]], dtype="int8")
    with pytest.raises(BadPlan, match="content: 'mine' is not known"):
        distance_matrix(tax, [[1]], measure="lin", content="mine")


def test_what_is_no_code_is_named_by_its_record_only(tax: Taxonomy) -> None:
    with pytest.raises(UnknownConcept, match="record 1 holds what is no code; codes run from 0 to 5"):
        distance_matrix(tax, [[1], [2, 77]])
    with pytest.raises(UnknownConcept, match="record 0 holds"):
        distance_matrix(tax, [[-1]])
    for wrong in ([[0.5]], [["dog"]], [[[1]], [1]], [[None]]):
        with pytest.raises(UnknownConcept, match="whole numbers"):
            distance_matrix(tax, wrong)  # type: ignore[arg-type]
    with pytest.raises(UnknownConcept):
        set_distance(tax, [1], [77])


def test_records_longer_than_the_sums_can_hold_are_refused() -> None:
    tax = Taxonomy.from_edges([(f"c{i}", "root") for i in range(LARGEST_RECORD + 1)])
    with pytest.raises(BadPlan, match="record 1 holds more than 65,536 concepts"):
        distance_matrix(tax, [[1], range(LARGEST_RECORD + 1)])
    largest = set_distances(tax, [[1]], [range(LARGEST_RECORD)], "max-sum", "equal")
    assert largest[0, 0] == pytest.approx(LARGEST_RECORD / (LARGEST_RECORD + 1), abs=2.4e-5)


def test_more_than_255_ancestors_do_not_overflow_the_counters() -> None:
    tax = Taxonomy.from_edges([(f"{i:03}", f"{i - 1:03}") for i in range(1, 400)])
    found = distance_matrix(tax, [[0], [399], [398]])
    assert found[0, 1] == pytest.approx(399 / 400, abs=2.4e-5)
    assert found[1, 2] == pytest.approx(1 / 400, abs=2.4e-5)


def test_records_may_be_prepared_once(tax: Taxonomy) -> None:
    records = IndexedSets.of_records(tax, [[2, 1], [], [4]])
    assert len(records) == 3
    assert records.sizes.tolist() == [2, 0, 1]
    assert records.used.tolist() == [1, 2, 4]
    np.testing.assert_array_equal(distance_matrix(tax, records), distance_matrix(tax, [[2, 1], [], [4]]))


def test_vectors_are_used_where_they_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_how() is VECTORS
    monkeypatch.setattr("platform.machine", lambda: "abacus")
    assert best_how.__wrapped__() is PLAIN


def test_lines_begin_where_cache_lines_do() -> None:
    for lines in (1, 2, 7):
        array = aligned(lines, np.uint16)
        assert array.shape == (lines, LANES)
        assert array.ctypes.data % 64 == 0


def test_free_memory_is_guessed_where_the_system_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    assert free_memory() > 1 << 20
    monkeypatch.setattr("pathlib.Path.read_text", lambda self: "")
    assert free_memory() == 1 << 31

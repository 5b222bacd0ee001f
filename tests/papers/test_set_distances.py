"""What the papers print about distances between sets."""

import pytest

from taxonym import Taxonomy
from taxonym.distance.sets import set_distance
from taxonym.distance.sets_matrix import distance_matrix

# T(Mediterranean) = {Regional, Europe, Regions, Mediterranean}, of whatever shape: it has its own branch
EDGES_000 = [
    ("swimming", "water sports"), ("windsurfing", "water sports"), ("water sports", "sports"),
    ("mediterranean", "regions"), ("regions", "europe"), ("europe", "regional"),
]  # fmt: skip


def test_batet2014_the_two_records_of_the_example_are_a_quarter_apart() -> None:
    tax = Taxonomy.from_edges(EDGES_000)
    first = [tax.code("swimming"), tax.code("mediterranean")]
    second = [tax.code("windsurfing"), tax.code("mediterranean")]
    assert len(tax.ancestors(tax.code("mediterranean"))) == 4
    assert set_distance(tax, first, second, "min-sum", "jaccard") == 0.25
    assert distance_matrix(tax, [first, second])[0, 1] == pytest.approx(0.25, abs=2.4e-5)


def test_batet2014_the_other_four_ways_on_the_same_records() -> None:
    # not printed; from the definitions: d = 0.5 (swimming, windsurfing), 0 (mediterranean), 1 (across)
    tax = Taxonomy.from_edges(EDGES_000)
    first = [tax.code("swimming"), tax.code("mediterranean")]
    second = [tax.code("windsurfing"), tax.code("mediterranean")]
    found = {name: set_distance(tax, first, second, name) for name in ("min", "max", "avg", "max-sum")}
    assert found == {"min": 0, "max": 1, "avg": 2.5 / 4, "max-sum": 1}

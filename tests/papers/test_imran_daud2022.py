"""What Imran-Daud et al. 2022 print: the value, ours, and the reading. Example 1 is in test_concept_distances."""

from itertools import combinations, product

import pytest

from taxonym import Taxonomy
from taxonym.distance.attributes import THRESHOLD, collapse, difference, printed
from taxonym.errors import BadPlan
from taxonym.papers.imran_daud2022 import (
    Fruit,
    ancestor_counts,
    counts,
    example1,
    fruit,
    reaches,
    reproduce,
    term_similarities,
)
from taxonym.papers.imran_daud2022.groups import (
    CLOSER,
    Marks,
    algorithm3,
    centroid_score,
    group_centroids,
    least_pairs,
    marks,
)
from taxonym.papers.imran_daud2022.printed import (
    ATTRIBUTES_1,
    CENTROIDS,
    EXAMPLE_2,
    EXAMPLE_5,
    TABLE_1,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    square,
)
from taxonym.papers.imran_daud2022.sizes import READINGS, best_sizes, explained
from taxonym.papers.items import Item, checked
from tests.papers.conftest import REPRODUCE, Reproduced

FIVE = dict.fromkeys(range(1, 11), 5)


def renamed(groups: list[list[int]]) -> list[list[int]]:
    return [[record + 1 for record in group] for group in groups]


# ---------------------------------------------------------------------- attributes


def test_of_four_ways_to_count_ancestors_only_one_gives_example_1(wordnet: Taxonomy) -> None:
    flu, pneumonia = wordnet.codes("flu")[0], wordnet.codes("pneumonia")[0]
    found = {
        (itself, root): ancestor_counts(wordnet, flu, pneumonia, itself=itself, root=root)
        for itself, root in product((True, False), repeat=2)
    }
    assert found == {(True, True): (15, 11), (True, False): (14, 10), (False, True): (13, 11), (False, False): (12, 10)}


def test_counted_so_siblings_cannot_be_told_apart() -> None:
    tax = Taxonomy.from_edges([("dog", "animal"), ("cat", "animal"), ("animal", "thing"), ("plant", "thing")])
    dog, cat, animal, plant = (tax.code(label) for label in ("dog", "cat", "animal", "plant"))
    assert example1(tax, dog, cat) == example1(tax, dog, dog) == example1(tax, plant, plant) == 0
    assert example1(tax, animal, plant) == example1(tax, dog, plant) == 1


def test_table_1_has_all_ten_pairs_of_five_attributes() -> None:
    assert set(TABLE_1) == set(combinations(ATTRIBUTES_1, 2))


def test_table_1_does_not_come_from_wordnet_in_any_of_three_readings(wordnet: Taxonomy) -> None:
    for between in term_similarities(wordnet).values():
        ours = {pair: round(between(*(ATTRIBUTES_1[a] for a in pair)), 2) for pair in TABLE_1}
        assert not [pair for pair, value in TABLE_1.items() if ours[pair] == value]


def test_example_2_keeps_one_of_infection_disease_and_ill_health() -> None:
    kept = collapse(list(ATTRIBUTES_1), reaches(TABLE_1))
    assert [attribute.code for attribute in kept] == EXAMPLE_2 == [11, 41, 51]
    assert [attribute.weight for attribute in kept] == [3, 1, 1]


def test_example_2_does_not_come_out_on_wordnet_by_equation_1(wordnet: Taxonomy) -> None:
    between = term_similarities(wordnet)["first senses"]
    alike = {pair for pair in TABLE_1 if between(*(ATTRIBUTES_1[a] for a in pair)) >= THRESHOLD}
    assert alike == {(11, 31)}  # infection and ill health, 0.85; disease is like neither
    as_example1 = term_similarities(wordnet)["first senses, counted as in Example 1"]
    alike = {pair for pair in TABLE_1 if as_example1(*(ATTRIBUTES_1[a] for a in pair)) >= THRESHOLD}
    assert alike == {(11, 21), (11, 31)}  # so that the chain of three does come out, by way of infection


@pytest.mark.parametrize(("part", "n1", "n2", "s", "union"), [("a", 3, 4, 2, 5), ("b", 3, 4, 2, 5), ("c", 4, 4, 1, 7)])
def test_the_counts_of_table_2(part: str, n1: int, n2: int, s: int, union: int) -> None:
    """Only those of (a) are printed; the text calls them n(q2 ∩ q3), which by (c) would be 1."""
    found = counts(TABLE_2[part])
    assert (found.n1, found.n2, found.s, found.union) == (n1, n2, s, union)


def test_a_score_of_08_is_similar_although_the_text_says_greater() -> None:
    above = [pair for pair, score in TABLE_2["a"].items() if score > 0.8]
    assert not above
    assert {pair for pair, score in TABLE_2["a"].items() if score >= 0.8} == {(12, 11), (42, 41)}


def test_equations_7_and_8_print_25_and_05_where_the_symmetric_difference_gives_3_and_06() -> None:
    a = counts(TABLE_2["a"])
    assert a.union / a.s == 2.5
    assert printed(a.n1, a.n2, a.s) == a.union / a.s / a.union == 0.5
    assert a.union - a.s == 3
    assert difference(a.n1, a.n2, a.s) == 0.6


# ---------------------------------------------------------------------- table 3


def test_table_3_has_45_cells_of_9_different_values() -> None:
    assert sorted(TABLE_3) == list(combinations(range(1, 11), 2))
    assert sorted(set(TABLE_3.values())) == [0.11, 0.33, 0.38, 0.40, 0.50, 0.57, 0.75, 0.88, 1.0]


@pytest.mark.parametrize(("s", "printed_as"), [(0, 1.0), (1, 0.88), (2, 0.75), (3, 0.57), (4, 0.33), (5, 0.0)])
def test_two_queries_of_five_attributes_can_only_have_these_distances(s: int, printed_as: float) -> None:
    assert int(100 * difference(5, 5, s)) / 100 == printed_as


def test_41_of_45_cells_of_table_3_are_the_symmetric_difference_of_queries_with_five_attributes() -> None:
    cells = explained(FIVE, "difference over union", "cut")
    assert len(cells) == 41
    assert {pair: TABLE_3[pair] for pair in TABLE_3 if pair not in cells} == {
        (1, 2): 0.50, (1, 8): 0.11, (2, 3): 0.40, (3, 8): 0.38,
    }  # fmt: skip


def test_no_other_sizes_explain_more_of_table_3() -> None:
    assert best_sizes("difference over union", "cut") == FIVE
    assert best_sizes("difference over union", "cut", above=41, largest=12) is None


def test_queries_of_fifteen_attributes_would_explain_one_cell_more() -> None:
    fifteen = dict.fromkeys(range(1, 11), 15)
    assert set(explained(fifteen, "difference over union", "cut")) - set(
        explained(FIVE, "difference over union", "cut")
    ) == {(1, 2)}


def test_the_12_readings_that_were_tried_are_these() -> None:
    assert len(READINGS) == 12


@pytest.mark.parametrize(("way", "digits"), READINGS)
def test_every_other_reading_of_table_3_explains_fewer_than_40_cells(way: str, digits: str) -> None:
    found = best_sizes(way, digits, above=39)
    assert (found is not None) == ((way, digits) == ("difference over union", "cut"))


def test_equations_7_and_8_explain_9_cells_of_table_3() -> None:
    sizes = best_sizes("equations 7 and 8", "cut")
    assert sizes
    assert len(explained(sizes, "equations 7 and 8", "cut")) == 9


# ---------------------------------------------------------------------- equation 9 and algorithm 3


def test_table_4_is_the_least_of_every_row_of_table_3_but_for_one_pair() -> None:
    S = {(i + 1, j + 1): d for (i, j), d in least_pairs(square()).items()}
    assert {pair: d for pair, d in TABLE_4.items() if pair != (5, 10)} == S
    assert (TABLE_4[5, 10], TABLE_3[5, 10]) == (0.57, 0.75)


def test_the_centroid_score_is_059_with_and_without_that_pair() -> None:
    assert centroid_score(least_pairs(square())) == pytest.approx(7.10 / 12)
    assert round(7.10 / 12, 2) == 0.59
    assert centroid_score(TABLE_4) == pytest.approx(0.59)


def test_example_5_marks_these_three_pairs() -> None:
    found = marks(least_pairs(square()))
    assert found == Marks(centroid=(3, 4), farthest=(8, 9), opposite=(0, 7))


def test_the_pairs_that_tie_with_the_marked_ones_would_give_the_same_groups() -> None:
    """Only scores decide, so "we can choose any pair" is right."""
    S = least_pairs(square())
    found = marks(S)
    assert [sum(d == S[pair] for d in S.values()) for pair in (found.centroid, found.farthest, found.opposite)] == [
        3,
        6,
        1,
    ]


@pytest.mark.parametrize("k", [1, 2])
def test_example_5_forms_these_three_groups(k: int) -> None:
    assert renamed(algorithm3(square(), k).groups) == EXAMPLE_5


def test_example_5_comes_out_of_the_pairs_of_table_4_too() -> None:
    cells = {**TABLE_3, (5, 10): 0.57}
    assert renamed(algorithm3(square(cells), 2).groups) == EXAMPLE_5


@pytest.mark.parametrize("closer", CLOSER)
def test_only_one_of_three_readings_of_closer_gives_example_5(closer: str) -> None:
    found = renamed(algorithm3(square(), 2, closer).groups)
    assert (found == EXAMPLE_5) == (closer == "on its side of the centroid")


def test_the_centroid_q8_is_forced_and_q7_and_q5_are_two_of_several() -> None:
    found = renamed([group_centroids(pairs) for pairs in algorithm3(square(), 2).pairs])
    assert found == [[8], [6, 7, 9, 10], [4, 5]]
    assert all(centroid in group for centroid, group in zip(CENTROIDS, found, strict=True))


# ---------------------------------------------------------------------- why it is no method for a release


def test_algorithm_3_depends_on_the_order_of_the_records() -> None:
    distances = square()
    turned = algorithm3([row[::-1] for row in distances[::-1]], 2)
    groups = sorted(sorted(10 - record for record in group) for group in turned.groups)
    assert groups == [[1, 2, 3, 8], [4, 10], [5, 6, 7]] != sorted(EXAMPLE_5)
    assert [10 - record for record in turned.lost] == [9]


def test_algorithm_3_depends_on_the_order_of_three_records() -> None:
    near, far = 0.57, 0.75
    assert algorithm3([[0, near, near], [near, 0, far], [near, far, 0]], 2).groups == [[1, 2]]
    assert algorithm3([[0, near, far], [near, 0, near], [far, near, 0]], 2).groups == [[0, 1, 2]]


def test_algorithm_3_loses_a_record_whose_pairs_are_all_taken_away() -> None:
    near, far = 0.57, 0.75
    outcome = algorithm3([[0, near, near], [near, 0, far], [near, far, 0]], 2)
    assert outcome.lost == [0]  # the two records nearest to it are far from each other: they go, and it with them


def test_algorithm_3_leaves_groups_below_k() -> None:
    outcome = algorithm3(square(), 3)
    assert renamed(outcome.below_k) == [[4, 5]]
    two_pairs = [[0, 0.1, 1, 1, 1], [0.1, 0, 1, 1, 1], [1, 1, 0, 0.5, 1], [1, 1, 0.5, 0, 0.5], [1, 1, 1, 0.5, 0]]
    assert [0, 1] in algorithm3(two_pairs, 3).below_k


def test_pairs_that_all_score_alike_stay_together_instead_of_running_for_ever() -> None:
    assert algorithm3([[0.0] * 4] * 4, 2).groups == [[0, 1, 2, 3]]
    third = [[0 if i == j else 0.1 for j in range(7)] for i in range(7)]
    assert algorithm3(third, 2).groups == [list(range(7))]


def test_what_algorithm_3_finds_cannot_be_taken_for_groups_of_a_release() -> None:
    with pytest.raises(BadPlan, match="checking the paper only: .* Use 'adaptive-mdav' for a release"):
        list(algorithm3(square(), 2))  # type: ignore[call-overload]


# ---------------------------------------------------------------------- peach and orange


def test_orange_and_citrus_are_alike_on_wordnet_but_the_records_are_not_close(wordnet: Taxonomy) -> None:
    between = term_similarities(wordnet)["first senses"]
    assert fruit(between) == Fruit(
        alike=[("orange", "citrus")],
        like_orange=["orange", "citrus"],
        kept={"peach": 1, "apple": 1, "orange": 2, "cherry": 1},
        apart=5 / 6,
    )
    assert between("orange", "citrus") == pytest.approx(0.9125, abs=1e-4)
    assert difference(5, 3, 1) == 6 / 7  # if citrus counted apart: the rule helps, by 0.02


@pytest.mark.parametrize(("threshold", "holds"), [(0.75, False), (0.77, True), (0.91, True), (0.92, False)])
def test_the_example_holds_for_thresholds_from_077_to_091(wordnet: Taxonomy, threshold: float, holds: bool) -> None:
    found = fruit(term_similarities(wordnet)["first senses"], threshold)
    assert ((found.alike, found.like_orange) == ([("orange", "citrus")], ["orange", "citrus"])) == holds


def test_other_readings_call_more_fruit_alike_and_none_makes_the_distance_low(wordnet: Taxonomy) -> None:
    found = {name: fruit(between) for name, between in term_similarities(wordnet).items()}
    assert found["closest senses"].kept == {"apple": 1, "citrus": 4}
    assert found["first senses, counted as in Example 1"].like_orange == ["apple", "orange", "citrus"]
    assert [round(each.apart, 2) for each in found.values()] == [0.83, 0.75, 0.8]


# ---------------------------------------------------------------------- all of it


@REPRODUCE
def test_what_is_reproduced_and_what_is_not(reproduced: Reproduced) -> None:
    items = [item.as_data() for item in reproduced["001"]]
    assert [item["item"].split(":")[0] for item in items if item["verdict"] == "exact"] == [
        "Example 2", "Equation 4", "Table 2(a)", "Equation 7 on Table 2(a)", "Equation 8 on Table 2(a)", "Equation 9",
        "Example 5", "Example 5", "§4.1",
    ]  # fmt: skip
    assert {item["item"]: item["verdict"] for item in items if item["verdict"].startswith("fitted")} == {
        "Example 1: ancestors of flu and pneumonia, common ones, distance": "fitted (4 readings tried)",
        "Table 3: distances of ten queries": "fitted (12 readings tried)",
        "Example 5: groups": "fitted (3 readings tried)",
    }
    assert sum(item["verdict"] == "consistent" for item in items) == 5
    assert sum(item["verdict"] == "not" for item in items) == 9


@REPRODUCE
def test_items_without_wordnet_being_given_are_the_same(wordnet: Taxonomy, reproduced: Reproduced) -> None:
    assert reproduced["001"] == reproduce(wordnet)


@REPRODUCE
def test_an_exact_or_consistent_item_is_what_is_printed(reproduced: Reproduced) -> None:
    for item in (item for item in reproduced["001"] if not item.item.startswith("Figure")):
        if item.verdict in ("exact", "consistent") or (item.verdict == "fitted" and "Table 3" not in item.item):
            assert item.printed == item.ours or item.printed in item.ours.split(" or ")


def test_an_item_without_a_known_verdict_or_number_of_readings_is_refused() -> None:
    with pytest.raises(ValueError, match="'good' is no verdict. Choose one of exact, within, consistent, fitted, not"):
        Item("x", "1", "1", "-", "good")
    with pytest.raises(ValueError, match="say how many readings were tried"):
        Item("x", "1", "1", "-", "fitted")
    with pytest.raises(ValueError, match="say how many readings were tried"):
        Item("x", "1", "1", "-", "exact", tried=2)
    assert checked("x", 1, 2, "-").verdict == "not"

"""Seats: totals are kept, limits are obeyed, and what finds no seat rises."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.apportion import _less, apportion, in_turn, repeats, seats
from taxonym.records.support import Holders

groups_of_lines = st.lists(st.tuples(st.integers(1, 9), st.integers(2, 9)), min_size=1, max_size=8)


@given(groups_of_lines, st.floats(0, 60))
def test_no_other_number_of_seats_is_nearer_to_the_total(given_: list[tuple[int, int]], total: float) -> None:
    claims, sizes = [float(c) for c, _ in given_], [s for _, s in given_]
    found = seats(total, claims, sizes, 1_000, [0.0] * len(sizes), lambda g: True)
    printed = sum(n * s for n, s in zip(found, sizes, strict=True))
    for size in sizes:
        assert abs(printed - total) <= abs(printed + size - total) + 1e-9
    assert abs(printed - total) <= max(sizes) / 2 + 1e-9 or printed > total - min(sizes) / 2


@given(groups_of_lines, st.floats(0, 60), st.integers(1, 3))
def test_limits_are_obeyed_and_only_free_groups_get_seats(
    given_: list[tuple[int, int]], total: float, most: int
) -> None:
    claims, sizes = [float(c) for c, _ in given_], [s for _, s in given_]
    found = seats(total, claims, sizes, most, [0.0] * len(sizes), lambda g: g % 2 == 0)
    assert max(found) <= most
    assert not any(found[1::2])


def test_the_group_where_more_users_hold_it_comes_first_and_then_the_less_full() -> None:
    assert seats(5, [1, 3], [5, 5], 9, [0, 0], lambda g: True) == [0, 1]
    assert seats(5, [2, 2], [5, 5], 9, [0.5, 0.1], lambda g: True) == [0, 1]
    assert seats(20, [1, 3], [5, 5], 9, [0, 0], lambda g: True) == [1, 3]


def test_repeats_are_what_k_records_have_at_least() -> None:
    row, code = np.array([0, 0, 0, 1, 1, 2, 2, 3]), np.array([4, 4, 4, 4, 4, 4, 7, 7])
    assert repeats(row, code, 1) == {4: 3, 7: 1}
    assert repeats(row, code, 2) == {4: 2, 7: 1}
    assert repeats(row, code, 3) == {4: 1, 7: 1}
    assert repeats(row, code, 4) == {4: 1, 7: 1}


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any), st.integers(1, 40), st.integers(0, 9))
def test_choices_are_taken_in_proportion_to_their_weights(weights: list[int], n: int, seed: int) -> None:
    taken = in_turn(weights, [3] * n, np.random.default_rng(seed))
    for i, weight in enumerate(weights):
        assert abs(taken.count(i) - n * weight / sum(weights)) <= 1 + 1e-9


TAX = Taxonomy.from_edges([("trout", "fish"), ("carp", "fish"), ("oak", "tree"), ("fish", "thing"), ("tree", "thing")])


def test_what_too_few_hold_rises_and_keeps_its_lines() -> None:
    records = [[TAX.code("trout")], [TAX.code("carp")], [TAX.code("trout")], [TAX.code("oak")]] * 2
    holders = Holders(ConceptSets.of(records, TAX))
    lines = {(g, records[unit][0]): 1 for g, group in enumerate([[0, 1, 2, 3], [4, 5, 6, 7]]) for unit in group}
    lines |= {(g, TAX.code("trout")): 2 for g in range(2)}
    found = apportion(holders, [[0, 1, 2, 3], [4, 5, 6, 7]], lines, {}, 4, 1, np.ones(len(TAX), bool))
    assert found.exact == {TAX.code("trout"): 4}
    assert found.risen[TAX.code("fish")] == 2
    assert sum(TAX.code("trout") in mine for mine in found.printed) == 1
    assert sum(TAX.code("fish") in mine for mine in found.printed) == 1
    assert found.lost == 2  # two oaks: fewer than k users hold a tree, and only the root is left


def test_two_things_that_too_few_hold_together_are_not_printed_by_one_group() -> None:
    trout, oak = TAX.code("trout"), TAX.code("oak")
    records = [[trout], [trout], [oak], [oak], [trout, oak]]
    holders = Holders(ConceptSets.of(records, TAX))
    lines = {(0, trout): 9, (0, oak): 8}
    for m, printed in ((1, {trout, oak}), (2, {trout})):
        found = apportion(holders, [[0, 1, 2, 3, 4]], lines, {trout: 9, oak: 9}, 2, m, np.ones(len(TAX), bool))
        assert set(found.printed[0]) == printed


def test_what_a_group_wishes_is_printed_and_its_lines_are_not_given_out_again() -> None:
    trout, carp, fish, oak = map(TAX.code, ("trout", "carp", "fish", "oak"))
    records = [[trout], [carp], [fish], [oak], [oak], [oak]]
    holders, groups = Holders(ConceptSets.of(records, TAX)), [[0, 1, 2], [3, 4, 5]]
    lines = {(0, trout): 1, (0, carp): 1, (0, fish): 1, (1, oak): 3}
    printable = np.ones(len(TAX), bool)
    found = apportion(holders, groups, lines, {}, 2, 1, printable, [(fish,), (oak,)])
    assert found.printed == [{fish: 1}, {oak: 1}]  # what lies below fish is said there
    more = apportion(holders, groups, lines | {(1, oak): 6}, {oak: 3}, 2, 1, printable, [(fish,), (oak,)])
    assert more.printed == [{fish: 1}, {oak: 2}]


def test_a_wish_hides_nothing_that_a_group_can_print_as_it_is() -> None:
    trout, carp, fish = map(TAX.code, ("trout", "carp", "fish"))
    holders, groups = Holders(ConceptSets.of([[trout], [trout], [carp]], TAX)), [[0, 1, 2]]
    lines = {(0, trout): 3, (0, carp): 1}
    found = apportion(holders, groups, lines, {}, 2, 1, np.ones(len(TAX), bool), [(fish,)])
    assert found.printed == [{trout: 1}]


def test_lines_of_a_group_that_prints_something_already_are_left_where_they_are_more() -> None:
    assert _less({0: 7.0, 1: 4.0}, [0], [3, 3]) == {0: 4.0, 1: 4.0}
    assert _less({0: 1.0, 1: 4.0}, [0], [3, 3]) == {0: 0.0, 1: 2.0}  # printed twice too often, which others give up
    assert _less({1: 2.0}, [0], [3, 3]) == {1: 0.0}
    assert _less({0: 3.0}, [0], [3, 3]) == {}


def test_wishes_do_not_make_anything_more_frequent_than_it_was() -> None:
    trout, oak = TAX.code("trout"), TAX.code("oak")
    records = [[trout], [trout], [oak], [trout], [oak], [oak]]
    holders, groups = Holders(ConceptSets.of(records, TAX)), [[0, 1, 2], [3, 4, 5]]
    lines = {(0, trout): 2, (0, oak): 1, (1, trout): 1, (1, oak): 2}
    found = apportion(holders, groups, lines, {}, 2, 1, np.ones(len(TAX), bool), [(trout,), (trout,)])
    assert [trout in mine for mine in found.printed] == [True, False]  # where most have it, three times as before

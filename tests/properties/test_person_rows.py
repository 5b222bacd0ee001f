"""Rows of a person in a class, against counts by hand."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym.records.person_rows import large_owners, most_rows, within_shares

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5)), max_size=40)


@given(ROWS, st.integers(1, 4), st.randoms(use_true_random=False))
def test_everybody_gives_as_many_rows_to_a_class_as_the_kth_largest_of_its_members(rows, k, random):
    lots = list(range(len(rows)))
    random.shuffle(lots)
    number, person = (np.array([row[i] for row in rows], np.int64) for i in (0, 1))
    kept = within_shares(number, person, k, np.array(lots, np.int64))
    before, after = Counter(rows), Counter(row for row, stays in zip(rows, kept.tolist(), strict=True) if stays)
    for (own, who), times in before.items():
        members = sorted((n for (g, _), n in before.items() if g == own), reverse=True)
        most = members[min(k, len(members)) - 1]
        assert after[own, who] == min(times, most)
    for i, row in enumerate(rows):
        worse = sum(lots[j] < lots[i] for j, other in enumerate(rows) if other == row)
        assert kept[i] == (worse < after[row])


@given(ROWS, st.integers(1, 4))
def test_a_class_is_owned_by_who_has_more_than_1_in_k_of_its_rows(rows, k):
    number, person = (np.array([row[i] for row in rows], np.int64) for i in (0, 1))
    sizes = Counter(number.tolist())
    owned = {own for (own, _), times in Counter(rows).items() if times * k > sizes[own]}
    assert large_owners(number, person, k) == len(owned)
    many = np.zeros((3, 6), np.int64)
    np.add.at(many, (number, person), 1)
    assert most_rows(many, k).tolist() == [sorted(row, reverse=True)[k - 1] for row in many.tolist()]


def test_after_the_cut_nobody_owns_more_than_1_in_k_of_a_class_of_k_persons():
    rng = np.random.default_rng(3)
    for k in (2, 3, 5):
        number, person = rng.integers(0, 4, 300), np.minimum(rng.geometric(0.6, 300), 12).astype(np.int64)
        kept = within_shares(number, person, k, rng.permutation(300))
        assert large_owners(number, person, k)
        assert not large_owners(number[kept], person[kept], k)

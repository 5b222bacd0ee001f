"""Navarro-Arribas and Torra 2010, chapter 2: Table 2.1, and the arithmetic of Table 2.2."""

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.vectors import pairing, vector_distance
from taxonym.measure.squares import Squares, squares
from taxonym.papers.navarro_arribas2010.documents import (
    MISPRINT,
    ORIGINAL,
    PROTECTED,
    TABLE_2_2,
    PrintedRow,
    groups,
    protected,
)
from tests.papers.conftest import REPRODUCE, Reproduced


def test_table_2_1_comes_out_to_the_digits_printed(wordnet: Taxonomy) -> None:
    assert protected(wordnet) == PROTECTED


def test_the_groups_of_table_2_1_are_computer_parts_and_animals(wordnet: Taxonomy) -> None:
    assert sorted(groups(wordnet)) == [[0, 2], [1, 3]]


def test_the_animals_of_table_2_1_can_be_paired_in_two_equally_good_ways_of_which_the_last_is_printed(
    wordnet: Taxonomy,
) -> None:
    horses, lions = ([(tuple(wordnet.codes(w)), weight) for w, weight in ORIGINAL[i]] for i in (1, 3))
    assert pairing(wordnet, horses, lions)[0] == [(0, 1), (1, 2), (2, 0)]
    swapped = [lions[2], lions[1], lions[0]]  # dog with lion, cat with tiger is as good
    assert vector_distance(wordnet, horses, lions) == pytest.approx(vector_distance(wordnet, horses, swapped))
    assert pairing(wordnet, horses, swapped)[0] == [(0, 1), (1, 2), (2, 0)]


@pytest.mark.parametrize("row", TABLE_2_2, ids=lambda row: f"{row.k}-{row.data}")
def test_sst_is_ssa_plus_sse_in_every_row_of_table_2_2_and_l_their_share_but_in_one(row: PrintedRow) -> None:
    found = Squares(row.sse, row.ssa)
    assert found.sst == pytest.approx(row.sst, abs=0.0011)
    assert found.loss is not None
    if (row.k, row.data) == MISPRINT:
        assert f"{found.loss:.3f}" == "58.460"
        assert row.loss == 58.560
    else:
        assert found.loss == pytest.approx(row.loss, abs=0.004)


def test_sums_of_squares_of_a_case_worked_out_by_hand() -> None:
    found = squares(np.array([0.5, 0.1]), np.array([0.4, 0.4]))
    assert (round(found.sse, 9), round(found.ssa, 9), round(found.sst, 9)) == (0.26, 0.32, 0.58)
    assert found.loss == pytest.approx(100 * 0.26 / 0.58)
    assert squares(np.zeros(2), np.zeros(2)).loss is None


@REPRODUCE
def test_the_report_on_chapter_2_says_what_is_exact_and_which_sentences_the_table_does_not_bear_out(
    reproduced: Reproduced,
) -> None:
    verdicts = {item.item: item.verdict for item in reproduced["003"]}
    assert verdicts["Table 2.1: groups"] == verdicts["Table 2.1: protected data"] == "exact"
    assert verdicts["Table 2.2: SST = SSA + SSE"] == verdicts["Table 2.2: SSE as k grows"] == "exact"
    assert verdicts["Table 2.2: L = 100 · SSE / SST (eq. 2.3)"] == "exact"
    assert verdicts["Table 2.2: L at k = 7, f100x50"] == "not"  # a misprint
    assert verdicts["Figure 2.1: L as k grows"] == verdicts["Figure 2.1: L of 50 terms against 100"] == "not"

import numpy as np
import polars as pl
import pytest

from taxonym import Finder, Taxonomy
from taxonym.errors import BrokenPromise
from taxonym.promises.classes import as_concepts, check_support, concepts_of, count_classes, count_owned
from taxonym.publish.groups import Support
from taxonym.records.column import Column
from taxonym.records.table import class_numbers
from taxonym.records.words import read_words

TREE = Taxonomy.from_edges([("a1", "a"), ("a2", "a"), ("a", "all"), ("b1", "b"), ("b", "all")])
LIKES = Column(name="likes", role="quasi-identifier", kind="set")
CELLS = [["a1"], ["A1", "b1"], ["a1", "b1"], ["a2"], ["Kowalska a2"]]


@pytest.fixture
def support() -> Support:
    words = read_words(LIKES, CELLS, Finder(TREE), "x", range(5))
    return Support.of(words, np.arange(5), 2)


def test_classes_are_rows_that_are_equal_in_all_but_confidential_columns() -> None:
    frame = pl.DataFrame({"x": [["a", "b"], ["b", "a"], ["a", "b"], None, None], "y": [1, 1, 1, 2, 2], "pay": range(5)})
    assert class_numbers(frame, ["pay"]).tolist() == [0, 1, 0, 2, 2]
    assert class_numbers(frame).tolist() == [0, 1, 2, 3, 4]
    assert class_numbers(frame.select("pay"), ["pay"]).tolist() == [0] * 5


def test_columns_with_names_that_polars_takes_for_patterns_are_columns() -> None:
    frame = pl.DataFrame({"*": [1, 1, 2], "^a.*$": [1, 2, 2], "row": [0, 0, 0]})
    assert class_numbers(frame).tolist() == [0, 1, 2]


def test_persons_count_once_in_a_class() -> None:
    frame = pl.DataFrame({"x": ["a", "a", "a", "b", "b"]})
    rows = count_classes(frame, 2)
    assert (rows.holds, rows.smallest, rows.classes, rows.counted) == (True, 2, 2, "rows")
    persons = count_classes(frame, 2, persons=np.array([4, 9, 4, 9, 9]))
    assert (persons.holds, persons.smallest, persons.below, persons.counted) == (False, 1, 1, "persons")
    assert persons.as_data()["classes_below_k"] == 1


def test_a_release_without_rows_holds_nothing() -> None:
    assert not count_classes(pl.DataFrame({"x": pl.Series([], dtype=pl.String)}), 2).holds


def test_words_become_concepts_whatever_their_case_and_order(support: Support) -> None:
    assert len(set(concepts_of([["a1", "b1"], ["b1", "A1"]], support.words.maps_to))) == 1
    frame = as_concepts(pl.DataFrame({"likes": ["a1", "A1"]}), {"likes": ([["a1"], ["A1"]], support)})
    assert count_classes(frame, 2).holds


def test_a_word_that_means_nothing_breaks_the_promise(support: Support) -> None:
    with pytest.raises(BrokenPromise, match="does not map back") as caught:
        concepts_of([["Kowalska"]], support.words.maps_to)
    assert "Kowalska" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (["a1", "b1"], None),
        (["a", "b"], None),
        (["a2"], None),
        (["a1", "a2"], "fewer than 2 persons hold together"),
        (["Kowalska a2"], "not the name of a concept and has fewer than 2 writers"),
        (["A1"], "not the name of a concept and has fewer than 2 writers"),
    ],
)
def test_the_support_rule_is_checked_of_concepts_and_of_words(
    support: Support, row: list[str], complaint: str | None
) -> None:
    if complaint is None:
        check_support([([row], support)], 2, 2)
        return
    with pytest.raises(BrokenPromise, match=complaint) as caught:
        check_support([([["a"], row], support)], 2, 2)
    assert "Kowalska" not in str(caught.value)


def test_several_columns_are_checked_together() -> None:
    words = [
        read_words(LIKES, cells, Finder(TREE), "x", range(4))
        for cells in ([["a1"], ["a1"], ["a2"], ["a2"]], [["b1"], ["a1"], ["b1"], ["a1"]])
    ]
    first, second = (Support.of(one, np.arange(4), 2) for one in words)
    check_support([([["a1"]], first), ([["b1"]], second)], 2, 1)
    with pytest.raises(BrokenPromise, match="fewer than 2 persons hold together"):
        check_support([([["a1"]], first), ([["b1"]], second)], 2, 2)


def test_a_class_of_which_one_person_owns_more_than_1_in_k_breaks_the_promise() -> None:
    number = np.array([0, 0, 0, 0, 1, 1])
    assert count_owned(number, 2, np.array([1, 1, 2, 2, 1, 3])).holds
    owned = count_owned(number, 2, np.array([1, 1, 1, 2, 1, 3]))
    assert (owned.holds, owned.below) == (False, 0)
    assert owned.broken == ("1 classes have a person with more than 1 in 2 of their rows",)
    assert count_owned(number, 2).holds  # whose rows they are is not known

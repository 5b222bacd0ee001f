from math import log

import numpy as np
import pytest

from taxonym import Taxonomy, content
from taxonym.errors import BadPlan
from taxonym.knowledge.build import Draft
from taxonym.knowledge.content import corpus, own_counts

#          root
#         /    \
#        a      b
#       / \      \
#      c   d      d  (d has two parents)
TAX = Taxonomy.from_edges([("a", "root"), ("b", "root"), ("c", "a"), ("d", "a"), ("d", "b")])


def at(values: np.ndarray, id: str) -> float:
    return float(values[TAX.code(id)])


def test_seco_counts_every_descendant_once() -> None:
    ic = content(TAX, "seco")
    assert at(ic, "root") == 0
    assert at(ic, "c") == at(ic, "d") == 1
    assert at(ic, "a") == pytest.approx(1 - log(3) / log(5))
    assert at(ic, "b") == pytest.approx(1 - log(2) / log(5))


def test_sanchez_divides_the_leaves_by_the_generalisations() -> None:
    ic = content(TAX, "sanchez")
    assert at(ic, "c") == at(ic, "d") == 1
    assert at(ic, "root") == pytest.approx(-log((2 / 1 + 1) / 3) / log(3))
    assert at(ic, "a") == pytest.approx(-log((2 / 2 + 1) / 3) / log(3))
    assert at(ic, "b") == pytest.approx(-log((1 / 2 + 1) / 3) / log(3))


def test_corpus_counts_mentions_of_a_concept_and_of_all_below_it_once() -> None:
    counts = np.zeros(5, int)
    counts[TAX.code("d")] = 7
    ic = corpus(TAX, counts)
    n = 7 + 5  # one more for every concept
    assert at(ic, "root") == 0
    assert at(ic, "a") == pytest.approx(-log((8 + 1 + 1) / n) / log(n))
    assert at(ic, "c") == pytest.approx(1)


def test_corpus_takes_the_counts_that_come_with_the_labels() -> None:
    draft = Draft("x")
    draft.link("low", "high")
    draft.label("low", "low", count=3)
    draft.label("low", "small", count=4)
    tax = draft.build()
    assert own_counts(tax).tolist() == [0, 7]
    assert content(tax, "corpus").tolist() == corpus(tax, np.array([0, 7])).tolist()


def test_a_taxonomy_without_counts_says_so() -> None:
    with pytest.raises(BadPlan, match="carry no counts"):
        content(TAX, "corpus")


def test_an_unknown_content_lists_the_known_ones() -> None:
    with pytest.raises(BadPlan, match="Choose one of seco, sanchez, corpus"):
        content(TAX, "entropy")


@pytest.mark.parametrize(
    ("own", "complaint"),
    [
        ([0.1] * 4, "needs 5 numbers"),
        ([0, 0, 0, 0, 1.5], "between 0 and 1"),
        ([1, 0, 0, 0, 0], "says less than one above"),
    ],
)
def test_content_of_your_own_is_checked(own: list[float], complaint: str) -> None:
    with pytest.raises(BadPlan, match=complaint):
        content(TAX, np.array(own))


def test_content_of_your_own_is_used() -> None:
    own = np.array([0, 0.25, 0.5, 0.5, 1])
    assert content(TAX, own).tolist() == own.tolist()


def test_wrong_counts_are_refused() -> None:
    with pytest.raises(BadPlan, match="5 numbers of 0 or more"):
        corpus(TAX, np.array([1, 2, 3]))
    with pytest.raises(BadPlan, match="5 numbers of 0 or more"):
        corpus(TAX, np.array([1, 2, 3, 4, -5]))


def test_one_lone_concept_says_nothing_surprising() -> None:
    draft = Draft("x")
    draft.add("only")
    tax = draft.build()
    assert [content(tax, name).tolist() for name in ("seco", "sanchez")] == [[1.0], [1.0]]

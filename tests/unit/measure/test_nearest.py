"""Classes by the nearest one, on cases worked out by hand."""

import numpy as np
import pytest

from taxonym import Taxonomy
from taxonym.distance.vectors import Vectors
from taxonym.measure.nearest import ClassificationScore, features, nearest_class, neighbours_kept

TAX = Taxonomy.from_edges(
    [("animal", "thing"), ("food", "thing"), ("dog", "animal"), ("cat", "animal"), ("apple", "food"), ("pear", "food")]
)


def vectors(*documents: str) -> Vectors:
    return Vectors.of(TAX, [[((TAX.code(word),), 1.0) for word in text.split()] for text in documents])


def test_features_count_what_lies_above_by_its_content_and_have_length_1() -> None:
    ic = np.array([{"thing": 0.0, "animal": 0.6, "dog": 0.8}.get(TAX.label(c), 1.0) for c in range(len(TAX))])
    row = features(vectors("dog"), ic).toarray()[0]
    assert {TAX.label(c): round(v, 9) for c, v in enumerate(row) if v} == {"animal": 0.6, "dog": 0.8}


def test_a_document_of_other_words_goes_to_the_class_that_means_alike() -> None:
    train, labels = features(vectors("dog", "apple", "apple")), ["pets", "fruit", "fruit"]
    assert nearest_class(train, labels, features(vectors("cat", "pear", "animal"))) == ["pets", "fruit", "pets"]


def test_hits_by_hand() -> None:
    found = ClassificationScore.of(["a", "a", "b", "c"], ["a", "b", "b", "a"])
    assert found.accuracy == 0.5
    assert found.macro_f == pytest.approx((2 * 1 / 4 + 2 * 1 / 3 + 0) / 3)


def test_neighbours_that_are_published_alike_share_the_places() -> None:
    original = features(vectors("dog", "dog cat", "apple", "apple pear"))
    assert neighbours_kept(original, original, 1) == 1
    grouped = features(vectors("animal", "animal", "food", "food"))
    assert neighbours_kept(original, grouped, 1) == 1
    crossed = features(vectors("animal", "food", "animal", "food"))
    assert neighbours_kept(original, crossed, 1) == 0
    assert neighbours_kept(original, features(vectors("dog", "dog", "dog", "dog")), 1) == pytest.approx(1 / 3)

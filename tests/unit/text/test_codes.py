"""Columns of codes, answers and numbers have no concepts in a taxonomy of words."""

import pytest

import taxonym
from taxonym import Taxonomy


@pytest.mark.parametrize(
    "values",
    [
        ["M", "F", "U"],
        ["yes", "no", "don't know"],
        ["TRUE", "FALSE"],
        ["IN", "OR", "ME", "OK", "N/A"],
        ["USA", "DEU", "CAN", "GUM", "FRA"],
        ["18", "22", "40", "n/a"],
        ["Excellent", "Good", "Fair", "Poor", "don't know"],
        ["Mar 1970", "1 May 1999", "02/02/2001"],
    ],
)
def test_a_column_of_codes_means_no_concepts(wordnet: Taxonomy, values: list[str]) -> None:
    assert not any(taxonym.map_column(wordnet, values).values())


@pytest.mark.parametrize(
    "values",
    [["CAT", "DOG", "HEN", "PIG", "COW"], ["TV", "radio", "camera", "phone"], ["fair", "circus", "parade", "carnival"]],
)
def test_short_words_and_words_in_capitals_are_words(wordnet: Taxonomy, values: list[str]) -> None:
    assert all(taxonym.map_column(wordnet, values).values())


def test_an_override_names_a_code(wordnet: Taxonomy) -> None:
    found = taxonym.map_column(wordnet, ["M", "F"], overrides={"F": "woman.n.01"})
    assert {value: [wordnet.id(code) for code in codes] for value, codes in found.items()} == {
        "M": [],
        "F": ["woman.n.01"],
    }

"""The mapping of a column: terms, concepts, persons."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Finder, Taxonomy
from taxonym.records.column import Column
from taxonym.records.column_mapping import ColumnMapping
from taxonym.records.words import KEEP, read_words

TAX = Taxonomy.from_edges([("apple", "fruit"), ("pear", "fruit"), ("fruit", "food")])
COLUMN = Column(name="items", role="quasi-identifier", kind="set", taxonomy=("x",), on_unknown=KEEP)
WORDS = ("apple", "pear", "apples", "kombu", "zyx")


def mapping(cells: list[list[str]], persons: list[int]) -> ColumnMapping:
    finder = Finder(TAX, senses="first")
    words = read_words(COLUMN, cells, finder, "here", list(range(1, len(cells) + 1)))
    return ColumnMapping.of(words, np.array(persons, np.int64))


@given(st.lists(st.tuples(st.lists(st.sampled_from(WORDS), max_size=4), st.integers(0, 3)), max_size=12))
def test_persons_are_counted_once_for_each_term_and_concept(rows: list[tuple[list[str], int]]) -> None:
    found = mapping([cell for cell, _ in rows], [person for _, person in rows])
    known = {"apple": TAX.code("apple"), "apples": TAX.code("apple"), "pear": TAX.code("pear")}
    holders: dict[str, set[int]] = {}
    for cell, person in rows:
        for term in cell:
            holders.setdefault(term, set()).add(person)
    assert {one.term: (one.code, one.persons) for one in found.terms} == {
        term: (known.get(term), len(who)) for term, who in holders.items()
    }
    assert [one.persons for one in found.terms] == sorted((one.persons for one in found.terms), reverse=True)
    assert found.with_concept == sum(any(term in known for term in cell) for cell, _ in rows)


def test_terms_of_few_are_counted_and_not_shown() -> None:
    found = mapping([["apple", "kombu"], ["apple", "zyx"], ["kombu", "pear"]], [0, 1, 2])
    assert [one.term for one in found.shown(2)] == ["apple"]
    assert [one.term for one in found.unknown(2)] == ["kombu"]
    assert found.rare(2) == (1, 1)


def test_a_term_that_the_other_mapping_takes_for_something_else_is_a_change() -> None:
    mine = mapping([["apple"], ["apple"], ["pear"]], [0, 1, 2])
    fruit = TAX.code("fruit")
    other = ColumnMapping([one._replace(code=fruit) for one in mine.terms], 3, 3, 3, 3)
    assert [(one.term, instead) for one, instead in mine.changes(other, 2)] == [("apple", fruit)]
    assert list(mine.changes(mine, 1)) == []

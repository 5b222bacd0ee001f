"""What groups publish in several columns together."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.distance.record import Compare
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.groups import Support, choose, words_for
from taxonym.records.column import Column
from taxonym.records.support import Holders, JointHolders, Rule, holding
from taxonym.records.words import read_words
from tests.strategies import taxonomies

TREE = Taxonomy.from_edges([("a1", "a"), ("a2", "a"), ("a", "all"), ("b1", "b"), ("b", "all")])
Table = tuple[Taxonomy, list[list[int]]]


@st.composite
def two_columns(draw: st.DrawFn) -> tuple[list[Table], list[int]]:
    """Two columns of records, and whose each record is."""
    n = draw(st.integers(1, 8))
    found = []
    for _ in range(2):
        tax = draw(taxonomies(8))
        record = st.sets(st.integers(0, len(tax) - 1), max_size=3).map(sorted)
        found.append((tax, draw(st.lists(record, min_size=n, max_size=n))))
    return found, draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))


def together(tables: Sequence[Table], persons: Sequence[int]) -> JointHolders:
    return JointHolders([Holders(ConceptSets.of(records, tax), np.array(persons)) for tax, records in tables])


def obey(tables: Sequence[Table], persons: Sequence[int], concepts: Sequence[Iterable[int]], k: int, m: int) -> bool:
    """The support rule by the definition: concepts of different columns are different, holders are counted jointly."""
    every = [(column, c) for column, codes in enumerate(concepts) for c in codes]
    for size in range(1, m + 1):
        for some in combinations(every, size):
            rows = set(range(len(persons)))  # one record must hold all of them
            for column, concept in some:
                rows &= holding(*tables[column], range(len(persons)), [concept])
            if len({persons[row] for row in rows}) < k:
                return False
    return True


some_concepts = st.sets(st.integers(0, 7), max_size=3)


@given(two_columns(), st.integers(1, 3), st.integers(0, 3), some_concepts, some_concepts)
def test_concepts_of_several_columns_are_allowed_exactly_if_they_obey_the_rule_together(
    data: tuple[list[Table], list[int]], k: int, m: int, first: set[int], second: set[int]
) -> None:
    tables, persons = data
    concepts = [[c for c in some if c < len(tax)] for some, (tax, _) in zip((first, second), tables, strict=True)]
    assert together(tables, persons).allowed(concepts, k, m) == obey(tables, persons, concepts, k, m)


def supports(cells: list[list[list[str]]], k: int, kind: str = "set") -> list[Support]:
    """Columns of words over TREE, every record being another person's."""
    from taxonym import Finder

    column = Column(name="c", role="quasi-identifier", kind=kind)
    made = [read_words(column, column_cells, Finder(TREE), "x", range(len(column_cells))) for column_cells in cells]
    return [Support.of(words, np.arange(len(words)), k) for words in made]


def test_a_group_that_shares_no_concept_publishes_nothing() -> None:
    flat = Taxonomy.from_edges([("x", "x root"), ("y", "y root")])
    from taxonym import Finder

    words = read_words(
        Column(name="c", role="quasi-identifier", kind="set"), [["x"], ["y"]], Finder(flat), "x", range(2)
    )
    (found,) = choose([Support.of(words, np.arange(2), 2)], [[0, 1]], Rule(k=2), "best", Compare())
    assert found.concepts == [()]


@pytest.mark.parametrize("representative", ["best", "medoid"])
def test_a_nominal_column_publishes_one_concept(representative: str) -> None:
    found = supports([[["a1"], ["a1"], ["b1"], ["a2"]]], 2, "nominal")
    (chosen,) = choose(found, [[0, 1, 2, 3]], Rule(k=2), representative, Compare())
    assert [len(concepts) for concepts in chosen.concepts] == [1]


def test_the_plain_medoid_ignores_the_support_rule() -> None:
    cells = [[["a1", "b1"], ["a1"], ["a1", "b1", "a2"]]]
    (one,) = supports(cells, 1)
    (plain,) = choose([one], [[0, 1, 2]], Rule(k=1, known_items=0), "medoid", Compare())
    assert set(plain.concepts[0]) in [set(one.words.record(i)) for i in range(3)]


def test_words_are_alike_for_a_group_unless_drawn_for_each_record() -> None:
    (one,) = supports([[["a1"], ["A1"], ["a1"], ["A1"], ["a1"], ["A1"]] * 4], 2)
    groups, concepts = [list(range(24))], [(TREE.code("a1"),)]
    (alike,) = words_for(one, groups, concepts, 2, np.random.default_rng(1), per_record=False)
    (drawn,) = words_for(one, groups, concepts, 2, np.random.default_rng(1), per_record=True)
    assert len(set(alike)) == 1
    assert set(drawn) == {("a1",), ("A1",)}

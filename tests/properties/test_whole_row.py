"""The search for whole rows: what it finds obeys the rule, says nothing new, and depends on nobody who answers."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.row import CellLadder, HeldByAnswers, RowSearch, Unknown, WordLadder, misfits
from taxonym.records.support import Holders, JointHolders, Rows, holding
from tests.strategies import taxonomies

Column = tuple[Taxonomy, list[list[int]]]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Column], list[int]]:
    """Two or three columns of rows, and whose each row is."""
    n = draw(st.integers(1, 10))
    found = []
    for _ in range(draw(st.integers(2, 3))):
        tax = draw(taxonomies(8))
        record = st.sets(st.integers(0, len(tax) - 1), max_size=3).map(sorted)
        found.append((tax, draw(st.lists(record, min_size=n, max_size=n))))
    return found, draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))


def searched(columns: Sequence[Column], persons: Sequence[int], k: int, m: int) -> tuple[RowSearch, JointHolders]:
    holders = [Holders(ConceptSets.of(rows, tax), np.array(persons)) for tax, rows in columns]
    ladders = [WordLadder(one, np.ones(len(one.tax), np.bool_), 1.0) for one in holders]
    return RowSearch.of(ladders, holders, k, m), JointHolders(holders)


def obeys(columns: Sequence[Column], persons: Sequence[int], row: Sequence[Codes], k: int, m: int) -> bool:
    """The rule by its definition: k persons have one row that holds all of every choice."""
    items = [(c, code) for c, codes in enumerate(row) for code in codes]
    for size in range(1, m + 1):
        for some in combinations(items, size):
            rows = set(range(len(persons)))
            for c, code in some:
                rows &= holding(*columns[c], range(len(persons)), [code])
            if len({persons[r] for r in rows}) < k:
                return False
    return True


def wished(data: st.DataObject, columns: Sequence[Column]) -> tuple[Codes, ...]:
    return tuple(
        tuple(sorted(data.draw(st.sets(st.integers(0, len(tax) - 1), max_size=3), label="wish"))) for tax, _ in columns
    )


@given(tables(), st.integers(1, 4), st.integers(1, 3), st.data())
def test_what_is_settled_obeys_the_rule_and_is_what_was_wished_for_or_above(
    made: tuple[list[Column], list[int]], k: int, m: int, data: st.DataObject
) -> None:
    columns, persons = made
    row = wished(data, columns)
    found = searched(columns, persons, k, m)[0].settle(row)
    assert obeys(columns, persons, found, k, m)
    for (tax, _), wish, codes in zip(columns, row, found, strict=True):
        assert set(codes) <= {t for c in wish for t in tax.ancestors(c)}
    if obeys(columns, persons, row, k, m):
        assert found == row


@given(tables(), st.integers(1, 4), st.integers(1, 3), st.data())
def test_what_rises_says_nothing_that_another_item_of_its_column_says_already(
    made: tuple[list[Column], list[int]], k: int, m: int, data: st.DataObject
) -> None:
    columns, persons = made
    row = wished(data, columns)
    found = searched(columns, persons, k, m)[0].settle(row)
    for (tax, _), wish, codes in zip(columns, row, found, strict=True):
        for risen in set(codes) - set(wish):
            assert not any(risen in tax.ancestors(other) for other in codes if other != risen)


@given(tables(), st.integers(1, 4), st.integers(1, 3), st.data())
def test_whoever_answers_the_search_finds_the_same(
    made: tuple[list[Column], list[int]], k: int, m: int, data: st.DataObject
) -> None:
    columns, persons = made
    row = wished(data, columns)
    search, together = searched(columns, persons, k, m)
    answers = HeldByAnswers(k)
    asking = RowSearch(search.ladders, search.first, answers, m)
    for _ in range(100):
        try:
            found = asking.settle(row)
            break
        except Unknown:
            asked = sorted(answers.asked)
            assert asked, "the search stops without a question"
            answers.learn(asked, [_holders(together, columns, persons, choice) for choice in asked])
    assert found == search.settle(row)


def _holders(together: JointHolders, columns: Sequence[Column], persons: Sequence[int], choice: tuple[int, ...]) -> int:
    rows = set(range(len(persons)))
    for number in choice:
        c = int(np.searchsorted(together.first, number, side="right")) - 1
        rows &= holding(*columns[c], range(len(persons)), [number - int(together.first[c])])
    return len({persons[r] for r in rows})


@given(tables(), st.integers(1, 4), st.integers(1, 3), st.data())
def test_misfits_are_the_choices_that_fewer_than_k_persons_hold(
    made: tuple[list[Column], list[int]], k: int, m: int, data: st.DataObject
) -> None:
    columns, persons = made
    row = wished(data, columns)
    search, together = searched(columns, persons, k, m)
    numbers = together.together(row).tolist()
    wrong = {
        choice
        for size in range(1, m + 1)
        for choice in combinations(sorted(numbers), size)
        if _holders(together, columns, persons, choice) < k
    }
    assert set(misfits(numbers, search.known, m)) == wrong


@given(tables(), st.data())
def test_only_what_one_row_has_is_held_together(made: tuple[list[Column], list[int]], data: st.DataObject) -> None:
    (tax, rows), persons = made[0][0], made[1]
    record = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))))
    whose = data.draw(st.lists(st.integers(0, 2), min_size=4, max_size=4))
    sets = ConceptSets.of(
        [sorted({c for r, row in enumerate(rows) for c in row if record[r] == u}) for u in range(4)], tax
    )
    found = Holders(sets, np.array(whose), Rows(ConceptSets.of(rows, tax), record))
    concepts = data.draw(st.sets(st.integers(0, len(tax) - 1), min_size=1, max_size=3))
    held = holding(tax, rows, [whose[u] for u in record.tolist()], concepts)
    assert found.joint_holders(concepts) == len(held)
    for c in range(len(tax)):
        assert found.counts[c] == len(holding(tax, rows, [whose[u] for u in record.tolist()], [c]))
    assert persons


def test_the_cheaper_of_two_items_gives_way() -> None:
    """a1 and the cell x have two holders each, but nobody has both; that a1 rises to a costs less than to empty x."""
    tree = Taxonomy.from_edges([("a1", "a"), ("a2", "a"), ("a", "top"), ("top", "root")])
    flat = Taxonomy.from_edges([("x", "r"), ("y", "r")])
    words = Holders(ConceptSets.of([[tree.code(w)] for w in ("a1", "a1", "a2", "a2")], tree))
    cells = Holders(ConceptSets.of([[flat.code(w)] for w in ("y", "y", "x", "x")], flat))
    ladders = [WordLadder(words, np.ones(len(tree), np.bool_), 1.0), CellLadder()]
    found = RowSearch.of(ladders, [words, cells], 2, 2).settle(((tree.code("a1"),), (flat.code("x"),)))
    assert found == ((tree.code("a"),), (flat.code("x"),))

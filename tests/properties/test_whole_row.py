"""The search for whole rows: what it finds obeys the rule, says nothing new, and depends on nobody who answers."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.row import CellLadder, HeldByAnswers, RangeLadder, RowSearch, Unknown, WordLadder, misfits
from taxonym.records.ranges import RangeScale, kth_ends
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


def test_what_has_risen_to_one_parent_does_not_go_over_to_another_that_breaks_what_held() -> None:
    """x rose to a, which goes with u, and then to b, which goes with v, though b and u have one person in common."""
    tax = Taxonomy.from_edges(
        [("x", "a"), ("x", "b"), ("a", "c"), ("b", "d"), ("c", "top"), ("d", "top"), ("top", "all")]
    )
    other = Taxonomy.from_edges([("u", "any"), ("v", "any")])
    said = [("x", "uv"), ("a", "u"), ("b", "v"), ("top", "uv")]
    columns = [
        (tax, [[tax.code(one)] for one, _ in said]),
        (other, [sorted(other.code(word) for word in words) for _, words in said]),
    ]
    row = ((tax.code("x"),), tuple(sorted(other.code(word) for word in "uv")))
    found = searched(columns, range(4), 2, 2)[0].settle(row)
    assert obeys(columns, range(4), found, 2, 2)
    assert found == ((tax.code("top"),), row[1])


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 40), st.sets(st.sampled_from("uvw"))), min_size=6, max_size=20
    ),
    st.integers(1, 3),
    st.integers(1, 3),
)
def test_ranges_that_are_settled_obey_the_rule(rows: list[tuple[int, int, set[str]]], k: int, m: int) -> None:
    assume(len({who for who, _, _ in rows}) >= k)
    persons, values = [who for who, _, _ in rows], np.array([value for _, value, _ in rows], np.float64)
    scale = RangeScale.of(*kth_ends(values, np.array(persons), k), date=False, whole=True)
    words = Taxonomy.from_edges([(word, "any") for word in "uvw"])
    said = ConceptSets.of([sorted(words.code(word) for word in own) for _, _, own in rows], words)
    holders = [Holders(scale.sets(values), np.array(persons)), Holders(said, np.array(persons))]
    ladders = [RangeLadder(scale, 1.0), WordLadder(holders[1], np.ones(len(words), np.bool_), 1.0)]
    search = RowSearch.of(ladders, holders, k, m)
    for i in range(len(rows)):
        wish = scale.covering(values[i : i + 2])
        found = search.settle(((wish,) if scale.printable[wish] else (), said.record(i)))
        for size in range(1, m + 1):
            for some in combinations([(c, code) for c, codes in enumerate(found) for code in codes], size):
                inside = [
                    j
                    for j, (_, value, own) in enumerate(rows)
                    if all(
                        scale.low[code] <= value < scale.high[code]
                        if c == 0
                        else (words.id(code) == "any" and own) or words.id(code) in own
                        for c, code in some
                    )
                ]
                assert len({persons[j] for j in inside}) >= k


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

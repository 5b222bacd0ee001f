import numpy as np
import pytest

from taxonym import Finder, Taxonomy
from taxonym.errors import UnknownTerms
from taxonym.records.column import Column
from taxonym.records.words import MISSING, WordColumn, read_words

TREE = Taxonomy.from_edges(
    [("swimming", "water sports"), ("sailing", "water sports"), ("water sports", "sports"), ("chess", "sports")]
)


def read(cells: list[list[str]], finder: Finder | None = None, kind: str = "set", **settings: str) -> WordColumn:
    column = Column(name="likes", role="quasi-identifier", kind=kind, **settings)  # type: ignore[arg-type]
    return read_words(column, cells, finder, "in.csv", range(11, 11 + len(cells)))


def labels(words: WordColumn, row: int) -> list[str]:
    return sorted(words.tax.label(code) for code in words.record(row))


def test_terms_become_ascending_concepts_each_once() -> None:
    words = read([["Swimming", "swimming", "chess"], ["zyzzyva"], []], Finder(TREE))
    assert labels(words, 0) == ["chess", "swimming"]
    assert list(words.record(0)) == sorted(words.record(0))
    assert (words.record(1), words.record(2)) == ((), ())
    assert words.unknown.tolist() == [0, 1, 0]
    assert [words.names[t] for t in words.term] == ["Swimming", "swimming", "chess"]


def test_an_unknown_term_may_be_a_concept_of_its_own() -> None:
    words = read([["zyzzyva", "chess"], ["zyzzyva"], []], Finder(TREE), on_unknown="keep-as-own-concept")
    assert labels(words, 0) == ["chess", "zyzzyva"]
    assert labels(words, 1) == ["zyzzyva"]
    assert words.record(2) == ()
    (own,) = words.record(1)
    assert words.tax.parents(own) == TREE.roots
    assert words.tax.roots == TREE.roots
    assert words.maps_to("zyzzyva") == own
    assert words.maps_to("chess") == TREE.code("chess")
    assert words.maps_to("unheard of") is None


def test_unknown_terms_lie_below_the_category_of_their_column_and_below_nothing_where_roots_are_several(
    wordnet: Taxonomy,
) -> None:
    keep = {"on_unknown": "keep-as-own-concept", "on_empty": "keep-as-own-concept"}
    food = wordnet.code("food.n.01")
    for finder, above in (
        (Finder(wordnet), [wordnet.code("entity.n.01")]),
        (Finder(wordnet, category="food.n.01"), [food]),
        (Finder(Taxonomy.from_edges([("chess", "games"), ("swimming", "sports")])), []),
    ):
        words = read([["zyzzyva"], [], ["(missing)"]], finder, **keep)
        assert [words.tax.parents(code) for i in range(2) for code in words.record(i)] == [above, []]
        assert words.record(2) == words.record(1)


def test_an_empty_cell_may_be_a_concept_of_its_own() -> None:
    for finder in (Finder(TREE), None):
        words = read([["chess"], [], []], finder, on_empty="keep-as-own-concept")
        assert labels(words, 1) == labels(words, 2) == [MISSING]
        assert words.tax.parents(words.record(1)[0]) == []
        assert words.maps_to(MISSING) == words.record(1)[0]


def test_an_entry_with_unknown_words_only_is_not_an_empty_cell() -> None:
    words = read([["zyzzyva"], []], Finder(TREE), on_empty="keep-as-own-concept")
    assert words.record(0) == ()
    assert labels(words, 1) == [MISSING]


def test_unknown_terms_are_refused_by_their_rows_only() -> None:
    with pytest.raises(UnknownTerms, match="terms of 2 records have no concept in 'edges' .first in row 12.") as caught:
        read([["chess"], ["Kowalska"], ["chess", "Nowak"]], Finder(TREE), on_unknown="error")
    assert "Kowalska" not in str(caught.value)


def test_without_a_taxonomy_every_value_stands_alone() -> None:
    words = read([["Ulm"], ["Ulm  West"], ["Ulm West"], ["Pau"]], kind="nominal")
    assert words.record(1) == words.record(2)
    assert len({words.record(row) for row in range(4)}) == 3
    assert len(words.tax.roots) == len(words.tax) == 3
    assert words.maps_to("Pau") == words.record(3)[0]
    assert words.maps_to("Ely") is None


def test_a_nominal_entry_has_one_concept_at_most() -> None:
    for cell in ("swimming and chess", "chess, sailing and swimming"):
        assert len(read([[cell]], Finder(TREE)).record(0)) > 1
        assert len(read([[cell]], Finder(TREE), kind="nominal").record(0)) == 1


def test_some_rows_in_another_order_keep_what_was_written() -> None:
    words = read([["Swimming"], ["chess", "sailing"], ["zyzzyva", "chess"]], Finder(TREE))
    some = words.take(np.array([2, 0]))
    assert len(some) == 2
    assert (some.record(0), some.record(1)) == (words.record(2), words.record(0))
    assert [(int(r), some.names[t]) for r, t in zip(some.row, some.term, strict=True)] == [
        (0, "chess"),
        (1, "Swimming"),
    ]
    assert some.unknown.tolist() == [1, 0]
    terms = some.written(np.array([7, 7])).by_code
    assert {t.text: t.writers for found in terms.values() for t in found} == {"chess": 1, "Swimming": 1}


def test_raw_terms_are_equal_or_not() -> None:
    words = read([["Swimming"], ["swimming"], ["Swimming", "chess"]], Finder(TREE))
    raw = words.raw()
    sets, tax = [set(record) for record in raw], raw.tax
    assert not sets[0] & sets[1]
    assert sets[0] < sets[2]
    assert len(tax) == len(tax.roots) == 3
    assert list(read([[]], Finder(TREE)).raw()) == [()]

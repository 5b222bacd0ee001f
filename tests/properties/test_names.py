"""Names of concepts in random taxonomies whose labels collide, look like hints, or hold quotes and separators."""

from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy
from taxonym.io.canonical import canonical_text
from taxonym.knowledge.build import Draft
from taxonym.knowledge.names import ConceptNames, splits
from taxonym.publish.wording import name_of
from taxonym.records.vocabulary import Vocabulary
from taxonym.text.finder import Finder
from tests.strategies import graphs

LABELS = (
    "bow", "Bow", "bat", "bow tie", "bow (bat)", "bat (bow)", "bow (bat) (bow)", "bow; bat", 'a "bow"', "Bögen",
    "bow (2)", "2", "bow\u200b", "bow_tie", "(bow)", "bat 2",
)  # fmt: skip


@st.composite
def labelled(draw: st.DrawFn) -> Taxonomy:
    """Random graphs whose concepts have some of few labels; a concept without any is called by its id."""
    draft = Draft("random")
    graph = draw(graphs(12))
    for concept, parents in graph.items():
        labels = draw(st.lists(st.sampled_from(LABELS), max_size=3, unique=True))
        draft.add(concept, labels, instance=draw(st.integers(0, 9)) == 9)
        for parent in parents:
            draft.link(concept, parent)
    return draft.build()


def vocabulary(tax: Taxonomy, own: dict[str, int] | None = None, hints: bool = False) -> Vocabulary:
    return Vocabulary(Finder([tax]), own or {}, False, hints=hints)


@given(tax=labelled(), hints=st.booleans())
def test_every_kind_of_things_has_a_name_of_its_own_that_is_read_back_and_is_no_id(tax: Taxonomy, hints: bool) -> None:
    maps_to = vocabulary(tax, hints=hints)
    names = {code: name_of(tax, code, maps_to) for code in range(len(tax))}
    kinds = [code for code in names if not tax.is_instance(code)]
    printed = [name for code in kinds if (name := names[code]) is not None]
    assert len(set(printed)) == len(printed)
    for code in kinds:
        name = names[code]
        assert name is not None
        assert maps_to(name) == code
        assert name == canonical_text(name)
        assert name != tax.id(code) or name in tax.labels(code)
    assert all(names[code] is None for code in names if tax.is_instance(code))


@given(tax=labelled(), data=st.data())
def test_values_that_are_concepts_of_their_own_are_never_taken_for_names(tax: Taxonomy, data: st.DataObject) -> None:
    every = [w for code in range(len(tax)) for w in ConceptNames(tax).candidates(code)]
    values = data.draw(st.lists(st.sampled_from(every), max_size=3, unique=True))
    own = {value: len(tax) + i for i, value in enumerate(values)}
    maps_to = vocabulary(tax, own)
    names = [name_of(tax, code, maps_to) for code in range(len(tax))]
    assert all(maps_to(value) == code for value, code in own.items())
    assert not set(names) & set(own)
    assert all(name is None or maps_to(name) == code for code, name in enumerate(names))


@given(tax=labelled(), data=st.data())
def test_a_term_with_a_hint_is_read_back_as_the_term_and_its_concept(tax: Taxonomy, data: st.DataObject) -> None:
    code, term = data.draw(st.integers(0, len(tax) - 1)), data.draw(st.sampled_from(["corgis", "x (y)", "a; b", "é"]))
    maps_to = vocabulary(tax, {term: code}, hints=True)
    word = maps_to.printed(term, code)
    hint = maps_to.names.hint(code)
    assert word == (term if hint is None else f"{term} ({hint})")
    assert maps_to(word) == code
    assert maps_to.term(word) == term


@given(st.text("a ()", max_size=12))
def test_splits_are_all_ways_to_put_a_label_before_a_hint(word: str) -> None:
    ways = [(word[:i], word[i + 2 : -1]) for i in range(1, len(word)) if word[i : i + 2] == " (" and word[-1] == ")"]
    assert list(splits(word)) == ways

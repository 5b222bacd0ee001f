import pytest

from taxonym import Taxonomy
from taxonym.errors import BadTaxonomy, CyclicTaxonomy, UnknownConcept
from taxonym.knowledge import graph
from taxonym.knowledge.build import Draft


def test_a_cycle_is_named_with_the_concepts_on_it_and_no_others() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("below", "a"), ("fine", "root")]
    with pytest.raises(CyclicTaxonomy, match=r"own ancestors: a → b → c → a\.") as caught:
        Taxonomy.from_edges(edges)
    assert "below" not in str(caught.value)


def test_a_concept_that_is_its_own_parent_is_a_cycle() -> None:
    with pytest.raises(CyclicTaxonomy, match="x → x"):
        Taxonomy.from_edges([("x", "x"), ("y", "x")])


def test_a_concept_that_is_its_own_parent_is_a_cycle_also_beside_aliases() -> None:
    draft = Draft("x")
    draft.link("x", "x")
    draft.alias("y", "x")
    with pytest.raises(CyclicTaxonomy, match="x → x"):
        draft.build()


def test_a_long_cycle_is_shown_in_part() -> None:
    ring = [(f"n{i:03}", f"n{(i + 1) % 200:03}") for i in range(200)]
    with pytest.raises(CyclicTaxonomy, match=r"n000 → n001 → .* → \(193 more\) → n000"):
        Taxonomy.from_edges(ring)


def test_unknown_parents_are_named_with_their_line() -> None:
    draft = Draft("diseases.obo", declared=True)
    draft.add("flu", line=3)
    draft.link("flu", "virus", line=4)
    with pytest.raises(BadTaxonomy, match=r"diseases.obo: line 4: 1 parent ids are used but never defined: 'virus'"):
        draft.build()


def test_an_id_given_twice_is_named_with_its_line() -> None:
    draft = Draft("x.csv")
    draft.add("flu", line=1)
    with pytest.raises(BadTaxonomy, match=r"x.csv: line 7: the id 'flu' is given twice"):
        draft.add("flu", line=7)


@pytest.mark.parametrize("empty", ["", "   ", "_", "\t"])
def test_an_empty_label_is_refused(empty: str) -> None:
    draft = Draft("x.csv")
    with pytest.raises(BadTaxonomy, match="line 2: the concept 'flu' has an empty label"):
        draft.add("flu", [empty], line=2)


def test_empty_ids_and_empty_ends_of_links_are_refused() -> None:
    with pytest.raises(BadTaxonomy, match="empty id"):
        Draft("x").add("")
    with pytest.raises(BadTaxonomy, match="empty end"):
        Draft("x").link("a", "")


def test_a_file_without_concepts_is_refused() -> None:
    with pytest.raises(BadTaxonomy, match="no concept was found"):
        Draft("x").build()


def test_labels_need_not_be_unique_but_ids_are() -> None:
    draft = Draft("groceries")
    draft.add("meat > sausage", ["sausage"])
    draft.add("meat > sausage > sausage", ["sausage"])
    draft.link("meat > sausage > sausage", "meat > sausage")
    tax = draft.build()
    assert [tax.id(c) for c in tax.codes("sausage")] == ["meat > sausage", "meat > sausage > sausage"]


def test_several_roots_stay_apart_unless_joined() -> None:
    edges = [("a", "one"), ("b", "two")]
    assert len(Taxonomy.from_edges(edges).roots) == 2
    joined = Taxonomy.from_edges(edges, join_roots="all things")
    assert [joined.label(c) for c in joined.roots] == ["all things"]
    assert joined.lcs(joined.code("a"), joined.code("b")) == joined.roots[0]


def test_joining_a_single_root_adds_nothing() -> None:
    assert len(Taxonomy.from_edges([("a", "root")], join_roots=True)) == 2


def test_a_joining_root_does_not_take_an_id_in_use() -> None:
    tax = Taxonomy.from_edges([("a", "everything"), ("b", "two")], join_roots=True)
    assert tax.id(tax.roots[0]) == "(everything)"
    assert tax.label(tax.roots[0]) == "everything"


def test_an_alias_leads_to_the_concept_and_its_links_are_followed() -> None:
    draft = Draft("x", declared=True)
    for id in ("new", "old", "child", "root"):
        draft.add(id, [f"label of {id}"])
    draft.link("child", "old")
    draft.link("new", "root")
    draft.alias("old", "new")
    draft.alias("oldest", "old")
    tax = draft.build()
    assert tax.code("old") == tax.code("oldest") == tax.code("new")
    assert [tax.id(p) for p in tax.parents(tax.code("child"))] == ["new"]
    assert tax.labels(tax.code("new")) == ["label of new", "label of old"]


def test_aliases_in_a_circle_are_refused() -> None:
    draft = Draft("x")
    draft.link("a", "b")
    draft.alias("a", "b")
    draft.alias("b", "a")
    with pytest.raises(BadTaxonomy, match="in a circle"):
        draft.build()


def test_senses_follow_rank_then_count_then_code() -> None:
    draft = Draft("x")
    for id, rank, count in (("c", 0, 1), ("b", 0, 9), ("a", 1, 99), ("d", 0, 1)):
        draft.add(id)
        draft.label(id, "word", rank=rank, count=count)
    tax = draft.build()
    assert [tax.id(c) for c in tax.codes("word")] == ["b", "c", "d", "a"]
    assert tax.counts("word") == [9, 1, 1, 99]


def test_labels_are_found_whatever_their_case_blanks_and_underscores() -> None:
    tax = Taxonomy.from_edges([("Ice_Cream", "food")])
    assert tax.codes("ice  cream") == tax.codes("ICE CREAM") == [tax.code("Ice_Cream")]
    assert tax.codes("cream") == []


def test_a_graph_too_deep_for_32_bits_is_refused_before_memory_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_ANCESTORS", 50)
    with pytest.raises(BadTaxonomy, match="too deep"):
        Taxonomy.from_edges([(str(i), str(i - 1)) for i in range(1, 20)])


def test_several_paths_may_not_sum_up_to_more_ancestors_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_ANCESTORS", 26)
    wide = [("low", f"m{i}") for i in range(8)] + [(f"m{i}", "top") for i in range(8)]
    with pytest.raises(BadTaxonomy, match="more than 26 ancestors"):
        Taxonomy.from_edges(wide)


def test_a_code_that_is_none_is_named() -> None:
    tax = Taxonomy.from_edges([("a", "b")])
    for call in (tax.label, tax.id, tax.parents, tax.ancestors, tax.depth, tax.gloss, tax.is_instance, tax.under):
        for code in (-1, 2):
            with pytest.raises(UnknownConcept, match=f"{code} is not a code; codes run from 0 to 1"):
                call(code)


def test_an_unknown_id_is_named() -> None:
    with pytest.raises(UnknownConcept, match="no concept has the id 'zebra'"):
        Taxonomy.from_edges([("a", "b")]).code("zebra")


def test_a_taxonomy_cannot_be_changed() -> None:
    tax = Taxonomy.from_edges([("a", "b")])
    with pytest.raises(ValueError, match="read-only"):
        tax.depths[0] = 7
    with pytest.raises(AttributeError):
        tax.name = "other"  # type: ignore[misc]

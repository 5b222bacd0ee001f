"""Taxonomies edited by hand."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym import Taxonomy, load
from taxonym.errors import BadInput, BadTaxonomy, TaxonymError
from taxonym.knowledge.edit import ACTIONS, TaxonomyEdit, edit_table, edited, read_edits

FOOD = Taxonomy.from_edges(
    [("fruit", "food"), ("apple", "fruit"), ("pear", "fruit"), ("drink", "food"), ("soda", "drink"), ("bread", "food")],
    name="food",
)


def links(tax: Taxonomy) -> set[tuple[str, str]]:
    return {(tax.label(c), tax.label(p)) for c in range(len(tax)) for p in tax.parents(c)}


def test_a_renamed_concept_shows_its_new_label_and_is_found_under_both() -> None:
    made = edited(FOOD, [TaxonomyEdit("rename", "soda", "soft drink")])
    assert made.label(made.code("soda")) == "soft drink"
    assert made.codes("soda") == made.codes("soft drink") == [made.code("soda")]


def test_a_moved_concept_takes_all_below_it_along() -> None:
    made = edited(FOOD, [TaxonomyEdit("move", "fruit", "drink")])
    assert ("fruit", "drink") in links(made)
    assert ("fruit", "food") not in links(made)
    assert made.code("drink") in made.ancestors(made.code("apple"))


def test_merged_concepts_are_one_under_both_names_and_ids() -> None:
    made = edited(FOOD, [TaxonomyEdit("merge", "pear", "apple")])
    assert len(made) == len(FOOD) - 1
    assert made.code("pear") == made.code("apple")
    assert made.codes("pear") == [made.code("apple")]


def test_what_is_cut_out_leaves_its_children_and_names_to_its_parent() -> None:
    made = edited(FOOD, [TaxonomyEdit("cut", "fruit")])
    assert ("apple", "food") in links(made)
    assert made.codes("fruit") == [made.code("food")]


def test_an_own_branch_can_be_added_filled_and_renamed() -> None:
    made = edited(
        FOOD,
        [
            TaxonomyEdit("add", "bakery", "food"),
            TaxonomyEdit("move", "bread", "bakery"),
            TaxonomyEdit("rename", "bakery", "bakery goods"),
            TaxonomyEdit("add", "rolls", "bakery"),
        ],
    )
    assert {("bread", "bakery goods"), ("rolls", "bakery goods"), ("bakery goods", "food")} <= links(made)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (("move", "food", "apple"), "below itself"),
        (("merge", "fruit", "apple"), "below it"),
        (("merge", "apple", "apple"), "into itself"),
        (("cut", "food", ""), "a root"),
        (("cut", "nothing", ""), "no concept 'nothing'"),
        (("add", "apple", "food"), "already"),
        (("add", " ", "food"), "needs a name"),
        (("rename", "apple", " "), "needs a label"),
        (("fold", "apple", ""), "no action 'fold'"),
    ],
)
def test_an_edit_that_makes_no_sense_is_refused_and_says_why(edit: tuple[str, str, str], why: str) -> None:
    with pytest.raises(BadTaxonomy, match=why):
        edited(FOOD, [TaxonomyEdit(*edit)])


def test_edits_are_read_back_from_their_table_and_a_wrong_table_is_named(tmp_path: Path) -> None:
    edits = [TaxonomyEdit("rename", "a,b", 'the "b"\nc'), TaxonomyEdit("cut", "c")]
    (tmp_path / "e.csv").write_text(edit_table(edits))
    assert read_edits(tmp_path / "e.csv") == edits
    (tmp_path / "e.csv").write_text("action,id,value\ncut,c\n")
    with pytest.raises(BadInput, match="line 2"):
        read_edits(tmp_path / "e.csv")
    (tmp_path / "e.csv").write_text("id\n")
    with pytest.raises(BadInput, match="line 1"):
        read_edits(tmp_path / "e.csv")


def test_wordnet_without_edits_is_wordnet_and_an_edit_keeps_counts_and_related_words() -> None:
    tax = load("wordnet")
    assert edited(tax, []).fingerprint == tax.fingerprint
    made = edited(tax, [TaxonomyEdit("rename", "roll.n.01", "bun")])
    assert len(made) == len(tax)
    assert made.counts("bank") == tax.counts("bank")
    assert len(made.related) == len(tax.related)


NAMES = [*(FOOD.id(code) for code in range(len(FOOD))), "own", "other"]


@given(st.lists(st.tuples(st.sampled_from(ACTIONS), st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=8))
def test_whatever_is_edited_every_old_name_still_leads_to_a_concept_and_nothing_is_its_own_ancestor(
    edits: list[tuple[str, str, str]],
) -> None:
    done: list[TaxonomyEdit] = []
    for edit in edits:
        try:
            edited(FOOD, [*done, TaxonomyEdit(*edit)])
        except TaxonymError:
            continue
        done.append(TaxonomyEdit(*edit))
    made = edited(FOOD, done)
    added = [edit.id for edit in done if edit.action == "add"]
    for name in (*(FOOD.id(code) for code in range(len(FOOD))), *added):
        assert made.codes(name)
        made.code(name)
    assert made.roots

"""What concepts are called: labels that are usual and clear, hints where labels are not enough."""

from pathlib import Path

import pytest

from taxonym import Taxonomy, load
from taxonym.knowledge.build import Draft
from taxonym.knowledge.names import ConceptNames
from taxonym.publish.wording import name_of
from taxonym.records.vocabulary import Vocabulary
from taxonym.text.finder import Finder


def called(tax: Taxonomy, id: str, *, hints: bool = False) -> str | None:
    return name_of(tax, tax.code(id), Vocabulary(Finder([tax], senses="first"), {}, False, hints=hints))


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("state.n.02", "state (attribute)"),  # the first meaning of its only label is a province
        ("change.n.03", "change (action)"),
        ("whole.n.02", "whole (object)"),
        ("dog.n.01", "dog"),
        ("depository_financial_institution.n.01", "bank (financial institution)"),  # not by a rare label
        ("lead.n.02", "lead (metal)"),  # neither Pb nor atomic number 82, which are hardly ever read
        ("artifact.n.01", "artifact"),
        ("bodily_process.n.01", "bodily function"),  # which means nothing else, while an activity is mostly another
    ],
)
def test_a_concept_of_wordnet_is_called_as_people_call_it(id: str, name: str) -> None:
    assert called(load("wordnet"), id) == name


def test_with_hints_every_name_tells_what_is_above() -> None:
    tax = load("wordnet")
    assert called(tax, "dog.n.01", hints=True) == "dog (canid)"
    assert called(tax, "entity.n.01", hints=True) == "entity"  # nothing is


def test_a_path_is_called_by_its_last_step_and_by_the_one_above_where_that_is_not_clear(tmp_path: Path) -> None:
    path = tmp_path / "categories.txt"
    path.write_text(
        "top/arts/music/bands\ntop/arts/film/bands\ntop/regional/us/california\ntop/business/accountants/california\n"
        "top/computers/a/x/deep\ntop/computers/b/x/deep\ntop/sports/a/y/deep\n"
    )
    tax = load(path)
    names = {tax.id(code): called(tax, tax.id(code)) for code in range(len(tax))}
    assert names["top/arts/music"] == "music"
    assert {names["top/arts/music/bands"], names["top/arts/film/bands"]} == {"bands", "bands (music)"}
    assert {names["top/regional/us/california"], names["top/business/accountants/california"]} == {
        "california (us)",
        "california",
    }
    assert len(set(names.values())) == len(names)
    assert not any("/" in (name or "") for name in names.values())


def test_where_no_single_word_tells_meanings_apart_several_do_and_numbers_come_last() -> None:
    draft = Draft("twins")
    for id, label, parents in (
        ("x", "x", []), ("y", "y", []), ("px", "p", ["x"]), ("py", "p", ["y"]), ("qx", "q", ["x"]), ("qy", "q", ["y"]),
        ("1", "a", ["px"]), ("2", "a", ["py"]), ("3", "a", ["qx"]), ("4", "a", ["qy"]),
        ("5", "b", ["x"]), ("6", "b", ["x"]),
    ):  # fmt: skip
        draft.add(id, [label])
        for parent in parents:
            draft.link(id, parent)
    tax = draft.build()
    names = ConceptNames(tax)
    assert [next(w for w in names.candidates(tax.code(id)) if "(" in w) for id in "1234"] == [
        "a (p, x)",
        "a (p, y)",
        "a (q, x)",
        "a (q, y)",
    ]
    assert {called(tax, "5"), called(tax, "6")} == {"b", "b (x 2)"}


def test_a_source_that_has_counted_nothing_tells_itself_which_label_is_best() -> None:
    draft = Draft("diseases")
    draft.add("d", ["type 2 diabetes mellitus", "NIDDM"])
    assert called(draft.build(), "d") == "type 2 diabetes mellitus"

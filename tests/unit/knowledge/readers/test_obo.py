"""OBO ontologies."""

import pytest

from taxonym.errors import BadPlan, BadTaxonomy, CyclicTaxonomy
from taxonym.knowledge.readers.obo import read_obo

HEADER = "format-version: 1.2\ndefault-namespace: animals\nimport: other.obo ! the other one\n\n"
ANIMALS = (
    HEADER
    + r"""
! a comment
[Term]
id: A:1
name: animal
def: "A living thing that \"moves\"\, mostly." [BOOK:1 "x"] {source="y"}

[Term]
id: A:2
name: cat {source="z"} ! not the machine
synonym: "Felis catus" EXACT []
synonym: "pussy\Wcat" []
synonym: "feline" BROAD [X:1]
alt_id: A:20
is_a: A:1 {source="x ! y", is_inferred="true"} ! animal

[Term]
id: A:3
name: tail
relationship: part_of A:2 ! cat

[Term]
id: A:4
name: old cat
is_obsolete: true
replaced_by: A:2

[Term]
id: A:5
name: very old cat
is_obsolete: true
consider: A:2

[Term]
id: A:6
name: kitten
is_a: A:4

[Term]
id: A:7
name: whiskers
is_a: A:5

[Typedef]
id: part_of
name: part of

[Instance]
id: A:8
name: Tom
instance_of: A:20
"""
)


def write(tmp_path, content, name="animals.obo"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def build(tmp_path, content, **options):
    return read_obo(write(tmp_path, content), **options).build()


def parents(tax, id):
    return [tax.id(parent) for parent in tax.parents(tax.code(id))]


def test_names_synonyms_and_definitions_lose_their_quotes_escapes_modifiers_and_comments(tmp_path):
    tax = build(tmp_path, ANIMALS)
    assert tax.labels(tax.code("A:2")) == ["cat", "Felis catus", "pussy cat"]
    assert tax.gloss(tax.code("A:1")) == 'A living thing that "moves", mostly.'
    assert len(tax) == 6


def test_all_synonyms_are_labels_only_on_request(tmp_path):
    assert build(tmp_path, ANIMALS).codes("feline") == []
    tax = build(tmp_path, ANIMALS, synonyms="all")
    assert tax.codes("feline") == [tax.code("A:2")]
    with pytest.raises(BadPlan, match="Choose one of exact, all"):
        build(tmp_path, ANIMALS, synonyms="some")


def test_is_a_survives_modifiers_and_comments_and_part_of_is_followed_on_request(tmp_path):
    tax = build(tmp_path, ANIMALS)
    assert parents(tax, "A:2") == ["A:1"]
    assert parents(tax, "A:3") == []
    assert parents(build(tmp_path, ANIMALS, relations=("is_a", "part_of")), "A:3") == ["A:2"]


def test_a_relation_that_the_file_lacks_is_an_error_that_lists_those_it_has(tmp_path):
    with pytest.raises(BadTaxonomy, match=r"has no relation 'partof'. It has: is_a, part_of"):
        build(tmp_path, ANIMALS, relations=("partof",))


def test_merged_and_replaced_ids_lead_to_the_concept_in_use(tmp_path):
    tax = build(tmp_path, ANIMALS)
    assert tax.code("A:20") == tax.code("A:4") == tax.code("A:2")
    assert parents(tax, "A:6") == ["A:2"]


def test_a_link_to_an_obsolete_term_without_one_replacement_is_dropped_with_a_note(tmp_path):
    draft = read_obo(write(tmp_path, ANIMALS))
    assert draft.notes == [
        "imports are not followed: other.obo",
        "1 links to obsolete concepts without one replacement were dropped",
    ]
    tax = draft.build()
    assert parents(tax, "A:7") == []
    assert tax.codes("very old cat") == []


def test_instances_are_marked_and_below_their_kind(tmp_path):
    tax = build(tmp_path, ANIMALS)
    assert parents(tax, "A:8") == ["A:2"]
    assert tax.is_instance(tax.code("A:8"))
    assert not tax.is_instance(tax.code("A:2"))


def test_equivalent_terms_are_one_concept_with_the_smallest_id(tmp_path):
    stanzas = '[Term]\nid: Z\nname: zed\n\n[Term]\nid: B\nname: bee\ndef: "bzz" []\nequivalent_to: A\nis_a: Z\n\n'
    tax = build(tmp_path, stanzas + "[Term]\nid: A\nname: aye\n\n[Term]\nid: C\nname: sea\nis_a: B\n")
    assert tax.code("B") == tax.code("A")
    assert tax.id(tax.code("B")) == "A"
    assert tax.labels(tax.code("A")) == ["aye", "bee"]
    assert tax.gloss(tax.code("A")) == "bzz"
    assert parents(tax, "C") == ["A"]
    assert parents(tax, "A") == ["Z"]


def test_the_genus_of_a_definition_is_a_parent_unless_the_links_lead_there_anyway(tmp_path):
    chain = "[Term]\nid: A\n\n[Term]\nid: B\nis_a: A\n\n[Term]\nid: C\nis_a: B\nintersection_of: A\n"
    chain += "intersection_of: part_of B\n\n[Term]\nid: D\nintersection_of: A\n"
    tax = build(tmp_path, chain)
    assert parents(tax, "C") == ["B"]
    assert parents(tax, "D") == ["A"]


def test_one_namespace_can_be_chosen_and_its_links_to_others_are_left_out(tmp_path):
    content = HEADER + "[Term]\nid: A\n\n[Term]\nid: B\nnamespace: plants\nis_a: A\n\n[Term]\nid: C\n"
    content += "namespace: plants\nis_a: B\n"
    tax = build(tmp_path, content, namespace="plants")
    assert [tax.id(c) for c in range(len(tax))] == ["B", "C"]
    with pytest.raises(BadTaxonomy, match=r"has no namespace 'stones'. It has: animals, plants"):
        build(tmp_path, content, namespace="stones")


def test_a_line_that_ends_in_a_backslash_goes_on(tmp_path):
    tax = build(tmp_path, "[Term]\nid: A\nname: a very \\\nlong name\n")
    assert tax.label(0) == "a very long name"


def test_a_name_may_hold_braces_and_exclamation_marks(tmp_path):
    tax = build(tmp_path, "[Term]\nid: A\nname: N-{2} {acid} wow! \\! yes\n")
    assert tax.label(0) == "N-{2} {acid} wow! ! yes"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[Term]\nid: A\nis_a: B\n\n[Term]\nid: C\nis_a: D\n", "2 parent ids are used but never defined: 'B', 'D'"),
        ("[Term]\nid: A\n\n[Term]\nid: A\n", "line 5: the id 'A' is given twice"),
        ("[Term]\nname: x\n", r"line 2: a \[Term\] stanza has no id"),
        ("[Term]\nid:\n", "line 2: an id is empty"),
        ("[Term]\nid: A\nname:\n", "line 2: the concept 'A' has an empty label"),
        ("[Term]\nid: A\ndef: open\n", "line 3: a text in quotation marks is expected"),
        ("hello world\n", "line 1: is neither 'tag: value' nor"),
        ("format-version: 1.2\n", "no concept was found"),
        (b"[Term]\nid: A\nname: caf\xe9\n", "is not utf-8 text"),
        (b"\x1f\x8b\x08\x00broken", "damaged or cut short"),
    ],
)
def test_a_fault_is_one_error_that_names_the_place(tmp_path, content, complaint):
    with pytest.raises(BadTaxonomy, match=complaint):
        build(tmp_path, content)


def test_a_cycle_is_named(tmp_path):
    with pytest.raises(CyclicTaxonomy, match=r"A → B → A|B → A → B"):
        build(tmp_path, "[Term]\nid: A\nis_a: B\n\n[Term]\nid: B\nis_a: A\n")


@pytest.mark.parametrize("filler", ["x", " ", " !", " {", '\\"'])
def test_a_line_of_a_million_characters_takes_no_time(tmp_path, filler):
    long = filler * (1_000_000 // len(filler))
    tax = build(tmp_path, f'[Term]\nid: A\nname: a{long}b\ndef: "{long}" []\nis_a: B ! {long}\n\n[Term]\nid: B\n')
    assert parents(tax, "A") == ["B"]


def test_replacements_that_run_in_a_circle_lead_nowhere(tmp_path):
    circle = "[Term]\nid: A\n\n[Term]\nid: B\nis_obsolete: true\nreplaced_by: C\n\n"
    draft = read_obo(write(tmp_path, circle + "[Term]\nid: C\nis_obsolete: true\nreplaced_by: B\n"))
    assert len(draft.build()) == 1

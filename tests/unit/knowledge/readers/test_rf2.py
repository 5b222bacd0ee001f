"""SNOMED CT snapshots, on a small release made here."""

from pathlib import Path

import pytest

from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.knowledge.readers.rf2 import read_rf2

IS_A, PART_OF = "116680003", "123005000"
INFERRED, STATED, SOME = "900000000000011006", "900000000000010007", "900000000000451002"
FULL, SYNONYM = "900000000000003001", "900000000000013009"
US, GB = "900000000000509007", "900000000000508004"
PREFERRED, ACCEPTABLE = "900000000000548007", "900000000000549004"
SAME_AS, REPLACED_BY, MOVED_TO = "900000000000527005", "900000000000526001", "900000000000524003"
HEADERS = {
    "Concept": "id effectiveTime active moduleId definitionStatusId",
    "Relationship": "id effectiveTime active moduleId sourceId destinationId relationshipGroup typeId "
    "characteristicTypeId modifierId",
    "Description": "id effectiveTime active moduleId conceptId languageCode typeId term caseSignificanceId",
    "Language": "id effectiveTime active moduleId refsetId referencedComponentId acceptabilityId",
    "Association": "id effectiveTime active moduleId refsetId referencedComponentId targetComponentId",
}
FILES = {
    "Concept": "Snapshot/Terminology/sct2_Concept_Snapshot_INT_20240101.txt",
    "Relationship": "Snapshot/Terminology/sct2_Relationship_Snapshot_INT_20240101.txt",
    "Description": "Snapshot/Terminology/sct2_Description_Snapshot-en_INT_20240101.txt",
    "Language": "Snapshot/Refset/Language/der2_cRefset_LanguageSnapshot-en_INT_20240101.txt",
    "Association": "Snapshot/Refset/Content/der2_cRefset_AssociationSnapshot_INT_20240101.txt",
}


def concept(id, active=1):
    return (id, 0, active, 0, 0)


def relation(child, parent, kind=IS_A, active=1, how=INFERRED, modifier=SOME):
    return (1, 0, active, 0, child, parent, 0, kind, how, modifier)


def term(id, concept, text, kind=SYNONYM, active=1, language="en"):
    return (id, 0, active, 0, concept, language, kind, text, 0)


def preference(description, refset=US, acceptable=PREFERRED, active=1):
    return ("x", 0, active, 0, refset, description, acceptable)


def association(retired, target, refset=SAME_AS, active=1):
    return ("x", 0, active, 0, refset, retired, target)


@pytest.fixture
def release(tmp_path: Path):
    def write(**rows: list[tuple[object, ...]]) -> Path:
        given = {
            "Concept": [concept(i) for i in (1, 2, 3)] + [concept(9, 0)],
            "Relationship": [relation(2, 1), relation(3, 2)],
            "Description": [
                term(11, 1, "Finding (finding)", FULL),
                term(21, 2, "Anemia (disorder)", FULL),
                term(22, 2, "Anaemia"),
                term(23, 2, "Anemia"),
                term(31, 3, 'The "5 inch (big)" one (disorder)', FULL),
            ],
            **rows,
        }
        for kind, found in given.items():
            path = tmp_path / FILES[kind]
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = ["\t".join(HEADERS[kind].split()), *("\t".join(map(str, row)) for row in found)]
            path.write_text("\r\n".join(lines) + "\r\n", encoding="utf-8", newline="")
        return tmp_path

    return write


def links(tax) -> set[tuple[str, str]]:
    return {(tax.id(c), tax.id(p)) for c in range(len(tax)) for p in tax.parents(c)}


def test_active_concepts_are_linked_by_active_inferred_relations_alone(release):
    folder = release(
        Relationship=[
            relation(2, 1),
            relation(3, 1),
            relation(3, 2, active=0),
            relation(1, 2, how=STATED),
            relation(1, 3, modifier="900000000000450001"),
            relation(2, 3, kind=PART_OF),
            relation(9, 1),
        ]
    )
    stated = folder / "Snapshot/Terminology/sct2_StatedRelationship_Snapshot_INT_20240101.txt"
    stated.write_text("not read", encoding="utf-8")
    tax = read_rf2(folder).build()
    assert links(tax) == {("2", "1"), ("3", "1")}
    assert len(tax) == 3
    assert links(read_rf2(folder, relations=("is_a", "part_of")).build()) == {("2", "1"), ("3", "1"), ("2", "3")}


def test_the_label_is_the_full_name_without_its_tag_where_no_term_is_preferred(release):
    tax = read_rf2(release()).build()
    assert tax.labels(tax.code("2")) == ["Anemia", "Anaemia", "Anemia (disorder)"]
    assert tax.codes("finding (finding)") == [tax.code("1")]


def test_quotes_are_plain_text_and_only_the_last_parenthesis_is_the_tag(release):
    tax = read_rf2(release()).build()
    assert tax.label(tax.code("3")) == 'The "5 inch (big)" one'


@pytest.mark.parametrize(("language", "label"), [("en", "Anemia"), ("en-US", "Anemia"), ("en-GB", "Anaemia")])
def test_the_label_is_what_the_dialect_prefers(release, language, label):
    folder = release(
        Language=[preference(22, GB), preference(23, US), preference(22, US, ACCEPTABLE), preference(22, US, active=0)]
    )
    tax = read_rf2(folder, language=language).build()
    assert tax.label(tax.code("2")) == label
    assert set(tax.labels(tax.code("2"))) == {"Anemia", "Anaemia", "Anemia (disorder)"}


def test_other_languages_and_inactive_terms_are_left_out_and_nameless_concepts_noted(release):
    folder = release(Description=[term(11, 1, "Befund", language="de"), term(12, 1, "x"), term(13, 2, "y", active=0)])
    draft = read_rf2(folder, language="de")
    tax = draft.build()
    assert [tax.labels(tax.code(id)) for id in "123"] == [["Befund"], ["2"], ["3"]]
    assert "2 concepts have no name in 'de'" in draft.notes[0]


def test_retired_ids_lead_to_what_replaces_them_also_through_others(release):
    folder = release(
        Concept=[concept(1), concept(2), concept(3), *(concept(i, 0) for i in (6, 7, 8, 9))],
        Association=[
            association(9, 8),
            association(8, 2, REPLACED_BY),
            association(8, 1, SAME_AS),
            association(7, 6),
            association(6, 7),
            association(3, 1),
            association(6, 1, active=0),
            association(7, 1, MOVED_TO),
        ],
    )
    tax = read_rf2(folder).build()
    assert tax.code("9") == tax.code("8") == tax.code("2")
    assert "3" in list(tax.ids)
    assert list(tax.aliases) == ["8", "9"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({"Concept": [concept(1, 0)]}, ["empty or holds no concept"]),
        ({"Relationship": [relation(3, 77)]}, ["never defined: '77'", "line 2"]),
        ({"Relationship": [(1, 2, 3)]}, ["sct2_Relationship", "line 2", "3 cells instead of 10", "Unpack"]),
        ({"Description": [term(11, 1, "f", language="es")]}, ["language 'en'", "There are: es"]),
        ({"Description": [term(11, 1, " ")]}, ["sct2_Description", "line 2", "empty term"]),
        ({"Description": [term("x", 1, "f")]}, ["sct2_Description", "line 2", "id that is not a number"]),
        ({"Description": [term(11, 1, "f\0")]}, ["sct2_Description", "line 2", "NUL byte"]),
        ({"Association": [association(9, "x")]}, ["der2_cRefset_Association", "line 2", "target that is not a number"]),
    ],
)
def test_a_broken_release_ends_in_one_line_that_helps(release, rows, words):
    with pytest.raises(BadTaxonomy) as error:
        read_rf2(release(**rows)).build()
    message = str(error.value)
    assert "\n" not in message
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ("content", "words"),
    [("", "file is empty"), ("id\tterm\n", "header has no 'active'"), (b"\xff\xfe", "is not utf-8 text")],
)
def test_a_file_that_is_no_snapshot_is_named(release, content, words):
    folder = release()
    (folder / FILES["Concept"]).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadTaxonomy, match=f"sct2_Concept.*{words}"):
        read_rf2(folder)


def test_a_folder_without_a_release_or_with_two_is_named(release, tmp_path):
    with pytest.raises(BadTaxonomy, match="has no file sct2_Concept_Snapshot"):
        read_rf2(tmp_path)
    folder = release()
    (folder / "sct2_Concept_Snapshot_INT_20230101.txt").write_text("", encoding="utf-8")
    with pytest.raises(BadTaxonomy, match="holds two releases"):
        read_rf2(folder)
    with pytest.raises(BadTaxonomy, match="is not a folder"):
        read_rf2(folder / FILES["Concept"])


def test_a_relation_that_does_not_exist_is_named(release):
    with pytest.raises(BadPlan, match=r"'near' is not known\. Choose from is_a, part_of"):
        read_rf2(release(), relations=("near",))

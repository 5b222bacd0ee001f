"""The Spanish language pack, and languages without one."""

import pytest

from taxonym import Finder, Taxonomy, map_column
from taxonym.errors import BadPlan
from taxonym.text.language import LANGUAGES, OTHER, SPANISH, language_named, pack_code
from taxonym.text.terms import terms_of
from taxonym.text.word_vectors import vectors_of

FOOD = [
    ("pan", "alimento"), ("pez", "alimento"), ("tomate", "alimento"), ("melocotón", "alimento"), ("zumo", "alimento"),
    ("naranja", "alimento"), ("vino", "alimento"), ("vino tinto", "vino"), ("dolor", "síntoma"), ("jersey", "ropa"),
    ("dolor de cabeza", "dolor"), ("niño", "persona"), ("doctor", "persona"), ("hora", "tiempo"), ("dulce", "alimento"),
]  # fmt: skip


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder(Taxonomy.from_edges(FOOD), language=SPANISH, senses="first")


def labels(finder: Finder, text: str) -> list[str]:
    return [finder.taxonomy.label(code) for _, code in terms_of(finder, [text], entries=True)[0].known]


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("Panes", "pan"),
        ("peces", "pez"),
        ("dulces", "dulce"),
        ("tomates", "tomate"),
        ("melocotones", "melocotón"),
        ("melocoton", "melocotón"),
        ("NIÑOS", "niño"),
        ("ninos", "niño"),
        ("doctoras", "doctor"),
        ("horas", "hora"),
        ("jerséis", "jersey"),
        ("vinos tintos", "vino tinto"),
        ("dolores de cabeza", "dolor de cabeza"),
        ("Vino Tinto", "vino tinto"),
    ],
)
def test_plurals_accents_and_capitals_lead_to_the_label(finder: Finder, value: str, label: str) -> None:
    assert labels(finder, value) == [label]


def test_a_value_of_one_concept_has_that_of_its_first_noun(finder: Finder) -> None:
    """In English the head of a phrase comes last."""
    said = terms_of(finder, ["zumo con naranja"], entries=True, single=True)[0]
    assert [finder.taxonomy.label(code) for _, code in said.known] == ["zumo"]


def test_words_without_content_are_neither_known_nor_unknown(finder: Finder) -> None:
    text = "me han dado pan y un zumo de tomate"
    assert [mention.label for mention in finder.find(text)] == ["pan", "zumo", "tomate"]
    assert [text[start:end] for start, end in finder.unknown(text)] == ["dado"]


def test_gerunds_and_participles_lead_to_the_verb() -> None:
    assert "cocinar" in SPANISH.lemmas("cocinando", "v")
    assert {"comer", "comir"} <= set(SPANISH.lemmas("comiendo", "v"))


def test_of_a_language_without_a_pack_labels_are_found_as_they_are_written() -> None:
    tax = Taxonomy.from_edges([("crème brûlée", "dessert"), ("pommes", "fruit")])
    finder = Finder(tax, language=OTHER, senses="first")
    assert labels(finder, "Creme brulee") == ["crème brûlée"]
    assert labels(finder, "pommes") == ["pommes"]
    assert OTHER.lemmas("pommes", "n") == ("pommes",)


def test_a_language_tag_leads_to_its_pack() -> None:
    assert [pack_code(tag) for tag in ("en-GB", "es_MX", "ES", "fr")] == ["en", "es", "es", "other"]
    assert language_named("es") is LANGUAGES["es"] is SPANISH
    with pytest.raises(BadPlan, match=r"language: 'xx' is not known. Choose one of en, es, other"):
        language_named("xx")


def test_english_vectors_say_nothing_about_words_of_another_language() -> None:
    """pan is bread, whatever an English pan is near to."""
    assert len(vectors_of("en").words) > 0
    assert vectors_of("es").numbers("pan con chocolate") == []
    tax = Taxonomy.from_edges([("pan", "alimento"), ("cocina", "lugar"), ("sartén", "cocina")])
    finder = Finder(tax, language=SPANISH)
    assert [mention.label for mention in finder.find("pan y una sartén")] == ["pan", "sartén"]
    assert map_column(tax, ["panes", "sartenes"], language=SPANISH) == {
        "panes": [tax.code("pan")],
        "sartenes": [tax.code("sartén")],
    }

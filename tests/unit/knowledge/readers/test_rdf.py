"""OWL and SKOS in their RDF forms."""

import gzip
import sys

import pytest

from taxonym.errors import BadTaxonomy, CyclicTaxonomy, MissingExtra
from taxonym.knowledge.readers import rdf
from taxonym.knowledge.readers.owl import read_owl
from taxonym.knowledge.readers.skos import read_skos

PREFIXES = """
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix : <http://example.org/zoo#> .
"""
XML_HEAD = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
"""
XML_BODY = """<owl:Class rdf:about="http://example.org/zoo#Cat"><rdfs:label>cat</rdfs:label>
<rdfs:subClassOf rdf:resource="http://example.org/zoo#Animal"/></owl:Class>
<owl:Class rdf:about="http://example.org/zoo#Animal"/></rdf:RDF>"""


@pytest.fixture(autouse=True)
def _needs_the_extra():
    pytest.importorskip("pyoxigraph", reason="the extra taxonym[rdf] is not installed")


def write(tmp_path, content, name="zoo.ttl"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def owl(tmp_path, turtle, **options):
    return read_owl(write(tmp_path, PREFIXES + turtle), **options)


def skos(tmp_path, turtle, **options):
    return read_skos(write(tmp_path, PREFIXES + turtle), **options)


def parents(tax, id):
    return sorted(tax.id(parent) for parent in tax.parents(tax.code(id)))


# ---------------------------------------------------------------------- OWL


def test_classes_are_below_their_named_superclasses_and_thing_is_no_concept(tmp_path):
    tax = owl(tmp_path, ":Cat a owl:Class; rdfs:subClassOf :Animal, owl:Thing. :Animal a owl:Class.").build()
    assert len(tax) == 2
    assert parents(tax, "Cat") == ["http://example.org/zoo#Animal"]
    assert tax.depth(tax.code("Animal")) == 1


def test_an_obo_iri_has_the_id_of_the_obo_file_and_others_keep_their_iri(tmp_path):
    tax = owl(
        tmp_path, "obo:HP_0000118 a owl:Class. <http://x/a#Cat> a owl:Class. <http://x/b/Cat> a owl:Class."
    ).build()
    assert tax.id(tax.code("http://purl.obolibrary.org/obo/HP_0000118")) == "HP:0000118"
    assert tax.id(tax.code("http://x/a#Cat")) == "http://x/a#Cat"
    assert "Cat" not in list(tax.aliases)  # two concepts would claim it


def test_restrictions_are_links_only_if_their_property_is_chosen(tmp_path):
    turtle = """:Tail a owl:Class; rdfs:subClassOf [a owl:Restriction; owl:onProperty obo:BFO_0000050;
      owl:someValuesFrom :Cat], [owl:onProperty :near; owl:someValuesFrom :Dog]. :Cat a owl:Class. :Dog a owl:Class."""
    assert parents(owl(tmp_path, turtle).build(), "Tail") == []
    for name in ("part_of", "BFO:0000050", "http://purl.obolibrary.org/obo/BFO_0000050"):
        assert parents(owl(tmp_path, turtle, relations=("is_a", name)).build(), "Tail") == [
            "http://example.org/zoo#Cat"
        ]
    assert parents(owl(tmp_path, turtle, relations=("near",)).build(), "Tail") == ["http://example.org/zoo#Dog"]
    with pytest.raises(BadTaxonomy, match=r"has no relation 'beside'. It has: .*near"):
        owl(tmp_path, turtle, relations=("beside",))


def test_named_parts_of_an_intersection_are_parents_unless_the_links_lead_there_anyway(tmp_path):
    turtle = """:A a owl:Class. :B a owl:Class; rdfs:subClassOf :A.
      :C a owl:Class; rdfs:subClassOf :B; owl:equivalentClass [owl:intersectionOf (:A [owl:onProperty :p])].
      :D a owl:Class; rdfs:subClassOf [owl:intersectionOf (:B [owl:intersectionOf (:E)])]. :E a owl:Class.
      :F a owl:Class; owl:intersectionOf (:A)."""
    tax = owl(tmp_path, turtle).build()
    zoo = "http://example.org/zoo#"
    assert parents(tax, "C") == [zoo + "B"]
    assert parents(tax, "D") == [zoo + "B", zoo + "E"]
    assert parents(tax, "F") == [zoo + "A"]


def test_a_list_that_runs_in_a_circle_ends(tmp_path):
    tax = owl(
        tmp_path, ":A a owl:Class; rdfs:subClassOf _:x. _:x owl:intersectionOf _:l. _:l rdf:first _:x; rdf:rest _:l."
    )
    assert len(tax.build()) == 1


def test_equal_classes_are_one_concept_with_the_smallest_id_whatever_the_order(tmp_path):
    statements = [
        ":B a owl:Class; rdfs:label 'bee'; owl:equivalentClass :A, <http://elsewhere/Bee>.",
        ":A a owl:Class; rdfs:label 'aye'; rdfs:subClassOf :Top. :Top a owl:Class.",
        ":C a owl:Class; rdfs:subClassOf :B; owl:equivalentClass :D. :D a owl:Class.",
    ]
    one, other = (owl(tmp_path, "\n".join(order)).build() for order in (statements, statements[::-1]))
    assert one.fingerprint == other.fingerprint
    assert one.id(one.code("B")) == "http://example.org/zoo#A"
    assert one.labels(one.code("B")) == ["aye", "bee"]
    assert one.code("http://elsewhere/Bee") == one.code("A")
    assert parents(one, "D") == ["http://example.org/zoo#A"]


def test_deprecated_classes_are_skipped_and_lead_to_their_replacement(tmp_path):
    turtle = """obo:X_1 a owl:Class. obo:X_2 a owl:Class; owl:deprecated true; obo:IAO_0100001 obo:X_1.
      obo:X_3 a owl:Class; rdfs:subClassOf obo:X_2. obo:X_4 a owl:Class; owl:deprecated true.
      obo:X_5 a owl:Class; rdfs:subClassOf obo:X_4; oio:hasAlternativeId "X:50"."""
    draft = owl(tmp_path, turtle)
    tax = draft.build()
    assert len(tax) == 3
    assert tax.code("X:2") == tax.code("http://purl.obolibrary.org/obo/X_2") == tax.code("X:1")
    assert tax.code("X:50") == tax.code("X:5")
    assert parents(tax, "X:3") == ["X:1"]
    assert any("1 links to obsolete concepts" in note for note in draft.notes)


def test_labels_come_in_the_order_of_their_kind_and_exact_ones_alone_unless_asked(tmp_path):
    turtle = """:A a owl:Class; skos:altLabel 'four'; oio:hasExactSynonym 'three'; skos:prefLabel 'two';
      rdfs:label 'one'; oio:hasRelatedSynonym 'five'; obo:IAO_0000115 'the first letter'."""
    assert owl(tmp_path, turtle).build().labels(0) == ["one", "two", "three", "four"]
    assert owl(tmp_path, turtle, synonyms="all").build().labels(0)[-1] == "five"
    assert owl(tmp_path, turtle).build().gloss(0) == "the first letter"


def test_named_individuals_are_instances_below_their_class(tmp_path):
    tax = owl(tmp_path, ":Tom a owl:NamedIndividual, :Cat. :Cat a owl:Class.").build()
    assert parents(tax, "Tom") == ["http://example.org/zoo#Cat"]
    assert tax.is_instance(tax.code("Tom"))


def test_a_parent_from_another_ontology_is_a_root_and_is_noted(tmp_path):
    draft = owl(tmp_path, "<http://o> owl:imports <http://b>. :Cat a owl:Class; rdfs:subClassOf obo:BFO_0000040.")
    assert draft.notes[:2] == [
        "imports are not followed: http://b",
        "1 parents are defined in another ontology and are roots here: BFO:0000040",
    ]
    assert parents(draft.build(), "Cat") == ["BFO:0000040"]


# ---------------------------------------------------------------------- SKOS


def test_broader_and_narrower_say_the_same_from_both_ends(tmp_path):
    down = skos(tmp_path, ":a a skos:Concept; skos:prefLabel 'a'; skos:narrower :b. :b skos:prefLabel 'b'.").build()
    up = skos(tmp_path, ":b a skos:Concept; skos:prefLabel 'b'; skos:broader :a. :a skos:prefLabel 'a'.").build()
    assert down.fingerprint == up.fingerprint
    assert parents(up, "b") == ["http://example.org/zoo#a"]


def test_top_concepts_are_concepts_but_schemes_are_no_parents(tmp_path):
    tax = skos(tmp_path, ":a skos:topConceptOf :scheme. :scheme skos:hasTopConcept :b; a skos:ConceptScheme.").build()
    assert len(tax) == len(tax.roots) == 2


def test_transitive_links_count_only_where_there_are_no_others_and_only_the_nearest(tmp_path):
    chain = ":c skos:broaderTransitive :b, :a. :b skos:broaderTransitive :a. "
    assert parents(skos(tmp_path, chain).build(), "c") == ["http://example.org/zoo#b"]
    tax = skos(tmp_path, chain + ":d skos:broader :a. :c a skos:Concept.").build()
    assert parents(tax, "c") == []


def test_labels_are_ranked_preferred_alternative_hidden(tmp_path):
    turtle = (
        ":a a skos:Concept; skos:hiddenLabel 'kat'; skos:altLabel 'puss'; skos:prefLabel 'cat'; skos:definition 'x'."
    )
    tax = skos(tmp_path, turtle + " :b a skos:Concept; skos:prefLabel 'kat'.").build()
    assert tax.labels(tax.code("a")) == ["cat", "puss", "kat"]
    assert tax.codes("kat") == [tax.code("b"), tax.code("a")]
    assert tax.gloss(tax.code("a")) == "x"


def test_exact_matches_inside_the_file_are_one_concept_and_others_are_left_alone(tmp_path):
    tax = skos(tmp_path, ":a a skos:Concept; skos:exactMatch :b, <http://elsewhere/a>. :b a skos:Concept.").build()
    assert len(tax) == 1
    assert tax.code("b") == 0
    assert "http://elsewhere/a" not in list(tax.aliases)


def test_deprecated_concepts_are_skipped_and_lead_to_their_replacement(tmp_path):
    tax = skos(tmp_path, ":a a skos:Concept. :b a skos:Concept; owl:deprecated true; dct:isReplacedBy :a.").build()
    assert len(tax) == 1
    assert tax.code("http://example.org/zoo#b") == 0


def test_a_cycle_of_broader_concepts_is_an_error(tmp_path):
    with pytest.raises(CyclicTaxonomy):
        skos(tmp_path, ":a skos:broader :b. :b skos:broader :a.").build()


# ---------------------------------------------------------------------- languages


def test_labels_are_of_the_language_or_of_none_the_very_language_first(tmp_path):
    turtle = ":a a skos:Concept; skos:prefLabel 'colour'@en-GB, 'color'@en, 'Farbe'@de; skos:altLabel 'hue'."
    assert skos(tmp_path, turtle).build().labels(0) == ["color", "colour", "hue"]
    assert skos(tmp_path, turtle, language="de").build().labels(0) == ["Farbe", "hue"]


def test_a_concept_without_a_label_shows_the_end_of_its_id_and_is_counted(tmp_path):
    draft = skos(tmp_path, "<http://x/big%20cat> a skos:Concept. :a a skos:Concept; skos:prefLabel 'a'@en, ''@en.")
    assert draft.notes == ["1 concepts have no label in the language 'en'; the end of the id is shown"]
    tax = draft.build()
    assert tax.label(tax.code("http://x/big%20cat")) == "big cat"


def test_a_language_that_no_label_has_is_an_error_that_lists_those_there_are(tmp_path):
    with pytest.raises(BadTaxonomy, match=r"no label in the language 'en'. It has: de, fr"):
        skos(tmp_path, ":a a skos:Concept; skos:prefLabel 'Katze'@de, 'chat'@fr.")


# ---------------------------------------------------------------------- forms and faults

TURTLE = PREFIXES + ":Cat a owl:Class; rdfs:label 'cat'; rdfs:subClassOf :Animal. :Animal a owl:Class."
TRIPLES = """<http://example.org/zoo#Cat> <http://www.w3.org/2000/01/rdf-schema#label> "cat" .
<http://example.org/zoo#Cat> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://example.org/zoo#Animal> .
"""
JSON = """{"@context": {"z": "http://example.org/zoo#", "s": "http://www.w3.org/2000/01/rdf-schema#"}, "@graph": [
 {"@id": "z:Cat", "s:label": "cat", "s:subClassOf": {"@id": "z:Animal"}},
 {"@id": "z:Animal", "@type": "http://www.w3.org/2002/07/owl#Class"}]}"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("zoo.owl", XML_HEAD + XML_BODY),
        ("zoo.rdf", '<?xml version="1.0"?>\n<!-- a zoo -->\n' + XML_HEAD + XML_BODY),
        ("zoo.owl", TURTLE),
        ("zoo.nt", TRIPLES),
        ("zoo.ttl", TRIPLES),
        ("zoo.jsonld", JSON),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_every_form_of_rdf_gives_the_same_taxonomy(tmp_path, name, content, packed):
    data = gzip.compress(content.encode(), mtime=0) if packed else content
    path = write(tmp_path, data, name + ".gz" * packed)
    assert rdf.kind_of(path) == "owl"
    assert read_owl(path).build().fingerprint == read_owl(write(tmp_path, TURTLE)).build().fingerprint


def test_abbreviations_that_editors_declare_are_resolved(tmp_path):
    head = '<!DOCTYPE rdf:RDF [\n<!ENTITY zoo "http://example.org/zoo#" >\n]>\n' + XML_HEAD
    path = write(tmp_path, head + XML_BODY.replace('"http://example.org/zoo#Cat"', '"&zoo;Cat"'), "zoo.owl")
    assert parents(read_owl(path).build(), "http://example.org/zoo#Cat") == ["http://example.org/zoo#Animal"]


def test_the_kind_is_told_by_what_the_triples_speak_of(tmp_path):
    vocabulary = ":a a skos:Concept; skos:prefLabel 'a'; skos:broader :b. <http://o> a owl:Ontology."
    assert rdf.kind_of(write(tmp_path, PREFIXES + vocabulary)) == "skos"
    assert rdf.kind_of(write(tmp_path, PREFIXES + ":a a owl:Class; skos:prefLabel 'a'.")) == "owl"
    with pytest.raises(BadTaxonomy, match="neither OWL classes nor SKOS concepts"):
        rdf.kind_of(write(tmp_path, PREFIXES + ":a rdfs:label 'b'."))


LAUGHS = '<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True)
)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (f"<!DOCTYPE r [{LAUGHS}]>\n{XML_HEAD}{XML_BODY}", "refused, because the entity 'b' is made of other entities"),
        (f"<!DOCTYPE r [<!-- {LAUGHS} -->]>\n{XML_HEAD}{XML_BODY}", "hides entities"),
        (f"{XML_HEAD}<!DOCTYPE r [{LAUGHS}]>{XML_BODY}", "line 3: is not well-formed XML"),
        (
            '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + XML_HEAD + "&a;" + XML_BODY,
            "fetched from elsewhere",
        ),
        (XML_HEAD + "<owl:Class><rdfs:subClassOf>" * 300_000, "nested more than 1,000 deep"),
        (XML_HEAD + XML_BODY[:100], "is not well-formed XML"),
        ('<?xml version="1.0" encoding="latin-1"?>' + XML_HEAD + XML_BODY, "Only UTF-8"),
        (PREFIXES + ":a a owl:Class;\n :b .", "line 1[01]: is not proper Turtle"),
        (PREFIXES.encode() + b":a rdfs:label 'caf\xe9'.", "line 10: is not proper Turtle"),
        ('{"@context": "http://elsewhere/context", "@id": "http://x/a"}', "is not proper JSON-LD"),
        ("Prefix(:=<http://x/>)\nOntology(<http://x>)", "in a form that is not RDF"),
        ('<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#"/>', "in a form that is not RDF"),
        (PREFIXES.encode("utf-16"), "is UTF-16 text"),
        (gzip.compress(TURTLE.encode() * 100, mtime=0)[:200], "damaged or cut short"),
        (PREFIXES, "no concept was found"),
    ],
)
def test_hostile_or_broken_rdf_ends_in_one_error(tmp_path, content, complaint):
    with pytest.raises(BadTaxonomy, match=complaint) as caught:
        read_owl(write(tmp_path, content, "zoo.owl")).build()
    assert "\n" not in str(caught.value)


def test_a_label_of_a_million_characters_comes_whole(tmp_path):
    tax = owl(tmp_path, f":A a owl:Class; rdfs:label '{'x' * 1_000_000}'.").build()
    assert len(tax.label(0)) == 1_000_000


def test_without_the_extra_the_error_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    with pytest.raises(MissingExtra, match=r"pip install 'taxonym\[rdf\]'"):
        owl(tmp_path, "")

"""SKOS vocabularies: concepts and what is broader than they are.

skos:broader and skos:narrower are read in both directions. Their transitive forms repeat whole chains; they are used
only in a file that has nothing else, and then only the nearest of them.
"""

from pathlib import Path

from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.ontology import Ontology, OntologyTerm
from taxonym.knowledge.readers.rdf import (
    DCTERMS,
    DEPRECATED,
    REPLACED_BY,
    SKOS,
    TYPE,
    RdfLabels,
    add_other_names,
    id_of,
    is_true,
    triples,
)

_LABELS = {SKOS + "prefLabel": 0, SKOS + "altLabel": 1, SKOS + "hiddenLabel": 2}
_RANKS = {0: 0, 1: 1, 2: 2}
_UP, _DOWN = SKOS + "broader", SKOS + "narrower"
_FAR_UP, _FAR_DOWN = SKOS + "broaderTransitive", SKOS + "narrowerTransitive"
_REPLACED = (REPLACED_BY, DCTERMS + "isReplacedBy")


def read_skos(path: Path, *, language: str = "en") -> Draft:
    """Read SKOS in RDF/XML, Turtle, N-Triples or JSON-LD. Labels are in `language` or carry no language."""
    ontology, labels = Ontology(str(path)), RdfLabels(path, language)
    concepts: dict[str, str] = {}  # one string per IRI, however often the file repeats it
    near: list[tuple[str, str]] = []
    far: list[tuple[str, str]] = []
    equal: list[tuple[str, str]] = []
    deprecated: set[str] = set()
    replaced: dict[str, set[str]] = {}

    def concept(iri: str) -> str:
        return concepts.setdefault(iri, iri)

    for subject, predicate, value in triples(path):
        if subject.startswith("_:"):
            continue  # its name would change from one reading to the next
        if predicate in _LABELS:
            labels.add(id_of(subject), _LABELS[predicate], value)
        elif predicate == SKOS + "definition":
            labels.gloss(id_of(subject), 0, value)
        elif predicate == DEPRECATED and is_true(value):
            deprecated.add(subject)
        elif not value.named:
            continue
        elif (predicate == TYPE and value.text == SKOS + "Concept") or predicate == SKOS + "topConceptOf":
            concept(subject)
        elif predicate == SKOS + "hasTopConcept":
            concept(value.text)
        elif predicate in (_UP, _FAR_UP):
            (near if predicate == _UP else far).append((concept(subject), concept(value.text)))
        elif predicate in (_DOWN, _FAR_DOWN):
            (near if predicate == _DOWN else far).append((concept(value.text), concept(subject)))
        elif predicate == SKOS + "exactMatch":
            equal.append((subject, value.text))
        elif predicate in _REPLACED:
            replaced.setdefault(subject, set()).add(id_of(value.text))

    for iri in deprecated:
        ontology.retired[id_of(iri)] = replaced.get(iri, set())
        ontology.alias(iri, id_of(iri))
    ontology.terms = {id_of(iri): OntologyTerm() for iri in concepts if iri not in deprecated}
    ontology.links = [(id_of(child), id_of(parent), 0) for child, parent in near or _nearest(far)]
    ontology.same = [(id_of(a), id_of(b)) for a, b in equal if a in concepts and b in concepts]
    add_other_names(ontology, (iri for iri in concepts if iri not in deprecated))
    labels.give(ontology, _RANKS)
    return ontology.draft()


def _nearest(links: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The links that no chain of other links replaces; `links` hold all the chains already."""
    above: dict[str, set[str]] = {}
    for child, parent in links:
        above.setdefault(child, set()).add(parent)
    nothing: set[str] = set()
    return [
        (child, parent)
        for child, parents in above.items()
        for parent in parents
        if not any(
            parent in above.get(other, nothing) and other not in above.get(parent, nothing)
            for other in parents
            if other != parent
        )
    ]

"""OWL ontologies: named classes and individuals, and what their axioms say of their parents.

A class is below the named classes of its rdfs:subClassOf axioms; with more `relations`, also below the X of the
restrictions "part_of some X". The named parts of an intersection that a class is below or equal to are parents too,
where the asserted links do not lead there anyway. Named classes that are equal become one concept with the smallest id.
"""

from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.ontology import Ontology, OntologyTerm, check_choice, check_synonyms
from taxonym.knowledge.readers.rdf import (
    DEPRECATED,
    OBO,
    OBO_IN_OWL,
    OWL,
    RDF,
    RDFS,
    REPLACED_BY,
    SKOS,
    TYPE,
    RdfLabels,
    add_other_names,
    id_of,
    is_true,
    local_name,
    triples,
)

_CLASSES = (OWL + "Class", RDFS + "Class")
_INDIVIDUAL = OWL + "NamedIndividual"
_BUILT_IN = (OWL, RDF, RDFS)  # owl:Thing and its like are no concepts
_SUB, _EQUAL, _ALL_OF = RDFS + "subClassOf", OWL + "equivalentClass", OWL + "intersectionOf"
_PROPERTY, _SOME, _FIRST, _REST = OWL + "onProperty", OWL + "someValuesFrom", RDF + "first", RDF + "rest"
_PARTS = frozenset((_ALL_OF, _PROPERTY, _SOME, _FIRST, _REST))
_LABELS = {
    RDFS + "label": 0,
    SKOS + "prefLabel": 1,
    OBO_IN_OWL + "hasExactSynonym": 2,
    SKOS + "altLabel": 3,
}
_MORE_LABELS = {OBO_IN_OWL + f"has{scope}Synonym": 4 for scope in ("Related", "Narrow", "Broad")}
_RANKS = {0: 0, 1: 0, 2: 1, 3: 1, 4: 1}
_GLOSSES = {OBO + "IAO_0000115": 0, SKOS + "definition": 1}
_PART_OF = OBO + "BFO_0000050"


class _Axioms:
    """Class expressions: what the blank nodes of the file are made of."""

    def __init__(self, relations: Sequence[str]) -> None:
        self.parts: dict[tuple[str, str], str] = {}  # (blank node, predicate) -> value
        self.seen = {"is_a"}
        self._relations = frozenset(relations)

    def parents(self, node: str) -> Iterator[tuple[str, bool]]:
        """(named class, whether inside an intersection) above whatever is below the expression."""
        front, known = [(node, False)], {node}
        while front:
            node, inside = front.pop()
            if not node.startswith("_:"):
                if "is_a" in self._relations and not node.startswith(_BUILT_IN):
                    yield node, inside
                continue
            some = self.parts.get((node, _SOME), "_:")
            if not some.startswith(("_:", *_BUILT_IN)) and self._chosen(self.parts.get((node, _PROPERTY), "")):
                yield some, inside
            cell = self.parts.get((node, _ALL_OF), "")
            while (cell, _FIRST) in self.parts and cell not in known:  # a list that runs in a circle ends too
                known.add(cell)
                front.append((self.parts[cell, _FIRST], True))
                cell = self.parts.get((cell, _REST), "")

    def _chosen(self, iri: str) -> bool:
        names = {iri, id_of(iri), local_name(iri)} | ({"part_of"} if iri == _PART_OF else set())
        self.seen |= names
        return not self._relations.isdisjoint(names)


def read_owl(
    path: Path, *, relations: Sequence[str] = ("is_a",), language: str = "en", synonyms: str = "exact"
) -> Draft:
    """Read OWL in RDF/XML, Turtle, N-Triples or JSON-LD.

    `relations` names properties by IRI, short id or local name (part_of, partOf, BFO:0000050). `synonyms`: "exact", or
    "all" for the related, broader and narrower ones too. Labels are in `language` or carry no language.
    """
    check_synonyms(synonyms)
    kinds = _LABELS if synonyms == "exact" else _LABELS | _MORE_LABELS
    ontology, axioms, labels = Ontology(str(path)), _Axioms(relations), RdfLabels(path, language)
    classes: dict[str, str] = {}  # one string per IRI, however often the file repeats it
    individuals: set[str] = set()
    types: list[tuple[str, str]] = []
    below: list[tuple[str, str]] = []
    equal: list[tuple[str, str]] = []
    deprecated: set[str] = set()
    replaced: dict[str, set[str]] = {}
    for subject, predicate, value in triples(path):
        text = value.text
        if subject.startswith("_:"):
            if predicate in _PARTS:
                axioms.parts[subject, predicate] = text
        elif predicate == TYPE:
            if text in _CLASSES:
                classes.setdefault(subject, subject)
            elif text == _INDIVIDUAL:
                individuals.add(subject)
            elif value.named and not text.startswith(_BUILT_IN):
                types.append((subject, text))
        elif predicate in kinds:
            labels.add(id_of(subject), kinds[predicate], value)
        elif predicate in _GLOSSES:
            labels.gloss(id_of(subject), _GLOSSES[predicate], value)
        elif predicate == _SUB:
            below.append((classes.setdefault(subject, subject), text))
        elif predicate == _EQUAL:
            equal.append((classes.setdefault(subject, subject), text))
        elif predicate == _ALL_OF:  # as OWL 1 wrote the definition of a class
            axioms.parts[f"_:all of {subject}", _ALL_OF] = text
            equal.append((classes.setdefault(subject, subject), f"_:all of {subject}"))
        elif predicate == DEPRECATED and is_true(value):
            deprecated.add(subject)
        elif predicate == REPLACED_BY:
            replaced.setdefault(subject, set()).add(id_of(text))
        elif predicate == OBO_IN_OWL + "hasAlternativeId":
            ontology.alias(id_of(text), id_of(subject))
        elif predicate == OWL + "imports":
            ontology.notes.append(f"imports are not followed: {text}")

    for iri in deprecated:
        ontology.retired[id_of(iri)] = replaced.get(iri, set())
        ontology.alias(iri, id_of(iri))
    for iri in classes:
        if iri not in deprecated and not iri.startswith(_BUILT_IN):
            ontology.terms[id_of(iri)] = OntologyTerm()
    iris = [*classes, *individuals, *_add_instances(ontology, individuals, types, classes)]
    iris += _add_links(ontology, axioms, below, equal)
    check_choice(path, "relation", relations, axioms.seen)
    _declare_parents(ontology)
    add_other_names(ontology, (iri for iri in dict.fromkeys(iris) if id_of(iri) in ontology.terms))
    labels.give(ontology, _RANKS)
    return ontology.draft()


def _add_instances(
    ontology: Ontology, individuals: set[str], types: list[tuple[str, str]], classes: Container[str]
) -> Iterator[str]:
    """Individuals and what they are instances of; the IRIs of the latter."""
    for iri in individuals:
        if id_of(iri) not in ontology.terms and id_of(iri) not in ontology.retired:
            ontology.terms[id_of(iri)] = OntologyTerm(instance=True)
    for iri, kind in types:
        if iri in individuals and iri not in classes:
            ontology.links.append((id_of(iri), id_of(kind), 0))
            yield kind


def _add_links(
    ontology: Ontology, axioms: _Axioms, below: list[tuple[str, str]], equal: list[tuple[str, str]]
) -> Iterator[str]:
    """Links from the axioms; the IRIs of all parents."""
    for child, node in below:
        for parent, inside in axioms.parents(node):
            (ontology.implied if inside else ontology.links).append((id_of(child), id_of(parent), 0))
            yield parent
    for child, node in equal:
        if not node.startswith("_:"):
            if not node.startswith(_BUILT_IN):
                ontology.same.append((id_of(child), id_of(node)))
            continue
        for parent, _ in axioms.parents(node):
            ontology.implied.append((id_of(child), id_of(parent), 0))
            yield parent


def _declare_parents(ontology: Ontology) -> None:
    """Parents that another ontology defines are classes all the same: roots here."""
    known = ontology.terms.keys() | ontology.retired.keys() | ontology.aliases.keys()
    known |= {id for pair in ontology.same for id in pair}
    foreign = {parent for _, parent, _ in [*ontology.links, *ontology.implied]} - known
    for id in foreign:
        ontology.terms[id] = OntologyTerm()
    if foreign:
        some = ", ".join(sorted(foreign)[:5])
        ontology.notes.append(f"{len(foreign):,} parents are defined in another ontology and are roots here: {some}")

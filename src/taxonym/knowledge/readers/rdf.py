"""What OWL and SKOS files share: streams of RDF triples, the choice of a language, and ids.

RDF/XML, Turtle, N-Triples and JSON-LD are read by pyoxigraph, which fetches nothing; XML passes our guard first. An id
depends on the IRI alone, never on what else is in the file: HP:0000118 for an OBO IRI, so that hp.owl and hp.obo agree,
the whole IRI for any other. The IRI of the first, and the local name of the second where it is the only such name in
the file, are other names for the id, so that both can be typed.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from taxonym.errors import BadTaxonomy, MissingExtra
from taxonym.knowledge.readers.ontology import Ontology
from taxonym.knowledge.readers.source import open_bytes
from taxonym.knowledge.readers.xml import GuardedFile, speaks

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
TYPE, DEPRECATED, REPLACED_BY = RDF + "type", OWL + "deprecated", OBO + "IAO_0100001"

_BASE = "file:///"  # of relative IRIs in a file that names no base; its place on a disk is no part of an id
_OBO_IRI = re.compile(re.escape(OBO) + r"([A-Za-z]\w*)_([A-Za-z0-9]+)", re.ASCII)
_PEEK = 20_000
_LEAD = 100
_SKOS_SIGNS = {SKOS + word for word in ("Concept", "ConceptScheme", "broader", "narrower", "inScheme", "topConceptOf")}
_OWL_SIGNS = {OWL + "Class", RDFS + "Class", RDFS + "subClassOf", OWL + "Restriction"}


class RdfValue(NamedTuple):
    """The object of a triple. `language` is None unless it is a text; "" is a text without a language."""

    text: str
    language: str | None = None

    @property
    def named(self) -> bool:
        """Whether this is an IRI, not a text or a blank node."""
        return self.language is None and not self.text.startswith("_:")


def triples(path: Path) -> Iterator[tuple[str, str, RdfValue]]:
    """(subject, predicate, object) of every triple; blank nodes begin with "_:"."""
    try:
        from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse
    except ImportError:
        raise MissingExtra(f"{path}: reading OWL and SKOS needs the extra: pip install 'taxonym[rdf]'") from None
    form = form_of(path)
    formats = {
        "RDF/XML": RdfFormat.RDF_XML,
        "Turtle": RdfFormat.TURTLE,
        "N-Triples": RdfFormat.N_TRIPLES,
        "JSON-LD": RdfFormat.JSON_LD,
    }
    with open_bytes(path) as file:
        stream: Any = GuardedFile(path, file) if form == "RDF/XML" else file
        try:
            # lenient: an odd character in one IRI of a large ontology should not cost the whole
            for quad in parse(stream, format=formats[form], base_iri=_BASE, lenient=True):
                subject, node = quad.subject, quad.object
                if isinstance(node, NamedNode):
                    value = RdfValue(node.value)
                elif isinstance(node, Literal):
                    value = RdfValue(node.value, (node.language or "").lower())
                elif isinstance(node, BlankNode):
                    value = RdfValue("_:" + node.value)
                else:
                    continue  # a statement about a statement
                if isinstance(subject, NamedNode):
                    yield subject.value, quad.predicate.value, value
                elif isinstance(subject, BlankNode):
                    yield "_:" + subject.value, quad.predicate.value, value
        except SyntaxError as error:
            at = f"{path}: line {error.lineno}" if error.lineno else f"{path}"
            reason = " ".join(str(error.msg).split())[:200]
            raise BadTaxonomy(f"{at}: is not proper {form} ({reason}).") from None


def kind_of(path: Path) -> str:
    """ "owl" or "skos", by whichever the first triples speak of."""
    owl = skos = 0
    for _, predicate, value in islice(triples(path), _PEEK):
        sign = value.text if predicate == TYPE else predicate
        owl += sign in _OWL_SIGNS
        skos += sign in _SKOS_SIGNS
        if abs(owl - skos) >= _LEAD:
            break
    if not owl and not skos:
        raise BadTaxonomy(f"{path}: has neither OWL classes nor SKOS concepts in its first {_PEEK:,} triples.")
    return "skos" if skos > owl else "owl"


def form_of(path: Path) -> str:
    """How the file is written, by its beginning and then by its name: .owl may be anything."""
    with open_bytes(path) as file:
        head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    suffixes = {suffix.lower() for suffix in path.suffixes}
    if re.match(rb"(Prefix|Ontology)\s*[:(]", head) or (b"<Ontology" in head and b"<rdf:RDF" not in head):
        raise BadTaxonomy(f"{path}: is OWL in a form that is not RDF. Save it as RDF/XML or Turtle in your editor.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadTaxonomy(f"{path}: is UTF-16 text. Save it as UTF-8.")
    if re.match(rb"<(\?xml|!)", head) or (head.startswith(b"<") and b"xmlns" in head):
        return "RDF/XML"
    if head.startswith(b"{") or suffixes & {".jsonld", ".json"}:
        return "JSON-LD"
    return "N-Triples" if ".nt" in suffixes else "Turtle"


def is_true(value: RdfValue) -> bool:
    return value.text in ("true", "1")


# ---------------------------------------------------------------------- ids


def id_of(iri: str) -> str:
    """HP:0000118 for the IRI of an OBO ontology, any other IRI as it is."""
    found = _OBO_IRI.fullmatch(iri) if iri.startswith(OBO) else None
    return f"{found[1]}:{found[2]}" if found else iri


def local_name(iri: str) -> str:
    """What follows the last # or /."""
    iri = iri.rstrip("#/")
    return iri[max(iri.rfind("#"), iri.rfind("/")) + 1 :]


def add_other_names(ontology: Ontology, iris: Iterable[str]) -> None:
    """Every IRI and every local name that only one concept has, as other names of the ids."""
    for iri in iris:
        id = id_of(iri)
        ontology.alias(iri, id)
        if id == iri and (name := local_name(iri)):
            ontology.alias(name, id)  # a name that two concepts claim leads nowhere


# ---------------------------------------------------------------------- labels


class RdfLabels:
    """The labels and glosses of the chosen language, and which languages there are."""

    def __init__(self, path: Path, language: str) -> None:
        self._path = path
        self._language = language.lower()
        self._found: dict[str, list[tuple[int, int, str]]] = {}  # id -> (kind, closeness of the tag, text)
        self._glosses: dict[str, tuple[int, int, str]] = {}
        self._languages: set[str] = set()

    def add(self, id: str, kind: int, value: RdfValue) -> None:
        """A label; the lower `kind` is the preferred one."""
        if value.language:
            self._languages.add(value.language)
        if value.text.strip() and (close := self._closeness(value)) is not None:
            self._found.setdefault(id, []).append((kind, close, value.text))

    def gloss(self, id: str, kind: int, value: RdfValue) -> None:
        if (close := self._closeness(value)) is not None:
            found = (kind, close, value.text)
            self._glosses[id] = min(found, self._glosses.get(id, found))

    def give(self, ontology: Ontology, ranks: dict[int, int]) -> None:
        """Name the terms; `ranks` says how usual a meaning each kind of label is (0 first)."""
        if self._languages and self._found.keys().isdisjoint(ontology.terms):
            languages = ", ".join(sorted(self._languages)[:40])
            raise BadTaxonomy(
                f"{self._path}: has no label in the language {self._language!r}. It has: {languages}. Choose language=."
            )
        nameless = 0
        for id, term in ontology.terms.items():
            # triples have no order: sorting makes the labels the same however the file was written
            term.labels = [(ranks[kind], text) for kind, _, text in sorted(self._found.get(id, ()))]
            term.gloss = self._glosses.get(id, (0, 0, ""))[2]
            if not term.labels:
                nameless += 1
                term.labels = [(0, _spelled(id))]
        if nameless:
            ontology.notes.append(
                f"{nameless:,} concepts have no label in the language {self._language!r}; the end of the id is shown"
            )

    def _closeness(self, value: RdfValue) -> int | None:
        """0 for the very language, 1 for none, 2 for a regional form of it; None for what is not wanted."""
        if value.language == self._language:
            return 0
        if value.language == "":
            return 1
        return 2 if value.language and speaks(value.language, self._language) else None


def _spelled(id: str) -> str:
    name = unquote(local_name(id))
    return name if name.strip() else id

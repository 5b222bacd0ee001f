"""One random graph, written in four formats, is the same graph when it is read back."""

from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.lmf import read_lmf
from taxonym.knowledge.readers.obo import read_obo
from taxonym.knowledge.readers.owl import read_owl
from taxonym.knowledge.readers.skos import read_skos
from taxonym.knowledge.strings import fold
from taxonym.knowledge.taxonomy import Taxonomy
from tests.strategies import Graph, graphs

BASE = "http://example.org/c/"
Labels = dict[str, list[str]]

# any character that XML can carry; a label must not be blank
_TEXT = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufffe\uffff\ufeff"), min_size=1, max_size=12
).filter(lambda text: bool(fold(text)) and text == text.strip())


@st.composite
def labelled(draw: st.DrawFn) -> tuple[Graph, Labels]:
    graph = draw(graphs(max_size=10))
    # RDF has no order, so further labels come sorted
    labels = {id: draw(st.lists(_TEXT, min_size=1, max_size=3, unique=True)) for id in graph}
    return graph, {id: [texts[0], *sorted(texts[1:])] for id, texts in labels.items()}


def obo(graph: Graph, labels: Labels) -> str:
    def quoted(text: str) -> str:
        return "".join("\\" + c if c in '\\"{}!' else c for c in text)

    stanzas = ["format-version: 1.4\n"]
    for id, parents in graph.items():
        first, *others = labels[id]
        lines = ["[Term]", f"id: {id}", f"name: {quoted(first)}"]
        lines += [f'synonym: "{quoted(text)}" EXACT []' for text in others]
        lines += [f'is_a: {parent} {{a="b"}} ! {quoted(labels[parent][0])}' for parent in parents]
        stanzas.append("\n".join(lines) + "\n")
    return "\n".join(stanzas)


def literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def owl(graph: Graph, labels: Labels) -> str:
    lines = [
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
        "@prefix o: <http://www.geneontology.org/formats/oboInOwl#> .",
    ]
    for id, parents in graph.items():
        lines.append(f"<{BASE}{id}> a owl:Class ; rdfs:label {literal(labels[id][0])}@en .")
        lines += [f"<{BASE}{id}> o:hasExactSynonym {literal(text)} ." for text in labels[id][1:]]
        lines += [f"<{BASE}{id}> rdfs:subClassOf <{BASE}{parent}> ." for parent in parents]
    return "\n".join(lines)


def skos(graph: Graph, labels: Labels) -> str:
    lines = ["@prefix skos: <http://www.w3.org/2004/02/skos/core#> ."]
    for id, parents in graph.items():
        lines.append(f"<{BASE}{id}> a skos:Concept ; skos:prefLabel {literal(labels[id][0])}@en .")
        lines += [f"<{BASE}{id}> skos:altLabel {literal(text)}@en ." for text in labels[id][1:]]
        for place, parent in enumerate(parents):
            up = f"<{BASE}{id}> skos:broader <{BASE}{parent}> ."
            lines.append(up if place % 2 else f"<{BASE}{parent}> skos:narrower <{BASE}{id}> .")
    return "\n".join(lines)


def lmf(graph: Graph, labels: Labels) -> str:
    lines = ['<LexicalResource><Lexicon id="x" language="en">']
    for id in graph:
        for place, text in enumerate(labels[id]):
            lines.append(f'<LexicalEntry id="{id}-{place}"><Lemma writtenForm={quoteattr(text)} partOfSpeech="n"/>')
            lines.append(f'<Sense id="{id}-{place}-s" synset="{id}"/></LexicalEntry>')
    for id, parents in graph.items():
        members = " ".join(f"{id}-{place}" for place in range(len(labels[id])))
        lines.append(f'<Synset id="{id}" ili="" partOfSpeech="n" members="{members}">')
        lines += [f'<SynsetRelation relType="hypernym" target="{parent}"/>' for parent in parents]
        lines.append("</Synset>")
    return "\n".join([*lines, "</Lexicon></LexicalResource>"])


FORMATS = {
    "obo": (obo, read_obo, ""),
    "owl": (owl, read_owl, BASE),
    "skos": (skos, read_skos, BASE),
    "lmf": (lmf, read_lmf, ""),
}


def expected(graph: Graph, labels: Labels, base: str) -> Taxonomy:
    draft = Draft("expected", declared=True)
    for id, parents in graph.items():
        draft.add(base + id, labels[id])
        for parent in parents:
            draft.link(base + id, base + parent)
    return draft.build()


def contents(tax: Taxonomy) -> list[tuple[str, list[str], list[int], int]]:
    return [(tax.id(c), tax.labels(c), tax.parents(c), tax.depth(c)) for c in range(len(tax))]


@pytest.mark.parametrize("format", FORMATS)
@given(case=labelled())
def test_a_graph_with_labels_survives_being_written_and_read(format, case):
    write, read, base = FORMATS[format]
    if base:
        pytest.importorskip("pyoxigraph", reason="the extra taxonym[rdf] is not installed")
    graph, labels = case
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"graph.{format}"
        path.write_bytes(write(graph, labels).encode())
        tax = read(path).build()
    assert contents(tax) == contents(expected(graph, labels, base))
    assert all(tax.code(id) == tax.code(base + id) for id in graph)

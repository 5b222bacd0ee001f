"""All taxonomies by name or file: the built-in ones, and one reader per format.

A reader turns a file or folder into a Draft; the registry below is all there is to know about the formats.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge import compiled
from taxonym.knowledge.build import JOINT_ROOT, Draft
from taxonym.knowledge.hierarchies import HIERARCHIES, is_built_in, read_hierarchy
from taxonym.knowledge.readers.source import open_text
from taxonym.knowledge.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class Reader:
    """One format. `where` is module:function, so that a format costs nothing until it is read."""

    name: str
    where: str
    about: str

    @property
    def read(self) -> Callable[..., Draft]:
        module, function = self.where.split(":")
        found: Callable[..., Draft] = getattr(import_module(f"taxonym.knowledge.readers.{module}"), function)
        return found


READERS = {
    r.name: r
    for r in (
        Reader("edges", "edges:read_edges", "CSV or TSV with a child and a parent column"),
        Reader("levels", "edges:read_levels", "CSV with one column per level (labels,level2,level1)"),
        Reader("paths", "outline:read_paths", "one path per line (A > B > C, A/B/C), also with leading ids"),
        Reader("indented", "outline:read_indented", "text indented by level"),
        Reader("json", "nested:read_json", "nested JSON, hand-made"),
        Reader("mesh", "mesh:read_mesh", "MeSH tree file (heading;A01.111)"),
        Reader("rf2", "rf2:read_rf2", "SNOMED CT RF2 snapshot folder"),
        Reader("obo", "obo:read_obo", "OBO ontology"),
        Reader("owl", "owl:read_owl", "OWL ontology (RDF/XML, Turtle)"),
        Reader("skos", "skos:read_skos", "SKOS vocabulary (RDF/XML, Turtle)"),
        Reader("lmf", "lmf:read_lmf", "WordNet LMF XML"),
        Reader("wndb", "wordnet:read_wndb", "WordNet database folder (data.noun, index.noun, …)"),
    )
}

PACKAGED = {
    r.name: r
    for r in (
        Reader("icd10cm", "packaged:read_icd10cm", "ICD-10-CM diagnoses, with the extra taxonym[icd10cm]"),
        Reader("icd9cm", "icd9cm:read_icd9cm", "ICD-9-CM diagnoses"),
        Reader("hpo", "packaged:read_hpo", "Human Phenotype Ontology, with the extra taxonym[hpo]"),
    )
}
SHIPPED = {"wordnet": "WordNet 3.0 nouns and verbs"}
BUILT_IN = {*SHIPPED, *PACKAGED, *HIERARCHIES}
_SHIPPED = Path(__file__).parent / "data"  # importlib.resources would take longer to import than WordNet to load


def load(
    source: str | Path,
    *,
    format: str | None = None,
    columns: Any = None,
    join_roots: bool | str = False,
    notes: list[str] | None = None,
    progress: Progress = SILENCE,
    **options: Any,
) -> Taxonomy:
    """A taxonomy by its built-in name, or from a file or folder.

    The format is guessed unless given. `columns` names the columns of a CSV file ({"child": …, "parent": …,
    "label": …}, or a list of level columns). `join_roots` puts several roots under one. What the reader left out or
    mended is added to `notes`. Further options go to the reader of the format, such as relations=("is_a", "part_of"),
    language="en" or encoding="latin-1".
    """
    if columns is not None:
        options["columns"] = columns
    if not isinstance(source, str | Path):
        raise BadTaxonomy(f"a {type(source).__name__} is not a taxonomy. Give a built-in name or the path of a file.")
    path = Path(source)
    shipped = _SHIPPED / f"{source}{compiled.SUFFIX}" if str(source) in SHIPPED and format is None else None
    packaged = PACKAGED.get(str(source)) if format is None else None
    if format is None and is_built_in(str(source)):
        _no_options(source, options)
        return read_hierarchy(str(source)).build(join_roots=join_roots)
    if shipped is None and packaged is None and not path.exists():
        known = ", ".join([*SHIPPED, *PACKAGED, *HIERARCHIES])
        raise BadTaxonomy(f"{source}: is neither a file nor a built-in taxonomy. Built in are: {known}.")
    try:
        progress.start(f"reading {path.name}")
        if shipped or (packaged is None and format is None and path.is_file() and compiled.is_compiled(path)):
            _no_options(source, options)
            return _with_one_root(compiled.read(shipped or path), join_roots)
        found = _called(packaged, options) if packaged else draft(path, format=format, **options)
        if notes is not None:
            notes += found.notes
        progress.start(f"building {path.name}")
        return found.build(name=packaged.name if packaged else _stem(path), join_roots=join_roots)
    finally:
        progress.finish()


def draft(path: Path, *, format: str | None = None, **options: Any) -> Draft:
    """What a file says, before it is checked and frozen."""
    format = format or guess_format(path)
    if format not in READERS:
        raise BadPlan(f"format: {format!r} is not known. Choose one of {', '.join(READERS)}.")
    return _called(READERS[format], options, path)


def guess_format(path: Path) -> str:
    """The format of a file from its name and its first lines; an error that lists the formats if it is unclear."""
    if path.is_dir():
        if (path / "data.noun").exists():
            return "wndb"
        if next(path.rglob("sct2_Concept_Snapshot*"), None):
            return "rf2"
        raise _unclear(path, "it is a folder without WordNet or SNOMED CT files")
    suffix = next((s for s in reversed(path.suffixes) if s != ".gz"), "").lower()
    if suffix in (".obo", ".json"):
        return suffix[1:]
    if suffix in (".owl", ".rdf", ".ttl", ".nt", ".jsonld", ".xml"):
        return _guess_markup(path)
    with open_text(path) as file:
        lines = [line.rstrip("\r\n") for line in islice(file, 200)]
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    if not lines:
        raise _unclear(path, "it has no lines")
    if suffix in (".csv", ".tsv", ".tab"):
        return _guess_table(lines)
    return _guess_lines(path, lines)


def _guess_markup(path: Path) -> str:
    with open_text(path, "utf-8-sig") as file:
        head = file.read(4096)
    if "<LexicalResource" in head:
        return "lmf"
    kind: str = import_module("taxonym.knowledge.readers.rdf").kind_of(path)
    return kind


def _guess_table(lines: list[str]) -> str:
    header = re.split(r"[,;\t|]", lines[0].lower().replace('"', ""))
    if header[0].strip() == "value" and not re.search(r"parent|broader|is_?a\b", lines[0].lower()):
        return "levels"  # a hierarchy of values
    has_parent = any(
        re.search(r"parent|broader|is_?a\b", cell) for line in lines[:5] for cell in re.split(r"[,;\t|]", line.lower())
    )
    return "edges" if has_parent or len(header) == 2 else "levels"


def _guess_lines(path: Path, lines: list[str]) -> str:
    def most(pattern: str) -> bool:
        return sum(bool(re.search(pattern, line)) for line in lines) > len(lines) / 2

    if most(r";[A-Z]\d\d(\.\d+)*$"):
        return "mesh"
    if most(r"^\s") and not most(" > "):
        return "indented"
    if most(r"\S ?(>|/|::) ?\S"):
        return "paths"
    if most(r"\t|,|;"):
        return _guess_table(lines)
    if any(line[0] in " \t" for line in lines):
        return "indented"
    raise _unclear(path, "its lines have neither separators nor indentation")


def _called(reader: Reader, options: dict[str, Any], *arguments: Any) -> Draft:
    import inspect  # a tenth of the time in which WordNet loads, which needs no reader

    function = reader.read
    allowed = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for option in options:
        if option not in allowed:
            known = ", ".join(allowed) or "no options"
            raise BadPlan(f"{option}: the format {reader.name!r} has no such option. It has {known}.")
    return function(*arguments, **options)


def _with_one_root(tax: Taxonomy, join_roots: bool | str) -> Taxonomy:
    """Several roots of a taxonomy that is compiled already under one; it then has to be built again."""
    if not join_roots or len(tax.roots) < 2:
        return tax
    return replace(Taxonomy.join([tax], root=JOINT_ROOT if join_roots is True else join_roots), name=tax.name)


def _no_options(source: str | Path, options: dict[str, Any]) -> None:
    for option in options:
        raise BadPlan(f"{option}: {source} is compiled, so what it holds was chosen then. Leave the option out.")


def _unclear(path: Path, why: str) -> BadTaxonomy:
    return BadTaxonomy(f"{path}: its format cannot be guessed ({why}). Name it: one of {', '.join(READERS)}.")


def _stem(path: Path) -> str:
    name = path.name.removesuffix(".gz")
    return name[: name.rindex(".")] if "." in name[1:] and path.is_file() else name

"""SNOMED CT in its release format 2: a folder with snapshot files, tab-separated, quotes being plain text.

Active rows alone count. The links are the inferred ones. The label is the preferred term of the language's reference
set; without one it is the fully specified name without its semantic tag ("(disorder)"). Ids of retired concepts lead to
those that replace them.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from sys import intern

from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.source import not_empty, numbered_lines

RELATIONS = {"is_a": "116680003", "part_of": "123005000"}
_INFERRED = "900000000000011006"
_SOME = "900000000000451002"
_FULL_NAME, _SYNONYM = "900000000000003001", "900000000000013009"
_PREFERRED = "900000000000548007"
_REPLACED_BY, _SAME_AS = "900000000000526001", "900000000000527005"
# the reference sets of the dialects; plain "en" prefers the American one, as the international edition does
_DIALECTS = {"en": "900000000000509007", "en-us": "900000000000509007", "en-gb": "900000000000508004"}
_DATE = re.compile(r"_\d{8}(?=\.)")

Term = tuple[int, int, str]  # how much it is preferred (0 the most), number of the description, text


def read_rf2(folder: Path, *, language: str = "en", relations: Sequence[str] = ("is_a",)) -> Draft:
    """Read a snapshot; its files may stand anywhere below the folder. `language` may be a dialect, such as "en-GB"."""
    for relation in relations:
        if relation not in RELATIONS:
            raise BadPlan(f"relations: {relation!r} is not known. Choose from {', '.join(RELATIONS)}.")
    if not folder.is_dir():
        raise BadTaxonomy(f"{folder}: is not a folder. Give the folder of an unpacked RF2 release.")
    active = {
        id: state == "1"
        for path in _files(folder, "sct2_Concept_Snapshot")
        for _, (id, state) in _rows(path, "id", "active")
    }
    names, terms = _terms(folder, language, active)
    draft = Draft(str(folder), declared=True)
    nameless = 0
    for id in (id for id, state in active.items() if state):
        labels = _labels(names.get(id, []), terms.get(id, []))
        nameless += not labels
        draft.add(id, labels)
    if nameless:
        draft.note(f"{folder.name}: {nameless:,} concepts have no name in {language!r}; their ids stand for it.")
    not_empty(draft, folder)
    wanted = {RELATIONS[relation] for relation in relations}
    fields = ("active", "sourceId", "destinationId", "typeId", "characteristicTypeId", "modifierId")
    for path in _files(folder, "sct2_Relationship_Snapshot"):
        for line, (state, child, parent, kind, how, modifier) in _rows(path, *fields):
            counts = state == "1" and kind in wanted and how == _INFERRED and modifier == _SOME
            if counts and active.get(child, True) and active.get(parent, True):  # unknown ones are named by build()
                draft.link(child, parent, line=line)
    for other, id in _replacements(folder, active).items():
        draft.alias(other, id)
    return draft


def _terms(folder: Path, language: str, active: dict[str, bool]) -> tuple[dict[str, list[Term]], dict[str, list[Term]]]:
    """Concept -> its fully specified names, and concept -> its synonyms, in the language asked for."""
    preferred = _preferred(folder, language.lower())
    spoken = language.lower().split("-")[0]
    names: dict[str, list[Term]] = {}
    terms: dict[str, list[Term]] = {}
    other: set[str] = set()
    fields = ("id", "active", "conceptId", "languageCode", "typeId", "term")
    for path in _files(folder, "sct2_Description_Snapshot"):
        for line, (id, state, concept, tongue, kind, text) in _rows(path, *fields):
            if state != "1" or not active.get(concept):
                continue
            if tongue.lower().split("-")[0] != spoken:
                other.add(tongue)
                continue
            if not id.isdecimal() or not text.strip():
                what = "an empty term" if id.isdecimal() else "an id that is not a number"
                raise BadTaxonomy(f"{path}: line {line}: has {what}. Unpack the release again.")
            if kind in (_FULL_NAME, _SYNONYM):
                found = names if kind == _FULL_NAME else terms
                found.setdefault(concept, []).append((preferred.get(id, 2), int(id), intern(text.strip())))
    if other and not names and not terms:
        raise BadTaxonomy(
            f"{folder}: no description is in the language {language!r}. There are: {', '.join(sorted(other))}."
        )
    return names, terms


def _preferred(folder: Path, language: str) -> dict[str, int]:
    """Description -> 0 if the dialect's reference set prefers it, 1 if only another one does."""
    rank: dict[str, int] = {}
    fields = ("active", "refsetId", "referencedComponentId", "acceptabilityId")
    for path in _files(folder, "der2_cRefset_Language", optional=True):
        for _, (state, refset, description, acceptable) in _rows(path, *fields):
            if state == "1" and acceptable == _PREFERRED:
                here = 0 if refset == _DIALECTS.get(language, refset) else 1
                rank[description] = min(here, rank.get(description, 1))
    return rank


def _labels(names: list[Term], terms: list[Term]) -> list[str]:
    """The preferred term, the other terms, the full name without and with its tag; each once."""
    full = [text for _, _, text in sorted(names)]
    bare = [_without_tag(text) for text in full]
    synonyms = sorted(terms)
    has_preferred = bool(synonyms) and synonyms[0][0] < 2
    texts = [text for _, _, text in synonyms]
    return list(dict.fromkeys([*texts, *bare, *full] if has_preferred else [*bare, *texts, *full]))


def _without_tag(name: str) -> str:
    return (name[: name.rindex("(")].rstrip() if name.endswith(")") and "(" in name else "") or name


def _replacements(folder: Path, active: dict[str, bool]) -> dict[str, str]:
    """Retired concept -> the active one that stands for it, through others if need be."""
    targets: dict[str, tuple[int, int, str]] = {}
    fields = ("active", "refsetId", "referencedComponentId", "targetComponentId")
    for path in _files(folder, "der2_cRefset_Association", optional=True):
        for line, (state, refset, retired, target) in _rows(path, *fields):
            if state == "1" and refset in (_REPLACED_BY, _SAME_AS) and active.get(retired) is False:
                if not target.isdecimal():
                    raise BadTaxonomy(f"{path}: line {line}: has a target that is not a number. Unpack it again.")
                choice = (refset == _SAME_AS, int(target), target)  # of several, the same one whatever the row order
                targets[retired] = min(choice, targets.get(retired, choice))
    final: dict[str, str] = {}
    for retired in targets:
        id, seen = retired, {retired}
        while id in targets and (id := targets[id][2]) not in seen:
            seen.add(id)
        if active.get(id):
            final[retired] = id
    return final


def _files(folder: Path, kind: str, optional: bool = False) -> list[Path]:
    """The snapshot files of a kind; those of extensions stand beside the international ones."""
    found = sorted(path for path in folder.rglob(f"*{kind}*.txt") if "Snapshot" in path.name)
    if not found and not optional:
        raise BadTaxonomy(f"{folder}: has no file {kind}*.txt. Give the folder of an unpacked RF2 release.")
    seen: dict[str, Path] = {}
    for path in found:
        twin = seen.setdefault(_DATE.sub("", path.name), path)
        if twin != path:
            raise BadTaxonomy(f"{folder}: holds two releases: {twin.name} and {path.name}. Give the folder of one.")
    return found


def _rows(path: Path, *fields: str) -> Iterator[tuple[int, list[str]]]:
    """(line, the cells asked for) of every row. Not by the csv module, for which a quote would not be plain text."""
    at: list[int] = []
    width = 0
    for line, text in numbered_lines(path):
        cells = text.split("\t")
        if not width:
            missing = [field for field in fields if field not in cells]
            if missing:
                raise BadTaxonomy(f"{path}: line {line}: the header has no {missing[0]!r}. Is it an RF2 snapshot file?")
            at, width = [cells.index(field) for field in fields], len(cells)
        elif len(cells) != width:
            if text.strip():
                raise BadTaxonomy(
                    f"{path}: line {line}: has {len(cells)} cells instead of {width}. Unpack the release again."
                )
        else:
            yield line, [cells[i] for i in at]
    if not width:
        raise BadTaxonomy(f"{path}: the file is empty. Unpack the release again.")

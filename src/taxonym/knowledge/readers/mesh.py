"""Medical Subject Headings: the tree file (mtrees), one `heading;tree number` per line.

A heading that stands at several places of the tree is one concept with several parents; its id is the heading, and its
tree numbers are further ids. The category letters that all numbers begin with are the roots; their ids are the letters,
since some of their names are headings, too.
"""

import re
from pathlib import Path
from sys import intern

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.source import content_lines, not_empty, shown

CATEGORIES = {
    "A": "Anatomy",
    "B": "Organisms",
    "C": "Diseases",
    "D": "Chemicals and Drugs",
    "E": "Analytical, Diagnostic and Therapeutic Techniques, and Equipment",
    "F": "Psychiatry and Psychology",
    "G": "Phenomena and Processes",
    "H": "Disciplines and Occupations",
    "I": "Anthropology, Education, Sociology, and Social Phenomena",
    "J": "Technology, Industry, and Agriculture",
    "K": "Humanities",
    "L": "Information Science",
    "M": "Named Groups",
    "N": "Health Care",
    "V": "Publication Characteristics",
    "Z": "Geographicals",
}
_NUMBER = re.compile(r"[A-Z]\d+(\.\d+)*")


def read_mesh(path: Path, *, encoding: str = "utf-8-sig") -> Draft:
    """Read a MeSH tree file."""
    heading: dict[str, str] = {}
    lines: dict[str, int] = {}
    for line, text in content_lines(path, encoding):
        name, _, number = (part.strip() for part in text.rpartition(";"))
        if not name or not _NUMBER.fullmatch(number):
            raise BadTaxonomy(f"{path}: line {line}: is not 'heading;tree number' ('Body Regions;A01'). Mend it.")
        if number[0] not in CATEGORIES:
            known = "".join(CATEGORIES)
            raise BadTaxonomy(f"{path}: line {line}: MeSH has no category {number[0]!r}, only {known}. Mend it.")
        if number in heading:
            raise BadTaxonomy(
                f"{path}: line {line}: the tree number {number} stands in line {lines[number]} already. Remove one."
            )
        heading[number], lines[number] = intern(name), line
    draft = Draft(str(path), declared=True)
    for letter in sorted({number[0] for number in heading}):
        draft.add(letter, (CATEGORIES[letter],))
    for number, name in heading.items():
        if name in CATEGORIES:
            raise BadTaxonomy(f"{path}: line {lines[number]}: the heading {name!r} is the id of a category. Rename it.")
        if name not in draft:
            draft.add(name, line=lines[number])
    _link(draft, path, heading, lines)
    for number, name in heading.items():
        if number not in draft:
            draft.alias(number, name)
    return not_empty(draft, path)


def _link(draft: Draft, path: Path, heading: dict[str, str], lines: dict[str, int]) -> None:
    orphans: dict[str, str] = {}
    for number, name in heading.items():
        above = number.rpartition(".")[0]
        if not above:
            draft.link(name, number[0], line=lines[number])
        elif above in heading:
            draft.link(name, heading[above], line=lines[number])
        else:
            orphans.setdefault(above, number)
    if orphans:
        first = min(orphans.values(), key=lines.__getitem__)
        more = ", ".join(map(shown, sorted(orphans)[:8])) + (" and more" if len(orphans) > 8 else "")
        raise BadTaxonomy(
            f"{path}: line {lines[first]}: {len(orphans)} tree numbers are parents but have no line: {more} "
            f"(needed by {shown(heading[first])}). Add their lines, or read the whole file."
        )

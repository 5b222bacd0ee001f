"""Trees written as plain text: one path per line, or indented lines.

Ids are the paths from the root ("sports > water sports > swimming"), so that equal labels in different places are
different concepts. A path of more than MOST_LEVELS steps is refused: every step spells out all steps above it, so that
one hostile line could otherwise fill the memory.
"""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from sys import intern

from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.source import content_lines, not_empty, shown

MOST_LEVELS = 200
ALIGNMENTS = ("guess", "left", "right")
JOINT = " > "  # between the steps of a path that serves as an id
_DISTINCT = (" > ", "::")  # no label holds these, so one line with them settles the separator
_SEPARATORS = (">", "/", ";", "|")
_HEAD = 1_000  # as many lines as are looked at to guess the form of a file
_INTERVAL = re.compile(r"\[ {0,9}(\d{1,9}) {0,9}- {0,9}(\d{1,9}) {0,9}\] {0,9}\|.*\S")
_BULLETS = ("- ", "* ", "• ")


# ---------------------------------------------------------------------- what all readers of trees share


def below(parent: str, label: str) -> str:
    """The path of a label under a parent's path. A '>' that stands alone inside a label is doubled to stay one step."""
    step = re.sub(r"(?<!\S)(>+)(?!\S)", r"\1>", label) if ">" in label else label
    return f"{parent}{JOINT}{step}" if parent else step


def too_deep(where: str, levels: int) -> BadTaxonomy:
    return BadTaxonomy(
        f"{where}: is {levels:,} levels deep, and at most {MOST_LEVELS} are read. Is it the right format and separator?"
    )


# ---------------------------------------------------------------------- one path per line


def read_paths(
    path: Path, *, separator: str | None = None, ids: bool | None = None, encoding: str = "utf-8-sig"
) -> Draft:
    """Read one path per line: `A > B > C`, `A/B/C`, `A::B`, `A;B`; the separator is guessed from the first lines.

    Lines may begin with an id, as in `3237 - Animals > Live Animals` or `3237<tab>Animals > Live Animals`: it has a
    digit and no blanks, and all lines have one (`ids` says so, where the guess fails). It is then the concept's id, and
    the path another name for it. Steps that have no line of their own become concepts too.
    """
    if separator is not None and not separator:
        raise BadPlan(f"{path}: the separator is empty. Give one, such as ' > ' or '/'.")
    head = [line.strip() for _, line in islice(content_lines(path, encoding), _HEAD)]
    marks = (" - ",) if separator == "\t" else (" - ", "\t")
    mark = _mark_of_ids(head, marks) if ids is not False else ""
    if ids and not mark:
        raise BadTaxonomy(f"{path}: not every line begins with an id. Write '12 - A > B' throughout, or set ids=False.")
    steps = _Steps(path, separator or _guess_separator([_split_id(line, mark)[1] for line in head]))
    draft = Draft(str(path))
    given = _given_ids(path, mark, steps, encoding) if mark else {}
    owner = {id: full for full, id in given.items()}
    for line, text in content_lines(path, encoding):
        parts = steps.split(_split_id(text.strip(), mark)[1], line)
        child = ""
        for i in range(len(parts), 0, -1):  # upwards, until a step is known already
            full = steps.joint.join(parts[:i])
            if full not in given and full in owner:
                raise BadTaxonomy(
                    f"{path}: line {line}: {shown(full)} is a path here and the id of another path elsewhere. "
                    f"Give this path a line and an id of its own."
                )
            id = given.get(full, full)
            known = id in draft
            if child:
                draft.link(child, id, line=line)
            if known:
                break
            draft.add(id, (intern(parts[i - 1]),), line=line)
            child = id
    for full, id in given.items():
        if full not in draft:  # ids come first
            draft.alias(full, id)
    return not_empty(draft, path)


class _Steps:
    """Splits the lines of one file into the steps of a path."""

    def __init__(self, path: Path, separator: str) -> None:
        self.path = path
        self.separator = separator
        self.joint = JOINT if separator == ">" else separator
        self._mark = separator.strip()

    def split(self, text: str, line: int) -> list[str]:
        parts = [part.strip() for part in f" {text} ".split(self.separator)]
        if not parts[0]:  # a separator at either end of the line says nothing
            del parts[0]
        if parts and not parts[-1]:
            del parts[-1]
        if not parts or not all(parts):
            raise BadTaxonomy(f"{self.path}: line {line}: a step of the path is empty. Name it or drop a separator.")
        if len(parts) > MOST_LEVELS:
            raise too_deep(f"{self.path}: line {line}", len(parts))
        for part in parts:
            if part[0] in self._mark or part[-1] in self._mark:  # else two paths could share one id
                raise BadTaxonomy(
                    f"{self.path}: line {line}: a stray {shown(self._mark)} stands beside a separator. "
                    f"Remove it, or name another separator with separator=."
                )
        return parts


def _guess_separator(head: list[str]) -> str:
    for separator in _DISTINCT:
        if any(separator in line for line in head):
            return separator
    found = Counter({separator: sum(separator in line for line in head) for separator in _SEPARATORS})
    best, lines = found.most_common(1)[0]  # the first of equals
    return best if lines else JOINT


def _given_ids(path: Path, mark: str, steps: _Steps, encoding: str) -> dict[str, str]:
    """Path -> id. Known before the links are made, since a parent may stand below its child."""
    given: dict[str, str] = {}
    seen: set[str] = set()
    for line, text in content_lines(path, encoding):
        id, rest = _split_id(text.strip(), mark)
        if not id:
            raise BadTaxonomy(f"{path}: line {line}: has no id, unlike the first lines. Add one, or set ids=False.")
        full = steps.joint.join(steps.split(rest, line))
        if id in seen or full in given:
            what = f"the id {shown(id)}" if id in seen else f"the path {shown(full)}"
            raise BadTaxonomy(f"{path}: line {line}: {what} is given twice. Ids and paths must be unique.")
        seen.add(id)
        given[full] = id
    return given


def _mark_of_ids(lines: list[str], marks: Iterable[str]) -> str:
    """What stands between the id and the rest if every line has an id, else nothing."""
    return next((mark for mark in marks if lines and all(_split_id(line, mark)[0] for line in lines)), "")


def _split_id(text: str, mark: str) -> tuple[str, str]:
    """(id, rest); the id is empty if there is none."""
    if not mark:
        return "", text
    id, _, rest = text.partition(mark)
    id, rest = id.strip(), rest.strip()
    sound = rest and len(id.split()) == 1 and any(map(str.isdigit, id))
    return (id, rest) if sound else ("", text)


# ---------------------------------------------------------------------- indented lines


def read_indented(path: Path, *, align: str = "guess", encoding: str = "utf-8-sig") -> Draft:
    """Read lines whose indentation, in tabs or blanks, says what stands under what; bullets (-, *, •) are dropped.

    Lines may begin with an id: `12 | label`, `12 - label`, `12<tab>label`, and `12 | [3-8] | label` with the numbers
    of a nested set, which then give the order of the lines. The id becomes another name for the path. The level is read
    where the ids begin or where they end ("left" or "right" aligned), whichever takes fewer different columns.
    """
    if align not in ALIGNMENTS:
        raise BadPlan(f"{path}: align must be one of {', '.join(ALIGNMENTS)}, not {align!r}.")
    rows: list[tuple[int, str, str]] = []
    for line, text in content_lines(path, encoding):
        body = text.strip()
        indent = text[: len(text) - len(text.lstrip())]
        rows.append((line, indent, body[2:].lstrip() if body.startswith(_BULLETS) else body))
    mark = _mark_of_ids([body for _, _, body in rows], ("|", " - ", "\t"))
    named = [(line, indent, *_split_id(body, mark)) for line, indent, body in rows]
    nested = [_INTERVAL.match(label) if mark == "|" else None for _, _, _, label in named]
    spans = [(int(span[1]), int(span[2])) for span in nested if span]
    in_spans = len(spans) == len(named)
    if in_spans:  # the numbers know the order, and the lines need not stand in it
        named = [(*row[:3], row[3].partition("|")[2].strip()) for _, row in sorted(zip(spans, named, strict=True))]
        spans.sort()
    begins = {indent for _, indent, _, _ in named}
    ends = {indent + " " * len(id) for _, indent, id, _ in named}
    draft = Draft(str(path))
    right = align == "right"
    if align == "guess" and (len(ends) < len(begins) or (in_spans and len(ends) == len(begins))):
        right = True
        draft.note(f"{path.name}: the ids are taken to be aligned right; if they are not, set align to left.")
    numbers: list[tuple[str, str]] = []
    stack: list[tuple[str, str, int]] = []  # indentation, path and last number of the line above, its parent, and so on
    for i, (line, indent, id, label) in enumerate(named):
        if right:
            indent += " " * len(id)
        sibling = None
        while stack and not (indent.startswith(stack[-1][0]) and len(indent) > len(stack[-1][0])):
            sibling = stack.pop()[0]
        if sibling not in (None, indent):
            raise BadTaxonomy(
                f"{path}: line {line}: its indentation fits no line above. Indent siblings alike and children further "
                f"than their parent, with tabs or with blanks throughout."
            )
        if len(stack) >= MOST_LEVELS:
            raise too_deep(f"{path}: line {line}", len(stack) + 1)
        if in_spans and stack and spans[i][1] > stack[-1][2]:
            raise BadTaxonomy(f"{path}: line {line}: its numbers do not lie within its parent's. Mend one of them.")
        parent = stack[-1][1] if stack else ""
        full = below(parent, label)
        draft.add(full, (intern(label),), line=line)
        if parent:
            draft.link(full, parent, line=line)
        if id:
            numbers.append((id, full))
        stack.append((indent, full, spans[i][1] if in_spans else 0))
    further_ids(draft, numbers)
    return not_empty(draft, path)


def further_ids(draft: Draft, names: list[tuple[str, str]]) -> None:
    """Other names for ids, where they mean one concept only."""
    uses = Counter(other for other, _ in names)
    for other, id in names:
        if uses[other] == 1 and other not in draft:
            draft.alias(other, id)

"""Taxonomies in tables: a row per child-parent link, or a column per level."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from sys import intern

from taxonym.errors import BadPlan, BadTaxonomy
from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.outline import MOST_LEVELS, below, too_deep
from taxonym.knowledge.readers.source import not_empty, numbered_lines, shown
from taxonym.knowledge.strings import fold

# What columns are called, the surest names first. Case, underscores, hyphens and a leading '#' do not matter.
COLUMNS = {
    "child": (
        "child id", "child", "child code", "unique id", "id", "identifier", "iri", "uri", "concept id", "concept code",
        "code", "node id", "term id", "key", "concept", "node", "class", "term", "label", "name",
    ),
    "parent": (
        "parent id", "parent ids", "parent", "parents", "parent code", "parent uid", "broader", "broader id",
        "has broader", "hasbroader", "is a", "isa", "subclass of", "subclassof", "superclass",
    ),
    "label": (
        "preferred label", "preflabel", "label", "child label", "child name", "name", "title", "preferred term", "term",
        "concept", "heading",
    ),
    "synonyms": ("synonyms", "synonym", "alt labels", "altlabel", "altlabels", "aliases", "other names"),
    "gloss": ("gloss", "definition", "description"),
}  # fmt: skip
ORDERS = ("guess", "leaf-first", "root-first")
VALUE = "value"  # the first column of a hierarchy of values
_DELIMITERS = (",", ";", "\t", "|")
_HEADER_ROWS = 5  # the header stands in one of these
_SAMPLE = 50
_LISTED = 20  # as many columns as an error message names
_SEVERAL = re.compile("[|;]")  # between several ids or synonyms in one cell

Row = tuple[int, list[str]]  # line where it begins, cells


# ---------------------------------------------------------------------- child and parent


def read_edges(
    path: Path,
    *,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8-sig",
) -> Draft:
    """Read a table of child-parent links; an empty parent makes a root, several rows of one child several parents.

    `columns` names the columns for "child" and "parent", and if wanted "label", "synonyms" and "gloss"; without it they
    are found by their usual names in one of the first rows, and a file of two columns without such names is child,
    parent. Where the children are ids (there is a label, too), parents must be defined by rows of their own, and a cell
    may hold several parents separated by '|' or ';', as synonyms are.
    """
    delimiter = delimiter or _guess_delimiter(path, encoding, columns)
    head = list(islice(_rows(path, delimiter, encoding), _SAMPLE))
    if not head:
        raise BadTaxonomy(f"{path}: the file is empty. Is it the right file?")
    start, width, at = _find_columns(path, head, columns)
    has_label = "label" in at
    draft = Draft(str(path), declared=has_label)
    labels: dict[str, str] = {}
    first_line: dict[str, int] = {}
    parents: list[tuple[int, str, str]] = []
    for line, cells in _rows(path, delimiter, encoding):
        if line <= start:
            continue
        _check_width(path, line, cells, max(at.values()) + 1, width)
        cell = {role: cells[i].strip() for role, i in at.items()}
        child = cell["child"]
        if not child:
            raise BadTaxonomy(f"{path}: line {line}: the child is empty. Fill the cell or remove the row.")
        if child not in first_line:
            first_line[child] = line
            draft.add(child, [] if has_label else [child], gloss=cell.get("gloss", ""), line=line)
        if label := intern(cell.get("label", "")):
            if fold(labels.setdefault(child, label)) != fold(label):
                raise BadTaxonomy(
                    f"{path}: line {line}: the id {shown(child)} has another label in line {first_line[child]}. "
                    f"Ids must be unique: give one of the two concepts another id."
                )
            draft.label(child, label, line=line)
        for synonym in filter(str.strip, _SEVERAL.split(cell.get("synonyms", ""))):
            draft.label(child, synonym.strip(), rank=1, line=line)
        if cell["parent"]:
            parents.append((line, child, cell["parent"]))
    for child, line in first_line.items():
        if has_label and child not in labels:
            raise BadTaxonomy(f"{path}: line {line}: the concept {shown(child)} has an empty label. Give it a name.")
    for line, child, text in parents:
        whole = not has_label or text in first_line  # an id may itself hold a '|' or ';'
        for parent in [text] if whole else filter(None, map(str.strip, _SEVERAL.split(text))):
            draft.link(child, parent, line=line)
    return not_empty(draft, path)


def _find_columns(path: Path, head: list[Row], columns: Mapping[str, str] | None) -> tuple[int, int, dict[str, int]]:
    """(line of the header or 0, number of columns, role -> position)."""
    if columns is not None:
        if strange := sorted(columns.keys() - COLUMNS.keys()):
            raise BadPlan(f"{path}: columns= knows {', '.join(COLUMNS)}, but not {strange[0]!r}.")
        if missing := sorted({"child", "parent"} - columns.keys()):
            raise BadPlan(f"{path}: columns= must name the column of the {missing[0]}, too.")
    for line, cells in head[:_HEADER_ROWS]:
        at = _named(cells, columns)
        if at.keys() >= (columns or {"child": "", "parent": ""}).keys():
            return line, len(cells), at
    fullest = max((cells for _, cells in head[:_HEADER_ROWS]), key=_filled)
    there = _listed(fullest)
    if columns is not None:
        found = [_named(cells, columns) for _, cells in head[:_HEADER_ROWS]]
        lost = next((role for role in columns if not any(role in at for at in found)), "child")
        raise BadTaxonomy(f"{path}: there is no column {shown(columns[lost])}. The file has these columns: {there}.")
    if all(len(cells) == 2 for _, cells in head):
        return 0, 2, {"child": 0, "parent": 1}
    raise BadTaxonomy(
        f"{path}: no row of the first {_HEADER_ROWS} names a child and a parent column. The file has these columns: "
        f"{there}. Say which is which with columns={{'child': ..., 'parent': ...}}."
    )


def _named(cells: list[str], columns: Mapping[str, str] | None) -> dict[str, int]:
    """Role -> position of its column, for the roles that this row of names has."""
    names = [_plain(cell) for cell in cells]
    at: dict[str, int] = {}
    for role, usual in COLUMNS.items():
        wanted = usual if columns is None else (_plain(columns[role]),) if role in columns else ()
        free = (names.index(name) for name in wanted if name and name in names)
        position = next((i for i in free if columns is not None or i not in at.values()), None)
        if position is not None:
            at[role] = position
    return at


def _plain(name: str) -> str:
    return " ".join(re.split(r"[\s_\-]+", name.casefold().strip(" \t#")))


def _listed(names: list[str]) -> str:
    names = [shown(name.strip()) for name in names if name.strip()]
    return ", ".join(names[:_LISTED]) + (f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else "")


def _filled(cells: list[str]) -> int:
    return sum(bool(cell.strip()) for cell in cells)


# ---------------------------------------------------------------------- one column per level


def read_levels(
    path: Path,
    *,
    columns: Sequence[str] | None = None,
    order: str = "guess",
    header: bool | None = None,
    delimiter: str | None = None,
    encoding: str = "utf-8-sig",
) -> Draft:
    """Read a table with one column per level: `labels,level2,level1`, or the other way round.

    Ids are the paths from the root, so that "sausage" under "sausage" are two concepts. Empty cells end a path.
    `columns` picks columns by name. `order` is "leaf-first", "root-first" or a guess: by the numbers in the names (the
    higher, the deeper), else the end with fewer different values is the root. Without `header` a first row whose
    root cell occurs in no other row is taken for one.

    If the first column is called `value`, every row is a value and its generalisations, leaf first, as 'taxonym
    taxonomy cut' writes them; an empty cell is a level that the value skips.
    """
    if order not in ORDERS:
        raise BadPlan(f"{path}: order must be one of {', '.join(ORDERS)}, not {order!r}.")
    delimiter = delimiter or _guess_delimiter(path, encoding, None)
    rows = [(line, [intern(cell.strip()) for cell in cells]) for line, cells in _rows(path, delimiter, encoding)]
    if not rows:
        raise BadTaxonomy(f"{path}: the file is empty. Is it the right file?")
    width = len(rows[0][1])
    for line, cells in rows:
        _check_width(path, line, cells, width, width)
        del cells[width:]
    while len(rows) > 1 and width > 1 and not any(cells[width - 1] for _, cells in rows):
        width -= 1  # a delimiter at the end of every line
    names = rows[0][1]
    numbers = [int(m[1]) if (m := re.search(r"(?<!\d)(\d{1,3})$", name)) else None for name in names[:width]]
    of_values = columns is None and header is not False and order != "root-first" and _plain(names[0]) == VALUE
    if of_values:
        header, order = True, "leaf-first"
    elif header is None:
        named = columns is not None or _look_numbered(numbers, names)
        header = named or (len(rows) > 1 and _root_cell_is_alone(rows, width, order))
    pick = _pick(path, names, columns, header) if columns is not None else range(width)
    rows = [(line, [cells[i] for i in pick]) for line, cells in rows[header:]]
    if order == "guess":
        counted = [numbers[i] for i in pick if numbers[i] is not None] if header else []
        order = _order_by_numbers(counted) or _order_by_values([cells for _, cells in rows])

    draft = Draft(str(path))
    for line, cells in rows:
        cells = [cell for cell in cells if cell] if of_values else cells
        _put_path(draft, path, line, cells if order == "root-first" else cells[::-1])
    return not_empty(draft, path)


def _put_path(draft: Draft, path: Path, line: int, cells: list[str]) -> None:
    """Add the concepts of one row, from the root down."""
    ends = cells.index("") if "" in cells else len(cells)
    if any(cells[ends:]):
        raise BadTaxonomy(
            f"{path}: line {line}: an empty cell stands above a filled one. Fill it, or repeat the name above it."
        )
    if ends > MOST_LEVELS:
        raise too_deep(f"{path}: line {line}", ends)
    parent = ""
    for label in cells[:ends]:
        id = below(parent, label)
        if id not in draft:
            draft.add(id, (label,), line=line)
            if parent:
                draft.link(id, parent, line=line)
        parent = id


def _pick(path: Path, names: list[str], columns: Sequence[str], header: bool) -> list[int]:
    if not header:
        raise BadPlan(f"{path}: columns= needs a header; leave out header=False.")
    lost = next((name for name in columns if name not in names), None)
    if lost is not None:
        raise BadTaxonomy(f"{path}: there is no column {shown(lost)}. The file has these columns: {_listed(names)}.")
    return [names.index(name) for name in columns]


def _look_numbered(numbers: list[int | None], names: list[str]) -> bool:
    """Whether the first row reads like level1, level2 (a bare number could be a value)."""
    counted = [n for n, name in zip(numbers, names, strict=False) if n is not None and not name.isdigit()]
    stems = {re.sub(r"\d+$", "", name) for n, name in zip(numbers, names, strict=False) if n is not None}
    return len(counted) > 1 and len(stems) == 1 and len(set(counted)) == len(counted)


def _root_cell_is_alone(rows: list[Row], width: int, order: str) -> bool:
    body = [cells for _, cells in rows[1:]]
    way = _order_by_values(body) if order == "guess" else order
    root = 0 if way == "root-first" else width - 1
    return all(cells[root] != rows[0][1][root] for cells in body)


def _order_by_numbers(numbers: Sequence[int | None]) -> str:
    """By level1, level2, ...; a count from 0 says nothing, since generalisation steps are counted so from the leaf."""
    counted = [n for n in numbers if n is not None]
    if len(counted) < 2 or 0 in counted or counted[0] == counted[-1]:
        return ""
    return "root-first" if counted[0] < counted[-1] else "leaf-first"


def _order_by_values(rows: list[list[str]]) -> str:
    first, last = ({cells[end] for cells in rows} for end in (0, -1))
    return "root-first" if len(first) < len(last) else "leaf-first"


# ---------------------------------------------------------------------- rows and cells


def _rows(path: Path, delimiter: str, encoding: str) -> Iterator[Row]:
    """Every row that is not blank, with the line where it begins."""
    if len(delimiter) != 1:
        raise BadPlan(f"{path}: the delimiter must be one character, such as ',' or a tab.")
    csv.field_size_limit(2**31 - 1)  # of the process; the default makes an error of every long definition
    lines = (line + "\n" for _, line in numbered_lines(path, encoding))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error:
        raise BadTaxonomy(
            f"{path}: line {line}: a quote is opened and not closed. Close it, or double the quotes inside the cell."
        ) from None


def _check_width(path: Path, line: int, cells: list[str], least: int, most: int) -> None:
    if len(cells) < least:
        raise BadTaxonomy(f"{path}: line {line}: has {len(cells)} cells instead of {most}. Fill up the row.")
    if any(map(str.strip, cells[most:])):
        raise BadTaxonomy(
            f"{path}: line {line}: has {len(cells)} cells instead of {most}. Quote a cell that holds the delimiter."
        )


def _guess_delimiter(path: Path, encoding: str, columns: Mapping[str, str] | None) -> str:
    """The one that makes a header with the wanted columns, else the one that splits all rows alike."""

    def fit(delimiter: str) -> tuple[bool, float, int]:
        head: list[list[str]] = []
        with suppress(BadTaxonomy):  # judge by what comes before a fault; reading will meet it again and say so
            head.extend(cells for _, cells in islice(_rows(path, delimiter, encoding), _SAMPLE))
        named = any(_named(cells, columns).keys() >= {"child", "parent"} for cells in head[:_HEADER_ROWS])
        widths = [len(cells) for cells in head]
        usual = max(set(widths), key=widths.count, default=1)
        return named, widths.count(usual) / len(widths) if usual > 1 else 0.0, usual

    return max(_DELIMITERS, key=fit)

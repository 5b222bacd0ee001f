"""Columns that together are one set: numbered ones (SYMPTOM1 to SYMPTOM5), and one for every choice (pet_dog, pet_cat).

Numbered columns are items of one list if a row never says the same twice and fills them from the left; answers to
numbered questions (agree, agree, disagree) do repeat. A form's export has a column per choice, which holds the choice
or nothing. Columns of yes and no belong together if their headers begin alike.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_NUMBERED = re.compile(r"(.*?[^\d])0?(\d{1,2})")
_MARKS = {  # yes, and what stands for no beside it
    "1": {"0"}, "true": {"false"}, "t": {"f"}, "yes": {"no"}, "y": {"n"}, "ja": {"nein"}, "si": {"no"}, "sí": {"no"},
    "oui": {"non"}, "x": set(), "checked": {"unchecked"}, "selected": {"not selected"}, "quoted": {"not quoted"},
}  # fmt: skip
_FEWEST = 3  # columns of yes and no
_ALWAYS = 0.98  # share of rows that fill numbered columns as a list is filled
_PREFIX = re.compile(r"(.+?)[_.:\-/ \[]+[^_.:\-/ \[]")


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """A set that columns make up; `marks` are the cells that mean yes, where names of columns are its items."""

    name: str
    columns: tuple[str, ...]
    marks: tuple[str, ...] = ()

    @property
    def how(self) -> str:
        first, last = self.columns[0], self.columns[-1]
        what = "a mark in each says whether it is held" if self.marks else "their cells are the items of one list"
        return f"the {len(self.columns)} columns {first!r} to {last!r} are one set: {what}"


def column_groups(frame: "pl.DataFrame", missing: Collection[str]) -> list[ColumnGroup]:
    """The sets that columns of a table make up."""
    texts = {series.name: cells for series in frame if (cells := _cells(series, missing)) is not None}
    groups, taken = list[ColumnGroup](), set[str]()
    by_prefix: dict[str, list[tuple[int, str]]] = {}
    for name in texts:
        if found := _NUMBERED.fullmatch(name.strip()):
            by_prefix.setdefault(found[1], []).append((int(found[2]), name))
    for prefix, some in by_prefix.items():
        names = [name for _, name in sorted(some)]
        if len(names) > 1 and _is_list([texts[name] for name in names]):
            groups.append(ColumnGroup(_name(prefix, frame.columns), tuple(names)))
            taken |= {*names}
    marked: dict[tuple[str, str], list[str]] = {}
    for name, cells in texts.items():
        if name not in taken and (mark := _mark(cells)) and (found := _PREFIX.match(name)):
            marked.setdefault((found[1], mark), []).append(name)
    for (prefix, _), names in marked.items():
        if len(names) >= _FEWEST:
            written = sorted({c for name in names for c in texts[name] if c is not None and c.casefold() in _MARKS})
            groups.append(ColumnGroup(_name(prefix, frame.columns), tuple(names), tuple(written)))
    return groups


def _cells(series: "pl.Series", missing: Collection[str]) -> list[str | None] | None:
    import polars as pl

    if series.dtype == pl.Boolean or series.dtype.is_integer():
        return series.cast(pl.String).to_list()
    if series.dtype.is_float():
        return [None if v is None else str(int(v)) if v == int(v) else repr(v) for v in series.fill_nan(None).to_list()]
    if series.dtype != pl.String:
        return None
    no = {"", *missing}
    return [None if text is None or text in no else text for text in series.str.strip_chars().to_list()]


def _is_list(columns: Sequence[list[str | None]]) -> bool:
    """Whether cells of columns are items of one list per row."""
    values = [{cell for cell in cells if cell is not None} for cells in columns]
    every = set[str]().union(*values)
    if len(every) < 2 or sum(bool(re.fullmatch(r"[\d.,+-]+", value)) for value in every) > 0.1 * len(every):
        return False
    if all(len(some) <= 1 for some in values) and len(every) == sum(map(len, values)):
        return len(columns) >= _FEWEST and any(None in cells for cells in columns)  # a column for each choice
    rows = [list(row) for row in zip(*columns, strict=True)]
    several = [row for row in rows if sum(cell is not None for cell in row) > 1]
    if not several:
        return False
    once = sum(len({*filled}) == len(filled) for row in several if (filled := [c for c in row if c is not None]))
    from_left = sum(None not in row[: sum(cell is not None for cell in row)] for row in rows)
    gaps = any(None in row for row in rows)
    shared = sum(len(some & set[str]().union(*values[:i], *values[i + 1 :])) for i, some in enumerate(values))
    alike = shared >= 0.3 * sum(map(len, values))
    return gaps and alike and once >= _ALWAYS * len(several) and from_left >= _ALWAYS * len(rows)


def _mark(cells: Sequence[str | None]) -> str | None:
    """What means yes, in a column of nothing but yes and no."""
    values = {cell.casefold() for cell in cells if cell is not None}
    found = next((yes for yes in _MARKS if yes in values), None)
    if found is None or values - {found} - _MARKS[found]:
        return None
    return found if values - {found} or None in cells else None


def _name(prefix: str, taken: Collection[str]) -> str:
    """What a set is called: SYMPTOM is symptoms."""
    plain = re.sub(r"[\s_.:\-/\[]+$", "", prefix).strip().lower() or "items"
    made = plain if plain[-1].isdigit() or plain.endswith("s") else f"{plain}s"
    return made if made not in taken else f"{made}_set"

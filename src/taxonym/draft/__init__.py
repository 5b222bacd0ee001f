"""A plan drafted from a look at a file: what each column seems to be, and why.

Only columns whose words a taxonomy knows are proposed for publication; identifiers are named as such; everything else
is left out, and the notes say what it looks like. Notes give names of columns and shares, never a value.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.errors import BadInput
from taxonym.io.delimited import Dialect, split_cell
from taxonym.io.files import read
from taxonym.knowledge.catalog import load

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = (";", "|", ",", "/")
ENOUGH = 0.5  # share of cells or terms that a taxonomy must know
_SAMPLE = 1000  # cells of a column that are looked at, spread over the file
_BETTER = 0.1  # by so much must another kind be better known than whole cells
_SPLIT = 0.1  # share of cells that must hold a separator
_PURE = 0.98  # share of cells that must look like numbers or dates
_FEW = 0.1  # share of distinct values up to which a column repeats itself
_ONE_EACH = 0.9  # share of distinct values from which a column is one value per row
_PERSON = re.compile(r"(user|patient|person|customer|client|member|subject|participant|visitor|employee|student)")
_NAMED = re.compile(
    r"(^|[\W_])(id|uuid|guid|ids?n|ssn|nif|name|surname|forename|firstname|lastname|e-?mail|phone|tel|mobile|address|"
    r"street|ip|iban|passport|login|account)([\W_]|$)"
)
_OPAQUE = re.compile(r"[^\s@]+@[^\s@]+\.\w+|[0-9a-fA-F]{8}-[0-9a-fA-F-]{20,}|\+?[\d ()/.-]{7,}|[0-9a-fA-F]{16,}")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ].*)?|\d\d?[./-]\d\d?[./-]\d{2,4}")


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """`plan` has the tables of a plan file, as Plan.from_dict takes them; `notes` explains every proposal."""

    plan: dict[str, Any]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class _Look:
    """One way to read a column, and the share of what it then holds that a taxonomy knows."""

    known: float
    kind: str
    why: str
    settings: dict[str, str]


class _Words:
    """What one taxonomy knows. A cell is a label as a whole, or mentions concepts, which the finder tells."""

    def __init__(self, source: str) -> None:
        from taxonym.text.finder import Finder

        self.source = source
        self._taxonomy = load(source)
        self._finder = Finder(self._taxonomy)

    def labels(self, terms: list[str]) -> float:
        return _share(bool(self._taxonomy.codes(term)) for term in terms)

    def mentions(self, texts: list[str]) -> float:
        return _share(bool(self._taxonomy.codes(text) or self._finder.find(text)) for text in texts)


def draft_plan(path: str | Path, taxonomies: Sequence[str] = ("wordnet",), dialect: Dialect | None = None) -> PlanDraft:
    """Look at a file and propose roles, kinds, separators, taxonomies, and whose privacy counts.

    Memory: what read() needs, the taxonomies, and a thousand cells of one column.
    """
    frame = read(path, dialect)
    known = [_Words(source) for source in taxonomies]
    person = _person(frame, known)
    columns: dict[str, dict[str, Any]] = {person: {"role": "identifier"}} if person else {}
    notes = [_whose(frame, person)]
    best = _Look(0.0, "", "", {})
    for series in frame:
        name, cells = series.name, _sample(series)
        look = _look(series, cells, known)
        if name == person:
            continue
        if cells and (hint := _identifier(series, cells, look)):
            columns[name] = {"role": "identifier"}
            notes.append(f"Column {name!r} {hint}: it is taken for an identifier and removed.")
        elif look.known >= ENOUGH:
            columns[name] = {"role": "quasi-identifier", "kind": look.kind, **look.settings}
            notes.append(f"Column {name!r} is masked as {look.kind}: {look.why}.")
        else:
            notes.append(f"Column {name!r} is left out: {look.why}.")
            best = max(best, look, key=lambda k: k.known)
    if all(column["role"] == "identifier" for column in columns.values()):
        raise BadInput(
            f"{path}: no column can be masked: of the best, {best.known:.0%} is known to {' or '.join(taxonomies)}. "
            f"Name a taxonomy that has its words."
        )
    given = {"path": str(path), "person": person, **asdict(dialect or Dialect())}
    return PlanDraft({"input": {key: v for key, v in given.items() if v not in (None, ())}, "columns": columns}, notes)


def _whose(frame: "pl.DataFrame", person: str | None) -> str:
    if person is None:
        return "No column says whose row it is: every row counts as a person."
    many = frame.height / frame[person].n_unique()
    return (
        f"Column {person!r} says whose row it is ({many:.1f} rows per value): it is removed, and k counts its values."
    )


def _sample(series: "pl.Series") -> list[Any]:
    """Some filled cells, spread evenly; lists stay lists, all else is text."""
    import polars as pl

    filled = series.drop_nulls()
    if isinstance(filled.dtype, pl.List):
        filled = filled.cast(pl.List(pl.String))
    else:
        filled = filled.cast(pl.String).str.strip_chars()
        filled = filled.filter(filled != "")
    return filled.gather_every(max(1, filled.len() // _SAMPLE)).to_list()


def _person(frame: "pl.DataFrame", known: list[_Words]) -> str | None:
    """The column that a person's rows share: named like one, filled everywhere, of many values that are no words."""
    import polars as pl

    found: list[tuple[int, int, str]] = []
    for i, series in enumerate(frame):
        name = series.name.lower()
        rank = 0 if _PERSON.search(name) else 1 if re.search(r"(^|[\W_])(id|uuid)$", name) else 2
        distinct = series.n_unique() if not isinstance(series.dtype, pl.List) else 0
        if rank == 2 or series.null_count() or distinct < min(10, frame.height / 2):
            continue
        if max((words.labels(_sample(series)) for words in known), default=0) < ENOUGH:
            found.append((rank, i, series.name))
    return min(found)[2] if found else None


def _identifier(series: "pl.Series", cells: list[Any], look: _Look) -> str | None:
    """Why a column seems to name persons."""
    if any(isinstance(cell, list) for cell in cells):
        return None
    if _NAMED.search(re.sub(r"([a-z])([A-Z])", r"\1_\2", series.name).lower()):
        return "is named like one"
    distinct = series.n_unique() / len(series)
    share = _share(bool(_OPAQUE.fullmatch(cell)) for cell in cells)
    if share >= _ONE_EACH and look.kind != "date" and distinct > _FEW:
        return f"holds long numbers, codes or addresses ({share:.0%})"
    if distinct >= _ONE_EACH and len(series) >= 10 and look.known < ENOUGH and look.kind not in ("number", "date"):
        return f"has a value of its own in {distinct:.0%} of the rows"
    return None


def _look(series: "pl.Series", cells: list[Any], known: list[_Words]) -> _Look:
    """The best way to read a column."""
    if not cells:
        return _Look(0.0, "", "it is empty", {})
    if isinstance(cells[0], list):
        terms = [term for cell in cells for term in cell if term]
        return max((_set(terms, words, {}, "it holds lists") for words in known), key=lambda k: k.known)
    for kind, pattern, pure in (
        ("number", _NUMBER, series.dtype.is_numeric()),
        ("date", _DATE, series.dtype.is_temporal()),
    ):
        if pure or _share(bool(pattern.fullmatch(cell)) for cell in cells) >= _PURE:
            why = f"it holds {kind}s; to publish ranges of them, name it as quasi-identifier of kind {kind!r}"
            return _Look(0.0, kind, why, {})
    return max((_words(series, cells, words) for words in known), key=lambda k: k.known)


def _words(series: "pl.Series", cells: list[str], words: _Words) -> _Look:
    """Whole cells if they are labels; sets if their parts are so more often; else texts that mention concepts."""
    whole = words.labels(cells)
    parts: list[tuple[float, str, list[str]]] = []
    for separator in SEPARATORS:
        if (share := _share(separator in cell for cell in cells)) >= _SPLIT:
            terms = [term for cell in cells for term in split_cell(cell, separator)]
            parts.append((words.labels(terms), separator, terms))
    if parts and (best := max(parts, key=lambda part: part[0]))[0] >= whole + _BETTER:
        share = _share(best[1] in cell for cell in cells)
        how = f"{share:.0%} of the cells hold the separator {best[1]!r}"
        return _set(best[2], words, {"separator": best[1]}, how)
    mentioned = words.mentions(cells)
    long = sum(len(cell.split()) for cell in cells) / len(cells)
    kind = "text" if whole < ENOUGH and long >= 2 and series.n_unique() > len(series) * _FEW else "nominal"
    why = f"{whole:.0%} of the cells are labels of {words.source} and {mentioned:.0%} mention a concept of it"
    return _Look(mentioned, kind, why, {"taxonomy": words.source})


def _set(terms: list[str], words: _Words, settings: dict[str, str], how: str) -> _Look:
    share = words.mentions(terms[: 2 * _SAMPLE])
    why = f"{how}, and {share:.0%} of the terms are known to {words.source}"
    return _Look(share, "set", why, {**settings, "taxonomy": words.source})


def _share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found) if found else 0.0

"""A plan drafted from a look at a file: what each column seems to be, and why.

Columns that hold codes, answers, places, ages or dates are recognised first (`column_kinds`), then words that a
taxonomy knows (`words`). Identifiers are named as such; everything else is left out, and the notes say what it looks
like. Notes give names of columns and shares, never a value but for marks of missing values.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.drafting.column_kinds import recognise
from taxonym.drafting.missing import is_mark, missing_marks
from taxonym.drafting.recognition import Recognition
from taxonym.drafting.sample import ColumnSample, share
from taxonym.drafting.words import ENOUGH, JUDGED, KnownWords, WordsLook
from taxonym.errors import BadInput
from taxonym.io.delimited import Dialect
from taxonym.io.frames import as_polars

if TYPE_CHECKING:
    import polars as pl

_PURE = 0.98  # share of cells that must be codes of a taxonomy where they look like numbers
_FEW = 0.1  # share of distinct values up to which a column repeats itself
_ONE_EACH = 0.9  # share of distinct values from which a column is one value per row
_RARE = 0.02  # share of distinct values up to which they are answers to choose from
_SURE = 0.7  # confidence from which a kind is taken before words are looked up
_PERSON = re.compile(r"(user|patient|person|customer|client|member|subject|participant|visitor|employee|student)")
_NAMED = re.compile(
    r"(^|[\W_])(id|uuid|guid|ids?n|ssn|nif|name|surname|forename|firstname|lastname|e-?mail|phone|tel|mobile|address|"
    r"street|ip|iban|passport|login|account)([\W_]|$)"
)
_OPAQUE = re.compile(r"[^\s@]+@[^\s@]+\.\w+|[0-9a-fA-F]{8}-[0-9a-fA-F-]{20,}|\+?[\d ()/.-]{7,}|[0-9a-fA-F]{16,}")
_PLAIN = ("number", "date")
_KEEP = "keep-as-own-concept"


@dataclass(frozen=True, slots=True)
class ColumnDraft:
    """What was found out about a column; `coverage` is None where no taxonomy was asked."""

    name: str
    role: str | None
    why: str
    recognised: str | None = None
    confidence: float | None = None
    coverage: float | None = None
    coherence: float | None = None
    missing: float = 0.0


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """`plan` has the tables of a plan file, as Plan.from_dict takes them; `notes` explains every proposal."""

    plan: dict[str, Any]
    notes: list[str]
    columns: list[ColumnDraft] = field(default_factory=list)

    def described(self) -> dict[str, dict[str, Any]]:
        """Every column but the person's, with its settings, what it was taken for and how sure that is, for JSON."""
        made: dict[str, dict[str, Any]] = {}
        for column in self.columns:
            found: dict[str, Any] = {
                key: value if not isinstance(value, float) else round(value, 4) for key, value in asdict(column).items()
            }
            settings = self.plan["columns"].get(column.name, {})
            found |= {key: settings.get(key) for key in ("kind", "separator", "taxonomy")}
            del found["name"]
            made[column.name] = found
        return made


def draft_plan(source: Any, taxonomies: Sequence[str] = ("wordnet",), dialect: Dialect | None = None) -> PlanDraft:
    """Look at a file or a table: propose roles, kinds, separators, taxonomies, missing marks, and whose privacy counts.

    Memory: what read() needs, the taxonomies, and a thousand cells of one column.
    """
    of_path = isinstance(source, str | Path)
    path = str(source) if of_path else "the table"
    frame = as_polars(source, dialect)
    known = [KnownWords(source) for source in taxonomies]
    marks, more = missing_marks(frame, _numbers_but_for_marks(frame))
    samples = {series.name: ColumnSample.of(series, marks) for series in frame}
    kinds = {name: recognise(sample) for name, sample in samples.items()}
    person = _person(frame, samples, kinds, known)
    columns: dict[str, dict[str, Any]] = {person: {"role": "identifier"}} if person else {}
    notes, drafts = [_whose(frame, person)], []
    for name, sample in samples.items():
        if name == person:
            continue
        settings, draft = _proposal(sample, kinds[name], known)
        drafts.append(draft)
        if draft.role is not None:
            columns[name] = {"role": draft.role, **settings}
        notes.append(draft.why)
    if marks:
        said = ", ".join(f'"{mark}"' for mark in marks)
        notes.append(f"Cells that are {said} are taken for missing, in every column.")
    notes += more
    if all(column["role"] == "identifier" for column in columns.values()):
        best = max(drafts, key=lambda draft: draft.coverage or 0.0, default=None)
        found = 0.0 if best is None else best.coverage or 0.0
        if best is not None and found >= ENOUGH:
            raise BadInput(f"{path}: no column can be masked. {best.why} Write a plan that says otherwise.")
        raise BadInput(
            f"{path}: no column can be masked: of the best, {found:.0%} is known to {' or '.join(taxonomies)}. "
            f"Name a taxonomy that has its words."
        )
    given = {"path": path if of_path else None, "person": person, "missing": marks, **(dialect or Dialect()).settings}
    tables = {"input": {key: v for key, v in given.items() if v not in (None, (), [])}, "columns": columns}
    return PlanDraft(tables, notes, drafts)


def _proposal(
    sample: ColumnSample, kind: Recognition | None, known: list[KnownWords]
) -> tuple[dict[str, Any], ColumnDraft]:
    """The settings of a column in the plan, and why; no role where it is left out."""
    name, empty = sample.name, {"on_empty": _KEEP} if sample.missing > 0 else {}
    sure = kind is not None and kind.confidence >= _SURE
    if not sample.cells:
        return {}, ColumnDraft(name, None, f"Column {name!r} is left out: it is empty.", missing=sample.missing)
    if _is_plain(kind) and not sample.lists and _are_codes(sample, known):
        kind = None
    look = _best_words(sample, known, kind)
    if hint := _identifier(sample, kind, look):
        why = f"Column {name!r} {hint}: it is taken for an identifier and removed."
        return {}, ColumnDraft(name, "identifier", why, missing=sample.missing)
    told = f" {sample.missing:.0%} of its cells are missing, which counts as a value." if empty else ""
    own = look is not None and look.fits and look.settings.get("taxonomy") != JUDGED and not _is_plain(kind)
    if look is not None and look.fits and (own or not sure):
        why = f"Column {name!r} is masked as {look.kind}: {look.why}.{told}"
        figures = (None, None, look.known, look.coherence, sample.missing)
        return {"kind": look.kind, **look.settings, **empty}, ColumnDraft(name, "quasi-identifier", why, *figures)
    kind = kind or _few_values(sample, look)
    if kind is not None:
        asked = (kind.coverage, None) if look is None else (look.known, look.coherence)
        about = (kind.name, kind.confidence, *asked, sample.missing)
        if kind.mask:
            as_kind = kind.settings["kind"]
            why = f"Column {name!r} is masked as {as_kind}: {kind.reason}.{told}"
            return {**kind.settings, **empty}, ColumnDraft(name, "quasi-identifier", why, *about)
        return {}, ColumnDraft(name, None, f"Column {name!r} is left out: {kind.reason}.", *about)
    assert look is not None
    figures = (None, None, look.known, look.coherence, sample.missing)
    return {}, ColumnDraft(name, None, f"Column {name!r} is left out: {look.why}.", *figures)


def _few_values(sample: ColumnSample, look: WordsLook | None) -> Recognition | None:
    """The same few answers again and again, or sets of them: each stands for itself."""
    settings: dict[str, Any] = {"kind": "nominal"}
    if look is not None and look.kind == "set":
        separator = look.settings.get("separator")
        sample = sample.of_parts(separator)
        settings = {"kind": "set"} if separator is None else {"kind": "set", "separator": separator}
    if not 1 < sample.distinct <= min(50, _RARE * sample.rows):
        return None
    why = f"it holds {sample.distinct} different values, each of which stands for itself"
    return Recognition("few values", 0.5, why, settings)


def _is_plain(kind: Recognition | None) -> bool:
    return kind is not None and kind.settings.get("kind") in _PLAIN


def _are_codes(sample: ColumnSample, known: list[KnownWords]) -> bool:
    """Whether what looks like numbers are codes of a taxonomy that was named for it (ICD-9-CM)."""
    return any(one.labels(sample.cells) >= _PURE for one in known if one.source != JUDGED)


def _best_words(sample: ColumnSample, known: list[KnownWords], kind: Recognition | None) -> WordsLook | None:
    """The best way to read a column as words; None for numbers and dates, which are none. What is recognised as
    something else is a column of words only by a taxonomy that was named for it."""
    if _is_plain(kind):
        return None
    asked = [one for one in known if kind is None or kind.confidence < _SURE or one.source != JUDGED]
    looks = [one.look(sample) for one in asked]
    return max(looks, key=lambda look: (look.fits, look.known), default=None)


def _whose(frame: "pl.DataFrame", person: str | None) -> str:
    if person is None:
        return "No column says whose row it is: every row counts as a person."
    many = frame.height / frame[person].n_unique()
    return (
        f"Column {person!r} says whose row it is ({many:.1f} rows per value): it is removed, and k counts its values."
    )


def _numbers_but_for_marks(frame: "pl.DataFrame") -> list[str]:
    """Columns of numbers or dates, if cells that may be marks are left out."""
    found = []
    for series in frame:
        sample = ColumnSample.of(series)
        marked = not sample.lists and any(map(is_mark, sample.values))
        if marked and _is_plain(recognise(sample.without(is_mark))):
            found.append(series.name)
    return found


def _person(
    frame: "pl.DataFrame",
    samples: dict[str, ColumnSample],
    kinds: dict[str, Recognition | None],
    known: list[KnownWords],
) -> str | None:
    """The column that a person's rows share: named like one, filled everywhere, of many values that are no words and
    nothing else that is known of persons, such as their country or age."""
    found: list[tuple[int, int, str]] = []
    for i, (name, sample) in enumerate(samples.items()):
        low, kind = name.lower(), kinds[name]
        rank = 0 if _PERSON.search(low) else 1 if re.search(r"(^|[\W_])(id|uuid)$", low) else 2
        something = kind is not None and kind.confidence >= _SURE and (kind.mask or kind.name == "date")
        if rank == 2 or sample.lists or sample.missing or sample.distinct < min(10, frame.height / 2) or something:
            continue
        if max((words.labels(sample.cells) for words in known), default=0) < ENOUGH:
            found.append((rank, i, name))
    return min(found)[2] if found else None


def _identifier(sample: ColumnSample, kind: Recognition | None, look: WordsLook | None) -> str | None:
    """Why a column seems to name persons."""
    if sample.lists or (kind is not None and kind.named):
        return None
    if _NAMED.search(re.sub(r"([a-z])([A-Z])", r"\1_\2", sample.name).lower()):
        return "is named like one"
    distinct = sample.distinct / sample.rows
    opaque = share(bool(_OPAQUE.fullmatch(cell)) for cell in sample.cells)
    dated = kind is not None and kind.settings.get("kind") == "date"
    if opaque >= _ONE_EACH and not dated and distinct > _FEW:
        return f"holds long numbers, codes or addresses ({opaque:.0%})"
    fits = look is not None and look.fits
    if distinct >= _ONE_EACH and sample.rows >= 10 and not fits and not _is_plain(kind) and not (kind and kind.mask):
        return f"has a value of its own in {distinct:.0%} of the rows"
    return None

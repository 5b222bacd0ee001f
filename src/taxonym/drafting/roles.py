"""What every column is for: identifiers by header and by value, words and numbers that are masked, what is left out;
and what of that the owner is asked about.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from taxonym.drafting.categories import category_of
from taxonym.drafting.column_groups import ColumnGroup
from taxonym.drafting.column_kinds import recognise
from taxonym.drafting.plan_draft import Answer, ColumnDraft, Question
from taxonym.drafting.recognition import Recognition
from taxonym.drafting.sample import ColumnSample
from taxonym.drafting.words import JUDGED, BestWords, KnownWords, best_words
from taxonym.records.headers import Whose, is_id, whose
from taxonym.records.identifiers import direct_form, single_names, spans_in
from taxonym.records.ids import IdColumn
from taxonym.text.tokens import word_set

PLAIN = ("number", "date")
SURE = 0.7  # confidence from which a kind is taken before words are looked up
_PURE = 0.98  # share of cells that must be codes of a taxonomy where they look like numbers
_ONE_EACH = 0.9  # share of distinct values from which a column is one value per row
_RARE = 0.02  # share of distinct values up to which they are answers to choose from
_FEWEST_WORDS = 3  # different words from which a column has a subject; fewer stand for themselves
_FEWEST_NAMES = 8  # different names that are no accident
KEEP = "keep-as-own-concept"
_NAMED = word_set(
    "id uuid guid idn idsn ssn nif email mail courriel correo phone tel telephone telefon telefono telefoon handy "
    "mobile movil celular address adresse direccion indirizzo domicilio adres anschrift street strasse calle straat "
    "ulica ip iban passport pasaporte login account"
)
_NAMES_OF = word_set(  # what numbers and dates are not: nombre d'enfants counts children
    "name names surname forename firstname lastname fullname vorname nachname familienname nombre apellido apellidos "
    "prenom nom cognome nome sobrenome naam voornaam achternaam imie nazwisko navn fornavn etternavn namn fornamn "
    "efternamn"
)
_NAMES = ("name", "given", "family", "first", "last", "surname", "vorname", "nachname", "nombre", "apellido", "prenom")
_RESULTS = ("result", "outcome", "hiv", "test", "ergebnis", "befund", "resultado")  # what others do not know
_OUTCOMES = (  # what data are often about: somebody's own affair
    *_RESULTS, "salary", "income", "wage", "pay", "earnings", "gehalt", "lohn", "einkommen",
    "salario", "sueldo", "ingresos", "salaire", "revenu", "religion", "orientation", "ethnicity", "race", "politics",
    "party", "vote", "disability", "balance", "debt", "credit", "score", "grade",
)  # fmt: skip
_HEALTH = (
    "diagnosis", "diagnoses", "diagnose", "diagnostico", "condition", "disease", "illness", "enfermedad", "krankheit",
    "maladie", "icd", "dx", "medication",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """A column as it was looked at, with the ways to read it."""

    sample: ColumnSample
    kind: Recognition | None
    group: ColumnGroup | None = None

    @classmethod
    def of(cls, sample: ColumnSample, group: ColumnGroup | None = None) -> "ColumnLook":
        return cls(sample, recognise(sample), group)

    @property
    def plain(self) -> bool:
        """Whether it holds numbers or dates."""
        return self.kind is not None and self.kind.settings.get("kind") in PLAIN

    @property
    def sure(self) -> bool:
        return self.kind is not None and self.kind.confidence >= SURE

    @property
    def is_something(self) -> bool:
        """Whether it is known to be something else than whose row it is, such as a country or an age."""
        return self.sure and self.kind is not None and (self.kind.mask or self.kind.name == "date")


def proposal(
    look: ColumnLook, known: Sequence[KnownWords], id: IdColumn | None
) -> tuple[ColumnDraft, BestWords | None]:
    """What a column is for, and by which taxonomies its words were read."""
    sample, kind = look.sample, look.kind
    name, empty = sample.name, {"on_empty": KEEP} if sample.missing > 0 else {}
    if not sample.cells:
        why = f"Column {name!r} is left out: it is empty."
        return ColumnDraft(name, None, why, missing=sample.missing), None
    if look.plain and not sample.lists and _are_codes(sample, known):
        kind = None
    words = _words(sample, kind, known)
    if words is not None and words.by.judged and words.look.kind == "nominal" and sample.distinct < _FEWEST_WORDS:
        kind = kind or _few_values(sample, words)
        words = words if kind is None else None
    if hint := _identifier(sample, kind, words, id):
        why = f"Column {name!r} {hint}: it is taken for an identifier and removed."
        return ColumnDraft(name, "identifier", why, missing=sample.missing), None
    if sample.named(_RESULTS) and sample.few and not is_plain(kind) and not sample.lists:
        why = f"Column {name!r} is left out: its header names what the data may be about; say what it is for."
        return ColumnDraft(name, None, why, missing=sample.missing, settings={"kind": "nominal", **empty}), None
    told = f" {sample.missing:.0%} of its cells are missing, which counts as a value." if empty else ""
    made = f" {look.group.how[0].upper()}{look.group.how[1:]}." if look.group else ""
    own = words is not None and words.look.fits and words.by.sources != (JUDGED,) and not is_plain(kind)
    if words is not None and words.look.fits and (own or not (kind is not None and kind.confidence >= SURE)):
        settings = {
            "kind": words.look.kind,
            **words.look.settings,
            **_category(sample, words),
            **empty,
            **_made_of(look),
        }
        below = (
            f"; all lie below {settings['category']}, which no word is taken out of" if "category" in settings else ""
        )
        why = f"Column {name!r} is masked as {words.look.kind}: {words.look.why}{words.compared}{below}.{made}{told}"
        figures = (None, None, words.look.known, words.look.coherence, sample.missing)
        return ColumnDraft(
            name, "quasi-identifier", why, *figures, settings, words.tried, warnings=_spans(sample)
        ), words
    kind = kind or _few_values(sample, words)
    tried = () if words is None else words.tried
    if kind is not None:
        asked = (kind.coverage, None) if words is None else (words.look.known, words.look.coherence)
        about = (kind.name, kind.confidence, asked[0], asked[1], sample.missing)
        if kind.mask:
            settings = {**kind.settings, **empty, **_made_of(look)}
            why = f"Column {name!r} is masked as {settings['kind']}: {kind.reason}.{made}{told}"
            return ColumnDraft(name, "quasi-identifier", why, *about, settings, tried), None
        why = f"Column {name!r} is left out: {kind.reason}."
        return ColumnDraft(name, None, why, *about, kind.settings, tried, warnings=_spans(sample)), None
    assert words is not None
    figures = (None, None, words.look.known, words.look.coherence, sample.missing)
    why = f"Column {name!r} is left out: {words.look.why}{words.compared}."
    return ColumnDraft(name, None, why, *figures, {}, tried, warnings=_spans(sample)), None


def role_question(draft: ColumnDraft, sample: ColumnSample) -> Question | None:
    """What the owner is asked about a column: numbers and dates that are left out, and what may be confidential."""
    kept = {"role": "confidential", "kind": draft.kind or "nominal"}
    for key in ("format", "decimal", "separator", "taxonomy"):
        if draft.settings.get(key) is not None:
            kept[key] = draft.settings[key]
    id, name, quasi = f"role:{draft.name}", draft.name, {"role": "quasi-identifier"}
    confidential = Answer("what the data is about: kept, and watched", {"columns": {name: kept}})
    out = Answer("left out", {"columns": {name: None}})
    if draft.role is None and draft.settings.get("kind") in PLAIN and draft.recognised in (*PLAIN, "number", "date"):
        if "%y" in str(draft.settings.get("format")) or "codes" in draft.why or "thousands" in draft.why:
            return None
        ranges = Answer("others may know it: masked, published as ranges", {"columns": {name: kept | quasi}})
        text = f"What is column {name!r} ({'dates' if draft.kind == 'date' else 'numbers'}) for? It is left out now."
        return Question(id, text, (out, confidential, ranges), column=name)
    if draft.role is None and draft.settings and sample.named(_OUTCOMES):
        masked = Answer("others may know it: masked", {"columns": {name: draft.settings | quasi}})
        text = f"Is column {name!r} what the data is about? It is left out now."
        return Question(id, text, (out, confidential, masked), column=name)
    if draft.role == "quasi-identifier" and sample.named((*_OUTCOMES, *_HEALTH)) and draft.kind != "text":
        masked = Answer("masked: others may know it", {"columns": {name: draft.settings | quasi}})
        gone = {key: None for key in draft.settings if key not in kept}
        text = f"Is column {name!r} what the data is about, or may others know it of somebody?"
        return Question(id, text, (masked, Answer(confidential.says, {"columns": {name: gone | kept}})), column=name)
    return None


def is_plain(kind: Recognition | None) -> bool:
    return kind is not None and kind.settings.get("kind") in PLAIN


def _made_of(look: ColumnLook) -> dict[str, Any]:
    if look.group is None:
        return {}
    return {"from": [*look.group.columns]} | ({"marks": [*look.group.marks]} if look.group.marks else {})


def _category(sample: ColumnSample, words: BestWords) -> dict[str, str]:
    """The category of a column of WordNet's words, if it has one."""
    if not words.by.judged or words.look.kind not in ("nominal", "set"):
        return {}
    separator = words.look.settings.get("separator")
    values = sample.of_parts(separator).values if words.look.kind == "set" else sample.values
    found = category_of(words.by.finder, values)
    return {} if found is None else {"category": found}


def _spans(sample: ColumnSample) -> tuple[str, ...]:
    """What is dangerous in free text."""
    cells = [cell for cell in sample.cells if isinstance(cell, str)]
    found = spans_in(cells)
    if not found:
        return ()
    return (
        f"Column {sample.name!r} holds {', '.join(found)} inside its texts. They are published only if k persons wrote "
        f"the same; remove them from the file if they are nobody's business.",
    )


def _are_codes(sample: ColumnSample, known: Sequence[KnownWords]) -> bool:
    """Whether what looks like numbers are codes of a taxonomy that was named for it (ICD-9-CM)."""
    return any(one.labels(sample.cells) >= _PURE for one in known if not one.judged)


def _words(sample: ColumnSample, kind: Recognition | None, known: Sequence[KnownWords]) -> BestWords | None:
    """The best way to read a column as words; None for numbers and dates, which are none. What is recognised as
    something else is a column of words only by a taxonomy that was named for it."""
    if is_plain(kind):
        return None
    return best_words(sample, [one for one in known if kind is None or kind.confidence < SURE or not one.judged])


def _few_values(sample: ColumnSample, words: BestWords | None) -> Recognition | None:
    """The same few answers again and again, or sets of them: each stands for itself."""
    settings: dict[str, Any] = {"kind": "nominal"}
    if words is not None and words.look.kind == "set":
        separator = words.look.settings.get("separator")
        sample = sample.of_parts(separator)
        settings = {"kind": "set"} if separator is None else {"kind": "set", "separator": separator}
    if not 1 < sample.distinct <= min(50, max(_RARE * sample.rows, 0.1 * sample.rows if sample.rows < 500 else 0)):
        return None
    why = f"it holds {sample.distinct} different values, each of which stands for itself"
    return Recognition("few values", 0.5, why, settings)


def _identifier(
    sample: ColumnSample, kind: Recognition | None, words: BestWords | None, id: IdColumn | None
) -> str | None:
    """Why a column seems to name persons."""
    if sample.lists or (kind is not None and kind.named):
        return None
    dated = kind is not None and kind.settings.get("kind") == "date"
    form = None if dated else direct_form(sample.cells)
    if form is not None:
        return f"holds {form}"
    fits = words is not None and words.look.fits
    says = whose(sample.name)
    named = not _NAMED.isdisjoint(sample.header)
    called = not is_plain(kind) and not _NAMES_OF.isdisjoint(sample.header)
    if (named or called) and not (says == Whose.THING and not _all_ids(sample)):
        others = len(sample.header) > 1 and not named and says == Whose.UNCLEAR  # the name of something else
        if not (others and fits):
            return "is named like one"
    if id is not None and not (kind is not None and kind.mask and kind.confidence >= SURE) and not dated:
        return f"holds {id.form} that may be those of persons"
    if (
        says == Whose.THING
        and (_all_ids(sample) or sample.distinct == sample.rows)
        and (is_id(sample.name) or "code" in sample.header)
    ):
        return "holds ids of things"
    if (names := single_names(sample.values)) and (
        sample.named(_NAMES) or (sample.distinct >= _FEWEST_NAMES and not fits)
    ):
        return f"holds {names}"
    distinct = sample.distinct / sample.rows
    if distinct >= _ONE_EACH and sample.rows >= 10 and not fits and not is_plain(kind) and not (kind and kind.mask):
        return f"has a value of its own in {distinct:.0%} of the rows"
    return None


def _all_ids(sample: ColumnSample) -> bool:
    """Whether cells are nothing but codes or long numbers."""
    return all(re.fullmatch(r"[A-Za-z]{0,4}[-_]?\d{4,}[A-Za-z]{0,2}", cell) for cell in sample.cells)


def with_parts(draft: ColumnDraft) -> str | None:
    """The separator of a set that is written in cells; None where cells are whole."""
    if draft.kind != "set" or "from" in draft.settings:
        return None
    separator: str | None = draft.settings.get("separator")
    return separator


def as_set(draft: ColumnDraft, sample: ColumnSample) -> ColumnDraft:
    """A column of single words whose persons have several, as the set that it becomes."""
    separator = next(mark for mark in (";", "|", "\t", "¦") if not any(mark in str(cell) for cell in sample.values))
    settings = draft.settings | {"kind": "set"} | ({} if separator == ";" else {"separator": separator})
    why = draft.why.replace("is masked as nominal:", "is masked as set (one row per item):")
    return replace(draft, settings=settings, why=why)

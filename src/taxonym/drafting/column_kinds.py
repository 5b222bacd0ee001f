"""Kinds of columns that are recognised by values and header, each in a class of its own, and the list of them.

A kind looks at a sample of a column and says how sure it is, and why, in words; whoever is surest wins (`recognise`). A
new kind is a class with a `name` and a `look`, and an entry in COLUMN_KINDS.
"""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

from taxonym.drafting.recognition import ColumnKind, Recognition
from taxonym.drafting.sample import ColumnSample, share
from taxonym.drafting.separators import set_separator
from taxonym.drafting.vocabularies import VOCABULARIES
from taxonym.errors import MissingExtra
from taxonym.knowledge.catalog import load
from taxonym.knowledge.hierarchies import MOST_VALUES, bounds, scale_of
from taxonym.text.finder import Finder

PURE = 0.98  # share of cells that must look like numbers or dates
MOSTLY = 0.9
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
_CODE = re.compile(r"[^\s;|]{1,3}|(?=\S*\d)[^\s@;|]{1,12}|[A-Z][A-Z0-9._/-]{1,5}")
_LINK = re.compile(r"(https?://|ftp://|www\.)\S+", re.IGNORECASE)
_ICD = re.compile(r"[A-Za-z]\d[0-9A-Za-z](\.?[0-9A-Za-z]{1,4})?")
_AGE = (
    "age", "ages", "alter", "edad", "agegroup", "leeftijd", "eta", "idade", "altersgruppe", "ageyears", "wiek", "alder",
)  # fmt: skip
_BIRTH = (
    "birth",
    "dob",
    "born",
    "geburt",
    "geburtsdatum",
    "geburtsjahr",
    "nacimiento",
    "naissance",
    "birthdate",
    "yob",
    "geboorte",
    "geboren",
    "nascita",
    "nascimento",
    "urodzenia",
    "fodsel",
    "fodelse",
)
_POSTAL = ("zip", "zipcode", "postal", "postcode", "plz", "postleitzahl")
_ICD_NAMES = ("icd", "diagnosis", "diagnoses", "diag", "dx", "diagnose", "diagnostico", "cie")
_DATE_FORMS = (
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y",
    "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y", "%d-%b-%y", "%Y.%m.%d", "%Y-%m", "%Y/%m", "%m/%Y",
)  # fmt: skip
_CLOCKS = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
_DAYS = "%Y%m%d"  # 20241231
_OLDEST = 120


def recognise(column: ColumnSample) -> Recognition | None:
    """The kind of a column of which one is surest, the first of equals; None where it may hold words."""
    if not column.cells:
        return None
    if column.lists:
        return _of_sets(column, None)
    found = [seen for kind in COLUMN_KINDS.values() if (seen := kind.look(column)) is not None]
    if not found and (separator := set_separator(column.cells)):
        return _of_sets(column, separator)
    return max(found, key=lambda seen: seen.confidence, default=None)


def _of_sets(column: ColumnSample, separator: str | None) -> Recognition | None:
    """What the terms of sets are, if it can be told."""
    parts = column.of_parts(separator)
    seen = recognise(parts) if parts.cells else None
    if seen is None or not seen.mask or seen.settings["kind"] != "nominal":
        return None
    held = "it holds lists" if separator is None else f"it holds sets with the separator {separator!r}"
    settings = seen.settings | {"kind": "set"} | ({} if separator is None else {"separator": separator})
    return replace(seen, settings=settings, reason=f"{held}; of their terms, {seen.reason}")


class Numbers:
    """Numbers: ages and years of birth are masked, for they tell who somebody is; of others only their owner knows."""

    name = "number"

    def look(self, column: ColumnSample) -> Recognition | None:
        pure = share(bool(_NUMBER.fullmatch(cell)) for cell in column.cells)
        if (not column.numeric and pure < PURE) or _are_days(column.cells):
            return None
        settings: dict[str, Any] = {"kind": "number"}
        if not column.numeric:
            if share("," in cell for cell in column.cells) > 0:
                if (
                    share(
                        bool(re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+", cell)) or "," not in cell for cell in column.cells
                    )
                    == 1
                ):
                    return self._left_out("it holds numbers with commas between thousands; write them without")
                settings["decimal"] = ","
            if share(bool(re.match(r"0\d", cell)) for cell in column.cells) > 0:
                what = "postal codes" if column.named(_POSTAL) else "codes"
                return self._left_out(
                    f"it holds {what} with leading zeros, not numbers; to publish it, name it as nominal with a "
                    f"hierarchy of its own"
                )
        values = [float(cell.replace(",", ".")) for cell in column.cells if _NUMBER.fullmatch(cell)]
        if column.named(_POSTAL):
            return self._left_out(
                "it holds postal codes; to publish it, name it as nominal with a hierarchy of its own"
            )
        stray = not column.numeric and any(not _NUMBER.fullmatch(value) for value in column.values)
        if stray and column.named((*_AGE, *_BIRTH)):
            return self._left_out(
                "it holds numbers, but some cells are none; correct them, or name them in input.missing"
            )
        if column.named(_AGE) and all(0 <= value <= _OLDEST for value in values):
            return Recognition("age", 1.0, "it holds ages, which are published as ranges", settings, named=True)
        if column.named(_BIRTH) and all(1850 <= value <= 2100 for value in values):
            return Recognition(
                "year of birth", 1.0, "it holds years of birth, published as ranges", settings, named=True
            )
        if column.distinct == 2 and {*values} <= {0.0, 1.0, 2.0}:
            reason = "it holds two whole numbers, as marks or codes do; each stands for itself"
            return Recognition("flag", 0.95, reason, {"kind": "nominal"})
        why = "it holds numbers; to publish ranges of them, name it as quasi-identifier of kind 'number'"
        return Recognition(self.name, 0.95, why, settings, mask=False)

    def _left_out(self, why: str) -> Recognition:
        return Recognition(self.name, 0.95, why, {"kind": "number"}, mask=False)


class Dates:
    """Dates in the usual forms. Those of birth are masked."""

    name = "date"

    def look(self, column: ColumnSample) -> Recognition | None:
        fits = [""] if column.temporal else _date_forms(column.cells)
        if not fits:
            return None
        settings = {"kind": "date"} | ({"format": fits[0]} if fits[0] else {})
        clear = len(fits) == 1
        how = "" if clear else ", though day and month cannot be told apart: check the format"
        if column.named(_BIRTH) and (trouble := self._trouble(column, fits[0])):
            return Recognition(self.name, 0.95, f"it holds dates of birth, but {trouble}", settings, mask=False)
        if column.named(_BIRTH):
            return Recognition(
                "date of birth", 1.0, f"it holds dates of birth, published as ranges{how}", settings, named=True
            )
        why = f"it holds dates{how}; to publish ranges of them, name it as quasi-identifier of kind 'date'"
        if fits[0]:
            why += f" with format = {fits[0]!r}"
        return Recognition(self.name, 0.95, why, settings, mask=False)

    def _trouble(self, column: ColumnSample, form: str) -> str:
        """Why dates could not be read, or would be read wrongly."""
        if "%y" in form:
            return "years of two digits may lie in either century; write four"
        if not column.temporal and not all(_reads(value, form) for value in column.values):
            return "some cells are none; correct them, or name them in input.missing"
        return ""


class Ranges:
    """Ranges as forms offer them, 18-24, 25-34, 65+: a scale in their order, so that neighbours merge first."""

    name = "ranges"

    def look(self, column: ColumnSample) -> Recognition | None:
        ends = {value: bounds(value) for value in column.values}
        known = share(ends.get(cell) is not None for cell in column.cells)
        if known < MOSTLY or not 2 <= column.distinct <= MOST_VALUES:
            return None
        order = sorted((value for value, end in ends.items() if end is not None), key=lambda v: _from(ends[v]))
        spans = [ends[value] for value in order]
        apart = all(_to(a) <= _from(b) for a, b in pairwise(spans))
        if len(order) < 2 or not apart or any(value != " ".join(value.split()) for value in order):
            return None
        reason = f"{known:.0%} of the cells are ranges; they form a scale, in which neighbours are near"
        return Recognition(self.name, known, reason, {"kind": "nominal", "taxonomy": scale_of(order)})


class DiagnosisCodes:
    """ICD-10-CM codes, with dots or without, as far as the taxonomy reads them."""

    name = "ICD-10-CM codes"

    def look(self, column: ColumnSample) -> Recognition | None:
        shaped = share(bool(_ICD.fullmatch(cell)) for cell in column.cells)
        named = column.named(_ICD_NAMES)
        dotted = share("." in cell for cell in column.cells) > 0
        if shaped < MOSTLY or not (named or dotted):
            return None
        try:
            finder = _diagnoses()
        except MissingExtra:
            why = "it seems to hold ICD-10 codes; for their meaning: pip install 'taxonym[icd10cm]'"
            return Recognition(self.name, 0.9, why, mask=False)
        known = share(finder.whole(cell) is not None for cell in column.cells)
        if known < MOSTLY:
            return None
        reason = f"{known:.0%} of the cells are codes of ICD-10-CM"
        return Recognition(self.name, known, reason, {"kind": "nominal", "taxonomy": "icd10cm"}, named=named)


class PageLinks:
    """Addresses of pages, which no taxonomy of words reads."""

    name = "links"

    def look(self, column: ColumnSample) -> Recognition | None:
        known = share(bool(_LINK.fullmatch(cell)) for cell in column.cells)
        if known < MOSTLY:
            return None
        return Recognition(self.name, known, "it holds addresses of pages, which may name persons", mask=False)


class Codes:
    """Short codes that no hierarchy is known for: each stands for itself, where the same few come again and again."""

    name = "codes"

    def look(self, column: ColumnSample) -> Recognition | None:
        known = share(bool(_CODE.fullmatch(value)) and not _plain(value) for value in column.values)
        if known < MOSTLY:
            return None
        if column.few:
            reason = f"it holds {column.distinct} codes, each of which stands for itself"
            return Recognition(self.name, 0.5, reason, {"kind": "nominal"})
        return Recognition(
            self.name, 0.5, "it holds codes; to publish them, name a hierarchy that has them", mask=False
        )


COLUMN_KINDS: dict[str, ColumnKind] = {
    kind.name: kind for kind in (*VOCABULARIES, Numbers(), Dates(), Ranges(), DiagnosisCodes(), PageLinks(), Codes())
}


@cache
def _diagnoses() -> Finder:
    return Finder(load("icd10cm"))  # takes seconds


def _plain(value: str) -> bool:
    """Three small letters may be a word (cat), unlike two."""
    return len(value) == 3 and value.isalpha() and value[1:].islower()


def _date_forms(cells: Sequence[str]) -> list[str]:
    """The forms that fit the cells, ISO 8601 as an empty text; several where day and month cannot be told apart."""
    some = cells[:: max(1, len(cells) // 200)]
    if _are_days(some):
        return [_DAYS]
    if not share(bool(re.search(r"\d", cell)) and len(cell) >= 6 for cell in some) >= PURE:
        return []
    if share(_reads(cell, "") for cell in some) >= PURE and share("-" in cell for cell in some) >= PURE:
        return [""]
    fits = []
    for clock in _CLOCKS:
        fits += [form + clock for form in _DATE_FORMS if share(_reads(cell, form + clock) for cell in some) >= PURE]
    return fits


def _are_days(cells: Sequence[str]) -> bool:
    """Whether cells are days in eight digits, of the last hundred years or so."""
    return share(len(cell) == 8 and cell[:2] in ("19", "20") and _reads(cell, _DAYS) for cell in cells) >= PURE


def _reads(cell: str, form: str) -> bool:
    try:
        dt.datetime.strptime(cell, form) if form else dt.datetime.fromisoformat(cell)
    except ValueError:
        return False
    return True


def _from(ends: tuple[str | None, str | None] | None) -> float:
    return -1.0 if ends is None or ends[0] is None else float(ends[0].replace(",", "."))


def _to(ends: tuple[str | None, str | None] | None) -> float:
    return float("inf") if ends is None or ends[1] is None else float(ends[1].replace(",", "."))

"""Columns whose values a shipped hierarchy lists: countries, states, sex, answers. Values and header decide together.

Names (Germany, strongly agree) speak for themselves. Codes of one to three letters mean many things, so the header
has to say what they are, or there have to be so many of them that nothing else can be meant.
"""

from dataclasses import dataclass
from functools import cache

from taxonym.drafting.recognition import Recognition
from taxonym.drafting.sample import ColumnSample, share
from taxonym.knowledge.strings import fold

ENOUGH, ENOUGH_NAMED = 0.9, 0.7  # share of cells that must be labels; where the header says so, too
_ALL = 0.98  # share of cells, where the header says nothing and values are codes
_MANY = 8  # distinct codes that are no accident
_CODE = 3  # letters


@dataclass(frozen=True, slots=True)
class VocabularyColumn:
    """A column of a shipped hierarchy; `hints` are words of headers, `alone` are codes that, both
    present, need no header."""

    name: str
    hints: tuple[str, ...]
    alone: tuple[tuple[str, str], ...] = ()

    def look(self, column: ColumnSample) -> Recognition | None:
        known = labels_of(self.name)
        cells = share(_plain(cell) in known for cell in column.cells)
        named = column.named(self.hints)
        if cells < (ENOUGH_NAMED if named else ENOUGH) or column.distinct < 2:
            return None
        values = [value for value in column.values if _plain(value) in known]
        codes = [value for value in values if len(value) <= _CODE]
        if 2 * len(codes) > len(values) and not named and not self._clear(column, codes, cells):
            return None
        confidence = cells * (1.0 if named else 0.8)
        said = " and the header says so" if named else ""
        settings = {"kind": "nominal", "taxonomy": self.name}
        if cells < 1:
            settings["on_unknown"] = "keep-as-own-concept"  # nobody is to be left out for an unusual answer
        if len({known[_plain(value)] for value in values}) < len({_plain(value) for value in values}):
            said += "; some of them mean the same there and become one"
        reason = f"{cells:.0%} of the cells are in the hierarchy {self.name!r}{said}"
        return Recognition(self.name, confidence, reason, settings, named=named, coverage=cells)

    def _clear(self, column: ColumnSample, codes: list[str], cells: float) -> bool:
        """Whether codes tell what they are without a header."""
        plain = {_plain(code) for code in codes}
        if any(plain.issuperset(both) for both in self.alone):
            return True
        rivals = [v for v in VOCABULARIES if v is not self]
        most = max(share(_plain(cell) in labels_of(v.name) for cell in column.cells) for v in rivals)
        return len(codes) >= _MANY and cells >= _ALL and most < cells and all(code.isupper() for code in codes)


VOCABULARIES = (
    VocabularyColumn(
        "sex", ("sex", "gender", "geschlecht", "sexo", "sexe", "genero", "genre", "sesso"),
        (("m", "f"), ("m", "w")),
    ),
    VocabularyColumn(
        "yes-no", ("is", "has", "had", "was", "did", "flag", "yn", "yesno"),
        (("y", "n"), ("yes", "no"), ("t", "f"), ("si", "no"), ("sí", "no"), ("oui", "non")),
    ),
    VocabularyColumn(
        "us-states", ("state", "states", "st", "usstate", "statecode"),
    ),
    VocabularyColumn(
        "countries", (
            "country", "countries", "nation", "nationality", "citizenship", "land", "pais", "pays", "staat", "paese",
            "herkunft", "origin", "geo", "iso",
        ),
    ),
    VocabularyColumn(
        "languages", ("language", "languages", "lang", "locale", "idioma", "sprache", "langue", "lengua", "tongue"),
    ),
    VocabularyColumn("likert", ("agree", "agreement", "likert", "opinion")),
    VocabularyColumn("satisfaction", ("satisfaction", "satisfied", "zufriedenheit")),
    VocabularyColumn("frequency", ("frequency", "often", "freq")),
    VocabularyColumn("how-often", ("frequency", "often", "freq")),
    VocabularyColumn("likelihood", ("likelihood", "likely", "recommend")),
    VocabularyColumn("importance", ("importance", "important")),
    VocabularyColumn("quality", ("quality", "rating", "health", "condition")),
    VocabularyColumn("severity", ("severity", "severe", "grade")),
    VocabularyColumn("level", ("level", "risk", "priority", "income")),
    VocabularyColumn("months", ("month", "monat", "mes", "mois"), (("jan", "feb"), ("jun", "jul"))),
    VocabularyColumn("weekdays", ("weekday", "day", "dow", "wochentag", "jour"), (("mon", "tue"), ("sat", "sun"))),
    VocabularyColumn(
        "marital-status", ("marital", "maritalstatus", "civilstatus", "familienstand", "estadocivil", "relationship"),
    ),
    VocabularyColumn("education", ("education", "degree", "schooling", "bildung", "educacion", "qualification")),
)  # fmt: skip


@cache
def labels_of(name: str) -> dict[str, int]:
    """The labels of a shipped hierarchy, as they are compared, and their concepts."""
    from taxonym.knowledge.catalog import load

    tax = load(name)
    return {_plain(label): tax.codes(label)[0] for label in tax.words}


def _plain(text: str) -> str:
    """How a value is compared with labels: case, underscores, hyphens and blanks aside."""
    return " ".join(fold(text).replace("-", " ").split())

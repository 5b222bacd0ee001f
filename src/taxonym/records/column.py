"""What a column of the person's data is for, and the checks that settings share."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from importlib import import_module
from types import UnionType
from typing import Any, get_args, get_origin

from taxonym.errors import BadPlan
from taxonym.io.delimited import SEPARATOR
from taxonym.io.formulas import POLICIES as FORMULAS
from taxonym.knowledge.catalog import BUILT_IN
from taxonym.knowledge.related import MODES
from taxonym.knowledge.taxonomy import Taxonomy

ROLES = ("identifier", "quasi-identifier", "confidential", "other")
KINDS = ("nominal", "set", "text", "number", "date")
POLICIES = ("suppress", "keep-as-own-concept", "error")  # for terms without a concept and for missing values
PERSON_ROWS = ("unite", "keep", "unique")
PUBLISH = ("range", "rounded", "mean")  # what stands for the numbers or dates of a group
OTHER_WORDS = ("keep", "drop")  # words outside the topics: masked like others, or neither used nor published
PHRASES = ("whole", "head", "words")  # phrases that are no labels: concepts if k wrote them, their heads, their words
LINKS = ("keep", "cut")  # confidential values stay with their record, or are permuted inside its class
_ALLOWED = {
    "role": ROLES, "kind": KINDS, "on_unknown": POLICIES, "on_empty": POLICIES, "decimal": (".", ","),
    "other_words": OTHER_WORDS, "publish": PUBLISH, "links": LINKS, "formulas": FORMULAS, "related": MODES,
    "phrases": PHRASES,
}  # fmt: skip
_WORDS, _NUMBERS = ("nominal", "set", "text"), ("number", "date")
_ONLY = {  # settings that make sense for some kinds only
    "separator": ("set",), "multiplicity": ("set",), "taxonomy": _WORDS, "senses": _WORDS, "subject": _WORDS,
    "overrides": _WORDS, "category": _WORDS, "phrases": _WORDS, "names": _WORDS, "parts": _WORDS, "related": _WORDS,
    "spelling": _WORDS, "topics": _WORDS, "topics_file": _WORDS,
    "other_words": _WORDS, "least_content": _WORDS, "on_unknown": _WORDS, "format": ("date",), "decimal": ("number",),
    "mean": _WORDS, "variance": _WORDS, "set_size": ("set", "text"), "publish": _NUMBERS, "step": _NUMBERS,
    "language": _WORDS, "from_": ("set",), "marks": ("set",),
}  # fmt: skip
_CONFIDENTIAL = ("exact", "links")  # settings of confidential columns only
_TYPES = {str: "a text", int: "a whole number", bool: "true or false", float: "a number", tuple: "a list of texts"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What a column is for (role), what it holds (kind), and how its words get their meaning.

    `separator` stands between the terms of a set (quoting: delimited.join_cell), which with `multiplicity` may repeat
    itself. `senses` is the policy where a word has several, `subject` a file with what the column is about, for a
    policy that would learn it from the data. `language` is that of the words (text.language). `related` says where
    adjectives and verbs count as the nouns they stand for. `topics` names the sensitive topics of topics_file that
    matter, and `other_words` what becomes of words outside them. `phrases`: where at least k persons wrote one that is
    no label, it is a concept below that of its head (whole), always its head (head), or all its known words (words).
    `names` is a file of names that stay whole beside those of persons, "none" for neither. `least_content` is how much
    a concept must say to be published (knowledge.floor). `format` is a strptime pattern (ISO 8601 unless given),
    `on_unknown` for terms that have no concept.
    Numbers and dates are published as ranges of a public grid (multiples of `step`, where it is named), rounded to
    `step` (of dates, so many days), or as means.
    For noise: `mean` (a concept) and `variance` declare what else would be computed, `set_size` is how many values of a
    set are published (unless given 3 under ε, and else what k persons have). Of a confidential column, `exact` keeps
    values that fewer than k persons share as they are, and `links` says whether values stay with the record they belong
    to. `from_` (in a plan: from) names columns of the input that make up this set: their cells are its items or, where
    `marks` says which cells mean yes, their names are (records.gathered). `formulas` says what becomes of cells that a
    spreadsheet would take for formulas, in CSV and TSV (io.formulas).
    """

    name: str
    role: str
    kind: str = "nominal"
    separator: str = SEPARATOR
    multiplicity: bool = False
    taxonomy: tuple[str, ...] = ()
    weight: float = 1.0
    senses: str = "column"
    subject: str | None = None
    overrides: str | None = None
    category: str | None = None
    phrases: str = "whole"
    names: str | None = None
    parts: tuple[str, ...] = ("n",)
    related: str = "alone"
    spelling: int = 0
    language: str = "en"
    topics: tuple[str, ...] = ()
    topics_file: str = "wordnet"
    other_words: str = "keep"
    least_content: float | None = None
    on_unknown: str = "suppress"
    on_empty: str = "suppress"
    format: str | None = None
    decimal: str = "."
    publish: str = "range"
    step: float | None = None
    mean: str | None = None
    variance: float | None = None
    set_size: int | None = None
    exact: bool = False
    links: str = "keep"
    from_: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    formulas: str = "escape"

    def __post_init__(self) -> None:
        key = f"columns.{self.name}"
        check_types(self, key)
        if self.other_words == "pass":
            raise BadPlan(
                f"{key}.other_words: words that are passed on as they are would break the promise of k. "
                f"Choose keep (masked like others) or drop."
            )
        for name, allowed in _ALLOWED.items():
            one_of(f"{key}.{name}", getattr(self, name), allowed)
        if self.senses != "column":
            one_of(f"{key}.senses", self.senses, import_module("taxonym.text.senses").SENSES)
            if self.subject is not None:
                raise BadPlan(f"{key}.subject: belongs to senses = 'column', and this is {self.senses!r}. Remove one.")
        for field in fields(self):
            kinds = _ONLY.get(field.name, KINDS)
            if self.kind not in kinds and getattr(self, field.name) != field.default:
                fix = f"this is {self.kind!r}. Remove it, or change the kind."
                raise BadPlan(
                    f"{key}.{key_of_field(field.name)}: belongs to columns of kind {', '.join(kinds)}, and {fix}"
                )
            if (
                field.name in _CONFIDENTIAL
                and self.role != "confidential"
                and getattr(self, field.name) != field.default
            ):
                raise BadPlan(
                    f"{key}.{field.name}: belongs to columns with the role 'confidential', and this is {self.role!r}. "
                    f"Remove it, or change the role."
                )
        if self.marks and not self.from_:
            raise BadPlan(f"{key}.marks: belongs to a set that is made of columns. Name them with from = [...].")
        if self.from_ and self.role == "identifier":
            raise BadPlan(f"{key}.from: an identifier is removed, so nothing has to be gathered. Remove it.")
        if len({*self.from_}) < len(self.from_):
            raise BadPlan(f"{key}.from: names a column twice. Name each once.")
        if self.language != "en":
            one_of(f"{key}.language", self.language, import_module("taxonym.text.language").LANGUAGES)
        if not self.parts or not set(self.parts) <= {"n", "v"}:
            raise BadPlan(f"{key}.parts: choose from n (nouns) and v (verbs), got {list(self.parts)}.")
        if self.spelling not in (0, 1, 2):
            raise BadPlan(f"{key}.spelling: must be 0, 1 or 2, got {self.spelling}.")
        if not self.separator or '"' in self.separator:
            raise BadPlan(f"{key}.separator: must be some characters, such as ';' or '|', and no double quote.")
        if (self.mean is None) != (self.variance is None):
            raise BadPlan(f"{key}: mean and variance are declared together. Name both, or neither.")
        if self.variance is not None and not 0 < self.variance <= 1:
            raise BadPlan(f"{key}.variance: must lie above 0 and be at most 1, got {self.variance}.")
        if self.role != "quasi-identifier" and (self.publish != "range" or self.step is not None):
            raise BadPlan(
                f"{key}.{'publish' if self.step is None else 'step'}: belongs to quasi-identifiers. Remove it."
            )
        if self.step is not None and not 0 < self.step < float("inf"):
            raise BadPlan(f"{key}.step: must be a number above 0, got {self.step}.")
        if self.step is not None and self.kind == "date" and (self.publish != "rounded" or self.step % 1):
            raise BadPlan(f"{key}.step: of dates, it is a whole number of days to round to, with publish = 'rounded'.")
        if self.publish == "rounded" and self.step is None:
            raise BadPlan(f"{key}.step: is missing. Say what to round to, such as 5 (of dates, days).")
        check_least_content(key, self.least_content)
        if self.set_size is not None and self.set_size < 1:
            raise BadPlan(f"{key}.set_size: must be at least 1, got {self.set_size}.")
        if not 0 < self.weight < float("inf"):
            raise BadPlan(f"{key}.weight: must be a number above 0, got {self.weight}.")

    @property
    def published(self) -> "Column":
        """The column as a release has it: a text is published as a set of words, numbers and dates as ranges, which are
        words, or as numbers with a point and dates as ISO 8601."""
        if self.role == "quasi-identifier" and self.kind in _NUMBERS and self.publish == "range":
            return replace(self, kind="nominal", format=None, decimal=".", step=None)
        return replace(self, kind="set" if self.kind == "text" else self.kind, format=None, decimal=".")

    def public_fingerprint(self, tax: Taxonomy) -> str | None:
        """That of the column's taxonomy, where nothing in it may come from the data: where it is a built-in one.

        A hierarchy made for a column (`taxonomy cut`), and values that are concepts by policy, would confirm guesses.
        """
        own = "keep-as-own-concept" in (self.on_unknown, self.on_empty)
        return tax.fingerprint if self.taxonomy and BUILT_IN.issuperset(self.taxonomy) and not own else None


def key_of_field(name: str) -> str:
    """The key of a plan that a field stands for: `from` is no name in Python."""
    return name.removesuffix("_")


def check_least_content(key: str, value: float | None) -> None:
    """Complain unless it is a share, if it is given."""
    if value is not None and not 0 <= value < 1:
        raise BadPlan(f"{key}.least_content: must be a number from 0 to below 1, got {value}.")


def one_of(key: str, value: object, allowed: Iterable[str]) -> None:
    """Complain unless a setting has one of the allowed values."""
    names = list(allowed)
    if value not in names:
        raise BadPlan(f"{key}: {value!r} is not known.{meant(value, names)} Choose one of {', '.join(names)}.")


def meant(given: object, names: Iterable[str]) -> str:
    close = get_close_matches(str(given), list(names), 1)
    return f" Did you mean {close[0]!r}?" if close else ""


def check_types(settings: Any, key: str) -> None:
    """Complain unless every setting of a dataclass has the type that its field names."""
    for field in fields(settings):
        value = getattr(settings, field.name)
        kinds = get_args(field.type) if isinstance(field.type, UnionType) else (field.type,)
        plain = [get_origin(k) or k for k in kinds if k in _TYPES or get_origin(k) in _TYPES]
        right = type(value) in (*plain, *kinds) or (type(value) is int and float in plain)
        right &= not isinstance(value, tuple) or all(isinstance(v, str) for v in value)
        if plain and not right:
            raise BadPlan(f"{key}.{key_of_field(field.name)}: must be {_TYPES[plain[0]]}, got {value!r}.")

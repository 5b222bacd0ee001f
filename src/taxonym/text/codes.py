"""Values of a column that are no words, whatever they spell: numbers, dates, marks for missing ones, codes, scales.

In a taxonomy of words M is a metre, IN is indium and *fair* a market with stalls; in a column of codes they are none.
A single value tells little, so the column as a whole decides but for what is no word anywhere.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from taxonym.knowledge.strings import fold

MISSING = {  # in any column
    "NA", "N/A", "n/a", "na", "N.A.", "n.a.", "#N/A", "#N/D", "<NA>", "NaN", "nan", "NAN", "null", "NULL", "Null",
    "nil", "\\N", "?", "??", "???", "-", "--", "---", "–", "—", ".", "..", "...", "*", "(null)", "(missing)", "(blank)",
    "(empty)", "[null]", "missing", "Missing", "MISSING", "not available", "Not available", "Not Available", "no data",
    "No data", "#NULL!", "#VALUE!", "#REF!", "#DIV/0!",
}  # fmt: skip
# Hierarchies of answers, which only the column tells from words; months and countries name what they say.
SCALES = (
    "yes-no", "likert", "satisfaction", "frequency", "how-often", "likelihood", "importance", "quality", "severity",
    "level",
)  # fmt: skip
MOSTLY = 0.75  # share of the distinct values that make a column one of codes; the rest are answers such as don't know
FEWEST = 2  # that tell anything
_ANSWERS = 40  # distinct ones at most
_SHORT, _CAPITALS = 2, 3  # letters of a code; of one in capitals
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
_DATE = re.compile(rf"(?=.*\d)(?:(?:{_MONTH})[a-z]*|\d+(?:st|nd|rd|th)?|[\s.,/:-]+)+", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")


def codes_among(values: Sequence[str], is_label: Callable[[str], bool]) -> Iterator[str]:
    """Those of the distinct values of a column that are no words; `is_label` knows those that are labels."""
    rest = [text for value in values if not _is_no_word(text := value.strip())]
    every = _are_codes(rest, is_label) or _are_answers(rest)
    return (value for value in values if every or _is_no_word(value.strip()))


def _is_no_word(text: str) -> bool:
    return text in MISSING or _LETTER.search(text) is None or len(text) == 1 or _DATE.fullmatch(text) is not None


def _are_codes(rest: Sequence[str], is_label: Callable[[str], bool]) -> bool:
    """Codes of two letters; or of three in capitals, most of which are no words: USA, DEU, CAN. Without anything else
    beside numbers and single letters a column has codes only."""
    if not rest:
        return True
    if len(rest) < FEWEST:
        return False
    pairs = sum(len(text) <= _SHORT for text in rest)
    three = [text for text in rest if len(text) == _CAPITALS and text.isupper()]
    if pairs + len(three) < MOSTLY * len(rest):
        return False
    return pairs >= MOSTLY * len(rest) or sum(map(is_label, three)) < MOSTLY * len(three)


def _are_answers(rest: Sequence[str]) -> bool:
    if not FEWEST <= len(rest) <= _ANSWERS:
        return False
    folded = [" ".join(fold(text).replace("-", " ").split()) for text in rest]
    return any(sum(text in _answers(name) for text in folded) >= MOSTLY * len(rest) for name in SCALES)


@cache
def _answers(name: str) -> frozenset[str]:
    """The labels of a shipped scale."""
    from taxonym.knowledge.catalog import load  # here, for few columns are scales

    return frozenset(" ".join(fold(label).replace("-", " ").split()) for label in load(name).words)

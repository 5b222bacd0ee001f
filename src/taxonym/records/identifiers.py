"""Values that tell who somebody is by their form: addresses, numbers of cards and telephones, ids, names.

A form is that of a whole column, since a single value tells little. Numbers are ids only where they have many digits,
all as many, and are no dates or times.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_UUID = re.compile(r"\{?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?")
_HASH = re.compile(
    r"(?=.*\d)(?=.*[a-fA-F])[0-9a-fA-F]{16,}|[0-9a-fA-F]{32,}|(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/-]{20,}=*"
)
_MAC = re.compile(r"[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}")
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")
_IPV6 = re.compile(r"(?=.*:.*:)[0-9a-fA-F:]{6,39}(?:%\w+)?")
_URL = re.compile(r"(https?://|ftp://|www\.)\S+", re.IGNORECASE)
_SSN = re.compile(r"(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}")
_NATIONAL = re.compile(r"[A-CEGHJ-PR-TW-Z]{2} ?\d\d ?\d\d ?\d\d ?[A-D]|\d{8}-?[A-Z]|[XYZ]-?\d{7}-?[A-Z]")
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?")
_PHONE = re.compile(r"(?=(?:\D*\d){7,15}\D*$)(?:\+|00|\(?0|\(\d)[\d ()/.-]{6,}|\d{3}[-. ]\d{3}[-. ]\d{4}")
_CARD = re.compile(r"(?:\d[ -]?){12,18}\d")
_PREFIXED = re.compile(r"([A-Za-z]{1,6}[-_/.: ]?)(\d[\d-]{2,})")
_PREFIXED_SHORT = re.compile(r"([A-Za-z]{1,6}[-_/.: ]?)(\d+)")
_DASHED = re.compile(r"\d{2,}([-/.]\d{2,})+")
_WHOLE = re.compile(r"\d+")
_SPANS = {  # inside a text
    "e-mail addresses": EMAIL,
    "telephone numbers": re.compile(r"(?<![\w.])(?:\+\d[\d ()/.-]{7,}\d|\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4})(?!\w)"),
    "social security numbers": re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"),
    "card numbers": re.compile(r"(?<![\w-])(?:\d{4}[ -]?){3}\d{4}(?![\w-])"),
    "web addresses": re.compile(r"https?://\S+"),
    "network addresses": re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])"),
    "account numbers (IBAN)": re.compile(rf"(?<!\w){_IBAN.pattern}(?!\w)"),
}
_TWO_CAPITALS = re.compile(r"(?<!\w)(?=([A-Z][^\W\d_]+) ([A-Z][^\W\d_]+)(?!\w))")
_FEWEST_NAMED, _NAMED = 3, 0.05  # texts in which somebody is named, and their share, that are no accident
MOSTLY = 0.9
_SHARED = 0.8  # of the cells begin with the same letters, where a code has a prefix
_LONG = 7  # digits of a number that may be an id without a header that says so
_SOME = 4  # digits of one that may be if its values repeat as those of persons do
_PERSONS = 20  # different numbers from which they may be persons
_ROWS = (1.3, 200)  # of a number, on the average: fewer are chance, more are rather a shop's
_TIMES = range(900_000_000, 2_200_000_000)  # seconds since 1970


def is_card(text: str) -> bool:
    """Whether digits end in the check digit of payment cards (Luhn)."""
    digits = [int(c) for c in text if c.isdigit()]
    if not _CARD.fullmatch(text) or not 13 <= len(digits) <= 19 or len({*digits}) < 2:
        return False
    doubled = [d if i % 2 == 0 else 2 * d - 9 * (d > 4) for i, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def _full_name(text: str) -> bool:
    words = [word.strip(".,").lower() for word in text.split()]
    if not 2 <= len(words) <= 4 or not all(word.replace("-", "").replace("'", "").isalpha() for word in words if word):
        return False
    given, surnames = _names()
    return any(word in given for word in words) and any(word in surnames for word in words)


def _given_name(text: str) -> bool:
    return text.strip().lower() in _names()[0]


def _surname(text: str) -> bool:
    return text.strip().lower() in _names()[1]


@cache
def _names() -> tuple[frozenset[str], frozenset[str]]:
    from taxonym.text.person_names import english_names

    lists = english_names()
    return lists.frequent | lists.given, lists.usual | lists.surnames


# Forms by which a value tells who somebody is, whatever the header says.
DIRECT: dict[str, Callable[[str], object]] = {
    "e-mail addresses": EMAIL.fullmatch,
    "UUIDs": _UUID.fullmatch,
    "social security numbers": _SSN.fullmatch,
    "card numbers": is_card,
    "account numbers (IBAN)": _IBAN.fullmatch,
    "network addresses": lambda text: _IPV4.fullmatch(text) or _IPV6.fullmatch(text) or _MAC.fullmatch(text),
    "hashes": _HASH.fullmatch,
    "web addresses": _URL.fullmatch,
    "national numbers of persons": _NATIONAL.fullmatch,
    "telephone numbers": _PHONE.fullmatch,
    "names of persons": _full_name,
}
ONE_PERSONS = (  # what one person mostly has alone
    "social security numbers", "national numbers of persons", "e-mail addresses", "telephone numbers",
    "account numbers (IBAN)", "card numbers",
)  # fmt: skip
_SHARED_BY_MANY = ("web addresses",)  # a value is no person


def direct_form(cells: Sequence[str]) -> str | None:
    """The form of a column that tells who somebody is, or None. Dates and small numbers are for others to tell."""
    for name, fits in DIRECT.items():
        if _share(cells, fits) >= MOSTLY:
            return name
    return None


def single_names(cells: Sequence[str]) -> str | None:
    """Whether a column holds given names, or surnames, most of which begin with a capital."""
    if _share(cells, lambda text: text[:1].isupper()) < MOSTLY:
        return None
    if _share(cells, _given_name) >= MOSTLY:
        return "given names"
    return "surnames" if _share(cells, _surname) >= MOSTLY else None


def id_form(cells: Sequence[str], named: bool = False) -> str | None:
    """The form of ids that the cells have, each of which may be a person; `named` says that the header says so, too."""
    found = direct_form(cells)
    if found is not None:
        return None if found in _SHARED_BY_MANY else found
    if (prefix := _prefix(cells, _PREFIXED_SHORT if named else _PREFIXED)) is not None:
        return prefix
    if _share(cells, _WHOLE.fullmatch) >= MOSTLY:
        return "numbers" if named or _are_long(cells) else None
    if named and _share(cells, _DASHED.fullmatch) >= MOSTLY:
        return "numbers"
    return "codes" if named and _share(cells, lambda text: any(map(str.isdigit, text))) >= 0.5 else None


def are_repeated_numbers(cells: Sequence[str], distinct: int, rows: int) -> bool:
    """Whether numbers below a header that says nothing repeat as those of persons do: many, each a few times, all with
    as many digits, and neither years nor rounded as amounts are."""
    if distinct < _PERSONS or not _ROWS[0] <= rows / distinct <= _ROWS[1]:
        return False
    lengths = {len(cell) for cell in cells}
    if len(lengths) > 1 or min(lengths) < _SOME or _share(cells, _WHOLE.fullmatch) < 1:
        return False
    years = min(lengths) == _SOME and _share(cells, lambda text: 1850 <= int(text) <= 2100) >= MOSTLY
    rounded = _share(cells, lambda text: text.endswith(("0", "5"))) >= MOSTLY
    return not years and not rounded and (min(lengths) < _LONG or _are_long(cells))


def spans_in(cells: Sequence[str]) -> list[str]:
    """What texts hold that tells who somebody is, the most frequent first."""
    found = {name: sum(bool(span.search(cell)) for cell in cells) for name, span in _SPANS.items()}
    named = sum(any(map(_is_named, _TWO_CAPITALS.findall(cell))) for cell in cells)
    found["names of persons"] = named if named >= max(_FEWEST_NAMED, _NAMED * len(cells)) else 0
    return [name for name, times in sorted(found.items(), key=lambda one: -one[1]) if times]


def _is_named(words: tuple[str, str]) -> bool:
    """Whether two words with capitals are a given name and what may be a surname: Mary Miller, not New York."""
    given, surnames = _names()
    return words[0].lower() in given and (words[1].lower() in surnames or words[1].lower() not in given)


def _prefix(cells: Sequence[str], pattern: re.Pattern[str]) -> str | None:
    found = [match[1] for cell in cells if (match := pattern.fullmatch(cell))]
    if len(found) < MOSTLY * len(cells) or not found:
        return None
    most = max({*found}, key=found.count)
    return "codes with a prefix" if found.count(most) >= _SHARED * len(found) else None


def _are_long(cells: Sequence[str]) -> bool:
    """Whether numbers have many digits, all as many, and are neither days (20241231) nor seconds."""
    lengths = {len(cell) for cell in cells}
    if min(lengths) < _LONG or max(lengths) - min(lengths) > 1:
        return False
    days = _share(cells, lambda text: len(text) == 8 and text[:2] in ("19", "20") and "01" <= text[4:6] <= "12")
    seconds = _share(cells, lambda text: int(text) in _TIMES or int(text) // 1000 in _TIMES)
    return days < MOSTLY and seconds < MOSTLY


def _share(cells: Sequence[str], fits: Callable[[str], object]) -> float:
    return sum(bool(fits(cell)) for cell in cells) / len(cells) if cells else 0.0

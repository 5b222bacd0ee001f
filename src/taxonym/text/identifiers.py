"""Text that looks like somebody's identifier: numbers of a card, of social security or of a telephone, and e-mail and
street addresses.

Who types his own number into a search engine types it often, and so does his family: that k users wrote it does not
make it anybody's. What looks so is cut out; the rest of the text stays.
"""

import re

_EMAIL = re.compile(r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+")
_LONG = re.compile(r"(?<![\d.])\d{9,}(?![\d.])")
_GROUPS = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")  # of a card, if its check digit fits
_SOCIAL = re.compile(r"(?<![\d-])\d{3}[- ]\d{2}[- ]\d{4}(?![\d-])")
_PHONE = re.compile(
    r"(?<![\d-])(?:"
    r"\+\d[\d ()./-]{7,}\d"  # +44 20 7946 0958
    r"|(?:1[ .-])?\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}"  # (212) 555-0123
    r"|\d{3}-\d{4}"  # 555-0123
    r")(?![\d-])"
)
_NAME = r"(?!(?:gb|mb|tb|hour|day|week|mile|inch|hard|disk|flash|usb|on|in|the|and|of|for|to)\b)[^\W\d_][\w'.-]*"
_STREET = re.compile(
    rf"(?<![\d.,/-])\d{{1,5}}[a-z]?\s+(?:{_NAME}\s+){{1,3}}"
    r"(?:street|str|st|avenue|ave|av|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|terrace|parkway|pkwy|highway|hwy)"
    r"\b\.?"
)
_STRASSE = re.compile(r"\b\w+(?:strasse|straße|str\.|gasse|allee)\s+\d{1,4}\s?[a-z]?\b")
_CALLE = re.compile(r"\b(?:calle|avenida|rue|via)\s+(?:[^\W\d_][\w'.-]*\s+){1,4},?\s*\d{1,4}\b")
_PATTERNS = (_EMAIL, _SOCIAL, _PHONE, _LONG, _STREET, _STRASSE, _CALLE)


def without_identifiers(text: str) -> str:
    """The text (in small letters) without what looks like an identifier; the text itself where nothing does."""
    if not any(character.isdigit() or character == "@" for character in text):
        return text
    found = _GROUPS.sub(lambda match: " " if _is_card(match[0]) else match[0], text)
    for pattern in _PATTERNS:
        found = pattern.sub(" ", found)
    return text if found == text else " ".join(found.split())


def looks_like_identifier(text: str) -> bool:
    """Whether something in a text looks like an identifier."""
    return without_identifiers(text) != text


def _is_card(text: str) -> bool:
    """Luhn's check: every second digit from the right doubled, the sum of all digits ends in 0."""
    digits = [int(c) for c in text if c.isdigit()]
    doubled = [sum(divmod(2 * d, 10)) if i % 2 else d for i, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0

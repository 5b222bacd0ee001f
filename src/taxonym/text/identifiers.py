"""Text that looks like somebody's identifier: numbers of a card, of social security or of a telephone, and e-mail and
street addresses.

Who types his own number into a search engine types it often, and so does his family: that k users wrote it does not
make it anybody's. What looks so is cut out; the rest of the text stays.
"""

import re
import unicodedata

_AT, _DOT = r"(?:@|[\[({]at[\])}])", r"(?:\.|[\[({]dot[\])}])"
_RUN = r"(?<![\w.+'-])[\w.+'-]++"  # begun once and never taken back, so that a long word takes as long as it is
_EMAIL = re.compile(
    rf"{_RUN}(?:\s?{_DOT}\s?[\w+'-]++){{0,8}}\s?{_AT}\s?[\w-]+(?:\s?{_DOT}\s?[\w-]+){{1,8}}"
    rf"|{_RUN}@[\w-]+"  # somebody@aol
    rf"|{_RUN}(?:\s+dot\s+[\w+'-]++){{0,8}}\s+at\s+[\w-]+(?:\s+dot\s+[\w-]+){{1,8}}"
)
_LONG = re.compile(r"(?<![\d.])\d{9,}(?![\d.])")
_FOURS = re.compile(r"(?<!\d)(?!(?:(?:19|20)\d\d\D){3})\d{4}([ ./-])\d{4}\1\d{4}\1\d{4}(?!\d)")  # not four years
_GROUPS = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")  # of a card, if its check digit fits
_ACCOUNT = re.compile(r"\b[a-z]{2}\d\d(?=(?:[a-z]*\d){8})[a-z\d]{11,30}\b")
_SOCIAL = re.compile(r"(?<![\d-])\d{3}([-. /])\d{2}\1\d{4}(?![\d-])")
_PHONE = re.compile(
    r"(?<![\d-])(?:"
    r"\+\d[\d ()./-]{7,}\d"  # +44 20 7946 0958
    r"|(?:1[ .-])?\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}"  # (212) 555-0123
    r"|0\d(?:[ .-]\d\d){4}"  # 01 23 45 67 89
    r"|\(?0\d{2,4}\)?[ /-]{1,3}(?:\d{6,8}|\d{3,4}[ -]\d{3,4})"  # 030 1234567, 020 7946 0958
    r"|\d{3}-\d{4}"  # 555-0123
    r")(?![\d-])"
)
_NAME = r"(?!(?:gb|mb|tb|hour|day|week|mile|inch|hard|disk|flash|usb|on|in|the|and|of|for|to)\b)[^\W\d_][\w'.-]*"
_STREET = re.compile(
    rf"(?<![\d.,/-])\d{{1,5}}(?:[-/]\d{{1,5}})?\s?[a-z]?,?\s+(?:{_NAME}\s+){{1,3}}"
    r"(?:street|str|st|avenue|ave|av|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|terrace|parkway|pkwy|highway|hwy"
    r"|circle|cir|crescent|square|place|way|trail|turnpike)\b\.?"
)
_STRASSE = re.compile(
    r"\b(?:\w+\s)?(?:\w*(?:strasse|straße|straat|gasse|allee)|\w{3,}(?:str|weg|platz|laan|plein|gatan|vägen|gade|vej))\.?"
    r"\s*(?:nr\.?\s*)?\d{1,4}\s?[a-z]?\b"
)
_CALLE = re.compile(
    r"\b(?:calle|avenida|paseo|rue|rua|via|viale|piazza|ulica|ul\.)\s+(?:[^\W\d_][\w'.-]*,?\s+){1,4}"
    r"(?:(?:n[º°.]|nr\.?)\s*)?\d{1,4}\b"
)
_RUE = re.compile(
    r"(?<![\d.,/-])\d{1,4}\s?(?:bis|ter|[a-z])?,?\s+(?:rue|chemin|impasse|quai|boulevard|bd|allée|place(?=\sd[eu'’]))\s+"
    r"(?:(?:de|du|des|la|le|les|l'|d')\s*)*[^\W\d_][\w'.-]*"
)
_BOX = re.compile(r"\b(?:p\.?\s?o\.?\s?box|postfach|apartado de correos)\s+\d+\b")
_PATTERNS = (_EMAIL, _FOURS, _ACCOUNT, _SOCIAL, _PHONE, _LONG, _RUE, _STREET, _STRASSE, _CALLE, _BOX)
_MAY = re.compile(rf"\d|{_AT}|\sdot\s")  # nothing without these looks so
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad"), "-") | dict.fromkeys(
    map(ord, "\u200b\u200c\u200d\u2060\ufeff"), ""
)  # of all kinds, and what nobody sees


def without_identifiers(text: str) -> str:
    """The text (in small letters) without what looks like an identifier; the text itself where nothing does."""
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES)
    if not _MAY.search(plain):
        return text
    found = _GROUPS.sub(lambda match: " " if _is_card(match[0]) else match[0], plain)
    for pattern in _PATTERNS:
        found = pattern.sub(" ", found)
    return text if found == plain else " ".join(found.split())


def looks_like_identifier(text: str) -> bool:
    """Whether something in a text looks like an identifier."""
    return without_identifiers(text) != text


def _is_card(text: str) -> bool:
    """Luhn's check: every second digit from the right doubled, the sum of all digits ends in 0."""
    digits = [int(c) for c in text if c.isdigit()]
    doubled = [sum(divmod(2 * d, 10)) if i % 2 else d for i, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0

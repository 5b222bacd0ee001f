"""Sentences and tokens of any Unicode string, in one pass and linear time: the first steps of [Batet2014, §3.1.1].

Every repetition in the patterns is possessive or bounded, so no input makes them backtrack more than a fixed number of
characters per token: a cell of a million characters costs what a million cells of one character cost.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, partial
from itertools import accumulate, count, repeat
from operator import add, itemgetter, sub
from typing import NamedTuple

from taxonym.text.recent import LONGEST


class Kind(StrEnum):
    WORD = "word"
    NUMBER = "number"
    UNIT = "unit"  # kg in 2kg
    URL = "url"
    EMAIL = "email"
    OPERATOR = "operator"  # of a search engine: quotes, + and - before a word, site:, AND, OR, NOT
    PUNCTUATION = "punctuation"
    SYMBOL = "symbol"  # currency, arithmetic, emoji and the like


class Token(NamedTuple):
    """A piece of a text; `text[start:end]` is it, as written."""

    text: str
    start: int
    end: int
    kind: Kind


class TokenWords(list[Token]):
    """Tokens that are all words, none endless, as in most cells; so no step that follows has to ask each of them."""

    __slots__ = ("low", "written")
    written: list[str]
    low: list[str]  # in small letters; the same list where they are written so


TEXT, KIND = itemgetter(0), itemgetter(3)  # of a token


def low_words(tokens: Sequence[Token]) -> list[str]:
    """The texts of tokens in small letters."""
    return tokens.low if isinstance(tokens, TokenWords) else [*map(str.lower, map(TEXT, tokens))]


def word_set(listed: str) -> frozenset[str]:
    """The words of a string; how the short word lists of this room are written."""
    return frozenset(listed.split())


# Marks that combine with the letter before them; re counts only precomposed letters as word characters.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0903\u093a-\u094f"
    "\u0981-\u0983\u09bc-\u09cd\u0a3c-\u0a4d\u0abc-\u0acd\u0b3c-\u0b4d\u0bbe-\u0bcd\u0c3e-\u0c4d"
    "\u0cbc-\u0ccd\u0d3e-\u0d4d\u0e31-\u0e3a\u0e47-\u0e4e\u1dc0-\u1dff\u20d0-\u20f0\u3099\u309a"
)
_TIGHT_UNITS = (
    "kg|mg|mcg|ug|g|ml|cl|dl|l|km|cm|mm|m|in|ft|yd|mi|lbs?|oz|gal|qt|pt|kb|mb|gb|tb|khz|mhz|ghz|hz|kw|kwh|w|mah|v|kv"
    "|mph|kph|rpm|bpm|psi|iu|cc|ct|pk|pcs|pc|hrs?|min|mins|sec|px|mp|kcal|cal|k|x"
)
_ENDINGS = "com|org|net|edu|gov|mil|int|info|biz|io|co|tv|uk|us|de|fr|es|it|nl|ca|au|eu|jp|ch|be|se|no|at"
_URL_BODY = r"[^\s<>\"]*[^\s<>\".,;:!?'()\[\]{}]"

# Only tried in texts that hold one of their characters.
_NET = r"""
  (?P<EMAIL>[\w.+%'-]{1,64}@(?:[^\W_](?:[\w-]{0,62})\.){1,8}[^\W\d_]{2,24}(?!\w))
| (?P<URL>(?i:(?:https?|ftp)://BODY | www\.BODY
          | (?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}(?:ENDINGS)(?![\w-]|\.[^\W_])(?:/BODY)?))
| (?P<FIELD>(?i:site|filetype|intitle|inurl|inanchor|allintitle|link|related|cache):(?=[^\s/]))
|"""
_TEMPLATE = r"""
  (?P<UNIT>(?<=\d)(?i:TIGHT)(?!LETTER) | (?<=\d)\ ?[%°])
| (?P<PLAIN>[A-Za-z]++(?=[\s,;?!)]|$))
| (?P<NUMBER>\d++(?:[.,:/–-]\d++)*+(?=(?i:TIGHT)(?!LETTER))
            |\d++(?:[.,:/–-]\d++)*+(?:(?i:st|nd|rd|th|s)(?!LETTER))?(?!LETTER|['’-]LETTER) | [½¼¾⅓⅔])
| (?P<SHORT>(?i:w/o|w/|c/o|s/p|h/o|d/t|r/o|b/l|f/u|n/a)(?!LETTER) | [cC]\+\+ | [A-Za-z]{1,3}&[A-Za-z]{1,3}(?!LETTER)
           |(?:[^\W\d_]\.){2,12}(?!LETTER))
| (?P<WORD>LETTER++(?:['’‘`´\-‐‑]LETTER++)*+)
| (?P<SIGN>(?<![^\s("])[+-](?=["(]?LETTER) | ["“”„«»])
| (?P<PUNCTUATION>\.{2,}+|[.,;:!?…¡¿'’‘`´()\[\]{}<>/\\|–—•·*-])
| (?P<SYMBOL>[^\s\w\x00-\x1f]|\d)
"""


@cache
def _pattern(ascii: bool, net: bool) -> re.Pattern[str]:
    """Compiled when first needed: each of the four takes longer than reading a thousand cells."""
    source = _NET + _TEMPLATE if net else _TEMPLATE
    letter = r"[A-Za-z0-9]" if ascii else rf"(?:[^\W_]|[{_MARKS}])"
    for name, part in (("BODY", _URL_BODY), ("ENDINGS", _ENDINGS), ("TIGHT", _TIGHT_UNITS)):
        source = source.replace(name, f"(?:{part})")
    return re.compile(source.replace("LETTER", letter), re.VERBOSE)


# Most cells are words of plain letters and blanks; they need no alternatives.
_PLAIN = re.compile(r"[A-Za-z ]*").fullmatch
_KINDS = {kind.name: kind for kind in Kind} | {
    "FIELD": Kind.OPERATOR,
    "SIGN": Kind.OPERATOR,
    "SHORT": Kind.WORD,
    "PLAIN": Kind.WORD,
}
_TOKEN = partial(tuple.__new__, Token)  # Token(…) would do the same by way of one more call
_BOOLEAN = frozenset({"AND", "OR", "NOT"})


def tokenise(text: str) -> list[Token]:
    """The tokens of a text from left to right; blanks, underscores and control characters are between them."""
    if _PLAIN(text):
        written = text.split()
        if _BOOLEAN.isdisjoint(written) or text.isupper():
            return _plain(text, written)
    pattern = _pattern(text.isascii(), "." in text or ":" in text or "@" in text)
    kinds = _KINDS
    tokens = [_TOKEN((m[0], *m.span(), kinds[m.lastgroup or "SYMBOL"])) for m in pattern.finditer(text)]
    # In a text without any small letter AND is just a word.
    if not (_BOOLEAN.isdisjoint(map(TEXT, tokens)) or text.isupper()):
        tokens = [t._replace(kind=Kind.OPERATOR) if t.text in _BOOLEAN else t for t in tokens]
    if [*map(KIND, tokens)].count(Kind.WORD) < len(tokens):
        return tokens
    written = [*map(TEXT, tokens)]
    return _words(tokens, written, [*map(str.lower, written)])


def _words(tokens: list[Token], written: list[str], low: list[str]) -> list[Token]:
    if max(map(len, low), default=0) > LONGEST:
        return tokens
    words = TokenWords(tokens)
    words.written, words.low = written, low
    return words


def _plain(text: str, written: list[str]) -> list[Token]:
    """The words between the blanks of a text that holds nothing else."""
    pieces = text.split(" ")
    lengths = [*map(len, pieces)]
    ends = [*map(add, accumulate(lengths), count())]  # as many blanks before a piece as pieces
    tokens = [*map(_TOKEN, zip(pieces, map(sub, ends, lengths), ends, repeat(Kind.WORD)))]
    if len(tokens) > len(written):  # there were several blanks side by side
        tokens = [*filter(TEXT, tokens)]
    return _words(tokens, written, written if text.islower() else text.lower().split())


# Words whose full stop does not end a sentence, unless nothing follows.
_ABBREVIATIONS = word_set(
    "dr mr mrs ms prof st sr jr vs no nos fig eq dept univ inc ltd co corp bros approx est ca cf al vol ed pp"
    " p tel ext jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun e.g. i.e. a.k.a."
    " u.s. u.k. hon gen col capt sgt rev gov sen rep ave blvd rd mt ft min max avg resp incl excl temp hx dx"
    " tx rx sx pt pts"
)
_MAY_END = re.compile(r"[.!?…\n]")
_BLANK_LINE = re.compile(r"\n\s*\n")


def sentences(text: str, tokens: list[Token] | None = None) -> list[list[Token]]:
    """The tokens of a text, sentence by sentence; abbreviations, initials and decimals do not end one."""
    if tokens is None:
        tokens = tokenise(text)
    if not tokens:
        return []
    if not _MAY_END.search(text):
        return [tokens]
    found, first, last = [], 0, len(tokens) - 1
    for i in range(last):
        if _ends_after(text, tokens, i):
            found.append(tokens[first : i + 1])
            first = i + 1
    found.append(tokens[first:])
    return found


def _ends_after(text: str, tokens: list[Token], i: int) -> bool:
    token, after = tokens[i], tokens[i + 1]
    gap = text[token.end : after.start]
    if not gap:
        # A closing quote or bracket still belongs to the sentence that ends.
        return False
    if "\n" in gap and (_BLANK_LINE.search(gap) or _opens_line(after)):
        return True
    closing = token
    if token.text in {'"', "”", "»", ")", "'", "’"} and i and tokens[i - 1].end == token.start:
        closing, i = tokens[i - 1], i - 1
    mark = closing.text[-1]
    if mark in "!?…" and closing.kind is Kind.PUNCTUATION:
        return True
    if mark != ".":
        return False
    if len(closing.text) > 1 and closing.kind is Kind.PUNCTUATION:  # an ellipsis: only before a capital
        return after.text[0].isupper()
    # The word whose full stop it is; dotted abbreviations (e.g.) hold their own.
    touching = i > 0 and tokens[i - 1].end == closing.start
    before = closing if closing.kind is Kind.WORD or not touching else tokens[i - 1]
    if before.kind is Kind.WORD:
        if before.text.lower() in _ABBREVIATIONS or (len(before.text) == 1 and before.text.isupper()):
            return False
        if before is closing:
            return after.text[0].isupper()
    return True


def _opens_line(token: Token) -> bool:
    return token.text[0].isupper() or token.text in {"-", "–", "—", "•", "·", "*", "+"}

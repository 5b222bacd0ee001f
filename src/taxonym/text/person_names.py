"""Names of persons, and other names that stay whole: John Baker is no baker, and Mel Brooks no brook.

A given name followed by a surname is a name; so is one that is nearly always a name, followed by a word that nobody
knows. Many given names and surnames are ordinary words (rose, may, brown, hill): in small letters a given name that is
one needs a surname that is none, in capitals one that is usual; and a single word is never a name. Words in capitals
inside a sentence that is not written so are a name, as is what stands in quotation marks with capitals. A label of the
taxonomy that consists of several of these words, or of all of them, is found all the same: George Bush and the White
House are in WordNet.

The lists are those of the US census of 1990 (tools/build_names.py). A user's file adds names: a line of one word is a
given name or surname, one of several words (a brand, the title of a film) stays whole wherever it is read.
"""

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias
from weakref import WeakKeyDictionary

from taxonym.errors import BadPlan
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.language import Language
from taxonym.text.lookup import NOUN, LabelIndex, LabelMatch, is_named
from taxonym.text.phrases import Sentence
from taxonym.text.tokens import Kind, Token, TokenWords, low_words

Span: TypeAlias = tuple[int, int]  # from token to token

NONE = "none"  # names are read like other words
_ADJECTIVES: "WeakKeyDictionary[Taxonomy, frozenset[str]]" = WeakKeyDictionary()
_ORDINARY = 2  # a given name that was seen more often than that as a noun is an ordinary word
_SHORTEST = 3  # letters of a surname that nobody knows
_FEW = 3  # words of an entry that may be nothing but a name
_SHORT = 2  # letters of an abbreviation that may mean many things
_MOST = 40  # words of a title at most
_JOINED = frozenset("+&")  # as people write for search engines
_QUOTES = frozenset('"“”«»')


@dataclass(frozen=True, slots=True)
class NameLists:
    """Given names that are frequent, and others; surnames that are usual, and others; names of several words."""

    frequent: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    usual: frozenset[str] = frozenset()
    surnames: frozenset[str] = frozenset()
    whole: tuple[tuple[str, ...], ...] = ()

    def joined(self, other: "NameLists") -> "NameLists":
        return NameLists(
            self.frequent | other.frequent, self.given | other.given, self.usual | other.usual,
            self.surnames | other.surnames, self.whole + other.whole,
        )  # fmt: skip


@cache
def english_names() -> NameLists:
    """The shipped lists."""
    path = files("taxonym") / "text" / "data" / "english.names.gz"
    lines = gzip.decompress(path.read_bytes()).decode("ascii").splitlines()
    frequent, given, usual, surnames = (frozenset(line.split()) for line in lines)
    return NameLists(frequent, given, usual, surnames)


def read_names(path: Path) -> NameLists:
    """A user's file: a name on each line."""
    try:
        lines = [line.lower().split() for line in path.read_text("utf-8-sig").splitlines()]
    except OSError as error:
        raise BadPlan(f"{path}: cannot be read ({error.strerror}). It must have a name on each line.") from None
    except UnicodeDecodeError:
        raise BadPlan(f"{path}: is not UTF-8 text. Write a name on each line and save it as UTF-8.") from None
    alone = frozenset(line[0] for line in lines if len(line) == 1 and not line[0].startswith("#"))
    whole = sorted({tuple(line) for line in lines if len(line) > 1 and not line[0].startswith("#")})
    return NameLists(alone, alone, alone, alone, tuple(whole))


class NameFinder:
    """Finds names in sentences; what is an ordinary word is asked of the labels of a taxonomy."""

    def __init__(self, lists: NameLists, index: LabelIndex, tax: Taxonomy) -> None:
        self._index, self._tax, self._given = index, tax, lists.frequent | lists.given
        self._adjectives = _adjectives_of(tax)
        self._persons = frozenset(tax.codes("person")[:1])
        self._usual, self._surnames = lists.usual, lists.usual | lists.surnames
        self._sure = {name: self._is_sure(name, name in lists.frequent) for name in self._given}
        self._whole: dict[str, list[tuple[str, ...]]] = {}
        for name in lists.whole:
            self._whole.setdefault(name[0], []).append(name)

    def spans(self, tokens: Sequence[Token]) -> list[Span]:
        """The names in a sentence, from left to right."""
        low = low_words(tokens)
        small = isinstance(tokens, TokenWords) and tokens.low is tokens.written
        if small and self._given.isdisjoint(low) and self._whole.keys().isdisjoint(low):
            return []
        found, i = list[Span](), 0
        while i < len(low):
            end = self._listed(low, i) or self._name(tokens, low, i)
            if not small and not end:
                end = _quoted(tokens, i) or _capitals(tokens, i)
            if end:
                found.append((i, end))
            i = max(end, i + 1)
        return found

    def _listed(self, low: Sequence[str], i: int) -> int:
        """Where a name of several words ends that the user's file has, or 0."""
        for name in self._whole.get(low[i], ()):
            if tuple(low[i : i + len(name)]) == name:
                return i + len(name)
        return 0

    def _name(self, tokens: Sequence[Token], low: Sequence[str], i: int) -> int:
        """Where a person's name ends that begins here, or 0."""
        if low[i] not in self._given or i + 1 == len(low) or low[i] in self._index.language.stop_words:
            return 0
        last = i + 1
        if last + 1 < len(low) and (
            _is_letter(low[last]) or low[last] in _JOINED or low[last] in self._given
        ):  # george w bush, john+smith
            if low[last + 1 : last + 2] == ["."] and last + 2 < len(low) and _is_letter(low[last]):
                last += 1
            if self._is_surname(tokens, low, i, last + 1):
                return last + 2
        return last + 1 if self._is_surname(tokens, low, i, last) else 0

    def _is_surname(self, tokens: Sequence[Token], low: Sequence[str], i: int, j: int) -> bool:
        """Whether the word at j is the surname to the given name at i."""
        word = low[j]
        if tokens[j].kind is not Kind.WORD or word in self._index.language.stop_words:
            return False
        known = self._is_ordinary(word)
        if self._sure[low[i]] and not known:
            return word in self._surnames or (len(word) >= _SHORTEST and word.isalpha())
        if self._sure[low[i]]:  # fiona apple, but no ruby ring
            return word in (self._usual if self._is_ordinary(low[i]) else self._surnames)
        if _is_capital(tokens[i]) and _is_capital(tokens[j]) and _tell(tokens):
            return word in self._usual or (word in self._surnames and not known)
        return word in self._surnames and not known

    def _is_ordinary(self, word: str) -> bool:
        """Whether a word means anything but persons of that name: a king, a hill and Peru, but no Barrymore."""
        noun = self._index.facts(word).noun
        keys = [] if noun is None else [key for key in noun if key >= 0]
        codes = (code for key in keys for code in self._index.senses(key, NOUN)[0])
        return self._index.verb(word) is not None or not all(map(self._is_person, codes))

    def _is_person(self, code: int) -> bool:
        """Whether a concept is a certain person."""
        return self._tax.is_instance(code) and not self._persons.isdisjoint(self._tax.ancestors(code))

    def _is_sure(self, name: str, frequent: bool) -> bool:
        """Whether a given name in small letters is nearly always a name."""
        if name in self._adjectives and not frequent:
            return False
        noun = self._index.facts(name).noun
        if noun is None:
            return (frequent or self._index.verb(name) is None) and name not in self._index.language.stop_words
        return frequent and self._index.mass[NOUN][noun[0]] <= _ORDINARY


def _adjectives_of(tax: Taxonomy) -> frozenset[str]:
    """The adjectives that describe things, as sunny and merry do, while caroline and norman are called after somebody.
    Looked up once, as long as the taxonomy is there: every column of words asks for them."""
    if tax not in _ADJECTIVES:
        _ADJECTIVES[tax] = frozenset(text for _, text, code, _ in tax.related if not is_named(tax, code))
    return _ADJECTIVES[tax]


def name_finder(names: NameLists | bool, language: Language, index: LabelIndex, tax: Taxonomy) -> NameFinder | None:
    """Who finds names in texts of a language; None where nobody does. The lists of a language are used where labels are
    words: a taxonomy of other things says itself what its labels mean."""
    lists = names if isinstance(names, NameLists) else NameLists()
    if names is not False and language.code == "en" and index.has_parts:
        lists = english_names().joined(lists)
    return NameFinder(lists, index, tax) if lists != NameLists() else None


def _is_letter(low: str) -> bool:
    return len(low) == 1 and low.isalpha()


def _is_capital(token: Token) -> bool:
    return token.text[:1].isupper() and not token.text.isupper()


def _tell(tokens: Sequence[Token]) -> bool:
    """Whether capitals tell anything: not where all words of a long text have them."""
    return len(tokens) <= _FEW or any(token.text.islower() for token in tokens[:_MOST])


def _quoted(tokens: Sequence[Token], i: int) -> int:
    """Where a title in quotation marks ends that begins here: several words, the first and another in capitals."""
    if tokens[i].text not in _QUOTES:
        return 0
    for j in range(i + 1, min(len(tokens), i + _MOST)):
        if tokens[j].text in _QUOTES:
            inside = tokens[i + 1 : j]
            return j + 1 if len(inside) > 1 and _is_capital(inside[0]) and any(map(_is_capital, inside[1:])) else 0
    return 0


def _capitals(tokens: Sequence[Token], i: int) -> int:
    """Where words in capitals end that begin here, inside a sentence that is not written so."""
    if i == 0 or not _is_capital(tokens[i]) or not tokens[0].text[:1].isalpha():
        return 0
    end = i + 1
    while end < len(tokens) and _is_capital(tokens[end]):
        end += 1
    rest = [*tokens[max(0, i - _MOST) : i], *tokens[end : end + _MOST]]
    small = sum(token.text.islower() for token in rest)
    return end if end - i > 1 and 2 * small > len(rest) else 0


def without_short(found: list[LabelMatch], sentence: Sentence) -> list[LabelMatch]:
    """The labels but for those of one or two letters that only describe a head after them: AC charger, XL shirt."""
    tokens, ends = sentence.tokens, {one.last for one in found}
    short = {one.first for one in found if one.last - one.first == 1 and len(tokens[one.first].text) <= _SHORT}
    short = {i for i in short if not i or tokens[i - 1].kind is not Kind.NUMBER}  # 200 g
    if not short:
        return found
    left = {i for start, end in sentence.phrases if end in ends for i in range(start, end - 1)}
    gone = short & left
    return [one for one in found if one.last - one.first > 1 or one.first not in gone]


def without_parts(found: list[LabelMatch], names: Sequence[Span]) -> list[LabelMatch]:
    """The labels that are no parts of names: one that holds several words of a name, or all of them, stays."""
    if not names or not found:
        return found
    kept, n = [], 0
    for one in found:
        while n < len(names) and names[n][1] <= one.first:
            n += 1
        inside = n < len(names) and names[n][0] < one.last
        if not inside or one.last - one.first > 1:
            kept.append(one)
    return kept

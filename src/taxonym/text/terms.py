"""The terms of a record as they were written, each with the concept it was taken for.

An entry of a list (an item of a basket, a diagnosis) is one thing: what its head means. The words left of a head only
say which (injection site pain is a pain, and no site), and are not taken for concepts by themselves. Of a sentence the
phrases that mention concepts are the terms, and so are the known words left of a head: who looks for a phone charger
speaks of phones, too.

A phrase that says more than its head is told beside the terms that it consists of: where enough persons wrote it, it
becomes a concept of its own (records.phrases).
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from taxonym.io.canonical import canonical_text
from taxonym.text.entries import find_entries
from taxonym.text.finder import Finder, Span
from taxonym.text.language import Language
from taxonym.text.lookup import Mention
from taxonym.text.reading import Reading

Gaps: TypeAlias = Callable[[], list[Span]]  # where a text has words that no label is known for
_NEAR = 64  # no more letters than these stand between two words of a phrase
_UNIT = 3  # letters of a unit at most
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r" ?(?:[0-9]|[IVX]+\b|[A-Z]\b)")  # behind a noun
_SEVERAL = re.compile(r"[,;/&+]|\b(?:and|or)\b", re.IGNORECASE)  # between two things that one entry lists


class HeadPhrase(NamedTuple):
    """A phrase that is no label, and the concept of its head; it says all that the terms first..last-1 say."""

    text: str
    head: int
    first: int
    last: int


class TextTerms(NamedTuple):
    """What a text says: (term, code) from left to right, the phrases that no concept is known for, and those that say
    more than their heads."""

    known: list[tuple[str, int]]
    unknown: list[str]
    phrases: tuple[HeadPhrase, ...] = ()


def terms_of(
    finder: Finder, texts: Sequence[str], *, entries: bool, single: bool = False, words: bool = False
) -> list[TextTerms]:
    """The terms of every text of one record. With `entries`, texts are entries of a list; `single`: of one concept;
    `words`: all known words of an entry are terms, and nothing is told of phrases. How often a text stands in the
    record does not matter."""
    distinct = list(dict.fromkeys(texts))
    found: Sequence[int | list[Mention]] = find_entries(finder, distinct) if entries else finder.find_record(distinct)
    said = {
        text: said_by(finder, text, one, entries=entries, single=single, words=words)
        for text, one in zip(distinct, found, strict=True)
    }
    return [said[text] for text in texts]


def said_by(
    finder: Finder,
    text: str,
    found: int | list[Mention],
    reading: Reading | None = None,
    *,
    entries: bool,
    single: bool,
    words: bool,
) -> TextTerms:
    """The terms of a text that means a concept as a whole, or mentions some; `reading` is how it reads, if known."""
    if isinstance(found, int):
        return TextTerms([(tidy(text), found)], [])

    def gaps() -> list[Span]:
        return finder.unknown_in(finder.read(text, entries) if reading is None else reading)

    # without a tagger nobody knows where a phrase has its head
    if words or finder.language.tag is None or finder.language.head_first:
        return _words(finder, text, found, gaps, entries, single)
    return _entry(finder, text, found, gaps, single) if entries else _sentences(finder, text, found, gaps)


def tidy(text: str) -> str:
    """A term in the one form of text: without line ends and runs of blanks, which no word needs."""
    return canonical_text(text)


def _words(finder: Finder, text: str, mentions: list[Mention], gaps: Gaps, entries: bool, single: bool) -> TextTerms:
    if entries and single and mentions:
        # the longest says most; of equal ones the last, since in English the head of a phrase comes last
        longest = max(enumerate(mentions), key=lambda m: (len(m[1].term), m[0]))[1]
        mentions = [mentions[0] if finder.language.head_first else longest]
    if entries and len({mention.code for mention in mentions}) == 1:
        return TextTerms([(_word(text, mentions[0], finder.language), mentions[0].code)], [])
    unknown = _unknown(text, gaps)
    if not mentions:
        return TextTerms([], [tidy(text)] if entries else unknown)
    return TextTerms([(tidy(mention.term), mention.code) for mention in mentions], unknown)


def _entry(finder: Finder, text: str, mentions: list[Mention], gaps: Gaps, single: bool) -> TextTerms:
    """An entry of a list: its heads, which are several where it speaks of several things (loss of appetite)."""
    heads = _heads(text, mentions)
    if not heads:
        return TextTerms([], [tidy(text)])
    holes, first = gaps(), heads[0]
    terms, unknown = [(tidy(m.term), m.code) for m in heads], [tidy(text[start:end]) for start, end in holes]
    if any(first.end <= start and not text[first.end : start].strip() for start, _ in holes):
        return TextTerms(terms[:1] if single else terms, unknown)  # of apple iphone nobody knows the head
    if not single and any(_SEVERAL.search(text, a.end, b.start) for a, b in pairwise(heads)):
        return TextTerms(terms, unknown, _phrases(finder, text, heads))
    if single or len({head.code for head in heads}) == 1:
        terms, unknown = [(_word(text, first, finder.language), first.code)], []
    more = _is_more(text, first, finder.language)
    return TextTerms(terms, unknown, (HeadPhrase(tidy(text), first.code, 0, len(terms)),) if more else ())


def _word(text: str, head: Mention, language: Language) -> str:
    """The word of an entry for the concept of its head: all of it only where it says no more than that. Others who say
    as much as the head must not be published with the rest."""
    return tidy(head.term if _is_more(text, head, language) else text)


def _is_more(text: str, head: Mention, language: Language) -> bool:
    """Whether an entry says something beside its head: words on any side of it, numbers too."""
    rest = _WORD.findall(text[: head.start]) + _WORD.findall(text[head.end :])
    return any(word.lower() not in language.stop_words for word in rest)


def _heads(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions that neither stand left of a head in its phrase nor only measure or number it."""
    found, begin = list[Mention](), len(text)
    for i, mention in reversed([*enumerate(mentions)]):
        if mention.end <= begin and not (i and _only_counts(text, mention)):
            found.append(mention)
            begin = _begin(text, mention)
    return found[::-1]


def _only_counts(text: str, mention: Mention) -> bool:
    """200 mg, diabetes type 2."""
    unit = len(mention.term) <= _UNIT and text[max(0, mention.start - 2) : mention.start].rstrip()[-1:].isdigit()
    return unit or (bool(mention.dropped) and _NUMBER.match(text, mention.end) is not None)


def _sentences(finder: Finder, text: str, mentions: list[Mention], gaps: Gaps) -> TextTerms:
    known = [(tidy(mention.term), mention.code) for mention in mentions]
    return TextTerms(known, _unknown(text, gaps), _phrases(finder, text, mentions))


def _phrases(finder: Finder, text: str, mentions: Sequence[Mention]) -> tuple[HeadPhrase, ...]:
    """The phrases whose heads these mentions are, each in the place of its head."""
    found = []
    for i, mention in enumerate(mentions):
        if mention.dropped and _says_more(mention, finder.language):
            phrase = tidy(text[_begin(text, mention) : mention.end])
            if finder.whole(phrase) is None:
                found.append(HeadPhrase(phrase, mention.code, i, i + 1))
    return tuple(found)


def _says_more(head: Mention, language: Language) -> bool:
    """Whether the words left of a head say something."""
    return any(w[:1].isalpha() and w.lower() not in language.stop_words for w in head.dropped)


def _begin(text: str, head: Mention) -> int:
    """Where the phrase of a head begins."""
    at = head.start
    for word in reversed(head.dropped):
        before = text.rfind(word, max(0, at - len(word) - _NEAR), at)
        if before < 0:  # its spelling was corrected
            break
        at = before
    return at


def _unknown(text: str, gaps: Gaps) -> list[str]:
    return [tidy(text[start:end]) for start, end in gaps()]

"""The terms of a record as they were written, each with the concept it was taken for.

An entry of a list (an item of a basket, a diagnosis) is a term as a whole where it means one concept; of a sentence the
phrases that mention concepts are the terms.
"""

from collections.abc import Sequence
from typing import NamedTuple

from taxonym.io.canonical import canonical_text
from taxonym.text.finder import Finder
from taxonym.text.lookup import Mention


class TextTerms(NamedTuple):
    """What a text says: (term, code) from left to right, and the phrases that no concept is known for."""

    known: list[tuple[str, int]]
    unknown: list[str]


def terms_of(finder: Finder, texts: Sequence[str], *, entries: bool, single: bool = False) -> list[TextTerms]:
    """The terms of every text of one record. With `entries`, texts are entries of a list; `single`: of one concept."""
    whole = [finder.whole(text) if entries else None for text in texts]
    found = finder.find_record(texts) if any(code is None for code in whole) else [[] for _ in texts]
    return [
        TextTerms([(tidy(text), code)], []) if code is not None else _terms(finder, text, mentions, entries, single)
        for text, code, mentions in zip(texts, whole, found, strict=True)
    ]


def tidy(text: str) -> str:
    """A term in the one form of text: without line ends and runs of blanks, which no word needs."""
    return canonical_text(text)


def _terms(finder: Finder, text: str, mentions: list[Mention], entries: bool, single: bool) -> TextTerms:
    if entries and single and mentions:
        # the longest says most; of equal ones the last, since in English the head of a phrase comes last
        mentions = [max(enumerate(mentions), key=lambda m: (len(m[1].term), m[0]))[1]]
    if entries and len({mention.code for mention in mentions}) == 1:
        return TextTerms([(tidy(text), mentions[0].code)], [])
    unknown = [tidy(text[start:end]) for start, end in finder.unknown(text)]
    if not mentions:
        return TextTerms([], [tidy(text)] if entries else unknown)
    return TextTerms([(tidy(mention.term), mention.code) for mention in mentions], unknown)

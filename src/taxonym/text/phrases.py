"""Noun phrases and verbs of a text.

A noun phrase carries "most of the semantics of the discourse"; its core is "the noun most on the right"
[Batet2014, §3.1.1]. Verbs can be sensitive as well [ImranDaud2022, §3.1]. Determiners, possessives and leading numbers
say nothing about which concept is meant and are left out here; the other words on the left are dropped by the look-up,
one by one.
"""

from collections.abc import Callable
from typing import NamedTuple

from taxonym.text.language import ENGLISH, Language
from taxonym.text.tagger import NounShare
from taxonym.text.tokens import Kind, Token, sentences, word_set

UNTAGGED = ""  # the tag of every token in a language without a tagger


class NounPhrase(NamedTuple):
    """Tokens start..end-1 of a sentence; `head` is the right-most noun, where the phrase ends."""

    start: int
    end: int

    @property
    def head(self) -> int:
        return self.end - 1


class Sentence(NamedTuple):
    """One sentence: tokens, a tag for each, noun phrases, and the places of the verbs that carry content."""

    tokens: list[Token]
    tags: list[str]
    phrases: list[NounPhrase]
    verbs: list[int]


Parse = Callable[[list[Token], list[str]], tuple[list[NounPhrase], list[int]]]


def analyse(
    text: str, language: Language = ENGLISH, noun_share: NounShare | None = None, parse: Parse | None = None
) -> list[Sentence]:
    """Sentences with tags, noun phrases and verbs. `noun_share`: see `tagger.Tagger.tag`; `parse`: see `patterns`."""
    found = []
    for tokens in sentences(text, language.tokenise(text)):
        if language.tag is None:
            found.append(_untagged(tokens, language))
        else:
            tags = language.tag(tokens, noun_share)
            if parse is not None:
                found.append(Sentence(tokens, tags, *parse(tokens, tags)))
                continue
            found.append(Sentence(tokens, tags, noun_phrases(tokens, tags), verbs(tokens, tags, language)))
    return found


def noun_phrases(tokens: list[Token], tags: list[str]) -> list[NounPhrase]:
    """Runs of adjectives, participles, numbers and nouns, cut after their last noun."""
    found = []
    start, last = -1, -1  # of the run at hand, and its last noun
    for i, tag in enumerate(tags):
        if tag[0] == "N":
            kind = tokens[i].kind
            if kind is Kind.WORD:
                start, last = i if start < 0 else start, i
                continue
            if kind is Kind.UNIT:
                continue  # chicken 2kg breast: a measure inside a phrase neither ends it nor is its head
        elif tag[0] == "J":
            if last == i - 1 and last >= 0:  # a cure last year: an adjective after a noun begins the next phrase
                found.append(NounPhrase(start, i))
                start, last = i, -1
            start = i if start < 0 else start
            continue
        elif tag == "CD" and start >= 0:
            continue
        elif tag in _PARTICIPLES and is_modifier(tags, i):
            start = i if start < 0 else start
            continue
        if last >= 0:
            found.append(NounPhrase(start, last + 1))
        start = last = -1
    if last >= 0:
        found.append(NounPhrase(start, last + 1))
    return found


_PARTICIPLES = frozenset({"VBN", "VBD", "VBG"})
_REACH = 12  # how far an auxiliary may stand from its verb; a bound keeps the time linear
_HAVE = word_set("have has had having haven't hasn't hadn't i've you've we've they've")
_DO = word_set("do does did don't doesn't didn't")


def is_modifier(tags: list[str], i: int) -> bool:
    """Whether a participle only describes the noun after it (frozen chicken, the barking dog)."""
    after = tags[i + 1][:1] if i + 1 < len(tags) else ""
    before = tags[i - 1] if i else ""
    if after not in ("N", "J"):
        return False
    if tags[i] == "VBN":
        return before[:1] not in ("V", "P") and before not in ("MD", "RB", "WP")
    if tags[i] == "VBG":
        return before in ("DT", "PRP$", "JJ")
    return before in ("DT", "PRP$", "JJ", "IN")


def verbs(tokens: list[Token], tags: list[str], language: Language) -> list[int]:
    """Places of the verbs that are neither auxiliaries nor participles before their noun."""
    found = []
    for i in [i for i, tag in enumerate(tags) if tag[0] == "V"]:
        word = tokens[i].text.lower()
        if word in language.auxiliaries and not _is_full_verb(word, tags, i):
            continue
        if tags[i] not in _PARTICIPLES or not is_modifier(tags, i):
            found.append(i)
    return found


def _is_full_verb(word: str, tags: list[str], i: int) -> bool:
    """had a baby, do my homework; but: have eaten, have to, do not, do cats purr."""
    if word in _HAVE:
        after = next((tag for tag in tags[i + 1 : i + _REACH] if tag not in ("RB", "PRP")), "")
        return after[:1] not in ("V", "T", "")
    rest = tags[i + 1 : i + _REACH]
    clause = rest[: rest.index("CC")] if "CC" in rest else rest  # I do yoga and swim: the second verb has its own
    return word in _DO and rest[:1] not in (["RB"], ["PRP"], []) and "VB" not in clause


def _untagged(tokens: list[Token], language: Language) -> Sentence:
    """Every run of words with content is a phrase, and every such word may be a verb."""
    phrases, places, start = [], [], -1
    for i, token in enumerate(tokens):
        if token.kind is Kind.WORD and token.text.lower() not in language.stop_words:
            start = i if start < 0 else start
            if token.text.lower() not in language.auxiliaries:
                places.append(i)
        elif start >= 0:
            phrases.append(NounPhrase(start, i))
            start = -1
    if start >= 0:
        phrases.append(NounPhrase(start, len(tokens)))
    return Sentence(tokens, [UNTAGGED] * len(tokens), phrases, places)

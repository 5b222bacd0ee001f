"""Noun phrases and verbs by the pattern of tags: short texts repeat their patterns far more than their words."""

from taxonym.text.language import Language
from taxonym.text.phrases import NounPhrase, noun_phrases, verbs
from taxonym.text.recent import Recent
from taxonym.text.tokens import Kind, Token, TokenWords

_ANY = Token("", 0, 0, Kind.WORD)  # stands for every word


class Patterns:
    """Remembers what `noun_phrases` and `verbs` say of recent patterns.

    Where all tokens are words the phrases follow from the tags alone, and so do the verbs but for auxiliaries.
    """

    __slots__ = ("_auxiliaries", "_known", "_language")

    def __init__(self, language: Language) -> None:
        self._language, self._auxiliaries = language, language.auxiliaries
        self._known = Recent(self._of)

    def parse(self, tokens: list[Token], tags: list[str]) -> tuple[list[NounPhrase], list[int]]:
        """The noun phrases and the verbs of a sentence: noun_phrases(tokens, tags), verbs(tokens, tags, language)."""
        if not isinstance(tokens, TokenWords):
            return noun_phrases(tokens, tags), verbs(tokens, tags, self._language)
        phrases, found = self._known[" ".join(tags)]
        if found and not self._auxiliaries.isdisjoint([tokens.low[i] for i in found]):
            return phrases.copy(), verbs(tokens, tags, self._language)
        return phrases.copy(), found.copy()

    def _of(self, pattern: str) -> tuple[list[NounPhrase], list[int]]:
        tags = pattern.split(" ")
        tokens = [_ANY] * len(tags)
        return noun_phrases(tokens, tags), verbs(tokens, tags, self._language)

"""Unknown words of a sentence, corrected to the nearest label."""

from collections.abc import Sequence

from taxonym.text.language import Language
from taxonym.text.lookup import NOUN, VERB, plain
from taxonym.text.phrases import Sentence
from taxonym.text.sources import TaxonomySource, speller_of
from taxonym.text.spelling import SHORTEST
from taxonym.text.tokens import Kind, Token


class Respelling:
    """Corrects words that no taxonomy knows by up to `limit` letters."""

    __slots__ = ("_language", "_sources", "_spellers")

    def __init__(self, sources: Sequence[TaxonomySource], language: Language, limit: int) -> None:
        self._sources, self._language = sources, language
        self._spellers = [speller_of(source.index, limit) for source in sources]

    def of(self, sentence: Sentence) -> Sentence:
        """The sentence with corrected words; their places in the text stay."""
        tokens = list(sentence.tokens)
        for i, token in enumerate(tokens):
            if token.kind is Kind.WORD and len(token.text) >= SHORTEST and sentence.tags[i][:1] in "NVJ":
                tokens[i] = self._corrected(token)
        return sentence._replace(tokens=tokens)

    def _corrected(self, token: Token) -> Token:
        word = token.text.lower()
        lemmas = [lemma for part in (NOUN, VERB) for lemma in self._language.lemmas(word, part)]
        for source in self._sources:
            known = source.index.forms
            if any((form := plain(lemma)) in known.places or form in known.beginnings for lemma in lemmas):
                return token
        for speller in self._spellers:
            for lemma in dict.fromkeys(lemmas):
                right = speller.correct(plain(lemma))
                if right is not None:
                    return token._replace(text=right)
        return token

"""The vocabulary of a column: what the words of a release mean, for who prints them, proves them and reads them."""

from collections.abc import Iterator, Mapping

from taxonym.knowledge.names import ConceptNames, splits
from taxonym.text.finder import Finder
from taxonym.text.terms import terms_of

WHOLE = "\x1f"  # before a term that is a whole query; no query has one, since it counts as a blank


class Vocabulary:
    """What a printed word means, as a release is read back: what is a concept of its own by policy (`own`), a label or
    an id, a label with a hint; with `sentences`, also any words that the finder knows. A word means one concept.

    With `hints`, a word that persons wrote is printed with the name of what is above its concept.
    """

    __slots__ = ("_finder", "_own", "_seen", "_sentences", "_single", "hints", "named", "names")

    def __init__(
        self, finder: Finder, own: Mapping[str, int], single: bool, sentences: bool = True, hints: bool = False
    ) -> None:
        self._finder, self._own, self._single, self._sentences = finder, own, single, sentences
        self._seen: dict[str, int | None] = {}
        self.named: dict[int, str | None] = {}  # what concepts are called, for who asks (publish.wording) again
        self.names, self.hints = ConceptNames(finder.taxonomy), hints

    def __call__(self, word: str) -> int | None:
        if word not in self._seen:
            self._seen[word] = self._meant(word)
        return self._seen[word]

    def with_hints(self) -> "Vocabulary":
        return Vocabulary(self._finder, self._own, self._single, self._sentences, True)

    def printed(self, term: str, code: int) -> str:
        """A term that persons wrote for a concept, as it is printed."""
        hint = self._hint(code) if self.hints and not term.startswith(WHOLE) else None
        return term if hint is None else f"{term} ({hint})"

    def term(self, word: str) -> str:
        """The term that persons wrote, where it was printed as this word."""
        return next((term for term in self._terms(word) if self(term) is not None), word)

    def _meant(self, word: str) -> int | None:
        if word in self._own:
            return self._own[word]
        code = self._finder.whole(word)
        if code is None:
            code = self.names.meant(word)
        if code is None:
            code = next((found for term in self._terms(word) if (found := self(term)) is not None), None)
        if code is None and self._sentences:
            codes = {code for _, code in terms_of(self._finder, [word], entries=True, single=self._single)[0].known}
            code = codes.pop() if len(codes) == 1 else None
        return code

    def _terms(self, word: str) -> Iterator[str]:
        """What may have been printed as this word, with a hint."""
        for term, _ in splits(word) if self.hints else ():
            code = self(term)
            if code is not None and self.printed(term, code) == word:
                yield term

    def _hint(self, code: int) -> str | None:
        return self.names.hint(code) if code < len(self.names.tax) else None

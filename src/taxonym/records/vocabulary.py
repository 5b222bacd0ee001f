"""The vocabulary of a column: what the words of a release mean, for who prints them, proves them and reads them."""

from collections.abc import Iterator, Mapping

from taxonym.knowledge.names import ConceptNames, splits
from taxonym.knowledge.strings import fold
from taxonym.text.finder import Finder
from taxonym.text.terms import terms_of

WHOLE = "\x1f"  # before a term that is a whole query; no query has one, since it counts as a blank


class Vocabulary:
    """What a printed word means, as a release is read back: what is a concept of its own by policy (`own`), a label or
    an id, a label with a hint; with `sentences`, also any words that the finder knows. A word means one concept.

    `words` is as terms_of has it; `phrases` are concepts of their own whatever their capitals. With `hints`, a word
    that persons wrote is printed with the name of what is above its concept.
    """

    __slots__ = ("_finder", "_how", "_own", "_phrases", "_seen", "_sentences", "hints", "named", "names")

    def __init__(
        self,
        finder: Finder,
        own: Mapping[str, int],
        single: bool,
        sentences: bool = True,
        hints: bool = False,
        phrases: Mapping[str, int] | None = None,
        words: bool = False,
    ) -> None:
        self._finder, self._own, self._sentences, self._phrases = finder, own, sentences, phrases or {}
        self._how = {"entries": True, "single": single, "words": words}
        self._seen: dict[str, int | None] = {}
        self.named: dict[int, str | None] = {}  # what concepts are called, for who asks (publish.wording) again
        self.names, self.hints = ConceptNames(finder.taxonomy), hints

    @property
    def subject(self) -> dict[str, object] | None:
        """What the column was found to be about, as a trail keeps it."""
        return None if self._finder.subject is None else self._finder.subject.told(self._finder.taxonomy)

    def finder_for(self, finder: Finder) -> Finder:
        """Another finder of the same column, which then takes words for the same concepts."""
        return finder.about(self._finder.subject) if finder.policy.words else finder

    def __call__(self, word: str) -> int | None:
        if word not in self._seen:
            self._seen[word] = self._meant(word)
        return self._seen[word]

    def with_hints(self) -> "Vocabulary":
        own = self._finder, self._own, self._how["single"], self._sentences, True, self._phrases, self._how["words"]
        return Vocabulary(*own)

    def is_id(self, term: str) -> bool:
        """Whether a term is the id of a concept and no word."""
        return term not in self._own and self.names.tax.find(term) >= 0 and not self.names.tax.codes(term)

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
        if self._phrases and (phrase := fold(word)) in self._phrases:
            return self._phrases[phrase]
        code = self._finder.whole(word)
        if code is None:
            code = self.names.meant(word)
        if code is None:
            code = next((found for term in self._terms(word) if (found := self(term)) is not None), None)
        if code is None and self._sentences:
            codes = {code for _, code in terms_of(self._finder, [word], **self._how)[0].known}
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

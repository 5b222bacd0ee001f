"""Terms whose concept a person has named: they win over all labels."""

from collections.abc import Mapping

from taxonym.text.lookup import NOUN, Forms, LabelIndex, LabelMatch
from taxonym.text.matching import longest
from taxonym.text.phrases import Sentence
from taxonym.text.tokens import Kind

OVERRIDE = -1  # instead of a label's number


class OwnTerms:
    """Terms of overrides and their codes, ready to be found in sentences."""

    __slots__ = ("_codes", "_forms")

    def __init__(self, codes: Mapping[str, int]) -> None:
        self._forms = Forms([" ".join(term.lower().split()) for term in codes])
        self._codes = list(codes.values())

    def code(self, form: str) -> int | None:
        """The concept of a term, given in plain form."""
        place = self._forms.places.get(form)
        return None if place is None else self._codes[place]

    def matches(self, sentence: Sentence, index: LabelIndex) -> list[LabelMatch]:
        """The terms in a sentence, as written or with their last word inflected, whatever part of speech."""
        own, found = self._forms, []
        words = [index.facts(t.text.lower()) if t.kind in (Kind.WORD, Kind.NUMBER) else None for t in sentence.tokens]
        for i in range(len(words)):
            begun = ""
            for j in range(i, len(words)):
                word = words[j]
                if word is None:
                    break
                ends = (begun + form for form in (word.form, *word.lemmas))
                place = next((own.places[end] for end in ends if end in own.places), -1)
                if place >= 0:
                    found.append(LabelMatch(i, j + 1, 0, OVERRIDE, NOUN, code=self._codes[place]))
                begun += word.form
                if begun not in own.beginnings:
                    break
        return longest(found)

"""What one text holds, before its meanings are chosen."""

from collections.abc import Collection
from itertools import groupby
from typing import NamedTuple

from taxonym.text.lookup import NOUN, VERB, LabelMatch
from taxonym.text.person_names import Span
from taxonym.text.phrases import UNTAGGED, Sentence
from taxonym.text.tokens import Kind, Token

_SHORT = 2  # letters of words that are not read by themselves left of a head (person_names.without_short)
_NOMINAL = ("N", UNTAGGED)  # first letters of the tags of nouns


class Reading(NamedTuple):
    """What one text holds: its sentences, and the labels and names found in each."""

    text: str
    sentences: list[Sentence]
    found: list[list[LabelMatch]]
    names: list[list[Span]]

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where its mentions are, in order."""
        return [
            (sentence.tokens[first].start, sentence.tokens[last - 1].end)
            for sentence, found in zip(self.sentences, self.found, strict=True)
            for first, last, *_ in found
        ]

    def unknown(self, parts: Collection[str]) -> list[tuple[int, int]]:
        """Where it has runs of nouns (or verbs, whichever `parts` names) without a label, and names without one."""
        spans = []
        for sentence, found, names in zip(self.sentences, self.found, self.names, strict=True):
            tokens, tags = sentence.tokens, sentence.tags
            covered = {i for f in found for i in range(f.first, f.last)}
            spans += [(tokens[a].start, tokens[b - 1].end) for a, b in names if covered.isdisjoint(range(a, b))]
            covered.update(i for a, b in names for i in range(a, b))
            wanted = {i for p in sentence.phrases for i in range(p.start, p.end) if tags[i][:1] in _NOMINAL}
            verbs = set(sentence.verbs) if VERB in parts else set()
            for some in (wanted - covered if NOUN in parts else set(), verbs - wanted - covered):
                if not some:
                    continue
                bare = sorted(i for i in some if _is_term(tokens[i], i + 1 in covered))
                for _, run in groupby(enumerate(bare), lambda pair: pair[1] - pair[0]):
                    places = [i for _, i in run]
                    spans.append((tokens[places[0]].start, tokens[places[-1]].end))
        return sorted(spans)


def _is_term(token: Token, headed: bool) -> bool:
    """Whether a word without a label is a term that is not known; a short one before a head (AC charger) is none."""
    return token.kind is Kind.WORD and len(token.text) > (_SHORT if headed else 1)

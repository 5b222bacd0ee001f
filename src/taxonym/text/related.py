"""Adjectives and verbs as mentions of the nouns they stand for: pregnant, gay, hepatic; vomited, divorced.

In most texts nouns carry what is said, and an adjective before one only describes it. So an adjective or a verb is a
mention of its noun where a text mentions nothing else (`alone`, the rule unless told), or wherever it stands (`all`);
and wherever it stands if its noun lies in a sensitive topic that somebody watches. What stands for what is told by the
taxonomy (knowledge/related.py). A text of a single word is a noun if it can be one, whatever the tagger thinks.
"""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import NamedTuple

from taxonym.knowledge.arrays import Mask
from taxonym.knowledge.related import ADJECTIVE, ADJECTIVE_FIRST, RelatedWords
from taxonym.text.lookup import NOUN, VERB, LabelMatch
from taxonym.text.phrases import NounPhrase, Sentence
from taxonym.text.recent import Recent
from taxonym.text.sources import TaxonomySource
from taxonym.text.tokens import Kind, Token

BY_ADJECTIVE, BY_VERB, BY_ID = -3, -4, -5  # instead of a label's number
WHY = {BY_ADJECTIVE: "adjective that stands for", BY_VERB: "verb that stands for", BY_ID: "id of"}
_BY = {ADJECTIVE: BY_ADJECTIVE, VERB: BY_VERB}
_SURE = 0.9  # how sure it is that an adjective or verb stands for its noun, before the choice of its meaning
_LEAST = 0.05  # the share of a word's meanings that lies in a watched topic must be at least so large
_TAGS = ("J", "V")  # first letters of the tags of adjectives, and of participles, which describe as well
# Tags of words that name nothing, whatever the labels of a taxonomy: yes, like, nothing, ten; and of no tagger.
_CLOSED = frozenset({"", "CC", "CD", "DT", "EX", "IN", "MD", "PRP", "PRP$", "TO", "UH", "WDT", "WP", "WP$", "WRB"})
_BOTH = frozenset({NOUN, VERB})

Find = Callable[[Sentence, Collection[str]], list[LabelMatch]]  # the labels of some parts of speech in a sentence


class StandIn(NamedTuple):
    """The noun concept that a word stands for, and how sure that is."""

    code: int
    sure: float


class StandIns:
    """What adjectives and verbs stand for in the texts of one finder. `watched` are concepts of sensitive topics."""

    __slots__ = ("_index", "_known", "_language", "_mode", "_parts", "_watched")

    def __init__(
        self,
        sources: Sequence[TaxonomySource],
        related: Sequence[RelatedWords],
        parts: Collection[str],
        mode: str,
        allowed: Mask | None = None,
        watched: Mask | None = None,
    ) -> None:
        self._mode, self._parts, self._watched = mode, parts, watched
        self._language = sources[0].index.language
        with_parts = [n for n, source in enumerate(sources) if source.index.has_parts and NOUN in parts]
        self._index = {n: sources[n].index for n in with_parts}
        self._known = {
            (n, part): Recent(partial(_stand_in, sources[n], related[n], part, allowed, watched)).__getitem__
            for n in with_parts
            for part in (ADJECTIVE, ADJECTIVE_FIRST, VERB)
            if len(related[n]) and mode != "none"
        }

    @property
    def is_everywhere(self) -> bool:
        """Whether texts that mention something else have to be looked at, too."""
        return bool(self._known) and (self._mode == "all" or self._watched is not None)

    def instead(self, n: int, low: str) -> StandIn | None:
        """What a word stands for as an adjective although it is the label of a noun: hepatic is not the liverwort."""
        return self._known[n, ADJECTIVE_FIRST](low) if (n, ADJECTIVE_FIRST) in self._known else None

    def single(self, sentence: Sentence, found: list[LabelMatch]) -> list[LabelMatch]:
        """A text of one word: a noun if it can be one; else what it stands for."""
        words = [i for i, token in enumerate(sentence.tokens) if token.kind is Kind.WORD]
        if len(words) != 1 or any(f.key < 0 for f in found) or sentence.tags[words[0]] in _CLOSED:
            return found
        i, low = words[0], sentence.tokens[words[0]].text.lower()
        if len(low) < 2 or low in self._language.stop_words or low in self._language.auxiliaries:
            return found
        for n, index in self._index.items():
            if found and found[0].source < n:
                break
            noun = index.facts(low).noun
            if noun is not None and self.instead(n, low) is None:
                return [LabelMatch(i, i + 1, n, noun[0], NOUN, noun[1])]
            if found and found[0].part == VERB and self._mode != "all":
                break  # a verb, where verbs are looked for
            for part in (ADJECTIVE, VERB):
                one = self._known[n, part](low) if (n, part) in self._known else None
                if one is not None:
                    return [_match(i, n, part, one)]
        return found

    def verb(self, low: str, i: int) -> LabelMatch | None:
        """What a word stands for as a verb, at a token."""
        for n in self._index:
            one = self._known[n, VERB](low) if (n, VERB) in self._known else None
            if one is not None:
                return _match(i, n, VERB, one)
        return None

    def added(self, sentences: Sequence[Sentence], found: list[list[LabelMatch]], find: Find) -> list[list[LabelMatch]]:
        """The labels that were found in a text, and what its adjectives and verbs stand for, so far as that counts."""
        if not self.is_everywhere:
            return found if any(found) else self._alone(sentences, find)
        every = [*map(self._everywhere, sentences, found)]
        if any(f.part in self._parts for some in found for f in some):
            return every
        alone = self._alone(sentences, find)
        return [sorted(a + _beside(a, some)) for a, some in zip(alone, every, strict=True)]

    def _everywhere(self, sentence: Sentence, found: list[LabelMatch]) -> list[LabelMatch]:
        """The labels of a sentence, nouns and verbs, and the adjectives beside them, each as the noun it stands for."""
        kept = [one for f in found if (one := self._as_noun(f)) is not None]
        return sorted(kept + [one for one in self._adjectives(sentence, kept) if self._is_wanted(one.code)])

    def _alone(self, sentences: Sequence[Sentence], find: Find) -> list[list[LabelMatch]]:
        """What adjectives and verbs stand for in a text that has no mention."""
        if not self._known:
            return [[] for _ in sentences]
        out = []
        for sentence in sentences:
            verbs = [
                self._stands(f) for f in find(sentence, _BOTH) if f.part == VERB and not self._is_empty(sentence, f)
            ]
            mine = [f for f in verbs if f is not None]
            described = any(tag[:1] == "N" for tag in sentence.tags)  # a recurrent xyzzy
            out.append(mine if described else sorted(mine + self._adjectives(sentence, mine)))
        return out

    def _as_noun(self, f: LabelMatch) -> LabelMatch | None:
        """A label as it counts: a verb as its noun where that is wanted, else as a verb, if verbs are looked for."""
        if f.part != VERB or f.key < 0:
            return f
        noun = self._stands(f)
        if noun is not None and self._is_wanted(noun.code):
            return noun
        return f if VERB in self._parts else None

    def _stands(self, f: LabelMatch) -> LabelMatch | None:
        look = self._known.get((f.source, VERB))
        found = look(self._index[f.source].forms.keys[f.key]) if look else None
        return None if found is None else _match(f.first, f.source, VERB, found, f.last)

    def _adjectives(self, sentence: Sentence, found: Sequence[LabelMatch]) -> list[LabelMatch]:
        """What the adjectives of a sentence stand for, where no label was found."""
        out: list[LabelMatch] = []
        places = [i for i, tag in enumerate(sentence.tags) if tag[:1] in _TAGS]
        for i in places:
            low = sentence.tokens[i].text.lower()
            if any(f.first <= i < f.last for f in found) or low in self._language.stop_words:
                continue
            for n in self._index:
                one = self._known[n, ADJECTIVE](low) if (n, ADJECTIVE) in self._known else None
                if one is not None:
                    out.append(_match(i, n, ADJECTIVE, one))
                    break
        return out

    def _is_wanted(self, code: int) -> bool:
        return self._mode == "all" or (self._watched is not None and bool(self._watched[code]))

    def _is_empty(self, sentence: Sentence, f: LabelMatch) -> bool:
        return f.last == f.first + 1 and sentence.tokens[f.first].text.lower() in self._language.auxiliaries


def whole_text(text: str) -> Sentence:
    """A text as a sentence of one word: what is an id needs no grammar."""
    begin, word = len(text) - len(text.lstrip()), text.strip()
    return Sentence([Token(word, begin, begin + len(word), Kind.WORD)], ["NN"], [NounPhrase(0, 1)], [])


def _beside(taken: Sequence[LabelMatch], found: Sequence[LabelMatch]) -> list[LabelMatch]:
    places = {i for f in taken for i in range(f.first, f.last)}
    return [f for f in found if places.isdisjoint(range(f.first, f.last))]


def _match(i: int, n: int, part: str, one: StandIn, last: int = 0) -> LabelMatch:
    return LabelMatch(i, last or i + 1, n, _BY[part], NOUN, code=one.code, score=one.sure)


def _stand_in(
    source: TaxonomySource, words: RelatedWords, part: str, allowed: Mask | None, watched: Mask | None, low: str
) -> StandIn | None:
    """The most usual noun that a lower-case word stands for; of a verb, if topics are watched, the most usual in these.

    An adjective has too many meanings for that: a red dress is no inflammation.
    """
    for lemma in source.index.language.lemmas(low, part) if part != ADJECTIVE_FIRST else (low,):
        codes, counts = words.nouns(part, lemma)
        if codes:
            break
    else:
        return None
    total = sum(counts) + len(counts)
    found = [StandIn(source.code(code), _SURE * (n + 1) / total) for code, n in zip(codes, counts, strict=True)]
    found = [one for one in found if allowed is None or allowed[one.code]]
    if watched is not None and part == VERB:
        seen = [one for one in found if watched[one.code] and one.sure >= _SURE * _LEAST]
        found = seen or found
    return found[0] if found else None

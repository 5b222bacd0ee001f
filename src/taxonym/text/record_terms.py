"""The terms of many records: every different text is read once, and then looked at in the records it stands in.

By itself a text means what text.terms says. The rest of its record can only change the meanings that a policy is not
certain of; the others are chosen once. The result is that of terms_of, record by record.
"""

from array import array
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import edges
from taxonym.text.entries import open_entry, open_text
from taxonym.text.finder import Finder
from taxonym.text.reading import Reading
from taxonym.text.senses import SenseChoice, TextMentions
from taxonym.text.terms import TextTerms, said_by, terms_of, tidy

_AT_ONCE = 128  # texts whose senses are chosen together, and records


class _OpenText(NamedTuple):
    """A text whose record has a say: how it reads, what it mentions, and what was chosen for it alone."""

    text: str
    reading: Reading | None
    mentions: TextMentions
    alone: list[int]


class RecordTerms:
    """Texts get numbers: those that `add` gives to what they say, which counts from 0 and is asked by nobody else.

    Without a finder every text is a term that means nothing else. `entries`, `single` and `words` are as terms_of has
    them. Texts are not kept, but for those whose record has a say.
    """

    __slots__ = ("_add", "_ends", "_finder", "_how", "_open", "_seen", "_variants", "_words")

    def __init__(
        self,
        finder: Finder | None,
        add: Callable[[TextTerms], int],
        *,
        entries: bool,
        single: bool = False,
        words: bool = False,
    ) -> None:
        self._finder, self._add = finder, add
        self._how = {"entries": entries, "single": single, "words": words}
        self._seen: dict[bytes, int] = {}
        self._open: dict[int, _OpenText] = {}
        self._variants: dict[tuple[int, tuple[int, ...]], int] = {}
        self._ends, self._words = array("q", [0]), array("i")  # of every number, the words of its text

    def numbers(self, texts: Sequence[str]) -> list[int]:
        """The number of every text; of a new one, that of what it says by itself."""
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._seen}
        for some in (list(new.items())[i : i + _AT_ONCE] for i in range(0, len(new), _AT_ONCE)):
            for (key, _), number in zip(some, self._read([text for _, text in some]), strict=True):
                self._seen[key] = number
        return [self._seen[key] for key in keys]

    def _read(self, texts: Sequence[str]) -> list[int]:
        finder = self._finder
        if finder is None:
            return [self._add(TextTerms([(tidy(text), 0)], [])) for text in texts]
        if not finder.policy.words:
            return [self._add(terms_of(finder, [text], **self._how)[0]) for text in texts]
        senses, opened = finder.by_words, open_entry if self._how["entries"] else open_text
        read = [opened(finder, text) for text in texts]
        spans = [[(0, len(text))] if one is None else one.spans for text, (one, _) in zip(texts, read, strict=True)]
        chosen = senses.alone(texts, [choices for _, choices in read], spans)
        numbers = []
        for text, (reading, choices), where, picked in zip(texts, read, spans, chosen, strict=True):
            heard = senses.heard(text, choices, where)
            number = self._said(text, reading, choices, picked, heard.words)
            if not senses.is_certain(choices):
                self._open[number] = _OpenText(text, reading, heard, picked)
            numbers.append(number)
        return numbers

    def _said(
        self,
        text: str,
        reading: Reading | None,
        choices: Sequence[SenseChoice],
        picked: list[int],
        words: Sequence[int],
    ) -> int:
        assert self._finder is not None
        self._words.extend(words)
        self._ends.append(len(self._words))
        found = (
            choices[0].codes[picked[0]] if reading is None else self._finder.mentions([reading], [choices], [picked])[0]
        )
        return self._add(said_by(self._finder, text, found, reading, **self._how))

    def in_records(self, row: Long, text: Long) -> Long:
        """Record row[j] has text[j], by its number: the number of what it says there."""
        if not self._open or not len(row):
            return text
        open_ = np.zeros(int(text.max()) + 1, bool)
        open_[[number for number in self._open if number < len(open_)]] = True
        base = len(open_)
        keys, where = np.unique(row * base + text, return_inverse=True)
        of, told = keys // base, keys % base
        n = int(of.max()) + 1
        start = edges(np.bincount(of, minlength=n))
        asked = np.flatnonzero((np.diff(start) > 1) & (np.bincount(of, open_[told], n) > 0))
        for some in (asked[i : i + _AT_ONCE] for i in range(0, len(asked), _AT_ONCE)):
            self._choose(told, [slice(*start[one : one + 2].tolist()) for one in some.tolist()])
        found: Long = told[where]
        return found

    def _choose(self, told: Long, records: Sequence[slice]) -> None:
        """Put what open texts say in their records in their places."""
        assert self._finder is not None
        every = [told[record].tolist() for record in records]
        chosen = self._finder.choose_records([[self._mentions(number) for number in some] for some in every])
        for record, some, picks in zip(records, every, chosen, strict=True):
            told[record] = [self._variant(number, picked) for number, picked in zip(some, picks, strict=True)]

    def _mentions(self, number: int) -> TextMentions:
        one = self._open.get(number)
        return one.mentions if one else TextMentions((), self._words[self._ends[number] : self._ends[number + 1]])

    def _variant(self, number: int, picked: list[int]) -> int:
        one = self._open.get(number)
        if one is None or picked == one.alone:
            return number
        key = number, tuple(picked)
        if key not in self._variants:
            said = one.mentions
            self._variants[key] = self._said(one.text, one.reading, said.choices, picked, said.words)
        return self._variants[key]


def terms_of_records(
    finder: Finder, records: Sequence[Sequence[str]], *, entries: bool, single: bool = False, words: bool = False
) -> list[list[TextTerms]]:
    """The terms of every text of every record, as terms_of finds them."""
    if finder.policy.record:
        distinct = dict.fromkeys(map(tuple, records))
        each = {texts: terms_of(finder, texts, entries=entries, single=single, words=words) for texts in distinct}
        return [each[tuple(texts)] for texts in records]
    said: list[TextTerms] = []

    def add(one: TextTerms) -> int:
        said.append(one)
        return len(said) - 1

    terms = RecordTerms(finder, add, entries=entries, single=single, words=words)
    text = np.array(terms.numbers([text for texts in records for text in texts]), np.int64)
    row = np.repeat(np.arange(len(records)), [*map(len, records)])
    found = iter(terms.in_records(row, text).tolist())
    return [[said[next(found)] for _ in texts] for texts in records]

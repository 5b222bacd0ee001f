"""The subject of a column from its cells: one vote for each person and distinct term, counted, then learnt from.

Votes are counts, so they can be added up: over parts of a table, workers, machines, in any order. A long column is
represented by SAMPLE of its distinct texts, those with the smallest hashes, wherever they stand.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from heapq import nsmallest

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.text.entries import open_entry, open_text
from taxonym.text.finder import Finder
from taxonym.text.senses import SenseChoice
from taxonym.text.subject import Subject, Voter
from taxonym.text.word_vectors import vectors_of

SAMPLE = 20_000  # distinct texts that are read for the subject
EVERY = (1 << 64) - 1  # a limit that lets all texts pass
_WAITING = 1 << 22  # votes that wait to be counted


def text_hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def smallest_hashes(texts: Iterable[str], others: Collection[int] = ()) -> list[int]:
    """Of the distinct texts of a part, and of the hashes of others, the SAMPLE + 1 smallest: enough to know the limit
    of the whole."""
    return nsmallest(SAMPLE + 1, {text_hash(text) for text in texts}.union(others))


def limit_of(hashes: Iterable[int]) -> int:
    """The largest hash that a text may have to be read, given those of all parts."""
    smallest = nsmallest(SAMPLE + 1, set(hashes))
    return smallest[SAMPLE - 1] if len(smallest) > SAMPLE else EVERY


def count_votes(
    voters: Callable[[str], Sequence[Voter]], records: Iterable[tuple[Sequence[str], int]], limit: int = EVERY
) -> Counter[Voter]:
    """How many persons use each term. `records` are the texts of every record and whose it is, `voters` finds the terms
    of a text."""
    number: dict[Voter, int] = {}
    seen: dict[str, list[int]] = {}
    pairs, waiting = np.empty(0, np.int64), array("q")

    def counted() -> Long:
        return np.union1d(pairs, np.frombuffer(waiting, np.int64)) if len(waiting) else pairs

    for texts, person in records:
        for text in texts:
            if text not in seen:
                found = voters(text) if limit == EVERY or text_hash(text) <= limit else ()
                seen[text] = [number.setdefault(voter, len(number)) for voter in found]
            waiting.extend((voter << 40) | person for voter in seen[text])
        if len(waiting) >= _WAITING:
            pairs, waiting = counted(), array("q")
    votes = np.bincount(counted() >> 40, minlength=len(number))
    return Counter({voter: int(votes[i]) for voter, i in number.items()})


def voters_of(finder: Finder, text: str, entries: bool) -> list[Voter]:
    """The terms of a text; with `entries`, of an entry of a list."""
    reading, choices = open_entry(finder, text) if entries else open_text(finder, text)
    return voters_for(finder, [text] if reading is None else finder.labels(reading), choices)


def voters_for(finder: Finder, labels: Sequence[str], choices: Sequence[SenseChoice]) -> list[Voter]:
    counts = finder.by_words.counts
    return [
        Voter(" ".join(label.lower().split()), tuple(choice.codes), tuple(counts(choice)))
        for label, choice in zip(labels, choices, strict=True)
    ]


def learn(finder: Finder, votes: Mapping[Voter, int]) -> Finder:
    """The finder of a column with these votes."""
    return finder.about(Subject.learn(finder.taxonomy, vectors_of(finder.language.code), votes))


def learns(finder: Finder | None) -> bool:
    """Whether a finder still has to learn what its column is about."""
    return finder is not None and finder.policy.words and finder.subject is None


def learn_column(finder: Finder, cells: Sequence[Sequence[str]], persons: Sequence[int], *, entries: bool) -> Finder:
    """The finder for a column that is at hand as a whole; as it was, where its policy does not look at columns, or its
    subject was given."""
    if not learns(finder):
        return finder
    limit = limit_of(smallest_hashes(text for texts in cells for text in texts))
    records = zip(cells, persons, strict=True)
    return learn(finder, count_votes(partial(voters_of, finder, entries=entries), records, limit))

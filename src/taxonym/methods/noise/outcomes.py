"""Which concepts may come out of noise, and how many of them a cell may hold: the same for everybody.

Whether a concept is allowed never depends on the value it stands for: "sensitive words only for sensitive words" would
brand all of them. `all` is the paper's set; `public` a list that was there before the data; `usual` what at least k
persons wrote. `avoid` takes whole topics out of any of them.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from taxonym.errors import BadInput, BadPlan, UnknownConcept
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.records.column import Column
from taxonym.text.sensitive import load_topics

SENSITIVE = ("GDPR Art. 9", "GDPR Art. 10")  # the laws of topics that are in no list of everyday words


def public_concepts(tax: Taxonomy, path: str | None) -> Mask:
    """The concepts of a list: one word or id a line, a word standing for all that it may mean. Without a list, those
    that the source of the taxonomy has seen in texts, but none that the law calls sensitive."""
    if path is None:
        return _everyday(tax)
    listed = np.zeros(len(tax), np.bool_)
    for number, line in enumerate(_lines(path), 1):
        word = line.strip()
        if not word or word.startswith("#"):
            continue
        try:
            codes = [tax.code(word)]
        except UnknownConcept:
            codes = tax.codes(word)
        if not codes:
            raise BadInput(f"{path}: line {number}: is no word of {tax.name!r}. Correct or remove it.")
        listed[codes] = True
    return listed


def _everyday(tax: Taxonomy) -> Mask:
    seen: Mask = np.bincount(tax.sense, weights=tax.sense_count, minlength=len(tax)) > 0
    try:
        if not seen.any():
            raise UnknownConcept("no word was counted")
        for topic, inside in zip((topics := load_topics(tax)).topics, topics.matrix, strict=True):
            if topic.law.startswith(SENSITIVE):
                seen &= ~inside
    except UnknownConcept:
        raise BadPlan(
            f"noise.public: is missing. For {tax.name!r} no list of everyday words is known, so name a file with one "
            f"word on each line."
        ) from None
    return seen


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise BadPlan(f"noise.public: {path}: cannot be read ({error.strerror}). Write a word on each line.") from None
    except UnicodeDecodeError:
        raise BadPlan(f"noise.public: {path}: is not UTF-8 text. Save it as UTF-8.") from None


def avoided_concepts(tax: Taxonomy, column: Column, names: Sequence[str], topics_file: str) -> Mask:
    """The concepts of some topics of the column's file; "all" names all of them."""
    try:
        topics = load_topics(tax, topics_file)
        return (topics if tuple(names) == ("all",) else topics.only(names)).anywhere
    except (BadPlan, UnknownConcept) as error:
        raise BadPlan(f"noise.avoid: column {column.name!r}: {error}") from None


def usual_concepts(codes: Ints, persons: Long, k: int) -> Long:
    """The codes that at least k different persons have; codes[j] is one of persons[j]."""
    if not len(codes):
        return np.zeros(0, np.int64)
    pairs = np.unique(np.stack([codes.astype(np.int64), persons.astype(np.int64)]), axis=1)
    used, holders = np.unique(pairs[0], return_counts=True)
    found: Long = used[holders >= k]
    return found


def usual_lengths(lengths: Long, persons: Long, k: int) -> tuple[int, ...]:
    """The numbers of words that a cell may be published with, ascending, so that each stands for at least k persons.

    From the longest cells on, persons are gathered until there are k: all of them are published with the least length
    among them. Whoever is left over joins the last of these, which so becomes shorter. Below k persons all have one.
    """
    there = lengths > 0
    lengths, persons = lengths[there], persons[there]
    found: list[int] = []
    gathered: set[int] = set()
    for length in np.unique(lengths)[::-1].tolist():
        gathered.update(persons[lengths == length].tolist())
        if len(gathered) >= k:
            found.append(length)
            gathered = set()
    if gathered:
        least = int(lengths.min())
        found[-1:] = [least]
    return tuple(sorted(found))


def capped(lengths: Long, allowed: Sequence[int]) -> Long:
    """How many words of each cell are published: the largest allowed number that it has."""
    levels = np.array([0, *allowed])
    found: Long = levels[np.searchsorted(levels, lengths, side="right") - 1]
    return found


def chosen_words(row: Long, keep: Long, rng: np.random.Generator) -> Mask:
    """Which words are published, their rows ascending: of those in row i any keep[i], all alike. Nothing is drawn where
    all are kept."""
    sizes = np.bincount(row, minlength=len(keep))
    chosen = np.ones(len(row), np.bool_)
    for i in np.flatnonzero(sizes > keep):
        mine = np.arange(*np.searchsorted(row, (i, i + 1)))
        chosen[rng.permutation(mine)[keep[i] :]] = False
    return chosen

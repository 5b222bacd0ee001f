"""Which nouns the adjectives and verbs of a WordNet stand for, by its own pointers.

An adjective stands for the noun that is the same word (gay), or else for what it pertains to (hepatic: liver), what is
derived from it (pregnant: pregnancy), or the attribute that it is a value of (hot: temperature). A verb stands for what
is done or happens: the act, event, process or state that is derived from it (vomit: vomiting; die: death), not for who
does it or what it is done with.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

_PERTAINYM, _DERIVED, _ATTRIBUTE = "\\", "+", "="
# Lexicographer files of nouns that tell what is done or happens: acts, attributes, cognition, communication, events,
# feelings, motives, natural phenomena, possession, processes, relations, states.
_HAPPENING = frozenset({"04", "07", "09", "10", "11", "12", "16", "19", "21", "22", "24", "26"})
_DOERS = ("er", "or")
_BODY, _PLANT = "08", "20"
# A word whose linked meanings are rarer than this among all its meanings is not linked: to depress is seldom to press
# down. An adjective and a noun that are the same word are one thing however rare.
LEAST_SHARE = 0.2


class Pointer(NamedTuple):
    """A link of a synset to another: of all its words (source 0) or one of them (1, 2, …), to all or one."""

    symbol: str
    offset: int
    part: str
    source: int
    target: int


class Synset(NamedTuple):
    """A line of a data file."""

    line: int
    offset: int
    file: str
    words: list[str]
    pointers: list[Pointer]
    gloss: str


def linked_nouns(
    part: str,
    synsets: Mapping[int, Synset],
    senses: Mapping[str, Mapping[int, int]],
    counts: Mapping[tuple[str, str, int], int],
    nouns: Mapping[int, tuple[str, Synset]],
) -> Iterator[tuple[str, str, int]]:
    """(word, id of a noun, how often the word was seen so) for all words of a part of speech, the most usual first.

    `senses` are the sense numbers of each word by synset, `counts` how often each was seen, `nouns` the ids and synsets
    that may be meant.
    """
    for word, numbers in senses.items():
        mine = [(number, synsets[offset]) for offset, number in numbers.items() if offset in synsets]
        found = [(number, noun) for number, synset in mine if (noun := _noun(part, word, synset, nouns))]
        if not found and part == "v":  # to breastfeed is to lactate: what is done has one name under both
            found = [(number, noun) for number, synset in mine if (noun := _noun(part, "", synset, nouns))]
        seen = {number: counts.get((word, part, number), 0) for number in numbers.values()}
        linked = sum(seen[number] + 1 for number, _ in found)
        enough = linked >= LEAST_SHARE * (sum(seen.values()) + len(seen))
        for number, (id, same) in sorted(found, key=lambda one: (-seen[one[0]], one[0])):
            if enough or (same and part == "a"):
                yield word, id, seen[number]


def adjectives_first(
    synsets: Mapping[int, Synset],
    senses: Mapping[str, Mapping[int, int]],
    noun_senses: Mapping[str, Mapping[int, int]],
    counts: Mapping[tuple[str, str, int], int],
    nouns: Mapping[int, tuple[str, Synset]],
) -> Iterator[tuple[str, str]]:
    """(word, id of a noun) for adjectives of parts of the body that are nouns as well, but were never seen as such:
    hepatic, a liverwort; umbilical, short for its cord. Elsewhere the noun is what people mean: a Syrian, a locomotive.
    """
    for word, numbers in senses.items():
        own = noun_senses.get(word)
        if own is None or len(numbers) > 1 or any(counts.get((word, "n", number), 0) for number in own.values()):
            continue
        if any(nouns[offset][1].file not in (_BODY, _PLANT) for offset in own if offset in nouns):
            continue
        for pointer in (p for offset in numbers if offset in synsets for p in synsets[offset].pointers):
            id, noun = nouns.get(pointer.offset, ("", None))
            if pointer.symbol == _PERTAINYM and noun is not None and noun.file == _BODY and pointer.offset not in own:
                yield word, id
                break


def _noun(part: str, word: str, synset: Synset, nouns: Mapping[int, tuple[str, Synset]]) -> tuple[str, bool] | None:
    """The noun that a word (any word of the synset, if none is named) stands for, and whether it is the same word."""
    best: tuple[int, int, str, bool] | None = None
    for at, pointer in enumerate(synset.pointers):
        if pointer.part != "n" or pointer.offset not in nouns:
            continue
        if word and pointer.source > 0 and synset.words[pointer.source - 1].lower() != word:
            continue
        id, noun = nouns[pointer.offset]
        same = pointer.target > 0 and noun.words[pointer.target - 1].lower() == word
        name = noun.words[pointer.target - 1] if pointer.target else ""
        rank = None if part == "v" and not same and name.endswith(_DOERS) else _rank(part, pointer.symbol, same, noun)
        if rank is not None and (best is None or (rank, at) < best[:2]):
            best = (rank, at, id, same)
    return None if best is None else best[2:]


def _rank(part: str, symbol: str, same: bool, noun: Synset) -> int | None:
    """How good a link is, the best being 0; None for those that are not followed."""
    if part == "v":
        if symbol != _DERIVED or noun.file not in _HAPPENING:
            return None
        return 0 if same else 1
    if symbol not in (_PERTAINYM, _DERIVED, _ATTRIBUTE):
        return None
    return 0 if same else 1 + (_PERTAINYM, _DERIVED, _ATTRIBUTE).index(symbol)

"""From an inflected form to the lemmas it may belong to, English.

WordNet's exception lists first, then spelling rules. All candidates are given, the word as written first: WordNet has
plurals among its labels (years, falls, glasses, arms), so only the look-up, which knows how often each is meant, can
choose.
"""

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path

NOUN, VERB, ADJECTIVE, ADVERB = "n", "v", "a", "r"
_VOWELS = frozenset("aeiouy")
# Ending -> what may stand in its place, the likelier first. Only the longest ending that fits is used.
_NOUN_ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ies", ("y", "ie")),
    ("ches", ("ch", "che")),
    ("shes", ("sh",)),
    ("sses", ("ss",)),
    ("xes", ("x", "xe", "xis")),
    ("zes", ("ze", "z")),
    ("oses", ("ose", "osis", "os")),
    ("yses", ("ysis", "yse")),
    ("eses", ("esis", "ese")),
    ("ices", ("ice", "ix", "ex")),
    ("uses", ("us", "use")),
    ("ses", ("se", "s", "sis")),
    ("oes", ("o", "oe")),
    ("ives", ("ive", "ife")),
    ("lves", ("lf", "lve")),
    ("aves", ("ave", "af")),
    ("rves", ("rve", "rf")),
    ("men", ("man",)),
    ("ae", ("a",)),
    ("ia", ("ium", "ion")),
    ("mata", ("ma",)),
)
_NOUN_LAST = frozenset(ending[-1] for ending, _ in _NOUN_ENDINGS)
_DOUBLED = frozenset("bdfgklmnprstvz")


@cache
def _exceptions() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(part of speech, form) -> lemmas; a shipped file, read once."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    text = gzip.decompress((Path(__file__).parent / "data" / "english.forms.gz").read_bytes()).decode()
    for line in text.split("\n"):
        part, form, *lemmas = line.split("\t")
        found[part, form] = (*found.get((part, form), ()), *lemmas)
    return found


def candidates(word: str, part: str) -> tuple[str, ...]:
    """The lemmas that a lower-case word may be a form of as `part` (n, v, a or r), the word itself first."""
    found = [word, *_exceptions().get((part, word), ())]
    if part == NOUN:
        if (owner := _owner(word)) != word:
            found += [owner, *_exceptions().get((part, owner), ())]
        found += _singulars(owner)
    elif part == VERB:
        found += _infinitives(word)
    elif part == ADJECTIVE:
        found += _positives(word)
    return tuple(dict.fromkeys(found)) if len(found) > 1 else (word,)


def _owner(word: str) -> str:
    """men's -> men, dogs' -> dogs"""
    if word[-2:] in ("'s", "’s"):
        return word[:-2]
    return word[:-1] if word[-2:] in ("s'", "s’") else word


def _singulars(word: str) -> list[str]:
    if len(word) < 3 or word[-1] not in _NOUN_LAST:
        return []
    for ending, instead in _NOUN_ENDINGS:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if len(stem) > 1:
                return [stem + i for i in instead]
            if ending == "uses" and stem:
                return [word[:-1], word[:-2]]  # muses, buses
            return [word[:-1]] if ending[-1] == "s" else []
    return [word[:-1]] if word[-1] == "s" and word[-2] not in "su" else []


def _infinitives(word: str) -> list[str]:
    if word.endswith("ies") and len(word) > 4:
        return [word[:-3] + "y", word[:-1]]
    if word.endswith("es") and len(word) > 3:
        stem = word[:-2]
        if stem.endswith(("ss", "zz")):
            return [stem, stem[:-1]]  # passes, gasses
        # fixes and goes may lose es; plates only s
        return [stem, word[:-1]] if stem.endswith(("s", "x", "z", "ch", "sh", "o")) else [word[:-1]]
    if word.endswith("s") and len(word) > 2 and word[-2] not in "su":
        return [word[:-1]]
    if word.endswith("ied") and len(word) > 4:
        return [word[:-3] + "y", word[:-1]]
    if word.endswith("ed") and len(word) > 3:
        return [] if word.endswith("eed") and len(word) == 4 else _stems(word[:-2])  # seed is not a form of see
    if word.endswith("ying") and len(word) == 5:  # dying, lying, tying
        return [word[0] + "ie", word[:-3]]
    if word.endswith("ing") and len(word) > 4:
        return _stems(word[:-3])
    return []


def _stems(stem: str) -> list[str]:
    """The infinitives behind a form without its -ed or -ing: plann -> plan; plan -> plane; visit -> visit, visite."""
    if len(stem) < 2 or _VOWELS.isdisjoint(stem):
        return []
    last, before = stem[-1], stem[-2]
    if last == before and last in _DOUBLED:
        # planned -> plan; fulfilled, missed, added keep both letters
        return [stem, stem[:-1]] if last in "lszf" else [stem[:-1], stem]
    if last not in _VOWELS and before in _VOWELS and (len(stem) < 3 or stem[-3] not in _VOWELS):
        if last not in "wxy" and _syllables(stem) == 1:
            return [stem + "e"]  # a short stem would have been doubled: planing is not planning
        return [stem, stem + "e"]
    if last in "cgsvuz" or (last == "l" and before not in _VOWELS):
        return [stem + "e", stem]
    return [stem, stem + "e"]


def _positives(word: str) -> list[str]:
    for ending in ("er", "est"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            if stem[-1] == "i":
                return [stem[:-1] + "y"]
            if stem[-1] == stem[-2]:
                return [stem[:-1], stem]
            return [stem, stem + "e"]
    return []


def _syllables(stem: str) -> int:
    """Groups of vowels."""
    return sum(1 for i, c in enumerate(stem) if c in _VOWELS and (i == 0 or stem[i - 1] not in _VOWELS))

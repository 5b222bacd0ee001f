"""Whether the words of a column hang together in a taxonomy: words have a subject, codes and names have none.

    coherence = (mean over pairs of values of s(v, w) - r) / (1 - r)
    s(v, w)   = largest similarity of a meaning of v and a meaning of w [Lin1998], content [Seco2004]

r is the mean of s over common nouns of WordNet drawn at random. Any meanings may meet, because a column's subject is
what chooses among them later; names of single things (instances) have no part in it: towns and surnames would hang
together by being names. What is no word by its looks is not looked up at all: letters, codes and abbreviations of up to
three letters do hang together in WordNet, as units, elements, letters and states.
"""

import re
from collections.abc import Sequence

import numpy as np

from taxonym.knowledge.arrays import Floats
from taxonym.knowledge.content import seco
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.finder import Finder

RANDOM = 0.15  # r, of 300 nouns (bench/column_coherence.py)
LEAST = 0.07  # coherence of a column of words, measured in docs/decisions/columns.md
LEAST_CAPITALS = 0.15  # of one in which all words begin with capitals, as names and titles do
_VALUES = 50  # that are compared with each other
_SENSES = 6  # of a value, the most usual ones
_LONG = 3  # what is no longer may be a code
_MOSTLY = 0.8
_AFTER = re.compile(r"\s+(?:of|in|on|at|with|without|due|for|from|to|by)\s|[(,]")  # what follows is not the head


def coherence(finder: Finder, values: Sequence[str]) -> tuple[float, float]:
    """The coherence of distinct values, and the share of them that are words which the taxonomy knows."""
    some = [*values[:: max(1, len(values) // _VALUES)]][:_VALUES]
    meanings = [meanings_of(finder, value) for value in some]
    known = [codes for codes in meanings if codes]
    share = len(known) / len(some) if some else 0.0
    if len(known) < 2:
        return 0.0, share
    return (_mean_similarity(finder.taxonomy, known) - RANDOM) / (1 - RANDOM), share


def least_coherence(values: Sequence[str]) -> float:
    """How coherent values have to be."""
    return LEAST_CAPITALS if are_titles(values) else LEAST


def are_titles(texts: Sequence[str]) -> bool:
    """Whether nearly all words of nearly all texts begin with a capital, as in names and titles."""
    capital = [all(word[:1].isupper() for word in text.split()) for text in texts]
    return sum(capital) >= _MOSTLY * len(capital)


def meanings_of(finder: Finder, value: str) -> list[int]:
    """What a value may mean, or what the head of it means; nothing if it looks like a code."""
    tax = finder.taxonomy
    if not _is_word(finder, value):
        return []
    nouns = [code for code in tax.codes(value) if tax.id(code).rpartition(".")[0].endswith(".n")]
    if not nouns:
        choices = finder.choices(finder.read(_AFTER.split(value)[0]))
        nouns = choices[-1].codes if choices else []
    return [code for code in nouns if not tax.instance[code]][:_SENSES]


def _is_word(finder: Finder, value: str) -> bool:
    """Whether it is longer than a code; of three letters, whether it is written in small ones (cat, but not Mon)."""
    if len(value) > _LONG:
        return any(character.isalpha() for character in value)
    codes = finder.taxonomy.codes(value) if len(value) == _LONG and not value.isupper() else []
    return any(value.lower() in finder.taxonomy.labels(code) for code in codes)


def _mean_similarity(tax: Taxonomy, meanings: Sequence[Sequence[int]]) -> float:
    """The mean of s over all pairs of values."""
    codes = sorted({code for some in meanings for code in some})
    place = {code: i for i, code in enumerate(codes)}
    similar = lin_similarities(tax, codes)
    total = 0.0
    rows = [[place[code] for code in some] for some in meanings]
    for i, one in enumerate(rows):
        for other in rows[:i]:
            total += float(similar[np.ix_(one, other)].max())
    return total / (len(rows) * (len(rows) - 1) / 2)


def lin_similarities(tax: Taxonomy, codes: Sequence[int]) -> Floats:
    """2 IC(lcs) / (IC(a) + IC(b)) of all pairs [Lin1998], for some hundred concepts."""
    content = np.asarray(seco(tax))
    above = [np.asarray(tax.ancestors(code), np.int64) for code in codes]
    every = np.unique(np.concatenate(above))
    every = every[np.argsort(-content[every], kind="stable")]  # so the first common one says most
    column = {code: i for i, code in enumerate(every.tolist())}
    holds = np.zeros((len(codes), len(every)), np.bool_)
    for i, some in enumerate(above):
        holds[i, [column[code] for code in some.tolist()]] = True
    made = np.zeros((len(codes), len(codes)))
    own = content[np.asarray(codes)]
    for i in range(len(codes)):
        common = holds & holds[i]
        shared = np.where(common.any(axis=1), content[every[common.argmax(axis=1)]], 0.0)
        both = own + own[i]
        made[i] = np.where(both > 0, 2 * shared / np.where(both > 0, both, 1), 0.0)
    return made

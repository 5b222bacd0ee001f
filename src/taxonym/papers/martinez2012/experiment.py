"""Figures 4 to 6 of [Martinez2012] on our survey: what generalisation by a hierarchy leaves an intruder, and loses.

An intruder knows all answers (reason, activity) and WordNet, but not the hierarchy, and links each answer to the
published ones that mean nearly the same [Martinez2012, eq. 4-7], or equals nothing but words (eq. 8). Loss is eq. 9 as
a distance: the mean distance of what was answered to what is published, by the same distance as the linkage.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from taxonym.attack.linkage import links, links_by_equality
from taxonym.distance.record import Compare, Sets, record_pairs
from taxonym.errors import UnknownTerms
from taxonym.knowledge.catalog import load
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.papers.martinez2012.survey import HIERARCHIES, SENSES, hierarchy, survey
from taxonym.publish.generalize.local import recode_local
from taxonym.publish.generalize.recoding import RecodingColumn
from taxonym.text.finder import Finder

MATCHING = "matching"
METHODS = (MATCHING, "path", "wu-palmer-links", "log")  # eq. 8, 1, 2 and 3
SIZES = range(2, 21)

Answer = tuple[str, ...]


class RiskRow(NamedTuple):
    """One point of a figure: DR in percent (eq. 6), and the loss (eq. 9) by the distance of that method."""

    hierarchy: str
    k: int
    method: str
    dr: float
    loss: float


def experiment(ks: Iterable[int] = SIZES, methods: Sequence[str] = METHODS) -> list[RiskRow]:
    """All rows, for both hierarchies and every k."""
    answers, wordnet = survey(), load("wordnet")
    found = []
    for name, text in HIERARCHIES.items():
        tree = hierarchy(text, name)
        for k in ks:
            published = generalized(answers, tree, k)
            found += [RiskRow(name, k, how, *linked(answers, published, wordnet, how)) for how in methods]
    return found


def generalized(answers: Sequence[Answer], tree: Taxonomy, k: int) -> list[Answer]:
    """Every answer as it is published: its terms and what they rise to, so that at least k answers are alike, for as
    few steps as are found [Martinez2012, §5.2]."""
    terms = [RecodingColumn.of(([tree.code(term)] for term in column), tree) for column in zip(*answers, strict=True)]
    made = recode_local(terms, k, cost="steps")
    published: dict[int, Answer] = {}
    for rows, concepts in zip(made.groups, made.concepts, strict=True):
        words = tuple(tree.label(codes[0] if codes else tree.roots[0]) for codes in concepts)  # nothing says the top
        published |= dict.fromkeys(rows, words)
    return [published[row] for row in range(len(answers))]


def columns(tax: Taxonomy, answers: Sequence[Answer]) -> list[Sets]:
    """The answers as the intruder understands them: the concepts that are meant, most usual senses unless noted."""
    finder = Finder(tax, senses="first", overrides=SENSES)
    meaning: dict[str, int] = {}
    for word in {word for answer in answers for word in answer}:
        code = finder.whole(word)
        if code is None:
            raise UnknownTerms(f"{tax.name}: does not know {word!r}.")
        meaning[word] = code
    return [Sets.of(([meaning[word]] for word in words), tax) for words in zip(*answers, strict=True)]


def linked(answers: Sequence[Answer], published: Sequence[Answer], tax: Taxonomy, method: str) -> tuple[float, float]:
    """(DR, loss): answer i is published as published[i]."""
    place: dict[Answer, int] = {}
    truth = np.array([place.setdefault(words, len(place)) for words in published], np.int64)
    size = np.bincount(truth)
    if method == MATCHING:
        p = links_by_equality(list(place), answers, size, truth)
        apart = np.array([float(a != b) for a, b in zip(answers, published, strict=True)])
    else:
        x, y = (columns(tax, some) for some in (answers, list(place)))
        how = Compare(measure=method)
        p = links(x, y, size, truth, how)
        apart = record_pairs(x, y, np.arange(len(answers)), truth, how)
    return 100 * float(p.mean()), float(apart.mean())

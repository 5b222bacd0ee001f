"""What a column is about, learnt from counts: how much of it lies at which concept, and where its words point.

A subject depends on the data. It is private, and nothing that promises ε or publishes record by record may learn one.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from taxonym.errors import BadInput, UnknownConcept
from taxonym.knowledge.arrays import Floats, Ints, Long, Mask
from taxonym.knowledge.content import content
from taxonym.knowledge.readers.source import open_text
from taxonym.knowledge.runs import edges, positions
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.text.glosses import GlossVectors
from taxonym.text.lookup import is_named, verbs_of
from taxonym.text.word_vectors import DIMENSIONS, UNIT, WordVectors

SUBJECT_WEIGHT = 120.0  # of closeness to the subject beside the log prior
TOPIC_WEIGHT = 28.0  # of where the column points
FIRST_WEIGHT = 2.0  # of that before anything is known but the words of the column
GLOSSES = 0.75  # share of what the glosses say in where the column points; the rest is of its words
LEAST_TOPIC = 0.08  # agreement from which a column points anywhere: texts about anything have .04, lists .15 and more
LEAST_NAMES = 0.02  # share of names, or of others, that any column may have
POWER = 3  # of the content that two concepts share: what is common to most things should not count
LEAST_CONTENT = 0.75  # what a meaning says is taken to be at least this much
ROUNDS = 3
FEW_TERMS = 3  # that agree make half a subject
MOST_VOTERS = 4096  # terms that have a say, those of most persons; the rest of a long column changes nothing
_GRAIN = 1000.0  # a subject is kept in whole numbers, so that one from a file is the one that was learnt


class Voter(NamedTuple):
    """A term of a column: its label, what it may mean, and how usual each meaning is."""

    label: str
    codes: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """How much of a column means which concept (codes, ascending, and their mass), and the mean direction of its words.

    A column of many unlike things has its mass all over the place and a mean direction near 0, so that it decides
    little; a list of musical instruments decides nearly all. `terms` is how many terms it was learnt from: a few words
    that happen to stand together are no subject yet.
    """

    codes: tuple[int, ...]
    mass: tuple[int, ...]
    topic: tuple[int, ...]
    terms: int

    @classmethod
    def learn(cls, tax: Taxonomy, vectors: WordVectors, votes: Mapping[Voter, int]) -> "Subject":
        """From the number of persons who use each term. Rounds of: what do the terms mean, given what the others mean?

            score(s) = ln P(s) + w · closeness(s) + names(s) + topic(s)

        A term counts as the root of its persons, so that a few terms of everybody are not the whole subject.
        """
        voters = sorted(votes, key=lambda voter: (-votes[voter], voter))[:MOST_VOTERS]
        if not voters:
            return cls((), (), (0,) * vectors.dimensions, 0)
        weight = np.rint(_GRAIN * np.sqrt([votes[voter] for voter in voters]))
        sure = certainty(len(voters))
        owner = np.repeat(np.arange(len(voters)), [len(voter.codes) for voter in voters])
        codes = np.array([code for voter in voters for code in voter.codes], np.int64)
        seen = np.array([n for voter in voters for n in voter.counts], np.float64)
        usual = np.log(seen / np.bincount(owner, seen)[owner])
        terms, named = TermMeanings(tax, CubedContent.of(tax), codes, owner), named_concepts(tax, codes)
        glosses = GlossTopic(GlossVectors(tax, vectors), codes, owner)
        words = _mean_direction(vectors, [voter.label for voter in voters], weight)
        belief = _softmax(usual + sure * FIRST_WEIGHT * glosses.scores(words, np.zeros(len(codes)), 0.0), owner)
        for _ in range(ROUNDS):
            own = belief * weight[owner]
            topic, every = glosses.topic(words, own), float(own.sum())
            of_a_kind = strength(topic) >= LEAST_TOPIC
            names = of_a_kind * name_scores(named, owner, own, float(own[named].sum()), every)
            near = SUBJECT_WEIGHT * terms.closeness(_added(codes, own, len(tax)))
            belief = _softmax(usual + sure * (near + names + glosses.scores(topic, own, every)), owner)
        own = belief * weight[owner]
        mass = np.rint(_added(codes, own, len(tax)))
        held = np.flatnonzero(mass)
        topic = glosses.topic(words, own)
        return cls(tuple(held.tolist()), tuple(mass[held].astype(np.int64).tolist()), tuple(topic), len(voters))

    def named_mass(self, tax: Taxonomy) -> float:
        """How much of the column means somebody or something by its name."""
        mass = np.array(self.mass, np.float64)
        return float(mass[named_concepts(tax, np.array(self.codes, np.int64))].sum())

    # ------------------------------------------------------------------ kept in a file

    def told(self, tax: Taxonomy) -> dict[str, object]:
        """As JSON has it: concepts by their ids."""
        mass = {tax.id(code): mass for code, mass in zip(self.codes, self.mass, strict=True)}
        return {"taxonomy": tax.name, "terms": self.terms, "concepts": mass, "topic": list(self.topic)}

    def write(self, path: Path, tax: Taxonomy) -> None:
        path.write_text(json.dumps(self.told(tax), ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def of(cls, told: object, tax: Taxonomy, where: str) -> "Subject":
        """The subject that JSON tells of, or one clear complaint."""
        wanted = f"{where}: is not a subject of a column. Take one from the trail of a run."
        if not isinstance(told, dict):
            raise BadInput(wanted)
        concepts, topic, terms = (told.get(key) for key in ("concepts", "topic", "terms"))
        if not isinstance(concepts, dict) or not isinstance(topic, list) or len(topic) != DIMENSIONS:
            raise BadInput(wanted)
        numbers = [terms, *concepts.values(), *topic]
        if (
            type(terms) is not int
            or any(type(n) is not int or abs(n) > 1 << 50 for n in numbers)
            or any(n < 0 for n in concepts.values())
        ):
            raise BadInput(wanted)
        try:
            mass = sorted((tax.code(id), mass) for id, mass in concepts.items())
        except UnknownConcept:
            raise BadInput(
                f"{where}: names concepts that {tax.name!r} does not have. Use it with the taxonomy that it was learnt "
                f"with ({told.get('taxonomy')!r})."
            ) from None
        return cls(tuple(code for code, _ in mass), tuple(mass for _, mass in mass), tuple(topic), terms)

    @classmethod
    def read(cls, path: Path, tax: Taxonomy) -> "Subject":
        with open_text(path, "utf-8-sig") as file:
            try:
                told = json.load(file)
            except ValueError:
                raise BadInput(f"{path}: is not JSON, as a subject of a column is. Take one from a trail.") from None
        return cls.of(told, tax, str(path))


def certainty(terms: int) -> float:
    """How much a subject counts that was learnt from so many terms, the one that asks being one of them."""
    return max(terms - 1, 0) / (max(terms - 1, 0) + FEW_TERMS)


class CubedContent(NamedTuple):
    """Of every concept how much it says beyond what is above it (`gain`), and how much it says at all (`said`)."""

    gain: Floats
    said: Floats

    @classmethod
    def of(cls, tax: Taxonomy) -> "CubedContent":
        own = content(tax)
        power = own**POWER
        above = np.zeros(len(tax))
        np.maximum.at(above, np.repeat(np.arange(len(tax)), np.diff(tax.parent_start)), power[tax.parent])
        return cls(np.maximum(power - above, 0), np.maximum(own, LEAST_CONTENT) ** POWER)


class TermMeanings:
    """What many terms may mean, made ready to be asked often how close each meaning is to what the others mean.

        closeness(s) = Σ over o of mass(o) · shared(s, o) / (Σ mass · said(s)),  shared(s, o) = Σ over a in T(s) ∩ T(o)
        of gain(a),  said(s) = max(IC(s), LEAST_CONTENT)³

    gain(a) = IC(a)³ - max IC(parent)³: in a tree `shared` is the cubed content of what two concepts have in common.
    Divided by what the meaning itself says, so that a kind with many kinds below it (the tree that is an oak) is not
    farther from its like than one without any (the wood of oaks); a vague meaning gains nothing by being vague.
    Instead of comparing pairs, the mass below every ancestor is added up once. The mass that lies at the term's own
    meanings is left out: a term says nothing about itself.
    """

    __slots__ = ("_above", "_begin", "_codes", "_gain", "_of", "_own", "_owner", "_said", "_tax")

    def __init__(self, tax: Taxonomy, content: CubedContent, codes: Long, owner: Long) -> None:
        """codes[i] is a meaning of the term owner[i]; there are some."""
        start, end = (tax.ancestor_start[codes + i].astype(np.int64) for i in (0, 1))
        self._tax, self._codes, self._owner = tax, codes, owner
        self._gain, self._said = content.gain, content.said[codes]
        self._begin = edges(end - start)[:-1]
        self._above = tax.ancestor[positions(start, end)].astype(np.int64)
        self._of = np.repeat(np.arange(len(codes)), end - start)
        self._own = np.unique(owner[self._of] * len(tax) + self._above, return_inverse=True)[1]

    def closeness(self, mass: Floats, below: Floats | None = None) -> Floats:
        """Of every meaning; `mass` has a number for every concept, and `below` what lies there and below, if known."""
        own = mass[self._codes]
        rest = mass.sum() - np.bincount(self._owner, own)[self._owner]
        whole = mass_below(self._tax, mass) if below is None else below
        below = whole[self._above] - np.bincount(self._own, own[self._of])[self._own]
        near = np.add.reduceat(below * self._gain[self._above], self._begin)
        found: Floats = np.where(rest > 0, near / (np.maximum(rest, 1) * self._said), 0)
        return found


def named_concepts(tax: Taxonomy, codes: Long) -> Mask:
    """Which concepts are somebody or something by name: those of words all of whose labels begin with a capital."""
    if not verbs_of(tax)[1]:
        return np.zeros(len(codes), dtype=bool)
    distinct, place = np.unique(codes, return_inverse=True)
    named = [is_named(tax, code) for code in distinct.tolist()]
    return np.array(named, dtype=bool)[place]


def name_scores(named: Mask, owner: Long, own: Floats, names: float, every: float) -> Floats:
    """ln of the share of names in the column for a name, of the rest for others: among cooks and bakers, a farmer is no
    writer called Farmer; among countries, turkey is one. Only for columns of a kind: texts about anything name persons
    as they name things. `names` and `every` are the mass of names and of all, of which `own`, that of the meanings of
    the term itself, is left out."""
    others = every - np.bincount(owner, own)[owner]
    share = (names - np.bincount(owner, own * named)[owner]) / np.maximum(others, 1)
    share = np.clip(share, LEAST_NAMES, 1 - LEAST_NAMES)
    scores: Floats = np.log(np.abs(share - 1 + named))
    return scores


def mass_below(tax: Taxonomy, mass: Floats) -> Floats:
    """The mass at every concept and below it."""
    held = np.flatnonzero(mass)
    start, end = (tax.ancestor_start[held + i].astype(np.int64) for i in (0, 1))
    return _added(tax.ancestor[positions(start, end)], np.repeat(mass[held], end - start), len(tax))


def strength(topic: Sequence[int]) -> float:
    """How much the words of a column agree: |t|²."""
    t = np.array(topic, np.float64) / UNIT
    return float(t @ t)


class GlossTopic:
    """Where a column points, and how much each meaning of its terms points there, too.

        topic(s) = w · gloss(s) · t,  t = (1 - GLOSSES) · mean of the words + GLOSSES · mean of the others' glosses

    The words alone say little of what they have in common where each has many meanings; the glosses of what they are
    believed to mean say more, and say it of few terms, too. What a term means itself is left out of t, be
    it the term of most persons.
    """

    __slots__ = ("_owner", "_rows", "_start")

    def __init__(self, glosses: GlossVectors, codes: Long, owner: Long) -> None:
        """codes[i] is a meaning of the term owner[i]; those of a term stand together."""
        self._rows = glosses.rows(glosses.places(codes.tolist())).astype(np.float64)
        self._owner, self._start = owner, np.flatnonzero(np.diff(owner, prepend=-1))

    def topic(self, words: Sequence[int], own: Floats) -> list[int]:
        """`words` is the mean direction of the labels, `own` how much each meaning counts. Sums of whole numbers."""
        mean = (np.rint(own)[:, None] * self._rows).sum(axis=0) / max(own.sum(), 1)
        return [round((1 - GLOSSES) * word + GLOSSES * gloss) for word, gloss in zip(words, mean.tolist(), strict=True)]

    def scores(self, topic: Sequence[int], own: Floats, every: float) -> Floats:
        """Of every meaning; `every` is how much all terms count that the topic was made of, these or others."""
        if strength(topic) < LEAST_TOPIC:
            return np.zeros(len(own))
        mine = GLOSSES * np.add.reduceat(own[:, None] * self._rows, self._start, axis=0)
        others = every - GLOSSES * np.add.reduceat(own, self._start)
        rest = (np.array(topic, np.float64) * max(every, 1) - mine) / np.maximum(others, 1)[:, None]
        found: Floats = np.einsum("ij,ij->i", self._rows, rest[np.cumsum(np.diff(self._owner, prepend=-1) != 0) - 1])
        return TOPIC_WEIGHT * found / UNIT**2


def _mean_direction(vectors: WordVectors, labels: Sequence[str], weight: Floats) -> list[int]:
    words = [vectors.numbers(label) for label in labels]
    start = edges(np.array([*map(len, words)], np.int64))
    found = vectors.directions(vectors.sums(np.array([w for some in words for w in some], np.int64), start))
    known = weight * (np.diff(start) > 0)
    total = (found.astype(np.float64) * known[:, None]).sum(axis=0) / max(known.sum(), 1)
    return [int(x) for x in np.rint(total)]


def _softmax(score: Floats, owner: Long) -> Floats:
    """What each meaning is believed in, of each owner."""
    best = np.full(int(owner.max()) + 1, -np.inf)
    np.maximum.at(best, owner, score)
    raised = np.exp(score - best[owner])
    made: Floats = raised / np.bincount(owner, raised)[owner]
    return made


def _added(at: Long | Ints, values: Floats, n: int) -> Floats:
    """Values added up by their places, of which there are n."""
    return np.bincount(at, values, n).astype(np.float64)

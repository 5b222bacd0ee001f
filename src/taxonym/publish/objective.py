"""What is worth publishing: how much concepts weigh, and the choice of all groups of a block at once.

antichain.py has the search of one group; what is decided here is by which objective it searches, and how groups
choose among sets that are worth nearly the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Codes, Floats, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.content import seco
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.publish.antichain import net_of_groups, search_groups
from taxonym.records.support import Holders, Rule

Task: TypeAlias = tuple[Any, ...]
Pairs: TypeAlias = tuple[Long, NDArray[np.int8]]  # numbers of concepts, and what is known of any two (antichain._fit)

MANY = 1 << 30  # no limit to the concepts of a set
STARTS = 3  # with so many concepts the search begins, too: seldom one more finds anything better
ROUNDS = 4  # so often every concept is taken out and the rest filled up anew; seldom more than two change anything
PAIRS = 8_000  # concepts of which is kept whether two may stand together: at most 64 MB
SLACK = 0.15  # a set that is worth so much less may be published for the sake of frequencies
TURNS = 6  # how often frequencies are looked at
TURNS_WORK = 2e6  # and not at all from so much work on, which grows with the square of what groups have
STEP = 1.5  # how fast that changes
PHRASE = 1.1  # so many times its head a phrase weighs that is a concept: else nothing would speak for it
WIDEST = 6.0  # so many times more or less what is false of a concept may count then
DOUBTS = (0.05, 1.0)  # between these, doubt is chosen so that sets stay about as large as they were
HALVINGS = 5  # so often the way between them is halved
SAMPLE = 300  # groups that are looked at for this


@dataclass(frozen=True, slots=True, eq=False)
class Objective:
    """Of every concept how much it weighs, and how much it counts where it is false beside where it is true; how much
    more it counts where somebody has it literally (antichain.net)."""

    weight: Floats
    doubt: Floats
    literal: float


@dataclass(frozen=True, slots=True)
class Way:
    """A way to weigh: a power of what a concept says [Seco2004], the doubt, what literal words count more, and whether
    sets shall stay as large as they were, which then says how much doubt there is (sized_objective)."""

    power: float
    doubt: float
    literal: float = 0.0
    sized: bool = False

    def of(self, tax: Taxonomy) -> Objective:
        weight = seco(tax) ** self.power
        weight[tax.base :] *= PHRASE
        return Objective(weight, np.full(len(tax), self.doubt), self.literal)


# The first is used; docs/decisions/representative.md compares them on real data (bench/objectives.py).
OBJECTIVES = {
    "balanced": Way(1.0, 0.3, 0.5, sized=True),
    "members to published": Way(1.0, 0.0),
    "published to members": Way(1.0, 4.0),
}


def objective_of(tax: Taxonomy, name: str = "balanced") -> Objective:
    return OBJECTIVES[name].of(tax)


def sized_objective(holders: Holders, rows: Runs, rule: Rule) -> Objective:
    """The objective by which groups publish about as many concepts as their members have.

    The more doubt, the less is said falsely, and the smaller the sets. How much makes them as large as the members' own
    depends on how much these have in common: it is looked for by halving, on some of the groups where they are many,
    and of those that come equally near the largest is taken.
    """
    found = objective_of(holders.tax)
    if not OBJECTIVES["balanced"].sized:
        return found
    some = rows.take(np.arange(0, len(rows), -(-len(rows) // SAMPLE) or 1))
    had, (low, high) = int(holders.sets.sizes[some.codes].sum()), map(log, DOUBTS)
    task, tried = search_of(holders, rule, found, starts=0, rounds=0), []
    for _ in range(HALVINGS):
        doubt = exp((low + high) / 2)
        taxonomy = (*task[1][:3], np.full(len(holders.tax), doubt), found.literal)
        start, _ = search_groups(task[0], writable(some), taxonomy, *task[2:])
        more = int(np.diff(start) @ some.sizes) - had
        tried.append((abs(more), -doubt))
        low, high = (log(doubt), high) if more >= 0 else (low, log(doubt))
    return replace(found, doubt=np.full(len(holders.tax), -min(tried)[1]))


def may_be_published(holders: Holders, rule: Rule) -> Any:
    """Of every concept: 2 if it may be published, 1 if only where a member has it (roots, and what names one thing), 0
    if not at all, since it may not be printed or fewer than k persons hold it."""
    tax = holders.tax
    fit = tax.instance == 0 if rule.printable is None else rule.printable
    if rule.known_items:
        fit = fit & (holders.counts >= rule.k)
    return np.where(fit, np.where((tax.depths > 1) & (tax.instance == 0), 2, 1), 0).astype(np.int8)


def search_of(
    holders: Holders,
    rule: Rule,
    objective: Objective,
    most: int = MANY,
    starts: int = STARTS,
    rounds: int = ROUNDS,
    pairs: Pairs | None = None,
) -> Task:
    """What the kernels of antichain.py need to know: records, taxonomy, what may be published, support, rule."""
    tax, may = holders.tax, may_be_published(holders, rule)
    number, known = pairs or no_pairs(may)
    return (
        (holders.sets.start.astype(np.int64), holders.sets.codes.astype(np.int64)),
        (tax.ancestor_start.astype(np.int64), tax.ancestor, objective.weight, objective.doubt, objective.literal),
        may,
        (*holders.lists, holders.person.astype(np.int64), number, known),
        (rule.k, rule.known_items, rule.consensus, most, starts, rounds),
    )


def writable(runs: Runs) -> tuple[Long, Long]:
    """Runs as kernels take them: to numba an array that cannot be written is of another type, for which everything
    would be compiled once more."""
    return np.array(runs.start, np.int64), np.array(runs.codes, np.int64)


def no_pairs(may: NDArray[np.int8]) -> Pairs:
    """Nothing is known yet of any two concepts that may be published; where they are too many, nothing ever is."""
    fit = np.flatnonzero(may)
    number = np.full(len(may), -1, np.int64)
    if len(fit) <= PAIRS:
        number[fit] = np.arange(len(fit))
    return number, np.zeros((len(fit), len(fit)) if len(fit) <= PAIRS else (0, 0), np.int8)


def by_person(holders: Holders, groups: Iterable[Sequence[int]]) -> Runs:
    """The groups, the rows of each in the order of their persons."""
    every = Runs.of([list(group) for group in groups])
    order = np.lexsort((every.codes, holders.person[every.codes], every.owner))
    return Runs(every.start, every.codes[order].astype(np.int64))


def worthiest(holders: Holders, groups: Iterable[Sequence[int]], rule: Rule, most: int = MANY) -> list[Codes]:
    """What is worth most to each group; among nearly equal sets the one that keeps concepts as frequent as they were.

    After a first choice, what is false counts more of concepts that were published too often, and less of those that
    were published too seldom; what groups choose then is taken where it is worth nearly as much as the first choice.
    All groups choose at once, so that their order does not matter.
    """
    rows = by_person(holders, groups)
    objective = objective_of(holders.tax) if most == 1 else sized_objective(holders, rows, rule)
    records, taxonomy, may, support, limits = search_of(holders, rule, objective, most)
    again = (*limits[:-2], 0, ROUNDS)  # a first choice is worth several beginnings; what is chosen beside it is not
    every = writable(rows)
    chosen = first = Runs(*search_groups(records, every, taxonomy, may, support, limits))
    had_by_groups = np.bincount(rows.owner, holders.sets.sizes[rows.codes], len(rows))
    if len(rows) < 2 or not len(first.codes) or (had_by_groups**2).sum() > TURNS_WORK:
        return list(first)
    worth = net_of_groups(records, every, taxonomy, writable(first))
    had, doubt = _frequencies(holders.sets.take(rows.codes), np.ones(len(rows.codes))), objective.doubt
    for _ in range(TURNS):
        told = _frequencies(ConceptSets(chosen.start, chosen.codes, holders.tax), rows.sizes)
        both = told + had
        apart = np.divide(told - had, both, out=np.zeros(len(had)), where=both > 0)
        doubt = np.clip(doubt * np.exp(STEP * apart), objective.doubt / WIDEST, objective.doubt * WIDEST)
        other = Runs(*search_groups(records, every, (*taxonomy[:3], doubt, objective.literal), may, support, again))
        enough = net_of_groups(records, every, taxonomy, writable(other)) >= (1 - SLACK) * worth
        before, chosen = chosen, first.then(other).take(np.arange(len(first)) + len(first) * enough)
        if len(before.codes) == len(chosen.codes) and (before.codes == chosen.codes).all():
            break
    return list(chosen)


def _frequencies(sets: ConceptSets, times: NDArray[Any]) -> Floats:
    """How often every concept is held, if each set counts so many times."""
    upward = sets.upward()
    return np.bincount(upward.codes, times[upward.owner], len(sets.tax)).astype(np.float64)

"""What an intruder learns who knows some items of a person: the rest of the record that the person is linked to.

The intruder links the person by the known items K (partial_knowledge.py) and believes of the person what else
the linked records publish. T(K) holds the known concepts and all their generalisations, which is nothing new;
T(X) all that the person really holds. Of a linked record with the concepts B

    believed    N = B \\ T(K)
    right       N ∩ T(X)
    found       N ∩ (X \\ T(K)), the person's own items

and of several linked records every one is equally likely. Over all persons, precision = Σ right / Σ believed and
recall = Σ found / Σ |X \\ T(K)|. What is right about persons in the release may be right about anybody: the same
figures for persons who are not in it, and those of an intruder who believes as many concepts, but the most frequent
ones of the release, say how much of it was learned about the person.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from taxonym.attack.linkage import Span
from taxonym.attack.partial_knowledge import (
    Item,
    ItemDistances,
    Items,
    in_threads,
    near,
    nearest_sums,
    whole_span,
    words_of,
)
from taxonym.distance.record import Compare, Part, Sets
from taxonym.io.progress import SILENCE, Progress
from taxonym.jit import kernel
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.concept_sets import joint_ancestors, offsets

# ---------------------------------------------------------------------- the definition


@dataclass(frozen=True, slots=True)
class Belief:
    """How many concepts are believed of a person, how many of these are right, how many are items of the person, how
    many such items there are, and how many of as many frequent concepts would be right."""

    believed: float
    right: float
    found: float
    hidden: float
    naive: float


def belief(
    columns: Sequence[Sets],
    whole: Sequence[Item],
    known: Sequence[Item],
    near: Sequence[int],
    size: Sequence[int],
    frequent: Sequence[Item],
) -> Belief:
    """What is believed of somebody with the items `whole`, linked by the items `known` to the records `near`."""
    held, implied = _with_ancestors(columns, whole), _with_ancestors(columns, known)
    hidden = set(whole) - implied
    guesses = [item for item in frequent if item not in implied]
    chance = {j: size[j] / sum(size[i] for i in near) for j in near}
    new = {j: {(c, b) for c, part in enumerate(columns) for b in part.record(j)} - implied for j in near}
    return Belief(
        believed=fsum(chance[j] * len(new[j]) for j in near),
        right=fsum(chance[j] * len(new[j] & held) for j in near),
        found=fsum(chance[j] * len(new[j] & hidden) for j in near),
        hidden=float(len(hidden)),
        naive=fsum(chance[j] * len(held.intersection(guesses[: len(new[j])])) for j in near),
    )


def _with_ancestors(columns: Sequence[Sets], items: Sequence[Item]) -> set[Item]:
    return {(c, above) for c, code in items for above in columns[c].tax.ancestors(code)}


def most_frequent(columns: Sequence[Sets], size: Sequence[int]) -> list[Item]:
    """The published concepts, those first that most persons are published with (ties: by column and code)."""
    persons: dict[Item, int] = {}
    for c, part in enumerate(columns):
        for j in range(len(part)):
            for code in part.record(j):
                persons[c, code] = persons.get((c, code), 0) + size[j]
    return sorted(persons, key=lambda item: (-persons[item], item))


# ---------------------------------------------------------------------- all persons


@dataclass(frozen=True, slots=True, eq=False)
class Beliefs:
    """What was believed of many persons: an entry of each Belief, and p of the link, for every one."""

    p: Floats
    believed: Floats
    right: Floats
    found: Floats
    hidden: Floats
    naive: Floats

    def summed(self, which: Long | slice = slice(None)) -> "LearnedShare":
        """Over some of them."""
        believed, hidden = float(self.believed[which].sum()), float(self.hidden[which].sum())
        return LearnedShare(
            persons=len(self.p[which]),
            believed=believed / max(1, len(self.p[which])),
            precision=float(self.right[which].sum()) / believed if believed else None,
            recall=float(self.found[which].sum()) / hidden if hidden else None,
            naive=float(self.naive[which].sum()) / believed if believed else None,
        )


@dataclass(frozen=True, slots=True)
class LearnedShare:
    """Precision and recall over persons (None where nothing was believed, or nothing hidden). `believed` is the mean
    number of concepts, `naive` the precision of believing the most frequent ones instead."""

    persons: int
    believed: float
    precision: float | None
    recall: float | None
    naive: float | None

    def as_data(self) -> dict[str, float | None]:
        return {
            "believed_concepts": self.believed,
            "precision": self.precision,
            "recall": self.recall,
            "naive_precision": self.naive,
        }


def beliefs(
    x: Sequence[Part],
    known: Items,
    owner: Long,
    y: Sequence[Part],
    size: Long,
    truth: Long,
    how: Compare,
    span: Span | None = None,
    progress: Progress = SILENCE,
) -> Beliefs:
    """What is believed by an intruder who knows the q-th items of `known` of the record owner[q] of x.

    size[j] persons share the published record j, truth[q] is the true one (-1: none is); span as in linkage.nearest.
    """
    words = words_of(y)
    taxonomies = [part.tax for part in words]
    first, above = offsets(taxonomies), joint_ancestors(taxonomies)
    whole, shown = Items.of_parts(x), Items.of_parts(y)
    ranked = np.array([first[c] + code for c, code in most_frequent(words, size.tolist())], np.int64)
    span = whole_span(known, size) if span is None else span
    progress.start("linking by known items")
    reached = ItemDistances(known, y, how)
    lists = (
        owner, known.start, reached.place, (first[known.column] + known.code)[known.codes],
        whole.start, (first[whole.column] + whole.code)[whole.codes],
        shown.start, (first[shown.column] + shown.code)[shown.codes],
        above.start, above.codes, ranked, size, truth, *span, nearest_sums(known, reached, span),
    )  # fmt: skip
    made = [np.zeros(len(known)) for _ in range(7)]
    for at, block in reached.blocks():
        in_threads(len(known), _believe, at, block, *lists, *made)
    progress.finish()
    persons, hit, hidden, *sums = made
    of_each = np.maximum(persons, 1)
    believed, right, found, naive = (total / of_each for total in sums)
    return Beliefs(hit / of_each, believed, right, found, hidden, naive)


def knowing(
    x: Sequence[Part],
    y: Sequence[Part],
    size: Long,
    truth: Long,
    how: Compare,
    rng: np.random.Generator,
    *,
    knows: int,
    repeats: int = 1,
    rows: Long | None = None,
    span: Span | None = None,
    progress: Progress = SILENCE,
) -> Beliefs:
    """Beliefs from `knows` random items of some records of x (all unless given), all of the first draw, then all of the
    next one. Who has fewer items is known whole."""
    rows = np.arange(len(x[0])) if rows is None else rows
    owner = np.tile(rows, repeats)
    known = Items.of_parts(x).take(owner).drawn(knows, rng)
    spans = None if span is None else (span[0][owner], span[1][owner])
    return beliefs(x, known, owner, y, size, truth[owner], how, spans, progress)


def learned_against(
    x: Sequence[Part],
    y: Sequence[Part],
    size: Long,
    inside: Long,
    outside: Long,
    how: Compare,
    rng: np.random.Generator,
    *,
    knows: int,
    repeats: int = 1,
    progress: Progress = SILENCE,
) -> tuple[LearnedShare, LearnedShare]:
    """What is learned about records of x that the release was made of (rows `inside`), and about those held out of it
    (rows `outside`): only the difference comes from being in the release."""
    truth = np.full(len(x[0]), -1)
    found = [
        knowing(x, y, size, truth, how, rng, knows=knows, repeats=repeats, rows=rows, progress=progress).summed()
        for rows in (inside, outside)
    ]
    return found[0], found[1]


# ---------------------------------------------------------------------- compiled


@kernel
def _believe(  # type: ignore[no-untyped-def]
    begin, end, first, reached,
    owner, start, place, number, whole_start, whole, shown_start, shown, above_start, above,
    ranked, size, truth, low, high, least,
    persons, hit, hidden, believed, right, found, naive,
):  # fmt: skip
    """belief() of the persons begin..end - 1, summed over the linked records of a block, each as often as persons share
    it. Who holds what is marked with the number of the person."""
    sums, near_by = np.empty(reached.shape[1], np.uint32), np.empty(reached.shape[1], np.int64)
    held = np.full(len(above_start), -1, np.int64)
    implied, own = held.copy(), held.copy()
    guessed = np.zeros(len(ranked) + 1, np.int64)  # guessed[n]: how many of the first n guesses are right
    for i in range(begin, end):
        items = whole[whole_start[owner[i]] : whole_start[owner[i] + 1]]
        for c in items:
            own[c] = i
            for a in range(above_start[c], above_start[c + 1]):
                held[above[a]] = i
        for c in number[start[i] : start[i + 1]]:
            for a in range(above_start[c], above_start[c + 1]):
                implied[above[a]] = i
        unknown = 0
        for c in items:
            unknown += implied[c] != i
        hidden[i] = unknown
        n = near(reached, first, place[start[i] : start[i + 1]], low[i], high[i], least[i], sums, near_by)
        at, guesses = 0, 0
        for j in near_by[:n]:
            persons[i] += size[j]
            hit[i] += j == truth[i]
            new = 0
            for c in shown[shown_start[j] : shown_start[j + 1]]:
                if implied[c] != i:
                    new += 1
                    right[i] += size[j] * (held[c] == i)
                    found[i] += size[j] * (own[c] == i)
            believed[i] += size[j] * new
            while guesses < new and at < len(ranked):
                c, at = ranked[at], at + 1
                if implied[c] != i:
                    guessed[guesses + 1] = guessed[guesses] + (held[c] == i)
                    guesses += 1
            naive[i] += size[j] * guessed[min(new, guesses)]

"""The search for what a group publishes under the support rule for its whole row: words, ranges and kept cells alike.

Every item of a row, and every choice of at most m of them, needs k persons who hold it. Where a choice has fewer, one
of its items gives way: it rises in its taxonomy, its range is widened, its cell is emptied. What gives way, and how
far, is decided by what that costs: of all single moves the one that mends most choices for its cost is made, until none
is left to mend. A move only makes an item more general than it is, so that it never breaks what held before, and the
search ends.

The search asks one question: which of these choices do k persons hold? Who answers it (lists in memory, or counts that
come from many machines) is not its business; what is not known yet is asked for, and the search begins anew.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taxonym.jit import kernel
from taxonym.knowledge.arrays import Codes, Long, Mask
from taxonym.records.ranges import RangeScale
from taxonym.records.support import Holders, JointHolders, joint

Step: TypeAlias = tuple[int | None, float]  # to which concept (None: nothing is said), and what that costs
Choice: TypeAlias = tuple[int, ...]  # concepts in the common row of numbers, ascending
EXACT = 1e-12


class ItemLadder(Protocol):
    """What an item of a column may become."""

    weight: float

    def steps(self, code: int) -> Sequence[Step]:
        """The item itself, if it may be published, and what is more general, the cheapest first; the last step says
        nothing. Costs are shares of the column's distance."""

    def covers(self, code: int, other: int) -> bool:
        """Whether `code` goes without saying beside `other`: it is the same, or more general."""


class Known(Protocol):
    """Who answers which choices k persons hold."""

    def pairs(self, these: Sequence[int], those: Sequence[int]) -> Mask:
        """Of every pair of one of these and one of those whether k persons hold both; Unknown if that is open."""

    def all_held(self, choices: Sequence[Choice]) -> Mask:
        """The same of choices of any size."""

    def singles(self, these: Sequence[int]) -> Mask:
        """The same of single concepts."""


class Unknown(Exception):
    """Something was asked that nobody has counted yet; it has been noted."""


# ---------------------------------------------------------------------- the definition


def misfits(codes: Sequence[int], known: Known, m: int) -> list[Choice]:
    """The choices of at most m of some items that fewer than k persons hold."""
    every = [choice for size in range(1, m + 1) for choice in combinations(sorted(codes), size)]
    return [choice for choice, held in zip(every, known.all_held(every), strict=True) if not held]


# ---------------------------------------------------------------------- the search


@dataclass(slots=True)
class RowItem:
    """An item of a row on its way: where it stands on its ladder, and how much a step costs in the row."""

    column: int
    origin: int
    steps: Sequence[Step]
    share: float
    at: int = 0

    @property
    def moved(self) -> bool:
        return self.code != self.origin

    @property
    def code(self) -> int | None:
        return self.steps[self.at][0]

    def cost(self, to: int) -> float:
        return self.share * (self.steps[to][1] - self.steps[self.at][1])


@dataclass(frozen=True, slots=True, eq=False)
class RowSearch:
    """The search, for columns whose concepts follow each other in one row of numbers. Equal rows are settled once."""

    ladders: Sequence[ItemLadder]
    first: Long
    known: Known
    m: int
    antichain: bool = False  # whether what is above another item of its column goes without saying, too
    _settled: dict[tuple[Codes, ...], tuple[Codes, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, ladders: Sequence[ItemLadder], holders: Sequence[Holders], k: int, m: int, antichain: bool = False
    ) -> "RowSearch":
        """The search where all persons are in memory."""
        together = JointHolders(holders)
        return cls(ladders, together.first, HeldInMemory(together, k), m, antichain)

    def settle(self, row: tuple[Codes, ...]) -> tuple[Codes, ...]:
        """What a row may say, column by column, that would like to say `row`."""
        found = self._settled.get(row)
        if found is None:
            found = self._settled[row] = self._search(row)
        return found

    def _search(self, row: tuple[Codes, ...]) -> tuple[Codes, ...]:
        items = [
            RowItem(c, code, ladder.steps(code), ladder.weight / len(codes))
            for c, (ladder, codes) in enumerate(zip(self.ladders, row, strict=True))
            for code in sorted(codes)
        ]
        items = self._mend_pairs(self._apart(items))
        if self.m > 2:
            items = self._mend_choices(items)
        found: list[list[int]] = [[] for _ in row]
        for item in items:
            if item.code is not None:
                found[item.column].append(item.code)
        return tuple(tuple(sorted(codes)) for codes in found)

    def _number(self, item: RowItem, at: int | None = None) -> int:
        """The item, or what it would become, in the common row of numbers."""
        code = item.steps[item.at if at is None else at][0]
        assert code is not None
        return int(self.first[item.column]) + code

    def _above(self, item: RowItem) -> list[int]:
        """The steps that are more general than where an item stands: of several parents another one is not, nor is a
        wider range that begins later, and what held with it may fail with them."""
        own, covers = item.code or 0, self.ladders[item.column].covers
        later = range(item.at + 1, len(item.steps))
        return [at for at in later if (code := item.steps[at][0]) is not None and covers(code, own)]

    def _apart(self, items: list[RowItem]) -> list[RowItem]:
        """The items that still say something; what another of its column says already is left out."""
        said = sorted((i for i in items if i.code is not None), key=lambda i: (i.column, i.moved, i.code or 0))
        kept: list[RowItem] = []
        for item in said:
            own, covers = item.code or 0, self.ladders[item.column].covers
            beside = [o.code or 0 for o in said if o.column == item.column and o.code != own]
            again = any(o.column == item.column and o.code == own for o in kept)
            if not again and not ((self.antichain or item.moved) and any(covers(own, other) for other in beside)):
                kept.append(item)
        return kept

    def _mend_pairs(self, items: list[RowItem]) -> list[RowItem]:
        """Move items until every one, and with m > 1 every pair, is held by k persons."""
        numbers = [self._number(item) for item in items]
        bad = ~self.known.pairs(numbers, numbers) if items else np.zeros((0, 0), bool)
        if self.m < 2:
            bad &= np.eye(len(items), dtype=bool)
        while bad.any():
            moves, unknown = list[tuple[float, int, int, int]](), False
            for i in np.flatnonzero(bad.any(axis=1)).tolist():
                try:
                    moves.append(self._best_move(items, i, np.flatnonzero(bad[i]).tolist()))
                except Unknown:  # all that is open is asked for at once
                    unknown = True
            if unknown:
                raise Unknown
            _, _, i, at = min(moves)
            items[i].at = at
            bad[i] &= ~self._mended(items, i, np.flatnonzero(bad[i]).tolist())
            bad[:, i] = bad[i]
            kept = self._apart(items)
            places = [at for at, item in enumerate(items) if any(item is one for one in kept)]
            items, bad = [items[at] for at in places], bad[np.ix_(places, places)]
        return items

    def _mended(self, items: list[RowItem], i: int, against: list[int]) -> Mask:
        """Of every item whether its pair with item i, which has moved, is held by k persons now; what was held is."""
        found = np.zeros(len(items), bool)
        if items[i].code is None:
            found[against] = True
            return found
        own, others = self._number(items[i]), [j for j in against if j != i]
        if i in against:
            found[i] = self.known.singles([own])[0]
        if others and (found[i] or i not in against):
            found[others] = self.known.pairs([own], [self._number(items[j]) for j in others])[0]
        return found

    def _best_move(self, items: list[RowItem], i: int, against: list[int]) -> tuple[float, int, int, int]:
        """The move of an item that mends most of its pairs for its cost: (cost for each, column, which item, step)."""
        item, alone = items[i], i in against
        above = self._above(item)
        others = [self._number(items[j]) for j in against if j != i]
        codes = [self._number(item, at) for at in above]
        held = self.known.pairs(codes, others) if codes and others else np.zeros((len(codes), len(others)), bool)
        single = self.known.singles(codes) if codes and alone else np.ones(len(codes), bool)
        last = len(item.steps) - 1
        best = (item.cost(last) / len(against), item.column, i, last)
        for at, ok, pairs in zip(above, single.tolist(), held.sum(axis=1).tolist(), strict=True):
            mended = (pairs + alone) if ok else 0
            if mended:
                best = min(best, (max(item.cost(at), EXACT) / mended, item.column, i, at))
                if mended == len(against):
                    break  # what is more general mends no more and costs no less
        return best

    def _mend_choices(self, items: list[RowItem]) -> list[RowItem]:
        """The same for larger choices, one after the other: the cheapest move that mends it."""
        while wrong := self._first_misfit(items):
            best: tuple[float, int, int] | None = None
            for i in wrong:
                item, rest = items[i], [self._number(items[j]) for j in wrong if j != i]
                above = self._above(item)
                choices = [tuple(sorted([*rest, self._number(item, at)])) for at in above]
                held = self.known.all_held(choices).tolist() if choices else []
                to = next((at for at, ok in zip(above, held, strict=True) if ok), len(item.steps) - 1)
                found = (item.cost(to), i, to)
                best = found if best is None or found < best else best
            assert best is not None
            items[best[1]].at = best[2]
            items = self._apart(items)
        return items

    def _first_misfit(self, items: list[RowItem]) -> tuple[int, ...]:
        """The first choice of three to m items that fewer than k persons hold; pairs are held by so many."""
        numbers = [self._number(item) for item in items]
        for size in range(3, min(self.m, len(items)) + 1):
            every = list(combinations(range(len(items)), size))
            held = self.known.all_held([tuple(sorted(numbers[i] for i in some)) for some in every])
            if not held.all():
                return every[int(np.argmin(held))]
        return ()


# ---------------------------------------------------------------------- who answers


class HeldInMemory:
    """Answers from the lists of who holds what."""

    def __init__(self, together: JointHolders, k: int) -> None:
        self.lists, self.k = together.lists, k

    def pairs(self, these: Sequence[int], those: Sequence[int]) -> Mask:
        found: Mask = _pairs_held(*self.lists, np.array(these, np.int64), np.array(those, np.int64), self.k)
        return found

    def singles(self, these: Sequence[int]) -> Mask:
        return self.all_held([(one,) for one in these])

    def all_held(self, choices: Sequence[Choice]) -> Mask:
        found: Mask = held_by(*self.lists, padded(choices), self.k) >= self.k
        return found


class HeldByAnswers:
    """Answers from what has been counted elsewhere; `asked` are the choices that nobody has counted yet."""

    def __init__(self, k: int) -> None:
        self.k, self.asked = k, set[Choice]()
        self._held: dict[Choice, bool] = {}

    def answer(self, choice: Choice) -> bool | None:
        """Whether k persons hold a choice; None if nobody has counted it yet."""
        return self._held.get(choice)

    def among_fewer(self) -> "HeldByAnswers":
        """What is known of fewer persons: they do not hold what all of them did not."""
        made = HeldByAnswers(self.k)
        made._held = {choice: False for choice, held in self._held.items() if not held}
        return made

    def learn(self, choices: Sequence[Choice], counts: Iterable[int]) -> None:
        for choice, count in zip(choices, counts, strict=True):
            self._held[choice] = int(count) >= self.k
        self.asked.difference_update(choices)

    def pairs(self, these: Sequence[int], those: Sequence[int]) -> Mask:
        every = [tuple(sorted({a, b})) for a in these for b in those]
        return self.all_held(every).reshape(len(these), len(those))

    def singles(self, these: Sequence[int]) -> Mask:
        return self.all_held([(one,) for one in these])

    def all_held(self, choices: Sequence[Choice]) -> Mask:
        unknown = [choice for choice in choices if choice not in self._held]
        if unknown:
            self.asked.update(unknown)
            raise Unknown
        return np.array([self._held[choice] for choice in choices], bool)


def padded(choices: Sequence[Choice]) -> Long:
    """Choices as rows, filled up with -1."""
    width = max(map(len, choices), default=1)
    return np.array([(*c, *[-1] * (width - len(c))) for c in choices], np.int64).reshape(len(choices), width)


@kernel
def _pairs_held(holder_start, holder, whose, these, those, k):  # type: ignore[no-untyped-def]
    found = np.empty((len(these), len(those)), np.bool_)
    pair = np.empty(2, np.int64)
    for i in range(len(these)):
        for j in range(len(those)):
            pair[0], pair[1] = these[i], those[j]
            n = 1 if these[i] == those[j] else 2
            found[i, j] = joint(holder_start, holder, whose, pair, n, k) >= k
    return found


@kernel
def held_by(holder_start, holder, whose, choices, enough):  # type: ignore[no-untyped-def]
    """How many persons hold all of each choice, up to `enough`."""
    found = np.empty(len(choices), np.int64)
    for i in range(len(choices)):
        n = 0
        while n < choices.shape[1] and choices[i, n] >= 0:
            n += 1
        found[i] = joint(holder_start, holder, whose, choices[i], n, enough)
    return found


# ---------------------------------------------------------------------- ladders


class WordLadder:
    """A concept rises to those above it; the cost is the share of generalisations that is lost [Batet2014, eq. 1]."""

    def __init__(self, holders: Holders, printable: Mask | None, weight: float) -> None:
        self.holders, self.printable, self.weight = holders, printable, weight
        self._steps: dict[int, list[Step]] = {}

    def steps(self, code: int) -> Sequence[Step]:
        if code not in self._steps:
            tax = self.holders.tax
            size = np.diff(tax.ancestor_start)
            above = self.holders.upwards(code, self.printable)
            found = sorted((1 - float(size[t] / size[code]), t) for t in above)
            self._steps[code] = [*((t, cost) for cost, t in found), (None, 1.0)]
        return self._steps[code]

    def covers(self, code: int, other: int) -> bool:
        tax = self.holders.tax
        above: NDArray[np.int32] = tax.ancestor[tax.ancestor_start[other] : tax.ancestor_start[other + 1]]
        return bool((above == code).any())


class RangeLadder:
    """A range is widened; the cost is how far apart two values of it are on average, on the scale of the column."""

    def __init__(self, scale: RangeScale, weight: float) -> None:
        self.scale, self.weight = scale, weight
        self._steps: dict[int, list[Step]] = {}

    def steps(self, code: int) -> Sequence[Step]:
        if code not in self._steps:
            self._steps[code] = [*((t, width / 3) for t, width in self.scale.above(code)), (None, 1.0)]
        return self._steps[code]

    def covers(self, code: int, other: int) -> bool:
        scale = self.scale
        return bool(scale.low[code] <= scale.low[other] and scale.high[other] <= scale.high[code])


class CellLadder:
    """A kept cell stays, or is emptied."""

    def __init__(self, weight: float = 1.0) -> None:
        self.weight = weight

    def steps(self, code: int) -> Sequence[Step]:
        return [(code, 0.0), (None, 1.0)]

    def covers(self, code: int, other: int) -> bool:
        return code == other

"""What follows from the clicks of a published session: requests, sizes, pauses, and referrers of later clicks.

None of these is a member's own. Each is a figure of all sessions that are published, and the same wherever the same
clicks are: of a click its most usual request and size, of two clicks in a row the most usual pause between them (in
steps that are fixed without the data) and the most usual referrer of the second. Most usual is what most visitors
have (ties: the lower code), raised in its tree until at least k of them have it. So they tell no more of anybody than
the clicks do.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.shapes.access_log.sessions.records import SessionRecords
from taxonym.shapes.access_log.trees import ValueTree

PAUSES = np.array((0, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200))  # seconds; told as the next lower one
NOTHING = -1


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """The clicks of some sessions and the moves from one to the next.

    Click c of these is code[c], of visitor who[c], at line[c]; move m goes from origin[m] to target[m] after a pause of
    the step pause[m], with the referrer referrer[m], which counts where the session sends some.
    """

    records: SessionRecords
    k: int
    code: Ints
    who: Long
    line: Long
    origin: Ints
    target: Ints
    mover: Long
    pause: Long
    referrer: Ints
    sent: Mask
    below: Runs  # the codes below every click, itself among them
    clicks_of: Runs  # the clicks with each code
    moves_of: Runs  # the moves from each code
    follows: frozenset[int]  # moves that k visitors made, at any height, as origin · number of codes + target
    _known: dict[tuple[str, int, int], int] = field(default_factory=dict)

    @classmethod
    def of(cls, records: SessionRecords, k: int, kept: Mask) -> "Moves":
        some = np.flatnonzero(kept)
        path, asked, tax = records.path.take(some), records.asked.take(some), records.trees["click"].tax
        who, line = records.visitor[some][path.owner], asked.codes
        later = np.ones(len(line), bool)
        later[path.start[:-1]] = False
        to = np.flatnonzero(later)
        clicks, n = records.clicks, len(tax)
        waited = clicks.log.time[line[to]] - clicks.log.time[line[to - 1]]
        code, origin, target = path.codes, path.codes[to - 1], path.codes[to]
        sent = (records.codes["sends"][some] >= 0)[path.owner[to]]
        below = Runs.of_pairs(tax.ancestor, np.repeat(np.arange(n), np.diff(tax.ancestor_start)), n)
        return cls(
            records, k, code, who, line, origin, target, who[to], np.searchsorted(PAUSES, waited, "right") - 1,
            clicks.codes["referrer"][line[to]], sent, below, _places(code, n), _places(origin, n),
            _followed(tax, origin, target, who[to], k),
        )  # fmt: skip

    # ------------------------------------------------------------------ of a click

    def request(self, click: int) -> int:
        """The code of its request, -1 where too few visitors agree."""
        return self._of_click("request", click)

    def size(self, click: int) -> int:
        """The code of its size, -1 where none is told."""
        return self._of_click("size", click)

    def _of_click(self, name: str, click: int) -> int:
        def find() -> int:
            at = self.clicks_of.codes[self.clicks_of.places(self.below[click])]
            codes = self.records.clicks.codes[name][self.line[at]]
            return usual(self.records.clicks.trees[name], codes, self.who[at], self.k)

        return self._remembered((name, click, NOTHING), find)

    # ------------------------------------------------------------------ of two clicks in a row

    def seconds(self, origin: int, target: int) -> int:
        """The pause between two clicks; that of all moves where too few visitors agree, and 1 second if they do not."""
        found = self._remembered(("pause", origin, target), lambda: self._pause(self._between(origin, target)))
        if found < 0:
            found = self._remembered(("pause", NOTHING, NOTHING), lambda: self._pause(np.arange(len(self.origin))))
        return int(PAUSES[found]) if found >= 0 else 1

    def referrer_of(self, origin: int, target: int) -> int:
        """The code of the referrer that the second of two clicks has, -1 for none."""

        def find() -> int:
            at = self._between(origin, target)
            at = at[self.sent[at]]
            return usual(self.records.clicks.trees["referrer"], self.referrer[at], self.mover[at], self.k)

        return self._remembered(("referrer", origin, target), find)

    def successors(self, origin: int) -> tuple[Long, Long]:
        """Where visitors go from a click (codes as they are in the log), and how many of them each."""
        at = self.moves_of.codes[self.moves_of.places(self.below[origin])]
        pairs = np.unique(np.stack((self.target[at], self.mover[at])), axis=1)
        return np.unique(pairs[0], return_counts=True)

    def _between(self, origin: int, target: int) -> Long:
        at = self.moves_of.codes[self.moves_of.places(self.below[origin])]
        inside = np.zeros(len(self.below), bool)
        inside[self.below[target]] = True
        found: Long = at[inside[self.target[at]]]
        return found

    def _pause(self, at: Long) -> int:
        pairs = np.unique(np.stack((self.pause[at], self.mover[at])), axis=1)
        many = np.bincount(pairs[0], minlength=len(PAUSES))
        return int(many.argmax()) if many.max() >= self.k else NOTHING

    def _remembered(self, key: tuple[str, int, int], find: Callable[[], int]) -> int:
        if key not in self._known:
            self._known[key] = find()
        return self._known[key]


def usual(tree: ValueTree, codes: Ints, who: Long, k: int) -> int:
    """What most visitors have, raised until k of them have it; -1 where nothing is told, or most have nothing. Entry i
    is codes[i] of visitor who[i]."""
    own, visitor = np.unique(np.stack((codes, who)), axis=1)
    values, many = np.unique(own, return_counts=True)
    if not len(values) or values[many.argmax()] < 0:
        return NOTHING
    at = int(values[many.argmax()])
    while at >= 0:
        if tree.text[at]:
            top = int(tree.like[at])
            held = np.array([top in tree.tax.ancestors(c) if c >= 0 else False for c in values.tolist()], bool)
            if len(np.unique(visitor[held[np.searchsorted(values, own)]])) >= k:
                return top
        at = int(tree.parent[at])
    return NOTHING


def _places(codes: Ints, n: int) -> Runs:
    """Where each of n codes stands."""
    order = np.argsort(codes, kind="stable")
    return Runs(np.searchsorted(codes[order], np.arange(n + 1)), order)


def _followed(tax: Taxonomy, origin: Ints, target: Ints, mover: Long, k: int) -> frozenset[int]:
    """Moves of at least k visitors, own codes or any above them."""
    different = np.unique(np.stack((origin, target, mover)).astype(np.int64), axis=1)
    which, at = tax.above(different[0])
    a, (b, who) = tax.ancestor[at].astype(np.int64), different[1:, which]
    which, at = tax.above(b)
    key, who = a[which] * len(tax) + tax.ancestor[at], who[which]
    order = np.lexsort((who, key))
    key, who = key[order], who[order]
    new = np.ones(len(key), bool)
    new[1:] = (np.diff(key) != 0) | (np.diff(who) != 0)
    keys, many = np.unique(key[new], return_counts=True)
    return frozenset(keys[many >= k].tolist())

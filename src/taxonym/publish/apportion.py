"""How often each group publishes what: seats for queries, so that the frequencies of the whole log are kept.

All users of a group publish the same lines, so that a line of a group of s users counts s times in the release. A query
(or concept) that has F lines in the log is to have about F again. Every group prints once what is worth most to its
users (objective.worthiest), unless that would hide something more special that it can print. Which of the groups that
have a query print it more often, or beside that, does not matter to F, so it goes to those where most users hold it, by
Webster's method [BalinskiYoung1982], s lines at a time, as long as that brings it nearer to F.

    limit        no group prints it more often than k users of the log wrote it
    the rule     a group gets what obeys the support rule together with what it has already, and is neither above nor
                 below any of it; frequent ones come first
    said already what lies below something that its group prints finds itself there
    what is left rises in the taxonomy, with the groups that had it, and is apportioned there
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from heapq import heapify, heappop, heappush

import numpy as np

from taxonym.knowledge.arrays import Long, Mask
from taxonym.records.support import Holders, fits

Lines = dict[int, dict[int, float]]  # of a code: in which groups, how many lines


def seats(
    total: float,
    claims: Sequence[float],
    sizes: Sequence[int],
    most: int,
    full: Sequence[float],
    free: Callable[[int], bool],
) -> list[int]:
    """How often each of some groups prints one thing that is to have `total` lines, group g counting sizes[g] times.

        highest   claims[g] / (sizes[g] · (n[g] + ½))   gets the next seat, while |Σ n·sizes - total| does not grow

    [BalinskiYoung1982]; ties go to the group that is less `full`, then to the lower one. No group gets more than `most`
    seats, or any unless it is `free`.
    """
    n, given = [0] * len(claims), 0
    waiting = [(-2 * claims[g] / sizes[g], full[g], g) for g in range(len(claims))]
    heapify(waiting)
    while waiting:
        g = heappop(waiting)[2]
        if 2 * given + sizes[g] > 2 * total or (not n[g] and not free(g)):
            continue
        n[g] += 1
        given += sizes[g]
        if n[g] < most:
            heappush(waiting, (-claims[g] / (sizes[g] * (n[g] + 0.5)), full[g], g))
    return n


def repeats(row: Long, code: Long, k: int) -> dict[int, int]:
    """How often at least k records have each code: the k-th largest of their counts, and at least 1.

    row[j] has code[j], each entry being one line.
    """
    width = int(code.max(initial=0)) + 1
    keys, times = np.unique(row * width + code, return_counts=True)
    codes = keys % width
    order = np.lexsort((-times, codes))
    first = np.concatenate(([0], np.cumsum(np.bincount(codes))))
    found = {}
    for c in np.unique(codes).tolist():
        at = first[c] + k - 1
        found[c] = max(1, int(times[order[at]])) if at < first[c + 1] else 1
    return found


@dataclass(slots=True)
class Apportionment:
    """printed[g][c] is how often group g prints concept c. Of the lines of c in the log, exact[c] were c itself and
    risen[c] something below it that may not be printed; lost lines had nowhere to rise."""

    printed: list[dict[int, int]]
    exact: dict[int, float] = field(default_factory=dict)
    risen: dict[int, float] = field(default_factory=dict)
    lost: float = 0.0


def apportion(
    holders: Holders,
    groups: Sequence[Sequence[int]],
    lines: Mapping[tuple[int, int], int],
    most: Mapping[int, int],
    k: int,
    m: int,
    printable: Mask,
    wished: Sequence[Sequence[int]] = (),
) -> Apportionment:
    """What every group prints, lines[g, c] being how many lines its users have of concept c. `wished` is what each
    prints first, under the rule, where it hides nothing that can be printed as it is."""
    sizes = [len(group) for group in groups]
    due = [1.0] * len(groups)
    group_of = np.full(holders.persons, -1, np.int64)
    for g, group in enumerate(groups):
        group_of[holders.person[list(group)]] = g
    above = cache(lambda c: frozenset(holders.tax.ancestors(c)))
    found = Apportionment([{} for _ in groups])
    sayable = {(g, c) for g, c in lines if printable[c] and holders.counts[c] >= k}
    hidden = {(g, a) for g, c in sayable for a in above(c) if a != c}  # what would hide something that can be printed
    wished = [[c for c in some if (g, c) not in hidden] for g, some in enumerate(wished)]
    printing = _not_too_often(holders, lines, wished, group_of, sizes)
    for c, where in printing.items():
        for g in where:
            found.printed[g][c] = 1
    filled = [len(mine) for mine in found.printed]
    now: Lines = {}
    for (g, c), count in sorted(lines.items()):
        due[g] += count / sizes[g]
        if c not in found.printed[g] and not above(c).isdisjoint(found.printed[g]):
            continue  # something more general is said of it already
        target = next((t for t in holders.upwards(c, printable) if holders.counts[t] >= k), None)
        if target is None:
            found.lost += count
            continue
        _add(now, target, g, count)
        _count(found.exact if target == c else found.risen, target, count)

    def fit(g: int, c: int) -> bool:
        mine = found.printed[g]
        if c in mine:
            return True
        if not above(c).isdisjoint(mine) or any(c in above(other) for other in mine):
            return False
        chosen = np.array(list(mine), np.int64)
        return bool(fits(*holders.lists, chosen, len(chosen), c, k, m))

    while now:
        later: Lines = {}
        for c in sorted(now, key=lambda c: (c not in found.exact, -sum(now[c].values()), c)):
            now[c] = _less(now[c], printing.pop(c, ()), sizes)
            where = sorted(now[c])
            left = [most.get(c, 1) - found.printed[g].get(c, 0) for g in where]
            where = [g for g, room in zip(where, left, strict=True) if room > 0]
            held = _held_in(holders, c, group_of)

            def free(i: int, where: list[int] = where, c: int = c) -> bool:
                return fit(where[i], c)

            given = seats(
                sum(now[c].values()),
                [held.get(g, 0) for g in where],
                [sizes[g] for g in where],
                most.get(c, 1),
                [filled[g] / due[g] for g in where],
                free,
            )
            for g, n in zip(where, given, strict=True):
                if n:
                    found.printed[g][c] = min(most.get(c, 1), found.printed[g].get(c, 0) + n)
                    filled[g] += n
            _rise(holders, c, now[c], dict(zip(where, given, strict=True)), sizes, k, printable, later, found)
        now = later
    return found


def _held_in(holders: Holders, c: int, group_of: Long) -> dict[int, int]:
    """How many users of each group hold a concept."""
    theirs = np.unique(holders.whose[holders.held[c]])
    return dict(zip(*(some.tolist() for some in np.unique(group_of[theirs], return_counts=True)), strict=True))


def _not_too_often(
    holders: Holders,
    lines: Mapping[tuple[int, int], int],
    wished: Sequence[Sequence[int]],
    group_of: Long,
    sizes: Sequence[int],
) -> dict[int, list[int]]:
    """Which of the groups that wish for a concept print it: so many that it does not become more frequent than it was,
    those first where most users hold it; and one at least."""
    total: dict[int, float] = {}
    for (_, x), count in lines.items():
        for c in holders.tax.ancestors(x):
            _count(total, c, count)
    wishing: dict[int, list[int]] = {}
    for g, some in enumerate(wished):
        for c in some:
            wishing.setdefault(c, []).append(g)
    made = {}
    for c, where in wishing.items():
        held, own = _held_in(holders, c, group_of), [sizes[g] for g in where]
        most = max(total.get(c, 0), min(own))
        given = seats(most, [held.get(g, 0) for g in where], own, 1, [0.0] * len(where), lambda _: True)
        made[c] = [g for g, n in zip(where, given, strict=True) if n]
    return made


def _less(lines: dict[int, float], printing: Sequence[int], sizes: Sequence[int]) -> dict[int, float]:
    """The lines of a concept that are still to be printed where some groups print it once already: those of these
    groups first, then the same share of all others'."""
    left, more = dict(lines), 0.0
    for g in printing:
        more += max(0.0, sizes[g] - left.get(g, 0.0))
        if g in left:
            left[g] = max(0.0, left[g] - sizes[g])
    whole = sum(left.values())
    return {g: count * max(0.0, whole - more) / whole for g, count in left.items()} if whole else {}


def _rise(
    holders: Holders,
    c: int,
    lines: dict[int, float],
    given: dict[int, int],
    sizes: Sequence[int],
    k: int,
    printable: Mask,
    later: Lines,
    found: Apportionment,
) -> None:
    """What found no seat goes to the next concept above, in proportion to what the groups still lack. Fewer than k
    lines are lost where others found a seat: so much is rounded."""
    rest = sum(lines.values()) - sum(n * sizes[g] for g, n in given.items())
    if rest <= 0:
        return
    above = [t for t in holders.upwards(c, printable) if t != c]
    if (rest < k and any(given.values())) or not above:
        found.lost += rest
        return
    lack = {g: max(0.0, count - given.get(g, 0) * sizes[g]) for g, count in lines.items()}
    whole = sum(lack.values())
    for g, some in lack.items():
        if some:
            _add(later, above[0], g, rest * some / whole)
    _count(found.risen, above[0], rest)


def _add(lines: Lines, code: int, group: int, count: float) -> None:
    _count(lines.setdefault(code, {}), group, count)


def _count(counts: dict[int, float], key: int, count: float) -> None:
    counts[key] = counts.get(key, 0.0) + count


def in_turn(weights: Sequence[float], sizes: Sequence[int], rng: np.random.Generator) -> list[int]:
    """Which of some choices each of some places takes, so that the sizes of its places are in proportion to weights.

    One random beginning and then equal steps, over the places in random order: as near to the weights as can be, where
    draws for each place would scatter.
    """
    order = rng.permutation(len(sizes))
    ends = np.cumsum(np.asarray(sizes, float)[order])
    at = (ends - np.asarray(sizes, float)[order] / 2) / ends[-1] + rng.random()
    bounds = np.cumsum(weights) / np.sum(weights)
    taken = np.searchsorted(bounds[:-1], at % 1.0, side="right")
    made = np.empty(len(sizes), np.int64)
    made[order] = taken
    return made.tolist()

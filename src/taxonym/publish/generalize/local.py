"""Local recoding: the values of every record rise as little as it takes to make k records alike [Martinez2012, §5.2].

Any value may become any of its generalisations, the same value another one in another record. The cheapest recoding is
a partition into groups of k records or more, each publishing the cheapest common generalisation of its members in every
column. Small blocks are searched best-first until that is proved; large ones get good classes and a bound on how much
better any others could be.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import floor, fsum

import numpy as np

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Codes, Long
from taxonym.knowledge.runs import edges
from taxonym.publish.generalize.best_first import LEFT_OUT, SLACK, cheapest, targets
from taxonym.publish.generalize.classes import Tables, agglomerate, flat, least_costs, singles
from taxonym.publish.generalize.costs import ANYTHING
from taxonym.publish.generalize.improve import improve
from taxonym.publish.generalize.ladder import Ladder, Tuples, ladder, tuples
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn

SMALL = 32  # blocks of more records are not searched best-first
MANY = 12_000  # more distinct tuples are divided into parts, in their order, before classes are made

GroupBlock = tuple[int, int]  # a tuple and how many of its records


@dataclass(frozen=True, slots=True)
class _LocalPart:
    """The recoding of one block: `groups` by their nodes, what they and those left out cost, and the bound."""

    groups: dict[tuple[int, ...], list[GroupBlock]]
    out: list[GroupBlock]
    cost: float
    bound: float
    states: int = 0

    @property
    def left_out(self) -> int:
        return sum(some for _, some in self.out)


def recode_local(
    columns: Sequence[RecodingColumn],
    k: int,
    *,
    block: Long | None = None,
    cost: str = "steps",
    suppress: float = 0.0,
    budget: int = 200_000,
    progress: Progress = SILENCE,
) -> Recoding:
    """Groups of at least k records within each block, and what they publish, for as little cost as was found.

    block[i] numbers what else of record i must be equal within a group. At most the share `suppress` of all records is
    left out, each at the cost of becoming anything in all columns. `budget` is how many states the best-first search
    looks at in all blocks together; 0 makes classes only.
    """
    data, spare = _blocks(columns, k, block, cost, suppress)
    lost = [part for part in data if part.count.sum() < k]
    data = [part for part in data if part.count.sum() >= k]
    spare -= _check_lost(lost, k, spare, suppress)
    progress.start("Generalising", sum(len(part.rows) for part in data))
    parts = []
    for one in data:
        parts.append(_solve(one, k, spare, budget))
        budget -= parts[-1].states
        progress.advance(len(one.rows))
    bound = fsum(part.bound for part in parts)
    if sum(part.left_out for part in parts) > spare:
        small = all(one.count.sum() <= SMALL for one in data)
        share = _shared_best if small else _shared_in_turn
        parts, proved = share(data, parts, k, spare, budget)
        bound = max(bound, fsum(part.cost for part in parts)) if proved else bound
    progress.finish()
    return _recoded(data, parts, lost, bound)


def _blocks(
    columns: Sequence[RecodingColumn], k: int, block: Long | None, cost: str, suppress: float
) -> tuple[list[Tuples], int]:
    """The tuples of every block, and how many records may be left out."""
    if not columns:
        raise BadPlan("generalise: there is no column to generalise.")
    if k < 1:
        raise BadPlan(f"k must be at least 1, got {k}.")
    if not 0 <= suppress <= 1:
        raise BadPlan(f"suppress is a share of all records and must lie between 0 and 1, got {suppress:g}.")
    ladders, n = [ladder(column, cost) for column in columns], len(columns[0])
    number = np.zeros(n, np.int64) if block is None else np.asarray(block, np.int64)
    order = np.argsort(number, kind="stable")
    every = np.split(order, np.flatnonzero(np.diff(number[order])) + 1) if n else []
    return [tuples(ladders, rows) for rows in every], floor(suppress * n + SLACK)


def _check_lost(lost: list[Tuples], k: int, spare: int, suppress: float) -> int:
    """How many records cannot be published at all, if so many may be left out."""
    records = int(sum(part.count.sum() for part in lost))
    if records > spare:
        raise BrokenPromise(
            f"generalise: {records} records are in blocks of fewer than k = {k} that agree in what must stay equal "
            f"({len(lost)} such blocks), but suppress = {suppress:g} lets {spare} be left out. "
            "Allow more, lower k, or let more columns be generalised."
        )
    return records


# ---------------------------------------------------------------------- one block


def _solve(data: Tuples, k: int, spare: int, budget: int) -> _LocalPart:
    """Good classes, and the cheapest ones where the block is small enough to search."""
    bound = _bound(data, k)
    best = _made(data, _classes(data, k, spare), bound)
    together = _made(data, ([list(enumerate(data.count.tolist()))], []), bound)
    best = min(best, together, key=lambda part: part.cost)
    if best.cost <= bound + SLACK or data.count.sum() > SMALL or budget <= 0 or (able := targets(data, k)) is None:
        return best
    _nodes, price = able
    found = cheapest(price, _full(data), data.count, k, spare=spare, budget=budget, below=best.cost)
    if found.goes_to is None:
        return _LocalPart(best.groups, best.out, best.cost, max(bound, found.bound), found.states)
    owner = np.repeat(np.arange(len(data.count)), data.count).tolist()
    groups: dict[int, list[GroupBlock]] = {}
    for u, target in zip(owner, found.goes_to, strict=True):
        groups.setdefault(target, []).append((u, 1))
    out = groups.pop(LEFT_OUT, [])
    made = _made(data, (list(groups.values()), out), bound)
    return _LocalPart(made.groups, made.out, made.cost, made.cost, found.states)


def _full(data: Tuples) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What it costs every tuple to become anything in all columns."""
    full: np.ndarray[tuple[int], np.dtype[np.float64]] = np.sum(
        [ladder.cost[data.values[:, c], -1] for c, ladder in enumerate(data.ladders)], axis=0
    )
    return full


def _bound(data: Tuples, k: int) -> float:
    """What no recoding of the block can cost less than."""
    if len(data.count) <= MANY:
        least = least_costs(data.values, data.count, k, *flat([ladder.apart for ladder in data.ladders]))
    else:  # column by column: the cheapest node above k records
        least = np.zeros(len(data.count))
        for c, one in enumerate(data.ladders):
            records = np.bincount(data.values[:, c], weights=data.count, minlength=len(one.cost))
            enough = records @ (one.cost < np.inf) >= k
            least += one.cost[:, enough].min(axis=1)[data.values[:, c]]
    return fsum((least * data.count).tolist())


def _classes(data: Tuples, k: int, spare: int) -> tuple[list[list[GroupBlock]], list[GroupBlock]]:
    """Classes made by joining and improved, and who is left out."""
    size, start, rise = flat([ladder.rise for ladder in data.ladders])
    join = np.concatenate([ladder.join.reshape(-1) for ladder in data.ladders])
    tables = Tables(size, start, rise, join, flat([ladder.lift for ladder in data.ladders])[2])
    homes, count = data.homes, data.count
    groups: list[list[GroupBlock]] = []
    out: list[GroupBlock] = []
    for some in _parts(count, k):
        classes = singles(homes[some], count[some], size - 1, spare)
        agglomerate(homes[some], k, tables, classes)
        improve(homes[some], k, tables, classes)
        spare = int(classes.spare[0])
        first, after = classes.first.tolist(), classes.next.tolist()
        owner, amount = some[classes.tuple % len(some)].tolist(), classes.amount.tolist()
        for g, p in enumerate(first):
            members = out if g == len(first) - 1 else []
            while p >= 0:
                members.append((owner[p], amount[p]))
                p = after[p]
            if members and members is not out:
                groups.append(members)
    return groups, out


def _parts(count: Long, k: int) -> list[Long]:
    """All tuples, or parts of them that are quick to work on, of at least k records each."""
    number = -(-len(count) // MANY)
    while True:
        parts = np.array_split(np.arange(len(count)), number)
        if number == 1 or all(count[part].sum() >= k for part in parts):
            return parts
        number -= 1


def _made(data: Tuples, made: tuple[list[list[GroupBlock]], list[GroupBlock]], bound: float) -> _LocalPart:
    """What these groups publish, and what it costs; groups that publish the same are one."""
    groups, out = made
    pieces = np.array([piece for group in groups for piece in group], np.int64).reshape(-1, 2)
    start = edges([len(group) for group in groups])
    found = [ladder.common(start, data.values[pieces[:, 0], c], pieces[:, 1]) for c, ladder in enumerate(data.ladders)]
    published: dict[tuple[int, ...], list[GroupBlock]] = {}
    for nodes, group in zip(zip(*(node.tolist() for node, _ in found), strict=True), groups, strict=True):
        published.setdefault(nodes, []).extend(group)
    full = _full(data)
    left = [some * float(full[u]) for u, some in out]
    return _LocalPart(published, out, fsum(left + [x for _, cost in found for x in cost.tolist()]), bound)


# ---------------------------------------------------------------------- leaving out, over all blocks


def _shared_in_turn(
    data: list[Tuples], parts: list[_LocalPart], k: int, spare: int, budget: int
) -> tuple[list[_LocalPart], bool]:
    """Every block leaves out what the ones before it have not."""
    for i, one in enumerate(data):
        if parts[i].left_out > spare:
            parts[i] = _solve(one, k, spare, budget)
            budget -= parts[i].states
        spare -= parts[i].left_out
    return parts, False


def _shared_best(
    data: list[Tuples], parts: list[_LocalPart], k: int, spare: int, budget: int
) -> tuple[list[_LocalPart], bool]:
    """The cheapest way to share what may be left out among the blocks; whether all that it rests on is proved."""
    proved = all(part.cost <= part.bound + SLACK for part in parts)
    best: dict[int, tuple[float, list[_LocalPart]]] = {0: (0.0, [])}  # by how many are left out
    for one, part in zip(data, parts, strict=True):
        choices = [part]
        while choices[-1].left_out:
            choices.append(_solve(one, k, choices[-1].left_out - 1, budget))
            budget -= choices[-1].states
            proved &= choices[-1].cost <= choices[-1].bound + SLACK
        longer: dict[int, tuple[float, list[_LocalPart]]] = {}
        for out, (cost, chosen) in best.items():
            for choice in choices:
                total, more = out + choice.left_out, cost + choice.cost
                if total <= spare and more < longer.get(total, (np.inf, []))[0] - SLACK:
                    longer[total] = more, [*chosen, choice]
        best = longer
    return min(best.items(), key=lambda found: (found[1][0], found[0]))[1][1], proved


# ---------------------------------------------------------------------- the result


def _recoded(data: list[Tuples], parts: list[_LocalPart], lost: list[Tuples], bound: float) -> Recoding:
    found: list[tuple[tuple[Codes, ...], list[int]]] = []
    suppressed = [int(row) for one in lost for rows in one.rows for row in rows]
    for one, part in zip(data, parts, strict=True):
        rows = [iter(rows.tolist()) for rows in one.rows]
        for nodes, pieces in sorted(part.groups.items()):
            found.append((_concepts(one.ladders, nodes), sorted(_taken(rows, pieces))))
        suppressed.extend(_taken(rows, part.out))
    forced = fsum(float(_full(one) @ one.count) for one in lost)
    found.sort(key=lambda group: group[0])  # stable: equal ones in the order of their blocks
    return Recoding(
        groups=[rows for _, rows in found],
        concepts=[concepts for concepts, _ in found],
        cost=fsum([forced, *(part.cost for part in parts)]),
        bound=forced + bound,
        suppressed=sorted(suppressed),
    )


def _concepts(ladders: Iterable[Ladder], nodes: tuple[int, ...]) -> tuple[Codes, ...]:
    codes = (int(ladder.codes[node]) for ladder, node in zip(ladders, nodes, strict=True))
    return tuple(() if code == ANYTHING else (code,) for code in codes)


def _taken(rows: Sequence[Iterator[int]], pieces: list[GroupBlock]) -> list[int]:
    """The next so many records of each tuple."""
    return [row for u, some in pieces for row in islice(rows[u], some)]

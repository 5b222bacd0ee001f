"""Items that are replaced by the same generalisation everywhere, so that every few of them are had by k records: k^m.

Every combination of at most m published concepts that occurs in a record (all columns together, within a block) occurs
in at least k records [Terrovitis2008, def. 1]. A coarser cut than one that keeps this promise keeps it too, hence the
cheapest is found by rising only where a rare combination asks for it.

- `apriori`: combinations of 1, 2, .. m concepts in turn; for each that is too rare the cheapest generalisation of its
  concepts that k records have [Terrovitis2008, §4.3]. Greedy.
- `cheapest`: what the former gives is lowered again wherever the promise allows, and compared with an exact search: the
  cheapest cut that breaks none of a growing list of rare combinations, until it breaks none at all. Every cut of that
  search is a lower bound, so the result is the cheapest or says how far from it it may be.
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import csr_array

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Codes
from taxonym.knowledge.runs import Runs
from taxonym.measure.km import Combination, rare_combinations
from taxonym.publish.generalize.cuts import Cut, Cuts, cuts_of, lowest, places
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn

SEARCHES = ("cheapest", "apriori")
ROUNDS = 60  # of the exact search
BRANCHES = 20_000  # each round may look at
LISTED = 50_000  # rare combinations that are looked at before counting again


def recode_items(
    columns: Sequence[RecodingColumn],
    k: int,
    m: int,
    *,
    block: NDArray[np.integer] | None = None,
    cost: str = "ncp",
    search: str = "cheapest",
    progress: Progress = SILENCE,
) -> Recoding:
    """Replace items everywhere alike so that at least k records have every combination of at most m of them.

    Each record is a different person. `block` numbers what else an intruder knows exactly. Groups of the result are
    records that publish the same; they may be smaller than k, which k^m allows. What a release publishes of an item for
    which no generalisation suffices is nothing. Repeated items of a record count once.
    """
    if search not in SEARCHES:
        raise BadPlan(f"search: {search!r} is not known. Choose one of {', '.join(SEARCHES)}.")
    n = checked_rows(columns, k, block)
    if m < 1:
        raise BadPlan(f"m: must be at least 1, got {m}.")
    place = np.zeros(n, np.int64) if block is None else np.unique(block, return_inverse=True)[1].astype(np.int64)
    small = int((np.bincount(place) < k).sum()) if n else 0
    if small:
        raise BrokenPromise(
            f"{small} blocks have fewer than k = {k} records: whoever knows a block knows them. Choose a smaller k or "
            "let fewer columns be known exactly."
        )
    cuts = cuts_of(columns, place, cost)
    cut = apriori(cuts, k, m, progress)
    bound = 0.0
    if search == "cheapest":
        cut = lowered(cuts, cut, k, m, progress)
        better, bound = cheapest(cuts, k, m, cuts.total(cut), progress)
        cut = cut if better is None else better
    return _recoded(cuts, cut, len(columns), min(bound, cuts.total(cut)))


def checked_rows(columns: Sequence[RecodingColumn], k: int, block: NDArray[np.integer] | None) -> int:
    """The number of records, or one clear complaint."""
    if not columns:
        raise BadPlan("columns: there is none to generalise.")
    n = len(columns[0])
    if any(len(column) != n for column in columns) or (block is not None and len(block) != n):
        raise BadPlan(f"columns: all must have {n} records like the first, and as many block numbers.")
    if k < 1:
        raise BadPlan(f"k: must be at least 1, got {k}.")
    return n


def _recoded(cuts: Cuts, cut: Cut, columns: int, bound: float) -> Recoding:
    alike: dict[tuple[int, tuple[Codes, ...]], list[int]] = {}
    for row, told in enumerate(cuts.codes(cut, columns)):
        alike.setdefault((int(cuts.block[row]), told), []).append(row)
    order = sorted(alike)
    return Recoding([alike[key] for key in order], [key[1] for key in order], cuts.total(cut), bound)


def rare(cuts: Cuts, cut: Cut, k: int, m: int, most: int = LISTED) -> list[Combination]:
    """Combinations of at most m nodes of a cut that too few records have: (block, nodes)."""
    return rare_combinations(cuts.records(cut), k, m, cuts.block, most)


def finest(cuts: Cuts) -> Cut:
    """The cut that generalises as little as possible: nodes that overlap become one that holds both."""
    cut = [of[0] for of in cuts.of]
    clash = True
    while clash:
        clash = False
        for x, v in enumerate(cut):
            for y in places(cuts.members[v]):
                if cut[y] != v:
                    together = cuts.members[v] | cuts.members[cut[y]]
                    w = next(w for w in cuts.of[x] if together & ~cuts.members[w] == 0)
                    for z in places(cuts.members[w]):
                        cut[z] = w
                    clash = True
                    break
            if clash:
                break
    return cut


# ---------------------------------------------------------------------- greedy


def apriori(cuts: Cuts, k: int, m: int, progress: Progress = SILENCE) -> Cut:
    """Rise for one rare combination after the other, smaller ones first [Terrovitis2008, §4.3]."""
    cut = finest(cuts)
    progress.start("generalising items", m)
    for size in range(1, m + 1):
        while found := rare(cuts, cut, k, size):
            shown = set(cut)
            for block, nodes in found:
                if shown.issuperset(nodes):
                    _raise(cuts, cut, _remedy(cuts, cut, block, nodes, k))
                    shown = set(cut)
        progress.advance()
    progress.finish()
    return cut


def _remedy(cuts: Cuts, cut: Cut, block: int, nodes: Sequence[int], k: int) -> tuple[int, ...]:
    """The cheapest nodes above these that k records of the block have, the concepts below each rising with it."""
    choices = [cuts.above(v) for v in nodes]
    first = (0,) * len(nodes)
    heap, seen = [(0.0, first)], {first}
    while True:
        _, at = heappop(heap)
        chosen = tuple(choice[i] for choice, i in zip(choices, at, strict=True))
        shown = [v for v in chosen if cuts.published(v)]
        if _apart(cuts, cut, chosen) and (not shown or cuts.support(block, shown) >= k):
            return chosen
        for j, choice in enumerate(choices):
            nxt = (*at[:j], at[j] + 1, *at[j + 1 :])
            if nxt[j] < len(choice) and nxt not in seen:
                seen.add(nxt)
                heappush(heap, (_extra(cuts, cut, [c[i] for c, i in zip(choices, nxt, strict=True)]), nxt))


def _apart(cuts: Cuts, cut: Cut, chosen: Iterable[int]) -> bool:
    """Whether the chosen nodes can be published beside the rest: they hold other nodes wholly or not at all."""
    inside = [cuts.members[v] for v in chosen]
    if any(a & b and a & ~b and b & ~a for a in inside for b in inside):
        return False
    return all(not cuts.members[cut[x]] & ~a for a in inside for x in places(a) if not _within(cuts, cut[x], inside))


def _within(cuts: Cuts, v: int, inside: list[int]) -> bool:
    return any(not cuts.members[v] & ~a for a in inside)


def _extra(cuts: Cuts, cut: Cut, chosen: Iterable[int]) -> float:
    """What it costs more to publish the chosen nodes."""
    inside = {v: cuts.members[v] for v in chosen}
    top = [v for v, a in inside.items() if not any(a != b and not a & ~b for b in inside.values())]
    gone = {cut[x] for v in top for x in places(cuts.members[v])}
    return sum(cuts.cost[v] for v in sorted(top)) - sum(cuts.cost[v] for v in sorted(gone))


def _raise(cuts: Cuts, cut: Cut, chosen: Iterable[int]) -> None:
    for v in sorted(chosen, key=lambda v: cuts.members[v].bit_count()):
        for x in places(cuts.members[v]):
            cut[x] = v


def lowered(cuts: Cuts, cut: Cut, k: int, m: int, progress: Progress = SILENCE) -> Cut:
    """Divide published nodes into finer ones wherever the promise still holds, the greatest saving first."""
    cut = list(cut)
    progress.start("lowering items again", None)
    tried: set[tuple[int, ...]] = set()
    while True:
        options = [(saved, v, parts) for v in sorted(set(cut)) for saved, parts in _divisions(cuts, v)]
        options = [o for o in sorted(options, key=lambda o: (-o[0], o[1], o[2])) if (o[1], *o[2]) not in tried]
        for _, v, parts in options:
            tried.add((v, *parts))
            finer = list(cut)
            _raise(cuts, finer, parts)
            if not _breaks(cuts, finer, parts, cuts.holders[v], k, m):
                cut = finer
                progress.advance()
                break
        else:
            progress.finish()
            return cut


def _divisions(cuts: Cuts, v: int) -> list[tuple[float, tuple[int, ...]]]:
    """The coarsest ways to divide a node among nodes below it, with what each saves."""
    inside, left, parts = cuts.members[v], cuts.members[v], []
    while left:
        x = lowest(left)
        below = [w for w in cuts.of[x] if w != v and not cuts.members[w] & ~inside and not cuts.members[w] & ~left]
        if not below:
            return []
        parts.append(below[-1])
        left &= ~cuts.members[below[-1]]
    saving = cuts.cost[v] - sum(cuts.cost[w] for w in parts)
    return [(saving, tuple(parts))] if saving > 0 or not cuts.published(v) else []


def _breaks(cuts: Cuts, cut: Cut, new: Sequence[int], rows: int, k: int, m: int) -> bool:
    """Whether some rare combination has a new node; only records that have one need counting."""
    rank = np.arange(len(cuts.concept)) + len(new)
    rank[list(new)] = np.arange(len(new))  # new ones first, so that no combination with one is behind one without
    some = np.array(list(places(rows)), np.int64)
    nodes = cuts.records(cut).take(some)
    inside = Runs(nodes.start, rank[nodes.codes])
    return bool(rare_combinations(inside, k, m, cuts.block[some], most=1, below=len(new)))


# ---------------------------------------------------------------------- exact


def cheapest(cuts: Cuts, k: int, m: int, known: float, progress: Progress = SILENCE) -> tuple[Cut | None, float]:
    """A cut that costs less than `known`, if there is one and it is found, and a bound below which no cut costs.

    An integer program: choose nodes so that every item is in one, at the least cost, and something of each rare
    combination met so far is published higher. It grows by what its solution breaks.
    """
    if not cuts.items or known <= 0:
        return None, known
    n, price = len(cuts.concept), np.asarray(cuts.cost)
    scale = float(price.max())
    once = _rows([list(of) for of in cuts.of], n)
    asked: set[tuple[int, ...]] = set()
    bound = 0.0
    progress.start("looking for the cheapest generalisation", None)
    for _ in range(ROUNDS):
        rules = [LinearConstraint(once, 1, 1)]
        if asked:
            rules.append(LinearConstraint(_rows(sorted(asked), n), 1, np.inf))
        options = {"mip_rel_gap": 0.0, "node_limit": BRANCHES}
        solved = milp(price / scale, constraints=rules, integrality=np.ones(n), bounds=(0, 1), options=options)
        if solved.mip_dual_bound is not None:
            bound = max(bound, float(solved.mip_dual_bound) * scale)
        if solved.status != 0 or bound >= known * (1 - 1e-9) - 1e-9:
            break
        cut = [next(v for v in of if solved.x[v] > 0.5) for of in cuts.of]
        found = next((found for size in range(1, m + 1) if (found := rare(cuts, cut, k, size))), [])
        if not found:
            progress.finish()
            return cut, cuts.total(cut)
        asked = _smallest(asked | {_rule(cuts, block, nodes, k) for block, nodes in found})
        progress.advance()
    progress.finish()
    return None, (known if bound >= known * (1 - 1e-9) - 1e-9 else bound)


def _rule(cuts: Cuts, block: int, nodes: Sequence[int], k: int) -> tuple[int, ...]:
    """The nodes of which one must be published because too few records have a combination.

    The combination rises as long as it is rare, since then it says more. If some record has the items x, y, .. of it,
    and each were published by a node within the combination's, fewer than k records would have these; hence one of them
    is published by another node of its own.
    """
    top, rising = list(nodes), True
    while rising:
        rising = False
        for i, v in enumerate(top):
            for w in cuts.above(v)[1:]:
                if cuts.published(w) and cuts.support(block, [*top[:i], w, *top[i + 1 :]]) < k:
                    top[i], rising = w, True
                    break
    having = cuts.blocks[block]
    for v in nodes:
        having &= cuts.holders[v]
    items = min(  # of the nodes as they are published now, so that the rule forbids this cut
        tuple(next(x for x in cuts.held.record(row) if cuts.members[v] >> x & 1) for v in nodes)
        for row in places(having)
    )
    others = {
        w
        for x, v in zip(items, top, strict=True)
        for w in cuts.of[x]
        if not cuts.published(w) or cuts.members[w] & ~cuts.members[v]
    }
    return tuple(sorted(others))


def _smallest(rules: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Those that do not contain another."""
    kept: list[set[int]] = []
    by_node: dict[int, list[int]] = {}
    for rule in sorted(rules, key=lambda rule: (len(rule), rule)):
        near = {i for v in rule for i in by_node.get(v, [])}
        if not any(kept[i] <= set(rule) for i in near):
            by_node.setdefault(rule[0], []).append(len(kept))
            kept.append(set(rule))
    return {tuple(sorted(one)) for one in kept}


def _rows(lists: Sequence[Sequence[int]], n: int) -> csr_array:
    """A matrix with ones where the lists say."""
    made = Runs.of(lists)
    return csr_array((np.ones(len(made.codes)), made.codes, made.start), shape=(len(lists), n))

"""From links to arrays: depths, the depth-first numbering, and the ancestors of every concept."""

from array import array

import numpy as np

from taxonym.errors import BadTaxonomy, CyclicTaxonomy
from taxonym.knowledge.arrays import Ints
from taxonym.knowledge.runs import positions, starts

MOST_ANCESTORS = 2**31 - 1  # positions are 32-bit; a chain of 60,000 concepts is about the deepest that fits
SHOWN = 8  # as many names as an error message lists


def depths(n: int, child: Ints, parent: Ints, ids: list[str], name: str) -> Ints:
    """Concepts on the longest path from a root, by peeling off the roots level by level. Cycles are named."""
    sort = np.argsort(parent, kind="stable")
    start, below = starts(parent[sort], n), child[sort]
    waiting = np.bincount(child, minlength=n)
    depth = np.zeros(n, dtype=np.int32)
    level, front = 1, np.flatnonzero(waiting == 0)
    while len(front):
        depth[front] = level
        reached = below[positions(start[front], start[front + 1])]
        np.subtract.at(waiting, reached, 1)
        front = np.unique(reached[waiting[reached] == 0])
        level += 1
    if not depth.all():
        raise CyclicTaxonomy(
            f"{name}: these concepts are their own ancestors: {_cycle(child, parent, depth, ids)}. "
            f"Remove one of the links between them."
        )
    return depth


def number(n: int, child: Ints, parent: Ints, by_id: Ints) -> Ints:
    """The concepts in depth-first order: reverse post-order, so that each comes after all its ancestors.

    Roots and children are taken by id, so that the order of the input does not matter.
    """
    rank = np.empty(n, dtype=np.int32)
    rank[by_id] = np.arange(n, dtype=np.int32)
    sort = np.lexsort((rank[child], parent))
    start, below = starts(parent[sort], n).tolist(), child[sort].tolist()
    is_root = np.bincount(child, minlength=n) == 0
    todo = by_id[is_root[by_id]].tolist()  # the last root is visited first and ends up last
    seen = bytearray(n)
    finished: list[int] = []
    while todo:
        c = todo.pop()
        if c < 0:
            finished.append(~c)
        elif not seen[c]:
            seen[c] = True
            todo.append(~c)
            todo.extend(below[start[c] : start[c + 1]])
    return np.array(finished[::-1], dtype=np.int32)


def climb_all(parent_start: Ints, parent: Ints, depth: Ints, name: str) -> tuple[Ints, Ints, Ints]:
    """Ancestors of every concept, itself included, ascending, and the least number of edges up to each."""
    too_many = f"{name}: too deep: its {len(depth):,} concepts have more than {MOST_ANCESTORS:,} ancestors in all."
    if int(depth.sum(dtype=np.int64)) > MOST_ANCESTORS:
        raise BadTaxonomy(too_many)
    first, above = parent_start.tolist(), parent.tolist()
    start, ancestor, climb = array("q", [0]), array("i"), array("i")
    for c in range(len(depth)):  # every parent comes before its children
        if first[c + 1] - first[c] == 1:
            p = above[first[c]]
            ancestor.extend(ancestor[start[p] : start[p + 1]])
            climb.extend([steps + 1 for steps in climb[start[p] : start[p + 1]]])
        else:
            nearest: dict[int, int] = {}
            for p in above[first[c] : first[c + 1]]:
                run = slice(start[p], start[p + 1])
                for t, steps in zip(ancestor[run], climb[run], strict=True):
                    nearest[t] = min(steps + 1, nearest.get(t, steps + 1))
            ancestor.extend(sorted(nearest))
            climb.extend(nearest[t] for t in sorted(nearest))
        ancestor.append(c)
        climb.append(0)
        start.append(len(ancestor))
        if len(ancestor) > MOST_ANCESTORS:
            raise BadTaxonomy(too_many)
    return np.array(start, np.int32), np.array(ancestor, np.int32), np.array(climb, np.int32)


def _cycle(child: Ints, parent: Ints, depth: Ints, ids: list[str]) -> str:
    """One cycle in words. What no root reaches always has a parent that no root reaches either."""
    stuck = (depth[child] == 0) & (depth[parent] == 0)
    above = dict(zip(child[stuck].tolist(), parent[stuck].tolist(), strict=True))
    walk = [min(above, key=ids.__getitem__)]
    while above[walk[-1]] not in walk:
        walk.append(above[walk[-1]])
    circle = walk[walk.index(above[walk[-1]]) :]
    turn = circle.index(min(circle, key=ids.__getitem__))
    names = [ids[i] for i in circle[turn:] + circle[:turn]]
    shown = names if len(names) <= SHOWN else [*names[: SHOWN - 1], f"({len(names) - SHOWN + 1} more)"]
    return " → ".join([*map(short, shown), short(names[0])])


def short(name: str) -> str:
    """A name that does not fill the screen."""
    return name if len(name) <= 80 else name[:77] + "..."

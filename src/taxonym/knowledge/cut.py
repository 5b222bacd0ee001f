"""A small hierarchy for the values of a column, cut out of a big taxonomy.

**The union of branches.** Every value hangs below its concept, and every concept below one parent: the deepest, of
equal ones the lowest code. The top is the lowest concept above all values; the root, if some value has no concept (it
hangs below the top then); ANY above the roots, if the values have several. A concept with one child says no more than
that child and goes.

**Compression.** Let w(u) be how many records hold a value at or below u. Wherever the full tree offers u as a
generalisation, the compressed one offers k(u), the lowest concept kept at or above it, which says less by
log2 w(k(u)) - log2 w(u) bits, the information content of both in the data [Resnik1995]. Of all choices K with at most
`levels` concepts above any value, the top being one, the one is taken that loses least over all records and concepts:

    C(K) = Σ over u of w(u) · log2(w(k(u)) / w(u))

The least is found exactly, from the leaves up: it depends on what is below u, on the concept kept above it and on how
many levels are left. Of equal choices the one that drops u is taken.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import fsum, log2
from typing import NamedTuple

import numpy as np

from taxonym.errors import BadPlan
from taxonym.knowledge.arrays import Floats, Mask
from taxonym.knowledge.strings import fold
from taxonym.knowledge.taxonomy import Taxonomy

ANY = "any"  # what a top above several roots is called
LEVELS = 3
SAME = 1e-9  # losses that differ by less are equal
_ABOVE_ALL = -1  # instead of a code


class ColumnValue(NamedTuple):
    """A value as written, its concept (None: it has none), and how many records hold it (at least one)."""

    text: str
    code: int | None
    records: int = 1


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A row for every value, most specific first: (value, level 1, …, top).

    Levels that a value skips are empty, so that every concept stands in one column. `codes` has the concepts of the
    source behind the cells (None: no concept, as for values of `unplaced`, which stand right below the top).
    """

    rows: list[tuple[str, ...]]
    codes: list[tuple[int | None, ...]]
    unplaced: int
    cost: float

    @property
    def levels(self) -> int:
        return len(self.rows[0]) - 1 if self.rows else 0

    @property
    def header(self) -> list[str]:
        """By its first name the readers of taxonomies know such a file."""
        return ["value", *(f"level {i}" for i in range(1, self.levels + 1))]


class Branches(NamedTuple):
    """The union of branches: node i stands for the concept code[i] and hangs below the node parent[i] < i.

    Node 0 is the top. records[i] is w; home[v] is the node that value v hangs below.
    """

    code: list[int]
    parent: list[int]
    records: list[int]
    home: list[int]


def cut(tax: Taxonomy, values: Sequence[ColumnValue], levels: int = LEVELS) -> Hierarchy:
    """The hierarchy of some values with at most so many levels of generalisation.

    Values whose texts differ in case, underscores or blanks only are one: the most frequent stands for all.
    """
    check_levels(levels)
    values = different(values)
    tree = branches(tax, values)
    kept, cost = best_kept(tree.parent, tree.records, levels)
    names = _names(tax, [tree.code[i] for i in kept], {fold(value.text) for value in values})
    above: list[list[int]] = []  # the nodes kept at or above every node, the lowest first
    for i, parent in enumerate(tree.parent):
        higher = above[parent] if i else []
        above.append([i, *higher] if i in kept else higher)
    width = max((len(above[home]) for home in tree.home), default=0)
    order = sorted(
        range(len(values)), key=lambda v: (values[v].code is None, above[tree.home[v]][::-1], fold(values[v].text))
    )
    rows, codes = [], []
    for v in order:
        path = [tree.code[i] for i in above[tree.home[v]]]
        gap = width - len(path)
        rows.append((values[v].text, *[""] * gap, *(names[code] for code in path)))
        codes.append((values[v].code, *[None] * gap, *(None if code == _ABOVE_ALL else code for code in path)))
    return Hierarchy(rows, codes, sum(value.code is None for value in values), cost)


def check_levels(levels: int) -> None:
    if levels < 1:
        raise BadPlan(f"levels: must be at least 1, got {levels}.")


def different(values: Iterable[ColumnValue]) -> list[ColumnValue]:
    """Each value once: the text and the concept that most records have (ties: by the alphabet, the lowest code)."""
    found: dict[str, tuple[Counter[str], Counter[int | None]]] = {}
    for text, code, records in values:
        text = " ".join(text.split())
        if key := fold(text):
            texts, codes = found.setdefault(key, (Counter(), Counter()))
            texts[text] += records
            codes[code] += records
    made = []
    for texts, codes in found.values():
        text = min(texts, key=lambda one: (-texts[one], one))
        code = min(codes, key=lambda one: (one is None, -codes[one], one or 0))
        made.append(ColumnValue(text, code, texts.total()))
    return sorted(made)


# ---------------------------------------------------------------------- the union of branches


def branches(tax: Taxonomy, values: Sequence[ColumnValue]) -> Branches:
    """Concepts that have one child are left out; the top stays."""
    lowest = {value.code for value in values if value.code is not None}
    parent: dict[int, int] = {}
    for code in lowest:
        while code != _ABOVE_ALL and code not in parent:
            parent[code] = code = min(tax.parents(code), key=lambda p: (-tax.depth(p), p), default=_ABOVE_ALL)
    parts: Counter[int] = Counter(parent.values())  # children and values right below
    parts.update(value.code for value in values if value.code is not None)
    top = _top(tax, parent, parts, lowest, all(value.code is not None for value in values))
    trunk, number, made = {top}, {top: 0}, Branches([top], [0], [0], [])
    while (up := parent.get(min(trunk), _ABOVE_ALL)) not in trunk:
        trunk.add(up)
    for code in sorted(parent.keys() - trunk):  # parents come first
        up = number[parent[code]]
        if parts[code] > 1:
            number[code] = len(made.code)
            made.code.append(code)
            made.parent.append(up)
            made.records.append(0)
        else:
            number[code] = up
    for value in values:
        node = 0 if value.code is None else number[value.code]
        made.home.append(node)
        made.records[node] += value.records
    for node in range(len(made.code) - 1, 0, -1):
        made.records[made.parent[node]] += made.records[node]
    return made


def _top(tax: Taxonomy, parent: dict[int, int], parts: Counter[int], lowest: Collection[int], whole: bool) -> int:
    roots = [code for code, above in parent.items() if above == _ABOVE_ALL] or tax.roots
    if len(roots) > 1:
        return _ABOVE_ALL
    if not whole:
        return roots[0]
    only = {above: code for code, above in parent.items() if parts[above] == 1}
    top = roots[0]
    while top in only and top not in lowest:
        top = only[top]
    return top


# ---------------------------------------------------------------------- compression


def loss(parent: Sequence[int], records: Sequence[int], kept: Collection[int]) -> float:
    """C(K) as it is defined, in bits."""
    lowest: list[int] = []
    for i, above in enumerate(parent):
        lowest.append(i if i in kept else lowest[above])
    return fsum(w * log2(records[k] / w) for w, k in zip(records, lowest, strict=True))


def best_kept(parent: Sequence[int], records: Sequence[int], levels: int) -> tuple[set[int], float]:
    """The nodes to keep, node 0 among them, and what that loses: the least possible.

    below[u][a, d] is the least loss below u if the a-th node on the way from the top to u is the lowest one kept so far
    and d more may be kept on any way down.
    """
    n = len(parent)
    way: list[Floats] = [np.array([float(records[0])])]  # the records of all nodes from the top to this one
    for u in range(1, n):
        way.append(np.append(way[parent[u]], records[u]))
    below = [np.zeros((len(way[u]), levels)) for u in range(n)]
    better: list[Mask] = [np.zeros(0, bool)] * n
    for u in range(n - 1, 0, -1):
        kept = np.append(np.inf, below[u][-1, :-1])
        dropped = below[u][:-1] + (records[u] * np.log2(way[parent[u]] / records[u]))[:, None]
        better[u] = kept < dropped - SAME
        below[parent[u]] += np.minimum(kept, dropped)
    state = [(0, levels - 1)]
    chosen = {0}
    for u in range(1, n):
        a, d = state[parent[u]]
        if better[u][a, d]:
            chosen.add(u)
            a, d = len(way[u]) - 1, d - 1
        state.append((a, d))
    return chosen, float(below[0][0, levels - 1])


# ---------------------------------------------------------------------- names


def _names(tax: Taxonomy, codes: Sequence[int], taken: set[str]) -> dict[int, str]:
    """A name for every concept, unlike all others and all values."""
    return unambiguous(
        {code: ANY if code == _ABOVE_ALL else tax.label(code) for code in sorted(codes)},
        {code: "" if code == _ABOVE_ALL else tax.id(code) for code in codes},
        taken,
    )


def unambiguous(labels: dict[int, str], ids: dict[int, str], taken: set[str]) -> dict[int, str]:
    """Labels that no two share and no value has, so that a file of them is read as it was meant.

    What a value is called already becomes "any …"; what is still shared gets its id in brackets.
    """
    labels = {key: " ".join(label.split()) for key, label in labels.items()}
    labels = {key: f"any {label}" if fold(label) in taken else label for key, label in labels.items()}
    uses = Counter(map(fold, labels.values()))
    used, made = set(taken), {}
    for key, label in labels.items():
        name = f"{label} ({ids[key]})" if uses[fold(label)] > 1 else label
        while fold(name) in used:
            name = f"({name})"
        used.add(fold(name))
        made[key] = name
    return made

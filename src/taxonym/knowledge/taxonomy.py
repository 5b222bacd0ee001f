"""Taxonomy: what words mean, as frozen integer arrays.

Concepts are the integers 0..n-1, numbered depth-first so that a concept comes after all its ancestors and the concepts
below a node form few runs. The numbering follows the ids alone: however a file lists its rows, the codes are the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadTaxonomy, UnknownConcept
from taxonym.knowledge.arrays import Bytes, Floats, Ints, Long, Mask
from taxonym.knowledge.ids import find_id
from taxonym.knowledge.related import NONE, RelatedWords
from taxonym.knowledge.runs import positions
from taxonym.knowledge.strings import Strings, fold


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class Taxonomy:
    """Concepts with their parents, ancestors, depths and labels.

    What belongs to concept c stands in runs: its parents are parent[parent_start[c]:parent_start[c + 1]], and likewise
    its children, ancestors (itself included, ascending) and labels. climb[i] is the least number of is-a edges from
    the concept up to ancestor[i]. The senses of the label keys[i] are sense[sense_start[i]:sense_start[i + 1]], the
    most usual one first, with how often each was seen in sense_count. Beside all that, and not in the fingerprint,
    stand which sense of its word each is (sense_number; empty where the source does not number them) and the adjectives
    and verbs that stand for a concept (`related`).

    The last `own` concepts are a column's own: values and phrases of it that became concepts. They are leaves that
    change nothing of the others: they count in no information content, no greatest depth and no share of leaves.
    """

    name: str
    parent_start: Ints
    parent: Ints
    child_start: Ints
    child: Ints
    ancestor_start: Ints
    ancestor: Ints
    climb: Ints
    depths: Ints
    instance: Bytes
    ids: Strings
    id_order: Ints
    aliases: Strings
    alias_code: Ints
    words: Strings
    label_start: Ints
    label_word: Ints
    keys: Strings
    sense_start: Ints
    sense: Ints
    sense_count: Ints
    glosses: Strings
    fingerprint: str
    sense_number: Bytes = field(default_factory=lambda: np.empty(0, np.uint8))
    related: RelatedWords = NONE
    own: int = 0

    def __post_init__(self) -> None:
        for part in fields(self):
            if isinstance(values := getattr(self, part.name), np.ndarray):
                values.flags.writeable = False

    # ------------------------------------------------------------------ from words to codes and back

    def __len__(self) -> int:
        return len(self.depths)

    def __repr__(self) -> str:
        return f"<Taxonomy {self.name!r}: {len(self):,} concepts, {len(self.keys):,} labels>"

    def _repr_html_(self) -> str:
        from taxonym.render.notebook import short

        roots = [self.label(code) for code in self.roots]
        few = ", ".join(roots[:5]) + (f" and {len(roots) - 5:,} more" if len(roots) > 5 else "")
        pairs = {"concepts": len(self), "labels": len(self.keys), "roots": few, "levels": self.max_depth}
        return short(f"Taxonomy {self.name}", [*pairs.items(), ("fingerprint", self.fingerprint)])

    def codes(self, label: str) -> list[int]:
        """All concepts that a label may mean, the most usual first; empty if the label is unknown."""
        i = self.keys.find(fold(label))
        return [] if i < 0 else _run(self.sense_start, self.sense, i)

    def counts(self, label: str) -> list[int]:
        """How often the label was seen with each meaning of codes(label)."""
        i = self.keys.find(fold(label))
        return [] if i < 0 else _run(self.sense_start, self.sense_count, i)

    def code(self, id: str) -> int:
        """The concept with this id, in any of the ways to write it (knowledge.ids)."""
        found = self.find(id)
        if found >= 0:
            return found
        raise UnknownConcept(f"{self.name}: no concept has the id {id!r}. Look for it by its label with codes().")

    def find(self, id: str) -> int:
        """The concept that code(id) gives, or -1."""
        return find_id(self, id)

    def id(self, code: int) -> str:
        return self.ids[self._checked(code)]

    def label(self, code: int) -> str:
        """The name shown for a concept: its first label."""
        return self.words[int(self.label_word[self.label_start[self._checked(code)]])]

    def labels(self, code: int) -> list[str]:
        """All names of a concept, as written, the preferred one first."""
        return [self.words[w] for w in _run(self.label_start, self.label_word, self._checked(code))]

    def gloss(self, code: int) -> str:
        """A short definition, or nothing where the source has none."""
        code = self._checked(code)
        return self.glosses[code] if len(self.glosses) else ""

    # ------------------------------------------------------------------ the graph

    @property
    def roots(self) -> list[int]:
        found: list[int] = np.flatnonzero(np.diff(self.parent_start) == 0).tolist()
        return found

    def parents(self, code: int) -> list[int]:
        return _run(self.parent_start, self.parent, self._checked(code))

    def children(self, code: int) -> list[int]:
        return _run(self.child_start, self.child, self._checked(code))

    def ancestors(self, code: int) -> list[int]:
        """T(c): the concept itself and everything above it on all paths, ascending [Batet2014, eq. 1]."""
        return _run(self.ancestor_start, self.ancestor, self._checked(code))

    def climbs(self, code: int) -> dict[int, int]:
        """Least number of is-a edges from the concept up to each of its ancestors, itself included."""
        return dict(zip(self.ancestors(code), _run(self.ancestor_start, self.climb, code), strict=True))

    def descendants(self, code: int) -> list[int]:
        """The concept itself and everything below it, ascending."""
        seen = {self._checked(code)}
        front = [code]
        while front:
            front = [c for parent in front for c in self.children(parent) if c not in seen]
            seen.update(front)
        return sorted(seen)

    def depth(self, code: int) -> int:
        """Concepts on the longest path from a root down to this one; a root has 1."""
        return int(self.depths[self._checked(code)])

    @property
    def base(self) -> int:
        """How many concepts there are without those that a column added."""
        return len(self.depths) - self.own

    @property
    def max_depth(self) -> int:
        return int(self.depths[: self.base].max(initial=min(1, len(self.depths))))

    @property
    def leaves(self) -> Mask:
        """Of every concept whether nothing lies below it but what a column added."""
        found: Mask = np.bincount(self.parent[: self.parent_start[self.base]], minlength=len(self.depths)) == 0
        return found

    def is_instance(self, code: int) -> bool:
        """Whether this names one thing (Benjamin Franklin) and not a kind of things (a statesman)."""
        return bool(self.instance[self._checked(code)])

    def lcs(self, a: int, b: int) -> int | None:
        """Deepest common ancestor, the two themselves included [RodriguezGarcia2015, def. 2]; None across roots.

        Ties: the shorter path between a and b, then the lower code.
        """
        up_a, up_b = self.climbs(a), self.climbs(b)
        common = up_a.keys() & up_b.keys()
        return min(common, key=lambda t: (-self.depth(t), up_a[t] + up_b[t], t), default=None)

    def above(self, codes: NDArray[Any]) -> tuple[Long, Long]:
        """The ancestors of many concepts, one after the other: which of these has each, its place in `ancestor`."""
        first, last = self.ancestor_start[codes], self.ancestor_start[codes + 1]
        return np.repeat(np.arange(len(codes)), last - first), positions(first, last)

    def total_below(self, values: NDArray[Any]) -> Floats:
        """Sums of a value of every concept, over each concept and all below it."""
        of_owner = np.repeat(values.astype(np.float64), np.diff(self.ancestor_start))
        return np.bincount(self.ancestor, of_owner, len(self.depths)).astype(np.float64, copy=False)

    # ------------------------------------------------------------------ other taxonomies made from these

    # build makes taxonomies and so imports this module; hence the imports inside.

    @classmethod
    def from_edges(
        cls, edges: Iterable[tuple[str, str]], *, name: str = "edges", join_roots: bool | str = False
    ) -> "Taxonomy":
        """From (child, parent) pairs; the strings are ids and labels. `join_roots` puts several roots under one."""
        from taxonym.knowledge.build import Draft

        draft = Draft(name)
        for number, pair in enumerate(edges, 1):
            if not (isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(id, str) for id in pair)):
                raise BadTaxonomy(f"{name}: link {number} is not a pair of texts. Give (child, parent).")
            draft.link(*pair)
        return draft.build(join_roots=join_roots)

    def under(self, code: int) -> "Taxonomy":
        """The part below a concept as a taxonomy of its own, that concept being its only root."""
        from taxonym.knowledge.combine import under

        return under(self, self._checked(code))

    @staticmethod
    def join(
        taxonomies: Sequence["Taxonomy"], *, root: str = "everything", same: Iterable[tuple[str, str]] = ()
    ) -> "Taxonomy":
        """Several taxonomies under one new root; `same` lists pairs of ids that mean the same concept."""
        from taxonym.knowledge.combine import join

        return join(taxonomies, root=root, same=same)

    def _checked(self, code: int) -> int:
        if not isinstance(code, int | np.integer):
            raise UnknownConcept(f"{self.name}: a code is a whole number. Look it up with codes() or code().")
        if 0 <= code < len(self.depths):
            return int(code)
        raise UnknownConcept(f"{self.name}: {code} is not a code; codes run from 0 to {len(self) - 1}.")


def _run(start: Ints, values: Ints, i: int) -> list[int]:
    found: list[int] = values[start[i] : start[i + 1]].tolist()
    return found

"""From what a reader found in a file to a Taxonomy, with exact complaints.

A reader fills a Draft: concepts, labels and is-a links in any order. Draft.build() checks it, has the links turned
into arrays (graph.py) and indexes the labels.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadTaxonomy
from taxonym.knowledge.arrays import Bytes, Ints, Mask
from taxonym.knowledge.graph import SHOWN, climb_all, depths, number, short
from taxonym.knowledge.related import NONE, RelatedWords
from taxonym.knowledge.runs import starts
from taxonym.knowledge.strings import Strings, fold
from taxonym.knowledge.taxonomy import Taxonomy

JOINT_ROOT = "everything"  # what a root over several is called unless told otherwise


class Draft:
    """Concepts, labels and is-a links as a reader meets them.

    With `declared`, every parent must have been added as a concept of its own; without, a link is enough to make both
    its ends concepts (their ids are then their labels).
    """

    def __init__(self, name: str, *, declared: bool = False) -> None:
        self.name = name
        self.notes: list[str] = []
        self._declared = declared
        self._number: dict[str, int] = {}
        self._added = bytearray()
        self._instance = bytearray()
        self._gloss: dict[int, str] = {}
        self._child, self._parent, self._line = array("i"), array("i"), array("i")
        self._owner, self._rank, self._count = array("i"), array("i"), array("i")
        self._sense = array("B")
        self._related: list[tuple[str, str, int, int]] = []
        self._label: list[str] = []
        self._alias: dict[str, str] = {}

    def __contains__(self, id: str) -> bool:
        return id in self._number

    def __len__(self) -> int:
        return len(self._number)

    def add(
        self, id: str, labels: Iterable[str] = (), *, gloss: str = "", instance: bool = False, line: int = 0
    ) -> None:
        """A concept with its labels, the preferred one first; without any, the id is the label."""
        if not id:
            raise BadTaxonomy(f"{self._at(line)}: a concept has an empty id. Give every concept an id of its own.")
        i = self._concept(id)
        if self._added[i]:
            raise BadTaxonomy(
                f"{self._at(line)}: the id {short(id)!r} is given twice. Ids must be unique; labels need not be."
            )
        self._added[i] = True
        self._instance[i] = instance
        if gloss:
            self._gloss[i] = gloss
        for rank, label in enumerate(labels):
            self.label(id, label, rank=min(rank, 1), line=line)

    def label(self, id: str, text: str, *, rank: int = 0, count: int = 0, sense: int = 0, line: int = 0) -> None:
        """One more name of a concept. Of several concepts with one name, the lower `rank` is the more usual meaning.

        `sense` is the number that the source gives to this meaning of the name, where it numbers them.
        """
        if not fold(text):
            raise BadTaxonomy(
                f"{self._at(line)}: the concept {short(id)!r} has an empty label. Give it a name or leave it out."
            )
        self._owner.append(self._concept(id))
        self._label.append(text)
        self._rank.append(rank)
        self._count.append(count)
        self._sense.append(min(sense, 255))

    def link(self, child: str, parent: str, *, line: int = 0) -> None:
        """`child` is a kind of `parent`."""
        if not child or not parent:
            raise BadTaxonomy(f"{self._at(line)}: a link has an empty end. Both the child and the parent need an id.")
        self._child.append(self._concept(child))
        self._parent.append(self._concept(parent))
        self._line.append(line)

    def alias(self, other: str, id: str) -> None:
        """`other` is another id of the concept `id`; links and look-ups follow it."""
        if other != id:
            self._alias[other] = id

    def relate(self, part: str, word: str, id: str, count: int = 0) -> None:
        """The adjective or verb `word` stands for the concept `id`; the most usual one first."""
        self._related.append((part, word, self._concept(id), count))

    def note(self, text: str) -> None:
        """Something a person should know about the file, though it is no mistake."""
        self.notes.append(text)

    def build(self, *, name: str | None = None, join_roots: bool | str = False) -> Taxonomy:
        """Check what was found and freeze it.

        `name` is the taxonomy's (the draft's own, which complaints show, unless given). `join_roots` puts several
        roots under one, with the label given.
        """
        if join_roots:
            self._join_roots(JOINT_ROOT if join_roots is True else join_roots)
        child, parent, keep, aliases = self._settle()
        ids = [id for id, i in self._number.items() if keep[i]]
        if not ids:
            raise BadTaxonomy(f"{self.name}: no concept was found. Is it the right file and format?")
        place = np.cumsum(keep, dtype=np.int32) - 1
        tax = assemble(
            self.name,
            ids,
            place[child],
            place[parent],
            Labels(place[np.array(self._owner, dtype=np.int32)], self._label, self._rank, self._count, self._sense),
            instance=np.frombuffer(self._instance, dtype=np.uint8)[keep],
            glosses={int(place[i]): text for i, text in self._gloss.items() if keep[i]},
            aliases=aliases,
            related=[(part, word, int(place[i]), n) for part, word, i, n in self._related if keep[i]],
        )
        return tax if name is None else replace(tax, name=name)

    def _join_roots(self, label: str) -> None:
        """Several roots get one above them; a single root stays as it is."""
        child, _, keep, _ = self._settle()
        is_root = keep.copy()
        is_root[child] = False
        roots = [id for id, i in self._number.items() if is_root[i]]
        if len(roots) < 2:
            return
        top = label
        while top in self:
            top = f"({top})"
        self.add(top, [label])
        for root in roots:
            self.link(root, top)

    def _settle(self) -> tuple[Ints, Ints, Mask, dict[str, int]]:
        """Follow aliases, and name every parent that no one declared."""
        child = np.array(self._child, dtype=np.int32)
        parent = np.array(self._parent, dtype=np.int32)
        keep = np.ones(len(self._number), dtype=bool)
        final: dict[str, str] = {}
        for other in self._alias:
            id, seen = other, {other}
            while id in self._alias:
                id = self._alias[id]
                if id in seen:
                    raise BadTaxonomy(f"{self.name}: the ids {_names(sorted(seen))} stand for each other in a circle.")
                seen.add(id)
            final[other] = id
        if final:
            move = np.arange(len(self._number), dtype=np.int32)
            for other, id in final.items():
                if other in self._number and id in self._number:
                    move[self._number[other]] = self._number[id]
                    keep[self._number[other]] = False
            own_parent = child == parent
            child, parent = move[child], move[parent]
            self._owner = array("i", move[np.array(self._owner, dtype=np.int32)].tolist())
            # A link between two names of one concept says nothing; one from a concept to itself is a cycle.
            sound = (child != parent) | own_parent
            child, parent = child[sound], parent[sound]
        if self._declared:
            self._complain_of_the_undeclared(child, parent)
        place = np.cumsum(keep) - 1
        aliases = {other: int(place[self._number[id]]) for other, id in final.items() if id in self._number}
        return child, parent, keep, aliases

    def _complain_of_the_undeclared(self, child: Ints, parent: Ints) -> None:
        added = np.frombuffer(self._added, dtype=np.uint8)
        for end, what in ((parent, "parent"), (child, "child")):
            missing = np.flatnonzero(added[end] == 0)
            if not len(missing):
                continue
            names = {i: id for id, i in self._number.items()}
            unknown = sorted({names[int(end[m])] for m in missing})
            line = self._line[int(missing[0])] if len(child) == len(self._line) else 0
            raise BadTaxonomy(
                f"{self._at(line)}: {len(unknown)} {what} ids are used but never defined: {_names(unknown)}. "
                f"Add them to the file or remove the links to them."
            )

    def _concept(self, id: str) -> int:
        i = self._number.setdefault(id, len(self._number))
        if i == len(self._added):
            self._added.append(False)
            self._instance.append(False)
        return i

    def _at(self, line: int) -> str:
        return f"{self.name}: line {line}" if line else self.name


class Labels(NamedTuple):
    """Names of concepts: whose, as written, how usual (0 is the most), how often seen, which sense of the name (0: the
    source does not say)."""

    owner: Ints
    text: list[str]
    rank: Sequence[int]
    seen: Sequence[int]
    sense: Sequence[int]


def assemble(
    name: str,
    ids: list[str],
    child: Ints,
    parent: Ints,
    labels: Labels,
    *,
    instance: Bytes,
    glosses: dict[int, str],
    aliases: dict[str, int],
    related: Sequence[tuple[str, str, int, int]] = (),
) -> Taxonomy:
    """Number the concepts, complete the graph, index the labels: the frozen Taxonomy."""
    from taxonym.knowledge.compiled import fingerprint

    n = len(ids)
    edges = np.unique(child.astype(np.int64) * n + parent)
    child, parent = (edges // n).astype(np.int32), (edges % n).astype(np.int32)
    depth = depths(n, child, parent, ids, name)
    by_id = np.array(sorted(range(n), key=ids.__getitem__), dtype=np.int32)  # text and its UTF-8 bytes sort alike
    order = number(n, child, parent, by_id)
    code = np.empty(n, dtype=np.int32)
    code[order] = np.arange(n, dtype=np.int32)

    child, parent = code[child], code[parent]
    sort = np.lexsort((child, parent))
    child_start, children = starts(parent[sort], n), child[sort]
    sort = np.lexsort((parent, child))
    parent_start, parents = starts(child[sort], n), parent[sort]
    depth = depth[order]
    ancestor_start, ancestor, climb = climb_all(parent_start, parents, depth, name)

    ids = [ids[i] for i in order.tolist()]
    texts = Strings.of(ids)
    other = sorted(aliases.items())
    tax = Taxonomy(
        name=name,
        parent_start=parent_start,
        parent=parents,
        child_start=child_start,
        child=children,
        ancestor_start=ancestor_start,
        ancestor=ancestor,
        climb=climb,
        depths=depth,
        instance=instance[order],
        ids=texts,
        id_order=code[by_id],
        aliases=Strings.of(id for id, _ in other),
        alias_code=code[[i for _, i in other]],
        glosses=Strings.of(glosses.get(i, "") for i in order.tolist()) if glosses else Strings.of(()),
        fingerprint="",
        related=RelatedWords.of((part, word, int(code[i]), n) for part, word, i, n in related) if related else NONE,
        **_index_labels(ids, code[labels.owner], labels),
    )
    return replace(tax, fingerprint=fingerprint(tax))


def _index_labels(ids: list[str], owner: Ints, labels: Labels) -> dict[str, Any]:
    """Labels of every concept, and concepts of every label in the order of how usual they are."""
    n = len(ids)
    nameless = np.flatnonzero(np.bincount(owner, minlength=n) == 0)
    texts = labels.text + [ids[i] for i in nameless.tolist()]
    owner = np.concatenate((owner, nameless)).astype(np.int32)
    zeros = np.zeros(len(nameless), np.int32)
    rank = np.concatenate((np.array(labels.rank, np.int32), zeros))
    count = np.concatenate((np.array(labels.seen, np.int32), zeros))
    sense = np.concatenate((np.array(labels.sense, np.uint8), zeros.astype(np.uint8)))

    words = sorted(set(texts))
    word_number = {text: i for i, text in enumerate(words)}
    word = np.fromiter(map(word_number.__getitem__, texts), np.int32, len(texts))
    by_concept = np.argsort(owner, kind="stable")
    by_concept = by_concept[_first_of_each(owner[by_concept], word[by_concept])]

    folded = [fold(text) for text in words]
    keys = sorted(set(folded))
    key_number = {key: i for i, key in enumerate(keys)}
    key = np.fromiter((key_number[f] for f in folded), np.int32, len(folded))[word]
    by_key = np.lexsort((owner, -count, rank, key))
    by_key = by_key[_first_of_each(key[by_key], owner[by_key])]
    return {
        "words": Strings.of(words),
        "label_start": starts(owner[by_concept], n),
        "label_word": word[by_concept],
        "keys": Strings.of(keys),
        "sense_start": starts(key[by_key], len(keys)),
        "sense": owner[by_key],
        "sense_count": count[by_key],
        "sense_number": sense[by_key if sense.any() else by_key[:0]],
    }


def _first_of_each(group: Ints, member: Ints) -> NDArray[np.intp]:
    """Positions at which a (group, member) pair stands for the first time."""
    pair = group.astype(np.int64) << 32 | member
    return np.sort(np.unique(pair, return_index=True)[1])


def _names(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(repr(short(name)) for name in names[:SHOWN]) + more

"""Taxonomies made from other taxonomies: the part below a concept, several under one root, more concepts in one."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from taxonym.errors import BadTaxonomy, UnknownConcept
from taxonym.knowledge.arrays import Ints, Long
from taxonym.knowledge.build import Draft
from taxonym.knowledge.runs import positions, starts
from taxonym.knowledge.strings import Strings, fold
from taxonym.knowledge.taxonomy import Taxonomy

_ONE_AFTER_THE_OTHER = 100_000  # no label has so many senses: all of one taxonomy's come before the next one's


def under(tax: Taxonomy, code: int) -> Taxonomy:
    """The part of `tax` below `code`, that concept being its only root; order of senses and counts stay."""
    draft = Draft(f"{tax.name}/{tax.id(code)}", declared=True)
    kept = np.array(tax.descendants(code))
    copy_into(tax, draft, kept, dict(zip(kept.tolist(), (tax.id(c) for c in kept.tolist()), strict=True)))
    return draft.build()


def join(taxonomies: Sequence[Taxonomy], *, root: str, same: Iterable[tuple[str, str]]) -> Taxonomy:
    """Several taxonomies under one new root.

    An id that more than one of them uses is written `name:id`. `same` lists pairs of ids that mean one concept: it
    keeps the first id and the labels and parents of both. Of a label that several know, the meanings of the taxonomy
    given first come first.
    """
    if not taxonomies:
        raise BadTaxonomy("join: no taxonomy was given. Name at least one.")
    shared = {id for id, uses in Counter(id for tax in taxonomies for id in tax.ids).items() if uses > 1}
    names = _distinct([tax.name for tax in taxonomies])
    draft = Draft("+".join(names), declared=True)
    new_ids: list[dict[str, str]] = []
    taken = {id for tax in taxonomies for id in tax.ids}
    for position, (tax, name) in enumerate(zip(taxonomies, names, strict=True)):
        renamed = {id: f"{name}:{id}" if id in shared else id for id in tax.ids}
        copy_into(
            tax, draft, np.arange(len(tax)), dict(enumerate(renamed.values())), position * _ONE_AFTER_THE_OTHER, taken
        )
        taken.update(tax.aliases)
        new_ids.append(renamed)
    for first, second in same:
        draft.alias(_one_of(second, new_ids), _one_of(first, new_ids))
    top = root
    while top in draft:
        top = f"({top})"
    draft.add(top, [root])
    for tax, renamed in zip(taxonomies, new_ids, strict=True):
        for code in tax.roots:
            draft.link(renamed[tax.id(code)], top)
    return draft.build()


def with_roots(tax: Taxonomy, labels: Sequence[str]) -> Taxonomy:
    """The taxonomy with one more root for each label, which has nothing in common with anything else."""
    return with_leaves(tax, labels, [()] * len(labels))


def with_values(tax: Taxonomy, labels: Sequence[str], root: int | None) -> Taxonomy:
    """The taxonomy with one more concept for each value that has none: below `root`, where all values of a column are
    known to lie below it; else a root of its own."""
    return with_leaves(tax, labels, [() if root is None else (root,)] * len(labels))


def with_phrases(tax: Taxonomy, phrases: Sequence[tuple[int, str]]) -> Taxonomy:
    """The taxonomy with one more concept for each phrase (its head, its label), below the head. Its id is made of that
    of the head and its label. A phrase names a kind of what its head names, so that it may be printed."""
    names = [phrase_id(tax, head, label) for head, label in phrases]
    made = with_leaves(tax, [label for _, label in phrases], [[head] for head, _ in phrases], names)
    return replace(made, instance=np.concatenate((tax.instance, np.zeros(len(phrases), np.uint8))))


def phrase_id(tax: Taxonomy, head: int, label: str) -> str:
    """What a phrase below a head is called among ids."""
    return f"{tax.id(head)}: {label}"


def with_leaves(
    tax: Taxonomy,
    labels: Sequence[str],
    parents: Sequence[Iterable[int]],
    names: Sequence[str] | None = None,
) -> Taxonomy:
    """The taxonomy with one more concept for each label, below the parents given; without any it is a root.

    Codes stay; the new ones follow. A new concept is found by its code or id only: what the label meant before stays.
    It counts as an instance: nobody has said that what the label names is a kind of things, so that it may be printed.
    Ids are the labels, unless other `names` are given; one that is taken gets parentheses.
    """
    taken, ids = set(tax.ids), list[str]()
    for label in labels if names is None else names:
        ids.append(label)
        while ids[-1] in taken:
            ids[-1] = f"({ids[-1]})"
        taken.add(ids[-1])
    n, over = len(tax), [sorted(set(some)) for some in parents]
    climbs = [_climbs_over(tax, n + i, some) for i, some in enumerate(over)]
    links = np.array([(n + i, p) for i, some in enumerate(over) for p in some], np.int64).reshape(-1, 2)
    child_start, child = _with_children(tax, links, len(labels))

    def longer(start: Ints, sizes: Sequence[int]) -> Ints:
        return np.concatenate((start, start[-1] + np.cumsum(sizes, dtype=np.int32)))

    def more(values: Ints, new: Iterable[int]) -> Ints:
        return np.concatenate((values, np.array(list(new), np.int32)))

    every = [*tax.ids, *ids]
    return replace(
        tax,
        parent_start=longer(tax.parent_start, [len(some) for some in over]),
        parent=more(tax.parent, links[:, 1].tolist()),
        child_start=child_start,
        child=child,
        ancestor_start=longer(tax.ancestor_start, [len(climb) for climb in climbs]),
        ancestor=more(tax.ancestor, (t for climb in climbs for t in climb)),
        climb=more(tax.climb, (up for climb in climbs for up in climb.values())),
        depths=more(tax.depths, (1 + max((int(tax.depths[p]) for p in some), default=0) for some in over)),
        instance=np.concatenate((tax.instance, np.ones(len(labels), np.uint8))),
        ids=Strings.of(every),
        id_order=np.array(sorted(range(n + len(labels)), key=every.__getitem__), np.int32),
        words=Strings.of([*tax.words, *labels]),
        label_start=longer(tax.label_start, [1] * len(labels)),
        label_word=more(tax.label_word, range(len(tax.words), len(tax.words) + len(labels))),
        glosses=Strings.of([*tax.glosses, *([""] * len(labels))]) if len(tax.glosses) else tax.glosses,
        own=tax.own + len(labels),
    )


def _climbs_over(tax: Taxonomy, code: int, parents: Sequence[int]) -> dict[int, int]:
    """The ancestors of a new concept, ascending, with the least number of edges up to each."""
    climbs = {code: 0}
    for p in parents:
        for t, up in tax.climbs(p).items():
            climbs[t] = min(up + 1, climbs.get(t, up + 1))
    return dict(sorted(climbs.items()))


def _with_children(tax: Taxonomy, links: Long, new: int) -> tuple[Ints, Ints]:
    """The runs of children with (child, parent) links more, for `new` concepts more."""
    old = np.repeat(np.arange(len(tax)), np.diff(tax.child_start))
    parent, child = np.concatenate((old, links[:, 1])), np.concatenate((tax.child, links[:, 0]))
    order = np.argsort(parent, kind="stable")
    return starts(parent, len(tax) + new), child[order].astype(np.int32)


def flat(labels: Iterable[str], name: str = "values") -> Taxonomy:
    """A taxonomy without any hierarchy: every label is a root of its own, and an instance (see with_roots)."""
    draft = Draft(name)
    for label in sorted(set(labels)):
        draft.add(label, instance=True)
    return draft.build()


def copy_into(
    tax: Taxonomy,
    draft: Draft,
    kept: np.ndarray,
    ids: dict[int, str],
    rank_from: int = 0,
    taken: Collection[str] = frozenset(),
    *,
    unlinked: Collection[int] = frozenset(),
    renamed: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Concepts, labels and the links among them, under the ids given; other names for ids unless these are taken.

    `unlinked` concepts are left without parents; `renamed` ones get a label before all others.
    """
    words = list(tax.words)
    key_of = {key: i for i, key in enumerate(tax.keys)}
    sense, counts, sense_start = tax.sense.tolist(), tax.sense_count.tolist(), tax.sense_start.tolist()
    numbers = tax.sense_number.tolist() or [0] * len(sense)
    for code in kept.tolist():
        draft.add(ids[code], gloss=tax.gloss(code), instance=tax.is_instance(code))
        if code in renamed:
            draft.label(ids[code], renamed[code])
        for word in tax.label_word[tax.label_start[code] : tax.label_start[code + 1]].tolist():
            i = key_of[fold(words[word])]
            at = sense.index(code, sense_start[i], sense_start[i + 1])
            rank = rank_from + at - sense_start[i]
            draft.label(ids[code], words[word], rank=rank, count=counts[at], sense=numbers[at])
    edges = positions(tax.parent_start[kept], tax.parent_start[kept + 1])
    children = np.repeat(kept, tax.parent_start[kept + 1] - tax.parent_start[kept])
    for child, parent in zip(children.tolist(), tax.parent[edges].tolist(), strict=True):
        if parent in ids and child not in unlinked:
            draft.link(ids[child], ids[parent])
    for other, code in zip(tax.aliases, tax.alias_code.tolist(), strict=True):
        if code in ids and other not in taken:
            draft.alias(other, ids[code])
    for part, text, code, count in tax.related:
        if code in ids:
            draft.relate(part, text, ids[code], count)


def _one_of(id: str, new_ids: list[dict[str, str]]) -> str:
    """The id in the joined taxonomy of what the table of equal concepts calls `id`."""
    found = {renamed[id] for renamed in new_ids if id in renamed} or {
        id for renamed in new_ids if id in renamed.values()
    }
    if len(found) == 1:
        return found.pop()
    if not found:
        raise UnknownConcept(f"join: same: no taxonomy has the id {id!r}.")
    raise BadTaxonomy(f"join: same: {id!r} is in several taxonomies. Write one of {', '.join(sorted(found))}.")


def _distinct(names: list[str]) -> list[str]:
    seen: Counter[str] = Counter()
    out = []
    for name in names:
        seen[name] += 1
        out.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return out

"""Blocks of units on the workers: groups, questions, and what is published.

Spark brings the units of a block together; they are sorted, cut where they are too many, and grouped as the local
engine does it. What comes out stays where it is, piece by piece in its order, so that the next step finds whole pieces
without moving anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from taxonym.distance.record import Part
from taxonym.group.blocks import Cutter, form_block
from taxonym.group.registry import grouping_named
from taxonym.knowledge.arrays import Ints
from taxonym.methods.blockwise import BlockContext, ask, generator, told
from taxonym.publish.groups import Chosen, middle, with_concepts
from taxonym.publish.support_queries import MOST_ASKED, Answers, Meaning
from taxonym.publish.wording import WordChoice, drawn
from taxonym.records.order import in_order
from taxonym.records.support import Long, Mask
from taxonym.run.spark.arrow import unsigned
from taxonym.run.spark.counts import WholeCounts, records_of
from taxonym.run.spark.figures import Middles, figures
from taxonym.run.spark.kit import Kit
from taxonym.run.spark.sample import ranged_parts

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """How units with the same `other` columns are cut. Leaf x of the tree belongs to the block first + joined[x]; of
    block first + b the first piece is number pieces[b]."""

    cutter: Cutter | None
    first: int = 0
    joined: Ints | None = None
    pieces: tuple[int, ...] = (0,)

    @property
    def count(self) -> int:
        """How many pieces there are."""
        return max(1, self.pieces[-1])

    def block(self, parts: Sequence[Part], rows: Long) -> Long:
        """The block of each of these units."""
        if self.cutter is None or self.joined is None:
            return np.full(len(rows), self.first, np.int64)
        return self.first + self.joined[self.cutter.leaves(parts, rows)].astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """What every block must know of the whole: counts, which concepts may be told and in which words, how units are
    cut, by what the loss is judged, the answers to what blocks asked, and what all draws depend on."""

    facts: WholeCounts
    masks: Sequence[Mask]
    choices: Sequence[Mapping[int, WordChoice]]
    cuts: Mapping[int, Cut]
    middles: Middles
    entropy: Sequence[int]
    answers: Answers

    def shared(self, kit: Kit) -> BlockContext:
        found = [
            Meaning(column, kit.words(column.name).tax, self.facts.holders[i], self.masks[i], kit.topics[column.name])
            for i, column in enumerate(kit.spoken)
        ]
        return BlockContext(kit.plan, found)


# ---------------------------------------------------------------------- into blocks


def leaf_counts(frame: "pl.DataFrame", kit: Kit, facts: WholeCounts, cutters: Mapping[int, Cutter]) -> Long:
    """How many units each leaf has, for each value of `other` that is cut, one after the other."""
    units = {other: some for other, some in _by_other(frame) if other in cutters}
    parts = {other: ranged_parts(some, kit, facts) for other, some in units.items()}
    leaves = [
        cutter.leaves(parts[other], np.arange(units[other].height)) if other in units else np.empty(0, np.int64)
        for other, cutter in cutters.items()
    ]
    sizes = [cutter.tree.leaves for cutter in cutters.values()]
    return np.concatenate([np.bincount(own, minlength=size) for own, size in zip(leaves, sizes, strict=True)])


def routed(frame: "pl.DataFrame", kit: Kit, whole: Whole) -> "Iterator[pl.DataFrame]":
    """Units with their block."""
    import polars as pl

    for other, some in _by_other(frame):
        parts = ranged_parts(some, kit, whole.facts)
        block = whole.cuts[other].block(parts, np.arange(some.height))
        yield some.with_columns(pl.Series("block", block, pl.Int64))


def _by_other(frame: "pl.DataFrame") -> "Iterator[tuple[int, pl.DataFrame]]":
    for (other, *_), units in frame.partition_by("other", as_dict=True, maintain_order=True).items():
        yield int(other), units


# ---------------------------------------------------------------------- groups, and what they would like to know


def formed(frame: "pl.DataFrame", kit: Kit, whole: Whole) -> "Iterator[pl.DataFrame]":
    """The units of a block in their order, with the piece and the group of each; the first unit of a piece carries what
    its groups ask."""
    import polars as pl

    frame = frame[in_order(records_of(frame, kit), unsigned(frame["rest"].to_numpy())).tolist()]
    shared, method, n = whole.shared(kit), kit.plan.method, frame.height
    parts, rows = ranged_parts(frame, kit, whole.facts), np.arange(frame.height)
    cut, block = whole.cuts[int(frame["other"][0])], int(frame["block"][0])
    pieces = [rows] if cut.cutter is None else cut.cutter.divided(parts, rows, np.ones(n, np.int64), method.k)
    form = grouping_named(method.name).form
    for number, at in enumerate(pieces, cut.pieces[block - cut.first]):
        found = form_block(parts, at, shared.how, method.k, form, 1)
        groups = sorted(np.sort(np.searchsorted(at, group)).tolist() for group in found.groups)
        units = frame[at.tolist()]
        asked = ask(shared, records_of(units, kit), groups).ravel().tolist()
        group_of = np.empty(len(at), np.int64)
        for g, members in enumerate(groups):
            group_of[members] = g
        yield units.with_columns(
            pl.lit(number, pl.Int64).alias("piece"),
            pl.lit(len(at), pl.Int64).alias("size"),
            pl.Series("group", group_of),
            pl.Series("asked", [asked, *[None] * (len(at) - 1)], pl.List(pl.Int64)),
        )


def width(kit: Kit) -> int:
    """How many concepts a choice has at most that is asked about."""
    return min(kit.plan.method.together, MOST_ASKED)


def questions(frame: "pl.DataFrame", m: int) -> "list[pl.DataFrame]":
    """The choices that are asked about, one a row."""
    import polars as pl

    asked = frame["asked"].drop_nulls().explode().drop_nulls().to_list()
    rows = np.unique(np.array(asked, np.int64).reshape(-1, m), axis=0)
    return [pl.DataFrame(rows, schema={f"c{i}": pl.Int64 for i in range(m)})]


# ---------------------------------------------------------------------- what is published


def published(frame: "pl.DataFrame", kit: Kit, whole: Whole) -> "Iterator[pl.DataFrame]":
    """Rows of the release with what is hidden beside them, and for every piece a row that holds nothing but figures."""
    for piece in frame.partition_by("block", "piece", maintain_order=True):
        if piece.height != int(piece["size"][0]):
            raise RuntimeError("a piece came apart on its way")
        yield from _published(piece, kit, whole)


def _published(piece: "pl.DataFrame", kit: Kit, whole: Whole) -> "Iterator[pl.DataFrame]":
    key = int(unsigned(piece["other"].to_numpy()[:1])[0]), int(piece["piece"][0])
    group_of = piece["group"].to_numpy()
    groups = [np.flatnonzero(group_of == g).tolist() for g in range(int(group_of.max()) + 1)]
    asked = np.array(piece["asked"][0], np.int64).reshape(-1, width(kit))
    everybody = told(whole.shared(kit), records_of(piece, kit), groups, whole.answers.to(asked))
    kept, chosen = with_concepts(groups, everybody)
    rng, per_record = generator(whole.entropy, key), kit.plan.method.representative == "per-record"
    words = [
        drawn(choices, kept, column.concepts, rng=rng, per_record=per_record).records
        for choices, column in zip(whole.choices, chosen, strict=True)
    ]
    yield from as_rows(piece, kit, whole, kept, chosen, words, key)


def as_rows(
    units: "pl.DataFrame",
    kit: Kit,
    whole: Whole,
    groups: Sequence[Sequence[int]],
    chosen: Sequence[Chosen],
    words: "Sequence[Sequence[Sequence[tuple[str, ...]]]]",
    key: tuple[int, ...],
) -> "Iterator[pl.DataFrame]":
    """Figures, what is known of the units, and the rows of the release. The key names all draws here."""
    import polars as pl

    parts, other = ranged_parts(units, kit, whole.facts), units["other"].to_numpy()
    found = figures(kit, parts, groups, chosen, whole.middles, key, other)
    yield pl.DataFrame({"told": [found.as_text()]})
    yield _units(units, groups, chosen, key, generator(whole.entropy, (*key, 2)))
    if groups:
        yield _rows(units, kit, groups, words, parts, generator(whole.entropy, (*key, 1)))


def piece_name(key: Sequence[int]) -> str:
    return ":".join(map(str, key))


def _units(
    units: "pl.DataFrame",
    groups: Sequence[Sequence[int]],
    chosen: Sequence[Chosen],
    key: Sequence[int],
    rng: np.random.Generator,
) -> "pl.DataFrame":
    """What is known of every unit: its own concepts and numbers, its group (-1: it is not published), and what this
    shows of it."""
    import polars as pl

    group_of = np.full(units.height, -1, np.int64)
    for g, group in enumerate(groups):
        group_of[group] = g
    names = [n for n in units.columns if n in ("other", "content", "person") or n.startswith(("codes", "cell"))]
    shown = [[column.concepts[g] if g >= 0 else [] for g in group_of.tolist()] for column in chosen]
    return units.select(names).with_columns(
        pl.lit(piece_name(key)).alias("of"),
        pl.Series("group", group_of),
        pl.Series("lot", rng.integers(0, 1 << 62, units.height)),
        *(pl.Series(f"shown{i}", lists, pl.List(pl.Int32)) for i, lists in enumerate(shown)),
    )


def _rows(
    piece: "pl.DataFrame",
    kit: Kit,
    groups: Sequence[Sequence[int]],
    words: "Sequence[Sequence[Sequence[tuple[str, ...]]]]",
    parts: Sequence[Part],
    rng: np.random.Generator,
) -> "pl.DataFrame":
    """A row for every record of every member of the groups that are published; the first of each unit says so."""
    import polars as pl

    units = piece[[unit for group in groups for unit in group]]
    row = np.repeat(np.arange(units.height), units["records"].list.len().to_numpy().astype(np.int64))
    first = np.diff(row, prepend=-1)
    records = units["records"].explode().struct.unnest()
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    made = [pl.Series("first", first), pl.Series("lot", rng.integers(0, 1 << 62, len(row)))]
    spoken, numbers = iter(words), iter(range(len(kit.numbers)))
    values = {c.name: p for c, p in zip(kit.quasi, parts, strict=True)}
    kept = {c.name: f"k{i}" for i, c in enumerate(kit.kept)}
    kinds = {c.name: c.kind for c in kit.quasi}
    for i, name in enumerate(column.name for column in kit.published):
        if name in kept:
            made.append(records[kept[name]].alias(f"p{i}"))
        elif kinds[name] in ("number", "date"):
            middles = [middle(values[name].values, group) for group in groups]  # type: ignore[union-attr]
            made.append(piece[f"cell{next(numbers)}"].gather(middles).gather(group_of[row]).alias(f"p{i}"))
        else:
            made.append(_cells(f"p{i}", next(spoken), kinds[name], kit.plan.output.order).gather(row))
    return pl.DataFrame(made)


def _cells(name: str, words: "Sequence[Sequence[tuple[str, ...]]]", kind: str, order: str) -> "pl.Series":
    """The words of every member as they are written."""
    import polars as pl

    every = [sorted(one) if order == "sorted" else list(one) for group in words for one in group]
    if kind == "nominal":
        return pl.Series(name, [cell[0] if cell else None for cell in every], pl.String)
    return pl.Series(name, [cell or None for cell in every], pl.List(pl.String))

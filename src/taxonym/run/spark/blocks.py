"""Blocks of units on the workers: groups, questions, and what is published.

Spark brings the units of a block together; they are sorted, cut where they are too many, and grouped as the local
engine does it. What comes out stays where it is, piece by piece in its order, so that the next step finds whole pieces
without moving anything.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.distance.record import Part
from taxonym.group.blocks import Cutter, form_block
from taxonym.group.registry import grouping_named
from taxonym.knowledge.runs import Ints, Long
from taxonym.methods.blockwise import BlockContext, ask, generator, told
from taxonym.plan import Microaggregation
from taxonym.publish.groups import Chosen, middle, with_concepts
from taxonym.publish.support_queries import MOST_ASKED, Answers, Meaning
from taxonym.publish.wording import WordChoice, drawn
from taxonym.records.order import in_order
from taxonym.records.support import Mask
from taxonym.run.spark.arrow import batches_of, frame_of, unsigned
from taxonym.run.spark.counts import WholeCounts, arrow_schema, kept_units, records_of
from taxonym.run.spark.encode import numbers_of
from taxonym.run.spark.figures import SampleJudges, figures
from taxonym.run.spark.kit import Batches, Kit, guarded
from taxonym.run.spark.sample import Kept, ranged_parts

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark import Broadcast

LOST = -1  # instead of 0 or 1 in `first`: a unit of a group that has nothing to publish


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
    judges: SampleJudges
    entropy: Sequence[int]
    answers: Answers

    def shared(self, kit: Kit) -> BlockContext:
        found = [
            Meaning(column, kit.words(column.name).tax, self.facts.holders[i], self.masks[i], kit.topics[column.name])
            for i, column in enumerate(kit.spoken)
        ]
        return BlockContext(kit.plan, found)


# ---------------------------------------------------------------------- into blocks


def leaf_counts(
    kit: "Broadcast[Kit]",
    facts: "Broadcast[WholeCounts]",
    cutters: "Broadcast[dict[int, Cutter]]",
    kept: "Broadcast[Kept]",
) -> Callable[[Batches], Batches]:
    """How many units each leaf has, for each value of `other` that is cut."""

    def work(batches: Batches) -> Batches:
        import polars as pl

        for other, some in _by_other(frame_of(batches), kept.value):
            if other in cutters.value:
                parts = ranged_parts(some, kit.value, facts.value)
                counts = np.bincount(cutters.value[other].leaves(parts, np.arange(some.height)))
                leaf = np.flatnonzero(counts)
                rows = {"other": np.full(len(leaf), other), "leaf": leaf, "n": counts[leaf]}
                yield from batches_of(pl.DataFrame(rows), arrow_schema(dict.fromkeys(rows, pl.Int64)))

    return guarded(work)


def routed(kit: "Broadcast[Kit]", whole: "Broadcast[Whole]", kept: "Broadcast[Kept]", schema: "pa.Schema") -> Any:
    """Units with their block, without what blocks do not need."""

    def work(batches: Batches) -> Batches:
        import polars as pl

        for other, some in _by_other(frame_of(batches), kept.value):
            parts = ranged_parts(some, kit.value, whole.value.facts)
            block = whole.value.cuts[other].block(parts, np.arange(some.height))
            yield from batches_of(some.with_columns(pl.Series("block", block, pl.Int64)), schema)

    return guarded(work)


def _by_other(frame: "pl.DataFrame | None", kept: Kept) -> "Iterator[tuple[int, pl.DataFrame]]":
    some = None if frame is None else kept_units(frame, kept)
    if some is not None and some.height:
        for (other, *_), units in some.partition_by("other", as_dict=True, maintain_order=True).items():
            yield int(other), units


# ---------------------------------------------------------------------- groups, and what they would like to know


def formed(kit: "Broadcast[Kit]", whole: "Broadcast[Whole]", schema: "pa.Schema") -> Any:
    """The units of a block in their order, with the piece and the group of each; the first unit of a piece carries what
    its groups ask."""

    def work(table: "pa.Table") -> Batches:
        frame = frame_of(table.to_batches())
        if frame is not None:
            for piece in _formed(frame, kit.value, whole.value):
                yield from batches_of(piece, schema)

    guard = guarded(work)

    def run(table: "pa.Table") -> "pa.Table":
        import pyarrow as pa

        return pa.Table.from_batches(list(guard(table)), schema)

    return run


def _formed(frame: "pl.DataFrame", kit: Kit, whole: Whole) -> "Iterator[pl.DataFrame]":
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


def questions(m: int) -> Callable[[Batches], Batches]:
    """The choices that are asked about, one a row."""

    def work(batches: Batches) -> Batches:
        import polars as pl

        names = [f"c{i}" for i in range(m)]
        for batch in batches:
            frame = frame_of([batch])
            asked = [] if frame is None else frame["asked"].drop_nulls().explode().drop_nulls().to_list()
            rows = np.unique(np.array(asked, np.int64).reshape(-1, m), axis=0)
            if len(rows):
                yield from batches_of(pl.DataFrame(rows, schema=names), arrow_schema(dict.fromkeys(names, pl.Int64)))

    return guarded(work)


# ---------------------------------------------------------------------- what is published


def published(kit: "Broadcast[Kit]", whole: "Broadcast[Whole]", schema: "pa.Schema") -> Any:
    """Rows of the release with what is hidden beside them, and for every piece a row that holds nothing but figures."""

    def work(batches: Batches) -> Batches:
        frame = frame_of(batches)
        if frame is None:
            return
        for piece in frame.partition_by("block", "piece", maintain_order=True):
            if piece.height != int(piece["size"][0]):
                raise RuntimeError("a piece came apart on its way")
            for made in _published(piece, kit.value, whole.value):
                yield from batches_of(made, schema)

    return guarded(work)


def _published(piece: "pl.DataFrame", kit: Kit, whole: Whole) -> "Iterator[pl.DataFrame]":
    key = int(unsigned(piece["other"].to_numpy()[:1])[0]), int(piece["piece"][0])
    group_of = piece["group"].to_numpy()
    groups = [np.flatnonzero(group_of == g).tolist() for g in range(int(group_of.max()) + 1)]
    asked = np.array(piece["asked"][0], np.int64).reshape(-1, width(kit))
    everybody = told(whole.shared(kit), records_of(piece, kit), groups, whole.answers.to(asked))
    kept, chosen = with_concepts(groups, everybody)
    rng, per_record = generator(whole.entropy, key), Microaggregation.of(kit.plan).representative == "per-record"
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
    """Figures, the units that nothing is published of, and the rows of the release. The key names all draws here."""
    import polars as pl

    parts = ranged_parts(units, kit, whole.facts)
    found = figures(kit, parts, groups, chosen, whole.judges, generator(whole.entropy, (*key, 2)))
    yield pl.DataFrame({"told": [found.as_text()]})
    members = [unit for group in groups for unit in group]
    if lost := sorted(set(range(units.height)) - set(members)):
        yield pl.DataFrame({"first": [LOST] * len(lost), "person": units["person"][lost]})
    if members:
        yield _rows(units, kit, groups, members, words, parts, generator(whole.entropy, (*key, 1)))


def _rows(
    piece: "pl.DataFrame",
    kit: Kit,
    groups: Sequence[Sequence[int]],
    members: list[int],
    words: "Sequence[Sequence[Sequence[tuple[str, ...]]]]",
    parts: Sequence[Part],
    rng: np.random.Generator,
) -> "pl.DataFrame":
    """A row for every record of every member of the groups that are published."""
    import polars as pl

    units = piece[members]
    sizes = units["records"].list.len().to_numpy().astype(np.int64)
    row = np.repeat(np.arange(len(members)), sizes)
    first = (np.concatenate(([0], row[:-1])) != row) | (np.arange(len(row)) == 0)
    records = units["records"].explode().struct.unnest()
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    made = [
        pl.Series("first", first.astype(np.int64)),
        pl.Series("lot", rng.integers(0, 1 << 62, len(row))),
        units["person"].gather(row),
    ]
    spoken, numbers = iter(words), iter(range(len(numbers_of(kit))))
    values = {c.name: p for c, p in zip(kit.quasi, parts, strict=True)}
    kept = {c.name: f"k{i}" for i, c in enumerate(kit.kept)}
    quasi = {c.name: c for c in kit.quasi}
    for i, name in enumerate(name for name, c in kit.plan.columns.items() if c.role != "identifier"):
        if name in kept:
            made.append(records[kept[name]].alias(f"p{i}"))
        elif quasi[name].kind in ("number", "date"):
            middles = [middle(values[name].values, group) for group in groups]  # type: ignore[union-attr]
            made.append(piece[f"cell{next(numbers)}"].gather(middles).gather(group_of[row]).alias(f"p{i}"))
        else:
            made.append(_cells(f"p{i}", next(spoken), quasi[name].kind, kit.plan.output.order).gather(row))
    return pl.DataFrame(made)


def _cells(name: str, words: "Sequence[Sequence[tuple[str, ...]]]", kind: str, order: str) -> "pl.Series":
    """The words of every member as they are written."""
    import polars as pl

    every = [sorted(one) if order == "sorted" else list(one) for group in words for one in group]
    if kind == "nominal":
        return pl.Series(name, [cell[0] if cell else None for cell in every], pl.String)
    return pl.Series(name, [cell or None for cell in every], pl.List(pl.String))

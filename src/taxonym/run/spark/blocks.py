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
from taxonym.executor.context import Context
from taxonym.group.blocks import Cutter, form_block
from taxonym.group.registry import grouping_named
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.knowledge.runs import edges
from taxonym.methods import microaggregation
from taxonym.methods.blockwise import BlockContext, ask, generator, told
from taxonym.methods.microaggregation import publish
from taxonym.methods.published_groups import PublishedGroups
from taxonym.methods.shared_values import confidential_values, merged
from taxonym.methods.whole_row import whole_rows
from taxonym.plan import Microaggregation
from taxonym.publish.groups import ColumnRepresentatives
from taxonym.publish.support_queries import MOST_ASKED, Answers, Meaning
from taxonym.publish.wording import WordChoice, drawn
from taxonym.records.order import in_order
from taxonym.run.spark.arrow import ints, lists_of, unsigned
from taxonym.run.spark.confidential import with_owners
from taxonym.run.spark.counts import WholeCounts, records_of
from taxonym.run.spark.figures import Middles, figures
from taxonym.run.spark.kit import WorkerKit
from taxonym.run.spark.rows import RowItems
from taxonym.run.spark.sample import grouping_parts, ranged_parts
from taxonym.run.spark.settle import Settled, wishes
from taxonym.run.spark.units import units_of

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
class BlockFacts:
    """What every block must know of the whole: counts, which concepts may be told and in which words, how units are
    cut, by what the loss is judged, the answers to what blocks asked, and what all draws depend on."""

    facts: WholeCounts
    masks: Sequence[Mask]
    choices: Sequence[Mapping[int, WordChoice]]
    cuts: Mapping[int, Cut]
    middles: Middles
    entropy: Sequence[int]
    answers: Answers

    def shared(self, kit: WorkerKit) -> BlockContext:
        found = [
            Meaning(
                column, kit.words(column.name).tax, self.facts.holders[i], self.masks[i], kit.words(column.name).topics
            )
            for i, column in enumerate(kit.spoken)
        ]
        return BlockContext(kit.plan, found)


# ---------------------------------------------------------------------- into blocks


def leaf_counts(frame: "pl.DataFrame", kit: WorkerKit, facts: WholeCounts, cutters: Mapping[int, Cutter]) -> Long:
    """How many units each leaf has, for each value of `other` that is cut, one after the other."""
    units = {other: some for other, some in _by_other(frame) if other in cutters}
    parts = {other: grouping_parts(some, kit, facts) for other, some in units.items()}
    leaves = [
        cutter.leaves(parts[other], np.arange(units[other].height)) if other in units else np.empty(0, np.int64)
        for other, cutter in cutters.items()
    ]
    sizes = [cutter.tree.leaves for cutter in cutters.values()]
    return np.concatenate([np.bincount(own, minlength=size) for own, size in zip(leaves, sizes, strict=True)])


def routed(frame: "pl.DataFrame", kit: WorkerKit, whole: BlockFacts, items: RowItems) -> "Iterator[pl.DataFrame]":
    """Units with their block, and the terms that they have as numbers."""
    import polars as pl

    for other, some in _by_other(frame):
        parts = grouping_parts(some, kit, whole.facts)
        block = whole.cuts[other].block(parts, np.arange(some.height))
        yield some.with_columns(pl.Series("block", block, pl.Int64), items.said(some))


def _by_other(frame: "pl.DataFrame") -> "Iterator[tuple[int, pl.DataFrame]]":
    for (other, *_), units in frame.partition_by("other", as_dict=True, maintain_order=True).items():
        yield int(other), units


# ---------------------------------------------------------------------- groups, and what they would like to know


def formed(frame: "pl.DataFrame", kit: WorkerKit, whole: BlockFacts) -> "Iterator[pl.DataFrame]":
    """The units of a block in their order, with the piece and the group of each; the first unit of a piece carries what
    its groups ask."""
    import polars as pl

    frame = frame[in_order(records_of(frame, kit), unsigned(frame["rest"].to_numpy())).tolist()]
    shared, method, n = whole.shared(kit), kit.plan.method, frame.height
    parts, rows = grouping_parts(frame, kit, whole.facts), np.arange(frame.height)
    cut, block = whole.cuts[int(frame["other"][0])], int(frame["block"][0])
    pieces = [rows] if cut.cutter is None else cut.cutter.divided(parts, rows, np.ones(n, np.int64), method.k)
    form = grouping_named(method.name).forming(method)
    for number, at in enumerate(pieces, cut.pieces[block - cut.first]):
        found = form_block(parts, at, shared.how, method.k, form, 1)
        units = frame[at.tolist()]
        made = [np.searchsorted(at, group).tolist() for group in found.groups]
        if kit.confidential:
            own = [part.take(at) for part in parts[: len(kit.quasi)]]
            made = merged(sorted(map(sorted, made)), confidential_values(units_of(units, kit)), own, shared.how)
        groups = sorted(map(sorted, made))
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


def width(kit: WorkerKit) -> int:
    """How many concepts a choice has at most that is asked about."""
    return min(kit.plan.method.together, MOST_ASKED)


def questions(frame: "pl.DataFrame", m: int) -> "list[pl.DataFrame]":
    """The choices that are asked about, one a row."""
    import polars as pl

    asked = frame["asked"].drop_nulls().explode().drop_nulls().to_list()
    rows = np.unique(np.array(asked, np.int64).reshape(-1, m), axis=0)
    return [pl.DataFrame(rows, schema={f"c{i}": pl.Int64 for i in range(m)})]


# ---------------------------------------------------------------------- what is published


def wished(frame: "pl.DataFrame", kit: WorkerKit, whole: BlockFacts, items: RowItems) -> "Iterator[pl.DataFrame]":
    """What the groups of every piece would like to publish, and the rows of their units."""
    for piece, key, groups in _pieces(frame):
        asked = np.array(piece["asked"][0], np.int64).reshape(-1, width(kit))
        answers = whole.answers.to(asked)
        chosen = told(whole.shared(kit), records_of(piece, kit), groups, answers) if kit.spoken else []
        units = units_of(piece, kit)
        columns = items.on(kit).columns(units, whole.facts.row_ranges)
        yield from wishes(piece, units, columns, items, groups, chosen, whole.entropy, key)


def published(
    frame: "pl.DataFrame", kit: WorkerKit, whole: BlockFacts, items: RowItems, settled: Settled
) -> "Iterator[pl.DataFrame]":
    """Rows of the release with what is hidden beside them, and for every piece a row that holds nothing but figures."""
    for piece, key, groups in _pieces(frame):
        own = int(piece["other"][0]), int(piece["piece"][0])
        told = [(group, row) for group, row in zip(groups, settled.rows[own], strict=True) if row is not None]
        kept, rows = [group for group, _ in told], [row for _, row in told]
        units = units_of(piece, kit)
        columns, out = items.on(kit).columns(units, whole.facts.row_ranges), np.zeros(len(units), np.bool_)
        out[[unit for group in kept for unit in group]] = True
        released = out[units.rows.owner]
        released[settled.cut.get(own, [])] = False
        chosen = [ColumnRepresentatives([], veiled) for veiled in settled.veiled[own]]
        made = whole_rows(columns, kept, rows, chosen, released, [], [])
        rng, per_record = generator(whole.entropy, key), Microaggregation.of(kit.plan).representative == "per-record"
        words = [
            drawn(choices, kept, column.concepts, rng=rng, per_record=per_record).records
            for choices, column in zip(whole.choices, made.chosen, strict=True)
        ]
        yield from as_rows(piece, kit, whole, items, PublishedGroups(kit.plan, units, made, words), key)


def _pieces(frame: "pl.DataFrame") -> "Iterator[tuple[pl.DataFrame, tuple[int, int], list[list[int]]]]":
    """Every piece with the key of its draws and its groups."""
    for piece in frame.partition_by("block", "piece", maintain_order=True):
        if piece.height != int(piece["size"][0]):
            raise RuntimeError("a piece came apart on its way")
        group_of = piece["group"].to_numpy()
        groups = [np.flatnonzero(group_of == g).tolist() for g in range(int(group_of.max()) + 1)]
        yield piece, (int(unsigned(piece["other"].to_numpy()[:1])[0]), int(piece["piece"][0])), groups


def at_once(frame: "pl.DataFrame", kit: WorkerKit, whole: BlockFacts, items: RowItems) -> "Iterator[pl.DataFrame]":
    """The same of all units that may be published, in one part: so few that blocks would only lose meaning. They are
    grouped and published as the local engine does it where it sees them all at once."""
    frame = frame[in_order(records_of(frame, kit), unsigned(frame["rest"].to_numpy())).tolist()]
    units, plan = units_of(frame, kit), kit.plan
    seed = whole.entropy if plan.method.seed is None else plan.method.seed  # who does it again draws the same
    context = Context(np.random.default_rng(seed))
    outcome = publish(units, microaggregation.formed(units, plan, context), plan, context)
    return as_rows(frame, kit, whole, items.on(kit), outcome, ())


def as_rows(
    frame: "pl.DataFrame",
    kit: WorkerKit,
    whole: BlockFacts,
    items: RowItems,
    outcome: PublishedGroups,
    key: tuple[int, ...],
) -> "Iterator[pl.DataFrame]":
    """Figures, what is known of the units, and the rows of the release. The key names all draws here."""
    import polars as pl

    parts, other = ranged_parts(frame, kit, whole.facts), frame["other"].to_numpy()
    unknown = [frame[f"unknown{i}"].to_numpy() for i, _ in enumerate(kit.spoken)]
    found = figures(kit, parts, whole.facts, outcome, whole.middles, key, other, unknown)
    yield pl.DataFrame({"told": [found.as_text()]})
    yield _units(frame, outcome, key, generator(whole.entropy, (*key, 2)), items)
    if outcome.groups:
        rows, place_of = outcome.units.rows, np.full(frame.height, -1, np.int64)
        place_of[outcome.members] = np.arange(len(outcome.members))
        at = np.flatnonzero(outcome.whole.released & (place_of[rows.owner] >= 0))
        at = at[np.argsort(place_of[rows.owner[at]], kind="stable")]
        record, place = rows.codes[at].astype(np.int64), place_of[rows.owner[at]]
        lots = generator(whole.entropy, (*key, 1)).integers(0, 1 << 62, len(record))
        cells = pl.concat(outcome.batches(record, place))
        made = pl.DataFrame([cells[c.name].alias(f"p{i}") for i, c in enumerate(kit.published)]).with_columns(
            pl.Series("first", (np.diff(place, prepend=-1) > 0).astype(np.int64)), pl.Series("lot", lots)
        )
        persons, group = frame["person"].gather(outcome.members[place]), outcome.group_of[place]
        yield with_owners(made, kit, persons, group, outcome.chosen, generator(whole.entropy, (*key, 4)))


def piece_name(key: Sequence[int]) -> str:
    return ":".join(map(str, key))


def _units(
    frame: "pl.DataFrame", outcome: PublishedGroups, key: Sequence[int], rng: np.random.Generator, items: RowItems
) -> "pl.DataFrame":
    """What is known of every unit: its own concepts and numbers, its group (-1: it is not published), what this shows
    of it, and what its released rows hold."""
    import polars as pl

    group_of = np.full(frame.height, -1, np.int64)
    group_of[outcome.members] = outcome.group_of
    names = [n for n in frame.columns if n in ("other", "content", "person") or n.startswith(("codes", "cell"))]
    shown = [[column.concepts[g] if g >= 0 else [] for g in group_of.tolist()] for column in outcome.chosen]
    return frame.select(names).with_columns(
        pl.lit(piece_name(key)).alias("of"),
        pl.Series("group", group_of),
        pl.Series("lot", rng.integers(0, 1 << 62, frame.height)),
        *(pl.Series(f"shown{i}", lists, pl.List(pl.Int32)) for i, lists in enumerate(shown)),
        held_rows(outcome, items),
        frame["said"] if "said" in frame.columns else items.said(frame),
    )


def held_rows(outcome: PublishedGroups, items: RowItems) -> "pl.Series":
    """What the released rows of every unit hold."""
    rows, released = outcome.units.rows, np.flatnonzero(outcome.whole.released)
    codes = items.rows(outcome.units).take(released)
    each = lists_of("codes", codes.start, ints(codes.codes))
    return lists_of("held", edges(np.bincount(rows.owner[released], minlength=len(rows))), each)

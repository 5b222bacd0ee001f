"""Tables that Spark's workers hold, on the one path of run/pipeline.py: how they are read and published.

encode    rows of whole persons become units where they are, again if the parts tell what none could know alone
count     persons who hold each concept, writers of terms, ranges of numbers: sums of what the parts count
cut       a sample of units says how to cut into blocks; every unit goes to its block
form      blocks form groups, and ask what their own persons do not prove; of few units one worker sees all at once
answer    all persons are looked at once more: who holds what was asked about
publish   blocks choose concepts and words; rows of the release, and sums of what was lost

What goes to the driver: counts, samples as codes, what the groups publish, and the values that are concepts by policy.
See docs/spark.md.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from taxonym.distance.record import Part
from taxonym.errors import BadInput, BrokenPromise
from taxonym.executor.context import Context
from taxonym.group.blocks import CutSize, Cutter
from taxonym.knowledge.arrays import Long
from taxonym.methods import microaggregation as local
from taxonym.methods.blockwise import entropy_of
from taxonym.plan import Microaggregation, Plan
from taxonym.publish.groups import may_be_told
from taxonym.publish.support_queries import Answers
from taxonym.publish.wording import choices_for
from taxonym.records.column import ROLES, meant
from taxonym.records.phrases import OwnPhrase, PhraseWriters, written_by
from taxonym.records.records import FEW_ALIKE, MISSING_VALUE, NO_CONCEPT, nothing_left, too_few
from taxonym.records.table import becomes_set, left_out, united
from taxonym.records.thresholds import Thresholds
from taxonym.run.spark import blocks as work
from taxonym.run.spark import encode as encoding
from taxonym.run.spark.confidential import hidden_fields, printed
from taxonym.run.spark.counts import WholeCounts, counts_of, holders_in
from taxonym.run.spark.encode import PLACE, TableSchema
from taxonym.run.spark.executor import SparkExecutor
from taxonym.run.spark.figures import Middles, together
from taxonym.run.spark.gathered import check_whose, with_gathered, without_sources
from taxonym.run.spark.kit import KnownElsewhere, WorkerKit, packed
from taxonym.run.spark.notes import learned_from
from taxonym.run.spark.published import SAMPLE, PublishedOnSpark
from taxonym.run.spark.rows import ReleasedRows, RowCounts, RowItems
from taxonym.run.spark.sample import Lots, drawn
from taxonym.run.spark.settle import PieceWishes, settled, wish_schema
from taxonym.run.spark.subjects import about_columns
from taxonym.shapes.shape import Published

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

ROWS = 50_000  # in a part, at most about so many
FEWEST = 50  # and at least so many, where there are few
FEW = 3  # why a unit cannot be published, beside those of encode.py: too few have the same `other` columns
ROUNDS = 6  # of learning what parts cannot know alone; three are usual at most


@dataclass(frozen=True, slots=True, eq=False)
class RecordsOnSpark:
    """The units that may be published, on the workers: sizes[o] of them have the hash o of their `other` columns; those
    that may not are `gone`.

    `rows` and `persons` are those of the input, `suppressed` the persons left out by reason, and the table is read in
    so many parts.
    """

    kit: WorkerKit
    sent: "Broadcast[WorkerKit]"
    frame: "DataFrame"
    gone: "DataFrame"
    schema: TableSchema
    parts: int
    sizes: Mapping[int, int]
    rows: int
    persons: int
    suppressed: Mapping[str, int]
    notes: Sequence[str]
    given: Plan  # as it was given; that of the kit is read after sets have been made of columns


class SparkTables:
    """How a DataFrame goes through a run, in the session that it belongs to. `placed` says that its last columns tell
    where each row stands."""

    def __init__(self, executor: SparkExecutor, where: str, placed: bool = False) -> None:
        self.executor, self.where, self.placed = executor, where, placed

    # ------------------------------------------------------------------ read

    def read(self, source: "DataFrame", plan: Plan, context: Context) -> RecordsOnSpark:
        names = list(source.columns[: -len(PLACE)] if self.placed else source.columns)
        check_whose(source, names, plan, self.where)
        given = names
        source, names = with_gathered(source, names, plan, self.where)
        whole, plan = plan, without_sources(plan)
        schema, rows = self._columns(source, names, plan)
        total = rows.count()
        if not total:
            raise BadInput(f"{self.where}: has no rows. Is it the right table?")
        parts = max(1, min(2 * self.executor.width, total // FEWEST), ceil(total / ROWS))
        kit = packed(plan, self.where, os.urandom(32), context.progress)
        with context.step("from words to concepts"):
            kit, sent, units = self._encoded(rows, kit, schema, parts)
        sizes, persons, suppressed = self._may_be_published(units, plan)
        alive, gone = units.where("why = 0"), units.where("why > 0")
        if any(c.role == "other" for c in plan.columns.values()):
            from pyspark.sql import functions as fn

            kept = self.executor.session.createDataFrame([(other,) for other in sizes], "other long")
            few = alive.join(fn.broadcast(kept), "other", "left_anti")
            gone = gone.unionByName(few.select(*gone.columns))
            alive = alive.join(fn.broadcast(kept), "other", "left_semi")
        notes = left_out(given, whole.columns) + [becomes_set(n) for n in plan.columns if n in kit.learned.sets]
        if plan.input.person is not None and plan.input.person_rows == "unite" and persons < total:
            notes.append(united(total, persons))
        return RecordsOnSpark(kit, sent, alive, gone, schema, parts, sizes, total, persons, suppressed, notes, whole)

    def _columns(self, table: "DataFrame", names: list[str], plan: Plan) -> "tuple[TableSchema, DataFrame]":
        """The columns that the plan names, under plain names."""
        import polars as pl

        person = plan.input.person
        wanted = [name for name, c in plan.columns.items() if c.role != ROLES[0]]
        wanted += [person] if person is not None and person not in wanted else []
        for name in dict.fromkeys([*plan.columns, *wanted]):
            if name not in names:
                fix = f"{meant(name, names)} Correct the plan."
                raise BadInput(f"{self.where}: there is no column {name!r} among its {len(names)}.{fix}")
        plain = table.toDF(*(f"x{i}" for i in range(len(table.columns))))
        chosen = [plain[f"x{names.index(name)}"].alias(f"c{i}") for i, name in enumerate(wanted)]
        if self.placed:
            chosen += [plain[f"x{len(names) + i}"].alias(name) for i, name in enumerate(PLACE)]
        rows = plain.select(*chosen)
        empty = pl.DataFrame(rows.limit(0).toArrow())
        return TableSchema(tuple(wanted), tuple(empty[f"c{i}"].dtype for i in range(len(wanted))), self.placed), rows

    def _encoded(
        self, rows: "DataFrame", kit: WorkerKit, shape: TableSchema, parts: int
    ) -> "tuple[WorkerKit, Broadcast[WorkerKit], DataFrame]":
        """Units, kept on the workers, and the kit that knows all that their parts know."""
        import pyarrow as pa

        executor, person = self.executor, kit.plan.input.person
        sent = executor.share(kit)
        if person is not None:
            name = f"c{shape.names.index(person)}"
            schema = rows.limit(0).toArrow().schema
            hidden = schema.set(schema.get_field_index(name), schema.field(name).with_type(pa.string()))
            rows = executor.map(encoding.keyed, rows, sent, shape, step=hidden, in_batches=True)
            rows = rows.repartition(parts, name)
        else:
            rows = rows.repartition(parts)
        kit = about_columns(executor, rows, kit, shape)
        sent = executor.share(kit)
        for _ in range(ROUNDS):
            schema = encoding.unit_schema(kit, shape)
            units = executor.keep(executor.map(encoding.encode, rows, sent, shape, step=schema))
            told = units.where("note is not null").select("note").collect()
            more = learned_from([row["note"] for row in told], self.where)
            if not more and not kit.counts_phrases:
                return kit, sent, units
            units.unpersist()
            if not more:
                more = KnownElsewhere(phrases=self._phrases(rows, kit, sent, shape))
            kit = kit.knowing(kit.learned.joined(more))
            sent = executor.share(kit)
        raise RuntimeError("the parts of the table do not agree")

    def _phrases(
        self, rows: "DataFrame", kit: WorkerKit, sent: "Broadcast[WorkerKit]", shape: TableSchema
    ) -> dict[str, tuple[OwnPhrase, ...]]:
        """The phrases of every column that k persons wrote; no other phrase leaves the workers."""
        from pyspark.sql import functions as fn

        counts = self.executor.map(encoding.phrases, rows, sent, shape, step=encoding.phrase_schema())
        every = counts.groupBy("place", "head", "label").agg(fn.sum("writers").alias("writers"))
        k, found = kit.plan.method.k, dict[str, list[PhraseWriters]]()
        for row in every.where(fn.col("writers") >= k).collect():
            name = kit.spoken[row["place"]].name
            found.setdefault(name, []).append(PhraseWriters(row["head"], row["label"], row["writers"]))
        return {name: written_by(k, some) for name, some in found.items()}

    def _may_be_published(self, units: "DataFrame", plan: Plan) -> tuple[dict[int, int], int, dict[str, int]]:
        """How many units there are with each value of `other`, how many persons in all, and why some are left out:
        what is missing, means nothing, or stands alone."""
        from pyspark.sql import functions as fn

        k = plan.method.k
        alike = units.where("why = 0").groupBy("other").count()
        sizes = {row["other"]: row["count"] for row in alike.where(fn.col("count") >= k).collect()}
        few = alike.where(fn.col("count") < k).select("other", fn.lit(FEW).alias("few"))
        part = units.withColumn("part", fn.spark_partition_id())  # `who` numbers the persons of a part
        part = part.join(fn.broadcast(few), "other", "left")
        part = part.withColumn("why", fn.when(fn.col("why") > 0, fn.col("why")).otherwise(fn.col("few")))
        counted = part.rollup("why").agg(fn.count_distinct("part", "who").alias("n"), fn.grouping("why").alias("all"))
        by_reason = {("all" if row["all"] else row["why"]): row["n"] for row in counted.collect()}
        persons = by_reason["all"]
        reasons = {encoding.MISSING: MISSING_VALUE, encoding.NO_CONCEPT: NO_CONCEPT, FEW: FEW_ALIKE}
        suppressed = {why: by_reason[number] for number, why in reasons.items() if number in by_reason}
        if persons < k:
            raise too_few(self.where, persons, k)
        if not sizes:
            raise nothing_left(self.where, suppressed)
        return sizes, persons, suppressed

    # ------------------------------------------------------------------ publish

    def publish(self, records: RecordsOnSpark, plan: Plan, context: Context) -> Published:
        executor, kit, k = self.executor, records.kit, plan.method.k
        with context.step("who holds what"):
            facts = counts_of(executor, records.frame, kit, records.sent)
        with context.step("into blocks"):
            cuts, sample = self._cuts(records, facts)
        masks, secret = [], Thresholds.of_run(k, plan.method.support_threshold, context.rng)
        for i, column in enumerate(kit.spoken):
            words = kit.words(column.name)
            facts.terms[i].secret = secret
            masks.append(may_be_told(words, facts.holders[i], facts.terms[i], k))
        before = RowCounts(facts.holders, facts.terms, masks)
        items = self._items(records, facts)
        counted = replace(facts, terms=[])  # words to draw are among the choices
        none, entropy = Answers(np.empty((0, 1), np.int64), 0), entropy_of(context.rng)
        whole = work.BlockFacts(counted, masks, [], cuts, Middles.of(kit, sample), entropy, none)
        everywhere = executor.share(facts.everywhere)

        def holders(asked: Long) -> Long:
            sent = records.sent, executor.share(asked), everywhere
            return executor.total(holders_in, records.frame, *sent, size=len(asked)) if len(asked) else asked[:, 0]

        few = all(cut.count == 1 for cut in cuts.values()) and facts.units <= local.EXACT
        if few:
            made = self._at_once(records, whole, items, context)
        else:
            made = self._in_blocks(records, whole, items, before, holders, context)
        with context.step("what the groups publish"):
            told = together(row["told"] for row in made.where("told is not null").select("told").collect())
        if not told.lost:
            raise BrokenPromise(
                f"{self.where}: no group has a concept that {k} persons share, so nothing is left. "
                f"Choose a smaller k or known_items."
            )
        cut = [n for other, n in records.sizes.items() if cuts[other].count > 1]
        most = max((np.count_nonzero(used) for used in facts.used), default=0)
        need = local.memory_of(max(cut, default=0), len(kit.quasi) + kit.learned.several, int(most))
        blocks = local.told_blocks(len(told.keys), told.units, need) if cut else None
        with context.step("confidential values"):
            made = printed(executor, made, kit, records.sent, self._row_schema(records))
        rows = made.where("group >= 0").select("person", "held", "said")
        if plan.input.person is not None:
            rows = rows.repartition(records.parts, "person")
        released = ReleasedRows(executor, executor.keep(rows), kit, records.sent, items, executor.share(items))
        counts = released.counts(before) if told.gone else before
        return PublishedOnSpark(executor, records, facts, released, counts, made, told, sample, blocks)

    def _items(self, records: RecordsOnSpark, facts: WholeCounts) -> RowItems:
        import polars as pl
        import pyarrow as pa

        kit, types = records.kit, encoding.cell_types(records.kit, records.schema)
        whole = [pa.types.is_integer(types[c.name]) or types[c.name] == pa.date32() for c in kit.numbers]
        others = [pl.Series(pa.array([], types[c.name])).dtype for c in kit.kept if c.role == "other"]
        return RowItems(kit, facts.ends, whole, facts.values, others, facts.terms)

    def _cuts(self, records: RecordsOnSpark, facts: WholeCounts) -> tuple[dict[int, work.Cut], list[Part]]:
        """How units are cut into blocks, by hash of their `other` columns, and a sample of all of them."""
        executor, plan, kit, sent = self.executor, records.kit.plan, records.kit, records.sent
        method = Microaggregation.of(plan)
        wanted = {other: CutSize.of(n, method.k, method.block_size) for other, n in sorted(records.sizes.items())}
        always = method.blocks == "always"
        many = [o for o, one in wanted.items() if one.leaves > 1 and (always or records.sizes[o] > local.EXACT)]
        lots = [Lots(None, SAMPLE), *(Lots(other, wanted[other].sample) for other in many)]
        parts, (everybody, *samples) = drawn(executor, records.frame, lots, kit, facts)
        cutters = {
            other: Cutter.of_sample(parts, some, plan.method.compare, wanted[other])
            for other, some in zip(many, samples, strict=True)
        }
        sizes = [cutter.tree.leaves for cutter in cutters.values()]
        shared = sent, executor.share(replace(facts, terms=[])), executor.share(cutters)
        counts = dict[int, Long]()
        if cutters:
            total = executor.total(work.leaf_counts, records.frame, *shared, size=sum(sizes))
            counts = dict(zip(cutters, np.split(total, np.cumsum(sizes[:-1])), strict=True))
        cuts, first = dict[int, work.Cut](), 0
        for other, one in wanted.items():
            if other not in cutters:
                cuts[other] = work.Cut(None, first)
                first += 1
                continue
            joined = cutters[other].tree.joined(counts[other], 2 * method.k)
            in_block = np.bincount(joined, counts[other]).astype(np.int64)
            pieces = np.cumsum([0, *(one.pieces(int(size), method.k) if size else 0 for size in in_block)])
            cuts[other] = work.Cut(cutters[other], first, joined, tuple(pieces.tolist()))
            first += len(in_block)
        return cuts, [part.take(np.sort(everybody)) for part in parts[: len(kit.quasi)]]

    def _at_once(
        self, records: RecordsOnSpark, whole: work.BlockFacts, items: RowItems, context: Context
    ) -> "DataFrame":
        """Rows of the release with what is hidden beside them, all from one worker."""
        sent = records.sent, self.executor.share(whole), self.executor.share(items)
        with context.step(f"groups of at least {records.kit.plan.method.k}, and what they publish"):
            made = self.executor.map(work.at_once, records.frame.repartition(1), *sent, step=self._row_schema(records))
            return self.executor.keep(made)

    def _in_blocks(
        self,
        records: RecordsOnSpark,
        whole: work.BlockFacts,
        items: RowItems,
        before: RowCounts,
        holders: Callable[[Long], Long],
        context: Context,
    ) -> "DataFrame":
        """The same from blocks: they form groups and ask, everybody is counted, they wish, and rows are settled."""
        import pyarrow as pa

        executor, kit, sent = self.executor, records.kit, records.sent
        dropped = ("note", "why", "terms", "meant", "outside", "who")
        needed = [f for f in encoding.unit_schema(kit, records.schema) if not f.name.startswith(dropped)]
        said = pa.field("said", pa.list_(pa.int32()))
        routed, known = pa.schema([pa.field("block", pa.int64()), *needed, said]), executor.share(items)
        more = [("piece", pa.int64()), ("size", pa.int64()), ("group", pa.int64()), ("asked", pa.list_(pa.int64()))]
        grouped, shared = pa.schema([*routed, *(pa.field(*one) for one in more)]), executor.share(whole)
        spread = max(1, min(sum(len(cut.pieces) for cut in whole.cuts.values()), 8 * executor.width, 10_000))
        with context.step(f"groups of at least {kit.plan.method.k}"):
            placed = executor.map(work.routed, records.frame, sent, shared, known, step=routed)
            placed = placed.repartition(spread, "block")
            formed = executor.keep(executor.by_block(work.formed, placed, sent, shared, step=grouped))
            m = work.width(kit)
            names = [f"c{i}" for i in range(m)]
            asking = formed.select("asked").where("asked is not null")
            schema = pa.schema([(name, pa.int64()) for name in names])
            rows = executor.map(work.questions, asking, m, step=schema, in_batches=True).distinct().toArrow()
            asked = np.unique(np.stack([rows[name].to_numpy() for name in names], axis=1), axis=0)
        with context.step("what is held by enough persons"):
            held = Answers(asked[holders(asked) >= kit.plan.method.k], len(whole.facts.everywhere))
        with context.step("the support rule for whole rows"):
            about = sent, executor.share(replace(whole, answers=held)), known
            wishes = executor.keep(executor.map(work.wished, formed, *about, step=wish_schema()))
            told = wishes.where("told is not null").select("told").collect()
            rows = wishes.where("told is null").drop("told")
            if kit.plan.input.person is not None:
                rows = executor.keep(rows.repartition(records.parts, "person"))
            pieces = sorted((PieceWishes.of_text(row["told"]) for row in told), key=lambda one: one.key)
            found = settled(ReleasedRows(executor, rows, kit, sent, items, known), pieces, before)
        choices = []
        for i, column in enumerate(kit.spoken):
            words, terms = kit.words(column.name), found.counts.terms[i]
            known_words = words.tax, found.shown(i), terms, kit.plan.method.k, words.maps_to
            choices.append(choices_for(*known_words, alike=local.words_alike(kit.plan)))
        final = executor.share(replace(whole, choices=choices)), known, executor.share(found.without_counts())
        return self.executor.keep(executor.map(work.published, formed, sent, *final, step=self._row_schema(records)))

    def _row_schema(self, records: RecordsOnSpark) -> "pa.Schema":
        """Figures of pieces, what is known of units, and rows of the release, each in rows of their own."""
        import pyarrow as pa

        kit = records.kit
        types = encoding.cell_types(kit, records.schema)
        kinds = {c.name: pa.string() if c.kind == "nominal" else pa.list_(pa.string()) for c in kit.spoken}
        plain = {"number": pa.float64(), "date": pa.date32()}  # of what is rounded or a mean
        kinds |= {c.name: pa.string() if c.publish == "range" else plain[c.kind] for c in kit.numbers}
        numbers = ("first", "lot", "other", "content", "group")
        codes = pa.list_(pa.int32())
        return pa.schema(
            [
                *((name, pa.string()) for name in ("told", "person", "of")),
                *((name, pa.int64()) for name in numbers),
                *((f"{what}{i}", codes) for what in ("codes", "shown") for i, _ in enumerate(kit.spoken)),
                *((f"cell{j}", types[c.name]) for j, c in enumerate(kit.numbers)),
                ("held", pa.list_(codes)),
                ("said", codes),
                *((f"p{i}", kinds.get(c.name) or types[c.name]) for i, c in enumerate(kit.published)),
                *hidden_fields(kit),
            ]
        )

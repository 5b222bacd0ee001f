"""The order of the steps on Spark, from a DataFrame and a plan to a proved release.

encode    rows of whole persons become units where they are, again if the parts tell what none could know alone
count     persons who hold each concept, writers of terms, ranges of numbers: sums of what the parts count
cut       a sample of units says how to cut into blocks; every unit goes to its block
form      blocks form groups, and ask what their own persons do not prove; few units are one worker's, see at_once.py
answer    all persons are looked at once more: who holds what was asked about
publish   blocks choose concepts and words; rows of the release, and sums of what was lost
prove     everything promised is counted again, over what was written

What goes to the driver: counts, the sample as codes, and the values that are concepts by policy. See docs/spark.md.
"""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from taxonym.errors import BadInput, BrokenPromise
from taxonym.group.blocks import Cutter, Wanted
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.runs import Long
from taxonym.methods import microaggregation as local
from taxonym.methods.blockwise import entropy_of
from taxonym.plan import Microaggregation, Plan, as_plan
from taxonym.promises.classes import Classes
from taxonym.publish.groups import may_be_told
from taxonym.publish.support_queries import Answers
from taxonym.publish.wording import choices_for
from taxonym.records.column import ROLES, meant
from taxonym.records.units import FEW_ALIKE, MISSING_VALUE, NO_CONCEPT, nothing_left, too_few
from taxonym.run.spark import blocks as work
from taxonym.run.spark import encode as encoding
from taxonym.run.spark.at_once import at_once
from taxonym.run.spark.counts import WholeCounts, facts_of, holders_of_choices
from taxonym.run.spark.encode import PLACE, TableSchema
from taxonym.run.spark.errors import check_plan, explained, forgotten
from taxonym.run.spark.figures import SAMPLE, Figures, SampleJudges, together
from taxonym.run.spark.kit import Kit, packed
from taxonym.run.spark.notes import learned_from
from taxonym.run.spark.proof import Holders, check_rows
from taxonym.run.spark.release import SparkRelease
from taxonym.run.spark.report import notes_of, report
from taxonym.run.spark.sample import Lots, drawn

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

ROWS = 50_000  # in a part, at most about so many
FEWEST = 50  # and at least so many, where there are few
FEW = 3  # why a unit cannot be published, beside those of encode.py: too few have the same `other` columns
ROUNDS = 5  # of learning what parts cannot know alone; two are usual at most


def anonymize(
    table: "DataFrame", plan: Plan | Mapping[str, Any] | str | Path, *, progress: Progress = SILENCE
) -> SparkRelease:
    """Make a Spark DataFrame publishable by a plan, in the session that it belongs to.

    The release has the rows that `taxonym.anonymize` gives for the same table, plan and seed, in an order that says
    nothing. Close it when it is written or used.
    """
    return _anonymize(table, as_plan(plan), "the table", progress)


def anonymize_folder(spark: "SparkSession", folder: str, plan: Plan, *, progress: Progress = SILENCE) -> SparkRelease:
    """The same for a Parquet folder, whose files and rows complaints name."""
    with explained(folder):
        table = spark.read.parquet(folder)
        table = table.select("*", "_metadata.file_name", "_metadata.row_index")
    return _anonymize(table, plan, folder, progress, placed=True)


def _anonymize(table: "DataFrame", plan: Plan, where: str, progress: Progress, placed: bool = False) -> SparkRelease:
    check_plan(plan)
    with ExitStack() as stack, explained(where):
        run = Run(table, plan, where, progress, stack, placed)
        made = run.release()
        made.hold(stack.pop_all())
        return made


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Units that may be published: how many there are with each value of `other`, and why persons are left out."""

    sizes: dict[int, int]
    persons: int
    suppressed: dict[str, int]


class Run:
    """One run; what it keeps on the workers is given up when the stack is closed."""

    def __init__(
        self, table: "DataFrame", plan: Plan, where: str, progress: Progress, stack: ExitStack, placed: bool
    ) -> None:
        self.spark, self.context = table.sparkSession, table.sparkSession.sparkContext
        self.plan, self.where, self.progress, self.stack = plan, where, progress, stack
        self.names = list(table.columns[: -len(PLACE)] if placed else table.columns)
        self.shape, self.rows = self._shape(table, placed)
        self.total = self.rows.count()
        if not self.total:
            raise BadInput(f"{where}: has no rows. Is it the right table?")
        self.width = self.context.defaultParallelism
        self.parts = max(1, min(2 * self.width, self.total // FEWEST), ceil(self.total / ROWS))

    # ------------------------------------------------------------------ in

    def _shape(self, table: "DataFrame", placed: bool) -> "tuple[TableSchema, DataFrame]":
        """The columns that the plan names, under plain names."""
        import polars as pl

        person = self.plan.input.person
        wanted = [name for name, c in self.plan.columns.items() if c.role != ROLES[0]]
        wanted += [person] if person is not None and person not in wanted else []
        for name in dict.fromkeys([*self.plan.columns, *wanted]):
            if name not in self.names:
                fix = f"{meant(name, self.names)} Correct the plan."
                raise BadInput(f"{self.where}: there is no column {name!r} among its {len(self.names)}.{fix}")
        plain = table.toDF(*(f"x{i}" for i in range(len(table.columns))))
        chosen = [plain[f"x{self.names.index(name)}"].alias(f"c{i}") for i, name in enumerate(wanted)]
        if placed:
            chosen += [plain[f"x{len(self.names) + i}"].alias(name) for i, name in enumerate(PLACE)]
        rows = plain.select(*chosen)
        empty = pl.from_arrow(rows.limit(0).toArrow())
        assert isinstance(empty, pl.DataFrame)
        return TableSchema(tuple(wanted), tuple(empty[f"c{i}"].dtype for i in range(len(wanted))), placed), rows

    def _sent(self, value: Any) -> "Broadcast[Any]":
        """Something that every worker gets, once."""
        found = self.context.broadcast(value)
        self.stack.callback(forgotten, found.unpersist)
        return found

    def _kept(self, frame: "DataFrame") -> "DataFrame":
        """Something that the workers keep until the end."""
        from pyspark.storagelevel import StorageLevel

        found = frame.persist(StorageLevel.MEMORY_AND_DISK)
        self.stack.callback(forgotten, found.unpersist)
        return found

    # ------------------------------------------------------------------ the steps

    def release(self) -> SparkRelease:
        kit = packed(self.plan, self.where, os.urandom(32), self.progress)
        kit, sent, units = self._encoded(kit)
        found = self._may_be_published(units)
        kept = self._sent(np.array(sorted(found.sizes), np.int64))
        self.progress.start("who holds what")
        facts = facts_of(units, kit, sent, kept)
        self.progress.finish()
        whole = self._cut(units, kit, sent, facts, found, kept)
        everywhere = np.concatenate([np.zeros(0, np.int64), *facts.holders])

        def holders(asked: Long) -> Long:
            return holders_of_choices(units, asked, everywhere, self.plan.method.k, sent, kept)

        cut = any(cut.count > 1 for cut in whole.cuts.values())
        few = not cut and facts.sums["units"] <= local.EXACT
        published = self._published(units, kit, sent, whole, kept, None if few else holders)
        told = together(row["told"] for row in published.where("told is not null").select("told").collect())
        self.progress.finish()
        rows = published.where("first >= 0")
        if not told.records:
            raise BrokenPromise(
                f"{self.where}: no group has a concept that {self.plan.method.k} persons share, so nothing is left. "
                f"Choose a smaller k or known_items."
            )
        columns = [c for c in self.plan.columns.values() if c.role != ROLES[0]]
        names = [f"p{i}" for i in range(len(columns))]

        def check(written: "DataFrame") -> Classes:
            self.progress.start("counting what was written")
            counted = check_rows(written.toDF(*names), rows, kit, sent, facts, holders)
            self.progress.finish()
            return counted

        shuffled = rows.repartition(self.parts, "lot").sortWithinPartitions("lot").select(*names)
        table = shuffled.toDF(*(c.name for c in columns))
        whose = self._persons(published, told)
        return SparkRelease(table, check, lambda classes: self._report(kit, facts, told, classes, found, whose, cut))

    def _encoded(self, kit: Kit) -> "tuple[Kit, Broadcast[Kit], DataFrame]":
        """Units, kept on the workers, and the kit that knows all that their parts know."""
        import pyarrow as pa
        from pyspark.sql.pandas.types import from_arrow_schema

        self.progress.start("from words to concepts")
        rows, sent = self.rows, self._sent(kit)
        if self.plan.input.person is not None:
            name = f"c{self.shape.names.index(self.plan.input.person)}"
            schema = rows.limit(0).toArrow().schema
            hidden = schema.set(schema.get_field_index(name), schema.field(name).with_type(pa.string()))
            rows = rows.mapInArrow(encoding.keyed(sent, self.shape, hidden), from_arrow_schema(hidden))
            rows = rows.repartition(self.parts, name)
        else:
            rows = rows.repartition(self.parts)
        for _ in range(ROUNDS):
            schema = encoding.unit_schema(kit, self.shape)
            units = rows.mapInArrow(encoding.encode(sent, self.shape, schema), from_arrow_schema(schema))
            units = self._kept(units)
            more = learned_from(
                [row["note"] for row in units.where("note is not null").select("note").collect()], self.where
            )
            if not more:
                self.progress.finish()
                return kit, sent, units
            units.unpersist()
            kit = kit.knowing(kit.learned.joined(more))
            sent = self._sent(kit)
        raise RuntimeError("the parts of the table do not agree")

    def _may_be_published(self, units: "DataFrame") -> Placed:
        """Whose records must be left out: what is missing, means nothing, or stands alone."""
        from pyspark.sql import functions as fn

        k = self.plan.method.k
        part = units.withColumn("part", fn.spark_partition_id())  # `who` numbers the persons of a part
        if any(c.role == "other" for c in self.plan.columns.values()):
            alike = units.where("why = 0").groupBy("other").count()
            sizes = {row["other"]: row["count"] for row in alike.where(fn.col("count") >= k).collect()}
            few = alike.where(fn.col("count") < k).select("other", fn.lit(FEW).alias("few"))
            part = part.join(fn.broadcast(few), "other", "left")
            part = part.withColumn("why", fn.when(fn.col("why") > 0, fn.col("why")).otherwise(fn.col("few")))
        else:
            sizes = {0: units.where("why = 0").count()}
            sizes = {other: n for other, n in sizes.items() if n >= k}
            part = part.withColumn(
                "why", fn.when(fn.lit(not sizes) & (fn.col("why") == 0), FEW).otherwise(fn.col("why"))
            )
        counted = part.rollup("why").agg(fn.count_distinct("part", "who").alias("n"), fn.grouping("why").alias("all"))
        by_reason = {("all" if row["all"] else row["why"]): row["n"] for row in counted.collect()}
        persons = by_reason["all"]
        reasons = {encoding.MISSING: MISSING_VALUE, encoding.NO_CONCEPT: NO_CONCEPT, FEW: FEW_ALIKE}
        suppressed = {why: by_reason[number] for number, why in reasons.items() if number in by_reason}
        if persons < k:
            raise too_few(self.where, persons, k)
        if not sizes:
            raise nothing_left(self.where, suppressed)
        return Placed(sizes, persons, suppressed)

    def _cut(
        self,
        units: "DataFrame",
        kit: Kit,
        sent: "Broadcast[Kit]",
        facts: WholeCounts,
        found: Placed,
        kept: "Broadcast[NDArray[np.int64]]",
    ) -> work.Whole:
        """How units are cut into blocks, and what blocks must know."""
        method, how = Microaggregation.of(self.plan), self.plan.method.compare
        self.progress.start("into blocks")
        wanted = {other: Wanted.of(n, method.k, method.block_size) for other, n in sorted(found.sizes.items())}
        always = method.blocks == "always"
        many = [
            other for other, one in wanted.items() if one.leaves > 1 and (always or found.sizes[other] > local.EXACT)
        ]
        lots = [Lots(None, SAMPLE), *(Lots(other, wanted[other].sample) for other in many)]
        parts, (everybody, *samples) = drawn(units, lots, kit, facts, kept)
        cutters = {
            other: Cutter.of_sample(parts, sample, how, wanted[other])
            for other, sample in zip(many, samples, strict=True)
        }
        counts = {other: np.zeros(cutter.tree.leaves, np.int64) for other, cutter in cutters.items()}
        if cutters:
            leaves = work.leaf_counts(sent, self._sent(replace(facts, terms=[])), self._sent(cutters), kept)
            for row in units.mapInArrow(leaves, "other long, leaf long, n long").collect():
                counts[row["other"]][row["leaf"]] += row["n"]
        cuts, first = {}, 0
        for other, one in wanted.items():
            if other not in cutters:
                cuts[other] = work.Cut(None, first)
                first += 1
                continue
            joined = cutters[other].tree.joined(counts[other], 2 * method.k)
            sizes = np.bincount(joined, counts[other]).astype(np.int64)
            pieces = np.cumsum([0, *(one.pieces(int(size), method.k) if size else 0 for size in sizes)])
            cuts[other] = work.Cut(cutters[other], first, joined, tuple(pieces.tolist()))
            first += len(sizes)
        masks, choices = [], []
        for i, column in enumerate(kit.spoken):
            words = kit.words(column.name)
            masks.append(may_be_told(words, facts.holders[i], facts.terms[i], method.k))
            codes = np.flatnonzero(masks[i] & (facts.holders[i] >= method.k)).tolist()
            choices.append(choices_for(words.tax, codes, facts.terms[i], method.k, words.maps_to))
        self.progress.finish()
        entropy = entropy_of(np.random.default_rng(method.seed))
        judges = SampleJudges.of(kit, parts, everybody)
        counted = replace(facts, terms=[])  # words to draw are among the choices
        return work.Whole(counted, masks, choices, cuts, judges, entropy, Answers(np.empty((0, 1), np.int64), 0))

    def _published(
        self,
        units: "DataFrame",
        kit: Kit,
        sent: "Broadcast[Kit]",
        whole: work.Whole,
        kept: "Broadcast[NDArray[np.int64]]",
        holders: Holders | None,
    ) -> "DataFrame":
        """Rows of the release with what is hidden beside them, kept on the workers. Without anybody to ask for holders,
        one worker has all units."""
        import pyarrow as pa
        from pyspark.sql.pandas.types import from_arrow_schema

        told, rows = self._sent(whole), self._row_schema(kit)
        if holders is None:
            self.progress.start(f"groups of at least {self.plan.method.k}, and what they publish")
            together = units.where("why = 0").repartition(1)
            return self._kept(together.mapInArrow(at_once(sent, told, kept, rows), from_arrow_schema(rows)))
        schema = encoding.unit_schema(kit, self.shape)
        dropped = ("note", "why", "content", "terms", "meant", "unknown", "outside", "who")
        needed = [field for field in schema if not field.name.startswith(dropped)]
        routed = pa.schema([pa.field("block", pa.int64()), *needed])
        blocks = sum(len(cut.pieces) for cut in whole.cuts.values())
        spread = max(1, min(blocks, 8 * self.width, 10_000))
        placed = units.mapInArrow(work.routed(sent, told, kept, routed), from_arrow_schema(routed))
        more = [("piece", pa.int64()), ("size", pa.int64()), ("group", pa.int64()), ("asked", pa.list_(pa.int64()))]
        grouped = pa.schema([*routed, *(pa.field(*one) for one in more)])
        self.progress.start(f"groups of at least {self.plan.method.k}")
        formed = placed.repartition(spread, "block").groupBy("block")
        formed_ = self._kept(formed.applyInArrow(work.formed(sent, told, grouped), from_arrow_schema(grouped)))
        asked = self._asked(formed_, kit)
        self.progress.start("what is held by enough persons")
        answers = Answers(asked[holders(asked) >= self.plan.method.k], sum(map(len, whole.facts.holders)))
        self.progress.start("what the groups publish")
        final = self._sent(replace(whole, answers=answers))
        published = formed_.mapInArrow(work.published(sent, final, rows), from_arrow_schema(rows))
        return self._kept(published)

    def _asked(self, formed: "DataFrame", kit: Kit) -> Long:
        """The choices that blocks ask about, each once, in order."""
        m = work.width(kit)
        names = [f"c{i}" for i in range(m)]
        rows = formed.select("asked").where("asked is not null")
        every = rows.mapInArrow(work.questions(m), ", ".join(f"{n} long" for n in names)).distinct().toArrow()
        if not len(every):
            return np.empty((0, m), np.int64)
        return np.unique(np.stack([every[name].to_numpy() for name in names], axis=1), axis=0)

    def _row_schema(self, kit: Kit) -> "pa.Schema":
        import pyarrow as pa

        types = encoding.cell_types(kit, self.shape)
        kinds = {c.name: pa.string() if c.kind == "nominal" else pa.list_(pa.string()) for c in kit.spoken}
        columns = [name for name, c in self.plan.columns.items() if c.role != ROLES[0]]
        hidden = [("told", pa.string()), ("first", pa.int64()), ("lot", pa.int64()), ("person", pa.string())]
        return pa.schema([*hidden, *((f"p{i}", kinds.get(n) or types[n]) for i, n in enumerate(columns))])

    # ------------------------------------------------------------------ out

    def _persons(self, published: "DataFrame", told: Figures) -> tuple[int, int]:
        """How many persons are published, and how many have something that is not, because their group has nothing."""
        from pyspark.sql import functions as fn

        if self.plan.input.person is None:
            return told.records, told.lost
        counted = published.where("first is not null").groupBy((fn.col("first") >= 0).alias("out"))
        found = {row["out"]: row["n"] for row in counted.agg(fn.count_distinct("person").alias("n")).collect()}
        return found.get(True, 0), found.get(False, 0)

    def _report(
        self,
        kit: Kit,
        facts: WholeCounts,
        told: Figures,
        classes: Classes,
        found: Placed,
        whose: tuple[int, int],
        cut: bool,
    ) -> dict[str, Any]:
        published, lost = whose
        suppressed = found.suppressed | ({local.NO_SHARED: lost} if lost else {})
        notes = notes_of(self.plan, self.names, kit.learned.sets, self.total, found.persons)
        totals = {"rows": self.total, "persons": found.persons, "published": published}
        return report(kit, facts, told, classes, suppressed, totals, notes, cut).as_data("pyspark")

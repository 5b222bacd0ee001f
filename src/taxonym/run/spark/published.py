"""What Spark's workers have published, as the pipeline asks for it: proof, loss, linkage and report.

Sums are exact. What would need all pairs of records is found from a sample: distances to the middle of the data and to
a random record, what attributes lose, and linkage, which says so itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.attack.everybody import linked, most_linked
from taxonym.attack.linkage import alike
from taxonym.attack.published import PublishedKinds
from taxonym.distance.record import Part, Sets, Values
from taxonym.errors import BadPlan
from taxonym.executor.context import Context
from taxonym.knowledge.arrays import Long
from taxonym.measure.cohesion import CANDIDATES, published_measures
from taxonym.measure.groups import about_groups
from taxonym.measure.loss import columns_to_random, to_random, told_loss
from taxonym.methods.microaggregation import NO_SHARED
from taxonym.methods.published_groups import about_attributes
from taxonym.methods.survival import ColumnSurvival
from taxonym.plan import Plan
from taxonym.promises.check import check_table
from taxonym.promises.classes import Classes
from taxonym.records.order import in_order
from taxonym.records.support import Holders
from taxonym.report.branches import ConceptHolders
from taxonym.report.builder import ColumnCounts, RunCounts, report
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.run.spark.arrow import sets_of, unsigned
from taxonym.run.spark.blocks import piece_name
from taxonym.run.spark.confidential import confidential_notes, confidential_warnings, shown_on_spark
from taxonym.run.spark.counts import WholeCounts, records_of
from taxonym.run.spark.executor import SparkExecutor
from taxonym.run.spark.figures import BlockFigures
from taxonym.run.spark.file_order import sorted_rows
from taxonym.run.spark.kit import WorkerKit
from taxonym.run.spark.proof import WrittenRows
from taxonym.run.spark.rows import ReleasedRows, RowCounts
from taxonym.run.spark.sample import half_of, ranged_parts
from taxonym.run.spark.survival import survival_on_spark
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.shape import Published

if TYPE_CHECKING:
    import polars as pl
    from pyspark.sql import DataFrame

    from taxonym.run.spark.table import RecordsOnSpark

SAMPLE = 1_000  # records that stand for all, where the middle of the data is looked for and a random record is drawn


@dataclass(frozen=True, eq=False)
class SampledRecords:
    """Some units with the groups that they are in (-1: none) and a number for their `other` columns."""

    parts: list[Part]
    group_of: Long
    other: Long


@dataclass(frozen=True, eq=False)
class PublishedOnSpark(Published):
    """What groups of units publish, kept on the workers: `made` has the rows of the release and what is known of the
    units, `told` the figures of all pieces, `sample` some units as distances see them."""

    executor: SparkExecutor
    units: "RecordsOnSpark"
    facts: WholeCounts
    released: ReleasedRows
    counts: RowCounts
    made: "DataFrame"
    told: BlockFigures
    sample: list[Part]
    blocks: dict[str, Any] | None

    @property
    def kit(self) -> WorkerKit:
        return self.units.kit

    @property
    def plan(self) -> Plan:
        return self.units.kit.plan

    @property
    def packages(self) -> Sequence[str]:
        return ("pyspark",)

    @property
    def groups(self) -> list[list[int]]:
        raise BadPlan("groups: on Spark nobody but the workers knows whose row is whose. Leave --engine spark out.")

    def trail(self) -> dict[str, Any]:
        raise BadPlan("trail: on Spark nobody but the workers knows whose row is whose. Leave --engine spark out.")

    # ------------------------------------------------------------------ the table, and its proof

    def batches(self) -> "DataFrame":
        names, rows = [f"p{i}" for i, _ in enumerate(self.kit.published)], self.made.where("first is not null")
        for name in self._whole:
            rows = rows.withColumn(name, rows[name].cast("long"))
        if self.plan.output.rows == "shuffled":
            rows = rows.repartition(self.units.parts, "lot").sortWithinPartitions("lot").select(*names)
        else:
            rows = sorted_rows(rows.select(*names), self.kit.published)
        return rows.toDF(*(column.name for column in self.kit.published))

    @cached_property
    def _whole(self) -> list[str]:
        """The columns of rounded numbers and means that are all whole."""
        from pyspark.sql import functions as fn

        plain = {
            f"p{i}": 1e12 if c.publish == "mean" else 2.0**63  # means beyond are written with an exponent
            for i, c in enumerate(self.kit.published)
            if c.role == "quasi-identifier" and c.kind == "number" and c.publish != "range"
        }
        if not plain:
            return []
        broken = [
            fn.max((fn.col(name) != fn.floor(name)) | (fn.abs(name) >= most)).alias(name)
            for name, most in plain.items()
        ]
        found = self.made.where("first is not null").agg(*broken).first()
        assert found is not None
        return [name for name in plain if not found[name]]

    def check(self, written: "DataFrame") -> Classes:
        names, meant = [f"p{i}" for i, _ in enumerate(self.kit.published)], self.made.where("first is not null")
        about = self.executor, self.kit, self.units.sent, self.released, self.counts
        return check_table(self.plan, WrittenRows(written.toDF(*names), meant, *about))

    def codebook(self) -> Codebook | None:
        from pyspark.sql import functions as fn

        said, table = {}, self.batches()
        for column in self.kit.spoken:
            name, words = column.name, self.kit.words(column.name)
            cells = fn.col(f"`{name.replace('`', '``')}`")
            rows = table.select((cells if column.kind == "nominal" else fn.explode(cells)).alias("word"))
            found = rows.where("word is not null").distinct().toArrow()
            said[name] = found["word"].to_pylist(), words.tax, words.maps_to
        return Codebook.of(said) if said else None

    # ------------------------------------------------------------------ what was lost

    def loss(self, context: Context) -> dict[str, Any]:
        told, how = self.told, self.plan.method.judge
        found = told_loss(how, told.losses, to_random(self.sample, how, context.rng), told.average)
        means = {c.name: total / told.losses[0].records for c, total in zip(self.kit.quasi, told.columns, strict=True)}
        after = np.zeros(len(told.lost))
        for column in told.concepts:
            after += [len(codes) for codes in column]
        groups = self.sizes, np.array(told.lost), np.array(told.had), after
        found |= {"columns": means, **about_groups(*groups, self.plan.method.k, True)}
        by_lot = columns_to_random(self.sample, how, context.rng.spawn(1)[0])
        found["columns_to_a_random_record"] = dict(zip(means, by_lot, strict=True))
        if self._by_attributes:
            found["attributes"] = self._attributes()
        return found

    def survival(self, context: Context) -> list[ColumnSurvival]:
        return survival_on_spark(self, context.rng.spawn(1)[0])

    @property
    def _by_attributes(self) -> bool:
        return about_attributes(self.plan, any(self.kit.topics[c.name] is not None for c in self.kit.spoken))

    def _attributes(self) -> dict[str, Any]:
        """Cohesion and IL of every column of words [ImranDaud2022, eq. 10-13], of some units."""
        some, how = self._some, self.plan.method.judge
        number = np.unique(some.group_of[some.group_of >= 0])
        groups = [np.flatnonzero(some.group_of == g).tolist() for g in number.tolist()]
        return {
            column.name: published_measures(part, shown.take(number), groups, how)
            for column, part, shown in zip(self.kit.quasi, some.parts, self.published, strict=True)
            if isinstance(part, Sets) and isinstance(shown, Sets)
        }

    @cached_property
    def sizes(self) -> Long:
        """Of all groups."""
        return np.array([size for sizes in self.told.sizes for size in sizes], np.int64)

    @cached_property
    def published(self) -> list[Part]:
        """What the groups publish, as distances see it: record g is that of group g."""
        concepts, made = iter(self.told.concepts), list[Part]()
        numbers = zip(self.told.numbers, self.told.reach, strict=True)
        for column in self.kit.quasi:
            if column.kind in ("number", "date"):
                half = half_of(self.facts.ranges[[c.name for c in self.kit.numbers].index(column.name)])
                middle, reach = (np.array(ends, np.float64) for ends in next(numbers))
                made.append(Values(middle, half, column.weight, reach))
            else:
                made.append(Sets.of(next(concepts), self.kit.words(column.name).tax, column.weight))
        return made

    @cached_property
    def _some(self) -> SampledRecords:
        """As many units as linkage and what attributes lose are found from, by lot; all where there are few."""
        import polars as pl

        none = np.empty(0, np.int64)
        linkable = most_linked(self.published, len(self._shown(none, none)), self.plan.method.judge)
        most = max(linkable, CANDIDATES if self._by_attributes else 0)
        rows = self.made.where("group is not null").orderBy("lot").limit(most)
        names = [f"codes{i}" for i, _ in enumerate(self.kit.spoken)] + [
            f"cell{j}" for j, _ in enumerate(self.kit.numbers)
        ]
        frame = pl.DataFrame(rows.select("other", "content", "of", "group", *names).toArrow())
        frame = frame[in_order(records_of(frame, self.kit), unsigned(frame["content"].to_numpy())).tolist()]
        first = np.cumsum([0, *map(len, self.told.sizes)])
        start = {piece_name(key): at for key, at in zip(self.told.keys, first.tolist(), strict=False)}
        group = frame["group"].to_numpy()
        begin = np.array([start[of] for of in frame["of"].to_list()], np.int64)
        return SampledRecords(
            ranged_parts(frame, self.kit, self.facts),
            np.where(group >= 0, group + begin, -1),
            frame["other"].to_numpy(),
        )

    # ------------------------------------------------------------------ what an intruder finds

    def linkage(self, context: Context) -> dict[str, Any]:
        from pyspark.sql import functions as fn

        some = self._some
        shown, how = self._shown(some.other, some.group_of), self.plan.method.judge
        most, rows = most_linked(some.parts, len(shown), how), np.flatnonzero(some.group_of >= 0)
        rows = np.sort(context.rng.permutation(rows)[:most])
        own = self.made.where("group >= 0").agg(fn.count_distinct("other", "content")).first()
        assert own is not None
        about = how, self.plan.method.k, self.told.losses[0].records, self.whose[0], own[0]
        return linked(shown, some.parts, rows, *about, context.progress)

    def _shown(self, other: Long, group_of: Long) -> PublishedKinds:
        """What an intruder sees who knows units with these `other` columns, which are in these groups."""
        every, block = np.unique(np.array(self.told.other, np.int64), return_inverse=True)
        kind, mine = alike(block, self.published), np.searchsorted(every, other)
        size = np.bincount(kind, self.sizes).astype(np.int64)  # a person has one unit in a block at most
        return PublishedKinds.of_groups(block.astype(np.int64), self.published, kind, size, mine, group_of)

    @cached_property
    def whose(self) -> tuple[int, int]:
        """How many persons are published, and how many have something that is not, because their group has nothing."""
        from pyspark.sql import functions as fn

        units = self.made.where("group is not null").groupBy((fn.col("group") >= 0).alias("out"))
        whose = fn.count("*") if self.plan.input.person is None else fn.count_distinct("person")
        found = {row["out"]: row["n"] for row in units.agg(whose.alias("n")).collect()}
        return found.get(True, 0), found.get(False, 0)

    # ------------------------------------------------------------------ the report

    def report(self, guard: Disclosure, proof: Classes, loss: dict[str, Any], linkage: dict[str, Any] | None) -> Report:
        units, facts, (published, lost) = self.units, self.facts, self.whose
        notes = list(units.notes)
        if len(self.sample[0]) < facts.units:
            notes.append(
                f"Made on Spark: distances to a random record and to the middle of the data are those to {SAMPLE:,} "
                f"records that stand for all."
            )
        if self._by_attributes and len(self._some.group_of) < facts.units:
            notes.append(f"Made on Spark: what attributes lost is that of {len(self._some.group_of):,} records.")
        counts = RunCounts(
            units.given,
            rows=units.rows,
            persons=units.persons,
            units=facts.units,
            holders=facts.persons,
            published=published,
            suppressed={**units.suppressed, **({NO_SHARED: lost} if lost else {})},
            sizes=self.sizes,
            columns=self._columns(),
            notes=notes,
            blocks=self.blocks,
            cut=self.told.cut,
            counted=confidential_notes(self.made, self.kit),
            shown=shown_on_spark(self.made, self.kit),
            warnings=confidential_warnings(self.made, self.kit),
        )
        return report(guard, counts, loss, proof, linkage)

    def _columns(self) -> list[ColumnCounts]:
        kit, facts, told, counts = self.kit, self.facts, self.told, self.counts
        after, found = self._held(), []
        for i, column in enumerate(kit.spoken):
            topics, words = kit.topics[column.name], kit.words(column.name)
            named = [] if topics is None else [topic.name for topic in topics.topics]
            shown = np.unique(np.array([code for codes in told.concepts[i] for code in codes], np.int64))
            known, unknown, outside = facts.said[i].tolist()
            found.append(
                ColumnCounts(
                    ConceptHolders(
                        words,
                        counts.terms[i],
                        counts.masks[i],
                        counts.holders[i],
                        shown,
                        counts.holders[i].tolist().__getitem__,
                        after[i],
                    ),
                    known=known,
                    unknown=unknown,
                    outside=outside,
                    concepts=int(facts.used[i].sum()),
                    published=sum(map(len, told.concepts[i])),
                    veiled=told.veiled[i],
                    topics=dict(zip(named, facts.topics[i].tolist(), strict=True)),
                )
            )
        return found

    def _held(self) -> "list[Callable[[int], int]]":
        """By column how many persons hold a concept in what is published of them."""
        rows = self.made.where("group >= 0")
        if self.plan.input.person is not None:  # who has several units counts once
            rows = rows.repartition(self.units.parts, "person")
        sizes = [len(tax) for tax in self.kit.taxonomies()]
        sums = self.executor.total(_held_in, rows, self.units.sent, size=sum(sizes))
        return [counts.tolist().__getitem__ for counts in np.split(sums, np.cumsum(sizes[:-1]))]


def _held_in(frame: "pl.DataFrame", kit: WorkerKit) -> Long:
    """The persons of a part who hold each concept of every column in what is published of them."""
    persons = np.arange(frame.height)
    if kit.plan.input.person is not None:
        persons = np.unique(frame["person"].to_numpy(), return_inverse=True)[1].astype(np.int64)
    found = [Holders(sets_of(frame[f"shown{i}"], tax), persons).counts for i, tax in enumerate(kit.taxonomies())]
    return np.concatenate([np.zeros(0, np.int64), *found])

"""What is counted over a release that Spark wrote: classes and persons, words, and choices of concepts.

The rows of a file do not say whose they are; so every class of the written rows is compared with the same class of the
rows that were meant to be written, which do: as many rows in both, and so many persons. What must hold of these counts
is the business of promises.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from taxonym.errors import BadInput
from taxonym.promises.classes import Classes, concepts_of, may_be_printed, owned_too_much
from taxonym.run.spark.executor import SparkExecutor
from taxonym.run.spark.kit import WorkerKit
from taxonym.run.spark.rows import ReleasedRows, RowCounts, RowItems

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

WordColumn = dict[str, int]  # which column of words each column of the written rows is


@dataclass(frozen=True, eq=False)
class WrittenRows:
    """Written rows p0, p1, … as a WrittenRelease; `meant` has the same columns, `person`, and `first`: 1 for the first
    row of each unit. `released` says how many persons hold each of some choices, and `counts` has the terms they wrote.
    """

    written: "DataFrame"
    meant: "DataFrame"
    executor: SparkExecutor
    kit: WorkerKit
    sent: "Broadcast[WorkerKit]"
    released: ReleasedRows
    counts: RowCounts
    where: str = "the release"

    @property
    def original(self) -> bool:
        return bool(self.words or self.cells)

    @property
    def cells(self) -> list[str]:
        """The columns of ranges and kept cells."""
        items = self.released.items
        own = {self.kit.numbers[j].name for j in items.scaled} | {column.name for column in items.others}
        return [f"p{i}" for i, column in enumerate(self.kit.published) if column.name in own]

    @cached_property
    def words(self) -> WordColumn:
        spoken = {c.name: i for i, c in enumerate(self.kit.spoken)}
        return {f"p{i}": spoken[c.name] for i, c in enumerate(self.kit.published) if c.name in spoken}

    def classes(self, k: int, by_concept: bool) -> Classes:
        from pyspark.sql import functions as fn

        open_ = [f"p{i}" for i, c in enumerate(self.kit.published) if c.role != "confidential"]
        nobody, whose = fn.lit(None).cast("string"), fn.col("person")
        marks = (
            (self.written, fn.lit(1), fn.lit(0), fn.lit(0), nobody),
            (self.meant, fn.lit(0), fn.lit(1), fn.col("first"), whose),
        )
        written, meant = (
            some.select(*open_, w.alias("w"), m.alias("m"), first.cast("long").alias("first"), person.alias("person"))
            for some, w, m, first, person in marks
        )
        rows = written.unionByName(meant)
        if by_concept:
            schema = _coded(rows.limit(0).toArrow().schema, self.words)
            rows = self.executor.map(_as_concepts, rows, self.sent, self.words, step=schema, in_batches=True)
        sums = [fn.sum(name).alias(name) for name in ("w", "m")]
        named = self.kit.plan.input.person is not None  # who has several units in a class is one person
        sums.append((fn.count_distinct("person") if named else fn.sum("first")).alias("first"))
        classes = self.executor.keep(rows.groupBy(*open_).agg(*sums) if open_ else rows.agg(*sums))
        owned = self._owned(rows.where("m = 1"), open_, k) if self.kit.plan.input.keeps_rows else 0
        found = classes.agg(
            fn.sum("w").alias("rows"),
            fn.count("*").alias("classes"),
            fn.min("first").alias("smallest"),
            fn.sum((fn.col("first") < k).cast("long")).alias("below"),
            fn.sum((fn.col("w") != fn.col("m")).cast("long")).alias("other"),
        ).first()
        assert found is not None
        if found["other"]:
            raise BadInput(
                "the release: what Spark wrote is not what it reads, so nothing was published. Do all workers and this "
                "machine see the same folder?"
            )
        told = classes.groupBy("w").count().collect()
        sizes = tuple(sorted((int(row["w"]), int(row["count"])) for row in told))
        classes.unpersist()
        counts = found["rows"], found["classes"], found["smallest"], found["below"]
        return Classes(*counts, k, "persons", sizes=sizes, broken=owned_too_much(owned, k))

    def _owned(self, rows: "DataFrame", open_: list[str], k: int) -> int:
        """How many classes have a person with more than 1/k of their rows."""
        from pyspark.sql import functions as fn

        own = rows.groupBy(*open_, "person").agg(fn.count("*").alias("own"))
        most = own.groupBy(*open_).agg(fn.max("own").alias("most"), fn.sum("own").alias("all"))
        return most.where(fn.col("most") * k > fn.col("all")).count()

    def combinations(self, k: int, m: int) -> Classes:
        raise TypeError("combinations of items are not counted on Spark")

    def rare_choices(self, k: int, m: int, distinct: bool) -> int:
        """A choice of m concepts is rare or all of its parts are not, so that only the largest are counted."""
        if distinct:
            raise TypeError("generalisation is not done on Spark")
        import pyarrow as pa

        schema = pa.schema([(f"c{i}", pa.int64()) for i in range(m)])
        rows = self.written.select(*self.words, *self.cells).distinct()
        about = self.sent, self.released.shared, self.words, m
        chosen = self.executor.map(_choices, rows, *about, step=schema).distinct().toArrow()
        asked = np.stack([chosen[name].to_numpy() for name in schema.names], axis=1)
        return int(np.count_nonzero(self.released.holders([tuple(one[one >= 0].tolist()) for one in asked]) < k))

    def rare_words(self, k: int) -> int:
        """Words go to the driver, who knows the terms that k persons wrote: the release publishes them anyway."""
        import pyarrow as pa

        schema = pa.schema([("place", pa.int64()), ("word", pa.string())])
        rows = self.written.select(*self.words)
        found = self.executor.map(_words, rows, self.words, step=schema, in_batches=True).distinct().toArrow()
        columns, terms = [self.kit.words(column.name) for column in self.kit.spoken], self.counts.terms
        printed = zip(found["place"].to_pylist(), found["word"].to_pylist(), strict=True)
        return sum(not may_be_printed(word, columns[i], terms[i], k) for i, word in printed)


def _cells(frame: "pl.DataFrame", name: str) -> list[list[str]]:
    """The words of every row in a column."""
    return [[] if cell is None else [cell] if isinstance(cell, str) else cell for cell in frame[name].to_list()]


def _codes(frame: "pl.DataFrame", kit: WorkerKit, words: WordColumn) -> dict[str, list[tuple[int, ...]]]:
    """What the words of every row mean, column by column."""
    return {n: concepts_of(_cells(frame, n), kit.words(kit.spoken[i].name).maps_to) for n, i in words.items()}


def _coded(schema: "pa.Schema", words: WordColumn) -> "pa.Schema":
    import pyarrow as pa

    return pa.schema([(f.name, pa.list_(pa.int64()) if f.name in words else f.type) for f in schema])


def _as_concepts(frame: "pl.DataFrame", kit: WorkerKit, words: WordColumn) -> "list[pl.DataFrame]":
    """Codes in the place of words: what is equal for the promise "k by concept"."""
    import polars as pl

    codes = _codes(frame, kit, words)
    return [frame.with_columns(pl.Series(name, found, pl.List(pl.Int64)) for name, found in codes.items())]


def _choices(frame: "pl.DataFrame", kit: WorkerKit, items: RowItems, words: WordColumn, m: int) -> "list[pl.DataFrame]":
    """The choices of m concepts of some rows, or of all where these are fewer."""
    import polars as pl

    found, first = set[tuple[int, ...]](), items.on(kit).first
    meant = dict(zip(words.values(), _codes(frame, kit, words).values(), strict=True))
    for i, (texts, maps_to) in enumerate(items.published(frame), len(kit.spoken)):
        meant[i] = concepts_of(texts, maps_to)
    for parts in zip(*meant.values(), strict=True):
        codes = sorted(int(c + first[i]) for part, i in zip(parts, meant, strict=True) for c in part)
        size = min(m, len(codes))
        found.update((*some, *[-1] * (m - size)) for some in combinations(codes, size) if some)
    return [pl.DataFrame(sorted(found), schema={f"c{i}": pl.Int64 for i in range(m)}, orient="row")]


def _words(frame: "pl.DataFrame", words: WordColumn) -> "list[pl.DataFrame]":
    """The different words of some rows, by their columns."""
    import polars as pl

    said = {(i, word) for name, i in words.items() for cell in _cells(frame, name) for word in cell}
    return [pl.DataFrame(sorted(said), schema={"place": pl.Int64, "word": pl.String}, orient="row")]

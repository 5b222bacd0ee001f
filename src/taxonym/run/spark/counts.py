"""Counts over all persons, as sums of what the parts of the table count for themselves.

A part has whole persons, so that sums over parts count nobody twice. Terms that fewer than k persons wrote stay on the
workers.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import Runs
from taxonym.methods.blockwise import holders_of
from taxonym.records.cells import as_numbers
from taxonym.records.support import Holders
from taxonym.records.terms import Term, Terms
from taxonym.report.builder import topic_counts
from taxonym.run.spark.arrow import runs_of, sets_of
from taxonym.run.spark.executor import SparkExecutor
from taxonym.run.spark.kit import WorkerKit

if TYPE_CHECKING:
    import polars as pl
    from pyspark import Broadcast
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True, eq=False)
class WholeCounts:
    """What is known of all units that may be published, and of the persons whose they are.

    Of column i of words holders[i] counts the persons who hold each concept, used[i] the units that have it, said[i]
    the phrases with a concept, without one and outside the topics, topics[i] the persons with something of each topic,
    and terms[i] has the terms that k persons wrote. ranges[j] are the least and greatest number of column j of numbers.
    """

    units: int
    persons: int
    holders: list[Long]
    used: list[Long]
    said: list[Long]
    topics: list[Long]
    terms: list[Terms]
    ranges: list[tuple[float, float]]

    @property
    def everywhere(self) -> Long:
        """The holders of the concepts of all columns, one column after the other."""
        return np.concatenate([np.zeros(0, np.int64), *self.holders])


def counts_of(executor: SparkExecutor, units: "DataFrame", kit: WorkerKit, sent: "Broadcast[WorkerKit]") -> WholeCounts:
    """Everything that blocks must know of the whole."""
    topics = [0 if (found := kit.topics[c.name]) is None else len(found.topics) for c in kit.spoken]
    sizes = [2, *(size for tax, t in zip(kit.taxonomies(), topics, strict=True) for size in (len(tax), len(tax), 3, t))]
    sums = executor.total(_counted, units, sent, size=sum(sizes))
    (n, persons), *columns = np.split(sums, np.cumsum(sizes[:-1]))
    holders, used, said, of_topics = (columns[kind::4] for kind in range(4))
    terms, ranges = _terms_of(executor, units, kit, sent), _ranges(units, kit)
    return WholeCounts(int(n), int(persons), holders, used, said, of_topics, terms, ranges)


def _counted(frame: "pl.DataFrame", kit: WorkerKit) -> Long:
    persons = frame["who"].to_numpy()
    found: list[Long] = [np.array([frame.height, len(np.unique(persons))])]
    for i, (column, tax) in enumerate(zip(kit.spoken, kit.taxonomies(), strict=True)):
        sets, topics = sets_of(frame[f"codes{i}"], tax), kit.topics[column.name]
        said = int(frame[f"terms{i}"].list.len().sum()), *(int(frame[f"{w}{i}"].sum()) for w in ("unknown", "outside"))
        of_topics = [] if topics is None else list(topic_counts(topics, sets, persons).values())
        holders = Holders(sets, persons).counts
        used = np.bincount(sets.codes, minlength=len(tax))
        found += [holders, used, np.array(said), np.array(of_topics, np.int64)]
    return np.concatenate(found)


def _ranges(units: "DataFrame", kit: WorkerKit) -> list[tuple[float, float]]:
    """The least and greatest number of every column of numbers; NaN where it has none."""
    import polars as pl
    from pyspark.sql import functions as fn

    names = [f"cell{j}" for j, _ in enumerate(kit.numbers)]
    if not names:
        return []
    ends = [units.agg(*(end(name).alias(name) for name in names)).toArrow() for end in (fn.min, fn.max)]
    least, most = (pl.DataFrame(end) for end in ends)
    return [(float(as_numbers(least[name])[0]), float(as_numbers(most[name])[0])) for name in names]


def _terms_of(executor: SparkExecutor, units: "DataFrame", kit: WorkerKit, sent: "Broadcast[WorkerKit]") -> list[Terms]:
    """The terms of every column that k persons wrote."""
    import pyarrow as pa
    from pyspark.sql import functions as fn

    numbers = [(name, pa.int64()) for name in ("place", "code", "n", "writers")]
    wrote = executor.map(_terms, units, sent, step=pa.schema([("text", pa.string()), *numbers])).groupBy(
        "place", "text"
    )
    terms = wrote.agg(fn.sum("writers").alias("writers"), fn.collect_list(fn.struct("code", "n")).alias("meant"))
    found: list[list[Term]] = [[] for _ in kit.spoken]
    for one in terms.where(fn.col("writers") >= kit.plan.method.k).toArrow().to_pylist():
        times: dict[int, int] = {}
        for meant in one["meant"]:
            if meant["n"]:
                times[meant["code"]] = times.get(meant["code"], 0) + meant["n"]
        found[one["place"]] += [Term(one["text"], code, n, one["writers"]) for code, n in times.items()]
    return [Terms.of_counts(some) for some in found]


def _terms(frame: "pl.DataFrame", kit: WorkerKit) -> "list[pl.DataFrame]":
    """How often each term was taken for each concept, and once for each term how many persons wrote it at all."""
    import polars as pl

    found = []
    for i, _ in enumerate(kit.spoken):
        wrote = frame.select("who", pl.col(f"terms{i}").alias("text"), pl.col(f"meant{i}").alias("code"))
        wrote = wrote.filter(pl.col("text").list.len() > 0).explode("text", "code")
        place = pl.lit(i).alias("place")
        taken = wrote.group_by("text", "code").agg(pl.len().alias("n")).with_columns(place, pl.lit(0).alias("writers"))
        by_whom = wrote.group_by("text").agg(pl.col("who").n_unique().alias("writers"))
        found += [taken, by_whom.with_columns(place, pl.lit(0).alias("code"), pl.lit(0).alias("n"))]
    return found


# ---------------------------------------------------------------------- choices that somebody asked about


def holders_in(frame: "pl.DataFrame", kit: WorkerKit, asked: Long, everywhere: Long) -> Long:
    """How many persons of a part hold each choice of concepts, up to k."""
    records = records_of(frame, kit), frame["who"].to_numpy()
    return holders_of(records, asked, kit.taxonomies(), everywhere, kit.plan.method.k)


def records_of(frame: "pl.DataFrame", kit: WorkerKit) -> list[Runs]:
    """The concepts of units, column by column."""
    return [runs_of(frame[f"codes{i}"]) for i, _ in enumerate(kit.spoken)]

"""Counts over all persons, as sums of what the parts of the table count for themselves.

A part has whole persons, so that sums over parts count nobody twice. Terms that fewer than k persons wrote stay on the
workers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import Runs
from taxonym.methods.blockwise import holders_of
from taxonym.records.cells import as_numbers
from taxonym.records.ranges import spread_place
from taxonym.records.rows import cell_texts
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
    and terms[i] has the terms that k persons wrote. ranges[j] are the least and greatest number of column j of numbers,
    row_ranges[j] the same of rows where units have several, ends[j] the k-th least and the k-th greatest of persons,
    and the spread;    values[i] are those of column i of the `other` ones. Units have from `fewest` to `most` rows.
    """

    units: int
    persons: int
    holders: list[Long]
    used: list[Long]
    said: list[Long]
    topics: list[Long]
    terms: list[Terms]
    ranges: list[tuple[float, float]]
    row_ranges: list[tuple[float, float]]
    ends: list[tuple[float, float, float]]
    values: list[list[str]]
    fewest: int
    most: int

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
    ends, values = _ends(executor, units, kit, sent), _values(executor, units, kit, sent)
    rows = units.selectExpr("min(size(records))", "max(size(records))").first()
    assert rows is not None
    return WholeCounts(int(n), int(persons), holders, used, said, of_topics, terms, ranges, *ends, values, *rows)


def _counted(frame: "pl.DataFrame", kit: WorkerKit) -> Long:
    persons = frame["who"].to_numpy()
    found: list[Long] = [np.array([frame.height, len(np.unique(persons))])]
    for i, (column, tax) in enumerate(zip(kit.spoken, kit.taxonomies(), strict=True)):
        sets, topics = sets_of(frame[f"codes{i}"], tax), kit.words(column.name).topics
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


def _ends(
    executor: SparkExecutor, units: "DataFrame", kit: WorkerKit, sent: "Broadcast[WorkerKit]"
) -> tuple[list[tuple[float, float]], list[tuple[float, float, float]]]:
    """The least and greatest number of every column of numbers over all rows; then the k-th least of persons' least and
    the k-th greatest of their greatest, NaN where there are not so many, and the spread (spread_place)."""
    import pyarrow as pa
    from pyspark.sql import Window
    from pyspark.sql import functions as fn

    if not kit.numbers:
        return [], []
    schema = pa.schema([("place", pa.int64()), ("value", pa.float64())])
    lowest = executor.map(_lowest, units, sent, step=schema)
    place = Window.partitionBy("place").orderBy("value")
    k, columns = kit.plan.method.k, range(len(kit.numbers))
    numbered = lowest.withColumn("at", fn.row_number().over(place)).where(fn.col("at") <= k)
    found = {(row["place"], row["at"]): row["value"] for row in numbered.collect()}
    persons = executor.total(_persons, units, sent, size=len(columns))

    def pair(j: int, at: int) -> tuple[float, float]:
        nothing = float("nan")
        return found.get((2 * j, at), nothing), -found.get((2 * j + 1, at), nothing)

    middles = [pair(j, spread_place(int(persons[j]), k)) for j in columns]
    return [pair(j, 1) for j in columns], [(*pair(j, k), middles[j][1] - middles[j][0]) for j in columns]


def _persons(frame: "pl.DataFrame", kit: WorkerKit) -> Long:
    """How many persons have a number in each column of numbers."""
    return np.array([own["who"].n_unique() for own in _owned(frame, kit)], np.int64)


def _owned(frame: "pl.DataFrame", kit: WorkerKit) -> "Iterator[pl.DataFrame]":
    """The numbers of every column of numbers, and whose they are."""
    import polars as pl

    sizes = frame["records"].list.len().to_numpy()
    cells = frame["records"].explode().struct.unnest() if kit.learned.several else frame
    whose = np.repeat(frame["who"].to_numpy(), sizes) if kit.learned.several else frame["who"].to_numpy()
    for j, _ in enumerate(kit.numbers):
        values = as_numbers(cells[f"{'n' if kit.learned.several else 'cell'}{j}"])
        yield pl.DataFrame({"who": whose, "value": values}).filter(~np.isnan(values))


def _lowest(frame: "pl.DataFrame", kit: WorkerKit) -> "Iterator[pl.DataFrame]":
    """Of every column of numbers the k least of persons' least numbers, and of what their greatest are the opposite."""
    import polars as pl

    for j, own in enumerate(_owned(frame, kit)):
        for side, sign in enumerate((1, -1)):
            least = own.with_columns(pl.col("value") * sign).group_by("who").agg(pl.col("value").min())
            lowest = least["value"].bottom_k(kit.plan.method.k)
            yield pl.DataFrame({"place": pl.Series([2 * j + side] * len(lowest), dtype=pl.Int64), "value": lowest})


def _values(
    executor: SparkExecutor, units: "DataFrame", kit: WorkerKit, sent: "Broadcast[WorkerKit]"
) -> list[list[str]]:
    """What the cells of every `other` column say: k units have each, and mostly k persons."""
    import pyarrow as pa

    others = [column for column in kit.kept if column.role == "other"]
    if not others:
        return []
    schema = pa.schema([("place", pa.int64()), ("text", pa.string())])
    rows = executor.map(_texts, units.select("records"), sent, step=schema, in_batches=True).distinct().collect()
    return [sorted(row["text"] for row in rows if row["place"] == i) for i, _ in enumerate(others)]


def _texts(frame: "pl.DataFrame", kit: WorkerKit) -> "list[pl.DataFrame]":
    import polars as pl

    cells = frame["records"].explode().struct.unnest()
    at = [i for i, column in enumerate(kit.kept) if column.role == "other"]
    found = {(place, text) for place, i in enumerate(at) for text in cell_texts(cells[f"k{i}"]) if text is not None}
    return [pl.DataFrame(sorted(found), schema={"place": pl.Int64, "text": pl.String}, orient="row")]


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

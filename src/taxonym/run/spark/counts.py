"""Counts over all persons, as sums of what the parts of the table count for themselves.

A part has whole persons, so that sums over parts count nobody twice. Terms that fewer than k persons wrote stay on the
workers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Long, Runs
from taxonym.publish.support_queries import Counter
from taxonym.records.cells import as_numbers
from taxonym.records.support import Holders
from taxonym.records.terms import Term, Terms
from taxonym.run.spark.arrow import batches_of, frame_of, runs_of
from taxonym.run.spark.encode import numbers_of
from taxonym.run.spark.kit import Batches, Kit, guarded

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

FACTS = "what string, place long, code long, n long, least double, most double"
TERMS = "place long, text string, code long, n long, writers long"
HOLDERS, RANGE, SUM, TOPIC = "holders", "range", "sum", "topic"
SUMS = ("units", "persons")


@dataclass(frozen=True, slots=True, eq=False)
class WholeCounts:
    """What is known of all units that may be published.

    holders[i] counts the persons who hold each concept of column i, terms[i] has the terms of it that k persons wrote,
    topics[i] counts the persons with something of each of its topics. ranges[j] are the least and greatest number.
    """

    holders: list[Long]
    terms: list[Terms]
    ranges: list[tuple[float, float]]
    topics: list[list[int]]
    sums: dict[str, int]
    said: list[tuple[int, int, int, int]]  # by column: terms with a concept, unknown ones, outside topics, codes


def facts_of(units: "DataFrame", kit: Kit, sent: "Broadcast[Kit]", kept: "Broadcast[NDArray[np.int64]]") -> WholeCounts:
    """Everything that blocks must know of the whole, from units whose `other` columns are among `kept`."""
    from pyspark.sql import functions as fn

    k, taxonomies = kit.plan.method.k, kit.taxonomies()
    counted = units.mapInArrow(_counted(sent, kept, _facts), FACTS).groupBy("what", "place", "code")
    plain = counted.agg(fn.sum("n").alias("n"), fn.min("least").alias("least"), fn.max("most").alias("most"))
    numbers = plain.toArrow().to_pydict()
    wrote = units.mapInArrow(_counted(sent, kept, _terms), TERMS).groupBy("place", "text")
    terms = wrote.agg(fn.sum("writers").alias("writers"), fn.collect_list(fn.struct("code", "n")).alias("meant"))
    told = terms.where(fn.col("writers") >= k).toArrow().to_pydict()
    holders = [np.zeros(len(tax), np.int64) for tax in taxonomies]
    ranges = [(float("nan"), float("nan")) for _ in numbers_of(kit)]
    topics = [[0] * (len(found.topics) if (found := kit.topics[c.name]) else 0) for c in kit.spoken]
    said = [[0, 0, 0, 0] for _ in taxonomies]
    sums = dict.fromkeys(SUMS, 0)
    for what, place, code, n, least, most in zip(
        *(numbers[name] for name in ("what", "place", "code", "n", "least", "most")), strict=True
    ):
        if what == HOLDERS:
            holders[place][code] = n
        elif what == RANGE:
            ranges[place] = least, most
        elif what == TOPIC:
            topics[place][code] = n
        elif place < 0:
            sums[SUMS[code]] = n
        else:
            said[place][code] = n
    by_column: list[list[Term]] = [[] for _ in taxonomies]
    for place, text, writers, meant in zip(
        *(told[name] for name in ("place", "text", "writers", "meant")), strict=True
    ):
        times: dict[int, int] = {}
        for one in meant:
            if one["n"]:
                times[one["code"]] = times.get(one["code"], 0) + one["n"]
        by_column[place] += [Term(text, code, n, writers) for code, n in times.items()]
    columns = [(one[0], one[1], one[2], one[3]) for one in said]
    return WholeCounts(holders, [Terms.of_counts(found) for found in by_column], ranges, topics, sums, columns)


def kept_units(frame: "pl.DataFrame", kept: NDArray[np.int64]) -> "pl.DataFrame":
    """Units that may be published."""
    others = frame["other"].to_numpy()
    return frame.filter((frame["why"] == 0).to_numpy() & np.isin(others, kept))


def _counted(
    sent: "Broadcast[Kit]",
    kept: "Broadcast[NDArray[np.int64]]",
    count: "Callable[[pl.DataFrame, Kit], pl.DataFrame]",
) -> Callable[[Batches], Batches]:
    def work(batches: Batches) -> Batches:
        frame = frame_of(batches)
        frame = None if frame is None else kept_units(frame, kept.value)
        if frame is not None and frame.height:
            found = count(frame, sent.value)
            yield from batches_of(found, arrow_schema(dict(found.schema)))

    return guarded(work)


def arrow_schema(types: "dict[str, Any]") -> "pa.Schema":
    """The types of polars as Spark has them."""
    import polars as pl
    import pyarrow as pa

    plain = {
        pl.String: pa.string(), pl.Int64: pa.int64(), pl.Float64: pa.float64(), pl.Int32: pa.int32(),
        pl.List(pl.Int32): pa.list_(pa.int32()), pl.List(pl.Int64): pa.list_(pa.int64()),
        pl.List(pl.Float64): pa.list_(pa.float64()),
    }  # fmt: skip
    return pa.schema([(name, plain[kind]) for name, kind in types.items()])


def _facts(frame: "pl.DataFrame", kit: Kit) -> "pl.DataFrame":
    import polars as pl

    types = {"what": pl.String, "place": pl.Int64, "code": pl.Int64, "n": pl.Int64}
    schema = types | {"least": pl.Float64, "most": pl.Float64}
    return pl.DataFrame(list(_numbers(frame, kit)), schema=schema, orient="row")


def _numbers(frame: "pl.DataFrame", kit: Kit) -> Iterator[tuple[Any, ...]]:
    """(what, place, code, n, least, most) of a part."""
    persons = frame["who"].to_numpy()
    for s, n in enumerate((frame.height, len(np.unique(persons)))):
        yield SUM, -1, s, n, None, None
    for i, column in enumerate(kit.spoken):
        tax, topics = kit.words(column.name).tax, kit.topics[column.name]
        runs = runs_of(frame[f"codes{i}"])
        counts = Holders(ConceptSets(runs.start, runs.codes, tax), persons).counts
        for code in np.flatnonzero(counts).tolist():
            yield HOLDERS, i, code, int(counts[code]), None, None
        unknown, outside = int(frame[f"unknown{i}"].sum()), int(frame[f"outside{i}"].sum())
        known = int(frame[f"terms{i}"].list.len().sum())
        for s, n in enumerate((known, unknown, outside, len(runs.codes))):
            yield SUM, i, s, n, None, None
        if topics is not None:
            whose = persons[runs.owner]
            for t, inside in enumerate(topics.matrix):
                hit = np.zeros(len(tax), np.bool_)
                hit[: len(inside)] = inside
                yield TOPIC, i, t, len(np.unique(whose[hit[runs.codes]])), None, None
    for j, _ in enumerate(numbers_of(kit)):
        values = as_numbers(frame[f"cell{j}"])
        known_values = values[~np.isnan(values)]
        if len(known_values):
            yield RANGE, j, 0, 0, float(known_values.min()), float(known_values.max())


def _terms(frame: "pl.DataFrame", kit: Kit) -> "pl.DataFrame":
    """How often each term was taken for each concept, and once for each term how many persons wrote it at all."""
    import polars as pl

    types = {"place": pl.Int64, "text": pl.String, "code": pl.Int64, "n": pl.Int64, "writers": pl.Int64}
    found = [pl.DataFrame(schema=types)]
    for i, _ in enumerate(kit.spoken):
        wrote = frame.select("who", pl.col(f"terms{i}").alias("text"), pl.col(f"meant{i}").alias("code"))
        wrote = wrote.filter(pl.col("text").list.len() > 0).explode("text", "code")
        place = pl.lit(i).alias("place")
        taken = wrote.group_by("text", "code").agg(pl.len().alias("n")).with_columns(place, pl.lit(0).alias("writers"))
        by_whom = wrote.group_by("text").agg(pl.col("who").n_unique().alias("writers"))
        by_whom = by_whom.with_columns(place, pl.lit(0).alias("code"), pl.lit(0).alias("n"))
        found += [some.select(pl.col(name).cast(kind) for name, kind in types.items()) for some in (taken, by_whom)]
    return pl.concat(found)


# ---------------------------------------------------------------------- choices that somebody asked about


def holders_of_choices(
    units: "DataFrame",
    asked: Long,
    everywhere: Long,
    k: int,
    sent: "Broadcast[Kit]",
    kept: "Broadcast[NDArray[np.int64]]",
) -> Long:
    """How many persons hold each choice of concepts, up to k in every part."""
    from pyspark.sql import functions as fn

    found = np.zeros(len(asked), np.int64)
    if not len(asked):
        return found
    context = units.sparkSession.sparkContext
    question = context.broadcast((asked, everywhere))
    try:
        parts = units.mapInArrow(_answered(question, k, sent, kept), "choice long, n long")
        told = parts.groupBy("choice").agg(fn.sum("n").alias("n")).toArrow()
    finally:
        question.unpersist()
    found[told["choice"].to_numpy()] = told["n"].to_numpy()
    return found


def _answered(
    question: "Broadcast[tuple[Long, Long]]",
    k: int,
    sent: "Broadcast[Kit]",
    kept: "Broadcast[NDArray[np.int64]]",
) -> Callable[[Batches], Batches]:
    def work(batches: Batches) -> Batches:
        import polars as pl

        frame = frame_of(batches)
        frame = None if frame is None else kept_units(frame, kept.value)
        if frame is None or not frame.height:
            return
        kit, (asked, everywhere) = sent.value, question.value
        counter = Counter(asked, kit.taxonomies(), everywhere, k)
        counter.add(records_of(frame, kit), frame["who"].to_numpy())
        choice = np.flatnonzero(counter.counts)
        told = pl.DataFrame({"choice": choice, "n": counter.counts[choice]})
        yield from batches_of(told, arrow_schema({"choice": pl.Int64, "n": pl.Int64}))

    return guarded(work)


def records_of(frame: "pl.DataFrame", kit: Kit) -> list[Runs]:
    """The concepts of units, column by column."""
    return [runs_of(frame[f"codes{i}"]) for i, _ in enumerate(kit.spoken)]

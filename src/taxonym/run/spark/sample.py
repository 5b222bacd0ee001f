"""Records that stand for all: those that decide how to cut into blocks, drawn by what records hold.

The sample is that of group/embedding.py, whoever draws it and in however many parts: every part keeps its lowest lots.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from taxonym.distance.record import Part, Sets, Values
from taxonym.group.embedding import luck
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import Runs
from taxonym.records.cells import as_numbers
from taxonym.records.order import in_order
from taxonym.records.records import row_count_part
from taxonym.run.spark.arrow import runs_of, signed, unsigned
from taxonym.run.spark.counts import WholeCounts, records_of
from taxonym.run.spark.executor import SparkExecutor
from taxonym.run.spark.kit import WorkerKit

if TYPE_CHECKING:
    import polars as pl
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class Lots:
    """So many units are drawn among those with this hash of their `other` columns, or among all."""

    other: int | None
    size: int


def ranged_parts(frame: "pl.DataFrame", kit: WorkerKit, facts: WholeCounts) -> list[Part]:
    """Units as distances see them; numbers have the range of all units."""
    made: list[Part] = []
    words, numbers = iter(range(len(kit.spoken))), iter(range(len(kit.numbers)))
    for column in kit.quasi:
        if column.kind in ("number", "date"):
            j = next(numbers)
            made.append(Values(as_numbers(frame[f"cell{j}"]), half_of(facts.ranges[j]), column.weight))
        else:
            runs = runs_of(frame[f"codes{next(words)}"])
            made.append(Sets(runs.start, runs.codes, kit.words(column.name).tax, column.weight))
    return made


def grouping_parts(frame: "pl.DataFrame", kit: WorkerKit, facts: WholeCounts) -> list[Part]:
    """The same for those who group: the number of rows is one more column where some have several."""
    parts = ranged_parts(frame, kit, facts)
    return [*parts, _row_counts(frame["records"].list.len().to_numpy(), facts)] if kit.learned.several else parts


def _row_counts(rows: Long, facts: WholeCounts) -> Values:
    ends = row_count_part(np.array([facts.fewest, facts.most]))
    return replace(row_count_part(rows), half=ends.half)


def half_of(found: tuple[float, float]) -> float:
    """Half the difference between the greatest number and the least, as Values.of has it."""
    return 0.0 if np.isnan(found[0]) else found[1] / 2 - found[0] / 2


def drawn(
    executor: SparkExecutor, units: "DataFrame", lots: Sequence[Lots], kit: WorkerKit, facts: WholeCounts
) -> tuple[list[Part], list[Long]]:
    """Different units as columns, in the order of their codes, and for every draw the units drawn, in the order of
    their lots.

    After the units follows a row with the least numbers of all, which some of those who look at columns need.
    """
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import functions as fn

    counted = units.groupBy("other", units["likeness"].alias("content")).count()
    schema = [("draw", pa.int64()), ("lot", pa.int64())]
    table = executor.map(_lowest, counted, list(lots), step=pa.schema([*schema, ("content", pa.int64())])).toArrow()
    draw, content = table["draw"].to_numpy(), table["content"].to_numpy()
    lot = unsigned(table["lot"].to_numpy())
    chosen = []
    for d, one in enumerate(lots):
        mine = np.flatnonzero(draw == d)
        chosen.append(content[mine[np.argsort(lot[mine], kind="stable")[: one.size]]])
    names = [f"codes{i}" for i, _ in enumerate(kit.spoken)] + [f"cell{j}" for j, _ in enumerate(kit.numbers)]
    rows = fn.transform("records", lambda _: fn.lit(True)).alias("records")  # how many there are is all that counts
    some = units.select(units["likeness"].alias("content"), *names, rows)
    sought = executor.share(np.unique(np.concatenate(chosen)))
    schema_of = some.limit(0).toArrow().schema
    found = executor.map(_among, some, sought, step=schema_of, in_batches=True).dropDuplicates(["content"])
    frame = pl.DataFrame(found.toArrow())
    frame = frame[in_order(records_of(frame, kit), unsigned(frame["content"].to_numpy())).tolist()]
    parts = [_with_least(part, facts, kit, c) for c, part in enumerate(grouping_parts(frame, kit, facts))]
    order = np.argsort(frame["content"].to_numpy())
    at = frame["content"].to_numpy()[order]
    return parts, [order[np.searchsorted(at, codes)] for codes in chosen]


def _with_least(part: Part, facts: WholeCounts, kit: WorkerKit, c: int) -> Part:
    if isinstance(part, Sets):
        return part.then(Runs.of([()]))
    if c == len(kit.quasi):
        least = row_count_part(np.array([facts.fewest])).values[0]
        return Values(np.append(part.values, least), part.half, part.weight)
    j = [column.name for column in kit.numbers].index(kit.quasi[c].name)
    return Values(np.append(part.values, facts.ranges[j][0]), part.half, part.weight)


def _lowest(frame: "pl.DataFrame", lots: list[Lots]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    other, hashes, times = frame["other"].to_numpy(), unsigned(frame["content"].to_numpy()), frame["count"].to_numpy()
    for d, one in enumerate(lots):
        mine = np.arange(len(other)) if one.other is None else np.flatnonzero(other == one.other)
        again = [np.arange(n, dtype=np.uint64) for n in times[mine].tolist()]
        which = np.repeat(mine, times[mine])
        lot = luck(hashes[which], np.concatenate([np.empty(0, np.uint64), *again]))
        best = np.argsort(lot, kind="stable")[: one.size]
        contents, lots_ = signed(hashes[which[best]]), signed(lot[best])
        yield pl.DataFrame({"draw": np.full(len(best), d), "content": contents, "lot": lots_})


def _among(frame: "pl.DataFrame", sought: Long) -> "list[pl.DataFrame]":
    """One unit of each content that is sought."""
    return [frame.filter(np.isin(frame["content"].to_numpy(), sought)).unique("content", keep="first")]

"""Records that stand for all: those that decide how to cut into blocks, drawn by what records hold.

The sample is that of group/embedding.py, whoever draws it and in however many parts: every part keeps its lowest lots.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from taxonym.distance.record import Part, Sets, Values
from taxonym.group.embedding import luck
from taxonym.knowledge.runs import Long, Runs
from taxonym.records.cells import as_numbers
from taxonym.run.spark.arrow import batches_of, frame_of, runs_of, signed, unsigned
from taxonym.run.spark.counts import WholeCounts, arrow_schema, kept_units
from taxonym.run.spark.encode import numbers_of
from taxonym.run.spark.kit import Batches, Kit, guarded

if TYPE_CHECKING:
    import polars as pl
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

Kept = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Lots:
    """So many units are drawn among those with this hash of their `other` columns, or among all."""

    other: int | None
    size: int


def ranged_parts(frame: "pl.DataFrame", kit: Kit, facts: WholeCounts) -> list[Part]:
    """Units as distances see them; numbers have the range of all units."""
    made: list[Part] = []
    words, numbers = iter(range(len(kit.spoken))), iter(range(len(numbers_of(kit))))
    for column in kit.quasi:
        if column.kind in ("number", "date"):
            j = next(numbers)
            made.append(Values(as_numbers(frame[f"cell{j}"]), half_of(facts.ranges[j]), column.weight))
        else:
            runs = runs_of(frame[f"codes{next(words)}"])
            made.append(Sets(runs.start, runs.codes, kit.words(column.name).tax, column.weight))
    return made


def half_of(found: tuple[float, float]) -> float:
    """Half the difference between the greatest number and the least, as Values.of has it."""
    return 0.0 if np.isnan(found[0]) else found[1] / 2 - found[0] / 2


def drawn(
    units: "DataFrame", lots: Sequence[Lots], kit: Kit, facts: WholeCounts, kept: "Broadcast[Kept]"
) -> tuple[list[Part], list[Long]]:
    """Different units as columns, and for every draw the units drawn, in the order of their lots.

    After the units follows a row with the least numbers of all, which some of those who look at columns need.
    """
    import polars as pl

    counted = units.where("why = 0").groupBy("other", "content").count()
    table = counted.mapInArrow(_lowest(list(lots), kept), "draw long, content long, lot long").toArrow()
    draw, content = table["draw"].to_numpy(), table["content"].to_numpy()
    lot = unsigned(table["lot"].to_numpy())
    chosen = []
    for d, one in enumerate(lots):
        mine = np.flatnonzero(draw == d)
        chosen.append(content[mine[np.argsort(lot[mine], kind="stable")[: one.size]]])
    wanted = np.unique(np.concatenate([np.empty(0, np.int64), *chosen]))
    names = [f"codes{i}" for i, _ in enumerate(kit.spoken)] + [f"cell{j}" for j, _ in enumerate(numbers_of(kit))]
    context = units.sparkSession.sparkContext
    sought = context.broadcast(wanted)
    some = units.where("why = 0").select("content", "other", "why", *names)
    found = some.mapInArrow(_among(sought, kept), some.schema).dropDuplicates(["content"]).drop("other", "why")
    frame = pl.from_arrow(found.toArrow())
    sought.unpersist()
    assert isinstance(frame, pl.DataFrame)
    frame = frame.sort("content")
    parts = [_with_least(part, facts, kit, c) for c, part in enumerate(ranged_parts(frame, kit, facts))]
    return parts, [np.searchsorted(frame["content"].to_numpy(), codes) for codes in chosen]


def _with_least(part: Part, facts: WholeCounts, kit: Kit, c: int) -> Part:
    if isinstance(part, Sets):
        return part.then(Runs.of([()]))
    j = [column.name for column in numbers_of(kit)].index(kit.quasi[c].name)
    return Values(np.append(part.values, facts.ranges[j][0]), part.half, part.weight)


def _lowest(lots: list[Lots], kept: "Broadcast[Kept]") -> Callable[[Batches], Batches]:
    def work(batches: Batches) -> Batches:
        import polars as pl

        frame = frame_of(batches)
        if frame is None:
            return
        other, hashes = frame["other"].to_numpy(), unsigned(frame["content"].to_numpy())
        times, fits = frame["count"].to_numpy(), np.isin(other, kept.value)
        for d, one in enumerate(lots):
            mine = np.flatnonzero(fits if one.other is None else fits & (other == one.other))
            again = [np.arange(n, dtype=np.uint64) for n in times[mine].tolist()]
            which = np.repeat(mine, times[mine])
            lot = luck(hashes[which], np.concatenate([np.empty(0, np.uint64), *again]))
            best = np.argsort(lot, kind="stable")[: one.size]
            rows = {"draw": np.full(len(best), d), "content": signed(hashes[which[best]]), "lot": signed(lot[best])}
            if len(best):
                schema = arrow_schema({"draw": pl.Int64, "content": pl.Int64, "lot": pl.Int64})
                yield from batches_of(pl.DataFrame(rows), schema)

    return guarded(work)


def _among(sought: "Broadcast[Kept]", kept: "Broadcast[Kept]") -> Callable[[Batches], Batches]:
    """One unit of each content that is sought."""

    def work(batches: Batches) -> Batches:
        for batch in batches:
            frame = frame_of([batch])
            if frame is None:
                continue
            inside = np.isin(frame["content"].to_numpy(), sought.value)
            some = kept_units(frame.filter(inside), kept.value)
            if some.height:
                yield from batches_of(some.unique("content", keep="first"), batch.schema)

    return guarded(work)

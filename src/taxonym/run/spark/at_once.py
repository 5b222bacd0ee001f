"""Few units, by one worker: grouped and published as the local engine does it where it sees them all at once.

So few that blocks would only lose meaning. Whatever comes before and after is done by all workers: rows become units,
are counted, and everything promised is recounted from what was written.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from taxonym.executor.context import Context
from taxonym.knowledge.runs import edges, frozen
from taxonym.methods.microaggregation import formed, publish
from taxonym.records.cells import as_numbers
from taxonym.records.order import in_order
from taxonym.records.table import Table
from taxonym.records.units import Numbers, Units, renumbered
from taxonym.records.words import Words
from taxonym.run.spark.arrow import batches_of, frame_of, runs_of, unsigned
from taxonym.run.spark.blocks import Whole, as_rows
from taxonym.run.spark.counts import kept_units, records_of
from taxonym.run.spark.kit import Batches, Kit, guarded
from taxonym.run.spark.sample import Kept

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark import Broadcast


def at_once(
    kit: "Broadcast[Kit]", whole: "Broadcast[Whole]", kept: "Broadcast[Kept]", schema: "pa.Schema"
) -> Callable[[Batches], Batches]:
    """All units that may be published, in one part, to what blocks.published() gives."""

    def work(batches: Batches) -> Batches:
        frame = frame_of(batches)
        if frame is not None:
            for made in _published(kept_units(frame, kept.value), kit.value, whole.value):
                yield from batches_of(made, schema)

    return guarded(work)


def _published(frame: "pl.DataFrame", kit: Kit, whole: Whole) -> "Iterator[pl.DataFrame]":
    frame = frame[in_order(records_of(frame, kit), unsigned(frame["rest"].to_numpy())).tolist()]
    units, plan = units_of(frame, kit), kit.plan
    seed = whole.entropy if plan.method.seed is None else plan.method.seed  # who does it again draws the same
    context = Context(np.random.default_rng(seed))
    outcome = publish(units, formed(units, plan, context), plan, context)
    yield from as_rows(frame, kit, whole, outcome.groups, outcome.chosen, outcome.words, ())


def units_of(frame: "pl.DataFrame", kit: Kit) -> Units:
    """Sorted units as the local engine has them; their table holds the kept columns only."""
    import polars as pl

    sizes = frame["records"].list.len().to_numpy()
    start = edges(sizes)
    cells = frame["records"].explode().struct.unnest()
    persons = np.arange(frame.height)
    if kit.plan.input.person is not None:
        persons = np.unique(frame["person"].to_numpy(), return_inverse=True)[1].astype(np.int64)
    n = int(start[-1])
    table = Table(
        pl.DataFrame([cells[f"k{i}"].alias(c.name) for i, c in enumerate(kit.kept)]),
        {c.name: c for c in kit.kept}, frozen(np.repeat(persons, sizes)), [], frozen(np.arange(n + 1)),
        frozen(np.arange(n)), [], kit.where,
    )  # fmt: skip
    columns: list[Words | Numbers] = []
    words, numbers = 0, 0
    for column in kit.quasi:
        if column.kind in ("number", "date"):
            series = frame[f"cell{numbers}"]
            columns.append(Numbers(column, as_numbers(series), series))
            numbers += 1
        else:
            columns.append(_words(frame, kit.words(column.name), words))
            words += 1
    records = [list(range(first, last)) for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)]
    return Units(table, columns, records, persons, renumbered(frame["other"].to_numpy()), {})


def _words(frame: "pl.DataFrame", empty: Words, i: int) -> Words:
    sets = runs_of(frame[f"codes{i}"])
    written, terms = runs_of(frame[f"meant{i}"]), frame[f"terms{i}"].explode(empty_as_null=False, keep_nulls=False)
    names = terms.unique().sort().to_list()
    number = {name: at for at, name in enumerate(names)}
    return Words(
        sets.start, sets.codes, empty.tax, empty.column, written.owner,
        np.array([number[name] for name in terms.to_list()], np.int64), written.codes.astype(np.int64), names,
        frame[f"unknown{i}"].to_numpy(), frame[f"outside{i}"].to_numpy(), empty.topics, empty.maps_to,
    )  # fmt: skip

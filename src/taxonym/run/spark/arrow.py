"""Between Spark's batches of Arrow, polars frames and runs of numbers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from taxonym.knowledge.arrays import Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.knowledge.runs import Runs, edges
from taxonym.knowledge.taxonomy import Taxonomy

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

Batches = Iterator["pa.RecordBatch"]
ROWS = 10_000  # in a batch


def frame_of(batches: "Iterable[pa.RecordBatch]") -> "pl.DataFrame | None":
    """All of some batches; nothing if there are no rows."""
    import polars as pl
    import pyarrow as pa

    some = [batch for batch in batches if batch.num_rows]
    if not some:
        return None
    found = pl.from_arrow(pa.Table.from_batches(some))
    return found if isinstance(found, pl.DataFrame) else None


def batches_of(frame: "pl.DataFrame", schema: "pa.Schema") -> "Iterator[pa.RecordBatch]":
    """A frame as Spark asked for it; columns that it lacks are null."""
    import polars as pl
    import pyarrow as pa

    found = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    columns = [
        found[field.name].cast(field.type) if field.name in frame.columns else pa.nulls(frame.height, field.type)
        for field in schema
    ]
    yield from pa.Table.from_arrays(columns, schema=schema).to_batches(max_chunksize=ROWS)


def runs_of(series: "pl.Series") -> Runs:
    """A column of lists of codes as runs."""
    lengths = series.list.len().fill_null(0).to_numpy()
    flat = series.filter(series.list.len() > 0).explode()
    return Runs(edges(lengths), flat.to_numpy().astype(np.int32))


def sets_of(series: "pl.Series", tax: Taxonomy) -> ConceptSets:
    """A column of lists of codes of a taxonomy."""
    runs = runs_of(series)
    return ConceptSets(runs.start, runs.codes, tax)


def lists_of(name: str, start: NDArray[Any], values: "pl.Series") -> "pl.Series":
    """Runs as a column of lists."""
    import polars as pl
    import pyarrow as pa

    flat = values.to_arrow(compat_level=pl.CompatLevel.oldest())
    made = pl.from_arrow(pa.LargeListArray.from_arrays(pa.array(start.astype(np.int64)), flat))
    assert isinstance(made, pl.Series)
    return made.alias(name)


def ints(values: Sequence[int] | NDArray[Any]) -> "pl.Series":
    import polars as pl

    return pl.Series(np.asarray(values, np.int32), dtype=pl.Int32)


def signed(hashes: NDArray[np.uint64]) -> Long:
    """Spark has no numbers without a sign."""
    return np.ascontiguousarray(hashes).view(np.int64)


def unsigned(numbers: NDArray[Any]) -> NDArray[np.uint64]:
    return np.ascontiguousarray(numbers.astype(np.int64)).view(np.uint64)

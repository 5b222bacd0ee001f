"""The workers of a Spark session as an executor: parts are the partitions of a DataFrame."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.run.spark.arrow import Batches, batches_of, frame_of
from taxonym.run.spark.errors import forgotten, guarded

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

WorkFolder = Callable[..., "Iterable[pl.DataFrame]"]


class SparkExecutor:
    """Work sees a partition as a polars frame, and gives frames; what is shared may be a Broadcast, which it sees as
    what was sent. `step` is the Arrow schema of what comes out.

    What the workers were sent and keep is given up when `held` is closed.
    """

    def __init__(self, session: "SparkSession", progress: Progress = SILENCE) -> None:
        self.session, self.progress, self.held = session, progress, ExitStack()

    @property
    def width(self) -> int:
        """How many tasks run at once."""
        return int(self.session.sparkContext.defaultParallelism)

    def share(self, value: Any) -> "Broadcast[Any]":
        """Something that every worker gets, once."""
        found = self.session.sparkContext.broadcast(value)
        self.held.callback(forgotten, found.unpersist)
        return found

    def keep(self, frame: "DataFrame") -> "DataFrame":
        """Something that the workers keep until the end."""
        from pyspark.storagelevel import StorageLevel

        found = frame.persist(StorageLevel.MEMORY_AND_DISK)
        self.held.callback(forgotten, found.unpersist)
        return found

    def map(
        self, work: WorkFolder, parts: "DataFrame", *shared: Any, step: "pa.Schema", in_batches: bool = False
    ) -> "DataFrame":
        """`in_batches` shows a part batch by batch to work that needs not see it whole."""
        from pyspark.sql.pandas.types import from_arrow_schema

        def run(batches: Batches) -> Batches:
            for some in ([one] for one in batches) if in_batches else [batches]:
                yield from _done(work, some, shared, step)

        return parts.mapInArrow(guarded(run), from_arrow_schema(step))

    def by_block(self, work: WorkFolder, parts: "DataFrame", *shared: Any, step: "pa.Schema") -> "DataFrame":
        """Blocks are told by the column `block`."""
        from pyspark.sql.pandas.types import from_arrow_schema

        guard = guarded(lambda table: _done(work, table.to_batches(), shared, step))

        def run(table: "pa.Table") -> "pa.Table":
            import pyarrow as pa

            return pa.Table.from_batches(list(guard(table)), step)

        return parts.groupBy("block").applyInArrow(run, from_arrow_schema(step))

    def total(self, count: Callable[..., Long], parts: "DataFrame", *shared: Any, size: int) -> Long:
        import pyarrow as pa
        from pyspark.sql import functions as fn

        def places(frame: "pl.DataFrame", *values: Any) -> "Iterable[pl.DataFrame]":
            import polars as pl

            found = count(frame, *values)
            place = np.flatnonzero(found)
            return [pl.DataFrame({"place": place, "n": found[place]})]

        schema = pa.schema([("place", pa.int64()), ("n", pa.int64())])
        counted = self.map(places, parts, *shared, step=schema)
        told = counted.groupBy("place").agg(fn.sum("n").alias("n")).toArrow()
        sums = np.zeros(size, np.int64)
        sums[told["place"].to_numpy()] = told["n"].to_numpy()
        return sums


def _done(
    work: WorkFolder, batches: "Iterable[pa.RecordBatch]", shared: tuple[Any, ...], schema: "pa.Schema"
) -> Batches:
    from pyspark import Broadcast

    frame = frame_of(batches)
    if frame is not None:
        for made in work(frame, *(one.value if isinstance(one, Broadcast) else one for one in shared)):
            yield from batches_of(made, schema)

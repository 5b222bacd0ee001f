"""Many machines: the same release from a Spark cluster (docs/spark.md). Needs the extra taxonym[spark] and Java 17."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.io.progress import SILENCE, Progress
from taxonym.plan import Plan, as_plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from taxonym.run.spark.release import SparkRelease


def anonymize(
    table: "DataFrame", plan: Plan | Mapping[str, Any] | str | Path, *, progress: Progress = SILENCE
) -> "SparkRelease":
    """Make a Spark DataFrame publishable by a plan, in the session that it belongs to.

    The rows are those that `taxonym.anonymize` gives for the same table, plan and seed where it forms groups in blocks
    (`blocks = "always"`), in an order that says nothing. Close the release when it is written or used.
    """
    from taxonym.run.spark.release import released

    return released(table, as_plan(plan), "the table", progress)


def anonymize_folder(spark: "SparkSession", folder: str, plan: Plan, *, progress: Progress = SILENCE) -> "SparkRelease":
    """The same for a Parquet folder, whose files and rows complaints name."""
    from taxonym.run.spark.errors import explained
    from taxonym.run.spark.release import released

    with explained(folder):
        table = spark.read.parquet(folder)
        table = table.select("*", "_metadata.file_name", "_metadata.row_index")
    return released(table, plan, folder, progress, placed=True)

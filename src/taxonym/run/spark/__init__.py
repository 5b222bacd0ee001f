"""Many machines: the same release from a Spark cluster (docs/spark.md). Needs the extra taxonym[spark] and Java 17."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.io.progress import SILENCE, Progress
from taxonym.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from taxonym.run.spark.release import SparkRelease


def anonymize(
    table: "DataFrame", plan: Plan | Mapping[str, Any] | str | Path, *, progress: Progress = SILENCE
) -> "SparkRelease":
    """Make a Spark DataFrame publishable by a plan, in the session that it belongs to.

    The rows are those that `taxonym.anonymize` gives for the same table, plan and seed where it forms groups in blocks
    (`blocks = "always"`), in an order that says nothing. Close the release when it is written or used.
    """
    from taxonym.run.spark.run import anonymize

    return anonymize(table, plan, progress=progress)

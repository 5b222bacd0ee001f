"""The release of a run on Spark: a DataFrame, a report, and a folder that appears whole or not at all."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadInput
from taxonym.executor.context import Context
from taxonym.io.atomic import Together
from taxonym.io.files import folder_fingerprint
from taxonym.io.progress import SILENCE, Progress
from taxonym.plan import Plan
from taxonym.run.pipeline import carried_out
from taxonym.run.release import report_form, with_digest, write_private_report, write_report
from taxonym.run.spark.errors import check_plan, explained, forgotten
from taxonym.run.spark.executor import SparkExecutor
from taxonym.run.spark.table import SparkTables
from taxonym.shapes.codebook import SUFFIX, Codebook, codebook_path, is_codebook
from taxonym.shapes.shape import Published

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

OTHER_FORMATS = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".gz")


def released(
    table: "DataFrame", plan: Plan, where: str, progress: Progress = SILENCE, placed: bool = False
) -> "SparkRelease":
    """The release of a DataFrame; `placed` says that its last columns tell where each row stands."""
    check_plan(plan)
    executor = SparkExecutor(table.sparkSession, progress)
    context = Context(np.random.default_rng(plan.method.seed), progress=progress, baselines=False)
    with ExitStack() as stack, explained(where):
        stack.push(executor.held)
        outcome = carried_out(SparkTables(executor, where, placed), table, plan, context)
        stack.pop_all()
        return SparkRelease(outcome.published, outcome.report, executor.held, outcome.private)


class SparkRelease:
    """What a run on Spark gives.

    `table` is the release as a DataFrame; `report` has no person's value. What was promised is recounted before either
    is given away, and again by `write` from the written files, before the folder gets its name. What the run keeps on
    the workers until then is given up by `close`, or at the end of a `with`.
    """

    def __init__(
        self, published: Published, report: dict[str, Any], held: ExitStack, private: Callable[[], dict[str, Any]]
    ) -> None:
        self.report, self.private_report, self._published, self._held = report, private, published, held

    @property
    def table(self) -> "DataFrame":
        found: DataFrame = self._published.batches()
        return found

    @cached_property
    def codebook(self) -> Codebook | None:
        """What the words of the release stand for; None where it has none."""
        return self._published.codebook()

    def __enter__(self) -> "SparkRelease":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers forget what was kept for this release; `table` must not be used afterwards."""
        self._held.close()

    def write(
        self, folder: str | Path, *, reports: Sequence[str | Path] = (), private_report: str | Path | None = None
    ) -> None:
        """Write a Parquet folder whole or not at all, its promise recounted from the files; with it its codebook
        (FOLDER.codebook.csv), reports (see write_report) and the report with exact figures, for its owner only, if they
        are named. The folder and all of these files appear, or none."""
        for report in (*reports, *([] if private_report is None else [private_report])):
            report_form(Path(report))  # complains before anything is done
        spark = self.table.sparkSession
        with explained(str(folder)), ExitStack() as stack:
            out = Place(spark, str(folder))
            check_output(spark, str(folder))
            beside = out.beside()
            try:
                self.table.write.parquet(str(beside))
                self._published.check(spark.read.parquet(str(beside)))
                codebook, digest = self.codebook, beside.fingerprint()
                with Together() as files:
                    if codebook is not None and "://" not in str(folder):
                        codebook.write(codebook_path(folder), files)
                    elif is_codebook(codebook_path(folder)):  # of a release that was here before
                        files.remove(codebook_path(folder))
                    for report in reports:
                        write_report(with_digest(self.report, digest), Path(report), files)
                    if private_report is not None:
                        told = with_digest(self.private_report(), digest)
                        write_private_report(told, Path(private_report), files)
                    beside.rename(out)
                    stack.callback(out.remove)  # unless the reports get their names, too
                    if codebook is not None and "://" in str(folder):
                        Place(spark, f"{str(folder).rstrip('/')}{SUFFIX}").write(codebook.content)
                stack.pop_all()
                self.report = with_digest(self.report, digest)
            finally:
                forgotten(beside.remove)

    def write_report(self, path: str | Path) -> None:
        """Write the report: to look at where the name ends in .html, as JSON where it ends in .json. It names the
        folder that was written last, if one was."""
        write_report(self.report, Path(path))


class Place:
    """A folder as Spark sees it: on this machine, or wherever its URL leads."""

    def __init__(self, spark: "SparkSession", path: str) -> None:
        inner: Any = spark
        self._spark, self._path = spark, inner._jvm.org.apache.hadoop.fs.Path(path)
        self._files = self._path.getFileSystem(inner._jsc.hadoopConfiguration())

    def __str__(self) -> str:
        return str(self._path.toString())

    def beside(self) -> "Place":
        """A folder of a new name in the same place, which no reader of the place looks into."""
        return Place(self._spark, f"{self._path.getParent() or '.'}/.{self._path.getName()}.{token_hex(8)}.part")

    def fingerprint(self) -> str:
        """What io.files.fingerprint says of the folder, wherever it is: workers read the files."""
        from pyspark.sql import functions as fn

        files = self._spark.read.format("binaryFile").option("pathGlobFilter", "*.parquet").load(str(self))
        digests = files.select(fn.element_at(fn.split("path", "/"), -1), fn.sha2("content", 256)).collect()
        return folder_fingerprint({row[0]: row[1] for row in digests})

    def exists(self) -> bool:
        return bool(self._files.exists(self._path))

    def parent_exists(self) -> bool:
        parent = self._path.getParent()
        return parent is None or bool(self._files.exists(parent))

    def write(self, content: bytes) -> None:
        """Write a file, where Spark can and this machine may not."""
        stream = self._files.create(self._path, True)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()

    def rename(self, to: "Place") -> None:
        if to.exists() or not self._files.rename(self._path, to._path):
            raise BadInput(f"{to}: could not be written: something else is there now; nothing was changed.")

    def remove(self) -> None:
        self._files.delete(self._path, True)


def check_folders(source: str, out: str) -> None:
    """Complain of what is no Parquet folder by its name, and of a release that would lie in its own input."""
    if source.lower().endswith(OTHER_FORMATS):
        raise BadInput(f"{source}: Spark reads a Parquet folder. Write the table as one, or leave --engine spark out.")
    if out.lower().endswith(OTHER_FORMATS):
        raise BadInput(f"{out}: Spark writes a Parquet folder. Give it a name without the suffix of another format.")
    if f"{out}/".startswith(f"{source.rstrip('/')}/"):
        raise BadInput(f"{out}: lies in the folder to anonymise. Write elsewhere, so that nothing is lost.")


def check_output(spark: "SparkSession", out: str) -> None:
    """Complain of what cannot be written before any work is done."""
    with explained(out):
        place = Place(spark, out)
        there, parent = place.exists(), place.parent_exists()
    if there:
        raise BadInput(f"{out}: is there already. Remove it, or name another folder.")
    if not parent:
        raise BadInput(f"{out}: there is no folder to make it in. Make that first, or choose another.")

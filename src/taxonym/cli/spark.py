"""taxonym anonymize INPUT -o OUT --engine spark"""

import argparse
from typing import Any

from taxonym.cli.shared import refuse_warnings
from taxonym.cli.terminal import Bar
from taxonym.errors import BadInput, BadPlan
from taxonym.plan import Plan
from taxonym.run.spark.errors import check_plan
from taxonym.run.spark.release import check_folders, check_output
from taxonym.run.spark.session import check_installed, session


def written(plan: Plan, source: str, out: str, options: argparse.Namespace) -> dict[str, Any]:
    """Make the release of a Parquet folder on Spark, write it, and give its report."""
    _check_options(options)
    check_plan(plan)
    check_folders(source, out)
    check_installed()
    from pyspark.sql import SparkSession

    others = SparkSession.getActiveSession()  # whoever has started it may need it again
    spark = session(options.master, _settings(options.conf), shown=options.debug)
    from taxonym.run.spark import anonymize_folder

    try:
        check_output(spark, out)
        with anonymize_folder(spark, source, plan, progress=Bar()) as release:
            refuse_warnings(release.report, options)
            release.write(out, reports=options.report, private_report=options.private_report)
            return release.report
    finally:
        if others is None:
            spark.stop()


def _check_options(options: argparse.Namespace) -> None:
    if not options.plan:
        raise BadPlan("--engine spark: needs a plan. Draft one from a part of the data with 'taxonym plan'.")
    for name, why in (
        ("trail", "nobody but the workers knows whose row is whose"),
        ("workers", "the master says how many there are (--master)"),
        ("max_memory", "executors have a setting of their own (--conf spark.executor.memory=4g)"),
        ("work", "work files have a setting of their own (--conf spark.local.dir=DIR)"),
    ):
        if getattr(options, name, None):
            raise BadPlan(f"--{name.replace('_', '-')}: belongs to the local engine: on Spark {why}.")


def _settings(given: list[str]) -> dict[str, str]:
    made = {}
    for one in given:
        key, equals, value = one.partition("=")
        if not equals or not key.startswith("spark."):
            raise BadInput(f"--conf: write spark.KEY=VALUE, got {one!r}.")
        made[key] = value
    return made

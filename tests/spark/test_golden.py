"""Golden runs on Spark leave behind what is recorded; on every golden table Spark does what one machine does."""

import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import taxonym
from taxonym.errors import BadPlan
from taxonym.plan import Plan
from taxonym.run.spark import anonymize
from taxonym.run.spark.errors import check_plan
from tests.golden.cases import CASES, WHOLE, Case, chosen
from tests.golden.runs import DATA
from tests.golden.test_runs import check
from tests.spark.tables import assert_same, sorted_rows

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one cluster for all
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
# what each has that the others have not: blocks, numbers and `other` columns, topics, persons with several units
OFTEN = ("table-refined-blocks", "table-refined-mixed", "table-adaptive-mdav-topics-drop", "table-refined-keep-blocks")


def on_spark_too(case: Case) -> bool:
    """Whether a case is a run over a table that Spark can do."""
    try:
        check_plan(Plan.from_dict(case.plan))
    except BadPlan:
        return False
    return case.name.startswith("table-") and not case.same and "--keep-order" not in case.commands[0]


TABLES = [case for case in CASES if on_spark_too(case)]
SOME = [case for case in TABLES if case.name in OFTEN or os.environ.get(WHOLE)]  # the others: bench/matrix.py


def test_most_golden_tables_without_noise_or_generalisation_are_compared() -> None:
    assert len(TABLES) >= 20
    assert any("topics" in column for case in TABLES for column in case.plan["columns"].values())


@pytest.mark.parametrize("case", chosen(spark=True), ids=lambda c: c.name)
def test_a_run_on_spark_leaves_behind_what_is_recorded(case: Case, tmp_path: Path, spark: Any) -> None:
    check(case, tmp_path)


@pytest.mark.parametrize("case", SOME, ids=lambda c: c.name)
def test_on_a_golden_table_spark_publishes_and_reports_what_one_machine_does(
    case: Case, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(DATA)
    source = case.commands[0].split()[1].replace("parquet", "csv")
    settings = {**case.plan, "method": {**case.plan.get("method", {}), "seed": 7}}
    data = pl.read_csv(source, infer_schema=False)
    local = taxonym.anonymize(data, settings, baselines=False)
    with anonymize(spark.createDataFrame(data.to_arrow()), settings) as release:
        assert sorted_rows(pl.DataFrame(release.table.toArrow())) == sorted_rows(local.frame)
        assert_same(release.private_report(), local.private_report(), "report")
        assert release.report["watched"] == local.report["watched"]  # for everybody, nothing is missing

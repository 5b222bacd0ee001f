"""The golden runs on Spark leave behind what is recorded, whatever cluster it was recorded on."""

from pathlib import Path
from typing import Any

import pytest

from tests.golden.cases import Case, chosen
from tests.golden.test_runs import check

pytestmark = pytest.mark.xdist_group("spark")  # one cluster for all


@pytest.mark.parametrize("case", chosen(spark=True), ids=lambda c: c.name)
def test_a_run_on_spark_leaves_behind_what_is_recorded(case: Case, tmp_path: Path, spark: Any) -> None:
    check(case, tmp_path)

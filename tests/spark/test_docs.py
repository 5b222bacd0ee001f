"""What the page about Spark shows in Python is run as it stands, in a folder that Java finds, too."""

import re
from pathlib import Path
from typing import Any

import pytest

from taxonym.plan import Plan
from tests.spark import tables

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one cluster for all
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
PAGE = Path(__file__).parents[2] / "docs" / "spark.md"


def test_the_python_of_the_page_about_spark_runs(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tables.table(3, 24, 1).select("things").write_parquet("visits")
    things = {"role": "quasi-identifier", "kind": "set", "taxonomy": tables.taxonomy(tmp_path)}
    Path("plan.toml").write_text(Plan.from_dict({"columns": {"things": things}, "method": {"k": 3}}).to_toml())
    found = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert found
    for block in found:
        exec(compile(block.replace('"visits', f'"{tmp_path}/visits'), PAGE.name, "exec"), {"spark": spark})
    assert list(Path("visits-release").glob("*.parquet"))

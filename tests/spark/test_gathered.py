"""Sets that columns make up, and rows that must not count as persons, on a Spark cluster."""

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import taxonym
from taxonym.errors import BadPlan
from taxonym.run.spark import anonymize
from tests.spark.tables import WORDS, taxonomy

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one cluster for all
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def test_columns_make_up_one_set_and_repeated_ids_are_refused(spark: Any, tmp_path: Path) -> None:
    r = random.Random(3)
    sets = [r.sample(WORDS[:6], r.randint(1, 3)) for _ in range(120)]
    columns: dict[str, list[Any]] = {f"item{i}": [s[i] if i < len(s) else " " for s in sets] for i in range(3)}
    columns |= {f"has_{word}": [float(word in s) for s in sets] for word in WORDS[:6]}
    data = pl.DataFrame({"uid": [f"u{i // 2:03}" for i in range(120)], **columns})
    quasi = {"role": "quasi-identifier", "kind": "set", "taxonomy": taxonomy(tmp_path)}
    chosen = {
        "columns": {
            "items": quasi | {"from": [f"item{i}" for i in range(3)]},
            "held": quasi | {"from": [f"has_{word}" for word in WORDS[:6]], "marks": ["1"]},
        },
        "method": {"k": 3, "seed": 1, "name": "mdav", "blocks": "always", "block_size": 20},
    }
    with pytest.raises(BadPlan, match='60 different ones in 120 rows.* person = "uid", or person = false'):
        anonymize(spark.createDataFrame(data.to_arrow()), chosen)
    for person in ("uid", False):
        settings = {**chosen, "input": {"person": person}}
        local = taxonym.anonymize(data, settings, baselines=False)
        with anonymize(spark.createDataFrame(data.to_arrow()), settings) as release:
            frame = pl.from_arrow(release.table.toArrow())
            assert isinstance(frame, pl.DataFrame)
            assert frame.rows() == local.frame.rows()
            assert release.report["plan"]["columns"]["items"]["from"] == ["item0", "item1", "item2"]

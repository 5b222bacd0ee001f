"""Whole rows on Spark: those of one machine, and nothing in them is told of fewer than k persons."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym import Taxonomy
from taxonym.run.spark import anonymize
from tests.checker import violations
from tests.spark.tables import EDGES, WORDS, assert_same, taxonomy

pytestmark = [
    pytest.mark.xdist_group("spark"),  # one cluster for all
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def table(seed: int, persons: int) -> pl.DataFrame:
    """Rows of persons of whom some have many; a few have what hardly anybody else has."""
    dice = np.random.default_rng(seed)
    sizes = np.minimum(dice.geometric(0.5, persons), 6)
    who = np.repeat(np.arange(persons), sizes)
    usual = dice.choice(len(WORDS), (persons, 3))
    rows = len(who)
    return pl.DataFrame(
        {
            "who": [f"person {p}" for p in who.tolist()],
            "things": [";".join(sorted({WORDS[usual[p, i]] for i in dice.integers(0, 3, 2)})) for p in who.tolist()],
            "age": [int(20 + 7 * p % 50 + dice.integers(0, 3)) for p in who.tolist()],
            "pay": np.round(dice.gamma(2, 700, rows), 1).tolist(),
            "since": [dt.date(2015, 1, 1) + dt.timedelta(int(d)) for d in dice.integers(0, 2500, rows)],
            "site": dice.choice(["north", "south", "east"], rows, p=[0.6, 0.3, 0.1]).tolist(),
            "ward": dice.choice([1, 2], rows, p=[0.9, 0.1]).tolist(),
        }
    )


def plan(folder: Path, columns: dict[str, Any], **method: Any) -> dict[str, Any]:
    quasi = {"role": "quasi-identifier"}
    usual = {
        "who": {"role": "identifier"},
        "things": quasi | {"kind": "set", "taxonomy": taxonomy(folder)},
        "age": quasi | {"kind": "number"},
        "pay": quasi | {"kind": "number", "publish": "rounded", "step": 500},
        "since": quasi | {"kind": "date"},
        "site": {"role": "other"},
        "ward": {"role": "other"},
    }
    settings = {"k": 3, "seed": 5, **method}
    return {"input": {"person": "who", "person_rows": "keep"}, "columns": usual | columns, "method": settings}


BLOCKS = {"blocks": "always", "block_size": 12}
SECRET = {"threshold": "random"}


@pytest.mark.parametrize(
    ("columns", "method"),
    [
        ({}, BLOCKS),
        ({}, {}),
        ({"things": {"role": "identifier"}, "ward": {"role": "confidential"}}, BLOCKS),
        ({}, SECRET | BLOCKS),
        ({}, SECRET),
    ],
    ids=["blocks", "at-once", "without-words", "secret-thresholds-in-blocks", "secret-thresholds-at-once"],
)
def test_rows_of_persons_who_have_many_are_those_of_one_machine_and_pass_the_checker(
    spark: Any, tmp_path: Path, columns: dict[str, Any], method: dict[str, Any]
) -> None:
    data, settings = table(2, 90), plan(tmp_path, columns, **method)
    local = taxonym.anonymize(data, settings, baselines=False)
    with anonymize(spark.createDataFrame(data.to_arrow()), settings) as release:
        frame = pl.DataFrame(release.table.toArrow())
        told = release.private_report()
    assert frame.schema == local.frame.schema
    assert frame.rows() == local.frame.rows()
    assert frame.height < data.height - 5  # rows of who has many are cut
    assert_same(told, local.private_report(), "report")
    tax = {"things": Taxonomy.from_edges(EDGES, name="things")}
    assert violations(data.to_dicts(), settings, frame.to_dicts(), local.trail(), tax) == []


def test_secret_thresholds_leave_rarer_words_out_on_spark_and_need_no_seed(spark: Any, tmp_path: Path) -> None:
    """A concept that k persons hold is told by k; by its secret threshold only if so many more hold it."""
    data = pl.DataFrame(
        {
            "who": [f"person {i}" for i in range(240)],
            "things": [WORDS[(i // 3) % len(WORDS)] for i in range(36)] + ["dog"] * 204,
        }
    )
    quasi = {"role": "quasi-identifier", "kind": "set", "taxonomy": taxonomy(tmp_path)}
    columns = {"who": {"role": "identifier"}, "things": quasi}

    def words(**method: Any) -> set[str]:
        settings = {"columns": columns, "input": {"person": "who"}, "method": {"k": 3, **method}}
        with anonymize(spark.createDataFrame(data.to_arrow()), settings) as release:
            return {word for cell in pl.DataFrame(release.table.toArrow())["things"].to_list() for word in cell}

    assert words() == set(WORDS)
    assert not words(**SECRET) >= set(WORDS)  # all of them by chance: once in four million runs
    assert not words(**SECRET, **BLOCKS) >= set(WORDS)

"""Random tables of every kind of column, and their plans."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import taxonym
from taxonym.knowledge import compiled

EDGES = [
    ("dog", "pet"), ("cat", "pet"), ("hamster", "pet"), ("pet", "animal"), ("cow", "farm animal"),
    ("sheep", "farm animal"), ("grubbel", "farm animal"), ("farm animal", "animal"), ("oak", "tree"), ("elm", "tree"),
    ("birch", "tree"), ("tree", "plant"), ("rose", "flower"), ("tulip", "flower"), ("lily", "flower"),
    ("flower", "plant"), ("animal", "thing"), ("plant", "thing"),
]  # fmt: skip
WORDS = ["dog", "cat", "hamster", "cow", "sheep", "grubbel", "oak", "elm", "birch", "rose", "tulip", "lily"]
PHRASES = ["old dog", "Old dog", "tall oak", "dog food"]  # of which some have k writers, and one has an unknown head
# what only one machine counts: confidential values as they were given, which workers never bring together by class
OF_ORIGINALS = {"classes", "smallest_distinct_l", "smallest_entropy_l", "largest_t", "homogeneous_classes"}
OF_ORIGINALS |= {"persons_in_homogeneous_classes"}
BY_LOT = "mean_to_a_random_record"  # the draws of a cluster are others
SECRETS = ("confidant", "hushhush")  # values that nothing but the release may hold


def taxonomy(folder: Path) -> str:
    """Things, among them a tool that is called a grubbel, too: what the column is about tells which is meant."""
    rows = [f"{child},{child},{parent}" for child, parent in [*EDGES, ("tool", "thing"), ("thing", "")]]
    (folder / "things.csv").write_text(
        "\n".join(["id,label,parent", *rows, "tool-1,grubbel,tool", *(f"{i},part {i},tool-1" for i in range(9))]) + "\n"
    )
    path = folder / "things.taxonym"
    compiled.write(taxonym.load(folder / "things.csv"), path)
    return str(path)


def topics(folder: Path) -> str:
    """A file of topics that overlap."""
    path = folder / "topics.toml"
    path.write_text(
        'taxonomy = "things"\n[topics.pets]\ntitle = "Pets"\nconcepts = ["pet"]\n'
        '[topics.alive]\ntitle = "Alive"\nconcepts = ["animal", "oak"]\n'
    )
    return str(path)


def table(seed: int, rows: int, several: int) -> pl.DataFrame:
    """Rows of persons who have `several` each; numbers and dates are written, as in CSV."""
    dice = np.random.default_rng(seed)

    def some(words: list[str], most: int) -> str:
        return ";".join(dice.choice(words, dice.integers(1, most + 1), replace=False))

    day = dt.date(2020, 2, 20)
    return pl.DataFrame(
        {
            "who": [f"person {i // several}" for i in range(rows)],
            "things": [some([*WORDS, *PHRASES, "nonsense"], 4) for _ in range(rows)],
            "job": dice.choice(["nurse", "baker", "miner"], rows),
            "note": [
                f"I saw a {a} and an old {b}." for a, b in zip(*(dice.choice(WORDS, rows) for _ in "ab"), strict=True)
            ],
            "age": [f"{dice.integers(20, 80)}{'.5' if seed % 2 and i == 7 else ''}" for i in range(rows)],
            "since": [str(day + dt.timedelta(int(dice.integers(0, 900)))) for _ in range(rows)],
            "site": dice.choice(["north", "south"], rows, p=[0.7, 0.3]),
            "pay": dice.choice([*SECRETS, "ordinary"], rows),
        }
    )


def plan(folder: Path, rows: str = "keep", unknown: str = "suppress", **method: Any) -> dict[str, Any]:
    quasi = {"role": "quasi-identifier"}
    known = quasi | {"taxonomy": taxonomy(folder)}
    columns = {
        "who": {"role": "identifier"},
        "things": known | {"kind": "set", "on_unknown": unknown, "weight": 2.0},
        "job": quasi,
        "note": known | {"kind": "text", "topics": ["all"], "topics_file": topics(folder)},
        "age": quasi | {"kind": "number"},
        "since": quasi | {"kind": "date"},
        "site": {"role": "other"} if rows == "keep" else {"role": "identifier"},
        "pay": {"role": "confidential"},
    }
    settings = {"k": 3, "seed": 7, "blocks": "always", "block_size": 15, **method}
    return {"input": {"person": "who", "person_rows": rows}, "columns": columns, "method": settings}


def sorted_rows(frame: pl.DataFrame) -> list[str]:
    return sorted(map(repr, frame.rows()))


def as_published(watched: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is told of confidential columns without the figures of their original values; topics have no others."""
    told = [{key: value for key, value in one.items() if key not in OF_ORIGINALS} for one in watched]
    return [one for one in told if one["what"] != "topics"]


def assert_same(found: Any, local: Any, place: str) -> None:
    """Fail unless two reports say the same, but for what depends on the machine or on draws."""
    if isinstance(local, dict):
        left_out = {"pyspark", "verdict", BY_LOT, "understood_percent"}  # only workers know what a person wrote
        left_out |= {"ratio_to_a_random_record", "columns_to_a_random_record", "random", "lift_correlation"}
        assert found.keys() == local.keys() | ({"pyspark"} if place == "report.versions" else set()), place
        for key in found.keys() - left_out:
            assert_same(found[key], local[key], f"{place}.{key}")
        assert 0 <= (found.get(BY_LOT) or 0) <= 1
    elif isinstance(local, list):
        if place == "report.watched":
            local = as_published(local)
        if place == "report.warnings":
            by_lot = ("a random record would be", "than a random grouping")
            found, local = ([one for one in some if not any(lot in one for lot in by_lot)] for some in (found, local))
        assert len(found) == len(local), place
        for i, (one, other) in enumerate(zip(found, local, strict=True)):
            assert_same(one, other, f"{place}[{i}]")
    elif isinstance(local, float):  # distances to the middle of the data are rounded where all are found at once
        assert found == pytest.approx(local, rel=1e-4 if "sst" in place else 1e-9), place
    else:
        assert found == local, place

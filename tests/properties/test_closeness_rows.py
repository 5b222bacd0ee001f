"""l of the rows that are published, where persons keep several rows and some of them are cut."""

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taxonym
from taxonym.errors import BrokenPromise
from tests.properties.test_pipeline import written
from tests.releases import record_of

LIKES = ["swimming,water", "sailing,water", "chess,board", "go,board", "water,sport", "board,sport"]
CELLS = st.tuples(st.sampled_from(["swimming", "sailing", "chess", "go"]), st.sampled_from("abcd"))


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[int, str, str]]:
    """Four to nine persons, some of whom have many more rows than others, so that they lose some."""
    sizes = draw(st.lists(st.sampled_from([1, 1, 1, 2, 4]), min_size=4, max_size=9))
    return [(who, *draw(CELLS)) for who, size in enumerate(sizes) for _ in range(size)]


def release(rows: list[tuple[int, str, str]], method: dict[str, Any]) -> list[tuple[int, list[str]]]:
    """Of every published row, which it was and what is published of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "likes.csv").write_text("child,parent\n" + "".join(f"{edge}\n" for edge in LIKES))
        frame = pl.DataFrame(rows, ["who", "likes", "ill"], orient="row")
        likes = {"role": "quasi-identifier", "kind": "set", "taxonomy": str(folder / "likes.csv")}
        plan = {
            "input": {"person": "who", "person_rows": "keep"},
            "columns": {"who": {"role": "identifier"}, "likes": likes, "ill": {"role": "confidential", "exact": True}},
            "method": {"seed": 1, "known_items": 1} | method,
        }
        _, published, trail = written(taxonym.anonymize(frame, plan), folder, ".jsonl")
    whose = record_of(trail)
    return [(whose[number]["rows"][0] - 1, row["likes"]) for number, row in enumerate(published, 1)]


@pytest.mark.parametrize("name", ["refined", "generalize"])
@given(rows=tables(), k=st.sampled_from([2, 3]), l=st.sampled_from([2, 3]))
@settings(max_examples=100)
def test_groups_are_merged_for_the_rows_that_are_published(
    name: str,
    rows: list[tuple[int, str, str]],
    k: int,
    l: int,  # noqa: E741
) -> None:
    """A run is refused where everybody in one group would fail, never because rows were cut after groups were made."""
    try:
        made = release(rows, {"name": name, "k": k, "l": l})
    except BrokenPromise as error:
        if "fails in" in str(error):
            raise
        return
    sets = defaultdict[Any, dict[int, set[str]]](lambda: defaultdict(set))
    for at, likes in made:
        sets[tuple(sorted(likes))][rows[at][0]].add(rows[at][2])
    for persons in sets.values():
        assert len({frozenset(values) for values in persons.values()}) >= l
        assert not set.intersection(*persons.values())

"""Units as the local engine has them, from rows of Spark."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from taxonym.knowledge.runs import edges, frozen
from taxonym.records.cells import as_numbers
from taxonym.records.records import NumberColumn, Records, renumbered
from taxonym.records.rows import RowFeatures
from taxonym.records.table import Table
from taxonym.records.words import WordColumn
from taxonym.run.spark.arrow import runs_of, sets_of
from taxonym.run.spark.kit import WorkerKit

if TYPE_CHECKING:
    import polars as pl


def units_of(frame: "pl.DataFrame", kit: WorkerKit) -> Records:
    """Sorted units as the local engine has them; their table has cells of the kept columns only, and their words no
    terms where the rows have none."""
    import polars as pl

    sizes = frame["records"].list.len().to_numpy()
    start = edges(sizes)
    cells = frame["records"].explode().struct.unnest()
    persons = np.arange(frame.height)
    if kit.plan.input.person is not None:
        persons = np.unique(frame["person"].to_numpy(), return_inverse=True)[1].astype(np.int64)
    n = int(start[-1])
    table = Table(
        pl.DataFrame([cells[f"k{i}"].alias(c.name) for i, c in enumerate(kit.kept)]),
        {c.name: c for c in kit.published}, frozen(np.repeat(persons, sizes)), [], frozen(np.arange(n + 1)),
        frozen(np.arange(n)), [], kit.where,
    )  # fmt: skip
    columns: list[WordColumn | NumberColumn] = []
    words, numbers = 0, 0
    for column in kit.quasi:
        if column.kind in ("number", "date"):
            series = frame[f"cell{numbers}"]
            columns.append(NumberColumn(column, as_numbers(series), series))
            numbers += 1
        else:
            columns.append(_words(frame, kit.words(column.name), words))
            words += 1
    records = [list(range(first, last)) for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)]
    block = renumbered(frame["other"].to_numpy())
    return Records(table, columns, records, persons, block, {}, _features(cells, kit))


def _features(cells: "pl.DataFrame", kit: WorkerKit) -> RowFeatures | None:
    """What the records have one by one, where some units have several."""
    if not kit.learned.several:
        return None
    words = [sets_of(cells[f"w{i}"], tax) for i, tax in enumerate(kit.taxonomies())]
    return RowFeatures(words, [as_numbers(cells[f"n{j}"]) for j, _ in enumerate(kit.numbers)])


def _words(frame: "pl.DataFrame", empty: WordColumn, i: int) -> WordColumn:
    sets = runs_of(frame[f"codes{i}"])
    if f"terms{i}" not in frame.columns:
        return replace(empty, start=sets.start, codes=sets.codes)
    written, terms = runs_of(frame[f"meant{i}"]), frame[f"terms{i}"].explode(empty_as_null=False, keep_nulls=False)
    names = terms.unique().sort().to_list()
    number = {name: at for at, name in enumerate(names)}
    return WordColumn(
        sets.start, sets.codes, empty.tax, empty.column, written.owner,
        np.array([number[name] for name in terms.to_list()], np.int64), written.codes.astype(np.int64), names,
        frame[f"unknown{i}"].to_numpy(), frame[f"outside{i}"].to_numpy(), empty.topics, empty.maps_to,
    )  # fmt: skip

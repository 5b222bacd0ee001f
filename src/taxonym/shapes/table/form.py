"""Whether a release of a table is in the one form in which tables are written: nothing in it may be said in two ways.

The file itself (io.rewrite), the order of its columns, the items of its sets, its numbers and dates, and the order of
its rows. What is wrong is told in sentences without any value.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from taxonym.errors import BadCells
from taxonym.io.canonical import canonical_text, row_order
from taxonym.io.delimited import join_cell, split_cell
from taxonym.io.files import format_of
from taxonym.io.rewrite import form_faults
from taxonym.plan import Plan
from taxonym.promises.ranges import range_of
from taxonym.records.cells import typed
from taxonym.records.column import Column

if TYPE_CHECKING:
    import polars as pl


def table_faults(path: str | Path, table: "pl.DataFrame", plan: Plan, columns: Mapping[str, Column]) -> list[str]:
    """What is not as a run writes it; `columns` are those that the plan publishes, as far as they are known."""
    sets = {name for name, column in columns.items() if column.kind == "set" and column.role != "identifier"}
    found = form_faults(path, table, sets, plan.kept_formulas)
    if list(table.columns) != [name for name in columns if name in table.columns]:
        found.append("its columns are not in the order of the plan")
    for name, column in columns.items():
        cells = table[name]
        own = plan.columns.get(name, column)
        masked = own.role == "quasi-identifier" and own.kind in ("number", "date")
        if masked and getattr(own, "publish", "") == "range":
            found += odd_ranges(cells, own.kind == "date")
        elif name in sets:
            found += _odd_sets(cells, column, plan.output.items == "sorted")
        elif column.kind in ("number", "date"):
            found += odd_values(cells, column, path)
    if plan.output.rows == "sorted":
        separators = {name: columns[name].separator for name in sets}
        confidential = [name for name, column in columns.items() if column.role == "confidential"]
        order = row_order(table, confidential, separators)
        if (order[1:] < order[:-1]).any():
            found.append(
                "its rows are not sorted by what is published (say --keep-order if the run kept the order of the input)"
            )
    return found


def type_faults(table: "pl.DataFrame", original: "pl.DataFrame") -> list[str]:
    """Columns that are kept and have another type than in the original, in a file that keeps types."""
    odd = [name for name in table.columns if name in original.columns and table[name].dtype != original[name].dtype]
    return [f"column {name!r}: holds {table[name].dtype} where the original has another type" for name in odd]


def _odd_sets(cells: "pl.Series", column: Column, in_order: bool) -> list[str]:
    """Sets whose items are not sorted, repeat themselves, are joined otherwise, or are not in the one form of text."""
    import polars as pl

    repeated = column.multiplicity and column.role != "quasi-identifier"
    odd = 0
    for cell in cells.unique().to_list() if cells.dtype == pl.String else cells.to_list():
        if cell is None:
            continue
        items = split_cell(cell, column.separator) if isinstance(cell, str) else list(cell)
        same = join_cell(items, column.separator) == cell if isinstance(cell, str) else bool(items)
        same &= all(item and canonical_text(item) == item for item in items)
        odd += not same or (in_order and items != sorted(items)) or not (repeated or len(set(items)) == len(items))
    return [f"column {cells.name!r}: {odd:,} sets are not as they are written, or not in order"] if odd else []


def odd_ranges(cells: "pl.Series", date: bool) -> list[str]:
    """Cells of a column of ranges that are none, or are written otherwise."""
    odd = sum(range_of(str(text), date=date) is None for text in cells.drop_nulls().unique().to_list())
    return [f"column {cells.name!r}: {odd:,} different cells are not ranges as they are written"] * bool(odd)


def odd_values(cells: "pl.Series", column: Column, path: str | Path) -> list[str]:
    """Numbers and dates that are written in another way than they would be; ranges are written in one way only."""
    import polars as pl

    if cells.dtype != pl.String:
        return []
    ranges = [text is not None and range_of(text, date=column.kind == "date") is not None for text in cells.to_list()]
    masked = column.role == "quasi-identifier"
    plain = cells.filter(~pl.Series(ranges, dtype=pl.Boolean)) if masked and ranges else cells
    try:
        values = typed(plain, replace(column, decimal=".", format=None), str(path), ())
    except BadCells:
        return [f"column {cells.name!r}: holds what is not a {column.kind}"]
    odd = sum(a != b for a, b in zip(plain.to_list(), _texts(values, Path(path)), strict=True))
    return [f"column {cells.name!r}: {odd:,} {column.kind}s are written in another way than they would be"] * bool(odd)


def _texts(values: "pl.Series", path: Path) -> list[str | None]:
    """Numbers and dates as a file of this kind shows them."""
    frame = values.alias("value").to_frame()
    if path.is_dir() or not format_of(path)[0].flat:
        return [json.loads(line)["value"] for line in frame.write_ndjson().splitlines()]
    return [text or None for text in frame.write_csv(include_header=False, null_value="").split("\n")[:-1]]

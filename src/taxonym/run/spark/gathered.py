"""Before rows are read on Spark: columns that make up sets, and whether rows may count as persons."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from taxonym.plan import Plan
from taxonym.records.gathered import check_sources, item_names
from taxonym.records.ids import SOME, hidden_columns, id_like, refuse_repeated_ids

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def check_whose(table: "DataFrame", names: Sequence[str], plan: Plan, where: str) -> None:
    """Refuse to count rows as persons where ids repeat in a column that is not published."""
    import polars as pl
    from pyspark.sql import functions as fn

    hidden = hidden_columns(names, plan.columns)
    if plan.input.person is not None or plan.input.each_row or not hidden:
        return
    plain = table.toDF(*(f"x{i}" for i in range(len(table.columns))))
    chosen = plain.select(*(f"x{list(names).index(name)}" for name in hidden))
    first = pl.DataFrame(chosen.limit(SOME).toArrow())
    looks = [
        id_like(first[key].alias(name), plan.input.missing) for key, name in zip(first.columns, hidden, strict=True)
    ]
    ids = {key: look for key, look in zip(first.columns, looks, strict=True) if look is not None}
    if not ids:
        return
    counts = [fn.count_distinct(key).alias(f"d{key}") for key in ids] + [fn.count(key).alias(f"n{key}") for key in ids]
    found = chosen.agg(*counts).first()
    assert found is not None
    refuse_repeated_ids(
        where, [replace(look, distinct=found[f"d{key}"], rows=found[f"n{key}"]) for key, look in ids.items()]
    )


def with_gathered(table: "DataFrame", names: Sequence[str], plan: Plan, where: str) -> "tuple[DataFrame, list[str]]":
    """The table with a column of lists for every set that is made of columns; and the names of its columns, without
    those at its end that say where rows stand."""
    from pyspark.sql import functions as fn

    sets = [column for column in plan.columns.values() if column.from_]
    if not sets:
        return table, list(names)
    plain = table.toDF(*(f"x{i}" for i in range(len(table.columns))))
    at = {name: plain[f"x{i}"] for i, name in enumerate(names)}
    made: dict[str, Column] = {}
    for column in sets:
        check_sources(names, column, where)
        texts = [
            _text(at[name], plain.schema[f"x{list(names).index(name)}"].dataType.typeName()) for name in column.from_
        ]
        if column.marks:
            yes = [mark.strip().casefold() for mark in column.marks]
            items = zip(item_names(column.from_), texts, strict=True)
            texts = [fn.when(fn.lower(text).isin(yes), fn.lit(name)) for name, text in items]
        made[column.name] = fn.filter(fn.array(*texts), _is_none_of(["", *plan.input.missing]))
    kept = {name: column for name, column in at.items() if name not in made} | made
    places = [plain[f"x{i}"].alias(name) for i, name in enumerate(table.columns) if i >= len(names)]
    columns = [column.alias(f"y{i}") for i, column in enumerate(kept.values())]
    whole = plain.select(*columns, *places)
    return whole.toDF(*kept, *table.columns[len(names) :]), list(kept)


def _is_none_of(no: list[str]) -> "Callable[[Column], Column]":
    """A condition of one argument: Spark takes a second for the place of an item."""
    return lambda item: item.isNotNull() & ~item.isin(no)


def without_sources(plan: Plan) -> Plan:
    """The plan once sets have been made: they are columns of lists."""
    columns = {name: replace(column, from_=(), marks=()) for name, column in plan.columns.items()}
    return replace(plan, columns=columns)


def _text(column: "Column", kind: str) -> "Column":
    """Cells as texts; whole numbers without a point."""
    from pyspark.sql import functions as fn

    text = fn.trim(column.cast("string"))
    return fn.regexp_replace(text, r"\.0$", "") if kind in ("double", "float") else text

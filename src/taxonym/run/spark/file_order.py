"""The order in which Spark writes the rows of a release: that of io.canonical.row_order, over all files of a folder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from taxonym.io.canonical import NUMBER
from taxonym.records.column import Column

if TYPE_CHECKING:
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame


def sorted_rows(rows: "DataFrame", columns: Sequence[Column]) -> "DataFrame":
    """Rows by what is published, then by what is confidential; rows has the columns in the order of `columns`."""
    from pyspark.sql import types

    kinds = {field.name: field.dataType for field in rows.schema.fields}
    pairs = list(zip(rows.columns, columns, strict=True))
    ordered = [pair for late in (False, True) for pair in pairs if (pair[1].role == "confidential") == late]
    keys: list[SparkColumn] = []
    for name, column in ordered:
        if isinstance(kinds[name], types.ArrayType):
            keys += _text_keys(_joined(name, column.separator))
        elif isinstance(kinds[name], types.StringType):
            keys += _text_keys(_cell(name))
        else:
            keys.append(_cell(name).asc_nulls_first())
    return rows.orderBy(*keys)


def _cell(name: str) -> "SparkColumn":
    from pyspark.sql import functions as fn

    return fn.col(f"`{name}`")


def _text_keys(text: "SparkColumn") -> "list[SparkColumn]":
    """Empty cells first, then numbers by their value, then other texts."""
    from pyspark.sql import functions as fn

    number = fn.when(text.rlike(NUMBER), text.cast("double"))
    return [text.isNotNull().asc(), number.asc_nulls_last(), text.asc_nulls_first()]


def _joined(name: str, separator: str) -> "SparkColumn":
    """A set as one cell, quoted as io.delimited.join_cell does it; empty sets are no cell."""
    from pyspark.sql import functions as fn

    end = fn.lit(separator)

    def item(term: "SparkColumn") -> "SparkColumn":
        bare = ~term.startswith('"') & (fn.instr(fn.concat(term, end), separator) == fn.length(term) + 1)
        quoted = fn.concat(fn.lit('"'), fn.replace(term, fn.lit('"'), fn.lit('""')), fn.lit('"'))
        return fn.when(bare, term).otherwise(quoted)

    return fn.when(fn.size(_cell(name)) > 0, fn.array_join(fn.transform(_cell(name), item), separator))

"""The one form of text, and the one order of rows, in every file that is published: so that no mark can hide in them.

Text is in Unicode's form NFC, trimmed, with single blanks between words; characters that nobody sees (control and
format characters, zero-width ones) are taken out. Whatever is read is brought into this form at the door, so that two
cells which look alike are alike.

Rows are sorted by their cells as a text file shows them: empty ones first, then numbers by their value, then other
texts by their code points. Of two rows that stay side by side all cells are equal, so that the order says nothing.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from taxonym.io.delimited import SEPARATOR, join_cell

if TYPE_CHECKING:
    import polars as pl

NUMBER = r"^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$"  # cells that are sorted by their value
_ODD = r"[^ -~]|^ | $|  "  # what no plain cell has; all others need no second look
# beside control and format characters: what Unicode calls default ignorable, and U+2800, a blank pattern
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


def canonical_text(text: str) -> str:
    """A text in the one form in which it is published."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split()) if "  " in text or text[:1] == " " or text[-1:] == " " else text
    seen = "".join(c for c in _UNSEEN.sub("", text) if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return " ".join(unicodedata.normalize("NFC", seen).split())


def canonical_lines(text: str) -> str:
    """The same line by line: where a line ends, a thought may."""
    return "\n".join(map(canonical_text, text.splitlines()))


def canonical_cells(cells: "pl.Series", lines: bool = False) -> "pl.Series":
    """The texts of a column in their one form; every different odd one is looked at once."""
    import polars as pl

    odd = cells.str.contains(_ODD).fill_null(False)
    if not odd.any():
        return cells
    old = cells.filter(odd).unique()
    how = canonical_lines if lines else canonical_text
    new = pl.Series([how(text) for text in old.to_list()], dtype=pl.String)
    return cells.replace_strict(old, new, default=cells, return_dtype=pl.String)


def cell_texts(column: "pl.Series", separator: str = SEPARATOR) -> "pl.Series":
    """The cells of a column as a text file shows them."""
    import polars as pl

    if isinstance(column.dtype, pl.List | pl.Array):
        sets = column.cast(pl.List(pl.String))
        item = pl.col("item")
        bare = (item + separator).str.find(separator, literal=True) == item.str.len_bytes()
        bare &= (item != "") & ~item.str.starts_with('"') & (item.str.strip_chars() == item)
        if sets.explode().alias("item").to_frame().select(bare.all()).item():  # quotes are rare
            joined = sets.list.join(separator)
            return joined.set(joined == "", None)
        made = [join_cell(filter(None, items or ()), separator) or None for items in sets.to_list()]
        return pl.Series(column.name, made, pl.String)
    if column.dtype in (pl.Categorical, pl.Enum) or column.dtype != pl.String:
        return column.cast(pl.String)
    return column


def row_order(
    table: "pl.DataFrame", last: Collection[str] = (), separators: Mapping[str, str] | None = None
) -> NDArray[np.int64]:
    """The rows in the order in which they are published: by all columns but the `last` ones, which are confidential,
    then by these. Rows that are alike stay as they are."""
    names = [*(name for name in table.columns if name not in last), *(name for name in table.columns if name in last)]
    ranks = [_ranks(table[name], (separators or {}).get(name, SEPARATOR)) for name in names]
    if not ranks:
        return np.arange(table.height)
    return np.lexsort(ranks[::-1]).astype(np.int64)


def _ranks(column: "pl.Series", separator: str) -> NDArray[np.int64]:
    """The place of every cell among the different ones."""
    import polars as pl

    if column.dtype.is_float() or (column.dtype.is_integer() and _exact(column)):
        return column.rank("dense").fill_null(0).to_numpy().astype(np.int64)
    cells = pl.DataFrame({"text": cell_texts(column, separator)})
    number = pl.when(pl.col("text").str.contains(NUMBER)).then(pl.col("text").cast(pl.Float64, strict=False))
    different = cells.unique().with_columns(number=number, there=pl.col("text").is_not_null())
    different = different.sort("there", "number", "text", nulls_last=[False, True, False]).with_row_index("rank")
    found = cells.join(different, on="text", how="left", nulls_equal=True, maintain_order="left")
    return found["rank"].to_numpy().astype(np.int64)


def _exact(numbers: "pl.Series") -> bool:
    """Whether whole numbers are exact as floating-point ones, as which they are read from a text."""
    ends = [end for end in (numbers.min(), numbers.max()) if isinstance(end, int)]
    return all(abs(end) < 2**53 for end in ends)

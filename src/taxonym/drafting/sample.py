"""What a look at a column shows: its header in words, some of its cells, how many values it has."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from taxonym.io.delimited import split_cell

if TYPE_CHECKING:
    import polars as pl

CELLS = 1000  # of a column that are looked at, spread over the file
_WHOLE = 5  # a hint of so many letters is also found inside a longer word: countryofbirth


@dataclass(frozen=True)
class ColumnSample:
    """A column as the draft looks at it: cells are filled ones, texts without blanks around them, or lists of texts.

    `values` are the distinct texts, all of them if they are few, else those of the cells; `distinct` counts the values
    of the whole column, and `missing` is the share of cells without a value.
    """

    name: str
    cells: list[Any]
    rows: int
    distinct: int
    missing: float
    numeric: bool = False
    temporal: bool = False
    values: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, series: "pl.Series", marks: Collection[str] = ()) -> "ColumnSample":
        """`marks` stand for missing values."""
        import polars as pl

        whole = series.drop_nulls()
        if isinstance(whole.dtype, pl.List | pl.Array):
            whole = whole.cast(pl.List(pl.String))
            distinct = whole.n_unique()
        else:
            whole = whole.cast(pl.String).str.strip_chars()
            whole = whole.filter(~whole.is_in(["", *marks]))
            distinct = whole.n_unique()
        cells = whole.gather_every(max(1, whole.len() // CELLS)).to_list()
        missing = 1 - whole.len() / len(series) if len(series) else 0.0
        types = series.dtype.is_numeric(), series.dtype.is_temporal()
        values = list[str]()
        if not isinstance(whole.dtype, pl.List):
            values = whole.unique(maintain_order=True).to_list() if distinct <= CELLS else [*dict.fromkeys(cells)]
        return cls(series.name, cells, len(series), distinct, missing, *types, values)

    def of_parts(self, separator: str | None) -> "ColumnSample":
        """The terms of sets as a column of their own: those of lists, or of cells that a separator parts."""
        cells = [c for cell in self.cells for c in (cell if separator is None else split_cell(cell, separator)) if c]
        values = [*dict.fromkeys(cells)]
        return replace(
            self, cells=cells[: 2 * CELLS], values=values, distinct=len(values), numeric=False, temporal=False
        )

    def without(self, marks: Callable[[str], bool]) -> "ColumnSample":
        """The same without cells that are marks."""
        kept = [cell for cell in self.cells if not marks(cell)]
        return replace(self, cells=kept, values=[value for value in self.values if not marks(value)])

    @property
    def lists(self) -> bool:
        return bool(self.cells) and isinstance(self.cells[0], list)

    @property
    def few(self) -> bool:
        """Whether the same few values come again and again."""
        return self.distinct <= 50 and self.distinct <= max(2, 0.1 * self.rows)

    @cached_property
    def header(self) -> tuple[str, ...]:
        return header_words(self.name)

    def named(self, hints: Iterable[str]) -> bool:
        """Whether the header has one of the hints as a word, or as part of a longer one."""
        joined, words = "".join(self.header), {*self.header, *(word.removesuffix("s") for word in self.header)}
        return any(hint in words or hint == joined or (len(hint) >= _WHOLE and hint in joined) for hint in hints)


def header_words(name: str) -> tuple[str, ...]:
    """The words of a header in small letters, without accents and numbers: nativeCountry_2 is native, country."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = "".join(c for c in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(c))
    return tuple(re.findall(r"[^\W\d_]+", plain.casefold()))


def share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found) if found else 0.0

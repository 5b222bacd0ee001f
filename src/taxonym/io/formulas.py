"""Cells that a spreadsheet would take for formulas: text that begins with =, +, - or @.

In CSV and TSV such a cell is written with a quote (') before it, which spreadsheets take for "this is text"; whoever
reads a release takes it away again. A cell that already has quotes there gets one more, so that both ways are exact.
Plain numbers are no formulas.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from taxonym.errors import BadInput

if TYPE_CHECKING:
    import polars as pl

POLICIES = ("escape", "keep", "refuse")
_FORMULA = r"^'*[=+\-@\t\r]"
_ESCAPED = r"^'+[=+\-@\t\r]"
_NUMBER = r"^[+-]?\d+([.,]\d+)*([eE][+-]?\d+)?$"


@dataclass(slots=True)
class Formulas:
    """How a file is written: policies by column, "escape" where none is named; and how many cells were escaped."""

    policies: Mapping[str, str] = field(default_factory=dict)
    escaped: dict[str, int] = field(default_factory=dict)

    @property
    def kept(self) -> list[str]:
        return [name for name, policy in self.policies.items() if policy == "keep"]

    def written(self, frame: "pl.DataFrame", where: str) -> "pl.DataFrame":
        """The table as it is written; complain of a formula where the policy refuses it."""
        import polars as pl

        for name in frame.columns:
            if frame[name].dtype != pl.String or self.policies.get(name) == "keep":
                continue
            if not (rows := _formulas(frame[name]).arg_true()).len():
                continue
            if self.policies.get(name) == "refuse":
                raise BadInput(
                    f"{where}: column {name!r}: row {rows[0] + 1}: begins as a formula of a spreadsheet does. Let "
                    f'formulas be "escape" or "keep", or write .parquet or .jsonl.'
                )
            self.escaped[name] = self.escaped.get(name, 0) + rows.len()
        return escape_formulas(frame, self.kept)

    def notes(self) -> list[str]:
        """What was done, as anybody can count it in the file."""
        return [
            f"Column {name!r}: {n:,} cells begin as a formula of a spreadsheet does and are written with ' before them."
            for name, n in self.escaped.items()
        ]


def escape_formulas(frame: "pl.DataFrame", kept: Collection[str] = ()) -> "pl.DataFrame":
    """With a quote before every formula, but in some columns."""
    import polars as pl

    texts = [s for s in frame.iter_columns() if s.dtype == pl.String and s.name not in kept]
    return frame.with_columns(s.zip_with(~_formulas(s).fill_null(False), "'" + s) for s in texts)


def unescape_formulas(frame: "pl.DataFrame", kept: Collection[str] = ()) -> "pl.DataFrame":
    """Without these quotes."""
    import polars as pl

    texts = [s for s in frame.iter_columns() if s.dtype == pl.String and s.name not in kept]
    return frame.with_columns(s.zip_with(~s.str.contains(_ESCAPED).fill_null(False), s.str.slice(1)) for s in texts)


def escaped(text: str) -> str:
    """The same of a single cell."""
    return f"'{text}" if re.match(_FORMULA, text) and not re.match(_NUMBER, text) else text


def unescaped(text: str) -> str:
    return text[1:] if re.match(_ESCAPED, text) else text


def _formulas(cells: "pl.Series") -> "pl.Series":
    return cells.str.contains(_FORMULA) & ~cells.str.contains(_NUMBER)

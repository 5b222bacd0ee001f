"""What a look at a column gives, and what a kind of column has to be able to do."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from taxonym.drafting.sample import ColumnSample


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a column seems to be: how sure that is (0 to 1), why, and the settings of a plan's column.

    `mask` says whether a draft proposes to publish the column masked; else the reason says what to do for it.
    `named` says whether the header says so, too, and `coverage` is the share of cells that a hierarchy has.
    """

    name: str
    confidence: float
    reason: str
    settings: dict[str, Any] = field(default_factory=dict)
    mask: bool = True
    named: bool = False
    coverage: float | None = None


class ColumnKind(Protocol):
    """One kind of column."""

    @property
    def name(self) -> str: ...

    def look(self, column: ColumnSample) -> Recognition | None:
        """What the column is if it is of this kind; the reason has no value of a cell in it."""

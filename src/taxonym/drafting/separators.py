"""What separates the terms of a set: the mark whose parts come again and again, whatever they mean.

A form with several choices writes a few options in ever new combinations, so parts repeat more often than whole cells
do. A comma inside sentences, or the slash of HTML/CSS, cuts pieces that hardly repeat.
"""

from collections.abc import Sequence

from taxonym.drafting.sample import share
from taxonym.io.delimited import split_cell

SEPARATORS = (";", "|", ",", "/")
HELD = 0.1  # share of cells that must hold a separator
_WORDS = 4  # in a part, on the average; more is a sentence
_REPEATS = 0.5  # distinct parts to all parts, at most
_LESS = 0.8  # of the same ratio of whole cells


def set_separator(cells: Sequence[str]) -> str | None:
    """The separator that is consistent over the cells; None if there is none."""
    whole = len({*cells}) / len(cells)
    found = []
    for separator in SEPARATORS:
        if share(separator in cell for cell in cells) < HELD:
            continue
        parts = [part for cell in cells for part in split_cell(cell, separator)]
        if not parts or sum(len(part.split()) for part in parts) > _WORDS * len(parts):
            continue
        distinct = len({*parts}) / len(parts)
        if distinct <= _REPEATS and distinct < _LESS * whole:
            found.append((distinct, separator))
    return min(found, key=lambda one: one[0])[1] if found else None

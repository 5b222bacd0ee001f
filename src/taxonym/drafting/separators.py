"""What separates the terms of a set: the mark whose parts come again and again, whatever they mean.

A form with several choices writes a few options in ever new combinations, so parts repeat more often than whole cells
do, and each of them in several combinations. A comma inside sentences, or the slash of HTML/CSS, cuts pieces that
hardly repeat; where sentences do repeat themselves, their words tell: who, is, my.
"""

from collections.abc import Sequence

from taxonym.drafting.sample import share
from taxonym.io.delimited import split_cell
from taxonym.text.tokens import word_set

SEPARATORS = (";", "|", ",", "/")
HELD = 0.1  # share of cells that must hold a separator
_WORDS = 4  # in a part, on the average; more is a sentence
_REPEATS = 0.5  # distinct parts to all parts, at most
_LESS = 0.8  # of the same ratio of whole cells
_COMBINED = 1.5  # different cells that a part is found in, on the average
_OFTEN = 0.2  # share of parts from which words of sentences tell
_CHOICES = 0.1  # distinct parts to all parts, up to which they are choices of a form, however they read
_OF_SENTENCES = word_set(
    "i my me we our you your he she they it who which that is was are were am have has had do did can will would "
    "please ich mein mir wir sie er ist war sind habe hat yo mi mis que es son fue je mon ma mes qui est suis"
)


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
        if distinct <= _REPEATS and distinct < _LESS * whole and _are_combined(cells, separator, parts, distinct):
            found.append((distinct, separator))
    return min(found, key=lambda one: one[0])[1] if found else None


def _are_combined(cells: Sequence[str], separator: str, parts: Sequence[str], distinct: float) -> bool:
    """Whether the same parts come in different cells, and are no pieces of sentences."""
    held = [split_cell(cell, separator) for cell in {*cells} if separator in cell]
    if sum(map(len, held)) < _COMBINED * len({part for some in held for part in some}):
        return False
    spoken = share(not _OF_SENTENCES.isdisjoint(part.lower().split()) for part in parts)
    return spoken <= _OFTEN or (separator in SEPARATORS[:2] and distinct <= _CHOICES)


def reads_as_text(cells: Sequence[str]) -> bool:
    """Whether cells are sentences, in which a mark separates nothing."""
    return share(not _OF_SENTENCES.isdisjoint(cell.lower().split()) for cell in cells) >= 0.5

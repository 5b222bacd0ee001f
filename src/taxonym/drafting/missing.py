"""Marks that stand for a missing value, such as NA and ?, found in the columns of a file.

A plan's `missing` holds for all columns, so a mark is proposed only where no column may mean something by it.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from taxonym.drafting.sample import header_words
from taxonym.text.codes import MISSING as CLEAR

if TYPE_CHECKING:
    import polars as pl

UNCLEAR = {  # only beside numbers and dates: elsewhere somebody may have answered so
    "None", "none", "NONE", "unknown", "Unknown", "UNKNOWN", "unk", "UNK", "Unk", "x", "X", "k.A.", "k. A.",
}  # fmt: skip
_PLACES = {
    "country", "countries", "nation", "nationality", "land", "pais", "pays", "continent", "region", "origin",
    "citizenship",
}  # fmt: skip
_PLACE_CODE = {"NA", "na"}  # Namibia, North America


def missing_marks(frame: "pl.DataFrame", numbers: Iterable[str]) -> tuple[list[str], list[str]]:
    """The marks to propose, and notes about others. `numbers` are columns that are numbers or dates but for marks."""
    import polars as pl

    pure = set(numbers)
    where: dict[str, list[str]] = {}
    places = set()
    for series in frame:
        if series.dtype != pl.String:
            continue
        texts = series.str.strip_chars()
        for mark in texts.filter(texts.is_in(sorted(CLEAR | UNCLEAR))).unique().to_list():
            where.setdefault(mark, []).append(series.name)
        if _PLACES & {*header_words(series.name)} and 2 * (texts.str.len_chars() <= 3).sum() > texts.len():
            places.add(series.name)
    proposed, notes = [], []
    for mark, columns in sorted(where.items()):
        if mark in _PLACE_CODE and places.issuperset(columns):
            notes.append(
                f"Column {columns[0]!r} has {mark}, which may be Namibia or North America, so it is not taken for "
                f"missing. If it is, add it to missing."
            )
        elif mark in CLEAR or pure.issuperset(columns):
            proposed.append(mark)
            for name in sorted(places.intersection(columns)) if mark in _PLACE_CODE else ():
                notes.append(
                    f"Column {name!r} may mean Namibia or North America by {mark}, which others have for missing."
                )
    return proposed, notes


def is_mark(text: str) -> bool:
    """Whether a cell may stand for a missing value in some column."""
    return text in CLEAR or text in UNCLEAR

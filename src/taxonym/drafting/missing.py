"""Marks that stand for a missing value, such as NA and ?, found in the columns of a file.

A plan's `missing` holds for all columns, so a mark is proposed only where no column may mean something by it.
"""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from taxonym.records.headers import header_words
from taxonym.text.codes import MISSING as CLEAR

if TYPE_CHECKING:
    import polars as pl

UNCLEAR = {  # only beside numbers and dates: elsewhere somebody may have answered so
    "None", "none", "NONE", "unknown", "Unknown", "UNKNOWN", "unk", "UNK", "Unk", "x", "X", "k.A.", "k. A.",
}  # fmt: skip
CODED = {f"{sign}{digit * n}" for digit in "789" for n in (2, 3, 4, 5) for sign in ("", "-")} | {
    "-7", "-8", "-9", "97", "98", "997", "998", "9997", "9998", "-97", "-98", "-997", "-998",
}  # fmt: skip
_FAR = 3  # times the largest other number
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


def missing_numbers(frame: "pl.DataFrame", marks: Collection[str], least: int) -> list[str]:
    """Numbers that stand for missing values, as statisticians write them: 999 in a column of ages, -9 where nothing
    else is below 0, written at least so often in a column. A number that means something in any column is none, since
    marks hold for all of them."""
    import polars as pl

    found, meant = set[str](), set[str]()
    for series in frame:
        if series.dtype.is_float() and (series.drop_nans() == series.drop_nans().round()).all():
            series = series.drop_nans().cast(pl.Int64, strict=False)
        if series.dtype != pl.String and not series.dtype.is_integer():
            continue
        texts = series.drop_nulls().cast(pl.String).str.strip_chars()
        texts = texts.filter(~texts.is_in(["", *marks]))
        values = texts.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
        stray = texts.is_in(sorted(CODED))
        if not stray.any():
            continue
        usual = values.filter(~stray)
        plain = usual.len() > 0 and not usual.is_null().any()
        low, high = (float(usual.min()), float(usual.max())) if plain else (0.0, 0.0)  # type: ignore[arg-type]
        for mark, times in texts.filter(stray).value_counts().iter_rows():
            far = float(mark) < 0 <= low or (high > 0 and float(mark) >= _FAR * high and low >= 0)
            (found if plain and far and times >= least else meant).add(mark)
    return sorted(found - meant)


def is_mark(text: str) -> bool:
    """Whether a cell may stand for a missing value in some column."""
    return text in CLEAR or text in UNCLEAR

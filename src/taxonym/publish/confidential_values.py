"""What a release prints of a confidential column: every printed value is printed for at least k persons.

    numbers, dates            are rounded, finer where many persons are near (value_steps.py)
    words with a taxonomy     rise to the nearest generalisation that k persons share, never to a root
    words without one         are printed where k persons share them, else the cell is emptied

Values that k persons share are printed as they are. Holders are the persons in the release. What is printed for a value
depends on neither the order of the rows nor on where they are: any part of a table is printed alike.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.publish.value_steps import Rounding, date_steps, number_steps
from taxonym.publish.wording import name_of
from taxonym.records.column import Column
from taxonym.records.terms import MapsTo
from taxonym.records.vocabulary import Vocabulary
from taxonym.records.words import reader
from taxonym.text.finder import Finder

if TYPE_CHECKING:
    import polars as pl

Conceive: TypeAlias = Callable[[str], int | None]  # the one concept that a text stands for, if it is one
WHOLE = 2.0**53  # integers up to here are numbers like others


@dataclass(frozen=True, slots=True, eq=False)
class WordMeaning:
    """What the words of a column mean."""

    tax: Taxonomy
    concept: Conceive
    maps_to: MapsTo

    @classmethod
    def of(cls, finder: Finder, column: Column) -> "WordMeaning":
        read, single, seen = reader(finder, column), column.kind == "nominal", dict[str, int | None]()

        def concept(text: str) -> int | None:
            if text not in seen:
                said = read([text])[0]
                codes = {code for _, code in said.known}
                seen[text] = codes.pop() if len(codes) == 1 and not said.unknown else None
            return seen[text]

        return cls(finder.taxonomy, concept, Vocabulary(finder, {}, single, words=column.phrases == "words"))


@dataclass(frozen=True, slots=True)
class Raising:
    """Printed generalisations, the deepest first, with the words that they are printed as."""

    words: Mapping[int, str]

    @classmethod
    def of(cls, left: Mapping[str, set[int]], kept: Mapping[str, int], k: int, means: WordMeaning) -> "Raising":
        """left[t] are the persons who have the text t, fewer than k; kept[t] persons have t, which is printed."""
        tax, below = means.tax, dict[int, list[str]]()
        for text in sorted(left):
            code = means.concept(text)
            for above in () if code is None else tax.ancestors(code):
                below.setdefault(above, []).append(text)
        said: dict[int, str] = {}  # the most usual of the printed words for a concept
        for text in sorted(kept, key=lambda text: (-kept[text], text)):
            if (code := means.concept(text)) is not None:
                said.setdefault(code, text)
        words, rising = dict[int, str](), set(left)
        for code in sorted(below, key=lambda code: (-int(tax.depths[code]), code)):
            under = [text for text in below[code] if text in rising]
            if not under or not tax.parents(code):
                continue
            name = said.get(code)
            if name is None and len(set().union(*(left[text] for text in under))) >= k:
                name = name_of(tax, code, means.maps_to)
            if name is not None:
                words[code] = name
                rising.difference_update(under)
        return cls(words)

    def of_text(self, text: str, means: WordMeaning) -> str | None:
        code = means.concept(text)
        if code is None:
            return None
        above = set(means.tax.ancestors(code))
        return next((word for concept, word in self.words.items() if concept in above), None)


@dataclass(frozen=True, slots=True, eq=False)
class PrintedValues:
    """What is printed of one confidential column, for any of its cells: the values `kept` as they are, others rounded
    or raised."""

    column: Column
    kept: "pl.Series"
    rounding: Rounding | None = None
    raising: Raising | None = None

    @classmethod
    def of(
        cls, cells: "pl.Series", persons: Long, k: int, column: Column, means: WordMeaning | None = None
    ) -> "PrintedValues":
        """From the cells of all rows of a release; persons[i] is whose row i is."""
        import polars as pl

        held = pl.DataFrame([cells.alias("value"), pl.Series("person", persons)])
        if isinstance(cells.dtype, pl.List):
            held = held.explode("value")
        held = held.drop_nulls("value").unique()
        holders = held.group_by("value").agg(pl.len().alias("n")).sort("value")
        kept = holders.filter(pl.col("n") >= k)
        rest = held.join(kept, on="value", how="anti")
        return cls.of_rare(
            rest["value"], rest["person"].to_numpy(), k, column, kept["value"], kept["n"].to_list(), means
        )

    @classmethod
    def of_rare(
        cls,
        values: "pl.Series",
        persons: Long,
        k: int,
        column: Column,
        kept: "pl.Series",
        counts: Sequence[int],
        means: WordMeaning | None = None,
    ) -> "PrintedValues":
        """The same from values that fewer than k persons have each, and those `kept`, which so many have."""
        import polars as pl

        exact = kept.sort()
        if column.kind in ("number", "date"):
            own = kept.filter(_cells(_floats(kept), kept) == kept)  # numbers beyond the exact ones are no neighbours
            numbers, known = _floats(values), _floats(own)
            every = np.unique(np.concatenate((numbers, known)))
            number = column.kind == "number"
            steps = number_steps(every) if number else date_steps(values.dtype != pl.Date)
            most = _most(values.dtype) if number else np.inf
            made = Rounding.of(numbers, persons, k, known, steps, relative=number, most=most)
            return cls(column, exact, rounding=made)
        if means is None or values.dtype != pl.String or column.kind == "text":
            return cls(column, exact)
        left: dict[str, set[int]] = {}
        for text, person in zip(values.to_list(), persons.tolist(), strict=True):
            left.setdefault(text, set()).add(person)
        said = dict(zip(kept.to_list(), counts, strict=True))
        return cls(column, exact, raising=Raising.of(left, said, k, means))

    def printed(self, cells: "pl.Series", means: WordMeaning | None = None) -> "pl.Series":
        """The cells as they are printed; null where nothing may be."""
        import polars as pl

        if not isinstance(cells.dtype, pl.List):
            return self._values(cells, means)
        each = pl.DataFrame([cells.alias("value")]).with_row_index("row").explode("value")
        each = each.with_columns(self._values(each["value"], means).alias("value")).drop_nulls("value")
        each = each.sort("row", "value") if self.column.multiplicity else each.unique().sort("row", "value")
        sets = each.group_by("row", maintain_order=True).agg("value")
        rows = pl.DataFrame({"row": pl.int_range(len(cells), dtype=pl.UInt32, eager=True)})
        return rows.join(sets, on="row", how="left", maintain_order="left")["value"].alias(cells.name).cast(cells.dtype)

    def _values(self, cells: "pl.Series", means: WordMeaning | None) -> "pl.Series":
        import polars as pl

        kept = self.kept.cast(cells.dtype)
        rest = cells.filter(~cells.is_in(kept.implode())).unique()  # without null, which is neither in it nor not
        if self.rounding is not None:
            made = _cells(self.rounding.of_values(_floats(rest)), cells)
        elif self.raising is not None and means is not None:
            words = [self.raising.of_text(text, means) for text in rest.to_list()]
            made = pl.Series(words, dtype=cells.dtype)
        else:
            made = pl.Series([None] * len(rest), dtype=cells.dtype)
        return _replaced(cells, pl.concat([kept, rest]), pl.concat([kept, made]))


def _replaced(cells: "pl.Series", old: "pl.Series", new: "pl.Series") -> "pl.Series":
    import polars as pl

    table = pl.DataFrame([old.alias("old"), new.alias("new")])
    found = pl.DataFrame([cells.alias("old")]).join(table, on="old", how="left", maintain_order="left")["new"]
    return found.alias(cells.name)


def _floats(values: "pl.Series") -> Floats:
    """Numbers, or microseconds since 1970."""
    import polars as pl

    if values.dtype.is_temporal():
        values = values.cast(pl.Datetime("us")).cast(pl.Int64)
    return values.cast(pl.Float64).to_numpy().astype(np.float64)


def _cells(values: Floats, like: "pl.Series") -> "pl.Series":
    """The same as cells of the type of others; null for NaN."""
    import polars as pl

    made = pl.Series(like.name, values, pl.Float64, nan_to_null=True)
    if like.dtype.is_temporal():
        return made.cast(pl.Int64).cast(pl.Datetime("us")).cast(like.dtype)
    return made.cast(like.dtype, strict=False)


def _most(kind: "pl.DataType") -> float:
    """The largest number that rounding may make in a column of this type."""
    return min(float(2 ** _bits(kind) - 1), WHOLE) if kind.is_integer() else np.inf


def _bits(kind: "pl.DataType") -> int:
    bits = int(str(kind).lstrip("UInt"))
    return bits if kind.is_unsigned_integer() else bits - 1

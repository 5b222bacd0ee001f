"""Columns of ids: whose row it is, by header and values; and the refusal to count rows where persons have several."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taxonym.errors import BadPlan
from taxonym.records.column import Column
from taxonym.records.headers import Whose, is_id, whose
from taxonym.records.identifiers import ONE_PERSONS, are_repeated_numbers, id_form

if TYPE_CHECKING:
    import polars as pl

SOME = 1000  # cells whose form is looked at
FEWEST = 10  # ids, in a file that has enough rows


@dataclass(frozen=True, slots=True)
class IdColumn:
    """A column each value of which may be a person: what the header says of it, the form of its values, how many
    different ones there are, and in how many rows."""

    name: str
    says: Whose
    form: str
    distinct: int
    rows: int

    @property
    def repeats(self) -> bool:
        return self.distinct < self.rows

    @property
    def enough(self) -> bool:
        """Whether there are as many values as there would be persons."""
        return self.distinct >= min(FEWEST, self.rows / 2)

    @property
    def is_name(self) -> bool:
        """Whether its values are names, which two persons may share."""
        return self.form in ("names", "names of persons")

    @property
    def generic(self) -> bool:
        """Whether the header does not say that it is a person."""
        return self.says > Whose.PROXY


def id_like(series: "pl.Series", missing: Collection[str] = ()) -> IdColumn | None:
    """A column whose values are ids of something that one person may be, however few they are."""
    says = whose(series.name)
    filled = _filled(series, missing)
    if says == Whose.THING or filled is None or not filled.len():
        return None
    cells = filled.gather_every(max(1, filled.len() // SOME)).to_list()
    named = says <= Whose.PROXY or says == Whose.DEED or is_id(series.name)
    form = id_form(cells, named)
    if says == Whose.UNCLEAR and form in ONE_PERSONS:
        says = Whose.PROXY
    distinct = filled.n_unique()
    if form is None and says == Whose.UNCLEAR and are_repeated_numbers(cells, distinct, filled.len()):
        form = "numbers"
    if form is None and says <= Whose.PROXY and not series.dtype.is_numeric() and 10 * distinct >= filled.len():
        form = "names" if sum(len(cell.split()) for cell in cells) <= 2 * len(cells) else None
    return None if form is None else IdColumn(series.name, says, form, distinct, filled.len())


def id_column(series: "pl.Series", missing: Collection[str] = ()) -> IdColumn | None:
    """What a column says about whose rows these are; None where its values are no ids, those of things, or few."""
    found = id_like(series, missing)
    return found if found is not None and found.enough else None


def id_columns(frame: "pl.DataFrame", missing: Collection[str] = ()) -> list[IdColumn]:
    """All of them, the surest first; of equally sure ones that with the fewest values, which protects most."""
    found = [one for series in frame if (one := id_column(series, missing)) is not None]
    order = {form: i for i, form in enumerate(ONE_PERSONS)}  # ids that were made for the purpose come before these
    return sorted(found, key=lambda one: (one.says, one.distinct, order.get(one.form, -1)))


def _filled(series: "pl.Series", missing: Collection[str]) -> "pl.Series | None":
    """The cells with a value, as texts; None for what holds no ids by its type."""
    import polars as pl

    kind = series.dtype
    if kind.is_float():
        whole = series.drop_nans().drop_nulls()
        if not (whole == whole.round()).all():
            return None
        return whole.cast(pl.Int64, strict=False).cast(pl.String)
    if not (kind.is_integer() or kind in (pl.String, pl.Categorical, pl.Enum)):
        return None
    texts = series.drop_nulls().cast(pl.String).str.strip_chars()
    return texts.filter(~texts.is_in(["", *missing]))


class RowsAsPersons:
    """Looks on while rows are read whether those that count as persons belong to fewer: a column of ids that is not
    published repeats them. Memory: 8 bytes per row of such a column."""

    def __init__(self, columns: Mapping[str, Column], missing: Iterable[str]) -> None:
        self._columns, self._missing = columns, tuple(missing)
        self._seen: dict[str, list[pl.Series]] = {}
        self._found: dict[str, IdColumn] = {}
        self._begun = False

    def see(self, raw: "pl.DataFrame") -> "RowsAsPersons":
        """More rows; which columns hold ids is told by the first."""
        if not self._begun:
            self._begun = True
            hidden = hidden_columns(raw.columns, self._columns)
            self._found = {one.name: one for name in hidden if (one := id_like(raw[name], self._missing))}
        for name in self._found:
            filled = _filled(raw[name], self._missing)
            if filled is not None:
                self._seen.setdefault(name, []).append(filled.hash())
        return self

    def check(self, where: str) -> None:
        """Refuse if ids repeat; the plan has to say whose the rows are."""
        import polars as pl

        found = []
        for name, parts in self._seen.items():
            whole = pl.concat(parts)
            one = self._found[name]
            found.append(IdColumn(name, one.says, one.form, whole.n_unique(), whole.len()))
        refuse_repeated_ids(where, found)


def hidden_columns(names: Iterable[str], columns: Mapping[str, Column]) -> list[str]:
    """The columns of a table of which nothing is published."""
    used = {name for column in columns.values() for name in column.from_}
    used |= {name for name, column in columns.items() if column.role != "identifier"}
    return [name for name in names if name not in used]


def refuse_repeated_ids(where: str, found: Sequence[IdColumn]) -> None:
    """Raise if there are columns of ids that repeat, while every row would count as a person."""
    repeated = sorted((one for one in found if one.repeats and one.enough), key=lambda one: (one.says, one.distinct))
    if not repeated:
        return
    best, *others = repeated
    also = f" So do {', '.join(repr(one.name) for one in others)}." if others else ""
    raise BadPlan(
        f"{where}: column {best.name!r} holds {best.form}, {best.distinct:,} different ones in {best.rows:,} rows, and "
        f"is not published; rows would count as persons, though one person may have many.{also} Say under [input] "
        f"whose rows these are: person = {toml_text(best.name)}, or person = false if every row is another person."
    )


def toml_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

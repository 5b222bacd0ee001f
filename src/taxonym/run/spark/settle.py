"""What groups in blocks publish in all columns of a row, where nobody sees all rows: as settle_rows does it where all
rows are at hand (methods/whole_row.py).

Pieces tell what their groups would like to publish, which everybody may come to see, and the driver searches. What it
does not know, whether k persons have a row that holds a choice of concepts, is counted over all rows on the workers, as
much at once as possible. Then groups that have nothing left to say go, rows are cut of who has too many in a class, and
it is asked again among the rows that are left, until nothing goes any more.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from taxonym.methods.blocks import LOTS
from taxonym.methods.blockwise import generator
from taxonym.methods.whole_row import Row, RowColumns, says_something
from taxonym.publish.groups import ColumnRepresentatives
from taxonym.publish.row import Choice, HeldByAnswers, ItemLadder, RowSearch, Unknown, WordLadder
from taxonym.records.records import Records
from taxonym.records.support import Holders
from taxonym.run.spark.arrow import ints, lists_of
from taxonym.run.spark.kit import WorkerKit
from taxonym.run.spark.rows import ReleasedRows, RowCounts, RowItems, numbers_of

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

Key: TypeAlias = tuple[int, int]  # of a piece: its hash of the `other` columns, as Spark has it, and its number
AHEAD = 100_000  # choices that are asked about before the search wants to know them, at most
GROUP, ROW = ("other", "piece", "group"), ("other", "piece", "at")


@dataclass(frozen=True, slots=True)
class PieceWishes:
    """What the groups of a piece would like to publish, the means they tell, and how the concepts of every column of
    words differ from those of the groups' medoids."""

    key: Key
    rows: list[Row]
    means: list[tuple[float | None, ...]]
    veiled: list[int]

    def as_text(self) -> str:
        return json.dumps([self.key, self.rows, self.means, self.veiled])

    @classmethod
    def of_text(cls, text: str) -> "PieceWishes":
        key, rows, means, veiled = json.loads(text)
        return cls(tuple(key), [tuple(map(tuple, row)) for row in rows], list(map(tuple, means)), veiled)


@dataclass(frozen=True, slots=True, eq=False)
class LeftRows:
    """Which rows are released: those of `groups`, each of which is in a class, but for those that are `cut`."""

    groups: "pl.DataFrame"
    cut: "pl.DataFrame"

    def left(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        return frame.join(self.groups, on=GROUP).join(self.cut, on=ROW, how="anti")


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What groups publish: rows[key][g] is that of group g of a piece, None if it is left out; cut[key] are the rows of
    a piece that are cut; what is counted over the rows that are released."""

    rows: Mapping[Key, list[Row | None]]
    veiled: Mapping[Key, list[int]]
    cut: Mapping[Key, list[int]]
    counts: RowCounts

    def without_counts(self) -> "Settled":
        """What workers need."""
        return replace(self, counts=RowCounts([], [], []))

    def shown(self, c: int) -> list[int]:
        """The concepts that somebody publishes in a column."""
        return sorted({code for rows in self.rows.values() for row in rows if row is not None for code in row[c]})


# ---------------------------------------------------------------------- what workers do


def wish_schema() -> "pa.Schema":
    """Wishes of pieces, and rows, each in rows of their own."""
    import pyarrow as pa

    numbers = [(name, pa.int64()) for name in ("other", "piece", "unit", "group", "at")]
    lists = [(name, pa.list_(pa.int32())) for name in ("held", "said")]
    return pa.schema([("told", pa.string()), ("person", pa.string()), *numbers, ("lot", pa.float64()), *lists])


def wishes(
    piece: "pl.DataFrame",
    units: Records,
    columns: RowColumns,
    items: RowItems,
    groups: list[list[int]],
    chosen: Sequence[ColumnRepresentatives],
    entropy: Sequence[int],
    key: Key,
) -> "Iterator[pl.DataFrame]":
    """What the groups of a piece would like to publish, and its rows; `key` is that of its draws."""
    import polars as pl

    own = int(piece["other"][0]), int(piece["piece"][0])
    veiled = [column.veiled for column in chosen]
    rows = [tuple(tuple(map(int, codes)) for codes in row) for row in columns.first_rows(groups, chosen)]
    made = PieceWishes(own, rows, [columns.means(group) for group in groups], veiled)
    yield pl.DataFrame({"told": [made.as_text()]})
    codes, owner = items.rows(units), units.rows.owner
    at = owner.tolist()
    yield pl.DataFrame(
        [
            *(piece[name].gather(at) for name in ("person", "other", "piece", "group", "said")),
            pl.Series("unit", owner, pl.Int64),
            pl.Series("at", np.arange(len(owner)), pl.Int64),
            pl.Series("lot", generator(entropy, (*key, LOTS)).random(len(owner))),
            lists_of("held", codes.start, ints(codes.codes)),
        ]
    )


def _sizes(frame: "pl.DataFrame", kit: WorkerKit, state: LeftRows) -> "list[pl.DataFrame]":
    """How many rows every person of a part has in a class."""
    rows = _owned(frame, kit, state)
    return [rows.group_by("class", "whose").len("n").select("class", "n")]


def _surplus(frame: "pl.DataFrame", kit: WorkerKit, state: LeftRows, most: "pl.DataFrame") -> "list[pl.DataFrame]":
    """The rows of persons who have more than others in a class that are cut: those with the highest lots."""
    import polars as pl

    rows = _owned(frame, kit, state).join(most, on="class").sort("class", "whose", "lot")
    place = pl.int_range(pl.len()).over("class", "whose")
    return [rows.filter(place >= pl.col("most")).select(ROW)]


def _owned(frame: "pl.DataFrame", kit: WorkerKit, state: LeftRows) -> "pl.DataFrame":
    import polars as pl

    rows = state.left(frame)
    names = ["other", "piece", "unit"] if kit.plan.input.person is None else ["person"]
    return rows.with_columns(pl.Series("whose", numbers_of(rows, names)))


# ---------------------------------------------------------------------- what the driver does


def settled(rows: ReleasedRows, pieces: Sequence[PieceWishes], before: RowCounts) -> Settled:
    """What the groups of all pieces publish under the rule."""
    import polars as pl

    kit, items, words = rows.kit, rows.items, len(rows.kit.spoken)
    nominal = any(column.kind == "nominal" for column in rows.kit.spoken)
    wished: dict[tuple[Key, int], Row] = {(one.key, g): row for one in pieces for g, row in enumerate(one.rows)}
    means = {(one.key, g): mean for one in pieces for g, mean in enumerate(one.means)}
    known, counts = HeldByAnswers(kit.plan.method.k), before
    state = LeftRows(_classes(wished, means), pl.DataFrame(schema=dict.fromkeys(ROW, pl.Int64)))
    while True:
        here = replace(rows, state=rows.executor.share(state))
        search = RowSearch(_ladders(items, counts), items.first, known, kit.plan.method.together, antichain=True)
        found = _searched(search, known, here, set(wished.values()))
        told = {which: row for which, old in wished.items() if says_something(row := found[old], words, nominal)}
        left = LeftRows(_classes(told, means), state.cut)
        cut = _cut(replace(here, state=rows.executor.share(left)))
        unchanged = len(told) == len(wished) and not cut.height
        wished, state = told, LeftRows(left.groups, pl.concat([left.cut, cut]))
        if unchanged:
            break
        counts, known = replace(rows, state=rows.executor.share(state)).counts(before), known.among_fewer()
    by_piece = {one.key: [wished.get((one.key, g)) for g in range(len(one.rows))] for one in pieces}
    gone: dict[Key, list[int]] = {}
    for other, piece, at in state.cut.rows():
        gone.setdefault((other, piece), []).append(at)
    return Settled(by_piece, {one.key: one.veiled for one in pieces}, gone, counts)


def _ladders(items: RowItems, counts: RowCounts) -> list[ItemLadder]:
    """What the items of all columns may become, by what is counted."""
    kit, made = items.kit, list[ItemLadder]()
    for column, mask in zip(kit.spoken, counts.masks, strict=True):
        made.append(WordLadder(Holders(kit.words(column.name)), mask, column.weight))
    return items.ladders(made)


def _searched(search: RowSearch, known: HeldByAnswers, rows: ReleasedRows, wished: set[Row]) -> dict[Row, Row]:
    """What every different row becomes; what is not known is counted on the workers, until all is."""
    found: dict[Row, Row] = {}
    open_ = sorted(wished)
    while True:
        unknown = []
        for row in open_:
            try:
                found[row] = search.settle(row)
            except Unknown:
                unknown.append(row)
        if not unknown:
            return found
        asked = sorted(known.asked | _ahead(search, known, unknown))
        known.learn(asked, rows.holders(asked).tolist())
        open_ = unknown


def _ahead(search: RowSearch, known: HeldByAnswers, rows: Sequence[Row]) -> set[Choice]:
    """What the search will ask about pairs that too few persons hold, so that it need not ask step by step: every pair
    of what the two may become. Nothing where that would be too much."""
    found: set[Choice] = set()
    for row in rows:
        items = [(c, code) for c, codes in enumerate(row) for code in codes]
        for one, other in combinations_with_replacement(items, 2):
            pair = tuple(sorted({int(search.first[c]) + code for c, code in (one, other)}))
            if known.answer(pair) is False:
                found.update(tuple(sorted({a, b})) for a in _steps(search, *one) for b in _steps(search, *other))
        if len(found) > AHEAD:
            return set()
    return {choice for choice in found if known.answer(choice) is None}


def _steps(search: RowSearch, c: int, code: int) -> list[int]:
    return [int(search.first[c]) + to for to, _ in search.ladders[c].steps(code) if to is not None]


def _classes(rows: Mapping[tuple[Key, int], Row], means: Mapping[tuple[Key, int], tuple[float | None, ...]]) -> Any:
    """The groups that are left, and the number of the class of each: groups that publish the same are one."""
    import polars as pl

    number: dict[Any, int] = {}
    made = [(*key, g, number.setdefault((row, means[key, g]), len(number))) for (key, g), row in rows.items()]
    return pl.DataFrame(made, schema=dict.fromkeys([*GROUP, "class"], pl.Int64), orient="row")


def _cut(rows: ReleasedRows) -> "pl.DataFrame":
    """The rows that go because their person gives more to a class than the k-th largest number of its members."""
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import functions as fn

    kit, k = rows.kit, rows.kit.plan.method.k
    nothing = pl.DataFrame(schema=dict.fromkeys(ROW, pl.Int64))
    if not kit.learned.several and (kit.plan.input.person is None or not rows.items.others):
        return nothing  # nobody has several rows
    schema = pa.schema([("class", pa.int64()), ("n", pa.int64())])
    sizes = rows.executor.map(_sizes, rows.frame, rows.sent, rows.state, step=schema).groupBy("class")
    ordered = sizes.agg(fn.sort_array(fn.collect_list("n"), asc=False).alias("n"))
    most = ordered.selectExpr("class", f"n[least({k}, size(n)) - 1] as least", "n[0] as largest", "size(n) as persons")
    found = pl.DataFrame(
        most.where(f"persons >= {k} and largest > least").selectExpr("class", "least as most").toArrow()
    )
    if not found.height:
        return nothing
    schema = pa.schema([(name, pa.int64()) for name in ROW])
    about = rows.sent, rows.state, rows.executor.share(found)
    return pl.DataFrame(rows.executor.map(_surplus, rows.frame, *about, step=schema).toArrow()).sort(ROW)

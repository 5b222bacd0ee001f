"""Whole rows on Spark: all columns that the support rule looks at, as concepts, and who holds what in one row.

Concepts of all columns share one row of numbers: those of words, of ranges of numbers and dates, and of kept cells.
What makes ranges and kept cells concepts is known of the whole table: the k-th least and greatest value, and the values
that there are. Terms that k persons wrote have numbers, too, so that text goes no further than its part of the table.
"""

from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.knowledge.arrays import Long, Mask
from taxonym.knowledge.concept_sets import joint_ancestors, offsets
from taxonym.knowledge.runs import Runs
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.methods.numbers import RangeColumn, mean_step
from taxonym.methods.whole_row import RowColumns
from taxonym.publish.groups import may_be_told
from taxonym.publish.row import CellLadder, Choice, ItemLadder, RangeLadder, held_by, padded
from taxonym.records.cells import typed
from taxonym.records.column import Column
from taxonym.records.ranges import RangeScale
from taxonym.records.records import Records
from taxonym.records.rows import KeptColumn, cell_texts, scale_between
from taxonym.records.support import holder_lists
from taxonym.records.terms import MapsTo, Term, Terms
from taxonym.run.spark.arrow import runs_of
from taxonym.run.spark.executor import SparkExecutor
from taxonym.run.spark.kit import WorkerKit

if TYPE_CHECKING:
    import polars as pl
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

MOST = 200_000  # choices in one question to the workers


class RowItems:
    """What makes all cells of a row concepts: of every column of numbers its k-th ends, its spread and whether its
    numbers are whole, of every `other` column its values and type, and of every column of words the terms that k
    persons wrote."""

    def __init__(
        self,
        kit: WorkerKit,
        ends: Sequence[tuple[float, float, float]],
        whole: Sequence[bool],
        values: Sequence[Sequence[str]],
        types: Sequence[Any],
        terms: Sequence[Terms],
    ) -> None:
        self.ends, self.whole, self.values, self.types = ends, whole, values, types
        self.terms = [[(t.text, t.code) for c in sorted(one.by_code) for t in one.by_code[c]] for one in terms]
        self._kit: WorkerKit | None = kit
        self._made: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_made": {}, "_kit": None}  # the kit goes to the workers by itself

    def on(self, kit: WorkerKit) -> "RowItems":
        """The same where the kit is another copy."""
        self._kit = kit
        return self

    @property
    def kit(self) -> WorkerKit:
        assert self._kit is not None
        return self._kit

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    @property
    def scales(self) -> list[RangeScale]:
        """The ranges of every column of numbers and dates."""
        about = zip(self.kit.numbers, self.ends, self.whole, strict=True)
        found: list[RangeScale] = self._once(
            "scales", lambda: [scale_between(c, *ends, whole) for c, ends, whole in about]
        )
        return found

    @property
    def scaled(self) -> list[int]:
        """The columns of numbers whose ranges are items of the row; means are nobody's."""
        return [j for j, column in enumerate(self.kit.numbers) if column.publish != "mean"]

    @property
    def others(self) -> list[Column]:
        """The columns whose cells are kept and count in the class."""
        return [column for column in self.kit.kept if column.role == "other"]

    @property
    def empty(self) -> list[KeptColumn]:
        """The same without any rows."""
        import polars as pl

        found: list[KeptColumn] = self._once(
            "empty",
            lambda: [
                KeptColumn.of(column, pl.Series(column.name, [], kind), values)
                for column, kind, values in zip(self.others, self.types, self.values, strict=True)
            ],
        )
        return found

    @property
    def taxonomies(self) -> list[Taxonomy]:
        cells = [self.scales[j].tax for j in self.scaled], [one.sets.tax for one in self.empty]
        return [*self.kit.taxonomies(), *cells[0], *cells[1]]

    @property
    def first(self) -> Long:
        """Where the concepts of each column begin; the last is how many there are."""
        found: Long = self._once("first", lambda: offsets(self.taxonomies))
        return found

    @property
    def above(self) -> Runs:
        found: Runs = self._once("above", lambda: joint_ancestors(self.taxonomies))
        return found

    # ------------------------------------------------------------------ rows as concepts

    def rows(self, units: Records) -> Runs:
        """What the rows of units hold, one unit after the other."""
        sets: list[Runs] = [units.row_words(c) for c in range(len(units.words))]
        sets += [self.scales[j].sets(units.row_values(j)) for j in self.scaled]
        cells, records = units.table.frame, units.rows.codes.tolist()
        for column, values in zip(self.others, self.values, strict=True):
            sets.append(KeptColumn.of(column, cells[column.name].gather(records), values).sets)
        own = [Runs(one.start, one.codes + int(at)) for one, at in zip(sets, self.first, strict=False)]
        return own[0].beside(*own[1:]) if len(own) > 1 else own[0]

    def published(self, frame: "pl.DataFrame") -> "Iterator[tuple[list[list[str]], MapsTo]]":
        """What the cells of published rows p0, p1, … say in every column of cells, and what that means."""
        at = {column.name: f"p{i}" for i, column in enumerate(self.kit.published)}

        def said(column: Column, texts: Callable[["pl.Series"], list[str | None]]) -> list[list[str]]:
            cells = typed(frame[at[column.name]], column, "the release", ())
            return [[] if text is None else [text] for text in texts(cells)]

        for j in self.scaled:
            yield said(self.kit.numbers[j].published, self.scales[j].texts), self.scales[j].maps_to
        for one in self.empty:
            code = {one.sets.tax.id(c): c for c in range(len(one.sets.tax))}
            yield said(one.written, cell_texts), code.get

    def said(self, frame: "pl.DataFrame") -> "pl.Series":
        """The numbers of the terms that units have, as often as they have them."""
        import polars as pl

        found = [pl.DataFrame(schema={"unit": pl.Int64, "number": pl.Int32})]
        first = offsets_of(self.terms)
        for i, terms in enumerate(self.terms):
            wrote = pl.DataFrame(
                {"unit": np.arange(frame.height), "text": frame[f"terms{i}"], "code": frame[f"meant{i}"]}
            )
            wrote = wrote.filter(pl.col("text").list.len() > 0).explode("text", "code")
            known = pl.DataFrame(terms, {"text": pl.String, "code": pl.Int32}, orient="row")
            known = known.with_columns(pl.Series("number", np.arange(len(terms)) + first[i], pl.Int32))
            found.append(wrote.join(known, on=["text", "code"]).select("unit", "number"))
        lists = pl.concat(found).group_by("unit").agg("number")
        every = pl.DataFrame({"unit": np.arange(frame.height)}).join(
            lists, on="unit", how="left", maintain_order="left"
        )
        return every["number"].fill_null([]).alias("said")

    def columns(self, units: Records, row_ranges: Sequence[tuple[float, float]]) -> RowColumns:
        """All columns of the rows of some units, as the whole table has them."""
        method, rows = self.kit.plan.method, units.rows.codes.tolist()
        ranges = [
            RangeColumn.scaled(units, j, scale, mean_step(np.array(ends), method.k))
            for j, (scale, ends) in enumerate(zip(self.scales, row_ranges, strict=True))
        ]
        frame, values = units.table.frame, zip(self.others, self.values, strict=True)
        kept = [KeptColumn.of(column, frame[column.name].gather(rows), own) for column, own in values]
        return RowColumns(units, method.k, method.together, [], cells=(ranges, kept))

    # ------------------------------------------------------------------ the search

    def ladders(self, words: Sequence[ItemLadder]) -> list[ItemLadder]:
        """What the items of every column may become."""
        ranges = [RangeLadder(self.scales[j], self.kit.numbers[j].weight) for j in self.scaled]
        return [*words, *ranges, *(CellLadder() for _ in self.others)]


def offsets_of(lists: Sequence[Sized]) -> list[int]:
    """Where each of some lists begins when they follow each other; the last is how many there are."""
    return [0, *np.cumsum([len(one) for one in lists]).tolist()]


# ---------------------------------------------------------------------- released rows


@dataclass(frozen=True, eq=False)
class RowCounts:
    """What is counted over the rows of a release: the persons who hold each concept of every column of words, the terms
    that k of them wrote, and which concepts may be told."""

    holders: list[Long]
    terms: list[Terms]
    masks: list[Mask]


@dataclass(frozen=True, eq=False)
class ReleasedRows:
    """Released rows on the workers, all of a person in one part; see PartRows."""

    executor: SparkExecutor
    frame: "DataFrame"
    kit: WorkerKit
    sent: "Broadcast[WorkerKit]"
    items: RowItems
    shared: "Broadcast[RowItems]"
    state: Any = None

    def holders(self, choices: Sequence[Choice]) -> Long:
        """How many persons have one row that holds all of a choice, up to k."""
        found = [np.zeros(0, np.int64)]
        for first in range(0, len(choices), MOST):
            asked = padded(choices[first : first + MOST])
            about = self.sent, self.shared, self.executor.share(asked), self.state
            found.append(self.executor.total(_holders, self.frame, *about, size=len(asked)))
        return np.concatenate(found)

    def counts(self, before: RowCounts) -> RowCounts:
        """What is left of what was counted before over more rows."""
        kit, items, k = self.kit, self.items, self.kit.plan.method.k
        texts = offsets_of([dict(one) for one in items.terms])
        sizes = [len(tax) for tax in kit.taxonomies()]
        size = sum(sizes) + offsets_of(items.terms)[-1] + texts[-1]
        sums = self.executor.total(_counted, self.frame, self.sent, self.shared, self.state, size=size)
        holders = np.split(sums[: sum(sizes)], np.cumsum(sizes)[:-1]) if sizes else []
        times, wrote = np.split(sums[sum(sizes) :], [offsets_of(items.terms)[-1]])
        made, masks = list[Terms](), list[Mask]()
        for i, (entries, (begin, _)) in enumerate(zip(items.terms, pairwise(offsets_of(items.terms)), strict=True)):
            number = {text: at for at, text in enumerate(dict(entries), texts[i])}
            made.append(
                Terms.of_counts(
                    Term(text, code, int(times[at]), int(wrote[number[text]]))
                    for at, (text, code) in enumerate(entries, begin)
                    if times[at]
                )
            )
            words, mask = kit.words(kit.spoken[i].name), before.masks[i].copy()
            lost = mask & (holders[i] < before.holders[i])
            mask[lost] = may_be_told(words, np.where(lost, holders[i], 0), made[i], k)[lost]
            masks.append(mask)
        return RowCounts(list(holders), made, masks)


@dataclass(frozen=True, eq=False)
class PartRows:
    """The rows of a part: what they hold, whose they are, which unit they belong to, and the terms of their units."""

    codes: Runs
    persons: Long
    unit: Long
    said: Runs

    @classmethod
    def of(cls, frame: "pl.DataFrame", kit: WorkerKit, state: Any) -> "PartRows":
        """Units come with what their released rows hold, or rows for themselves, of which `state` says whether they
        still are released."""
        if state is None:
            rows, unit = frame.filter(frame["held"].list.len() > 0).with_row_index("unit").explode("held"), ["unit"]
        else:
            rows, unit = state.left(frame), ["other", "piece", "unit"]
        whose = unit if kit.plan.input.person is None else ["person"]
        return cls(runs_of(rows["held"]), numbers_of(rows, whose), numbers_of(rows, unit), runs_of(rows["said"]))


def numbers_of(rows: "pl.DataFrame", names: list[str]) -> Long:
    """Equal numbers for rows that are equal in some columns."""
    import polars as pl

    return rows.select(pl.struct(names).rank("dense")).to_series().to_numpy().astype(np.int64)


def _holders(frame: "pl.DataFrame", kit: WorkerKit, items: RowItems, asked: Long, state: Any) -> Long:
    rows = PartRows.of(frame, kit, state)
    lists = holder_lists(rows.codes, rows.persons, items.on(kit).above)
    found: Long = held_by(*lists, asked, kit.plan.method.k)
    return found


def _counted(frame: "pl.DataFrame", kit: WorkerKit, items: RowItems, state: Any) -> Long:
    rows, items = PartRows.of(frame, kit, state), items.on(kit)
    start, holder, whose = holder_lists(rows.codes, rows.persons, items.above)
    n = int(items.first[len(kit.spoken)])
    last = int(whose.max(initial=0)) + 1
    held = np.unique(np.repeat(np.arange(n), np.diff(start[: n + 1])) * last + whose[holder[: start[n]]])
    once = np.unique(rows.unit, return_index=True)[1]
    said = rows.said.take(once)
    number = [i for one, first in zip(items.terms, offsets_of([dict(o) for o in items.terms]), strict=False)
              for i in _text_numbers(one, first)]  # fmt: skip
    text = np.array(number, np.int64)[said.codes]
    persons = rows.persons[once][said.owner]
    many = int(persons.max(initial=0)) + 1
    texts = offsets_of([dict(one) for one in items.terms])[-1]
    wrote = np.unique(text * many + persons) // many
    return np.concatenate(
        [
            np.bincount(held // last, minlength=n),
            np.bincount(said.codes, minlength=len(number)),
            np.bincount(wrote, minlength=texts),
        ]
    )


def _text_numbers(entries: Sequence[tuple[str, int]], first: int) -> list[int]:
    """The number of the text of every term."""
    number = {text: at for at, text in enumerate(dict(entries), first)}
    return [number[text] for text, _ in entries]

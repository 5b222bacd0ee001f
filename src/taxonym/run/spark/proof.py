"""Proof by counting over what was written: classes, persons, and the support rule.

A class is the rows that are equal in all columns but the confidential ones. The rows of a file do not say whose they
are; so every class of the written rows is compared with the same class of the rows that were meant to be written, which
do: as many rows in both, and at least k persons.
"""

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.errors import BadInput, BrokenPromise
from taxonym.knowledge.concept_sets import offsets
from taxonym.knowledge.runs import Long
from taxonym.promises import main_promise
from taxonym.promises.classes import Classes
from taxonym.publish.wording import name_of
from taxonym.run.spark.arrow import batches_of, frame_of
from taxonym.run.spark.counts import WholeCounts, arrow_schema
from taxonym.run.spark.kit import Batches, Kit, guarded

if TYPE_CHECKING:
    import polars as pl
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

Holders = Callable[[Long], Long]  # how many persons hold each of some choices


def check_rows(
    written: "DataFrame", meant: "DataFrame", kit: Kit, sent: "Broadcast[Kit]", facts: WholeCounts, holders: Holders
) -> Classes:
    """Recount everything that was promised from the written rows p0, p1, …; raise if anything fails.

    `meant` has the same columns, and `first`: 1 for the first row of each person in a class.
    """
    columns = [c for c in kit.plan.columns.values() if c.role != "identifier"]
    spoken = {c.name: i for i, c in enumerate(kit.spoken)}
    words = {f"p{i}": spoken[c.name] for i, c in enumerate(columns) if c.name in spoken}
    counted = _classes(written, meant, kit, sent, words)
    if words:
        _check_support(written.select(*words), kit, sent, facts, words, holders)
    return counted


def _classes(
    written: "DataFrame", meant: "DataFrame", kit: Kit, sent: "Broadcast[Kit]", words: dict[str, int]
) -> Classes:
    from pyspark.sql import functions as fn

    k = kit.plan.method.k
    columns = [c for c in kit.plan.columns.values() if c.role != "identifier"]
    open_ = [f"p{i}" for i, c in enumerate(columns) if c.role != "confidential"]
    both = [
        written.select(*open_, fn.lit(1).alias("w"), fn.lit(0).alias("m"), fn.lit(0).alias("first")),
        meant.select(*open_, fn.lit(0).alias("w"), fn.lit(1).alias("m"), fn.col("first").cast("int").alias("first")),
    ]
    rows = both[0].unionByName(both[1])
    if main_promise(kit.plan).by_concept:
        rows = rows.mapInArrow(*_as_concepts(rows, words, sent))
    sums = [fn.sum(name).alias(name) for name in ("w", "m", "first")]
    classes = rows.groupBy(*open_).agg(*sums) if open_ else rows.agg(*sums)
    found = classes.agg(
        fn.sum("w").alias("rows"),
        fn.count("*").alias("classes"),
        fn.min("first").alias("smallest"),
        fn.sum((fn.col("first") < k).cast("long")).alias("below"),
        fn.sum((fn.col("w") != fn.col("m")).cast("long")).alias("other"),
    ).first()
    assert found is not None
    if found["other"]:
        raise BadInput(
            "the release: what Spark wrote is not what it reads, so nothing was published. Do all workers and this "
            "machine see the same folder?"
        )
    if found["below"]:
        raise BrokenPromise(
            f"the release: {found['below']:,} classes would have fewer than {k} persons, so nothing was written. "
            f"This is our fault: please report it."
        )
    whom = "persons" if kit.plan.input.person else "rows"
    return Classes(found["rows"], found["classes"], found["smallest"], 0, k, whom)


def _as_concepts(rows: "DataFrame", words: dict[str, int], sent: "Broadcast[Kit]") -> tuple[Any, Any]:
    """Codes in the place of words: what is equal for the promise "k by concept"."""
    from pyspark.sql.types import ArrayType, IntegerType, StructField, StructType

    fields = [
        StructField(f.name, ArrayType(IntegerType()) if f.name in words else f.dataType) for f in rows.schema.fields
    ]

    def work(batches: Batches) -> Batches:
        import polars as pl
        import pyarrow as pa

        for batch in batches:
            frame = frame_of([batch])
            if frame is None:
                continue
            codes = {name: _codes(frame[name], sent.value, i) for name, i in words.items()}
            frame = frame.with_columns(pl.Series(name, found, pl.List(pl.Int32)) for name, found in codes.items())
            kinds = [(f.name, pa.list_(pa.int32()) if f.name in words else f.type) for f in batch.schema]
            yield from batches_of(frame, pa.schema(kinds))

    return guarded(work), StructType(fields)


def _codes(cells: "pl.Series", kit: Kit, i: int) -> list[list[int]]:
    """What the words of every row mean; a word that means nothing breaks the promise."""
    maps_to = kit.words(kit.spoken[i].name).maps_to
    found = []
    for cell in cells.to_list():
        codes = [maps_to(word) for word in _words(cell)]
        if None in codes:
            raise BrokenPromise("A published word does not map back to a concept, so the release was not written.")
        found.append(sorted({code for code in codes if code is not None}))
    return found


def _check_support(
    told: "DataFrame", kit: Kit, sent: "Broadcast[Kit]", facts: WholeCounts, words: dict[str, int], holders: Holders
) -> None:
    """At least k persons hold all concepts of every choice of at most known_items of a record, and every word is the
    name of a concept or has k writers."""
    m, k = kit.plan.method.together, kit.plan.method.k
    names = [f"c{i}" for i in range(m)]
    schema = "place long, word string, " + ", ".join(f"{name} long" for name in names)
    found = told.distinct().mapInArrow(_told(words, m, sent), schema).distinct().toArrow()
    for place, word in zip(found["place"].to_pylist(), found["word"].to_pylist(), strict=True):
        if place is not None and not _may_be_printed(word, kit, facts, place):
            raise BrokenPromise(
                f"A published word is no name of a concept and has fewer than {k} writers, so nothing was written."
            )
    chosen = found.filter(found["place"].is_null())
    if (holders(np.stack([chosen[name].to_numpy() for name in names], axis=1)) < k).any():
        raise BrokenPromise(
            f"A published record has concepts that fewer than {k} persons hold together, so nothing was written."
        )


def _may_be_printed(word: str, kit: Kit, facts: WholeCounts, place: int) -> bool:
    column = kit.words(kit.spoken[place].name)
    code = column.maps_to(word)
    if code is None:
        return False
    wrote = any(term.text == word for term in facts.terms[place].of(code))  # all of these have k writers
    return wrote or word == name_of(column.tax, code, column.maps_to)


def _told(words: dict[str, int], m: int, sent: "Broadcast[Kit]") -> Callable[[Batches], Batches]:
    """The words of some rows, by their columns, and the choices of their concepts."""

    def work(batches: Batches) -> Batches:
        import polars as pl

        kit, names = sent.value, [f"c{i}" for i in range(m)]
        types = {"place": pl.Int64, "word": pl.String} | dict.fromkeys(names, pl.Int64)
        first = offsets(kit.taxonomies())
        for batch in batches:
            frame = frame_of([batch])
            if frame is None:
                continue
            columns = [[[int(c + first[i]) for c in row] for row in _codes(frame[n], kit, i)] for n, i in words.items()]
            found: set[tuple[int, ...]] = set()
            for parts in zip(*columns, strict=True):
                codes = sorted(code for part in parts for code in part)
                size = min(m, len(codes))  # what k persons hold together, they hold one by one
                found.update((*some, *[-1] * (m - size)) for some in combinations(codes, size) if some)
            said = {(i, word) for n, i in words.items() for cell in frame[n].to_list() for word in _words(cell)}
            rows = [(place, word, *[None] * m) for place, word in sorted(said)]
            every = pl.DataFrame([*rows, *((None, None, *some) for some in sorted(found))], schema=types, orient="row")
            yield from batches_of(every, arrow_schema(types))

    return guarded(work)


def _words(cell: Any) -> list[str]:
    return [] if cell is None else [cell] if isinstance(cell, str) else list(cell)

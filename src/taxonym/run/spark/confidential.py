"""Confidential columns on Spark: what is printed is found from all released rows, then every worker prints its own.

Values that k persons share are counted where they are and go to the driver, for the release shows them. Of the rest one
worker sees values and hidden persons, nothing else, and tells the steps and words that are printed, not the values.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.knowledge.arrays import Long
from taxonym.methods.confidential_cells import (
    EXACT,
    LINKED,
    SHARED,
    compared,
    permuted,
    said_of,
)
from taxonym.methods.sentences import CountedSentence, sentences
from taxonym.methods.shown_values import ShownDiversity
from taxonym.promises import main_promise
from taxonym.publish.confidential_values import PrintedValues, Raising
from taxonym.publish.groups import ColumnRepresentatives
from taxonym.publish.value_steps import DateStep, NumberStep, Rounding
from taxonym.records.column import Column
from taxonym.run.spark.executor import SparkExecutor
from taxonym.run.spark.kit import WorkerKit

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

CHANGED, EMPTIED = 1, 2  # what became of a cell


def hidden_fields(kit: WorkerKit) -> "list[tuple[str, pa.DataType]]":
    """What rows carry beside what they publish: whose a value is where links are cut, what became of it, and the
    concepts of the row where words are drawn for each record."""
    import pyarrow as pa

    owners = [(f"owner-{name}", pa.string()) for name, c in kit.confidential.items() if c.links == "cut"]
    states = [(f"state-{name}", pa.int64()) for name in kit.confidential]
    return [*owners, *states, *([("concepts", pa.list_(pa.int64()))] if _by_concept(kit) else [])]


def _by_concept(kit: WorkerKit) -> bool:
    return bool(kit.confidential) and main_promise(kit.plan).by_concept


def with_owners(
    rows: "pl.DataFrame",
    kit: WorkerKit,
    persons: "pl.Series",
    group: Long,
    chosen: Sequence[ColumnRepresentatives],
    rng: np.random.Generator,
) -> "pl.DataFrame":
    """The rows of a piece with whose they are; links that the plan cuts are cut here, inside each group."""
    import polars as pl

    rows = rows.with_columns(persons.alias("person"))
    for name, column in kit.confidential.items():
        if column.links == "cut":
            taken = permuted(group, np.arange(len(group)), rng)
            rows = rows.with_columns(rows[name].gather(taken), persons.gather(taken).alias(f"owner-{name}"))
    if _by_concept(kit):
        sets = [[code for i, column in enumerate(chosen) for code in (-i - 1, *sorted(column.concepts[g]))]
                for g in range(int(group.max()) + 1)]  # fmt: skip
        rows = rows.with_columns(pl.Series("concepts", [sets[g] for g in group.tolist()], pl.List(pl.Int64)))
    return rows


# ---------------------------------------------------------------------- what is printed


def printed(
    executor: SparkExecutor, made: "DataFrame", kit: WorkerKit, sent: "Broadcast[WorkerKit]", schema: "pa.Schema"
) -> "DataFrame":
    """The same rows with confidential values as they are printed."""
    if not kit.confidential:
        return made
    values = {
        name: _values(executor, made, kit, sent, name, column)
        for name, column in kit.confidential.items()
        if not column.exact
    }
    return executor.keep(executor.map(_printed, made, sent, executor.share(values), step=schema, in_batches=True))


def _held(made: "DataFrame", kit: WorkerKit, name: str) -> "DataFrame":
    """Whose each value of a column is, once for every person."""
    from pyspark.sql import functions as fn

    rows = _rows(made, kit).select(_owner(kit, name).alias("person"), fn.col(name).alias("value"))
    if kit.confidential[name].kind == "set":
        rows = rows.select("person", fn.explode("value").alias("value"))
    return rows.where("value is not null").distinct()


def _rows(made: "DataFrame", kit: WorkerKit) -> "DataFrame":
    """The rows of the release; without persons each is one."""
    from pyspark.sql import functions as fn

    rows = made.where("first is not null")
    return rows if kit.plan.input.person is not None else rows.withColumn("person", fn.col("lot").cast("string"))


def _owner(kit: WorkerKit, name: str) -> Any:
    from pyspark.sql import functions as fn

    cut = kit.confidential[name].links == "cut" and kit.plan.input.person is not None
    return fn.col(f"owner-{name}" if cut else "person")


def _values(
    executor: SparkExecutor, made: "DataFrame", kit: WorkerKit, sent: "Broadcast[WorkerKit]", name: str, column: Column
) -> PrintedValues:
    import polars as pl
    import pyarrow as pa
    from pyspark.sql import functions as fn

    held, k = _held(made, kit, name), kit.plan.method.k
    holders = held.groupBy("value").agg(fn.count("*").alias("n"))
    kept = pl.DataFrame(holders.where(fn.col("n") >= k).toArrow()).sort("value")
    rare = held.join(holders.where(fn.col("n") < k).select("value"), "value", "left_semi").repartition(1)
    schema = pa.schema([("told", pa.string())])
    told = executor.map(_rare, rare, sent, name, executor.share(kept), step=schema).collect()
    found = json.loads(told[0]["told"]) if told else {}
    rounding = raising = None
    if "steps" in found:
        kind = NumberStep if column.kind == "number" else DateStep
        steps = tuple(kind(*step) for step in found["steps"])
        values = tuple(np.array(some) for some in found["printed"])
        rounding = Rounding(np.array(found["exact"]), steps, values, column.kind == "number", found["most"])
    elif "words" in found:
        raising = Raising({int(code): word for code, word in found["words"]})
    return PrintedValues(column, kept["value"], rounding, raising)


def _rare(frame: "pl.DataFrame", kit: WorkerKit, name: str, kept: "pl.DataFrame") -> "list[pl.DataFrame]":
    """How values that fewer than k persons have are printed."""
    import polars as pl

    column = kit.confidential[name]
    persons = np.unique(frame["person"].to_numpy(), return_inverse=True)[1].astype(np.int64)
    values = kept["value"].cast(frame["value"].dtype)
    found = PrintedValues.of_rare(
        frame["value"], persons, kit.plan.method.k, column, values, kept["n"].to_list(), kit.meaning(column)
    )
    told: dict[str, Any] = {}
    if (made := found.rounding) is not None:
        told = {"exact": made.exact.tolist(), "most": made.most, "printed": [some.tolist() for some in made.printed]}
        told["steps"] = [step.numbers for step in made.steps]
    elif found.raising is not None:
        told = {"words": list(found.raising.words.items())}
    return [pl.DataFrame({"told": [json.dumps(told)]})]


def _printed(frame: "pl.DataFrame", kit: WorkerKit, values: dict[str, PrintedValues]) -> "list[pl.DataFrame]":
    import polars as pl

    for name, found in values.items():
        cells = found.printed(frame[name], kit.meaning(found.column))
        changed, emptied = compared(frame[name], cells)
        state = np.where(emptied, EMPTIED, np.where(changed, CHANGED, 0))
        frame = frame.with_columns(cells, pl.Series(f"state-{name}", state, pl.Int64))
    return [frame]


# ---------------------------------------------------------------------- what there is to say


def confidential_notes(made: "DataFrame", kit: WorkerKit) -> list[CountedSentence]:
    """How many persons' values are printed less exactly, or not at all."""
    from pyspark.sql import functions as fn

    rows, found = _rows(made, kit), list[CountedSentence]()
    for name, column in kit.confidential.items():
        if not column.exact:
            states = rows.groupBy(f"`state-{name}`").agg(fn.count_distinct(_owner(kit, name)).alias("n")).collect()
            counts = {row[0]: row[1] for row in states}
            found += said_of(column, counts.get(CHANGED, 0), counts.get(EMPTIED, 0), kit.plan.method.k)
    return found


def confidential_warnings(made: "DataFrame", kit: WorkerKit) -> list[CountedSentence]:
    """What is told of persons beyond what k promises; see ConfidentialCells."""
    from pyspark.sql import functions as fn

    k, columns, found = kit.plan.method.k, kit.confidential, list[CountedSentence]()
    for name, column in columns.items():
        if column.exact:
            held = _held(made, kit, name)
            few = held.groupBy("value").agg(fn.count("*").alias("n")).where(fn.col("n") < k)
            found += sentences((EXACT, _persons(held.join(few, "value", "left_semi"))), column=column.name, k=k)
    linked = {name: column for name, column in columns.items() if column.links == "keep"}
    if len(linked) > 1 or any(c.kind == "set" for c in linked.values()):
        rows = _rows(made, kit).select("person", fn.struct(*linked).alias("value"))
        few = rows.groupBy("value").agg(fn.count_distinct("person").alias("n")).where(fn.col("n") < k)
        named = ", ".join(repr(c.name) for c in linked.values())
        found += sentences((LINKED, _persons(rows.join(few, "value", "left_semi"))), columns=named, k=k)
    for name, column in columns.items():
        found += sentences((SHARED, _in_shared_classes(made, kit, name)), column=column.name)
    return found


def _persons(rows: "DataFrame") -> int:
    return rows.select("person").distinct().count()


def _in_classes(made: "DataFrame", kit: WorkerKit, name: str) -> "DataFrame":
    """The rows of the release: their class, whose a value is, and the value."""
    from pyspark.sql import functions as fn

    spoken = {c.name for c in kit.spoken} if _by_concept(kit) else set()
    open_ = [f"p{i}" for i, c in enumerate(kit.published) if c.role != "confidential" and c.name not in spoken]
    names = [*open_, *(["concepts"] if spoken else [])]
    alike = fn.struct(*names) if names else fn.lit(0)
    return _rows(made, kit).select(alike.alias("class"), _owner(kit, name).alias("person"), fn.col(name).alias("value"))


def _sharing(rows: "DataFrame", is_set: bool) -> "DataFrame":
    """The classes in which some value is one of everybody's."""
    from pyspark.sql import functions as fn

    whole = rows.groupBy("class").agg(fn.count_distinct("person").alias("size"))
    each = rows.withColumn("value", fn.explode("value")) if is_set else rows
    each = each.where("value is not null")
    holders = each.groupBy("class", "value").agg(fn.count_distinct("person").alias("n")).join(whole, "class")
    return holders.where(fn.col("n") == fn.col("size")).select("class").distinct()


def _in_shared_classes(made: "DataFrame", kit: WorkerKit, name: str) -> int:
    """How many persons are in classes in which some value is one of everybody's."""
    rows = _in_classes(made, kit, name)
    return _persons(rows.join(_sharing(rows, kit.confidential[name].kind == "set"), "class", "left_semi"))


def shown_on_spark(made: "DataFrame", kit: WorkerKit) -> list[ShownDiversity]:
    """l and t of every confidential column as it is printed; see shown_diversity."""
    return [_shown(_in_classes(made, kit, name), column) for name, column in kit.confidential.items()]


def _shown(owned: "DataFrame", column: Column) -> ShownDiversity:
    from pyspark.sql import functions as fn

    rows = owned.withColumn("person", fn.monotonically_increasing_id())  # rows count, whoever they belong to
    value = fn.array_sort("value") if column.kind == "set" else fn.col("value")
    whole = rows.withColumn("value", fn.struct(value.alias("of")))  # an empty cell is a value, too
    n = whole.count()
    overall = whole.groupBy("value").agg((fn.count("*") / n).alias("q"))
    size = whole.groupBy("class").agg(fn.count("*").alias("size"))
    share = whole.groupBy("class", "value").agg(fn.count("*").alias("n")).join(size, "class").join(overall, "value")
    share = share.withColumn("p", fn.col("n") / fn.col("size"))
    classes = share.groupBy("class").agg(
        fn.count("*").alias("distinct"),
        fn.sum(-fn.col("p") * fn.log("p")).alias("entropy"),
        ((1 + fn.sum(fn.abs(fn.col("p") - fn.col("q")) - fn.col("q"))) / 2).alias("t"),
    )
    worst = classes.agg(fn.min("distinct"), fn.min("entropy"), fn.max("t")).first()
    sharing = rows.join(_sharing(rows, column.kind == "set"), "class", "left_semi")
    alike = sharing.agg(fn.count_distinct("class"), fn.count("*")).first()
    assert worst is not None
    assert alike is not None
    return ShownDiversity(column.name, worst[0], float(np.exp(worst[1])), max(0.0, worst[2]), alike[0], alike[1])

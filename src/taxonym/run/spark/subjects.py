"""What columns are about, on Spark: parts of the table tell hashes of texts and count votes, the driver adds them up.

A part has all rows of its persons, so that votes of parts can be added. The result is that of a table at hand.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from taxonym.errors import BadInput
from taxonym.records.records import texts_of
from taxonym.records.table import Table
from taxonym.run.spark.encode import TableSchema, notes
from taxonym.run.spark.kit import KnownElsewhere, WorkerKit
from taxonym.shapes.table.read import read_table
from taxonym.text.finder import Finder
from taxonym.text.subject import Subject, Voter
from taxonym.text.votes import count_votes, learns, limit_of, smallest_hashes, voters_of
from taxonym.text.word_vectors import vectors_of

if TYPE_CHECKING:
    import polars as pl
    from pyspark.sql import DataFrame

    from taxonym.run.spark.executor import SparkExecutor


def about_columns(executor: "SparkExecutor", rows: "DataFrame", kit: WorkerKit, shape: TableSchema) -> WorkerKit:
    """The kit that knows what the columns are about whose senses go by that."""
    if not (columns := _learning(kit)):
        return kit
    sent = executor.share(kit)
    limits = {name: limit_of(found) for name, found in _told(executor, hashes, rows, sent, shape, columns).items()}
    votes = {name: Counter[Voter]() for name in columns}
    for name, told in _told(executor, counts, rows, sent, shape, limits).items():
        for label, codes, seen, n in told:
            votes[name][Voter(label, tuple(codes), tuple(seen))] += n
    subjects = {
        name: Subject.learn(finder.taxonomy, vectors_of(finder.language.code), votes[name])
        for name, finder in columns.items()
    }
    return kit.knowing(kit.learned.joined(KnownElsewhere(subjects=subjects)))


def hashes(raw: "pl.DataFrame", kit: WorkerKit, shape: TableSchema) -> "list[pl.DataFrame]":
    """The smallest hashes of the texts of a part, by column."""
    table = _table(raw, kit, shape)
    if table is None:
        return []
    texts = {name: {text for some in texts_of(table, name) for text in some} for name in _learning(kit)}
    return notes([(name, smallest_hashes(some)) for name, some in texts.items()])


def counts(raw: "pl.DataFrame", kit: WorkerKit, shape: TableSchema, limits: Mapping[str, int]) -> "list[pl.DataFrame]":
    """The votes of a part, by column."""
    table, told = _table(raw, kit, shape), []
    if table is None:
        return []
    for name, finder in _learning(kit).items():
        voters = partial(voters_of, finder, entries=table.columns[name].kind != "text")
        votes = count_votes(voters, zip(texts_of(table, name), table.person.tolist(), strict=True), limits[name])
        told.append((name, [(*voter, n) for voter, n in votes.items() if n]))
    return notes(told)


def _learning(kit: WorkerKit) -> dict[str, Finder]:
    found = ((column.name, kit.finder(column.name)) for column in kit.spoken)
    return {name: finder for name, finder in found if finder is not None and learns(finder)}


def _table(raw: "pl.DataFrame", kit: WorkerKit, shape: TableSchema) -> Table | None:
    """A part of the table; nothing where it is wrong, which is told when it is encoded."""
    try:
        return read_table(shape.frame(raw), kit.travelling)
    except BadInput:
        return None


def _told(executor: "SparkExecutor", work: Any, rows: "DataFrame", *shared: Any) -> dict[str, list[Any]]:
    """What all parts tell, by column."""
    import pyarrow as pa

    *given, known = shared
    more = [known] if work is counts else []
    found: dict[str, list[Any]] = {name: [] for name in known}
    for row in executor.map(work, rows, *given, *more, step=pa.schema([("note", pa.string())])).collect():
        name, told = json.loads(row["note"])
        found[name] += told
    return found

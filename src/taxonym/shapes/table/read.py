"""From a table and a plan to the records of persons, whose words have become concepts."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from taxonym.io.files import read_batches
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Noise, Plan
from taxonym.plan.meaning import finder_of, topics_of
from taxonym.records.column import Column
from taxonym.records.ids import RowsAsPersons
from taxonym.records.records import Records, _alone, about_column, column_of_words, found_units, settled, too_few
from taxonym.records.table import Table
from taxonym.records.words import PhraseRule, WordColumn

if TYPE_CHECKING:
    import polars as pl


def read_table(table: Any, plan: Plan, strict: bool = False) -> Table:
    """The table as the plan reads it; a strict reader refuses rows that count as persons where ids repeat."""
    given = plan.input
    return Table.of(
        table,
        plan.columns,
        person=given.person,
        person_rows=given.person_rows,
        missing=given.missing,
        dialect=given.dialect,
        each_row=given.each_row or not strict,
    )


def whose_batches(source: str, plan: Plan) -> "Iterator[pl.DataFrame]":
    """The rows of a file as they are, some thousands at a time; after the last, what a strict reader refuses."""
    given = plan.input
    watch = RowsAsPersons(plan.columns, given.missing) if given.person is None and not given.each_row else None
    for raw in read_batches(source, given.dialect):
        if watch is not None:
            watch.see(raw)
        yield raw
    if watch is not None:
        watch.check(source)


def prepare(table: Any, plan: Plan, progress: Progress = SILENCE, strict: bool = False) -> Records:
    """Everything up to the groups; fewer than k persons are refused here, and what read_table refuses."""
    progress.start("reading")
    whole = read_table(table, plan, strict)
    progress.finish()
    k = 1 if isinstance(plan.method, Noise) else plan.method.k
    if whole.persons < k:
        raise too_few(whole.where, whole.persons, k)
    loaded: dict[str, Taxonomy] = {}

    def read(united: Table, column: Column, first: Sequence[int]) -> WordColumn:
        finder = finder_of(column, plan, loaded, progress)
        if not isinstance(plan.method, Noise):  # what noise promises would not hold if the data chose the senses
            finder = about_column(finder, whole, column.name)
        topics = topics_of(column, plan, finder)
        rule = () if isinstance(plan.method, Noise) else PhraseRule(k, united.person)
        words = column_of_words(united, column, finder, topics, first, progress, phrases=rule)
        return words.worded(plan.output.hints)

    if isinstance(plan.method, Noise):
        return _alone(whole, read, plan.method.private)
    found = found_units(whole, read)
    whole, columns = found.whole, found.columns
    return settled(whole, columns, found.records, found.persons, found.missing, k, row_features=found.row_features)

"""From a table and a plan to the records of persons, whose words have become concepts."""

from collections.abc import Sequence
from typing import Any

from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Noise, Plan
from taxonym.plan.meaning import finder_of, topics_of
from taxonym.records.column import Column
from taxonym.records.records import Records, _alone, about_column, column_of_words, found_units, settled, too_few
from taxonym.records.table import Table
from taxonym.records.words import PhraseRule, WordColumn


def read_table(table: Any, plan: Plan) -> Table:
    """The table as the plan reads it."""
    given = plan.input
    return Table.of(
        table,
        plan.columns,
        person=given.person,
        person_rows=given.person_rows,
        missing=given.missing,
        dialect=given.dialect,
    )


def prepare(table: Any, plan: Plan, progress: Progress = SILENCE) -> Records:
    """Everything up to the groups; fewer than k persons are refused here."""
    progress.start("reading")
    whole = read_table(table, plan)
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

"""The words of a column as a run reads them, with unknown ones kept: what `taxonym concepts --file` does."""

from dataclasses import replace
from typing import Any

import numpy as np

from taxonym.errors import BadPlan
from taxonym.io.frames import as_polars
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan
from taxonym.plan.meaning import finder_of
from taxonym.plan.query_log import QueryLog
from taxonym.records.column import Column
from taxonym.records.records import about_column, column_of_words
from taxonym.records.table import Table
from taxonym.records.words import KEEP, WordColumn
from taxonym.text.finder import Finder


def planned_column(plan: Plan, name: str) -> Column:
    """A column of words as the plan describes it; the queries of a log are one."""
    if isinstance(plan.shape, QueryLog):
        from taxonym.shapes.query_log.read import query_settings

        return query_settings(plan.shape)
    if name not in plan.columns:
        raise BadPlan(f"columns.{name}: is left out. Give it a role first.")
    found = plan.columns[name]
    plain: dict[str, Any] = {"exact": False, "links": "keep"} if found.role == "confidential" else {}
    return replace(found, role="quasi-identifier", **plain)


def column_finder(plan: Plan, name: str, loaded: dict[str, Taxonomy], progress: Progress = SILENCE) -> Finder:
    """How the words of a column get their meaning, without what the column is about."""
    finder = finder_of(planned_column(plan, name), plan, loaded, progress)
    if finder is None:
        raise BadPlan(f"columns.{name}.taxonomy: is missing. Name one, such as 'wordnet', to look words up in.")
    return finder


def column_words(source: str, plan: Plan, name: str, progress: Progress) -> tuple[WordColumn, Long, Finder]:
    """The words of a column, whose record each is, and the finder that read them."""
    column = replace(planned_column(plan, name), on_unknown=KEEP, on_empty="suppress")
    finder = column_finder(plan, name, {}, progress)
    if isinstance(plan.shape, QueryLog):
        import polars as pl

        from taxonym.shapes.query_log.source import read_log

        log = read_log(source, plan.shape, plan.input.dialect)
        table = Table.of(log.frame.select(pl.col("user"), pl.concat_list("query")), {"query": column}, person="user")
    else:
        given, frame = plan.input, as_polars(source, plan.input.dialect)
        table = Table.of(
            frame, {name: column}, person=given.person, person_rows=given.person_rows, missing=given.missing
        )
    column = replace(table.columns[column.name], name=column.name)
    finder = about_column(finder, table, column.name) or finder
    rows: list[int] = table.row[table.row_start[:-1]].tolist()
    words = column_of_words(replace(table, where=source), column, finder, None, rows, progress)
    return words, table.person.astype(np.int64), finder

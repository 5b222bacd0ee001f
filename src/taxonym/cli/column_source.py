"""The column that taxonym concepts --file looks at: read as its plan says, or as a look at the file does"""

import argparse
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.cli.shared import as_options_say, chosen_taxonomy, dialect_of, drafted
from taxonym.cli.terminal import Bar
from taxonym.errors import BadInput, BadPlan
from taxonym.io.frames import as_polars
from taxonym.knowledge.catalog import load
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan, read_plan
from taxonym.plan.meaning import finder_of
from taxonym.plan.query_log import QueryLog
from taxonym.records.column import KINDS, Column, one_of
from taxonym.records.column_mapping import ColumnMapping
from taxonym.records.records import about_column, column_of_words
from taxonym.records.table import Table
from taxonym.records.words import KEEP, WordColumn
from taxonym.text.finder import Finder
from taxonym.text.language import language_named, pack_code
from taxonym.text.senses import read_overrides

if TYPE_CHECKING:
    pass

LEAST = 5  # persons that a term must have to be shown, without a plan
NOUNS = {"text": "texts", "set": "records", "nominal": "values"}  # what the cells of a kind are called


@dataclass(frozen=True, slots=True)
class ColumnSource:
    """A column of a file as a table of its own, and how its words get their meaning under some policy."""

    path: str
    table: Table
    column: Column
    k: int
    finder: Callable[[str], Finder]
    made: dict[str, Finder] = field(default_factory=dict)

    def under(self, senses: str) -> Finder:
        """The finder under a policy; it knows what the column is about, if the policy asks for that."""
        if senses not in self.made:
            finder = self.finder(senses)
            self.made[senses] = about_column(finder, self.table, self.column.name) or finder
        return self.made[senses]

    def words(self, senses: str) -> WordColumn:
        """The column as a run reads it, but that unknown terms are kept to be shown."""
        column = replace(_with_policy(self.column, senses), on_unknown=KEEP, on_empty="suppress")
        return column_of_words(self.table, column, self.under(senses), None, self._rows(), Bar())

    def mapping(self, senses: str) -> ColumnMapping:
        return ColumnMapping.of(self.words(senses), self.table.person.astype(np.int64))

    def _rows(self) -> list[int]:
        found: list[int] = self.table.row[self.table.row_start[:-1]].tolist()
        return found


def column_source(options: argparse.Namespace) -> ColumnSource:
    if not options.column and not options.plan:
        raise BadPlan("--column: name the column of --file.")
    if options.plan:
        plan = read_plan(options.plan)
        if isinstance(plan.shape, QueryLog):
            return _of_log(options, plan, plan.shape)
        if plan.shape is not None:
            raise BadPlan(f"{options.plan}: a plan for {plan.kind} has no column of words. Name one for a table.")
        column = _planned(options, plan)
    else:
        plan, column = Plan(shape=QueryLog()), None  # nothing is said of the input: the shape stands for no columns
    path = options.file
    plan = as_options_say(plan, options)
    frame = as_polars(path, plan.input.dialect)
    if options.column not in frame.columns:
        raise BadPlan(f"{path}: there is no column {options.column!r}. It has: {', '.join(frame.columns)}.")
    column = column or _described(options, path)
    if column.kind not in NOUNS:
        raise BadPlan(f"{path}: column {column.name!r} holds {column.kind}s, which need no concepts.")
    if not column.taxonomy:
        raise BadPlan(f"columns.{column.name}.taxonomy: is missing. Name one, such as 'wordnet', to look words up in.")
    given = plan.input
    table = Table.of(
        frame, {column.name: column}, person=given.person, person_rows=given.person_rows, missing=given.missing
    )
    column = replace(table.columns[column.name], name=column.name)
    return ColumnSource(path, replace(table, where=path), column, _least(options, plan), _maker(options, plan, column))


def _of_log(options: argparse.Namespace, plan: Plan, shape: QueryLog) -> ColumnSource:
    """The queries of a log, as a run reads them."""
    import polars as pl

    from taxonym.shapes.query_log.read import query_settings
    from taxonym.shapes.query_log.source import read_log

    if options.column not in (None, "query"):
        raise BadPlan(f"--column: a plan for a query log has the column 'query' only, not {options.column!r}.")
    log = read_log(options.file, shape, as_options_say(plan, options).input.dialect)
    column = _overruled(query_settings(shape), options)
    table = Table.of(log.frame.select(pl.col("user"), pl.concat_list("query")), {"query": column}, person="user")
    return ColumnSource(options.file, table, column, _least(options, plan), _maker(options, plan, column))


def _planned(options: argparse.Namespace, plan: Plan) -> Column:
    words = [name for name, c in plan.columns.items() if c.role != "identifier" and c.kind in NOUNS and c.taxonomy]
    if options.column is None and len(words) == 1:
        options.column = words[0]
    if options.column not in plan.columns:
        raise BadPlan(f"{options.plan}: columns.{options.column}: is not there. It has {', '.join(plan.columns)}.")
    found = plan.columns[options.column]
    plain: dict[str, Any] = {"exact": False, "links": "keep"} if found.role == "confidential" else {}
    return _overruled(replace(found, role="quasi-identifier", on_empty="suppress", **plain), options)


def _overruled(column: Column, options: argparse.Namespace) -> Column:
    """What was said on the command line wins over the plan."""
    said: dict[str, Any] = {}
    if options.taxonomy:
        said["taxonomy"] = tuple(options.taxonomy.split(","))
    if options.parts:
        said["parts"] = tuple(options.parts.split(","))
    for key in ("senses", "overrides", "category", "spelling"):
        if getattr(options, key) is not None:
            said[key] = getattr(options, key)
    if options.language:
        said["language"] = pack_code(options.language)
    if options.separator:
        said |= {"kind": "set", "separator": options.separator}
    return replace(column, **said)


def _described(options: argparse.Namespace, path: str) -> Column:
    """Without a plan: a column as the options and a look at the file say."""
    taxonomies = options.taxonomy or "wordnet"
    settings: dict[str, Any] = {"kind": "text"}
    if options.kind:
        one_of("--kind", options.kind, KINDS)
        settings["kind"] = options.kind
    elif not options.separator:
        with suppress(BadInput):  # then nothing can be guessed; what is wrong will be met again
            seen = drafted(path, taxonomies, dialect_of(options))[0].columns.get(options.column)
            if seen is not None and seen.role == "quasi-identifier":
                settings = {"kind": seen.kind} | ({"separator": seen.separator} if seen.kind == "set" else {})
    if options.separator:
        settings |= {"kind": "set", "separator": options.separator}
    if settings["kind"] in NOUNS:
        settings["taxonomy"] = tuple(taxonomies.split(","))
    return _overruled(Column(name=options.column, role="quasi-identifier", **settings), options)


def _maker(options: argparse.Namespace, plan: Plan, column: Column) -> Callable[[str], Finder]:
    """Finders for the column, which differ in their policy only."""
    loaded: dict[str, Taxonomy] = {}
    if options.taxonomy or not options.plan:
        loaded |= {name: chosen_taxonomy(plan.located(name), options) for name in column.taxonomy}
    categories = (column.category or "").split(",")
    if options.prefer != "order" or len(categories) > 1:  # which no plan can say
        return lambda senses: _finder(options, plan, column, loaded, {"senses": senses, "category": categories})

    def planned(senses: str) -> Finder:
        finder = finder_of(_with_policy(column, senses), plan, loaded, Bar())
        assert finder is not None  # a column without a taxonomy was refused
        return finder

    return planned


def _with_policy(column: Column, senses: str) -> Column:
    """The column under another policy; a subject that is given belongs to its own."""
    return column if senses == column.senses else replace(column, senses=senses, subject=None)


def _finder(
    options: argparse.Namespace, plan: Plan, column: Column, loaded: dict[str, Taxonomy], said: dict[str, Any]
) -> Finder:
    taxonomies = [loaded[name] if name in loaded else load(plan.located(name)) for name in column.taxonomy]
    said |= {"parts": column.parts, "spelling": column.spelling, "prefer": options.prefer}
    said |= {"category": said["category"] if column.category else None, "language": language_named(column.language)}
    finder = Finder(taxonomies, **said)
    if column.overrides is None:
        return finder
    return Finder(taxonomies, **said, overrides=read_overrides(Path(plan.located(column.overrides)), finder.taxonomy))


def _least(options: argparse.Namespace, plan: Plan) -> int:
    if options.min_records is not None:
        return int(options.min_records)
    return plan.method.k if options.plan else LEAST

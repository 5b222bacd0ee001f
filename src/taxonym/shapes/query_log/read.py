"""From a query log to what is grouped: its users, whose queries have become concepts."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taxonym.errors import BadInput, BadPlan, BrokenPromise
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.runs import frozen
from taxonym.plan import Microaggregation, Plan
from taxonym.plan.meaning import finder_of, topics_of
from taxonym.plan.query_log import QueryLog
from taxonym.records.column import Column
from taxonym.records.queries import Queries, read_queries
from taxonym.records.records import Records, settled
from taxonym.records.table import Table
from taxonym.records.words import WordColumn, read_words
from taxonym.shapes.query_log.source import QueryRows, host_of, read_log
from taxonym.text.votes import learn_column


@dataclass(frozen=True, slots=True, eq=False)
class QueryLogRecords:
    """A log on its way through a run: its users as units, and what every query was taken for.

    `plan` is the inner one, where the user is the person and the query the one column.
    """

    log: QueryRows
    units: Records
    queries: Queries
    shape: QueryLog
    plan: Plan

    @property
    def words(self) -> WordColumn:
        return self.units.words[0]

    @property
    def users_with_identifiers(self) -> int:
        """How many users wrote something that looks like an identifier, and is withheld."""
        import polars as pl

        mine = self.log.frame.filter(pl.col("query").is_in(sorted(self.queries.withheld)))
        return mine["user"].n_unique()

    def lines(self, unit: int) -> list[int]:
        """The rows of the log's frame that are a user's."""
        mine = [line for record in self.units.records[unit] for line in self.units.table.rows(record)]
        found: list[int] = np.searchsorted(self.log.line, mine).tolist()
        return found


def settings_of(plan: Plan) -> QueryLog:
    """The plan's [querylog]; what makes no sense for logs is refused."""
    if not isinstance(plan.shape, QueryLog):
        raise BadPlan("querylog: the plan has no table [querylog].")
    if plan.columns:
        raise BadPlan("columns: the settings of a query log are those of [querylog]. Remove them.")
    if plan.method.topics and plan.shape.clicks != "drop":
        raise BadPlan("querylog.clicks: a host would tell what topics hide. Leave clicks out, or the topics.")
    method = plan.method
    if not isinstance(method, Microaggregation) or method.representative == "per-record":
        raise BadPlan(
            "method: all users of a group publish the same log. Choose refined, mdav or adaptive-mdav as its name, and "
            "not 'per-record' as representative."
        )
    if plan.shape.choice == "frequencies" and (method.representative != "best" or method.consensus):
        raise BadPlan(
            'method.representative, consensus: are about meaning. Leave them out, or set choice = "meaning" under '
            "[querylog]."
        )
    return plan.shape


def query_settings(shape: QueryLog) -> Column:
    """The queries of a log as a column of a table."""
    return Column(
        name="query", role="quasi-identifier", kind="set", multiplicity=True, taxonomy=shape.taxonomy,
        senses=shape.senses, overrides=shape.overrides, category=shape.category, parts=shape.parts,
        related=shape.related, spelling=shape.spelling, language=shape.language, names=shape.names,
        phrases=shape.phrases, on_unknown=shape.on_unknown, topics_file=shape.topics_file,
    )  # fmt: skip


def prepare_log(source: Any, plan: Plan, progress: Progress = SILENCE) -> QueryLogRecords:
    """Everything up to the groups; fewer than k users are refused here."""
    shape, k = settings_of(plan), plan.method.k
    progress.start("reading")
    log = read_log(source, shape, plan.input.dialect)
    for key, policy in (("time", shape.times), ("click", shape.clicks)):
        if policy != "drop" and key not in log.names:
            raise BadInput(f"{log.where}: nothing says which column is the {key}. Write it under [querylog].")
    column = replace(query_settings(shape), least_content=plan.method.least_content)
    inner = replace(plan, shape=None, columns={"query": column}, input=replace(plan.input, person="user"))
    table = replace(users_of(log, column), notes=_notes(log, shape))
    progress.finish()
    if table.persons < k:
        raise BrokenPromise(
            f"{log.where}: has {table.persons:,} users, fewer than k = {k}: nobody could hide. Choose a smaller k."
        )
    finder = finder_of(column, plan, {}, progress)
    assert finder is not None
    finder = learn_column(finder, table.terms("query"), table.person.tolist(), entries=False)
    first = table.row[table.row_start[:-1]].tolist()
    topics = topics_of(column, plan, finder)
    withhold = shape.identifiers == "withhold"
    queries = read_queries(column, table.terms("query"), finder, k, log.where, first, topics, progress, withhold)
    queries = replace(queries, words=queries.words.worded(plan.output.hints))
    records, whose = [[i] for i in range(len(table))], table.person.astype(np.int64)
    units = settled(table, [queries.words], records, whose, np.zeros(len(table), np.bool_), k)
    return QueryLogRecords(log, units, queries, shape, inner)


def users_of(log: QueryRows, column: Column) -> Table:
    """All queries of a user as one record; rows are the lines of the log."""
    import polars as pl

    lists = log.frame.select(pl.col("user"), pl.concat_list("query"))
    table = Table.of(lists, {"query": column}, person="user")
    return replace(table, row=frozen(log.line[table.row - 1]), where=log.where)


def _notes(log: QueryRows, shape: QueryLog) -> list[str]:
    gone = ["rank"] * ("rank" in log.names)
    gone += ["time"] * ("time" in log.names and shape.times == "drop")
    gone += ["click"] * ("click" in log.names and shape.clicks == "drop")
    notes = [f"Column {log.names[key]!r} is left out." for key in gone]
    return [*notes, "Lines that are broken or without a query are left out, if there are any."]


def by_syntax(asked: QueryLogRecords) -> Records:
    """The same users by the words and clicked hosts as they are written, without any meaning: compared by the share of
    these that two users do not have in common. [NavarroArribas2010, §3.2] groups by such strings."""
    queries, clicks = asked.log.frame["query"].to_list(), asked.log.frame["click"].to_list()
    rows = [asked.lines(unit) for unit in range(len(asked.units))]
    cells = {
        "words": [sorted({word for row in mine for word in queries[row].split()}) for mine in rows],
        "hosts": [sorted({host_of(click) for row in mine if (click := clicks[row])}) for mine in rows],
    }
    columns = [
        read_words(
            Column(name=name, role="quasi-identifier", kind="set"), mine, None, asked.log.where, range(len(rows))
        )
        for name, mine in cells.items()
        if any(mine)
    ]
    return replace(asked.units, columns=list(columns))

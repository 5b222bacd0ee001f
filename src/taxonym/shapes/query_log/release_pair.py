"""A query log beside its release, and an intruder's own log."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from taxonym.plan.query_log import QueryLog
from taxonym.records.column import Column
from taxonym.records.table import Table
from taxonym.shapes.query_log.read import users_of
from taxonym.shapes.query_log.source import read_log
from taxonym.shapes.table.release_pair import TableReleasePair


@dataclass(frozen=True, eq=False)
class QueryReleasePair(TableReleasePair):
    """Users are the rows; what a user publishes is a set of whole queries and words. `log` says how a log is read."""

    log: QueryLog = field(default_factory=QueryLog)

    def table_of(self, file: str | Path, columns: Mapping[str, Column]) -> Table:
        """The users of another log, whose columns are found as those of the original are."""
        return users_of(read_log(file, self.log, self.plan.input.dialect), columns["query"])

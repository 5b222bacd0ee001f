"""From a query log and a plan to a verified release, in which every user of a group has the same log.

read      the log, one record per user
map       whole queries that k users wrote, and the words of others, to concepts
group     users by what their queries mean; as a baseline, by how these are written
choose    what each group publishes and how often, under the support rule, so that frequencies are kept
tell      times and clicked hosts only where k users of a group share them, if at all
name      every user anew, at random
verify    from the file: users per class, the support rule, times, hosts and names
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.executor.context import Context
from taxonym.io.files import read_released
from taxonym.io.progress import Progress
from taxonym.knowledge.arrays import Groups
from taxonym.methods.closeness import ConfidentialRule
from taxonym.methods.confidential_cells import ConfidentialCells
from taxonym.methods.microaggregation import formed
from taxonym.methods.published_groups import PublishedGroups
from taxonym.methods.survival import Publish
from taxonym.plan import Plan
from taxonym.promises.classes import Classes
from taxonym.records.queries import line_of, term_of
from taxonym.records.records import Records
from taxonym.report.builder import RunCounts, report
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.mining import Mining
from taxonym.shapes.query_log.lines import Line, by_frequency, by_meaning, frequent
from taxonym.shapes.query_log.read import QueryLogRecords, by_syntax, prepare_log
from taxonym.shapes.query_log.release_pair import QueryReleasePair
from taxonym.shapes.query_log.reread import WrittenQueries, check_log, line_order, query_column, verify
from taxonym.shapes.query_log.shared import SharedDetails, Told
from taxonym.shapes.query_log.source import FORM
from taxonym.shapes.table import PublishedTable
from taxonym.shapes.table.release_pair import coded

if TYPE_CHECKING:
    import polars as pl

    from taxonym.shapes.table.reread import Trail

WITHHELD = (
    "What looks like an identifier (number of a card, of social security or of a telephone, e-mail or street address) "
    "is withheld however many users wrote it: {users} users wrote such a query."
)
BATCH = 20_000  # users whose lines are made at a time
NAMES = 10**11, 10**12  # users are named anew by numbers of twelve digits


@dataclass(frozen=True, eq=False)
class PublishedLog(PublishedTable):
    """What groups of users publish: told[g] are the lines of group g; user i of the release is named users[i]."""

    asked: QueryLogRecords
    told: list[list[Told]]
    users: list[str]
    plan: Plan

    @property
    def separators(self) -> Mapping[str, str]:
        return {}

    def batches(self) -> "Iterator[pl.DataFrame]":
        return _batches(self.asked, self.told, self.users, self.outcome.group_of[self.place].tolist())

    def check(self, written: "Iterator[pl.DataFrame]") -> Classes:
        import polars as pl

        read = WrittenQueries.of(pl.concat(written), self.asked.shape, "the release")
        units, support = self.outcome.members[self.place], self.outcome.supports[0]
        counted = check_log(read, self.asked, units, support, self.plan.method.k)
        if self.watch is not None:
            self.watch.check(read.number, units)
        return counted

    def codebook(self) -> Codebook:
        words, terms = self.asked.words, {term_of(line[0], line[1]) for lines in self.told for line in lines}
        return Codebook.of({self.asked.log.names["query"]: (terms, words.tax, words.maps_to)})

    @property
    def other_groups(self) -> Publish | None:
        if self.asked.shape.choice == "meaning":
            return None
        return lambda groups: [frequent(self.outcome.supports[0], groups, self.plan.method)]

    def report(self, guard: Disclosure, proof: Classes, loss: dict[str, Any], linkage: dict[str, Any] | None) -> Report:
        """Users have new names in the release, by which everybody can count them."""
        if self.watch is not None:
            reached = self.watch.figures(proof.number, self.outcome.members[self.place])
            proof = replace(proof, privacy=tuple(reached))
        found = report(guard, RunCounts.of(self.outcome), loss, proof, linkage, countable=True)
        return _in_terms_of_a_log(guard, self.asked, found, self.plan)

    def trail(self) -> dict[str, Any]:
        """Rows of the release are its users, in the order in which they appear."""
        found = super().trail()
        return found | {"run": found["run"] | {"plan": self.plan.to_dict()}}


class QueryLogShape:
    """How a query log goes through a run."""

    widest: Mapping[str, Any] = {"times": "hour", "clicks": "host"}

    def read(self, source: Any, plan: Plan, context: Context) -> tuple[Any, QueryLogRecords]:
        return source, prepare_log(source, plan, context.progress)

    def publish(self, records: tuple[Any, QueryLogRecords], plan: Plan, context: Context) -> PublishedLog:
        source, asked = records
        asked = replace(asked, plan=replace(asked.plan, method=plan.method))
        found = formed(_compared(asked), asked.plan, context)
        watch = ConfidentialRule.promised(asked.units, asked.plan, context.progress)
        with context.step("what groups publish"):
            if asked.shape.choice == "meaning":
                outcome, lines = by_meaning(asked, found, context)
            else:
                outcome, lines = _by_frequency(asked, found.groups, watch, context)
            outcome = replace(outcome, blocks=found.as_data())
            alive = np.isin(np.arange(len(asked.units)), outcome.members)
            details = SharedDetails.of(asked, outcome.supports[0].holders, alive)
            told = details.told(outcome.groups, lines, context.rng)
            how = plan.output.rows
            record, place = outcome.rows(context.rng, how != "kept")
            users = new_names(len(record), set(asked.units.table.person_ids), context.rng)
            if plan.output.items == "sorted":
                told = [sorted(mine, key=line_order) for mine in told]
            if how == "sorted":  # equal logs side by side, their users by their new names, which are drawn at random
                logs = [[line_order(line) for line in told[g]] for g in outcome.group_of[place].tolist()]
                at = np.array(sorted(range(len(logs)), key=logs.__getitem__), np.int64)
                record, place = record[at], place[at]
                logs = [logs[i] for i in at.tolist()]
                users = [name for _, name in sorted(zip(logs, users, strict=True))]
        about = source, outcome, watch, record, place, ConfidentialCells()  # no value in a log is confidential
        return PublishedLog(*about, asked=asked, told=told, users=users, plan=plan)

    def verify(
        self,
        release: str,
        plan: Plan,
        k: int | None,
        original: str | None,
        trail: "Trail | None",
        codebook: Codebook | None = None,
    ) -> Classes:
        return verify(release, k or 1, plan, original, trail, codebook)

    def compared(
        self,
        original: str,
        release: str,
        plan: Plan,
        trail: "Trail | None",
        progress: Progress,
        codebook: Codebook | None = None,
    ) -> QueryReleasePair:
        asked = prepare_log(original, plan, progress)
        frame = read_released(release)
        written = WrittenQueries.of(frame, asked.shape, release)
        sets, units = written.sets(), asked.units
        if codebook is not None:
            units = coded(units, codebook, {"query": query_column(frame, asked.shape, release)})
        pair = QueryReleasePair.of(release, asked.plan, units, sets, {"query": sets["query"].to_list()}, trail)
        return replace(pair, log=asked.shape)

    def mine(self, original: str, release: str, plan: Plan, trail: "Trail | None", options: Mining) -> dict[str, Any]:
        from taxonym.shapes.query_log.mining import mine

        return mine(original, release, plan, trail, options)


SHAPE = QueryLogShape()


def _in_order(line: Told) -> tuple[str, ...]:
    """By what is published, so that the order of lines says nothing."""
    return tuple(cell or "" for cell in line)


def _compared(asked: QueryLogRecords) -> Records:
    """The users as the groups are to compare them."""
    return by_syntax(asked) if asked.shape.grouping == "syntax" else asked.units


def _by_frequency(
    asked: QueryLogRecords, groups: Groups, watch: ConfidentialRule | None, context: Context
) -> tuple[PublishedGroups, list[list[Line]]]:
    """What groups publish; where l or t are promised, groups are merged until these hold for who is published."""
    while True:
        groups = groups if watch is None else watch.keep(groups, progress=context.progress)
        outcome, lines = by_frequency(asked, groups, context, fit=watch is None)
        if watch is None or watch.keep(outcome.groups) == outcome.groups:
            return outcome, lines
        groups = outcome.groups


def new_names(n: int, taken: set[str], rng: np.random.Generator) -> list[str]:
    """Names for n users: different random numbers, none of which was anybody's name before."""
    names: dict[str, None] = {}
    while len(names) < n:
        for number in rng.integers(*NAMES, n - len(names)).tolist():
            if str(number) not in taken:
                names[str(number)] = None
    return list(names)


def _batches(
    asked: QueryLogRecords, told: list[list[Told]], users: list[str], group: list[int]
) -> "Iterator[pl.DataFrame]":
    """The release, some users at a time: the lines of their groups, under the names that the log uses."""
    import polars as pl

    names, shape = asked.log.names, asked.shape
    kept = ["query", *["time"] * (shape.times != "drop"), *["click"] * (shape.clicks != "drop")]
    cells = dict.fromkeys(("user", "query", FORM, "time", "click"), pl.String)
    for first in range(0, len(users), BATCH):
        part = zip(users[first : first + BATCH], group[first : first + BATCH], strict=True)
        rows = pl.DataFrame([(user, *line) for user, g in part for line in told[g]], schema=cells, orient="row")
        yield pl.DataFrame([*(rows[key].alias(names[key]) for key in ("user", *kept)), rows[FORM]])


def _in_terms_of_a_log(guard: Disclosure, asked: QueryLogRecords, found: Report, plan: Plan) -> Report:
    """The report of any run, in the terms of a log."""
    lines = (
        f"{asked.log.frame.height:,} lines with a query were read, {asked.log.broken:,} are broken; a line is "
        f"published for each word too."
    )

    def in_terms(columns: list[dict[str, Any]]) -> list[dict[str, Any]]:
        every = [one for column in columns for branch in column["branches"] for one in (branch, *branch["concepts"])]
        for one in [*every, *(one for column in columns for one in column["mapped"])]:
            one |= {key: line_of(one[key], True)[0] for key in ("term", "concept") if key in one}
        return columns

    told = [*map(guard.public, found.notes.value), guard.private(lines)]
    if asked.shape.identifiers == "withhold":
        told.append(guard.sentence(WITHHELD, users=asked.users_with_identifiers))
    notes = guard.rows(told)
    return replace(
        found,
        plan=guard.public(plan.public_dict()),
        columns=guard.derived(in_terms, found.columns),
        notes=notes,
    )

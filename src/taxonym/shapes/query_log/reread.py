"""Proof: what a query log's release promises, recounted from the file.

A class is the users whose lines are the same, in whatever order. The file is in the one form in which logs are
written: users whose logs are alike side by side, by what they publish, then by their new names; lines sorted. With the
original also: the support rule for every user's lines; that nothing is repeated more often than k users repeat it; that
k users of a class share every time and host in it; that no user's name is left; and that every group publishes what its
users hold, and of their topics no more than the plan lets it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from taxonym.errors import BadInput, BrokenRelease
from taxonym.io.files import fingerprint, read_released
from taxonym.io.rewrite import form_faults
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import positions
from taxonym.measure.diversity import members
from taxonym.methods.closeness import ConfidentialRule
from taxonym.plan import Plan
from taxonym.plan.query_log import CELLS, QueryLog
from taxonym.promises.classes import Classes, check_support, concepts_of
from taxonym.publish.groups import Support
from taxonym.records.queries import CONCEPT, term_of
from taxonym.records.vocabulary import WHOLE
from taxonym.records.words import WordColumn
from taxonym.shapes.codebook import Codebook
from taxonym.shapes.query_log.read import QueryLogRecords, prepare_log, query_settings, settings_of
from taxonym.shapes.query_log.shared import HOST, TIME, SharedDetails, Told
from taxonym.shapes.query_log.source import FORM, KNOWN, plain_name
from taxonym.shapes.table.recompute import foreign_groups, talkative_groups
from taxonym.shapes.table.reread import Trail
from taxonym.text.identifiers import looks_like_identifier

if TYPE_CHECKING:
    import polars as pl

NAME = re.compile(r"[1-9][0-9]{11}", re.ASCII)  # how users are named anew


@dataclass(frozen=True, slots=True, eq=False)
class WrittenQueries:
    """A release as it was read: its users in the order in which they appear, and the class of each.

    `frame` has the columns user, query, time, click and form, as far as they are there.
    """

    frame: "pl.DataFrame"
    users: list[str]
    number: Long
    where: str

    @classmethod
    def of(cls, frame: "pl.DataFrame", shape: QueryLog, where: str) -> "WrittenQueries":
        import polars as pl

        named = _columns(frame.columns, shape, where)
        plain = pl.DataFrame([frame[name].cast(pl.String).alias(key) for key, name in named.items()])
        for key in ("user", "query", FORM):
            if gone := plain[key].null_count():
                row = plain[key].is_null().arg_true()[0] + 1
                raise BadInput(
                    f"{where}: row {row}: has no {key}; {gone:,} rows are so. Is it a release of a query log?"
                )
        rest = [pl.col(key).fill_null("") for key in plain.columns if key != "user"]
        lines = plain.select("user", line=pl.concat_str(rest, separator="\t"))
        logs = lines.group_by("user", maintain_order=True).agg(pl.col("line").sort())
        whole = logs["line"].list.join("\n").to_list()
        place: dict[str, int] = {}
        number = np.array([place.setdefault(text, len(place)) for text in whole], np.int64)
        return cls(plain, logs["user"].to_list(), number, where)

    def classes(self, k: int) -> Classes:
        sizes = np.bincount(self.number)
        return Classes(
            rows=self.frame.height, classes=len(sizes), smallest=int(sizes.min()), below=int(np.sum(sizes < k)), k=k,
            counted="users", number=self.number, broken=tuple(self.strange),
        )  # fmt: skip

    @property
    def strange(self) -> list[str]:
        """What no run writes, whatever the original is; without any value."""
        odd = sum(not NAME.fullmatch(user) for user in self.users)
        return [f"{odd:,} users are not named by random numbers of twelve digits"] if odd else []

    def sets(self) -> "pl.DataFrame":
        """What every user publishes, as a set of terms, in the order in which users appear."""
        import polars as pl

        terms = [term_of(*line) for line in self.frame.select("query", FORM).rows()]
        rows = pl.DataFrame({"user": self.frame["user"], "query": terms})
        return rows.group_by("user", maintain_order=True).agg(pl.col("query").unique(maintain_order=True)).drop("user")

    def logs(self) -> list[tuple[list[int], "pl.DataFrame"]]:
        """The users of every class, and the lines that they publish."""
        import polars as pl

        order = np.argsort(self.number, kind="stable")
        members = np.split(order, np.cumsum(np.bincount(self.number))[:-1])
        firsts = [self.users[mine[0]] for mine in members]  # classes are numbered as they appear
        lines = self.frame.filter(pl.col("user").is_in(firsts)).partition_by("user", maintain_order=True)
        return [(mine.tolist(), shown) for mine, shown in zip(members, lines, strict=True)]

    def faults(self, plan: Plan) -> list[str]:
        """What is not in the order in which a log is written."""
        rows = self.frame.rows(named=True)
        lines = [line_order((row["query"], row[FORM], row.get("time"), row.get("click"))) for row in rows]
        users = [row["user"] for row in rows]
        new = [i for i, user in enumerate(users) if not i or users[i - 1] != user]
        logs = [lines[a:b] for a, b in zip(new, [*new[1:], len(users)], strict=True)]
        found = []
        if list(self.frame.columns) != [
            key for key in (*CELLS[:2], "time", "click", FORM) if key in self.frame.columns
        ]:
            found.append("its columns are not in their order")
        if len(new) > len(self.users):
            found.append("the lines of some users do not stand together")
        if settings_of(plan).identifiers == "withhold":
            shown = (row["query"] for row in rows if row[FORM] != CONCEPT)
            if odd := sum(map(looks_like_identifier, shown)):
                found.append(f"{odd:,} lines look like identifiers, which the plan withholds")
        if plan.output.items == "sorted" and any(log != sorted(log) for log in logs):
            found.append("the lines of some users are not sorted")
        order = [(log, users[at]) for log, at in zip(logs, new, strict=True)]
        if plan.output.rows == "sorted" and order != sorted(order):
            found.append("its users are not sorted by what they publish")
        return found


def line_order(line: Told) -> tuple[str, ...]:
    """By what the lines of a log are sorted."""
    return tuple(cell or "" for cell in line)


def _columns(names: Sequence[str], shape: QueryLog, where: str) -> dict[str, str]:
    """What the columns of a release are; others than a release has are refused."""
    found: dict[str, str] = {}
    for name in names:
        known = [key for key in CELLS if getattr(shape, key) == name] or [
            key for key in CELLS if plain_name(name) in KNOWN[key]
        ]
        key = FORM if name == FORM else known[0] if known else None
        allowed = (
            {"user", "query", FORM}
            | ({"time"} if shape.times != "drop" else set())
            | ({"click"} if shape.clicks != "drop" else set())
        )
        if key not in allowed or key in found:
            raise BadInput(f"{where}: the plan publishes no column {name!r}. Is it the right plan?")
        found[key] = name
    for key in ("user", "query", FORM):
        if key not in found:
            raise BadInput(f"{where}: has no column for the {key}. Is it a release of a query log?")
    return found


def query_column(frame: "pl.DataFrame", shape: QueryLog, where: str) -> str:
    """The name of the column of queries in a release."""
    return _columns(frame.columns, shape, where)["query"]


def _codebook_faults(
    codebook: Codebook, written: WrittenQueries, column: str, plan: Plan, asked: QueryLogRecords | None
) -> list[str]:
    """What is wrong with the codebook of a log; with the original it is made again."""
    terms = {term_of(*line) for line in written.frame.select("query", FORM).unique().rows()}
    if asked is not None:
        return codebook.faults_beside(Codebook.of({column: (terms, asked.words.tax, asked.words.maps_to)}))
    own = replace(query_settings(settings_of(plan)), name=column)
    return codebook.faults_by_plan({column: (own, {term for term in terms if not term.startswith(WHOLE)})}, plan)


def verify(
    release: str | Path,
    k: int,
    plan: Plan,
    original: str | None,
    trail: Trail | None,
    codebook: Codebook | None = None,
) -> Classes:
    """Recount the classes of a written release; with the original and the trail everything else, too."""
    frame = read_released(release)
    written = WrittenQueries.of(frame, settings_of(plan), str(release))
    counted = written.classes(k)
    faults = [] if trail is None else trail.changed_release(release)
    faults += [*form_faults(release, frame), *written.faults(plan)]
    column = query_column(frame, settings_of(plan), str(release))
    if codebook is not None and (original is None or trail is None or not counted.holds):
        faults += _codebook_faults(codebook, written, column, plan, None)
    if original is not None and trail is not None and counted.holds:
        if trail.of_file:
            trail.check_original(fingerprint(Path(original)))
        asked = prepare_log(original, plan)
        trail.check_records(asked.units)
        units = units_of(trail, asked, written)
        alive = np.isin(np.arange(len(asked.units)), units)
        support = Support.of(asked.words, asked.units.persons, k).released(asked.units.persons, alive)
        check_log(written, asked, units, support, k)
        faults += _foreign(written, asked, units, trail)
        if (watch := ConfidentialRule.promised(asked.units, asked.plan)) is not None:
            faults += watch.broken(written.number, units)
        faults += [] if codebook is None else _codebook_faults(codebook, written, column, plan, asked)
    return replace(counted, broken=(*counted.broken, *faults))


def _foreign(written: WrittenQueries, asked: QueryLogRecords, units: Long, trail: Trail) -> list[str]:
    """Groups that publish what none of their users asked, or tell more of their topics than the plan lets them."""
    words, method = asked.words, asked.plan.method
    cells = {number: lines.select("query", FORM).rows() for number, (_, lines) in enumerate(written.logs())}
    meant = {number: _codes(lines, words) for number, lines in cells.items()}
    groups = list(members(trail.group_of(len(written.users))))
    apart = sum(len(np.unique(written.number[mine])) > 1 for mine in groups)
    concepts = [meant[int(written.number[mine[0]])] for mine in groups]
    theirs = [units[mine] for mine in groups]
    strange = foreign_groups(words, concepts, theirs, everybody=False)
    support = Support.of(words, asked.units.persons, method.k)
    told = talkative_groups(support, concepts, theirs, method.topic_share) if words.topics is not None else 0
    return [
        *[f"{apart:,} groups of the trail are not published alike"] * bool(apart),
        *[f"{strange:,} groups publish lines that none of their users asked"] * bool(strange),
        *[f"{told:,} groups tell more of a topic than the plan lets them"] * bool(told),
    ]


def _codes(lines: Sequence[tuple[str, str]], words: WordColumn) -> tuple[int, ...]:
    """What the lines of a log mean."""
    return concepts_of([[term_of(*line) for line in lines]], words.maps_to)[0]


def units_of(trail: Trail, asked: QueryLogRecords, written: WrittenQueries) -> Long:
    """For every user of a release the unit that it stands for, as the trail tells."""
    record = trail.rows(asked.units, len(written.users))
    unit_of = np.full(len(asked.units.table), -1, np.int64)
    for unit, records in enumerate(asked.units.records):
        unit_of[records] = unit
    if (unit_of[record] < 0).any():
        raise BadInput(f"{written.where}: publishes users that the plan would leave out. Is it the right plan?")
    return unit_of[record]


def check_log(written: WrittenQueries, asked: QueryLogRecords, units: Long, support: Support, k: int) -> Classes:
    """Raise unless everything holds that was promised; user i of the release stands for units[i]."""
    counted = written.classes(k)
    if not counted.holds or len(np.unique(units)) < len(units):
        why = "; ".join([f"{counted.below:,} classes would have fewer than {k} users", *counted.broken])
        raise BrokenRelease(f"{written.where}: {why}", ours=True)
    if not set(written.users).isdisjoint(asked.units.table.person_ids):
        raise BrokenRelease(f"{written.where}: a user's own name would be published")
    if asked.plan.method.supported:
        cells = [[term_of(*line) for line in lines.select("query", FORM).rows()] for _, lines in written.logs()]
        check_support([(cells, support)], k, asked.plan.method.together)
        _check_repeats(cells, support, units, k)
    if asked.shape.times != "drop" or asked.shape.clicks != "drop":
        _check_shared(written, asked, units, support, k)
    return counted


def _check_repeats(cells: Sequence[Sequence[str]], support: Support, units: Long, k: int) -> None:
    """Raise if a log repeats a concept more often than k users, of these units, have lines that hold it."""
    words, holders = support.words, support.holders
    most: dict[int, int] = {}
    for log in cells:
        times: dict[int, int] = {}
        for code in (words.maps_to(word) for word in log):
            times[code or 0] = times.get(code or 0, 0) + 1
        for code, n in times.items():
            most[code] = max(n, most.get(code, 0))
    order = np.argsort(words.meant, kind="stable")
    order = order[np.isin(words.row[order], units)]
    whose, meant = holders.person[words.row[order]], words.meant[order]
    for code, n in most.items():
        if n > 1:
            below = words.tax.descendants(code)
            first, last = np.searchsorted(meant, below), np.searchsorted(meant, below, side="right")
            times_each = np.unique(whose[positions(first, last)], return_counts=True)[1]
            if np.sum(times_each >= n) < k:
                raise BrokenRelease(f"A published log repeats a line more often than {k} users do")


def _check_shared(written: WrittenQueries, asked: QueryLogRecords, units: Long, support: Support, k: int) -> None:
    """Raise unless k users of every class share each time in it, and each host after what was asked, and k users of the
    release had all that is told together."""
    shared = SharedDetails.of(asked, support.holders, np.isin(np.arange(len(asked.units)), units))
    for users, lines in written.logs():
        mine = units[users].tolist()
        times = lines["time"].drop_nulls().unique().to_list() if "time" in lines.columns else []
        clicks = lines.filter(lines["click"].is_not_null()) if "click" in lines.columns else lines.clear()
        kept = all(sum(shared.has_time(unit, time) for unit in mine) >= k for time in times)
        labels = {TIME + time for time in times}
        for text, form, host in clicks.select("query", FORM, "click").unique().rows() if clicks.height else ():
            code = support.words.maps_to(term_of(text, form))
            kept &= code is not None and sum(shared.has_host(unit, code, host) for unit in mine) >= k
            labels.add(HOST + host)
        codes = [support.words.maps_to(term_of(*line)) for line in lines.select("query", FORM).unique().rows()]
        kept &= shared.items.allowed({code for code in codes if code is not None}, labels, k, shared.m)
        if not kept:
            raise BrokenRelease(
                f"{written.where}: a time or host is published that fewer than {k} users of its class share"
            )

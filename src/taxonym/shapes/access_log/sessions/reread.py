"""Proof for whole sessions: what was promised, recounted from the lines of a written file.

classes     sessions that are equal in everything but their numbers are of at least k visitors, none of whom has more
            than 1/k of them
form        nothing is in a line that no run writes: an address is the number of a session, all of one kind, there is
            no ident and no user, a session begins with an hour, its pauses are public steps and its lines have one
            agent
support     the rule of support.py, from what a reader can tell; request, size, pause and later referrers are those that
            follow from the clicks
addresses   no address or name of the original is in the release, and no user
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from taxonym.errors import BadInput, BrokenPromise
from taxonym.io.compressed import opened
from taxonym.io.files import fingerprint
from taxonym.io.rewrite import packing_faults
from taxonym.knowledge.arrays import Long
from taxonym.measure.diversity import members
from taxonym.plan.access_log import AccessLog
from taxonym.promises.classes import Classes, count_numbers, count_owned
from taxonym.shapes.access_log.agents import steps_of
from taxonym.shapes.access_log.log_lines import (
    CODEC,
    NONE,
    Click,
    ClickLog,
    parse,
    raw_lines,
    read_click,
    read_log,
    write_click,
)
from taxonym.shapes.access_log.read import addresses_of, prepare, users_of
from taxonym.shapes.access_log.sessions.lines import address_number, session_lines
from taxonym.shapes.access_log.sessions.moves import PAUSES
from taxonym.shapes.access_log.sessions.publish import TypicalSession
from taxonym.shapes.access_log.sessions.records import ITEMS, SessionRecords, click_text, session_records
from taxonym.shapes.access_log.sessions.support import SessionSupport
from taxonym.shapes.access_log.trees import HOUR, NEVER, NOBODY, mentions, split_request

if TYPE_CHECKING:
    from taxonym.plan import Plan
    from taxonym.shapes.table.reread import Trail

Lines = tuple[Click, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WrittenSessions:
    """A release as it was read: session i has the number numbers[i], is of the class number[i], and different[c] are
    the lines of class c, of nobody's address."""

    log: ClickLog
    numbers: Long
    number: Long
    different: list[Lines]
    faults: list[str]

    @classmethod
    def of(cls, file: BinaryIO, where: str, format: str) -> "WrittenSessions":
        log = parse(file, where, format)
        if log.broken:
            raise BadInput(f"{where}: {log.broken:,} of its lines are not of a log, so it is not a whole release.")
        file.seek(0)
        lines: dict[tuple[int, int], list[Click]] = {}
        odd = unsorted = 0
        last = (-(1 << 62), (0, 0))
        for _, raw in raw_lines(file):
            click = read_click(raw.decode(CODEC))
            if click is None or (write_click(click) + "\n").encode(CODEC) != raw:
                odd += 1
                continue
            number = address_number(click.address)
            lines.setdefault(number, []).append(click._replace(address=NOBODY))
            unsorted += (click.time, number) < last
            last = click.time, number
        faults = [
            *[f"{odd:,} lines are not as a release is written"] * bool(odd),
            *["its lines are not sorted by time and number"] * bool(unsorted),
            *["some of its addresses are not numbers of sessions"] * ((0, 0) in lines),
            *["its sessions are numbered in several ways"] * (len({prefix for prefix, _ in lines}) > 1),
        ]
        numbers = sorted(lines)
        place: dict[Lines, int] = {}
        classes = [place.setdefault(tuple(lines[one]), len(place)) for one in numbers]
        return cls(
            log,
            np.array([min(number, 1 << 62) for _, number in numbers], np.int64),
            np.array(classes, np.int64),
            list(place),
            faults,
        )

    def strange(self) -> list[str]:
        """What is in the release that no run writes, whatever the original is; without any value."""
        found = list(self.faults)
        if any(text != NONE for text in self.log.texts["user"]):
            found.append("users are named, which no release of sessions does")
        if len({click.zone for lines in self.different for click in lines}) > 1:
            found.append("its lines are of several time zones, where a release has one")
        steps = set(PAUSES.tolist())
        for what, odd in (
            ("begin within an hour", lambda s: (s[0].time + s[0].zone) % HOUR),
            (
                "pause for other than the usual steps",
                lambda s: any(b.time - a.time not in steps for a, b in pairwise(s)),
            ),
            ("change their agents", lambda s: len({click.agent for click in s}) > 1),
        ):
            if many := sum(bool(odd(lines)) for lines in self.different):
                found.append(f"{many:,} different sessions {what}, which no run writes")
        return found


def check_file(file: BinaryIO, where: str, rule: SessionSupport, persons: Long) -> Classes:
    """Recount everything from a file as it was written; raise if anything fails. The session with number i is of
    visitor persons[i - 1]."""
    log = rule.records.clicks.log
    found = WrittenSessions.of(file, where, "combined" if log.combined else "common")
    if found.numbers.tolist() != list(range(1, len(persons) + 1)):
        raise BrokenPromise(f"{where}: has not as many sessions as were published, so nothing was written.")
    counted = count_owned(found.number, rule.k, persons, "visitor", "sessions")
    why = [f"{counted.below:,} classes would have fewer than {rule.k} visitors"] * bool(counted.below)
    if why := [*why, *counted.broken, *found.strange(), *failures(found, rule)]:
        raise BrokenPromise(f"{where}: {'; '.join(why)}, so nothing was written. This is our fault: please report it.")
    return counted


def failures(found: WrittenSessions, rule: SessionSupport) -> list[str]:
    """Which promises beyond k the sessions of a release break, without any value."""
    log, said = rule.records.clicks.log, []
    own, users = addresses_of(log), users_of(log)
    if same := sum(text.lower() in own for text in found.log.texts["address"]):
        said.append(f"{same:,} addresses of the original are in the release")
    paths = [split_request(text)[1] for text in found.log.texts["request"]]
    for name, texts in (
        ("request", paths),
        ("referrer", found.log.texts["referrer"]),
        ("agent", found.log.texts["agent"]),
    ):
        if same := sum(mentions(text, own, users) for text in texts):
            said.append(f"{same:,} different {name}s of the release mention an address or a user of the original")
    if rare := sum(text in rule.agents.rare for text in found.log.texts["agent"] if text != NONE):
        said.append(f"{rare:,} agents are in the release that fewer than {rule.k} visitors had")
    reader = SessionReader(rule.records)
    broken = other = strange = 0
    for lines in found.different:
        session = reader.read(lines)
        if session is None:
            strange += 1
        elif not rule.holds(session.items, session.path):
            broken += 1
        elif session_lines(rule, session) != lines:
            other += 1
    for many, what in (
        (strange, "have values that rise from none of the original"),
        (broken, f"have clicks or values, alone, two together or in this order, that fewer than {rule.k} visitors had"),
        (other, "have requests, sizes, pauses, referrers or agents that do not follow from their clicks"),
    ):
        if many:
            said.append(f"{many:,} different sessions {what}")
    return said


class SessionReader:
    """What a reader makes of the lines of a session, in the trees of the original."""

    def __init__(self, records: SessionRecords) -> None:
        self.zone = records.clicks.log.zone
        self._readers = {name: records.trees[name].reader() for name in ("click", *ITEMS)}

    def read(self, lines: Lines) -> TypicalSession | None:
        """The session; nothing if a value means nothing."""
        path, items = self.codes(lines)
        return None if min(path) < 0 or -2 in items else TypicalSession(tuple(path), tuple(items))

    def codes(self, lines: Lines) -> tuple[list[int], list[int]]:
        """The codes of its clicks and items: -1 for nothing, -2 for what means nothing."""
        path = [self._code("click", click_text(split_request(c.request)[1], c.status)) for c in lines]
        first = lines[0]
        browser, system = steps_of(first.agent)
        told = {
            "referrer": "" if first.referrer == NONE else first.referrer,
            "browser": browser,
            "system": system,
            "time": "" if (text := str(first.time + self.zone)) == NEVER else text,
        }
        items = [self._code(name, text) for name, text in told.items()]
        items.append(0 if any(click.referrer != NONE for click in lines[1:]) else -1)
        return path, items

    def _code(self, name: str, text: str) -> int:
        return self._readers[name].get(text, -2) if text else -1


def holds_sessions(release: str, shape: AccessLog) -> bool:
    """Whether the addresses of a log are numbers of sessions: for a release whose plan is not at hand."""
    return all(address_number(text)[1] for text in read_log(release, shape.format).texts["address"])


def verify(release: str, k: int, plan: "Plan", original: str | None, trail: "Trail | None") -> Classes:
    """Recount the classes of written sessions; with the original and the trail visitors, and the support rule too."""
    shape = plan.shape
    assert isinstance(shape, AccessLog)
    with opened(release) as file:
        found = WrittenSessions.of(file, str(release), shape.format)
    strange = [*packing_faults(Path(release), ".gz" if release.lower().endswith(".gz") else ""), *found.strange()]
    if original is None or trail is None:
        return replace(count_numbers(found.number, k), counted="sessions", broken=tuple(strange))
    trail.check_original(fingerprint(Path(original)))
    strange = [*trail.changed_release(release), *strange]
    records = session_records(prepare(read_log(Path(original), shape.format), plan))
    rows = rows_of(trail, records, found)
    counted = count_owned(found.number, k, records.visitor[rows], "visitor", "sessions")
    kept = np.zeros(len(records), bool)
    kept[rows] = True
    rule = SessionSupport.of(records, k, kept)
    foreign = _foreign(found, rule, rows, trail.group_of(len(rows)), bool(trail.run.get("moved_sessions")))
    broken = (*counted.broken, *strange, *failures(found, rule), *foreign)
    return replace(counted, counted="visitors", broken=broken)


def rows_of(trail: "Trail", records: SessionRecords, found: WrittenSessions) -> Long:
    """The record that every session of a release stands for, as the trail tells, by their numbers."""
    first = {
        int(records.clicks.log.row[line]): i for i, line in enumerate(records.lines.codes[records.lines.start[:-1]])
    }
    if set(trail.first) != set(first):
        raise BadInput(f"{trail.where}: belongs to another original: it has other sessions.")
    if found.numbers.tolist() != list(range(1, len(found.numbers) + 1)):
        raise BadInput(f"{trail.where}: belongs to another release: its sessions have other numbers.")
    return trail.one_to_one(first, len(found.numbers), "session")


def _foreign(found: WrittenSessions, rule: SessionSupport, rows: Long, group: Long, moved: bool) -> list[str]:
    """Groups of the trail that are not published alike, or that tell an item which no session of theirs has: where
    sessions were moved to another group or left out, only the support rule can tell."""
    reader, records = SessionReader(rule.records), rule.records
    apart = strange = 0
    for mine in members(group):
        apart += len(np.unique(found.number[mine])) > 1
        session = reader.read(found.different[int(found.number[mine[0]])])
        for name, code in zip(ITEMS, session.items if session else (), strict=False):
            tree = records.trees[name]
            held = {int(tree.like[t]) for c in records.codes[name][rows[mine]] if c >= 0 for t in tree.tax.ancestors(c)}
            if code >= 0 and code not in held:
                strange += 1
                break
    return [
        *[f"{apart:,} groups of the trail are not published alike"] * bool(apart),
        *[f"{strange:,} groups publish values that none of their sessions has"] * bool(strange and not moved),
    ]

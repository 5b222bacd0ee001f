"""Proof for access logs: what was promised, recounted from the lines of a written file.

classes     lines that are equal in every byte are of at least k visitors, none of whom has more than 1/k of them
form        nothing is in a line that no run writes: no ident, no user but a mark of sessions where these are published
support     every value that a reader can tell from a line, its time and mark among them, and each two of them, at least
            k visitors had in one line that is published
addresses   no address or name of the original is in the release, and no user
"""

import hashlib
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from taxonym.errors import BadInput, BrokenPromise
from taxonym.io.compressed import opened
from taxonym.io.files import fingerprint
from taxonym.io.rewrite import packing_faults
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.measure.diversity import members
from taxonym.plan.access_log import AccessLog
from taxonym.promises.classes import Classes, count_numbers, count_owned
from taxonym.shapes.access_log.agents import steps_of
from taxonym.shapes.access_log.log_lines import (
    CODEC,
    NONE,
    ClickLog,
    parse,
    raw_lines,
    read_click,
    read_log,
    write_click,
)
from taxonym.shapes.access_log.publish import MARK, LineSupport
from taxonym.shapes.access_log.read import COLUMNS, Clicks, addresses_of, prepare, users_of
from taxonym.shapes.access_log.trees import NEVER, NOBODY, ValueTree, mentions, plant, split_request

if TYPE_CHECKING:
    from taxonym.plan import Plan
    from taxonym.shapes.table.reread import Trail


@dataclass(frozen=True, slots=True, eq=False)
class LogRelease:
    """A release as it was read: its lines, the class of each, and one line of every class as its bytes."""

    log: ClickLog
    number: Long
    different: list[bytes]

    @classmethod
    def of(cls, file: BinaryIO, where: str, format: str) -> "LogRelease":
        log = parse(file, where, format)
        if log.broken:
            raise BadInput(f"{where}: {log.broken:,} of its lines are not of a log, so it is not a whole release.")
        file.seek(0)
        place: dict[bytes, int] = {}
        number = [place.setdefault(raw.removesuffix(b"\n"), len(place)) for _, raw in raw_lines(file)]
        return cls(log, np.array(number, np.int64), list(place))

    def strange(self, shape: AccessLog) -> list[str]:
        """What is in the release that no run writes, whatever the original is; without any value."""
        found = []
        if odd := sum(not _as_written(line) for line in self.different):
            found.append(
                f"{odd:,} different lines are not as a release is written: they have an ident, blanks or other"
            )
        clicks = (read_click(line.decode(CODEC)) for line in self.different)
        if len({click.zone for click in clicks if click is not None}) > 1:
            found.append("its lines are of several time zones, where a release has one")
        told = [text for text in self.log.texts["user"] if text != NONE]
        if users := sum(not (shape.session and MARK.fullmatch(text)) for text in told):
            found.append(f"{users:,} users are named, which are not marks of sessions that the plan publishes")
        return found

    def faults(self, file: BinaryIO) -> list[str]:
        """What is in the file beside its lines, and whether these stand by time and text."""
        file.seek(0)
        digest, whole = hashlib.sha256(), hashlib.sha256()
        for number in self.number.tolist():
            digest.update(self.different[number] + b"\n")
        while data := file.read(1 << 20):
            whole.update(data)
        found = []
        if digest.digest() != whole.digest():
            found.append("it is not byte for byte what is written for its lines, so that a mark may hide")
        clicks = [read_click(line.decode(CODEC)) for line in self.different]
        keys = [(click.time, click) for number in self.number.tolist() if (click := clicks[number]) is not None]
        if any(a > b for a, b in pairwise(keys)):
            found.append("its lines are not sorted by time and text")
        return found


def _as_written(line: bytes) -> bool:
    click = read_click(line.decode(CODEC))
    return click is not None and write_click(click).encode(CODEC) == line


def check_file(file: BinaryIO, where: str, clicks: Clicks, rule: LineSupport, persons: Long) -> Classes:
    """Recount everything from a file as it was written; raise if anything fails. Line i is of visitor persons[i]."""
    found = LogRelease.of(file, where, "combined" if clicks.log.combined else "common")
    if len(found.number) != len(persons):
        raise BrokenPromise(f"{where}: has not as many lines as were published, so nothing was written.")
    counted = count_lines(found.number, rule.k, persons)
    check_read(found, counted, where, clicks, rule)
    return counted


def count_lines(number: Long, k: int, persons: Long) -> Classes:
    """The classes of lines, number[i] being that of line i, and whether somebody owns too much of one."""
    return count_owned(number, k, persons, "visitor", "lines")


def check_read(found: LogRelease, counted: Classes, where: str, clicks: Clicks, rule: LineSupport) -> None:
    """Raise if anything fails in lines that were read again; `counted` are the classes of all lines."""
    if not counted.holds:
        why = "; ".join([f"{counted.below:,} classes would have fewer than {rule.k} visitors", *counted.broken])
        raise BrokenPromise(f"{where}: {why}, so nothing was written. This is our fault: please report it.")
    for what in (*found.strange(clicks.shape), *failures(found.log, clicks, rule)):
        raise BrokenPromise(f"{where}: {what}, so nothing was written. This is our fault: please report it.")


def failures(log: ClickLog, clicks: Clicks, rule: LineSupport) -> list[str]:
    """Which promises beyond k the lines of a release break, without any value."""
    found = []
    own, users = addresses_of(clicks.log), users_of(clicks.log)
    if same := sum(text.lower() in own for text in log.texts["address"]):
        found.append(f"{same:,} addresses of the original are in the release")
    if same := len(users_of(log) & users):
        found.append(f"{same:,} users of the original are in the release")
    paths = [split_request(text)[1] for text in log.texts["request"]]
    for name, texts in (("request", paths), ("referrer", log.texts["referrer"]), ("agent", log.texts["agent"])):
        if same := sum(mentions(text, own, users) for text in texts):
            found.append(f"{same:,} different {name}s of the release mention an address or a user of the original")
    codes, strange = as_codes(log, clicks)
    times, odd = _codes(clicks.trees["time"], _as_times(log, clicks))
    marks, more = _codes(rule.trees[-1], ["" if text == NONE else text for text in log.texts["user"]])
    codes = np.column_stack([codes, times, marks[log.codes["user"]]]).astype(np.int32)
    strange += odd + more
    if strange:
        found.append(f"{strange:,} values of the release are none that rise from the original")
    if broken := rule.broken(np.unique(codes, axis=0)):
        found.append(f"{broken:,} different lines have values that fewer than {rule.k} visitors had")
    browser, system = (codes[:, COLUMNS.index(name)].tolist() for name in ("browser", "system"))
    written = set(zip(log.codes["agent"].tolist(), browser, system, strict=True))
    if odd := sum(log.texts["agent"][text] != (rule.agent(b, s) or NONE) for text, b, s in written):
        found.append(f"{odd:,} agents are written in another way than they would be")
    if rare := sum(text in rule.rare for text in log.texts["agent"] if text != NONE):
        found.append(f"{rare:,} agents are in the release that fewer than {rule.k} visitors had")
    return found


def as_codes(log: ClickLog, clicks: Clicks) -> tuple[Ints, int]:
    """What a reader makes of every line, and how many different texts mean nothing."""
    made, strange = [], 0
    requests = [split_request(text) for text in log.texts["request"]]
    told: dict[str, tuple[str, list[str]]] = {
        "address": ("address", ["" if text == NOBODY else text for text in log.texts["address"]]),
        "request": ("request", [how for how, _ in requests]),
        "path": ("request", [path for _, path in requests]),
        "browser": ("agent", [steps_of(text)[0] for text in log.texts["agent"]]),
        "system": ("agent", [steps_of(text)[1] for text in log.texts["agent"]]),
    }
    for name in COLUMNS:
        field, texts = told.get(name) or (name, ["" if text == NONE else text for text in log.texts[name]])
        codes, odd = _codes(clicks.trees[name], texts)
        strange += odd
        made.append(codes[log.codes[field]])
    return np.stack(made, axis=1), strange


def _codes(tree: ValueTree, texts: list[str]) -> tuple[Ints, int]:
    """What a reader makes of texts, and how many different ones mean nothing."""
    reader = tree.reader()
    codes = np.array([reader.get(text, -2) if text else -1 for text in texts], np.int32)
    return np.maximum(codes, -1), len({text for text, code in zip(texts, codes.tolist(), strict=True) if code == -2})


def _as_times(log: ClickLog, clicks: Clicks) -> list[str]:
    """The times of a release as the tree of times has them, "" for none."""
    return ["" if (text := str(time)) == NEVER else text for time in (log.time + clicks.log.zone).tolist()]


def verify(release: str, k: int, plan: "Plan", original: str | None, trail: "Trail | None") -> Classes:
    """Recount the classes of a written log; with the original and the trail visitors, and the support rule too."""
    shape = plan.shape
    assert isinstance(shape, AccessLog)
    with opened(release) as file:
        found = LogRelease.of(file, str(release), shape.format)
        strange = [
            *packing_faults(Path(release), ".gz" if release.lower().endswith(".gz") else ""),
            *found.strange(shape),
        ]
        strange += found.faults(file)
    if original is None or trail is None:
        return replace(count_numbers(found.number, k), broken=tuple(strange))
    trail.check_original(fingerprint(Path(original)))
    strange = [*trail.changed_release(release), *strange]
    clicks = prepare(read_log(Path(original), shape.format), plan)
    if trail.first != clicks.log.row.tolist():
        raise BadInput(f"{trail.where}: belongs to another original: it has other lines.")
    lines = lines_of(trail, clicks, len(found.number))
    counted = count_lines(found.number, k, clicks.visitor[lines])
    rule = LineSupport.of(clicks, k, plan.method.known_items, *_published(found.log, lines, len(clicks.log)))
    whom = "lines" if shape.visitor == "line" else counted.counted  # which may all be one visitor's
    foreign = foreign_classes(found, clicks, lines, trail.group_of(len(lines)), bool(trail.run.get("moved_lines")))
    broken = (*counted.broken, *strange, *failures(found.log, clicks, rule), *foreign)
    return replace(counted, counted=whom, broken=broken)


def _published(log: ClickLog, line: Long, height: int) -> tuple[Mask, tuple[ValueTree, Ints]]:
    """Which lines of an original are in a release, and the marks that they have there; line i of the release stands
    for line[i]."""
    tree, code = plant("session", [() if text == NONE else (text,) for text in log.texts["user"]])
    kept, marks = np.zeros(height, np.bool_), np.full(height, -1, np.int32)
    kept[line], marks[line] = True, code[log.codes["user"]]
    return kept, (tree, marks)


def foreign_classes(found: LogRelease, clicks: Clicks, lines: Long, group: Long, moved: bool) -> list[str]:
    """Classes of the trail that are not published alike, or that publish what no line of theirs has; line i of the
    release stands for lines[i]. A status may be the most usual one of the log, and of whole sessions, address and agent
    are those of a session in the middle. Where lines were moved to another class or left out, their values may stay
    behind, so that only the support rule can tell."""
    codes = np.column_stack(
        [as_codes(found.log, clicks)[0], _codes(clicks.trees["time"], _as_times(found.log, clicks))[0]]
    )
    whole, names = clicks.shape.records == "sessions", (*COLUMNS, "time")
    skipped = {"status", *(("address", "browser", "system") if whole else ())}
    above = {name: clicks.trees[name] for name in names if name not in skipped}
    apart = strange = 0
    for mine in members(group):
        own, first = lines[mine], int(mine[0])
        apart += len(np.unique(found.number[mine])) > 1
        for c, (name, tree) in ((names.index(name), (name, tree)) for name, tree in above.items()):
            if (code := int(codes[first, c])) >= 0:
                held = {t for code in np.unique(clicks.codes[name][own]) if code >= 0 for t in tree.tax.ancestors(code)}
                if code not in held and code not in {int(tree.like[t]) for t in held}:
                    strange += 1
                    break
    return [
        *[f"{apart:,} classes of the trail are not published alike"] * bool(apart),
        *[f"{strange:,} classes publish values that none of their lines has"] * bool(strange and not moved),
    ]


def lines_of(trail: "Trail", clicks: Clicks, height: int) -> Long:
    """The line of the original that every line of the release stands for, as the trail tells."""
    return trail.one_to_one({row: i for i, row in enumerate(clicks.log.row.tolist())}, height, "line")

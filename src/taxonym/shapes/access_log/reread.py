"""Proof for access logs: what was promised, recounted from the lines of a written file.

classes     lines that are equal in every byte are of at least k visitors
form        nothing is in a line that no run writes: no ident, no user but a mark of sessions where these are published
support     every value that a reader can tell from a line, and each two of them, at least k visitors had
addresses   no address or name of the original is in the release, and no user
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from taxonym.errors import BadInput, BrokenPromise
from taxonym.io.compressed import opened
from taxonym.knowledge.arrays import Ints, Long
from taxonym.plan.access_log import AccessLog
from taxonym.promises.classes import Classes, count_numbers
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
from taxonym.shapes.access_log.trees import NOBODY, mentions, split_request

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
        told = [text for text in self.log.texts["user"] if text != NONE]
        if users := sum(not (shape.session and MARK.fullmatch(text)) for text in told):
            found.append(f"{users:,} users are named, which are not marks of sessions that the plan publishes")
        return found


def _as_written(line: bytes) -> bool:
    click = read_click(line.decode(CODEC))
    return click is not None and write_click(click).encode(CODEC) == line


def check_file(file: BinaryIO, where: str, clicks: Clicks, rule: LineSupport, persons: Long) -> Classes:
    """Recount everything from a file as it was written; raise if anything fails. Line i is of visitor persons[i]."""
    found = LogRelease.of(file, where, "combined" if clicks.log.combined else "common")
    if len(found.number) != len(persons):
        raise BrokenPromise(f"{where}: has not as many lines as were published, so nothing was written.")
    counted = count_numbers(found.number, rule.k, persons)
    check_read(found, counted, where, clicks, rule)
    return counted


def check_read(found: LogRelease, counted: Classes, where: str, clicks: Clicks, rule: LineSupport) -> None:
    """Raise if anything fails in lines that were read again; `counted` are the classes of all lines."""
    if not counted.holds:
        raise BrokenPromise(
            f"{where}: {counted.below:,} classes would have fewer than {rule.k} visitors, so nothing was written. "
            f"This is our fault: please report it."
        )
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
    if strange:
        found.append(f"{strange:,} values of the release are none that rise from the original")
    if broken := rule.broken(np.unique(codes, axis=0)):
        found.append(f"{broken:,} different lines have values that fewer than {rule.k} visitors had")
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
        reader = clicks.trees[name].reader()
        codes = np.array([reader.get(text, -2) if text else -1 for text in texts], np.int32)
        strange += int(np.count_nonzero(codes == -2))
        made.append(np.maximum(codes, -1)[log.codes[field]])
    return np.stack(made, axis=1), strange


def verify(release: str, k: int, plan: "Plan", original: str | None, trail: "Trail | None") -> Classes:
    """Recount the classes of a written log; with the original and the trail visitors, and the support rule too."""
    shape = plan.shape
    assert isinstance(shape, AccessLog)
    with opened(release) as file:
        found = LogRelease.of(file, str(release), shape.format)
    strange = found.strange(shape)
    if original is None or trail is None:
        return replace(count_numbers(found.number, k), broken=tuple(strange))
    clicks = prepare(read_log(Path(original), shape.format), plan)
    persons = clicks.visitor[lines_of(trail, clicks, len(found.number))]
    counted = count_numbers(found.number, k, persons)
    rule = LineSupport.of(clicks, k, plan.method.known_items)
    whom = "lines" if shape.visitor == "line" else counted.counted  # which may all be one visitor's
    return replace(counted, counted=whom, broken=(*strange, *failures(found.log, clicks, rule)))


def lines_of(trail: "Trail", clicks: Clicks, height: int) -> Long:
    """The line of the original that every line of the release stands for, as the trail tells."""
    place = {row: i for i, row in enumerate(clicks.log.row.tolist())}
    found = np.full(height, -1, np.int64)
    for first, row in zip(trail.first, trail.released, strict=True):
        if row:
            if row > height or first not in place:
                raise BadInput(f"{trail.where}: belongs to another release or original: they have fewer lines.")
            found[row - 1] = place[first]
    if (found < 0).any():
        raise BadInput(
            f"{trail.where}: belongs to another release: it does not tell whose line {found.argmin() + 1} is."
        )
    return found

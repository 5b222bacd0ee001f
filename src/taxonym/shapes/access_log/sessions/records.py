"""Sessions as records: the clicks of each in their order, and what else is told of a session.

A click is a page with the status that the server answered, in one tree:

    /shop/bags?id=7 304 → /shop/bags?id=7 200 → /shop/bags?* 200 → /shop/* 200 → /* 200

200 stands for what was delivered (304 too: the visitor had it already), 300 for what has moved, 400 and 500 for errors,
so that an error stays one however far its page rises. What else is told of a session (ITEMS) is told once: the referrer
of its first click, the browser, the system, the hour in which it began, and whether later clicks have referrers.
"""

from dataclasses import dataclass

import numpy as np

from taxonym.distance.record import Part, Values
from taxonym.distance.sequences import Sequences
from taxonym.knowledge.arrays import Ints, Long
from taxonym.knowledge.runs import Runs, edges
from taxonym.shapes.access_log.log_lines import NONE, ClickLog
from taxonym.shapes.access_log.read import Clicks, addresses_of, planted_times, sets_of_one, users_of
from taxonym.shapes.access_log.trees import HOUR, Chain, ValueTree, mentions, path_chain, plant, split_request

ITEMS = ("referrer", "browser", "system", "time", "sends")
LONGEST = 128  # clicks of a session that are looked at, the first ones: a crawler asks for thousands
WEIGHTS = {"path": 4.0}  # in the distance of sessions, unless the plan says otherwise; of the others: 1


@dataclass(frozen=True, slots=True, eq=False)
class SessionRecords:
    """Record i is a session of visitor[i]: path[i] are its clicks in their order, codes[name][i] is what it has of an
    item (-1: nothing), begin[i] is when it began. asked[i] are the lines of the log with these clicks, lines[i] all of
    its lines in their order.

    Records come in an order that what they hold decides.
    """

    clicks: Clicks
    trees: dict[str, ValueTree]
    path: Runs
    codes: dict[str, Ints]
    begin: Long
    visitor: Long
    asked: Runs
    lines: Runs

    def __len__(self) -> int:
        return len(self.path)

    @property
    def visitors(self) -> int:
        """All visitors of the log, be they in a session with pages or not."""
        return self.clicks.visitors

    def weight(self, name: str) -> float:
        shape = self.clicks.shape
        return shape.weight(name) if shape.weighs(name) else WEIGHTS.get(name, 1.0)

    def parts(self) -> dict[str, Part]:
        """The sessions as distances see them; an item that nobody has is left out."""
        made: dict[str, Part] = {"path": Sequences.of_runs(self.path, self.trees["click"].tax, self.weight("path"))}
        for name in ("referrer", "browser", "system"):
            if (self.codes[name] >= 0).any():
                made[name] = sets_of_one(self.trees[name], self.codes[name], self.weight(name))
        made["time"] = Values.of(self.begin.astype(np.float64), self.weight("time"))
        return made


def status_class(status: str) -> str:
    """What a status comes down to for who asked: 200 delivered, 300 moved, 400 and 500 failed."""
    return status if status == NONE else "200" if status == "304" else f"{status[0]}00"


def click_text(path: str, status: str) -> str:
    """How a click is named in its tree."""
    return f"{status} {path}"


def click_parts(text: str) -> tuple[str, str]:
    """The path and the status of a click's name."""
    status, _, path = text.partition(" ")
    return path, status


def failed(text: str) -> bool:
    """Whether a click of this name is an error of the client or the server."""
    return text[:1] in ("4", "5")


def click_chain(path: str, status: str) -> Chain:
    """What a click rises to."""
    kind = status_class(status)
    steps = tuple(click_text(step, kind) for step in path_chain(path))
    return steps if kind == status or not steps else (*steps, click_text(path, status))


def session_records(clicks: Clicks) -> SessionRecords:
    """The sessions of a log that ask for any page."""
    log = clicks.log
    tree, click = _click_tree(log)
    order = np.lexsort((np.arange(len(log)), log.time, clicks.session))
    ends = np.searchsorted(clicks.session[order], np.arange(int(clicks.session.max(initial=-1)) + 2))
    some = click[order] >= 0
    many = edges(some)[ends]  # clicks before each session
    has = np.flatnonzero(np.diff(many) > 0)
    asked, lines = Runs(many, order[some]).take(has), Runs(ends, order).take(has)
    asked = asked.keep(np.arange(len(asked.codes)) - asked.start[asked.owner] < LONGEST)
    first = asked.codes[asked.start[:-1]]
    times, time = planted_times(log, max(clicks.shape.time_step, HOUR))
    codes = {name: clicks.codes[name][first] for name in ("referrer", "browser", "system")}
    codes |= {"time": time[first], "sends": _sends(clicks, lines)}
    trees = {name: clicks.trees[name] for name in ("referrer", "browser", "system")}
    trees |= {"click": tree, "time": times, "sends": plant("sends", [("sent",)])[0]}
    path = Runs(asked.start, click[asked.codes])
    at = _in_order(log, path, codes, first)
    return SessionRecords(
        clicks, trees, path.take(at), {name: column[at] for name, column in codes.items()}, log.time[first[at]],
        clicks.visitor[first[at]], asked.take(at), lines.take(at),
    )  # fmt: skip


def _click_tree(log: ClickLog) -> tuple[ValueTree, Ints]:
    """The tree of clicks, and the code of every line in it."""
    own, users = addresses_of(log), users_of(log)
    paths = [split_request(text)[1] for text in log.texts["request"]]
    width = len(log.texts["status"])
    both, place = np.unique(log.codes["request"].astype(np.int64) * width + log.codes["status"], return_inverse=True)
    chains = [click_chain(paths[pair // width], log.texts["status"][pair % width]) for pair in both.tolist()]
    tree, code = plant("click", chains, str, lambda text: mentions(click_parts(text)[0], own, users))
    return tree, code[place]


def _sends(clicks: Clicks, lines: Runs) -> Ints:
    """0 for sessions in which a line after the first has a referrer, -1 for others."""
    has = np.array([text != NONE for text in clicks.log.texts["referrer"]], bool)[clicks.log.codes["referrer"]]
    later = np.ones(len(lines.codes), bool)
    later[lines.start[:-1]] = False
    many = np.bincount(lines.owner, has[lines.codes] & later, len(lines))
    return np.where(many > 0, 0, -1).astype(np.int32)


def _in_order(log: ClickLog, path: Runs, codes: dict[str, Ints], first: Long) -> Long:
    """Sessions by what they hold; those that hold the same by who they are of."""
    texts = ([log.texts[name][c] for c in log.codes[name][first].tolist()] for name in ("address", "agent"))
    items = (codes[name].tolist() for name in ITEMS)
    keys = list(zip(path, *items, log.time[first].tolist(), *texts, strict=True))
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)

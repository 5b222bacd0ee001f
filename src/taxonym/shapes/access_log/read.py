"""A log as numbers: whose every line is, in which session, and where its values stand in their trees."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from taxonym.distance.record import Part, Sets, Values
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Floats, Ints, Long
from taxonym.knowledge.runs import edges
from taxonym.plan.access_log import AccessLog
from taxonym.shapes.access_log.agents import Agent, read_agent
from taxonym.shapes.access_log.log_lines import NONE, ClickLog
from taxonym.shapes.access_log.sessions.find import find_sessions, linked_sessions, read_links
from taxonym.shapes.access_log.trees import (
    DAY,
    HOUR,
    NEVER,
    NOBODY,
    Chain,
    ValueTree,
    address_chain,
    address_text,
    mentions,
    path_chain,
    plant,
    referrer_chain,
    request_chain,
    size_chain,
    size_text,
    split_request,
    status_chain,
    time_chain,
    time_text,
)

if TYPE_CHECKING:
    from taxonym.plan import Plan

# What a line publishes, by tree; browser and system are written together.
COLUMNS = ("address", "request", "path", "status", "size", "referrer", "browser", "system")
RULED = (*COLUMNS, "time", "session")  # all items of a line, for the support rule


@dataclass(frozen=True, slots=True, eq=False)
class Clicks:
    """The lines of a log: line i is of visitor[i], in session[i], and has codes[c][i] in the tree of column c, or of
    times.

    Lines of one visitor and session that are alike in all columns are one record of the grouping: unit_of[i].
    """

    log: ClickLog
    shape: AccessLog
    trees: dict[str, ValueTree]
    codes: dict[str, Ints]
    agents: list[Agent]
    visitor: Long
    session: Long
    unit_of: Long
    first: Long  # a line of every unit

    @property
    def visitors(self) -> int:
        return int(self.visitor.max(initial=-1)) + 1

    @property
    def person(self) -> Long:
        """The visitor of every unit."""
        return self.visitor[self.first]

    def times(self) -> Floats:
        """The time of every unit: the mean of its lines'."""
        least = self.log.time.min(initial=0)
        sums = np.bincount(self.unit_of, (self.log.time - least).astype(np.float64))
        means: Floats = least + sums / np.bincount(self.unit_of)
        return means

    def sizes(self) -> Floats:
        """Bytes of every unit, on a scale where doubling is a step; NaN where the log has none."""
        return scaled_sizes([self.log.texts["size"][c] for c in self.log.codes["size"][self.first].tolist()])

    def parts(self) -> dict[str, Part]:
        """The units as distances see them; a column without any value is left out."""
        made: dict[str, Part] = {}
        for name in COLUMNS:
            codes = self.codes[name][self.first]
            if (codes >= 0).any():
                weight = self.shape.weight(name)
                values = Values.of(self.sizes(), weight) if name == "size" else None
                made[name] = values or sets_of_one(self.trees[name], codes, weight)
        made["time"] = Values.of(self.times(), self.shape.weight("time"))
        return made


def scaled_sizes(texts: list[str]) -> Floats:
    return np.array([np.nan if text == "-" else np.log2(1.0 + int(text)) for text in texts])


def sets_of_one(tree: ValueTree, codes: Ints, weight: float) -> Sets:
    """A column in which every record has one concept or none."""
    has = codes >= 0
    return Sets(edges(has), codes[has], tree.tax, weight)


def prepare(log: ClickLog, plan: "Plan", progress: Progress = SILENCE) -> Clicks:
    """A log in trees that are built from what it holds, with visitors and sessions."""
    shape = plan.shape
    assert isinstance(shape, AccessLog)
    progress.start("addresses, paths, referrers and agents")
    agents = [read_agent(text) for text in log.texts["agent"]]
    trees, codes = planted(log, agents)
    trees["time"], codes["time"] = planted_times(log, shape.time_step)
    visitor = visitors_of(log, agents, shape.visitor)
    session = sessions_of(log, agents, plan)
    unit_of, first = _units(log, visitor, session, codes)
    progress.finish()
    return Clicks(log, shape, trees, codes, agents, visitor, session, unit_of, first)


def chains_of(log: ClickLog, agents: list[Agent]) -> dict[str, tuple[str, list[Chain]]]:
    """For every column the field of the log that it comes from, and what each text of that rises to."""
    requests = [split_request(text) for text in log.texts["request"]]
    return {
        "address": ("address", [address_chain(text) for text in log.texts["address"]]),
        "request": ("request", [request_chain(how) for how, _ in requests]),
        "path": ("request", [path_chain(path) for _, path in requests]),
        "status": ("status", [status_chain(text) for text in log.texts["status"]]),
        "size": ("size", [size_chain(text) for text in log.texts["size"]]),
        "referrer": ("referrer", [referrer_chain(text) for text in log.texts["referrer"]]),
        "browser": ("agent", [agent.browser_chain for agent in agents]),
        "system": ("agent", [agent.system_chain for agent in agents]),
    }


def planted(log: ClickLog, agents: list[Agent]) -> tuple[dict[str, ValueTree], dict[str, Ints]]:
    """The trees of all columns, and the code of every line in each."""
    own, users = addresses_of(log), users_of(log)
    trees, codes = {}, {}
    for name, (field, every) in chains_of(log, agents).items():
        write = {"address": address_text, "size": size_text}.get(name, str)
        told = own.__contains__ if name == "address" else lambda text: mentions(text, own, users)
        tree, code = plant(name, every, write, told if name in ("address", "path", "referrer") else lambda text: False)
        trees[name], codes[name] = tree, code[log.codes[field]]
    return trees, codes


def planted_times(log: ClickLog, step: int) -> tuple[ValueTree, Ints]:
    """The tree of times, which steps of so many seconds divide, counted anew in every hour (long ones in every day), so
    that none of them lies in two hours; and the code of every line in it."""
    own = log.time + log.zone
    whole = own // (HOUR if step < HOUR else DAY) * (HOUR if step < HOUR else DAY)
    begins, place = np.unique(whole + (own - whole) // step * step, return_inverse=True)
    chains = [time_chain(begin, step) for begin in begins.tolist()]
    tree, code = plant("time", chains, time_text, NEVER.__eq__)
    return tree, code[place]


def addresses_of(log: ClickLog) -> set[str]:
    """All addresses and names that lines come from, in every way they may be written, in lower case."""
    every = [text for text in log.texts["address"] if text not in (NONE, NOBODY, "::")]
    steps = {chain[-1].partition(" ")[2] for chain in map(address_chain, every) if chain}
    return {text.lower() for text in (*every, *steps)}


def users_of(log: ClickLog) -> set[str]:
    """All users that the log names, in lower case."""
    return {text.strip('"').lower() for text in log.texts["user"] if text != NONE}


def visitors_of(log: ClickLog, agents: list[Agent], visitor: str) -> Long:
    """Whose every line is: the same address, browser and system with their versions, or as the plan says."""
    if visitor == "line":
        return np.arange(len(log))
    number: dict[Agent, int] = {}
    agent = np.array([number.setdefault(one, len(number)) for one in agents], np.int64)[log.codes["agent"]]
    place: dict[str, int] = {}  # an address may be written in several ways
    whole = [(address_chain(text) or (text,))[-1] for text in log.texts["address"]]
    key = np.array([place.setdefault(one, len(place)) for one in whole], np.int64)[log.codes["address"]]
    key = key if visitor == "address" else key * len(number) + agent
    if visitor == "user":
        key = _by_user(log, key)
    return np.unique(key, return_inverse=True)[1].astype(np.int64)


def _by_user(log: ClickLog, key: Long) -> Long:
    """Negative keys for the users that lines name. A line that names none is of the user whom the lines with the same
    address and agent (the same key) name most often (ties: in the alphabet), as before a login; nobody becomes a second
    visitor by it."""
    place = {text: i for i, text in enumerate(sorted(log.texts["user"]))}
    user = np.array([place[text] for text in log.texts["user"]], np.int64)[log.codes["user"]]
    named = np.array([text != NONE for text in log.texts["user"]], bool)[log.codes["user"]]
    pairs, times = np.unique(np.stack((key[named], user[named])), axis=1, return_counts=True)
    order = np.lexsort((pairs[1], -times, pairs[0]))
    known, first = np.unique(pairs[0][order], return_index=True)
    whose = dict(zip(known.tolist(), pairs[1][order][first].tolist(), strict=True))
    likely = np.array([-1 - whose[k] if k in whose else k for k in key.tolist()], np.int64)
    return np.where(named, -1 - user, likely)


def sessions_of(log: ClickLog, agents: list[Agent], plan: "Plan") -> Long:
    """The session of every line: by address and agent, or by the user where the plan says that users are the visitors
    [NavarroArribas2010, §3.1.2]."""
    shape = plan.shape
    assert isinstance(shape, AccessLog)
    whose = visitors_of(log, agents, "user" if shape.visitor == "user" else "address+agent")
    if shape.links is None:
        return find_sessions(whose, log.time, 60 * shape.gap)
    pages = [path.partition("?")[0] for _, path in map(split_request, log.texts["request"])]
    every = [pages[code] for code in log.codes["request"].tolist()]
    return linked_sessions(whose, log.time, every, read_links(plan.located(shape.links)), 60 * shape.gap)


def _units(log: ClickLog, visitor: Long, session: Long, codes: dict[str, Ints]) -> tuple[Long, Long]:
    """The unit of every line and the first line of every unit, in an order that what they hold decides."""
    own: list[NDArray[np.integer]] = [codes[name] for name in COLUMNS]
    keys: list[NDArray[np.integer]] = [log.time, session, visitor, *own[::-1]]
    order = np.lexsort(keys)
    new = np.zeros(len(order), bool)
    new[:1] = True
    for column in keys[1:]:
        new[1:] |= np.diff(column[order]) != 0
    unit_of = np.empty(len(order), np.int64)
    unit_of[order] = np.cumsum(new) - 1
    return unit_of, order[new]

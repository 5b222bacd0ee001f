"""Times and clicked hosts that at least k users of a group share, and nothing else of them.

A time is told in the finest step, from that of the plan on, in which some value is shared by k users of the group; the
lines of the group get its shared values in the proportions of its users' lines, whatever they ask. A host is told with
a line if k users of the group clicked there after a query that holds the line's concept; names are taken off its left
until so many share it.

Times and hosts are items of a user's log, as its queries are: of the whole release at least k users must have had every
`known_items` of them together, somewhere in their logs. A time that fails is told in a coarser step, or not at all, a
host by a shorter name, or not at all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taxonym.knowledge.arrays import Mask
from taxonym.knowledge.combine import flat
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.publish.apportion import in_turn
from taxonym.records.support import Holders, JointHolders, Rows, fits
from taxonym.shapes.query_log.lines import Line
from taxonym.shapes.query_log.read import QueryLogRecords
from taxonym.shapes.query_log.source import coarser_hosts, coarser_times, host_of, parse_times, pattern_of

Told = tuple[str, str, str | None, str | None]  # text, form, time and host of a published line
TIME, HOST, NOTHING = "time ", "host ", "nothing"  # before the name of an item


@dataclass(frozen=True, slots=True, eq=False)
class DetailHolders:
    """Who has which times and hosts, beside who holds which concepts: all items of a log, so that the support rule can
    be asked for them together. Times are told in every step, and hosts by every name."""

    together: JointHolders
    place: dict[str, int]

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[int]],
        times: Mapping[str, Sequence[str | None]],
        hosts: Sequence[str | None],
        concepts: Holders,
        alive: Mask,
    ) -> "DetailHolders":
        def details(unit: int) -> set[str]:
            every = {TIME + time for texts in times.values() for row in rows[unit] if (time := texts[row])}
            clicked = {host for row in rows[unit] if hosts and (host := hosts[row])}
            return every | {HOST + name for host in clicked for name in coarser_hosts(host)}

        had = [details(unit) for unit in range(len(rows))] or [set[str]() for _ in alive]
        labels = sorted({NOTHING}.union(*had))
        tax = flat(labels)
        place = {label: tax.code(label) for label in labels}
        sets = ConceptSets.of([sorted(place[one] for one in mine) for mine in had], tax)
        at = np.flatnonzero(alive)
        some = Rows(sets.take(at), at) if len(concepts.whose) < len(alive) else None
        return cls(JointHolders([concepts, Holders(sets, concepts.person, some)]), place)

    def joins(self, label: str, chosen: list[int], k: int, m: int) -> bool:
        """Whether an item can be told beside those that are chosen; then it is chosen, too."""
        x = int(self.together.first[1]) + self.place[label]
        if x in chosen:
            return True
        if not fits(*self.together.lists, np.array(chosen, np.int64), len(chosen), x, k, m):
            return False
        chosen.append(x)
        return True

    def allowed(self, concepts: Iterable[int], labels: Iterable[str], k: int, m: int) -> bool:
        """Whether concepts may be told beside times and hosts."""
        known = [self.place[label] for label in labels if label in self.place]
        return self.together.allowed([concepts, known], k, m)


@dataclass(frozen=True, slots=True, eq=False)
class SharedDetails:
    """What the units of a log have: times[pattern][row] of every line as text, and hosts[row] after the codes of a
    query; rows[unit] are its lines."""

    rows: list[list[int]]
    times: dict[str, list[str | None]]
    hosts: list[str | None]
    held: list[frozenset[int]]
    k: int
    m: int
    items: "DetailHolders"

    @classmethod
    def of(cls, asked: QueryLogRecords, concepts: Holders, alive: Mask) -> "SharedDetails":
        """`concepts` tells which users hold what, of those who are published (`alive`)."""
        times: dict[str, list[str | None]] = {}
        if asked.shape.times != "drop":
            parsed = parse_times(asked.log, asked.shape)
            times = {pattern: parsed.dt.strftime(pattern).to_list() for pattern in coarser_times(asked.shape.times)}
        hosts: list[str | None] = []
        held: list[frozenset[int]] = []
        if asked.shape.clicks != "drop":
            hosts = [host_of(click) if click else None for click in asked.log.frame["click"].to_list()]
            seen: dict[str, frozenset[int]] = {}
            for query in asked.log.frame["query"].to_list():
                if query not in seen:
                    codes = asked.queries.codes[query]
                    seen[query] = frozenset(t for c in codes for t in asked.words.tax.ancestors(c))
                held.append(seen[query])
        rows = [asked.lines(unit) for unit in range(len(asked.units))] if times or hosts else []
        items = DetailHolders.of(rows, times, hosts, concepts, alive)
        return cls(rows, times, hosts, held, asked.plan.method.k, asked.plan.method.together, items)

    def told(
        self, groups: Sequence[Sequence[int]], lines: Sequence[Sequence[Line]], rng: np.random.Generator
    ) -> list[list[Told]]:
        """The lines of every group with what is told of times and hosts."""
        made = []
        for group, mine in zip(groups, lines, strict=True):
            chosen = sorted({code for code, _, _ in mine})
            times = self._spread(self.shared_times(group, chosen), len(mine), rng)
            hosts: list[str | None] = [None] * len(mine)
            if self.hosts:
                for code in sorted({code for code, _, _ in mine}):
                    places = [i for i, line in enumerate(mine) if line[0] == code]
                    for i, host in zip(
                        places, self._spread(self.shared_hosts(group, code, chosen), len(places), rng), strict=True
                    ):
                        hosts[i] = host
            made.append([(text, form, t, h) for (_, text, form), t, h in zip(mine, times, hosts, strict=True)])
        return made

    def shared_times(self, group: Iterable[int], chosen: list[int]) -> dict[str, int]:
        """The times that k units share and that go with what is chosen already (which they join), in the finest step
        that has any, and how many lines are at each."""
        units = list(group)
        for texts in self.times.values():
            found = self._by_units([[t for row in self.rows[unit] if (t := texts[row])] for unit in units])
            order = sorted(found, key=lambda time: (-found[time], time))
            if told := [time for time in order if self.items.joins(TIME + time, chosen, self.k, self.m)]:
                return {time: found[time] for time in sorted(told)}
        return {}

    def shared_hosts(self, group: Iterable[int], code: int, chosen: list[int]) -> dict[str, int]:
        """The hosts that k units clicked after queries that hold a concept, and that go with what is chosen already
        (which they join); the longest names that so many share."""
        clicked = [[h for row in self.rows[u] if code in self.held[row] and (h := self.hosts[row])] for u in group]
        every = self._by_units([[c for host in mine for c in coarser_hosts(host)] for mine in clicked])
        longest: dict[str, int] = {}
        for host in sorted(host for mine in clicked for host in mine):
            names = (
                c for c in coarser_hosts(host) if c in every and self.items.joins(HOST + c, chosen, self.k, self.m)
            )
            if (name := next(names, None)) is not None:
                longest[name] = longest.get(name, 0) + 1
        return longest

    def has_time(self, unit: int, time: str) -> bool:
        """Whether a unit has a line at a time, told in whatever step."""
        texts = self.times.get(pattern_of(time), [])
        return bool(texts) and any(texts[row] == time for row in self.rows[unit])

    def has_host(self, unit: int, code: int, host: str) -> bool:
        """Whether a unit clicked on a host, or one whose name ends so, after a query that holds a concept."""
        return any(
            code in self.held[row] and (own := self.hosts[row]) is not None and host in coarser_hosts(own)
            for row in self.rows[unit]
        )

    def _by_units(self, values: Sequence[Sequence[str]]) -> dict[str, int]:
        """The values that at least k units have, and how often they occur."""
        units: dict[str, int] = {}
        times: dict[str, int] = {}
        for mine in values:
            for value in set(mine):
                units[value] = units.get(value, 0) + 1
            for value in mine:
                times[value] = times.get(value, 0) + 1
        return {value: times[value] for value, n in sorted(units.items()) if n >= self.k}

    @staticmethod
    def _spread(found: dict[str, int], n: int, rng: np.random.Generator) -> list[str | None]:
        if not found:
            return [None] * n
        values = list(found)
        return [values[i] for i in in_turn(list(found.values()), [1] * n, rng)]

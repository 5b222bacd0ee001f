"""Times and clicked hosts that at least k users of a group share, and nothing else of them.

A time is told in the finest step, from that of the plan on, in which some value is shared by k users of the group; the
lines of the group get its shared values in the proportions of its users' lines, whatever they ask. A host is told with
a line if k users of the group clicked there after a query that holds the line's concept; names are taken off its left
until so many share it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from taxonym.publish.apportion import in_turn
from taxonym.shapes.query_log.lines import Line
from taxonym.shapes.query_log.read import QueryLogRecords
from taxonym.shapes.query_log.source import coarser_hosts, coarser_times, host_of, parse_times, pattern_of

Told = tuple[str, str, str | None, str | None]  # text, form, time and host of a published line


@dataclass(frozen=True, slots=True, eq=False)
class SharedDetails:
    """What the units of a log have: times[pattern][row] of every line as text, and hosts[row] after the codes of a
    query; rows[unit] are its lines."""

    rows: list[list[int]]
    times: dict[str, list[str | None]]
    hosts: list[str | None]
    held: list[frozenset[int]]
    k: int

    @classmethod
    def of(cls, asked: QueryLogRecords) -> "SharedDetails":
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
        return cls(rows, times, hosts, held, asked.plan.method.k)

    def told(
        self, groups: Sequence[Sequence[int]], lines: Sequence[Sequence[Line]], rng: np.random.Generator
    ) -> list[list[Told]]:
        """The lines of every group with what is told of times and hosts."""
        made = []
        for group, mine in zip(groups, lines, strict=True):
            times = self._spread(self.shared_times(group), len(mine), rng)
            hosts: list[str | None] = [None] * len(mine)
            if self.hosts:
                for code in sorted({code for code, _, _ in mine}):
                    places = [i for i, line in enumerate(mine) if line[0] == code]
                    for i, host in zip(
                        places, self._spread(self.shared_hosts(group, code), len(places), rng), strict=True
                    ):
                        hosts[i] = host
            made.append([(text, form, t, h) for (_, text, form), t, h in zip(mine, times, hosts, strict=True)])
        return made

    def shared_times(self, group: Iterable[int]) -> dict[str, int]:
        """The times that k units share, in the finest step that has any, and how many lines are at each."""
        units = list(group)
        for texts in self.times.values():
            found = self._by_units([[t for row in self.rows[unit] if (t := texts[row])] for unit in units])
            if found:
                return found
        return {}

    def shared_hosts(self, group: Iterable[int], code: int) -> dict[str, int]:
        """The hosts that k units clicked after queries that hold a concept; the longest names that so many share."""
        clicked = [[h for row in self.rows[u] if code in self.held[row] and (h := self.hosts[row])] for u in group]
        every = self._by_units([[c for host in mine for c in coarser_hosts(host)] for mine in clicked])
        longest: dict[str, int] = {}
        for host in (host for mine in clicked for host in mine):
            if (name := next((c for c in coarser_hosts(host) if c in every), None)) is not None:
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

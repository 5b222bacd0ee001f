"""How a browser and a system are written in a release: as most visitors wrote them, or by their names."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from taxonym.knowledge.arrays import Mask
from taxonym.records.thresholds import Thresholds
from taxonym.shapes.access_log.agents import write_agent
from taxonym.shapes.access_log.log_lines import NONE
from taxonym.shapes.access_log.read import Clicks, addresses_of, users_of
from taxonym.shapes.access_log.trees import ValueTree, mentions


@dataclass(frozen=True, slots=True, eq=False)
class AgentTexts:
    """The agents of a log that may be written."""

    browsers: ValueTree
    systems: ValueTree
    terms: dict[tuple[int, int], str]  # agents that at least k visitors have, by browser and system
    rare: set[str]  # agents that fewer have, or that mention somebody's address or user
    users: set[str]  # of the log

    @classmethod
    def of(cls, clicks: Clicks, kept: Mask, least: Thresholds) -> "AgentTexts":
        """From the lines that are kept. Of every browser with its system the agent that most visitors have, if at
        least k do (ties: in the alphabet)."""
        addresses, users = addresses_of(clicks.log), users_of(clicks.log)
        texts, own = clicks.log.texts["agent"], clicks.log.codes["agent"]
        whose = own[kept].astype(np.int64) * (clicks.visitors + 1) + clicks.visitor[kept]
        writers = np.bincount(np.unique(whose) // (clicks.visitors + 1), minlength=len(texts))
        rare = {
            text
            for text, many in zip(texts, writers.tolist(), strict=True)
            if many < least.k or many < least.of("agent", text) or mentions(text, addresses, users)
        }
        _, line = np.unique(own, return_index=True)
        best: dict[tuple[int, int], tuple[int, str]] = {}
        for i in line.tolist():
            code = int(own[i])
            key = int(clicks.codes["browser"][i]), int(clicks.codes["system"][i])
            rank = (-int(writers[code]), texts[code])
            if texts[code] not in rare and max(key) >= 0 and rank < best.get(key, (1, "")):
                best[key] = rank
        terms = {key: text for key, (_, text) in best.items()}
        return cls(clicks.trees["browser"], clicks.trees["system"], terms, rare, users)

    def written(self, browser: int, system: int) -> str | None:
        """How a browser and a system are written: as most of at least k visitors wrote them, else by their names; None
        where that would be somebody's own."""
        if browser < 0 and system < 0:
            return NONE
        if (text := self.terms.get((browser, system))) is not None:
            return text
        names = (
            self.browsers.steps[browser] if browser >= 0 else "",
            self.systems.steps[system] if system >= 0 else "",
        )
        text = _spoken(*names)
        return None if text is None or text in self.rare or mentions(text, (), self.users) else text


@cache
def _spoken(browser: str, system: str) -> str | None:
    return write_agent(browser, system)

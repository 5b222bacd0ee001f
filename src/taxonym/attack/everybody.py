"""How often an intruder who knows everything about everybody finds the right record of a run [Martinez2012, §4].

`taxonym risk` attacks a written release in many ways. Here is the worst case only, for the report of every run, with a
bound on its work: of many records a random sample is linked.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taxonym.attack.linkage import Span, alike, links
from taxonym.attack.risk import LinkageRisk, drawn_rows, risk_of
from taxonym.distance.record import Compare, Long, Part, different
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.content import Floats
from taxonym.methods.outcome import Outcome
from taxonym.plan.comparing import judge_of

PAIRS = 20_000_000  # of records that are compared, which takes a second or two where a record has few concepts
MATCHED_PAIRS = 1_000_000  # where attributes are matched, which takes about as long
LEAST = 200  # persons that are linked, however many published records there are


def linkage(outcome: Outcome, rng: np.random.Generator, progress: Progress = SILENCE) -> dict[str, Any]:
    """Linkage by meaning, beside guessing and beside what the same intruder would find in the original without names.

    Groups that publish the same are one record to him. Where a sample is linked, the interval is told.
    """
    units, members, how = outcome.units, outcome.members, judge_of(outcome.plan)
    x, shown = units.parts, ShownGroups.of(outcome)
    rows, sampled = _some(np.sort(members), len(shown.size), how.by_attributes, rng)
    p = shown.links(x, how, rows, progress)
    published, k = len(np.unique(units.persons[members])), outcome.plan.method.k
    found = risk_of(p, k, published, rows if sampled else None)
    kinds = np.unique(np.stack((units.block[members], different(x, members)[1])), axis=1).shape[1]
    return told_risk(found, len(rows), sampled, k, round(100 * kinds / len(members)))


def told_risk(found: LinkageRisk, linked: int, sampled: bool, k: int, bare: int) -> dict[str, Any]:
    """What a report says of linkage; `bare` is the percentage that is found in the original without names."""
    above = found.above_1_over_k
    return {
        "records_linked": linked,
        "sampled": sampled,
        "dr_percent": round(found.dr, 2),
        "dr_percent_interval_95": None if found.interval is None else [round(float(end), 2) for end in found.interval],
        "max_p": round(found.max, 4),
        "records_above_1_over_k": above if above == 0 or above >= k else "<k",
        "baseline_dr_percent": float(f"{found.baseline:.3g}"),
        "dr_percent_without_masking": bare,
    }


@dataclass(frozen=True, slots=True, eq=False)
class ShownGroups:
    """The different published records y of a run: size[j] persons share record j, truth[i] is that of unit i (or -1).

    Whoever knows unit i looks among those with the same `other` columns, from span[0][i] to span[1][i] - 1.
    """

    y: list[Part]
    size: Long
    truth: Long
    span: Span

    @classmethod
    def of(cls, outcome: Outcome) -> "ShownGroups":
        units, members, y = outcome.units, outcome.members, outcome.published
        block = units.block[[group[0] for group in outcome.groups]]
        kind = alike(block, y)
        first = np.unique(kind, return_index=True)[1]
        order = np.argsort(block[first], kind="stable")
        kind, first = np.argsort(order)[kind], first[order]
        truth = np.full(len(units), -1, np.int64)
        truth[members] = kind[outcome.group_of]
        pairs = np.unique(np.stack((truth[members], units.persons[members])), axis=1)
        size = np.bincount(pairs[0], minlength=len(first))
        low, high = (np.searchsorted(block[first], units.block, side=side) for side in ("left", "right"))
        return cls([part.take(first) for part in y], size, truth, (low, high))

    def links(self, x: list[Part], how: Compare, rows: Long, progress: Progress = SILENCE) -> Floats:
        """p of some units, of which x is known."""
        return links(x, self.y, self.size, self.truth, how, rows, self.span, progress)


def _some(members: Long, published: int, matched: bool, rng: np.random.Generator) -> tuple[Long, bool]:
    """The records to link, and whether these are a sample."""
    most = max(LEAST, (MATCHED_PAIRS if matched else PAIRS) // max(1, published))
    if most >= len(members):
        return members, False
    return members[drawn_rows(len(members), most, rng)], True

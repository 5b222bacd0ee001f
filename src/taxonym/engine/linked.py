"""How often an intruder who knows everything about everybody finds the right record of a run [Martinez2012, §4].

`taxonym risk` attacks a written release in many ways. Here is the worst case only, for the report of every run, with a
bound on its work: of many records a random sample is linked.
"""

from typing import Any

import numpy as np

from taxonym.distance.record import Long, different
from taxonym.engine.attack import alike
from taxonym.engine.intruder import picked
from taxonym.engine.outcome import Outcome, judge_of, parts_of
from taxonym.measure.linkage import links
from taxonym.measure.risk import drawn_rows, risk_of
from taxonym.progress import SILENCE, Progress

PAIRS = 20_000_000  # of records that are compared, which takes a second or two where a record has few concepts
MATCHED_PAIRS = 1_000_000  # where attributes are matched, which takes about as long
LEAST = 200  # persons that are linked, however many published records there are


def linkage(outcome: Outcome, rng: np.random.Generator, progress: Progress = SILENCE) -> dict[str, Any]:
    """Linkage by meaning, beside guessing and beside what the same intruder would find in the original without names.

    Groups that publish the same are one record to him. Where a sample is linked, the interval is told.
    """
    units, members, how = outcome.units, outcome.members, judge_of(outcome.plan)
    x, y = parts_of(units.columns), outcome.published()
    block = units.block[[group[0] for group in outcome.groups]]
    kind = alike(block, y)
    first = np.unique(kind, return_index=True)[1]
    order = np.argsort(block[first], kind="stable")  # he looks among those with the same `other` columns only
    kind, first = np.argsort(order)[kind], first[order]
    truth = np.full(len(units), -1, np.int64)
    truth[members] = kind[outcome.group_of]
    pairs = np.unique(np.stack((truth[members], units.persons[members])), axis=1)
    size = np.bincount(pairs[0], minlength=len(first))
    span = (np.searchsorted(block[first], units.block, side=side) for side in ("left", "right"))
    rows, sampled = _some(np.sort(members), len(first), how.by_attributes, rng)
    p = links(x, [picked(part, first) for part in y], size, truth, how, rows, (next(span), next(span)), progress)
    published, k = len(np.unique(units.persons[members])), outcome.plan.method.k
    found = risk_of(p, k, published, rows if sampled else None)
    above = found.above_1_over_k
    kinds = np.unique(np.stack((units.block[members], different(x, members)[1])), axis=1).shape[1]
    return {
        "records_linked": len(rows),
        "sampled": sampled,
        "dr_percent": round(found.dr, 2),
        "dr_percent_interval_95": None if found.interval is None else [round(float(end), 2) for end in found.interval],
        "max_p": round(found.max, 4),
        "records_above_1_over_k": above if above == 0 or above >= k else "<k",
        "baseline_dr_percent": float(f"{found.baseline:.3g}"),
        "dr_percent_without_masking": round(100 * kinds / len(members)),
    }


def _some(members: Long, published: int, matched: bool, rng: np.random.Generator) -> tuple[Long, bool]:
    """The records to link, and whether these are a sample."""
    most = max(LEAST, (MATCHED_PAIRS if matched else PAIRS) // max(1, published))
    if most >= len(members):
        return members, False
    return members[drawn_rows(len(members), most, rng)], True

"""Attacking a release as a capable intruder would: who can be linked to which published record?"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.distance.record import Part, Sets, Values
from taxonym.engine.outcome import judge_of, parts_of
from taxonym.engine.prepare import Units
from taxonym.engine.written import Trail, places, read_masked, release_parts
from taxonym.knowledge.arrays import runs
from taxonym.mask.proof import count_classes
from taxonym.mask.support import Long
from taxonym.measure.risk import class_risk, links, links_by_equality, links_knowing, risk_of
from taxonym.plan import Plan
from taxonym.progress import SILENCE, Progress

REPEATS = 5  # draws of what an intruder knows, whose risks are averaged


def risk_of_release(
    path: str | Path,
    plan: Plan,
    units: Units,
    trail: Trail | None,
    rng: np.random.Generator,
    *,
    measure: str | None = None,
    knows: int | None = None,
    progress: Progress = SILENCE,
) -> dict[str, Any]:
    """What an intruder finds out who knows all of everybody, and one who knows `knows` random items of each."""
    frame = read_masked(path, plan)
    row_unit = places(path, frame, plan, units, trail)
    parts, _ = release_parts(frame, units, str(path))
    different: dict[tuple[Any, ...], int] = {}
    records = [tuple(_cell(part, row) for part in parts) for row in range(frame.height)]
    kind = np.array([different.setdefault(record, len(different)) for record in records], np.int64)
    first = np.unique(kind, return_index=True)[1]
    size, truth = np.bincount(kind), np.full(len(units), -1, np.int64)
    truth[row_unit] = kind
    x, y = parts_of(units.columns), [_picked(part, first) for part in parts]
    how = judge_of(plan)
    how = replace(how, measure=measure) if measure else how
    k = plan.method.k
    original = [tuple(_cell(part, i) for part in x) for i in range(len(units))]
    confidential = [c.name for c in plan.columns.values() if c.role == "confidential"]
    sizes = np.unique([str(record) for record in original], return_counts=True)[1]
    found: dict[str, Any] = {
        "semantic_linkage": {
            "aggregate": how.aggregate,
            "measure": how.measure,
            **risk_of(links(x, y, size, truth, how, progress=progress), k, frame.height).as_data(),
        },
        "matching_linkage": risk_of(
            links_by_equality(list(different), original, size, truth), k, frame.height
        ).as_data(),
        "classes": count_classes(frame, k, confidential).as_data(),
        "unique_records_before": class_risk(sizes).unique,
        "unique_records_after": class_risk(size).unique,
        "prosecutor_risk": class_risk(size).prosecutor,
        "marketer_risk": class_risk(size).marketer,
    }
    sets = [i for i, part in enumerate(x) if isinstance(part, Sets)]
    if knows is not None and sets:
        found["partial_knowledge"] = _knowing(x[sets[0]], y[sets[0]], size, truth, how.measure, knows, k, rng, progress)
    return found


def _knowing(
    x: Part,
    y: Part,
    size: Long,
    truth: Long,
    measure: str,
    knows: int,
    k: int,
    rng: np.random.Generator,
    progress: Progress,
) -> dict[str, Any]:
    """The mean over several draws of `knows` items of each record; who has fewer is known whole."""
    assert isinstance(x, Sets)
    assert isinstance(y, Sets)
    drawn = []
    for _ in range(REPEATS):
        known = []
        for i in range(len(x)):
            mine = x.record(i)
            known.append(rng.permutation(mine)[:knows].tolist() if len(mine) > knows else mine)
        drawn.append(links_knowing(known, y, size, truth, measure, progress))
    mean = risk_of(np.mean(drawn, axis=0), k, int(size.sum()))
    return {"items": knows, "repeats": REPEATS, **mean.as_data(), "worst_p": float(np.max(drawn))}


def _cell(part: Part, row: int) -> Any:
    return tuple(part.record(row)) if isinstance(part, Sets) else str(part.values[row])


def _picked(part: Part, rows: Long) -> Part:
    if isinstance(part, Values):
        return replace(part, values=part.values[rows])
    return Sets(part.tax, *runs([part.record(int(row)) for row in rows]), part.weight)

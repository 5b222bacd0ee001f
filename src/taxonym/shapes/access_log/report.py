"""What may be told about a run on an access log, and its trail, which must not be."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.distance.record import Compare, Part, Sets, Values, record_pairs
from taxonym.group.blocks import taken
from taxonym.knowledge.arrays import Long
from taxonym.measure.loss import measures
from taxonym.plan import Microaggregation, Plan, method_settings
from taxonym.promises import ByLine
from taxonym.promises.classes import Classes
from taxonym.report.builder import ONE_BLOCK, promise_of, run_of
from taxonym.report.disclosure import Disclosure
from taxonym.report.report import Report
from taxonym.shapes.access_log.groups import LineClasses
from taxonym.shapes.access_log.publish import PublishedClicks
from taxonym.shapes.access_log.read import COLUMNS, Clicks, scaled_sizes, sets_of_one

SAMPLE = 2_000  # records by which loss is measured where there are more


def published_parts(clicks: Clicks, published: PublishedClicks) -> dict[str, Part]:
    """What the classes publish, as distances see it: record g is that of class g."""
    made: dict[str, Part] = {}
    for name, part in clicks.parts().items():
        if isinstance(part, Sets):
            tree = clicks.trees[name]
            made[name] = sets_of_one(tree, published.codes[:, COLUMNS.index(name)], part.weight)
        elif name == "size":
            text = clicks.trees["size"].text
            codes = published.codes[:, COLUMNS.index("size")].tolist()
            made[name] = replace(part, values=scaled_sizes([text[c] if c >= 0 else "-" for c in codes]))
        elif isinstance(part, Values):
            made[name] = replace(part, values=published.time.astype(np.float64))
    return made


def loss_of_lines(
    clicks: Clicks, groups: LineClasses, published: PublishedClicks, how: Compare, rng: np.random.Generator
) -> dict[str, Any]:
    """Every measure of loss, of what is really published, and of each part by itself; of very many records a sample."""
    own, other = clicks.parts(), published_parts(clicks, published)
    rows = np.arange(len(clicks.first))
    if len(rows) > SAMPLE:
        rows = np.sort(rng.choice(rows, SAMPLE, replace=False))
    x, y = taken(list(own.values()), rows), list(other.values())
    at, to = np.arange(len(rows)), groups.class_of[rows]
    sampled = len(rows) if len(rows) < len(clicks.first) else None
    return loss_by_part(list(own), x, y, at, to, how, rng) | {"sampled_records": sampled}


def loss_by_part(
    names: Sequence[str],
    x: list[Part],
    y: list[Part],
    rows: Long,
    columns: Long,
    how: Compare,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Every measure of loss, and the mean distance in each part; rows[p] of x is published as columns[p] of y."""
    found = measures(x, y, rows, columns, how, rng)
    apart = (record_pairs([a], [b], rows, columns, how).mean() for a, b in zip(x, y, strict=True))
    return found | {"columns": {name: round(float(mean), 4) for name, mean in zip(names, apart, strict=True)}}


def report(
    plan: Plan, clicks: Clicks, groups: LineClasses, published: PublishedClicks, loss: dict[str, Any], classes: Classes
) -> Report:
    """Everything that may be told about a run."""
    k, shape, log = plan.method.k, clicks.shape, clicks.log
    by_line = shape.visitor == "line"
    own = groups.class_of[clicks.unit_of]
    lines = np.bincount(own)
    visitors = np.bincount(np.unique(own * clicks.visitors + clicks.visitor) // clicks.visitors)
    told = plan.to_dict() | {"method": {key: v for key, v in method_settings(plan.method).items() if key != "seed"}}
    guard, whom = Disclosure(k), "lines" if by_line else "visitors"
    blocks = {"blocks": {"count": groups.blocks, "largest": groups.largest}} if groups.blocks > 1 else {}
    return Report(
        verdict=guard.figures(_verdict(loss, classes, by_line)),
        promise=guard.public(promise_of(guard, plan).value | {"counts": whom}),
        verified=guard.public(classes.as_data()),
        watched=guard.public([]),
        plan=guard.public(told),
        records=guard.table(
            {
                "rows": guard.total(len(log) + log.broken, [log.broken]),
                "persons": guard.public(None if by_line else clicks.visitors),
                "published_rows": guard.public(len(log)),
                "published_persons": guard.public(None if by_line else clicks.visitors),
                "suppressed_persons": guard.public({}),
                "broken_lines": guard.count(log.broken),
            }
        ),
        groups=guard.figures(
            {
                "count": groups.classes,
                "smallest": int(visitors.min()),
                "largest": int(visitors.max()),
                "mean": float(visitors.mean()),
                "lines": {"smallest": int(lines.min()), "largest": int(lines.max()), "mean": float(lines.mean())},
                **blocks,
            }
        ),
        support_rule=guard.public(
            {"exposes": f"what at least {k} {whom} of the whole log had", "known_items": plan.method.known_items}
        ),
        columns=guard.public([]),
        loss=guard.figures(loss),
        kept=guard.figures(kept(clicks, published, own)),
        notes=guard.public(list(_notes(clicks, groups, plan))),
    )


def kept(clicks: Clicks, published: PublishedClicks, own: Long) -> dict[str, dict[str, float]]:
    """For each part the percentage of lines that publish a value as somebody had it, one that has risen, or none."""
    made = {}
    for c, name in enumerate(COLUMNS):
        had = clicks.codes[name] >= 0
        if not had.any():
            continue
        codes = published.codes[own, c]
        whole = (codes >= 0) & np.isin(codes, clicks.codes[name])
        shares = {"whole": whole, "risen": (codes >= 0) & ~whole, "none": codes < 0}
        made[name] = {what: round(100 * float(some.mean()), 1) for what, some in shares.items()}
        made[name]["none_in_the_original"] = round(100 * float((~had).mean()), 1)
    return made


def _verdict(loss: dict[str, Any], classes: Classes, by_line: bool) -> str:
    whom = "lines, which may all be one visitor's" if by_line else "visitors"
    found = f"; an intruder who knows a whole line finds whose it is in 1 of {classes.smallest} cases at best"
    return (
        f"Every published line is identical to lines of at least {classes.smallest - 1} other {whom}"
        f"{'' if by_line else found}; on average it is "
        f"{loss['mean']:.2f} away from the original, where a random line would be "
        f"{loss['mean_to_a_random_record']:.2f} and an exact copy 0."
    )


def _notes(clicks: Clicks, groups: LineClasses, plan: Plan) -> Iterator[str]:
    if clicks.shape.visitor == "line":
        yield f"Promise: {ByLine.name}. Let accesslog.visitor be address+agent to protect visitors."
    if clicks.log.broken:
        yield "Lines that could not be read were counted and left out."
    if not clicks.log.combined and clicks.shape.visitor == "address+agent":
        yield "The log names no agents, so every address counts as one visitor."
    if groups.blocks > 1 and groups.session_group is None:
        yield f"Grouped in {groups.blocks:,} blocks of at most {groups.largest:,} lines that are alike."
    if groups.blocks == 1 and Microaggregation.of(plan).blocks == "always":
        yield ONE_BLOCK


# ---------------------------------------------------------------------- the trail


def trail(
    source: str | Path,
    plan: Plan,
    clicks: Clicks,
    groups: LineClasses,
    published: PublishedClicks,
    release_row: Long,
    how: Compare,
) -> dict[str, Any]:
    """For every line of the input its visitor, class, line in the release and loss."""
    rows = np.arange(len(clicks.first))
    own, other = clicks.parts(), published_parts(clicks, published)
    apart = record_pairs(list(own.values()), list(other.values()), rows, groups.class_of, how)

    def lines() -> Iterator[dict[str, Any]]:
        for i in range(len(clicks.log)):
            unit = int(clicks.unit_of[i])
            yield {
                "rows": [int(clicks.log.row[i])],
                "person": int(clicks.visitor[i]),
                "group": int(groups.class_of[unit]),
                "release_row": int(release_row[i]) + 1,
                "loss": float(apart[unit]),
            }

    with Path(source).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"run": run_of(plan, digest), "records": lines()}

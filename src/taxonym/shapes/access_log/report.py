"""What may be told about a run on an access log, and its trail, which must not be."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.distance.record import Compare, Part, Sets, Values, record_pairs, weighted_mean
from taxonym.group.blocks import taken
from taxonym.knowledge.arrays import Ints, Long, Mask
from taxonym.measure.loss import judges_of, measures
from taxonym.plan import Microaggregation, Plan
from taxonym.promises import ByLine
from taxonym.promises.classes import Classes
from taxonym.report.builder import promise_of, run_of
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.figures import (
    away,
    classes_told,
    groups_told,
    linkage_told,
    loss_told,
    person_mean,
    records_told,
    worse_than_random,
)
from taxonym.report.report import Report
from taxonym.report.sentences import ONE_BLOCK, warnings_told
from taxonym.shapes.access_log.groups import LineClasses
from taxonym.shapes.access_log.publish import LineRelease, PublishedClicks
from taxonym.shapes.access_log.read import COLUMNS, RULED, Clicks, scaled_sizes, sets_of_one
from taxonym.shapes.access_log.trees import NEVER, ValueTree

A_LINE = "a random line would be"
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
            said = published.time + clicks.log.zone != int(NEVER)
            made[name] = replace(part, values=np.where(said, published.time, np.nan))
    return made


def loss_of_lines(clicks: Clicks, made: LineRelease, how: Compare, rng: np.random.Generator) -> dict[str, Any]:
    """Every measure of loss, of what is really published, and of each part by itself; of very many records a sample."""
    own, other = clicks.parts(), published_parts(clicks, made.published)
    rows, to = made.units
    whole = len(rows)
    if whole > SAMPLE:
        some = np.sort(rng.choice(whole, SAMPLE, replace=False))
        rows, to = rows[some], to[some]
    x, y = taken(list(own.values()), rows), list(other.values())
    at = np.arange(len(rows))
    sampled = len(rows) if len(rows) < whole else None
    return loss_by_part(list(own), x, y, at, to, how, rng, clicks.person[rows]) | {"sampled_records": sampled}


def loss_by_part(
    names: Sequence[str],
    x: list[Part],
    y: list[Part],
    rows: Long,
    columns: Long,
    how: Compare,
    rng: np.random.Generator,
    whose: Long,
) -> dict[str, Any]:
    """Every measure of loss, and the mean distance in each part; rows[p] of x is published as columns[p] of y, and is
    whose[p]. Means are over visitors, who count alike however many lines they have; sums are over lines."""
    found, (own, other) = measures(x, y, rows, columns, how, rng), judges_of(how)
    apart = [record_pairs([a], [b], rows, columns, how) for a, b in zip(x, y, strict=True)]
    random = record_pairs(x, x, rows, rng.permutation(rows), own)
    by_other = person_mean(record_pairs(x, y, rows, columns, other), whose)
    return found | {
        "visitors": len(np.unique(whose)),
        "mean": person_mean(weighted_mean(x, apart), whose),
        "mean_to_a_random_record": person_mean(random, whose),
        "judged_by_another_distance": found["judged_by_another_distance"] | {"mean": by_other},
        "columns": {name: person_mean(far, whose) for name, far in zip(names, apart, strict=True)},
    }


def report(
    guard: Disclosure,
    plan: Plan,
    clicks: Clicks,
    groups: LineClasses,
    made: LineRelease,
    loss: dict[str, Any],
    classes: Classes,
    linked: dict[str, Any] | None = None,
) -> Report:
    """Everything that may be told about a run; visitors cannot be counted in the release."""
    shape, log = clicks.shape, clicks.log
    by_line = shape.visitor == "line"
    own, whose = made.class_of[made.kept], clicks.visitor[made.kept]
    surplus = len(log) - len(own)
    visitors = np.bincount(np.unique(own * clicks.visitors + whose) // clicks.visitors)
    whom, n = "lines" if by_line else "visitors", clicks.visitors
    records = records_told(
        guard,
        rows=len(log) + log.broken,
        persons=None if by_line else n,
        published_rows=len(own),
        published=None if by_line else n,
        countable=False,
        suppressed={},
        reasons=(),
        surplus=surplus,
    )
    verified = classes_told(guard, replace(classes, counted="lines") if by_line else classes, by_line)
    lost = loss_told(guard, loss, loss["visitors"], {name: part.weight for name, part in clicks.parts().items()})
    persons = guard.derived(lambda found: found["published_persons"], records)
    found = linkage_told(guard, linked, plan, persons, by_line, linked["persons_linked"] if linked else 0)
    blocks = {"count": groups.blocks, "largest": groups.largest} if groups.blocks > 1 else None
    return Report(
        verdict=guard.derived(partial(_verdict, by_line), lost, verified),
        promise=guard.public(promise_of(guard, plan).value | {"counts": whom}),
        verified=verified,
        watched=guard.public([]),
        plan=guard.public(plan.public_dict()),
        records=guard.derived(lambda a, b: a | b, records, guard.table({"broken_lines": guard.count(log.broken)})),
        groups=groups_told(guard, classes.number, classes, visitors, blocks),
        support_rule=guard.public(
            {"exposes": f"what at least {guard.k} {whom} of the whole log had", "known_items": plan.method.known_items}
        ),
        columns=guard.public([]),
        loss=lost,
        linkage=found,
        kept=kept_told(guard, kept(clicks, made, own), n),
        warnings=warnings_told(guard, (), guard.derived(partial(worse_than_random, A_LINE), lost)),
        notes=guard.rows(_notes(guard, clicks, groups, plan)),
    )


def kept_told(guard: Disclosure, found: dict[str, dict[str, Any]], n: int) -> Told[dict[str, Any]]:
    """Of each part the percentages over n visitors; what is empty can be counted in the release, and what has risen
    follows."""

    def part(shares: dict[str, Any]) -> Told[dict[str, Any]]:
        whole, none = guard.mean(shares["whole"], n, 100.0), guard.public(shares["none"])
        return guard.table(
            {
                "whole": whole,
                "risen": guard.derived(_rest, whole, none),
                "none": none,
                "none_in_the_original": guard.mean(shares["none_in_the_original"], n, 100.0),
                "changes": guard.private(shares["changes"]),
            }
        )

    return guard.table({name: part(shares) for name, shares in found.items()})


def _rest(whole: float | None, none: float) -> float | None:
    return None if whole is None else round(max(0.0, 100 - whole - none), 1)


def kept(clicks: Clicks, release: LineRelease, own: Long) -> dict[str, dict[str, Any]]:
    """For each part the percentage of lines that publish a value as somebody had it, one that has risen, or none. What
    is not published can be counted; the other percentages are means over visitors, who count alike."""
    made, whose = {}, clicks.visitor[release.kept]
    for c, name in enumerate(RULED[:-1]):
        had = clicks.codes[name] >= 0
        if not had.any():
            continue
        codes = release.published.codes[own, c]
        whole = (codes >= 0) & np.isin(codes, clicks.codes[name])
        made[name] = {
            "whole": round(100 * person_mean(whole.astype(np.float64), whose), 1),
            "none": round(100 * float((codes < 0).mean()), 1),
            "none_in_the_original": round(100 * person_mean((~had).astype(np.float64), clicks.visitor), 1),
            "changes": line_changes(clicks.trees[name], clicks.codes[name], release.kept, codes),
        }
    return made


def line_changes(tree: ValueTree, had: Ints, kept: Mask, published: Ints) -> dict[str, int]:
    """Over all lines: values that are published only as something above them, that are not published at all, as those
    of lines that are left out, and published ones that are not true of their line. All lines had these values, of which
    some are kept and published with those; below 0 is none."""
    pairs, times = np.unique(np.stack((had[kept], published)), axis=1, return_counts=True)
    found = {"raised": 0, "dropped": int(np.count_nonzero(had >= 0) - np.count_nonzero(had[kept] >= 0)), "added": 0}
    for own, shown, n in zip(*pairs.tolist(), times.tolist(), strict=True):
        above = own >= 0 and shown >= 0 and bool({shown, int(tree.like[shown])} & set(tree.tax.ancestors(own)))
        found["raised"] += n * (above and int(tree.like[own]) != int(tree.like[shown]))
        found["dropped"] += n * (own >= 0 and not above)
        found["added"] += n * (shown >= 0 and not above)
    return found


def _verdict(by_line: bool, loss: dict[str, Any], verified: dict[str, Any]) -> str:
    whom = "lines, which may all be one visitor's" if by_line else "visitors"
    smallest = verified["smallest_class"]
    found = f"; an intruder who knows a whole line finds whose it is in 1 of {smallest} cases at best"
    return (
        f"Every published line is identical to lines of at least {smallest - 1} other {whom}"
        f"{'' if by_line else found}; {away(loss, other='a random line')}"
    )


def _notes(guard: Disclosure, clicks: Clicks, groups: LineClasses, plan: Plan) -> Iterator[Told[Any]]:
    if clicks.shape.visitor == "line":
        yield guard.public(f"Promise: {ByLine.name}. Let accesslog.visitor be address+agent to protect visitors.")
    yield guard.public("Lines that cannot be read are counted and left out.")
    yield guard.public(
        "A visitor gives at most as many lines to a class as the k-th largest of its visitors does, so that nobody "
        "owns more than 1/k of it: surplus lines, drawn at random, are left out."
    )
    if not clicks.log.combined and clicks.shape.visitor == "address+agent":
        yield guard.public("The log names no agents, so every address counts as one visitor.")
    if groups.blocks > 1 and groups.session_group is None:
        yield guard.public("Grouped in blocks of lines that are alike, without comparing all.")
        yield guard.private(f"There are {groups.blocks:,} blocks of at most {groups.largest:,} lines.")
    if groups.blocks == 1 and Microaggregation.of(plan).blocks == "always":
        yield guard.public(ONE_BLOCK)


# ---------------------------------------------------------------------- the trail


def trail(
    source: str | Path,
    plan: Plan,
    clicks: Clicks,
    made: LineRelease,
    release_row: Long,
    how: Compare,
) -> dict[str, Any]:
    """For every line of the input its visitor, class, line in the release and loss, which is 1 for those that are not
    there."""
    own, other = clicks.parts(), published_parts(clicks, made.published)
    apart = np.ones(len(clicks.log))
    apart[made.kept] = record_pairs(
        list(own.values()), list(other.values()), clicks.unit_of[made.kept], made.class_of[made.kept], how
    )

    def lines() -> Iterator[dict[str, Any]]:
        for i in range(len(clicks.log)):
            yield {
                "rows": [int(clicks.log.row[i])],
                "person": int(clicks.visitor[i]),
                "group": int(made.class_of[i]) if made.class_of[i] >= 0 else None,
                "release_row": int(release_row[i]) + 1 if release_row[i] >= 0 else None,
                "loss": float(apart[i]),
            }

    with Path(source).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"run": run_of(plan, digest), "records": lines()}

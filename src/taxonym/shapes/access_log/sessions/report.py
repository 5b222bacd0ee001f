"""What may be told about a run that publishes whole sessions, and its trail, which must not be."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from taxonym.distance.record import Compare, record_pairs
from taxonym.group.blocks import taken
from taxonym.group.persons import PersonGroups
from taxonym.knowledge.arrays import Long
from taxonym.knowledge.runs import Runs
from taxonym.plan import Microaggregation, Plan
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
from taxonym.shapes.access_log.report import SAMPLE, kept_told, line_changes, loss_by_part
from taxonym.shapes.access_log.sessions.publish import SessionRelease, published_parts
from taxonym.shapes.access_log.sessions.records import ITEMS
from taxonym.shapes.access_log.sessions.support import Path as Clicked
from taxonym.shapes.access_log.trees import ValueTree

A_SESSION = "a random session would be"
NOTHING_SHARED = "nothing_that_k_visitors_share"


def loss_of_sessions(made: SessionRelease, how: Compare, rng: np.random.Generator) -> dict[str, Any]:
    """Every measure of loss, of what is really published, and of each part by itself; of very many sessions a
    sample."""
    records = made.rule.records
    own, other = records.parts(), published_parts(records, made.published)
    rows = np.flatnonzero(made.kept)
    whole = len(rows)
    if whole > SAMPLE:
        rows = np.sort(rng.choice(rows, SAMPLE, replace=False))
    found = loss_by_part(
        list(own), taken(list(own.values()), rows), list(other.values()), np.arange(len(rows)), made.group_of[rows],
        how, rng, records.visitor[rows],
    )  # fmt: skip
    return found | {"sampled_records": len(rows) if len(rows) < whole else None}


def visitors_left_out(made: SessionRelease) -> int:
    """How many visitors have no session in the release."""
    records = made.rule.records
    return records.visitors - len(np.unique(records.visitor[made.kept]))


def report(
    guard: Disclosure,
    plan: Plan,
    groups: PersonGroups,
    made: SessionRelease,
    loss: dict[str, Any],
    linkage: dict[str, Any] | None,
    classes: Classes,
) -> Report:
    """Everything that may be told about a run; visitors cannot be counted in the release."""
    records, log = made.rule.records, made.rule.records.clicks.log
    whose, own = records.visitor[made.kept], made.group_of[made.kept]
    left, published = visitors_left_out(made), len(np.unique(whose))
    visitors = np.bincount(np.unique(own * records.visitors + whose) // records.visitors)
    numbers = records_told(
        guard,
        rows=len(records),
        persons=records.visitors,
        published_rows=len(own),
        published=published,
        countable=False,
        suppressed={NOTHING_SHARED: left},
        reasons=(NOTHING_SHARED,),
        surplus=len(records) - len(own),
    )
    verified = classes_told(guard, classes, False)
    weights = {name: part.weight for name, part in records.parts().items()}
    lost = loss_told(guard, loss, loss["visitors"], weights, numbers)
    blocks = {"count": groups.blocks, "largest": groups.largest} if groups.blocks > 1 else None
    shown = guard.derived(lambda told: told["published_persons"], numbers)
    return Report(
        verdict=guard.derived(_verdict, lost, verified),
        promise=guard.public(promise_of(guard, plan).value | {"counts": "visitors", "records": "sessions"}),
        verified=verified,
        watched=guard.public([]),
        plan=guard.public(plan.public_dict()),
        records=guard.derived(lambda a, b: a | b, numbers, guard.table({"broken_lines": guard.count(log.broken)})),
        groups=groups_told(guard, classes.number, classes, visitors[visitors > 0], blocks),
        support_rule=guard.public(
            {
                "exposes": f"what at least {guard.k} visitors had, and in this order",
                "known_items": plan.method.known_items,
            }
        ),
        columns=guard.public([]),
        loss=lost,
        kept=kept_told(guard, kept(made, own, whose), records.visitors),
        linkage=linkage_told(guard, linkage, plan, shown, False, linkage["persons_linked"] if linkage else 0),
        warnings=warnings_told(guard, (), guard.derived(partial(worse_than_random, A_SESSION), lost)),
        notes=guard.rows(_notes(guard, groups, plan)),
    )


def kept(made: SessionRelease, own: Long, whose: Long) -> dict[str, dict[str, Any]]:
    """For each item the percentage of sessions that publish a value as somebody had it, one that has risen, or none;
    of `pages`, that of clicks. What is not published can be counted; the others are means over visitors."""
    records, found = made.rule.records, {}
    clicks = records.trees["click"].steps
    whole = np.array(
        [np.mean([not clicks[c].endswith("*") for c in one.path]) if one.path else 0.0 for one in made.published]
    )
    found["pages"] = {
        "whole": round(100 * person_mean(whole[own], whose), 1),
        "none": 0.0,
        "none_in_the_original": 0.0,
        "changes": path_changes(
            records.trees["click"], records.path, made.group_of, [one.path for one in made.published]
        ),
    }
    items = np.array([one.items for one in made.published], np.int64).reshape(-1, len(ITEMS))
    for t, name in enumerate(ITEMS):
        had = records.codes[name] >= 0
        if name == "sends" or not had.any():
            continue
        codes = items[own, t]
        as_had = (codes >= 0) & np.isin(codes, records.codes[name])
        found[name] = {
            "whole": round(100 * person_mean(as_had.astype(np.float64), whose), 1),
            "none": round(100 * float((codes < 0).mean()), 1),
            "none_in_the_original": round(100 * person_mean((~had).astype(np.float64), records.visitor), 1),
            "changes": line_changes(records.trees[name], records.codes[name], made.kept, codes),
        }
    return found


def path_changes(tree: ValueTree, had: Runs, group_of: Long, published: Sequence[Clicked]) -> dict[str, int]:
    """Over all sessions: clicks that are published only as something above them, that are not published at all, as
    those of sessions that are left out, and published ones that are not true of their session, whatever their order.
    Session i is published as published[group_of[i]]; below 0 it is left out."""
    above = [{int(tree.like[c]) for c in tree.tax.ancestors(code)} for code in range(len(tree))]
    found = {"raised": 0, "dropped": 0, "added": 0}
    for clicks, group in zip(had, group_of.tolist(), strict=True):
        shown = [int(tree.like[c]) for c in published[group]] if group >= 0 else []
        true = set().union(*(above[c] for c in clicks))
        for click in clicks:
            told = above[click].intersection(shown)
            found["raised"] += bool(told) and int(tree.like[click]) not in told
            found["dropped"] += not told
        found["added"] += sum(c not in true for c in shown)
    return found


def _verdict(loss: dict[str, Any], verified: dict[str, Any]) -> str:
    smallest = verified["smallest_class"]
    return (
        f"Every published session is identical to sessions of at least {smallest - 1} other visitors; an intruder who "
        f"knows a whole session finds whose it is in 1 of {smallest} cases at best; "
        f"{away(loss, other='a random session')}"
    )


def _notes(guard: Disclosure, groups: PersonGroups, plan: Plan) -> Iterator[Told[Any]]:
    yield guard.public("Lines that cannot be read, or ask for no page, are left out.")
    yield guard.public(
        "Every session has a number of its own in the place of its address, from a range that is nobody's; networks "
        "are not told."
    )
    yield guard.public(
        "Requests, sizes, pauses and the referrers of later clicks are the most usual ones of the log for these pages, "
        "not anybody's own."
    )
    yield guard.public(
        "A visitor gives at most as many sessions to a class as the k-th largest of its visitors does, so that nobody "
        "owns more than 1/k of it: surplus sessions, drawn at random, are left out."
    )
    if groups.blocks > 1:
        yield guard.public("Grouped in blocks of sessions that are alike, without comparing all.")
        yield guard.private(f"There are {groups.blocks:,} blocks of at most {groups.largest:,} sessions.")
    if groups.blocks == 1 and Microaggregation.of(plan).blocks == "always":
        yield guard.public(ONE_BLOCK)


# ---------------------------------------------------------------------- the trail


def trail(
    source: str | Path, plan: Plan, groups: PersonGroups, made: SessionRelease, numbered: Long, how: Compare
) -> dict[str, Any]:
    """For every session its lines, its visitor, its group, its number in the release (numbered[i - 1] is the record of
    number i) and its loss, which is 1 for those that are not there."""
    records = made.rule.records
    number = np.zeros(len(records), np.int64)
    number[numbered] = np.arange(1, len(numbered) + 1)
    own, other, some = records.parts(), published_parts(records, made.published), np.flatnonzero(made.kept)
    apart = np.ones(len(records))
    apart[some] = record_pairs(list(own.values()), list(other.values()), some, made.group_of[some], how)

    def sessions() -> Iterator[dict[str, Any]]:
        for i in range(len(records)):
            yield {
                "rows": records.clicks.log.row[records.lines[i]].tolist(),
                "person": int(records.visitor[i]),
                "group": int(made.group_of[i]) if number[i] else None,
                "release_row": int(number[i]) or None,
                "loss": float(apart[i]),
            }

    label = np.empty(len(records), np.int64)
    for g, rows in enumerate(groups.groups):
        label[rows] = g
    with Path(source).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    moved = int((made.group_of != label).sum())
    return {"run": run_of(plan, digest) | {"moved_sessions": moved}, "records": sessions()}

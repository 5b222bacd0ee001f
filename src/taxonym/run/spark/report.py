"""The report of a run on Spark: that of report/builder.py, as far as sums over many records can tell it."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from taxonym.measure.groups import by_size, weakest
from taxonym.measure.loss import Loss
from taxonym.plan import Plan, public_settings
from taxonym.promises.classes import Classes
from taxonym.records.column import ROLES
from taxonym.report.builder import in_blocks, promise_of, support_rule, verdict
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.report import Report
from taxonym.run.spark.counts import WholeCounts
from taxonym.run.spark.figures import SAMPLE, Figures, judged
from taxonym.run.spark.kit import Kit


def report(
    kit: Kit,
    facts: WholeCounts,
    figures: Figures,
    classes: Classes,
    suppressed: dict[str, int],
    totals: dict[str, int],
    notes: list[str],
    in_pieces: bool,
) -> Report:
    """Everything that may be told. `totals` has the input's rows and persons, and the persons that are published;
    `in_pieces` says whether units that might have been compared were not."""
    plan, k = kit.plan, kit.plan.method.k
    guard, suppressed = Disclosure(k), {why: n for why, n in suppressed.items() if n}
    left_out = [*suppressed.values(), totals["persons"] - totals["published"]]
    rows, persons = (guard.total(totals[name], left_out) for name in ("rows", "persons"))
    size, times = np.unique([group[0] for group in figures.groups], return_counts=True)
    sizes = dict(zip(size.astype(int).tolist(), times.tolist(), strict=True))
    count = len(figures.groups)
    blocks = None
    if in_pieces:
        bytes_ = float(figures.records) ** 2 * (2 if len(kit.quasi) == 1 else 6)
        needed = float(f"{bytes_ / 1e9:.2g}")
        blocks = {"count": figures.pieces, "largest": figures.largest, "exact_would_need_gb": needed}
    loss = _loss(kit, figures)
    grouped = {"count": count, "smallest": min(sizes), "largest": max(sizes), "mean": figures.records / count}
    return Report(
        verdict=guard.figures(verdict(plan, loss, classes)),
        promise=promise_of(guard, plan),
        verified=guard.public(classes.as_data()),
        watched=guard.public([]),
        plan=guard.public(plan.to_dict() | {"method": public_settings(plan.method)}),
        records=guard.table(
            {
                "rows": rows,
                "persons": persons,
                "published_rows": guard.public(classes.rows),
                "published_persons": guard.public(totals["published"]),
                "suppressed_persons": guard.table({why: guard.count(n) for why, n in suppressed.items()}),
            }
        ),
        groups=guard.public(grouped | {"sizes": sizes} | ({"blocks": blocks} if blocks else {})),
        support_rule=guard.public(support_rule(plan)),
        columns=guard.rows(_column(guard, kit, facts, figures, i, count) for i in range(len(kit.spoken))),
        loss=guard.figures(loss),
        notes=guard.public(
            [
                *(note for note in notes if persons.value is not None or not note.endswith("one per person.")),
                *in_blocks(blocks, kit.plan),
                f"Made on Spark: distances to a random record and to the middle of the data are those to {SAMPLE:,} "
                f"records at most that stand for all.",
            ]
        ),
    )


def _loss(kit: Kit, figures: Figures) -> dict[str, Any]:
    ways = []
    for i, how in enumerate(judged(kit)):
        n = figures.records
        found = Loss(n, figures.total[i], figures.total[i] / max(1, n), figures.sse[i], figures.sst[i])
        ways.append((how, found.as_data()))
    (how, mine), (another, other) = ways
    size, lost, had, after = np.array(figures.groups).T
    k = kit.plan.method.k
    return {
        "distance": {"aggregate": how.aggregate, "measure": how.measure},
        **mine,
        "mean_to_a_random_record": figures.random / max(1, figures.records),
        "batet2014_L": figures.average[0] ** 2,
        "batet2014_L_of_unchanged_data": figures.average[1] ** 2,
        "judged_by_another_distance": {"measure": another.measure, **other},
        "columns": {
            column.name: total / max(1, figures.records)
            for column, total in zip(kit.quasi, figures.columns, strict=True)
        },
        "groups": sorted((lost / size).round(4).tolist(), reverse=True),
        "by_group_size": by_size(size.astype(np.int64), lost, k),
        "weakest_groups": weakest(size.astype(np.int64), lost, had / size, after, k),
    }


def _column(
    guard: Disclosure, kit: Kit, facts: WholeCounts, figures: Figures, i: int, groups: int
) -> Told[dict[str, Any]]:
    """How much of a column was understood, and what the support rule changed."""
    column = kit.spoken[i]
    tax, topics = kit.words(column.name).tax, kit.topics[column.name]
    known, unknown, outside, codes = facts.said[i]
    raised, dropped, added, veiled, concepts = figures.changed[i]
    named = [] if topics is None else [topic.name for topic in topics.topics]
    persons = facts.sums["persons"]
    counted = {name: guard.rounded(n, persons) for name, n in zip(named, facts.topics[i], strict=True)}
    return guard.table(
        {
            "name": guard.public(column.name),
            "taxonomy": guard.public(tax.name),
            "taxonomy_fingerprint": guard.public(column.public_fingerprint(tax)),
            "terms_with_a_concept_percent": guard.figures(round(100 * known / max(1, known + unknown), 1)),
            "concepts_per_record": guard.figures(codes / max(1, facts.sums["units"])),
            "concepts_per_published_record": guard.figures(concepts / max(1, groups)),
            "phrases_outside_the_topics": guard.figures(outside),
            "topics": guard.table(counted),
            "published_as_their_topic_only": guard.figures(veiled),
            "compared_with_the_medoids": guard.figures({"raised": raised, "dropped": dropped, "added": added}),
        }
    )


def notes_of(plan: Plan, names: Sequence[str], sets: Collection[str], rows: int, persons: int) -> list[str]:
    """What was left out and changed on the way from rows with columns of these names to records, as table.py says it;
    `sets` are the columns that became sets."""
    notes = [f"Column {c!r} is not in the plan and is left out." for c in names if c not in plan.columns]
    removed = [c.name for c in plan.columns.values() if c.role == ROLES[0]]
    notes += [f"Column {name!r} is an identifier and is removed." for name in removed]
    several = [name for name in plan.columns if name in sets]
    notes += [f"Column {name!r} has several values for some persons and becomes a set." for name in several]
    if plan.input.person is not None and plan.input.person_rows == "unite" and persons < rows:
        notes.append(f"The {rows:,} rows make {persons:,} records, one per person.")
    return notes

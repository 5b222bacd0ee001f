"""The report of a run, for everybody; and its trail, for nobody but its owner.

A report has no person's value, no figure of a single record, neither the seed nor a fingerprint of the input, and
counts of persons below k only as "<k". Totals of the input are None where they would give such a count away.
"""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from taxonym.io.files import fingerprint as file_fingerprint
from taxonym.knowledge.content import Floats
from taxonym.knowledge.runs import Long
from taxonym.methods.outcome import Outcome
from taxonym.plan import Generalization, Microaggregation, Plan, public_settings
from taxonym.promises import main_promise, promises_of
from taxonym.promises.classes import Classes
from taxonym.publish.groups import REDACTION
from taxonym.publish.representative import REPRESENTATIVES
from taxonym.records.units import Units
from taxonym.records.words import Words
from taxonym.report.branches import branches_of
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.report import Report

ONE_BLOCK = "Blocks were asked for, but there are so few records that one block holds all: grouping is exact."
TOO_STRICT = 90  # percent of concepts that are similar to nothing else: then the threshold is worth a word


def report(outcome: Outcome, loss: dict[str, Any], classes: Classes, linkage: dict[str, Any] | None = None) -> Report:
    """Everything that may be told about a run; `linkage` is what an intruder found."""
    plan, units, guard = outcome.plan, outcome.units, Disclosure(outcome.plan.method.k)
    sizes = np.array([len(group) for group in outcome.groups])
    published = len(np.unique(units.persons[outcome.members]))
    left_out = [*outcome.suppressed.values(), units.table.persons - published]
    rows, persons = (guard.total(n, left_out) for n in (int(units.table.row_start[-1]), units.table.persons))
    return Report(
        verdict=guard.figures(verdict(plan, loss, classes, linkage)),
        promise=promise_of(guard, plan),
        verified=guard.public(classes.as_data()),
        watched=guard.rows(_reached(guard, found) for found in classes.privacy),
        plan=guard.public(plan.to_dict() | {"method": public_settings(plan.method)}),
        records=guard.table(
            {
                "rows": rows,
                "persons": persons,
                "published_rows": guard.public(classes.rows),
                "published_persons": guard.public(published),
                "suppressed_persons": guard.table({why: guard.count(n) for why, n in outcome.suppressed.items()}),
            }
        ),
        groups=guard.public(told_sizes(sizes) | ({"blocks": outcome.blocks} if outcome.blocks else {})),
        support_rule=guard.public(support_rule(plan)),
        columns=guard.rows(_column(guard, outcome, i) for i in range(len(outcome.supports))),
        loss=guard.figures(loss),
        linkage=None if linkage is None else guard.figures(linkage),
        recoding=None if outcome.recoding is None else guard.figures(outcome.recoding),
        notes=guard.public(
            [
                # the note that counts the records is a total, too
                *(note for note in units.table.notes if persons.value is not None or not note.endswith("per person.")),
                *in_blocks(outcome.blocks, plan),
                *_too_strict(outcome, loss),
            ]
        ),
    )


def promise_of(guard: Disclosure, plan: Plan) -> Told[dict[str, Any]]:
    """What is promised, and whom it counts."""
    return guard.public({key: value for promise in promises_of(plan) for key, value in promise.as_data().items()})


def told_sizes(sizes: Long) -> dict[str, Any]:
    """How many groups there are, and of which sizes."""
    return {
        "count": len(sizes),
        "smallest": int(sizes.min()),
        "largest": int(sizes.max()),
        "mean": float(sizes.mean()),
        "sizes": {int(size): int(n) for size, n in zip(*np.unique(sizes, return_counts=True), strict=True)},
    }


def _reached(guard: Disclosure, found: dict[str, Any]) -> Told[dict[str, Any]]:
    """What l and t are in the worst class. Not class by class: where the worst is would be known then."""
    worst = {key: guard.figures(v) for key, v in found.items() if key != "groups"}
    return guard.table(worst | {"persons_in_homogeneous_classes": guard.count(found["persons_in_homogeneous_classes"])})


def verdict(plan: Plan, loss: dict[str, Any], classes: Classes, linkage: dict[str, Any] | None = None) -> str:
    """One sentence that says what was promised, kept and lost."""
    whom = "persons" if plan.input.person else "rows"
    main = main_promise(plan)
    alike = "has the same concepts as" if main.by_concept else "is identical to"
    kept, it = f"Every published record {alike} those of at least {classes.smallest - 1} other {whom}", "it"
    found = f"in 1 of {classes.smallest} cases at best"
    if not main.whole_records:
        items = "one published item" if classes.m == 1 else f"up to {classes.m} published items"
        kept = f"Whoever looks for {items} of a record finds at least {classes.k - 1} other {whom} with them"
        found = "" if linkage is None else f"in {linkage['dr_percent']:.0f} of 100 cases"
        it = "a published record"
    who = f"; an intruder who knows everything about a person finds the right record {found}" if found else ""
    words = any(c.role == "quasi-identifier" and c.kind not in ("number", "date") for c in plan.columns.values())
    return (
        f"{kept}{who}; on average {it} is {loss['mean']:.2f} away{' in meaning' * words} from the original, where a "
        f"random record would be {loss['mean_to_a_random_record']:.2f} and an exact copy 0."
    )


def support_rule(plan: Plan) -> dict[str, Any]:
    """What the words of a published record may tell."""
    if isinstance(plan.method, Generalization):
        return {
            "recoding": plan.method.recoding,
            "exposes": "what is true of everybody it is published for",
            "known_items": None if main_promise(plan).whole_records else plan.method.together,
        }
    method = Microaggregation.of(plan)
    return {
        "representative": method.representative,
        "exposes": REPRESENTATIVES["medoid" if method.representative == "medoid" else "best"].exposes.format(
            k=method.k, no_concepts="no concept" if method.known_items == 1 else f"no {method.known_items} concepts"
        ),
        "known_items": method.known_items,
        "consensus": method.consensus,
    }


def in_blocks(found: dict[str, Any] | None, plan: Plan) -> list[str]:
    """How the groups came about, where not all distances were looked at, or the plan asked for that."""
    if found is None:
        return [ONE_BLOCK] if isinstance(plan.method, Microaggregation) and plan.method.blocks == "always" else []
    return [
        f"Grouped in {found['count']:,} blocks of at most {found['largest']:,} records that mean alike; exact grouping "
        f"would need {_memory(found['exact_would_need_gb'])}."
    ]


def _memory(gigabytes: float) -> str:
    if gigabytes >= 1:
        return f"{gigabytes:,g} GB"
    return f"{1000 * gigabytes:,g} MB" if gigabytes >= 0.001 else "less than 1 MB"


def _too_strict(outcome: Outcome, loss: dict[str, Any]) -> list[str]:
    """Columns in which nearly nothing reaches the threshold, where a threshold is asked for."""
    method, matched = outcome.plan.method, outcome.plan.method.compare.by_attributes
    if not matched and not (isinstance(method, Microaggregation) and method.representative == REDACTION):
        return []
    so = "records are compared by equal concepts" if matched else "only equal concepts are redacted alike"
    return [
        f"Column {name!r}: at threshold {method.threshold:g}, {found['similar_to_nothing_else_percent']:.0f} % of the "
        f"concepts in use are similar to nothing else: {so}; lower the threshold."
        for name, found in loss["attributes"].items()
        if found["similar_to_nothing_else_percent"] > TOO_STRICT
    ]


def _column(guard: Disclosure, outcome: Outcome, i: int) -> Told[dict[str, Any]]:
    """How much of a column was understood, and what the support rule changed."""
    support, chosen = outcome.supports[i], outcome.chosen[i]
    words, k = support.words, outcome.plan.method.k
    known, unknown = len(words.row), int(words.unknown.sum())
    published = [len(codes) for codes in chosen.concepts]
    beyond = 100 * float(np.mean([support.holders.joint_holders(codes) < k for codes in chosen.concepts]))
    changed = {"raised": chosen.raised, "dropped": chosen.dropped, "added": chosen.added}
    compared = f"compared_with_the_{'originals' if isinstance(outcome.plan.method, Generalization) else 'medoids'}"
    return guard.table(
        {
            "name": guard.public(words.column.name),
            "taxonomy": guard.public(words.tax.name),
            "taxonomy_fingerprint": guard.public(words.column.public_fingerprint(words.tax)),
            "terms_with_a_concept_percent": guard.figures(round(100 * known / max(1, known + unknown), 1)),
            "concepts_per_record": guard.figures(float(np.diff(words.start).mean())),
            "concepts_per_published_record": guard.figures(float(np.mean(published))),
            "phrases_outside_the_topics": guard.figures(int(words.outside.sum())),
            "topics": topics_told(guard, words, outcome.units.persons),
            "published_as_their_topic_only": guard.figures(chosen.veiled),
            "whole_sets_held_by_fewer_than_k_percent": guard.figures(round(beyond, 1)),
            compared: guard.figures(changed),
            "branches": branches_of(guard, support, chosen.concepts, outcome.members, outcome.group_of),
        }
    )


def topics_told(guard: Disclosure, words: Words, persons: Long) -> Told[dict[str, Any]]:
    """How many persons have something of each topic that the column names."""
    whose, found = np.repeat(persons, np.diff(words.start)), dict[str, Told[int | str]]()
    if words.topics is not None:
        for topic, inside in zip(words.topics.topics, words.topics.matrix, strict=True):
            hit = np.zeros(len(words.tax), np.bool_)
            hit[: len(inside)] = inside
            found[topic.name] = guard.rounded(len(np.unique(whose[hit[words.codes]])), len(np.unique(persons)))
    return guard.table(found)


# ---------------------------------------------------------------------- the trail


class Traced(Protocol):
    """What came out of a run, as far as a trail tells of it. A group below 0 is none."""

    @property
    def plan(self) -> Plan: ...
    @property
    def units(self) -> Units: ...
    @property
    def group_of(self) -> Long: ...


def trail(outcome: Traced, source: Any, record: Long, place: Long, apart: Floats) -> dict[str, Any]:
    """What must not be published: for every input record its rows, person, group, release row and loss."""
    table, group_of = outcome.units.table, outcome.group_of
    released = {int(r): (row, int(p)) for row, (r, p) in enumerate(zip(record, place, strict=True), 1)}
    lines = []
    for i in range(len(table)):
        row, p = released.get(i, (None, -1))
        lines.append(
            {
                "rows": table.rows(i),
                "person": table.person_ids[table.person[i]] if table.person_ids else None,
                "group": int(group_of[p]) if row and group_of[p] >= 0 else None,
                "release_row": row,
                "loss": float(apart[p]) if row else None,
            }
        )
    taxonomies = {words.column.name: words.tax.fingerprint for words in outcome.units.words}
    return {"run": run_of(outcome.plan, fingerprint(source, outcome), taxonomies), "records": lines}


def run_of(plan: Plan, fingerprint: str, taxonomies: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What a trail tells of the run: its plan, the folder in which files that the plan names are looked for, and the
    fingerprint of every column's taxonomy."""
    return {
        "seed": plan.method.seed,
        "input_fingerprint": fingerprint,
        "taxonomy_fingerprints": dict(taxonomies or {}),
        "plan": plan.to_dict(),
        "folder": str((plan.folder or Path()).resolve()),
    }


def fingerprint(source: Any, outcome: Traced) -> str:
    """SHA-256 of the input file, of the files of a folder, or of the table as it was read."""
    if isinstance(source, str | Path):
        return file_fingerprint(Path(source))
    buffer = io.BytesIO()
    outcome.units.table.frame.write_ipc(buffer)
    return hashlib.sha256(buffer.getbuffer()).hexdigest()

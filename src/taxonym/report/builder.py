"""The report of a run, for everybody; and its trail, for nobody but its owner.

A report has no person's value, no figure of a single record, neither the seed nor a fingerprint of the input, and
counts of persons below k only as "<k". Totals of the input are None where they would give such a count away.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from taxonym.io.files import fingerprint as file_fingerprint
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.methods.published_groups import PublishedGroups
from taxonym.plan import Generalization, Microaggregation, Plan, public_settings
from taxonym.promises import main_promise, promises_of
from taxonym.promises.classes import Classes
from taxonym.publish.groups import REDACTION, ColumnRepresentatives
from taxonym.publish.representative import REPRESENTATIVES
from taxonym.records.records import Records
from taxonym.records.words import WordColumn
from taxonym.report.branches import ConceptHolders, branches_of
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.report import Report
from taxonym.text.sensitive import Topics

ONE_BLOCK = "Blocks were asked for, but there are so few records that one block holds all: grouping is exact."
TOO_STRICT = 90  # percent of concepts that are similar to nothing else: then the threshold is worth a word


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCounts:
    """What is counted in a column of words: phrases that mean something, nothing, or something outside the topics;
    concepts of the records and of what the groups publish; groups whose whole set fewer than k persons hold; persons
    with something of each topic; and what the support rule changed."""

    held: ConceptHolders
    known: int
    unknown: int
    outside: int
    concepts: int
    published: int
    rare: int
    topics: Mapping[str, int]
    changes: ColumnRepresentatives

    @classmethod
    def of(cls, outcome: PublishedGroups, i: int) -> "ColumnCounts":
        support, chosen = outcome.supports[i], outcome.chosen[i]
        words, k = support.words, outcome.plan.method.k
        return cls(
            ConceptHolders.of(support, chosen.concepts, outcome.members, outcome.group_of),
            known=len(words.row),
            unknown=int(words.unknown.sum()),
            outside=int(words.outside.sum()),
            concepts=len(words.codes),
            published=sum(map(len, chosen.concepts)),
            rare=sum(support.holders.joint_holders(codes) < k for codes in chosen.concepts),
            topics={} if words.topics is None else topic_counts(words.topics, words, outcome.units.persons),
            changes=chosen,
        )


def topic_counts(topics: Topics, column: ConceptSets, persons: Long) -> dict[str, int]:
    """How many persons have something of each topic; persons[i] is whose record i of the column is."""
    whose, found = persons[column.owner], dict[str, int]()
    for topic, inside in zip(topics.topics, topics.matrix, strict=True):
        hit = np.zeros(len(column.tax), np.bool_)
        hit[: len(inside)] = inside
        found[topic.name] = len(np.unique(whose[hit[column.codes]]))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class RunCounts:
    """What is counted in a run, by whatever engine: rows and persons of the input, units that may be published and
    whose they are, persons that are published and those left out by reason, the sizes of groups."""

    plan: Plan
    rows: int
    persons: int
    units: int
    holders: int
    published: int
    suppressed: Mapping[str, int]
    sizes: Long
    columns: Sequence[ColumnCounts]
    notes: Sequence[str]
    blocks: dict[str, Any] | None = None
    recoding: dict[str, Any] | None = None

    @classmethod
    def of(cls, outcome: PublishedGroups) -> "RunCounts":
        units = outcome.units
        return cls(
            outcome.plan,
            rows=int(units.table.row_start[-1]),
            persons=units.table.persons,
            units=len(units),
            holders=len(np.unique(units.persons)),
            published=len(np.unique(units.persons[outcome.members])),
            suppressed=outcome.suppressed,
            sizes=np.array([len(group) for group in outcome.groups]),
            columns=[ColumnCounts.of(outcome, i) for i in range(len(outcome.supports))],
            notes=units.table.notes,
            blocks=outcome.blocks,
            recoding=outcome.recoding,
        )


def report(run: RunCounts, loss: dict[str, Any], classes: Classes, linkage: dict[str, Any] | None = None) -> Report:
    """Everything that may be told about a run; `linkage` is what an intruder found."""
    plan, guard = run.plan, Disclosure(run.plan.method.k)
    left_out = [*run.suppressed.values(), run.persons - run.published]
    rows, persons = (guard.total(n, left_out) for n in (run.rows, run.persons))
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
                "published_persons": guard.public(run.published),
                "suppressed_persons": guard.table({why: guard.count(n) for why, n in run.suppressed.items()}),
            }
        ),
        groups=guard.public(told_sizes(run.sizes) | ({"blocks": run.blocks} if run.blocks else {})),
        support_rule=guard.public(support_rule(plan)),
        columns=guard.rows(_column(guard, run, column) for column in run.columns),
        loss=guard.figures(loss),
        linkage=None if linkage is None else guard.figures(linkage),
        recoding=None if run.recoding is None else guard.figures(run.recoding),
        notes=guard.public(
            [
                # the note that counts the records is a total, too
                *(note for note in run.notes if persons.value is not None or not note.endswith("per person.")),
                *in_blocks(run.blocks, plan),
                *_too_strict(plan, loss),
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


def _too_strict(plan: Plan, loss: dict[str, Any]) -> list[str]:
    """Columns in which nearly nothing reaches the threshold, where a threshold is asked for."""
    method, matched = plan.method, plan.method.compare.by_attributes
    if not matched and not (isinstance(method, Microaggregation) and method.representative == REDACTION):
        return []
    so = "records are compared by equal concepts" if matched else "only equal concepts are redacted alike"
    return [
        f"Column {name!r}: at threshold {method.threshold:g}, {found['similar_to_nothing_else_percent']:.0f} % of the "
        f"concepts in use are similar to nothing else: {so}; lower the threshold."
        for name, found in loss["attributes"].items()
        if found["similar_to_nothing_else_percent"] > TOO_STRICT
    ]


def _column(guard: Disclosure, run: RunCounts, counts: ColumnCounts) -> Told[dict[str, Any]]:
    """How much of a column was understood, and what the support rule changed."""
    words, groups = counts.held.words, len(run.sizes)
    changed = {name: getattr(counts.changes, name) for name in ("raised", "dropped", "added")}
    compared = f"compared_with_the_{'originals' if isinstance(run.plan.method, Generalization) else 'medoids'}"
    return guard.table(
        {
            "name": guard.public(words.column.name),
            "taxonomy": guard.public(words.tax.name),
            "taxonomy_fingerprint": guard.public(words.column.public_fingerprint(words.tax)),
            "terms_with_a_concept_percent": guard.figures(
                round(100 * counts.known / max(1, counts.known + counts.unknown), 1)
            ),
            "concepts_per_record": guard.figures(counts.concepts / run.units),
            "concepts_per_published_record": guard.figures(counts.published / groups),
            "phrases_outside_the_topics": guard.figures(counts.outside),
            "topics": guard.table({name: guard.rounded(n, run.holders) for name, n in counts.topics.items()}),
            "published_as_their_topic_only": guard.figures(counts.changes.veiled),
            "whole_sets_held_by_fewer_than_k_percent": guard.figures(round(100 * counts.rare / groups, 1)),
            compared: guard.figures(changed),
            "branches": branches_of(guard, counts.held, run.published),
        }
    )


def topics_told(guard: Disclosure, words: WordColumn, persons: Long) -> Told[dict[str, Any]]:
    """How many persons have something of each topic that the column names."""
    counts, most = {} if words.topics is None else topic_counts(words.topics, words, persons), len(np.unique(persons))
    return guard.table({name: guard.rounded(n, most) for name, n in counts.items()})


# ---------------------------------------------------------------------- the trail


class TrailSource(Protocol):
    """What came out of a run, as far as a trail tells of it. A group below 0 is none."""

    @property
    def plan(self) -> Plan: ...
    @property
    def units(self) -> Records: ...
    @property
    def group_of(self) -> Long: ...


def trail(outcome: TrailSource, source: Any, record: Long, place: Long, apart: Floats) -> dict[str, Any]:
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


def fingerprint(source: Any, outcome: TrailSource) -> str:
    """SHA-256 of the input file, of the files of a folder, or of the table as it was read."""
    if isinstance(source, str | Path):
        return file_fingerprint(Path(source))
    buffer = io.BytesIO()
    outcome.units.table.frame.write_ipc(buffer)
    return hashlib.sha256(buffer.getbuffer()).hexdigest()

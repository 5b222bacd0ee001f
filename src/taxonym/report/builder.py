"""The report of a run, for everybody; and its trail, for nobody but its owner.

A report has no person's value, no figure of a single record, neither the seed nor a fingerprint of the input; its
figures are on the grid of the guard (disclosure.py). The private report is made by the same builder with a guard that
lets all figures pass.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from taxonym.io.files import fingerprint as file_fingerprint
from taxonym.knowledge.arrays import Floats, Long
from taxonym.knowledge.concept_sets import ConceptSets
from taxonym.methods.generalization import NOTHING_IN_COMMON, TO_GENERALISE_LESS
from taxonym.methods.microaggregation import NO_SHARED
from taxonym.methods.published_groups import PublishedGroups
from taxonym.methods.sentences import CountedSentence
from taxonym.methods.shown_values import ShownDiversity
from taxonym.plan import Generalization, Plan
from taxonym.promises import limits_of, promises_of
from taxonym.promises.classes import Classes
from taxonym.records.records import FEW_ALIKE, MISSING_VALUE, NO_CONCEPT, Records
from taxonym.records.words import WordColumn
from taxonym.report.branches import ConceptHolders, branches_of, mapped_told
from taxonym.report.disclosure import Disclosure, Told
from taxonym.report.figures import (
    classes_told,
    groups_told,
    linkage_told,
    loss_told,
    records_told,
    row_per_person,
    unit_per_person,
    worse_than_random,
)
from taxonym.report.report import Report
from taxonym.report.sentences import (
    A_RECORD,
    exposing,
    in_blocks,
    support_rule,
    too_strict,
    verdict,
    warnings_told,
    why_no_better,
)
from taxonym.report.survival import survival_told, warnings_of
from taxonym.text.sensitive import Topics

# why persons are left out of a table; all are told of in every report, since which of them occur would tell
REASONS = (MISSING_VALUE, NO_CONCEPT, FEW_ALIKE, NO_SHARED)
OF_GENERALISATION = (MISSING_VALUE, NO_CONCEPT, FEW_ALIKE, TO_GENERALISE_LESS, NOTHING_IN_COMMON)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCounts:
    """What is counted in a column of words: phrases that mean something, nothing, or something outside the topics;
    concepts of the records and of what the groups publish, and how many are published as their topic only; persons with
    something of each topic."""

    held: ConceptHolders
    known: int
    unknown: int
    outside: int
    concepts: int
    published: int
    veiled: int
    topics: Mapping[str, int]

    @classmethod
    def of(cls, outcome: PublishedGroups, i: int) -> "ColumnCounts":
        support, chosen = outcome.supports[i], outcome.chosen[i]
        words = support.words
        return cls(
            ConceptHolders.of(support, chosen.concepts, outcome.members, outcome.group_of),
            known=len(words.row),
            unknown=int(words.unknown.sum()),
            outside=int(words.outside.sum()),
            concepts=len(words.codes),
            published=sum(map(len, chosen.concepts)),
            veiled=chosen.veiled,
            topics={} if words.topics is None else topic_counts(words.topics, words, outcome.units.persons),
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
    cut: int = 0  # rows of published persons that are left out, since they own too many of a class
    counted: Sequence[CountedSentence] = ()  # notes with a number of persons
    shown: Sequence[ShownDiversity] = ()  # of confidential columns as they are printed
    warnings: Sequence[CountedSentence] = ()

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
            cut=outcome.whole.cut,
            blocks=outcome.blocks,
            recoding=outcome.recoding,
        )


def report(
    guard: Disclosure,
    run: RunCounts,
    loss: dict[str, Any],
    classes: Classes,
    linkage: dict[str, Any] | None = None,
    countable: bool | None = None,
) -> Report:
    """Everything that may be told about a run; `linkage` is what an intruder found. Persons can be counted in the
    release where each has a row there, or a shape says that they are `countable`."""
    plan = run.plan
    seen = row_per_person(plan) if countable is None else countable
    n = run.published if unit_per_person(plan) else 0
    records = records_told(
        guard,
        rows=run.rows,
        persons=run.persons,
        published_rows=classes.rows,
        published=run.published,
        countable=seen,
        suppressed=run.suppressed,
        reasons=OF_GENERALISATION if isinstance(plan.method, Generalization) else REASONS,
        surplus=run.cut,
    )
    verified = classes_told(guard, classes, seen)
    lost = loss_told(guard, loss, n, {name: column.weight for name, column in plan.columns.items()}, records)
    survival = survival_told(guard, loss.get("survival", ()), n, seen)
    about = guard.public(None) if survival is None else survival
    persons = guard.derived(lambda found: found["published_persons"], records)
    found = linkage_told(guard, linkage, plan, persons, seen, min(n, linkage["records_linked"]) if linkage else 0)
    limits = warnings_of(guard, survival, records, n)
    useless = guard.derived(partial(worse_than_random, A_RECORD, cause=why_no_better(plan)), lost)
    linked = guard.public(None) if found is None else found
    return Report(
        verdict=guard.derived(partial(verdict, plan), lost, verified, linked, about, limits),
        promise=promise_of(guard, plan),
        verified=verified,
        watched=watched_told(guard, plan, run.shown, classes.privacy),
        plan=guard.public(plan.public_dict()),
        records=records,
        groups=groups_told(guard, classes.number, classes, run.sizes, run.blocks),
        support_rule=guard.public(support_rule(plan)),
        columns=guard.rows(_column(guard, run, column, seen, understood_of(loss), n) for column in run.columns),
        loss=lost,
        survival=survival,
        linkage=found,
        recoding=None if run.recoding is None else _recoding(guard, run.recoding),
        warnings=warnings_told(guard, [*exposing(plan), *run.warnings], limits, useless),
        notes=guard.rows(
            [
                # the note that counts the records is a total
                *((guard.private if note.endswith("per person.") else guard.public)(note) for note in run.notes),
                *in_blocks(guard, run.blocks, plan),
                *map(guard.private, too_strict(plan, loss)),
                *(guard.sentence(one.text, **one.counts) for one in run.counted),
            ]
        ),
    )


def promise_of(guard: Disclosure, plan: Plan) -> Told[dict[str, Any]]:
    """What is promised, and whom it counts."""
    made = {key: value for promise in promises_of(plan) for key, value in promise.as_data().items()}
    return guard.public(made | {"limits": limits_of(plan)})


def watched_told(
    guard: Disclosure, plan: Plan, shown: Sequence[ShownDiversity], reached: Sequence[dict[str, Any]]
) -> Told[list[Any]]:
    """Every confidential column and every topic that is watched: l and t as everybody can count them in the release,
    and of the members' original values how many share one with all of their class, where l or t was promised. How near
    to their limits l and t are in the originals of the worst class is private, and more so which class that is."""
    none = (plan.method.l or 1) > 1
    worst = ("classes", "smallest_distinct_l", "smallest_entropy_l", "largest_t", "homogeneous_classes")
    printed, original = {one.column: one for one in shown}, {(one["column"], one["what"]): one for one in reached}
    rows = []
    for column, what in dict.fromkeys([*((one.column, "values") for one in shown), *original]):
        told: dict[str, Told[Any]] = {"column": guard.public(column), "what": guard.public(what)}
        if what == "values" and column in printed:
            told["as_published"] = guard.public(printed[column].as_data())
        if found := original.get((column, what)):
            told |= {key: guard.private(found[key]) for key in worst}
            persons = found["persons_in_homogeneous_classes"]
            told["persons_in_homogeneous_classes"] = guard.count(persons, none=none)
        rows.append(guard.table(told))
    return guard.rows(rows)


def _recoding(guard: Disclosure, found: dict[str, Any]) -> Told[dict[str, Any]]:
    """How good a generalisation is: what it costs would tell how many were left out."""
    return guard.table(
        {"cost_in": guard.public(found["cost_in"])}
        | {key: guard.private(value) for key, value in found.items() if key != "cost_in"}
    )


def understood_of(loss: Mapping[str, Any]) -> dict[str, float | None]:
    """By column the percentage that has a concept of what a person said, on average over all persons, whoever is left
    out included."""
    return {one.name: one.sums.by_record()["understood"] for one in loss.get("survival", ())}


def _column(
    guard: Disclosure,
    run: RunCounts,
    counts: ColumnCounts,
    countable: bool,
    understood: Mapping[str, float | None],
    n: int,
) -> Told[dict[str, Any]]:
    """How much of a column was understood, and how; most of it is private, since nothing bounds what one person
    wrote."""
    words, groups = counts.held.words, len(run.sizes)
    return guard.table(
        {
            "name": guard.public(words.column.name),
            "taxonomy": guard.public(words.tax.name),
            "taxonomy_fingerprint": guard.public(words.column.public_fingerprint(words.tax)),
            "understood_percent": guard.mean(understood.get(words.column.name), n, 100.0),
            "terms_with_a_concept_percent": guard.private(
                round(100 * counts.known / max(1, counts.known + counts.unknown), 1)
            ),
            "concepts_per_record": guard.private(counts.concepts / run.units),
            "concepts_per_published_record": guard.private(counts.published / groups),
            "phrases_outside_the_topics": guard.private(counts.outside),
            "topics": guard.table({name: guard.count(n, run.holders) for name, n in counts.topics.items()}),
            "published_as_their_topic_only": guard.private(counts.veiled),
            "branches": branches_of(guard, counts.held, run.published, countable),
            "mapped": mapped_told(guard, counts.held, run.published),
        }
    )


def topics_told(guard: Disclosure, words: WordColumn, persons: Long) -> Told[dict[str, Any]]:
    """How many persons have something of each topic that the column names."""
    counts, most = {} if words.topics is None else topic_counts(words.topics, words, persons), len(np.unique(persons))
    return guard.table({name: guard.count(n, most) for name, n in counts.items()})


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
    run = run_of(outcome.plan, fingerprint(source, outcome), taxonomies)
    if subjects := {w.column.name: told for w in outcome.units.words if (told := w.subject) is not None}:
        run["subjects"] = subjects
    return {"run": run | {"fingerprint_of": "file" if isinstance(source, str | Path) else "table"}, "records": lines}


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

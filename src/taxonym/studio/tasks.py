"""What the studio's processes do. Each task calls the functions that the command calls, and gives plain data back.

A task is given its arguments, whom to tell how far it is, and a dict in which it may keep what it has read.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from taxonym.errors import BadInput, TaxonymError
from taxonym.executor.context import Context
from taxonym.executor.machine import Machine, cores
from taxonym.io.atomic import whole_file
from taxonym.io.files import read
from taxonym.io.progress import Progress
from taxonym.plan import Plan
from taxonym.records.column_mapping import ColumnMapping
from taxonym.shapes.shape import shape_of
from taxonym.studio.changes import dialect_of
from taxonym.studio.sample import sampled, source_of
from taxonym.studio.words import column_words

Kept = dict[str, Any]
Answer = dict[str, Any]
TRAIL, RELEASE, REPORT, REPORT_DATA = "trail.jsonl", "release", "report.html", "report.json"
_LOGS = (".log", ".log.gz")
_PREVIEWS = 6  # readings that are kept
_GROUPS = 2_000
_MEMBERS = 200


def look(path: str, taxonomies: Sequence[str], reading: Answer, progress: Progress, kept: Kept) -> Answer:
    """A drafted plan for a file that is written as `reading` says, and what is known about every column."""
    from taxonym.drafting import draft_plan

    place = Path(path)
    progress.start("looking at the file")
    if place.is_dir() or place.name.lower().endswith(_LOGS):
        found = draft_plan(path, tuple(taxonomies))
        tables = {**found.plan, "input": {key: v for key, v in found.plan.get("input", {}).items() if key != "path"}}
        asked = [one.text for one in found.questions]
        return {
            "tables": tables, "table": {"input": {}}, "notes": found.notes, "columns": [], "rows": None,
            "questions": asked,
        }  # fmt: skip
    dialect = dialect_of(reading)
    frame = read(path, dialect)
    names, rows = frame.columns, frame.height
    try:
        found = draft_plan(path, tuple(taxonomies), dialect)
    except BadInput as error:
        nothing: list[Answer] = [
            {"name": name, "why": "", "coverage": None, "missing": 0.0, "settings": {}} for name in names
        ]
        empty: Answer = {"input": dict(reading), "columns": {}}
        return {"tables": empty, "table": empty, "notes": [str(error)], "columns": nothing, "rows": rows}
    drafted = {key: value for key, value in found.plan.get("input", {}).items() if key != "path"}
    tables = {**found.plan, "input": {**drafted, **reading}}
    about = {column.name: column for column in found.columns}
    columns: list[Answer] = []
    for name in names:
        seen, settings = about.get(name), found.plan.get("columns", {}).get(name, {})
        whose = name == tables["input"].get("person")
        columns.append(
            {
                "name": name,
                "role": settings.get("role"),
                "why": found.notes[0] if whose else "" if seen is None else seen.why,
                "coverage": None if seen is None else seen.coverage,
                "missing": 0.0 if seen is None else seen.missing,
                "confidence": None if seen is None else seen.confidence,
                "settings": settings,
            }
        )
    table = tables if found.kind == "table" else {"input": dict(reading), "columns": {}}
    asked = [one.text for one in found.questions]
    return {
        "tables": tables, "table": table, "notes": found.notes, "columns": columns, "rows": rows, "questions": asked,
    }  # fmt: skip


def words(tables: Answer, folder: str, source: str, column: str, progress: Progress, kept: Kept) -> Answer:
    """What the words of a column were taken for, and how many persons hold every concept."""
    plan = Plan.from_dict(tables, folder=Path(folder))
    read_words, persons, finder = column_words(source, plan, column, progress)
    progress.start("counting persons")
    mapping = ColumnMapping.of(read_words, persons)
    tax = finder.taxonomy
    terms = []
    for one in mapping.terms:
        choice = finder.whole_choice(one.term) if one.code is not None else None
        senses = 0 if one.code is None else len(choice.codes) if choice is not None else 1
        terms.append((one.term, one.code, one.persons, one.own, senses))
    base = read_words.meant < len(tax)
    pairs = np.unique(np.stack((read_words.meant[base], persons[read_words.row[base]])), axis=1)
    owner, place = tax.above(pairs[0])
    above = np.unique(np.stack((tax.ancestor[place].astype(np.int64), pairs[1][owner])), axis=1)
    code, count = np.unique(above[0], return_counts=True)
    progress.finish()
    return {
        "terms": terms,
        "records": mapping.records,
        "with_concept": mapping.with_concept,
        "said": mapping.said,
        "known": mapping.known,
        "persons": len(np.unique(persons)),
        "holders": dict(zip(code.tolist(), count.tolist(), strict=True)),
        "fingerprint": tax.fingerprint,
    }


def _records(plan: Plan, source: str, progress: Progress, kept: Kept) -> tuple[Any, Any, str]:
    """The records of a sample as the plan reads them, kept for the next preview; what the sample is, in words."""
    data, said = sampled(source, plan, kept)
    tables = {**plan.to_dict(), "method": {"k": plan.method.k, "topics": plan.method.topics}}
    stamps = [os.stat(name).st_mtime_ns for name in plan.files if os.path.exists(name)]
    key = json.dumps([source, tables, stamps], default=str)
    readings: dict[str, Any] = kept.setdefault("readings", {})
    if key not in readings:
        while len(readings) >= _PREVIEWS:
            readings.pop(next(iter(readings)))
        context = Context(np.random.default_rng(0), Machine.of(), progress)
        readings[key] = shape_of(plan).read(data, plan, context)
    return readings[key], data, said


def preview(tables: Answer, folder: str, source: str, progress: Progress, kept: Kept) -> Answer:
    """What a plan loses, keeps and risks, on a sample."""
    from taxonym.sweep.cell import tried
    from taxonym.sweep.settings import Judges, settings_of

    began = monotonic()
    plan = Plan.from_dict(tables, folder=Path(folder))
    plan = replace(plan, method=replace(plan.method, seed=plan.method.seed or 0))
    records, data, said = _records(plan, source, progress, kept)
    judges = Judges.of(plan, settings_of(plan, [plan.method.k], [plan.method.name]).tried)
    found = tried(records, data, plan, judges, 2_000, Machine.of())
    return {**found, "sample": said, "seconds": round(monotonic() - began, 2), "k": plan.method.k}


def frontier(tables: Answer, folder: str, source: str, sizes: Sequence[int], progress: Progress, kept: Kept) -> Answer:
    """Many settings tried on a sample: what each loses and risks, which no other beats, and which to take."""
    from taxonym.sweep.run import compare

    plan = Plan.from_dict(tables, folder=Path(folder))
    data, said = sampled(source, plan, kept)
    found = compare(data, plan, k=sizes, sample=2_000, seed=plan.method.seed or 0, progress=progress)
    return {
        "rows": found.rows,
        "reason": found.reason,
        "judges": found.judges.as_data(),
        "plans": [setting.plan(plan).to_dict().get("method", {}) for setting in found.settings],
        "sample": said,
    }


def trial(tables: Answer, folder: str, source: str, progress: Progress, kept: Kept) -> Answer:
    """A release of a sample that is not written: what was said before, and what is said instead."""
    from taxonym.run.pipeline import anonymize

    plan = Plan.from_dict(tables, folder=Path(folder))
    data, said = sampled(source, plan, kept)
    release = anonymize(data, plan, baselines=False, progress=progress)
    kept["trial"] = (release, data)
    warnings = release.report["warnings"]  # with no count of fewer than k persons, as those of the private report
    return {"report": release.private_report(), "warnings": warnings, "groups": _groups(release), "sample": said}


def _groups(release: Any) -> list[Answer]:
    """Every group with how many persons and rows share it, and what it publishes in each column: how many persons say
    what. All say the same but where a column is kept, so that such cells are those of single persons."""
    frame = release.frame
    groups: dict[Any, dict[str, Any]] = {}
    for line in release.trail()["records"]:
        at, person = line.get("release_row"), line.get("person")
        if not at:
            continue
        who = ("row", line["rows"][0]) if person is None else person
        group = groups.setdefault(line["group"], {"persons": set(), "rows": 0, "said": {}})
        group["persons"].add(who)
        group["rows"] += len(line["rows"])
        cells = frame.row(at - 1, named=True) if at <= frame.height else {}
        for name, value in cells.items():
            said = tuple(value) if isinstance(value, list) else value
            group["said"].setdefault(name, {}).setdefault(said, set()).add(who)
    made = []
    for number, group in sorted(groups.items(), key=lambda pair: -len(pair[1]["persons"]))[:_GROUPS]:
        cells = {
            name: sorted(([_cell(one), len(persons)] for one, persons in said.items()), key=lambda pair: -pair[1])
            for name, said in group["said"].items()
        }
        made.append({"group": number, "persons": len(group["persons"]), "rows": group["rows"], "cells": cells})
    return made


def _cell(value: Any) -> Any:
    return [str(one) for one in value] if isinstance(value, list | tuple) else "" if value is None else str(value)


def members(group: Any, progress: Progress, kept: Kept) -> Answer:
    """The original rows of one group of the last trial: private."""
    if "trial" not in kept:
        raise BadInput("There is no trial any more. Try the plan again.")
    release, data = kept["trial"]
    rows = [row - 1 for line in release.trail()["records"] if line["group"] == group for row in line["rows"]]
    frame = source_of(data)
    named = [frame.row(row, named=True) for row in rows[:_MEMBERS]]
    return {"rows": [{name: _cell(value) for name, value in one.items()} for one in named], "all": len(rows)}


def run(tables: Answer, folder: str, source: str, out: str, progress: Progress, kept: Kept) -> Answer:
    """The whole run: release, report, codebook and trail appear together in the folder `out`, or none does."""
    from taxonym.run.pipeline import anonymize

    plan = Plan.from_dict(tables, folder=Path(folder))
    place = Path(out)
    place.mkdir(mode=0o700, exist_ok=True)
    release = anonymize(source, plan, progress=progress, workers=cores())
    progress.start("writing and proving")
    written = place / release_name(source, plan)
    release.write(written, reports=[place / REPORT, place / REPORT_DATA], trail=place / TRAIL)
    with whole_file(place / "plan.toml", private=True) as file:
        file.write(plan.to_toml().encode())
    for old in place.iterdir():  # of a release with another ending
        if old.name.startswith(RELEASE) and old.name not in (written.name, f"{written.name}.codebook.csv"):
            old.unlink()
    progress.finish()
    return {"release": written.name, "verdict": release.report["verdict"], "warnings": release.report["warnings"]}


def release_name(source: str, plan: Plan) -> str:
    """A release is called as its kind demands: logs stay logs, documents become a table, tables keep their ending."""
    if plan.kind == "accesslog":
        return f"{RELEASE}.log"
    suffix = Path(source.removesuffix(".gz")).suffix.lower()
    usual = suffix in (".csv", ".tsv", ".parquet", ".jsonl") and plan.kind == "table"
    return f"{RELEASE}{suffix if usual else '.csv'}"


def verify(source: str, release: str, progress: Progress, kept: Kept) -> Answer:
    """The promise recounted from the files, with the original and the trail."""
    from taxonym.run.questions import verify as recounted

    progress.start("recounting")
    try:
        found = recounted(release, original=source, trail=Path(release).with_name(TRAIL))
    except TaxonymError as error:
        return {"holds": False, "said": str(error), "figures": {}}
    shown = {key: value for key, value in found.figures.items() if key not in ("holds", "k")}
    figures = {key: value for key, value in shown.items() if isinstance(value, int | float | str)}
    return {"holds": found.holds, "said": " ".join(found.broken), "figures": figures}


def attack(source: str, release: str, knows: int, seed: int | None, progress: Progress, kept: Kept) -> Answer:
    """What an intruder finds out from the files: exact figures, for the owner only."""
    from taxonym.run.questions import risk

    trail = Path(release).with_name(TRAIL)
    return risk(source, release, trail=trail, knows=knows or None, sample=2_000, seed=seed, progress=progress)


TASKS: dict[str, Callable[..., Answer]] = {
    task.__name__: task for task in (look, words, preview, frontier, trial, members, run, verify, attack)
}

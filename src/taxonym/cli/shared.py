"""What several commands need: taxonomies and plans as the options say, and printing JSON."""

import argparse
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.cli.terminal import Bar
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.io.delimited import Dialect
from taxonym.io.sizes import bytes_of
from taxonym.knowledge.catalog import load
from taxonym.knowledge.taxonomy import Taxonomy
from taxonym.plan import Plan, check_kind, read_plan, shape_named

if TYPE_CHECKING:
    from taxonym.drafting import PlanDraft
    from taxonym.shapes.codebook import Codebook
    from taxonym.shapes.table.reread import Trail


def chosen_taxonomy(source: str, options: argparse.Namespace, notes: list[str] | None = None) -> Taxonomy:
    """The taxonomy that the options name, read as they say."""
    chosen: dict[str, Any] = {}
    if options.language:
        chosen["language"] = options.language
    if options.relations:
        chosen["relations"] = tuple(options.relations.split(","))
    if options.columns:
        pairs = [part.partition("=") for part in options.columns.split(",")]
        named = {role.strip(): column.strip() for role, equals, column in pairs if equals}
        chosen["columns"] = named or [role.strip() for role, _, _ in pairs]
    return load(source, format=options.format, join_roots=options.join_roots, notes=notes, progress=Bar(), **chosen)


def as_options_say(plan: Plan, options: argparse.Namespace) -> Plan:
    """The plan, its input read as the options say."""
    named = {"format": options.input_format, "sheet": options.sheet, "max_unpacked": options.max_unpacked}
    said = {key: value for key, value in named.items() if value is not None}
    return replace(plan, input=replace(plan.input, **said)) if said else plan


def dialect_of(options: argparse.Namespace) -> Dialect:
    """How a file is read, as the options say."""
    size = options.max_unpacked
    allowed = None if size is None else bytes_of(size, "--max-unpacked")
    return Dialect(format=options.input_format, sheet=options.sheet, max_unpacked=allowed)


def draft_of(path: str, taxonomies: str | None, k: int | None = None, dialect: Dialect | None = None) -> "PlanDraft":
    """What a look at a file shows."""
    from taxonym.drafting import draft_plan

    if k is not None and k < 2:  # before anything is shown that k persons share
        raise BadPlan(f"-k: must be at least 2, got {k}.")
    return draft_plan(path, tuple((taxonomies or "wordnet").split(",")), dialect, k=5 if k is None else k)


def drafted(path: str, taxonomies: str | None, dialect: Dialect | None = None) -> tuple[Plan, list[str]]:
    """A plan from a look at a file, and why it is so."""
    draft = draft_of(path, taxonomies, dialect=dialect)
    return Plan.from_dict(draft.plan, where=path), draft.notes


def plan_of_release(options: argparse.Namespace, trail: "Trail | None") -> Plan:
    """The plan that a release was made by: the one named, the trail's, that of a kind of data, or a drafted one, which
    is explained."""
    if options.kind and not options.plan and not trail:
        plan = Plan(shape=shape_named(options.kind)())
        if options.taxonomy:
            plan = _with_taxonomies(plan, options)
    elif options.plan:
        plan = read_plan(options.plan)
        check_kind(plan, options.kind)
    elif trail:
        plan = trail.plan
        check_kind(plan, options.kind)
    else:
        plan, notes = drafted(options.original, options.taxonomy, dialect_of(options))
        print("\n".join(notes), file=sys.stderr)
    plan = as_options_say(plan, options)
    return replace(plan, output=replace(plan.output, shuffle=False)) if options.keep_order else plan


def _with_taxonomies(plan: Plan, options: argparse.Namespace) -> Plan:
    shape: Any = plan.shape
    if not hasattr(shape, "taxonomy"):
        raise BadPlan(f"--taxonomy: a {options.kind} has no words that one could be about. Leave it out.")
    return replace(plan, shape=replace(shape, taxonomy=tuple(options.taxonomy.split(","))))


def codebook_of(options: argparse.Namespace) -> "Codebook | None":
    """The codebook that is named, or lies beside a release."""
    from taxonym.shapes.codebook import Codebook, codebook_path

    path = codebook_path(options.release) if options.codebook is None else Path(options.codebook)
    return Codebook.read(path) if options.codebook is not None or path.exists() else None


def say_without_codebook(options: argparse.Namespace, plan: Plan | None, codebook: "Codebook | None") -> None:
    """Say that words were looked up, if there are any."""
    if codebook is None and plan is not None and plan.has_words:
        told = f"{options.release}: has no codebook beside it, so its words were looked up in the taxonomy."
        print(told, file=sys.stderr)


def show_json(value: object) -> int:
    """One JSON document on stdout."""
    print(json.dumps(value, ensure_ascii=False, indent=2))
    return 0


def named(tax: Taxonomy, code: int) -> dict[str, Any]:
    """A concept as JSON shows it."""
    return {"id": tax.id(code), "code": code, "label": tax.label(code), "labels": tax.labels(code)}


def way_up(tax: Taxonomy, code: int) -> list[str]:
    """The labels from a concept to a root, over first parents."""
    way = [code]
    while tax.parents(way[-1]):
        way.append(tax.parents(way[-1])[0])
    return [tax.label(c) for c in way]


def refuse_warnings(
    report: dict[str, Any], options: argparse.Namespace, private: Callable[[], dict[str, Any]] | None = None
) -> None:
    """Show what a run warns of; a strict one ends here, before anything is written. Where there are too few persons to
    tell others how much is lost, its owner is told what the `private` report warns of."""
    found = list(report["warnings"])
    if private is not None and report["loss"].get("mean_to_a_random_record") is None:
        said = {_without_figures(one) for one in found}
        found += [one for one in private()["warnings"] if _without_figures(one) not in said]
    for one in found:
        print(f"taxonym: warning: {one}", file=sys.stderr)
    if found and options.strict:
        are = f"There are {len(found)} warnings" if len(found) > 1 else "There is a warning"
        raise BrokenPromise(f"{are}, so nothing was written (--strict). Repair what it names, or leave --strict out.")


def _without_figures(sentence: str) -> str:
    return re.sub(r"<?\d[\d,.]*", "#", sentence)


def trail_of(options: argparse.Namespace) -> "Trail | None":
    """The trail of the run that made a release from an original."""
    from taxonym.run.questions import known_trail

    return known_trail(options.trail, options.original, options.release)

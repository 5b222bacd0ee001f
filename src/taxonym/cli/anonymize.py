"""taxonym anonymize INPUT -o OUT"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from taxonym.cli.noise import noise_lines, suppressed_lines
from taxonym.cli.shared import as_options_say, dialect_of, draft_of, refuse_warnings, show_json
from taxonym.cli.terminal import Bar
from taxonym.errors import BadInput, BadPlan, UnknownTerms
from taxonym.executor.machine import cores
from taxonym.io.atomic import check_ordinary
from taxonym.io.files import writer_of
from taxonym.plan import Plan, check_kind, read_plan, shape_named, with_settings
from taxonym.records.ids import toml_text
from taxonym.render.plainly import spanned
from taxonym.render.told import confidential_lines, question_lines, size_lines
from taxonym.report.figures import spoken
from taxonym.run.pipeline import anonymize
from taxonym.run.release import report_form
from taxonym.shapes.codebook import codebook_path

SETTINGS = (
    "k", "aggregate", "measure", "threshold", "known_items", "representative", "l", "t", "recoding", "cost", "suppress",
    "growth", "noise_mechanism", "alpha", "epsilon", "budget", "min_candidates", "aim", "statistics", "outcomes",
    "public", "seed",
)  # fmt: skip


def run(options: argparse.Namespace) -> int:
    plan = with_options(_named_plan(options) if options.plan else _own_plan(options), options)
    plan = as_options_say(plan, options)
    source = options.input or (plan.located(plan.input.path) if plan.input.path else None)
    if source is None:
        raise BadPlan("anonymize: name the file to anonymise, or let the plan name it as input.path.")
    out = options.output or plan.output.path
    if out is None:
        raise BadPlan("anonymize: name the file to write with -o OUT, or let the plan name it as output.path.")
    if options.engine == "local":
        writer_of(Path(out)) if plan.shape is None else plan.shape.check_output(out)
    inputs = [options.plan, *plan.files]
    if options.engine == "spark":
        from taxonym.cli.spark import written
        from taxonym.run.spark.release import check_folders

        check_folders(source, out)
        check_places(source, [str(codebook_path(out)), options.private_report, *options.report], inputs)
        _check_reports(options)
        return _tell(written(plan, source, out, options), out, options)
    outputs = [out, options.trail, options.private_report, *options.report, getattr(plan.shape, "aside", None)]
    outputs.append(str(codebook_path(out)))
    check_places(source, outputs, inputs)
    _check_reports(options)
    limits = {
        "workers": cores() if options.workers is None else options.workers,
        "max_memory": options.max_memory,
        "work": options.work,
    }
    if options.work:
        options.left = (
            f"no release was written; blocks that were finished are kept in {options.work}. Run again to go on."
        )
    try:
        release = anonymize(source, plan, baselines=not options.no_baselines, progress=Bar(), **limits)
    except UnknownTerms as error:
        if options.show_values:
            from taxonym.cli.hierarchy import private_lines

            print("\n".join(private_lines(error)), file=sys.stderr)
        raise
    check_places(source, outputs, release.sources)
    refuse_warnings(release.report, options, release.private_report)
    release.write(out, reports=options.report, trail=options.trail, private_report=options.private_report)
    options.written, options.left = True, None
    return _tell(release.report, out, options)


def _check_reports(options: argparse.Namespace) -> None:
    """Complain of reports in forms that there are not, before any work is done."""
    for report in (*options.report, *filter(None, [options.private_report])):
        report_form(Path(report))


def _tell(report: dict[str, Any], out: str, options: argparse.Namespace) -> int:
    if options.json:
        return show_json(report)
    beside = [str(codebook_path(out))] if codebook_path(out).exists() and not options.piped_out else []
    print(f"{summary(report)}\nWritten: {', '.join([out, *beside, *options.report])}")
    if options.piped_out and codebook_path(out).exists():
        print("Not written: the codebook of its words. Name a file with -o to have one beside it.")
    private = [*filter(None, (options.trail, options.private_report))]
    if private:
        print(f"Private, not for publication: {', '.join(private)}")
    return 0


def _named_plan(options: argparse.Namespace) -> Plan:
    plan = read_plan(options.plan)
    check_kind(plan, options.kind)
    return plan


def _own_plan(options: argparse.Namespace) -> Plan:
    """A drafted plan, shown as it is used."""
    if not options.input:
        raise BadPlan("anonymize: name the file to anonymise, or a plan with --plan.")
    if options.kind:
        return Plan(shape=shape_named(options.kind)())
    from taxonym.drafting.file_shapes import NAMES
    from taxonym.drafting.written_plan import written_plan

    draft = draft_of(options.input, options.taxonomy, options.k, dialect_of(options))
    print("No plan was named; this one is drafted:\n", written_plan(draft), sep="\n", file=sys.stderr)
    if draft.kind != "table":
        whose = ""
        if draft.person is not None:
            lines = f"person = {toml_text(draft.person)}, or person = false"
            whose = f" To publish it as a table, write a plan for one, and say under [input] {lines}."
        raise BadPlan(
            f"{options.input}: looks like {NAMES[draft.kind]}, which is not published as a table. Say so: taxonym "
            f"anonymize {options.input} -o OUT --kind {draft.kind}, or write this plan to a file with 'taxonym plan'."
            f"{whose}"
        )
    for question in draft.stopping:
        lines = ", or ".join(answer.lines[0].removeprefix("input.") for answer in question.answers)
        raise BadPlan(
            f"{options.input}: {question.text} Rows would count as persons, though one person may have many, so "
            f"nothing is published. Write the draft with 'taxonym plan {options.input} -o plan.toml', and say under "
            f"[input]: {lines} (--yes takes the first)."
        )
    return Plan.from_dict(draft.plan, where=options.input)


def with_options(plan: Plan, options: argparse.Namespace) -> Plan:
    """The plan with what the command line says otherwise."""
    method: dict[str, Any] = {key: getattr(options, key) for key in SETTINGS if getattr(options, key) is not None}
    if options.method:
        method["name"] = options.method
    if options.topics:
        method["topics"] = tuple(options.topics.split(","))
    if options.avoid:
        method["avoid"] = tuple(options.avoid.split(","))
    if plan.method.measure == plan.method.usual_measure:
        method.setdefault("measure", "")  # that of the aggregate, whichever it is now
    method |= {key: True for key in ("consensus", "correlated", "consistent") if getattr(options, key)}
    usual = method.get("outcomes", getattr(plan.method, "outcomes", None)) == "usual"
    if options.k is not None and method.get("name", plan.method.name) == "noise" and not usual:
        raise BadPlan("-k: noise forms no groups and promises no k. Leave it out, or choose another method.")
    try:
        plan = replace(plan, method=with_settings(plan.method, **method))
        if options.taxonomy and options.plan:
            chosen = tuple(options.taxonomy.split(","))
            columns = {
                name: replace(c, taxonomy=chosen) if c.role == "quasi-identifier" and c.taxonomy else c
                for name, c in plan.columns.items()
            }
            plan = replace(plan, columns=columns)
        if options.category:
            columns = {
                name: replace(c, category=options.category) if c.role == "quasi-identifier" and c.taxonomy else c
                for name, c in plan.columns.items()
            }
            plan = replace(plan, columns=columns)
        if options.taxonomy and plan.shape is not None and hasattr(plan.shape, "taxonomy"):
            plan = replace(plan, shape=replace(plan.shape, taxonomy=tuple(options.taxonomy.split(","))))
    except BadPlan as error:
        raise BadPlan(_as_option(str(error))) from None
    _check_effect(plan, options)
    return replace(plan, output=replace(plan.output, shuffle=False)) if options.keep_order else plan


def _check_effect(plan: Plan, options: argparse.Namespace) -> None:
    """Complain of options that this plan has no use for: nothing is left out in silence."""
    if options.taxonomy and plan.shape is not None and not hasattr(plan.shape, "taxonomy"):
        raise BadPlan("--taxonomy: the values of a log rise in trees of their own. Leave it out.")
    if options.category and plan.shape is not None:
        raise BadPlan("--category: is the domain of columns, which only a table has. Leave it out.")
    if options.keep_order and plan.kind in ("accesslog", "querylog"):
        raise BadPlan("--keep-order: a log is written in the order of what is published. Leave it out.")
    if options.threshold is not None and plan.kind in ("accesslog", "documents"):
        raise BadPlan("--threshold: is about sets of terms, which this kind of data has none of. Leave it out.")
    for key in (*SETTINGS, "consensus"):
        if key in plan.method.others and getattr(options, key):
            raise BadPlan(f"--{key.replace('_', '-')}: is not for the method {plan.method.name!r}. Leave it out.")


def _as_option(complaint: str) -> str:
    """What is wrong with a setting of the method, under the name of its option."""
    key, colon, rest = complaint.removeprefix("method.").partition(":")
    option = {"name": "--method", "k": "-k"}.get(key, f"--{key.replace('_', '-')}")
    return f"{option}{colon}{rest}" if complaint.startswith("method.") else complaint


def check_places(source: str, outputs: Sequence[str | None], inputs: Sequence[str | None] = ()) -> None:
    """Complain of what cannot be written before any work is done; no output takes the place of an input or another."""
    taken: list[str] = []
    for out in filter(None, outputs):
        path = Path(out)
        if same_file(out, source):
            raise BadInput(f"{out}: is the file to anonymise. Write to another file, so that nothing is lost.")
        if Path(source).is_dir() and path.resolve().is_relative_to(Path(source).resolve()):
            raise BadInput(f"{out}: lies in the folder to anonymise. Write elsewhere, so that nothing is lost.")
        if any(same_file(out, other) for other in inputs if other):
            raise BadInput(
                f"{out}: is the plan or a file that it names, or that the input names. Write to another file, so that "
                f"nothing is lost."
            )
        if any(same_file(out, other) for other in taken):
            raise BadInput(
                f"{out}: is named twice. Write the release, the report, the trail and what is kept aside to files of "
                f"their own."
            )
        taken.append(out)
        if path.is_dir():
            raise BadInput(f"{out}: is a folder. Name a file in it.")
        check_ordinary(path)
        if not path.parent.is_dir():
            raise BadInput(f"{out}: there is no folder {path.parent}. Make it first, or choose another.")
        if not os.access(path.parent, os.W_OK):
            raise BadInput(f"{out}: cannot be written (Permission denied). Choose a folder you may write to.")


def same_file(a: str, b: str) -> bool:
    """Whether two names lead to one place, be there a file yet or not."""
    return os.path.realpath(a) == os.path.realpath(b) or (
        os.path.exists(a) and os.path.exists(b) and os.path.samefile(a, b)
    )


def summary(report: dict[str, Any]) -> str:
    """A run in a few lines."""
    if report["noise"]:
        return "\n".join(noise_lines(report))
    records, groups, loss = report["records"], report["groups"], report["loss"]
    sizes = ""
    if groups["smallest"] is not None:
        sizes = f" of {spanned(groups['smallest'], groups['largest'], ' to ')}"
    lines = [
        report["verdict"],
        f"{records['published_rows']:,} rows are published, in {groups['count']:,} class"
        f"{'es' * (groups['count'] != 1)}{sizes}.",
        *suppressed_lines(records["suppressed_persons"]),
    ]
    for column in report["columns"]:
        known = column["understood_percent"]
        if known is not None and column["taxonomy"] != column["name"]:  # without one, values stand for themselves
            lines.append(
                f"Column {column['name']!r}: {known:g} % of what a person says has a concept in {column['taxonomy']}."
            )
    lines += [*size_lines(report), *confidential_lines(report)]
    ways = {name: value for name, value in loss.get("mean_to_plain_medoids", {}).items() if value is not None}
    if ways and spoken(loss, "mean") is not None:
        others = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in ways.items())
        lines.append(f"Mean loss {loss['mean']:g}; to the plain middle records of {others}.")
    return "\n".join([*lines, *question_lines(report), *report["notes"]])

"""taxonym verify RELEASE -k K"""

import argparse
from pathlib import Path
from typing import Any

from taxonym.cli.shared import as_options_say, codebook_of, say_without_codebook, show_json
from taxonym.errors import BadInput, BadPlan, BrokenPromise, BrokenRelease
from taxonym.io.files import fingerprint
from taxonym.methods.closeness import promised
from taxonym.plan import Plan, read_plan
from taxonym.promises.classes import Classes
from taxonym.run.questions import plan_to_verify
from taxonym.run.release import read_report
from taxonym.shapes.shape import shape_of
from taxonym.shapes.table.noise_proof import NoiseProof
from taxonym.shapes.table.reread import Trail


def reached_in(one: dict[str, Any]) -> str:
    """What l and t are in the worst class, for people."""
    return (
        f"Column {one['column']!r}{' (its topics)' * (one['what'] == 'topics')}: in every class l is at least "
        f"{one['smallest_distinct_l']} (entropy {one['smallest_entropy_l']:.2f}) and t at most "
        f"{one['largest_t']['semantic']:.3f} (equal distances {one['largest_t']['equal']:.3f}); "
        f"{one['homogeneous_classes']:,} classes share a value."
    )


def _noise(options: argparse.Namespace, found: NoiseProof, belongs: str) -> int:
    """A release by noise, which promises no k."""
    if options.json:
        show_json(found.as_data() | ({"report_belongs": True} if belongs else {}))
    elif found.holds:
        checked = f"{'; '.join(found.checked)} ({found.words:,} words)."
        print(f"{options.release}: holds what can be checked: {checked}{belongs}")
        print(f"Promised: {found.promise}. This file cannot prove {found.unproved}")
    else:
        print(f"{options.release}: does not hold. {' '.join(found.broken)}")
    return 0 if found.holds else 1


def _check_belongs(options: argparse.Namespace, report: dict[str, Any]) -> None:
    """Raise unless a report was written together with the release."""
    known = report["released"].get("sha256")
    if not isinstance(known, str):
        raise BadInput(
            f"{options.report}: names no file. Give a report that 'taxonym anonymize' or Release.write wrote with one."
        )
    if fingerprint(Path(options.release)) != known:
        raise BrokenPromise(
            f"{options.report}: does not belong to {options.release}: the report is that of another file, or the file "
            f"was changed since {report['released']['date']}."
        )


def _told_in(report: dict[str, Any], where: str) -> Plan:
    """The plan as far as a report tells it: enough to count what anybody can count."""
    tables = {name: {k: v for k, v in dict(one).items() if v not in (None, [])} for name, one in report["plan"].items()}
    return Plan.from_dict(tables, where=where)


def _unchecked(plan: Plan | None, options: argparse.Namespace) -> list[str]:
    """What nobody can tell from the release alone, in a sentence."""
    if options.original is not None:
        return []
    if plan is None:
        return [
            "Not checked without the plan, the original and the trail: whose rows they are, which columns are "
            "confidential, and whether what is published is true of anybody."
        ]
    whose = "persons" if plan.input.person or plan.shape is not None else "the support rule"
    more = ", the support rule" * (whose == "persons")
    said = f"Not checked without the original and the trail: {whose}{more}, l and t, and whether every class publishes "
    said += "what its members allow."
    return [said + " Rows were counted, and a person may have several." * bool(plan.input.person)]


def run(options: argparse.Namespace) -> int:
    report = read_report(options.report) if options.report else None
    if report is not None:
        _check_belongs(options, report)
    if bool(options.trail) != bool(options.original):
        raise BadPlan("verify: to count persons, give both --original and --trail.")
    trail = Trail(options.trail) if options.trail else None
    named = read_plan(options.plan) if options.plan else None
    if named is None and trail is None and report is not None:
        named = _told_in(report, options.report)
    plan, options.k = plan_to_verify(named, trail, options.kind, options.k, options.keep_order)
    if plan is not None:
        plan = as_options_say(plan, options)
    belongs = "" if report is None else f" {options.report} belongs to it."
    codebook = codebook_of(options)
    try:
        found = shape_of(plan).verify(options.release, plan, options.k, options.original, trail, codebook)
    except BrokenRelease as error:
        what = error.what.removeprefix(f"{options.release}: ")
        raise BrokenPromise(f"{options.release}: does not hold: {what}.") from None
    say_without_codebook(options, plan, codebook)
    if isinstance(found, NoiseProof):
        return _noise(options, found, belongs)
    assert isinstance(found, Classes)
    supported = plan is not None and options.original is not None
    reached = [{key: value for key, value in one.items() if key != "groups"} for one in found.privacy]
    if options.json:
        more: dict[str, Any] = {"support_rule": "holds" if supported and found.holds else "not checked"}
        more |= {"report_belongs": True} if belongs else {}
        more |= {"broken": found.why, "not_checked": _unchecked(plan, options)}
        if plan and supported and plan.kind == "table":
            more |= {"promised": promised(plan.method), "watched": reached}
        show_json(found.as_data() | more)
        return 0 if found.holds else 1
    for one in reached:
        print(reached_in(one))
    if found.holds:
        kept = f"Each of its {found.classes:,} classes has at least {options.k} {found.counted} (the smallest "
        kept += f"{found.smallest:,})."
        if found.m is not None:
            kept = f"At least {options.k} {found.counted} have every combination of at most {found.m} items in it."
        print(f"{options.release}: holds. {kept}" + (" The support rule holds." if supported else "") + belongs)
        print("\n".join(_unchecked(plan, options)), end="\n" if _unchecked(plan, options) else "")
        return 0
    print(f"{options.release}: does not hold. {' '.join(found.why)}")
    return 1

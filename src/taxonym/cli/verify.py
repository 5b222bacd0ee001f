"""taxonym verify RELEASE -k K"""

import argparse
from typing import Any

from taxonym.cli.shared import as_options_say, codebook_of, say_without_codebook, show_json
from taxonym.errors import BadPlan
from taxonym.methods.closeness import promised
from taxonym.plan import Plan, read_plan
from taxonym.promises.classes import Classes
from taxonym.run.questions import plan_to_verify
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


def _noise(options: argparse.Namespace, found: NoiseProof) -> int:
    """A release by noise, which promises no k."""
    if options.json:
        show_json(found.as_data())
    elif found.holds:
        print(f"{options.release}: holds what can be checked: {'; '.join(found.checked)} ({found.words:,} words).")
        print(f"Promised: {found.promise}. This file cannot prove {found.unproved}")
    else:
        print(f"{options.release}: does not hold. {' '.join(found.broken)}")
    return 0 if found.holds else 1


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
    if bool(options.trail) != bool(options.original):
        raise BadPlan("verify: to count persons, give both --original and --trail.")
    trail = Trail(options.trail) if options.trail else None
    named = read_plan(options.plan) if options.plan else None
    plan, options.k = plan_to_verify(named, trail, options.kind, options.k, options.keep_order)
    if plan is not None:
        plan = as_options_say(plan, options)
    codebook = codebook_of(options)
    found = shape_of(plan).verify(options.release, plan, options.k, options.original, trail, codebook)
    say_without_codebook(options, plan, codebook)
    if isinstance(found, NoiseProof):
        return _noise(options, found)
    assert isinstance(found, Classes)
    supported = plan is not None and options.original is not None
    reached = [{key: value for key, value in one.items() if key != "groups"} for one in found.privacy]
    if options.json:
        more: dict[str, Any] = {"support_rule": "holds" if supported and found.holds else "not checked"}
        more |= {"broken": found.broken, "not_checked": _unchecked(plan, options)}
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
        print(f"{options.release}: holds. {kept}" + (" The support rule holds." if supported else ""))
        print("\n".join(_unchecked(plan, options)), end="\n" if _unchecked(plan, options) else "")
        return 0
    why = [f"{what[:1].upper()}{what[1:]}." for what in found.broken]
    if found.m is not None:
        items = f"combinations of at most {found.m} items"
        why.insert(0, f"Fewer than {options.k} {found.counted} have {found.rare:,} of its {items}.")
    elif found.below or not why:
        why.insert(
            0,
            f"{found.below:,} of its {found.classes:,} classes have fewer than {options.k} {found.counted} "
            f"(the smallest {found.smallest:,}).",
        )
    print(f"{options.release}: does not hold. {' '.join(why)}")
    return 1

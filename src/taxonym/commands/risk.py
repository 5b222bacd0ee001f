"""taxonym risk ORIGINAL RELEASE"""

import argparse

import numpy as np

from taxonym.commands.shared import plan_of_release, show_json
from taxonym.distance.registry import distance_named
from taxonym.engine.attack import risk_of_release
from taxonym.engine.prepare import prepare
from taxonym.engine.written import Trail
from taxonym.errors import BadPlan
from taxonym.terminal import Bar


def run(options: argparse.Namespace) -> int:
    trail = Trail(options.trail) if options.trail else None
    if options.knows is not None and options.knows < 1:
        raise BadPlan(f"--knows: must be at least 1, got {options.knows}.")
    if options.measure:
        distance_named(options.measure)
    plan = plan_of_release(options, trail)
    units = prepare(options.original, plan, Bar())
    found = risk_of_release(
        options.release,
        plan,
        units,
        trail,
        np.random.default_rng(options.seed),
        measure=options.measure,
        knows=options.knows,
        progress=Bar(),
    )
    if options.json:
        return show_json(found)
    for name, title in (
        ("semantic_linkage", "knows everything and what words mean"),
        ("matching_linkage", "knows everything but compares words only"),
        ("partial_knowledge", f"knows {options.knows} items of each person"),
    ):
        if name in found:
            risk = found[name]
            print(
                f"An intruder who {title}\n"
                f"  finds the right record in {risk['dr_percent']:.2f} % of the cases (at random: "
                f"{risk['baseline_dr_percent']:.2f} %), at best with probability {risk['max_p']:.3f};\n"
                f"  {risk['records_above_1_over_k']:,} of {risk['records']:,} records are found with more than "
                f"1/k = {1 / plan.method.k:.3f}."
            )
    print(
        f"Unique records: {found['unique_records_before']:,} before, {found['unique_records_after']:,} after. "
        f"Risk of a class: at most {found['prosecutor_risk']:.3f}, on average {found['marketer_risk']:.3f}."
    )
    return 0

"""taxonym verify RELEASE -k K"""

import argparse

from taxonym.commands.shared import show_json
from taxonym.engine.prepare import prepare
from taxonym.engine.written import Trail, verify_release
from taxonym.errors import BadPlan
from taxonym.plan import read_plan
from taxonym.terminal import Bar


def run(options: argparse.Namespace) -> int:
    if options.k < 1:
        raise BadPlan(f"-k: must be at least 1, got {options.k}.")
    if bool(options.trail) != bool(options.original):
        raise BadPlan("verify: to count persons, give both --original and --trail.")
    trail = Trail(options.trail) if options.trail else None
    plan = read_plan(options.plan) if options.plan else trail.plan if trail else None
    units = prepare(options.original, plan, Bar()) if plan and options.original else None
    found = verify_release(options.release, options.k, plan, units, trail)
    if options.json:
        show_json(found.as_data() | {"support_rule": "holds" if units and found.holds else "not checked"})
        return 0 if found.holds else 1
    if found.holds:
        print(
            f"{options.release}: holds. Each of its {found.classes:,} classes has at least {options.k} {found.counted}"
            f" (the smallest {found.smallest:,})." + (" The support rule holds." if units else "")
        )
        return 0
    print(
        f"{options.release}: does not hold. {found.below:,} of its {found.classes:,} classes have fewer than "
        f"{options.k} {found.counted} (the smallest {found.smallest:,})."
    )
    return 1

"""taxonym stats INPUT --column C -o FILE"""

import argparse
from dataclasses import replace
from typing import Any

from taxonym.cli.anonymize import check_places
from taxonym.cli.shared import show_json
from taxonym.cli.terminal import Bar
from taxonym.errors import BadPlan
from taxonym.methods.noise.column import noise_columns_of
from taxonym.methods.noise.statistics import write_statistics
from taxonym.plan import Input, Noise, Plan, read_plan
from taxonym.records.column import Column
from taxonym.shapes.table.read import prepare


def run(options: argparse.Namespace) -> int:
    plan = _plan(options)
    check_places(options.input, [options.output], [options.plan, *plan.files])
    bar = Bar()
    columns, units = noise_columns_of(plan, bar), prepare(options.input, plan, bar)
    made = write_statistics(options.output, columns, units, options.frequencies, plan.method.k)
    if options.json:
        return show_json(made)
    for name, found in made["columns"].items():
        print(
            f"Column {name!r}: mean {found['mean_label']} ({found['mean']}), variance {found['variance']:.3f} over "
            f"{found['values']:,} values; {found['concepts_that_may_come_out']:,} concepts may come out."
        )
    for why, n in units.suppressed.items():
        print(f"Left out ({why}): {n:,} records.")
    print(f"Private, not for publication: {options.output}")
    return 0


def _plan(options: argparse.Namespace) -> Plan:
    """The columns that are asked for, as the plan reads them or as the options say, with noise as the method."""
    names = [name for given in options.column for name in given.split(",")]
    if options.plan:
        plan = read_plan(options.plan)
        for key in ("taxonomy", "category", "kind", "separator"):
            if getattr(options, key) is not None:
                raise BadPlan(f"--{key}: the plan says that of every column. Leave it out, or change the plan.")
        for name in names:
            if name not in plan.columns:
                raise BadPlan(f"--column: the plan has no column {name!r}. Choose among {', '.join(plan.columns)}.")
        given, measure = plan.input, plan.method.measure if isinstance(plan.method, Noise) else options.measure
        more: dict[str, Any] = {key: getattr(plan.method, key) for key in ("content", "topics", "k")}
        if isinstance(plan.method, Noise):
            more |= {"outcomes": plan.method.outcomes, "public": plan.method.public, "avoid": plan.method.avoid}
        asked = {name: _asked(plan.columns[name]) for name in names}
        if given.person in plan.columns and given.person not in asked:
            asked[given.person] = plan.columns[given.person]
    else:
        given, measure, plan, more = Input(), options.measure, None, {}
        asked = {name: _column(name, options) for name in names}
    method = Noise(measure=options.measure or measure or "", **more)
    return Plan(input=given, columns=asked, method=method, folder=plan.folder if plan else None)


def _asked(column: Column) -> Column:
    """A column of a plan, whatever it is for there; what is unknown or missing tells nothing."""
    return replace(
        column, role="quasi-identifier", mean=None, variance=None, on_unknown="suppress", on_empty="suppress"
    )


def _column(name: str, options: argparse.Namespace) -> Column:
    said: dict[str, Any] = {"kind": options.kind, "separator": options.separator, "category": options.category}
    taxonomy = tuple((options.taxonomy or "wordnet").split(","))
    more = {key: value for key, value in said.items() if value is not None}
    return Column(name=name, role="quasi-identifier", taxonomy=taxonomy, **more)

"""taxonym compare INPUT --plan PLAN -o DIR"""

import argparse
from pathlib import Path

from taxonym.cli.shared import as_options_say, show_json
from taxonym.cli.terminal import Bar
from taxonym.errors import BadPlan
from taxonym.executor.machine import cores
from taxonym.plan import Plan, read_plan, shape_named
from taxonym.render.comparison import series_of
from taxonym.sweep.comparison import Comparison
from taxonym.sweep.run import SAMPLE, compare
from taxonym.sweep.settings import SIZES


def run(options: argparse.Namespace) -> int:
    if options.plan is None and options.kind is None:
        raise BadPlan("compare: name a plan with --plan, or what the input is with --kind.")
    plan = read_plan(options.plan) if options.plan else Plan(shape=shape_named(options.kind)())
    plan = as_options_say(plan, options)
    source = options.input or (plan.located(plan.input.path) if plan.input.path else None)
    if source is None:
        raise BadPlan("compare: name the file to try settings on, or let the plan name it as input.path.")
    options.kept = options.output
    found = compare(
        source,
        plan,
        k=SIZES if options.k is None else [_whole(part) for part in _listed(options.k) or ()],
        method=_listed(options.method),
        aggregate=_listed(options.aggregate),
        measure=_listed(options.measure),
        out=options.output,
        max_risk=options.max_risk,
        sample=SAMPLE if options.sample is None else options.sample,
        seed=options.seed,
        workers=cores() if options.workers is None else options.workers,
        progress=Bar(),
    )
    if options.json:
        show_json(found.as_data())
    else:
        print("\n".join(_lines(found, Path(options.output))))
    return 0 if any(row["refused"] is None for row in found.rows) else 1


def _listed(given: str | None) -> list[str] | None:
    return None if given is None else [part.strip() for part in given.split(",") if part.strip()]


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadPlan(f"-k: must be whole numbers, such as 2,3,5,10, got {text!r}.") from None


def _share(value: float | None) -> str:
    return f"{'–':>6}" if value is None else f"{value:6.4f}"


def _lines(found: Comparison, folder: Path) -> list[str]:
    """The table for somebody who is tired; stars mark what no other setting beats."""
    names = [series_of(row) for row in found.rows]
    width = max(map(len, names))
    another = found.judges.another.measure
    heads = f"loss  {another:>13}  by lot    kept  by lot   risk %  at most  above 1/k  left out"
    lines = [f"    {'setting':<{width}}     k    {heads}"]
    for name, row in zip(names, found.rows, strict=True):
        mark = "->" if row["recommended"] else "* " if row["efficient"] else "  "
        if row["refused"] is not None:
            lines.append(f"    {name:<{width}}  {row['k']:>4}  refused: {row['refused']}")
            continue
        lines.append(
            f" {mark} {name:<{width}}  {row['k']:>4}  {row['loss']:6.4f}  {row['loss_by_another']:13.4f}  "
            f"{row['loss_of_random_groups']:6.4f}  {_share(row['information'])}  "
            f"{_share(row['information_at_random'])}  "
            f"{row['dr_percent']:7.2f}  {row['max_p']:7.3f}  {row['records_above_1_over_k']!s:>8}  "
            f"{row['left_out_persons']!s:>8}"
        )
    return [
        *lines,
        "(*: no other setting loses less at no more risk; kept: information of what persons said; by lot: the same of "
        "random groups)",
        found.reason,
        "Private, not for publication: "
        + ", ".join(str(folder / n) for n in ("comparison.csv", "comparison.json", "comparison.html")),
    ]

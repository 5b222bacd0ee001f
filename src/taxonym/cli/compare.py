"""taxonym compare INPUT --plan PLAN -o DIR"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from taxonym.cli.shared import as_options_say, dialect_of, drafted, show_json
from taxonym.cli.terminal import Bar
from taxonym.errors import BadInput, BadPlan
from taxonym.executor.machine import cores
from taxonym.io.atomic import whole_file
from taxonym.plan import Plan, check_kind, read_plan, shape_named
from taxonym.render.comparison import series_of
from taxonym.sweep.comparison import Comparison
from taxonym.sweep.run import SAMPLE, compare
from taxonym.sweep.settings import SIZES, moved, settings_of


def run(options: argparse.Namespace) -> int:
    plan = _plan(options)
    plan = as_options_say(plan, options)
    source = options.input or (plan.located(plan.input.path) if plan.input.path else None)
    if source is None:
        raise BadPlan("compare: name the file to try settings on, or let the plan name it as input.path.")
    sizes = SIZES if options.k is None else [_whole(part) for part in _listed(options.k) or ()]
    if options.take is not None:
        return _take(options, plan, sizes)
    options.left = f"settings that were finished are kept in {options.output}. Run again to go on."
    found = compare(
        source,
        plan,
        k=sizes,
        method=_listed(options.method),
        aggregate=_listed(options.aggregate),
        measure=_listed(options.measure),
        out=options.output,
        max_risk=options.max_risk,
        mine=options.mine,
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


def _plan(options: argparse.Namespace) -> Plan:
    """The plan that is named, that of a kind of data, or a drafted one, which is explained."""
    if options.plan:
        plan = read_plan(options.plan)
        check_kind(plan, options.kind)
        return plan
    if options.kind:
        return Plan(shape=shape_named(options.kind)())
    if not options.input:
        raise BadPlan("compare: name the file to try settings on, or a plan with --plan.")
    plan, notes = drafted(options.input, None, dialect_of(options))
    for line in (*notes, "This plan is used; write it to a file with 'taxonym plan' to change it:", plan.to_toml()):
        print(line, file=sys.stderr)
    return plan


def _take(options: argparse.Namespace, plan: Plan, sizes: Sequence[int]) -> int:
    """Write the plan of a setting, by its number in the table of the same command; nothing is tried."""
    every = settings_of(plan, sizes, *map(_listed, (options.method, options.aggregate, options.measure)))
    if not 1 <= options.take <= len(every.every):
        raise BadPlan(f"--take: settings are numbered from 1 to {len(every.every)}, got {options.take}.")
    setting = every.every[options.take - 1]
    if setting in every.refused:
        raise BadPlan(f"--take: setting {options.take} cannot be run: {every.refused[setting]}")
    out = Path(options.output)
    if out.is_dir():
        raise BadInput(f"{out}: is a folder. Name the file of the plan, such as -o plan.toml.")
    taken = moved(setting.plan(plan), out.parent).to_toml()
    with whole_file(out) as file:
        file.write(f"# Setting {options.take} of a comparison: {setting}\n\n{taken}".encode())
    shown = {"setting": setting.as_data(), "plan": str(out)}
    if options.json:
        return show_json(shown)
    print(f"Written: {out}: {setting}. Then: taxonym anonymize {options.input or ''} -o OUT --plan {out}")
    return 0


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
    numbered = [f"{row['number']:>3}" for row in found.rows]
    another = found.judges.another.measure
    heads = f"loss  {another:>13}  by lot    kept  by lot   risk %  at most  above 1/k  left out"
    lines = [f"         {'setting':<{width}}     k    {heads}"]
    for number, name, row in zip(numbered, names, found.rows, strict=True):
        mark = "->" if row["recommended"] else "* " if row["efficient"] else "  "
        if row["refused"] is not None:
            lines.append(f"    {number}  {name:<{width}}  {row['k']:>4}  refused: {row['refused']}")
            continue
        lines.append(
            f" {mark} {number}  {name:<{width}}  {row['k']:>4}  {row['loss']:6.4f}  {row['loss_by_another']:13.4f}  "
            f"{row['loss_of_random_groups']:6.4f}  {_share(row['information'])}  "
            f"{_share(row['information_at_random'])}  "
            f"{row['dr_percent']:7.2f}  {row['max_p']:7.3f}  {row['records_above_1_over_k']!s:>8}  "
            f"{row['left_out_persons']!s:>8}"
        )
    return [
        *lines,
        "(*: efficient: no other of the same or a larger k loses no more and keeps no less, and is better in one; "
        "kept: information of what persons said; by lot: the same of random groups)",
        found.reason,
        f"The plan of every setting is in {folder / 'plans'}; or write one with the same command, --take NUMBER and "
        "-o PLAN.",
        "Private, not for publication: "
        + ", ".join(str(folder / n) for n in ("comparison.csv", "comparison.json", "comparison.html")),
    ]

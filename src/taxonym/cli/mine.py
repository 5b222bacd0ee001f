"""taxonym mine ORIGINAL RELEASE --kind KIND"""

import argparse
from dataclasses import replace
from typing import Any

from taxonym.cli.shared import show_json, trail_of
from taxonym.errors import BadPlan
from taxonym.plan import SHAPES, Plan, read_plan, shape_named
from taxonym.records.column import one_of
from taxonym.run.release import PRIVATE_FIGURES
from taxonym.shapes.mining import Mining
from taxonym.shapes.shape import shape_of


def run(options: argparse.Namespace) -> int:
    planned = options.plan or options.trail  # only a plan tells what is in a table
    one_of("--kind", options.kind, (*SHAPES, "table") if planned else SHAPES)
    asked = Mining(seed=options.seed)
    if options.clusters:
        asked = replace(asked, clusters=_numbers(options.clusters))
    for key in ("top", "runs"):
        if (value := getattr(options, key)) is not None:
            asked = replace(asked, **{key: value})
    trail = trail_of(options)
    plan = read_plan(options.plan) if options.plan else trail.plan if trail else Plan(shape=shape_named(options.kind)())
    if plan.kind != options.kind:
        raise BadPlan(f"mine: the plan is not one for a {options.kind}. Give it a table [{options.kind}].")
    found = shape_of(plan).mine(options.original, options.release, plan, trail, asked)
    if options.json:
        return show_json({"notice": PRIVATE_FIGURES, **found})
    for one in found["tables"]:
        print("\n".join(shown(one)), end="\n\n")
    print("\n".join([*found["notes"], PRIVATE_FIGURES]))
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        raise BadPlan("--clusters: must be whole numbers with commas between them, such as 2,10,50.") from None


def shown(table: dict[str, Any]) -> list[str]:
    """A table as lines for people: words to the left, numbers to the right."""
    cells = [[_cell(value) for value in row] for row in table["rows"]]
    widths = [max(map(len, column)) for column in zip(table["columns"], *cells, strict=True)]
    words = [any(isinstance(row[i], str) for row in table["rows"]) for i in range(len(widths))]

    def line(row: list[str]) -> str:
        sides = (c.ljust(w) if left else c.rjust(w) for c, w, left in zip(row, widths, words, strict=True))
        return ("  " + "  ".join(sides)).rstrip()

    return [table["title"], line(table["columns"]), *map(line, cells)]


def _cell(value: Any) -> str:
    return (
        "–"
        if value is None
        else f"{value:.4f}"
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int)
        else str(value)
    )

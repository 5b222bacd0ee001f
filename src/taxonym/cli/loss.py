"""taxonym loss ORIGINAL RELEASE"""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taxonym.cli.noise import column_lines
from taxonym.cli.shared import codebook_of, plan_of_release, say_without_codebook, show_json, trail_of
from taxonym.cli.terminal import Bar
from taxonym.distance.attributes import MATCHINGS
from taxonym.distance.registry import distance_named
from taxonym.distance.sets import AGGREGATIONS
from taxonym.errors import BadPlan
from taxonym.plan import Plan
from taxonym.plan.documents import Documents
from taxonym.records.column import one_of
from taxonym.render.comparison import distance_of
from taxonym.shapes.shape import shape_of

if TYPE_CHECKING:
    from taxonym.shapes.codebook import Codebook
    from taxonym.shapes.table.reread import Trail

FORMS = {
    "kept": "as they are",
    "one_step": "one step up",
    "more_general": "more generally",
    "merged": "merged",
    "lost": "not at all",
}


def _found(
    options: argparse.Namespace, plan: Plan, trail: "Trail | None", codebook: "Codebook | None"
) -> dict[str, Any]:
    """What was lost, by the distance and the taxonomies of the plan or by those that the options name."""
    rng, shape = np.random.default_rng(options.seed), shape_of(plan)
    others = tuple(options.taxonomy.split(",")) if options.taxonomy and (options.plan or trail) else ()
    if others and isinstance(plan.shape, Documents):  # whose vectors are read anew
        plan, codebook = replace(plan, shape=replace(plan.shape, taxonomy=others)), None
    compared = shape.compared(options.original, options.release, plan, trail, Bar(), codebook)
    judge = compared.chosen(options.measure, options.aggregate)
    if not others:
        return compared.judged(judge, rng)
    if isinstance(plan.shape, Documents):
        return compared.judged(judge, rng) | {"taxonomies": list(others)}
    if compared.one_taxonomy:
        raise BadPlan(f"--taxonomy: {compared.one_taxonomy}")
    return compared.judged_by_taxonomies(others, judge, rng, Bar())


def run(options: argparse.Namespace) -> int:
    trail = trail_of(options)
    if options.measure:
        distance_named(options.measure)
    if options.aggregate:
        one_of("--aggregate", options.aggregate, [*AGGREGATIONS, *MATCHINGS])
    plan = plan_of_release(options, trail)
    codebook = codebook_of(options)
    found = _found(options, plan, trail, codebook)
    say_without_codebook(options, plan, codebook)
    if options.json:
        return show_json(found)
    how, judge = found["distance"], found["judged_by_another_distance"]
    if "taxonomies" in found:
        print(f"Read with {', '.join(found['taxonomies'])}, which is not what the plan names.")
    print(
        f"Over {found['records']:,} published rows, by {distance_of({'aggregate': None} | how)}:\n"
        f"  mean distance to the original   {found['mean']:.4f}   (a random record: "
        f"{found['mean_to_a_random_record']:.4f}, an exact copy: 0)"
    )
    if "ssa" in found:  # of vectors
        print(
            f"  sums of squares, SSE and SSA    {found['sse']:,.2f}, {found['ssa']:,.2f}   (L: {found['L'] or 0:.1f} %)"
        )
    else:
        share = found["sse_of_sst_percent"]
        print(
            f"  sum of distances                {found['sum']:,.2f}\n"
            f"  sum of squared distances, SSE   {found['sse']:,.2f}"
            + (f"   ({share:.1f} % of SST)" if share else "")
            + "\n"
            f"  L of Batet2014, eq. 8           {found['batet2014_L']:,.0f}   (of unchanged data: "
            f"{found['batet2014_L_of_unchanged_data']:,.0f})"
        )
    print(f"  mean by {judge['measure']:<24}{judge['mean']:.4f}")
    if columns := found.get("columns"):
        print("  mean in each part               " + ", ".join(f"{name} {far:.3f}" for name, far in columns.items()))
    for name, left in found.get("survival", {}).items():
        if left["information"] is not None:
            forms = (f"{left[key]:.1f} {said}" for key, said in FORMS.items())
            print(
                f"  what survives of {name!r}: information kept {left['information']:.3f} (a random published record: "
                f"{left['information_at_random']:.3f});\n"
                f"    of 100 things said {', '.join(forms)};\n"
                f"    of 100 published ones {left['true'] or 0:.1f} are true of their person"
            )
    if classic := found.get("generalisation"):
        entropy = classic["non_uniform_entropy_percent"]
        print(
            f"  steps that a value rises        {classic['steps_per_value']:.4f}   (precision "
            f"{classic['precision']:.4f})\n"
            f"  certainty penalty, NCP          {classic['ncp_percent']:.2f} %\n"
            f"  non-uniform entropy             {'–' if entropy is None else f'{entropy:.2f} %'}\n"
            f"  discernibility, DM              {classic['discernibility']:,}   (classes of "
            f"{classic['mean_class_size']:.1f} on average)"
        )
    for column in found.get("noise", ()):
        print("\n".join(column_lines(column)))
    for name, count in found["words_without_meaning"].items():
        print(f"  column {name!r}: {count:,} words of the release have no concept and were not counted")
    return 0

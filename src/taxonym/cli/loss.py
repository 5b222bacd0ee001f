"""taxonym loss ORIGINAL RELEASE"""

import argparse

import numpy as np

from taxonym.cli.noise import column_lines
from taxonym.cli.shared import codebook_of, plan_of_release, say_without_codebook, show_json, trail_of
from taxonym.cli.terminal import Bar
from taxonym.render.comparison import distance_of
from taxonym.shapes.shape import shape_of

FORMS = {
    "kept": "as they are",
    "one_step": "one step up",
    "more_general": "more generally",
    "merged": "merged",
    "lost": "not at all",
}


def run(options: argparse.Namespace) -> int:
    trail = trail_of(options)
    plan = plan_of_release(options, trail)
    codebook = codebook_of(options)
    compared = shape_of(plan).compared(options.original, options.release, plan, trail, Bar(), codebook)
    found = compared.loss(np.random.default_rng(options.seed))
    say_without_codebook(options, plan, codebook)
    if options.json:
        return show_json(found)
    how, judge = found["distance"], found["judged_by_another_distance"]
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

"""taxonym risk ORIGINAL RELEASE"""

import argparse
from typing import Any

import numpy as np

from taxonym.cli.shared import codebook_of, plan_of_release, say_without_codebook, show_json, trail_of
from taxonym.cli.terminal import Bar
from taxonym.cli.verify import reached_in
from taxonym.distance.attributes import MATCHINGS
from taxonym.distance.registry import distance_named
from taxonym.distance.sets import AGGREGATIONS
from taxonym.errors import BadPlan
from taxonym.plan import Noise
from taxonym.records.column import one_of
from taxonym.run.attack import Intruder, risk_of_release
from taxonym.run.release import PRIVATE_FIGURES
from taxonym.shapes.shape import shape_of


def run(options: argparse.Namespace) -> int:
    trail = trail_of(options)
    for name in ("knows", "sample"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise BadPlan(f"--{name}: must be at least 1, got {value}.")
    if options.taxonomy and (options.plan or options.trail):
        raise BadPlan(
            "--taxonomy: the plan or the trail says by which the release was made. Leave it out, or name those of an "
            "intruder with --intruder-taxonomy."
        )
    if options.measure:
        distance_named(options.measure)
    if options.aggregate:
        one_of("--aggregate", options.aggregate, [*AGGREGATIONS, *MATCHINGS])
    plan = plan_of_release(options, trail)
    codebook = codebook_of(options)
    compared = shape_of(plan).compared(options.original, options.release, plan, trail, Bar(), codebook)
    intruder = Intruder(
        measure=options.measure,
        aggregate=options.aggregate,
        knows=options.knows,
        file=options.intruder,
        taxonomies=tuple(options.intruder_taxonomy.split(",")) if options.intruder_taxonomy else None,
        sample=options.sample,
        one_to_one=options.one_to_one,
    )
    rng = np.random.default_rng(options.seed)
    found = risk_of_release(compared, rng, intruder, Bar())
    say_without_codebook(options, plan, codebook)
    if options.json:
        return show_json({"notice": PRIVATE_FIGURES, **found})
    if isinstance(plan.method, Noise):
        print(f"This release was made by noise, which promises no k; k = {plan.method.k} below is a yardstick only.")
    print("\n".join([*_lines(found, plan.method.k), PRIVATE_FIGURES]))
    return 0


def _lines(found: dict[str, Any], k: int) -> list[str]:
    """The figures for somebody who is tired."""
    known = "what his file says" if "intruder_file" in found else "everything"
    partial = found.get("partial_knowledge", {})
    items = partial.get("items")
    lines = []
    for name, title in (
        ("semantic_linkage", f"knows {known} and what words mean"),
        ("matching_linkage", f"knows {known} but compares words only"),
        ("one_to_one_linkage", f"knows {known} and gives every person a row of its own"),
        ("partial_knowledge", f"knows {items} random item{'s' * (items != 1)} of each person"),
    ):
        if name in found:
            lines += _linked(title, found[name], k)
    if partial:
        lines += _learned(partial, k)
    if "intruder_file" in found:
        lines += _file(found["intruder_file"])
    return lines + _classes(found, k) + _combinations(found, k) + _attributes(found)


def _linked(title: str, risk: dict[str, Any], k: int) -> list[str]:
    interval = risk["dr_percent_interval_95"]
    sample = f" (from a sample: {interval[0]:.2f} to {interval[1]:.2f} %)" if interval else ""
    return [
        f"An intruder who {title}",
        f"  finds the right record in {risk['dr_percent']:.2f} % of the cases{sample} (at random: "
        f"{risk['baseline_dr_percent']:.2f} %), at best with probability {risk['max_p']:.3f};",
        f"  {risk['records_above_1_over_k']:,} of {risk['records']:,} records are found with more than "
        f"1/k = {1 / k:.3f}.",
    ]


def _learned(partial: dict[str, Any], k: int) -> list[str]:
    inside, outside = (partial["learned"][name] for name in ("in_release", "not_in_release"))
    lines = [
        f"  With the worst items: probability {partial['worst_p']:.3f}; "
        f"{partial['records_above_1_over_k_in_any_draw']:,} records with more than {1 / k:.3f}."
    ]
    if inside["precision"] is not None:
        other = "" if outside is None else f"of persons who are not in the release {_percent(outside['precision'])}, "
        lines.append(
            f"  What else he believes is true in {_percent(inside['precision'])} of the cases ({other}"
            f"of the most frequent concepts {_percent(inside['naive_precision'])})."
        )
    return lines


def _file(file: dict[str, Any]) -> list[str]:
    inside, outside = (_count(file[f"persons_{name}in_release"]) for name in ("", "not_"))
    lines = [f"His file: {inside} persons in the release, {outside} who are not."]
    if file["membership_auc"] is not None:
        lines.append(
            f"  Who is in it he tells with an AUC of {file['membership_auc']:.3f} (0.5: not at all, 1: always)."
        )
    return lines


def _classes(found: dict[str, Any], k: int) -> list[str]:
    return [
        f"Unique records: {found['unique_records_before']:,} before, {found['unique_records_after']:,} after. Classes "
        f"have {found['smallest_class_persons']:,} to {found['largest_class_persons']:,} persons.",
        f"Risk by classes: at most {found['prosecutor_risk']:.3f}, on average {found['prosecutor_risk_mean']:.3f}; for "
        f"who looks for anybody at most {found['journalist_risk']:.3f}, on average {found['marketer_risk']:.3f} "
        f"(population: {found['population']}).",
    ]


def _combinations(found: dict[str, Any], k: int) -> list[str]:
    if "k_m" not in found:
        return []
    lines = [f"Persons with items together that fewer than {k} persons have:"]
    for of, after in zip(found["k_m"]["original"]["sizes"], found["k_m"]["release"]["sizes"], strict=False):
        items = f"{of['items']} item{'s' * (of['items'] > 1)}"
        lines.append(f"  {items}: {of['persons_exposed']:,} before, {after['persons_exposed']:,} after.")
    return lines


def _attributes(found: dict[str, Any]) -> list[str]:
    return [reached_in(one) for one in found.get("attribute_disclosure", {}).values()]


def _count(persons: int | str) -> str:
    return persons if isinstance(persons, str) else f"{persons:,}"


def _percent(share: float | None) -> str:
    return "no case" if share is None else f"{100 * share:.1f} %"

"""Groups and what they publish, on one machine."""

from dataclasses import replace

import numpy as np

from taxonym.distance.record import record_matrix
from taxonym.distance.sets_matrix import free_memory
from taxonym.engine.outcome import Outcome, compare_of, parts_of
from taxonym.engine.prepare import Units
from taxonym.engine.promises import Watch
from taxonym.errors import BadInput, BrokenPromise
from taxonym.group.registry import grouping_named
from taxonym.mask.centroid import Published
from taxonym.mask.fit import WORK, fitted, work
from taxonym.mask.publish import Chosen, Support, choose, chosen_of, rule_of, veil, words_for
from taxonym.mask.support import Rule
from taxonym.plan import EQUAL_TERMS, Plan
from taxonym.progress import SILENCE, Progress


def form_groups(units: Units, plan: Plan, progress: Progress = SILENCE) -> list[list[int]]:
    """Groups of units, block by block."""
    form, k = grouping_named(plan.method.name).form, plan.method.k
    raw = plan.method.measure == EQUAL_TERMS
    parts, how = parts_of(units.columns, raw), compare_of(plan)
    groups: list[list[int]] = []
    for number in np.unique(units.block).tolist():
        rows = np.flatnonzero(units.block == number)
        need = len(rows) ** 2 * (2 if len(parts) == 1 else 6)
        if need > 0.9 * free_memory():
            raise BadInput(
                f"{units.table.where}: {len(rows):,} records need {need / 1e9:,.0f} GB for the distances between them, "
                f"more than this machine has free. Divide the table, or give it an 'other' column that does."
            )
        progress.start(f"distances of {len(rows):,} records")
        matrix = record_matrix(parts, rows, how)
        progress.finish()
        progress.start(f"groups of at least {k}")
        groups += [rows[group].tolist() for group in form(matrix, k)]
        progress.finish()
    return groups


# ---------------------------------------------------------------------- publish


def publish(
    units: Units,
    groups: list[list[int]],
    plan: Plan,
    rng: np.random.Generator,
    progress: Progress = SILENCE,
    watch: Watch | None = None,
) -> Outcome:
    """One record per group, as concepts and as words; what nothing is left of is suppressed.

    Where l or t are promised, groups are merged until they hold for what is published; `watch` is what is watched then.
    """
    watch = watch or Watch.promised(units, plan, progress)
    method = plan.method
    per_record = method.representative == "per-record"
    plain = method.representative == "medoid"  # as in the paper, without the support rule
    k = 1 if plain else method.k
    progress.start("who holds what")
    supports = [Support.of(words, units.persons, k) for words in units.words]
    progress.finish()
    rule = Rule(k=k, known_items=0 if plain else method.together, consensus=method.consensus)
    name = "best" if per_record else method.representative
    chosen: list[Chosen] | None = None
    if name == "best" and _may_fit(units, plan) and work(supports[0].holders, groups) <= WORK:
        groups, parts = _fitted(units, groups, supports[0], rule, plan, progress)
        chosen = [chosen_of(parts)]

    def told(groups: list[list[int]], chosen: list[Chosen]) -> tuple[list[list[int]], list[Chosen]]:
        """What is left to publish; groups without any concept are suppressed."""
        if not plain:
            chosen = veil(supports, groups, chosen, method.topic_share)
        kept = [g for g in range(len(groups)) if not supports or any(column.concepts[g] for column in chosen)]
        if len(kept) < len(groups):
            groups = [groups[g] for g in kept]
            chosen = [replace(column, concepts=[column.concepts[g] for g in kept]) for column in chosen]
        return groups, chosen

    grouped = groups
    groups = groups if watch is None else watch.keep(groups, progress=progress)
    if chosen is None or groups != grouped:
        chosen = choose(supports, groups, rule, name, compare_of(plan), progress)
    groups, chosen = told(groups, chosen)
    while watch is not None and groups and (merged := watch.keep(groups, progress=progress)) != groups:
        groups, chosen = told(merged, choose(supports, merged, rule, name, compare_of(plan), progress))
    if lost := {u for group in grouped for u in group} - {u for group in groups for u in group}:
        units.suppressed["no concept that enough persons share"] = len({int(units.persons[u]) for u in lost})
    if not groups:
        raise BrokenPromise(
            f"{units.table.where}: no group has a concept that {method.k} persons share, so nothing is left. "
            f"Choose a smaller k or known_items."
        )
    words = [
        words_for(support, groups, column.concepts, k, rng, per_record)
        for support, column in zip(supports, chosen, strict=True)
    ]
    return Outcome(plan, units, groups, supports, chosen, words)


def _may_fit(units: Units, plan: Plan) -> bool:
    """Whether groups are fitted to what they publish: for the users' method, where one set of words is all there is."""
    only = len(units.columns) == len(units.words) == 1 and units.words[0].column.kind != "nominal"
    return plan.method.name == "refined" and plan.method.fit and only and not compare_of(plan).by_attributes


def _fitted(
    units: Units, groups: list[list[int]], support: Support, rule: Rule, plan: Plan, progress: Progress
) -> tuple[list[list[int]], list[Published]]:
    how = compare_of(plan)
    return fitted(
        support.holders,
        groups,
        rule_of(rule, support),
        aggregate=how.aggregate,
        measure=how.measure,
        content=how.content,
        blocks=units.block,
        progress=progress,
    )

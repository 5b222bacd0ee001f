"""Masking by generalisation: nothing is published that is not true of everybody it is published for."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from taxonym.errors import BadPlan, BrokenPromise
from taxonym.executor.context import Context
from taxonym.io.progress import SILENCE, Progress
from taxonym.knowledge.arrays import Codes, Groups, Long
from taxonym.methods.closeness import ConfidentialRule
from taxonym.methods.microaggregation import supports_of
from taxonym.methods.published_groups import PublishedGroups
from taxonym.methods.whole_row import RowColumns, WholeRows, settle_rows
from taxonym.plan import Generalization, Plan
from taxonym.promises import main_promise
from taxonym.publish.generalize.full_domain import recode_full_domain
from taxonym.publish.generalize.items import recode_items
from taxonym.publish.generalize.local import recode_local
from taxonym.publish.generalize.recoding import Recoding, RecodingColumn
from taxonym.publish.generalize.topdown import covers, recode_sets
from taxonym.publish.groups import ColumnRepresentatives, Support, veil
from taxonym.publish.wording import one_name
from taxonym.records.records import Records
from taxonym.records.thresholds import Thresholds

TO_GENERALISE_LESS = "left out to generalise less"  # why persons' records are left out
NOTHING_IN_COMMON = "no generalisation in common"


def generalized(units: Records, plan: Plan, context: Context, watch: ConfidentialRule | None = None) -> PublishedGroups:
    """Every value becomes itself or one of its generalisations, so that the promise holds at the least cost.

    Where l or t are promised, groups are merged until they hold, and publish what they have in common then.
    """
    progress = context.progress
    progress.start("who holds what")
    secret = Thresholds.of_run(plan.method.k, plan.method.support_threshold, context.rng)
    supports = supports_of(units, plan.method.k, secret)
    alone = main_promise(plan).whole_records  # else every item is recoded alike, which must stay so
    distinct = plan.method.distinct_items
    rows = RowColumns(units, plan.method.k, plan.method.together, supports, distinct=distinct, common_items=not alone)
    progress.finish()
    columns = recoding_columns(supports)
    recoded = recode(columns, units.block, plan, progress)
    lots = context.rng.random(len(rows.unit_of_row))

    def told(groups: Groups, concepts: Sequence[tuple[Codes, ...]] | None = None) -> WholeRows:
        """What is left to publish; groups that have nothing in common are suppressed."""
        if concepts is None:
            concepts = covers(columns, groups, Generalization.of(plan).cost)
        groups, concepts = _told(groups, concepts, units.block)
        chosen = [ColumnRepresentatives([shown[c] for shown in concepts]) for c, _ in enumerate(columns)]
        return settle_rows(rows, groups, veil(supports, groups, chosen, plan.method.topic_share), lots, progress)

    groups, concepts = _told(recoded.groups, recoded.concepts, units.block)
    merged = groups if watch is None else watch.keep(groups, progress=progress, final=False)
    whole = told(merged, concepts if merged == groups else None)
    if watch is not None:
        whole = watch.kept_rows(whole, told, progress)
    lost = {row for group in recoded.groups for row in group} - {row for group in whole.groups for row in group}
    reasons = {TO_GENERALISE_LESS: recoded.suppressed, NOTHING_IN_COMMON: sorted(lost)}
    left_out = {why: len(np.unique(units.persons[rows])) for why, rows in reasons.items() if rows}
    if not whole.groups:
        fix = "Choose a smaller k or known_items" if not main_promise(plan).whole_records else "Choose a smaller k"
        raise BrokenPromise(
            f"{units.table.where}: {plan.method.k} records have nothing in common that could be published, so nothing "
            f"is left. {fix}, or a taxonomy whose top levels say more."
        )
    words = [
        _named(support, whole.groups, column, plan.method.k, context.rng)
        for support, column in zip(whole.supports, whole.chosen, strict=True)
    ]
    return PublishedGroups(plan, units, whole, words, _searched(recoded, supports, plan), left_out=left_out)


def _searched(recoded: Recoding, supports: Sequence[Support], plan: Plan) -> dict[str, Any]:
    """How good the recoding is that was found, before l and t asked for more."""
    found = {
        "cost_in": Generalization.of(plan).cost,
        "cost": recoded.cost,
        "no_recoding_costs_less_than": recoded.bound,
        "is_the_cheapest": recoded.cheapest,
    }
    if recoded.levels is not None:
        names = (support.words.column.name for support in supports)
        found["levels"] = dict(zip(names, map(int, recoded.levels), strict=True))
    return found


def _told(groups: Groups, concepts: Sequence[tuple[Codes, ...]], block: Long) -> tuple[Groups, list[tuple[Codes, ...]]]:
    """The groups that publish something at all, those that publish the same united."""
    found: dict[tuple[int, tuple[Codes, ...]], list[int]] = {}
    for group, shown in zip(groups, concepts, strict=True):
        if any(shown):
            found.setdefault((int(block[group[0]]), shown), []).extend(group)
    return [sorted(group) for group in found.values()], [shown for _, shown in found]


def _values(support: Support) -> RecodingColumn:
    """A column as it is generalised. The root of a taxonomy goes without saying: a set leaves it out."""
    words, tax, allowed = support.words, support.words.tax, support.printable
    if words.column.kind != "nominal":
        allowed = allowed & ((np.diff(tax.parent_start) > 0) | (np.diff(tax.child_start) == 0))
    return RecodingColumn(words.start, words.codes, tax, allowed, words.column.weight)


def recoding_columns(supports: Sequence[Support]) -> list[RecodingColumn]:
    """The columns as they are generalised."""
    return [_values(support) for support in supports]


def recode(columns: Sequence[RecodingColumn], block: Long, plan: Plan, progress: Progress = SILENCE) -> Recoding:
    """The cheapest recoding that could be found, by the plan's way to recode; records of a block may be made alike."""
    method, nominal = Generalization.of(plan), all(column.nominal for column in columns)
    if method.recoding == "items":
        return recode_items(columns, method.k, method.together, block=block, cost=method.cost, progress=progress)
    if method.recoding == "full-domain" and not nominal:
        raise BadPlan(
            "method.recoding: whole columns rise to one level only where each record has one value. For sets choose "
            "'local' (equal records of at least k persons) or 'items' (every item alike: k^m)."
        )
    search = recode_full_domain if method.recoding == "full-domain" else recode_local if nominal else recode_sets
    return search(columns, method.k, block=block, cost=method.cost, suppress=method.suppress, progress=progress)


def _named(
    support: Support, groups: Groups, column: ColumnRepresentatives, k: int, rng: np.random.Generator
) -> list[list[tuple[str, ...]]]:
    """One word for each concept wherever it stands, so that what is alike stays alike; shuffled in every group."""
    words = support.words
    name = {
        code: one_name(words.tax, code, support.terms, k, words.maps_to)
        for code in sorted({code for codes in column.concepts for code in codes})
    }
    made = []
    for group, codes in zip(groups, column.concepts, strict=True):
        cell = tuple(name[codes[i]] for i in rng.permutation(len(codes)).tolist())
        made.append([cell] * len(group))
    return made

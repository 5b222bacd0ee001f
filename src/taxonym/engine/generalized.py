"""Masking by generalisation: nothing is published that is not true of everybody it is published for."""

from collections.abc import Sequence

import numpy as np

from taxonym.engine.outcome import Outcome
from taxonym.engine.prepare import Units
from taxonym.errors import BadPlan, BrokenPromise
from taxonym.mask.generalize.full_domain import recode_full_domain
from taxonym.mask.generalize.items import recode_items
from taxonym.mask.generalize.local import recode_local
from taxonym.mask.generalize.recoded import Recoded, Values
from taxonym.mask.generalize.topdown import recode_sets
from taxonym.mask.publish import Chosen, Support, veil
from taxonym.mask.support import Long
from taxonym.mask.synthesis import one_name
from taxonym.plan import Plan
from taxonym.progress import SILENCE, Progress


def generalized(units: Units, plan: Plan, rng: np.random.Generator, progress: Progress = SILENCE) -> Outcome:
    """Every value becomes itself or one of its generalisations, so that the promise holds at the least cost."""
    progress.start("who holds what")
    supports = [Support.of(words, units.persons, plan.method.k) for words in units.words]
    progress.finish()
    columns = [Values(s.words.tax, s.words.start, s.words.codes, s.printable, s.words.column.weight) for s in supports]
    recoded = recode(columns, units.block, plan, progress)
    groups = recoded.groups
    chosen = [_chosen(recoded, column, c) for c, column in enumerate(columns)]
    chosen = veil(supports, groups, chosen, plan.method.topic_share)
    empty = {g for g in range(len(groups)) if not any(column.concepts[g] for column in chosen)}
    lost = [row for g in sorted(empty) for row in groups[g]]
    for why, which in (("left out to generalise less", recoded.suppressed), ("no generalisation in common", lost)):
        if which:
            units.suppressed[why] = len(np.unique(units.persons[which]))
    kept = [g for g in range(len(groups)) if g not in empty]
    if not kept:
        raise BrokenPromise(
            f"{units.table.where}: {plan.method.k} records have nothing in common that could be published, so nothing "
            f"is left. Choose a smaller k, or a taxonomy with one root."
        )
    chosen = [Chosen([c.concepts[g] for g in kept], c.raised, c.dropped, 0, c.veiled) for c in chosen]
    groups = [groups[g] for g in kept]
    words = [_named(s, groups, column, plan.method.k, rng) for s, column in zip(supports, chosen, strict=True)]
    return Outcome(plan, units, groups, supports, chosen, words)


def recode(columns: Sequence[Values], block: Long, plan: Plan, progress: Progress = SILENCE) -> Recoded:
    """The cheapest recoding that could be found, by the plan's way to recode; records of a block may be made alike."""
    method, nominal = plan.method, all(column.nominal for column in columns)
    if method.recoding == "items":
        return recode_items(columns, method.k, method.together, block=block, cost=method.cost, progress=progress)
    if method.recoding == "full-domain" and not nominal:
        raise BadPlan(
            "method.recoding: whole columns rise to one level only where each record has one value. For sets choose "
            "'local' (equal records of at least k persons) or 'items' (every item alike: k^m)."
        )
    search = recode_full_domain if method.recoding == "full-domain" else recode_local if nominal else recode_sets
    return search(columns, method.k, block=block, cost=method.cost, suppress=method.suppress, progress=progress)


def _chosen(recoded: Recoded, column: Values, c: int) -> Chosen:
    """What the groups publish in one column, and how many items of their records rose or are not there any more."""
    concepts = [published[c] for published in recoded.concepts]
    raised = dropped = 0
    for group, codes in zip(recoded.groups, concepts, strict=True):
        published = set(codes)
        for row in group:
            for item in column.record(row):
                if item not in published:
                    above = published.isdisjoint(column.tax.ancestors(item))
                    raised, dropped = raised + (not above), dropped + above
    return Chosen(concepts, raised, dropped, 0)


def _named(
    support: Support, groups: Sequence[Sequence[int]], column: Chosen, k: int, rng: np.random.Generator
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

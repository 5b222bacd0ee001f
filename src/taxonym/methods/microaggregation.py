"""Groups and what they publish, on one machine."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taxonym.distance.record import Sets, record_matrix
from taxonym.distance.sets_matrix import MOST_MEMORY
from taxonym.errors import BrokenPromise
from taxonym.executor.context import Context
from taxonym.group.blocks import form_in_blocks
from taxonym.group.registry import grouping_named
from taxonym.io.progress import Progress
from taxonym.knowledge.arrays import Long
from taxonym.measure.diversity import members
from taxonym.methods.blocks import GroupBlock, published_in_blocks
from taxonym.methods.closeness import ConfidentialRule
from taxonym.methods.published_groups import PublishedGroups
from taxonym.plan import EQUAL_TERMS, Microaggregation, Plan
from taxonym.publish.fit import WORK, fitted, work
from taxonym.publish.groups import (
    ColumnRepresentatives,
    Support,
    choose,
    chosen_of,
    rule_of,
    veil,
    with_concepts,
    words_for,
)
from taxonym.publish.representative import GroupConcepts
from taxonym.records.order import cell_hashes
from taxonym.records.records import Records, parts_of
from taxonym.records.support import Rule

NO_SHARED = "no concept that enough persons share"  # why persons' records are left out
EXACT = 20_000  # units with equal `other` columns: more are grouped in blocks, unless the plan says otherwise


@dataclass(frozen=True, slots=True, eq=False)
class RecordGroups:
    """Groups of units, and how many blocks they were formed in where all distances at once were too many."""

    by_block: list[GroupBlock]
    largest: int = 0  # units in a block, where all distances were too many
    exact: float = 0  # bytes that all distances would have taken

    @property
    def groups(self) -> list[list[int]]:
        return [group for piece in self.by_block for group in piece.groups]

    def as_data(self) -> dict[str, Any] | None:
        """What the report tells; None where the groups are exact."""
        return told_blocks(len(self.by_block), self.largest, self.exact) if self.largest else None


def told_blocks(count: int, largest: int, need: float) -> dict[str, Any]:
    """What a report says of blocks. Two digits of the bytes that all distances need do not tell how many records."""
    return {"count": count, "largest": largest, "exact_would_need_gb": float(f"{need / 1e9:.2g}")}


def memory_of(records: int, columns: int, concepts: int) -> int:
    """What all distances between so many records take, with the work, where the column with most different concepts has
    so many: see record_matrix and distance_matrix."""
    return records * records * (2 if columns == 1 else 6) + min(MOST_MEMORY, 2 * records * concepts)


def microaggregated(
    units: Records, plan: Plan, context: Context, watch: ConfidentialRule | None = None
) -> PublishedGroups:
    """Groups of at least k, each of which publishes one record."""
    found = formed(units, plan, context)
    return replace(publish(units, found, plan, context, watch), blocks=found.as_data())


def formed(units: Records, plan: Plan, context: Context) -> RecordGroups:
    """Groups of units with equal `other` columns, from all distances between these, or in blocks where the plan wants
    blocks or lets us choose and these units are many or their distances do not fit into memory."""
    method, where, machine, progress = Microaggregation.of(plan), units.table.where, context.machine, context.progress
    form, k = grouping_named(method.name).form, method.k
    parts, how = parts_of(units.columns, method.measure == EQUAL_TERMS), plan.method.compare
    pieces: list[GroupBlock] = []
    largest = exact = 0
    concepts = max((len(np.unique(part.codes)) for part in parts if isinstance(part, Sets)), default=0)

    for rows in members(units.block):
        need = memory_of(len(rows), len(parts), concepts)
        many = len(rows) > EXACT or need > machine.left
        if method.blocks == "always" or (method.blocks == "auto" and many):
            each = memory_of(min(len(rows), 3 * max(method.block_size, 4 * k) // 2), len(parts), concepts)
            fit = machine.fitting(each, where, f"a block of {method.block_size:,} records")
            other = _other(units, rows)
            found = form_in_blocks(
                parts, rows, how, k, form,
                target=method.block_size, passes=method.passes, executor=context.executor(fit),
                name=f"groups-{other:016x}",
            )  # fmt: skip
            pieces += [GroupBlock((other, i), groups) for i, groups in enumerate(found.by_block)]
            largest = max(largest, found.largest)
            exact = max(exact, need if found.blocks > 1 else 0)
            continue
        machine.check(need, where, f"the distances between {len(rows):,} records")
        progress.start(f"distances of {len(rows):,} records")
        matrix = record_matrix(parts, rows, how, machine.workers)
        progress.finish()
        progress.start(f"groups of at least {k}")
        pieces.append(GroupBlock((_other(units, rows), 0), [rows[group].tolist() for group in form(matrix, k)]))
        largest = max(largest, len(rows))
        progress.finish()
    return RecordGroups(pieces, largest if exact else 0, exact)


def _other(units: Records, rows: Long) -> int:
    """A number for what these units have in their `other` columns; rows of one block have the same."""
    columns = [c for c in units.table.columns.values() if c.role == "other"]
    return int(cell_hashes(units.table, columns, units.records[int(rows[0])][:1])[0])


# ---------------------------------------------------------------------- publish


def publish(
    units: Records, found: RecordGroups, plan: Plan, context: Context, watch: ConfidentialRule | None = None
) -> PublishedGroups:
    """One record per group, as concepts and as words; groups with nothing left to publish are suppressed.

    Where l or t are promised, groups are merged until they hold for what is published; `watch` is what is watched then.
    Groups formed in blocks choose what they publish there, too, and so do those of very many records, unless the plan
    wants no blocks or something has to be seen as a whole.
    """
    progress = context.progress
    watch = watch or ConfidentialRule.promised(units, plan, progress)
    method, groups = Microaggregation.of(plan), found.groups
    per_record = method.representative == "per-record"
    plain = method.representative == "medoid"  # as in the paper, without the support rule
    k = 1 if plain else method.k
    progress.start("who holds what")
    supports = [Support.of(words, units.persons, k) for words in units.words]
    progress.finish()
    many = found.largest or (len(units) > EXACT and method.blocks != "never")
    if many and watch is None and not plain and supports:  # without words there is nothing to choose
        outcome = published_in_blocks(units, found.by_block, plan, context, supports)
        return replace(outcome, left_out=left_out(units, found.groups, outcome.groups, plan))
    rule = Rule(k=k, known_items=0 if plain else method.together, consensus=method.consensus)
    name = "best" if per_record else method.representative
    chosen: list[ColumnRepresentatives] | None = None
    if name == "best" and _may_fit(units, plan) and work(supports[0].holders, groups, WORK) <= WORK:
        groups, parts = _fitted(units, groups, supports[0], rule, plan, progress)
        chosen = [chosen_of(parts)]

    def told(
        groups: list[list[int]], chosen: list[ColumnRepresentatives]
    ) -> tuple[list[list[int]], list[ColumnRepresentatives]]:
        """What is left to publish; groups without any concept are suppressed."""
        if not plain:
            chosen = veil(supports, groups, chosen, method.topic_share)
        return with_concepts(groups, chosen)

    grouped = groups
    groups = groups if watch is None else watch.keep(groups, progress=progress)
    if chosen is None or groups != grouped:
        chosen = choose(supports, groups, rule, name, plan.method.compare, progress)
    groups, chosen = told(groups, chosen)
    while watch is not None and groups and (merged := watch.keep(groups, progress=progress)) != groups:
        groups, chosen = told(merged, choose(supports, merged, rule, name, plan.method.compare, progress))
    lost = left_out(units, grouped, groups, plan)
    words = [
        words_for(support, groups, column.concepts, k, context.rng, per_record)
        for support, column in zip(supports, chosen, strict=True)
    ]
    return PublishedGroups(plan, units, groups, supports, chosen, words, left_out=lost)


def left_out(units: Records, before: list[list[int]], groups: list[list[int]], plan: Plan) -> dict[str, int]:
    """How many persons' records are left out because no concept is left to publish; raise if nobody's are left."""
    if not groups:
        raise BrokenPromise(
            f"{units.table.where}: no group has a concept that {plan.method.k} persons share, so nothing is left. "
            f"Choose a smaller k or known_items."
        )
    lost = {u for group in before for u in group} - {u for group in groups for u in group}
    return {NO_SHARED: len({int(units.persons[u]) for u in lost})} if lost else {}


def _may_fit(units: Records, plan: Plan) -> bool:
    """Whether groups are fitted to what they publish: for the users' method, where one set of words is all there is."""
    only = len(units.columns) == len(units.words) == 1 and units.words[0].column.kind != "nominal"
    return (
        plan.method.name == "refined"
        and Microaggregation.of(plan).fit
        and only
        and not plan.method.compare.by_attributes
    )


def _fitted(
    units: Records, groups: list[list[int]], support: Support, rule: Rule, plan: Plan, progress: Progress
) -> tuple[list[list[int]], list[GroupConcepts]]:
    how = plan.method.compare
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

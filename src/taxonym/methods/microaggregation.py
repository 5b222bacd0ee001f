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
from taxonym.knowledge.arrays import Groups, Long
from taxonym.measure.diversity import members
from taxonym.methods.blocks import GroupBlock, block_draws, block_lots, chosen_in_blocks
from taxonym.methods.blockwise import entropy_of
from taxonym.methods.closeness import ConfidentialRule
from taxonym.methods.published_groups import PublishedGroups
from taxonym.methods.shared_values import with_mixed_values
from taxonym.methods.whole_row import RowColumns, WholeRows, WordDraws, settle_rows, words_of
from taxonym.plan import EQUAL_TERMS, Microaggregation, Plan
from taxonym.publish.fit import WORK, fitted, work
from taxonym.publish.groups import (
    Support,
    choose,
    rule_of,
    veil,
)
from taxonym.publish.objective import by_person, sized_objective
from taxonym.records.order import cell_hashes
from taxonym.records.records import Records, parts_of
from taxonym.records.support import Rows, Rule
from taxonym.records.thresholds import Thresholds

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
    form, k = grouping_named(method.name).forming(method), method.k
    parts, how = [*parts_of(units.columns, method.measure == EQUAL_TERMS), *units.row_counts], plan.method.compare
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
    secret = Thresholds.of_run(k, "k" if plain else method.support_threshold, context.rng)
    supports = supports_of(units, k, secret)
    columns = RowColumns(units, method.k, method.together, supports, supported=not plain, antichain=True)
    progress.finish()
    many = found.largest or (len(units) > EXACT and method.blocks != "never")
    if many and watch is None and not plain:
        pieces = [replace(p, groups=with_mixed_values(units, p.groups, plan)) for p in found.by_block]
        wished = chosen_in_blocks(units, pieces, plan, context, supports)
        entropy = entropy_of(context.rng)
        whole = settle_rows(columns, *wished, block_lots(units, pieces, entropy), progress)
        draws = block_draws(units, pieces, whole.groups, entropy)
        words = words_of(whole, k, draws, per_record, words_alike(plan))
        lost = left_out(units, groups, whole.groups, plan)
        return PublishedGroups(plan, units, whole, words, left_out=lost)
    rule = Rule(k=k, known_items=0 if plain else method.together, consensus=method.consensus)
    name = "best" if per_record else method.representative
    grouped = groups
    if name == "best":
        groups = fitted_groups(units, groups, plan, supports, rule, progress)

    lots = context.rng.random(len(columns.unit_of_row))

    def told(groups: Groups) -> WholeRows:
        """What is left to publish; groups that have nothing left to say are suppressed."""
        chosen = choose(supports, groups, rule, name, plan.method.compare, progress)
        if not plain:
            chosen = veil(supports, groups, chosen, method.topic_share)
        return settle_rows(columns, groups, chosen, lots, progress)

    if watch is None:
        groups = with_mixed_values(units, groups, plan)
    else:
        groups = watch.keep(groups, progress=progress, final=False)
    whole = told(groups)
    if watch is not None:
        whole = watch.kept_rows(whole, told, progress)
    lost = left_out(units, grouped, whole.groups, plan)
    draws = WordDraws.of_all(whole, len(units), context.rng)
    return PublishedGroups(plan, units, whole, words_of(whole, k, draws, per_record, words_alike(plan)), left_out=lost)


def words_alike(plan: Plan) -> bool:
    """Whether a concept has one word wherever it stands, so that it can be counted: unless words are drawn for every
    record, as the paper does [Batet2014, §3.2]."""
    return Microaggregation.of(plan).representative != "per-record"


def supports_of(units: Records, k: int, secret: Thresholds | None = None) -> list[Support]:
    """Who holds and who wrote what in the columns of words; `secret` are the thresholds in the place of k."""
    apart = units.row_features is not None
    return [
        Support.of(words, units.persons, k, Rows(units.row_words(c), units.rows.owner) if apart else None, secret)
        for c, words in enumerate(units.words)
    ]


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


def fitted_groups(
    units: Records, groups: list[list[int]], plan: Plan, supports: list[Support], rule: Rule, progress: Progress
) -> list[list[int]]:
    """The groups as they are fitted to what they publish, where that is done and does not take too long."""
    if not _may_fit(units, plan) or work(supports[0].holders, groups) > WORK:
        return groups
    holders, own = supports[0].holders, rule_of(rule, supports[0])
    objective = sized_objective(holders, by_person(holders, groups), own)
    return fitted(holders, groups, own, objective, blocks=units.block, progress=progress)

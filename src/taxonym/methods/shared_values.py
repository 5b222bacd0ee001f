"""Groups in which everybody has the same confidential value, merged with near ones where that costs little.

Whoever knows that somebody is in such a group knows the value. Without a promise (l or t) the group is merged with the
nearest one that does not share the value, if the medoids of the two are no farther apart than NEAR times what a record
is from the medoid of its own group, on average; a group is merged once at most. What more than half of all records have
is what everybody would guess, and no reason to merge; groups of equal records are one class without merging. Groups of
one block are merged with each other only, so that blocks do it alike wherever they are.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from taxonym.distance.record import Compare, Part, record_pairs, record_rectangle
from taxonym.knowledge.arrays import Floats, Groups, Long
from taxonym.methods.closeness import medoids
from taxonym.methods.confidential_cells import confidential
from taxonym.plan import EQUAL_TERMS, Plan
from taxonym.records.records import Records, parts_of

if TYPE_CHECKING:
    import polars as pl

NEAR = 2  # times the mean distance to one's own medoid


def with_mixed_values(units: Records, groups: Groups, plan: Plan) -> Groups:
    """The groups of some units, with those merged that share a confidential value."""
    if not confidential(units.table.columns):
        return groups
    parts, how = parts_of(units.columns, plan.method.measure == EQUAL_TERMS), plan.method.compare
    values, block = confidential_values(units), units.block
    made: Groups = []
    for number in np.unique([block[group[0]] for group in groups]).tolist():
        own = sorted(sorted(group) for group in groups if block[group[0]] == number)
        made += merged(own, values, parts, how)
    return groups if len(made) == len(groups) else made


def confidential_values(units: Records) -> list[tuple[Long, Long]]:
    """Of every confidential column who has what: units, and numbers of values."""
    import polars as pl

    record = np.array([r for records in units.records for r in records], np.int64)
    owner = np.repeat(np.arange(len(units)), [len(records) for records in units.records])
    found = []
    for column in confidential(units.table.columns):
        cells = pl.DataFrame([units.table.frame[column.name].gather(record).alias("value"), pl.Series("unit", owner)])
        cells = (cells.explode("value") if column.kind == "set" else cells).drop_nulls("value").unique()
        found.append((cells["unit"].to_numpy(), _numbers(cells["value"])))
    return found


def _numbers(cells: "pl.Series") -> Long:
    return cells.rank("dense").to_numpy().astype(np.int64)


def merged(groups: Groups, values: Sequence[tuple[Long, Long]], parts: Sequence[Part], how: Compare) -> Groups:
    """The groups of one block; `values` as confidential_values has them."""
    shared = shared_values(groups, values)
    lacking = [g for g, common in enumerate(shared) if common]
    if not lacking or len(groups) == 1:
        return groups
    middle = medoids(parts, groups, how)
    own = np.concatenate([np.asarray(group, np.int64) for group in groups])
    to = np.repeat(middle, [len(group) for group in groups])
    off = record_pairs(parts, parts, own, to, how)
    limit = NEAR * float(off.mean())
    varied = np.bincount(np.repeat(np.arange(len(groups)), [len(group) for group in groups]), off) > 0
    apart = record_rectangle(parts, parts, middle[lacking], middle, how)
    partner = dict[int, int]()
    for far, g, other in sorted(_pairs(apart, lacking, shared, limit)):
        if g in partner:
            continue
        if not (far or varied[g] or varied[other]):
            partner[g] = g  # equal records are published as one class, in however many groups
        elif other not in partner:
            partner[g], partner[other] = other, g
    return [sorted({*group, *groups[partner.get(g, g)]}) for g, group in enumerate(groups) if g <= partner.get(g, g)]


def _pairs(
    apart: Floats, lacking: Sequence[int], shared: Sequence[set[tuple[int, int]]], limit: float
) -> Iterator[tuple[float, int, int]]:
    """Groups that would have less in common together, with how far they are apart: row i is of group lacking[i]."""
    for g, row in zip(lacking, apart, strict=True):
        columns = {column for column, _ in shared[g]}
        for other in np.flatnonzero(row <= limit + 1e-9).tolist():
            if other != g and len({column for column, _ in shared[g] & shared[other]}) < len(columns):
                yield round(float(row[other]), 6), g, other


def shared_values(groups: Groups, values: Sequence[tuple[Long, Long]]) -> list[set[tuple[int, int]]]:
    """For every group what all of it have in common: columns and values, without what more than half of all have."""
    sizes = np.array([len(group) for group in groups])
    rows = np.concatenate([np.asarray(group, np.int64) for group in groups])
    group_of = np.full(max([int(rows.max()), *(int(unit.max(initial=0)) for unit, _ in values)]) + 1, -1, np.int64)
    group_of[rows] = np.repeat(np.arange(len(groups)), sizes)
    found: list[set[tuple[int, int]]] = [set() for _ in groups]
    for column, (unit, value) in enumerate(values):
        here = group_of[unit] >= 0
        group, code = group_of[unit[here]], value[here]
        if not len(code):
            continue
        base = int(code.max()) + 1
        key, holders = np.unique(group * base + code, return_counts=True)
        usual = np.bincount(code, minlength=base) > len(rows) / 2
        for at in key[(holders == sizes[key // base]) & ~usual[key % base]].tolist():
            found[at // base].add((column, at % base))
    return found
